//! What a server does: the ladder that requests climb, and what it may send.

use super::body::{Body, Long};
use super::event::{Ignored, SessionError, State};
use super::judge;
use super::line::{
    self, Filter, InputRequest, Line, LineId, PROMPTS, RESOURCES, Send, TOOLS, URIS,
};
use super::outbox::{has_tools, is_url};
use super::slots::{Handle, OPEN, Slots};
use super::turn::{
    IN_A_BATCH, INITIALIZED, INVALID, NO_SESSION, NOT_FOUND, OTHER_ERA, Turn, UNSUPPORTED, param,
};
use super::{Phase, Role, Server, Session};
use crate::encode::Payload;
use crate::json::{JsonKind, JsonStr};
use crate::mcp::{
    Capabilities, Capability, Era, LogLevel, Method, MethodKind, Revision, Side, code, meta,
};
use crate::message::{Kind, Message};
use crate::rules::{Extensions, Rule};

/// Something of a server's that changed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Change<'p> {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources.
    Resources,
    /// The resource of this URI. Whether a client asked to be told of it is for the host to
    /// know, who was given its URIs: [`changed`](Session::changed) tells the session of the
    /// legacy era, and [`changed_for`](Session::changed_for) a subscription.
    Resource(&'p str),
}

impl Change<'_> {
    const fn method(&self) -> Method {
        match self {
            Change::Tools => Method::ToolsListChanged,
            Change::Prompts => Method::PromptsListChanged,
            Change::Resources => Method::ResourcesListChanged,
            Change::Resource(_) => Method::ResourcesUpdated,
        }
    }

    const fn bit(&self) -> u8 {
        match self {
            Change::Tools => TOOLS,
            Change::Prompts => PROMPTS,
            Change::Resources => RESOURCES,
            Change::Resource(_) => URIS,
        }
    }
}

impl<'c: 'm, 'm, R: Role, S: Slots> Turn<'_, 'c, 'm, R, S> {
    pub(super) fn server_request(&mut self, message: &Message<'m>, method: Option<Method>) {
        let revisions = self.core.config.revisions;
        let legacy = revisions.latest_legacy();
        // A server of the legacy era alone knows nothing of the other's marks; one of both
        // holds a method that only the modern era has to that era.
        let modern = revisions.latest_modern().is_some()
            && (message.meta().is_modern() || method == Some(Method::Discover));
        match (method, legacy) {
            (Some(Method::Initialize), Some(latest)) => self.initialize(message, latest),
            (Some(Method::Initialize), None) => {
                let version = param(message, "protocolVersion");
                self.unsupported(version.and_then(|it| it.as_json_str()));
            }
            (_, Some(_)) if !modern => self.legacy_request(message, method),
            _ => self.modern_request(message, method),
        }
    }

    fn unsupported(&mut self, requested: Option<JsonStr<'m>>) {
        self.refuse(&UNSUPPORTED, Body::supported(requested));
    }

    /// LS1 to LS4, LS12.
    fn initialize(&mut self, message: &Message<'m>, latest: Revision) {
        if message.batch().is_some() {
            self.refuse(&IN_A_BATCH, Body::none());
            return self.broke(Rule::R30);
        }
        if self.core.phase != Phase::Idle {
            self.refuse(&INITIALIZED, Body::none());
            return self.broke(Rule::R51);
        }
        if let Some(name) = judge::missing(Method::Initialize.required(), message.params()) {
            self.refuse_member(name);
            return self.broke(Rule::R52);
        }
        let revision = param(message, "protocolVersion")
            .and_then(|it| it.as_json_str())
            .and_then(Revision::from_json_str)
            .filter(|&it| it.era() == Era::Legacy && self.core.config.revisions.contains(it))
            .unwrap_or(latest);
        self.core.revision = Some(revision);
        self.core.phase = Phase::Opening;
        self.core.peer = Capabilities::declared(Side::Client, param(message, "capabilities"));
        self.state(State::Opening);
        self.brought_by(message);
        self.answer(revision, Body::initialized());
        if !judge::is_implementation(param(message, "clientInfo")) {
            self.broke(Rule::R52);
        }
    }

    /// `notifications/initialized`.
    pub(super) fn initialized(&mut self) {
        match (self.core.phase, self.core.revision) {
            (Phase::Opening, Some(revision)) => {
                self.core.phase = Phase::Ready;
                self.state(State::Ready(revision));
            }
            _ => self.ignore(Ignored::WrongState),
        }
    }

    /// A request of the legacy era: LS5, LS6, LS11; DS4, DS5, DS10.
    fn legacy_request(&mut self, message: &Message<'m>, method: Option<Method>) {
        let Some(revision) = self.core.revision else {
            return self.request_before_session(method);
        };
        if method == Some(Method::Ping) {
            return self.answer_empty();
        }
        if self.is_refused(message, method, revision) {
            return;
        }
        if method != Some(Method::SetLevel) {
            self.admit(message, method, revision);
            return;
        }
        let level = param(message, "level").and_then(|it| it.as_json_str());
        match level.and_then(LogLevel::from_json_str) {
            Some(level) => {
                self.core.level = level;
                self.answer_empty();
            }
            None => self.refuse_member("level"),
        }
    }

    /// Whether a request is not for the client to make, or lacks a parameter; it is refused
    /// then.
    fn is_refused(
        &mut self,
        message: &Message<'m>,
        method: Option<Method>,
        revision: Revision,
    ) -> bool {
        let Some(method) = method else {
            return false;
        };
        if self.is_beyond_gate(method, revision) {
            return true;
        }
        let name = judge::missing(method.required(), message.params());
        let Some(name) = name.or_else(|| wrong_cursor(method, message)) else {
            return false;
        };
        self.refuse_member(name);
        true
    }

    fn request_before_session(&mut self, method: Option<Method>) {
        if self.core.modern {
            // What opened in the modern era says its revision with every request.
            self.refuse_member(meta::PROTOCOL_VERSION);
            return self.broke(Rule::R42);
        }
        let known = method.filter(|it| {
            let ours = it.revisions().and(self.core.config.revisions);
            it.kind() == MethodKind::Request && !ours.is_empty() && *it != Method::Discover
        });
        match known {
            Some(Method::Ping) => return self.answer_empty(),
            Some(_) => self.refuse(&NO_SESSION, Body::none()),
            None => self.refuse(&NOT_FOUND, Body::none()),
        }
        // A client of both eras asks first what the server speaks.
        if method != Some(Method::Discover) {
            self.broke(Rule::R51);
        }
    }

    /// A request of the modern era: MS4 and MS6 to MS9.
    fn modern_request(&mut self, message: &Message<'m>, method: Option<Method>) {
        if message.batch().is_some() {
            // Only a session of 2025-03-26 takes batches, and those are its own.
            self.refuse(&INVALID, Body::none());
            return self.broke(Rule::R31);
        }
        let given = message.meta();
        let object = given.object_in_params();
        let version = given.protocol_version();
        let version = version.filter(|_| object.is_some() && given.is_modern());
        let Some(version) = version else {
            self.refuse_member(meta::PROTOCOL_VERSION);
            return self.broke(Rule::R42);
        };
        let Some(capabilities) = given.client_capabilities() else {
            self.refuse_member(meta::CLIENT_CAPABILITIES);
            return self.broke(Rule::R43);
        };
        let revision = Revision::from_json_str(version)
            .filter(|&it| it.era() == Era::Modern && self.core.config.revisions.contains(it));
        let Some(revision) = revision else {
            return self.unsupported(Some(version));
        };
        if self.core.config.policy.one_era && self.core.revision.is_some() {
            return self.refuse(&OTHER_ERA, Body::none());
        }
        let info = object.and_then(|it| it.get(meta::CLIENT_INFO));
        if info.is_some() && !judge::is_implementation(info) {
            self.broke(Rule::R44);
        }
        if self.is_refused(message, method, revision) {
            return;
        }
        let wanted = given.log_level();
        let level = wanted.and_then(LogLevel::from_json_str);
        if wanted.is_some() && level.is_none() {
            return self.refuse_member(meta::LOG_LEVEL);
        }
        // `server/discover` leaves the era open: whoever asks may still fall back.
        if method == Some(Method::Discover) {
            self.answer(revision, Body::discovered());
            return;
        }
        self.core.modern = true;
        let filter = match method {
            Some(Method::SubscriptionsListen) => param(message, "notifications"),
            _ => None,
        };
        if let Some(slot) = self.admit(message, method, revision) {
            slot.capabilities = Capabilities::read(Side::Client, capabilities);
            slot.keep(Extensions::declared(capabilities));
            slot.level = level;
            // Not open before it is acknowledged: the upper bits hold what was asked for.
            slot.filter = filter.map_or(0, |it| Filter::read(it).bits() << 4);
        }
    }
}

/// A cursor is a string, or there is none.
fn wrong_cursor(method: Method, message: &Message<'_>) -> Option<&'static str> {
    if !method.is_paginated() {
        return None;
    }
    let cursor = param(message, "cursor")?;
    (cursor.kind() != JsonKind::String).then_some("cursor")
}

impl<'c, S: Slots> Session<'c, Server, S> {
    /// Takes back what `initialize` has opened: its answer cannot be sent.
    pub(crate) fn unopen(&mut self) {
        self.core.phase = Phase::Idle;
        self.core.revision = None;
        self.core.peer = Capabilities::NONE;
    }

    /// Answers a request by asking its client for input first, in the modern era. The
    /// exchange is over then: the client sends the request anew, with the answers.
    ///
    /// `state` comes back with it, byte for byte, from whoever sends it: seal it where that
    /// matters. In the legacy era, ask by a [`request`](Session::request) of one's own.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle); [`Gate`](SessionError::Gate) with R92 for
    /// a method whose results cannot ask or a request of the legacy era, with R93 for
    /// neither requests nor state, with R94 for a method that is none of the three that can
    /// be asked for, with R95 for one whose capability the request did not declare;
    /// [`Write`](SessionError::Write).
    pub fn ask<'p>(
        &mut self,
        handle: Handle,
        requests: &'p [InputRequest<'p>],
        state: Option<&'p str>,
    ) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        let tables = self.slots.tables();
        let (revision, method) = tables.served(handle)?;
        if revision.era() == Era::Legacy || !method.is_some_and(Method::may_ask_input) {
            return Err(SessionError::Gate(Rule::R92));
        }
        if requests.is_empty() && state.is_none() {
            return Err(SessionError::Gate(Rule::R93));
        }
        let declared = tables
            .inbound
            .get(handle.index())
            .map_or(Capabilities::NONE, |slot| slot.capabilities);
        for request in requests {
            let needs = match request.method {
                Method::RootsList => Capability::Roots,
                Method::CreateMessage => Capability::Sampling,
                Method::Elicit if is_url(&request.params) => Capability::ElicitationUrl,
                Method::Elicit => Capability::ElicitationForm,
                _ => return Err(SessionError::Gate(Rule::R94)),
            };
            let tools = request.method == Method::CreateMessage && has_tools(&request.params);
            if !declared.has(needs) || tools && !declared.has(Capability::SamplingTools) {
                return Err(SessionError::Gate(Rule::R95));
            }
        }
        let id = tables.stored_id(handle);
        let body = Body::input(requests, state);
        let mut line = Line::new(Kind::Result, id, "", revision, body);
        line.config = Some(self.core.config);
        let mut send = Send::one(line);
        self.finish(handle, &mut send)?;
        Ok(send)
    }

    /// Answers a request that needs a capability which its client did not declare: -32021.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle).
    pub fn fail_for_capability<'p>(
        &mut self,
        handle: Handle,
        required: Capabilities,
    ) -> Result<Send<'p>, SessionError> {
        let tables = self.slots.tables();
        let (revision, _) = tables.served(handle)?;
        let (code, text) = match revision.era() {
            Era::Modern => (
                code::MISSING_CLIENT_CAPABILITY,
                "The request needs a capability that its client did not declare",
            ),
            Era::Legacy => (
                code::INVALID_REQUEST,
                "The request needs a capability that the client did not declare",
            ),
        };
        let id = tables.stored_id(handle);
        let mut line = Line::new(Kind::Error, id, text, revision, Body::required(required));
        line.code = Long::new(code as u64);
        let mut send = Send::one(line);
        self.finish(handle, &mut send)?;
        Ok(send)
    }

    /// Opens a subscription that a client has asked for with `subscriptions/listen`. What is
    /// granted may be less than what was asked for; what our capabilities do not cover is
    /// left out by itself. The handle stays good until the subscription ends.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle); [`Gate`](SessionError::Gate) with R130, if
    /// more is granted than was asked for, or with R129, if the subscription is open already
    /// or the request is another one.
    pub fn accept<'p>(
        &mut self,
        handle: Handle,
        filter: Filter<'p>,
    ) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        let mut tables = self.slots.tables();
        let (revision, method) = tables.served(handle)?;
        let id = tables.stored_id(handle);
        let ours = self.core.config.offered(revision);
        let slot = tables
            .inbound_at(handle)
            .filter(|slot| method == Some(Method::SubscriptionsListen) && slot.flags & OPEN == 0)
            .ok_or(SessionError::Gate(Rule::R129))?;
        if filter.bits() & !(slot.filter >> 4) != 0 {
            return Err(SessionError::Gate(Rule::R130));
        }
        let granted = Filter {
            tools: filter.tools && ours.has(Capability::ToolsListChanged),
            prompts: filter.prompts && ours.has(Capability::PromptsListChanged),
            resources: filter.resources && ours.has(Capability::ResourcesListChanged),
            uris: filter
                .uris
                .filter(|_| ours.has(Capability::ResourcesSubscribe)),
        };
        let line = Line::new(
            Kind::Notification,
            id,
            Method::SubscriptionsAcknowledged.name(),
            revision,
            Body::acknowledged(granted),
        );
        slot.filter = (slot.filter & 0xf0) | granted.bits();
        slot.level = None;
        slot.token_len = 0;
        slot.flags |= OPEN;
        Ok(Send::one(line))
    }

    /// Tells of a change: call it with the same cursor, 0 at first, until it gives `None`.
    /// There is one line for a session of the legacy era, and one for each subscription
    /// of the modern era that covers a change of a list. A [`Change::Resource`] goes to no
    /// subscription, since URIs are not kept: tell those that named the URI, each with
    /// [`changed_for`](Session::changed_for) (R131).
    ///
    /// ```
    /// # use wireline::session::*;
    /// # fn tell(session: &mut Session<'_, Server, Memory<1, 0, 64>>, out: &mut Vec<u8>) {
    /// let mut cursor = 0;
    /// while let Some(send) = session.changed(Change::Tools, &mut cursor) {
    ///     let mut line = [0; 256];
    ///     let n = send.write(&mut line).unwrap();
    ///     out.extend_from_slice(&line[..n]);
    /// }
    /// # }
    /// ```
    pub fn changed<'p>(&mut self, change: Change<'p>, cursor: &mut usize) -> Option<Send<'p>> {
        if *cursor == 0 {
            *cursor = 1;
            if let Some(send) = self.legacy_change(change) {
                return Some(send);
            }
        }
        if let Change::Resource(_) = change {
            return None;
        }
        loop {
            let index = cursor.checked_sub(1)?;
            let serial = self.slots.inbound().get(index)?.serial;
            *cursor = cursor.saturating_add(1);
            if let Ok(send) = self.changed_for(Handle::new(index, serial), change) {
                return Some(send);
            }
        }
    }

    fn legacy_change<'p>(&self, change: Change<'p>) -> Option<Send<'p>> {
        let revision = self
            .core
            .revision
            .filter(|_| self.core.phase == Phase::Ready)?;
        let method = change.method();
        let ours = self.core.declared(Side::Server, revision);
        if judge::gate(method, Side::Server, revision, ours).is_some() {
            return None;
        }
        let body = match change {
            Change::Resource(uri) => Body::updated(uri),
            _ => Body::none(),
        };
        let (kind, id) = (Kind::Notification, LineId::None);
        Some(Send::one(Line::new(
            kind,
            id,
            method.name(),
            revision,
            body,
        )))
    }

    /// Tells one subscription of a change. That it named the URI of a [`Change::Resource`] is
    /// for the host to know: what is checked is that it named any.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle); [`Gate`](SessionError::Gate) with R131, if
    /// the subscription does not cover the change, or with R129, if it is not open.
    pub fn changed_for<'p>(
        &mut self,
        handle: Handle,
        change: Change<'p>,
    ) -> Result<Send<'p>, SessionError> {
        let tables = self.slots.tables();
        let (revision, method) = tables.served(handle)?;
        if method != Some(Method::SubscriptionsListen) {
            return Err(SessionError::Gate(Rule::R129));
        }
        let open = tables
            .inbound
            .get(handle.index())
            .map_or(0, |slot| slot.filter & 0xf);
        if open & change.bit() == 0 {
            return Err(SessionError::Gate(Rule::R131));
        }
        let body = match change {
            Change::Resource(uri) => Body::updated(uri),
            _ => Body::changed(),
        };
        let (id, text) = (tables.stored_id(handle), change.method().name());
        Ok(Send::one(Line::new(
            Kind::Notification,
            id,
            text,
            revision,
            body,
        )))
    }

    /// Ends a subscription from this side: its result, and a cancellation of its id after
    /// that, since the specification asks for either. One that is not to be opened at all is
    /// refused with [`fail`](Session::fail).
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle), also for a request that is no
    /// subscription; [`Gate`](SessionError::Gate) with R129, if it has not been
    /// [accepted](Session::accept): its acknowledgement goes before all else.
    pub fn end_subscription(&mut self, handle: Handle) -> Result<Send<'c>, SessionError> {
        let mut tables = self.slots.tables();
        let (revision, method) = tables.served(handle)?;
        if method != Some(Method::SubscriptionsListen) {
            return Err(SessionError::StaleHandle);
        }
        let open = tables
            .inbound
            .get(handle.index())
            .is_some_and(|slot| slot.flags & OPEN != 0);
        if !open {
            return Err(SessionError::Gate(Rule::R129));
        }
        let id = tables.stored_id(handle);
        let mut line = Line::new(Kind::Result, id, "", revision, Body::unsubscribed());
        line.config = Some(self.core.config);
        if let Some(slot) = tables.inbound_at(handle) {
            slot.serial = 0;
        }
        Ok(Send::and_cancelled(line))
    }

    /// Sends a log message: for a request, or, in the legacy era, for none. Nothing is sent
    /// below the level that was asked for, or where none was in the modern era.
    ///
    /// `data` is any value.
    ///
    /// # Errors
    ///
    /// [`Gate`](SessionError::Gate) with R126, if logging was not declared;
    /// [`StaleHandle`](SessionError::StaleHandle); [`NotReady`](SessionError::NotReady)
    /// without a handle and without a session of the legacy era;
    /// [`Write`](SessionError::Write).
    pub fn log<'p>(
        &mut self,
        handle: Option<Handle>,
        level: LogLevel,
        logger: Option<&'p str>,
        data: impl Into<Payload<'p>>,
    ) -> Result<Send<'p>, SessionError> {
        if !self.core.config.capabilities.has(Capability::Logging) {
            return Err(SessionError::Gate(Rule::R126));
        }
        let (revision, least) = match handle {
            Some(handle) => {
                let info = self.incoming(handle).ok_or(SessionError::StaleHandle)?;
                if info.method == Some(Method::SubscriptionsListen) {
                    return Err(SessionError::Gate(Rule::R134));
                }
                (info.revision, info.log_level)
            }
            None => (
                self.core.revision.ok_or(SessionError::NotReady)?,
                Some(self.core.level),
            ),
        };
        if least.is_none_or(|least| level < least) {
            return Ok(Send::NONE);
        }
        let line = Line::new(
            Kind::Notification,
            LineId::None,
            Method::LogMessage.name(),
            revision,
            Body::log(level, logger, data.into()),
        );
        line::check(&line)?;
        Ok(Send::one(line))
    }
}
