//! Requests that take a while. Each is a note of what to do next and when, so a thousand of them
//! take no thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use wireline::session::{Handle, Millis};

use super::ask::Then;

pub(super) enum Work {
    Sleep(u64),
    Hang,
    /// So many of so many steps are done, so many milliseconds apart.
    Steps {
        done: u64,
        total: u64,
        gap: u64,
        end: &'static str,
    },
    /// The steps of a tool of the conformance suite.
    Paced {
        step: usize,
        what: Paced,
    },
    /// A question to the client, in the legacy era.
    Asked {
        ours: Handle,
        then: Then,
    },
    /// A thread writes to standard error, until it is told to stop.
    Noise(Arc<AtomicBool>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Paced {
    Logging,
    Progress,
}

struct Job {
    handle: Handle,
    /// `Millis::MAX` for what no clock ends.
    due: Millis,
    work: Work,
}

#[derive(Default)]
pub(super) struct Jobs(Vec<Job>);

impl Jobs {
    pub(super) fn add(&mut self, handle: Handle, due: Millis, work: Work) {
        self.0.push(Job { handle, due, work });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// When the next one has to be looked at.
    pub(super) fn next(&self) -> Option<Millis> {
        self.0
            .iter()
            .map(|job| job.due)
            .filter(|&due| due != Millis::MAX)
            .min()
    }

    /// The one that has waited longest of those that are due.
    pub(super) fn take_due(&mut self, now: Millis) -> Option<(Handle, Work)> {
        let (at, job) = self.0.iter().enumerate().min_by_key(|(_, job)| job.due)?;
        if job.due > now {
            return None;
        }
        // In order, so that those due at once are answered in the order they came in.
        let job = self.0.remove(at);
        Some((job.handle, job.work))
    }

    /// Takes the job of a request, if there is one.
    pub(super) fn take(&mut self, handle: Handle) -> Option<Work> {
        let at = self.0.iter().position(|job| job.handle == handle)?;
        let work = self.0.remove(at).work;
        if let Work::Noise(stop) = &work {
            stop.store(true, Ordering::Relaxed);
        }
        Some(work)
    }

    /// Takes the job that waits for the answer to this request of ours.
    pub(super) fn asked(&mut self, ours: Handle) -> Option<(Handle, Then)> {
        self.0
            .iter()
            .position(|job| matches!(job.work, Work::Asked { ours: it, .. } if it == ours))
            .and_then(|at| {
                let job = self.0.remove(at);
                match job.work {
                    Work::Asked { then, .. } => Some((job.handle, then)),
                    _ => None,
                }
            })
    }

    /// Takes any one, when all are given up.
    pub(super) fn pop(&mut self) -> Option<(Handle, Work)> {
        let handle = self.0.first()?.handle;
        Some((handle, self.take(handle)?))
    }
}
