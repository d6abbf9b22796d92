//! Requests of the peer that wait until a slot is free.

use std::collections::VecDeque;

use wireline::mcp::Method;
use wireline::{Kind, Message};

use crate::message::Held;

/// What a request that waits takes beside its own bytes.
const BESIDE: usize = 512;

/// One that waits, and where in the stream it stood.
pub(super) struct Request {
    pub(super) held: Held,
    pub(super) place: (u64, u64),
}

impl Request {
    fn bytes(&self) -> usize {
        self.held.get().as_bytes().len().saturating_add(BESIDE)
    }
}

/// Requests that wait, in their order, within a ceiling of memory.
pub(super) struct Waiting {
    requests: VecDeque<Request>,
    /// Bytes that they take, and may take.
    bytes: usize,
    ceiling: usize,
    /// Slots for requests of the peer.
    slots: usize,
    /// At least as many of these are taken as there are, since counting them takes time.
    at_most: usize,
}

impl Waiting {
    pub(super) fn new(slots: usize, ceiling: usize) -> Waiting {
        Waiting {
            requests: VecDeque::new(),
            bytes: 0,
            ceiling,
            slots,
            at_most: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether a slot is free. `count` counts those that are taken.
    fn is_free(&mut self, count: impl FnOnce() -> usize) -> bool {
        if self.at_most >= self.slots {
            self.at_most = count();
        }
        self.at_most < self.slots
    }

    /// Whether a message has to wait: a request that takes a slot where none is free, or others wait
    /// already. One of a batch does not, since its answer belongs to the others'.
    pub(super) fn takes(&mut self, message: &Message<'_>, count: impl FnOnce() -> usize) -> bool {
        if self.ceiling == 0
            || self.slots == 0
            || message.kind() != Kind::Request
            || message.batch().is_some()
        {
            return false;
        }
        let method = message.method().and_then(Method::from_json_str);
        // These are answered without a slot.
        if matches!(
            method,
            Some(Method::Ping | Method::Initialize | Method::Discover)
        ) {
            return false;
        }
        if self.requests.is_empty() && self.is_free(count) {
            self.at_most += 1;
            return false;
        }
        let room = message.as_bytes().len().saturating_add(BESIDE);
        self.bytes.saturating_add(room) <= self.ceiling
    }

    pub(super) fn clear(&mut self) {
        self.requests.clear();
        self.bytes = 0;
    }

    pub(super) fn push(&mut self, request: Request) {
        self.bytes += request.bytes();
        self.requests.push_back(request);
    }

    /// The next one, if a slot is free for it.
    pub(super) fn next(&mut self, count: impl FnOnce() -> usize) -> Option<Request> {
        if self.requests.is_empty() || !self.is_free(count) {
            return None;
        }
        let request = self.requests.pop_front()?;
        self.bytes -= request.bytes();
        self.at_most += 1;
        Some(request)
    }

    /// Whether a message cancels one that waits; that one is gone then, and was never told of.
    pub(super) fn cancelled(&mut self, message: &Message<'_>) -> bool {
        if self.requests.is_empty() || message.kind() != Kind::Notification {
            return false;
        }
        if message.method().and_then(Method::from_json_str) != Some(Method::Cancelled) {
            return false;
        }
        let Some(target) = message.meta().request_id() else {
            return false;
        };
        let is_target = |it: &Request| it.held.get().id() == Some(target);
        let at = self.requests.iter().position(is_target);
        let Some(request) = at.and_then(|at| self.requests.remove(at)) else {
            return false;
        };
        self.bytes -= request.bytes();
        true
    }
}
