//! A session's tables on the heap.

use std::alloc::{Layout, alloc_zeroed};
use std::ptr;

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
    /// batch in; `None` if there is no memory for these.
    pub(super) fn new(inbound: usize, outbound: usize, gather: usize) -> Option<Heap> {
        Some(Heap {
            inbound: vec![Inbound::VACANT; inbound].into(),
            outbound: vec![Outbound::VACANT; outbound].into(),
            text: vec![0; inbound.saturating_mul(TEXT)].into(),
            gather: zeroed(gather)?,
        })
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

/// Memory that takes room only where it is written; `None` if it cannot be had, which `vec!` would
/// end the process for.
fn zeroed(len: usize) -> Option<Box<[u8]>> {
    let layout = Layout::array::<u8>(len).ok()?;
    if len == 0 {
        return Some(Box::default());
    }
    // SAFETY: the layout's size is not 0.
    let memory = unsafe { alloc_zeroed(layout) };
    if memory.is_null() {
        return None;
    }
    // SAFETY: just allocated with the layout of `[u8; len]`, by the allocator that `Box` frees with,
    // and initialised.
    Some(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(memory, len)) })
}
