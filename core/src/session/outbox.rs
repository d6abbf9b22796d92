//! What the host does: answering, asking, telling, cancelling, letting time pass.

use super::body::{Body, Long, Request};
use super::event::{Ended, Failure, SessionError, State, Step};
use super::judge;
use super::line::{self, Line, LineId, Progress, Reply, Send};
use super::slots::{self, Await, Handle, Millis, Outbound, Slots, Tables};
use super::turn::Turn;
use super::{Core, Phase, Role, Session};
use crate::encode::{Payload, WriteError};
use crate::json::{self, Number};
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
        match judge::gate(method, side, revision, self.declared(side, revision)) {
            Some((_, rule)) => Err(SessionError::Gate(rule)),
            None => Ok(()),
        }
    }

    /// Takes a slot for a request of ours, after its line has been found good.
    pub(super) fn send(
        &mut self,
        tables: &mut Tables<'_>,
        line: &Line<'_>,
        method: Option<Method>,
        options: &Options<'_>,
        waits: Await,
    ) -> Result<Handle, SessionError> {
        line::check(line)?;
        let (index, slot) = tables.depart(self.next_id).ok_or(SessionError::TableFull)?;
        self.await_answer(slot, options, waits)?;
        let serial = self.serial();
        slot.serial = serial;
        slot.method = method;
        Ok(Handle::new(index, serial))
    }

    /// Lets a slot wait for the answer to the next id, of which there are 2^32 - 1.
    pub(super) fn await_answer(
        &mut self,
        slot: &mut Outbound,
        options: &Options<'_>,
        waits: Await,
    ) -> Result<(), SessionError> {
        let next = self.next_id.checked_add(1);
        let next = next.ok_or(SessionError::TableFull)?;
        let soft = options.soft.unwrap_or(self.config.request_timeout);
        let hard = options.hard.unwrap_or(self.config.hard_timeout);
        slot.id = self.next_id;
        slot.waits = waits;
        slot.soft = due(self.clock, soft);
        slot.hard = due(self.clock, hard);
        slot.extend = soft;
        slot.flags = 0;
        if options.progress {
            slot.flags |= slots::WANTS_PROGRESS;
        }
        if options.log_level.is_some() {
            slot.flags |= slots::WANTS_LOG;
        }
        slot.last = Outbound::VACANT.last;
        self.next_id = next;
        Ok(())
    }

    /// A line for a request of ours, with the next id.
    pub(super) fn request_line<'p>(
        &self,
        method: &'p str,
        body: Body<'p>,
        revision: Revision,
    ) -> Line<'p>
    where
        'c: 'p,
    {
        let id = LineId::Ours(self.next_id);
        let mut line = Line::new(Kind::Request, id, method, revision, body);
        line.config = Some(self.config);
        line
    }

    fn request<'p, R: Role>(
        &mut self,
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
            return self.ping(R::SIDE, tables);
        }
        let revision = self.sending(R::SIDE)?;
        if R::SIDE == Side::Server && revision.era() == Era::Modern {
            return Err(SessionError::Gate(Rule::R8));
        }
        if let Some(known) = method {
            let rule = match known {
                _ if known.kind() == MethodKind::Notification => Some(Rule::R24),
                Method::Initialize => Some(Rule::R51),
                Method::SubscriptionsListen => Some(Rule::R129),
                _ => None,
            };
            if let Some(rule) = rule {
                return Err(SessionError::Gate(rule));
            }
            self.gate_outbound(known, R::SIDE, revision)?;
            // What only a server sends.
            if R::SIDE == Side::Server {
                self.gate_payload(known, revision, &payload)?;
            }
        }
        let body = Body::request(options.request(payload, revision), revision.era());
        let line = self.request_line(name, body, revision);
        let handle = self.send(tables, &line, method, options, Await::Answer)?;
        #[cfg(feature = "tasks")]
        if let Some(slot) = tables.outbound_at(handle)
            && self.asks_for_task(method, &payload)
        {
            slot.flags |= slots::WANTS_TASK;
        }
        Ok((handle, Send::one(line)))
    }

    /// Whether the peer's capabilities cover what a request asks for, as far as can be seen.
    fn gate_payload(
        &self,
        method: Method,
        revision: Revision,
        payload: &Payload<'_>,
    ) -> Result<(), SessionError> {
        if method == Method::Elicit {
            let taken = match is_url(payload) {
                true => self.peer.has(Capability::ElicitationUrl),
                false => self.peer.takes_forms(),
            };
            if !taken {
                return Err(SessionError::Gate(Rule::R78));
            }
        }
        let no_tools =
            revision == Revision::V2025_11_25 && !self.peer.has(Capability::SamplingTools);
        if method == Method::CreateMessage && no_tools && has_tools(payload) {
            return Err(SessionError::Gate(Rule::R80));
        }
        Ok(())
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
            _ if self.closed => return Err(SessionError::NotReady),
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
        let line = self.request_line(Method::Ping.name(), Body::none(), revision);
        let options = Options::new();
        let handle = self.send(tables, &line, Some(Method::Ping), &options, Await::Answer)?;
        Ok((handle, Send::one(line)))
    }
}

impl<'p> Options<'p> {
    /// The parameters of a request that is sent so.
    pub(super) fn request(&self, payload: Payload<'p>, revision: Revision) -> Request<'p> {
        Request {
            payload,
            meta: self.meta,
            token: self.progress,
            level: self.log_level.filter(|_| revision.era() == Era::Modern),
            answers: Payload::None,
            state: None,
        }
    }
}

impl<'c: 'm, 'm, R: Role, S: Slots> Turn<'_, 'c, 'm, R, S> {
    /// Ends a request of ours from our side.
    fn give_up(&mut self, index: usize, why: Ended<'m>, reason: Option<&'m str>) {
        let Some(slot) = self.tables.outbound.get(index) else {
            return;
        };
        let (id, waits) = (slot.id, slot.waits);
        self.core.gave_up |= slot.flags;
        match waits {
            Await::Probe | Await::Handshake if R::SIDE == Side::Client => {
                return self.opened(index, why);
            }
            _ => self.end(index, why),
        }
        // A request that waits for input has been answered: nobody works on it. After the
        // input has ended, nobody is there.
        let failed = matches!(self.core.phase, Phase::Failed(_));
        if waits != Await::Input && !self.core.closing && !failed {
            let revision = self.core.present();
            self.step.send = Send::one(Line::new(
                Kind::Notification,
                LineId::Ours(id),
                Method::Cancelled.name(),
                revision,
                Body::cancelled(reason),
            ));
        }
    }

    /// A session has come to nothing.
    pub(super) fn failed(&mut self, why: Failure) {
        self.core.phase = Phase::Failed(why);
        self.state(State::Failed(why));
    }
}

/// Whether the parameters of an elicitation send the user to a URL.
pub(super) fn is_url(payload: &Payload<'_>) -> bool {
    match payload {
        Payload::Raw(raw) => slots::is(raw.get("mode").and_then(|it| it.as_json_str()), "url"),
        // What a form asks for stands in its schema.
        other => names(other, &["url"]),
    }
}

/// Whether the parameters of a sampling request bring tools.
pub(super) fn has_tools(payload: &Payload<'_>) -> bool {
    names(payload, &["tools", "toolChoice"])
}

/// Whether what is to be sent is an object with a member of one of these names.
fn names(payload: &Payload<'_>, names: &'static [&'static str]) -> bool {
    match payload {
        Payload::None => false,
        Payload::Raw(raw) => names.iter().any(|name| raw.get(name).is_some()),
        Payload::Value(value) => {
            let without = |taken| {
                json::measure(&json::from_fn(|w| {
                    w.begin_object().members(*value, taken).end_object();
                }))
            };
            without(names).is_err() && without(&[]).is_ok()
        }
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
    /// see [`end_subscription`](Session::end_subscription); with R91 for a kind of result of
    /// an extension that the request's client did not declare, for the empty one, and for
    /// `input_required`, see [`ask`](Session::ask); with R144 for a `task` of another method
    /// than `tools/call`.
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
        let mut send = Send::NONE;
        self.result_line(handle, reply.into(), &mut send)?;
        self.finish(handle, &mut send)?;
        Ok(send)
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
        let mut send = Send::NONE;
        self.error_line(handle, code, message, data.into(), &mut send)?;
        self.finish(handle, &mut send)?;
        Ok(send)
    }

    /// Tells how a request gets on. Nothing is sent if it did not ask to be told.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle);
    /// [`BadProgress`](SessionError::BadProgress), if `progress` is not greater than the last
    /// time, is longer than 20 characters, or is no number;
    /// [`Write`](SessionError::Write).
    pub fn progress<'p>(
        &mut self,
        handle: Handle,
        progress: Progress<'p>,
    ) -> Result<Send<'p>, SessionError> {
        let tables = self.slots.tables();
        let (revision, method) = tables.served(handle)?;
        let number = Number::new(progress.progress).ok_or(SessionError::BadProgress)?;
        if progress
            .total
            .is_some_and(|total| Number::new(total).is_none())
        {
            return Err(SessionError::Write(WriteError::BadNumber));
        }
        let token = slots::token_of(tables.inbound, tables.text, handle.index());
        let id = match token {
            Some(_) => LineId::stored(token),
            None => LineId::None,
        };
        let slot = tables.inbound.get_mut(handle.index());
        let slot = slot.ok_or(SessionError::StaleHandle)?;
        if number.as_bytes().len() > 20 || !slot.last.is_below(number) {
            return Err(SessionError::BadProgress);
        }
        slot.last.keep(number);
        if matches!(id, LineId::None) || method == Some(Method::SubscriptionsListen) {
            return Ok(Send::NONE);
        }
        let text = Method::Progress.name();
        let body = Body::progress(progress);
        Ok(Send::one(Line::new(
            Kind::Notification,
            id,
            text,
            revision,
            body,
        )))
    }

    /// Sends a request. Its end comes as [`Event::Ended`](super::Event::Ended) with the same handle.
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
            .request::<R>(&mut tables, method, params.into(), &options)
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
            None if self.core.modern && !self.core.closed => Revision::V2026_07_28,
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
        let body = Body::host(params.into());
        let line = Line::new(Kind::Notification, LineId::None, method, revision, body);
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
    ) -> Result<Step<'p>, SessionError>
    where
        'c: 'p,
    {
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
        let mut step = Step::nothing();
        Turn::<R, S>::new(&mut self.core, tables, &mut step).give_up(
            handle.index(),
            Ended::Cancelled,
            reason,
        );
        Ok(step)
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
        let tables = self.slots.tables();
        let index = tables.outbound.iter().position(|slot| {
            let due = slot.soft.min(slot.hard);
            slot.serial != 0 && due <= clock && due != Millis::MAX
        })?;
        let mut step = Step::nothing();
        Turn::<R, S>::new(&mut self.core, tables, &mut step).give_up(
            index,
            Ended::TimedOut,
            Some("no answer in time"),
        );
        Some(step)
    }

    /// The input has ended. Call it until it gives `None`: each call ends one request of
    /// ours, and the last says that the session is closed.
    ///
    /// Requests of the peer that are being worked on may still be answered.
    pub fn close(&mut self) -> Option<Step<'c>> {
        self.core.closing = true;
        #[cfg(feature = "tasks")]
        super::tasks::lose(&mut self.slots.tables());
        let tables = self.slots.tables();
        let index = tables.outbound.iter().position(|slot| slot.serial != 0);
        let mut step = Step::nothing();
        let mut turn = Turn::<R, S>::new(&mut self.core, tables, &mut step);
        match index {
            Some(index) => turn.give_up(index, Ended::Closed, None),
            None if turn.core.closed => return None,
            None => {
                turn.core.closed = true;
                let state = match turn.core.phase {
                    Phase::Failed(why) => State::Failed(why),
                    _ => State::Closed,
                };
                turn.state(state);
            }
        }
        Some(step)
    }
}

impl<'c, R: Role, S: Slots> Session<'c, R, S> {
    /// Puts the result of a request into `send`. It is answered once that goes through
    /// [`finish`](Session::finish). A line is large, so it is made where it stays.
    pub(crate) fn result_line<'p, 's>(
        &mut self,
        handle: Handle,
        mut reply: Reply<'p>,
        send: &'s mut Send<'p>,
    ) -> Result<&'s mut Line<'p>, SessionError>
    where
        'c: 'p,
    {
        #[cfg(feature = "tasks")]
        self.not_a_task(handle)?;
        let tables = self.slots.tables();
        let (revision, method) = tables.served(handle)?;
        if method == Some(Method::SubscriptionsListen) {
            return Err(SessionError::Gate(Rule::R132));
        }
        reply.result_type = reply.result_type.filter(|&kind| kind != "complete");
        if let (Some(kind), Era::Modern, Some(slot)) = (
            reply.result_type,
            revision.era(),
            tables.inbound.get(handle.index()),
        ) {
            let extensions = slot.extensions();
            let broken = match kind {
                "input_required" => Some(Rule::R91),
                _ => extensions.broken_by(kind == "task", kind.is_empty(), method),
            };
            if let Some(rule) = broken {
                return Err(SessionError::Gate(rule));
            }
        }
        let id = tables.stored_id(handle);
        let cached = reply.result_type.is_none() && method.is_some_and(Method::is_cacheable);
        let body = Body::result(reply, cached);
        let line = Line::new(Kind::Result, id, "", revision, body);
        let line = send.line.insert(line);
        line.config = Some(self.core.config);
        Ok(line)
    }

    /// Puts an error for a request into `send`, as [`result_line`](Session::result_line).
    pub(crate) fn error_line<'p, 's>(
        &mut self,
        handle: Handle,
        code: i64,
        message: &'p str,
        data: Payload<'p>,
        send: &'s mut Send<'p>,
    ) -> Result<&'s mut Line<'p>, SessionError> {
        #[cfg(feature = "tasks")]
        self.not_a_task(handle)?;
        let tables = self.slots.tables();
        let (revision, _) = tables.served(handle)?;
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
        let id = tables.stored_id(handle);
        let body = Body::host(data);
        let line = Line::new(Kind::Error, id, message, revision, body);
        let line = send.line.insert(line);
        line.code = Long::new(code as u64);
        Ok(line)
    }

    /// Frees a slot of the peer's once its answer, in `send`, has been found good; if it has
    /// not, nothing of `send` may be sent.
    pub(crate) fn finish(
        &mut self,
        handle: Handle,
        send: &mut Send<'_>,
    ) -> Result<(), SessionError> {
        if let Some(line) = &send.line {
            line::check(line)?;
        }
        let mut tables = self.slots.tables();
        let Some(slot) = tables.inbound_at(handle) else {
            return Err(SessionError::StaleHandle);
        };
        #[cfg(feature = "tasks")]
        if slot.flags & slots::TASK != 0 {
            return Err(SessionError::StaleHandle);
        }
        slot.vacate();
        #[cfg(feature = "batch")]
        if slot.flags & slots::BATCHED != 0
            && let Some(line) = send.line
        {
            *send = self.core.batch.answer(self.slots.gather(), line);
        }
        Ok(())
    }
}
