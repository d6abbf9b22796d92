//! What is JSON, and what it means, is what `serde_json` says.

use core::cmp::Ordering;
use std::borrow::ToOwned;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use serde_json::Value;
use serde_json::value::RawValue;

use super::oracle::{is_whole, members};
use super::{GRAMMAR, HEADER, grammar};
use crate::fault::FaultKind;
use crate::id::Id;
use crate::json::{JsonKind, JsonStr, Number, RawJson, UnescapeError};

/// Most containers open at once that both take.
const DEPTH: usize = 127;

/// Validates each line of a text, and the text as a whole.
pub fn json_parity(data: &[u8]) {
    let text = match data.split_first() {
        Some((flags, rest)) if flags & GRAMMAR != 0 => {
            let mut source = grammar::Source::new(rest);
            let mut text = Vec::new();
            while !source.is_empty() && text.len() < 4096 {
                grammar::any(&mut source, &mut text, 8);
                text.push(b'\n');
            }
            text
        }
        _ => Vec::from(data.get(HEADER..).unwrap_or(&[])),
    };
    check(&text);
    for line in text.split(|byte| *byte == b'\n') {
        check(line);
    }
}

fn check(text: &[u8]) {
    let theirs = core::str::from_utf8(text)
        .ok()
        .and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
    match (RawJson::validate(text), theirs) {
        (Ok(ours), Some(theirs)) => {
            assert_eq!(ours.as_str(), theirs.get(), "the value's own text");
            value(ours, 0);
            compact(ours);
        }
        (Ok(ours), None) => panic!("accepted, but serde_json refuses {ours:?}"),
        (Err(invalid), theirs) => {
            assert!(invalid.offset <= text.len(), "{invalid:?}");
            if invalid.kind == FaultKind::TooDeep {
                // `RawValue` itself has no such ceiling.
                assert_eq!(open_at(&text[..=invalid.offset]), DEPTH + 1, "{invalid:?}");
                return;
            }
            assert!(
                theirs.is_none(),
                "serde_json takes it: {invalid:?} {theirs:?}"
            );
            let before = &text[..invalid.offset];
            if invalid.kind == FaultKind::Utf8 {
                let valid = match core::str::from_utf8(text) {
                    Ok(_) => panic!("the text is UTF-8: {invalid:?}"),
                    Err(error) => error.valid_up_to(),
                };
                assert_eq!(valid, invalid.offset, "where UTF-8 ends");
            }
            assert!(
                core::str::from_utf8(before).is_ok()
                    || invalid.offset == text.len() && invalid.kind == FaultKind::Cut,
                "bad UTF-8 comes first: {invalid:?}"
            );
        }
    }
}

/// How many containers the text leaves open.
fn open_at(text: &[u8]) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for byte in text {
        if in_string {
            in_string = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// Every accessor of a value and of what is in it.
fn value(ours: RawJson<'_>, depth: usize) {
    let text = ours.as_str();
    assert_eq!(ours.as_bytes(), text.as_bytes());
    assert_eq!(ours.to_string(), text);
    assert_eq!(ours.is_null(), text == "null");
    let kinds = (
        ours.as_bool().is_some(),
        ours.as_number().is_some(),
        ours.as_json_str().is_some(),
    );
    let (mut names, mut items) = (Vec::new(), Vec::new());
    for (name, value) in ours.members() {
        names.push((name, value));
    }
    for item in ours.elements() {
        items.push(item);
    }
    match ours.kind() {
        JsonKind::Object => {
            assert_eq!(kinds, (false, false, false));
            assert!(items.is_empty());
            object(ours, &names);
        }
        JsonKind::Array => {
            assert_eq!(kinds, (false, false, false));
            assert!(names.is_empty());
            let theirs: Vec<&RawValue> = serde_json::from_str(text).expect("an array");
            let theirs: Vec<&str> = theirs.iter().map(|value| value.get()).collect();
            let ours: Vec<&str> = items.iter().map(RawJson::as_str).collect();
            assert_eq!(ours, theirs, "elements");
        }
        JsonKind::String => {
            assert_eq!(kinds, (false, false, true));
            string(ours.as_json_str().expect("a string"), text);
        }
        JsonKind::Number => {
            assert_eq!(kinds, (false, true, false));
            number(ours.as_number().expect("a number"), text);
        }
        JsonKind::Bool => {
            assert_eq!(kinds, (true, false, false));
            assert_eq!(ours.as_bool(), serde_json::from_str(text).ok());
        }
        JsonKind::Null => assert_eq!(kinds, (false, false, false)),
    }
    let id = Id::parse(text.as_bytes());
    let expected = match ours.kind() {
        JsonKind::String => serde_json::from_str::<String>(text).is_ok(),
        JsonKind::Number => is_whole(text),
        _ => false,
    };
    assert_eq!(id.is_some(), expected, "an id: {text}");
    // Each level is looked at by itself, so that the work stays linear in the depth.
    if depth < 4 {
        for (_, inner) in names {
            value(inner, depth + 1);
        }
        for inner in items {
            value(inner, depth + 1);
        }
    }
}

fn object(ours: RawJson<'_>, names: &[(JsonStr<'_>, RawJson<'_>)]) {
    let Some(theirs) = members(ours.as_str()) else {
        // Some name holds an unpaired surrogate, which a `String` cannot.
        assert!(
            names
                .iter()
                .any(|(name, _)| name.chars().any(|c| c.is_err()))
        );
        return;
    };
    let ours_as_text: Vec<(String, &str)> = names
        .iter()
        .map(|(name, value)| (name.to_string(), value.as_str()))
        .collect();
    assert_eq!(ours_as_text, theirs, "members");
    for (name, _) in &theirs {
        let first = theirs
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| *value);
        assert_eq!(
            ours.get(name).map(|value| value.as_str()),
            first,
            "get({name:?})"
        );
    }
    assert!(ours.get("no such name").is_none());
}

fn string(ours: JsonStr<'_>, token: &str) {
    assert_eq!(ours.raw(), &token[1..token.len() - 1]);
    assert_eq!(ours.raw_bytes(), ours.raw().as_bytes());
    let mut buffer = vec![0; token.len()];
    match serde_json::from_str::<String>(token) {
        Ok(theirs) => {
            assert_eq!(ours.unescape_into(&mut buffer), Ok(theirs.as_str()));
            let tight = &mut buffer[..theirs.len()];
            assert_eq!(ours.unescape_into(tight), Ok(theirs.as_str()));
            if !theirs.is_empty() {
                let short = &mut buffer[..theirs.len() - 1];
                assert_eq!(
                    ours.unescape_into(short),
                    Err(UnescapeError::TooSmall(theirs.len()))
                );
            }
            assert_eq!(ours, theirs.as_str());
            assert_eq!(ours.to_string(), theirs);
            let mut other = theirs.clone();
            other.push('x');
            assert!(ours != other.as_str());
            if ours.raw().contains('\\') {
                assert_eq!(ours.as_str(), None);
            } else {
                assert_eq!(ours.as_str(), Some(theirs.as_str()));
            }
            // The same text, spelled anew.
            let plain = serde_json::to_string(&theirs).expect("a string");
            let plain = RawJson::validate(plain.as_bytes()).expect("a string");
            assert_eq!(plain.as_json_str(), Some(ours));
        }
        Err(_) => {
            assert!(ours.chars().any(|c| c.is_err()), "{token}");
            assert!(matches!(
                ours.unescape_into(&mut buffer),
                Err(UnescapeError::LoneSurrogate(_))
            ));
            assert_eq!(ours, ours.to_owned());
        }
    }
}

fn number(ours: Number<'_>, token: &str) {
    assert_eq!(ours.as_str(), token);
    assert_eq!(
        Number::new(token).map(|number| number.as_str().to_owned()),
        Some(token.to_owned())
    );
    assert_eq!(ours.is_integer(), is_whole(token), "{token}");
    assert_eq!(ours.cmp(&ours), Ordering::Equal);
    let plain = token
        .bytes()
        .all(|byte| byte == b'-' || byte.is_ascii_digit());
    match serde_json::from_str::<Value>(token) {
        Ok(theirs) => {
            if plain {
                // "-0" is a float to serde_json.
                let zero = token == "-0";
                assert!(zero || ours.as_i64() == theirs.as_i64(), "{token}");
                assert!(zero || ours.as_u64() == theirs.as_u64(), "{token}");
            }
            let float = theirs.as_f64().expect("a float");
            for (text, other) in [
                ("0", 0.0),
                ("1", 1.0),
                ("-1.5", -1.5),
                ("1e10", 1e10),
                ("-1e300", -1e300),
            ] {
                let order = ours.cmp(&Number::new(text).expect("a number"));
                // Equal after rounding says nothing.
                if let Some(expected) = float.partial_cmp(&other).filter(|order| order.is_ne()) {
                    let tiny = float == 0.0 && other == 0.0;
                    assert!(tiny || order == expected, "{token} and {text}");
                }
            }
        }
        // A number beyond a float's range.
        Err(_) => assert_eq!(ours.as_i64(), None, "{token}"),
    }
    if let Some(value) = ours.as_i64() {
        let text = value.to_string();
        assert_eq!(Number::new(&text), Some(ours), "{token} is {value}");
        assert!(ours.is_integer());
        assert_eq!(ours.as_u64(), u64::try_from(value).ok());
    }
}

/// Without white space it is the same value, and nothing can be left out any more.
fn compact(ours: RawJson<'_>) {
    let mut first = vec![0; ours.as_bytes().len()];
    let once = ours.compact_into(&mut first).expect("never longer");
    let mut second = vec![0; once.as_bytes().len()];
    let twice = once.compact_into(&mut second).expect("as long");
    assert_eq!(once.as_str(), twice.as_str(), "compaction is idempotent");
    assert!(RawJson::validate(once.as_bytes()).is_ok());
    assert!(
        !once
            .as_bytes()
            .iter()
            .any(|byte| matches!(byte, b'\r' | b'\n'))
    );
    let length = once.as_bytes().len();
    let mut short = vec![0; length - 1];
    let error = ours.compact_into(&mut short).expect_err("no room");
    assert_eq!(error.needed, length);
    // Numbers and names that serde_json cannot keep apart.
    let theirs = |text: &str| serde_json::from_str::<Value>(text).ok();
    assert_eq!(theirs(ours.as_str()), theirs(once.as_str()));
}
