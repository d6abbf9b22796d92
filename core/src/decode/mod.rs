//! Messages out of bytes: framing, ceilings, and getting back in step.
//!
//! Byte 0x0A is the only thing that ends a line, and no fault reaches past it. A line too
//! long to store is still scanned to its end, so that the request in it can be answered.

mod counters;
mod line;
mod storage;
mod stream;

pub use counters::Counters;
pub use line::{Item, LineDecoder, Pending};
pub use storage::Storage;
pub use stream::{BufferTooSmall, Head, Part, StreamDecoder, StreamEvent};

use crate::envelope::{Ending, Envelope, Mark, Store, Verdict};
use crate::fault::{EXCERPT, FaultKind, Rejected};
use crate::limits::{LONGEST, Limits};
use crate::message::{BatchPlace, Message};
use crate::text::Text;

/// The byte order mark, which a stream may begin with and no line should.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// A line without the CR that belongs to its end.
// A pattern, since `strip_suffix` calls `memcmp` on a chip.
fn without_cr(line: &[u8]) -> &[u8] {
    match line {
        [line @ .., b'\r'] => line,
        _ => line,
    }
}

/// What comes after the byte order mark, if there is one.
fn without_bom(line: &[u8]) -> Option<&[u8]> {
    match line {
        [0xef, 0xbb, 0xbf, rest @ ..] => Some(rest),
        _ => None,
    }
}

/// Where the first line feed is, or else the end of the bytes.
fn line_end(bytes: &[u8]) -> usize {
    // On a host long pieces are searched with wide instructions; a chip does without the
    // code for it.
    #[cfg(any(feature = "std", feature = "wide"))]
    let found = memchr::memchr(b'\n', bytes);
    #[cfg(not(any(feature = "std", feature = "wide")))]
    let found = bytes.iter().position(|byte| *byte == b'\n');
    found.unwrap_or(bytes.len())
}

/// What a line came to, without the line itself and without what its reader knows of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) length: usize,
    /// How much of the line's beginning the text it is read from still holds.
    pub(crate) kept: u8,
    #[cfg(feature = "batch")]
    pub(crate) batch: Option<BatchPlace>,
}

impl Outcome {
    /// Joins the outcome to the reader that it is of, and to the text that its offsets
    /// count in. `None` for a blank line and for a batch, which come to no single item.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    pub(crate) fn on<'a>(
        &self,
        envelope: &Envelope,
        text: &'a [u8],
    ) -> Option<Result<Message<'a>, Rejected<'a>>> {
        match self.verdict {
            Verdict::Blank | Verdict::Elements => None,
            Verdict::Message(kind) => Some(Ok(Message {
                line: Text::found(text).unwrap_or(Text::new("")),
                captured: envelope.captured.parts(),
                kind,
                batch: self.batch(),
            })),
            Verdict::Rejected => {
                let (kind, offset) = envelope.fault().unwrap_or((FaultKind::Cut, 0));
                Some(Err(Rejected {
                    base: text,
                    captured: envelope.captured.parts(),
                    kind,
                    offset,
                    length: self.length,
                    limits: envelope.limits,
                    kept: self.kept,
                    // Text that is not whole and valid is not answered.
                    answerable: !envelope.is_dead(),
                    batch: self.batch(),
                }))
            }
        }
    }

    #[cfg(feature = "batch")]
    fn batch(&self) -> Option<BatchPlace> {
        self.batch
    }

    #[cfg(not(feature = "batch"))]
    fn batch(&self) -> Option<BatchPlace> {
        None
    }
}

/// Reads one message that something else framed: an HTTP body, the data of an event.
///
/// Line feeds count as white space here, since nothing depends on them.
///
/// # Errors
///
/// [`Rejected`] says what is wrong and where. A batch is one
/// [`Batch`](FaultKind::Batch) fault, and a text of nothing but white space is
/// [`Cut`](FaultKind::Cut). A text of 4 GiB or more, where places no longer fit into 32
/// bits, is not read and is [`TooLong`](FaultKind::TooLong) without an id.
///
/// ```
/// use wireline::{Kind, Limits, parse};
/// let body = b"{\n  \"jsonrpc\": \"2.0\",\n  \"method\": \"notifications/initialized\"\n}\n";
/// assert_eq!(parse(body, &Limits::HOST).unwrap().kind(), Kind::Notification);
/// ```
pub fn parse<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Message<'a>, Rejected<'a>> {
    let limits = single(limits.bounded());
    if !is_counted(bytes.len()) {
        return Err(uncounted(bytes, limits));
    }
    #[cfg(feature = "wide")]
    if let Some(message) = crate::envelope::whole::parse(bytes, &limits) {
        return Ok(message);
    }
    let mut envelope = Envelope::new(limits, true);
    let outcome = read(&mut envelope, bytes, Ending::LineFeed);
    let item = outcome.on(&envelope, bytes);
    item.unwrap_or(Err(Rejected {
        base: bytes,
        captured: envelope.captured,
        kind: FaultKind::Cut,
        offset: bytes.len(),
        length: bytes.len(),
        limits,
        kept: EXCERPT as u8,
        answerable: false,
        batch: None,
    }))
}

/// Whether every place in a text of so many bytes can be noted.
#[inline]
const fn is_counted(length: usize) -> bool {
    length <= LONGEST
}

/// A text that is too long for anything in it to be found again, its id included.
#[cold]
fn uncounted(bytes: &[u8], mut limits: Limits) -> Rejected<'_> {
    limits.message = limits.message.min(LONGEST as u32);
    Rejected {
        base: bytes,
        captured: Envelope::new(limits, true).captured,
        kind: FaultKind::TooLong,
        offset: limits.message as usize,
        length: bytes.len(),
        limits,
        kept: EXCERPT as u8,
        answerable: false,
        batch: None,
    }
}

/// The same limits, batches not taken apart.
#[allow(unused_mut, reason = "the feature `batch` decides")]
pub(crate) fn single(mut limits: Limits) -> Limits {
    #[cfg(feature = "batch")]
    {
        limits.batches = false;
    }
    limits
}

/// Reads a whole text with a fresh reader.
pub(crate) fn read(envelope: &mut Envelope, text: &[u8], ending: Ending) -> Outcome {
    feed_all(envelope, text, &mut Store::Line(text));
    judge(envelope, ending)
}

/// Feeds bytes to a reader, which tells nothing before the end.
#[cfg_attr(not(feature = "wide"), inline(never))]
pub(crate) fn feed_all(envelope: &mut Envelope, bytes: &[u8], store: &mut Store<'_>) {
    let mut rest = bytes;
    while envelope.feed(&mut rest, store) != Mark::Need {}
}

/// Ends a line that a reader has taken.
pub(crate) fn judge(envelope: &mut Envelope, ending: Ending) -> Outcome {
    let length = envelope.at();
    let most = envelope.limits.message;
    if length > most as usize && most != u32::MAX {
        envelope.note(FaultKind::TooLong, most as usize);
    }
    Outcome {
        verdict: envelope.finish(ending),
        length,
        kept: EXCERPT as u8,
        #[cfg(feature = "batch")]
        batch: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn what_32_bits_cannot_count_is_refused() {
        let most = u32::MAX as usize - 1;
        assert!(is_counted(0) && is_counted(most));
        for length in [most + 1, most + 2, most + 42, usize::MAX] {
            assert!(!is_counted(length), "{length}");
        }
        // The longest that is taken has no place that stands for "not kept".
        let text = br#"{"jsonrpc":"2.0","id":1,"method":"m"}"#;
        for (message, ceiling) in [(u32::MAX, u32::MAX - 1), (100, 100)] {
            let refused = uncounted(text, Limits::EMBEDDED.with_message(message));
            assert_eq!(refused.kind(), FaultKind::TooLong);
            assert_eq!(refused.limit(), Some(u64::from(ceiling)));
            assert_eq!(refused.offset(), u64::from(ceiling));
            assert_eq!(refused.length(), text.len() as u64);
            assert!(refused.id().is_none() && refused.id_hint().is_none());
            assert!(refused.method().is_none());
            assert_eq!(refused.excerpt(), text);
        }
    }
}
