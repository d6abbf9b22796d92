//! Notifications, as they pass.

use super::memory::{Life, Request};
use super::slots::Tables;
use super::state::{Line, Phase, State};
use super::{Finding, judge};
use crate::json::RawJson;
use crate::mcp::{Capability, Era, LogLevel, Method, MethodKind, Revision, Side, meta};
use crate::message::Message;
use crate::rules::{Rule, Violations};

impl State {
    pub(crate) fn notification(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        message: &Message<'_>,
        finding: &mut Finding,
    ) {
        let method = message.method().and_then(Method::from_json_str);
        finding.method = method;
        let Some(method) = method else { return };
        if method.kind() == MethodKind::Request {
            finding.violations.add(Rule::R14);
            return;
        }
        match method {
            Method::Initialized => self.initialized(line, finding),
            Method::Cancelled => self.cancelled(tables, line, message, finding),
            Method::Progress => self.progress(tables, line, message, finding),
            Method::LogMessage => self.log(tables, line, message, finding),
            Method::SubscriptionsAcknowledged => self.acknowledged(tables, line, message, finding),
            Method::ToolsListChanged
            | Method::PromptsListChanged
            | Method::ResourcesListChanged
            | Method::ResourcesUpdated
                if line.from == Side::Server =>
            {
                self.changed(tables, message, method, finding);
            }
            _ => self.other(tables, line, message, method, finding),
        }
    }

    fn initialized(&mut self, line: Line, finding: &mut Finding) {
        match self.phase {
            _ if line.from == Side::Server => {
                if self.is_settled() {
                    finding.violations.add(Rule::R62);
                }
            }
            Phase::Idle if !self.modern && !self.lost => finding.violations.add(Rule::R51),
            Phase::Sent => self.early_initialized = true,
            Phase::Answered => self.phase = Phase::Ready,
            Phase::Idle | Phase::Ready | Phase::Failed => {}
        }
    }

    /// What needs a capability of its sender in a legacy session.
    fn other(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        message: &Message<'_>,
        method: Method,
        finding: &mut Finding,
    ) {
        let Some(revision) = self.revision.filter(|_| self.is_settled()) else {
            return;
        };
        finding.revision = Some(revision);
        if method == Method::TasksStatus && revision == Revision::V2025_11_25 {
            let params = message.params().unwrap_or(RawJson::EMPTY_OBJECT);
            finding.violations = finding
                .violations
                .or(self.task_status(tables, line.from, params));
        }
        if method == Method::RootsListChanged && line.from == Side::Client {
            if !self.client.has(Capability::RootsListChanged) {
                finding.violations.add(Rule::R83);
            }
            return;
        }
        self.negotiated(
            line.from,
            method,
            revision,
            &mut Request::FREE.clone(),
            finding,
        );
    }

    fn cancelled(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        message: &Message<'_>,
        finding: &mut Finding,
    ) {
        let given = message.params().and_then(|params| params.get("requestId"));
        let Some(id) = message.meta().request_id() else {
            // 2025-11-25 lets it be left out, for tasks.
            let optional = self.current() == Some(Revision::V2025_11_25);
            if given.is_some() || !optional {
                finding.violations.add(Rule::R111);
            }
            return;
        };
        let own = tables.find(line.from, id);
        let Some(slot) = own else {
            self.cancelled_unknown(tables, line, id, finding);
            return;
        };
        self.point(tables, slot, finding);
        let Some(request) = tables.requests.get(slot).copied() else {
            return;
        };
        finding.revision = request.rules().or(finding.revision);
        if request.method == Some(Method::Initialize) {
            finding.violations.add(Rule::R60);
            return;
        }
        if request.is(Request::TASK_MODE) && request.is(Request::TASK_MADE) {
            finding.violations.add(Rule::R112);
        }
        match request.life {
            Life::Open => {
                // It may be done all the same.
                match request.method {
                    Some(Method::SetLevel) => self.level = self.level.min(request.level),
                    Some(Method::ResourcesSubscribe) => self.subscribed = true,
                    _ => {}
                }
                self.turn_done(tables, slot);
                if let Some(request) = tables.requests.get_mut(slot) {
                    request.life = Life::Cancelled;
                }
            }
            Life::Done if self.surely_read(line.from, request.turned, request.turned_at) => {
                finding.violations.add(Rule::R107);
            }
            Life::Done | Life::Cancelled => {}
        }
    }

    /// The id is none of the sender's own requests.
    fn cancelled_unknown(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        id: crate::id::Id<'_>,
        finding: &mut Finding,
    ) {
        let other = tables.find(line.from.other(), id);
        let request = other.and_then(|slot| tables.requests.get(slot).copied());
        if let Some(slot) = other
            && line.from == Side::Server
            && let Some(request) = request
            && request.era == Era::Modern
        {
            self.point(tables, slot, finding);
            finding.revision = Some(Revision::V2026_07_28);
            match request.is_listen() {
                // The server ends it.
                true => self.turn_done(tables, slot),
                false => finding.violations.add(Rule::R113),
            }
            return;
        }
        if !self.never_asked(line.from, id) || self.may_have_missed(line.from.other()) {
            return;
        }
        let modern = line.from == Side::Server && self.only_modern();
        finding
            .violations
            .add(if modern { Rule::R113 } else { Rule::R107 });
    }

    fn progress(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        message: &Message<'_>,
        finding: &mut Finding,
    ) {
        if line.from == Side::Client && self.only_modern() {
            finding.violations.add(Rule::R121);
            return;
        }
        if names_subscription(message) {
            finding.violations.add(Rule::R134);
        }
        let Some(token) = message.meta().progress_token() else {
            finding.violations.add(Rule::R118);
            return;
        };
        let requester = line.from.other();
        let Some(slot) = tables.find_token(requester, token) else {
            if !self.may_have_missed(requester) {
                finding.violations.add(Rule::R118);
            }
            return;
        };
        let method = finding.method;
        self.point(tables, slot, finding);
        finding.method = method;
        let Some(request) = tables.requests.get(slot).copied() else {
            return;
        };
        finding.revision = request.rules().or(finding.revision);
        match request.life {
            Life::Open => {
                self.has_read(line.from, request.seq);
                if request.is_listen() {
                    finding.violations.add(Rule::R134);
                }
            }
            Life::Cancelled => {
                let surely = self.surely_read(line.from, request.turned, request.turned_at);
                if surely && request.era == Era::Modern {
                    finding.violations.add(Rule::R136);
                }
                return;
            }
            // The token of a task lives as long as the task.
            Life::Done if request.is(Request::TASK_MADE) => {}
            Life::Done => {
                finding.violations.add(Rule::R120);
                return;
            }
        }
        if message
            .meta()
            .progress()
            .is_none_or(|progress| !tables.advance(slot, progress))
        {
            finding.violations.add(Rule::R119);
        }
    }

    fn log(
        &mut self,
        tables: &Tables<'_>,
        line: Line,
        message: &Message<'_>,
        finding: &mut Finding,
    ) {
        let level = message.params().and_then(|params| params.get("level"));
        let level = level
            .and_then(|it| it.as_json_str())
            .and_then(LogLevel::from_json_str);
        if line.from == Side::Client {
            if self.is_settled() {
                finding.violations.add(Rule::R62);
            }
            return;
        }
        if names_subscription(message) {
            finding.violations.add(Rule::R134);
            return;
        }
        if self.is_settled() {
            if !self.server.has(Capability::Logging) {
                finding.violations.add(Rule::R126);
            }
            // One that is being set may hold already.
            let setting = tables
                .open(Side::Client)
                .filter(|(_, it)| it.method == Some(Method::SetLevel))
                .filter_map(|(_, request)| request.level);
            let least = self.level.map(|least| setting.fold(least, LogLevel::min));
            if !self.modern && least.is_some_and(|least| level.is_some_and(|it| it < least)) {
                finding.violations.add(Rule::R127);
            }
            return;
        }
        if !self.only_modern() {
            return;
        }
        if self
            .modern_server
            .is_some_and(|declared| !declared.has(Capability::Logging))
        {
            finding.violations.add(Rule::R126);
        }
        // What a cancellation may have crossed was still asked for.
        let least = tables
            .unanswered(Side::Client)
            .filter(|(_, it)| {
                it.life == Life::Open || !self.surely_read(line.from, it.turned, it.turned_at)
            })
            .filter_map(|(_, request)| request.level)
            .min();
        let asked = least.is_some_and(|least| level.is_none_or(|level| level >= least));
        if !asked && !self.may_have_missed(Side::Client) {
            finding.violations.add(Rule::R128);
        }
    }

    fn acknowledged(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        message: &Message<'_>,
        finding: &mut Finding,
    ) {
        if line.from == Side::Client {
            return;
        }
        finding.revision = Some(Revision::V2026_07_28);
        self.server_is_modern = true;
        let Some(slot) = self.subscription(tables, message, finding) else {
            return;
        };
        let granted = message
            .params()
            .and_then(|params| params.get("notifications"));
        let granted = judge::filter(granted);
        let Some(request) = tables.requests.get_mut(slot) else {
            return;
        };
        if !judge::is_within(granted, request.filter) {
            finding.violations.add(Rule::R130);
        }
        request.set(Request::ACKNOWLEDGED, true);
        // What was not asked for is not covered, whatever the server says.
        request.filter.bits &= granted.bits;
    }

    fn changed(
        &mut self,
        tables: &mut Tables<'_>,
        message: &Message<'_>,
        method: Method,
        finding: &mut Finding,
    ) {
        let (capability, bit) = match method {
            Method::ToolsListChanged => (Capability::ToolsListChanged, judge::TOOLS),
            Method::PromptsListChanged => (Capability::PromptsListChanged, judge::PROMPTS),
            Method::ResourcesListChanged => (Capability::ResourcesListChanged, judge::RESOURCES),
            _ => (Capability::ResourcesSubscribe, judge::UPDATES),
        };
        let named = names_subscription(message);
        if self.has_session() && !named {
            if !self.is_settled() {
                return;
            }
            if !self.server.has(capability) {
                finding.violations.add(Rule::R81);
            } else if bit == judge::UPDATES && !self.subscribed && !self.lost {
                // One that is being made may hold already.
                let subscribing = tables
                    .open(Side::Client)
                    .any(|(_, it)| it.method == Some(Method::ResourcesSubscribe));
                if !subscribing {
                    finding.violations.add(Rule::R82);
                }
            }
            return;
        }
        if !named && !self.only_modern() {
            return;
        }
        finding.revision = Some(Revision::V2026_07_28);
        if self
            .modern_server
            .is_some_and(|declared| !declared.has(capability))
        {
            finding.violations.add(Rule::R81);
        }
        if !named {
            let open = tables
                .open(Side::Client)
                .any(|(_, request)| request.is_listen());
            match open || self.may_have_missed(Side::Client) {
                true => finding.violations.add(Rule::R47),
                false => finding.violations.add(Rule::R131),
            }
            return;
        }
        let Some(slot) = self.subscription(tables, message, finding) else {
            return;
        };
        let Some(request) = tables.requests.get(slot) else {
            return;
        };
        if !request.is(Request::ACKNOWLEDGED) {
            finding.violations.add(Rule::R129);
        }
        if request.filter.bits & bit == 0 {
            finding.violations.add(Rule::R131);
        }
    }

    /// The open subscription that a notification names. Another id, or none, is told.
    fn subscription(
        &mut self,
        tables: &Tables<'_>,
        message: &Message<'_>,
        finding: &mut Finding,
    ) -> Option<usize> {
        let Some(id) = message.meta().subscription_id() else {
            finding.violations.add(Rule::R47);
            return None;
        };
        let found = tables.find(Side::Client, id);
        let request = found.and_then(|slot| tables.requests.get(slot).copied());
        let (Some(slot), Some(request)) = (found, request) else {
            if !self.may_have_missed(Side::Client) {
                finding.violations.add(Rule::R47);
            }
            return None;
        };
        let method = finding.method;
        self.point(tables, slot, finding);
        finding.method = method;
        if !request.is_listen() {
            if !request.is(Request::REJECTED) {
                finding.violations.add(Rule::R47);
            }
            return None;
        }
        let broken = match request.life {
            Life::Open => {
                self.has_read(Side::Server, request.seq);
                return Some(slot);
            }
            Life::Cancelled => {
                match self.surely_read(Side::Server, request.turned, request.turned_at) {
                    true => Violations::from(Rule::R136),
                    false => Violations::NONE,
                }
            }
            Life::Done => Violations::from(Rule::R131),
        };
        finding.violations = finding.violations.or(broken);
        None
    }
}

/// Whether a notification says that it belongs to a subscription.
fn names_subscription(message: &Message<'_>) -> bool {
    let object = message.meta().object_in_params();
    object.is_some_and(|object| object.get(meta::SUBSCRIPTION_ID).is_some())
}
