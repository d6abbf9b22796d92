//! A received message with other ids, while it passes.

use super::{OutId, WriteError};
use crate::decode::{Head, Part};
use crate::envelope::{Context, Field};
use crate::id::Id;
use crate::json::scan::{Event, Scanner};
use crate::json::{JsonKind, JsonStr, Place, Sink, line_break};
use crate::message::Kind;

/// Passes one message on from a [`StreamDecoder`](crate::StreamDecoder), with its id
/// replaced, as its pieces come: what [`Renumber`](super::Renumber) does for messages that
/// fit in no buffer.
///
/// The body passes as it came, raw CR between tokens left out. Around it stand
/// `jsonrpc`, the method and the id; what has not come when the body begins follows it.
/// Other members of the envelope are not handed out by the decoder and do not pass.
///
/// Make one for every message, and hand it what the decoder tells. Each call writes what
/// it can into `out` and says how much; call it again while there is more.
///
/// ```
/// use wireline::encode::{OutId, StreamRenumber};
/// use wireline::{Limits, StreamDecoder, StreamEvent};
///
/// let mut input: &[u8] = b"{\"result\":{\"_meta\":{},\"n\":[1,\r2]},\"jsonrpc\":\"2.0\",\"id\":70}\n";
/// let mut memory = [0; 192];
/// let mut decoder = StreamDecoder::new(&mut memory, Limits::EMBEDDED).unwrap();
/// let mut forward = StreamRenumber::new();
/// let (mut line, mut out) = (Vec::new(), [0; 5]);
/// loop {
///     let (used, event) = decoder.step(input);
///     input = &input[used..];
///     match event {
///         StreamEvent::NeedInput => break,
///         // The id has not come, so its replacement is not known.
///         StreamEvent::Head(head) => loop {
///             match forward.head(&head, None, &mut out) {
///                 0 => break,
///                 n => line.extend_from_slice(&out[..n]),
///             }
///         },
///         StreamEvent::Body { part, mut bytes } => {
///             while !bytes.is_empty() {
///                 let (used, n) = forward.body(part, bytes, &mut out);
///                 bytes = &bytes[used..];
///                 line.extend_from_slice(&out[..n]);
///             }
///         }
///         StreamEvent::End(head) => loop {
///             assert_eq!(head.id().unwrap().as_i64(), Some(70));
///             match forward.end(&head, Some(OutId::Text("a")), &mut out).unwrap() {
///                 0 => break,
///                 n => line.extend_from_slice(&out[..n]),
///             }
///         },
///         StreamEvent::Fault(_) => loop {
///             match forward.give_up(&mut out) {
///                 0 => break,
///                 n => line.extend_from_slice(&out[..n]),
///             }
///         },
///     }
/// }
/// assert_eq!(line, b"{\"jsonrpc\":\"2.0\",\"result\":{\"_meta\":{},\"n\":[1,2]},\"id\":\"a\"}\n");
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "a line that is begun must be ended or given up"]
pub struct StreamRenumber<'i> {
    /// What replaces the progress token in `params._meta`.
    token: Option<OutId<'i>>,
    /// Where what is being written was cut by the end of `out`.
    place: Place,
    /// The body that was last begun.
    part: Option<Part>,
    scan: Scanner,
    context: Context,
    /// The member of the body whose value comes next.
    field: Option<Field>,
    /// The old token passes by unwritten.
    drop: Drop,
    id_done: bool,
    method_done: bool,
    opened: bool,
    /// Bytes have left.
    begun: bool,
    ended: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drop {
    No,
    /// The new token is still to be written.
    Replace,
    Yes,
}

/// What of a message's head is to be written.
struct Members<'h> {
    open: bool,
    id: Option<OutId<'h>>,
    method: Option<JsonStr<'h>>,
    part: Option<Part>,
    end: bool,
}

impl Members<'_> {
    fn put(&self, sink: &mut Sink<'_>) {
        if self.open {
            sink.put(b"{\"jsonrpc\":\"2.0\"");
        }
        if let Some(id) = self.id {
            sink.put(b",\"id\":");
            id.put(sink);
        }
        if let Some(method) = self.method {
            sink.put(b",\"method\":\"");
            sink.json(method.raw_bytes());
            sink.put(b"\"");
        }
        match self.part {
            None => {}
            Some(Part::Params) => sink.put(b",\"params\":"),
            Some(Part::Result) => sink.put(b",\"result\":"),
            Some(Part::Error) => sink.put(b",\"error\":"),
        }
        if self.end {
            sink.put(b"}\n");
        }
    }
}

impl<'i> StreamRenumber<'i> {
    /// For one message.
    pub const fn new() -> Self {
        StreamRenumber {
            token: None,
            place: Place::START,
            part: None,
            scan: Scanner::new(127, true),
            context: Context::Outside,
            field: None,
            drop: Drop::No,
            id_done: false,
            method_done: false,
            opened: false,
            begun: false,
            ended: false,
        }
    }

    /// Also replaces `params._meta.progressToken`, if the message has it.
    ///
    /// A progress token that stands elsewhere, the id in a cancellation and a subscription
    /// id name something that the receiver must look up before it can translate it. Such
    /// messages are short; [`Renumber`](super::Renumber) serves for them.
    ///
    /// # Errors
    ///
    /// [`WriteError::BadId`].
    pub fn progress_token(mut self, token: impl Into<OutId<'i>>) -> Result<Self, WriteError> {
        let token = token.into();
        token.check(Kind::Result)?;
        self.token = Some(token);
        Ok(self)
    }

    /// Writes what is known when a body begins. `id` replaces the id, if that has come;
    /// with `None` the id waits for the [end](Self::end). Returns the bytes of `out`
    /// written, 0 when all is.
    ///
    /// An `id` that may not be sent is left to `end`, which reports it.
    pub fn head(&mut self, head: &Head<'_>, id: Option<OutId<'_>>, out: &mut [u8]) -> usize {
        // Whether an id that is null stays so, the kind tells, which may still come.
        let known = head.id().is_some() && !head.id_is_null() && !self.id_done;
        let id = id.filter(|id| known && id.check(Kind::Request).is_ok());
        let members = Members {
            open: !self.opened,
            id,
            method: head.method().filter(|_| !self.method_done),
            part: None,
            end: false,
        };
        let (written, done) = self.write(out, |sink| members.put(sink));
        if done {
            self.opened = true;
            self.id_done |= members.id.is_some();
            self.method_done |= members.method.is_some();
        }
        written
    }

    /// Passes a piece of a body on. Returns the bytes of it used and the bytes of `out`
    /// written; go on with the rest.
    pub fn body(&mut self, part: Part, bytes: &[u8], out: &mut [u8]) -> (usize, usize) {
        let mut out = out;
        let mut written = 0usize;
        if self.part != Some(part) {
            let members = Members {
                open: !self.opened,
                id: None,
                method: None,
                part: Some(part),
                end: false,
            };
            let (bytes, done) = self.write(out, |sink| members.put(sink));
            written = bytes;
            out = out.get_mut(bytes..).unwrap_or_default();
            if !done {
                return (0, written);
            }
            self.opened = true;
            self.part = Some(part);
            self.scan = Scanner::new(127, true);
            self.context = Context::Outside;
        }
        let mut rest = bytes;
        loop {
            if let (Drop::Replace, Some(token)) = (self.drop, self.token) {
                let (bytes, done) = self.write(out, |sink| token.put(sink));
                written = written.saturating_add(bytes);
                out = out.get_mut(bytes..).unwrap_or_default();
                if !done {
                    break;
                }
                self.drop = Drop::Yes;
            }
            let fits = rest.get(..out.len()).unwrap_or(rest);
            if fits.is_empty() {
                break;
            }
            let mut sink = Sink::new(out, None);
            let used = match (self.token, part) {
                (Some(_), Part::Params) => self.pass(fits, &mut sink),
                _ => {
                    put_without_breaks(fits, &mut sink);
                    fits.len()
                }
            };
            let bytes = sink.at();
            self.begun |= bytes > 0;
            written = written.saturating_add(bytes);
            out = out.get_mut(bytes..).unwrap_or_default();
            rest = rest.get(used..).unwrap_or_default();
        }
        (bytes.len().saturating_sub(rest.len()), written)
    }

    /// Ends the message, whose head is complete now. `id` replaces the id, if the message
    /// has one that has not been written; with `None` it stays as it is, and so does the
    /// `null` of an error that answers nothing in particular. Returns the bytes of `out`
    /// written, 0 when all is.
    ///
    /// # Errors
    ///
    /// [`WriteError::BadId`], if `id` may not be sent.
    pub fn end(
        &mut self,
        head: &Head<'_>,
        id: Option<OutId<'_>>,
        out: &mut [u8],
    ) -> Result<usize, WriteError> {
        if self.ended {
            return Ok(0);
        }
        let kind = head.kind().unwrap_or(Kind::Request);
        let old: Option<Id<'_>> = head.id().filter(|_| !self.id_done);
        let id = match (id, old) {
            // An error that answers nothing says so as it did.
            (_, None) if head.id_is_null() && !self.id_done => Some(OutId::Echo(Id::NULL)),
            (_, None) => None,
            (None, Some(old)) => Some(OutId::Echo(old)),
            (Some(id), Some(_)) => {
                id.check(kind)?;
                Some(id)
            }
        };
        let members = Members {
            open: !self.opened,
            id,
            method: head.method().filter(|_| !self.method_done),
            part: None,
            end: true,
        };
        let (written, done) = self.write(out, |sink| members.put(sink));
        self.ended = done;
        Ok(written)
    }

    /// Gives the message up, as when the decoder reports a fault: what has left of it is
    /// ended with LF, so that the receiver rejects it and reads the next line as it should.
    /// If nothing has left, nothing is written. Returns the bytes of `out` written, 0 when
    /// all is.
    pub fn give_up(&mut self, out: &mut [u8]) -> usize {
        match out.first_mut() {
            Some(byte) if self.begun && !self.ended => {
                *byte = b'\n';
                self.ended = true;
                1
            }
            _ => 0,
        }
    }

    /// Writes text, from where the last call had to stop. Returns the bytes written and
    /// whether that is all.
    fn write(&mut self, out: &mut [u8], text: impl FnOnce(&mut Sink<'_>)) -> (usize, bool) {
        let mut sink = Sink::new(out, Some(self.place));
        text(&mut sink);
        let next = sink.next_place();
        let written = next.at.saturating_sub(self.place.at);
        let done = sink.is_whole();
        self.begun |= written > 0;
        self.place = if done { Place::START } else { next };
        (written, done)
    }

    /// Passes parameters on up to the token that is to be replaced. The decoder has
    /// found them valid so far.
    fn pass(&mut self, bytes: &[u8], sink: &mut Sink<'_>) -> usize {
        let names = self.context.names();
        let mut rest = bytes;
        let event = self.scan.step(&mut rest, names);
        let used = bytes.len().saturating_sub(rest.len());
        let step = bytes.get(..used).unwrap_or(bytes);
        let mut keep = step;
        let drop = self.drop;
        match event {
            Event::Name => self.field = self.scan.picked(names).and_then(Field::numbered),
            Event::Begin(kind) => {
                let field = self.field.take();
                let scalar = matches!(kind, JsonKind::String | JsonKind::Number);
                if self.context == Context::Outside {
                    self.context = Context::Params;
                    self.scan.descend();
                } else if field == Some(Field::META) && kind == JsonKind::Object {
                    self.context = Context::Meta;
                    self.scan.descend();
                } else if field == Some(Field::META_PROGRESS_TOKEN) && scalar {
                    self.drop = Drop::Replace;
                    keep = step.split_last().map_or(step, |(_, keep)| keep);
                }
            }
            Event::End => {
                self.drop = Drop::No;
                if self.context == Context::Meta && self.scan.depth() < 2 {
                    self.context = Context::Params;
                }
            }
            _ => {}
        }
        if drop == Drop::No {
            put_without_breaks(keep, sink);
        }
        used
    }
}

impl Default for StreamRenumber<'_> {
    fn default() -> Self {
        StreamRenumber::new()
    }
}

/// Takes JSON as it is, but for CR and LF.
fn put_without_breaks(json: &[u8], sink: &mut Sink<'_>) {
    let mut rest = json;
    while let Some(run) = line_break(rest) {
        sink.put(rest.get(..run).unwrap_or(rest));
        rest = rest.get(run.saturating_add(1)..).unwrap_or_default();
    }
    sink.put(rest);
}
