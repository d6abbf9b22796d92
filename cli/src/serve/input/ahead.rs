//! Read ahead on a thread of its own, where a read cannot be waited for together with other things.
//!
//! A buffer goes round between the two threads: nothing is allocated and no byte is copied.

use std::io::{ErrorKind, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use wireline::session::Handle;

use super::{CHUNK, Came};
use crate::failure::Failure;
use crate::patient::Patient;
use crate::stdio;

enum Event {
    Bytes(Box<[u8]>, usize),
    Done(Handle),
    End,
}

pub(in super::super) struct Input {
    events: Receiver<Event>,
    sender: Sender<Event>,
    spent: SyncSender<Box<[u8]>>,
    current: Option<(Box<[u8]>, usize)>,
}

impl Input {
    pub(in super::super) fn start() -> Result<Self, Failure> {
        let mut from = stdio::input()
            .map(Patient)
            .map_err(|error| Failure::io("use", "standard input", &error))?;
        let (sender, events) = channel();
        let (spent, buffers) = sync_channel::<Box<[u8]>>(1);
        let _ = spent.send(vec![0; CHUNK].into_boxed_slice());
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
                let event = match filled {
                    0 => Event::End,
                    _ => Event::Bytes(buffer, filled),
                };
                if sink.send(event).is_err() || filled == 0 {
                    break;
                }
            }
        });
        Ok(Self {
            events,
            sender,
            spent,
            current: None,
        })
    }

    /// What comes next, or nothing within that time; without one it is waited for.
    pub(in super::super) fn next(&mut self, within: Option<Duration>) -> Option<Came> {
        if let Some((buffer, _)) = self.current.take() {
            let _ = self.spent.send(buffer);
        }
        let event = match within {
            Some(within) => self.events.recv_timeout(within).ok()?,
            None => self.events.recv().ok()?,
        };
        Some(match event {
            Event::Bytes(buffer, filled) => {
                self.current = Some((buffer, filled));
                Came::Bytes
            }
            Event::Done(handle) => Came::Done(handle),
            Event::End => Came::End,
        })
    }

    pub(in super::super) fn bytes(&self) -> &[u8] {
        match &self.current {
            Some((buffer, filled)) => buffer.get(..*filled).unwrap_or(&[]),
            None => &[],
        }
    }

    /// For a thread that will say once that it is through.
    pub(in super::super) fn worker(&mut self) -> Sender<Handle> {
        let (sender, done) = channel();
        let sink = self.sender.clone();
        thread::spawn(move || {
            for handle in done {
                let _ = sink.send(Event::Done(handle));
            }
        });
        sender
    }
}
