//! The UART as `embedded-io-async` streams: an interrupt fills a ring, the task empties it.
//!
//! While the ring is full no byte is taken from the UART, which then, if it drives RTS, holds the peer up. Where it does not,
//! bytes are lost. What was lost, or came with an error, is 0x00 in the ring, if the UART tells: no message holds that byte,
//! so the decoder refuses the line, which would else be another one that may be as valid.

use core::convert::Infallible;
use core::future::{Future, poll_fn, ready};
use core::sync::atomic::{AtomicU8, Ordering};
use core::task::Poll;

use embedded_io_async::{ErrorType, Read, Write};

use crate::{board, executor};

/// Bytes that may come while the task is at work: at 115200 baud, 5 ms.
const ROOM: u8 = 64;

/// Bytes on their way from the interrupt to the task. The counts run on and wrap, so that full and empty differ.
struct Ring {
    bytes: [AtomicU8; ROOM as usize],
    put: AtomicU8,
    taken: AtomicU8,
}

static RING: Ring = Ring {
    bytes: [const { AtomicU8::new(0) }; ROOM as usize],
    put: AtomicU8::new(0),
    taken: AtomicU8::new(0),
};

impl Ring {
    /// The place of a byte by its count.
    fn slot(&self, count: u8) -> Option<&AtomicU8> {
        self.bytes.get(usize::from(count % ROOM))
    }

    /// By the interrupt.
    fn is_full(&self) -> bool {
        let put = self.put.load(Ordering::Relaxed);
        put.wrapping_sub(self.taken.load(Ordering::Acquire)) >= ROOM
    }

    /// By the interrupt, if the ring is not full.
    fn put(&self, byte: u8) {
        let put = self.put.load(Ordering::Relaxed);
        if let Some(slot) = self.slot(put) {
            slot.store(byte, Ordering::Relaxed);
        }
        self.put.store(put.wrapping_add(1), Ordering::Release);
    }

    /// By the task.
    fn take(&self, into: &mut [u8]) -> usize {
        let mut taken = self.taken.load(Ordering::Relaxed);
        let put = self.put.load(Ordering::Acquire);
        let mut count = 0;
        for to in into {
            let Some(slot) = self.slot(taken).filter(|_| taken != put) else {
                break;
            };
            *to = slot.load(Ordering::Relaxed);
            taken = taken.wrapping_add(1);
            count += 1;
        }
        self.taken.store(taken, Ordering::Release);
        count
    }
}

/// To be called from the interrupt of the UART.
pub(crate) fn received() {
    while !RING.is_full() {
        let Some(byte) = board::receive() else { break };
        RING.put(byte);
    }
    if RING.is_full() {
        board::listen(false);
    }
    executor::wake();
}

/// What comes.
pub(crate) struct Rx;

impl ErrorType for Rx {
    type Error = Infallible;
}

impl Read for Rx {
    // Not an `async fn`: that would be able to panic, if it were polled after its end.
    fn read(&mut self, into: &mut [u8]) -> impl Future<Output = Result<usize, Infallible>> {
        poll_fn(move |_| {
            let count = RING.take(into);
            if count > 0 {
                board::listen(true);
                Poll::Ready(Ok(count))
            } else {
                Poll::Pending
            }
        })
    }
}

/// What goes.
pub(crate) struct Tx;

impl ErrorType for Tx {
    type Error = Infallible;
}

impl Write for Tx {
    /// Gives the UART as many bytes as it takes, at least one.
    fn write(&mut self, bytes: &[u8]) -> impl Future<Output = Result<usize, Infallible>> {
        poll_fn(move |_| {
            let sent = bytes.iter().take_while(|byte| board::send(**byte)).count();
            if sent > 0 || bytes.is_empty() {
                Poll::Ready(Ok(sent))
            } else {
                // The interrupt at the end of the byte in hand wakes the task.
                Poll::Pending
            }
        })
    }

    fn flush(&mut self) -> impl Future<Output = Result<(), Infallible>> {
        ready(Ok(()))
    }
}
