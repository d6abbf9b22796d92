//! Faults seen in public, as one side of a session meets them.

use wireline::Limits;
use wireline::mcp::{Capability, Revision, Revisions};
use wireline::session::{Client, Server};

use crate::harness::{INITIALIZED, Peer};

const D: Revision = Revision::V2025_11_25;

fn server() -> Peer<Server> {
    Peer::initialized(D, &[Capability::Tools], "{}")
}

fn client() -> Peer<Client> {
    Peer::opened(D, &[Capability::Roots], r#"{"tools":{}}"#)
}

#[test]
fn number_and_string_ids_in_flight_together() {
    let mut peer = server();
    let of = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
    let number = peer.line(&of("1")).handle();
    let string = peer.line(&of("\"1\"")).handle();
    assert_eq!(
        peer.respond(string, r#"{"tools":[]}"#).unwrap(),
        r#"{"jsonrpc":"2.0","id":"1","result":{"tools":[]}}"#
    );
    assert_eq!(
        peer.respond(number, r#"{"tools":[]}"#).unwrap(),
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#
    );
}

#[test]
fn ids_come_back_as_they_were_written() {
    let mut peer = server();
    for id in [
        "0",
        "\"\"",
        "\"1\"",
        "\"01\"",
        "-0",
        "1.0",
        "1e2",
        "9007199254740993",
        "18446744073709551616",
        "\"3f2b6c1e-0000-4000-8000-000000000001\"",
        r#""\"\\\u00e9\n""#,
        "\"é\"",
    ] {
        peer.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#))
            .sent(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        let it = peer
            .line(&format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#
            ))
            .handle();
        assert_eq!(
            peer.respond(it, r#"{"tools":[]}"#).unwrap(),
            format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[]}}}}"#)
        );
    }
}

#[test]
fn a_servers_request_is_not_taken_for_a_response() {
    let mut peer = client();
    let (mine, _) = peer.request("tools/list", "{}").unwrap();
    let theirs = peer
        .line(r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#)
        .event("request roots/list")
        .handle();
    assert_eq!(peer.session.in_flight(), (1, 1));
    assert!(
        peer.respond(theirs, r#"{"roots":[]}"#)
            .unwrap()
            .contains("\"id\":1,")
    );
    assert_eq!(
        peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#)
            .handle(),
        mine
    );
}

#[test]
fn a15_r18_an_answer_of_another_type_touches_nothing() {
    let mut peer = client();
    peer.request("tools/list", "{}").unwrap();
    peer.line(r#"{"jsonrpc":"2.0","id":"1","result":{"tools":[]}}"#)
        .event("ignored unknownid")
        .broke(&[18]);
    // The same number in another spelling is the same id.
    peer.line(r#"{"jsonrpc":"2.0","id":1.0,"result":{"tools":[]}}"#)
        .event(r#"ended result {"tools":[]}"#);
}

#[test]
fn answers_in_any_order_and_between_notifications_find_their_requests() {
    let mut peer = client();
    let (a, _) = peer.request("tools/list", "{}").unwrap();
    let (b, _) = peer.request("tools/list", "{}").unwrap();
    peer.line(r#"{"jsonrpc":"2.0","method":"notifications/stderr","params":{"content":"x"}}"#)
        .event("notification unknown");
    assert_eq!(
        peer.line(r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#)
            .handle(),
        b
    );
    peer.line("Debug: listening")
        .event("ignored fault")
        .broke(&[3]);
    assert_eq!(
        peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#)
            .handle(),
        a
    );
}

#[test]
fn r28_a_second_answer_is_late() {
    let mut peer = client();
    peer.request("tools/list", "{}").unwrap();
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#);
    peer.line(r#"{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"Request cancelled"}}"#)
        .event("ignored late")
        .nothing_sent();
}

#[test]
fn a2_r19_r20_errors_without_an_id_are_the_connections() {
    let mut peer = client();
    peer.request("tools/list", "{}").unwrap();
    for id in ["", r#""id":null,"#] {
        peer.line(&format!(
            r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32700,"message":"m"}}}}"#
        ))
        .event("connection error")
        .nothing_sent();
    }
    assert_eq!(peer.session.in_flight(), (0, 1));
}

#[test]
fn r21_r22_r23_an_answer_that_is_none_ends_its_request() {
    for line in [
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"message":"no code"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":"text"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":null,"result":{"tools":[]}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":7,"error":{"code":1,"message":"m"}}"#,
    ] {
        let mut peer = client();
        let (handle, _) = peer.request("tools/list", "{}").unwrap();
        let saw = peer.line(line);
        assert_eq!(saw.event("ended bad-response").handle(), handle, "{line}");
        assert!(!saw.broken.is_empty(), "{line}");
        saw.nothing_sent();
    }
    // These settle nothing: no version, no id that is open, or broken text.
    for line in [
        r#"{"jsonrpc":"1.0","id":1,"result":{}}"#,
        r#"{"id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":7}"#,
        r#"{"jsonrpc":"2.0","id":"1","result":7}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
    ] {
        let mut peer = client();
        peer.request("tools/list", "{}").unwrap();
        let saw = peer.line(line);
        assert!(saw.event.starts_with("ignored"), "{line}");
        saw.nothing_sent();
        assert_eq!(peer.session.in_flight(), (0, 1), "{line}");
    }
    // Null beside the other member counts as absent.
    let mut peer = client();
    peer.request("tools/list", "{}").unwrap();
    peer.line(r#"{"jsonrpc":"2.0","id":1,"error":null,"result":{"tools":[]}}"#)
        .event(r#"ended result {"tools":[]}"#);
}

#[test]
fn an_answer_over_the_ceiling_ends_its_request_and_the_session_goes_on() {
    let mut peer = client();
    let (handle, _) = peer.request("tools/list", "{}").unwrap();
    let long = format!(
        r#"{{"result":{{"tools":[{}0]}},"jsonrpc":"2.0","id":1}}"#,
        "0,".repeat(200)
    );
    let saw = peer.line_within(&Limits::HOST.with_message(100), &long);
    assert_eq!(saw.event("ended too-long").handle(), handle);
    saw.nothing_sent();
    assert!(peer.request("tools/list", "{}").is_ok());
}

#[test]
fn a_request_method_without_an_id_is_not_run() {
    let mut peer = server();
    for line in [
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"side_effect","arguments":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"initialize","params":{}}"#,
    ] {
        peer.line(line).event("ignored notarequest").nothing_sent();
    }
}

#[test]
fn r24_a_notification_method_with_an_id_is_a_request_for_nothing() {
    let mut peer = server();
    let it = peer
        .line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
        .handle();
    peer.line(
        r#"{"jsonrpc":"2.0","id":41,"method":"notifications/cancelled","params":{"requestId":1}}"#,
    )
    .refused("41", -32601);
    peer.line(r#"{"jsonrpc":"2.0","id":42,"method":"notifications/initialized"}"#)
        .refused("42", -32601);
    assert!(
        peer.respond(it, r#"{"tools":[]}"#).is_ok(),
        "it was not cancelled"
    );
}

#[test]
fn a_burst_of_handshake_and_request_ends_in_a_usable_session() {
    let mut peer = Peer::server(Revisions::ALL, &[Capability::Tools]);
    peer.initialize("2025-11-25", "{}").event("state opening");
    peer.line(INITIALIZED).event("state ready 2025-11-25");
    peer.line(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#)
        .event("request tools/list");
}

// Shows S9.
#[test]
fn a_refused_modern_request_settles_nothing() {
    let mut peer = Peer::server(Revisions::ALL, &[Capability::Tools]);
    let modern = crate::harness::modern;
    peer.line(&modern("1", "prompts/list", "{}", ""))
        .refused("1", -32601);
    peer.line(&modern("2", "tools/call", "{}", ""))
        .refused("2", -32602);
    peer.line(&modern("2", "tools/call", "7", ""))
        .refused("2", -32602);
    assert_eq!(peer.state(), "idle");
    peer.initialize("2025-11-25", "{}").event("state opening");
    peer.line(r#"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#)
        .event("request tools/list");
}

// Shows S12.
#[test]
fn r61_ping_is_answered_while_others_are_worked_on() {
    let mut peer = server();
    for id in 0..4 {
        peer.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#
        ));
    }
    peer.line(
        r#"{"jsonrpc":"2.0","id":"p","method":"ping","params":{"_meta":{"progressToken":1}}}"#,
    )
    .sent(r#"{"jsonrpc":"2.0","id":"p","result":{}}"#);
    let mut peer = client();
    peer.line(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#)
        .sent(r#"{"jsonrpc":"2.0","id":"p","result":{}}"#);
}

#[test]
fn valid_json_that_is_no_message_is_skipped() {
    let mut peer = server();
    for line in ["5", "null", "true", "\"s\"", "{}", r#"{"jsonrpc":"2.0"}"#] {
        peer.line(line).event("ignored fault").nothing_sent();
    }
    peer.line(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .sent(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
}

// Shows S13.
#[test]
fn a_progress_and_its_result_are_handled_in_the_order_of_arrival() {
    let mut peer = client();
    let options = wireline::session::Options::new().with_progress();
    let raw = wireline::json::RawJson::EMPTY_OBJECT;
    peer.session.request("tools/list", raw, options, 0).unwrap();
    let mut seen = Vec::new();
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":3}}"#,
    ] {
        seen.push(peer.line(line).event);
    }
    assert_eq!(
        seen,
        [
            "progress 1",
            "progress 2",
            r#"ended result {"tools":[]}"#,
            "ignored unknowntarget"
        ]
    );
}

#[test]
fn closing_again_says_nothing_again() {
    let mut peer = client();
    peer.request("tools/list", "{}").unwrap();
    assert_eq!(peer.close(), ["ended closed", "state closed"]);
    for _ in 0..3 {
        assert!(peer.session.close().is_none());
    }
    // A line that was still in the pipe changes nothing more.
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#)
        .event("ignored late");
}
