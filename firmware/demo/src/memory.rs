//! What the compiler calls to copy and to clear bytes, in a few instructions each: those that Rust brings along are written
//! for speed and take 1.4 KB, and nothing here is in a hurry at the pace of a UART.
//!
//! The accesses are volatile and the loops have names of their own, since the compiler turns a plain loop, and a call of
//! `memcpy` under any of its names, into a call of the function that it stands in.

/// # Safety
///
/// `count` bytes may be read from `from` and written to `to`, which do not overlap.
#[inline(never)]
unsafe fn copy(to: *mut u8, from: *const u8, count: usize) {
    let mut at = 0;
    while at < count {
        // SAFETY: the caller's promise.
        unsafe { to.add(at).write_volatile(from.add(at).read_volatile()) };
        at += 1;
    }
}

/// # Safety
///
/// `count` bytes may be written to `to`.
#[inline(never)]
unsafe fn fill(to: *mut u8, byte: u8, count: usize) {
    let mut at = 0;
    while at < count {
        // SAFETY: the caller's promise.
        unsafe { to.add(at).write_volatile(byte) };
        at += 1;
    }
}

/// # Safety
///
/// As C has it, and as [`copy`].
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { copy(to, from, count) };
    to
}

/// # Safety
///
/// As C has it, and as [`fill`].
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { fill(to, byte as u8, count) };
    to
}

/// The names that Arm's ABI has for the same, by what the addresses are multiples of.
#[cfg(target_arch = "arm")]
mod aeabi {
    use super::{copy, fill};

    macro_rules! named {
        ($($copy:ident $clear:ident)*) => {$(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $copy(to: *mut u8, from: *const u8, count: usize) {
                // SAFETY: the caller's promise, as of `memcpy`.
                unsafe { copy(to, from, count) };
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn $clear(to: *mut u8, count: usize) {
                // SAFETY: the caller's promise, as of `memset` of zeros.
                unsafe { fill(to, 0, count) };
            }
        )*};
    }

    named! {
        __aeabi_memcpy __aeabi_memclr
        __aeabi_memcpy4 __aeabi_memclr4
        __aeabi_memcpy8 __aeabi_memclr8
    }
}
