//! What a server does: the ladder that requests climb, and what it may send.

use super::event::{Event, Ignored, SessionError, State, Step};
use super::inbox::{Terms, bare};
use super::judge;
use super::line::{
    self, Body, Filter, InputRequest, Line, LineId, PROMPTS, RESOURCES, Send, Stored, TOOLS, URIS,
};
use super::slots::{Handle, OPEN, Slots, Tables, id_of, is};
use super::{Core, Phase, Server, Session};
use crate::encode::Payload;
use crate::id::Id;
use crate::json::{JsonKind, JsonStr};
use crate::mcp::{
    Capabilities, Capability, Era, LogLevel, Method, MethodKind, Revision, Side, code, meta,
};
use crate::message::{Kind, Message};
use crate::rules::Rule;

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
    /// know, who was given its URIs.
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

impl<'c> Core<'c> {
    pub(super) fn server_request<'m>(
        &mut self,
        tables: &mut Tables<'_>,
        message: Message<'m>,
        id: Id<'m>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        let method = message.method().and_then(Method::from_json_str);
        let legacy = self.config.revisions.latest_legacy();
        if method == Some(Method::Initialize) {
            return match legacy {
                Some(latest) => self.initialize(message, id, latest),
                None => self.unsupported(
                    id,
                    message
                        .params()
                        .and_then(|it| it.get("protocolVersion")?.as_json_str()),
                ),
            };
        }
        if legacy.is_none() || message.meta().is_modern() {
            return self.modern_request(tables, message, id, method);
        }
        self.legacy_request(tables, message, id, method)
    }

    fn unsupported<'m>(&self, id: Id<'m>, requested: Option<JsonStr<'m>>) -> Step<'m>
    where
        'c: 'm,
    {
        let line = Line::error(
            LineId::Echo(id),
            code::UNSUPPORTED_PROTOCOL_VERSION,
            "Unsupported protocol version",
            Revision::V2026_07_28,
        )
        .config(self.config)
        .body(Body::Supported { requested });
        Step::send(Send::one(line))
    }

    /// LS1 to LS4, LS12.
    fn initialize<'m>(&mut self, message: Message<'m>, id: Id<'m>, latest: Revision) -> Step<'m>
    where
        'c: 'm,
    {
        if message.batch().is_some() {
            return Self::refuse(
                id,
                code::INVALID_REQUEST,
                "initialize cannot be part of a batch",
                latest,
                bare(),
            )
            .broke(Rule::R30);
        }
        if self.phase != Phase::Idle {
            return Self::refuse(
                id,
                code::INVALID_REQUEST,
                "The session is initialized already",
                latest,
                bare(),
            )
            .broke(Rule::R51);
        }
        let params = message.params();
        if let Some(name) = judge::missing(Method::Initialize.required(), params) {
            return Self::refuse(
                id,
                code::INVALID_PARAMS,
                "Invalid params",
                latest,
                Body::Member { name },
            )
            .broke(Rule::R52);
        }
        let member = |name| params.and_then(|params| params.get(name));
        let offered = member("protocolVersion")
            .and_then(|it| it.as_json_str())
            .and_then(Revision::from_json_str)
            .filter(|&it| it.era() == Era::Legacy && self.config.revisions.contains(it));
        let revision = offered.unwrap_or(latest);
        self.revision = Some(revision);
        self.phase = Phase::Opening;
        self.peer = member("capabilities").map_or(Capabilities::NONE, |it| {
            Capabilities::read(Side::Client, it)
        });
        let named = judge::is_implementation(member("clientInfo"));
        let line = Line::new(Kind::Result, LineId::Echo(id), "", revision)
            .config(self.config)
            .body(Body::Initialized);
        Step {
            event: Event::State {
                state: State::Opening,
                message: Some(message),
            },
            ..Step::send(Send::one(line))
        }
        .broke_if(!named, Rule::R52)
    }

    /// `notifications/initialized`.
    pub(super) fn initialized<'m>(&mut self, side: Side) -> Step<'m> {
        if side == Side::Client {
            return Step::ignored(Ignored::WrongSide).broke(Rule::R62);
        }
        match (self.phase, self.revision) {
            (Phase::Opening, Some(revision)) => {
                self.phase = Phase::Ready;
                Step::event(Event::State {
                    state: State::Ready(revision),
                    message: None,
                })
            }
            _ => Step::ignored(Ignored::WrongState),
        }
    }

    /// A request of the legacy era: LS5, LS6, LS11; DS4, DS5, DS10.
    fn legacy_request<'m>(
        &mut self,
        tables: &mut Tables<'_>,
        message: Message<'m>,
        id: Id<'m>,
        method: Option<Method>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        let Some(revision) = self.revision else {
            return self.request_before_session(id, method);
        };
        let Some(known) = method else {
            return self.admit(tables, message, id, None, &self.legacy_terms(revision));
        };
        if known == Method::Ping {
            return empty(id, revision);
        }
        if let Some(step) = self.beyond_gate(id, known, revision) {
            return step;
        }
        if let Some(step) = wrong_params(id, known, message, revision) {
            return step;
        }
        if known == Method::SetLevel {
            return self.set_level(id, message, revision);
        }
        self.admit(tables, message, id, method, &self.legacy_terms(revision))
    }

    /// Refuses a method that is not for the client to call.
    fn beyond_gate<'m>(&self, id: Id<'m>, method: Method, revision: Revision) -> Option<Step<'m>> {
        let refuse = |rule| Self::not_found(id, revision).broke(rule);
        if method.kind() == MethodKind::Notification {
            return Some(refuse(Rule::R24));
        }
        let gate = self.gate_inbound(method, Side::Client, revision).err()?;
        Some(refuse(judge::rule_of(method, gate, revision)))
    }

    fn legacy_terms(&self, revision: Revision) -> Terms {
        Terms {
            revision,
            capabilities: self.peer,
            level: None,
        }
    }

    fn request_before_session<'m>(&self, id: Id<'m>, method: Option<Method>) -> Step<'m> {
        let revision = self.present();
        if self.modern {
            // What opened in the modern era says its revision with every request.
            return Self::refuse(
                id,
                code::INVALID_PARAMS,
                "Invalid params",
                revision,
                Body::Member {
                    name: meta::PROTOCOL_VERSION,
                },
            )
            .broke(Rule::R42);
        }
        match method {
            Some(Method::Ping) => empty(id, Revision::V2025_11_25),
            Some(known)
                if known.kind() == MethodKind::Request
                    && !known.revisions().and(self.config.revisions).is_empty()
                    && known != Method::Discover =>
            {
                Self::refuse(
                    id,
                    code::INVALID_REQUEST,
                    "The session is not initialized",
                    revision,
                    bare(),
                )
                .broke(Rule::R51)
            }
            _ => Self::not_found(id, revision).broke(Rule::R51),
        }
    }

    fn set_level<'m>(&mut self, id: Id<'m>, message: Message<'m>, revision: Revision) -> Step<'m> {
        let level = message
            .params()
            .and_then(|params| params.get("level")?.as_json_str())
            .and_then(LogLevel::from_json_str);
        match level {
            Some(level) => {
                self.level = level;
                empty(id, revision)
            }
            None => Self::refuse(
                id,
                code::INVALID_PARAMS,
                "Invalid params",
                revision,
                Body::Member { name: "level" },
            ),
        }
    }

    /// A request of the modern era: MS4 and MS6 to MS9.
    fn modern_request<'m>(
        &mut self,
        tables: &mut Tables<'_>,
        message: Message<'m>,
        id: Id<'m>,
        method: Option<Method>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        const MODERN: Revision = Revision::V2026_07_28;
        let given = message.meta();
        let lacks = |name, rule| {
            Self::refuse(
                id,
                code::INVALID_PARAMS,
                "Invalid params",
                MODERN,
                Body::Member { name },
            )
            .broke(rule)
        };
        if message.batch().is_some() {
            // Only a session of 2025-03-26 takes batches, and those are its own.
            return Self::refuse(id, code::INVALID_REQUEST, "Invalid Request", MODERN, bare())
                .broke(Rule::R31);
        }
        let object = given.object_in_params();
        let version = object
            .filter(|_| given.is_modern())
            .and_then(|_| given.protocol_version());
        let Some(version) = version else {
            return lacks(meta::PROTOCOL_VERSION, Rule::R42);
        };
        let Some(capabilities) = given.client_capabilities() else {
            return lacks(meta::CLIENT_CAPABILITIES, Rule::R43);
        };
        let revision = Revision::from_json_str(version)
            .filter(|&it| it.era() == Era::Modern && self.config.revisions.contains(it));
        let Some(revision) = revision else {
            return self.unsupported(id, Some(version));
        };
        if self.config.policy.one_era && self.revision.is_some() {
            return Self::refuse(
                id,
                code::INVALID_REQUEST,
                "This connection has a session of another revision",
                revision,
                bare(),
            );
        }
        let info = object.and_then(|it| it.get(meta::CLIENT_INFO));
        let bad_info = info.is_some() && !judge::is_implementation(info);
        let step = self.modern_method(tables, message, id, method, revision, capabilities);
        step.broke_if(bad_info, Rule::R44)
    }

    fn modern_method<'m>(
        &mut self,
        tables: &mut Tables<'_>,
        message: Message<'m>,
        id: Id<'m>,
        method: Option<Method>,
        revision: Revision,
        capabilities: crate::json::RawJson<'m>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        if let Some(known) = method {
            if let Some(step) = self.beyond_gate(id, known, revision) {
                return step;
            }
            if let Some(step) = wrong_params(id, known, message, revision) {
                return step;
            }
        }
        let wanted = message.meta().log_level();
        let level = wanted.and_then(LogLevel::from_json_str);
        if wanted.is_some() && level.is_none() {
            return Self::refuse(
                id,
                code::INVALID_PARAMS,
                "Invalid params",
                revision,
                Body::Member {
                    name: meta::LOG_LEVEL,
                },
            );
        }
        // `server/discover` leaves the era open: whoever asks may still fall back.
        if method == Some(Method::Discover) {
            let line = Line::new(Kind::Result, LineId::Echo(id), "", revision)
                .config(self.config)
                .body(Body::Discovered);
            return Step::send(Send::one(line));
        }
        self.modern = true;
        let terms = Terms {
            revision,
            capabilities: Capabilities::read(Side::Client, capabilities),
            level,
        };
        let filter = message
            .params()
            .filter(|_| method == Some(Method::SubscriptionsListen))
            .and_then(|params| params.get("notifications"))
            .map_or(0, |it| Filter::read(it).bits());
        let step = self.admit(tables, message, id, method, &terms);
        if let (Event::Request(incoming), true) = (&step.event, filter != 0)
            && let Some(slot) = tables.inbound_at(incoming.handle)
        {
            // Not open before it is acknowledged: the upper bits hold what was asked for.
            slot.filter = filter << 4;
        }
        step
    }

    /// The stored id of a request of the peer, and its revision.
    pub(super) fn stored(
        tables: &Tables<'_>,
        handle: Handle,
    ) -> Result<(Stored, Revision, Option<Method>), SessionError> {
        let slot = tables
            .inbound
            .get(handle.index())
            .filter(|slot| slot.serial != 0 && slot.serial == handle.serial())
            .ok_or(SessionError::StaleHandle)?;
        let id =
            id_of(tables.inbound, tables.text, handle.index()).ok_or(SessionError::StaleHandle)?;
        Ok((Stored::new(id), slot.revision, slot.method))
    }
}

/// An empty result of the legacy era.
pub(super) fn empty<'m>(id: Id<'m>, revision: Revision) -> Step<'m> {
    let line = Line::new(Kind::Result, LineId::Echo(id), "", revision).body(Body::Empty);
    Step::send(Send::one(line))
}

fn wrong_params<'m>(
    id: Id<'m>,
    method: Method,
    message: Message<'m>,
    revision: Revision,
) -> Option<Step<'m>> {
    let name = judge::missing(method.required(), message.params())
        .or_else(|| wrong_cursor(method, message))?;
    Some(Core::refuse(
        id,
        code::INVALID_PARAMS,
        "Invalid params",
        revision,
        Body::Member { name },
    ))
}

/// A cursor is a string, or there is none.
fn wrong_cursor(method: Method, message: Message<'_>) -> Option<&'static str> {
    let cursor = message
        .params()
        .filter(|_| method.is_paginated())?
        .get("cursor")?;
    (cursor.kind() != JsonKind::String).then_some("cursor")
}

impl<'c, S: Slots> Session<'c, Server, S> {
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
        let (id, revision, method) = Core::stored(&tables, handle)?;
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
                Method::Elicit => match request.params {
                    Payload::Raw(raw)
                        if is(raw.get("mode").and_then(|it| it.as_json_str()), "url") =>
                    {
                        Capability::ElicitationUrl
                    }
                    _ => Capability::Elicitation,
                },
                _ => return Err(SessionError::Gate(Rule::R94)),
            };
            if !declared.has(needs) {
                return Err(SessionError::Gate(Rule::R95));
            }
        }
        let line = Line::new(Kind::Result, LineId::Stored(id), "", revision)
            .config(self.core.config)
            .body(Body::InputRequired { requests, state });
        self.finish(handle, line)
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
        let (id, revision, _) = Core::stored(&self.slots.tables(), handle)?;
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
        let line =
            Line::error(LineId::Stored(id), code, text, revision).body(Body::Required(required));
        self.finish(handle, line)
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
        let (id, revision, method) = Core::stored(&tables, handle)?;
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
            LineId::Stored(id),
            Method::SubscriptionsAcknowledged.name(),
            revision,
        )
        .body(Body::Subscription {
            filter: Some(granted),
            payload: Payload::None,
        });
        slot.filter = (slot.filter & 0xf0) | granted.bits();
        slot.level = None;
        slot.token_len = 0;
        slot.flags |= OPEN;
        Ok(Send::one(line))
    }

    /// Tells of a change: call it with the same cursor, 0 at first, until it gives `None`.
    /// There is one line for a session of the legacy era, and one for each subscription
    /// that covers the change.
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
        let ours = self.core.config.offered(revision);
        judge::gate(method, Side::Server, revision, ours, self.core.peer).ok()?;
        let line = Line::new(Kind::Notification, LineId::None, method.name(), revision);
        Some(Send::one(match change {
            Change::Resource(uri) => line.body(Body::Updated(uri)),
            _ => line,
        }))
    }

    /// Tells one subscription of a change.
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
        let (id, revision, method) = Core::stored(&tables, handle)?;
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
        let line = Line::new(
            Kind::Notification,
            LineId::Stored(id),
            change.method().name(),
            revision,
        );
        Ok(Send::one(match change {
            Change::Resource(uri) => line.body(Body::Updated(uri)),
            _ => line.body(Body::Subscription {
                filter: None,
                payload: Payload::None,
            }),
        }))
    }

    /// Ends a subscription from this side: its result, and a cancellation of its id after
    /// that, since the specification asks for either.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle), also for a request that is no
    /// subscription.
    pub fn end_subscription(&mut self, handle: Handle) -> Result<Send<'c>, SessionError> {
        let mut tables = self.slots.tables();
        let (id, revision, method) = Core::stored(&tables, handle)?;
        if method != Some(Method::SubscriptionsListen) {
            return Err(SessionError::StaleHandle);
        }
        let line = Line::new(Kind::Result, LineId::Stored(id), "", revision)
            .config(self.core.config)
            .body(Body::Result {
                reply: super::Reply::new(Payload::None),
                cached: false,
                subscription: true,
            });
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
        )
        .body(Body::Log {
            level,
            logger,
            data: data.into(),
        });
        line::check(&line)?;
        Ok(Send::one(line))
    }
}
