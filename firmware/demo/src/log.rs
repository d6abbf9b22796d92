//! Where `defmt` writes: the board's second UART, in the framing that `defmt-print` reads.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::board;

#[defmt::global_logger]
struct Logger;

/// The encoder, and whether a message is being written.
struct Shared {
    taken: AtomicBool,
    encoder: UnsafeCell<defmt::Encoder>,
}

// SAFETY: only the task logs, no interrupt does, and there is one core.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared {
    taken: AtomicBool::new(false),
    encoder: UnsafeCell::new(defmt::Encoder::new()),
};

// SAFETY: `acquire` stops whoever would write into a message that is not complete; what is written goes out in order.
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        assert!(
            !SHARED.taken.load(Ordering::Acquire),
            "logged while logging"
        );
        SHARED.taken.store(true, Ordering::Release);
        // SAFETY: taken just now.
        unsafe { (*SHARED.encoder.get()).start_frame(write) };
    }

    unsafe fn flush() {}

    unsafe fn release() {
        // SAFETY: taken by `acquire`.
        unsafe { (*SHARED.encoder.get()).end_frame(write) };
        SHARED.taken.store(false, Ordering::Release);
    }

    unsafe fn write(bytes: &[u8]) {
        // SAFETY: taken by `acquire`.
        unsafe { (*SHARED.encoder.get()).write(bytes, write) };
    }
}

defmt::timestamp!("{=u64:ms}", board::now());

/// Waits for room: a message is a few bytes.
fn write(bytes: &[u8]) {
    for byte in bytes {
        while !board::log(*byte) {}
    }
}
