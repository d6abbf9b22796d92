//! Requests that wait for an answer, by their ids.

use std::time::{Duration, Instant};

use wireline::{Id, Message};

/// A request that has waited for so long may be given up for a newer one: its answer, or the
/// request itself, was lost on the line.
pub(super) const STALE: Duration = Duration::from_secs(300);

/// How a request may end beside its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    /// By `notifications/cancelled` of whoever asked.
    Plain,
    /// Only by its answer: `initialize`, and what runs as a task.
    Kept,
    /// `subscriptions/listen`, which lasts as long as its client wants; the server may end it too.
    Subscription,
}

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    /// Its token, as written.
    pub(super) id: Box<[u8]>,
    pub(super) nature: Nature,
}

impl Request {
    pub(super) fn new(id: Id<'_>, message: Option<&Message<'_>>) -> Self {
        let method = message.and_then(Message::method);
        let nature = if method.is_some_and(|it| it == "subscriptions/listen") {
            Nature::Subscription
        } else if method.is_some_and(|it| it == "initialize")
            || message.and_then(|it| it.params()?.get("task")).is_some()
        {
            Nature::Kept
        } else {
            Nature::Plain
        };
        Self {
            id: id.as_bytes().into(),
            nature,
        }
    }
}

/// Requests, at most so many, each id no longer than the decoder's ceiling.
///
/// Looked through from the front: few requests wait at once, and most are answered in order.
#[derive(Debug)]
pub(super) struct Ids {
    waiting: Vec<(Request, Instant)>,
    max: usize,
}

impl Ids {
    pub(super) const fn new(max: usize) -> Self {
        Self {
            waiting: Vec::new(),
            max,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn insert(&mut self, request: Request, now: Instant) {
        self.waiting.push((request, now));
    }

    /// Forgets an id; `false` if it was not there.
    pub(super) fn remove(&mut self, id: Id<'_>) -> bool {
        self.take_where(|it| is(&it.id, id)).is_some()
    }

    /// The server has ended a subscription.
    pub(super) fn ended_by_server(&mut self, id: Id<'_>) -> bool {
        self.take_where(|it| it.nature == Nature::Subscription && is(&it.id, id))
            .is_some()
    }

    /// Whether `more` find room.
    pub(super) fn has_room(&self, more: usize) -> bool {
        self.waiting.len() + more <= self.max
    }

    /// The request that has waited longest, if that is too long.
    pub(super) fn give_up(&mut self, now: Instant) -> Option<Request> {
        let at = self.waiting.iter().position(|(it, since)| {
            it.nature != Nature::Subscription && now.duration_since(*since) >= STALE
        })?;
        Some(self.waiting.remove(at).0)
    }

    pub(super) fn take(&mut self) -> impl Iterator<Item = Request> + use<> {
        std::mem::take(&mut self.waiting)
            .into_iter()
            .map(|(request, _)| request)
    }

    fn take_where(&mut self, which: impl Fn(&Request) -> bool) -> Option<Request> {
        let at = self.waiting.iter().position(|(it, _)| which(it))?;
        Some(self.waiting.remove(at).0)
    }
}

/// Whether a token means this id.
pub(super) fn is(token: &[u8], id: Id<'_>) -> bool {
    Id::parse(token).is_some_and(|token| token == id)
}
