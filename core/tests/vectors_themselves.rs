//! Checks the text vectors (`vectors/`) themselves: that nothing is missing, and that an independent reader of JSON agrees with them.
#![allow(clippy::disallowed_methods, reason = "a test may panic")]

mod support;

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use support::suite::{all, directory, of_the_stream, single_lines};
use support::vectors::{self, Head, Item, Text};
use wireline::FaultKind;

/// Every fault has a vector. `overrun` has none: it comes of how a buffer is used, not of what is in the stream.
#[test]
fn every_kind_has_a_vector() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for item in all().iter().flat_map(|vector| &vector.expected) {
        let kind = match &item.head {
            Head::Message { kind } => format!("message {kind}"),
            Head::Fault { kind, .. } => kind.clone(),
        };
        *counts.entry(kind).or_default() += 1;
    }
    println!("{counts:?}");
    for kind in FaultKind::ALL {
        assert!(
            counts.remove(kind.name()).is_some() || *kind == FaultKind::Overrun,
            "no vector has {}",
            kind.name()
        );
    }
    assert!(
        counts.keys().map(String::as_str).eq([
            "message error",
            "message notification",
            "message request",
            "message result"
        ]),
        "{counts:?}"
    );
}

/// Every public fault report that concerns decoding has a vector, which names its number.
#[test]
fn every_known_report_has_a_vector() {
    let numbers = [
        1, 2, 4, 5, 7, 8, 19, 20, 22, 23, 25, 32, 34, 35, 37, 38, 52, 53, 55, 56, 58, 59, 61, 62,
        64, 65, 67, 82, 83, 91, 92, 94, 95, 97, 98, 100, 107, 109, 110, 146, 148, 152, 158,
    ];
    // The batch vectors may be out of this build, not out of the directory.
    let vectors = vectors::load(directory()).unwrap();
    for number in numbers {
        let tag = format!("B{number:03}");
        assert!(
            vectors.iter().any(|vector| vector.doc.contains(&tag)),
            "no vector names {tag}"
        );
    }
}

/// The vectors themselves against an independent reader: what they call a message is JSON, what they call broken text is not, and an
/// id is answerable only in a text that is valid as a whole.
#[test]
fn vectors_agree_with_an_independent_reader() {
    let is_json = |text: &[u8]| {
        std::str::from_utf8(text).is_ok_and(|text| serde_json::from_str::<&RawValue>(text).is_ok())
    };
    let (mut accepted, mut refused) = (0, 0);
    for vector in all() {
        for (line, item) in single_lines(vector) {
            let json = is_json(line.text);
            let whose = format!(
                "{}:{} {}\n{item}\nof: {}",
                vector.file,
                vector.line,
                vector.name,
                Text(line.text)
            );
            match &item.head {
                Head::Message { .. } => {
                    assert!(json, "not JSON, but a message: {whose}");
                    accepted += 1;
                }
                Head::Fault { kind, of, .. } => {
                    match kind.as_str() {
                        "not-json" | "syntax" | "utf8" | "cut" | "trailing" => {
                            assert!(!json, "JSON, but broken text: {whose}");
                            refused += 1;
                        }
                        // Past the depth ceiling brackets are counted and not matched.
                        "too-deep" => {}
                        "not-object" | "batch" | "empty-batch" => {
                            assert!(json, "not JSON: {whose}")
                        }
                        _ if item.get("id").is_some() => {
                            assert!(json, "not JSON, but answerable: {whose}")
                        }
                        _ if item.get("hint").is_some() && !of_the_stream(item) && line.ended => {
                            assert!(!json, "JSON, but not answerable: {whose}")
                        }
                        _ => {}
                    }
                    assert!(
                        of_the_stream(item) || *of == line.text.len() as u64,
                        "length: {whose}"
                    );
                }
            }
            if let (Head::Message { kind }, Ok(value)) = (
                &item.head,
                serde_json::from_slice::<BTreeMap<String, &RawValue>>(line.text),
            ) {
                compare_members(kind, item, &value, &whose);
            }
        }
    }
    println!("independent reader: {accepted} messages accepted, {refused} texts refused");
    assert!(accepted > 400 && refused > 300);
}

/// The members that the other reader finds are the fields of the item.
fn compare_members(kind: &str, item: &Item, value: &BTreeMap<String, &RawValue>, whose: &str) {
    let member = |name: &str| {
        value
            .get(name)
            .map(|raw| raw.get().as_bytes())
            .filter(|raw| *raw != b"null")
    };
    for name in ["id", "method", "params", "result"] {
        let stray = name == "params" && matches!(kind, "result" | "error");
        // Only this profile takes null for an id or a result.
        let null = item.get(name) == Some(b"null");
        assert!(
            stray || null || item.get(name) == member(name),
            "{name}: {whose}"
        );
    }
    if let Some(text) = item.get("method-text") {
        let decoded: String = serde_json::from_str(value["method"].get()).unwrap();
        assert_eq!(decoded.as_bytes(), text, "method-text: {whose}");
    }
    if let Some(text) = item.get("id-text") {
        let decoded: String = serde_json::from_str(value["id"].get()).unwrap();
        assert_eq!(decoded.as_bytes(), text, "id-text: {whose}");
    }
    if kind == "error" {
        let error: BTreeMap<String, &RawValue> =
            serde_json::from_str(value["error"].get()).unwrap();
        for (key, name) in [
            ("error.code", "code"),
            ("error.message", "message"),
            ("error.data", "data"),
        ] {
            assert_eq!(
                item.get(key),
                error.get(name).map(|raw| raw.get().as_bytes()),
                "{key}: {whose}"
            );
        }
    }
}
