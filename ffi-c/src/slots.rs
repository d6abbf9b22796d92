//! The tables of a session, in memory of the caller's.

use core::ffi::c_char;

use wireline::session::{Inbound, Outbound, Slots, Tables};

use crate::args::{Sized32, input, pointer, reserved};
use crate::status::{Failed, Outcome, WIRELINE_ERR_ARGUMENT, WIRELINE_ERR_NULL};

/// A request of the peer that is being worked on. What it holds is the session's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_inbound {
    /// The library's.
    pub words: [u32; 9],
}

/// A request of ours that waits for its answer. What it holds is the session's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_outbound {
    /// The library's.
    pub words: [u64; 6],
}

const _: () = {
    assert!(size_of::<Inbound>() == size_of::<wireline_inbound>());
    assert!(align_of::<Inbound>() <= align_of::<wireline_inbound>());
    assert!(size_of::<Outbound>() == size_of::<wireline_outbound>());
    assert!(align_of::<Outbound>() <= align_of::<wireline_outbound>());
};

/// The tables of a session, in memory of the caller's, which stays the session's until it is
/// used no more. Zeroed memory with `size` set means no tables.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_slots {
    /// `sizeof(wireline_slots)`.
    pub size: u32,
    /// 0.
    pub reserved: u32,
    /// Requests of the peer, an array. A server without them refuses every request but
    /// those that it answers by itself.
    pub inbound: *mut wireline_inbound,
    /// How many.
    pub inbound_count: usize,
    /// Requests of ours, an array. A client needs at least one.
    pub outbound: *mut wireline_outbound,
    /// How many.
    pub outbound_count: usize,
    /// Bytes for the ids and progress tokens of `inbound`, shared evenly among its slots; 60
    /// for each hold an id of 40 and most tokens.
    pub text: *mut c_char,
    /// How many.
    pub text_size: usize,
    /// Where the answers to a batch of 2025-03-26 are gathered: as long as the longest line
    /// that is to leave. May be NULL: batches are refused then.
    pub gather: *mut c_char,
    /// How many bytes.
    pub gather_size: usize,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_slots {}

/// The tables that a session was lent. No reference to them outlives a call.
#[derive(Debug)]
pub(crate) struct Lent {
    inbound: (*mut Inbound, usize),
    outbound: (*mut Outbound, usize),
    text: (*mut u8, usize),
    #[cfg(feature = "batch")]
    gather: (*mut u8, usize),
}

/// An array of the caller's, looked at and not written to.
fn array<T, C>(ptr: *mut C, count: usize) -> Outcome<(*mut T, usize)> {
    if count == 0 {
        return Ok((core::ptr::NonNull::dangling().as_ptr(), 0));
    }
    pointer(ptr)?;
    // A handle has 16 bits for the place in its table.
    if count > usize::from(u16::MAX) {
        return Err(Failed(WIRELINE_ERR_ARGUMENT));
    }
    Ok((ptr.cast(), count))
}

/// Bytes of the caller's, looked at and not written to.
fn memory(ptr: *mut c_char, len: usize) -> Outcome<(*mut u8, usize)> {
    match len {
        0 => Ok((core::ptr::NonNull::dangling().as_ptr(), 0)),
        _ if ptr.is_null() => Err(Failed(WIRELINE_ERR_NULL)),
        _ if len > isize::MAX as usize => Err(Failed(WIRELINE_ERR_ARGUMENT)),
        _ => Ok((ptr.cast(), len)),
    }
}

/// Writes a value into each place.
///
/// # Safety
///
/// The caller vouches for so many places, each as large and as aligned as a value.
unsafe fn fill<T: Copy>((ptr, count): (*mut T, usize), value: T) {
    for index in 0..count {
        // SAFETY: as said.
        unsafe { ptr.add(index).write(value) };
    }
}

impl Lent {
    /// Nothing of the caller's is written before all is found good, and all of it then.
    pub(crate) unsafe fn new(slots: *const wireline_slots) -> Outcome<Lent> {
        // SAFETY: the caller vouches for the pointers.
        unsafe {
            let it = input(slots)?;
            reserved(it.reserved)?;
            let gather = memory(it.gather, it.gather_size)?;
            let lent = Lent {
                inbound: array(it.inbound, it.inbound_count)?,
                outbound: array(it.outbound, it.outbound_count)?,
                text: memory(it.text, it.text_size)?,
                #[cfg(feature = "batch")]
                gather,
            };
            #[cfg(not(feature = "batch"))]
            if gather.1 > 0 {
                return Err(Failed(crate::status::WIRELINE_ERR_UNSUPPORTED));
            }
            fill(lent.inbound, Inbound::VACANT);
            fill(lent.outbound, Outbound::VACANT);
            // What a slot holds is only ever a part of these that the session has written.
            fill(lent.text, 0);
            #[cfg(feature = "batch")]
            fill(lent.gather, 0);
            Ok(lent)
        }
    }
}

/// A part of what was lent, to be read.
///
/// # Safety
///
/// The caller of `init` vouches that it lasts as long as the session and is its alone; `new`
/// has written a value into each slot.
unsafe fn part<'a, T>((ptr, len): (*mut T, usize)) -> &'a [T] {
    // SAFETY: as said.
    unsafe { core::slice::from_raw_parts(ptr, len) }
}

/// A part of what was lent, to be written.
///
/// # Safety
///
/// As of `part`, and no other reference to it is in use.
unsafe fn part_mut<'a, T>((ptr, len): (*mut T, usize)) -> &'a mut [T] {
    // SAFETY: as said.
    unsafe { core::slice::from_raw_parts_mut(ptr, len) }
}

impl Slots for Lent {
    fn tables(&mut self) -> Tables<'_> {
        // SAFETY: `new` has checked it, the parts do not overlap, as the conventions ask, and
        // `self` is borrowed as long as they are.
        unsafe {
            Tables {
                inbound: part_mut(self.inbound),
                outbound: part_mut(self.outbound),
                text: part_mut(self.text),
            }
        }
    }

    fn inbound(&self) -> &[Inbound] {
        // SAFETY: as above.
        unsafe { part(self.inbound) }
    }

    fn outbound(&self) -> &[Outbound] {
        // SAFETY: as above.
        unsafe { part(self.outbound) }
    }

    fn text(&self) -> &[u8] {
        // SAFETY: as above.
        unsafe { part(self.text) }
    }

    #[cfg(feature = "batch")]
    fn gather(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { part_mut(self.gather) }
    }
}
