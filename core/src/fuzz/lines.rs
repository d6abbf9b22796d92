//! The decoder that keeps lines and the one that does not come to the same.

use std::borrow::ToOwned;
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::drive::whole;
use super::seen::{Seen, tokens};
use super::{Random, open, piece};
use crate::decode::{Head, Part, StreamDecoder, StreamEvent};
use crate::encode::{OutId, StreamRenumber};
use crate::fault::{FaultClass, FaultKind};
use crate::limits::Limits;
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
    used_before(&stream, limits, &expected, &mut random);
    without_ceiling(&stream, limits, &mut random);
    forwarded(&stream, limits, &mut random);
}

/// A decoder that has read something before is as a new one.
fn used_before(stream: &[u8], limits: Limits, expected: &[Seen], random: &mut Random) {
    let mut memory = vec![0xa5; StreamDecoder::needed(&limits.bounded()) + 8 * 1024];
    let mut decoder = StreamDecoder::new(&mut memory, limits).expect("room");
    let mut before = stream.get(..random.below(stream.len() + 1)).unwrap_or(&[]);
    while !before.is_empty() {
        let mut bytes = piece(&mut before, random);
        loop {
            let (used, event) = decoder.step(bytes);
            bytes = bytes.get(used..).unwrap_or(&[]);
            if matches!(event, StreamEvent::NeedInput) || random.below(64) == 0 {
                break;
            }
        }
    }
    if random.below(2) == 0 {
        decoder.reset();
    } else {
        decoder.finish();
        if decoder.is_closed() {
            decoder.reset();
        }
    }
    compare(
        expected,
        &collect_by(&mut decoder, stream, Some(random)),
        true,
    );
}

/// Without a message ceiling a line is as long as it likes, and endless only where its text
/// broke long ago, however it is cut.
fn without_ceiling(stream: &[u8], limits: Limits, random: &mut Random) {
    let most = u64::from(limits.max_discard);
    let plain = limits
        .with_message(Limits::HOST.message)
        .with_max_discard(0);
    let lines = whole(stream, plain);
    let limits = limits.with_message(u32::MAX);
    let roomy = StreamDecoder::needed(&limits.bounded()) + 8 * 1024;
    compare(
        &lines,
        &collect(stream, limits.with_max_discard(0), roomy, Some(random)),
        true,
    );
    let at_once = collect(stream, limits, roomy, None);
    let in_pieces = collect(stream, limits, roomy, Some(random));
    assert_eq!(
        std::format!("{at_once:?}"),
        std::format!("{in_pieces:?}"),
        "left: the whole stream at once"
    );
    for (index, line) in lines.iter().enumerate() {
        let told = &at_once.get(index).expect("an item for the line").seen;
        let from = match line.what {
            Err(_) => line.offset + most,
            Ok(_) => u64::MAX,
        };
        let breaks = matches!(line.what, Err(kind) if kind.class() == FaultClass::Text || kind == FaultKind::NotJson);
        if told.what == Err(FaultKind::Runaway) {
            assert!(most > 0 && line.length > from, "{line:?} {told:?}");
            assert!(!breaks || told.length == from, "{line:?} {told:?}");
            assert_eq!(at_once.len(), index + 1, "it takes no more");
            return;
        }
        let cut = matches!(line.what, Err(FaultKind::Cut));
        assert!(
            !breaks || cut || most == 0 || line.length <= from,
            "{line:?} {told:?}"
        );
        assert_eq!(line.what, told.what);
    }
}

/// What a proxy passes on of each line is the message, or a line that is none.
fn forwarded(stream: &[u8], limits: Limits, random: &mut Random) {
    let limits = limits.with_max_discard(0);
    let mut memory = vec![0; StreamDecoder::needed(&limits.bounded())];
    let mut decoder = StreamDecoder::new(&mut memory, limits).expect("room");
    let mut window = vec![0; 1 + random.below(24)];
    let early = (random.below(2) == 0).then_some(OutId::Int(7));
    let with_token = random.below(2) == 0;
    let fresh = || match with_token {
        true => StreamRenumber::new().progress_token("tok").expect("an id"),
        false => StreamRenumber::new(),
    };
    let mut forward = fresh();
    let mut out: Vec<u8> = Vec::new();
    let mut rest = stream;
    while !rest.is_empty() {
        let mut bytes = piece(&mut rest, random);
        loop {
            let (used, event) = decoder.step(bytes);
            bytes = bytes.get(used..).unwrap_or(&[]);
            let whole = match event {
                StreamEvent::NeedInput => break,
                StreamEvent::Head(head) => {
                    while let n @ 1.. = forward.head(&head, early, &mut window) {
                        out.extend_from_slice(&window[..n]);
                    }
                    continue;
                }
                StreamEvent::Body { part, mut bytes } => {
                    while !bytes.is_empty() {
                        let (used, n) = forward.body(part, bytes, &mut window);
                        assert!(used + n > 0, "it goes round in circles");
                        out.extend_from_slice(&window[..n]);
                        bytes = &bytes[used..];
                    }
                    continue;
                }
                StreamEvent::End(head) => {
                    let id = Some(OutId::Int(7));
                    while let n @ 1.. = forward.end(&head, id, &mut window).expect("an id") {
                        out.extend_from_slice(&window[..n]);
                    }
                    Some((head.kind(), head.id().is_some()))
                }
                StreamEvent::Fault(_) => {
                    while let n @ 1.. = forward.give_up(&mut window) {
                        out.extend_from_slice(&window[..n]);
                    }
                    None
                }
            };
            let text = std::string::String::from_utf8_lossy(&out).into_owned();
            let ends = out
                .iter()
                .filter(|byte| matches!(byte, b'\n' | b'\r'))
                .count();
            // A receiver that has no ceilings of its own.
            let taken = crate::decode::parse(&out, &Limits::HOST.with_profile(limits.profile));
            match whole {
                Some((kind, has_id)) => {
                    assert!(ends == 1 && out.ends_with(b"\n"), "{text}");
                    let message = taken.unwrap_or_else(|fault| panic!("{fault}: {text}"));
                    assert_eq!(Some(message.kind()), kind, "{text}");
                    let id = message.id().and_then(|id| id.as_i64());
                    assert_eq!(id, has_id.then_some(7), "{text}");
                }
                None => {
                    let one = ends == 1 && out.ends_with(b"\n");
                    assert!(out.is_empty() || one && taken.is_err(), "{text}");
                }
            }
            out.clear();
            forward = fresh();
        }
    }
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
    limits: Limits,
    memory: usize,
    mut random: Option<&mut Random>,
) -> Vec<Told> {
    let mut memory = vec![0xa5; memory];
    let mut decoder = StreamDecoder::new(&mut memory, limits).expect("room");
    collect_by(&mut decoder, stream, random.take())
}

fn collect_by(
    decoder: &mut StreamDecoder<'_>,
    stream: &[u8],
    mut random: Option<&mut Random>,
) -> Vec<Told> {
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
