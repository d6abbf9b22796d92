//! What comes of a call: what happened, and what is to be sent.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use wireline::Violations;
use wireline::session::{Ended, Event, Failure, Handle, Ignored, Line, Send, State, Step};

use crate::args::{Out, Sized32, pointer, room};
use crate::names::{method_code, revision_code, wireline_method, wireline_revisions};
use crate::status::{Failed, Outcome, WIRELINE_ERR_UNINITIALISED, run, wireline_status};
use crate::write::written;

/// A request that is being worked on, or one of ours that waits: a number that is never 0,
/// and never given out twice within 2^32 requests. One whose request is over is
/// `WIRELINE_ERR_STALE_HANDLE`.
pub type wireline_handle = u64;

/// What is to be sent: nothing, a line, or two. Every call that gives one writes it. It is not
/// the bytes yet, but what they are written from: it may be copied, and written as often as
/// needed, as long as that stays as it is.
///
/// What `receive` or `serve` gave repeats parts of the line that was received, such as its id,
/// and may be written from the session. Write it before the next
/// call on the session or the decoder, and before the chunk changes that was given to
/// `wireline_decoder_next_in` or `wireline_parse`. The bytes may not be written over the
/// memory that the line was read into: what is sent and what is received have a buffer each.
///
/// What any other call gave is written from the slices that it was given, and from the
/// configuration; further calls on the session, failed ones among them, do not change it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_send {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 54],
}

#[repr(C)]
struct HeldSend {
    tag: u32,
    value: MaybeUninit<Send<'static>>,
}

const SEND: u32 = 0x574c_0011;
const _: () = {
    assert!(size_of::<HeldSend>() <= size_of::<wireline_send>());
    assert!(align_of::<HeldSend>() <= align_of::<wireline_send>());
};

impl Out<wireline_send> {
    pub(crate) fn send(self, send: &Send<'_>) {
        let held = self.ptr().cast::<HeldSend>();
        // SAFETY: `Out` vouches for the pointer, and `HeldSend` fits. What is sent may
        // borrow from the session and from the call's slices: the caller is told for how
        // long.
        unsafe {
            (&raw mut (*held).value).cast::<Send<'_>>().write(*send);
            (&raw mut (*held).tag).write(SEND);
        }
    }
}

pub(crate) unsafe fn sent<'a>(send: *const wireline_send) -> Outcome<&'a Send<'static>> {
    pointer(send)?;
    let held = send.cast::<HeldSend>();
    // SAFETY: the caller vouches for the pointer; the tag tells that a value was written.
    unsafe {
        match (*held).tag {
            SEND => Ok((*held).value.assume_init_ref()),
            _ => Err(Failed(WIRELINE_ERR_UNINITIALISED)),
        }
    }
}

/// How many lines there are to be sent: 0, 1 or 2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_send_lines(
    send: *const wireline_send,
    lines: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let send = sent(send)?;
        Out::new(lines)?.set(send.lines().count());
        Ok(())
    })
}

/// Writes all lines, each with its LF. `*length` gets their bytes, 0 if there is nothing to
/// be sent, or on TOO_SMALL how many are needed; `out` may be NULL with a size of 0, to ask.
/// Use one write for it where the transport allows. Errors: TOO_SMALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_send_write(
    send: *const wireline_send,
    out: *mut c_void,
    out_size: usize,
    length: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let send = sent(send)?;
        let out = room(out, out_size)?;
        let length = Out::new(length)?;
        written(send.write(out), length)
    })
}

/// A line of what is to be sent.
pub(crate) unsafe fn line_of(send: *const wireline_send, index: usize) -> Outcome<Line<'static>> {
    // SAFETY: the caller vouches for the pointer.
    let mut lines = unsafe { sent(send) }?.lines();
    lines
        .nth(index)
        .ok_or(Failed(crate::status::WIRELINE_ERR_NOT_FOUND))
}

/// What happened: one of the `WIRELINE_EVENT_` codes.
pub type wireline_event = u32;
/// Nothing that the program has to know: a ping was answered, say.
pub const WIRELINE_EVENT_NONE: wireline_event = 0;
/// The peer asks for something: answer `handle`. `method` is UNKNOWN for one of no table, to
/// be answered with -32601 unless the program knows it.
pub const WIRELINE_EVENT_REQUEST: wireline_event = 1;
/// The peer tells something.
pub const WIRELINE_EVENT_NOTIFICATION: wireline_event = 2;
/// The request of ours of `handle` is getting on; the item has `progress`.
pub const WIRELINE_EVENT_PROGRESS: wireline_event = 3;
/// The request of ours of `handle` has ended, as `ended` says. There is one such event for
/// every request, and no more of it after that.
pub const WIRELINE_EVENT_ENDED: wireline_event = 4;
/// The request of ours of `handle` needs input before it goes on, for the `round`th time: see
/// `wireline_client_retry`. The item's result has `inputRequests` and `requestState`.
pub const WIRELINE_EVENT_INPUT_REQUIRED: wireline_event = 5;
/// The subscription of ours of `handle` is open; the item has what it covers.
pub const WIRELINE_EVENT_SUBSCRIBED: wireline_event = 6;
/// The peer no longer wants its request of `handle`, which is stale from now on: stop working
/// on it, and send nothing for it.
pub const WIRELINE_EVENT_CANCELLED: wireline_event = 7;
/// The session has come to another `state`.
pub const WIRELINE_EVENT_STATE: wireline_event = 8;
/// An error that answers nothing in particular.
pub const WIRELINE_EVENT_CONNECTION_ERROR: wireline_event = 9;
/// What came changes nothing, for the reason in `ignored`.
pub const WIRELINE_EVENT_IGNORED: wireline_event = 10;

/// How a request of ours ended: one of the `WIRELINE_ENDED_` codes.
pub type wireline_ended = u32;
/// With a result: that of the item.
pub const WIRELINE_ENDED_RESULT: wireline_ended = 1;
/// With an error: that of the item.
pub const WIRELINE_ENDED_ERROR: wireline_ended = 2;
/// With an answer that is none.
pub const WIRELINE_ENDED_BAD_RESPONSE: wireline_ended = 3;
/// With an answer that is over a ceiling.
pub const WIRELINE_ENDED_TOO_LONG: wireline_ended = 4;
/// With a demand for input beyond the rounds of the settings.
pub const WIRELINE_ENDED_TOO_MANY_ROUNDS: wireline_ended = 5;
/// Without an answer, in its time.
pub const WIRELINE_ENDED_TIMED_OUT: wireline_ended = 6;
/// Because we cancelled it, or, for a subscription, the server did.
pub const WIRELINE_ENDED_CANCELLED: wireline_ended = 7;
/// Because the connection closed.
pub const WIRELINE_ENDED_CLOSED: wireline_ended = 8;

/// Where a session is: one of the `WIRELINE_STATE_` codes.
pub type wireline_state = u32;
/// Nothing has been agreed on.
pub const WIRELINE_STATE_IDLE: wireline_state = 1;
/// A client has probed and does not know yet what the server speaks.
pub const WIRELINE_STATE_PROBING: wireline_state = 2;
/// `initialize` is under way.
pub const WIRELINE_STATE_OPENING: wireline_state = 3;
/// The revision is settled, and all may be sent that it and the capabilities allow. A server
/// of both eras may serve requests of the modern era in any state.
pub const WIRELINE_STATE_READY: wireline_state = 4;
/// No session came about, for the reason in `failure`. Close the connection.
pub const WIRELINE_STATE_FAILED: wireline_state = 5;
/// The input has ended.
pub const WIRELINE_STATE_CLOSED: wireline_state = 6;

/// Why no session came about: one of the `WIRELINE_FAILURE_` codes.
pub type wireline_failure = u32;
/// The server speaks no revision that we do.
pub const WIRELINE_FAILURE_NO_COMMON_REVISION: wireline_failure = 1;
/// The server refused `initialize`, or a probe where we do not speak the legacy era.
pub const WIRELINE_FAILURE_REFUSED: wireline_failure = 2;
/// The answer was no valid one.
pub const WIRELINE_FAILURE_BAD_RESPONSE: wireline_failure = 3;
/// The answer was over a ceiling.
pub const WIRELINE_FAILURE_TOO_LONG: wireline_failure = 4;
/// There was no answer in time.
pub const WIRELINE_FAILURE_TIMED_OUT: wireline_failure = 5;
/// The server closed the connection when it was probed. Start it again, and open a new
/// session with `wireline_client_connect_legacy`.
pub const WIRELINE_FAILURE_CLOSED_WHILE_PROBING: wireline_failure = 6;
/// The connection closed before the session was open.
pub const WIRELINE_FAILURE_CLOSED: wireline_failure = 7;

/// Why what came changes nothing: one of the `WIRELINE_IGNORED_` codes.
pub type wireline_ignored = u32;
/// A line that is no message.
pub const WIRELINE_IGNORED_FAULT: wireline_ignored = 1;
/// A response to a request that has ended.
pub const WIRELINE_IGNORED_LATE: wireline_ignored = 2;
/// A response to a request that was never made.
pub const WIRELINE_IGNORED_UNKNOWN_ID: wireline_ignored = 3;
/// A request whose id is still in use. It is not answered: that id is owed one answer.
pub const WIRELINE_IGNORED_DUPLICATE_ID: wireline_ignored = 4;
/// A notification for a request or a token that is not, or no longer, there.
pub const WIRELINE_IGNORED_UNKNOWN_TARGET: wireline_ignored = 5;
/// A method that the peer may not send, or not in this revision or era.
pub const WIRELINE_IGNORED_WRONG_SIDE: wireline_ignored = 6;
/// A notification in a state where it means nothing.
pub const WIRELINE_IGNORED_WRONG_STATE: wireline_ignored = 7;
/// A method of requests without an id.
pub const WIRELINE_IGNORED_NOT_A_REQUEST: wireline_ignored = 8;

/// A set of rules, of which there are `WIRELINE_RULE_COUNT`: rule n is bit n % 32 of word
/// n / 32. Rule 0 is none.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_rules {
    /// The bits.
    pub words: [u32; 6],
}

impl wireline_rules {
    pub(crate) const NONE: wireline_rules = wireline_rules { words: [0; 6] };

    pub(crate) fn of(set: Violations) -> Self {
        let mut rules = wireline_rules::NONE;
        if set.is_empty() {
            return rules;
        }
        for rule in set.iter() {
            let number = u32::from(rule.number());
            if let Some(word) = rules.words.get_mut((number >> 5) as usize) {
                *word |= 1u32.wrapping_shl(number);
            }
        }
        rules
    }
}

/// All that follows from a line received, a moment passed, or a call made. What is to be sent
/// is `send`: send it, in the order in which it came. The message that an event speaks of is
/// the item that was received.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_step {
    /// `sizeof(wireline_step)`.
    pub size: u32,
    /// What happened.
    pub event: wireline_event,
    /// Which request.
    pub handle: wireline_handle,
    /// Of a request or notification: its method.
    pub method: wireline_method,
    /// Of a request: the revision that it follows; of a state READY: that of the session.
    pub revision: wireline_revisions,
    /// Of ENDED: how.
    pub ended: wireline_ended,
    /// Of STATE: which.
    pub state: wireline_state,
    /// Of a state FAILED: why.
    pub failure: wireline_failure,
    /// Of IGNORED: why.
    pub ignored: wireline_ignored,
    /// Of INPUT_REQUIRED: how often it has asked, this time included.
    pub round: u32,
    /// 0.
    pub reserved: u32,
    /// The rules that the peer broke. They change nothing by themselves.
    pub broken: wireline_rules,
    /// What is to be sent.
    pub send: wireline_send,
}

// SAFETY: integers only, the size first.
unsafe impl Sized32 for wireline_step {}

/// The members of a step that an event sets.
#[derive(Clone, Copy)]
pub(crate) struct Told {
    pub(crate) event: wireline_event,
    pub(crate) handle: u64,
    pub(crate) method: wireline_method,
    pub(crate) revision: wireline_revisions,
    ended: wireline_ended,
    state: (wireline_state, wireline_failure, wireline_revisions),
    ignored: wireline_ignored,
    round: u32,
}

impl Told {
    pub(crate) const NONE: Told = Told {
        event: WIRELINE_EVENT_NONE,
        handle: 0,
        method: 0,
        revision: 0,
        ended: 0,
        state: (0, 0, 0),
        ignored: 0,
        round: 0,
    };

    pub(crate) fn at(event: wireline_event, handle: Handle) -> Self {
        Told {
            event,
            handle: handle.to_bits(),
            ..Told::NONE
        }
    }

    pub(crate) fn of(event: &Event<'_>) -> Self {
        match event {
            Event::None => Told::NONE,
            Event::Request(it) => Told {
                method: method_code(it.method),
                revision: revision_code(it.revision),
                ..Told::at(WIRELINE_EVENT_REQUEST, it.handle)
            },
            Event::Notification { method, .. } => Told {
                event: WIRELINE_EVENT_NOTIFICATION,
                method: method_code(*method),
                ..Told::NONE
            },
            Event::Progress { handle, .. } => Told::at(WIRELINE_EVENT_PROGRESS, *handle),
            Event::Ended { handle, why } => Told {
                ended: match why {
                    Ended::Result(_) => WIRELINE_ENDED_RESULT,
                    Ended::Error(_) => WIRELINE_ENDED_ERROR,
                    Ended::TooLong => WIRELINE_ENDED_TOO_LONG,
                    Ended::TooManyRounds => WIRELINE_ENDED_TOO_MANY_ROUNDS,
                    Ended::TimedOut => WIRELINE_ENDED_TIMED_OUT,
                    Ended::Cancelled => WIRELINE_ENDED_CANCELLED,
                    Ended::Closed => WIRELINE_ENDED_CLOSED,
                    _ => WIRELINE_ENDED_BAD_RESPONSE,
                },
                ..Told::at(WIRELINE_EVENT_ENDED, *handle)
            },
            Event::InputRequired { handle, round, .. } => Told {
                round: u32::from(*round),
                ..Told::at(WIRELINE_EVENT_INPUT_REQUIRED, *handle)
            },
            Event::Subscribed { handle, .. } => Told::at(WIRELINE_EVENT_SUBSCRIBED, *handle),
            Event::Cancelled { handle, .. } => Told::at(WIRELINE_EVENT_CANCELLED, *handle),
            Event::State { state, .. } => {
                let state = state_code(*state);
                Told {
                    event: WIRELINE_EVENT_STATE,
                    revision: state.2,
                    state,
                    ..Told::NONE
                }
            }
            Event::ConnectionError(_) => Told {
                event: WIRELINE_EVENT_CONNECTION_ERROR,
                ..Told::NONE
            },
            Event::Ignored(why) => Told {
                event: WIRELINE_EVENT_IGNORED,
                ignored: match why {
                    Ignored::Fault => WIRELINE_IGNORED_FAULT,
                    Ignored::Late => WIRELINE_IGNORED_LATE,
                    Ignored::UnknownId => WIRELINE_IGNORED_UNKNOWN_ID,
                    Ignored::DuplicateId => WIRELINE_IGNORED_DUPLICATE_ID,
                    Ignored::UnknownTarget => WIRELINE_IGNORED_UNKNOWN_TARGET,
                    Ignored::WrongSide => WIRELINE_IGNORED_WRONG_SIDE,
                    Ignored::WrongState => WIRELINE_IGNORED_WRONG_STATE,
                    Ignored::NotARequest => WIRELINE_IGNORED_NOT_A_REQUEST,
                    _ => WIRELINE_IGNORED_WRONG_STATE,
                },
                ..Told::NONE
            },
            // Events that a later core has, and this library does not know.
            _ => Told::NONE,
        }
    }
}

pub(crate) fn state_code(state: State) -> (wireline_state, wireline_failure, wireline_revisions) {
    match state {
        State::Idle => (WIRELINE_STATE_IDLE, 0, 0),
        State::Probing => (WIRELINE_STATE_PROBING, 0, 0),
        State::Opening => (WIRELINE_STATE_OPENING, 0, 0),
        State::Ready(revision) => (WIRELINE_STATE_READY, 0, revision_code(revision)),
        State::Failed(why) => (
            WIRELINE_STATE_FAILED,
            match why {
                Failure::NoCommonRevision => WIRELINE_FAILURE_NO_COMMON_REVISION,
                Failure::Refused => WIRELINE_FAILURE_REFUSED,
                Failure::TooLong => WIRELINE_FAILURE_TOO_LONG,
                Failure::TimedOut => WIRELINE_FAILURE_TIMED_OUT,
                Failure::ClosedWhileProbing => WIRELINE_FAILURE_CLOSED_WHILE_PROBING,
                Failure::Closed => WIRELINE_FAILURE_CLOSED,
                _ => WIRELINE_FAILURE_BAD_RESPONSE,
            },
            0,
        ),
        _ => (WIRELINE_STATE_CLOSED, 0, 0),
    }
}

impl Out<wireline_step> {
    pub(crate) fn step(self, step: &Step<'_>) {
        self.told(Told::of(&step.event), step.broken, &step.send);
    }

    pub(crate) fn told(self, told: Told, broken: Violations, send: &Send<'_>) {
        let step = self.ptr();
        // SAFETY: `Out` vouches for the pointer; every member but the size is written.
        unsafe {
            (&raw mut (*step).event).write(told.event);
            (&raw mut (*step).handle).write(told.handle);
            (&raw mut (*step).method).write(told.method);
            (&raw mut (*step).revision).write(told.revision);
            (&raw mut (*step).ended).write(told.ended);
            (&raw mut (*step).state).write(told.state.0);
            (&raw mut (*step).failure).write(told.state.1);
            (&raw mut (*step).ignored).write(told.ignored);
            (&raw mut (*step).round).write(told.round);
            (&raw mut (*step).reserved).write(0);
            (&raw mut (*step).broken).write(wireline_rules::of(broken));
            Out::part(&raw mut (*step).send).send(send);
        }
    }
}
