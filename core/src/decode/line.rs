//! Messages out of lines.

#[cfg(feature = "batch")]
use super::single;
use super::{BOM, Outcome, Storage, feed_all, judge, line_end, read, without_bom, without_cr};
#[cfg(feature = "wide")]
use crate::envelope::whole;
use crate::envelope::{Captured, Ending, Envelope, Store, Verdict, move_bytes};
use crate::fault::{EXCERPT, FaultKind, Rejected};
#[cfg(feature = "batch")]
use crate::json::walk;
use crate::limits::Limits;
#[cfg(feature = "batch")]
use crate::message::BatchPlace;
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
        let ready = self.advance(storage);
        self.item(ready, storage)
    }

    /// The longest line that is kept: a message and a CR.
    fn longest(&self) -> usize {
        // It fits into the storage, so this is no overflow.
        (self.envelope.limits.message as usize).wrapping_add(1)
    }

    /// Bytes that hold the tokens kept of an unstored line, each with a byte after it.
    fn tokens(&self) -> usize {
        usize::from(self.envelope.limits.id)
            .wrapping_add(usize::from(self.envelope.limits.method))
            .wrapping_add(crate::envelope::CODE)
            .wrapping_add(3)
    }

    /// Bytes at the front of the buffer that hold what is kept of an unstored line, and
    /// how many of them hold its beginning.
    fn room(&self, storage: &dyn Storage) -> (usize, usize) {
        let length = storage.bytes().len();
        let excerpt = EXCERPT.min(length / 8);
        let room = excerpt.wrapping_add(self.tokens());
        (room.min(length.saturating_sub(1)), excerpt)
    }

    /// Grows a buffer that can grow to what an unstored line asks for.
    fn widen(&self, storage: &mut dyn Storage) {
        let least = EXCERPT.wrapping_mul(8).max(self.tokens().wrapping_mul(2));
        if storage.bytes().len() < least {
            storage.grow(least, least);
        }
    }

    fn spare<'a>(&'a mut self, storage: &'a mut dyn Storage) -> &'a mut [u8] {
        if self.filled >= storage.bytes().len() {
            self.make_room(storage);
        }
        let filled = self.filled;
        match storage.bytes_mut().get_mut(filled..) {
            Some(spare) if !spare.is_empty() => spare,
            _ => &mut self.sink,
        }
    }

    fn commit(&mut self, storage: &dyn Storage, bytes: usize) {
        let room = storage.bytes().len().wrapping_sub(self.filled);
        if room == 0 && bytes > 0 {
            self.lost = self.lost.saturating_add(1);
            self.lost_line = self.sink == *b"\n";
        } else {
            self.filled = self.filled.wrapping_add(bytes.min(room));
        }
    }

    fn next(&mut self, storage: &mut dyn Storage) -> Option<Ready> {
        self.advance(storage).item()
    }

    /// The next line that comes to an item; none, while more bytes are needed.
    fn advance(&mut self, storage: &mut dyn Storage) -> Ready {
        #[cfg(any(feature = "std", feature = "wide"))]
        if self.is_one_more(storage) {
            self.searched = self.filled;
            return Ready::NOTHING;
        }
        loop {
            #[cfg(feature = "batch")]
            if let Some(ready) = self.element(storage) {
                return ready;
            }
            if self.mode == Mode::Closed {
                self.filled = self.start;
                return Ready::NOTHING;
            }
            let new = part(storage.bytes(), self.searched, self.filled);
            let end = self.searched.wrapping_add(line_end(new));
            let found = end < self.filled;
            self.searched = end;
            if !self.may_go_on(storage, end) {
                return self.runaway(storage);
            }
            let ready;
            if found {
                ready = self.end_line(storage, end, Ending::LineFeed);
                self.start = end.wrapping_add(1);
                self.searched = self.start;
            } else if self.lost == 0 {
                self.tidy(storage);
                return Ready::NOTHING;
            } else {
                ready = self.overrun(storage);
            }
            if ready.is_item() {
                return ready;
            }
        }
    }

    /// Whether all that has come is one byte in the middle of a stored line, as it does
    /// from a UART, and nothing is to be done for it.
    #[cfg(any(feature = "std", feature = "wide"))]
    #[inline]
    fn is_one_more(&self, storage: &dyn Storage) -> bool {
        let bytes = storage.bytes();
        self.mode == Mode::Gathered
            && self.searched.wrapping_add(1) == self.filled
            && self.filled < bytes.len()
            && bytes.get(self.searched) != Some(&b'\n')
            && self.filled.wrapping_sub(self.start) < self.longest()
            && !self.first
            && self.lost == 0
            && !self.has_elements()
    }

    /// Looks at the line in the buffer up to `end`, and reads it if it is not stored;
    /// `false` if it has too many bytes.
    fn may_go_on(&mut self, storage: &mut dyn Storage, end: usize) -> bool {
        if self.mode == Mode::Copies {
            return self.pass_in_place(storage, end);
        }
        let most = self.envelope.limits.max_discard as usize;
        if most == 0 || end.saturating_sub(self.start) <= most {
            return true;
        }
        self.skip_bom(storage, end);
        self.text_end(storage, end).wrapping_sub(self.start) <= most
    }

    /// Where a line in the buffer ends, the CR that belongs to its end left off.
    fn text_end(&self, storage: &dyn Storage, end: usize) -> usize {
        match part(storage.bytes(), self.start, end) {
            [.., b'\r'] => end.wrapping_sub(1),
            _ => end,
        }
    }

    /// Reads bytes of an unstored line that lie in the buffer; `false` if there are too
    /// many.
    #[cfg_attr(not(any(feature = "std", feature = "wide")), inline(never))]
    fn pass_in_place(&mut self, storage: &mut dyn Storage, end: usize) -> bool {
        let (room, _) = self.room(storage);
        let Some((copies, rest)) = storage.bytes_mut().split_at_mut_checked(room) else {
            return true;
        };
        let from = self.start.wrapping_sub(room);
        let fits = self.pass(part(rest, from, end.wrapping_sub(room)), copies);
        // What was read makes place for what comes.
        if end == self.filled {
            self.empty(room);
        }
        fits
    }

    /// The buffer holds nothing of a line any more; bytes to come go to this place.
    fn empty(&mut self, at: usize) {
        self.start = at;
        self.searched = at;
        self.filled = at;
    }

    /// Reads bytes of an unstored line; `false` if there are too many.
    fn pass(&mut self, bytes: &[u8], copies: &mut [u8]) -> bool {
        if bytes.is_empty() {
            return true;
        }
        // A CR that came last was no part of a line end after all.
        if self.carriage_return && !self.feed(b"\r", copies) {
            return false;
        }
        let text = without_cr(bytes);
        self.carriage_return = text.len() < bytes.len();
        self.feed(text, copies)
    }

    fn feed(&mut self, bytes: &[u8], copies: &mut [u8]) -> bool {
        let most = match self.envelope.limits.max_discard as usize {
            0 => usize::MAX,
            most => most,
        };
        let fitting = bytes.get(..most.saturating_sub(self.envelope.at()));
        let mut store = Store::Copies(copies, None);
        feed_all(
            &mut self.envelope,
            fitting.unwrap_or(bytes),
            &mut store,
        );
        fitting.is_none_or(|fitting| fitting.len() == bytes.len())
    }

    /// Too many bytes came without a line end.
    fn runaway(&mut self, storage: &dyn Storage) -> Ready {
        let to = self.start.wrapping_add(self.envelope.limits.max_discard as usize);
        if self.mode != Mode::Copies {
            self.mode = Mode::Gathered;
            self.scan_to(storage, to);
        }
        let ready = self.break_off(FaultKind::Runaway, to);
        self.mode = Mode::Closed;
        ready
    }

    /// Ends a line that a fault of the stream makes void, whatever is in it.
    fn break_off(&mut self, kind: FaultKind, to: usize) -> Ready {
        self.envelope.replace(kind, self.envelope.at());
        self.close(to, Ending::LineFeed, 0)
    }

    /// Bytes were lost: the line they belonged to cannot be read.
    fn overrun(&mut self, storage: &mut dyn Storage) -> Ready {
        self.scan(storage);
        let lost = core::mem::take(&mut self.lost);
        self.envelope
            .replace(FaultKind::Overrun, self.envelope.at());
        self.envelope.pass(lost);
        if !core::mem::take(&mut self.lost_line) {
            if self.mode != Mode::Copies {
                self.spill(storage);
            }
            return Ready::NOTHING;
        }
        // The line's end was among what was lost.
        self.envelope.take_back(1);
        let ready = self.close(self.filled, Ending::LineFeed, 0);
        self.start = self.filled;
        ready
    }

    /// Ends the line whose bytes stand before `end` in the buffer, or that is not stored.
    /// There may be nothing to report of it.
    fn end_line(&mut self, storage: &mut dyn Storage, end: usize, ending: Ending) -> Ready {
        let mut to = end;
        if self.mode != Mode::Copies {
            to = self.text_end(storage, end);
            #[cfg(feature = "wide")]
            if let Some(ready) = self.whole(storage, end, to, ending) {
                return ready;
            }
            self.scan_to(storage, to);
        }
        let ready = self.close(to, ending, end.wrapping_sub(to));
        #[cfg(feature = "batch")]
        if ready.outcome.verdict == Verdict::Elements {
            self.begin_batch(ready);
        }
        ready
    }

    /// Judges a line that ends at `to` in the buffer, or that is not stored. `cr` bytes
    /// belong to its end.
    fn close(&mut self, to: usize, ending: Ending, cr: usize) -> Ready {
        let mut ready = Ready {
            from: self.start,
            to,
            outcome: judge(&mut self.envelope, ending),
        };
        let mut cr = cr;
        if self.mode == Mode::Copies {
            ready.from = 0;
            ready.to = self.envelope.copied();
            ready.outcome.kept = self.kept;
            cr = usize::from(core::mem::take(&mut self.carriage_return));
        }
        self.mode = Mode::Gathered;
        self.end_count(ready.outcome.length.wrapping_add(cr));
        ready
    }

    /// Counts a line of so many bytes, its LF and byte order mark not among them.
    fn end_count(&mut self, bytes: usize) {
        let bom = usize::from(core::mem::take(&mut self.bom));
        if bom > 0 {
            self.envelope.captured.set(Captured::BOM);
        }
        self.first = false;
        #[cfg(feature = "std")]
        {
            let line = bytes.wrapping_add(bom).wrapping_add(1) as u64;
            self.place.position = self.place.line_at;
            self.place.line_at = self.place.line_at.wrapping_add(line);
            self.place.lines = self.place.lines.wrapping_add(1);
        }
        #[cfg(not(feature = "std"))]
        let _ = (bytes, bom);
    }

    /// Passes over a byte order mark at the very start of the stream.
    fn skip_bom(&mut self, storage: &dyn Storage, end: usize) {
        if !self.first {
            return;
        }
        let line = part(storage.bytes(), self.start, end);
        if without_bom(line).is_some() {
            self.bom = BOM.len() as u8;
            self.start = self.start.wrapping_add(BOM.len());
            self.searched = self.searched.max(self.start);
        }
        self.first = false;
    }

    /// A stream's beginning without its byte order mark, as soon as that can be told.
    fn after_bom<'i>(&mut self, line: &'i [u8]) -> &'i [u8] {
        if !self.first || line.len() < BOM.len() {
            return line;
        }
        self.first = false;
        match without_bom(line) {
            Some(rest) => {
                self.bom = BOM.len() as u8;
                rest
            }
            None => line,
        }
    }

    /// Takes what is still needed to tell whether the stream begins with a byte order
    /// mark, which came in pieces; returns what is left.
    fn decide_bom<'i>(&mut self, storage: &mut dyn Storage, bytes: &'i [u8]) -> &'i [u8] {
        let have = self.filled.wrapping_sub(self.start);
        let missing = BOM.len().saturating_sub(have).min(bytes.len());
        if missing > 0 && !self.reserve(storage, BOM.len()) {
            return bytes;
        }
        let free = storage.bytes_mut().get_mut(self.filled..);
        for (slot, byte) in free.unwrap_or(&mut []).iter_mut().zip(bytes).take(missing) {
            *slot = *byte;
        }
        self.filled = self.filled.wrapping_add(missing);
        self.searched = self.filled;
        if self.filled.wrapping_sub(self.start) >= BOM.len() {
            self.skip_bom(storage, self.filled);
        }
        bytes.get(missing..).unwrap_or(&[])
    }

    /// Reads a line that lies whole in the buffer and that nothing is known of, if it is
    /// plainly good.
    #[cfg(feature = "wide")]
    fn whole(
        &mut self,
        storage: &dyn Storage,
        end: usize,
        to: usize,
        ending: Ending,
    ) -> Option<Ready> {
        if self.mode != Mode::Gathered || ending != Ending::LineFeed {
            return None;
        }
        self.skip_bom(storage, end);
        let from = self.start;
        let with_end = storage.bytes().get(from..=end).unwrap_or(&[]);
        let (message, _) = whole::read(with_end, &self.envelope.limits)?;
        self.envelope.captured = message.captured;
        self.end_count(end.wrapping_sub(from));
        Some(Ready {
            from,
            to,
            outcome: Outcome {
                verdict: Verdict::Message(message.kind),
                length: to.wrapping_sub(from),
                kept: EXCERPT as u8,
                #[cfg(feature = "batch")]
                batch: None,
            },
        })
    }

    /// Reads a whole text with the resumable reader.
    fn read(&mut self, text: &[u8], ending: Ending) -> Outcome {
        self.envelope.reset();
        read(&mut self.envelope, text, ending)
    }

    /// Lets the reader take what there is of the line in the buffer.
    fn scan(&mut self, storage: &dyn Storage) {
        let line = part(storage.bytes(), self.start, self.filled);
        if self.first && matches!(line, [] | [0xef] | [0xef, 0xbb]) {
            return;
        }
        // A CR at the end may belong to the line's end.
        self.scan_to(storage, self.text_end(storage, self.filled));
    }

    /// Lets the reader take the line in the buffer up to `end`.
    fn scan_to(&mut self, storage: &dyn Storage, end: usize) {
        if self.mode == Mode::Gathered {
            self.skip_bom(storage, end);
            self.envelope.reset();
            self.mode = Mode::Scanned;
        }
        let line = part(storage.bytes(), self.start, end);
        let rest = line.get(self.envelope.at()..).unwrap_or(&[]);
        feed_all(
            &mut self.envelope,
            rest,
            &mut Store::Line(line),
        );
    }

    /// Stops storing the line in hand, and keeps what was captured of it.
    fn spill(&mut self, storage: &mut dyn Storage) {
        self.scan(storage);
        if self.mode == Mode::Gathered {
            // Nothing is known yet, not even whether the stream begins with a mark.
            self.envelope.reset();
        }
        self.carriage_return = self.filled > self.start
            && storage.bytes().get(self.filled.wrapping_sub(1)) == Some(&b'\r')
            && self.mode == Mode::Scanned;
        self.move_to_front(storage);
        self.widen(storage);
        let (room, excerpt) = self.room(storage);
        // It cannot become a message any more, whatever else there is in it.
        self.envelope
            .note(FaultKind::TooLong, self.envelope.limits.message as usize);
        self.kept = excerpt as u8;
        let filled = self.filled;
        self.envelope
            .spill(storage.bytes_mut(), filled, excerpt);
        self.mode = Mode::Copies;
        self.empty(room);
    }

    /// Moves the line in hand to the front of the buffer.
    fn move_to_front(&mut self, storage: &mut dyn Storage) {
        let length = self.filled.wrapping_sub(self.start);
        move_bytes(storage.bytes_mut(), self.start, 0, length);
        self.searched = self.searched.wrapping_sub(self.start);
        self.filled = length;
        self.start = 0;
    }

    /// Puts the buffer in order when all complete lines are out of it.
    fn tidy(&mut self, storage: &mut dyn Storage) {
        if self.mode == Mode::Copies {
            return;
        }
        if self.filled.wrapping_sub(self.start) >= BOM.len() {
            self.skip_bom(storage, self.filled);
        }
        if self.start == self.filled {
            self.empty(0);
            storage.shrink();
        } else if self.filled.saturating_sub(self.start) > self.longest() {
            self.spill(storage);
        } else if self.filled == storage.bytes().len() {
            self.make_room(storage);
        }
    }

    /// Makes place behind the line in hand: by moving it, by more memory, or by no longer
    /// storing it. Does nothing while complete lines wait.
    fn make_room(&mut self, storage: &mut dyn Storage) {
        if self.searched < self.filled || self.has_elements() || self.lost > 0 {
            return;
        }
        if self.mode == Mode::Copies || self.mode == Mode::Closed {
            return;
        }
        if self.start > 0 {
            self.move_to_front(storage);
        }
        let length = storage.bytes().len();
        // Half of the buffer is to be free, so that lines are not moved over and over.
        if self.filled > length / 2 || length == 0 {
            let most = self.longest().saturating_add(1);
            let need = self.filled.wrapping_add(1);
            let grown = length < most && storage.grow(need, most);
            if !grown && self.filled >= length {
                self.spill(storage);
            }
        }
    }

    /// Takes bytes of the line in hand that hold no line end; `false` if there are too
    /// many.
    fn take(&mut self, storage: &mut dyn Storage, bytes: &[u8]) -> bool {
        if self.mode != Mode::Copies {
            let bytes = if self.first && self.start < self.filled {
                self.decide_bom(storage, bytes)
            } else {
                bytes
            };
            let have = self.filled.wrapping_sub(self.start);
            let need = have.wrapping_add(bytes.len());
            if need <= self.longest() && self.reserve(storage, need) {
                let free = storage.bytes_mut().get_mut(self.filled..);
                for (slot, byte) in free.unwrap_or(&mut []).iter_mut().zip(bytes) {
                    *slot = *byte;
                }
                self.filled = self.filled.wrapping_add(bytes.len());
                self.searched = self.filled;
                return true;
            }
            return self.take_unstored(storage, bytes);
        }
        let (room, _) = self.room(storage);
        let copies = storage.bytes_mut().get_mut(..room).unwrap_or(&mut []);
        self.pass(bytes, copies)
    }

    /// Takes a byte in the middle of a stored line, if nothing else is to be done for it.
    #[inline]
    fn take_byte(&mut self, storage: &mut dyn Storage, byte: u8) -> bool {
        let middle = self.mode == Mode::Gathered
            && self.searched == self.filled
            && self.start < self.filled
            && self.filled.wrapping_sub(self.start) < self.longest()
            && !self.first
            && self.lost == 0;
        if byte == b'\n' || !middle || self.has_elements() {
            return false;
        }
        let Some(slot) = storage.bytes_mut().get_mut(self.filled) else {
            return false;
        };
        *slot = byte;
        self.filled = self.filled.wrapping_add(1);
        self.searched = self.filled;
        true
    }

    /// Goes over to a line that is not stored, some of which may be in the buffer.
    fn take_unstored(&mut self, storage: &mut dyn Storage, bytes: &[u8]) -> bool {
        self.widen(storage);
        // The line's beginning is kept for people, and a byte order mark may be before it.
        let (room, excerpt) = self.room(storage);
        let have = self.filled.wrapping_sub(self.start);
        let most = excerpt.wrapping_add(if self.first { BOM.len() } else { 0 });
        let part = most.saturating_sub(have).min(bytes.len());
        self.move_to_front(storage);
        let free = storage.bytes_mut().get_mut(have..room);
        let mut put = 0usize;
        for (slot, byte) in free
            .unwrap_or(&mut [])
            .iter_mut()
            .zip(bytes.get(..part).unwrap_or(&[]))
        {
            *slot = *byte;
            put = put.wrapping_add(1);
        }
        self.filled = have.wrapping_add(put);
        self.spill(storage);
        let copies = storage.bytes_mut().get_mut(..room).unwrap_or(&mut []);
        self.pass(bytes.get(put..).unwrap_or(&[]), copies)
    }

    /// Makes place for a line of `need` bytes and its end.
    fn reserve(&mut self, storage: &mut dyn Storage, need: usize) -> bool {
        let whole = need.wrapping_add(1);
        if self.start.wrapping_add(whole) <= storage.bytes().len() {
            return true;
        }
        if self.start > 0 {
            self.move_to_front(storage);
        }
        whole <= storage.bytes().len() || storage.grow(whole, self.longest().saturating_add(1))
    }

    /// Whether nothing is in hand, so that a line may begin in the caller's bytes.
    #[cfg(feature = "wide")]
    #[inline]
    fn is_fresh(&self) -> bool {
        let empty = self.start == self.filled && !self.has_elements() && self.lost == 0;
        self.mode == Mode::Gathered && empty
    }

    fn next_in<'i>(
        &mut self,
        storage: &mut dyn Storage,
        input: &mut &'i [u8],
    ) -> Option<Found<'i>> {
        if let [byte] = **input
            && self.take_byte(storage, byte)
        {
            *input = &[];
            return None;
        }
        // What is in the buffer comes first.
        if (self.searched < self.filled || self.has_elements() || self.lost > 0)
            && let Some(ready) = self.next(storage)
        {
            return Some(Found::Buffer(ready));
        }
        loop {
            if input.is_empty() || self.mode == Mode::Closed {
                *input = &[];
                self.tidy(storage);
                return None;
            }
            let fresh = self.mode == Mode::Gathered && self.start == self.filled;
            let end = line_end(input);
            let line = input.get(..end).unwrap_or(&[]);
            let rest = input.get(end..).unwrap_or(&[]).split_first();
            let ends = rest.is_some();
            *input = rest.map_or(&[], |(_, rest)| rest);
            let line = if fresh { self.after_bom(line) } else { line };
            if ends && fresh && line.len() <= self.longest() {
                match self.line_in_chunk(storage, line) {
                    Some(found) => return Some(found),
                    None if self.has_elements() => {
                        return self.next(storage).map(Found::Buffer);
                    }
                    None => continue,
                }
            }
            if fresh {
                self.empty(0);
            }
            if !self.take(storage, line) {
                return Some(Found::Buffer(self.runaway(storage)));
            }
            if ends {
                let stop = self.filled;
                if let Some(slot) = storage.bytes_mut().get_mut(stop) {
                    *slot = b'\n';
                }
                let ready = self.end_line(storage, stop, Ending::LineFeed);
                self.start = stop;
                self.searched = stop;
                if ready.is_item() {
                    return Some(Found::Buffer(ready));
                }
                if self.has_elements() {
                    return self.next(storage).map(Found::Buffer);
                }
            }
        }
    }

    /// A line that lies whole in the caller's chunk.
    fn line_in_chunk<'i>(
        &mut self,
        storage: &mut dyn Storage,
        line: &'i [u8],
    ) -> Option<Found<'i>> {
        let text = without_cr(line);
        let cr = line.len().wrapping_sub(text.len());
        let mut outcome = self.read(text, Ending::LineFeed);
        if outcome.verdict == Verdict::Elements {
            // Its elements are handed out one by one, so it has to stay.
            self.empty(0);
            if self.reserve(storage, text.len()) {
                let free = storage.bytes_mut();
                for (slot, byte) in free.iter_mut().zip(text) {
                    *slot = *byte;
                }
                self.empty(text.len());
                self.end_count(text.len().wrapping_add(cr));
                #[cfg(feature = "batch")]
                self.begin_batch(Ready {
                    from: 0,
                    to: text.len(),
                    outcome,
                });
                return None;
            }
            let most = self.envelope.limits.message as usize;
            self.envelope.replace(FaultKind::TooLong, most);
            outcome.verdict = Verdict::Rejected;
        }
        self.end_count(text.len().wrapping_add(cr));
        (outcome.verdict != Verdict::Blank).then_some(Found::Chunk(text, outcome))
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

    #[cfg(not(feature = "batch"))]
    fn has_elements(&self) -> bool {
        false
    }

    #[cfg(feature = "batch")]
    fn has_elements(&self) -> bool {
        self.batch.at < self.batch.to
    }

    /// The buffer holds a batch, to be handed out by its elements.
    #[cfg(feature = "batch")]
    fn begin_batch(&mut self, ready: Ready) {
        self.batch = Batch {
            at: ready.from,
            to: ready.to,
            index: 0,
            bom: self.envelope.captured.flag(Captured::BOM),
        };
    }

    /// The next element of the batch in the buffer.
    #[cfg(feature = "batch")]
    fn element(&mut self, storage: &dyn Storage) -> Option<Ready> {
        if !self.has_elements() {
            return None;
        }
        let text = storage.bytes().get(..self.batch.to).unwrap_or(&[]);
        // Past the opening bracket or the comma, which the first reading has found there.
        let from = walk::skip_space(text, self.batch.at.wrapping_add(1));
        let from = if self.batch.index == 0 && text.get(self.batch.at) != Some(&b'[') {
            // White space before the bracket.
            walk::skip_space(text, walk::skip_space(text, self.batch.at).wrapping_add(1))
        } else {
            from
        };
        let to = walk::skip_value(text, from);
        let next = walk::skip_space(text, to);
        let last = text.get(next) != Some(&b',');
        let value = text.get(from..to).unwrap_or(&[]);
        let limits = self.envelope.limits;
        self.envelope.limits = single(limits);
        self.envelope.reset();
        let mut outcome = read(&mut self.envelope, value, Ending::LineFeed);
        self.envelope.limits = limits;
        if outcome.verdict == Verdict::Rejected
            && let Some((FaultKind::Batch | FaultKind::EmptyBatch, _)) = self.envelope.fault()
        {
            self.envelope.rename(FaultKind::NotObject);
        }
        if core::mem::take(&mut self.batch.bom) {
            self.envelope.captured.set(Captured::BOM);
        }
        outcome.batch = Some(BatchPlace {
            index: self.batch.index,
            last,
        });
        self.batch.index = self.batch.index.wrapping_add(1);
        self.batch.at = if last { self.batch.to } else { next };
        Some(Ready { from, to, outcome })
    }
}
