//! The optimistic reading says what the resumable one says, or nothing.

use std::vec::Vec;

use super::open;
use crate::decode::read;
use crate::envelope::{Ending, Envelope, Verdict, whole};
use crate::limits::Limits;
use crate::message::Message;

/// Reads every line of a stream in both ways.
pub fn wide_vs_scan(data: &[u8]) {
    let (setup, stream) = open(data);
    let limits = setup.limits.bounded();
    let mut rest = stream.as_slice();
    // What stands behind a line must not matter.
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n');
        compare(rest, &limits);
        rest = end.map_or(&[], |end| &rest[end + 1..]);
    }
    for line in stream.split(|byte| *byte == b'\n') {
        let mut alone = Vec::from(line);
        compare(&alone, &limits);
        alone.push(b'\n');
        compare(&alone, &limits);
        alone.insert(line.len(), b'\r');
        compare(&alone, &limits);
        compare_framed(line, &limits);
    }
    compare_framed(&stream, &limits);
}

fn compare(text: &[u8], limits: &Limits) {
    let Some((message, used)) = whole::read(text, limits) else {
        return;
    };
    assert_eq!(text.get(used - 1), Some(&b'\n'), "it ends at a line's end");
    let line = &text[..used - 1];
    assert!(!line.contains(&b'\n'), "it is one line");
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    assert_eq!(message.as_bytes(), line, "it is all of the line");
    agree(&message, line, false, limits);
}

/// The same for a text that something else framed.
fn compare_framed(text: &[u8], limits: &Limits) {
    if let Some(message) = whole::parse(text, limits) {
        assert_eq!(message.as_bytes(), text, "it is all of the text");
        agree(&message, text, true, limits);
    }
}

fn agree(message: &Message<'_>, text: &[u8], line_feed: bool, limits: &Limits) {
    let mut envelope = Envelope::new(*limits, line_feed);
    let outcome = read(&mut envelope, text, Ending::LineFeed);
    assert_eq!(
        outcome.verdict,
        Verdict::Message(message.kind),
        "the verdict on {:?}",
        message.as_str()
    );
    assert_eq!(
        envelope.captured,
        message.captured,
        "what was captured of {:?}",
        message.as_str()
    );
    assert_eq!(outcome.length, text.len());
}
