//! A session's tables on the heap.

use wireline::session::{Inbound, Outbound, Slots, Tables};

/// Bytes of an id and a progress token that a slot has room for.
const TEXT: usize = 256;

/// Tables of a length that is chosen at run time.
pub(super) struct Heap {
    inbound: Box<[Inbound]>,
    outbound: Box<[Outbound]>,
    text: Box<[u8]>,
    gather: Box<[u8]>,
}

impl Heap {
    /// So many slots for requests of the peer and for ours, and bytes to gather the answers to a
    /// batch in.
    pub(super) fn new(inbound: usize, outbound: usize, gather: usize) -> Heap {
        Heap {
            inbound: vec![Inbound::VACANT; inbound].into(),
            outbound: vec![Outbound::VACANT; outbound].into(),
            text: vec![0; inbound.saturating_mul(TEXT)].into(),
            gather: vec![0; gather].into(),
        }
    }
}

impl Slots for Heap {
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

    fn gather(&mut self) -> &mut [u8] {
        &mut self.gather
    }
}
