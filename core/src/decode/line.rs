//! Messages out of lines.

mod batch;
mod bom;
mod buffer;
mod chunk;
mod unstored;

use super::{Outcome, Storage};
#[cfg(feature = "wide")]
use crate::envelope::Captured;
#[cfg(feature = "wide")]
use crate::envelope::whole;
use crate::envelope::{Ending, Envelope, Verdict};
use crate::fault::{FaultKind, Rejected};
use crate::limits::Limits;
use crate::message::Message;
use crate::text::part;

/// A decoder of newline-framed messages.
///
/// Two ways to feed it, which may be mixed. **In place**: it lends the free part of its
/// buffer to `read(2)`, a UART, DMA or an interrupt, and is told how many bytes came.
/// **Over a chunk**: lines that lie whole in the caller's bytes are read where they are,
/// and only what is cut off at the end is copied.
///
/// Memory is the buffer and a small fixed state. A line longer than the ceiling is not
/// stored but still scanned, so its id is known at its end. After any line, good or bad,
/// the next one is read as if nothing had been before it.
///
/// ```
/// use wireline::{FaultKind, Kind, Limits, LineDecoder};
/// let mut decoder = LineDecoder::new([0u8; 256], Limits::EMBEDDED);
///
/// // in place
/// let bytes = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\nOK boot\n";
/// decoder.spare()[..bytes.len()].copy_from_slice(bytes);
/// decoder.commit(bytes.len());
/// assert_eq!(decoder.next().unwrap().unwrap().method().unwrap(), "ping");
/// assert_eq!(decoder.next().unwrap().unwrap_err().kind(), FaultKind::NotJson);
/// assert!(decoder.next().is_none());
///
/// // over a chunk
/// let mut chunk: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n{\"jsonrpc\":";
/// let item = decoder.next_in(&mut chunk).unwrap();
/// assert_eq!(item.result().unwrap().kind(), Kind::Result);
/// assert!(decoder.next_in(&mut chunk).is_none()); // the rest is kept
/// assert_eq!(decoder.pending().bytes, 11);
/// ```
#[derive(Clone, Debug)]
pub struct LineDecoder<B> {
    core: Core,
    storage: B,
}

/// An unfinished line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// Its bytes so far.
    pub bytes: u64,
    /// The first fault in it so far, and where it is in the line.
    pub fault: Option<(FaultKind, u64)>,
}

/// What [`LineDecoder::next_in`] found, and what it borrows.
#[derive(Clone, Copy, Debug)]
pub enum Item<'d, 'i> {
    /// A line that lies whole in the caller's chunk.
    InChunk(Result<Message<'i>, Rejected<'i>>),
    /// A line that was put together in the decoder's buffer.
    InBuffer(Result<Message<'d>, Rejected<'d>>),
}

impl<'x> Item<'x, 'x> {
    /// The message or fault, wherever it lies.
    pub fn result(self) -> Result<Message<'x>, Rejected<'x>> {
        match self {
            Item::InChunk(result) | Item::InBuffer(result) => result,
        }
    }
}

impl<B: Storage> LineDecoder<B> {
    /// A decoder at the start of a stream.
    ///
    /// Storage of fixed size lowers the ceilings as [`Limits`] says; 256 bytes hold
    /// [`Limits::EMBEDDED`] whole.
    #[must_use]
    pub fn new(storage: B, limits: Limits) -> Self {
        let limits = limits.within(storage.capacity());
        LineDecoder {
            core: Core::new(limits),
            storage,
        }
    }

    /// The free part of the buffer, for bytes to come. Never empty once
    /// [`next`](Self::next) has returned `None`, nor ever after [`new`](Self::new): a line
    /// that is too long is no longer stored.
    ///
    /// When complete lines fill the buffer and are not taken out, one byte is lent; what
    /// is put there is lost, and the line it belongs to comes back as
    /// [`Overrun`](FaultKind::Overrun).
    pub fn spare(&mut self) -> &mut [u8] {
        self.core.spare(&mut self.storage)
    }

    /// Tells how many bytes were put into [`spare`](Self::spare), from its start. Takes
    /// constant time, so an interrupt may call it.
    pub fn commit(&mut self, bytes: usize) {
        self.core.commit(&self.storage, bytes);
    }

    /// The next message or fault among the bytes committed; `None` when more are needed.
    #[expect(
        clippy::should_implement_trait,
        reason = "the item borrows the decoder, which Iterator cannot say"
    )]
    #[inline]
    pub fn next(&mut self) -> Option<Result<Message<'_>, Rejected<'_>>> {
        self.core.next_item(&mut self.storage)
    }

    /// The next message or fault in the caller's bytes, which are moved on past what was
    /// used; `None` when all are used.
    #[inline]
    pub fn next_in<'d, 'i>(&'d mut self, input: &mut &'i [u8]) -> Option<Item<'d, 'i>> {
        #[cfg(feature = "wide")]
        if self.core.is_fresh()
            && let Some((mut message, used)) = whole::read(input, &self.core.envelope.limits)
        {
            if self.core.bom > 0 {
                message.captured.set(Captured::BOM);
            }
            *input = input.get(used..).unwrap_or(&[]);
            self.core.end_count(used.wrapping_sub(1));
            return Some(Item::InChunk(Ok(message)));
        }
        match self.core.next_in(&mut self.storage, input)? {
            Found::Chunk(line, outcome) => {
                let item = outcome.on(&self.core.envelope, line);
                item.map(Item::InChunk)
            }
            Found::Buffer(ready) => self.core.item(ready, &self.storage).map(Item::InBuffer),
        }
    }

    /// The end of the input: what is left is a line that was cut off, or by
    /// [`Limits::eof_completes_line`] a whole one. To be called until it returns `None`,
    /// since a batch may be left; then the decoder is as new, unless it is closed.
    pub fn finish(&mut self) -> Option<Result<Message<'_>, Rejected<'_>>> {
        let ready = self.core.finish(&mut self.storage)?;
        self.core.item(ready, &self.storage)
    }

    /// [`next`](Self::next) in two steps: a loop that reads in between cannot return what
    /// borrows the decoder.
    #[cfg(feature = "io")]
    pub(crate) fn advance(&mut self) -> Option<Ready> {
        self.core.next(&mut self.storage)
    }

    /// [`finish`](Self::finish) in two steps.
    #[cfg(feature = "io")]
    pub(crate) fn advance_end(&mut self) -> Option<Ready> {
        self.core.finish(&mut self.storage)
    }

    /// The item that was found ready.
    #[cfg(feature = "io")]
    pub(crate) fn item(&self, ready: Ready) -> Option<Result<Message<'_>, Rejected<'_>>> {
        self.core.item(ready, &self.storage)
    }

    /// The unfinished line: its bytes so far, and the first fault in them.
    pub fn pending(&mut self) -> Pending {
        self.core.pending(&mut self.storage)
    }

    /// Whether the decoder takes no more, after [`Runaway`](FaultKind::Runaway).
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.core.mode == Mode::Closed
    }

    /// Where in the stream the line of the last item began, in bytes. Needs the feature
    /// `std`: a chip would pay for it with a tenth of the state.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn position(&self) -> u64 {
        self.core.place.position
    }

    /// The number of the line of the last item, the first being 1; blank lines count.
    /// Needs the feature `std`.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn line(&self) -> u64 {
        self.core.place.lines
    }

    /// The limits in force.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.core.envelope.limits
    }

    /// The decoder as new, with its storage.
    pub fn reset(&mut self) {
        self.core = Core::new(self.core.envelope.limits);
        self.storage.shrink();
    }
}

/// How the line in hand is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// In the buffer, not looked at yet but for its end.
    Gathered,
    /// In the buffer, and the reader has taken what it could.
    Scanned,
    /// Not kept; the reader has taken all of it.
    Copies,
    /// No more is taken.
    Closed,
}

/// A line's outcome and where in the buffer its text is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ready {
    from: usize,
    to: usize,
    outcome: Outcome,
}

impl Ready {
    /// No item.
    const NOTHING: Ready = Ready {
        from: 0,
        to: 0,
        outcome: Outcome {
            verdict: Verdict::Blank,
            length: 0,
            kept: 0,
            #[cfg(feature = "batch")]
            batch: None,
        },
    };

    fn is_item(&self) -> bool {
        matches!(
            self.outcome.verdict,
            Verdict::Message(_) | Verdict::Rejected
        )
    }

    fn item(self) -> Option<Ready> {
        self.is_item().then_some(self)
    }
}

enum Found<'i> {
    Chunk(&'i [u8], Outcome),
    Buffer(Ready),
}

/// The decoder without its storage, so that its code is there once.
#[derive(Clone, Debug)]
#[repr(C)]
struct Core {
    /// Where in the buffer the line in hand begins; where it does not lie in the buffer,
    /// where the bytes to come go.
    start: usize,
    /// No line end stands in `start..searched`.
    searched: usize,
    /// Where the bytes in the buffer end.
    filled: usize,
    /// Bytes that were committed with no room left.
    lost: usize,
    /// A byte order mark may still come.
    first: bool,
    mode: Mode,
    /// Bytes of the byte order mark that the line in hand began with.
    bom: u8,
    /// A CR came last, and may belong to a line end.
    carriage_return: bool,
    /// The last byte lost was a line end.
    lost_line: bool,
    /// Bytes of an unstored line's beginning that are kept.
    kept: u8,
    /// What is lent when there is no room.
    sink: [u8; 1],
    envelope: Envelope,
    #[cfg(feature = "std")]
    place: Place,
    #[cfg(feature = "batch")]
    batch: Batch,
}

/// Where in the stream the decoder is.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Where the line of the last item began.
    position: u64,
    /// Where the line in hand begins.
    line_at: u64,
    lines: u64,
}

/// The part of a batch in the buffer that is still to be handed out.
#[cfg(feature = "batch")]
#[derive(Clone, Copy, Debug)]
struct Batch {
    at: usize,
    to: usize,
    index: u32,
    /// The stream begins with a byte order mark, and the first element tells of it.
    bom: bool,
}

impl Core {
    const fn new(limits: Limits) -> Self {
        Core {
            envelope: Envelope::new(limits, false),
            start: 0,
            searched: 0,
            filled: 0,
            lost: 0,
            #[cfg(feature = "std")]
            place: Place {
                position: 0,
                line_at: 0,
                lines: 0,
            },
            #[cfg(feature = "batch")]
            batch: Batch {
                at: 0,
                to: 0,
                index: 0,
                bom: false,
            },
            mode: Mode::Gathered,
            first: true,
            bom: 0,
            carriage_return: false,
            lost_line: false,
            kept: 0,
            sink: [b' '],
        }
    }

    fn item<'a>(
        &self,
        ready: Ready,
        storage: &'a dyn Storage,
    ) -> Option<Result<Message<'a>, Rejected<'a>>> {
        let text = part(storage.bytes(), ready.from, ready.to);
        ready.outcome.on(&self.envelope, text)
    }

    #[cfg_attr(not(any(feature = "std", feature = "wide")), inline(never))]
    #[cfg_attr(any(feature = "std", feature = "wide"), inline)]
    fn next_item<'a>(
        &mut self,
        storage: &'a mut dyn Storage,
    ) -> Option<Result<Message<'a>, Rejected<'a>>> {
        #[cfg(feature = "wide")]
        if let Some((shape, line)) = self.whole_next(storage) {
            return self.item_of(shape, line, storage);
        }
        let ready = self.advance(storage);
        self.item(ready, storage)
    }

    /// The longest line that is kept: a message and a CR.
    fn longest(&self) -> usize {
        // It fits into the storage, so this is no overflow.
        (self.envelope.limits.message as usize).wrapping_add(1)
    }

    fn finish(&mut self, storage: &mut dyn Storage) -> Option<Ready> {
        if let Some(ready) = self.next(storage) {
            return Some(ready);
        }
        if self.mode == Mode::Closed {
            return None;
        }
        if self.mode == Mode::Copies || self.start < self.filled {
            let end = self.filled;
            let ready = self.end_line(storage, end, Ending::EndOfInput);
            self.start = end;
            self.searched = end;
            if ready.is_item() {
                return Some(ready);
            }
            if self.has_elements() {
                return self.next(storage);
            }
        }
        *self = Core::new(self.envelope.limits);
        storage.shrink();
        None
    }

    fn pending(&mut self, storage: &mut dyn Storage) -> Pending {
        let complete = self.searched < self.filled || self.has_elements();
        if self.mode != Mode::Copies && self.start < self.filled && !complete {
            self.scan(storage);
        }
        match self.mode {
            Mode::Gathered | Mode::Closed => Pending {
                bytes: self.filled.wrapping_sub(self.start) as u64,
                fault: None,
            },
            Mode::Scanned | Mode::Copies => {
                let stored = if self.mode == Mode::Scanned {
                    self.filled.wrapping_sub(self.start)
                } else {
                    self.envelope
                        .at()
                        .wrapping_add(usize::from(self.carriage_return))
                };
                Pending {
                    bytes: stored as u64,
                    fault: self.envelope.fault().map(|(kind, at)| (kind, at as u64)),
                }
            }
        }
    }
}
