//! What comes back from a call.

use super::line::Send;
use super::slots::Handle;
use crate::encode::WriteError;
use crate::mcp::{Capabilities, LogLevel, Method, Revision};
use crate::message::Message;
use crate::rules::{Rule, Violations};

/// All that follows from a line received, a moment passed, or a call made.
///
/// Nothing is kept back: what is to be sent is here, and is sent by the caller, in the order
/// in which it came.
#[derive(Clone, Debug)]
pub struct Step<'m> {
    /// What happened.
    pub event: Event<'m>,
    /// What is to be sent.
    pub send: Send<'m>,
    /// The rules that the peer broke. They change nothing by themselves; what follows from
    /// them is in `event` and `send`, by the [`Policy`](super::Policy).
    pub broken: Violations,
}

impl<'m> Step<'m> {
    /// Nothing. Not a constant, of which a chip would keep a copy.
    pub(crate) fn nothing() -> Self {
        Step {
            event: Event::None,
            send: Send {
                line: None,
                ending: None,
            },
            broken: Violations::NONE,
        }
    }
}

/// What happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'m> {
    /// Nothing that the host has to know: a ping was answered, say.
    None,
    /// The peer asks for something. Answer it with
    /// [`respond`](super::Session::respond) or [`fail`](super::Session::fail).
    Request(Incoming<'m>),
    /// The peer tells something.
    Notification {
        /// Which method; `None` for one in no table.
        method: Option<Method>,
        /// The whole of it.
        message: Message<'m>,
    },
    /// A request of ours is getting on.
    Progress {
        /// Which request.
        handle: Handle,
        /// The notification, with `progress`, `total` and `message`.
        message: Message<'m>,
    },
    /// A request of ours has ended. There is one such event for every request, and no more
    /// of it after that.
    Ended {
        /// Which request.
        handle: Handle,
        /// How.
        why: Ended<'m>,
    },
    /// A request of ours needs input before it goes on: see
    /// [`retry`](super::Session::retry).
    InputRequired {
        /// Which request.
        handle: Handle,
        /// How often it has asked, this time included.
        round: u8,
        /// The result, with `inputRequests` and `requestState`.
        message: Message<'m>,
    },
    /// A subscription of ours is open.
    Subscribed {
        /// Which one.
        handle: Handle,
        /// The acknowledgement, with what it covers.
        message: Message<'m>,
    },
    /// The peer no longer wants a request. Its handle is stale; nothing may be sent for it.
    Cancelled {
        /// Which request.
        handle: Handle,
        /// The notification, with its `reason`.
        message: Message<'m>,
    },
    /// The session has come to another state.
    State {
        /// Which.
        state: State,
        /// What brought it there, if that was a message: `initialize` or what it was answered
        /// with, `notifications/initialized`, the answer to a probe. Of a session that has
        /// failed, this may be the peer's error, which says why.
        message: Option<Message<'m>>,
    },
    /// An error that answers nothing in particular.
    ConnectionError(Message<'m>),
    /// What came changes nothing.
    Ignored(Ignored),
}

/// A request of the peer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Incoming<'m> {
    /// What to answer it by.
    pub handle: Handle,
    /// Which method; `None` for one in no table, to be answered with -32601 unless the host
    /// knows it.
    pub method: Option<Method>,
    /// The revision that it follows.
    pub revision: Revision,
    /// The whole of it.
    pub message: Message<'m>,
}

/// How a request of ours ended.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Ended<'m> {
    /// With a result.
    Result(Message<'m>),
    /// With an error.
    Error(Message<'m>),
    /// With an answer that is none: both `result` and `error` or neither, an error without
    /// code, a result type that is not known.
    BadResponse,
    /// With an answer that is over a ceiling.
    TooLong,
    /// With a demand for input beyond [`Config::rounds`](super::Config::rounds).
    TooManyRounds,
    /// Without an answer, in its time.
    TimedOut,
    /// Because we cancelled it, or, for a subscription, the server did.
    Cancelled,
    /// Because the connection closed.
    Closed,
}

impl Ended<'_> {
    /// A short name: `result`, `error`, `bad-response`, and so on.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Ended::Result(_) => "result",
            Ended::Error(_) => "error",
            Ended::BadResponse => "bad-response",
            Ended::TooLong => "too-long",
            Ended::TooManyRounds => "too-many-rounds",
            Ended::TimedOut => "timed-out",
            Ended::Cancelled => "cancelled",
            Ended::Closed => "closed",
        }
    }
}

/// Where a session is.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// Nothing has been agreed on.
    Idle,
    /// A client has sent `server/discover` and does not know yet what the server speaks.
    Probing,
    /// `initialize` is under way.
    Opening,
    /// The revision is settled and all may be sent that it and the capabilities allow. A
    /// server of both eras may serve requests of the modern era in any state.
    Ready(Revision),
    /// No session came about. The host closes the connection.
    Failed(Failure),
    /// The input has ended.
    Closed,
}

/// Why no session came about.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The server speaks no revision that we do.
    NoCommonRevision,
    /// The server refused `initialize`, or a probe where we do not speak the legacy era.
    Refused,
    /// The answer was no valid one.
    BadResponse,
    /// The answer was over a ceiling.
    TooLong,
    /// There was no answer in time.
    TimedOut,
    /// The server closed the connection while it was probed, or after a probe that it did not
    /// answer, as some servers of the legacy era do. Start it again, and open a new session with
    /// [`connect_legacy`](super::Session::connect_legacy).
    ClosedWhileProbing,
    /// The connection closed before the session was open.
    Closed,
}

/// Why what came changes nothing.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ignored {
    /// A line that is no message.
    Fault,
    /// A response to a request that has ended: cancelled, timed out, or answered before.
    Late,
    /// A response to a request that was never made.
    UnknownId,
    /// A request whose id is still in use. It is not answered: that id is owed one answer.
    DuplicateId,
    /// A notification for a request or a token that is not, or no longer, there.
    UnknownTarget,
    /// A method that this side may not send, or not in this revision or era.
    WrongSide,
    /// A notification in a state where it means nothing.
    WrongState,
    /// A method of requests without an id.
    NotARequest,
}

/// Whose body is coming in. See [`Session::route`](super::Session::route).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// The answer to this request of ours: its id has been seen.
    Known(Handle),
    /// The id has not been seen yet, but only one request of ours is waiting.
    Only(Handle),
    /// Nothing that is waited for, as far as can be told yet.
    Unknown,
}

/// What is known of a request that is being worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IncomingInfo {
    /// Its method; `None` for one in no table.
    pub method: Option<Method>,
    /// The revision that it follows.
    pub revision: Revision,
    /// What its client can do.
    pub capabilities: Capabilities,
    /// Whether it asked to be told how it gets on.
    pub wants_progress: bool,
    /// From which level on log messages may be sent for it; `None` for none at all.
    pub log_level: Option<LogLevel>,
}

/// Why a call did nothing. Nothing has changed then: no id is used up, no slot is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionError {
    /// The request of this handle has ended or was cancelled, or the handle is not of this
    /// session.
    StaleHandle,
    /// The session is not in a state where this may be sent.
    NotReady,
    /// The rule forbids it: the method is not of this side or revision, or its capability
    /// was not declared.
    Gate(Rule),
    /// Every slot for requests of ours is in use, or every id: there are 2^32 - 1.
    TableFull,
    /// Progress has to increase, and to be written in at most 20 characters.
    BadProgress,
    /// The message cannot be written.
    Write(WriteError),
}

impl core::fmt::Display for SessionError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            SessionError::StaleHandle => {
                f.write_str("the request has ended, was cancelled, or never was")
            }
            SessionError::NotReady => f.write_str("the session is not ready for this"),
            SessionError::Gate(rule) => write!(f, "not allowed by {rule}: {}", rule.text()),
            SessionError::TableFull => f.write_str("too many requests are waiting for answers"),
            SessionError::BadProgress => f.write_str(
                "progress is a number of at most 20 characters, larger than the one before",
            ),
            SessionError::Write(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SessionError {}

impl From<WriteError> for SessionError {
    fn from(error: WriteError) -> Self {
        SessionError::Write(error)
    }
}
