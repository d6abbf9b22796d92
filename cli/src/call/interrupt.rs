//! Ctrl-C, and other wishes that the program end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;

use super::Happening;

/// How often somebody wished so.
#[derive(Clone, Default)]
pub(crate) struct Interrupts(Arc<AtomicUsize>);

impl Interrupts {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }

    /// Catches signals from now on, and tells of each.
    #[cfg(unix)]
    pub(crate) fn catch(events: &SyncSender<Happening>) -> io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let count = Self::default();
        let shared = count.clone();
        let events = events.clone();
        let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        std::thread::spawn(move || {
            for _ in signals.forever() {
                shared.0.fetch_add(1, Ordering::AcqRel);
                // If it is full, whoever reads it looks at the count.
                let _ = events.try_send(Happening::Interrupt);
            }
        });
        Ok(count)
    }

    /// Elsewhere the system ends the program, and the server's input with it.
    #[cfg(not(unix))]
    pub(crate) fn catch(_: &SyncSender<Happening>) -> io::Result<Self> {
        Ok(Self::default())
    }
}
