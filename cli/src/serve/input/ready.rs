//! On one thread: the system is asked whether there is something to be read.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use wireline::session::Handle;

use super::{CHUNK, Came};
use crate::failure::Failure;
use crate::patient::Patient;
use crate::stdio;

/// How often threads are looked after while there are some.
const GLANCE: Duration = Duration::from_millis(10);

pub(in super::super) struct Input {
    from: Patient<File>,
    buffer: Box<[u8]>,
    filled: usize,
    ended: bool,
    sender: Sender<Handle>,
    done: Receiver<Handle>,
    /// Threads that are at work.
    workers: usize,
}

impl Input {
    pub(in super::super) fn start() -> Result<Self, Failure> {
        let from = stdio::input().map_err(|error| Failure::io("use", "standard input", &error))?;
        let (sender, done) = channel();
        Ok(Self {
            from: Patient(from),
            buffer: vec![0; CHUNK].into_boxed_slice(),
            filled: 0,
            ended: false,
            sender,
            done,
            workers: 0,
        })
    }

    /// What comes next, or nothing within that time; without one it is waited for.
    pub(in super::super) fn next(&mut self, within: Option<Duration>) -> Option<Came> {
        self.filled = 0;
        if let Ok(handle) = self.done.try_recv() {
            return Some(self.through(handle));
        }
        if self.ended {
            let within = within.unwrap_or(GLANCE);
            let handle = self.done.recv_timeout(within).ok()?;
            return Some(self.through(handle));
        }
        let within = match self.workers {
            0 => within,
            _ => Some(within.unwrap_or(GLANCE).min(GLANCE)),
        };
        if within.is_some_and(|within| !self.is_ready(within)) {
            return None;
        }
        self.filled = loop {
            match self.from.read(&mut self.buffer) {
                Ok(filled) => break filled,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A terminal or a socket that went away ends the input like any other end.
                Err(_) => break 0,
            }
        };
        self.ended = self.filled == 0;
        Some(if self.ended { Came::End } else { Came::Bytes })
    }

    pub(in super::super) fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.filled).unwrap_or(&[])
    }

    /// For a thread that will say once that it is through.
    pub(in super::super) fn worker(&mut self) -> Sender<Handle> {
        self.workers += 1;
        self.sender.clone()
    }

    fn through(&mut self, handle: Handle) -> Came {
        self.workers = self.workers.saturating_sub(1);
        Came::Done(handle)
    }

    /// Whether there is something to be read, or an end, within that time.
    fn is_ready(&self, within: Duration) -> bool {
        let timeout = Timespec::try_from(within).ok();
        let mut fds = [PollFd::new(&self.from.0, PollFlags::IN)];
        // Interrupted is as good as not yet; what else is wrong, the read tells.
        match poll(&mut fds, timeout.as_ref()) {
            Ok(ready) => ready > 0,
            Err(error) => error != rustix::io::Errno::INTR,
        }
    }
}
