//! The handshake of the legacy era, which is repeated to a device that may have restarted.

use std::time::{Duration, Instant};

use wireline::{Id, Kind, Message};

use super::ids;

/// How long what waits is kept back for the answer to a repeated handshake, from when that has left.
const PATIENCE: Duration = Duration::from_secs(5);

/// The client's handshake.
#[derive(Debug, Default)]
pub(super) struct Handshake {
    pub(super) line: Vec<u8>,
    pub(super) id: Box<[u8]>,
    /// The device has answered it: before that it is a request as any other.
    pub(super) answered: bool,
    /// The client has said `notifications/initialized`, and the bridge need not keep that any more.
    pub(super) done: bool,
}

/// A handshake that is being repeated.
#[derive(Debug)]
pub(super) struct Repeat {
    id: Box<[u8]>,
    /// The device is owed `notifications/initialized` once it has answered: no line that waits is one.
    completes: bool,
    wait: Wait,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// It has not left yet.
    Leaving,
    Until(Instant),
    /// It was not answered in time. It may be yet.
    Over,
}

impl Repeat {
    pub(super) fn new(handshake: &Handshake) -> Self {
        Self {
            id: handshake.id.clone(),
            completes: handshake.done,
            wait: Wait::Leaving,
        }
    }

    /// All that was to be sent has left.
    pub(super) fn left(&mut self, now: Instant) {
        if self.wait == Wait::Leaving {
            self.wait = Wait::Until(now + PATIENCE);
        }
    }

    /// Whether nothing else is sent meanwhile.
    pub(super) fn holds(&self) -> bool {
        self.wait != Wait::Over
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.wait {
            Wait::Until(until) => Some(until),
            Wait::Leaving | Wait::Over => None,
        }
    }

    /// Whether the time that is waited for it has just run out.
    pub(super) fn runs_out(&mut self, now: Instant) -> bool {
        let out = self.deadline().is_some_and(|until| until <= now);
        if out {
            self.wait = Wait::Over;
        }
        out
    }

    pub(super) fn is_answered_by(&self, id: Id<'_>) -> bool {
        ids::is(&self.id, id)
    }

    /// Whether `notifications/initialized` is to be sent. A device that refuses still has the session.
    pub(super) fn completes(&self, answer: &Message<'_>) -> bool {
        self.completes && answer.kind() == Kind::Result
    }
}
