//! The byte order mark that a stream may begin with.

use super::{Core, Storage};
use crate::decode::{BOM, without_bom};
use crate::text::part;

impl Core {
    /// Passes over a byte order mark at the very start of the stream.
    pub(super) fn skip_bom(&mut self, storage: &dyn Storage, end: usize) {
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
    pub(super) fn after_bom<'i>(&mut self, line: &'i [u8]) -> &'i [u8] {
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
    pub(super) fn decide_bom<'i>(
        &mut self,
        storage: &mut dyn Storage,
        bytes: &'i [u8],
    ) -> &'i [u8] {
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
}
