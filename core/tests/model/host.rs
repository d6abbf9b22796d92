//! One side: a real session, and books of what it must be true of it.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wireline::json::RawJson;
use wireline::mcp::{Era, Method, Side};
use wireline::session::{
    Client, Config, Ended, Event, Handle, Ignored, Memory, Millis, Options, Role, Send, Server,
    Session, SessionError, Slots, State, Step,
};
use wireline::{Kind, Limits, Message, Rejected, Rule, parse};

/// A line on its way, LF included.
pub type Line = Arc<[u8]>;

/// Tables so small that they fill.
pub type Tables = Memory<2, 2, 32>;

/// What has been seen to happen in an exploration, so that none passes by never doing what
/// it is about. It is not part of a state.
#[derive(Debug, Default)]
pub struct Sightings(AtomicU64);

macro_rules! sights {
    ($($name:ident)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Sight { $($name,)* }
    };
}

sights! {
    Result Error TimedOut Cancelled Closed TooManyRounds
    Progress InputRequired Subscribed PeerCancelled
    Late DuplicateId UnknownTarget
    ReadyLegacy ReadyModern Failed FellBack TableFull Batch
}

impl Sightings {
    pub fn note(&self, sight: Sight) {
        self.0.fetch_or(1 << sight as u64, Ordering::Relaxed);
    }

    pub fn join(&self, other: &Sightings) {
        self.0
            .fetch_or(other.0.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    pub fn has(&self, sight: Sight) -> bool {
        self.0.load(Ordering::Relaxed) & (1 << sight as u64) != 0
    }
}

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    Call,
    Listen,
    Roots,
    Ping,
}

impl What {
    fn of(method: Option<Method>) -> What {
        match method {
            Some(Method::SubscriptionsListen) => What::Listen,
            Some(Method::RootsList) => What::Roots,
            Some(Method::Ping) => What::Ping,
            _ => What::Call,
        }
    }

    pub fn result(self) -> RawJson<'static> {
        let text: &[u8] = match self {
            What::Call => br#"{"content":[]}"#,
            What::Roots => br#"{"roots":[]}"#,
            What::Listen | What::Ping => b"{}",
        };
        RawJson::validate(text).unwrap()
    }
}

/// What a request of ours waits for, as its host knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Waits {
    Answer,
    /// The host's own input.
    Input,
    /// Nothing but the end: an open subscription.
    End,
}

/// A request of ours that has not ended.
#[derive(Clone, Debug, Hash)]
pub struct Asked {
    pub handle: Handle,
    pub id: i64,
    pub what: What,
    pub waits: Waits,
    /// When it has to time out, where somebody counts along.
    pub due: Option<Due>,
}

/// Time-outs, counted independently.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Due {
    pub soft: Millis,
    pub hard: Millis,
    pub extend: Millis,
}

impl Due {
    pub fn at(&self) -> Millis {
        self.soft.min(self.hard)
    }
}

/// A request of the peer that was handed over and not answered yet.
#[derive(Clone, Debug, Hash)]
pub struct Work {
    pub handle: Handle,
    pub id: i64,
    pub what: What,
    pub modern: bool,
    pub told: u8,
    pub open: bool,
}

/// An answer that the peer is owed.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owed {
    pub id: i64,
    pub modern: bool,
}

/// What a call leaves behind beside the new state.
pub struct Log<'l> {
    pub seen: &'l Sightings,
    /// What must never happen, if it did.
    pub breach: &'l mut Option<&'static str>,
    /// The channels have lost, doubled or reordered nothing, and no clock has jumped.
    pub clean: bool,
    /// What happened, one after the other, where somebody wants to know.
    pub trace: Option<&'l mut Vec<String>>,
}

impl Log<'_> {
    fn trace(&mut self, event: &Event<'_>) {
        let Some(trace) = &mut self.trace else { return };
        trace.push(match event {
            Event::Request(it) => format!("request {:?} {:?}", it.handle, it.method),
            Event::Notification { method, .. } => format!("notification {method:?}"),
            Event::Progress { handle, .. } => format!("progress {handle:?}"),
            Event::Ended { handle, why } => format!("ended {handle:?} {}", why.name()),
            Event::InputRequired { handle, round, .. } => format!("input {handle:?} {round}"),
            Event::Subscribed { handle, .. } => format!("subscribed {handle:?}"),
            Event::Cancelled { handle, .. } => format!("cancelled {handle:?}"),
            Event::State { state, .. } => format!("state {state:?}"),
            Event::Ignored(why) => format!("ignored {why:?}"),
            _ => String::from("nothing"),
        });
    }

    pub fn breach(&mut self, what: &'static str) {
        self.breach.get_or_insert(what);
    }

    pub fn require(&mut self, condition: bool, otherwise: &'static str) {
        if !condition {
            self.breach(otherwise);
        }
    }
}

#[derive(Clone, Debug)]
pub struct Host<R, T = Tables> {
    pub session: Session<'static, R, T>,
    pub now: Millis,
    /// The latest that `now` has been.
    pub clock: Millis,
    pub open: Vec<Asked>,
    pub work: Vec<Work>,
    /// Handles that must be stale.
    pub dead: Vec<Handle>,
    owed: Vec<Owed>,
    pub closed: bool,
    /// How many requests of ours the tables hold.
    room: usize,
}

pub fn subject(message: &Message<'_>) -> Option<i64> {
    message.id().and_then(|id| id.as_i64())
}

/// The request that a line speaks of.
pub fn about(line: &[u8]) -> Option<i64> {
    let message = parse(&line[..line.len() - 1], &Limits::HOST).ok()?;
    let meta = message.meta();
    [
        message.id(),
        meta.request_id(),
        meta.progress_token(),
        meta.subscription_id(),
    ]
    .into_iter()
    .flatten()
    .next()?
    .as_i64()
}

impl<R: Role + Clone + Debug, T: Slots + Clone + Debug> Host<R, T> {
    pub fn new(config: &'static Config<'static>, tables: T) -> Self {
        Host {
            room: tables.outbound().len(),
            session: Session::new(config, tables),
            now: 0,
            clock: 0,
            open: Vec::new(),
            work: Vec::new(),
            dead: Vec::new(),
            owed: Vec::new(),
            closed: false,
        }
    }

    /// A line has come in.
    pub fn take(&mut self, line: &Line, log: &mut Log<'_>) -> Vec<Line> {
        let text = line.strip_suffix(b"\n").unwrap();
        self.take_item(&parse(text, &Limits::HOST), log)
    }

    /// A decoder has given something.
    pub fn take_item(
        &mut self,
        item: &Result<Message<'_>, Rejected<'_>>,
        log: &mut Log<'_>,
    ) -> Vec<Line> {
        let message = item.as_ref().ok().copied();
        let kind = message.map(|message| message.kind());
        let mut owes = None;
        if let (Some(Kind::Request), Some(message)) = (kind, message) {
            let id = subject(&message).unwrap();
            if !self.work.iter().any(|work| work.id == id) {
                let modern = message.meta().protocol_version().is_some();
                let owed = Owed { id, modern };
                self.owed.push(owed.clone());
                self.owed.sort();
                owes = Some(owed);
            }
        }
        let step = self.session.receive(item, self.now);
        if log.clean {
            // A server of one era cannot know what the other's first requests are.
            let method = message.and_then(|message| message.method());
            let is = |known: Method| method.is_some_and(|method| method == known.name());
            let fine = step.broken.iter().all(|rule| {
                rule == Rule::R51 && is(Method::Discover) || rule == Rule::R42 && is(Method::Ping)
            });
            log.require(fine, "a rule is said to be broken where none was");
        }
        let handed = matches!(step.event, Event::Request(_));
        let ignored = matches!(step.event, Event::Ignored(_));
        let batched = message.is_some_and(|message| message.batch().is_some());
        let mut sent = self.settle(step, log);
        if matches!(kind, Some(Kind::Result | Kind::Error) | None) {
            let answers = sent.iter().any(|line| {
                let message = parse(&line[..line.len() - 1], &Limits::HOST);
                message.is_ok_and(|it| matches!(it.kind(), Kind::Result | Kind::Error))
            });
            log.require(!answers, "what looks like a response was answered");
        }
        if let (Some(owed), false, true) = (owes, handed, sent.is_empty() && (ignored || !batched))
        {
            // Passed over: it will not be answered.
            self.forgive(owed.id);
        }
        sent.extend(self.array(log));
        sent
    }

    /// The answers to a batch, if the last has been given.
    #[cfg(feature = "batch")]
    fn array(&mut self, log: &mut Log<'_>) -> Option<Line> {
        let line: Line = self.session.take_batch()?.into();
        let array = RawJson::validate(line.strip_suffix(b"\n").unwrap()).unwrap();
        for answer in array.elements() {
            match parse(answer.as_bytes(), &Limits::HOST) {
                Ok(message) => self.judge(&message, log),
                Err(_) => log.breach("an answer that is no message"),
            }
        }
        log.seen.note(Sight::Batch);
        Some(line)
    }

    #[cfg(not(feature = "batch"))]
    fn array(&mut self, _: &mut Log<'_>) -> Option<Line> {
        None
    }

    pub fn forgive(&mut self, id: i64) -> Option<Owed> {
        let index = self.owed.iter().position(|owed| owed.id == id)?;
        Some(self.owed.remove(index))
    }

    /// What a call led to.
    pub fn settle(&mut self, step: Step<'_>, log: &mut Log<'_>) -> Vec<Line> {
        // The lines first: what they speak of is still in the books.
        let sent = self.put(&step.send, log);
        log.trace(&step.event);
        match step.event {
            Event::Request(incoming) => {
                let id = subject(&incoming.message).unwrap();
                let known = self.work.iter().any(|it| it.id == id);
                log.require(!known, "a request was handed over twice");
                self.work.push(Work {
                    handle: incoming.handle,
                    id,
                    what: What::of(incoming.method),
                    modern: incoming.revision.era() == Era::Modern,
                    told: 0,
                    open: false,
                });
            }
            Event::Ended { handle, why } => {
                log.seen.note(match why {
                    Ended::Result(_) => Sight::Result,
                    Ended::Error(_) => Sight::Error,
                    Ended::TimedOut => Sight::TimedOut,
                    Ended::Cancelled => Sight::Cancelled,
                    Ended::Closed => Sight::Closed,
                    Ended::TooManyRounds => Sight::TooManyRounds,
                    _ => return self.unexpected(log, sent),
                });
                match self.open.iter().position(|it| it.handle == handle) {
                    Some(index) => {
                        let asked = self.open.remove(index);
                        if let (Some(due), Ended::TimedOut) = (asked.due, why) {
                            log.require(due.at() <= self.clock, "timed out too soon");
                        }
                        self.bury(handle);
                    }
                    None => log.breach("a request ended twice, or was never made"),
                }
            }
            Event::Progress { handle, .. } => {
                log.seen.note(Sight::Progress);
                match self.open.iter_mut().find(|it| it.handle == handle) {
                    Some(asked) => {
                        if let Some(due) = &mut asked.due {
                            due.soft = self.clock + due.extend;
                        }
                    }
                    None => log.breach("progress of a request that has ended"),
                }
            }
            Event::InputRequired { handle, .. } => {
                log.seen.note(Sight::InputRequired);
                self.now_waits(handle, What::Call, Waits::Input, log);
            }
            Event::Subscribed { handle, .. } => {
                log.seen.note(Sight::Subscribed);
                self.now_waits(handle, What::Listen, Waits::End, log);
            }
            Event::Cancelled { handle, .. } => {
                log.seen.note(Sight::PeerCancelled);
                match self.work.iter().position(|it| it.handle == handle) {
                    Some(index) => {
                        let work = self.work.remove(index);
                        let owed = self.forgive(work.id);
                        log.require(owed.is_some(), "cancelled what was answered");
                        self.bury(handle);
                    }
                    None => log.breach("cancelled what is not being worked on"),
                }
            }
            Event::State { state, .. } => match state {
                State::Ready(revision) if revision.era() == Era::Legacy => {
                    log.seen.note(Sight::ReadyLegacy);
                }
                State::Ready(_) => log.seen.note(Sight::ReadyModern),
                State::Failed(_) => log.seen.note(Sight::Failed),
                State::Opening if R::SIDE == Side::Client => log.seen.note(Sight::FellBack),
                _ => {}
            },
            Event::Ignored(Ignored::Late) => log.seen.note(Sight::Late),
            Event::Ignored(Ignored::DuplicateId) => log.seen.note(Sight::DuplicateId),
            Event::Ignored(Ignored::UnknownTarget) => log.seen.note(Sight::UnknownTarget),
            _ => {}
        }
        sent
    }

    fn unexpected(&mut self, log: &mut Log<'_>, sent: Vec<Line>) -> Vec<Line> {
        log.breach("a request ended by a fault that nobody made");
        sent
    }

    fn now_waits(&mut self, handle: Handle, what: What, waits: Waits, log: &mut Log<'_>) {
        let found = self.open.iter_mut().find(|it| it.handle == handle);
        match found.filter(|it| it.what == what && it.waits == Waits::Answer) {
            Some(asked) => {
                asked.waits = waits;
                asked.due = None;
            }
            None => log.breach("a request that waits for no such thing got it"),
        }
    }

    fn bury(&mut self, handle: Handle) {
        self.dead.push(handle);
        self.dead.sort_by_key(|handle| handle.to_bits());
    }

    /// A request of ours was made.
    pub fn asked(
        &mut self,
        made: Result<(Handle, Send<'_>), SessionError>,
        what: What,
        log: &mut Log<'_>,
    ) -> Vec<Line> {
        match made {
            Ok((handle, send)) => {
                let sent = self.put(&send, log);
                let id = about(&sent[0]).unwrap();
                let fresh = !self
                    .open
                    .iter()
                    .any(|it| it.id == id || it.handle == handle);
                let fresh = fresh && !self.dead.contains(&handle);
                log.require(fresh, "an id or a handle was given out twice");
                self.open.push(Asked {
                    handle,
                    id,
                    what,
                    waits: Waits::Answer,
                    due: None,
                });
                sent
            }
            Err(SessionError::TableFull) => {
                log.seen.note(Sight::TableFull);
                let full = self.open.len() + self.opening() == self.room;
                log.require(full, "a table is full that is not");
                Vec::new()
            }
            Err(_) => {
                log.breach("a request was refused that may be made");
                Vec::new()
            }
        }
    }

    /// Work was answered.
    pub fn answered(
        &mut self,
        index: usize,
        made: Result<Send<'_>, SessionError>,
        log: &mut Log<'_>,
    ) -> Vec<Line> {
        let Ok(send) = made else {
            log.breach("an answer was refused that is owed");
            return Vec::new();
        };
        let mut sent = self.put(&send, log);
        let work = self.work.remove(index);
        self.bury(work.handle);
        sent.extend(self.array(log));
        sent
    }

    /// Writes lines, and judges them.
    pub fn put(&mut self, send: &Send<'_>, log: &mut Log<'_>) -> Vec<Line> {
        let mut lines = Vec::new();
        for line in send.lines() {
            let mut bytes = vec![0; line.line_len().unwrap()];
            let written = line.write(&mut bytes);
            log.require(written == Ok(bytes.len()), "a line of another length");
            match parse(bytes.strip_suffix(b"\n").unwrap(), &Limits::HOST) {
                Ok(message) => self.judge(&message, log),
                Err(_) => log.breach("a line that is no message"),
            }
            lines.push(bytes.into());
        }
        lines
    }

    /// The clock may go back.
    pub fn set_time(&mut self, now: Millis) {
        self.now = now;
        self.clock = self.clock.max(now);
    }

    /// All due time-outs.
    pub fn expire(&mut self, log: &mut Log<'_>) -> Vec<Line> {
        let due = self.session.poll_timeout().unwrap();
        self.set_time(self.now.max(due));
        let mut sent = Vec::new();
        let mut calls = 0;
        while let Some(step) = self.session.expire(self.now) {
            sent.extend(self.settle(step, log));
            calls += 1;
        }
        log.require(calls > 0, "nothing was due when something was");
        sent
    }

    /// The input has ended.
    pub fn close(&mut self, log: &mut Log<'_>) {
        while let Some(step) = self.session.close() {
            let sent = self.settle(step, log);
            log.require(sent.is_empty(), "a line after the end");
        }
        log.require(self.open.is_empty(), "a request outlived its connection");
        self.closed = true;
    }

    pub fn cancel(&mut self, index: usize, log: &mut Log<'_>) -> Vec<Line> {
        let handle = self.open[index].handle;
        match self.session.cancel(handle, Some("enough")) {
            Ok(step) => self.settle(step, log),
            Err(_) => {
                log.breach("a request that cannot be cancelled");
                Vec::new()
            }
        }
    }

    pub fn ping(&mut self, log: &mut Log<'_>) -> Vec<Line> {
        let made = self.session.ping(self.now);
        self.asked(made, What::Ping, log)
    }

    pub fn request(&mut self, method: &'static str, what: What, log: &mut Log<'_>) -> Vec<Line> {
        let params = match what {
            What::Call => Some(RawJson::validate(br#"{"name":"t"}"#).unwrap()),
            _ => None,
        };
        let options = match what {
            What::Call => Options::new().with_progress(),
            _ => Options::new(),
        };
        let made = self.session.request(method, params, options, self.now);
        self.asked(made, what, log)
    }

    /// Requests that open the session, which the host has no handle of.
    pub fn opening(&self) -> usize {
        let opens = matches!(self.session.state(), State::Probing | State::Opening);
        usize::from(opens && R::SIDE == Side::Client)
    }

    pub fn fold<H: std::hash::Hasher>(&self, hasher: &mut H) {
        use std::fmt::Write as _;
        use std::hash::Hash as _;
        struct Into<'h, H>(&'h mut H);
        impl<H: std::hash::Hasher> std::fmt::Write for Into<'_, H> {
            fn write_str(&mut self, text: &str) -> std::fmt::Result {
                self.0.write(text.as_bytes());
                Ok(())
            }
        }
        write!(Into(hasher), "{:?}", self.session).unwrap();
        self.now.hash(hasher);
        self.open.hash(hasher);
        self.work.hash(hasher);
        self.dead.hash(hasher);
        self.owed.hash(hasher);
        self.closed.hash(hasher);
    }
}

pub type ClientHost = Host<Client>;
pub type ServerHost = Host<Server>;
