//! The table of faults, a session and a monitor name the same rules.

use wireline::mcp::{Capability, Revision, Revisions, Side};
use wireline::monitor::{Monitor, MonitorSlots};
use wireline::{Limits, Rule, Violations, parse};

use crate::harness::{INITIALIZED, Peer, modern};

type Watch = Monitor<MonitorSlots<8, 0, 512>>;

/// What a connection of this revision begins with, as its client writes it; `None` for one on
/// which nothing has been agreed on.
fn beginning(revision: Option<Revision>) -> Vec<String> {
    match revision {
        None => Vec::new(),
        Some(Revision::V2026_07_28) => vec![modern("90", "tools/list", "{}", "")],
        Some(revision) => vec![
            format!(
                r#"{{"jsonrpc":"2.0","id":90,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
            ),
            INITIALIZED.to_owned(),
        ],
    }
}

/// What a server's session, a monitor and the table say of a client's line.
fn all(revision: Option<Revision>, line: &[u8]) -> [Vec<u8>; 3] {
    let mut peer = Peer::server(Revisions::ALL, &[Capability::Tools]);
    let mut watch = Watch::new(MonitorSlots::new());
    for line in beginning(revision) {
        let item = parse(line.as_bytes(), &Limits::HOST);
        watch.line(Side::Client, &item, 0);
        for answer in peer.line(&line).sent {
            watch.line(Side::Server, &parse(answer.as_bytes(), &Limits::HOST), 0);
        }
    }
    let item = parse(line, &Limits::HOST);
    let numbers = |set: Violations| set.iter().map(Rule::number).collect();
    let table = match &item {
        Ok(_) => Violations::NONE,
        Err(bad) => Violations::of_fault(bad, Some(Side::Client), revision),
    };
    [
        peer.bytes(line).broken,
        numbers(watch.line(Side::Client, &item, 0).violations),
        numbers(table),
    ]
}

#[test]
fn lines_that_are_no_messages_break_the_same_rules() {
    use Revision::*;
    let cases: &[(&str, Option<Revision>, &[u8])] = &[
        ("Listening on 3000", None, &[4]),
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping",}"#, None, &[4]),
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping""#, None, &[1]),
        ("7", None, &[4]),
        // Two messages on a line, where a line carries one.
        (r#"{"jsonrpc":"2.0","method":"x"} {}"#, None, &[4]),
        (
            r#"{"jsonrpc":"2.0","method":"x"} {}"#,
            Some(V2025_03_26),
            &[4],
        ),
        (
            r#"{"jsonrpc":"2.0","method":"x"} {}"#,
            Some(V2025_06_18),
            &[4, 5],
        ),
        (r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, None, &[13]),
        // A request's id, whatever stands beside its method.
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, None, &[14]),
        (
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping","result":{}}"#,
            None,
            &[14],
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            None,
            &[15],
        ),
        // A response's.
        (r#"{"jsonrpc":"2.0","id":1.5,"result":{}}"#, None, &[18]),
        (r#"{"jsonrpc":"2.0","result":{}}"#, None, &[18]),
        // With an id and nothing else it is a response that has neither of the two.
        (r#"{"jsonrpc":"2.0","id":7}"#, None, &[21]),
        (r#"{"jsonrpc":"2.0","id":null}"#, None, &[21]),
        (r#"{"jsonrpc":"2.0","id":1.5}"#, None, &[21]),
        (r#"{"jsonrpc":"2.0"}"#, None, &[4]),
        (
            r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":""}}"#,
            None,
            &[21],
        ),
        (r#"{"jsonrpc":"2.0","id":7,"result":5}"#, None, &[22]),
        (
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":"1","message":""}}"#,
            None,
            &[23],
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}"#,
            None,
            &[26],
        ),
        (r#"{"jsonrpc":"2.0","id":7,"method":5}"#, None, &[4]),
        // No rule forbids members that stand twice or surrogates without their pair.
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","method":"x"}"#,
            None,
            &[],
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","\ud800":1}"#,
            None,
            &[],
        ),
        (
            r#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#,
            None,
            &[],
        ),
        (r#"{"jsonrpc":"2.0","id":7,"method":"\ud800"}"#, None, &[]),
        // An array with nothing in it is a message in no revision.
        ("[]", None, &[4]),
        ("[]", Some(V2024_11_05), &[4]),
        ("[]", Some(V2025_03_26), &[29]),
        ("[]", Some(V2025_06_18), &[5, 31]),
        ("[]", Some(V2026_07_28), &[5, 31]),
        // Other arrays are, where there are batches; 2024-11-05 says nothing of them.
        (r#"[{"jsonrpc":"2.0","method":"x"}]"#, None, &[]),
        (
            r#"[{"jsonrpc":"2.0","method":"x"}]"#,
            Some(V2024_11_05),
            &[],
        ),
        (
            r#"[{"jsonrpc":"2.0","method":"x"}]"#,
            Some(V2025_03_26),
            &[],
        ),
        (
            r#"[{"jsonrpc":"2.0","method":"x"}]"#,
            Some(V2025_11_25),
            &[5, 31],
        ),
        (
            r#"[{"jsonrpc":"2.0","method":"x"}]"#,
            Some(V2026_07_28),
            &[5, 31],
        ),
    ];
    for (line, revision, rules) in cases {
        let said = all(*revision, line.as_bytes());
        assert_eq!(said, [*rules; 3], "{line} in {revision:?}");
    }
    // 2024-11-05 asks for no encoding, but bytes that are no JSON are no message.
    let bytes = b"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}";
    assert_eq!(all(None, bytes), [[2]; 3]);
    assert_eq!(all(Some(V2024_11_05), bytes), [[4]; 3]);
    assert_eq!(all(Some(V2025_03_26), bytes), [[2]; 3]);
}

#[test]
fn the_one_rule_of_a_line_is_the_first_of_its_table() {
    for line in [
        &b"x"[..],
        b"[]",
        b"[1]",
        b"{}",
        b"{\"id\":1,\"jsonrpc\":\"2.0\"}",
    ] {
        let bad = parse(line, &Limits::HOST).unwrap_err();
        for side in [Side::Client, Side::Server] {
            let first = Violations::of_fault(&bad, Some(side), None).iter().next();
            assert_eq!(Rule::broken_by(&bad, side), first);
        }
    }
}

/// What a session of this side and a monitor say of a peer's message in an open session.
fn message(from: Side, revision: Revision, line: &str) -> [Vec<u8>; 2] {
    let mut watch = Watch::new(MonitorSlots::new());
    for (at, line) in beginning(Some(revision)).iter().enumerate() {
        watch.line(Side::Client, &parse(line.as_bytes(), &Limits::HOST), 0);
        if at == 0 {
            let answer = format!(
                r#"{{"jsonrpc":"2.0","id":90,"result":{{"protocolVersion":"{revision}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"s","version":"1"}}}}}}"#
            );
            watch.line(Side::Server, &parse(answer.as_bytes(), &Limits::HOST), 0);
        }
    }
    let item = parse(line.as_bytes(), &Limits::HOST);
    let found = watch.line(from, &item, 0).violations;
    let session = match from {
        Side::Client => Peer::initialized(revision, &[Capability::Tools], "{}").line(line),
        Side::Server => Peer::opened(revision, &[], r#"{"tools":{}}"#).line(line),
    };
    [session.broken, found.iter().map(Rule::number).collect()]
}

#[test]
fn messages_out_of_place_break_the_same_rules() {
    use Side::{Client, Server};
    let cases: &[(Side, &str, &[u8])] = &[
        // A method of requests without an id.
        (Client, r#"{"jsonrpc":"2.0","method":"tools/list"}"#, &[14]),
        (Server, r#"{"jsonrpc":"2.0","method":"ping"}"#, &[14]),
        // Progress of nothing.
        (
            Server,
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#,
            &[118],
        ),
        (
            Server,
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1.5,"progress":1}}"#,
            &[118],
        ),
        // What the other side sends.
        (Server, INITIALIZED, &[62]),
        (
            Server,
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/list"}"#,
            &[62],
        ),
        (
            Client,
            r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
            &[62],
        ),
        (
            Client,
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#,
            &[62],
        ),
    ];
    for (from, line, rules) in cases {
        let said = message(*from, Revision::V2025_06_18, line);
        assert_eq!(said, [*rules; 2], "{line} of the {from:?}");
    }
}

/// What a client's session and a monitor say of the result of a call that is one of a kind.
fn kind(kind: &str) -> [Vec<u8>; 2] {
    let mut peer = Peer::discovered(&[], r#"{"tools":{}}"#);
    let (_, sent) = peer.request("tools/call", r#"{"name":"t"}"#).unwrap();
    let answer = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":{kind},"content":[],"_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"s","version":"1"}}}}}}}}"#
    );
    let discover = modern("90", "server/discover", "{}", "");
    let discovered = r#"{"jsonrpc":"2.0","id":90,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}"#;
    let mut watch = Watch::new(MonitorSlots::new());
    let mut watched = |side, line: &str| {
        let found = watch.line(side, &parse(line.as_bytes(), &Limits::HOST), 0);
        found.violations.iter().map(Rule::number).collect()
    };
    watched(Side::Client, &discover) as Vec<u8>;
    watched(Side::Server, discovered);
    watched(Side::Client, &sent);
    [peer.line(&answer).broken, watched(Side::Server, &answer)]
}

#[test]
fn kinds_of_result_break_the_same_rules() {
    assert_eq!(kind(r#""complete""#), [[]; 2] as [[u8; 0]; 2]);
    // No string is no kind at all, and a kind of an extension is one that was declared.
    for other in ["7", "null", "{}"] {
        assert_eq!(kind(other), [[88]; 2], "{other}");
    }
    for other in [r#""task""#, r#""later""#, r#""""#] {
        assert_eq!(kind(other), [[91]; 2], "{other}");
    }
}
