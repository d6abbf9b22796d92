//! A client of both eras on a byte stream: DC1 to DC13.

use wireline::Limits;
use wireline::mcp::{Capability, Revision, Revisions};
use wireline::session::{Client, SessionError};

use crate::harness::Peer;

fn probing() -> Peer<Client> {
    let mut peer = Peer::client(Revisions::ALL, &[Capability::Roots]);
    peer.connect();
    peer
}

/// The next line is an `initialize` with the newest legacy version and this id.
fn falls_back(saw: &crate::harness::Saw, id: u32) {
    saw.event("state opening");
    let head = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":"2025-11-25","#
    );
    assert!(saw.one().starts_with(&head), "{saw:?}");
}

fn error(code: i64, data: &str) -> String {
    format!(r#"{{"error":{{"code":{code},"message":"m"{data}}},"jsonrpc":"2.0","id":0}}"#)
}

#[test]
fn dc1_r68_r42_r43_r44_discover_goes_out_first() {
    let mut peer = Peer::client(Revisions::ALL, &[Capability::Roots]);
    assert_eq!(
        peer.connect(),
        r#"{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}},"io.modelcontextprotocol/clientInfo":{"name":"us","version":"1"}}}}"#
    );
    assert_eq!(peer.state(), "probing");
    assert_eq!(
        peer.request("tools/list", "{}").unwrap_err(),
        SessionError::NotReady
    );
    assert_eq!(peer.session.ping(0).unwrap_err(), SessionError::NotReady);
}

#[test]
fn dc2_a5_a_common_modern_version_is_used() {
    let mut peer = probing();
    peer.line(r#"{"jsonrpc":"2.0","id":0,"result":{"resultType":"complete","supportedVersions":["2025-11-25","2026-07-28","2099-01-01"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}"#)
        .event("state ready 2026-07-28")
        .broke(&[])
        .nothing_sent();
    assert!(
        peer.request("tools/list", "{}")
            .unwrap()
            .1
            .contains("clientCapabilities")
    );
}

#[test]
fn dc2_r91_a_result_type_that_is_not_known_is_told() {
    for (kind, rule) in [("weird", 91), ("", 91), ("input_required", 92)] {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":0,"result":{{"resultType":"{kind}","supportedVersions":["2026-07-28"],"capabilities":{{}},"ttlMs":0,"cacheScope":"private"}}}}"#
        );
        probing().line(&line).broke(&[rule]);
    }
}

#[test]
fn dc3_a5_only_legacy_versions_in_common_means_initialize() {
    let mut peer = probing();
    let saw = peer.line(r#"{"jsonrpc":"2.0","id":0,"result":{"resultType":"complete","supportedVersions":["2025-06-18"],"capabilities":{}}}"#);
    falls_back(&saw, 1);
    let mut peer = probing();
    peer.line(r#"{"jsonrpc":"2.0","id":0,"result":{"resultType":"complete","supportedVersions":["2099-01-01"],"capabilities":{}}}"#)
        .event("state failed(nocommonrevision)");
    let mut modern = Peer::client(Revisions::MODERN, &[]);
    modern.connect();
    modern
        .line(r#"{"jsonrpc":"2.0","id":0,"result":{"supportedVersions":["2025-06-18"],"capabilities":{}}}"#)
        .event("state failed(nocommonrevision)");
}

#[test]
fn dc4_r66_r70_a_modern_version_that_is_named_is_tried_once_and_never_given_up_for_legacy() {
    // There is one modern version so far, and a server that refuses it while it names it
    // contradicts itself.
    let mut peer = probing();
    peer.line(&error(
        -32022,
        r#","data":{"supported":["2026-07-28"],"requested":"x"}"#,
    ))
    .event("state failed(refused)")
    .nothing_sent();
}

#[test]
fn dc5_no_modern_version_in_common() {
    let mut peer = probing();
    let saw = peer.line(&error(
        -32022,
        r#","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}"#,
    ));
    falls_back(&saw, 1);
    let mut peer = probing();
    peer.line(&error(
        -32022,
        r#","data":{"supported":["2027-01-01"],"requested":"2026-07-28"}"#,
    ))
    .event("state failed(nocommonrevision)");
}

#[test]
fn dc6_a4_other_modern_errors_do_not_lead_back() {
    for code in [-32020, -32021] {
        let mut peer = probing();
        peer.line(&error(code, r#","data":{"requiredCapabilities":{}}"#))
            .event("state ready 2026-07-28")
            .nothing_sent();
    }
}

// Shows R36.
#[test]
fn dc7_r69_a35_any_other_error_means_legacy_whatever_its_code() {
    for code in [
        -32601, -32602, -32600, -32700, -32603, -32000, -32001, 0, 1, -32022,
    ] {
        let mut peer = probing();
        falls_back(&peer.line(&error(code, "")), 1);
    }
    // An error without an id can only be for the one request that is under way.
    for id in ["", r#","id":null"#] {
        let mut peer = probing();
        let line = format!(r#"{{"jsonrpc":"2.0","error":{{"code":-32600,"message":"m"}}{id}}}"#);
        falls_back(&peer.line(&line), 1);
    }
    // So is a result that is none of `server/discover`.
    let mut peer = probing();
    falls_back(&peer.line(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#), 1);
    // And an answer that is none.
    let mut peer = probing();
    falls_back(&peer.line(r#"{"jsonrpc":"2.0","id":0}"#), 1);
    let mut modern = Peer::client(Revisions::MODERN, &[]);
    modern.connect();
    modern
        .line(&error(-32601, ""))
        .event("state failed(refused)")
        .nothing_sent();
}

// Shows S12.
#[test]
fn dc8_silence_means_legacy_and_the_late_answer_is_ignored() {
    let mut peer = probing();
    assert_eq!(peer.session.poll_timeout(), Some(11_000));
    assert!(peer.wait(9_999).is_empty());
    let after = peer.wait(1);
    assert_eq!(after.len(), 1);
    falls_back(&after[0], 1);
    peer.line(r#"{"jsonrpc":"2.0","id":0,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}"#)
        .event("ignored late")
        .broke(&[])
        .nothing_sent();
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#)
        .event("state ready 2025-11-25");
}

#[test]
fn dc9_a_server_that_dies_of_the_probe_is_told_apart() {
    let mut peer = probing();
    assert_eq!(
        peer.close(),
        [
            "state failed(closedwhileprobing)",
            "state failed(closedwhileprobing)"
        ]
    );
    let mut again = Peer::client(Revisions::ALL, &[]);
    let line = again.session.connect_legacy(0).unwrap();
    let mut out = [0; 300];
    let n = line.write(&mut out).unwrap();
    assert!(
        std::str::from_utf8(&out[..n])
            .unwrap()
            .contains("\"initialize\"")
    );
}

#[test]
fn dc9_a_slow_server_that_dies_of_the_probe_is_told_apart_after_it_was_given_up() {
    let mut peer = probing();
    falls_back(&peer.wait(10_000)[0], 1);
    // It reads the probe only now, and ends.
    assert_eq!(
        peer.close(),
        [
            "state failed(closedwhileprobing)",
            "state failed(closedwhileprobing)"
        ]
    );
    // One that answered the probe did not die of it, nor did one that was never asked.
    let mut answered = probing();
    falls_back(&answered.line(&error(-32601, "")), 1);
    assert_eq!(answered.close()[0], "state failed(closed)");
    let mut slow = probing();
    slow.wait(10_000);
    slow.line(r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"m"}}"#)
        .event("ignored late");
    slow.line(r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#)
        .event("state ready 2025-11-25");
    assert_eq!(slow.close(), ["state closed"]);
    let mut unasked = Peer::client(Revisions::LEGACY, &[]);
    unasked.connect();
    assert_eq!(unasked.close()[0], "state failed(closed)");
}

#[test]
fn dc10_a_legacy_server_may_ping_and_log_meanwhile() {
    let mut peer = probing();
    peer.line(r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#)
        .sent(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#);
    peer.line(
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#,
    )
    .event("notification notifications/message")
    .broke(&[])
    .nothing_sent();
    peer.line(r#"{"jsonrpc":"2.0","id":0,"method":"roots/list"}"#)
        .nothing_sent();
    assert_eq!(peer.state(), "probing");
}

#[test]
fn dc11_initialize_refused_by_a_slow_modern_server_leads_to_one_more_probe() {
    let mut peer = probing();
    peer.wait(10_000);
    let refused = |id: u32| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32022,"message":"m","data":{{"supported":["2026-07-28"],"requested":"2025-11-25"}}}}}}"#
        )
    };
    let saw = peer.line(&refused(1));
    saw.event("state probing");
    assert!(saw.one().contains(r#""id":2,"method":"server/discover""#));
    // It does not go on for ever.
    peer.line(&refused(2))
        .event("state failed(refused)")
        .nothing_sent();
}

#[test]
fn r70_no_initialize_once_a_modern_revision_in_common_is_named() {
    let named = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}"#;
    let again = || {
        let mut peer = probing();
        peer.wait(10_000);
        peer.line(named).event("state probing");
        peer
    };
    let mut silent = again();
    let all = silent.wait(10_000);
    assert!(
        all.iter().any(|it| it.event == "state failed(timedout)"),
        "{all:?}"
    );
    assert!(all.iter().all(|it| it.sent.is_empty()), "{all:?}");
    // Nor where it refuses a revision that it names itself, beside one of the legacy era.
    probing()
        .line(r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28","2025-11-25"],"requested":"2026-07-28"}}}"#)
        .event("state failed(refused)")
        .nothing_sent();
    for (answer, state) in [
        (r#""error":{"code":-32601,"message":"m"}"#, "refused"),
        (r#""result":{}"#, "badresponse"),
        (
            r#""error":{"code":-32022,"message":"m","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}"#,
            "nocommonrevision",
        ),
    ] {
        again()
            .line(&format!(r#"{{"jsonrpc":"2.0","id":2,{answer}}}"#))
            .event(&format!("state failed({state})"))
            .nothing_sent();
    }
}

#[test]
fn dc12_r66_a_later_refusal_never_leads_to_initialize() {
    let mut peer = Peer::discovered(&[], r#"{"tools":{}}"#);
    let (handle, _) = peer.request("tools/list", "{}").unwrap();
    let saw = peer.line(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}}"#);
    saw.event("ended error -32022").nothing_sent();
    assert_eq!(saw.handle(), handle);
    assert_eq!(peer.state(), "ready 2026-07-28");
}

#[test]
fn dc13_r71_a36_the_verdict_holds_and_can_be_kept() {
    let mut peer = Peer::client(Revisions::ALL, &[]);
    let tools = wireline::mcp::Capabilities::NONE.with(Capability::Tools);
    peer.session.assume(Revision::V2026_07_28, tools).unwrap();
    assert!(peer.request("tools/list", "{}").is_ok());
    assert!(peer.session.assume(Revision::V2026_07_28, tools).is_err());
    let mut legacy = Peer::client(Revisions::LEGACY, &[]);
    assert_eq!(
        legacy
            .session
            .assume(Revision::V2026_07_28, tools)
            .unwrap_err(),
        SessionError::NotReady
    );
}

#[test]
fn a_probe_that_is_answered_beyond_a_ceiling_fails() {
    let mut peer = probing();
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":0,"result":{{"supportedVersions":["2026-07-28"],"x":"{}"}}}}"#,
        "y".repeat(300)
    );
    peer.line_within(&Limits::HOST.with_message(100), &long)
        .event("state failed(toolong)");
}

#[test]
fn lc9_a_client_of_both_eras_answers_while_it_opens_a_session_of_the_legacy_one() {
    let mut peer = Peer::client(Revisions::ALL, &[]);
    let bad = r#"{"jsonrpc":"2.0","id":7,"method":5}"#;
    // Nothing is known of the server's era yet, and in the modern one nothing is answered.
    peer.connect();
    peer.line(bad).nothing_sent();
    peer.line(r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"?"}}"#)
        .event("state opening");
    peer.line(bad).refused("7", -32600);
    peer.line(r#"{"jsonrpc":"2.0","id":8,"method":"ping"}"#)
        .sent(r#"{"jsonrpc":"2.0","id":8,"result":{}}"#);
}
