//! Responses, as they pass: whom they answer, and whether they may.

use super::memory::{Life, Request};
use super::slots::Tables;
use super::state::{Line, State};
use super::{Finding, judge};
use crate::id::Id;
use crate::mcp::{Era, Method, Revision, Side, code};
use crate::message::Message;
use crate::rules::Rule;

impl State {
    pub(crate) fn response(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        message: &Message<'_>,
        finding: &mut Finding,
    ) {
        if line.from == Side::Client && self.only_modern() {
            finding.violations.add(Rule::R7);
        }
        match message.id() {
            Some(id) => self.answer(tables, line, id, message, finding),
            None => self.error_without_id(tables, line, message, finding),
        }
    }

    fn error_without_id(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        message: &Message<'_>,
        finding: &mut Finding,
    ) {
        let requester = line.from.other();
        let Some(error) = message.error() else { return };
        if let Some((only_text, only_envelope)) = self.complaint(requester) {
            let parse = judge::is_code(error, code::PARSE_ERROR);
            let request = judge::is_code(error, code::INVALID_REQUEST);
            if only_text && !parse && !request || only_envelope && parse {
                finding.violations.add(Rule::R32);
            }
            return;
        }
        if self.lost {
            return;
        }
        if tables.open(requester).next().is_none() {
            // Nothing is owed an answer: it can only be one to a notification.
            if self.items(requester) > 0 {
                finding.violations.add(Rule::R25);
            }
            return;
        }
        if let Some(taken) = self.refuses_batch(tables, requester) {
            if taken {
                finding.violations.add(Rule::R6);
            }
            return;
        }
        match finding.revision {
            Some(revision) if Rule::R19.revisions().contains(revision) => {
                finding.violations.add(Rule::R19);
            }
            Some(_) => finding.violations.add(Rule::R20),
            // Between the two the rule is the same: no id although there was one.
            None => {}
        }
    }

    /// An error without an id may be all that comes of a batch: nothing else is owed for it
    /// then. Gives whether it was of the revision that has batches; `None` if there was none.
    fn refuses_batch(&mut self, tables: &mut Tables<'_>, requester: Side) -> Option<bool> {
        let batched = |tables: &Tables<'_>| {
            let mut open = tables.open(requester);
            let (slot, request) = open.find(|(_, it)| it.is(Request::BATCHED))?;
            Some((slot, request.revision.is_some_and(Revision::has_batches)))
        };
        let mut refused = None;
        while let Some((slot, taken)) = batched(tables) {
            self.turn_done(tables, slot);
            refused = Some(taken || refused == Some(true));
        }
        refused
    }

    fn answer(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        id: Id<'_>,
        message: &Message<'_>,
        finding: &mut Finding,
    ) {
        let requester = line.from.other();
        let found = tables.find(requester, id);
        let request = found.and_then(|slot| tables.requests.get(slot).copied());
        let (Some(slot), Some(mut request)) = (found, request) else {
            if !self.excuse_response(requester) {
                finding.violations.add(Rule::R18);
            }
            return;
        };
        self.point(tables, slot, finding);
        finding.revision = match request.method {
            // Its answer settles it.
            Some(Method::Initialize) => None,
            _ => request.rules(),
        };
        match request.life {
            Life::Open => {}
            Life::Done => {
                // One to a line that was refused may be a second, to what was made of it.
                if !request.is(Request::REJECTED) {
                    finding.violations.add(Rule::R28);
                }
                return;
            }
            Life::Cancelled => {
                self.after_cancel(line, message, &request, finding);
                self.turn_done(tables, slot);
                return;
            }
        }
        self.has_read(line.from, request.seq);
        if request.is(Request::REJECTED) {
            if let Some(error) = message.error()
                && !request.is(Request::REJECTED_LIMIT)
            {
                let params = request.is(Request::REJECTED_PARAMS);
                let fits = judge::is_code(error, code::INVALID_REQUEST)
                    || params && judge::is_code(error, code::INVALID_PARAMS);
                if !fits {
                    finding.violations.add(Rule::R32);
                }
            }
        } else if let Some(result) = message.result() {
            match request.era {
                Era::Legacy => self.legacy_result(tables, line, result, &mut request, finding),
                Era::Modern => self.modern_result(line, result, &mut request, finding),
            }
        } else if let Some(error) = message.error() {
            match request.era {
                Era::Legacy => self.legacy_error(line, error, &request, finding),
                Era::Modern => self.modern_error(line, error, &request, finding),
            }
        }
        if let Some(kept) = tables.requests.get_mut(slot) {
            *kept = request;
        }
        self.turn_done(tables, slot);
    }

    /// An answer after a cancellation is held against its sender once that had read it:
    /// the two may have crossed.
    fn after_cancel(
        &self,
        line: Line,
        message: &Message<'_>,
        request: &Request,
        finding: &mut Finding,
    ) {
        let surely = self.surely_read(line.from, request.turned, request.turned_at);
        let error = message.error();
        // This code speaks of the cancellation itself. So, nearly always, does any error
        // that comes then, and a legacy peer is only advised against it.
        let speaks = error.is_some_and(|error| judge::is_code(error, code::REQUEST_CANCELLED))
            || error.is_some() && request.era == Era::Legacy;
        if surely || speaks {
            finding.violations.add(match request.is_listen() {
                true => Rule::R136,
                false => Rule::R108,
            });
        }
    }
}
