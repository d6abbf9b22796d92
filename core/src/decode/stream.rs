//! Messages in pieces, for bodies larger than any buffer.

use super::{BOM, Outcome, judge, line_end, single, without_cr};
use crate::envelope::{Captured, Ending, Envelope, Field, Mark, Store, Verdict, reserve};
use crate::fault::{FaultKind, Rejected};
use crate::id::Id;
use crate::json::JsonStr;
use crate::limits::Limits;
use crate::message::{Flags, Kind, Meta};

/// A decoder that hands out bodies as they pass, and keeps only a message's head.
///
/// It is the same scanner as [`LineDecoder`](crate::LineDecoder)'s, without a line buffer.
/// A body is provisional until [`End`](StreamEvent::End): the text may still turn out to
/// be broken, in which case [`Fault`](StreamEvent::Fault) comes instead.
///
/// ```
/// use wireline::{Limits, StreamDecoder, StreamEvent};
/// let mut memory = [0u8; 192];
/// let mut decoder = StreamDecoder::new(&mut memory, Limits::EMBEDDED).unwrap();
/// let mut input: &[u8] = b"{\"result\":{\"n\":[1,2,3]},\"jsonrpc\":\"2.0\",\"id\":7}\n";
/// let mut body = Vec::new();
/// loop {
///     let (used, event) = decoder.step(input);
///     input = &input[used..];
///     match event {
///         StreamEvent::NeedInput => break,
///         StreamEvent::Head(head) => assert!(head.id().is_none()), // it comes last here
///         StreamEvent::Body { bytes, .. } => body.extend_from_slice(bytes),
///         StreamEvent::End(head) => assert_eq!(head.id().unwrap().as_i64(), Some(7)),
///         StreamEvent::Fault(fault) => panic!("{fault}"),
///     }
/// }
/// assert_eq!(body, b"{\"n\":[1,2,3]}");
/// ```
#[derive(Debug)]
pub struct StreamDecoder<'b> {
    copies: &'b mut [u8],
    envelope: Envelope,
    /// Bytes to come that are known to hold no line end, and whether one follows them.
    known: usize,
    line_feed: bool,
    body: Option<Part>,
    /// The first byte of a body, and whether it is still to be handed out.
    first: u8,
    first_due: bool,
    carriage_return: bool,
    /// Bytes of a byte order mark that the stream has begun with; 3 or more once that is
    /// decided.
    bom: u8,
    /// The line is over, and the next one begins afresh.
    over: bool,
    closed: bool,
}

/// The memory lent to a [`StreamDecoder`] is too small for its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferTooSmall {
    /// The bytes that are needed.
    pub needed: usize,
}

impl core::fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the decoder needs {} bytes of memory", self.needed)
    }
}

impl core::error::Error for BufferTooSmall {}

/// Which member a body is the value of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// `params`
    Params,
    /// `result`
    Result,
    /// `error`
    Error,
}

/// What a step came to.
#[derive(Clone, Copy, Debug)]
pub enum StreamEvent<'x> {
    /// All input is used.
    NeedInput,
    /// A body begins; what is known of the message so far. Members may still come, so
    /// this is not final.
    Head(Head<'x>),
    /// A piece of a body, in its order. Pieces join to exactly the value's text, if the message
    /// is valid, which only its end tells. There is no ceiling on them: whoever keeps them
    /// counts them.
    Body {
        /// The member whose value it is a piece of.
        part: Part,
        /// The piece.
        bytes: &'x [u8],
    },
    /// The message is complete and valid.
    End(Head<'x>),
    /// The line is no message; what was handed out of it is void.
    Fault(Rejected<'x>),
}

/// What is known of a message whose text is not kept.
#[derive(Clone, Copy)]
pub struct Head<'x> {
    copies: &'x [u8],
    captured: Captured,
    kind: Option<Kind>,
    length: usize,
}

impl<'x> Head<'x> {
    /// The kind; `None` while the message is not complete.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// Whether the message is complete.
    #[must_use]
    pub fn is_final(&self) -> bool {
        self.kind.is_some()
    }

    /// The id, if it has come. See
    /// [`Message::id`](crate::Message::id).
    #[must_use]
    pub fn id(&self) -> Option<Id<'x>> {
        if !self.captured.id_usable() {
            return None;
        }
        Id::from_token(self.captured.main_token(Field::ID, self.copies)?)
    }

    /// Whether the id has come and is `null`.
    pub(crate) fn id_is_null(&self) -> bool {
        self.captured.flag(Captured::ID_NULL)
    }

    /// The method, if it has come.
    #[must_use]
    pub fn method(&self) -> Option<JsonStr<'x>> {
        JsonStr::from_token(self.captured.main_token(Field::METHOD, self.copies)?)
    }

    /// What else a protocol's state depends on, as far as it has come and is a plain
    /// token that the memory had room for; objects and arrays are not kept.
    #[must_use]
    pub fn meta(&self) -> Meta<'x> {
        Meta {
            base: self.copies,
            captured: self.captured,
            notification: self.kind == Some(Kind::Notification),
        }
    }

    /// What was tolerated so far.
    #[must_use]
    pub fn flags(&self) -> Flags {
        self.captured.tolerated()
    }

    /// Bytes of the message so far.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length as u64
    }
}

impl core::fmt::Debug for Head<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Head")
            .field("kind", &self.kind)
            .field("id", &self.id())
            .field("method", &self.method())
            .field("length", &self.length)
            .finish()
    }
}

/// What one piece of a line came to, lifetimes aside.
enum Came {
    Nothing,
    Head,
    Body(Part),
    Runaway,
}

impl<'b> StreamDecoder<'b> {
    /// Bytes of memory that [`Limits::EMBEDDED`] asks for.
    pub const LEAST: usize = StreamDecoder::needed(&Limits::EMBEDDED);

    /// Bytes of memory that these limits ask for: the id, the method, and 88 for the
    /// other tokens of a head.
    #[must_use]
    pub const fn needed(limits: &Limits) -> usize {
        (limits.id as usize)
            .saturating_add(limits.method as usize)
            .saturating_add(88)
    }

    /// A decoder at the start of a stream.
    ///
    /// # Errors
    ///
    /// [`BufferTooSmall`] if `memory` is shorter than [`needed`](Self::needed).
    pub fn new(memory: &'b mut [u8], limits: Limits) -> Result<Self, BufferTooSmall> {
        let needed = StreamDecoder::needed(&limits.bounded());
        if memory.len() < needed {
            return Err(BufferTooSmall { needed });
        }
        let max_discard = limits.max_discard;
        let mut limits = single(limits.bounded());
        if limits.message == u32::MAX {
            // No message ceiling, so it need not be above one.
            limits.max_discard = max_discard;
        }
        // What is captured is counted with 16 bits.
        let length = memory.len().min(usize::from(u16::MAX));
        let memory = memory.get_mut(..length).unwrap_or_default();
        Ok(StreamDecoder {
            copies: memory,
            envelope: Envelope::new(limits, false),
            known: 0,
            line_feed: false,
            body: None,
            first: 0,
            first_due: false,
            carriage_return: false,
            bom: 0,
            over: false,
            closed: false,
        })
    }

    /// Takes some of `input` and tells how much, and what it came to. The rest is to be
    /// given again, with more behind it if there is.
    pub fn step<'x>(&'x mut self, input: &'x [u8]) -> (usize, StreamEvent<'x>) {
        let mut used = 0usize;
        loop {
            if let (true, Some(part)) = (self.first_due, self.body) {
                self.first_due = false;
                let bytes = core::slice::from_ref(&self.first);
                return (used, StreamEvent::Body { part, bytes });
            }
            if self.over {
                self.next_line();
            }
            let rest = input.get(used..).unwrap_or(&[]);
            if self.closed {
                return (input.len(), StreamEvent::NeedInput);
            }
            if rest.is_empty() {
                return (used, StreamEvent::NeedInput);
            }
            if self.bom < 3 && self.mark(rest) {
                used = used.saturating_add(1);
                continue;
            }
            if self.known == 0 && !self.line_feed {
                self.known = line_end(rest);
                self.line_feed = self.known < rest.len();
            }
            if self.known == 0 {
                // The line end itself.
                used = used.saturating_add(1);
                self.line_feed = false;
                self.carriage_return = false;
                match self.end(Ending::LineFeed) {
                    Some(outcome) => return (used, self.ended(outcome)),
                    None => continue,
                }
            }
            if self.carriage_return {
                // It was no part of a line end after all.
                let (step, came) = self.feed(b"\r");
                self.carriage_return = step == 0;
                match came {
                    Came::Nothing => continue,
                    Came::Body(part) => {
                        let bytes = b"\r".get(..step).unwrap_or(&[]);
                        return (used, StreamEvent::Body { part, bytes });
                    }
                    Came::Head => return (used, self.head()),
                    Came::Runaway => return (used, self.runaway()),
                }
            }
            let line = rest.get(..self.known).unwrap_or(rest);
            if line == b"\r" {
                self.carriage_return = true;
                self.known = self.known.saturating_sub(1);
                used = used.saturating_add(1);
                continue;
            }
            let line = without_cr(line);
            let (step, came) = self.feed(line);
            self.known = self.known.saturating_sub(step);
            used = used.saturating_add(step);
            match came {
                Came::Nothing => {}
                Came::Body(part) => {
                    let bytes = line.get(..step).unwrap_or(&[]);
                    return (used, StreamEvent::Body { part, bytes });
                }
                Came::Head => return (used, self.head()),
                Came::Runaway => return (used, self.runaway()),
            }
        }
    }

    /// The end of the input: what is left is a line that was cut off, or by
    /// [`Limits::eof_completes_line`] a whole one. `None` if nothing is left. Afterwards
    /// the decoder is as new, unless it is closed.
    pub fn finish(&mut self) -> Option<StreamEvent<'_>> {
        self.known = 0;
        self.line_feed = false;
        if self.over || self.closed {
            self.next_line();
            self.bom = 0;
            return None;
        }
        if self.bom < 3 {
            self.part_of_mark();
        }
        self.bom = 0;
        let outcome = self.end(Ending::EndOfInput)?;
        Some(self.ended(outcome))
    }

    /// Whether the decoder takes no more, after [`Runaway`](FaultKind::Runaway).
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The decoder as new, closed or not.
    pub fn reset(&mut self) {
        self.next_line();
        self.known = 0;
        self.line_feed = false;
        self.bom = 0;
        self.closed = false;
    }

    fn next_line(&mut self) {
        self.envelope.reset();
        self.over = false;
        self.body = None;
        self.first_due = false;
        self.carriage_return = false;
    }

    /// Takes a byte of a byte order mark at the start of the stream, if it is one.
    fn mark(&mut self, rest: &[u8]) -> bool {
        if rest.first() == BOM.get(usize::from(self.bom)) {
            self.bom = self.bom.saturating_add(1);
            if self.bom == 3 {
                self.envelope.captured.set(Captured::BOM);
            }
            return true;
        }
        self.part_of_mark();
        false
    }

    /// What looked like a byte order mark is none, so its bytes are the line's.
    fn part_of_mark(&mut self) {
        let part = BOM.get(..usize::from(self.bom)).unwrap_or(&[]);
        self.bom = u8::MAX;
        self.feed(part);
    }

    /// The length from which on the line counts as endless. Without a message ceiling, a line
    /// whose text is not broken has none: it is read on for its end, and its id.
    fn endless(&self) -> Option<usize> {
        let most = self.envelope.limits.max_discard as usize;
        let from = if self.envelope.limits.message == u32::MAX {
            self.envelope.broken_at()?
        } else {
            0
        };
        (most != 0).then(|| from.saturating_add(most))
    }

    /// How many bytes of the line may still come.
    fn left(&self) -> Option<usize> {
        let endless = self.endless()?;
        Some(endless.saturating_sub(self.envelope.at()))
    }

    /// How many bytes too many have been passed over, where that shows only afterwards.
    fn too_many(&self) -> usize {
        let endless = self.endless().unwrap_or(usize::MAX);
        self.envelope.at().saturating_sub(endless)
    }

    /// Reads a piece of the line up to the next thing to tell.
    fn feed(&mut self, piece: &[u8]) -> (usize, Came) {
        let piece = match self.left() {
            Some(0) if !piece.is_empty() => return (0, Came::Runaway),
            Some(left) => piece.get(..left).unwrap_or(piece),
            None => piece,
        };
        let mut store = Store::Copies(self.copies, Some(reserve));
        let mut rest = piece;
        loop {
            let body = self.body;
            let mark = self.envelope.feed(&mut rest, &mut store);
            let used = piece.len().saturating_sub(rest.len());
            match (mark, body) {
                (Mark::Body(field), _) => {
                    self.body = Some(part(field));
                    let first = piece.get(used.saturating_sub(1));
                    self.first = first.copied().unwrap_or_default();
                    self.first_due = true;
                    return (used, Came::Head);
                }
                (Mark::BodyEnd, Some(part)) => {
                    self.body = None;
                    if used > 0 {
                        return (used, Came::Body(part));
                    }
                }
                (Mark::Need, Some(part)) if !self.envelope.is_dead() => {
                    return (used, Came::Body(part));
                }
                (Mark::Need, _) => {
                    let over = self.too_many();
                    if over == 0 {
                        return (used, Came::Nothing);
                    }
                    self.envelope.take_back(over);
                    return (used, Came::Runaway);
                }
                _ => {}
            }
        }
    }

    /// Ends the line. `None` if it is blank.
    fn end(&mut self, ending: Ending) -> Option<Outcome> {
        let outcome = judge(&mut self.envelope, ending);
        self.over = true;
        // A body that was begun ends with its line, handed out or not.
        self.first_due = false;
        (outcome.verdict != Verdict::Blank).then_some(outcome)
    }

    fn ended(&self, mut outcome: Outcome) -> StreamEvent<'_> {
        outcome.kept = 0;
        match outcome.verdict {
            Verdict::Message(kind) => StreamEvent::End(self.head_of(Some(kind))),
            _ => match outcome.on(&self.envelope, self.kept()) {
                Some(Err(rejected)) => StreamEvent::Fault(rejected),
                _ => StreamEvent::NeedInput,
            },
        }
    }

    fn runaway(&mut self) -> StreamEvent<'_> {
        self.envelope
            .replace(FaultKind::Runaway, self.envelope.at());
        self.closed = true;
        let outcome = judge(&mut self.envelope, Ending::LineFeed);
        self.ended(outcome)
    }

    fn kept(&self) -> &[u8] {
        self.copies.get(..self.envelope.copied()).unwrap_or(&[])
    }

    fn head(&self) -> StreamEvent<'_> {
        StreamEvent::Head(self.head_of(None))
    }

    fn head_of(&self, kind: Option<Kind>) -> Head<'_> {
        let mut captured = self.envelope.captured;
        captured.tokens_only();
        Head {
            copies: self.kept(),
            captured,
            kind,
            length: self.envelope.at(),
        }
    }
}

fn part(field: Field) -> Part {
    match field {
        Field::RESULT => Part::Result,
        Field::ERROR => Part::Error,
        _ => Part::Params,
    }
}
