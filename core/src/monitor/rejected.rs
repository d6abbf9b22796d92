//! Lines that are no messages, and what may be said about them.

use super::Finding;
use super::memory::{Life, Request};
use super::slots::Tables;
use super::state::{Line, State};
use crate::fault::{FaultClass, FaultKind, Rejected};
use crate::mcp::Side;
use crate::rules::Violations;

impl State {
    /// A line that is no message.
    pub(super) fn rejected(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        bad: &Rejected<'_>,
        finding: &mut Finding,
    ) {
        finding.violations = Violations::of_fault(bad, Some(line.from), self.current());
        let shape = bad.shape();
        let class = bad.kind().class();
        let side = self.side_mut(line.from);
        match class {
            FaultClass::Envelope => side.unread_envelope = side.unread_envelope.saturating_add(1),
            _ => side.unread_text = side.unread_text.saturating_add(1),
        }
        match bad.kind() {
            FaultKind::Batch | FaultKind::Overrun | FaultKind::Runaway => {
                // Whatever was in it is not known.
                self.lost = true;
                return;
            }
            FaultKind::EmptyBatch | FaultKind::NotObject => return,
            // A reader that takes byte order marks off anywhere may see a message in it.
            FaultKind::NotJson if !bad.excerpt().starts_with(b"\xef\xbb\xbf") => return,
            _ => {}
        }
        let answers = shape.result || shape.error;
        let Some(id) = bad.id_hint() else {
            let side = self.side_mut(line.from);
            if answers || !shape.method {
                side.maybe_answers = side.maybe_answers.saturating_add(1);
            }
            if !answers {
                side.maybe_requests = side.maybe_requests.saturating_add(1);
            }
            return;
        };
        if answers && !shape.method {
            // It ends the request, whatever it says of it.
            if let Some(slot) = tables.find(line.from.other(), id) {
                self.turn_done(tables, slot);
                self.point(tables, slot, finding);
            }
            return;
        }
        if tables.find(line.from, id).is_some_and(|slot| {
            tables
                .requests
                .get(slot)
                .is_some_and(|request| request.life != Life::Done)
        }) {
            return;
        }
        let mut request = Request::FREE;
        request.set(Request::REJECTED, true);
        request.set(Request::NOT_OWED, true);
        request.set(Request::REJECTED_PARAMS, bad.kind() == FaultKind::BadParams);
        let known = class == FaultClass::Envelope && bad.kind() != FaultKind::Duplicate;
        request.set(Request::REJECTED_LIMIT, !known);
        request.revision = self.current();
        self.remember(tables, line, request, id, None);
    }

    /// What an error without an id was about, if anything was unreadable: `None` if
    /// nothing was, else whether only text or only envelopes were.
    pub(crate) fn complaint(&mut self, about: Side) -> Option<(bool, bool)> {
        let side = self.side_mut(about);
        let (text, envelope) = (side.unread_text, side.unread_envelope);
        match (text, envelope) {
            (0, 0) => None,
            _ => {
                match text {
                    0 => side.unread_envelope = envelope.saturating_sub(1),
                    _ => side.unread_text = text.saturating_sub(1),
                }
                Some((envelope == 0, text == 0))
            }
        }
    }
}
