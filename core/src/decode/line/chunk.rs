//! Lines that lie whole in the caller's bytes, and the pieces of those that do not.

use super::{Core, Found, Mode, Storage};
use crate::decode::{Outcome, line_end, read, without_cr};
use crate::envelope::{Ending, Verdict};
use crate::fault::FaultKind;

impl Core {
    /// Reads a whole text with the resumable reader.
    pub(super) fn read(&mut self, text: &[u8], ending: Ending) -> Outcome {
        self.envelope.reset();
        read(&mut self.envelope, text, ending)
    }

    /// Takes bytes of the line in hand that hold no line end; `false` if there are too
    /// many.
    pub(super) fn take(&mut self, storage: &mut dyn Storage, bytes: &[u8]) -> bool {
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
    pub(super) fn take_byte(&mut self, storage: &mut dyn Storage, byte: u8) -> bool {
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

    /// Makes place for a line of `need` bytes and its end.
    pub(super) fn reserve(&mut self, storage: &mut dyn Storage, need: usize) -> bool {
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
    pub(super) fn is_fresh(&self) -> bool {
        let empty = self.start == self.filled && !self.has_elements() && self.lost == 0;
        self.mode == Mode::Gathered && empty
    }

    pub(super) fn next_in<'i>(
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
    pub(super) fn line_in_chunk<'i>(
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
                self.begin_batch(super::Ready {
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
}
