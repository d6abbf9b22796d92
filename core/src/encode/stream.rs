//! A message whose payload comes in pieces.

use super::{Outgoing, Payload};
use crate::fault::FaultKind;
use crate::json::scan::{Event, Finish, Scanner};
use crate::json::{
    Invalid, Place, Sink, ToJson, WriteError, Writer, base64_group, escaped, line_break, plain_text,
};
use crate::message::Kind;

/// Containers that a streamed payload may have open at once, so that the whole message
/// stays within the 127 that a host takes by default.
const MAX_DEPTH: u8 = 125;

/// Writes a message whose payload is longer than any buffer, or is not there yet.
///
/// The payload is given in pieces of any size and leaves in pieces of any size: as JSON
/// text ([`body`](Self::body)), or, for the inside of one of its strings, as plain text
/// that is escaped on the way ([`text`](Self::text)) or as bytes that leave as base64
/// ([`base64`](Self::base64)). It is checked as it goes: what would not be valid JSON, or
/// not of the type that the message needs, is refused before it is written. Raw CR and LF
/// between tokens are left out.
///
/// Every call says how much of its input it used and how many bytes it put into `out`;
/// send those, then go on with the rest of the input. A line that cannot be ended must be
/// given up with [`abort`](Self::abort), or whatever is written next continues it.
///
/// ```
/// use wireline::encode::{MessageWriter, Outgoing, Payload, WriteError};
///
/// /// Calls `step` until its input is used up; what it writes goes to `line`.
/// fn feed(
///     line: &mut Vec<u8>,
///     mut input: &[u8],
///     mut step: impl FnMut(&[u8], &mut [u8]) -> Result<(usize, usize), WriteError>,
/// ) -> Result<(), WriteError> {
///     let mut out = [0; 7];
///     while !input.is_empty() {
///         let (used, written) = step(input, &mut out)?;
///         line.extend_from_slice(&out[..written]);
///         input = &input[used..];
///     }
///     Ok(())
/// }
///
/// let mut line = Vec::new();
/// let mut message = MessageWriter::new(Outgoing::result(5, Payload::None))?;
/// feed(&mut line, b"{\"contents\":[{\"blob\":", |i, o| message.body(i, o))?;
/// message.begin_base64()?;
/// feed(&mut line, b"\x00\x01", |i, o| message.base64(i, o))?; // cut anywhere
/// feed(&mut line, b"\x02\x03", |i, o| message.base64(i, o))?;
/// message.end_string()?;
/// feed(&mut line, b"}]}", |i, o| message.body(i, o))?;
/// let mut out = [0; 7];
/// loop {
///     let written = message.finish(&mut out)?;
///     if written == 0 {
///         break;
///     }
///     line.extend_from_slice(&out[..written]);
/// }
/// assert_eq!(
///     line,
///     b"{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"contents\":[{\"blob\":\"AAECAw==\"}]}}\n",
/// );
/// # Ok::<(), WriteError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "a line that is begun must be finished or aborted"]
pub struct MessageWriter<'a> {
    head: Head<'a>,
    place: Place,
    scan: Scanner,
    /// The types that the payload may have, a bit each.
    kinds: u8,
    stage: Stage,
    open: Open,
    /// Bytes have left.
    begun: bool,
    /// Bytes of an unfinished base64 group, the first highest.
    group: [u8; 3],
    grouped: u8,
    /// Bytes that had no room yet, the next one lowest.
    waiting: u64,
    waiting_len: u8,
    error: Option<WriteError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Head,
    Body,
    /// The line is complete, or given up; only bytes that wait are left.
    End,
}

/// The string that the caller has open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    None,
    Text,
    Base64,
}

/// A message up to its payload.
#[derive(Clone, Copy, Debug)]
struct Head<'a>(Outgoing<'a>);

impl ToJson for Head<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        self.0.head(w, true);
    }
}

impl<'a> MessageWriter<'a> {
    /// Begins a message. It must have no payload of its own: a result is made with
    /// [`Payload::None`]. Nothing is written yet.
    ///
    /// # Errors
    ///
    /// [`WriteError::BadId`], or [`WriteError::Misplaced`] if there is a payload already.
    pub fn new(message: Outgoing<'a>) -> Result<Self, WriteError> {
        if !matches!(message.payload, Payload::None) {
            return Err(WriteError::Misplaced);
        }
        let mut count = Writer::new(&mut []);
        let kinds = message.head(&mut count, true);
        match count.check() {
            // Its containers are open, as they should be.
            Ok(()) | Err(WriteError::Unfinished) => {}
            Err(error) => return Err(error),
        }
        Ok(MessageWriter {
            head: Head(message),
            place: Place::START,
            scan: Scanner::new(MAX_DEPTH, true),
            kinds,
            stage: Stage::Head,
            open: Open::None,
            begun: false,
            group: [0; 3],
            grouped: 0,
            waiting: 0,
            waiting_len: 0,
            error: None,
        })
    }

    /// Takes a piece of the payload's JSON text. Returns the bytes of `input` used and
    /// the bytes of `out` written.
    ///
    /// # Errors
    ///
    /// [`WriteError::Invalid`] with the offset, counted over all that was given so far;
    /// [`WriteError::BadPayload`], if the payload is not of the type that the message
    /// needs; [`WriteError::Misplaced`], while a string is open. The message can then
    /// only be [aborted](Self::abort); what this call put into `out` is not to be sent.
    pub fn body(&mut self, input: &[u8], out: &mut [u8]) -> Result<(usize, usize), WriteError> {
        self.piece(Open::None, input, out)
    }

    /// Opens a string whose text comes with [`text`](Self::text).
    ///
    /// # Errors
    ///
    /// [`WriteError::Invalid`], if no string may stand here, and as [`body`](Self::body).
    pub fn begin_text(&mut self) -> Result<(), WriteError> {
        self.begin(Open::Text)
    }

    /// Opens a string whose bytes come with [`base64`](Self::base64).
    ///
    /// # Errors
    ///
    /// As [`begin_text`](Self::begin_text).
    pub fn begin_base64(&mut self) -> Result<(), WriteError> {
        self.begin(Open::Base64)
    }

    /// Takes a piece of the open string's text, in UTF-8, which may be cut anywhere.
    ///
    /// # Errors
    ///
    /// [`WriteError::Invalid`], if the text is not UTF-8; [`WriteError::Misplaced`],
    /// unless such a string is open.
    pub fn text(&mut self, input: &[u8], out: &mut [u8]) -> Result<(usize, usize), WriteError> {
        self.piece(Open::Text, input, out)
    }

    /// Takes a piece of the open string's bytes, to leave as base64 with padding (RFC
    /// 4648, section 4).
    ///
    /// # Errors
    ///
    /// [`WriteError::Misplaced`], unless such a string is open.
    pub fn base64(&mut self, input: &[u8], out: &mut [u8]) -> Result<(usize, usize), WriteError> {
        self.piece(Open::Base64, input, out)
    }

    /// Closes the string that is open.
    ///
    /// # Errors
    ///
    /// [`WriteError::Invalid`], if its text ended inside a UTF-8 sequence;
    /// [`WriteError::Misplaced`], if none is open.
    pub fn end_string(&mut self) -> Result<(), WriteError> {
        if self.open == Open::None {
            return Err(self.fail(WriteError::Misplaced));
        }
        self.scan(b"\"")?;
        if self.grouped > 0 {
            self.push(&base64_group(self.group, usize::from(self.grouped)));
            self.group = [0; 3];
            self.grouped = 0;
        }
        self.open = Open::None;
        self.push(b"\"");
        Ok(())
    }

    /// Ends the line. Returns the bytes of `out` written; call it until it says 0.
    ///
    /// # Errors
    ///
    /// [`WriteError::Invalid`] with [`FaultKind::Cut`], if the payload is not complete.
    /// More of it may still be given.
    pub fn finish(&mut self, out: &mut [u8]) -> Result<usize, WriteError> {
        // Before anything is written: more of the payload may follow, behind what has left.
        let mut scan = self.scan;
        if self.error.is_none()
            && self.stage != Stage::End
            && !matches!(scan.finish(), Finish::Complete)
        {
            return Err(WriteError::Invalid(Invalid {
                kind: FaultKind::Cut,
                offset: self.scan.at(),
            }));
        }
        let mut sink = self.start(out)?;
        if self.drain(&mut sink) {
            if self.stage == Stage::Body {
                if self.head.0.kind() == Kind::Error {
                    self.push(b"}");
                }
                self.push(b"}\n");
                self.stage = Stage::End;
            }
            self.drain(&mut sink);
        }
        Ok(self.written(&sink))
    }

    /// Gives the message up. What has left of it is ended with LF, so that the receiver
    /// rejects it as cut and reads the next line as it should; if nothing has left,
    /// nothing is written. Returns the bytes of `out` written; call it until it says 0.
    ///
    /// Once [`finish`](Self::finish) has said `Ok`, it is too late: the line is complete
    /// and `abort` only lets go what is left of it.
    pub fn abort(&mut self, out: &mut [u8]) -> usize {
        if self.stage != Stage::End {
            self.stage = Stage::End;
            self.waiting = 0;
            self.waiting_len = 0;
            if self.begun {
                self.push(b"\n");
            }
        }
        let mut sink = Sink::new(out, None);
        self.drain(&mut sink);
        self.written(&sink)
    }

    fn fail(&mut self, error: WriteError) -> WriteError {
        *self.error.get_or_insert(error)
    }

    fn written(&mut self, sink: &Sink<'_>) -> usize {
        self.begun |= sink.at() > 0;
        sink.at()
    }

    /// Lets bytes wait for room. There are never more than eight: the rest of an escape
    /// or of a base64 group, a last group, a quote.
    fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let shift = u32::from(self.waiting_len).saturating_mul(8);
            self.waiting |= u64::from(*byte).wrapping_shl(shift);
            self.waiting_len = self.waiting_len.saturating_add(1);
        }
    }

    /// Writes what waits; `true`, if nothing waits any longer.
    fn drain(&mut self, sink: &mut Sink<'_>) -> bool {
        while self.waiting_len > 0 && sink.room() > 0 {
            sink.put(&[self.waiting as u8]);
            self.waiting >>= 8;
            self.waiting_len = self.waiting_len.saturating_sub(1);
        }
        self.waiting_len == 0
    }

    /// Writes what is left of the message's head; the sink is over the rest of `out`.
    fn start<'o>(&mut self, out: &'o mut [u8]) -> Result<Sink<'o>, WriteError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let mut written = 0;
        if self.stage == Stage::Head {
            let mut writer = Writer::over(Sink::new(out, Some(self.place)));
            self.head.write_json(&mut writer);
            let head = writer.into_sink();
            let next = head.next_place();
            if head.is_whole() {
                self.stage = Stage::Body;
            }
            written = next.at.saturating_sub(self.place.at);
            self.place = next;
        }
        let mut sink = Sink::new(out, None);
        sink.skip(written);
        Ok(sink)
    }

    fn begin(&mut self, open: Open) -> Result<(), WriteError> {
        if self.open != Open::None || self.stage == Stage::End {
            return Err(self.fail(WriteError::Misplaced));
        }
        self.scan(b"\"")?;
        self.open = open;
        self.push(b"\"");
        Ok(())
    }

    /// Has the scanner check text that is about to be written.
    fn scan(&mut self, mut text: &[u8]) -> Result<(), WriteError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        loop {
            let event = self.scan.step(&mut text, &[]);
            let kind = match event {
                Event::Need => return Ok(()),
                Event::Begin(kind) if self.kinds & super::bit(kind) == 0 => {
                    return Err(self.fail(WriteError::BadPayload));
                }
                Event::Begin(_) | Event::End | Event::Name => continue,
                Event::TooDeep => FaultKind::TooDeep,
                Event::LoneSurrogate => FaultKind::LoneSurrogate,
                Event::Fault(kind) => kind,
            };
            let offset = self.scan.event_at();
            return Err(self.fail(WriteError::Invalid(Invalid { kind, offset })));
        }
    }

    fn piece(
        &mut self,
        open: Open,
        input: &[u8],
        out: &mut [u8],
    ) -> Result<(usize, usize), WriteError> {
        if self.open != open || self.stage == Stage::End {
            return Err(self.fail(WriteError::Misplaced));
        }
        let mut sink = self.start(out)?;
        let mut rest = input;
        while self.drain(&mut sink) && sink.room() > 0 && !rest.is_empty() {
            let fits = rest.get(..sink.room()).unwrap_or(rest);
            let used = match open {
                Open::None => {
                    let run = line_break(fits);
                    let plain = fits.get(..run.unwrap_or(fits.len())).unwrap_or(fits);
                    let used = plain.len().saturating_add(usize::from(run.is_some()));
                    self.scan(fits.get(..used).unwrap_or(fits))?;
                    sink.put(plain);
                    used
                }
                Open::Text => {
                    let plain = plain_text(fits);
                    self.scan(plain)?;
                    sink.put(plain);
                    match fits.get(plain.len()) {
                        Some(byte) => {
                            // The scanner sees a plain character in the escape's place.
                            self.scan(b" ")?;
                            let (text, len) = escaped(*byte);
                            self.push(text.get(..len).unwrap_or(&text));
                            plain.len().saturating_add(1)
                        }
                        None => plain.len(),
                    }
                }
                Open::Base64 => {
                    let used = match (fits, self.grouped) {
                        ([a, b, c, _, ..], 0) => {
                            sink.put(&base64_group([*a, *b, *c], 3));
                            3
                        }
                        ([byte, ..], at) => {
                            if let Some(place) = self.group.get_mut(usize::from(at)) {
                                *place = *byte;
                            }
                            self.grouped = at.saturating_add(1);
                            if self.grouped == 3 {
                                self.push(&base64_group(self.group, 3));
                                self.group = [0; 3];
                                self.grouped = 0;
                            }
                            1
                        }
                        ([], _) => 0,
                    };
                    self.scan.pass(used);
                    used
                }
            };
            rest = rest.get(used..).unwrap_or(&[]);
        }
        Ok((input.len().saturating_sub(rest.len()), self.written(&sink)))
    }
}
