//! The decoder that keeps lines and the one that does not come to the same.

use std::borrow::ToOwned;
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::drive::whole;
use super::seen::{Seen, tokens};
use super::{Random, open, piece};
use crate::decode::{Head, Part, StreamDecoder, StreamEvent};
use crate::fault::FaultKind;
use crate::message::Kind;

/// What a stream decoder told of one line.
#[derive(Debug)]
struct Told {
    seen: Seen,
    bodies: Vec<(Part, Vec<u8>)>,
    heads: usize,
}

/// Reads a stream with both, and holds one against the other.
pub fn line_vs_stream(data: &[u8]) {
    let (setup, stream) = open(data);
    let limits = setup.limits.with_batches(false);
    let expected = whole(&stream, limits);
    let mut random = Random::new(setup.seed);
    let roomy = StreamDecoder::needed(&limits.bounded()) + 8 * 1024;
    compare(&expected, &collect(&stream, limits, roomy, None), true);
    compare(
        &expected,
        &collect(&stream, limits, roomy, Some(&mut random)),
        true,
    );
    let tight = StreamDecoder::needed(&limits.bounded());
    compare(
        &expected,
        &collect(&stream, limits, tight, Some(&mut random)),
        false,
    );
}

fn seen_of(head: &Head<'_>, kind: Kind) -> Seen {
    let empty = crate::decode::parse(b"{}", &crate::Limits::HOST).expect_err("no message");
    let mut seen = Seen::rejected(&empty);
    seen.what = Ok(kind);
    seen.offset = 0;
    seen.excerpt.clear();
    seen.length = head.length();
    seen.id = head.id().map(|id| id.as_raw().to_owned());
    seen.method = head.method().map(|method| method.raw().to_owned());
    seen.tokens = tokens(&head.meta());
    seen.flags = head.flags();
    seen
}

fn collect(
    stream: &[u8],
    limits: crate::Limits,
    memory: usize,
    mut random: Option<&mut Random>,
) -> Vec<Told> {
    let mut memory = vec![0xa5; memory];
    let mut decoder = StreamDecoder::new(&mut memory, limits).expect("room");
    let mut told = Vec::new();
    let mut bodies: Vec<(Part, Vec<u8>)> = Vec::new();
    let mut heads = 0;
    let mut rest = stream;
    while !rest.is_empty() {
        let mut bytes = match &mut random {
            Some(random) => piece(&mut rest, random),
            None => core::mem::take(&mut rest),
        };
        let mut idle = 0;
        loop {
            let (used, event) = decoder.step(bytes);
            bytes = &bytes[used..];
            idle = if used == 0 { idle + 1 } else { 0 };
            assert!(idle < 10, "the decoder goes round in circles: {event:?}");
            match event {
                StreamEvent::NeedInput => break,
                StreamEvent::Head(head) => {
                    assert!(!head.is_final());
                    heads += 1;
                }
                StreamEvent::Body { part, bytes } => body(&mut bodies, part, bytes),
                StreamEvent::End(head) => {
                    let kind = head.kind().expect("a kind at the end");
                    let seen = seen_of(&head, kind);
                    told.push(Told {
                        seen,
                        bodies: core::mem::take(&mut bodies),
                        heads,
                    });
                    heads = 0;
                }
                StreamEvent::Fault(rejected) => {
                    let seen = Seen::rejected(&rejected);
                    bodies.clear();
                    heads = 0;
                    told.push(Told {
                        seen,
                        bodies: Vec::new(),
                        heads: 0,
                    });
                }
            }
        }
        assert!(
            bytes.is_empty(),
            "input was asked for with {} bytes left",
            bytes.len()
        );
    }
    match decoder.finish() {
        None => {}
        Some(StreamEvent::End(head)) => {
            let kind = head.kind().expect("a kind at the end");
            let seen = seen_of(&head, kind);
            told.push(Told {
                seen,
                bodies,
                heads,
            });
        }
        Some(StreamEvent::Fault(rejected)) => {
            let seen = Seen::rejected(&rejected);
            told.push(Told {
                seen,
                bodies: Vec::new(),
                heads: 0,
            });
        }
        Some(other) => panic!("the end of the input came to {other:?}"),
    }
    assert!(decoder.finish().is_none(), "finish() told twice");
    told
}

fn body(bodies: &mut Vec<(Part, Vec<u8>)>, part: Part, bytes: &[u8]) {
    match bodies.last_mut() {
        Some((last, text)) if *last == part => text.extend_from_slice(bytes),
        _ => bodies.push((part, bytes.to_vec())),
    }
}

fn compare(expected: &[Seen], told: &[Told], roomy: bool) {
    for (index, (line, stream)) in expected.iter().zip(told).enumerate() {
        let seen = &stream.seen;
        let context = std::format!("item {index}\n line: {line:?}\n stream: {stream:?}");
        assert_eq!(line.what, seen.what, "kind, {context}");
        assert_eq!(line.offset, seen.offset, "offset, {context}");
        assert_eq!(line.length, seen.length, "length, {context}");
        assert_eq!(line.id, seen.id, "id, {context}");
        assert_eq!(line.hint, seen.hint, "hint, {context}");
        assert_eq!(line.method, seen.method, "method, {context}");
        assert_eq!(line.flags, seen.flags, "flags, {context}");
        assert_eq!(line.shape, seen.shape, "shape, {context}");
        assert_eq!(line.limit, seen.limit, "limit, {context}");
        match line.what {
            Ok(_) => bodies(line, stream, &context),
            Err(FaultKind::NotJson) if line.length == 0 => panic!("an empty line, {context}"),
            Err(_) => {}
        }
        for (line, stream) in line.tokens.iter().zip(&seen.tokens) {
            // Where memory is short a token may be missing, but never be another.
            assert!(
                line == stream || !roomy && stream.is_none(),
                "captured tokens, {context}"
            );
        }
    }
    assert_eq!(
        expected.len(),
        told.len(),
        "number of items: {expected:?} {told:?}"
    );
}

/// The pieces of a message's bodies join to its members' values. Members that count as
/// absent are handed out as they pass.
fn bodies(line: &Seen, stream: &Told, context: &str) {
    let text = core::str::from_utf8(&line.text).expect("a message is text");
    let members = super::oracle::members(text).expect("a message is an object");
    let parts: Vec<(Part, String)> = members
        .iter()
        .filter_map(|(name, value)| {
            let part = match name.as_str() {
                "params" => Part::Params,
                "result" => Part::Result,
                "error" => Part::Error,
                _ => return None,
            };
            Some((part, (*value).to_owned()))
        })
        .collect();
    let came: Vec<(Part, String)> = stream
        .bodies
        .iter()
        .map(|(part, bytes)| {
            (
                *part,
                String::from_utf8(bytes.clone()).expect("bodies are text"),
            )
        })
        .collect();
    assert_eq!(parts, came, "bodies, {context}");
    assert_eq!(parts.len(), stream.heads, "a head for each body, {context}");
}
