//! A sensor that takes its time. The boards that are emulated have none, so this one follows a fixed curve; a real board
//! starts its converter in `Reading::new` and reads it in `sample`.

use core::num::NonZeroU16;

use wireline::session::Handle;

use crate::board;

/// Milliseconds from one sample to the next, and so from one word of progress to the next: 20 a second, as docs/uart.md has it.
pub(crate) const PERIOD: u32 = 50;

/// Samples of a reading, unless the call says otherwise, and at most.
pub(crate) const SAMPLES: NonZeroU16 = NonZeroU16::new(10).unwrap();

/// A reading that is being taken.
pub(crate) struct Reading {
    /// What asked for it.
    pub(crate) handle: Handle,
    /// Samples to be taken, and those that have been.
    pub(crate) samples: NonZeroU16,
    pub(crate) taken: u16,
    sum: u32,
    /// When the next sample is due.
    due: u32,
}

impl Reading {
    pub(crate) fn new(handle: Handle, samples: NonZeroU16) -> Self {
        Reading {
            handle,
            samples,
            taken: 0,
            sum: 0,
            due: now().wrapping_add(PERIOD),
        }
    }

    /// Whether a sample is to be taken now.
    pub(crate) fn is_due(&self) -> bool {
        now().wrapping_sub(self.due) < u32::MAX / 2
    }

    /// Takes a sample.
    pub(crate) fn sample(&mut self) {
        self.sum = self.sum.wrapping_add(curve(u32::from(self.taken)));
        self.taken += 1;
        self.due = self.due.wrapping_add(PERIOD);
        if self.is_due() {
            // Late by more than a period: what was missed is not made up for all at once.
            self.due = now().wrapping_add(PERIOD);
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.taken >= self.samples.get()
    }

    /// The mean in hundredths of a degree Celsius.
    pub(crate) fn mean(&self) -> u32 {
        self.sum.checked_div(u32::from(self.taken)).unwrap_or(0)
    }
}

/// For times of a few milliseconds 32 bits are enough, which wrap.
fn now() -> u32 {
    board::now() as u32
}

/// Hundredths of a degree, around 21.50.
fn curve(sample: u32) -> u32 {
    2150 + sample * 7 % 11 - 5
}
