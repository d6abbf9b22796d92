//! A client of the legacy era: LC1 to LC18.

use wireline::mcp::{Capability, Revision, Revisions};
use wireline::session::{Client, SessionError};
use wireline::{Limits, Rule};

use crate::harness::Peer;

const D: Revision = Revision::V2025_11_25;

fn client() -> Peer<Client> {
    Peer::client(Revisions::LEGACY, &[Capability::Roots])
}

fn answer(version: &str) -> String {
    format!(
        r#"{{"result":{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"s","version":"1"}},"instructions":"be kind"}},"jsonrpc":"2.0","id":0}}"#
    )
}

#[test]
fn lc1_r53_initialize_comes_first_with_the_latest_version() {
    assert_eq!(
        client().connect(),
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"us","version":"1"}}}"#
    );
    let only = Revisions::only(Revision::V2024_11_05);
    assert!(Peer::client(only, &[]).connect().contains("\"2024-11-05\""));
}

#[test]
fn lc2_nothing_else_goes_out_before_it() {
    let mut peer = client();
    assert_eq!(
        peer.request("tools/list", "{}").unwrap_err(),
        SessionError::NotReady
    );
    let note = peer.session.notify(
        "notifications/roots/list_changed",
        wireline::encode::Payload::None,
    );
    assert_eq!(note.unwrap_err(), SessionError::NotReady);
    assert_eq!(peer.session.in_flight(), (0, 0));
    assert!(peer.connect().contains("\"id\":0"), "no id was used up");
}

#[test]
fn lc3_ping_may_go_out_while_initialize_is_under_way() {
    let mut peer = client();
    peer.connect();
    let (handle, send) = peer.session.ping(0).unwrap();
    assert!(!send.is_empty());
    assert_eq!(
        peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
            .event("ended result {}")
            .handle(),
        handle
    );
}

#[test]
fn lc4_r58_other_requests_wait_for_the_answer() {
    let mut peer = client();
    peer.connect();
    assert_eq!(
        peer.request("tools/list", "{}").unwrap_err(),
        SessionError::Gate(Rule::R58)
    );
}

#[test]
fn lc5_r60_initialize_is_never_cancelled() {
    let mut peer = client();
    peer.connect();
    // No handle is given out for it; and one that is made up is stale.
    let made_up = wireline::session::Handle::from_bits(1);
    assert_eq!(peer.cancel(made_up).unwrap_err(), SessionError::StaleHandle);
    // When it times out, nothing is sent.
    let after = peer.wait(60_000);
    assert_eq!(after.len(), 1);
    after[0].event("state failed(timedout)").nothing_sent();
}

#[test]
fn lc6_lc13_r57_the_answer_is_followed_by_initialized() {
    for revision in Revisions::LEGACY.iter() {
        let mut peer = client();
        peer.connect();
        peer.line(&answer(revision.name()))
            .event(&format!("state ready {revision}"))
            .broke(&[])
            .sent(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert_eq!(peer.session.revision(), Some(revision));
        assert!(peer.session.peer_capabilities().has(Capability::Tools));
    }
}

#[test]
fn lc7_r56_a11_an_unsupported_version_ends_it() {
    for version in ["2026-07-28", "2099-01-01", "2024-10-07", ""] {
        let mut peer = client();
        peer.connect();
        peer.line(&answer(version))
            .event("state failed(nocommonrevision)")
            .nothing_sent();
        assert_eq!(
            peer.request("ping", "{}").unwrap_err(),
            SessionError::NotReady
        );
    }
}

#[test]
fn lc8_an_error_ends_it() {
    let mut peer = client();
    peer.connect();
    peer.line(r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05"],"requested":"2025-11-25"}}}"#)
        .event("state failed(refused)")
        .nothing_sent();
}

#[test]
fn lc9_r61_ping_is_answered_before_the_answer_has_come() {
    let mut peer = client();
    peer.connect();
    // The ids of the two sides are apart: this is no answer to request 0.
    peer.line(r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#)
        .sent(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#);
    assert_eq!(peer.state(), "opening");
    peer.line(&answer("2025-11-25"))
        .event("state ready 2025-11-25");
}

#[test]
fn lc10_log_messages_may_come_before_the_answer() {
    let mut peer = client();
    peer.connect();
    peer.line(
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#,
    )
    .event("notification notifications/message")
    .nothing_sent();
}

#[test]
fn lc11_r59_other_requests_before_the_answer_are_refused() {
    let mut peer = client();
    peer.connect();
    peer.line(r#"{"jsonrpc":"2.0","id":"r","method":"roots/list"}"#)
        .refused("\"r\"", -32600)
        .broke(&[59]);
    peer.line(&answer("2025-11-25"))
        .event("state ready 2025-11-25");
}

#[test]
fn lc12_other_notifications_before_the_answer_change_nothing() {
    let mut peer = client();
    peer.connect();
    for method in ["notifications/tools/list_changed", "notifications/stderr"] {
        peer.line(&format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#))
            .nothing_sent();
    }
    assert_eq!(peer.state(), "opening");
}

#[test]
fn lc14_initialized_goes_out_with_the_answer_so_nothing_can_come_between() {
    let mut peer = client();
    peer.connect();
    let saw = peer.line(&answer("2025-11-25"));
    assert!(saw.one().contains("notifications/initialized"));
    assert!(peer.request("tools/list", "{}").is_ok());
    let twice = peer
        .session
        .notify("notifications/initialized", wireline::encode::Payload::None);
    assert_eq!(twice.unwrap_err(), SessionError::Gate(Rule::R57));
}

#[test]
fn lc15_r62_r63_what_was_agreed_on_may_be_sent_and_nothing_else() {
    let mut peer = Peer::opened(
        Revision::V2025_03_26,
        &[Capability::Roots],
        r#"{"tools":{},"resources":{}}"#,
    );
    let gate = |rule| SessionError::Gate(rule);
    assert!(peer.request("tools/list", "{}").is_ok());
    assert!(peer.request("resources/read", r#"{"uri":"a:b"}"#).is_ok());
    assert_eq!(
        peer.request("prompts/list", "{}").unwrap_err(),
        gate(Rule::R63)
    );
    assert_eq!(
        peer.request("resources/subscribe", "{}").unwrap_err(),
        gate(Rule::R63)
    );
    assert_eq!(
        peer.request("tasks/list", "{}").unwrap_err(),
        gate(Rule::R62)
    );
    assert_eq!(
        peer.request("roots/list", "{}").unwrap_err(),
        gate(Rule::R62)
    );
    assert!(
        peer.request("acme/do", "{}").is_ok(),
        "what is in no table passes"
    );
    // What comes is held to the same.
    peer.line(r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#)
        .event("request roots/list");
    peer.line(r#"{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"m"}}"#)
        .refused("2", -32601)
        .broke(&[62]);
    peer.line(r#"{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}"#)
        .refused("3", -32601)
        .broke(&[63]);
}

#[test]
fn lc16_r51_initialize_is_not_sent_twice() {
    let mut peer = Peer::opened(D, &[], "{}");
    assert_eq!(peer.session.connect(0).unwrap_err(), SessionError::NotReady);
    assert_eq!(
        peer.request("initialize", "{}").unwrap_err(),
        SessionError::Gate(Rule::R51)
    );
}

#[test]
fn lc17_lc18_every_request_ends_when_the_input_does() {
    let mut peer = Peer::opened(D, &[], r#"{"tools":{}}"#);
    for _ in 0..3 {
        peer.request("tools/list", "{}").unwrap();
    }
    assert_eq!(
        peer.close(),
        [
            "ended closed",
            "ended closed",
            "ended closed",
            "state closed"
        ]
    );
    assert_eq!(peer.state(), "closed");
    assert_eq!(
        peer.request("tools/list", "{}").unwrap_err(),
        SessionError::NotReady
    );
}

#[test]
fn lc18_closing_during_the_handshake_fails_it() {
    let mut peer = client();
    peer.connect();
    assert_eq!(
        peer.close(),
        ["state failed(closed)", "state failed(closed)"]
    );
}

#[test]
fn r54_an_answer_without_its_members() {
    let mut peer = client();
    peer.connect();
    peer.line(r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}"#)
        .event("state ready 2025-11-25")
        .broke(&[54]);
    let mut peer = client();
    peer.connect();
    peer.line(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#)
        .event("state failed(badresponse)")
        .broke(&[54]);
}

// Shows R79.
#[test]
fn r76_r78_r80_what_we_did_not_declare_is_refused() {
    let mut peer = Peer::opened(
        D,
        &[Capability::Sampling, Capability::ElicitationForm],
        "{}",
    );
    peer.line(r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"u","elicitationId":"e"}}"#)
        .refused("1", -32602)
        .broke(&[78]);
    peer.line(r#"{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"m","requestedSchema":{}}}"#)
        .event("request elicitation/create");
    peer.line(r#"{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[]}}"#)
        .refused("3", -32602)
        .broke(&[80]);
    peer.line(r#"{"jsonrpc":"2.0","id":4,"method":"roots/list"}"#)
        .refused("4", -32601)
        .broke(&[63]);
}

#[test]
fn an_initialize_answer_over_the_ceiling_fails_it_at_once() {
    let mut peer = client();
    peer.connect();
    let long = answer("2025-11-25").replace("be kind", &"x".repeat(300));
    peer.line_within(&Limits::HOST.with_message(200), &long)
        .event("state failed(toolong)")
        .nothing_sent();
}
