//! `sonic-rs`: the validating lazy iterator over an object, and a typed envelope
//! with `LazyValue` bodies.

use crate::envelope::{Envelope, IdOf, Shape};
use crate::frame::lines;
use crate::sum::Sum;
use serde::Deserialize;
use sonic_rs::{JsonValueTrait, LazyValue};
use std::borrow::Cow;

fn id<'v>(value: &'v LazyValue<'_>) -> IdOf<'v> {
    let raw = value.as_raw_str();
    match raw.as_bytes().first() {
        Some(b'"') => value.as_str().map_or(IdOf::Bad, IdOf::Text),
        Some(b'-' | b'0'..=b'9') => IdOf::number(raw),
        Some(b'n') => IdOf::Null,
        _ => IdOf::Bad,
    }
}

/// Only white space, one brace and white space stand behind the last value.
fn ends_well(line: &str, last: Option<&LazyValue<'_>>) -> bool {
    let Some(last) = last else { return false };
    let raw = last.as_raw_str();
    let end = (raw.as_ptr() as usize + raw.len()).wrapping_sub(line.as_ptr() as usize);
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
    let Some(rest) = line.as_bytes().get(end..) else {
        return false;
    };
    let mut rest = rest.iter().skip_while(|b| blank(b));
    rest.next() == Some(&b'}') && rest.all(blank)
}

fn put<'v>(slot: &mut Option<LazyValue<'v>>, value: LazyValue<'v>) -> bool {
    let first = slot.is_none();
    *slot = Some(value);
    first
}

/// `to_object_iter`. It stops at the closing brace, so the end of the text is checked here.
pub fn object_iter(data: &[u8]) -> Sum {
    lines(data, |line, sum| {
        let Ok(line) = simdutf8::basic::from_utf8(line) else {
            return sum.fault();
        };
        let (mut version, mut id_value, mut method, mut params, mut result, mut error) =
            (None, None, None, None, None, None);
        let mut last = None;
        for pair in sonic_rs::to_object_iter(line) {
            let Ok((name, value)) = pair else {
                return sum.fault();
            };
            let first = match name.as_ref() {
                "jsonrpc" => put(&mut version, value.clone()),
                "id" => put(&mut id_value, value.clone()),
                "method" => put(&mut method, value.clone()),
                "params" => put(&mut params, value.clone()),
                "result" => put(&mut result, value.clone()),
                "error" => put(&mut error, value.clone()),
                _ => true,
            };
            if !first {
                return sum.fault();
            }
            last = Some(value);
        }
        if !ends_well(line, last.as_ref()) {
            return sum.fault();
        }
        let shape = |value: &Option<LazyValue<'_>>| {
            value
                .as_ref()
                .map_or(Shape::Absent, |v| Shape::of(v.as_raw_str()))
        };
        let named = match &method {
            None => None,
            Some(value) => match value.as_str() {
                Some(text) => Some(text),
                None => return sum.fault(),
            },
        };
        Envelope {
            version: version.as_ref().is_some_and(|v| v.as_str() == Some("2.0")),
            id: id_value.as_ref().map_or(IdOf::Absent, id),
            method: named,
            params: shape(&params),
            result: shape(&result),
            error: shape(&error),
        }
        .judge(sum);
    })
}

#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<LazyValue<'de>>, D::Error> {
    LazyValue::deserialize(from).map(Some)
}

fn some_text<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Text<'de>>, D::Error> {
    Text::deserialize(from).map(Some)
}

#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    jsonrpc: Text<'a>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<LazyValue<'a>>,
    #[serde(borrow, default, deserialize_with = "some_text")]
    method: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<LazyValue<'a>>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<LazyValue<'a>>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<LazyValue<'a>>,
}

/// A typed envelope; `from_str` checks the end of the text.
pub fn typed(data: &[u8]) -> Sum {
    envelopes(data, |_| true)
}

/// The same, and what its skipping leaves out: four hexadecimal digits after `\u`.
pub fn typed_and_digits(data: &[u8]) -> Sum {
    let finder = memchr::memmem::Finder::new("\\u");
    envelopes(data, |line| {
        finder.find_iter(line).all(|at| digits(line, at))
    })
}

/// Whether the `\u` here has its digits, or is a backslash that was escaped and a letter.
fn digits(line: &[u8], at: usize) -> bool {
    let before = line
        .iter()
        .take(at)
        .rev()
        .take_while(|b| **b == b'\\')
        .count();
    before % 2 == 1
        || line
            .get(at + 2..at + 6)
            .is_some_and(|four| four.iter().all(u8::is_ascii_hexdigit))
}

#[inline(always)]
fn envelopes(data: &[u8], check: impl Fn(&[u8]) -> bool) -> Sum {
    lines(data, |line, sum| {
        if !check(line) {
            return sum.fault();
        }
        let Ok(line) = simdutf8::basic::from_utf8(line) else {
            return sum.fault();
        };
        let Ok(members) = sonic_rs::from_str::<Members<'_>>(line) else {
            return sum.fault();
        };
        let shape = |value: &Option<LazyValue<'_>>| {
            value
                .as_ref()
                .map_or(Shape::Absent, |v| Shape::of(v.as_raw_str()))
        };
        Envelope {
            version: members.jsonrpc.0 == "2.0",
            id: members.id.as_ref().map_or(IdOf::Absent, id),
            method: members.method.as_ref().map(|m| m.0.as_ref()),
            params: shape(&members.params),
            result: shape(&members.result),
            error: shape(&members.error),
        }
        .judge(sum);
    })
}
