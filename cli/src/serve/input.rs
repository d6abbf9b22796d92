//! Standard input, read ahead on a thread of its own, so that the server can wait for it and for
//! its timers at once, on every system.
//!
//! Two buffers go round between the two threads: nothing is allocated and no byte is copied.

use std::io::{ErrorKind, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use wireline::session::Handle;

use crate::failure::Failure;
use crate::patient::Patient;
use crate::stdio;

const CHUNK: usize = 64 * 1024;
const BUFFERS: usize = 1;

/// Bytes that came, in a buffer that is to be given back.
pub(super) struct Chunk {
    buffer: Box<[u8]>,
    filled: usize,
}

impl Chunk {
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.filled).unwrap_or(&[])
    }
}

pub(super) enum Came {
    Chunk(Chunk),
    /// A thread that worked for this request is through.
    Done(Handle),
    End,
}

pub(super) struct Input {
    came: Receiver<Came>,
    sender: SyncSender<Came>,
    spent: SyncSender<Box<[u8]>>,
}

impl Input {
    pub(super) fn start() -> Result<Self, Failure> {
        let mut from = stdio::input()
            .map(Patient)
            .map_err(|error| Failure::io("use", "standard input", &error))?;
        let (sender, came) = sync_channel(BUFFERS);
        let (spent, buffers) = sync_channel(BUFFERS);
        for _ in 0..BUFFERS {
            let _ = spent.send(vec![0; CHUNK].into_boxed_slice());
        }
        let sink = sender.clone();
        thread::spawn(move || {
            while let Ok(mut buffer) = buffers.recv() {
                let filled = loop {
                    match from.read(&mut buffer) {
                        Ok(filled) => break filled,
                        Err(error) if error.kind() == ErrorKind::Interrupted => {}
                        // A terminal or a socket that went away ends the input like any other end.
                        Err(_) => break 0,
                    }
                };
                let came = match filled {
                    0 => Came::End,
                    _ => Came::Chunk(Chunk { buffer, filled }),
                };
                if sink.send(came).is_err() || filled == 0 {
                    break;
                }
            }
        });
        Ok(Self {
            came,
            sender,
            spent,
        })
    }

    /// What comes next, or nothing within that time; without one it is waited for.
    pub(super) fn next(&self, within: Option<Duration>) -> Option<Came> {
        match within {
            Some(within) => self.came.recv_timeout(within).ok(),
            None => self.came.recv().ok(),
        }
    }

    /// For threads that have something to say.
    pub(super) fn sender(&self) -> SyncSender<Came> {
        self.sender.clone()
    }

    pub(super) fn give_back(&self, chunk: Chunk) {
        let _ = self.spent.send(chunk.buffer);
    }
}
