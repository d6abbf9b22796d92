//! Requests of a client in the modern era: MC1 to MC15, and input in several rounds: MR1 to
//! MR9.

use wireline::Rule;
use wireline::encode::{Payload, WriteError};
use wireline::json::RawJson;
use wireline::mcp::{Capabilities, Capability, Method, Revision, Revisions};
use wireline::session::{Client, Handle, InputRequest, Options, SessionError};

use crate::harness::{Peer, config, modern};

const OURS: &[Capability] = &[
    Capability::Elicitation,
    Capability::ElicitationForm,
    Capability::Roots,
];

fn client() -> Peer<Client> {
    Peer::discovered(OURS, r#"{"tools":{},"prompts":{},"resources":{}}"#)
}

/// A `tools/call` that is under way, with id 1.
fn calling() -> (Peer<Client>, Handle) {
    let mut peer = client();
    let (handle, line) = peer
        .request("tools/call", r#"{"name":"x","arguments":{"a":1}}"#)
        .unwrap();
    assert!(
        line.starts_with(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"#)
    );
    (peer, handle)
}

const ASKS: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{}}}},"requestState":"s\u00e9\n"}}"#;

#[test]
fn mc1_r42_r43_r44_r17_every_request_says_its_revision_and_capabilities() {
    let mut peer = client();
    let options = Options::new().with_progress();
    let params = RawJson::validate(br#"{"name":"x"}"#).unwrap();
    let (_, send) = peer
        .session
        .request("tools/call", params, options, 0)
        .unwrap();
    let mut out = [0; 500];
    let n = send.write(&mut out).unwrap();
    assert_eq!(
        std::str::from_utf8(&out[..n]).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{},\"elicitation\":{\"form\":{}}},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"us\",\"version\":\"1\"},\"progressToken\":1},\"name\":\"x\"}}\n"
    );
    assert!(
        peer.request("tools/list", "{}")
            .unwrap()
            .1
            .contains("\"id\":2,")
    );
    let refused = peer.request("tools/list", r#"{"_meta":{}}"#).unwrap_err();
    assert_eq!(
        refused,
        SessionError::Write(wireline::encode::WriteError::BadPayload)
    );
    assert!(
        peer.request("tools/list", "{}")
            .unwrap()
            .1
            .contains("\"id\":3,"),
        "no id was used up"
    );
}

#[test]
fn mc2_r89_a10_complete_or_absent_is_the_result() {
    let (mut peer, handle) = calling();
    let saw =
        peer.line(r#"{"result":{"content":[],"resultType":"complete"},"jsonrpc":"2.0","id":1}"#);
    saw.event(r#"ended result {"content":[],"resultType":"complete"}"#)
        .broke(&[]);
    assert_eq!(saw.handle(), handle);
    let (mut peer, _) = calling();
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#)
        .event(r#"ended result {"content":[]}"#)
        .broke(&[88]);
}

#[test]
fn mc3_mr3_mr5_mr6_r96_r97_r98_input_is_given_in_a_new_request() {
    let (mut peer, handle) = calling();
    let saw = peer.line(ASKS);
    saw.event("input required 1").broke(&[]).nothing_sent();
    assert_eq!(saw.handle(), handle);
    // The exchange is over on the wire; nothing can answer it now.
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#)
        .event("ignored late");
    let state = RawJson::validate(br#""s\u00e9\n""#).unwrap().as_json_str();
    let params = RawJson::validate(br#"{"name":"x","arguments":{"a":1}}"#).unwrap();
    let answers = RawJson::validate(br#"{"q":{"action":"accept","content":{}}}"#).unwrap();
    let send = peer
        .session
        .retry(handle, params, answers, state, Options::new(), 0)
        .unwrap();
    let mut out = [0; 600];
    let n = send.write(&mut out).unwrap();
    let line = std::str::from_utf8(&out[..n]).unwrap();
    assert!(line.starts_with(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","#));
    assert!(line.ends_with("\"name\":\"x\",\"arguments\":{\"a\":1},\"inputResponses\":{\"q\":{\"action\":\"accept\",\"content\":{}}},\"requestState\":\"s\\u00e9\\n\"}}\n"));
    let saw =
        peer.line(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}"#);
    assert_eq!(saw.handle(), handle);
    assert_eq!(peer.session.in_flight(), (0, 0));
}

#[test]
fn answers_that_are_no_object_are_not_sent() {
    let (mut peer, handle) = calling();
    peer.line(ASKS);
    let params = RawJson::validate(br#"{"name":"x"}"#).unwrap();
    for wrong in [&b"7"[..], b"[]", b"null", b"\"{}\""] {
        let answers = RawJson::validate(wrong).unwrap();
        let error = peer
            .session
            .retry(handle, params, answers, None, Options::new(), 0)
            .unwrap_err();
        assert_eq!(error, SessionError::Write(WriteError::BadPayload));
    }
    // It still waits.
    let answers = RawJson::EMPTY_OBJECT;
    assert!(
        peer.session
            .retry(handle, params, answers, None, Options::new(), 0)
            .is_ok()
    );
}

#[test]
fn mr4_r97_only_a_state_is_only_echoed() {
    let (mut peer, handle) = calling();
    peer.line(
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":""}}"#,
    )
    .event("input required 1");
    let state = RawJson::validate(b"\"\"").unwrap().as_json_str();
    let params = RawJson::validate(br#"{"name":"x"}"#).unwrap();
    let send = peer
        .session
        .retry(handle, params, Payload::None, state, Options::new(), 0)
        .unwrap();
    let mut out = [0; 600];
    let n = send.write(&mut out).unwrap();
    let line = std::str::from_utf8(&out[..n]).unwrap();
    assert!(line.contains(r#""requestState":"""#) && !line.contains("inputResponses"));
}

#[test]
fn mr7_r99_no_other_request_carries_them() {
    let (mut peer, _) = calling();
    peer.line(ASKS);
    let (_, line) = peer.request("tools/call", r#"{"name":"y"}"#).unwrap();
    assert!(!line.contains("requestState") && !line.contains("inputResponses"));
    for taken in [
        r#"{"name":"y","requestState":"s"}"#,
        r#"{"name":"y","inputResponses":{}}"#,
    ] {
        assert!(peer.request("tools/call", taken).is_err());
    }
}

// Shows A26.
#[test]
fn mr8_who_declines_sends_nothing() {
    let (mut peer, handle) = calling();
    peer.line(ASKS);
    // However long it takes to gather the input.
    assert!(peer.wait(100_000_000).is_empty());
    peer.cancel(handle)
        .unwrap()
        .event("ended cancelled")
        .nothing_sent();
    assert_eq!(peer.session.in_flight(), (0, 0));
}

// Shows S10.
#[test]
fn mr11_rounds_are_bounded() {
    let (mut peer, handle) = calling();
    for round in 1..=11 {
        let saw = peer.line(&ASKS.replace("\"id\":1", &format!("\"id\":{round}")));
        if round == 11 {
            saw.event("ended too-many-rounds");
            break;
        }
        saw.event(&format!("input required {round}"));
        let params = RawJson::validate(br#"{"name":"x"}"#).unwrap();
        let answers = RawJson::EMPTY_OBJECT;
        peer.session
            .retry(handle, params, answers, None, Options::new(), 0)
            .unwrap();
    }
    assert_eq!(peer.session.in_flight(), (0, 0));
}

// Shows A24.
#[test]
fn mc4_mr2_r92_r93_r94_r95_a_demand_for_input_that_is_wrong() {
    let demand = |inner: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"input_required"{inner}}}}}"#)
    };
    let wrong = [
        (String::new(), 93),
        (r#","inputRequests":[]"#.into(), 94),
        (
            r#","inputRequests":{"k":{"method":"tools/call","params":{}}}"#.into(),
            94,
        ),
        (r#","inputRequests":{"k":{}}"#.into(), 94),
        (
            r#","inputRequests":{"k":{"method":"sampling/createMessage","params":{}}}"#.into(),
            95,
        ),
        (
            r#","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"url"}}}"#
                .into(),
            95,
        ),
    ];
    for (inner, rule) in wrong {
        let (mut peer, _) = calling();
        peer.line(&demand(&inner))
            .event("ended bad-response")
            .broke(&[rule])
            .nothing_sent();
    }
    let mut peer = client();
    peer.request("tools/list", "{}").unwrap();
    peer.line(ASKS).event("ended bad-response").broke(&[92]);
}

#[test]
fn mc5_r88_r90_r91_an_unknown_result_type_is_invalid() {
    for (kind, rule) in [
        (r#""task""#, 91),
        (r#""Complete""#, 91),
        (r#""""#, 91),
        ("7", 88),
        ("null", 88),
        ("{}", 88),
    ] {
        let (mut peer, _) = calling();
        peer.line(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[],"resultType":{kind}}}}}"#
        ))
        .event("ended bad-response")
        .broke(&[rule]);
    }
    // What an extension defines is for the program that declared it, and for nobody else:
    // `task` is of one extension, for one method, and the rest is of the others.
    let tasks = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    let other = r#"{"extensions":{"com.example/later":{}}}"#;
    let both = r#"{"extensions":{"com.example/later":{},"io.modelcontextprotocol/tasks":{}}}"#;
    let cases = [
        (tasks, "tools/call", r#""task""#, 0),
        (tasks, "prompts/get", r#""task""#, 144),
        (tasks, "tools/call", r#""later""#, 91),
        (tasks, "tools/call", r#""""#, 91),
        (tasks, "tools/call", "7", 88),
        (other, "tools/call", r#""task""#, 91),
        (other, "tools/call", r#""later""#, 0),
        (other, "prompts/get", r#""later""#, 0),
        (other, "tools/call", r#""""#, 91),
        (both, "tools/call", r#""task""#, 0),
        (both, "prompts/get", r#""task""#, 144),
        (both, "prompts/get", r#""later""#, 0),
        (r#"{"extensions":{}}"#, "tools/call", r#""task""#, 91),
        (r#"{"experimental":{"x":{}}}"#, "tools/call", r#""x""#, 91),
    ];
    for (declared, method, kind, rule) in cases {
        let declared = RawJson::validate(declared.as_bytes()).unwrap();
        let config = (*config(Revisions::MODERN, &[])).with_extra_capabilities(declared);
        let mut peer = Peer::<Client>::over(Box::leak(Box::new(config)));
        let ours = Capabilities::NONE
            .with(Capability::Tools)
            .with(Capability::Prompts);
        peer.session.assume(Revision::V2026_07_28, ours).unwrap();
        peer.request(method, r#"{"name":"x"}"#).unwrap();
        let result = format!(r#"{{"resultType":{kind},"task":{{"taskId":"t"}}}}"#);
        let saw = peer.line(&format!(r#"{{"jsonrpc":"2.0","id":0,"result":{result}}}"#));
        match rule {
            0 => saw.event(&format!("ended result {result}")).broke(&[]),
            _ => saw.event("ended bad-response").broke(&[rule]),
        };
    }
    // In the legacy era the member means nothing.
    let mut peer = Peer::opened(wireline::mcp::Revision::V2025_11_25, &[], r#"{"tools":{}}"#);
    peer.request("tools/list", "{}").unwrap();
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[],"resultType":"odd"}}"#)
        .event(r#"ended result {"tools":[],"resultType":"odd"}"#);
}

#[test]
fn mc6_r66_an_unsupported_version_ends_the_request_and_the_next_follows_another() {
    let (mut peer, _) = calling();
    peer.line(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28","2025-11-25"],"requested":"2026-07-28"}}}"#)
        .event("ended error -32022");
    assert!(
        peer.request("tools/list", "{}")
            .unwrap()
            .1
            .contains("2026-07-28")
    );
}

#[test]
fn mc8_mc9_errors_are_delivered() {
    for code in [-32021, -32603, -32602, 42] {
        let (mut peer, handle) = calling();
        let saw = peer.line(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"m","data":{{"requiredCapabilities":{{"sampling":{{}}}}}}}}}}"#
        ));
        saw.event(&format!("ended error {code}"));
        assert_eq!(saw.handle(), handle);
    }
}

#[test]
fn mc10_r109_r114_a_cancelled_request_is_told_and_its_late_answer_ignored() {
    let (mut peer, handle) = calling();
    peer.cancel(handle)
        .unwrap()
        .event("ended cancelled")
        .sent(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    assert_eq!(peer.cancel(handle).unwrap_err(), SessionError::StaleHandle);
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}"#)
        .event("ignored late")
        .broke(&[]);
}

#[test]
fn mc12_what_is_lost_with_the_connection_ends() {
    let (mut peer, _) = calling();
    assert_eq!(peer.close(), ["ended closed", "state closed"]);
}

#[test]
fn mc13_r7_r8_a_servers_request_is_dropped() {
    let mut peer = client();
    for method in ["roots/list", "elicitation/create", "ping", "acme/do"] {
        peer.line(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#
        ))
        .event("ignored wrongside")
        .broke(&[8])
        .nothing_sent();
    }
    // Nor is any fault answered: a client of this era never writes a response.
    peer.line(r#"{"jsonrpc":"2.0","id":1,"method":7}"#)
        .nothing_sent();
    peer.line(r#"[]"#).nothing_sent();
}

// Shows S6.
#[test]
fn mc14_r18_a_response_to_nothing_is_dropped() {
    let (mut peer, _) = calling();
    // 2 is the next that will be given out.
    for id in ["2", "7", r#""1""#, "-1", "18446744073709551617", r#""""#] {
        peer.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#))
            .event("ignored unknownid")
            .broke(&[18])
            .nothing_sent();
    }
    assert_eq!(peer.session.in_flight(), (0, 1));
}

#[test]
fn mc15_r118_r128_notifications_that_belong_to_no_request() {
    let (mut peer, _) = calling();
    for token in ["1", "9", r#""1""#] {
        peer.line(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#))
            .event("ignored unknowntarget")
            .broke(&[118]);
    }
    let mut peer = Peer::discovered(&[], r#"{"tools":{},"logging":{}}"#);
    let log =
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1}}"#;
    peer.line(log)
        .event("notification notifications/message")
        .broke(&[128]);
    let options = Options::new().with_log_level(wireline::mcp::LogLevel::Info);
    let (_, send) = peer
        .session
        .request("tools/list", RawJson::EMPTY_OBJECT, options, 0)
        .unwrap();
    assert!(send.len().unwrap() > 0);
    peer.line(log).broke(&[]);
}

#[test]
fn mc15_r128_a_log_message_may_cross_a_cancellation() {
    let log =
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1}}"#;
    let mut peer = Peer::discovered(&[], r#"{"tools":{},"logging":{}}"#);
    // One that asked for none excuses none.
    let mut given_up = |options: Options<'_>, broken: &[u8]| {
        let empty = RawJson::EMPTY_OBJECT;
        let asked = peer.session.request("tools/list", empty, options, 0);
        let handle = asked.unwrap().0;
        assert!(peer.session.cancel(handle, None).is_ok());
        peer.line(log)
            .event("notification notifications/message")
            .broke(broken);
    };
    given_up(Options::new(), &[128]);
    given_up(
        Options::new().with_log_level(wireline::mcp::LogLevel::Info),
        &[],
    );
    // The slot may be another's by then.
    given_up(Options::new(), &[]);
}

#[test]
fn mr1_r92_r93_r94_a_server_asks_once_and_the_exchange_is_over() {
    use wireline::mcp::Revisions;
    let mut peer = Peer::server(
        Revisions::ALL,
        &[Capability::Tools, Capability::Completions],
    );
    let caps = r#"{"elicitation":{},"roots":{}}"#;
    let call = peer
        .line(&modern("5", "tools/call", caps, r#","name":"x""#))
        .handle();
    let input = |method| {
        [InputRequest {
            key: "k",
            method,
            params: Payload::None,
        }]
    };
    let gate = |rule| Err(SessionError::Gate(rule));
    assert_eq!(peer.session.ask(call, &[], None).map(drop), gate(Rule::R93));
    assert_eq!(
        peer.session
            .ask(call, &input(Method::ToolsCall), None)
            .map(drop),
        gate(Rule::R94)
    );
    let mut out = [0; 400];
    let requests = input(Method::RootsList);
    let n = peer
        .session
        .ask(call, &requests, Some("sealed"))
        .unwrap()
        .write(&mut out)
        .unwrap();
    assert_eq!(
        std::str::from_utf8(&out[..n]).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"resultType\":\"input_required\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"us\",\"version\":\"1\"}},\"inputRequests\":{\"k\":{\"method\":\"roots/list\",\"params\":{}}},\"requestState\":\"sealed\"}}\n"
    );
    assert_eq!(
        peer.respond(call, "{}").unwrap_err(),
        SessionError::StaleHandle
    );
    let params = r#","ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}"#;
    let complete = peer
        .line(&modern("6", "completion/complete", caps, params))
        .handle();
    assert_eq!(
        peer.session.ask(complete, &[], Some("s")).map(drop),
        gate(Rule::R92)
    );
}

#[test]
fn mr9_r100_missing_and_unknown_answers_are_the_hosts_to_judge() {
    use wireline::mcp::Revisions;
    let mut peer = Peer::server(Revisions::ALL, &[Capability::Tools]);
    let again = modern(
        "6",
        "tools/call",
        "{}",
        r#","name":"x","inputResponses":{"other":{}},"requestState":"s""#,
    );
    let call = peer.line(&again).event("request tools/call").handle();
    assert!(peer.session.ask(call, &[], Some("s2")).is_ok());
}

#[test]
fn what_waits_for_input_is_not_ended_by_a_wrong_answer_to_what_was_answered() {
    let (mut peer, handle) = calling();
    peer.line(ASKS).event("input required 1");
    let wrong = r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}"#;
    peer.line(wrong).event("ignored fault").nothing_sent();
    let params = RawJson::validate(br#"{"name":"x"}"#).unwrap();
    let answers = RawJson::EMPTY_OBJECT;
    let again = peer
        .session
        .retry(handle, params, answers, None, Options::new(), 0);
    assert!(again.is_ok());
}

#[test]
fn dc6_what_a_server_can_do_may_be_asked_later() {
    let mut peer = Peer::client(wireline::mcp::Revisions::ALL, &[]);
    peer.connect();
    peer.line(r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{}}}}"#)
        .event("state ready 2026-07-28");
    assert!(peer.request("tools/list", "{}").is_err());
    peer.request("server/discover", "{}").unwrap();
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}"#);
    assert!(peer.request("tools/list", "{}").is_ok());
}

/// That both sides keep to what was agreed on binds those who agreed: sessions of the legacy era.
#[test]
fn what_a_server_may_not_tell_is_ignored_and_breaks_no_rule_of_the_other_era() {
    for method in ["initialized", "roots/list_changed"] {
        let line = format!(r#"{{"jsonrpc":"2.0","method":"notifications/{method}"}}"#);
        client()
            .line(&line)
            .event("ignored wrongside")
            .broke(&[])
            .nothing_sent();
        Peer::opened(Revision::V2025_11_25, OURS, "{}")
            .line(&line)
            .event("ignored wrongside")
            .broke(&[62])
            .nothing_sent();
    }
}
