//! The optimistic reading says what the resumable one says, or nothing.

use std::vec::Vec;

use super::open;
use super::seen::Seen;
use crate::decode::{parse, read};
use crate::envelope::{Ending, Envelope, Verdict, whole};
use crate::limits::Limits;
use crate::message::Message;

/// Readers that go on from text to text, so that whatever one leaves behind meets the next.
struct Readers {
    lines: Envelope,
    framed: Envelope,
}

/// Reads every line of a stream in both ways.
pub fn wide_vs_scan(data: &[u8]) {
    let (setup, stream) = open(data);
    let limits = setup.limits.bounded();
    let mut readers = Readers {
        lines: Envelope::new(limits, false),
        framed: Envelope::new(limits, true),
    };
    let mut rest = stream.as_slice();
    // What stands behind a line must not matter.
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n');
        compare(rest, &limits, &mut readers);
        rest = end.map_or(&[], |end| &rest[end + 1..]);
    }
    for line in stream.split(|byte| *byte == b'\n') {
        let mut alone = Vec::from(line);
        compare(&alone, &limits, &mut readers);
        alone.push(b'\n');
        compare(&alone, &limits, &mut readers);
        alone.insert(line.len(), b'\r');
        compare(&alone, &limits, &mut readers);
        compare_framed(line, &limits, &mut readers);
        // Lines that only the resumable reader takes leave their traces, too.
        readers.lines.reset();
        read(&mut readers.lines, line, Ending::LineFeed);
    }
    compare_framed(&stream, &limits, &mut readers);
}

fn compare(text: &[u8], limits: &Limits, readers: &mut Readers) {
    let Some((message, used)) = whole::read(text, limits) else {
        return;
    };
    assert_eq!(text.get(used - 1), Some(&b'\n'), "it ends at a line's end");
    let line = &text[..used - 1];
    assert!(!line.contains(&b'\n'), "it is one line");
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    assert_eq!(message.as_bytes(), line, "it is all of the line");
    agree(&message, line, &mut readers.lines, limits);
}

/// The same for a text that something else framed.
fn compare_framed(text: &[u8], limits: &Limits, readers: &mut Readers) {
    if let Some(message) = whole::parse(text, limits) {
        assert_eq!(message.as_bytes(), text, "it is all of the text");
        agree(&message, text, &mut readers.framed, limits);
    }
}

fn agree(message: &Message<'_>, text: &[u8], envelope: &mut Envelope, limits: &Limits) {
    envelope.reset();
    let outcome = read(envelope, text, Ending::LineFeed);
    assert_eq!(
        outcome.verdict,
        Verdict::Message(message.kind),
        "the verdict on {:?}",
        message.as_str()
    );
    assert_eq!(outcome.length, text.len());
    let resumed = outcome.on(envelope, text).expect("an item");
    let parsed = parse(text, limits).expect("a message");
    for other in [&resumed.expect("a message"), &parsed] {
        assert_eq!(other, message, "what was read of {:?}", message.as_str());
        assert_eq!(Seen::message(other), Seen::message(message));
    }
    let mut fresh = Envelope::new(*limits, text.contains(&b'\n'));
    read(&mut fresh, text, Ending::LineFeed);
    assert_eq!(
        fresh.captured,
        message.captured,
        "what was captured of {:?}",
        message.as_str()
    );
}
