//! Tools, and work that takes a while.

use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::live::Live;
use crate::support::text;
use crate::{PING, PONG, call, says};

#[test]
fn work_that_takes_long_holds_nothing_up() {
    let mut live = Live::legacy(&[], "{}");
    live.send(&call("1", "sleep", r#"{"ms":3600000}"#));
    live.send(&call("2", "hang", "{}"));
    live.exchange(PING, PONG);
    live.exchange(&call("3", "echo", r#"{"text":"x"}"#), &says("3", "x"));
    live.exchange(&call("4", "sleep", r#"{"ms":1}"#), &says("4", "slept 1 ms"));
}

#[test]
fn nothing_is_sent_for_what_was_cancelled() {
    // Were any of it still at work, it would be waited for; a busy machine may be slow once.
    assert!((0..5).any(|_| ends_after_cancellations() < Duration::from_millis(900)));
}

/// How long a server takes to end once all that it had to do was cancelled.
fn ends_after_cancellations() -> Duration {
    let mut live = Live::legacy(&[], "{}");
    live.send(&call("1", "sleep", r#"{"ms":3600000}"#));
    live.send(&call(r#""two""#, "hang", "{}"));
    live.send(r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"progress","arguments":{"steps":1000,"ms":10},"_meta":{"progressToken":"t"}}}"#);
    let progress = live.line();
    assert_eq!(
        progress,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1,"total":1000,"message":"step 1 of 1000"}}"#
    );
    for id in ["1", r#""two""#, "3"] {
        live.send(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#));
    }
    live.send(PING);
    // Progress may have been on its way.
    let mut line = live.line();
    while line.contains("notifications/progress") {
        line = live.line();
    }
    assert_eq!(line, PONG);
    let begun = Instant::now();
    live.finish(&[]);
    begun.elapsed()
}

#[test]
fn progress_in_order() {
    let mut live = Live::legacy(&[], "{}");
    live.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"progress_1000","_meta":{"progressToken":9}}}"#);
    for step in 1..=1000 {
        assert_eq!(
            live.line(),
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":9,"progress":{step},"total":1000,"message":"step {step} of 1000"}}}}"#
            )
        );
    }
    assert_eq!(live.line(), says("1", "a thousand steps done"));
    // Without a token there is none.
    live.exchange(
        &call("2", "progress", r#"{"steps":2,"ms":0}"#),
        &says("2", "all steps done"),
    );
    live.finish(&[]);
}

#[test]
fn values_that_others_trip_over() {
    let mut live = Live::legacy(&[], "{}");
    let controls: String = (0..0x20)
        .map(|n| match n {
            8 => r"\b".into(),
            9 => r"\t".into(),
            10 => r"\n".into(),
            12 => r"\f".into(),
            13 => r"\r".into(),
            n => format!(r"\u{n:04x}"),
        })
        .collect();
    live.exchange(
        &call("1", "bad_values", r#"{"text":"\ud800x\u2028","number":-0.10e+5}"#),
        &format!(
            "{}{controls}{}\u{7f}\u{85}\u{2028}\u{2029}\u{202e}\u{feff}\u{fffe}\u{10ffff}{}\u{fffd}x\u{2028}{}",
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":""#,
            r#""},{"type":"text","text":""#,
            r#""},{"type":"text","text":""#,
            r#""}],"structuredContent":{"big":123456789012345678901234567890,"small":1e-400,"safe":9007199254740991,"number":-0.10e+5}}}"#
        ),
    );
    let refused = live.ask(&call("2", "bad_values", r#"{"nan":true}"#));
    assert_eq!(refused["result"]["isError"], true);
    live.exchange(
        &call("3", "add", r#"{"a":9223372036854775807,"b":-9223372036854775808}"#),
        r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"-1"}],"structuredContent":{"sum":-1}}}"#,
    );
    live.exchange(
        &call("4", "add", r#"{"a":9007199254740993,"b":1.0e1}"#),
        r#"{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"9007199254741003"}],"structuredContent":{"sum":9007199254741003}}}"#,
    );
    for (tool, arguments) in [
        ("add", r#"{"a":1.5,"b":1}"#),
        ("add", r#"{"a":9223372036854775808,"b":1}"#),
        ("echo", "{}"),
        ("echo", r#"{"text":null}"#),
        ("sleep", r#"{"ms":-1}"#),
        ("progress", r#"{"steps":0}"#),
        ("blob", r#"{"bytes":1e9}"#),
    ] {
        let refused = live.ask(&call("5", tool, arguments));
        assert_eq!(refused["result"]["isError"], true, "{tool} {arguments}");
    }
    live.exchange(
        &call("5", "add", r#"{"a":1.5,"b":1}"#),
        r#"{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"/a: not of type integer"}],"isError":true}}"#,
    );
    let refused = live.ask(&call("6", "echo", "[]"));
    assert_eq!(refused["error"]["code"], -32602);
    live.finish(&[]);
}

#[test]
fn results_of_every_kind() {
    let mut live = Live::legacy(&[], "{}");
    live.exchange(
        &call("1", "fail", r#"{"message":"no"}"#),
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}"#,
    );
    live.exchange(
        &call("2", "blob", r#"{"bytes":3}"#),
        r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"resource","resource":{"uri":"wireline:blob","mimeType":"application/octet-stream","blob":"AAEC"}}]}}"#,
    );
    live.exchange(
        &call("3", "structured", "{}"),
        r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"temperature\":21.5,\"unit\":\"celsius\",\"samples\":[21,22,21]}"}],"structuredContent":{"temperature":21.5,"unit":"celsius","samples":[21,22,21]}}}"#,
    );
    for count in ["1", "2"] {
        live.exchange(&call("4", "side_effect", "{}"), &says("4", count));
    }
    // Larger than any buffer of the server's.
    let blob = live.ask(&call("5", "blob", r#"{"bytes":3000000}"#));
    let data = blob["result"]["content"][0]["resource"]["blob"]
        .as_str()
        .expect("base64");
    assert_eq!(data.len(), 4_000_000);
    live.exchange(PING, PONG);
    live.finish(&[]);
}

#[test]
fn log_messages_of_the_levels_that_are_wanted() {
    let mut live = Live::legacy(&[], "{}");
    let empty = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    live.exchange(
        r#"{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"alert"}}"#,
        empty,
    );
    live.send(&call("2", "log", "{}"));
    for level in ["alert", "emergency"] {
        assert_eq!(
            live.line(),
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"{level}","logger":"wireline","data":"a message of level {level}"}}}}"#
            )
        );
    }
    assert!(live.line().contains("\"id\":2"));
    live.finish(&[]);
}

#[test]
fn standard_error_that_nobody_reads_holds_nothing_up() {
    let mut live = Live::start(&[], Stdio::piped());
    live.handshake("{}");
    let lines = 20_000;
    live.send(&call(
        "1",
        "stderr_noise",
        &format!(r#"{{"lines":{lines}}}"#),
    ));
    for _ in 0..100 {
        live.exchange(PING, PONG);
    }
    let mut errors = live.child.stderr.take().expect("piped");
    let reader = std::thread::spawn(move || {
        let mut said = Vec::new();
        errors.read_to_end(&mut said).expect("it reads");
        said
    });
    assert_eq!(live.line(), says("1", "standard error has it"));
    live.finish(&[]);
    let said = reader.join().expect("read");
    let wanted: String = (0..lines)
        .map(|line| format!("wireline serve: noise {line}\n"))
        .collect();
    assert!(text(&said) == wanted);
}

#[test]
fn noise_on_request() {
    let mut live = Live::start(&["--stderr-noise"], Stdio::piped());
    live.handshake("{}");
    live.exchange(&call("1", "echo", r#"{"text":"x"}"#), &says("1", "x"));
    live.finish(&[]);
    let mut said = String::new();
    live.child
        .stderr
        .take()
        .expect("piped")
        .read_to_string(&mut said)
        .expect("text");
    assert_eq!(
        said,
        "wireline serve: ready\nwireline serve: answering tools/call\n"
    );
}
