//! What a client does: opening a session in either era, and what becomes of its requests.

use super::event::{Ended, Event, Failure, Ignored, SessionError, State, Step};
use super::inbox::{Terms, bare, of_elicitation};
use super::judge;
use super::line::{Body, Filter, Line, LineId, PROMPTS, RESOURCES, Send, TOOLS, URIS};
use super::outbox::{Options, due};
use super::server::empty;
use super::slots::{Await, Handle, Millis, Slots, Tables, WANTS_LOG, ours};
use super::{Client, Core, Phase, Session};
use crate::encode::Payload;
use crate::id::Id;
use crate::json::{JsonKind, JsonStr, RawJson};
use crate::mcp::{
    Capabilities, Capability, Era, Method, MethodKind, Revision, Revisions, Side, code,
};
use crate::message::{Kind, Message};
use crate::rules::Rule;

/// The revisions that an array names.
fn named(list: Option<RawJson<'_>>) -> Revisions {
    let mut set = Revisions::NONE;
    for name in list.into_iter().flat_map(|list| list.elements()) {
        if let Some(revision) = name.as_json_str().and_then(Revision::from_json_str) {
            set = set.with(revision);
        }
    }
    set
}

impl<'c> Core<'c> {
    /// DC1: asks what the server is.
    fn probe<'p>(
        &mut self,
        tables: &mut Tables<'_>,
        revision: Revision,
    ) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        let patience = self.config.probe_timeout.max(1);
        let options = Options::new().with_timeouts(patience, patience);
        let line = self.request_line(Method::Discover.name(), Payload::None, &options, revision);
        let (_, send) = self.send(tables, line, Some(Method::Discover), &options, Await::Probe)?;
        self.phase = Phase::Probing;
        self.revision = None;
        self.tried = Some(revision);
        Ok(send)
    }

    /// LC1: opens a session of the legacy era.
    fn handshake<'p>(&mut self, tables: &mut Tables<'_>) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        let revision = self
            .config
            .revisions
            .latest_legacy()
            .ok_or(SessionError::NotReady)?;
        let line = Line::new(
            Kind::Request,
            LineId::Ours(self.next_id),
            Method::Initialize.name(),
            revision,
        )
        .config(self.config)
        .body(Body::Initialize);
        let options = Options::new();
        let (_, send) = self.send(
            tables,
            line,
            Some(Method::Initialize),
            &options,
            Await::Handshake,
        )?;
        self.phase = Phase::Opening;
        self.revision = None;
        Ok(send)
    }

    /// The server is one of the legacy era, as far as can be told.
    fn fall_back<'m>(&mut self, tables: &mut Tables<'_>, otherwise: Failure) -> Step<'m>
    where
        'c: 'm,
    {
        match self.handshake(tables) {
            Ok(send) => Step {
                event: Event::State {
                    state: State::Opening,
                    message: None,
                },
                ..Step::send(send)
            },
            Err(_) => self.failed(otherwise),
        }
    }

    /// The request that is to open the session has been answered, or will not be.
    pub(super) fn opened<'m>(
        &mut self,
        tables: &mut Tables<'_>,
        index: usize,
        why: Ended<'m>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        let waits = tables.outbound.get(index).map(|slot| slot.waits);
        Core::vacate(tables, index);
        if self.closing {
            let probing = waits == Some(Await::Probe);
            return self.failed(if probing {
                Failure::ClosedWhileProbing
            } else {
                Failure::Closed
            });
        }
        if waits == Some(Await::Probe) {
            self.probed(tables, why)
        } else {
            self.shaken(tables, why)
        }
    }

    /// DC2 to DC8.
    fn probed<'m>(&mut self, tables: &mut Tables<'_>, why: Ended<'m>) -> Step<'m>
    where
        'c: 'm,
    {
        let tried = self.tried.unwrap_or(Revision::V2026_07_28);
        match why {
            Ended::Result(message) => {
                let result = message.result();
                let list = result.and_then(|it| it.get("supportedVersions"));
                if list.is_none_or(|it| it.kind() != JsonKind::Array) {
                    return self.fall_back(tables, Failure::BadResponse);
                }
                let common = named(list).and(self.config.revisions);
                match common.latest_modern() {
                    Some(revision) => self.modern_ready(revision, message),
                    None if common.latest_legacy().is_some() => {
                        self.fall_back(tables, Failure::NoCommonRevision)
                    }
                    None => self.failed(Failure::NoCommonRevision),
                }
            }
            Ended::Error(message) => {
                let meta = message.meta();
                let number = meta.error_code().and_then(|it| it.as_i64()).unwrap_or(0);
                if number == code::UNSUPPORTED_PROTOCOL_VERSION && meta.supported().is_some() {
                    let common = named(meta.supported()).and(self.config.revisions);
                    let another = common.without(tried).latest_modern();
                    return match another {
                        Some(revision) if !self.probed_again => {
                            self.probed_again = true;
                            self.probe_again(tables, revision)
                        }
                        // It refuses what it says that it supports.
                        Some(_) => self.failed(Failure::Refused),
                        None if common.latest_legacy().is_some() => {
                            self.fall_back(tables, Failure::NoCommonRevision)
                        }
                        None => self.failed(Failure::NoCommonRevision),
                    };
                }
                if code::is_modern(number) && number != code::UNSUPPORTED_PROTOCOL_VERSION {
                    return self.modern_ready(tried, message);
                }
                self.fall_back(tables, Failure::Refused)
            }
            Ended::TooLong => self.failed(Failure::TooLong),
            Ended::TimedOut => {
                self.probe_lost = true;
                self.fall_back(tables, Failure::TimedOut)
            }
            _ => self.fall_back(tables, Failure::BadResponse),
        }
    }

    fn probe_again<'m>(&mut self, tables: &mut Tables<'_>, revision: Revision) -> Step<'m>
    where
        'c: 'm,
    {
        match self.probe(tables, revision) {
            Ok(send) => Step {
                event: Event::State {
                    state: State::Probing,
                    message: None,
                },
                ..Step::send(send)
            },
            Err(_) => self.failed(Failure::Refused),
        }
    }

    fn modern_ready<'m>(&mut self, revision: Revision, message: Message<'m>) -> Step<'m> {
        self.phase = Phase::Ready;
        self.revision = Some(revision);
        self.modern = true;
        let declared = message.result().and_then(|it| it.get("capabilities"));
        self.peer = declared.map_or(Capabilities::NONE, |it| {
            Capabilities::read(Side::Server, it)
        });
        let result = message.kind() == Kind::Result;
        let bare = result && message.meta().result_type().is_none();
        let step = Step::event(Event::State {
            state: State::Ready(revision),
            message: Some(message),
        });
        step.broke_if(bare, Rule::R88)
            .broke_if(result && declared.is_none(), Rule::R104)
    }

    /// LC6 to LC8.
    fn shaken<'m>(&mut self, tables: &mut Tables<'_>, why: Ended<'m>) -> Step<'m>
    where
        'c: 'm,
    {
        match why {
            Ended::Result(message) => {
                let version = message
                    .result()
                    .and_then(|it| it.get("protocolVersion")?.as_json_str());
                let Some(version) = version else {
                    return self.failed(Failure::BadResponse).broke(Rule::R54);
                };
                let revision = Revision::from_json_str(version)
                    .filter(|&it| it.era() == Era::Legacy && self.config.revisions.contains(it));
                let Some(revision) = revision else {
                    let mut step = self.failed(Failure::NoCommonRevision);
                    if let Event::State { message: about, .. } = &mut step.event {
                        *about = Some(message);
                    }
                    return step;
                };
                let lacks = judge::missing(Method::Initialize.required_result(), message.result());
                self.phase = Phase::Ready;
                self.revision = Some(revision);
                self.peer = message
                    .result()
                    .and_then(|it| it.get("capabilities"))
                    .map_or(Capabilities::NONE, |it| {
                        Capabilities::read(Side::Server, it)
                    });
                let line = Line::new(
                    Kind::Notification,
                    LineId::None,
                    Method::Initialized.name(),
                    revision,
                );
                Step {
                    event: Event::State {
                        state: State::Ready(revision),
                        message: Some(message),
                    },
                    ..Step::send(Send::one(line))
                }
                .broke_if(lacks.is_some(), Rule::R54)
            }
            Ended::Error(message) => {
                let meta = message.meta();
                let number = meta.error_code().and_then(|it| it.as_i64());
                let common = named(meta.supported()).and(self.config.revisions);
                // DC11: the probe was only slow, and the server is of the modern era.
                if let (Some(code::UNSUPPORTED_PROTOCOL_VERSION), Some(revision), true, false) = (
                    number,
                    common.latest_modern(),
                    self.probe_lost,
                    self.probed_again,
                ) {
                    self.probed_again = true;
                    return self.probe_again(tables, revision);
                }
                let mut step = self.failed(Failure::Refused);
                if let Event::State { message: about, .. } = &mut step.event {
                    *about = Some(message);
                }
                step
            }
            Ended::TooLong => self.failed(Failure::TooLong),
            Ended::TimedOut => self.failed(Failure::TimedOut),
            _ => self.failed(Failure::BadResponse),
        }
    }

    /// The probe's slot, if it is the one request that is under way: an error without an id
    /// is for it then.
    pub(super) fn only_probe(&self, side: Side, tables: &Tables<'_>) -> Option<usize> {
        let probing = side == Side::Client && self.phase == Phase::Probing;
        probing.then(|| {
            tables
                .outbound
                .iter()
                .position(|slot| slot.serial != 0 && slot.waits == Await::Probe)
        })?
    }

    /// A client's request has been answered: MC2 to MC9.
    pub(super) fn answered<'m>(
        &mut self,
        tables: &mut Tables<'_>,
        index: usize,
        why: Ended<'m>,
        message: Option<Message<'m>>,
    ) -> Step<'m> {
        let modern = self.present().era() == Era::Modern;
        let (Some(message), true) = (message, modern) else {
            return self.end(tables, index, why);
        };
        match why {
            Ended::Result(_) => {}
            Ended::Error(_) => {
                // MC6: the next request follows a revision that the server has.
                let number = message.meta().error_code().and_then(|it| it.as_i64());
                if number == Some(code::UNSUPPORTED_PROTOCOL_VERSION) {
                    let common = named(message.meta().supported()).and(self.config.revisions);
                    if let Some(revision) = common.latest_modern() {
                        self.revision = Some(revision);
                    }
                }
                return self.end(tables, index, why);
            }
            _ => return self.end(tables, index, why),
        }
        let member = |name| message.result().and_then(|it| it.get(name));
        let kind = match member("resultType") {
            None => return self.end(tables, index, why).broke(Rule::R88),
            Some(kind) => kind.as_json_str(),
        };
        match kind {
            Some(kind) if kind == "complete" => self.end(tables, index, why),
            Some(kind) if kind == "input_required" => {
                let Some(slot) = tables.outbound.get_mut(index) else {
                    return Step::NOTHING;
                };
                if !slot.method.is_some_and(Method::may_ask_input) {
                    return self.end(tables, index, Ended::BadResponse).broke(Rule::R92);
                }
                if member("inputRequests").is_none() && member("requestState").is_none() {
                    return self.end(tables, index, Ended::BadResponse).broke(Rule::R93);
                }
                if let Some(rule) = self.undeclared(member("inputRequests")) {
                    return self.end(tables, index, Ended::BadResponse).broke(rule);
                }
                if slot.rounds >= self.config.rounds {
                    return self.end(tables, index, Ended::TooManyRounds);
                }
                slot.rounds = slot.rounds.saturating_add(1);
                slot.waits = Await::Input;
                slot.soft = Millis::MAX;
                slot.hard = Millis::MAX;
                Step::event(Event::InputRequired {
                    handle: Handle::new(index, slot.serial),
                    round: slot.rounds,
                    message,
                })
            }
            _ => self.end(tables, index, Ended::BadResponse).broke(Rule::R91),
        }
    }

    /// The rule that input of a kind which cannot be asked for breaks.
    fn undeclared(&self, requests: Option<RawJson<'_>>) -> Option<Rule> {
        let ours = self.config.offered(self.present());
        let requests = requests?;
        if requests.kind() != JsonKind::Object {
            return Some(Rule::R94);
        }
        for (_, request) in requests.members() {
            let method = request
                .get("method")
                .and_then(|it| it.as_json_str())
                .and_then(Method::from_json_str);
            let mode = request.get("params").and_then(|it| it.get("mode"));
            let url = super::slots::is(mode.and_then(|it| it.as_json_str()), "url");
            let needs = match method {
                Some(Method::RootsList) => Capability::Roots,
                Some(Method::CreateMessage) => Capability::Sampling,
                Some(Method::Elicit) if url => Capability::ElicitationUrl,
                Some(Method::Elicit) => Capability::Elicitation,
                _ => return Some(Rule::R94),
            };
            if !ours.has(needs) {
                return Some(Rule::R95);
            }
        }
        None
    }

    /// A request of the server's: LC9, LC11, LC15; MC13; DC10.
    pub(super) fn client_request<'m>(
        &mut self,
        tables: &mut Tables<'_>,
        message: Message<'m>,
        id: Id<'m>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        let method = message.method().and_then(Method::from_json_str);
        let handshake = Revision::V2025_11_25;
        match self.phase {
            Phase::Ready => {}
            Phase::Probing | Phase::Opening if method == Some(Method::Ping) => {
                return empty(id, handshake);
            }
            Phase::Opening => {
                return Self::refuse(
                    id,
                    code::INVALID_REQUEST,
                    "The session is not initialized",
                    handshake,
                    bare(),
                )
                .broke(Rule::R59);
            }
            _ => return Step::ignored(Ignored::WrongState).broke(Rule::R59),
        }
        let revision = self.present();
        if revision.era() == Era::Modern {
            return Step::ignored(Ignored::WrongSide).broke(Rule::R8);
        }
        let Some(known) = method else {
            return self.admit(tables, message, id, None, &self.terms(revision));
        };
        if known == Method::Ping {
            return empty(id, revision);
        }
        let rule = if known.kind() == MethodKind::Notification {
            Some(Rule::R24)
        } else {
            self.gate_inbound(known, Side::Server, revision)
                .err()
                .map(|gate| judge::rule_of(known, gate, revision))
        };
        if let Some(rule) = rule {
            return Self::not_found(id, revision).broke(rule);
        }
        let ours = self.config.offered(revision);
        let modes = revision == Revision::V2025_11_25;
        let refused = match known {
            Method::Elicit if modes && !ours.has(of_elicitation(&message)) => {
                Some(("mode", Some(Rule::R78)))
            }
            Method::CreateMessage if modes && !ours.has(Capability::SamplingTools) => message
                .params()
                .and_then(|it| it.get("tools").or_else(|| it.get("toolChoice")))
                .map(|_| ("tools", Some(Rule::R80))),
            _ => None,
        };
        let refused = refused.or_else(|| {
            judge::missing(known.required(), message.params()).map(|name| (name, None))
        });
        if let Some((name, rule)) = refused {
            return Self::refuse(
                id,
                code::INVALID_PARAMS,
                "Invalid params",
                revision,
                Body::Member { name },
            )
            .broke_if(rule.is_some(), rule.unwrap_or(Rule::R32));
        }
        self.admit(tables, message, id, method, &self.terms(revision))
    }

    fn terms(&self, revision: Revision) -> Terms {
        Terms {
            revision,
            capabilities: self.peer,
            level: None,
        }
    }

    /// A notification of the modern era: SU2, SU4, SU12; MC15.
    pub(super) fn of_subscription<'m>(
        &mut self,
        tables: &mut Tables<'_>,
        method: Method,
        message: Message<'m>,
    ) -> Step<'m> {
        let event = Event::Notification {
            method: Some(method),
            message,
        };
        let subscription = message.meta().subscription_id();
        let bit = match method {
            Method::ToolsListChanged => TOOLS,
            Method::PromptsListChanged => PROMPTS,
            Method::ResourcesListChanged => RESOURCES,
            Method::ResourcesUpdated => URIS,
            Method::SubscriptionsAcknowledged => 0,
            _ => {
                let asked = tables.outbound.iter().any(|slot| {
                    slot.serial != 0 && slot.waits == Await::Answer && slot.flags & WANTS_LOG != 0
                });
                return Step::event(event)
                    .broke_if(!asked && method == Method::LogMessage, Rule::R128)
                    .broke_if(subscription.is_some(), Rule::R134);
            }
        };
        let Some(id) = subscription else {
            let rule = if bit == 0 { Rule::R47 } else { Rule::R131 };
            return Step::ignored(Ignored::UnknownTarget).broke(rule);
        };
        let number = ours(id);
        let slot = number
            .and_then(|id| tables.find_outbound(id))
            .and_then(|index| Some((index, tables.outbound.get_mut(index)?)))
            .filter(|(_, slot)| matches!(slot.waits, Await::Acknowledgement | Await::Subscription));
        let Some((index, slot)) = slot else {
            let late = number.is_some_and(|id| id < self.next_id);
            return Step::ignored(Ignored::UnknownTarget).broke_if(!late, Rule::R47);
        };
        if bit == 0 {
            if slot.waits == Await::Subscription {
                return Step::ignored(Ignored::WrongState).broke(Rule::R129);
            }
            let granted = message
                .params()
                .and_then(|it| it.get("notifications"))
                .map_or(0, |it| Filter::read(it).bits());
            let more = granted & !slot.flags != 0;
            slot.flags &= granted;
            slot.waits = Await::Subscription;
            slot.soft = Millis::MAX;
            slot.hard = Millis::MAX;
            return Step::event(Event::Subscribed {
                handle: Handle::new(index, slot.serial),
                message,
            })
            .broke_if(more, Rule::R130);
        }
        if slot.waits == Await::Acknowledgement {
            return Step::ignored(Ignored::WrongState).broke(Rule::R129);
        }
        if slot.flags & bit == 0 {
            return Step::ignored(Ignored::UnknownTarget).broke(Rule::R131);
        }
        Step::event(event)
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
        match modern {
            Some(revision) => self.core.probe(&mut tables, revision),
            None => self.core.handshake(&mut tables),
        }
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
        self.core.peer = capabilities;
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
        let clock = self.core.tick(now);
        let mut tables = self.slots.tables();
        let slot = tables
            .outbound_at(handle)
            .filter(|slot| slot.waits == Await::Input)
            .ok_or(SessionError::StaleHandle)?;
        let method = slot.method.ok_or(SessionError::StaleHandle)?;
        let revision = self.core.revision.ok_or(SessionError::NotReady)?;
        let mut line = self
            .core
            .request_line(method.name(), Payload::None, &options, revision);
        if let Body::Request {
            payload,
            answers: given,
            state: echoed,
            ..
        } = &mut line.body
        {
            *payload = params.into();
            *given = answers.into();
            *echoed = state;
        }
        super::line::check(&line)?;
        let soft = options.soft.unwrap_or(self.core.config.request_timeout);
        slot.id = self.core.next_id;
        slot.waits = Await::Answer;
        slot.soft = due(clock, soft);
        slot.hard = due(clock, options.hard.unwrap_or(self.core.config.hard_timeout));
        slot.extend = soft;
        slot.flags = if options.progress {
            super::slots::WANTS_PROGRESS
        } else {
            0
        };
        if options.log_level.is_some() {
            slot.flags |= WANTS_LOG;
        }
        slot.last = super::slots::Outbound::VACANT.last;
        self.core.next_id = self.core.next_id.saturating_add(1);
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
            (Phase::Ready, Some(revision)) => revision,
            _ => return Err(SessionError::NotReady),
        };
        if revision.era() == Era::Legacy {
            return Err(SessionError::Gate(Rule::R62));
        }
        let mut tables = self.slots.tables();
        let mut line = self.core.request_line(
            Method::SubscriptionsListen.name(),
            Payload::None,
            &Options::new(),
            revision,
        );
        line.body = Body::Listen(filter);
        let (handle, send) = self.core.send(
            &mut tables,
            line,
            Some(Method::SubscriptionsListen),
            &Options::new(),
            Await::Acknowledgement,
        )?;
        if let Some(slot) = tables.outbound_at(handle) {
            slot.flags = filter.bits();
        }
        Ok((handle, send))
    }
}
