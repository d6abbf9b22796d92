//! Requests, as they pass.

use super::memory::{Life, Request};
use super::slots::Tables;
use super::state::{Line, Phase, State};
use super::{Finding, judge, retry};
use crate::json::{JsonKind, RawJson};
use crate::mcp::{
    Capabilities, Capability, Era, LogLevel, Method, MethodKind, Revision, Side, meta,
};
use crate::message::Message;
use crate::rules::{Extensions, Rule};

impl State {
    pub(crate) fn request(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        message: &Message<'_>,
        finding: &mut Finding,
    ) {
        let Some(id) = message.id() else { return };
        let method = message.method().and_then(Method::from_json_str);
        finding.method = method;
        let era = match line.from {
            Side::Client => self.era(message, method),
            Side::Server if self.only_modern() => Era::Modern,
            Side::Server => Era::Legacy,
        };
        let mut request = Request::FREE;
        request.set(Request::BATCHED, message.batch().is_some());
        request.era = era;
        request.method = method;
        request.revision = match era {
            Era::Legacy => self.revision.filter(|_| self.is_settled()),
            Era::Modern => Some(Revision::V2026_07_28),
        };
        finding.revision = request.revision;
        if method.is_some_and(|method| method.kind() == MethodKind::Notification) {
            finding.violations.add(Rule::R24);
        }
        let batches = request.revision.is_none_or(Revision::has_batches);
        request.set(Request::NOT_OWED, message.batch().is_some() && !batches);
        let params = message.params().unwrap_or(RawJson::EMPTY_OBJECT);
        let bad = method.is_some_and(|method| !judge::has_all(params, method.required()));
        request.set(Request::PARAMS_BAD, bad);
        match era {
            Era::Legacy => self.legacy_request(tables, line, message, &mut request, finding),
            Era::Modern if line.from == Side::Client => {
                self.modern_request(tables, message, &mut request, finding);
            }
            Era::Modern => {
                finding.violations.add(Rule::R8);
                request.set(Request::NOT_OWED, true);
            }
        }
        if let Some(slot) = tables.find(line.from, id)
            && let Some(before) = tables.requests.get(slot).copied()
        {
            // An id of the time before the handshake is not one of the session.
            let in_session = before.era == Era::Legacy && !before.is(Request::REJECTED);
            match era {
                _ if before.is(Request::REJECTED) => {}
                Era::Legacy if in_session || before.life != Life::Done => {
                    finding.violations.add(Rule::R16);
                    self.point(tables, slot, finding);
                }
                Era::Modern if before.life != Life::Done => {
                    finding.violations.add(Rule::R17);
                    self.point(tables, slot, finding);
                }
                _ => {}
            }
            finding.method = method;
        }
        let token = self.token(tables, line, message, finding);
        self.remember(tables, line, request, id, token);
    }

    /// The progress token, if it is one.
    fn token<'m>(
        &self,
        tables: &Tables<'_>,
        line: Line,
        message: &Message<'m>,
        finding: &mut Finding,
    ) -> Option<crate::id::Id<'m>> {
        let given = message
            .meta()
            .object_in_params()?
            .get(meta::PROGRESS_TOKEN)?;
        let token = message.meta().progress_token();
        let Some(token) = token else {
            let _ = given;
            finding.violations.add(Rule::R117);
            return None;
        };
        if let Some(slot) = tables.find_token(line.from, token)
            && tables
                .requests
                .get(slot)
                .is_some_and(|it| it.life == Life::Open)
        {
            finding.violations.add(Rule::R117);
        }
        Some(token)
    }

    fn legacy_request(
        &mut self,
        tables: &Tables<'_>,
        line: Line,
        message: &Message<'_>,
        request: &mut Request,
        finding: &mut Finding,
    ) {
        let method = request.method;
        let params = message.params().unwrap_or(RawJson::EMPTY_OBJECT);
        if method == Some(Method::Initialize) && line.from == Side::Client {
            self.initialize(line, message, params, request, finding);
            return;
        }
        if method != Some(Method::Ping) && !self.lost {
            let quiet = match (line.from, self.phase) {
                (Side::Client, Phase::Idle) => Some(Rule::R51),
                (Side::Client, Phase::Sent) => Some(Rule::R58),
                (Side::Server, Phase::Idle | Phase::Sent | Phase::Answered) => Some(Rule::R59),
                _ => None,
            };
            if let Some(rule) = quiet {
                finding.violations.add(rule);
            }
            self.went_on |= line.from == Side::Client && self.phase == Phase::Answered;
        }
        let (Some(method), Some(revision)) = (method, request.revision) else {
            return;
        };
        if method.kind() == MethodKind::Notification {
            return;
        }
        self.negotiated(line.from, method, revision, request, finding);
        if line.from == Side::Server && method == Method::Elicit && !request.is(Request::UNDECLARED)
        {
            let declared = judge::mode_declared(params, self.client);
            if Rule::R78.revisions().contains(revision) && !declared {
                finding.violations.add(Rule::R78);
                request.set(Request::UNDECLARED_MODE, true);
            }
        }
        request.set(Request::URL_MODE, judge::is_url_mode(params));
        if line.from == Side::Server
            && method == Method::CreateMessage
            && !request.is(Request::UNDECLARED)
            && Rule::R80.revisions().contains(revision)
            && !judge::tools_declared(params, self.client)
        {
            finding.violations.add(Rule::R80);
            request.set(Request::UNDECLARED_TOOLS, true);
        }
        if revision == Revision::V2025_11_25 {
            self.task_request(tables, line.from, method, params, request, finding);
        }
        if method == Method::SetLevel {
            let level = params.get("level").and_then(|it| it.as_json_str());
            request.level = level.and_then(LogLevel::from_json_str);
            request.set(Request::LEVEL_UNKNOWN, request.level.is_none());
            self.level_asked = self.seq;
        }
    }

    /// Whether a method is one of the revision and of what was declared.
    pub(crate) fn negotiated(
        &self,
        from: Side,
        method: Method,
        revision: Revision,
        request: &mut Request,
        finding: &mut Finding,
    ) {
        if !method.revisions().contains(revision) {
            finding.violations.add(Rule::R62);
            return;
        }
        if !method.may_send(from, revision) {
            request.set(Request::UNDECLARED, true);
            finding.violations.add(Rule::R62);
            return;
        }
        let declared = match method.capability(from, revision) {
            Some(capability) => self.declared(capability.side()).has(capability),
            None => true,
        };
        if !declared {
            request.set(Request::UNDECLARED, true);
            finding.violations.add(Rule::R63);
        }
    }

    fn initialize(
        &mut self,
        line: Line,
        message: &Message<'_>,
        params: RawJson<'_>,
        request: &mut Request,
        finding: &mut Finding,
    ) {
        let client = params.get("clientInfo");
        if request.is(Request::PARAMS_BAD) || !client.is_some_and(judge::is_implementation) {
            finding.violations.add(Rule::R52);
        }
        if message.batch().is_some() {
            finding.violations.add(Rule::R30);
        }
        if self.recognised {
            finding.violations.add(Rule::R70);
        }
        let offered = params
            .get("protocolVersion")
            .and_then(|it| it.as_json_str());
        request.revision = offered.and_then(Revision::from_json_str);
        finding.revision = None;
        let declared = params.get("capabilities").unwrap_or(RawJson::EMPTY_OBJECT);
        request.capabilities = Capabilities::read(Side::Client, declared);
        if self.is_settled() {
            finding.violations.add(Rule::R51);
            request.set(Request::SETTLED_BEFORE, true);
        } else {
            self.phase = Phase::Sent;
            self.revision = None;
            self.opened = line.at;
            self.early_initialized = false;
        }
    }

    fn modern_request(
        &mut self,
        tables: &Tables<'_>,
        message: &Message<'_>,
        request: &mut Request,
        finding: &mut Finding,
    ) {
        let params = message.params().unwrap_or(RawJson::EMPTY_OBJECT);
        let object = message.meta().object_in_params();
        let broken = judge::request_meta(object);
        finding.violations = finding.violations.or(broken);
        let missing = broken.contains(Rule::R42) || broken.contains(Rule::R43);
        request.set(Request::META_MISSING, missing);
        request.set(Request::VERSION_MISSING, broken.contains(Rule::R42));
        request.set(Request::SERVED_BEFORE, missing && self.full_request);
        self.full_request |= !missing;
        let version = message.meta().protocol_version();
        let known = version.and_then(Revision::from_json_str);
        // What it asks for; the rules are those of the era.
        request.revision = known;
        self.named = known.map_or(self.named, |it| self.named.with(it));
        if version.is_some() && !self.supported.is_empty() {
            let supported = match known {
                Some(known) => self.supported.contains(known),
                None => self.supports_others,
            };
            request.set(Request::VERSION_UNSUPPORTED, !supported);
        }
        if let Some(declared) = message.meta().client_capabilities() {
            request.capabilities = Capabilities::read(Side::Client, declared);
            let extensions = Extensions::declared(declared);
            request.set(Request::EXTENSIONS, extensions.others);
            request.set(Request::EXTENSION_TASKS, extensions.tasks);
        }
        let level = message.meta().log_level();
        request.level = level.and_then(LogLevel::from_json_str);
        // A probe shows the client's era alone, and the client may yet fall back.
        self.modern |= request.method != Some(Method::Discover);
        let Some(method) = request.method else { return };
        if method == Method::SubscriptionsListen {
            request.filter = judge::filter(params.get("notifications"));
        }
        if method.may_ask_input() {
            request.params_print = retry::params_print(params);
            if let Some(id) = message.id() {
                self.retry(tables, id, params, request, finding);
            }
        }
        if let Some(cursor) = params.get("cursor")
            && cursor.kind() == JsonKind::String
            && let Some(page) = page(method).and_then(|page| self.pages.get(page))
            && page.0 == retry::cursor_print(cursor)
        {
            request.scope = page.1;
        }
    }
}

/// The place of a list in [`State::pages`].
pub(crate) const fn page(method: Method) -> Option<usize> {
    match method {
        Method::ToolsList => Some(0),
        Method::ResourcesList => Some(1),
        Method::ResourceTemplatesList => Some(2),
        Method::PromptsList => Some(3),
        _ => None,
    }
}

/// The capability that lets a method be run as a task.
pub(crate) const fn task_capability(method: Method) -> Option<Capability> {
    match method {
        Method::ToolsCall => Some(Capability::ServerTasksTools),
        Method::CreateMessage => Some(Capability::ClientTasksSampling),
        Method::Elicit => Some(Capability::ClientTasksElicitation),
        _ => None,
    }
}
