//! Batches, whose elements are handed out one by one.

use super::Core;
#[cfg(feature = "batch")]
use super::{Batch, Ready, Storage};
#[cfg(feature = "batch")]
use crate::decode::{read, single};
#[cfg(feature = "batch")]
use crate::envelope::{Captured, Ending, Verdict};
#[cfg(feature = "batch")]
use crate::fault::FaultKind;
#[cfg(feature = "batch")]
use crate::json::walk;
#[cfg(feature = "batch")]
use crate::message::BatchPlace;

impl Core {
    #[cfg(not(feature = "batch"))]
    pub(super) fn has_elements(&self) -> bool {
        false
    }

    #[cfg(feature = "batch")]
    pub(super) fn has_elements(&self) -> bool {
        self.batch.at < self.batch.to
    }

    /// The buffer holds a batch, to be handed out by its elements.
    #[cfg(feature = "batch")]
    pub(super) fn begin_batch(&mut self, ready: Ready) {
        self.batch = Batch {
            at: ready.from,
            to: ready.to,
            index: 0,
            bom: self.envelope.captured.flag(Captured::BOM),
        };
    }

    /// The next element of the batch in the buffer.
    #[cfg(feature = "batch")]
    pub(super) fn element(&mut self, storage: &dyn Storage) -> Option<Ready> {
        if !self.has_elements() {
            return None;
        }
        let text = storage.bytes().get(..self.batch.to).unwrap_or(&[]);
        // Past the opening bracket or the comma, which the first reading has found there.
        let from = walk::skip_space(text, self.batch.at.wrapping_add(1));
        let from = if self.batch.index == 0 && text.get(self.batch.at) != Some(&b'[') {
            // White space before the bracket.
            walk::skip_space(text, walk::skip_space(text, self.batch.at).wrapping_add(1))
        } else {
            from
        };
        let to = walk::skip_value(text, from);
        let next = walk::skip_space(text, to);
        let last = text.get(next) != Some(&b',');
        let value = text.get(from..to).unwrap_or(&[]);
        let limits = self.envelope.limits;
        self.envelope.limits = single(limits);
        self.envelope.reset();
        let mut outcome = read(&mut self.envelope, value, Ending::LineFeed);
        self.envelope.limits = limits;
        if outcome.verdict == Verdict::Rejected
            && let Some((FaultKind::Batch | FaultKind::EmptyBatch, _)) = self.envelope.fault()
        {
            self.envelope.rename(FaultKind::NotObject);
        }
        if core::mem::take(&mut self.batch.bom) {
            self.envelope.captured.set(Captured::BOM);
        }
        outcome.batch = Some(BatchPlace {
            index: self.batch.index,
            last,
        });
        self.batch.index = self.batch.index.wrapping_add(1);
        self.batch.at = if last { self.batch.to } else { next };
        Some(Ready { from, to, outcome })
    }
}
