//! A session's tables on the heap, for hosts.

use std::collections::TryReserveError;
use std::vec::Vec;

use super::slots::{Inbound, Outbound, Slots, Tables};

/// Tables on the heap, of lengths that are chosen at run time. They are taken once and never
/// grow: a peer cannot make a session take more.
///
/// With the feature `std`. [`Memory`](super::Memory) is the same without a heap.
///
/// ```
/// use wireline::session::{HeapMemory, Slots};
/// # fn main() -> Result<(), std::collections::TryReserveError> {
/// let memory = HeapMemory::new(64, 16, 96)?;
/// assert_eq!((memory.inbound().len(), memory.outbound().len()), (64, 16));
/// assert_eq!(memory.text().len(), 64 * 96);
/// // Lengths that no memory is there for are an error, not the end of the process.
/// assert!(HeapMemory::new(usize::MAX, 16, 96).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct HeapMemory {
    inbound: Vec<Inbound>,
    outbound: Vec<Outbound>,
    text: Vec<u8>,
    #[cfg(feature = "batch")]
    gather: Vec<u8>,
}

impl HeapMemory {
    /// Empty tables: `inbound` requests of the peer and `outbound` of ours at a time, and for
    /// each of the former `tokens` bytes, which hold its id and its progress token.
    ///
    /// # Errors
    ///
    /// There is no memory for a table of more than 32 MiB, in WebAssembly for one of any size.
    pub fn new(inbound: usize, outbound: usize, tokens: usize) -> Result<Self, TryReserveError> {
        Ok(HeapMemory {
            inbound: filled(Inbound::VACANT, inbound)?,
            outbound: filled(Outbound::VACANT, outbound)?,
            text: filled(0, inbound.saturating_mul(tokens))?,
            #[cfg(feature = "batch")]
            gather: Vec::new(),
        })
    }

    /// The same with `bytes` to gather the answers to a batch in: as many as the longest line
    /// that is to leave. Without them batches are refused. The system usually gives a page of
    /// them only once an answer reaches it.
    ///
    /// # Errors
    ///
    /// There is no memory for a table of more than 32 MiB.
    #[cfg(feature = "batch")]
    pub fn with_gather(mut self, bytes: usize) -> Result<Self, TryReserveError> {
        self.gather = filled(0, bytes)?;
        Ok(self)
    }
}

/// Bytes that are asked for without a trial. In WebAssembly none: there memory ends early, and
/// its allocator learns nothing.
const SMALL: usize = if cfg!(target_family = "wasm") {
    0
} else {
    32 << 20
};

/// `vec!` ends the process where there is no memory, which a caller's number must not. It is
/// used nevertheless, since it takes zeroed memory as the system gives it, without touching it.
fn filled<T: Clone>(with: T, length: usize) -> Result<Vec<T>, TryReserveError> {
    // Allocators learn from what is given back (glibc's, up to this size): after a trial the
    // next memory would not come from the system, and so would be written.
    if length.saturating_mul(size_of::<T>()) > SMALL {
        let mut trial = Vec::<T>::new();
        trial.try_reserve_exact(length)?;
        // Seen from outside: what nobody uses the compiler need not even ask for.
        drop(std::hint::black_box(trial));
    }
    Ok(std::vec![with; length])
}

impl Slots for HeapMemory {
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

    #[cfg(feature = "batch")]
    fn gather(&mut self) -> &mut [u8] {
        &mut self.gather
    }
}
