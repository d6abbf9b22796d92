//! Lines that are not stored: they are scanned all the same, and their tokens kept.

use super::{Core, Mode, Ready, Storage};
use crate::decode::{BOM, feed_all, without_cr};
use crate::envelope::{Ending, Store};
use crate::fault::{EXCERPT, FaultKind};
use crate::text::part;

impl Core {
    /// Bytes that hold the tokens kept of an unstored line, each with a byte after it.
    pub(super) fn tokens(&self) -> usize {
        usize::from(self.envelope.limits.id)
            .wrapping_add(usize::from(self.envelope.limits.method))
            .wrapping_add(crate::envelope::CODE)
            .wrapping_add(3)
    }

    /// Bytes at the front of the buffer that hold what is kept of an unstored line, and
    /// how many of them hold its beginning.
    pub(super) fn room(&self, storage: &dyn Storage) -> (usize, usize) {
        let length = storage.bytes().len();
        let excerpt = EXCERPT.min(length / 8);
        let room = excerpt.wrapping_add(self.tokens());
        (room.min(length.saturating_sub(1)), excerpt)
    }

    /// Bytes of a buffer that an unstored line asks for.
    fn least(&self) -> usize {
        EXCERPT.wrapping_mul(8).max(self.tokens().wrapping_mul(2))
    }

    /// Grows a buffer that can grow to what an unstored line asks for.
    pub(super) fn widen(&self, storage: &mut dyn Storage) {
        let least = self.least();
        if storage.bytes().len() < least {
            storage.grow(least, least);
        }
    }

    /// Reads bytes of an unstored line that lie in the buffer; `false` if there are too
    /// many.
    #[cfg_attr(not(any(feature = "std", feature = "wide")), inline(never))]
    pub(super) fn pass_in_place(&mut self, storage: &mut dyn Storage, end: usize) -> bool {
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

    /// Reads bytes of an unstored line; `false` if there are too many.
    pub(super) fn pass(&mut self, bytes: &[u8], copies: &mut [u8]) -> bool {
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

    pub(super) fn feed(&mut self, bytes: &[u8], copies: &mut [u8]) -> bool {
        let most = match self.envelope.limits.max_discard as usize {
            0 => usize::MAX,
            most => most,
        };
        let fitting = bytes.get(..most.saturating_sub(self.envelope.at()));
        let mut store = Store::Copies(copies, None);
        feed_all(&mut self.envelope, fitting.unwrap_or(bytes), &mut store);
        fitting.is_none_or(|fitting| fitting.len() == bytes.len())
    }

    /// Too many bytes came without a line end.
    pub(super) fn runaway(&mut self, storage: &dyn Storage) -> Ready {
        let to = self
            .start
            .wrapping_add(self.envelope.limits.max_discard as usize);
        if self.mode != Mode::Copies {
            self.mode = Mode::Gathered;
            self.scan_to(storage, to);
        }
        let ready = self.break_off(FaultKind::Runaway, to);
        self.mode = Mode::Closed;
        ready
    }

    /// Ends a line that a fault of the stream makes void, whatever is in it.
    pub(super) fn break_off(&mut self, kind: FaultKind, to: usize) -> Ready {
        self.envelope.replace(kind, self.envelope.at());
        self.close(to, Ending::LineFeed, 0)
    }

    /// Stops storing the line in hand, and keeps what was captured of it.
    pub(super) fn spill(&mut self, storage: &mut dyn Storage) {
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
        self.envelope.spill(storage.bytes_mut(), filled, excerpt);
        self.mode = Mode::Copies;
        self.empty(room);
        #[cfg(feature = "std")]
        storage.shrink_to(self.least());
    }

    /// Goes over to a line that is not stored, some of which may be in the buffer.
    pub(super) fn take_unstored(&mut self, storage: &mut dyn Storage, bytes: &[u8]) -> bool {
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
}
