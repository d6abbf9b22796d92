//! Sessions: who may say what, when, and who is waiting for what, in all revisions.
//!
//! A [`Session`] is fed what a decoder gives, and gives back what happened and what is to be
//! sent. It does no I/O, reads no clock, and keeps nothing back: every consequence of a call
//! is in what that call returns.
//!
//! ```
//! use wireline::mcp::{Capabilities, Capability};
//! use wireline::session::{Config, Event, Implementation, Memory, Server, Session};
//! use wireline::json::RawJson;
//! use wireline::{Limits, parse};
//!
//! let config = Config::new(Implementation::new("board", "1.0"))
//!     .with_capabilities(Capabilities::NONE.with(Capability::Tools));
//! let mut session: Session<Server, _> = Session::new(&config, Memory::<2, 0, 128>::new());
//!
//! let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
//!     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
//!     "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
//! let step = session.receive(&parse(line, &Limits::HOST), 0);
//! let Event::Request(call) = step.event else { panic!() };
//! let tools = RawJson::validate(br#"{"tools":[]}"#).unwrap();
//! let mut out = [0; 256];
//! let n = session.respond(call.handle, tools).unwrap().write(&mut out).unwrap();
//! assert!(out[..n].starts_with(br#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","#));
//! ```
//!
//! # Time
//!
//! Calls that need the time are given it, in milliseconds of whatever clock the caller has.
//! [`Session::poll_timeout`] says when to call [`Session::expire`] next. A clock that goes
//! back stands still.
//!
//! # What a session answers by itself
//!
//! `ping`, `initialize`, `server/discover`, `logging/setLevel`; requests that are no valid
//! ones, of an unknown revision, without the `_meta` that their era asks for, of a method
//! that this side does not have, without a parameter that the method must have; and requests
//! beyond the tables. All else comes to the host, methods of no table included.

mod body;
mod client;
mod config;
mod event;
#[cfg(feature = "batch")]
mod gather;
#[cfg(feature = "std")]
mod heap;
mod inbox;
mod judge;
mod line;
mod outbox;
mod server;
mod slots;
#[cfg(feature = "tasks")]
mod tasks;
mod turn;

use core::marker::PhantomData;

pub use crate::mcp::CacheScope;
pub(crate) use body::Body;
pub use config::{Cache, Config, Implementation, Policy};
pub use event::{
    Ended, Event, Failure, Ignored, Incoming, IncomingInfo, Route, SessionError, State, Step,
};
#[cfg(feature = "batch")]
pub use gather::Gathering;
#[cfg(feature = "std")]
pub use heap::HeapMemory;
pub use line::{Filter, InputRequest, Line, Progress, Reply, Send};
pub use outbox::Options;
pub use server::Change;
pub use slots::{Handle, Inbound, Memory, Millis, Outbound, Slots, Tables};

use crate::fault::Rejected;
use crate::mcp::{Capabilities, LogLevel, Revision, Side};
use crate::message::Message;
use turn::Turn;

/// The role of a client. See [`Session`].
#[derive(Clone, Copy, Debug)]
pub enum Client {}

/// The role of a server. See [`Session`].
#[derive(Clone, Copy, Debug)]
pub enum Server {}

/// One of the two roles.
pub trait Role: sealed::Sealed {
    /// The side that the role is.
    const SIDE: Side;
}

impl Role for Client {
    const SIDE: Side = Side::Client;
}

impl Role for Server {
    const SIDE: Side = Side::Server;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Client {}
    impl Sealed for super::Server {}
}

/// Where a session is in the legacy era's handshake, or how a client found its era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing sent, or nothing received, that opens a session.
    Idle,
    /// A client's `server/discover` is on its way.
    Probing,
    /// `initialize` was sent, or was answered and `initialized` has not come.
    Opening,
    /// All is settled.
    Ready,
    /// No session came about.
    Failed(Failure),
}

/// One side of a connection: what it has agreed on, and what is under way.
///
/// `R` is the role, [`Client`] or [`Server`]; `S` is where the tables live, such as
/// [`Memory`]. A copy of a session is for looking ahead, in tests and models: two that go on
/// with one peer would use the same ids.
#[derive(Clone, Debug)]
pub struct Session<'c, R, S> {
    core: Core<'c>,
    slots: S,
    role: PhantomData<fn() -> R>,
}

/// What a session keeps beside its tables.
#[derive(Clone, Debug)]
struct Core<'c> {
    config: &'c Config<'c>,
    /// The latest time that was seen.
    clock: Millis,
    /// What the peer declared; of a server in the modern era, each request's own.
    peer: Capabilities,
    next_id: u32,
    next_serial: u32,
    phase: Phase,
    /// What was agreed on: by a server for the legacy era only.
    revision: Option<Revision>,
    /// From which level on a server of the legacy era sends log messages.
    level: LogLevel,
    /// A server has served a request of the modern era.
    modern: bool,
    /// The flags of all requests that were given up: log messages of them may yet come.
    gave_up: u8,
    /// The input has ended.
    closing: bool,
    closed: bool,
    /// What a client's probe asked for.
    tried: Option<Revision>,
    /// A client has probed a second time.
    probed_again: bool,
    /// A probe went unanswered.
    probe_lost: bool,
    #[cfg(feature = "batch")]
    batch: gather::Batch,
}

impl<'c> Core<'c> {
    const fn new(config: &'c Config<'c>) -> Self {
        Core {
            config,
            clock: 0,
            peer: Capabilities::NONE,
            next_id: 0,
            next_serial: 1,
            phase: Phase::Idle,
            revision: None,
            level: LogLevel::Debug,
            modern: false,
            gave_up: 0,
            closing: false,
            closed: false,
            tried: None,
            probed_again: false,
            probe_lost: false,
            #[cfg(feature = "batch")]
            batch: gather::Batch::NONE,
        }
    }

    fn tick(&mut self, now: Millis) -> Millis {
        self.clock = self.clock.max(now);
        self.clock
    }

    /// A number for a slot; never 0, which is a vacant one's.
    fn serial(&mut self) -> u32 {
        let serial = self.next_serial;
        self.next_serial = match serial.wrapping_add(1) {
            0 => 1,
            next => next,
        };
        serial
    }

    fn state(&self) -> State {
        match self.phase {
            Phase::Failed(why) => State::Failed(why),
            _ if self.closed => State::Closed,
            Phase::Idle => match self.config.revisions.latest_modern() {
                Some(revision) if self.modern => State::Ready(revision),
                _ => State::Idle,
            },
            Phase::Probing => State::Probing,
            Phase::Opening => State::Opening,
            Phase::Ready => State::Ready(self.revision.unwrap_or(Revision::V2025_11_25)),
        }
    }
}

impl<'c, R: Role, S: Slots> Session<'c, R, S> {
    /// A session that has agreed on nothing yet.
    pub const fn new(config: &'c Config<'c>, slots: S) -> Self {
        Session {
            core: Core::new(config),
            slots,
            role: PhantomData,
        }
    }

    /// Where the session is.
    #[must_use]
    pub fn state(&self) -> State {
        self.core.state()
    }

    /// The revision that was agreed on: by `initialize`, or, for a client, by
    /// `server/discover`. A server of the modern era agrees on none: see
    /// [`Incoming::revision`].
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.core.revision
    }

    /// What the peer has declared that it can do. A server of the modern era learns it
    /// anew with each request: see [`IncomingInfo::capabilities`].
    #[must_use]
    pub fn peer_capabilities(&self) -> Capabilities {
        self.core.peer
    }

    /// What it was told.
    #[must_use]
    pub fn config(&self) -> &'c Config<'c> {
        self.core.config
    }

    /// Requests of the peer that are being worked on, and requests of ours that wait.
    #[must_use]
    pub fn in_flight(&self) -> (usize, usize) {
        let inbound = self.slots.inbound().iter().filter(|it| it.serial != 0);
        let outbound = self.slots.outbound().iter().filter(|it| it.serial != 0);
        (inbound.count(), outbound.count())
    }

    /// What is known of a request that is being worked on; `None` once it was answered or
    /// cancelled.
    #[must_use]
    pub fn incoming(&self, handle: Handle) -> Option<IncomingInfo> {
        let slot = self
            .slots
            .inbound()
            .get(handle.index())
            .filter(|slot| slot.serial != 0 && slot.serial == handle.serial())?;
        let legacy = slot.revision.era() == crate::mcp::Era::Legacy;
        Some(IncomingInfo {
            method: slot.method,
            revision: slot.revision,
            capabilities: if legacy {
                self.core.peer
            } else {
                slot.capabilities
            },
            wants_progress: slot.token_len != 0,
            log_level: if legacy {
                Some(self.core.level)
            } else {
                slot.level
            },
        })
    }

    /// Whose body is coming in, in pieces, from a [`StreamDecoder`](crate::StreamDecoder):
    /// asked at its [`Head`](crate::StreamEvent::Head) already, before the line is complete.
    ///
    /// What comes is provisional until the line ends; give the session the whole of the line
    /// then, or end the request by [`cancel`](Session::cancel).
    #[must_use]
    pub fn route(&self, head: &crate::Head<'_>) -> Route {
        if head.method().is_some() {
            return Route::Unknown;
        }
        let mut open = self
            .slots
            .outbound()
            .iter()
            .enumerate()
            .filter(|(_, slot)| slot.serial != 0 && slot.is_on_the_wire())
            .map(|(index, slot)| (Handle::new(index, slot.serial), slot.id));
        match head.id() {
            Some(id) => {
                let id = slots::ours(id);
                open.find(|(_, it)| Some(*it) == id)
                    .map_or(Route::Unknown, |(handle, _)| Route::Known(handle))
            }
            None if head.is_final() => Route::Unknown,
            None => match (open.next(), open.next()) {
                (Some((handle, _)), None) => Route::Only(handle),
                _ => Route::Unknown,
            },
        }
    }

    /// Takes what a decoder gave, and says what follows from it.
    ///
    /// `now` is in milliseconds.
    pub fn receive<'m>(&mut self, item: &Result<Message<'m>, Rejected<'m>>, now: Millis) -> Step<'m>
    where
        'c: 'm,
    {
        self.core.tick(now);
        let mut step = Step::nothing();
        #[cfg(feature = "batch")]
        {
            let place = gather::place(item);
            if place.is_none_or(|it| it.index == 0) {
                self.core.batch.cut();
            }
            if let Some(place) = place {
                self.element(item, place, &mut step);
                return step;
            }
        }
        self.take(item, &mut step);
        #[cfg(feature = "batch")]
        if let Event::Cancelled { handle, .. } = step.event {
            self.give_up_element(handle);
        }
        step
    }

    #[inline(never)]
    fn take<'m>(&mut self, item: &Result<Message<'m>, Rejected<'m>>, step: &mut Step<'m>)
    where
        'c: 'm,
    {
        let mut turn = Turn::<R, S>::new(&mut self.core, self.slots.tables(), step);
        match item {
            Ok(message) => turn.message(message),
            Err(rejected) => turn.fault(rejected),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::RawJson;
    use crate::mcp::Capability;

    #[test]
    fn sizes_stay_within_their_bars() {
        assert!(size_of::<Core<'_>>() <= 256, "{}", size_of::<Core<'_>>());
        assert!(size_of::<Inbound>() + 60 <= 96, "{}", size_of::<Inbound>());
        assert!(size_of::<Outbound>() <= 48, "{}", size_of::<Outbound>());
    }

    #[test]
    fn no_id_is_used_twice() {
        let config = Config::new(Implementation::new("us", "1"));
        let mut session: Session<'_, Client, _> = Session::new(&config, Memory::<0, 3, 0>::new());
        session.core.next_id = u32::MAX - 2;
        let tools = Capabilities::NONE.with(Capability::Tools);
        session.assume(Revision::V2026_07_28, tools).unwrap();
        let ask = |session: &mut Session<'_, Client, _>| {
            let empty = RawJson::EMPTY_OBJECT;
            let asked = session.request("tools/list", empty, Options::new(), 0);
            asked.map(|(handle, _)| handle)
        };
        ask(&mut session).unwrap();
        let last = ask(&mut session).unwrap();
        assert_eq!(ask(&mut session).unwrap_err(), SessionError::TableFull);
        assert_eq!(session.in_flight(), (0, 2));
        // Nor for a request that is sent again.
        session.slots.tables().outbound_at(last).unwrap().waits = slots::Await::Input;
        let empty = RawJson::EMPTY_OBJECT;
        let again = session.retry(last, empty, empty, None, Options::new(), 0);
        assert_eq!(again.unwrap_err(), SessionError::TableFull);
        let slot = session.slots.tables().outbound_at(last).unwrap().waits;
        assert_eq!(slot, slots::Await::Input);
    }
}
