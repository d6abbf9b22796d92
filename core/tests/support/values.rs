//! Any JSON value, any text of it, and what a writer makes of it.
#![allow(dead_code, unreachable_pub)]

use proptest::prelude::*;
use serde_json::Value;
use wireline::encode::{Outgoing, Pieces, WriteError};
use wireline::json::{self, ToJson, Writer};
use wireline::{FaultKind, Limits, LineDecoder};

/// Any JSON value, written call by call.
pub struct Tree<'a>(pub &'a Value);

impl ToJson for Tree<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self.0 {
            Value::Null => w.null(),
            Value::Bool(value) => w.bool(*value),
            Value::Number(number) => w.decimal(&number.to_string()),
            Value::String(text) => w.string(text),
            Value::Array(items) => {
                w.begin_array();
                for item in items {
                    w.value(&Tree(item));
                }
                w.end_array()
            }
            Value::Object(members) => {
                w.begin_object();
                for (name, value) in members {
                    w.member(name, &Tree(value));
                }
                w.end_object()
            }
        };
    }
}

pub fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~]{0,12}",
        2 => proptest::collection::vec(any::<char>(), 0..8)
            .prop_map(|characters| characters.into_iter().collect()),
        1 => "[\\x00-\\x1f\"\\\\/\\x7f\u{85}\u{2028}\u{2029}\u{feff}\u{1f600}]{0,8}",
    ]
}

pub fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i32>().prop_map(|number| Value::from(f64::from(number) / 64.0)),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec((any_text(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

pub fn any_object() -> impl Strategy<Value = Value> {
    proptest::collection::vec((any_text(), any_value()), 0..6)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// The value as text with white space, CR and LF among it, between all tokens.
pub fn loose(value: &Value, space: &mut impl Iterator<Item = &'static str>) -> String {
    let mut text = String::from(space.next().unwrap());
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                text.push_str(&loose(item, space));
            }
            text.push_str(space.next().unwrap());
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (index, (name, value)) in members.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                text.push_str(space.next().unwrap());
                text.push_str(&serde_json::to_string(name).unwrap());
                text.push_str(space.next().unwrap());
                text.push(':');
                text.push_str(&loose(value, space));
            }
            text.push_str(space.next().unwrap());
            text.push('}');
        }
        plain => text.push_str(&plain.to_string()),
    }
    text.push_str(space.next().unwrap());
    text
}

pub fn spaces(seed: u64) -> impl Iterator<Item = &'static str> {
    let mut state = seed | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ["", "", " ", "\r", "\n", "\r\n", "\t", "\r\r \n\n"][(state >> 32) as usize % 8]
    })
}

pub fn written(value: &dyn ToJson) -> Result<Vec<u8>, WriteError> {
    let mut buffer = vec![0; json::measure(value)?];
    let len = json::write(value, &mut buffer)?.len();
    assert_eq!(len, buffer.len());
    Ok(buffer)
}

pub fn line(message: &Outgoing<'_>) -> Result<Vec<u8>, WriteError> {
    let mut buffer = vec![0; message.line_len()?];
    assert_eq!(message.write(&mut buffer)?, buffer.len());
    Ok(buffer)
}

/// All of the pieces, with windows of these sizes in turn.
pub fn drained<T: ToJson>(mut pieces: Pieces<T>, sizes: &[usize]) -> Vec<u8> {
    let mut text = Vec::new();
    for size in sizes.iter().cycle() {
        let mut window = vec![0xaa; *size];
        let left = pieces.remaining();
        let n = pieces.fill(&mut window).unwrap();
        assert_eq!(
            n,
            left.min(*size),
            "a window is filled as long as there is text"
        );
        assert_eq!(pieces.remaining(), left - n);
        assert!(window[n..].iter().all(|byte| *byte == 0xaa));
        text.extend_from_slice(&window[..n]);
        if pieces.is_done() {
            assert_eq!(pieces.fill(&mut window), Ok(0));
            return text;
        }
    }
    unreachable!()
}

/// Whole, counted, too small by any number of bytes, and through windows of every size.
pub fn check_every_way(value: &dyn ToJson) -> Vec<u8> {
    let text = written(value).unwrap();
    for len in 0..text.len() {
        let mut short = vec![0; len];
        let result = json::write(value, &mut short);
        assert_eq!(result, Err(WriteError::TooSmall { needed: text.len() }));
    }
    let mut long = vec![0xaa; text.len() + 3];
    assert_eq!(json::write(value, &mut long), Ok(&text[..]));
    assert!(long.ends_with(&[0xaa; 3]));
    for size in 1..=text.len() + 1 {
        assert_eq!(
            drained(Pieces::new(value).unwrap(), &[size]),
            text,
            "windows of {size}"
        );
    }
    let with_line_end = drained(Pieces::line(value).unwrap(), &[3, 1, 7]);
    assert_eq!(with_line_end.strip_suffix(b"\n"), Some(&text[..]));
    assert!(!text.contains(&b'\n') && !text.contains(&b'\r'));
    text
}

pub fn any_sizes() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(1usize..20, 1..6)
}

/// What was given up is one line that the decoder rejects, or nothing; what comes next is
/// read.
pub fn assert_given_up(stream: &[u8]) {
    let mut input = stream.to_vec();
    input.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":\"next\"}\n");
    let mut chunk = &input[..];
    let mut decoder = LineDecoder::new([0; 4096], Limits::HOST);
    if !stream.is_empty() {
        let cut = decoder.next_in(&mut chunk).unwrap().result().unwrap_err();
        assert!(matches!(cut.kind(), FaultKind::Cut | FaultKind::Utf8));
        assert_eq!(cut.length() + 1, stream.len() as u64);
    }
    let next = decoder.next_in(&mut chunk).unwrap().result().unwrap();
    assert_eq!(next.method().unwrap(), "next");
    assert!(decoder.next_in(&mut chunk).is_none());
}
