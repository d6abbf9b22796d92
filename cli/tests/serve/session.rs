//! What is said before, around and without tools.

use crate::support::live::Live;
use crate::support::{run, text};
use crate::{PING, PONG, call, modern, says};

#[test]
fn a_session_of_the_legacy_era() {
    let mut live = Live::serve(&["--page-size", "2"]);
    live.exchange(PING, PONG);
    live.exchange(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"logging":{},"completions":{},"prompts":{"listChanged":true},"tools":{"listChanged":true}},"serverInfo":{"name":"wireline-serve","version":"0.1.0"},"instructions":"A server to test clients with. Its tools do what their names say."}}"#,
    );
    live.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    live.exchange(
        r#"{"jsonrpc":"2.0","id":"two","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":"two","result":{"tools":[{"name":"echo","description":"Gives the text back","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"annotations":{"readOnlyHint":true,"openWorldHint":false}},{"name":"length","description":"Counts the text's characters and its bytes in UTF-8","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"outputSchema":{"type":"object","properties":{"characters":{"type":"integer"},"bytes":{"type":"integer"}},"required":["characters","bytes"]},"annotations":{"readOnlyHint":true,"openWorldHint":false}}],"nextCursor":"after-2"}}"#,
    );
    live.exchange(
        &call("3", "echo", r#"{"text":"h\u00e9\n"}"#),
        &says("3", r"hé\n"),
    );
    live.exchange(
        &call("4", "length", r#"{"text":"\ud83d\ude00e"}"#),
        r#"{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"2 characters, 5 bytes"}],"structuredContent":{"characters":2,"bytes":5}}}"#,
    );
    live.exchange(
        r#"{"jsonrpc":"2.0","id":5,"method":"no/such"}"#,
        r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"Method not found"}}"#,
    );
    live.exchange(
        &call("6", "nothing", "{}"),
        r#"{"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"no such tool"}}"#,
    );
    live.finish(&[]);
}

#[test]
fn the_modern_era_without_a_handshake() {
    let mut live = Live::serve(&[]);
    live.exchange(
        &modern("1", "tools/call", "{}", r#""name":"echo","arguments":{"text":"a"}"#),
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"wireline-serve","version":"0.1.0"}},"content":[{"type":"text","text":"a"}]}}"#,
    );
    let list = live.ask(&modern("2", "prompts/list", "{}", ""));
    assert_eq!(list["result"]["resultType"], "complete");
    assert_eq!(list["result"]["cacheScope"], "private");
    assert_eq!(list["result"]["ttlMs"], 0);
    // A ping, like the handshake, is of the other era.
    let ping = live.ask(&modern("3", "ping", "{}", ""));
    assert_eq!(ping["error"]["code"], -32601);
    live.finish(&[]);
}

#[test]
fn every_page_of_a_list() {
    let mut live = Live::legacy(&["--page-size", "7"], "{}");
    let mut names = Vec::new();
    let mut params = "{}".to_string();
    loop {
        let page = live.ask(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{params}}}"#
        ));
        let tools = page["result"]["tools"].as_array().expect("tools");
        assert!(tools.len() <= 7);
        names.extend(
            tools
                .iter()
                .map(|tool| tool["name"].as_str().expect("a name").to_string()),
        );
        match page["result"]["nextCursor"].as_str() {
            Some(cursor) => params = format!(r#"{{"cursor":"{cursor}"}}"#),
            None => break,
        }
    }
    assert_eq!(
        names,
        [
            "echo",
            "length",
            "add",
            "side_effect",
            "sleep",
            "hang",
            "progress",
            "three_steps",
            "progress_1000",
            "stderr_noise",
            "bad_values",
            "fail",
            "blob",
            "structured",
            "ask",
            "sample",
            "roots",
            "log"
        ]
    );
    for cursor in [
        r#""""#,
        r#""after-0""#,
        r#""after-07""#,
        r#""after-99""#,
        r#""after--1""#,
        "7",
    ] {
        let refused = live.ask(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"cursor":{cursor}}}}}"#
        ));
        assert_eq!(refused["error"]["code"], -32602, "{cursor}");
    }
}

#[test]
fn only_the_revisions_that_are_asked_for() {
    let mut live = Live::serve(&["--revision", "2024-11-05", "--revision", "2025-03-26"]);
    let answer = live.ask(&modern("1", "server/discover", "{}", ""));
    assert_eq!(answer["error"]["code"], -32601);
    let answer = live.ask(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#);
    assert_eq!(answer["result"]["protocolVersion"], "2025-03-26");
    live.finish(&[]);
}

#[test]
fn a_batch_is_answered_by_one_array() {
    let mut live = Live::serve(&["--revision", "2025-03-26"]);
    let answer = live.ask(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#);
    assert_eq!(answer["result"]["protocolVersion"], "2025-03-26");
    live.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    live.send(&format!(
        "[{},{PING},{}]",
        call("2", "sleep", r#"{"ms":30}"#),
        call("3", "echo", r#"{"text":"x"}"#)
    ));
    // What takes longest comes last, and the array when all is there.
    assert_eq!(
        live.line(),
        format!("[{PONG},{},{}]", says("3", "x"), says("2", "slept 30 ms"))
    );
    live.finish(&[]);
}

#[test]
fn a_line_of_64_mib_is_answered_by_its_id() {
    let mut live = Live::legacy(&[], "{}");
    // The id comes last, as some clients write it.
    live.raw(
        br#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":""#,
    );
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..64 {
        live.raw(&piece);
    }
    live.raw(b"\"}},\"id\":\"late\"}\n");
    let answer: serde_json::Value = serde_json::from_str(&live.line()).expect("JSON");
    assert_eq!(answer["id"], "late");
    assert_eq!(answer["error"]["code"], -32600);
    live.exchange(PING, PONG);
    #[cfg(target_os = "linux")]
    {
        let peak = crate::support::peak(&live.child);
        assert!(peak < 40 << 10, "{peak} KiB");
    }
    live.finish(&[]);
}

#[test]
fn noise_harms_nothing() {
    let mut live = Live::serve(&[]);
    live.raw(b"\x1b[31mhello\xff\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\n[]\r\n");
    let answer: serde_json::Value = serde_json::from_str(&live.line()).expect("JSON");
    assert_eq!(answer["error"]["code"], -32600, "an empty batch");
    live.exchange(PING, PONG);
    live.finish(&[]);
}

#[test]
fn pipelined_pings_are_answered_in_order() {
    let mut input = String::new();
    let mut wanted = String::new();
    for id in 0..50_000 {
        input.push_str(&format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n"
        ));
        wanted.push_str(&format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}\n"
        ));
    }
    let output = run(&["serve"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout) == wanted);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_last_line_without_its_end_is_no_line() {
    let output = run(&["serve"], PING.as_bytes());
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(0)));
}

#[test]
fn prompts_and_completions() {
    let mut live = Live::legacy(&[], "{}");
    live.exchange(
        r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet","arguments":{"name":"Ada","tone":"terse"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"messages":[{"role":"user","content":{"type":"text","text":"Please greet Ada, and be terse."}}]}}"#,
    );
    for params in [
        r#"{"name":"greet"}"#,
        r#"{"name":"greet","arguments":{"name":7}}"#,
        r#"{"name":"greet","arguments":[]}"#,
        r#"{"name":"nobody"}"#,
    ] {
        let refused = live.ask(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{params}}}"#
        ));
        assert_eq!(refused["error"]["code"], -32602, "{params}");
    }
    live.exchange(
        r#"{"jsonrpc":"2.0","id":2,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"name","value":"A"}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"completion":{"values":["Ada","Alan"],"total":2,"hasMore":false}}}"#,
    );
    let refused = live.ask(r#"{"jsonrpc":"2.0","id":2,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"name","value":"A"}}}"#);
    assert_eq!(refused["error"]["code"], -32602);
    live.finish(&[]);
}

#[test]
fn what_is_wrong_with_the_command_line_is_said() {
    for (args, says) in [
        (&["serve", "--page-size", "0"][..], "--page-size"),
        (
            &["serve", "--revision", "2025-01-01"],
            "known revisions are 2024-11-05",
        ),
        (
            &["serve", "--root", "/no/such/folder"],
            "cannot open the folder /no/such/folder",
        ),
        (&["serve", "--max-message", "1X"], "whole number"),
        (&["serve", "file"], "unexpected argument"),
    ] {
        let output = run(args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            text(&output.stderr).contains(says),
            "{args:?}: {}",
            text(&output.stderr)
        );
        assert_eq!(text(&output.stdout), "");
    }
}

#[test]
fn the_help_is_the_same_however_it_is_asked_for() {
    let (one, other) = (run(&["serve", "--help"], b""), run(&["help", "serve"], b""));
    assert_eq!(text(&one.stdout), text(&other.stdout));
    for part in [
        "--root <DIR>",
        "--everything",
        "--page-size <N>",
        "--stderr-noise",
        "Exit status:",
        "Examples:",
    ] {
        assert!(text(&one.stdout).contains(part), "{part}");
    }
    let (one, other) = (run(&["serve", "-h"], b""), run(&["serve", "--help"], b""));
    assert!(one.stdout.len() < other.stdout.len());
}
