//! The protocol's tables, run over lines that others wrote.
//!
//! A [`Monitor`] sees the items of both directions as decoders give them, in the order in
//! which they pass, and tells which rules each breaks: what a tap, a checker and a gateway
//! need. It takes no part in the session and sends nothing.
//!
//! What it tells is certain. Where the wire leaves something open it says nothing: an
//! answer may cross a cancellation, so it is only held against its sender once it is clear
//! that the cancellation had been read, by a later line that was answered or by the time
//! gone by. What it cannot know any more, because a table was full or lines were missing,
//! is [said](Finding::lost_track), and it is not judged.

mod grammar;
mod judge;
mod memory;
mod notification;
mod rejected;
mod request;
mod response;
mod result;
mod retry;
mod slots;
mod state;
mod task;

use crate::fault::Rejected;
use crate::mcp::{Capabilities, Method, Revision, Side};
use crate::message::Message;
use crate::rules::{Level, Rule, Violations};

pub use memory::{Request, Task};
pub use slots::{MonitorSlots, Slots, Tables};
pub use state::Phase;

use state::State;

/// Milliseconds of the caller's clock, from any start.
pub type Millis = u64;

/// The line that a finding refers to beside its own: that of the request.
///
/// ```
/// use wireline::mcp::Side;
/// use wireline::monitor::{Monitor, MonitorSlots};
/// use wireline::{Limits, parse};
/// let mut monitor = Monitor::new(MonitorSlots::<8, 0, 256>::new());
/// let ping = parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, &Limits::HOST);
/// let pong = parse(br#"{"jsonrpc":"2.0","id":1,"result":{"ok":1}}"#, &Limits::HOST);
/// monitor.line_at(Side::Client, &ping, 0, 12);
/// let request = monitor.line_at(Side::Server, &pong, 1, 3).request.unwrap();
/// assert_eq!((request.from, request.at), (Side::Client, 12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Who sent it.
    pub from: Side,
    /// What the caller called the line, or, with [`Monitor::line`], its number among the
    /// items of its direction, from 1.
    pub at: u64,
}

/// What a line breaks.
///
/// ```
/// use wireline::mcp::Side;
/// use wireline::monitor::{Monitor, MonitorSlots};
/// use wireline::{Limits, Rule, parse};
/// let mut monitor = Monitor::new(MonitorSlots::<8, 0, 256>::new());
/// let early = parse(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, &Limits::HOST);
/// let finding = monitor.line(Side::Client, &early, 0);
/// assert!(finding.violations.contains(Rule::R51));
/// assert!(finding.request.is_none() && !finding.lost_track);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rules that are broken.
    pub violations: Violations,
    /// The revision that they were judged by, where that is known.
    pub revision: Option<Revision>,
    /// The method of the message, or of the request that it answers or names.
    pub method: Option<Method>,
    /// The request that the message answers or names.
    pub request: Option<Origin>,
    /// A table was full, or lines were missing: from the first such line on, nothing is
    /// held against a message for naming what is not known.
    pub lost_track: bool,
}

impl Finding {
    /// Of a line that breaks nothing.
    pub const NONE: Finding = Finding {
        violations: Violations::NONE,
        revision: None,
        method: None,
        request: None,
        lost_track: false,
    };

    /// How binding a rule is in the finding's revision.
    #[must_use]
    pub fn level(&self, rule: Rule) -> Level {
        let by_revision = self.revision.and_then(|revision| rule.level_in(revision));
        by_revision.unwrap_or_else(|| rule.level())
    }

    /// The weight of the weightiest rule that is broken; `None` if none is.
    #[must_use]
    pub fn worst(&self) -> Option<Level> {
        self.violations.iter().map(|rule| self.level(rule)).max()
    }
}

/// Counts of what a monitor has seen, for gateways. Each stops at its greatest value.
///
/// ```
/// use wireline::mcp::Side;
/// use wireline::monitor::{Monitor, MonitorSlots};
/// use wireline::{Level, Limits, parse};
/// let mut monitor = Monitor::new(MonitorSlots::<8, 0, 256>::new());
/// monitor.line(Side::Server, &parse(b"Listening", &Limits::HOST), 0);
/// let tally = monitor.tally();
/// assert_eq!((tally.messages, tally.rejected, tally.broken(Level::Must)), (0, 1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Messages.
    pub messages: u64,
    /// Lines, or elements of batches, that were no messages.
    pub rejected: u64,
    /// Requests that found no slot.
    pub untracked: u64,
    levels: [u64; 3],
}

impl Tally {
    /// Rules broken so far, of this level; one line may break several.
    #[must_use]
    pub fn broken(&self, level: Level) -> u64 {
        self.levels.get(level as usize).copied().unwrap_or(0)
    }

    fn add(&mut self, finding: &Finding) {
        for rule in finding.violations.iter() {
            if let Some(count) = self.levels.get_mut(finding.level(rule) as usize) {
                *count = count.saturating_add(1);
            }
        }
    }
}

/// Watches both sides of one connection.
///
/// Its memory is the caller's: a [`MonitorSlots`], or a borrow of one. A request takes a
/// slot until another needs it, so there should be some more than are open at a time.
/// Nothing is allocated, and no call fails.
///
/// ```
/// use wireline::mcp::Side;
/// use wireline::monitor::{Monitor, MonitorSlots};
/// use wireline::{Limits, Rule, parse};
///
/// let mut monitor = Monitor::new(MonitorSlots::<16, 4, 1024>::new());
/// let lines: [(Side, &[u8]); 5] = [
///     (Side::Client, br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#),
///     (Side::Server, br#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#),
///     (Side::Client, br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
///     (Side::Client, br#"{"jsonrpc":"2.0","id":2,"method":"prompts/list"}"#),
///     (Side::Server, br#"{"jsonrpc":"2.0","id":"2","result":{"prompts":[]}}"#),
/// ];
/// let mut told = Vec::new();
/// for (number, (from, line)) in lines.iter().enumerate() {
///     let finding = monitor.line(*from, &parse(line, &Limits::HOST), number as u64);
///     told.extend(finding.violations.iter().map(|rule| (number, rule)));
/// }
/// // No `prompts` was declared, and `"2"` is not `2`.
/// assert_eq!(told, [(3, Rule::R63), (4, Rule::R18)]);
/// // The server ends without having answered.
/// let end = monitor.finish(5).unwrap();
/// assert!(end.violations.contains(Rule::R28));
/// assert_eq!(end.request.unwrap().at, 3);
/// assert!(monitor.finish(5).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Monitor<S> {
    slots: S,
    state: State,
}

impl<S: Slots> Monitor<S> {
    /// A monitor of a connection on which nothing has been said.
    #[must_use]
    pub const fn new(slots: S) -> Self {
        Monitor {
            slots,
            state: State::new(),
        }
    }

    /// The same, with the time after which a side counts as having read what was sent to
    /// it, if nothing shows it earlier; 1,000 ms if not given. It is added to what crosses
    /// on the way: an answer to a cancelled request, a cancellation of an answered one.
    #[must_use]
    pub const fn with_crossing_time(mut self, time: Millis) -> Self {
        self.state.crossing = time;
        self
    }

    /// Takes the next item that `from` sent. `now` may stand still, but not go back: then
    /// it is taken to stand still.
    pub fn line(
        &mut self,
        from: Side,
        item: &Result<Message<'_>, Rejected<'_>>,
        now: Millis,
    ) -> Finding {
        let at = self.state.items(from).saturating_add(1);
        self.line_at(from, item, now, at)
    }

    /// The same, with the caller's own name for the line, such as its number in a file;
    /// findings about later lines give it back in [`Finding::request`].
    pub fn line_at(
        &mut self,
        from: Side,
        item: &Result<Message<'_>, Rejected<'_>>,
        now: Millis,
        at: u64,
    ) -> Finding {
        let mut tables = self.slots.tables();
        self.state.line(&mut tables, from, item, now, at)
    }

    /// Bytes or lines of this direction are missing here. What was open is forgotten, and
    /// the monitor has lost track; what was negotiated stays.
    pub fn gap(&mut self, from: Side) {
        self.state.gap(&mut self.slots.tables(), from);
    }

    /// The side has ended its direction. Gives what it still owed, one finding for each
    /// request that it has left without an answer, and for a handshake that it has left
    /// unfinished; call until `None`.
    ///
    /// It owes an answer to what it had surely read: a server to all that came before its
    /// client ended. Subscriptions end with the connection and are owed nothing. Do not
    /// call it for a server that was ended by force.
    pub fn end(&mut self, side: Side, now: Millis) -> Option<Finding> {
        self.state.end(&mut self.slots.tables(), side, now)
    }

    /// Both directions have ended, the client's first: [`end`](Self::end) of the one, then
    /// of the other; call until `None`.
    pub fn finish(&mut self, now: Millis) -> Option<Finding> {
        self.end(Side::Client, now)
            .or_else(|| self.end(Side::Server, now))
    }

    /// Another connection begins. Counts go on.
    pub fn reset(&mut self) {
        self.slots.tables().clear();
        let (tally, crossing) = (self.state.tally, self.state.crossing);
        self.state = State::new();
        self.state.tally = tally;
        self.state.crossing = crossing;
    }

    /// Counts so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.state.tally
    }

    /// A table was full, or lines were missing.
    #[must_use]
    pub fn lost_track(&self) -> bool {
        self.state.lost
    }

    /// Where the legacy handshake is.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// The revision that `initialize` has settled; with no handshake, that of the modern
    /// era, once a modern request was made or answered.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        match self.state.has_session() {
            true => self.state.revision,
            false => self.state.modern.then_some(Revision::V2026_07_28),
        }
    }

    /// What a side has declared: in the handshake, or, of a server of the modern era, in
    /// its answer to `server/discover`. A modern client declares with each request.
    #[must_use]
    pub fn capabilities(&self, side: Side) -> Capabilities {
        match (side, self.state.modern_server) {
            (Side::Client, _) => self.state.client,
            (Side::Server, Some(declared)) if !self.state.has_session() => declared,
            (Side::Server, _) => self.state.server,
        }
    }
}

/// What an item breaks by itself, where neither its direction nor its session is known:
/// rules of the envelope.
///
/// ```
/// use wireline::{Limits, Rule, monitor, parse};
/// let bad = parse(br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, &Limits::HOST);
/// assert!(monitor::alone(&bad).contains(Rule::R15));
/// let good = parse(br#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#, &Limits::HOST);
/// assert!(monitor::alone(&good).is_empty());
/// ```
#[must_use]
pub fn alone(item: &Result<Message<'_>, Rejected<'_>>) -> Violations {
    match item {
        Ok(message) => judge::envelope(message),
        Err(bad) => Violations::of_fault(bad, None, None),
    }
}
