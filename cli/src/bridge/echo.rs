//! A device that sends back what it is sent, as a terminal does whose echo is on.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use wireline::Message;

/// Lines that are remembered: far more than are under way on a line.
const REMEMBERED: usize = 64;

/// What both peers may send, so that the same line from both is no sign of an echo.
const EITHER: [&str; 7] = [
    "ping",
    "notifications/cancelled",
    "notifications/progress",
    "tasks/get",
    "tasks/result",
    "tasks/list",
    "tasks/cancel",
];

#[derive(Clone, Copy, Debug)]
struct Sent {
    line: u64,
    /// The bridge's own, which no device says.
    own: bool,
}

/// The lines that were sent last, by their hashes.
#[derive(Debug, Default)]
pub(super) struct Echo {
    sent: VecDeque<Sent>,
    /// The device has been found to echo.
    heard: bool,
}

impl Echo {
    /// A line has left: the bridge's own, or one that was passed on.
    pub(super) fn sent(&mut self, line: &[u8], own: bool) {
        if self.sent.len() >= REMEMBERED {
            self.sent.pop_front();
        }
        let line = hash(line);
        self.sent.push_back(Sent { line, own });
    }

    /// Whether a message of the device's is one that it was sent.
    pub(super) fn is(&mut self, message: &Message<'_>) -> Heard {
        // What a device may say too is an echo only where others have been.
        let sure = self.heard
            || message
                .method()
                .is_some_and(|method| !EITHER.iter().any(|it| method == *it));
        let line = hash(message.as_bytes());
        let found = self
            .sent
            .iter()
            .position(|sent| sent.line == line && (sure || sent.own));
        let Some(at) = found else { return Heard::No };
        self.sent.remove(at);
        if std::mem::replace(&mut self.heard, true) {
            Heard::Again
        } else {
            Heard::First
        }
    }

    /// The device is gone; the next one may be another.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    No,
    First,
    Again,
}

fn hash(line: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.trim_ascii().hash(&mut hasher);
    hasher.finish()
}
