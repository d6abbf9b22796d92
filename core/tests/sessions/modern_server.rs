//! A server of the modern era, alone and beside the legacy one: MS1 to MS10, DS1 to DS11.

use wireline::encode::Payload;
use wireline::json::RawJson;
use wireline::mcp::{Capability, Method, Revision, Revisions};
use wireline::session::{InputRequest, Reply, Server, SessionError};
use wireline::{Limits, Rule};

use crate::harness::{INITIALIZED, Peer, config, modern};

fn dual() -> Peer<Server> {
    Peer::server(Revisions::ALL, &[Capability::Tools, Capability::Prompts])
}

fn only_modern() -> Peer<Server> {
    Peer::server(Revisions::MODERN, &[Capability::Tools])
}

// Shows S5.
#[test]
fn ms1_a3_what_is_not_json_is_answered_only_if_asked_for() {
    for line in [
        "Server ready",
        r#"{"jsonrpc":"2.0","id":1,"method":"#,
        "\u{1b}[0m",
    ] {
        dual().line(line).event("ignored fault").nothing_sent();
    }
    let mut policy = wireline::session::Policy::DEFAULT;
    policy.answer_unparsable = true;
    let with = Box::leak(Box::new(config(Revisions::ALL, &[]).with_policy(policy)));
    Peer::<Server>::over(with)
        .line("{nope")
        .sent(r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#);
    let old = Box::leak(Box::new(
        with.with_revisions(Revisions::only(Revision::V2025_06_18)),
    ));
    Peer::<Server>::over(old)
        .line("{nope")
        .sent(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#);
}

#[test]
fn ms2_r7_r26_r32_what_is_no_request_is_refused_by_its_id_or_not_at_all() {
    let mut peer = only_modern();
    peer.line(r#"{"jsonrpc":"2.0","id":1,"method":"x","params":[]}"#)
        .refused("1", -32600)
        .broke(&[26]);
    peer.line(r#"{"jsonrpc":"1.0","id":2,"method":"x"}"#)
        .refused("2", -32600)
        .broke(&[13]);
    peer.line(r#"{"jsonrpc":"2.0","id":3,"method":7}"#)
        .refused("3", -32600);
    peer.line(r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#)
        .nothing_sent()
        .broke(&[15]);
    peer.line(r#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#)
        .nothing_sent()
        .broke(&[14]);
    // Whatever looks like a response is never answered.
    for line in [
        r#"{"jsonrpc":"2.0","id":4,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":4,"error":{"code":1,"message":"m"}}"#,
    ] {
        peer.line(line)
            .event("ignored wrongside")
            .nothing_sent()
            .broke(&[7]);
    }
    peer.line(r#"{"jsonrpc":"2.0","id":4,"result":1}"#)
        .nothing_sent();
    peer.line(r#"{"jsonrpc":"2.0","id":4}"#).nothing_sent();
    peer.line(r#"{"jsonrpc":"2.0","id":4,"result":{},"error":{"code":1,"message":"m"}}"#)
        .nothing_sent();
    peer.line(r#"{"jsonrpc":"2.0","id":5,"method":"x","result":{}}"#)
        .nothing_sent()
        .broke(&[21]);
    peer.line(r#"{"jsonrpc":"2.0","id":5,"method":null,"error":{"code":1,"message":"m"}}"#)
        .nothing_sent();
    // A batch has no id of its own.
    peer.line(r#"[{"jsonrpc":"2.0","id":6,"method":"x"}]"#)
        .broke(&[5, 31])
        .sent(r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"}}"#);
}

#[test]
fn ms3_r25_notifications_are_never_answered() {
    let mut peer = only_modern();
    for line in [
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}"#,
        r#"{"jsonrpc":"2.0","method":"initialize","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#,
        r#"{"jsonrpc":"2.0","method":"no/such","params":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#,
    ] {
        peer.line(line).nothing_sent();
    }
}

#[test]
fn ms4_r45_r42_r43_ds10_a_request_without_its_meta_is_refused() {
    let bad = [
        ("{}", 42),
        (r#"{"_meta":{}}"#, 42),
        (
            r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":7,"io.modelcontextprotocol/clientCapabilities":{}}}"#,
            42,
        ),
        (
            r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":null,"io.modelcontextprotocol/clientCapabilities":{}}}"#,
            42,
        ),
        (
            r#"{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}"#,
            42,
        ),
        (
            r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#,
            43,
        ),
        (
            r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}}"#,
            43,
        ),
    ];
    for (params, rule) in bad {
        let saw = only_modern().line(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{params}}}"#
        ));
        saw.refused("1", -32602).broke(&[rule]);
        assert!(
            saw.one().contains("io.modelcontextprotocol/"),
            "the member is named"
        );
    }
    // In a dual server too, once it has served a request of the era.
    let mut peer = dual();
    peer.line(&modern("1", "tools/list", "{}", ""))
        .event("request tools/list");
    peer.line(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#)
        .refused("2", -32602)
        .broke(&[42]);
}

#[test]
fn ms6_r65_an_unsupported_version_is_refused_with_those_that_are() {
    for version in ["2025-11-25", "2099-01-01", "", "2026-7-28"] {
        let line = modern("1", "tools/list", "{}", "").replace("2026-07-28", version);
        dual().line(&line).sent(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32022,"message":"Unsupported protocol version","data":{{"supported":["2026-07-28"],"requested":"{version}"}}}}}}"#
        ));
    }
    let saw = only_modern().line(&modern("1", "tools/list", "{}", "").replace("2026-07-28", "x"));
    assert!(saw.one().contains(r#""supported":["2026-07-28"],"#));
}

#[test]
fn ms7_r74_r85_a8_methods_that_are_gone_or_not_declared_are_not_found() {
    let mut peer = only_modern();
    for (method, rule) in [
        ("ping", 74),
        ("logging/setLevel", 74),
        ("resources/subscribe", 74),
        ("resources/unsubscribe", 74),
        ("sampling/createMessage", 74),
        ("prompts/list", 85),
        ("resources/read", 85),
        ("completion/complete", 85),
    ] {
        peer.line(&modern("1", method, "{}", ""))
            .refused("1", -32601)
            .broke(&[rule]);
    }
    peer.line(&modern("2", "acme/do", "{}", ""))
        .event("request unknown")
        .broke(&[]);
}

#[test]
fn ms8_r32_wrong_parameters_are_refused() {
    let mut peer = only_modern();
    for params in ["", r#","name":7"#, r#","nam":"x""#] {
        peer.line(&modern("1", "tools/call", "{}", params))
            .refused("1", -32602)
            .broke(&[]);
    }
    peer.line(&modern("1", "tools/list", "{}", r#","cursor":5"#))
        .refused("1", -32602);
}

#[test]
fn r95_input_that_is_written_is_gated_as_that_which_is_there() {
    use wireline::mcp::write::ElicitUrlParams;
    let url = ElicitUrlParams::new("m", "https://x.example").elicitation_id("e");
    let requests = [InputRequest {
        key: "k",
        method: Method::Elicit,
        params: Payload::Value(&url),
    }];
    for (declared, taken) in [
        (r#"{"elicitation":{}}"#, false),
        (r#"{"elicitation":{"url":{}}}"#, true),
    ] {
        let mut peer = only_modern();
        let call = modern("1", "tools/call", declared, r#","name":"x""#);
        let handle = peer.line(&call).handle();
        let asked = peer.session.ask(handle, &requests, None);
        match taken {
            true => assert!(asked.is_ok()),
            false => assert_eq!(asked.unwrap_err(), SessionError::Gate(Rule::R95)),
        }
    }
}

#[test]
fn ms9_r84_r95_capabilities_are_each_requests_own() {
    let mut peer = only_modern();
    let call = |id, capabilities| modern(id, "tools/call", capabilities, r#","name":"x""#);
    let with = peer.line(&call("1", r#"{"elicitation":{}}"#)).handle();
    let without = peer.line(&call("2", "{}")).handle();
    let requests = [InputRequest {
        key: "k",
        method: Method::Elicit,
        params: Payload::Raw(RawJson::EMPTY_OBJECT),
    }];
    assert_eq!(
        peer.session.ask(without, &requests, None).unwrap_err(),
        SessionError::Gate(Rule::R95)
    );
    let required = wireline::mcp::Capabilities::NONE.with(Capability::Elicitation);
    let mut out = [0; 300];
    let n = peer
        .session
        .fail_for_capability(without, required)
        .unwrap()
        .write(&mut out)
        .unwrap();
    assert_eq!(
        std::str::from_utf8(&out[..n]).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32021,\"message\":\"The request needs a capability that its client did not declare\",\"data\":{\"requiredCapabilities\":{\"elicitation\":{}}}}}\n"
    );
    assert!(peer.session.ask(with, &requests, None).is_ok());
}

#[test]
fn ms10_r46_r88_r101_results_carry_what_the_era_asks_for() {
    let mut peer = only_modern();
    let list = peer.line(&modern("\"a\"", "tools/list", "{}", "")).handle();
    assert_eq!(
        peer.respond(list, r#"{"tools":[]}"#).unwrap(),
        r#"{"jsonrpc":"2.0","id":"a","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"us","version":"1"}},"tools":[],"ttlMs":0,"cacheScope":"private"}}"#
    );
    let call = peer
        .line(&modern("1.0", "tools/call", "{}", r#","name":"x""#))
        .handle();
    let refused = peer.respond(call, r#"{"content":[],"resultType":"complete"}"#);
    assert_eq!(
        refused.unwrap_err(),
        SessionError::Write(wireline::encode::WriteError::BadPayload)
    );
    assert_eq!(
        peer.respond(call, r#"{"content":[]}"#).unwrap(),
        r#"{"jsonrpc":"2.0","id":1.0,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"us","version":"1"}},"content":[]}}"#
    );
    assert_eq!(
        peer.respond(call, "{}").unwrap_err(),
        SessionError::StaleHandle
    );
}

#[test]
fn r101_complete_is_the_kind_of_what_has_none() {
    let mut peer = only_modern();
    let raw = RawJson::validate(br#"{"tools":[]}"#).unwrap();
    let mut said = |reply: Reply<'_>| {
        let list = peer.line(&modern("1", "tools/list", "{}", "")).handle();
        let send = peer.session.respond(list, reply).unwrap();
        let mut line = [0; 300];
        let n = send.write(&mut line).unwrap();
        String::from_utf8(line[..n].to_vec()).unwrap()
    };
    let plain = said(Reply::new(raw));
    assert!(plain.contains(r#""ttlMs":0"#), "{plain}");
    assert_eq!(said(Reply::new(raw).with_result_type("complete")), plain);
}

#[test]
fn r91_r144_a_kind_of_result_needs_an_extension_of_its_client() {
    let mut peer = only_modern();
    let raw = RawJson::validate(br#"{"task":{"taskId":"t"}}"#).unwrap();
    let reply = |kind| Reply::new(raw).with_result_type(kind);
    let call = peer
        .line(&modern("1", "tools/call", "{}", r#","name":"x""#))
        .handle();
    assert_eq!(
        peer.session.respond(call, reply("task")).unwrap_err(),
        SessionError::Gate(Rule::R91)
    );
    let extended = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    let call = peer
        .line(&modern("2", "tools/call", extended, r#","name":"x""#))
        .handle();
    assert_eq!(
        peer.session
            .respond(call, reply("input_required"))
            .unwrap_err(),
        SessionError::Gate(Rule::R91)
    );
    // The extension defines one kind, for calls of tools.
    for kind in ["", "later"] {
        assert_eq!(
            peer.session.respond(call, reply(kind)).unwrap_err(),
            SessionError::Gate(Rule::R91)
        );
    }
    let list = peer.line(&modern("3", "tools/list", extended, "")).handle();
    assert_eq!(
        peer.session.respond(list, reply("task")).unwrap_err(),
        SessionError::Gate(Rule::R144)
    );
    let send = peer.session.respond(call, reply("task")).unwrap();
    let mut line = [0; 300];
    let n = send.write(&mut line).unwrap();
    let line = std::str::from_utf8(&line[..n]).unwrap();
    assert!(line.starts_with(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"task","#));
    assert!(line.contains(r#""task":{"taskId":"t"}"#), "{line}");
    // What another extension defines is the program's to judge, but `task` is not its own.
    let other = r#"{"extensions":{"com.example/later":{}}}"#;
    let call = peer
        .line(&modern("4", "tools/call", other, r#","name":"x""#))
        .handle();
    for kind in ["", "task"] {
        assert_eq!(
            peer.session.respond(call, reply(kind)).unwrap_err(),
            SessionError::Gate(Rule::R91)
        );
    }
    assert!(peer.session.respond(call, reply("later")).is_ok());
    // The legacy era has no kinds.
    let mut legacy = Peer::initialized(Revision::V2025_11_25, &[Capability::Tools], "{}");
    let call = legacy
        .line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#)
        .handle();
    let send = legacy.session.respond(call, reply("task")).unwrap();
    let mut line = [0; 300];
    let n = send.write(&mut line).unwrap();
    assert_eq!(
        std::str::from_utf8(&line[..n]).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"task\":{\"taskId\":\"t\"}}}\n"
    );
}

#[test]
fn ds1_a_request_of_the_modern_era_is_served_first() {
    let mut peer = dual();
    peer.line(&modern("1", "tools/list", "{}", ""))
        .event("request tools/list")
        .broke(&[]);
    assert_eq!(peer.state(), "ready 2026-07-28");
}

#[test]
fn ds2_initialize_opens_a_legacy_session() {
    let mut peer = dual();
    peer.initialize("2025-11-25", "{}").event("state opening");
}

#[test]
fn ds3_a6_initialize_is_legacy_whatever_its_meta() {
    let mut peer = dual();
    let line = modern(
        "1",
        "initialize",
        "{}",
        r#","protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"c","version":"1"}"#,
    );
    let saw = peer.line(&line);
    saw.event("state opening");
    assert!(saw.one().contains(r#""protocolVersion":"2025-11-25""#));
    assert!(!saw.one().contains("resultType"));
}

#[test]
fn ds4_a_request_without_a_claim_is_held_to_the_legacy_era() {
    dual()
        .line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":1}}}"#)
        .refused("1", -32600);
}

#[test]
fn ds4_discover_without_its_meta_is_of_the_modern_era_all_the_same() {
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}"#;
    dual().line(line).refused("1", -32602).broke(&[42]);
    Peer::server(Revisions::LEGACY, &[])
        .line(line)
        .refused("1", -32601);
}

#[test]
fn ds5_a_ping_without_a_claim_is_answered() {
    dual()
        .line(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .sent(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
}

#[test]
fn ds6_ds7_r64_discover_leaves_the_era_open() {
    let mut peer = dual();
    peer.line(&modern("0", "server/discover", "{}", "")).sent(
        r#"{"jsonrpc":"2.0","id":0,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"us","version":"1"}},"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{},"tools":{}},"ttlMs":0,"cacheScope":"private"}}"#,
    );
    assert_eq!(peer.state(), "idle");
    peer.initialize("2025-06-18", "{}").event("state opening");
    peer.line(INITIALIZED).event("state ready 2025-06-18");
}

#[test]
fn ds8_a7_r72_both_eras_side_by_side() {
    let mut peer = Peer::initialized(Revision::V2025_06_18, &[Capability::Tools], "{}");
    let new = peer.line(&modern("7", "tools/list", "{}", "")).handle();
    let old = peer
        .line(r#"{"jsonrpc":"2.0","id":8,"method":"tools/list"}"#)
        .handle();
    assert!(
        peer.respond(new, r#"{"tools":[]}"#)
            .unwrap()
            .contains("resultType")
    );
    assert_eq!(
        peer.respond(old, r#"{"tools":[]}"#).unwrap(),
        r#"{"jsonrpc":"2.0","id":8,"result":{"tools":[]}}"#
    );
    let mut policy = wireline::session::Policy::DEFAULT;
    policy.one_era = true;
    let with = Box::leak(Box::new(
        config(Revisions::ALL, &[Capability::Tools]).with_policy(policy),
    ));
    let mut strict = Peer::<Server>::over(with);
    strict.initialize("2025-11-25", "{}");
    strict
        .line(&modern("7", "tools/list", "{}", ""))
        .refused("7", -32600);
}

#[test]
fn ds9_r73_a_modern_server_names_its_versions_to_initialize() {
    let mut peer = only_modern();
    peer.initialize("2025-11-25", "{}").sent(
        r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}"#,
    );
}

#[test]
fn ds11_a_response_without_a_session_is_dropped() {
    let mut peer = dual();
    peer.line(&modern("1", "tools/list", "{}", ""));
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        .nothing_sent()
        .broke(&[7]);
}

#[test]
fn r67_nothing_is_remembered_from_one_request_to_the_next() {
    let mut peer = only_modern();
    peer.line(&modern("1", "tools/list", r#"{"sampling":{}}"#, ""));
    peer.line(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#)
        .refused("2", -32602);
    assert!(peer.session.peer_capabilities().is_empty());
}

#[test]
fn r44_client_info_may_be_absent_and_is_reported_if_it_is_wrong() {
    let mut peer = only_modern();
    let info = |value: &str| {
        modern("1", "server/discover", "{}", "").replace(
            r#""_meta":{"#,
            &format!(r#""_meta":{{"io.modelcontextprotocol/clientInfo":{value},"#),
        )
    };
    peer.line(&info(r#"{"name":"c","version":"1"}"#)).broke(&[]);
    let saw = peer.line(&info(r#"{"name":"c"}"#));
    saw.broke(&[44]);
    assert!(
        saw.one().contains("supportedVersions"),
        "it is served all the same"
    );
}

#[test]
fn r33_r34_codes_that_the_era_forbids_are_not_sent() {
    let mut peer = only_modern();
    let call = peer
        .line(&modern("1", "tools/call", "{}", r#","name":"x""#))
        .handle();
    for (code, rule) in [
        (-32002, Rule::R34),
        (-32042, Rule::R34),
        (-32050, Rule::R33),
        (-32099, Rule::R33),
    ] {
        assert_eq!(
            peer.session
                .fail(call, code, "m", Payload::None)
                .unwrap_err(),
            SessionError::Gate(rule)
        );
    }
    assert!(peer.session.fail(call, -32602, "m", Payload::None).is_ok());
}

#[test]
fn r128_log_messages_follow_the_level_of_their_request() {
    use wireline::mcp::LogLevel::{Error, Info, Warning};
    let mut peer = Peer::server(Revisions::MODERN, &[Capability::Tools, Capability::Logging]);
    let asks = modern("1", "tools/list", "{}", "").replace(
        r#""_meta":{"#,
        r#""_meta":{"io.modelcontextprotocol/logLevel":"warning","#,
    );
    let loud = peer.line(&asks).handle();
    let quiet = peer.line(&modern("2", "tools/list", "{}", "")).handle();
    let data = RawJson::EMPTY_OBJECT;
    let mut is_sent = |handle, level| {
        !peer
            .session
            .log(Some(handle), level, None, data)
            .unwrap()
            .is_empty()
    };
    assert!(is_sent(loud, Error) && is_sent(loud, Warning));
    assert!(!is_sent(loud, Info) && !is_sent(quiet, Error));
    assert_eq!(
        peer.session.log(None, Error, None, data).unwrap_err(),
        SessionError::NotReady
    );
    let wrong = asks
        .replace("warning", "loud")
        .replace("\"id\":1", "\"id\":3");
    peer.line(&wrong).refused("3", -32602);
}

// Shows S1.
#[test]
fn too_long_requests_are_answered_by_their_id_with_the_code_that_was_chosen() {
    let long = modern(
        "\"last\"",
        "tools/list",
        "{}",
        &format!(r#","x":"{}""#, "y".repeat(500)),
    );
    let limits = Limits::HOST.with_message(300);
    let saw = only_modern().line_within(&limits, &long);
    saw.refused("\"last\"", -32600);
    assert!(
        saw.one()
            .contains(r#""data":{"limit":"too-long","max":300,"length":"#)
    );
    let mut policy = wireline::session::Policy::DEFAULT;
    policy.too_long_code = wireline::mcp::code::CONTENT_TOO_LARGE;
    let with = Box::leak(Box::new(config(Revisions::ALL, &[]).with_policy(policy)));
    Peer::<Server>::over(with)
        .line_within(&limits, &long)
        .refused("\"last\"", -32801);
}
