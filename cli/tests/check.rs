//! `wireline check`, run as a user runs it.

mod support;

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::process::Stdio;

use serde_json::json;
use support::{Random, directory, golden, mixed, objects, path, run, text, wireline};
use wireline::{FaultClass, FaultKind, Rule};

/// A line for every kind of fault that a line can have under the ceilings of `small`.
fn faulty() -> Vec<u8> {
    let lines: &[&[u8]] = &[
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}",
        // not-json, with what would turn the terminal red and clear it
        b"\x1b[31m\x1b[2JServer started \xe2\x80\xae\x07\x9b on port 3000",
        // syntax
        b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",}",
        // utf8
        b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":{\"t\":\"a\xffb\"}}",
        // cut
        b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\",\"params\":{\"t\":",
        // trailing
        b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"} {}",
        // too-long
        b"{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":{\"t\":\"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\"},\"id\":6}",
        // too-deep
        b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"t\":[[[[[[1]]]]]]}}",
        // id-too-long
        b"{\"jsonrpc\":\"2.0\",\"id\":\"0123456789012345678901234567890123456789\",\"method\":\"ping\"}",
        // method-too-long
        b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"0123456789012345678901234567890123456789\"}",
        // not-object
        b"5",
        // bad-version
        b"{\"id\":9,\"method\":\"ping\"}",
        // bad-id
        b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
        // bad-method
        b"{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":7}",
        // bad-params
        b"{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"ping\",\"params\":[1]}",
        // bad-result
        b"{\"jsonrpc\":\"2.0\",\"id\":12,\"result\":\"ok\"}",
        // bad-error
        b"{\"jsonrpc\":\"2.0\",\"id\":13,\"error\":{\"code\":\"x\"}}",
        // conflict
        b"{\"jsonrpc\":\"2.0\",\"id\":14,\"method\":\"ping\",\"result\":{}}",
        // no-kind
        b"{\"jsonrpc\":\"2.0\",\"id\":15}",
        // duplicate
        b"{\"jsonrpc\":\"2.0\",\"id\":16,\"method\":\"ping\",\"method\":\"pong\"}",
        // lone-surrogate
        b"{\"jsonrpc\":\"2.0\",\"id\":17,\"method\":\"ping\",\"\\ud800\":1}",
        // empty-batch
        b"[]",
        // batch
        b"[{\"jsonrpc\":\"2.0\",\"id\":18,\"method\":\"ping\"}]",
        b"",
        b"{\"jsonrpc\":\"2.0\",\"id\":18446744073709551617,\"result\":{}}\r",
        // truncated, for want of a line end
        b"{\"jsonrpc\":\"2.0\",\"id\":19,\"method\":\"pi",
    ];
    lines.join(&b'\n')
}

const SMALL: [&str; 8] = [
    "--max-message",
    "130",
    "--max-depth",
    "6",
    "--max-id",
    "40",
    "--max-method",
    "40",
];

fn with<'a>(first: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [first, more].concat()
}

#[test]
fn every_fault_as_text_and_as_json() {
    let input = faulty();
    let as_text = run(&with(&["check", "-"], &SMALL), &input);
    assert_eq!(as_text.status.code(), Some(1), "{}", text(&as_text.stderr));
    assert!(as_text.stderr.is_empty());
    golden("faults.txt", &as_text.stdout);
    let as_json = run(&with(&["check", "--json", "-"], &SMALL), &input);
    assert_eq!(as_json.status.code(), Some(1));
    golden("faults.ndjson", &as_json.stdout);

    let mut seen: BTreeSet<String> = objects(&as_json.stdout)
        .iter()
        .filter(|object| object["type"] == "fault")
        .map(|object| object["kind"].as_str().expect("a name").to_string())
        .collect();
    let endless = [
        &b"x".repeat(70_000)[..],
        b"\n{\"jsonrpc\":\"2.0\",\"method\":\"unread\"}\n",
    ]
    .concat();
    let endless = run(
        &[
            "check",
            "--json",
            "--max-message",
            "100",
            "--max-discard",
            "200",
            "-",
        ],
        &endless,
    );
    let told = objects(&endless.stdout);
    assert_eq!(
        (told.len(), &told[0]["limit"], &told[0]["option"]),
        (2, &json!(200), &json!("--max-discard"))
    );
    seen.extend(
        told.iter()
            .filter_map(|object| object["kind"].as_str().map(String::from)),
    );
    for kind in FaultKind::ALL {
        // A decoder that reads the caller's own chunks cannot be overrun.
        if *kind != FaultKind::Overrun {
            assert!(seen.contains(kind.name()), "{} was not seen", kind.name());
        }
    }
}

/// Both directions, pieces cut anywhere, bytes that are no text, and all events.
const SESSION: &str = r#"{"wireline":"recording","version":1,"started_unix_ms":1767225600000,"program":"python3"}
{"t":0.512,"dir":"c2s","raw":"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}\n"}
{"t":12.000,"dir":"s2c","raw":"{\"result\":{\"serverInfo\":{\"name\":\"h"}
{"t":12.500,"dir":"c2s","raw":"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"}
{"t":13.000,"dir":"s2c","raw":"\u00e9\"}},\"jsonrpc\":\"2.0\",\"id\":0}\r\n"}
{"t":13.000,"dir":"s2c","raw":"\u001b[2JReady\n","cont":true}

{"t":14.250,"dir":"c2s","raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"t\\u001b\",\"params\":null}\n"}
{"t":14.300,"dir":"s2c","b64":"eyJqc29ucnBjIjoiMi4wIiwiaWQiOjEsInJlc3VsdCI6eyJ0Ijoi/yJ9fQo="}
{"t":15.000,"dir":"s2c","event":"lost","bytes":123456}
{"t":15.000,"dir":"s2c","raw":"the rest of a line\n"}
{"t":15.100,"event":"some later invention","dir":"s2c","more":[1,2]}
{"t":16.000,"dir":"s2c","raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}\n"}
{"t":17.000,"dir":"c2s","raw":"{\"unfin"}
{"t":18.000,"dir":"c2s","event":"eof"}
{"t":19.000,"dir":"s2c","event":"closed"}
{"t":1020.000,"dir":"s2c","event":"eof"}
{"t":1021.007,"event":"exit","signal":9}
"#;

#[test]
fn a_recording_as_text_and_as_json() {
    let as_text = run(&["check", "-"], SESSION.as_bytes());
    assert_eq!(as_text.status.code(), Some(1), "{}", text(&as_text.stderr));
    golden("session.txt", &as_text.stdout);
    let as_json = run(&["check", "--json", "-"], SESSION.as_bytes());
    golden("session.ndjson", &as_json.stdout);
    let objects = objects(&as_json.stdout);
    assert_eq!(objects[0]["t"], json!(0.512));
    assert_eq!(
        objects.last().expect("a summary")["directions"]["s2c"]["bytes_lost"],
        json!(123456)
    );
}

#[test]
fn recordings_one_after_another() {
    let twice = format!("{SESSION}{SESSION}");
    let once = objects(&run(&["check", "--json", "-"], SESSION.as_bytes()).stdout);
    let both = objects(&run(&["check", "--json", "-"], twice.as_bytes()).stdout);
    let half = once.len() - 1;
    assert_eq!(both[..half], once[..half]);
    assert_eq!(both[half..2 * half], once[..half]);
    let took = |objects: &[serde_json::Value]| {
        let summary = objects.last().expect("a summary");
        summary["duration_ms"].as_f64().expect("a duration")
    };
    assert!(took(&once) > 0.0);
    assert!(
        (took(&both) - 2.0 * took(&once)).abs() < 0.001,
        "{}",
        took(&both)
    );
}

#[test]
fn a_clean_stream() {
    let input = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n\n";
    let output = run(&["check", "-"], input);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("faults                             0"));
    let quiet = run(&["check", "--quiet", "-"], input);
    assert_eq!(
        (quiet.status.code(), quiet.stdout.len(), quiet.stderr.len()),
        (Some(0), 0, 0)
    );
    let empty = run(&["check", "-"], b"");
    assert_eq!(empty.status.code(), Some(0));
}

#[test]
fn what_is_shown_can_be_chosen() {
    let input = faulty();
    let lines = |args: &[&str]| {
        let output = run(args, &input);
        assert_eq!(output.status.code(), Some(1));
        objects(&output.stdout)
            .iter()
            .map(|object| object["type"].as_str().expect("a type").to_string())
            .collect::<Vec<_>>()
    };
    let kinds = |args: &[&str]| {
        lines(args)
            .into_iter()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        kinds(&["check", "--json", "-"]),
        ["fault", "message", "summary", "violation"]
    );
    assert_eq!(
        kinds(&["check", "--json", "--faults", "-"]),
        ["fault", "violation"]
    );
    assert_eq!(lines(&["check", "--json", "--summary", "-"]), ["summary"]);
    assert_eq!(
        kinds(&["check", "--json", "--faults", "--summary", "-"]),
        ["fault", "summary", "violation"]
    );
    let quiet = run(&["check", "-q", "-"], &input);
    assert_eq!((quiet.status.code(), quiet.stdout.len()), (Some(1), 0));
}

#[test]
fn rules_and_ceilings_are_options() {
    let kinds = |args: &[&str], input: &[u8]| -> Vec<String> {
        let args = with(&["check", "--json", "-"], args);
        objects(&run(&args, input).stdout)
            .iter()
            .filter(|object| !object["kind"].is_null())
            .map(|object| object["kind"].as_str().expect("a kind").to_string())
            .collect()
    };
    let array = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":[1]}\n";
    assert_eq!(kinds(&[], array), ["bad-params"]);
    assert_eq!(kinds(&["--profile", "json-rpc"], array), ["request"]);
    let batch = b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"},{\"jsonrpc\":\"2.0\",\"method\":\"b\"},5]\n{\"jsonrpc\":\"2.0\",\"method\":\"c\"}\n";
    assert_eq!(kinds(&[], batch), ["batch", "notification"]);
    assert_eq!(
        kinds(&["--batches"], batch),
        ["request", "notification", "not-object", "notification"]
    );
    let open = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}";
    assert_eq!(kinds(&[], open), ["truncated"]);
    assert_eq!(kinds(&["--eof-completes-line"], open), ["request"]);
}

#[test]
fn batches_are_taken_apart_where_directions_are_known() {
    let opening = |version: &str| {
        let initialize = format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
        );
        let result = format!(
            r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{version}","capabilities":{{}},"serverInfo":{{"name":"s","version":"1"}}}}}}"#
        );
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let lines = [
            ("c2s", initialize),
            ("s2c", result),
            (
                "c2s",
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.into(),
            ),
            ("c2s", format!("[{ping}]")),
            ("s2c", r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#.into()),
        ];
        let mut recording = String::from("{\"wireline\":\"recording\",\"version\":1}\n");
        for (dir, line) in lines {
            let raw = format!("{line}\n");
            recording.push_str(&format!("{}\n", json!({"t": 1, "dir": dir, "raw": raw})));
        }
        recording
    };
    let checked = |args: &[&str], version: &str| {
        let output = run(
            &with(&["check", "--json", "-"], args),
            opening(version).as_bytes(),
        );
        let rules: Vec<String> = objects(&output.stdout)
            .iter()
            .filter(|object| object["type"] == "violation")
            .map(|object| object["rule"].as_str().expect("a rule").to_owned())
            .collect();
        (output.status.code(), rules.join(" "))
    };
    assert_eq!(checked(&[], "2025-03-26"), (Some(0), String::new()));
    assert_eq!(
        checked(&[], "2025-06-18"),
        (Some(1), "R5 R31 R5 R31".into())
    );
}

#[test]
fn elements_of_a_batch_share_their_line() {
    let input = b"\n[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"},{\"jsonrpc\":\"2.0\",\"method\":\"b\"}]\n \n{\"jsonrpc\":\"2.0\",\"method\":\"c\"}\n";
    // Whole, and with the line cut so that it lies in the decoder's own buffer.
    let whole = objects(&run(&["check", "--json", "--batches", "-"], input).stdout);
    let mut recording = String::from("{\"wireline\":\"recording\",\"version\":1}\n");
    for piece in input.chunks(7) {
        recording.push_str(&format!(
            "{}\n",
            json!({"t": 1, "dir": "c2s", "raw": text(piece)})
        ));
    }
    let cut = objects(&run(&["check", "--json", "--batches", "-"], recording.as_bytes()).stdout);
    for objects in [whole, cut] {
        let places: Vec<_> = objects
            .iter()
            .filter(|object| object["type"] == "message")
            .map(|o| {
                (
                    o["line"].as_u64(),
                    o["position"].as_u64(),
                    o["batch_index"].as_u64(),
                )
            })
            .collect();
        assert_eq!(
            places,
            [
                (Some(2), Some(1), Some(0)),
                (Some(2), Some(1), Some(1)),
                (Some(4), Some(74), None)
            ]
        );
    }
}

#[test]
fn places_do_not_depend_on_cuts() {
    let mut random = Random(7);
    for _ in 0..20 {
        let stream = mixed(&mut random, 40);
        let whole = objects(&run(&["check", "--json", "-"], &stream).stdout);
        let mut recording = b"{\"wireline\":\"recording\",\"version\":1}\n".to_vec();
        let mut rest = &stream[..];
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(1 + random.below(rest.len().min(200)));
            use base64::Engine as _;
            let b64 = base64::engine::general_purpose::STANDARD.encode(piece);
            writeln!(recording, "{}", json!({"dir": "s2c", "b64": b64})).expect("memory");
            rest = after;
        }
        let cut = objects(&run(&["check", "--json", "-"], &recording).stdout);
        // A recording is held against more rules.
        let lines = |objects: Vec<serde_json::Value>| {
            let mut objects = objects;
            objects.retain(|object| object["type"] != "violation");
            objects
        };
        let (whole, cut) = (lines(whole), lines(cut));
        assert_eq!(whole.len(), cut.len());
        for (mut a, mut b) in whole.into_iter().zip(cut) {
            if a["type"] == "summary" {
                continue;
            }
            if let (Some(start), Some(bytes)) = (a["position"].as_u64(), a["bytes"].as_u64()) {
                assert!(start + bytes <= stream.len() as u64);
                assert!(
                    start == 0 || stream[start as usize - 1] == b'\n',
                    "a line begins there"
                );
            }
            b.as_object_mut().expect("an object").remove("dir");
            a.as_object_mut().expect("an object").remove("dir");
            assert_eq!(a, b);
        }
    }
}

#[test]
fn json_fields_are_stable() {
    let input = faulty();
    let output = run(&with(&["check", "--json", "-"], &SMALL), &input);
    for object in objects(&output.stdout) {
        match object["type"].as_str() {
            Some("message") => {
                assert!(
                    object["line"].is_u64()
                        && object["position"].is_u64()
                        && object["bytes"].is_u64()
                );
                assert!(
                    ["request", "notification", "result", "error"]
                        .contains(&object["kind"].as_str().expect("a kind"))
                );
            }
            Some("fault") => {
                let kind = FaultKind::ALL
                    .iter()
                    .find(|kind| object["kind"] == kind.name())
                    .expect("a known kind");
                assert_eq!(object["reason"], kind.reason());
                assert!(object["offset"].is_u64() && object["advice"].is_string());
                assert_eq!(
                    object["limit"].is_u64(),
                    kind.class() == FaultClass::Limit,
                    "{object}"
                );
                assert_eq!(
                    object["option"].is_string(),
                    kind.class() == FaultClass::Limit
                );
            }
            Some("violation") => {
                let number = object["rule"]
                    .as_str()
                    .and_then(|rule| rule.strip_prefix('R'));
                let rule = Rule::from_number(number.expect("R").parse().expect("a number"));
                assert_eq!(object["text"], rule.expect("a rule").text());
                assert!(object["line"].is_u64() && object["position"].is_u64());
                assert!(
                    ["must", "should", "fact"]
                        .contains(&object["level"].as_str().expect("a level"))
                );
            }
            Some("summary") => {
                assert!(object["faults"]["total"].as_u64() > Some(20));
                assert!(object["violations"]["must"].as_u64() > Some(7));
                assert_eq!(object["violations"]["rules"]["R21"], json!(2));
            }
            other => panic!("{other:?}"),
        }
    }
    // Digits are not put through a double.
    assert!(text(&output.stdout).contains("\"id\":18446744073709551617,"));
}

#[test]
fn nothing_of_the_stream_steers_the_terminal() {
    // Every byte, in a line that is noise, in a method, in an id, and in a batch of hints.
    let mut input = Vec::new();
    for first in 0..=255_u8 {
        for line in [
            &b"noise "[..],
            b"{\"jsonrpc\":\"2.0\",\"id\":\"i",
            b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"m",
        ] {
            input.extend_from_slice(line);
            if first != b'\n' {
                input.push(first);
            }
            input.extend_from_slice("\u{9b}31m\u{202e}\u{200f}\u{e0041}".as_bytes());
            input.extend_from_slice(b"\\u001b\\ud800\\u009b\",\"method\":\"x\"}\n");
        }
    }
    for args in [&["check", "-"][..], &["check", "--json", "-"]] {
        let output = run(args, &input);
        for line in text(&output.stdout).lines() {
            let steers = |c: char| {
                c.is_control()
                    || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{e0000}'..='\u{e007f}')
            };
            assert!(!line.contains(steers), "{line:?}");
        }
        if args.len() == 3 {
            objects(&output.stdout);
        }
    }
}

#[test]
fn colour_is_for_terminals() {
    let input = faulty();
    let plain = run(&["check", "-"], &input).stdout;
    assert!(!plain.contains(&0x1b));
    assert_eq!(
        run(&["check", "--color", "never", "-"], &input).stdout,
        plain
    );
    let colour = run(&["check", "--color", "always", "-"], &input).stdout;
    assert!(text(&colour).contains("\x1b[1;31mFAULT"));
    // The same text but for the colours, which are the only escapes in it.
    let mut stripped = String::new();
    let mut rest = text(&colour);
    while let Some(at) = rest.find("\x1b[") {
        stripped.push_str(&rest[..at]);
        let end = rest[at..].find('m').expect("a colour");
        assert!(
            rest[at + 2..at + end]
                .bytes()
                .all(|b| b.is_ascii_digit() || b == b';')
        );
        rest = &rest[at + end + 1..];
    }
    stripped.push_str(rest);
    assert_eq!(stripped.as_bytes(), plain);
}

#[test]
fn trouble_is_said_plainly() {
    let directory = directory();
    let (_, missing) = path(&directory, "missing.rec");
    let (_, folder) = path(&directory, "");
    let cases: &[(&[&str], &[u8], &[&str])] = &[
        (&["check", &missing], b"", &["cannot open", "missing.rec", "No such file", "check the path"]),
        (&["check", &folder], b"", &["cannot read", "name a file, not a folder"]),
        (&["check"], b"", &["<FILE>"]),
        (&["check", "--max-depth", "3", "-"], b"", &["4..=127"]),
        (&["check", "--max-message", "0", "-"], b"", &["must be at least 1"]),
        (&["check", "--max-message", "1.5M", "-"], b"", &["whole number"]),
        (&["check", "--quiet", "--json", "-"], b"", &["cannot be used with"]),
        (&["nonsense"], b"", &["unrecognized"]),
        (&["check", "--format", "recording", "-"], b"{\"jsonrpc\":\"2.0\"}\n", &["line 1", "no direction", "c2s"]),
        (&["check", "--format", "recording", "-"], b"hello\n", &["line 1", "is no record", "--format plain"]),
        (&["check", "-"], b"{\"wireline\":\"recording\",\"version\":2}\n", &["version 2", "take a newer one"]),
        (&["check", "-"], b"{\"wireline\":\"recording\",\"version\":1}\n{\"t\":1,\"dir\":\"c2s\",\"raw\":\"{}", &["line 2", "cut off"]),
        (&["check", "-"], b"{\"wireline\":\"recording\",\"version\":1}\n{\"dir\":\"up\",\"raw\":\"\"}\n", &["line 2", "unknown direction"]),
        (&["check", "-"], b"{\"wireline\":\"recording\",\"version\":1}\n{\"dir\":\"c2s\",\"b64\":\"?\"}\n", &["bad base64"]),
        (&["check", "-"], b"{\"wireline\":\"recording\",\"version\":1}\n{\"dir\":\"c2s\"}\n", &["raw and b64"]),
        (&["check", "-"], b"{\"wireline\":\"recording\",\"version\":1}\n{\"dir\":\"c2s\",\"raw\":\"\",\"b64\":\"\"}\n", &["raw and b64"]),
        (&["check", "-"], b"{\"wireline\":\"recording\",\"version\":1}\n{\"event\":\"eof\"}\n", &["lacks a member"]),
        (&["check", "-"], b"{\"wireline\":\"recording\",\"version\":1}\n{\"t\":-1,\"dir\":\"c2s\",\"raw\":\"\"}\n", &["time out of range"]),
    ];
    for (args, input, words) in cases {
        let output = run(args, input);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = text(&output.stderr);
        for word in *words {
            assert!(said.contains(word), "{args:?}: {word:?} is not in {said:?}");
        }
        assert!(
            !said.contains("panicked") && !said.contains("os error"),
            "{said}"
        );
    }
}

#[test]
fn a_recording_that_breaks_off_is_reported_up_to_there() {
    let cut = &SESSION[..SESSION.find("\"id\\\":1").expect("there")];
    let output = run(&["check", "--json", "-"], cut.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let objects = objects(&output.stdout);
    assert!(objects.len() > 3 && objects.last().expect("one")["type"] == "summary");
}

#[test]
fn the_first_line_tells_the_format() {
    let recording =
        "{ \"wireline\" : \"recording\", \"version\":1}\n{\"dir\":\"c2s\",\"raw\":\"\"}\n";
    assert_eq!(
        run(&["check", "-"], recording.as_bytes()).status.code(),
        Some(0)
    );
    assert_eq!(
        run(&["check", "--format", "plain", "-"], recording.as_bytes())
            .status
            .code(),
        Some(1)
    );
    // It may come byte by byte.
    let mut child = wireline(&["check", "--quiet", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    for byte in recording.bytes() {
        stdin.write_all(&[byte]).expect("it reads");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_reader_that_leaves_is_no_trouble() {
    let mut child = wireline(&["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n".repeat(1000);
    let mut stdout = child.stdout.take().expect("piped");
    stdin.write_all(&line).expect("it reads");
    stdin.write_all(&line).expect("it reads");
    stdout.read_exact(&mut [0; 100]).expect("the first lines");
    drop(stdout);
    // It ends by itself: writing fails sooner or later.
    while stdin.write_all(&line).is_ok() {}
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_stream() {
    let mut child = wireline(&["check", "--max-message", "1M", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("piped");
    let mut random = Random(3);
    // 200 MB: many small lines, and one of 100 MB.
    let small = mixed(&mut random, 5000);
    let mut sent = 0;
    while sent < 100_000_000 {
        stdin.write_all(&small).expect("it reads");
        sent += small.len();
    }
    stdin
        .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"")
        .expect("it reads");
    for _ in 0..100 {
        stdin.write_all(&[b'x'; 1_000_000]).expect("it reads");
    }
    stdin.write_all(b"\"}}\n").expect("it reads");
    // The last bytes fit the pipe, so all but them has been read by now.
    let peak = support::peak(&child);
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    assert!(peak < 16 * 1024, "{peak} KiB");
}

#[test]
fn version_and_help() {
    let version = run(&["--version"], b"");
    assert_eq!(
        text(&version.stdout),
        concat!("wireline ", env!("CARGO_PKG_VERSION"), "\n")
    );
    for args in [&["--help"][..], &["check", "--help"], &["tap", "--help"]] {
        let help = run(args, b"");
        assert_eq!(help.status.code(), Some(0));
        assert!(text(&help.stdout).contains("Examples:"), "{args:?}");
    }
}

#[test]
fn a_byte_order_mark_before_a_blank_line_moves_no_line() {
    let input = b"\xef\xbb\xbf\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\nnoise\n";
    let places = |recording: &[u8]| -> Vec<(u64, u64)> {
        objects(&run(&["check", "--json", "-"], recording).stdout)
            .iter()
            .filter_map(|it| Some((it["line"].as_u64()?, it["position"].as_u64()?)))
            .collect()
    };
    assert_eq!(places(input), [(2, 4), (3, 45)]);
    assert_eq!(places(&input[3..]), [(2, 1), (3, 42)]);
    // A mark alone on its line with a message behind it is no line of its own.
    assert_eq!(places(&[b"\xef\xbb\xbf", &input[4..]].concat())[0], (1, 0));
}
