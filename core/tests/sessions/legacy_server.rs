//! A server of the legacy era: LS1 to LS14.

use wireline::mcp::{Capability, Revision, Revisions};
use wireline::session::{Server, SessionError};

use crate::harness::{INITIALIZED, Peer};

const D: Revision = Revision::V2025_11_25;

fn fresh() -> Peer<Server> {
    Peer::server(Revisions::LEGACY, &[Capability::Tools])
}

#[test]
fn ls1_r54_r55_a_supported_version_is_answered_as_it_is() {
    for revision in Revisions::LEGACY.iter() {
        let mut peer = fresh();
        let version = revision.name();
        peer.initialize(version, "{}").event("state opening").broke(&[]).sent(&format!(
            r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"us","version":"1"}}}}}}"#
        ));
        assert_eq!(peer.session.revision(), Some(revision));
        assert_eq!(peer.state(), "opening");
    }
}

#[test]
fn ls2_a12_another_version_is_answered_with_our_latest() {
    for version in ["2026-07-28", "2099-01-01", "2024-10-07", "", "DRAFT"] {
        let mut peer = fresh();
        let saw = peer.initialize(version, "{}");
        assert!(
            saw.one().contains(r#""protocolVersion":"2025-11-25""#),
            "{version}: {saw:?}"
        );
    }
    let mut old = Peer::server(Revisions::only(Revision::V2024_11_05), &[]);
    let saw = old.initialize("2025-11-25", "{}");
    assert!(saw.one().contains(r#""protocolVersion":"2024-11-05""#));
}

#[test]
fn s15_a_version_is_compared_whole() {
    for version in [
        "2024-11-05 ",
        " 2024-11-05",
        "2024-11-5",
        "2024-11-05T00:00:00Z",
        "2024-11-05\\u0000",
        "v2024-11-05",
    ] {
        let saw = fresh().initialize(version, "{}");
        assert!(
            saw.one().contains(r#""protocolVersion":"2025-11-25""#),
            "{version}: {saw:?}"
        );
    }
    // Written with an escape it is the same version.
    let saw = fresh().initialize("2024-11-0\\u0035", "{}");
    assert!(saw.one().contains(r#""protocolVersion":"2024-11-05""#));
}

#[test]
fn ls3_r52_initialize_without_its_parameters_is_refused_and_can_be_repeated() {
    let mut peer = fresh();
    for params in [
        r#"{"capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#,
        r#"{"protocolVersion":20251125,"capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#,
        r#"{"protocolVersion":"2025-11-25","clientInfo":{"name":"c","version":"1"}}"#,
        r#"{"protocolVersion":"2025-11-25","capabilities":[],"clientInfo":{}}"#,
        r#"{"protocolVersion":"2025-11-25","capabilities":{}}"#,
    ] {
        peer.line(&format!(
            r#"{{"jsonrpc":"2.0","id":"i","method":"initialize","params":{params}}}"#
        ))
        .refused("\"i\"", -32602)
        .broke(&[52]);
    }
    peer.line(r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)
        .refused("1", -32602);
    assert_eq!(peer.state(), "idle");
    peer.initialize("2025-11-25", "{}").event("state opening");
}

#[test]
fn ls5_r61_ping_is_answered_before_and_during_the_handshake() {
    let mut peer = fresh();
    peer.line(r#"{"jsonrpc":"2.0","id":"p0","method":"ping"}"#)
        .broke(&[])
        .sent(r#"{"jsonrpc":"2.0","id":"p0","result":{}}"#);
    peer.initialize("2025-11-25", "{}");
    peer.line(r#"{"id":7,"jsonrpc":"2.0","params":{},"method":"p\u0069ng"}"#)
        .sent(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#);
    peer.line(INITIALIZED).event("state ready 2025-11-25");
    peer.line(r#"{"jsonrpc":"2.0","id":8,"method":"ping"}"#)
        .sent(r#"{"jsonrpc":"2.0","id":8,"result":{}}"#);
}

#[test]
fn ls6_r51_other_requests_before_initialize_are_refused_and_nothing_is_lost() {
    let mut peer = fresh();
    peer.line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
        .refused("1", -32600)
        .broke(&[51]);
    peer.line(r#"{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{}}"#)
        .refused("2", -32601);
    let modern = crate::harness::modern;
    peer.line(&modern("2", "server/discover", "{}", ""))
        .refused("2", -32601);
    peer.line(&modern("2", "tools/list", "{}", ""))
        .refused("2", -32600);
    peer.line(r#"{"jsonrpc":"2.0","id":3,"method":"no/such"}"#)
        .refused("3", -32601);
    peer.initialize("2025-11-25", "{}").event("state opening");
}

#[test]
fn ls7_notifications_before_initialize_are_ignored() {
    let mut peer = fresh();
    for line in [
        INITIALIZED,
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":1}}"#,
        r#"{"jsonrpc":"2.0","method":"window/logMessage"}"#,
    ] {
        peer.line(line).nothing_sent();
        assert_eq!(peer.state(), "idle");
    }
}

#[test]
fn ls8_a14_ping_and_log_messages_may_go_out_before_initialized() {
    let mut peer = Peer::server(Revisions::LEGACY, &[Capability::Logging]);
    let (_, send) = peer.session.ping(0).unwrap();
    assert!(!send.is_empty());
    peer.initialize("2025-11-25", "{}");
    assert!(peer.session.ping(0).is_ok());
    let level = wireline::mcp::LogLevel::Error;
    let data = wireline::json::RawJson::EMPTY_OBJECT;
    assert!(
        !peer
            .session
            .log(None, level, None, data)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn ls9_r59_other_requests_wait_for_initialized() {
    let mut peer = Peer::server(Revisions::LEGACY, &[]);
    let refused = peer.request("roots/list", "{}").unwrap_err();
    assert_eq!(refused, SessionError::NotReady);
    peer.initialize("2025-11-25", r#"{"roots":{}}"#);
    let refused = peer.request("roots/list", "{}").unwrap_err();
    assert_eq!(refused, SessionError::Gate(wireline::Rule::R59));
    peer.line(INITIALIZED);
    assert_eq!(
        peer.request("roots/list", "{}").unwrap().1,
        r#"{"jsonrpc":"2.0","id":0,"method":"roots/list","params":{}}"#
    );
}

#[test]
fn ls10_r57_initialized_opens_the_session_once() {
    let mut peer = fresh();
    peer.initialize("2025-06-18", "{}");
    peer.line(INITIALIZED)
        .event("state ready 2025-06-18")
        .nothing_sent();
    peer.line(INITIALIZED)
        .event("ignored wrongstate")
        .nothing_sent();
}

#[test]
fn ls11_a13_requests_before_initialized_are_served() {
    let mut peer = fresh();
    peer.initialize("2025-11-25", "{}");
    let saw = peer.line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    saw.event("request tools/list").broke(&[]);
    assert_eq!(
        peer.respond(saw.handle(), r#"{"tools":[]}"#).unwrap(),
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#
    );
}

#[test]
fn ls12_a_second_initialize_is_refused() {
    let mut peer = Peer::initialized(D, &[], "{}");
    peer.initialize("2024-11-05", "{}")
        .refused("0", -32600)
        .broke(&[51]);
    assert_eq!(peer.session.revision(), Some(D));
}

#[test]
fn ls13_r60_cancelling_initialize_is_ignored() {
    let mut peer = Peer::initialized(D, &[], "{}");
    peer.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}"#)
        .event("ignored unknowntarget")
        .nothing_sent();
    assert_eq!(peer.state(), "ready 2025-11-25");
}

#[test]
fn ls14_r28_what_was_accepted_is_answered_after_the_input_ends() {
    let mut peer = Peer::initialized(D, &[Capability::Tools], r#"{"roots":{}}"#);
    let call = peer
        .line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#)
        .handle();
    peer.request("roots/list", "{}").unwrap();
    assert_eq!(peer.close(), ["ended closed", "state closed"]);
    assert_eq!(peer.close(), [""; 0]);
    assert_eq!(
        peer.respond(call, r#"{"content":[]}"#).unwrap(),
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#
    );
    assert_eq!(peer.session.in_flight(), (0, 0));
}

#[test]
fn r62_r63_methods_of_other_sides_revisions_and_capabilities_are_not_found() {
    let mut peer = Peer::initialized(Revision::V2025_03_26, &[Capability::Tools], "{}");
    for (id, method) in [
        "sampling/createMessage", // the server's own
        "tasks/list",             // of 2025-11-25
        "prompts/list",           // not declared
        "subscriptions/listen",   // of 2026-07-28
        "notifications/cancelled",
        "logging/setLevel",
    ]
    .iter()
    .enumerate()
    {
        let saw = peer.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"level":"info"}}}}"#
        ));
        saw.refused(&id.to_string(), -32601);
        assert!(!saw.broken.is_empty(), "{method}");
    }
    // A method of no table is the host's.
    peer.line(r#"{"jsonrpc":"2.0","id":9,"method":"acme/do"}"#)
        .event("request unknown")
        .broke(&[]);
}

#[test]
fn r127_levels_filter_and_unknown_ones_are_refused() {
    use wireline::mcp::LogLevel;
    let mut peer = Peer::initialized(D, &[Capability::Logging], "{}");
    let set = |level: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{{"level":{level}}}}}"#
        )
    };
    peer.line(&set("\"warning\""))
        .sent(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    for wrong in ["\"warn\"", "\"WARNING\"", "4", "\"\""] {
        peer.line(&set(wrong)).refused("1", -32602);
    }
    let data = wireline::json::RawJson::validate(br#""hot""#).unwrap();
    let below = peer
        .session
        .log(None, LogLevel::Notice, None, data)
        .unwrap();
    assert!(below.is_empty());
    let mut out = [0; 200];
    let at = peer
        .session
        .log(None, LogLevel::Warning, Some("board"), data)
        .unwrap()
        .write(&mut out)
        .unwrap();
    assert_eq!(
        std::str::from_utf8(&out[..at]).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"warning\",\"logger\":\"board\",\"data\":\"hot\"}}\n"
    );
    let mut silent = Peer::initialized(D, &[], "{}");
    assert_eq!(
        silent
            .session
            .log(None, LogLevel::Error, None, data)
            .unwrap_err(),
        SessionError::Gate(wireline::Rule::R126)
    );
}

#[test]
fn r78_r80_params_that_are_written_are_gated_as_those_that_are_there() {
    use wireline::json::{ToJson, from_fn};
    use wireline::mcp::write::{ElicitFormParams, ElicitUrlParams, RequestedSchema};
    let asked = |declared: &str, method: &str, params: &dyn ToJson| {
        let mut peer = Peer::initialized(D, &[], declared);
        let options = wireline::session::Options::new();
        let params = wireline::encode::Payload::Value(params);
        let sent = peer.session.request(method, params, options, 0);
        sent.map(|_| ())
    };
    let url = ElicitUrlParams::new("m", "https://x.example").elicitation_id("e");
    let schema = RequestedSchema::new(&[]);
    let form = ElicitFormParams::new("m", &schema);
    let tools = from_fn(|w| {
        w.begin_object().key("messages").begin_array().end_array();
        w.member("maxTokens", &1u8);
        w.key("tools").begin_array().end_array().end_object();
    });
    let forms = r#"{"elicitation":{}}"#;
    let urls = r#"{"elicitation":{"url":{}}}"#;
    let r78 = Err(SessionError::Gate(wireline::Rule::R78));
    let r80 = Err(SessionError::Gate(wireline::Rule::R80));
    assert_eq!(asked(forms, "elicitation/create", &form), Ok(()));
    assert_eq!(asked(forms, "elicitation/create", &url), r78);
    assert_eq!(asked(urls, "elicitation/create", &url), Ok(()));
    assert_eq!(asked(urls, "elicitation/create", &form), r78);
    let sampling = r#"{"sampling":{}}"#;
    let with_tools = r#"{"sampling":{"tools":{}}}"#;
    assert_eq!(asked(sampling, "sampling/createMessage", &tools), r80);
    assert_eq!(asked(with_tools, "sampling/createMessage", &tools), Ok(()));
}

// Shows R79.
#[test]
fn r78_r80_what_a_client_did_not_declare_is_not_asked_of_it() {
    let url = r#"{"mode":"url","message":"m","url":"https://x.example","elicitationId":"e"}"#;
    let form = r#"{"message":"m","requestedSchema":{"type":"object","properties":{}}}"#;
    let mut forms = Peer::initialized(D, &[], r#"{"elicitation":{}}"#);
    assert!(forms.request("elicitation/create", form).is_ok());
    assert_eq!(
        forms.request("elicitation/create", url).unwrap_err(),
        SessionError::Gate(wireline::Rule::R78)
    );
    let mut urls = Peer::initialized(D, &[], r#"{"elicitation":{"url":{}}}"#);
    assert!(urls.request("elicitation/create", url).is_ok());
    let tools = r#"{"messages":[],"maxTokens":1,"tools":[]}"#;
    let mut samples = Peer::initialized(D, &[], r#"{"sampling":{}}"#);
    assert_eq!(
        samples
            .request("sampling/createMessage", tools)
            .unwrap_err(),
        SessionError::Gate(wireline::Rule::R80)
    );
    // Without tools it may be asked for, and so may all else whose parameters have that name.
    let plain = r#"{"messages":[],"maxTokens":1}"#;
    assert!(samples.request("sampling/createMessage", plain).is_ok());
    let mut elicits = Peer::initialized(D, &[], r#"{"elicitation":{}}"#);
    let other = r#"{"message":"m","requestedSchema":{},"tools":[]}"#;
    assert!(elicits.request("elicitation/create", other).is_ok());
    assert_eq!(
        urls.request("sampling/createMessage", r#"{"messages":[],"maxTokens":1}"#)
            .unwrap_err(),
        SessionError::Gate(wireline::Rule::R63)
    );
}
