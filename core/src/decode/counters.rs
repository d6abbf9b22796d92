//! Counts for those who watch many streams.

use crate::fault::{FaultKind, Rejected};
use crate::message::{Kind, Message};

/// Counts of what a stream held. Kept beside a decoder, not in it, so that a device that
/// does not want them pays nothing.
///
/// ```
/// use wireline::{Counters, FaultKind, Kind, Limits, LineDecoder};
/// let mut decoder = LineDecoder::new([0u8; 128], Limits::EMBEDDED);
/// let mut counters = Counters::new();
/// let mut input: &[u8] = b"hello\n{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n";
/// while let Some(item) = decoder.next_in(&mut input) {
///     counters.record(&item.result());
/// }
/// assert_eq!(counters.messages(Kind::Notification), 1);
/// assert_eq!(counters.faults(FaultKind::NotJson), 1);
/// assert_eq!(counters.discarded(), 5);
/// assert_eq!(counters.lines(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    lines: u64,
    messages: [u64; 4],
    faults: [u64; FaultKind::ALL.len()],
    accepted: u64,
    discarded: u64,
}

impl Counters {
    /// All zero.
    #[must_use]
    pub const fn new() -> Self {
        Counters {
            lines: 0,
            messages: [0; 4],
            faults: [0; FaultKind::ALL.len()],
            accepted: 0,
            discarded: 0,
        }
    }

    /// Counts one item. Each count stops at its greatest value.
    pub fn record(&mut self, item: &Result<Message<'_>, Rejected<'_>>) {
        let (count, bytes, length) = match item {
            Ok(message) => (
                self.messages.get_mut(message.kind() as usize),
                &mut self.accepted,
                message.as_bytes().len() as u64,
            ),
            Err(rejected) => (
                self.faults.get_mut(rejected.kind() as usize),
                &mut self.discarded,
                rejected.length(),
            ),
        };
        if let Some(count) = count {
            *count = count.saturating_add(1);
        }
        let batch = match item {
            Ok(message) => message.batch(),
            Err(rejected) => rejected.batch(),
        };
        if batch.is_none_or(|place| place.index == 0) {
            self.lines = self.lines.saturating_add(1);
        }
        *bytes = bytes.saturating_add(length);
    }

    /// Lines that came to something so far. A batch is one line, whatever its elements
    /// are; blank lines, of which no decoder tells, are not counted. `LineDecoder::line`
    /// counts them too.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Items so far: messages and faults. A batch counts by its elements.
    #[must_use]
    pub fn items(&self) -> u64 {
        let all = self.messages.iter().chain(&self.faults);
        all.fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Messages of this kind so far.
    #[must_use]
    pub fn messages(&self, kind: Kind) -> u64 {
        self.messages.get(kind as usize).copied().unwrap_or(0)
    }

    /// Faults of this kind so far.
    #[must_use]
    pub fn faults(&self, kind: FaultKind) -> u64 {
        self.faults.get(kind as usize).copied().unwrap_or(0)
    }

    /// Bytes of messages so far, line ends not counted.
    #[must_use]
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// Bytes of rejected lines so far, line ends not counted.
    #[must_use]
    pub fn discarded(&self) -> u64 {
        self.discarded
    }
}

impl Default for Counters {
    fn default() -> Self {
        Counters::new()
    }
}
