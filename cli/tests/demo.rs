//! `wireline demo`.
#![cfg(unix)]

mod support;

use std::time::{Duration, Instant};

use support::{run, text};

#[test]
fn it_shows_both_eras_and_ends_well() {
    let begun = Instant::now();
    let output = run(&["demo", "--whole"], b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(text(&output.stderr), "");
    // Without the times, which stand before lines and states.
    let shown: Vec<_> = text(&output.stdout)
        .lines()
        .map(|line| match line.get(9..) {
            Some(rest) if line.starts_with("   ") => rest,
            _ => line,
        })
        .collect();
    let mut from = 0;
    for wanted in [
        r#"--> {"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
        " *  state: ready, revision 2026-07-28",
        r#"<-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":3,"total":3,"message":"step 3 of 3"}}"#,
        r#"<-- {"jsonrpc":"2.0","id":4,"result":{"resultType":"input_required","#,
        r#"--> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6,"reason":"the demo has no minute to spare"}}"#,
        r#"<-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7},"notifications":{"toolsListChanged":true}}}"#,
        r#"<-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}"#,
        r#"<-- {"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","#,
        " *  the server ended with status 0",
        r#"--> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
        r#"--> {"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"<-- {"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"<-- {"jsonrpc":"2.0","id":0,"method":"elicitation/create","#,
        r#"--> {"jsonrpc":"2.0","id":0,"result":{"action":"accept","content":{"name":"Ada"}}}"#,
        " *  the server ended with status 0",
        r#"<-- {"jsonrpc":"2.0","id":0,"error":{"code":-32601,"#,
        " *  state: ready, revision 2025-06-18",
        "All of it went as it should.",
    ] {
        let found = shown[from..]
            .iter()
            .position(|line| line.starts_with(wanted));
        let Some(at) = found else {
            panic!("{wanted}\nis not in\n{}", shown[from..].join("\n"));
        };
        from += at + 1;
    }
    assert!(
        !shown.iter().any(|line| line.contains("broke")),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn colours_only_where_they_are_wanted() {
    let plain = run(&["demo"], b"");
    assert!(!plain.stdout.contains(&0x1b));
    let coloured = run(&["demo", "--color", "always"], b"");
    assert!(coloured.stdout.contains(&0x1b));
}
