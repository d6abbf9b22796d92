//! What a client does: opening a session in either era, and what becomes of its requests.

use super::body::Body;
use super::event::{Ended, Event, Failure, Ignored, SessionError, State};
use super::inbox::of_elicitation;
use super::judge;
use super::line::{self, Filter, Line, LineId, PROMPTS, RESOURCES, Send, TOOLS, URIS};
use super::outbox::Options;
use super::slots::{Await, Handle, Millis, Slots, Tables, WANTS_LOG, is, ours};
use super::turn::{NO_SESSION, Turn, param};
use super::{Client, Core, Phase, Role, Session};
use crate::encode::Payload;
use crate::json::{JsonKind, JsonStr, RawJson};
use crate::mcp::{Capabilities, Capability, Era, Method, Revision, Revisions, Side, code};
use crate::message::{Kind, Message};
use crate::rules::Rule;

/// A member of a message's result.
fn member<'m>(message: &Message<'m>, name: &str) -> Option<RawJson<'m>> {
    message.result()?.get(name)
}

/// An error's code, if only a server of the modern era has it.
fn modern_code(message: &Message<'_>) -> Option<i64> {
    code::modern(message.meta().error_code()?)
}

impl<'c> Core<'c> {
    /// The revisions of ours that an array names.
    fn common(&self, list: Option<RawJson<'_>>) -> Revisions {
        let mut set = Revisions::NONE;
        for name in list.into_iter().flat_map(|list| list.elements()) {
            if let Some(revision) = name.as_json_str().and_then(Revision::from_json_str) {
                set = set.with(revision);
            }
        }
        set.and(self.config.revisions)
    }

    /// DC1: asks what the server is.
    fn probe<'p>(
        &mut self,
        tables: &mut Tables<'_>,
        revision: Revision,
    ) -> Result<Line<'p>, SessionError>
    where
        'c: 'p,
    {
        let patience = self.config.probe_timeout.max(1);
        let options = Options::new().with_timeouts(patience, patience);
        let body = Body::request(options.request(Payload::None, revision), Era::Modern);
        let line = self.request_line(Method::Discover.name(), body, revision);
        self.send(
            tables,
            &line,
            Some(Method::Discover),
            &options,
            Await::Probe,
        )?;
        self.phase = Phase::Probing;
        self.revision = None;
        self.tried = Some(revision);
        Ok(line)
    }

    /// LC1: opens a session of the legacy era.
    fn handshake<'p>(&mut self, tables: &mut Tables<'_>) -> Result<Line<'p>, SessionError>
    where
        'c: 'p,
    {
        let latest = self.config.revisions.latest_legacy();
        let revision = latest.ok_or(SessionError::NotReady)?;
        let method = Method::Initialize;
        let line = self.request_line(method.name(), Body::initialize(), revision);
        let options = Options::new();
        self.send(tables, &line, Some(method), &options, Await::Handshake)?;
        self.phase = Phase::Opening;
        self.revision = None;
        Ok(line)
    }
}

impl<'c: 'm, 'm, R: Role, S: Slots> Turn<'_, 'c, 'm, R, S> {
    /// Opens the session another way, if that can be: by a probe with a revision of the
    /// modern era, or by a handshake.
    fn open(&mut self, modern: Option<Revision>, otherwise: Failure) {
        let line = match modern {
            Some(revision) => self.core.probe(&mut self.tables, revision),
            None => self.core.handshake(&mut self.tables),
        };
        match line {
            Ok(line) => {
                self.step.send.line = Some(line);
                self.state(self.core.state());
            }
            Err(_) => self.failed(otherwise),
        }
    }

    /// The server is one of the legacy era, as far as can be told. One that has named a
    /// revision of the modern era that we speak never is, whatever it says afterwards: R70.
    fn fall_back(&mut self, otherwise: Failure) {
        if self.core.probed_again {
            self.failed(otherwise);
        } else {
            self.open(None, otherwise);
        }
    }

    /// The request that is to open the session has been answered, or will not be.
    pub(super) fn opened(&mut self, index: usize, why: Ended<'m>) {
        self.open_or_fail(index, why);
        if let Ended::Result(message) | Ended::Error(message) = why {
            self.brought_by(&message);
        }
    }

    fn open_or_fail(&mut self, index: usize, why: Ended<'m>) {
        let probing = self.tables.waits(index) == Some(Await::Probe);
        if let Some(slot) = self.tables.outbound.get_mut(index) {
            slot.vacate();
        }
        match (self.core.closing, probing) {
            // DC9: a slow server may read the probe, and end, after it was given up.
            (true, probing) if probing || self.core.probe_lost => {
                self.failed(Failure::ClosedWhileProbing);
            }
            (true, _) => self.failed(Failure::Closed),
            (false, true) => self.probed(why),
            (false, false) => self.shaken(why),
        }
    }

    /// DC2 to DC8.
    fn probed(&mut self, why: Ended<'m>) {
        let tried = self.core.tried.unwrap_or(Revision::V2026_07_28);
        let (message, is_result) = match why {
            Ended::Result(message) => (message, true),
            Ended::Error(message) => (message, false),
            Ended::TooLong => return self.failed(Failure::TooLong),
            Ended::TimedOut => {
                self.core.probe_lost = true;
                return self.fall_back(Failure::TimedOut);
            }
            _ => return self.fall_back(Failure::BadResponse),
        };
        let list = if is_result {
            member(&message, "supportedVersions").filter(|it| it.kind() == JsonKind::Array)
        } else {
            message.meta().supported()
        };
        let common = self.core.common(list);
        let refused =
            !is_result && modern_code(&message) == Some(code::UNSUPPORTED_PROTOCOL_VERSION);
        let another = common.without(tried).latest_modern();
        match (list, common.latest_modern()) {
            (None, _) if is_result => self.fall_back(Failure::BadResponse),
            (_, Some(revision)) if is_result => self.modern_ready(revision, &message),
            (Some(_), _) if is_result || refused => match another {
                Some(revision) if !self.core.probed_again => {
                    self.core.probed_again = true;
                    self.open(Some(revision), Failure::Refused);
                }
                // It refuses what it says that it supports.
                Some(_) => self.failed(Failure::Refused),
                None if common.latest_modern().is_some() => self.failed(Failure::Refused),
                None if common.latest_legacy().is_some() => {
                    self.fall_back(Failure::NoCommonRevision)
                }
                None => self.failed(Failure::NoCommonRevision),
            },
            _ if !is_result && !refused && modern_code(&message).is_some() => {
                self.modern_ready(tried, &message);
            }
            _ => self.fall_back(Failure::Refused),
        }
    }

    fn modern_ready(&mut self, revision: Revision, message: &Message<'m>) {
        self.core.modern = true;
        self.ready(revision, message);
        if message.kind() == Kind::Result {
            match message.meta().result_type() {
                Some(kind) if is(Some(kind), "complete") => {}
                Some(kind) if is(Some(kind), "input_required") => self.broke(Rule::R92),
                Some(_) => self.broke(Rule::R91),
                None => self.broke(Rule::R88),
            }
            if member(message, "capabilities").is_none() {
                self.broke(Rule::R104);
            }
        }
    }

    /// The session is open, by a message that may tell what the server can do.
    fn ready(&mut self, revision: Revision, message: &Message<'m>) {
        self.core.phase = Phase::Ready;
        self.core.revision = Some(revision);
        self.core.peer = Capabilities::declared(Side::Server, member(message, "capabilities"));
        self.state(State::Ready(revision));
    }

    /// LC6 to LC8.
    fn shaken(&mut self, why: Ended<'m>) {
        match why {
            Ended::Result(message) => {
                let version = member(&message, "protocolVersion").and_then(|it| it.as_json_str());
                let Some(version) = version else {
                    self.failed(Failure::BadResponse);
                    return self.broke(Rule::R54);
                };
                let ours = self.core.config.revisions.and(Revisions::LEGACY);
                let revision = Revision::from_json_str(version).filter(|&it| ours.contains(it));
                let Some(revision) = revision else {
                    return self.failed(Failure::NoCommonRevision);
                };
                self.ready(revision, &message);
                let text = Method::Initialized.name();
                let (kind, id) = (Kind::Notification, LineId::None);
                self.step.send = Send::one(Line::new(kind, id, text, revision, Body::none()));
                let required = Method::Initialize.required_result();
                if judge::missing(required, message.result()).is_some() {
                    self.broke(Rule::R54);
                }
            }
            Ended::Error(message) => {
                let common = self.core.common(message.meta().supported());
                // DC11: the probe was only slow, and the server is of the modern era.
                let slow = self.core.probe_lost && !self.core.probed_again;
                let modern = common.latest_modern();
                if slow
                    && modern.is_some()
                    && modern_code(&message) == Some(code::UNSUPPORTED_PROTOCOL_VERSION)
                {
                    self.core.probed_again = true;
                    return self.open(modern, Failure::Refused);
                }
                self.failed(Failure::Refused);
            }
            Ended::TooLong => self.failed(Failure::TooLong),
            Ended::TimedOut => self.failed(Failure::TimedOut),
            _ => self.failed(Failure::BadResponse),
        }
    }

    /// The probe's slot, if it is the one request that is under way: an error without an id
    /// is for it then.
    pub(super) fn only_probe(&self) -> Option<usize> {
        if R::SIDE == Side::Server || self.core.phase != Phase::Probing {
            return None;
        }
        self.tables
            .outbound
            .iter()
            .position(|slot| slot.serial != 0 && slot.waits == Await::Probe)
    }

    /// A client's request has been answered: MC2 to MC9.
    pub(super) fn answered(&mut self, index: usize, why: Ended<'m>) {
        let modern = self.core.revision.is_some_and(|it| it.era() == Era::Modern);
        let message = match why {
            Ended::Result(message) if modern => message,
            Ended::Error(message) if modern => {
                // MC6: the next request follows a revision that the server has.
                if modern_code(&message) == Some(code::UNSUPPORTED_PROTOCOL_VERSION) {
                    let common = self.core.common(message.meta().supported());
                    self.core.revision = common.latest_modern().or(self.core.revision);
                }
                return self.end(index, why);
            }
            _ => return self.end(index, why),
        };
        let Some(kind) = member(&message, "resultType") else {
            self.end(index, why);
            return self.broke(Rule::R88);
        };
        let Some(kind) = kind.as_json_str() else {
            self.end(index, Ended::BadResponse);
            return self.broke(Rule::R88);
        };
        let (kind, empty) = (Some(kind), kind.raw_bytes().is_empty());
        if is(kind, "complete") {
            let slot = self.tables.outbound.get(index);
            if slot.is_some_and(|slot| slot.method == Some(Method::Discover)) {
                let declared = member(&message, "capabilities");
                self.core.peer =
                    declared.map_or(self.core.peer, |it| Capabilities::read(Side::Server, it));
            }
            return self.end(index, why);
        }
        let rule = if is(kind, "input_required") {
            self.cannot_ask(index, &message)
        } else {
            let slot = self.tables.outbound.get_mut(index);
            let method = slot.as_ref().and_then(|slot| slot.method);
            let extensions = self.core.config.extensions();
            let broken = extensions.broken_by(is(kind, "task"), empty, method);
            if let (None, Some(slot)) = (broken, slot) {
                // What is in it is the program's to judge, which has declared the extension.
                slot.method = None;
                return self.end(index, why);
            }
            broken
        };
        if let Some(rule) = rule {
            self.end(index, Ended::BadResponse);
            return self.broke(rule);
        }
        let Some(slot) = self.tables.outbound.get_mut(index) else {
            return;
        };
        if slot.rounds >= self.core.config.rounds {
            return self.end(index, Ended::TooManyRounds);
        }
        slot.rounds = slot.rounds.saturating_add(1);
        slot.waits = Await::Input;
        slot.soft = Millis::MAX;
        slot.hard = Millis::MAX;
        self.step.event = Event::InputRequired {
            handle: Handle::new(index, slot.serial),
            round: slot.rounds,
            message,
        };
    }

    /// The rule that a demand for input breaks.
    fn cannot_ask(&self, index: usize, message: &Message<'m>) -> Option<Rule> {
        let slot = self.tables.outbound.get(index)?;
        if !slot.method.is_some_and(Method::may_ask_input) {
            return Some(Rule::R92);
        }
        let Some(requests) = member(message, "inputRequests") else {
            let state = member(message, "requestState");
            return match state.and_then(|it| it.as_json_str()) {
                Some(_) => None,
                None => Some(Rule::R93),
            };
        };
        let ours = self.core.config.offered(self.core.present());
        if requests.kind() != JsonKind::Object {
            return Some(Rule::R94);
        }
        for (_, request) in requests.members() {
            let method = request
                .get("method")
                .and_then(|it| it.as_json_str())
                .and_then(Method::from_json_str);
            let mode = request.get("params").and_then(|it| it.get("mode"));
            let url = is(mode.and_then(|it| it.as_json_str()), "url");
            let needs = match method {
                Some(Method::RootsList) => Capability::Roots,
                Some(Method::CreateMessage) => Capability::Sampling,
                Some(Method::Elicit) if url => Capability::ElicitationUrl,
                Some(Method::Elicit) if !ours.takes_forms() => return Some(Rule::R95),
                Some(Method::Elicit) => Capability::Elicitation,
                _ => return Some(Rule::R94),
            };
            let tools = request.get("params").and_then(|it| it.get("tools"));
            if !ours.has(needs) || tools.is_some() && !ours.has(Capability::SamplingTools) {
                return Some(Rule::R95);
            }
        }
        None
    }

    /// A request of the server's: LC9, LC11, LC15; MC13; DC10.
    pub(super) fn client_request(&mut self, message: &Message<'m>, method: Option<Method>) {
        let ping = method == Some(Method::Ping);
        match self.core.phase {
            Phase::Ready => {}
            Phase::Opening if ping => return self.answer_empty(),
            // Only a server of the legacy era pings.
            Phase::Probing if ping && self.core.config.revisions.latest_legacy().is_some() => {
                return self.answer_empty();
            }
            Phase::Opening => {
                self.refuse(&NO_SESSION, Body::none());
                return self.broke(Rule::R59);
            }
            _ => return self.ignore_broken(Ignored::WrongState, Rule::R59),
        }
        let revision = self.core.present();
        if revision.era() == Era::Modern {
            return self.ignore_broken(Ignored::WrongSide, Rule::R8);
        }
        if ping {
            return self.answer_empty();
        }
        if let Some(known) = method {
            if self.is_beyond_gate(known, revision) {
                return;
            }
            let ours = self.core.config.offered(revision);
            let modes = revision == Revision::V2025_11_25;
            let lacks = |needs| modes && !ours.has(needs);
            let beyond = match known {
                Method::Elicit if lacks(of_elicitation(message)) => Some(("mode", Rule::R78)),
                Method::CreateMessage if lacks(Capability::SamplingTools) => {
                    let tools = param(message, "tools").or_else(|| param(message, "toolChoice"));
                    tools.map(|_| ("tools", Rule::R80))
                }
                _ => None,
            };
            if let Some((name, rule)) = beyond {
                self.refuse_member(name);
                return self.broke(rule);
            }
            if let Some(name) = judge::missing(known.required(), message.params()) {
                return self.refuse_member(name);
            }
        }
        self.admit(message, method, revision);
    }

    /// A notification of the modern era: SU2, SU4, SU12; MC15.
    pub(super) fn of_subscription(&mut self, method: Method, message: &Message<'m>) {
        let subscription = message.meta().subscription_id();
        let bit = match method {
            Method::ToolsListChanged => TOOLS,
            Method::PromptsListChanged => PROMPTS,
            Method::ResourcesListChanged => RESOURCES,
            Method::ResourcesUpdated => URIS,
            Method::SubscriptionsAcknowledged => 0,
            _ => {
                let asked = self.tables.outbound.iter().any(|slot| {
                    slot.serial != 0 && slot.waits == Await::Answer && slot.flags & WANTS_LOG != 0
                });
                if !asked && self.core.gave_up & WANTS_LOG == 0 && method == Method::LogMessage {
                    self.broke(Rule::R128);
                }
                if subscription.is_some() {
                    self.broke(Rule::R134);
                }
                return self.pass(Some(method), message);
            }
        };
        let Some(id) = subscription else {
            let rule = if bit == 0 { Rule::R47 } else { Rule::R131 };
            return self.ignore_broken(Ignored::UnknownTarget, rule);
        };
        let number = ours(id);
        let index = self
            .outbound(number)
            .filter(|&index| self.tables.is_listening(index));
        let slot = index.and_then(|index| self.tables.outbound.get_mut(index));
        let (Some(index), Some(slot)) = (index, slot) else {
            self.ignore(Ignored::UnknownTarget);
            if !self.core.was_used(number) {
                self.broke(Rule::R47);
            }
            return;
        };
        let open = slot.waits == Await::Subscription;
        if open != (bit != 0) {
            return self.ignore_broken(Ignored::WrongState, Rule::R129);
        }
        if open {
            if slot.flags & bit == 0 {
                return self.ignore_broken(Ignored::UnknownTarget, Rule::R131);
            }
            return self.pass(Some(method), message);
        }
        let granted = param(message, "notifications").map_or(0, |it| Filter::read(it).bits());
        let more = granted & !slot.flags != 0;
        slot.flags &= granted;
        slot.waits = Await::Subscription;
        slot.soft = Millis::MAX;
        slot.hard = Millis::MAX;
        self.step.event = Event::Subscribed {
            handle: Handle::new(index, slot.serial),
            message: *message,
        };
        if more {
            self.broke(Rule::R130);
        }
    }
}

impl<'c, S: Slots> Session<'c, Client, S> {
    /// Opens the session: sends `server/discover`, if we speak the modern era, else
    /// `initialize`. What the server speaks is settled when
    /// [`Event::State`] says [`Ready`](State::Ready).
    ///
    /// # Errors
    ///
    /// [`NotReady`](SessionError::NotReady), if it was called before;
    /// [`TableFull`](SessionError::TableFull), if there is no slot for requests of ours;
    /// [`Write`](SessionError::Write).
    pub fn connect(&mut self, now: Millis) -> Result<Send<'c>, SessionError> {
        self.open(now, self.core.config.revisions.latest_modern())
    }

    /// Opens a session of the legacy era without a probe: where the server is known to be of
    /// that era, or closed the connection when it was probed.
    ///
    /// # Errors
    ///
    /// As [`connect`](Session::connect); also [`NotReady`](SessionError::NotReady), if we
    /// speak no revision of that era.
    pub fn connect_legacy(&mut self, now: Millis) -> Result<Send<'c>, SessionError> {
        self.open(now, None)
    }

    fn open(&mut self, now: Millis, modern: Option<Revision>) -> Result<Send<'c>, SessionError> {
        self.core.tick(now);
        if self.core.phase != Phase::Idle || self.core.closing {
            return Err(SessionError::NotReady);
        }
        let mut tables = self.slots.tables();
        let line = match modern {
            Some(revision) => self.core.probe(&mut tables, revision)?,
            None => self.core.handshake(&mut tables)?,
        };
        Ok(Send::one(line))
    }

    /// Takes the server's era from a verdict of earlier, so that no probe is needed: all
    /// requests follow the modern revision, and `capabilities` are what the server declared
    /// then.
    ///
    /// # Errors
    ///
    /// [`NotReady`](SessionError::NotReady), if the session was opened before, or we do not
    /// speak the revision.
    pub fn assume(
        &mut self,
        revision: Revision,
        capabilities: Capabilities,
    ) -> Result<(), SessionError> {
        let good = revision.era() == Era::Modern && self.core.config.revisions.contains(revision);
        if !good || self.core.phase != Phase::Idle || self.core.closing {
            return Err(SessionError::NotReady);
        }
        self.core.phase = Phase::Ready;
        self.core.revision = Some(revision);
        self.core.modern = true;
        self.core.peer = capabilities.of_side(Side::Server);
        Ok(())
    }

    /// Sends a request again, with the input that it asked for: after
    /// [`Event::InputRequired`]. The handle stays the same; on the wire it is a new request.
    ///
    /// `params` are those of the first time. `answers` is an object with a result for each
    /// key of `inputRequests`; `state` is `requestState`, if there was one, as it came.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle), also for a request that asked for nothing;
    /// [`Write`](SessionError::Write).
    pub fn retry<'p>(
        &mut self,
        handle: Handle,
        params: impl Into<Payload<'p>>,
        answers: impl Into<Payload<'p>>,
        state: Option<JsonStr<'p>>,
        options: Options<'p>,
        now: Millis,
    ) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        self.core.tick(now);
        let mut tables = self.slots.tables();
        let slot = tables
            .outbound_at(handle)
            .filter(|slot| slot.waits == Await::Input)
            .ok_or(SessionError::StaleHandle)?;
        let method = slot.method.ok_or(SessionError::StaleHandle)?;
        let revision = self.core.revision.ok_or(SessionError::NotReady)?;
        let mut request = options.request(params.into(), revision);
        request.answers = answers.into();
        request.state = state;
        let body = Body::request(request, Era::Modern);
        let line = self.core.request_line(method.name(), body, revision);
        line::check(&line)?;
        self.core.await_answer(slot, &options, Await::Answer)?;
        Ok(Send::one(line))
    }

    /// Asks to be told of changes; the modern era only. [`Event::Subscribed`] says that it is
    /// open, [`Event::Ended`] that it is over. Only the acknowledgement has a time-out.
    ///
    /// # Errors
    ///
    /// [`NotReady`](SessionError::NotReady); [`Gate`](SessionError::Gate) with R62 in the
    /// legacy era; [`TableFull`](SessionError::TableFull); [`Write`](SessionError::Write).
    pub fn listen<'p>(
        &mut self,
        filter: Filter<'p>,
        now: Millis,
    ) -> Result<(Handle, Send<'p>), SessionError>
    where
        'c: 'p,
    {
        self.core.tick(now);
        let revision = match (self.core.phase, self.core.revision) {
            (Phase::Ready, Some(revision)) if !self.core.closed => revision,
            _ => return Err(SessionError::NotReady),
        };
        if revision.era() == Era::Legacy {
            return Err(SessionError::Gate(Rule::R62));
        }
        let mut tables = self.slots.tables();
        let method = Method::SubscriptionsListen;
        let body = Body::listen(filter);
        let line = self.core.request_line(method.name(), body, revision);
        let (options, waits) = (Options::new(), Await::Acknowledgement);
        let handle = self
            .core
            .send(&mut tables, &line, Some(method), &options, waits)?;
        if let Some(slot) = tables.outbound_at(handle) {
            slot.flags = filter.bits();
        }
        Ok((handle, Send::one(line)))
    }
}
