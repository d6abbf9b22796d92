//! Lines that are put together in the buffer.

#[cfg(feature = "wide")]
use core::ops::Range;

use super::{Core, Mode, Ready, Storage};
#[cfg(feature = "wide")]
use crate::decode::Outcome;
#[cfg(feature = "std")]
use crate::decode::storage::IDLE;
use crate::decode::{BOM, feed_all, judge, line_end};
#[cfg(feature = "wide")]
use crate::envelope::whole;
use crate::envelope::{Captured, Ending, Store, move_bytes};
use crate::fault::FaultKind;
#[cfg(feature = "wide")]
use crate::fault::Rejected;
#[cfg(feature = "wide")]
use crate::message::Message;
use crate::text::part;

impl Core {
    pub(super) fn spare<'a>(&'a mut self, storage: &'a mut dyn Storage) -> &'a mut [u8] {
        if self.filled >= storage.bytes().len() {
            self.make_room(storage);
        }
        let filled = self.filled;
        match storage.bytes_mut().get_mut(filled..) {
            Some(spare) if !spare.is_empty() => spare,
            _ => &mut self.sink,
        }
    }

    pub(super) fn commit(&mut self, storage: &dyn Storage, bytes: usize) {
        let room = storage.bytes().len().wrapping_sub(self.filled);
        if room == 0 && bytes > 0 {
            self.lost = self.lost.saturating_add(1);
            self.lost_line = self.sink == *b"\n";
        } else {
            self.filled = self.filled.wrapping_add(bytes.min(room));
        }
    }

    pub(super) fn next(&mut self, storage: &mut dyn Storage) -> Option<Ready> {
        self.advance(storage).item()
    }

    /// The next line that comes to an item; none, while more bytes are needed.
    pub(super) fn advance(&mut self, storage: &mut dyn Storage) -> Ready {
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
                self.empty(0);
                storage.shrink();
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
    pub(super) fn is_one_more(&self, storage: &dyn Storage) -> bool {
        let bytes = storage.bytes();
        self.mode == Mode::Gathered
            && self.start < self.searched
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
    pub(super) fn may_go_on(&mut self, storage: &mut dyn Storage, end: usize) -> bool {
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
    pub(super) fn text_end(&self, storage: &dyn Storage, end: usize) -> usize {
        match part(storage.bytes(), self.start, end) {
            [.., b'\r'] => end.wrapping_sub(1),
            _ => end,
        }
    }

    /// The buffer holds nothing of a line any more; bytes to come go to this place.
    pub(super) fn empty(&mut self, at: usize) {
        self.start = at;
        self.searched = at;
        self.filled = at;
    }

    /// Bytes were lost: the line they belonged to cannot be read.
    pub(super) fn overrun(&mut self, storage: &mut dyn Storage) -> Ready {
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
    pub(super) fn end_line(
        &mut self,
        storage: &mut dyn Storage,
        end: usize,
        ending: Ending,
    ) -> Ready {
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
        if ready.outcome.verdict == crate::envelope::Verdict::Elements {
            self.begin_batch(ready);
        }
        ready
    }

    /// Judges a line that ends at `to` in the buffer, or that is not stored. `cr` bytes
    /// belong to its end.
    pub(super) fn close(&mut self, to: usize, ending: Ending, cr: usize) -> Ready {
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
    pub(super) fn end_count(&mut self, bytes: usize) {
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

    /// The next line, if it lies whole in the buffer, nothing is known of it, and it is
    /// plainly good but for whether it is UTF-8: its shape, and where it is, LF included.
    #[cfg(feature = "wide")]
    #[inline]
    pub(super) fn whole_next(&self, storage: &dyn Storage) -> Option<(whole::Shape, Range<usize>)> {
        let fresh = self.mode == Mode::Gathered && self.searched == self.start;
        if !fresh || self.first || self.bom > 0 || self.has_elements() {
            return None;
        }
        let text = part(storage.bytes(), self.start, self.filled);
        let limits = &self.envelope.limits;
        let (shape, used) = whole::shape(text, limits)?;
        let fits = limits.max_discard == 0 || used <= limits.max_discard as usize;
        fits.then(|| (shape, self.start..self.start.wrapping_add(used)))
    }

    /// What such a line comes to.
    #[cfg(feature = "wide")]
    #[inline]
    pub(super) fn item_of<'a>(
        &mut self,
        shape: whole::Shape,
        line: Range<usize>,
        storage: &'a dyn Storage,
    ) -> Option<Result<Message<'a>, Rejected<'a>>> {
        let text = part(storage.bytes(), line.start, self.filled);
        self.start = line.end;
        self.searched = line.end;
        if let Some(message) = shape.over(text) {
            self.end_count(line.len().wrapping_sub(1));
            return Some(Ok(message));
        }
        self.start = line.start;
        let end = line.end.wrapping_sub(1);
        let to = self.text_end(storage, end);
        self.scan_to(storage, to);
        let ready = self.close(to, Ending::LineFeed, end.wrapping_sub(to));
        self.start = line.end;
        self.item(ready, storage)
    }

    /// Reads a line that lies whole in the buffer and that nothing is known of, if it is
    /// plainly good.
    #[cfg(feature = "wide")]
    pub(super) fn whole(
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
                verdict: crate::envelope::Verdict::Message(message.kind),
                length: to.wrapping_sub(from),
                kept: crate::fault::EXCERPT as u8,
                #[cfg(feature = "batch")]
                batch: None,
            },
        })
    }

    /// Lets the reader take what there is of the line in the buffer.
    pub(super) fn scan(&mut self, storage: &dyn Storage) {
        let line = part(storage.bytes(), self.start, self.filled);
        if self.first && matches!(line, [] | [0xef] | [0xef, 0xbb]) {
            return;
        }
        // A CR at the end may belong to the line's end.
        self.scan_to(storage, self.text_end(storage, self.filled));
    }

    /// Lets the reader take the line in the buffer up to `end`.
    pub(super) fn scan_to(&mut self, storage: &dyn Storage, end: usize) {
        if self.mode == Mode::Gathered {
            self.skip_bom(storage, end);
            self.envelope.reset();
            self.mode = Mode::Scanned;
        }
        let line = part(storage.bytes(), self.start, end);
        let rest = line.get(self.envelope.at()..).unwrap_or(&[]);
        feed_all(&mut self.envelope, rest, &mut Store::Line(line));
    }

    /// Moves the line in hand to the front of the buffer.
    pub(super) fn move_to_front(&mut self, storage: &mut dyn Storage) {
        let length = self.filled.wrapping_sub(self.start);
        move_bytes(storage.bytes_mut(), self.start, 0, length);
        self.searched = self.searched.wrapping_sub(self.start);
        self.filled = length;
        self.start = 0;
    }

    /// Puts the buffer in order when all complete lines are out of it.
    pub(super) fn tidy(&mut self, storage: &mut dyn Storage) {
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
        } else {
            #[cfg(feature = "std")]
            self.give_back(storage);
            if self.filled == storage.bytes().len() {
                self.make_room(storage);
            }
        }
    }

    /// Gives back what lines before the one in hand have asked for. A line that asked for
    /// memory itself fills a quarter of it.
    #[cfg(feature = "std")]
    fn give_back(&mut self, storage: &mut dyn Storage) {
        let held = self.filled.wrapping_sub(self.start);
        if storage.bytes().len() / 4 > held.max(IDLE) {
            self.move_to_front(storage);
            storage.shrink_to(held.wrapping_add(1));
        }
    }

    /// Makes place behind the line in hand: by moving it, by more memory, or by no longer
    /// storing it. Does nothing while complete lines wait.
    pub(super) fn make_room(&mut self, storage: &mut dyn Storage) {
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
}
