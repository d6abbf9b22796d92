//! `serde_json`: a typed envelope that borrows, bodies as `RawValue`.

use crate::envelope::{Envelope, IdOf, Shape};
use crate::frame::lines;
use crate::sum::Sum;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

// `Option<Cow<str>>` never borrows; a type of its own does.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

// A missing member is `None`, a null one `Some`: `Option<&RawValue>` would make both `None`.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    jsonrpc: Text<'a>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "some_text")]
    method: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

fn some_text<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Text<'de>>, D::Error> {
    Text::deserialize(from).map(Some)
}

fn shape(raw: Option<&RawValue>) -> Shape {
    raw.map_or(Shape::Absent, |raw| Shape::of(raw.get()))
}

#[inline]
fn read(text: &str, sum: &mut Sum) {
    let Ok(members) = serde_json::from_str::<Members<'_>>(text) else {
        return sum.fault();
    };
    let decoded;
    let id = match members.id.map(RawValue::get) {
        None => IdOf::Absent,
        Some("null") => IdOf::Null,
        Some(raw) => match raw.as_bytes().first() {
            Some(b'"') => match serde_json::from_str::<Text<'_>>(raw) {
                Ok(text) => {
                    decoded = text;
                    IdOf::Text(&decoded.0)
                }
                Err(_) => IdOf::Bad,
            },
            Some(b'-' | b'0'..=b'9') => IdOf::number(raw),
            _ => IdOf::Bad,
        },
    };
    Envelope {
        version: members.jsonrpc.0 == "2.0",
        id,
        method: members.method.as_ref().map(|m| m.0.as_ref()),
        params: shape(members.params),
        result: shape(members.result),
        error: shape(members.error),
    }
    .judge(sum);
}

/// The standard library checks UTF-8.
pub fn std_utf8(data: &[u8]) -> Sum {
    lines(data, |line, sum| match std::str::from_utf8(line) {
        Ok(text) => read(text, sum),
        Err(_) => sum.fault(),
    })
}

/// `simdutf8` checks UTF-8.
pub fn simd_utf8(data: &[u8]) -> Sum {
    lines(data, |line, sum| match simdutf8::basic::from_utf8(line) {
        Ok(text) => read(text, sum),
        Err(_) => sum.fault(),
    })
}
