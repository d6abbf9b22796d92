//! Requests that wait for an answer, by their ids.

use wireline::Id;

/// Ids, at most so many, each no longer than the decoder's ceiling.
///
/// Looked through from the front: few requests wait at once, and most are answered in order.
#[derive(Debug)]
pub(super) struct Ids {
    tokens: Vec<Box<[u8]>>,
    max: usize,
}

impl Ids {
    pub(super) const fn new(max: usize) -> Self {
        Self {
            tokens: Vec::new(),
            max,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.tokens.len() >= self.max
    }

    pub(super) fn insert(&mut self, token: Box<[u8]>) {
        self.tokens.push(token);
    }

    /// Forgets an id; `false` if it was not there.
    pub(super) fn remove(&mut self, id: Id<'_>) -> bool {
        match self.tokens.iter().position(|token| is(token, id)) {
            Some(at) => {
                self.tokens.remove(at);
                true
            }
            None => false,
        }
    }

    pub(super) fn take(&mut self) -> Vec<Box<[u8]>> {
        std::mem::take(&mut self.tokens)
    }
}

/// Whether a token means this id.
pub(super) fn is(token: &[u8], id: Id<'_>) -> bool {
    Id::parse(token).is_some_and(|token| token == id)
}
