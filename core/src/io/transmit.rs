//! Lines on their way out, whatever the transport.

use super::Error;
use crate::decode::Storage;
use crate::encode::{ToJson, WriteError, write_line};

/// Lines on their way out: a buffer, how far it is filled, and how much of that has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transmit<X> {
    pub(super) buffer: X,
    sent: usize,
    filled: usize,
    /// Bytes have left since the transport was last flushed.
    pub(super) unflushed: bool,
    /// What was filled in last does not end with LF.
    mid_line: bool,
}

impl<X: Storage> Transmit<X> {
    pub(super) const fn new(buffer: X) -> Self {
        Transmit {
            buffer,
            sent: 0,
            filled: 0,
            unflushed: false,
            mid_line: false,
        }
    }

    pub(super) fn pending(&self) -> &[u8] {
        self.buffer
            .bytes()
            .get(self.sent..self.filled)
            .unwrap_or(&[])
    }

    /// Counts bytes that have left; `false`, if there were none.
    pub(super) fn advance(&mut self, bytes: usize) -> bool {
        self.sent = self.sent.saturating_add(bytes).min(self.filled);
        self.unflushed = true;
        if self.sent == self.filled {
            self.sent = 0;
            self.filled = 0;
            self.buffer.shrink();
        }
        bytes > 0
    }

    /// Whether another line may begin.
    pub(super) fn between_lines<E>(&self) -> Result<(), Error<E>> {
        if self.mid_line {
            return Err(Error::MidLine);
        }
        Ok(())
    }

    pub(super) fn queue<E>(&mut self, message: &dyn ToJson) -> Result<(), Error<E>> {
        self.between_lines()?;
        let mut grown = false;
        loop {
            let room = self.buffer.bytes_mut().get_mut(self.filled..);
            match write_line(message, room.unwrap_or_default()) {
                Ok(written) => {
                    self.filled = self.filled.saturating_add(written);
                    return Ok(());
                }
                Err(WriteError::TooSmall { needed }) => {
                    let total = self.filled.saturating_add(needed);
                    if grown || !self.buffer.grow(total, usize::MAX) {
                        return Err(if needed <= self.buffer.capacity() {
                            Error::Full
                        } else {
                            Error::Write(WriteError::TooSmall { needed })
                        });
                    }
                    grown = true;
                }
                Err(error) => return Err(Error::Write(error)),
            }
        }
    }

    /// Whether the empty buffer has room for a byte. One that grows may have given back all
    /// that it had.
    fn has_room(&mut self) -> bool {
        !self.buffer.bytes().is_empty() || self.buffer.grow(1, usize::MAX)
    }

    /// Takes the next piece of a line; the buffer must be empty. `false`, if there is none.
    pub(super) fn fill(
        &mut self,
        fill: &mut dyn FnMut(&mut [u8]) -> Result<usize, WriteError>,
    ) -> Result<bool, WriteError> {
        if !self.has_room() {
            return Err(WriteError::TooSmall { needed: 1 });
        }
        let buffer = self.buffer.bytes_mut();
        let written = fill(buffer)?;
        let piece = buffer.get(..written).unwrap_or(buffer);
        if let Some(last) = piece.last() {
            self.mid_line = *last != b'\n';
        }
        self.filled = piece.len();
        Ok(self.filled > 0)
    }

    /// Ends the line in hand, if it is not ended; the buffer must be empty.
    pub(super) fn give_up(&mut self) {
        if self.mid_line
            && self.has_room()
            && let Some(byte) = self.buffer.bytes_mut().first_mut()
        {
            *byte = b'\n';
            self.filled = 1;
            self.mid_line = false;
        }
    }
}
