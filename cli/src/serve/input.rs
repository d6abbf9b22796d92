//! Standard input, waited for together with timers and with threads that are through.

#[cfg(not(unix))]
mod ahead;
#[cfg(unix)]
mod ready;

#[cfg(not(unix))]
pub(super) use ahead::Input;
#[cfg(unix)]
pub(super) use ready::Input;

use wireline::session::Handle;

/// Enough for hundreds of small requests; more would be no faster, and take memory.
const CHUNK: usize = 16 * 1024;

pub(super) enum Came {
    /// What [`Input::bytes`] gives.
    Bytes,
    /// A thread that worked for this request is through.
    Done(Handle),
    End,
}
