//! What the host does: answering, asking, telling, cancelling, letting time pass.

use super::event::{Ended, Event, Failure, SessionError, State, Step};
use super::judge;
use super::line::{self, Body, Line, LineId, Progress, Reply, Send, Stored};
use super::slots::{self, Await, Handle, Millis, Outbound, Slots, Tables};
use super::{Core, Phase, Role, Session};
use crate::encode::Payload;
use crate::mcp::{Capability, Era, LogLevel, Method, MethodKind, Revision, Side};
use crate::message::Kind;
use crate::rules::Rule;

/// How a request of ours is sent.
///
/// ```
/// use wireline::session::Options;
/// let patient = Options::new().with_progress().with_timeouts(5_000, 60_000);
/// assert!(patient.progress);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options<'p> {
    /// Ask to be told how it gets on. The progress token is the request's id.
    pub progress: bool,
    /// Milliseconds until it times out, counted anew with each progress; `None` for what
    /// the [`Config`](super::Config) says, 0 for never.
    pub soft: Option<u32>,
    /// Milliseconds until it times out whatever comes.
    pub hard: Option<u32>,
    /// Ask for log messages from this level on; the modern era only.
    pub log_level: Option<LogLevel>,
    /// Members for `_meta`: an object.
    pub meta: Payload<'p>,
}

impl<'p> Options<'p> {
    /// No progress, no log messages, time-outs as configured.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            progress: false,
            soft: None,
            hard: None,
            log_level: None,
            meta: Payload::None,
        }
    }

    /// Asks to be told how it gets on.
    #[must_use]
    pub const fn with_progress(mut self) -> Self {
        self.progress = true;
        self
    }

    /// Sets the time-outs in milliseconds, from one progress to the next and in all; 0 for
    /// never.
    #[must_use]
    pub const fn with_timeouts(mut self, soft: u32, hard: u32) -> Self {
        self.soft = Some(soft);
        self.hard = Some(hard);
        self
    }

    /// Asks for log messages from a level on.
    #[must_use]
    pub const fn with_log_level(mut self, level: LogLevel) -> Self {
        self.log_level = Some(level);
        self
    }

    /// Sets members for `_meta`.
    #[must_use]
    pub fn with_meta(mut self, members: impl Into<Payload<'p>>) -> Self {
        self.meta = members.into();
        self
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options::new()
    }
}

/// When a time-out of so many milliseconds is due; 0 for never.
pub(super) fn due(now: Millis, millis: u32) -> Millis {
    if millis == 0 {
        Millis::MAX
    } else {
        now.saturating_add(Millis::from(millis))
    }
}

impl<'c> Core<'c> {
    /// The revision by which something is sent now.
    fn sending(&self, side: Side) -> Result<Revision, SessionError> {
        match (self.phase, self.revision, side) {
            (Phase::Ready, Some(revision), _) if !self.closed => Ok(revision),
            (Phase::Opening, ..) => Err(SessionError::Gate(match side {
                Side::Client => Rule::R58,
                Side::Server => Rule::R59,
            })),
            (_, None, Side::Server) if self.modern => Err(SessionError::Gate(Rule::R8)),
            _ => Err(SessionError::NotReady),
        }
    }

    /// Whether we may send a method.
    fn gate_outbound(
        &self,
        method: Method,
        side: Side,
        revision: Revision,
    ) -> Result<(), SessionError> {
        let ours = self.config.offered(revision);
        judge::gate(method, side, revision, ours, self.peer)
            .map_err(|gate| SessionError::Gate(judge::rule_of(method, gate, revision)))
    }

    /// Takes a slot for a request of ours, after its line has been found good.
    pub(super) fn send<'p>(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line<'p>,
        method: Option<Method>,
        options: &Options<'_>,
        waits: Await,
    ) -> Result<(Handle, Send<'p>), SessionError> {
        line::check(&line)?;
        let serial = self.serial();
        let (index, slot) = tables
            .depart(serial, self.next_id)
            .ok_or(SessionError::TableFull)?;
        let soft = options.soft.unwrap_or(self.config.request_timeout);
        let hard = options.hard.unwrap_or(self.config.hard_timeout);
        slot.method = method;
        slot.waits = waits;
        slot.soft = due(self.clock, soft);
        slot.hard = due(self.clock, hard);
        slot.extend = soft;
        if options.progress {
            slot.flags |= slots::WANTS_PROGRESS;
        }
        if options.log_level.is_some() {
            slot.flags |= slots::WANTS_LOG;
        }
        self.next_id = self.next_id.saturating_add(1);
        Ok((Handle::new(index, serial), Send::one(line)))
    }

    /// A line for a request of ours, with the next id.
    pub(super) fn request_line<'p>(
        &self,
        method: &'p str,
        payload: Payload<'p>,
        options: &Options<'p>,
        revision: Revision,
    ) -> Line<'p>
    where
        'c: 'p,
    {
        Line::new(Kind::Request, LineId::Ours(self.next_id), method, revision)
            .config(self.config)
            .body(Body::Request {
                payload,
                meta: options.meta,
                token: options.progress,
                level: options.log_level.filter(|_| revision.era() == Era::Modern),
                answers: Payload::None,
                state: None,
            })
    }

    fn request<'p>(
        &mut self,
        side: Side,
        tables: &mut Tables<'_>,
        name: &'p str,
        payload: Payload<'p>,
        options: &Options<'p>,
    ) -> Result<(Handle, Send<'p>), SessionError>
    where
        'c: 'p,
    {
        let method = Method::parse(name);
        if method == Some(Method::Ping) {
            return self.ping(side, tables);
        }
        let revision = self.sending(side)?;
        if side == Side::Server && revision.era() == Era::Modern {
            return Err(SessionError::Gate(Rule::R8));
        }
        if let Some(known) = method {
            if known.kind() == MethodKind::Notification {
                return Err(SessionError::Gate(Rule::R24));
            }
            if known == Method::Initialize {
                return Err(SessionError::Gate(Rule::R51));
            }
            if known == Method::SubscriptionsListen {
                return Err(SessionError::Gate(Rule::R129));
            }
            self.gate_outbound(known, side, revision)?;
            let no_urls = !self.peer.has(Capability::ElicitationUrl);
            if known == Method::Elicit && no_urls && is_url(&payload) {
                return Err(SessionError::Gate(Rule::R78));
            }
            let no_tools =
                revision == Revision::V2025_11_25 && !self.peer.has(Capability::SamplingTools);
            if known == Method::CreateMessage && no_tools && has_tools(&payload) {
                return Err(SessionError::Gate(Rule::R80));
            }
        }
        let line = self.request_line(name, payload, options, revision);
        self.send(tables, line, method, options, Await::Answer)
    }

    fn ping<'p>(
        &mut self,
        side: Side,
        tables: &mut Tables<'_>,
    ) -> Result<(Handle, Send<'p>), SessionError>
    where
        'c: 'p,
    {
        let revision = match (self.revision, self.phase, side) {
            (Some(revision), ..) => revision,
            // Both sides may ping before and during the handshake, where there is to be one.
            (None, Phase::Opening, _) => Revision::V2025_11_25,
            (None, Phase::Idle, Side::Server)
                if self.config.revisions.latest_modern().is_none() =>
            {
                Revision::V2025_11_25
            }
            _ => return Err(SessionError::NotReady),
        };
        if revision.era() == Era::Modern {
            return Err(SessionError::Gate(Rule::R74));
        }
        let options = Options::new();
        let line = self.request_line(Method::Ping.name(), Payload::None, &options, revision);
        self.send(tables, line, Some(Method::Ping), &options, Await::Answer)
    }

    /// The line that tells the peer that a request of ours is no longer wanted.
    fn cancellation<'p>(&self, id: u32, reason: Option<&'p str>) -> Line<'p> {
        Line::new(
            Kind::Notification,
            LineId::Ours(id),
            Method::Cancelled.name(),
            self.present(),
        )
        .body(Body::Cancelled { reason })
    }

    /// Ends a request of ours from our side.
    fn give_up<'p>(
        &mut self,
        tables: &mut Tables<'_>,
        index: usize,
        why: Ended<'p>,
        reason: Option<&'p str>,
    ) -> Step<'p> {
        let Some(slot) = tables.outbound.get(index) else {
            return Step::NOTHING;
        };
        let (id, waits) = (slot.id, slot.waits);
        let mut step = self.end(tables, index, why);
        // A request that waits for input has been answered: nobody works on it.
        if waits != Await::Input {
            step.send = Send::one(self.cancellation(id, reason));
        }
        step
    }
}

/// Whether the parameters of an elicitation send the user to a URL, as far as can be seen.
fn is_url(payload: &Payload<'_>) -> bool {
    match payload {
        Payload::Raw(raw) => slots::is(raw.get("mode").and_then(|it| it.as_json_str()), "url"),
        _ => false,
    }
}

/// Whether the parameters of a sampling request bring tools, as far as can be seen.
fn has_tools(payload: &Payload<'_>) -> bool {
    match payload {
        Payload::Raw(raw) => raw.get("tools").is_some() || raw.get("toolChoice").is_some(),
        _ => false,
    }
}

impl<'c, R: Role, S: Slots> Session<'c, R, S> {
    /// Answers a request with a result. Its handle is stale from then on.
    ///
    /// What the revision of the request asks for beside the result is added: `resultType`,
    /// `serverInfo` in `_meta`, and `ttlMs` and `cacheScope` where they belong.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle), if the request was answered or cancelled:
    /// nothing may be sent for it. [`Gate`](SessionError::Gate) with R132 for a subscription:
    /// see [`end_subscription`](Session::end_subscription).
    /// [`Write`](SessionError::Write), if the result is no object or has a member that the
    /// session adds. The request still waits for its answer then.
    pub fn respond<'p>(
        &mut self,
        handle: Handle,
        reply: impl Into<Reply<'p>>,
    ) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        let (id, revision, method) = Core::stored(&self.slots.tables(), handle)?;
        #[cfg(feature = "tasks")]
        self.not_a_task(handle)?;
        if method == Some(Method::SubscriptionsListen) {
            return Err(SessionError::Gate(Rule::R132));
        }
        let line = Line::new(Kind::Result, LineId::Stored(id), "", revision)
            .config(self.core.config)
            .body(Body::Result {
                reply: reply.into(),
                cached: method.is_some_and(Method::is_cacheable),
                subscription: false,
            });
        self.finish(handle, line)
    }

    /// Answers a request with an error. Its handle is stale from then on.
    ///
    /// `data` is any value.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle); [`Gate`](SessionError::Gate) with R33 or
    /// R34 for a code that the request's revision forbids; [`Write`](SessionError::Write).
    pub fn fail<'p>(
        &mut self,
        handle: Handle,
        code: i64,
        message: &'p str,
        data: impl Into<Payload<'p>>,
    ) -> Result<Send<'p>, SessionError> {
        let (id, revision, _) = Core::stored(&self.slots.tables(), handle)?;
        #[cfg(feature = "tasks")]
        self.not_a_task(handle)?;
        if revision.era() == Era::Modern {
            let defined = crate::mcp::code::revisions(code).contains(revision);
            match code {
                -32099..=-32020 if !defined => {
                    return Err(SessionError::Gate(match code {
                        crate::mcp::code::URL_ELICITATION_REQUIRED => Rule::R34,
                        _ => Rule::R33,
                    }));
                }
                crate::mcp::code::RESOURCE_NOT_FOUND => {
                    return Err(SessionError::Gate(Rule::R34));
                }
                _ => {}
            }
        }
        let line =
            Line::error(LineId::Stored(id), code, message, revision).body(Body::Host(data.into()));
        self.finish(handle, line)
    }

    /// Tells how a request gets on. Nothing is sent if it did not ask to be told.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle);
    /// [`BadProgress`](SessionError::BadProgress), if `progress` is not greater than the last
    /// time, is longer than 20 characters, or is no number;
    /// [`Gate`](SessionError::Gate) with R121 for a client in the modern era;
    /// [`Write`](SessionError::Write).
    pub fn progress<'p>(
        &mut self,
        handle: Handle,
        progress: Progress<'p>,
    ) -> Result<Send<'p>, SessionError> {
        let tables = self.slots.tables();
        let (_, revision, _) = Core::stored(&tables, handle)?;
        let number = line::decimal(progress.progress).ok_or(SessionError::BadProgress)?;
        let token = Core::token(&tables, handle.index()).map(Stored::new);
        let slot = tables
            .inbound
            .get_mut(handle.index())
            .ok_or(SessionError::StaleHandle)?;
        if !slot.last.is_below(number) || number.as_bytes().len() > 20 {
            return Err(SessionError::BadProgress);
        }
        let Some(token) = token else {
            slot.last.keep(number);
            return Ok(Send::NONE);
        };
        let line = Line::new(
            Kind::Notification,
            LineId::Stored(token),
            Method::Progress.name(),
            revision,
        )
        .body(Body::Progress(progress));
        line::check(&line)?;
        slot.last.keep(number);
        Ok(Send::one(line))
    }

    /// Sends a request. Its end comes as [`Event::Ended`] with the same handle.
    ///
    /// `params` is an object without `_meta`; members for that are in `options`. In the
    /// modern era the session adds the revision, the capabilities and who we are.
    ///
    /// # Errors
    ///
    /// [`NotReady`](SessionError::NotReady); [`Gate`](SessionError::Gate) with the rule that
    /// forbids it; [`TableFull`](SessionError::TableFull); [`Write`](SessionError::Write).
    pub fn request<'p>(
        &mut self,
        method: &'p str,
        params: impl Into<Payload<'p>>,
        options: Options<'p>,
        now: Millis,
    ) -> Result<(Handle, Send<'p>), SessionError>
    where
        'c: 'p,
    {
        self.core.tick(now);
        let mut tables = self.slots.tables();
        self.core
            .request(R::SIDE, &mut tables, method, params.into(), &options)
    }

    /// Asks whether the peer is there; the legacy era only. Allowed before and during the
    /// handshake as well.
    ///
    /// # Errors
    ///
    /// [`NotReady`](SessionError::NotReady); [`Gate`](SessionError::Gate) with R74 in the
    /// modern era; [`TableFull`](SessionError::TableFull).
    pub fn ping(&mut self, now: Millis) -> Result<(Handle, Send<'c>), SessionError> {
        self.core.tick(now);
        let mut tables = self.slots.tables();
        self.core.ping(R::SIDE, &mut tables)
    }

    /// Sends a notification. Those that belong to a request or a subscription have calls of
    /// their own: [`progress`](Session::progress), [`cancel`](Session::cancel),
    /// [`log`](Session::log), [`changed`](Session::changed).
    ///
    /// # Errors
    ///
    /// [`NotReady`](SessionError::NotReady); [`Gate`](SessionError::Gate) with the rule that
    /// forbids it; [`Write`](SessionError::Write).
    pub fn notify<'p>(
        &mut self,
        method: &'p str,
        params: impl Into<Payload<'p>>,
    ) -> Result<Send<'p>, SessionError> {
        let known = Method::parse(method);
        let revision = match known {
            // What no revision defines passes in either era.
            None if self.core.modern => Revision::V2026_07_28,
            _ => self.core.sending(R::SIDE)?,
        };
        match known {
            None => {}
            Some(Method::Initialized) => return Err(SessionError::Gate(Rule::R57)),
            Some(Method::Cancelled) => return Err(SessionError::Gate(Rule::R107)),
            Some(Method::Progress) => return Err(SessionError::Gate(Rule::R118)),
            Some(Method::LogMessage) => return Err(SessionError::Gate(Rule::R126)),
            Some(known) if known.kind() == MethodKind::Request => {
                return Err(SessionError::Gate(Rule::R14));
            }
            Some(_) if revision.era() == Era::Modern => {
                return Err(SessionError::Gate(Rule::R131));
            }
            Some(known) => self.core.gate_outbound(known, R::SIDE, revision)?,
        }
        let line = Line::new(Kind::Notification, LineId::None, method, revision)
            .body(Body::Host(params.into()));
        line::check(&line)?;
        Ok(Send::one(line))
    }

    /// Cancels a request of ours: it has ended, and its answer, if one still comes, is
    /// ignored.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle).
    pub fn cancel<'p>(
        &mut self,
        handle: Handle,
        reason: Option<&'p str>,
    ) -> Result<Step<'p>, SessionError> {
        let mut tables = self.slots.tables();
        let slot = tables
            .outbound_at(handle)
            .filter(|slot| !matches!(slot.waits, Await::Probe | Await::Handshake))
            .ok_or(SessionError::StaleHandle)?;
        #[cfg(feature = "tasks")]
        if slot.waits == Await::Task {
            return Err(SessionError::Gate(Rule::R112));
        }
        let _ = slot;
        Ok(self
            .core
            .give_up(&mut tables, handle.index(), Ended::Cancelled, reason))
    }

    /// When [`expire`](Session::expire) is due, in milliseconds; `None` for never.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Millis> {
        self.slots
            .outbound()
            .iter()
            .filter(|slot| slot.serial != 0)
            .map(|slot| slot.soft.min(slot.hard))
            .min()
            .filter(|&due| due != Millis::MAX)
    }

    /// Lets time pass. Call it until it gives `None`: each call ends one request at most.
    pub fn expire(&mut self, now: Millis) -> Option<Step<'c>> {
        let clock = self.core.tick(now);
        let mut tables = self.slots.tables();
        let index = tables
            .outbound
            .iter()
            .position(|slot| slot.serial != 0 && slot.soft.min(slot.hard) <= clock)?;
        let waits = tables.outbound.get(index)?.waits;
        Some(match waits {
            Await::Probe | Await::Handshake => {
                self.core.opened(&mut tables, index, Ended::TimedOut)
            }
            _ => self.core.give_up(
                &mut tables,
                index,
                Ended::TimedOut,
                Some("no answer in time"),
            ),
        })
    }

    /// The input has ended. Call it until it gives `None`: each call ends one request of
    /// ours, and the last says that the session is closed.
    ///
    /// Requests of the peer that are being worked on may still be answered.
    pub fn close(&mut self) -> Option<Step<'c>> {
        self.core.closing = true;
        let mut tables = self.slots.tables();
        #[cfg(feature = "tasks")]
        super::tasks::lose(&mut tables);
        if let Some(index) = tables.outbound.iter().position(|slot| slot.serial != 0) {
            let waits = tables.outbound.get(index)?.waits;
            return Some(match waits {
                Await::Probe | Await::Handshake => {
                    self.core.opened(&mut tables, index, Ended::Closed)
                }
                _ => self.core.end(&mut tables, index, Ended::Closed),
            });
        }
        if self.core.closed {
            return None;
        }
        self.core.closed = true;
        Some(Step::event(Event::State {
            state: match self.core.phase {
                Phase::Failed(why) => State::Failed(why),
                _ => State::Closed,
            },
            message: None,
        }))
    }
}

impl<'c, R, S: Slots> Session<'c, R, S> {
    /// Frees a slot of the peer's once its answer has been found good.
    pub(super) fn finish<'p>(
        &mut self,
        handle: Handle,
        line: Line<'p>,
    ) -> Result<Send<'p>, SessionError> {
        line::check(&line)?;
        let mut tables = self.slots.tables();
        let Some(slot) = tables.inbound_at(handle) else {
            return Err(SessionError::StaleHandle);
        };
        slot.serial = 0;
        #[cfg(feature = "batch")]
        if slot.flags & slots::BATCHED != 0 {
            return Ok(self.core.batch.answer(self.slots.gather(), line));
        }
        Ok(Send::one(line))
    }
}

impl<'c> Core<'c> {
    /// A session has come to nothing.
    pub(super) fn failed<'m>(&mut self, why: Failure) -> Step<'m> {
        self.phase = Phase::Failed(why);
        Step::event(Event::State {
            state: State::Failed(why),
            message: None,
        })
    }

    /// Frees a slot of ours.
    pub(super) fn vacate(tables: &mut Tables<'_>, index: usize) {
        if let Some(slot) = tables.outbound.get_mut(index) {
            *slot = Outbound::VACANT;
        }
    }
}
