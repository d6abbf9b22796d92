//! How it ends.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::live::Live;
use crate::support::{ends_within, run, text, wireline};
use crate::{PING, call, modern, says};

const GIVEN_UP: &str = "the input ended before this was done";

fn given_up(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32603,"message":"{GIVEN_UP}"}}}}"#)
}

#[test]
fn what_was_accepted_is_answered_after_the_end_of_the_input() {
    let mut live = Live::legacy(&[], "{}");
    live.send(&call("1", "hang", "{}"));
    live.send(&call("2", "sleep", r#"{"ms":200}"#));
    live.send(&call("3", "sleep", r#"{"ms":20}"#));
    let begun = Instant::now();
    live.finish(&[
        &says("3", "slept 20 ms"),
        &says("2", "slept 200 ms"),
        &given_up("1"),
    ]);
    let took = begun.elapsed();
    assert!(
        took > Duration::from_millis(200) && took < Duration::from_secs(10),
        "{took:?}"
    );
}

#[test]
fn a_server_without_work_ends_at_once() {
    // A busy machine may be slow once, but not every time.
    let soon = (0..5).any(|_| {
        let mut live = Live::legacy(&[], "{}");
        let begun = Instant::now();
        live.finish(&[]);
        begun.elapsed() < Duration::from_millis(900)
    });
    assert!(soon);
}

#[test]
fn subscriptions_and_questions_end_with_the_input() {
    let mut live = Live::legacy(&[], r#"{"elicitation":{}}"#);
    live.send(&modern(
        "1",
        "subscriptions/listen",
        "{}",
        r#""notifications":{"toolsListChanged":true}"#,
    ));
    assert_eq!(
        live.line(),
        r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}}"#
    );
    live.send(&call("2", "ask", "{}"));
    assert!(live.line().contains("elicitation/create"));
    live.finish(&[
        r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"the input ended before the client's answer came"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"wireline-serve","version":"0.1.0"},"io.modelcontextprotocol/subscriptionId":1}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    ]);
}

#[test]
fn no_input_no_output() {
    let output = run(&["serve"], b"");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!((text(&output.stdout), text(&output.stderr)), ("", ""));
}

#[test]
fn nobody_reads_any_more() {
    let mut child = wireline(&["serve"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let mut to = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut to, format!("{PING}\n").as_bytes()).expect("it reads");
    // The input stays open: it is the output that ends it.
    let status = ends_within(&mut child, crate::support::live::LONG);
    assert_eq!(status.code(), Some(0));
    let mut said = String::new();
    let mut errors = child.stderr.take().expect("piped");
    std::io::Read::read_to_string(&mut errors, &mut said).expect("text");
    assert_eq!(said, "");
    drop(to);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_session() {
    let mut live = Live::legacy(&[], "{}");
    let pings: String = std::iter::repeat_n(format!("{PING}\n"), 1000).collect();
    let mut many = |rounds: usize| {
        for _ in 0..rounds {
            live.raw(pings.as_bytes());
            for _ in 0..1000 {
                live.line();
            }
        }
        crate::support::peak(&live.child)
    };
    let early = many(20);
    let late = many(200);
    assert!(late <= early + 256, "{early} KiB, then {late} KiB");
}
