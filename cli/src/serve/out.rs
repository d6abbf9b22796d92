//! Standard output: lines gathered in one buffer, written when it is full and before the server
//! waits.

use std::fs::File;
use std::io::{self, Write};

use wireline::encode::WriteError;
use wireline::session::Send;

use crate::patient::Patient;
use crate::stdio;

/// Large enough that the system gives it as pages of zeros: what is never filled never takes memory.
const BUFFER: usize = 256 * 1024;

/// So much is written without waiting for more.
const FULL: usize = 64 * 1024;

pub(super) struct Out {
    to: Patient<File>,
    buffer: Box<[u8]>,
    filled: usize,
}

impl Out {
    pub(super) fn open() -> io::Result<Self> {
        Ok(Self {
            to: Patient(stdio::output()?),
            buffer: vec![0; BUFFER].into_boxed_slice(),
            filled: 0,
        })
    }

    pub(super) fn send(&mut self, send: &Send<'_>) -> io::Result<()> {
        if send.is_empty() {
            return Ok(());
        }
        match send.write(self.spare()) {
            Ok(length) => {
                self.filled += length;
                if self.filled >= FULL {
                    return self.flush();
                }
                Ok(())
            }
            Err(WriteError::TooSmall { .. }) => self.send_long(send),
            // The session measured what it made: nothing of it can be wrong.
            Err(error) => Err(io::Error::other(error)),
        }
    }

    /// A line that was written already.
    pub(super) fn bytes(&mut self, mut line: &[u8]) -> io::Result<()> {
        while !line.is_empty() {
            if self.filled == self.buffer.len() {
                self.flush()?;
            }
            let spare = self.spare();
            let length = spare.len().min(line.len());
            let (now, later) = line.split_at(length);
            for (to, from) in spare.iter_mut().zip(now) {
                *to = *from;
            }
            self.filled += length;
            line = later;
        }
        Ok(())
    }

    /// In pieces, through what is left of the buffer and then through all of it.
    fn send_long(&mut self, send: &Send<'_>) -> io::Result<()> {
        for line in send.lines() {
            let mut pieces = line.pieces().map_err(io::Error::other)?;
            loop {
                if self.filled == self.buffer.len() {
                    self.flush()?;
                }
                let length = pieces.fill(self.spare()).map_err(io::Error::other)?;
                if length == 0 {
                    break;
                }
                self.filled += length;
            }
        }
        Ok(())
    }

    fn spare(&mut self) -> &mut [u8] {
        self.buffer.get_mut(self.filled..).unwrap_or(&mut [])
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        let filled = std::mem::take(&mut self.filled);
        match self.buffer.get(..filled) {
            Some(bytes) if !bytes.is_empty() => self.to.write_all(bytes),
            _ => Ok(()),
        }
    }
}
