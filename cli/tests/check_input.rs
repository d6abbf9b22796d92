//! `wireline check` on input that lies about counts.

mod support;

use serde_json::json;
use support::{objects, run, text};

const HEADING: &str = r#"{"wireline":"recording","version":1}"#;

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
