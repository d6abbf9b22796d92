//! `wireline check` on input that waits, that only looks like a recording, and that lies about counts.

mod support;

use std::process::Stdio;

use serde_json::json;
use support::live::Live;
use support::{objects, run, text};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const HEADING: &str = r#"{"wireline":"recording","version":1}"#;

#[test]
fn a_live_stream_is_reported_as_it_comes() {
    let mut live = Live::run(&["check", "--json", "-"], Stdio::null());
    for line in 1..=3 {
        live.send(PING);
        // The beginning of the next line keeps nothing back.
        live.raw(b" ");
        let told = &objects(live.line().as_bytes())[0];
        assert_eq!(
            (&told["method"], &told["line"]),
            (&json!("ping"), &json!(line))
        );
    }
}

#[test]
fn a_live_recording_is_reported_as_it_comes() {
    let mut live = Live::run(&["check", "--json", "-"], Stdio::null());
    live.send(HEADING);
    // Neither a blank line nor the beginning of a record keeps back what came before it.
    for after in ["", "\n \n", "{\"t\":2,"] {
        let raw = format!("{PING}\n");
        let record = json!({"dir": "c2s", "raw": raw}).to_string();
        live.raw(format!("{record}\n{after}").as_bytes());
        let told = &objects(live.line().as_bytes())[0];
        assert_eq!(told["method"], "ping", "before {after:?}");
    }
}

#[test]
fn white_space_in_the_heading_s_strings_makes_no_recording() {
    let told = |input: &str| {
        let output = run(&["check", "--json", "-"], input.as_bytes());
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
        objects(&output.stdout)
    };
    for plain in [
        "{\"wire line\":\"recording\",\"version\":1}\n",
        "{\"wireline\":\" recording\",\"version\":1}\n",
        "{\"wireline\t\":\"recording\",\"version\":1}\n",
    ] {
        assert_eq!(told(plain)[0]["type"], "fault", "{plain}");
    }
    let spaced = " {\t\"wireline\" : \"recording\" , \"version\":1}\n";
    assert_eq!(told(spaced)[0]["type"], "summary");
}

#[test]
fn counts_of_lost_bytes_do_not_overflow() {
    let lost = r#"{"t":1,"dir":"c2s","event":"lost","bytes":18446744073709551615}"#;
    let other = r#"{"t":1,"dir":"s2c","event":"lost","bytes":18446744073709551615}"#;
    let bytes = r#"{"t":1,"dir":"c2s","raw":"x\n \n{}\n"}"#;
    let input = [HEADING, bytes, lost, bytes, lost, bytes, other, ""].join("\n");
    for format in ["--json", "--strict"] {
        let output = run(&["check", format, "-"], input.as_bytes());
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
        if format == "--json" {
            let told = objects(&output.stdout);
            let summary = told.last().expect("a summary");
            assert_eq!(summary["type"], "summary");
            assert_eq!(summary["bytes_lost"], json!(u64::MAX));
            let lines = &summary["directions"]["c2s"]["lines"];
            assert_eq!(lines, &json!(9));
        }
    }
}
