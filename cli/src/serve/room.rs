//! The session's tables, on the heap, where what is never used never takes memory.

use wireline::session::{Inbound, Outbound, Slots, Tables};

/// Requests of the client, and of ours, at a time.
const IN: usize = 128;
const OUT: usize = 32;

/// Bytes of an id and a progress token.
const TOKENS: usize = 160;

/// Bytes of the answers to a batch.
const GATHERED: usize = 64 * 1024;

pub(super) struct Room {
    inbound: Vec<Inbound>,
    outbound: Vec<Outbound>,
    text: Vec<u8>,
    gather: Vec<u8>,
}

impl Room {
    pub(super) fn new() -> Self {
        Self {
            inbound: vec![Inbound::VACANT; IN],
            outbound: vec![Outbound::VACANT; OUT],
            text: vec![0; IN * TOKENS],
            gather: Vec::new(),
        }
    }
}

impl Slots for Room {
    fn tables(&mut self) -> Tables<'_> {
        Tables {
            inbound: &mut self.inbound,
            outbound: &mut self.outbound,
            text: &mut self.text,
        }
    }

    fn inbound(&self) -> &[Inbound] {
        &self.inbound
    }

    fn outbound(&self) -> &[Outbound] {
        &self.outbound
    }

    fn text(&self) -> &[u8] {
        &self.text
    }

    /// There once a batch came: few clients ever send one.
    fn gather(&mut self) -> &mut [u8] {
        if self.gather.is_empty() {
            self.gather = vec![0; GATHERED];
        }
        &mut self.gather
    }
}
