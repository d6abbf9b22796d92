//! An executor of one task: polls it when an interrupt has brought something, sleeps otherwise.

use core::future::Future;
use core::pin::pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Waker};

use crate::board;

/// An interrupt has brought something since the task was polled last.
static WOKEN: AtomicBool = AtomicBool::new(false);

/// To be called from interrupts: the task has something to do.
pub(crate) fn wake() {
    WOKEN.store(true, Ordering::Release);
}

/// Polls the task for ever.
pub(crate) fn run(task: impl Future<Output = core::convert::Infallible>) -> ! {
    let mut task = pin!(task);
    // There is one task, so whoever wakes need not say whom.
    let mut context = Context::from_waker(Waker::noop());
    loop {
        WOKEN.store(false, Ordering::Relaxed);
        let _ = task.as_mut().poll(&mut context);
        // Between the question and the sleep no interrupt gets through; one that comes then ends the sleep at once.
        board::masked(|| {
            if !WOKEN.load(Ordering::Acquire) {
                board::sleep();
            }
        });
    }
}
