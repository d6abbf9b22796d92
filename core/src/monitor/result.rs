//! Answers, held against their requests.

use super::memory::Request;
use super::request::page;
use super::slots::Tables;
use super::state::{Line, Phase, State};
use super::{Finding, judge, retry};
use crate::id::Id;
use crate::json::{JsonKind, RawJson};
use crate::mcp::{Capabilities, Capability, Method, Revision, Revisions, Side, code, meta};
use crate::message::ErrorObject;
use crate::rules::{Extensions, Rule};

impl State {
    pub(crate) fn legacy_result(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        result: RawJson<'_>,
        request: &mut Request,
        finding: &mut Finding,
    ) {
        let Some(method) = request.method else { return };
        if request.is(Request::UNDECLARED) {
            finding.violations.add(match (line.from, method) {
                (Side::Server, Method::Complete) => Rule::R87,
                (Side::Server, _) => Rule::R75,
                (Side::Client, _) => Rule::R76,
            });
        }
        if request.is(Request::UNDECLARED_TOOLS) {
            finding.violations.add(Rule::R80);
        }
        let task = request.is(Request::TASK_MODE);
        finding.violations = finding.violations.or(match task {
            true => self.task_made(tables, line.from, result, request),
            false => judge::result(method, result)
                .or(self.task_result(tables, line.from, result, request)),
        });
        match method {
            // A session is opened once.
            Method::Initialize if request.is(Request::SETTLED_BEFORE) => {}
            Method::Initialize => self.opened(result, request, finding),
            Method::SetLevel => {
                if request.is(Request::LEVEL_UNKNOWN) {
                    finding.violations.add(Rule::R127);
                } else if request.seq == self.level_asked {
                    self.level = request.level;
                } else {
                    // Another was asked for since: which was set last is not known.
                    self.level = self.level.min(request.level);
                }
            }
            Method::ResourcesSubscribe => self.subscribed = true,
            Method::Elicit if !task => {
                let form = !request.is(Request::URL_MODE);
                finding.violations = finding.violations.or(judge::elicited(result, form));
            }
            _ => {}
        }
    }

    /// The handshake's answer.
    fn opened(&mut self, result: RawJson<'_>, request: &Request, finding: &mut Finding) {
        let answered = result
            .get("protocolVersion")
            .and_then(|it| it.as_json_str());
        let revision = answered.and_then(Revision::from_json_str);
        let offered = request.revision;
        // No handshake leads into the modern era, and what the server has named it supports.
        let modern = revision.is_some_and(|it| Revisions::MODERN.contains(it));
        let declined = offered.is_some_and(|offered| {
            self.supported.and(Revisions::LEGACY).contains(offered) && revision != Some(offered)
        });
        if modern || declined && answered.is_some() {
            finding.violations.add(Rule::R55);
        }
        self.revision = revision.filter(|_| !modern);
        finding.revision = self.revision;
        self.client = request.capabilities;
        let declared = result.get("capabilities").unwrap_or(RawJson::EMPTY_OBJECT);
        self.server = Capabilities::read(Side::Server, declared);
        self.phase = match self.early_initialized {
            true => Phase::Ready,
            false => Phase::Answered,
        };
        self.went_on = false;
    }

    pub(crate) fn legacy_error(
        &mut self,
        line: Line,
        error: ErrorObject<'_>,
        request: &Request,
        finding: &mut Finding,
    ) {
        let is = |number| judge::is_code(error, number);
        match request.method {
            Some(Method::Initialize) => {
                if self.phase == Phase::Sent {
                    self.phase = Phase::Failed;
                }
                if is(code::UNSUPPORTED_PROTOCOL_VERSION) {
                    self.server_is_modern = true;
                    self.modern = true;
                    finding.revision = Some(Revision::V2026_07_28);
                    finding.violations = finding.violations.or(judge::modern_error(error));
                }
            }
            Some(Method::Ping) => finding.violations.add(Rule::R61),
            Some(Method::RootsList)
                if line.from == Side::Client
                    && request.is(Request::UNDECLARED)
                    && !is(code::METHOD_NOT_FOUND) =>
            {
                finding.violations.add(Rule::R77);
            }
            Some(Method::Elicit)
                if line.from == Side::Client
                    && request.is(Request::UNDECLARED_MODE)
                    && !is(code::INVALID_PARAMS) =>
            {
                finding.violations.add(Rule::R77);
            }
            Some(Method::SetLevel) => {
                let refused = is(code::INVALID_PARAMS);
                // Without the capability there is no such method.
                let may_be_unknown = request.is(Request::UNDECLARED);
                if request.is(Request::LEVEL_UNKNOWN) && !refused && !may_be_unknown {
                    finding.violations.add(Rule::R127);
                }
            }
            _ => {}
        }
        finding.violations = finding.violations.or(State::task_error(error, request));
    }

    pub(crate) fn modern_result(
        &mut self,
        line: Line,
        result: RawJson<'_>,
        request: &mut Request,
        finding: &mut Finding,
    ) {
        if line.from == Side::Client {
            return;
        }
        let kind = result.get("resultType").and_then(|it| it.as_json_str());
        let versions = result
            .get("supportedVersions")
            .filter(|it| it.kind() == JsonKind::Array);
        let discovered = request.method == Some(Method::Discover) && versions.is_some();
        self.server_is_modern |= kind.is_some() || discovered;
        self.modern |= discovered;
        if !self.server_is_modern {
            // A server of the legacy era may have passed over `_meta`.
            if let Some(method) = request.method {
                finding.violations = finding.violations.or(judge::result(method, result));
            }
            return;
        }
        self.refused_instead(request, finding);
        let own = result.get("_meta").and_then(|it| it.get(meta::SERVER_INFO));
        if !own.is_some_and(judge::is_implementation) {
            finding.violations.add(Rule::R46);
        }
        match kind {
            Some(kind) if kind == "complete" => {}
            Some(kind) if kind == "input_required" => {
                finding.violations = finding.violations.or(retry::asked(result, request));
                return;
            }
            Some(kind) => {
                let extensions = Extensions {
                    tasks: request.is(Request::EXTENSION_TASKS),
                    others: request.is(Request::EXTENSIONS),
                };
                let empty = kind.raw_bytes().is_empty();
                let broken = extensions.broken_by(kind == "task", empty, request.method);
                if let Some(rule) = broken {
                    finding.violations.add(rule);
                }
                return;
            }
            None => {
                finding.violations.add(Rule::R88);
                if self.is_settled() {
                    finding.violations.add(Rule::R72);
                }
            }
        }
        self.complete(result, request, finding);
    }

    /// A result where only a refusal was right.
    fn refused_instead(&self, request: &Request, finding: &mut Finding) {
        if request.is(Request::META_MISSING) {
            finding.violations.add(Rule::R45);
            if request.is(Request::SERVED_BEFORE) {
                finding.violations.add(Rule::R67);
            }
        } else if request.is(Request::VERSION_UNSUPPORTED) {
            finding.violations.add(Rule::R65);
        }
        let Some(method) = request.method else { return };
        let modern = Revision::V2026_07_28;
        if !method.revisions().contains(modern) {
            // Those of tasks are an extension's.
            if !method.name().starts_with("tasks/") {
                finding.violations.add(Rule::R74);
            }
            return;
        }
        let needed = method.capability(Side::Client, modern);
        let declared = self.modern_server.zip(needed);
        if declared.is_some_and(|(declared, needed)| !declared.has(needed)) {
            finding.violations.add(match needed {
                Some(Capability::Completions) => Rule::R87,
                _ => Rule::R75,
            });
        }
    }

    fn complete(&mut self, result: RawJson<'_>, request: &mut Request, finding: &mut Finding) {
        let Some(method) = request.method else { return };
        if Revisions::MODERN.and(method.revisions()).is_empty() {
            return;
        }
        finding.violations = finding.violations.or(judge::result(method, result));
        if method.is_cacheable() {
            let (scope, broken) = judge::cache_hints(result);
            finding.violations = finding.violations.or(broken);
            if request.scope != 0 && scope != 0 && scope != request.scope {
                finding.violations.add(Rule::R102);
            }
            let next = result
                .get("nextCursor")
                .filter(|it| it.kind() == JsonKind::String);
            if let (Some(next), Some(page)) = (next, page(method))
                && let Some(page) = self.pages.get_mut(page)
            {
                *page = (retry::cursor_print(next), scope);
            }
        }
        match method {
            Method::Discover => self.discovered(result, finding),
            Method::SubscriptionsListen => {
                if !request.is(Request::ACKNOWLEDGED) {
                    finding.violations.add(Rule::R129);
                }
                let named = result
                    .get("_meta")
                    .and_then(|it| it.get(meta::SUBSCRIPTION_ID));
                if named.and_then(|it| Id::parse(it.as_bytes())).is_none() {
                    finding.violations.add(Rule::R132);
                }
            }
            _ => {}
        }
    }

    fn discovered(&mut self, result: RawJson<'_>, finding: &mut Finding) {
        let declared = result.get("capabilities").unwrap_or(RawJson::EMPTY_OBJECT);
        self.modern_server = Some(Capabilities::read(Side::Server, declared));
        finding.violations = finding
            .violations
            .or(judge::extensions(declared, Revision::V2026_07_28));
        for version in result
            .get("supportedVersions")
            .into_iter()
            .flat_map(|it| it.elements())
        {
            self.supports(version);
        }
    }

    fn supports(&mut self, version: RawJson<'_>) {
        match version.as_json_str().map(Revision::from_json_str) {
            Some(Some(revision)) => self.supported = self.supported.with(revision),
            Some(None) => self.supports_others = true,
            None => {}
        }
    }

    pub(crate) fn modern_error(
        &mut self,
        line: Line,
        error: ErrorObject<'_>,
        request: &Request,
        finding: &mut Finding,
    ) {
        if line.from == Side::Client {
            return;
        }
        let number = error.code().as_i64();
        if number.is_some_and(code::is_modern) {
            self.server_is_modern = true;
            self.modern = true;
        }
        if !self.server_is_modern {
            return;
        }
        let mut broken = judge::modern_error(error);
        let is = |wanted: i64| number == Some(wanted);
        if request.method == Some(Method::Discover) && is(code::METHOD_NOT_FOUND) {
            broken.add(Rule::R64);
        }
        let supported = error.data().and_then(|data| data.get("supported"));
        let listed = supported
            .into_iter()
            .flat_map(|it| it.elements())
            .any(|version| {
                let version = version.as_json_str().and_then(Revision::from_json_str);
                version.is_some() && version == request.revision
            });
        if is(code::UNSUPPORTED_PROTOCOL_VERSION) {
            // Refused for a version that the refusal itself names as supported.
            if listed && !request.is(Request::META_MISSING) {
                broken.add(Rule::R65);
            }
            for version in supported.into_iter().flat_map(|it| it.elements()) {
                self.supports(version);
            }
        }
        self.recognised |= match number {
            Some(code::UNSUPPORTED_PROTOCOL_VERSION) => supported
                .into_iter()
                .flat_map(|it| it.elements())
                .filter_map(|version| Revision::from_json_str(version.as_json_str()?))
                .any(|it| self.named.and(Revisions::MODERN).contains(it)),
            Some(number) => code::is_modern(number) && request.revision.is_some(),
            None => false,
        };
        // Which of two reasons is told first is the server's choice.
        let other_reason = is(code::METHOD_NOT_FOUND)
            || is(code::INVALID_PARAMS) && request.is(Request::PARAMS_BAD);
        if request.is(Request::META_MISSING) {
            let by_version =
                is(code::UNSUPPORTED_PROTOCOL_VERSION) && !request.is(Request::VERSION_MISSING);
            if !is(code::INVALID_PARAMS) && !other_reason && !by_version {
                broken.add(Rule::R45);
            }
        } else if request.is(Request::VERSION_UNSUPPORTED)
            && !is(code::UNSUPPORTED_PROTOCOL_VERSION)
            && !other_reason
        {
            broken.add(Rule::R65);
        }
        finding.violations = finding.violations.or(broken);
    }
}
