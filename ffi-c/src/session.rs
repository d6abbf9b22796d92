//! What sessions of both roles have in common: what they are told, their tables, and what
//! comes of a call.

use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;

use wireline::Violations;
use wireline::encode::Payload;
use wireline::mcp::{CacheScope, Capabilities, Capability, code};
use wireline::session::{
    Cache, Client, Config, Ended, Event, Failure, Filter, Handle, Ignored, Implementation, Inbound,
    IncomingInfo, Line, Options, Outbound, Policy, Progress, Reply, Role, Route, Send, Server,
    Session, SessionError, Slots, State, Step, Tables,
};

use crate::args::{Out, Sized32, flag, input, pointer, reserved, room, sized_out, wireline_slice};
use crate::handle::{begin, get, handle};
use crate::message::{head, wireline_item};
use crate::names::{
    level_code, method_code, revision_code, revisions, wireline_capabilities, wireline_log_level,
    wireline_method, wireline_revisions,
};
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_ARGUMENT, WIRELINE_ERR_NOT_READY, WIRELINE_ERR_NULL,
    WIRELINE_ERR_PROGRESS, WIRELINE_ERR_SIZE, WIRELINE_ERR_STALE_HANDLE, WIRELINE_ERR_TABLE_FULL,
    WIRELINE_ERR_UNINITIALISED, rule_status, run, wireline_status,
};
use crate::write::written;

/// What a session is told once: who we are, what we can do, and how strict to be. Fill it
/// by `wireline_settings_default`, and set at least `name` and `version`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_settings {
    /// `sizeof(wireline_settings)`.
    pub size: u32,
    /// The revisions that we speak. A client of both eras probes; a server answers each
    /// request in the era that it asks for.
    pub revisions: wireline_revisions,
    /// What we can do, of the `WIRELINE_CAPABILITY_` bits of our side.
    pub capabilities: wireline_capabilities,
    /// Milliseconds that a request of ours may take, counted anew with each progress; 0 for
    /// no such limit.
    pub request_timeout: u32,
    /// Milliseconds that a request of ours may take in all; 0 for no such limit.
    pub hard_timeout: u32,
    /// Milliseconds that a client waits for the answer to its probe before it takes the
    /// server for one of the legacy era; at least 1.
    pub probe_timeout: u32,
    /// How long results of the modern era may be kept, in milliseconds.
    pub cache_ttl: u32,
    /// 1: by anyone. 0: by the client alone.
    pub cache_public: u8,
    /// How often one request of ours may be answered by a demand for input.
    pub rounds: u8,
    /// 1: once `initialize` was answered, a server refuses requests of the modern era.
    pub one_era: u8,
    /// 1: a line that is not JSON is answered with -32700. 0: it is told and skipped, since
    /// answers to noise can feed on one another.
    pub answer_unparsable: u8,
    /// The code for requests that are over a ceiling: -32600, or
    /// `WIRELINE_CODE_CONTENT_TOO_LARGE`.
    pub too_long_code: i64,
    /// Our name, for programs.
    pub name: wireline_slice,
    /// Our version.
    pub version: wireline_slice,
    /// Our name for people; may be absent.
    pub title: wireline_slice,
    /// A server's hints for the model that uses it; may be absent.
    pub instructions: wireline_slice,
    /// Further members of the capabilities object, such as `experimental`: a JSON object;
    /// may be absent.
    pub extra_capabilities: wireline_slice,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_settings {}

/// All revisions, no capabilities, time-outs of 60 seconds and 10 minutes, 10 seconds for a
/// probe, 10 rounds of input; neither name nor version. `size` is `sizeof *settings`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_settings_default(
    settings: *mut wireline_settings,
    size: usize,
) -> wireline_status {
    run(|| {
        let out = Out::new(settings)?;
        if size != size_of::<wireline_settings>() {
            return Err(Failed(WIRELINE_ERR_SIZE));
        }
        let config = Config::new(Implementation::new("", ""));
        out.set(wireline_settings {
            size: wireline_settings::SIZE,
            revisions: crate::names::WIRELINE_REVISIONS_ALL,
            capabilities: 0,
            request_timeout: config.request_timeout,
            hard_timeout: config.hard_timeout,
            probe_timeout: config.probe_timeout,
            cache_ttl: config.cache.ttl_ms,
            cache_public: 0,
            rounds: config.rounds,
            one_era: 0,
            answer_unparsable: 0,
            too_long_code: config.policy.too_long_code,
            name: wireline_slice::ABSENT,
            version: wireline_slice::ABSENT,
            title: wireline_slice::ABSENT,
            instructions: wireline_slice::ABSENT,
            extra_capabilities: wireline_slice::ABSENT,
        });
        Ok(())
    })
}

/// Settings that have been looked at. Sessions borrow it: it stays where it is, and as it
/// is, as long as one of them is used.
#[repr(C)]
pub struct wireline_config {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 26],
}

handle!(wireline_config, Config<'static>, 0x574c_0010);

pub(crate) fn capabilities(bits: wireline_capabilities) -> Outcome<Capabilities> {
    let mut set = Capabilities::NONE;
    let mut rest = bits;
    for capability in Capability::ALL {
        let bit = 1u32.wrapping_shl(*capability as u32);
        if bits & bit != 0 {
            set = set.with(*capability);
            rest &= !bit;
        }
    }
    match rest {
        0 => Ok(set),
        _ => Err(Failed(WIRELINE_ERR_ARGUMENT)),
    }
}

pub(crate) fn capabilities_code(set: Capabilities) -> wireline_capabilities {
    Capability::ALL.iter().fold(0, |bits, it| {
        bits | if set.has(*it) {
            1u32.wrapping_shl(*it as u32)
        } else {
            0
        }
    })
}

fn cache(ttl_ms: u32, public: u8) -> Outcome<Cache> {
    let scope = match flag(public)? {
        true => CacheScope::Public,
        false => CacheScope::Private,
    };
    Ok(Cache { ttl_ms, scope })
}

/// Looks at settings. Their slices stay in use. Write `WIRELINE_SELF(config)` for the first
/// three arguments.
///
/// Errors: ARGUMENT, if a code, a number or a flag is out of place, no revision is set, or
/// name or version is empty; UTF8; JSON and TYPE for `extra_capabilities`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_config_init(
    config: *mut wireline_config,
    size: usize,
    version: u32,
    settings: *const wireline_settings,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers, and that the slices
    // last as long as the handle.
    run(|| unsafe {
        let new = begin(config, size, version)?;
        let it = input(settings)?;
        let codes = [code::INVALID_REQUEST, code::CONTENT_TOO_LARGE];
        if it.probe_timeout == 0 || !codes.contains(&it.too_long_code) {
            return Err(Failed(WIRELINE_ERR_ARGUMENT));
        }
        let mut info = Implementation::new(it.name.text()?, it.version.text()?);
        info.title = it.title.maybe_text()?;
        let mut config = Config::new(info)
            .with_revisions(revisions(it.revisions)?)
            .with_capabilities(capabilities(it.capabilities)?)
            .with_timeouts(it.request_timeout, it.hard_timeout)
            .with_probe_timeout(it.probe_timeout)
            .with_rounds(it.rounds)
            .with_cache(cache(it.cache_ttl, it.cache_public)?);
        let mut policy = Policy::DEFAULT;
        policy.one_era = flag(it.one_era)?;
        policy.answer_unparsable = flag(it.answer_unparsable)?;
        policy.too_long_code = it.too_long_code;
        config = config.with_policy(policy);
        config.instructions = it.instructions.maybe_text()?;
        config.extra_capabilities = match it.extra_capabilities.checked()? {
            Some(members) if members.kind() != wireline::json::JsonKind::Object => {
                return Err(Failed(crate::status::WIRELINE_ERR_TYPE));
            }
            members => members,
        };
        if info.name.is_empty() || info.version.is_empty() || it.revisions == 0 {
            return Err(Failed(WIRELINE_ERR_ARGUMENT));
        }
        new.put(config);
        Ok(())
    })
}

/// A request of the peer that is being worked on. What it holds is the session's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_inbound {
    /// The library's.
    pub words: [u32; 9],
}

/// A request of ours that waits for its answer. What it holds is the session's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_outbound {
    /// The library's.
    pub words: [u64; 6],
}

const _: () = {
    assert!(size_of::<Inbound>() == size_of::<wireline_inbound>());
    assert!(align_of::<Inbound>() <= align_of::<wireline_inbound>());
    assert!(size_of::<Outbound>() == size_of::<wireline_outbound>());
    assert!(align_of::<Outbound>() <= align_of::<wireline_outbound>());
};

/// The tables of a session, in memory of the caller's, which stays the session's until it is
/// used no more. Zeroed memory with `size` set means no tables.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_slots {
    /// `sizeof(wireline_slots)`.
    pub size: u32,
    /// 0.
    pub reserved: u32,
    /// Requests of the peer, an array. A server without them refuses every request but
    /// those that it answers by itself.
    pub inbound: *mut wireline_inbound,
    /// How many.
    pub inbound_count: usize,
    /// Requests of ours, an array. A client needs at least one.
    pub outbound: *mut wireline_outbound,
    /// How many.
    pub outbound_count: usize,
    /// Bytes for the ids and progress tokens of `inbound`, shared evenly among its slots; 60
    /// for each hold an id of 40 and most tokens.
    pub text: *mut c_char,
    /// How many.
    pub text_size: usize,
    /// Where the answers to a batch of 2025-03-26 are gathered: as long as the longest line
    /// that is to leave. May be NULL: batches are refused then.
    pub gather: *mut c_char,
    /// How many bytes.
    pub gather_size: usize,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_slots {}

/// The tables that a session was lent. No reference to them outlives a call.
#[derive(Debug)]
pub(crate) struct Lent {
    inbound: (*mut Inbound, usize),
    outbound: (*mut Outbound, usize),
    text: (*mut u8, usize),
    #[cfg(feature = "batch")]
    gather: (*mut u8, usize),
}

/// An array of the caller's, looked at and not written to.
fn array<T, C>(ptr: *mut C, count: usize) -> Outcome<(*mut T, usize)> {
    if count == 0 {
        return Ok((core::ptr::NonNull::dangling().as_ptr(), 0));
    }
    pointer(ptr)?;
    // A handle has 16 bits for the place in its table.
    if count > usize::from(u16::MAX) {
        return Err(Failed(WIRELINE_ERR_ARGUMENT));
    }
    Ok((ptr.cast(), count))
}

/// Bytes of the caller's, looked at and not written to.
fn memory(ptr: *mut c_char, len: usize) -> Outcome<(*mut u8, usize)> {
    match len {
        0 => Ok((core::ptr::NonNull::dangling().as_ptr(), 0)),
        _ if ptr.is_null() => Err(Failed(WIRELINE_ERR_NULL)),
        _ if len > isize::MAX as usize => Err(Failed(WIRELINE_ERR_ARGUMENT)),
        _ => Ok((ptr.cast(), len)),
    }
}

/// Writes a value into each place.
///
/// # Safety
///
/// The caller vouches for so many places, each as large and as aligned as a value.
unsafe fn fill<T: Copy>((ptr, count): (*mut T, usize), value: T) {
    for index in 0..count {
        // SAFETY: as said.
        unsafe { ptr.add(index).write(value) };
    }
}

impl Lent {
    /// Nothing of the caller's is written before all is found good, and all of it then.
    pub(crate) unsafe fn new(slots: *const wireline_slots) -> Outcome<Lent> {
        // SAFETY: the caller vouches for the pointers.
        unsafe {
            let it = input(slots)?;
            reserved(it.reserved)?;
            let gather = memory(it.gather, it.gather_size)?;
            let lent = Lent {
                inbound: array(it.inbound, it.inbound_count)?,
                outbound: array(it.outbound, it.outbound_count)?,
                text: memory(it.text, it.text_size)?,
                #[cfg(feature = "batch")]
                gather,
            };
            #[cfg(not(feature = "batch"))]
            if gather.1 > 0 {
                return Err(Failed(crate::status::WIRELINE_ERR_UNSUPPORTED));
            }
            fill(lent.inbound, Inbound::VACANT);
            fill(lent.outbound, Outbound::VACANT);
            // What a slot holds is only ever a part of these that the session has written.
            fill(lent.text, 0);
            #[cfg(feature = "batch")]
            fill(lent.gather, 0);
            Ok(lent)
        }
    }
}

/// A part of what was lent, to be read.
///
/// # Safety
///
/// The caller of `init` vouches that it lasts as long as the session and is its alone; `new`
/// has written a value into each slot.
unsafe fn part<'a, T>((ptr, len): (*mut T, usize)) -> &'a [T] {
    // SAFETY: as said.
    unsafe { core::slice::from_raw_parts(ptr, len) }
}

/// A part of what was lent, to be written.
///
/// # Safety
///
/// As of `part`, and no other reference to it is in use.
unsafe fn part_mut<'a, T>((ptr, len): (*mut T, usize)) -> &'a mut [T] {
    // SAFETY: as said.
    unsafe { core::slice::from_raw_parts_mut(ptr, len) }
}

impl Slots for Lent {
    fn tables(&mut self) -> Tables<'_> {
        // SAFETY: `new` has checked it, the parts do not overlap, as the conventions ask, and
        // `self` is borrowed as long as they are.
        unsafe {
            Tables {
                inbound: part_mut(self.inbound),
                outbound: part_mut(self.outbound),
                text: part_mut(self.text),
            }
        }
    }

    fn inbound(&self) -> &[Inbound] {
        // SAFETY: as above.
        unsafe { part(self.inbound) }
    }

    fn outbound(&self) -> &[Outbound] {
        // SAFETY: as above.
        unsafe { part(self.outbound) }
    }

    fn text(&self) -> &[u8] {
        // SAFETY: as above.
        unsafe { part(self.text) }
    }

    #[cfg(feature = "batch")]
    fn gather(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { part_mut(self.gather) }
    }
}

/// The configuration that a session borrows.
pub(crate) unsafe fn config(config: *const wireline_config) -> Outcome<&'static Config<'static>> {
    // SAFETY: the caller of `init` vouches that it lasts.
    unsafe { get(config) }
}

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

fn state_code(state: State) -> (wireline_state, wireline_failure, wireline_revisions) {
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

impl From<SessionError> for Failed {
    fn from(error: SessionError) -> Self {
        Failed(match error {
            SessionError::StaleHandle => WIRELINE_ERR_STALE_HANDLE,
            SessionError::NotReady => WIRELINE_ERR_NOT_READY,
            SessionError::Gate(rule) => rule_status(rule),
            SessionError::TableFull => WIRELINE_ERR_TABLE_FULL,
            SessionError::BadProgress => WIRELINE_ERR_PROGRESS,
            SessionError::Write(error) => return error.into(),
            _ => WIRELINE_ERR_ARGUMENT,
        })
    }
}

/// How a request of ours is sent. Zeroed memory with `size` set means: nothing special.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_options {
    /// `sizeof(wireline_options)`.
    pub size: u32,
    /// 1: ask to be told how it gets on. The progress token is the request's id.
    pub progress: u8,
    /// 1: `soft_timeout` and `hard_timeout` stand for those of the settings.
    pub has_timeouts: u8,
    /// 0.
    pub reserved: [u8; 2],
    /// Milliseconds until it times out, counted anew with each progress; 0 for never.
    pub soft_timeout: u32,
    /// Milliseconds until it times out whatever comes; 0 for never.
    pub hard_timeout: u32,
    /// Ask for log messages from this level on; the modern era only. 0: do not ask.
    pub log_level: wireline_log_level,
    /// 0.
    pub reserved2: u32,
    /// Members for `_meta`: a JSON object; may be absent.
    pub meta: wireline_slice,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_options {}

pub(crate) unsafe fn options<'p>(options: *const wireline_options) -> Outcome<Options<'p>> {
    let mut wanted = Options::new();
    if options.is_null() {
        return Ok(wanted);
    }
    // SAFETY: the caller vouches for the pointer and its slices.
    unsafe {
        let it = input(options)?;
        reserved(it.reserved)?;
        reserved(it.reserved2)?;
        wanted.progress = flag(it.progress)?;
        if flag(it.has_timeouts)? {
            wanted = wanted.with_timeouts(it.soft_timeout, it.hard_timeout);
        }
        if it.log_level != 0 {
            let level = crate::names::level(it.log_level);
            wanted.log_level = Some(level.ok_or(Failed(WIRELINE_ERR_ARGUMENT))?);
        }
        wanted.meta = payload(it.meta)?;
    }
    Ok(wanted)
}

/// JSON of the caller's, looked at, or none.
pub(crate) unsafe fn payload<'p>(value: wireline_slice) -> Outcome<Payload<'p>> {
    // SAFETY: the caller vouches for the slice.
    unsafe { value.checked() }.map(Payload::from)
}

/// A result, and what the modern era says about it. Zeroed memory with `size` and `result`
/// set means: nothing special.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_reply {
    /// `sizeof(wireline_reply)`.
    pub size: u32,
    /// 1: `cache_ttl` and `cache_public` stand for those of the settings.
    pub has_cache: u8,
    /// 1: by anyone. 0: by the client alone.
    pub cache_public: u8,
    /// 0.
    pub reserved: [u8; 2],
    /// How long the result may be kept, in milliseconds.
    pub cache_ttl: u32,
    /// 0.
    pub reserved2: u32,
    /// The result: a JSON object, without `resultType`, `ttlMs`, `cacheScope` and `_meta`,
    /// which the session adds where the revision has them.
    pub result: wireline_slice,
    /// Members for `_meta`: a JSON object; may be absent.
    pub meta: wireline_slice,
    /// The kind of result, of an extension that the request's client declared, such as
    /// `task`; absent for `complete`. Left out in the legacy era, which has none.
    pub result_type: wireline_slice,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_reply {}

pub(crate) unsafe fn reply<'p>(reply: *const wireline_reply) -> Outcome<Reply<'p>> {
    // SAFETY: the caller vouches for the pointer and its slices.
    unsafe {
        let it = input(reply)?;
        reserved(it.reserved)?;
        reserved(it.reserved2)?;
        let mut given = result(it.result)?;
        let cache = cache(it.cache_ttl, it.cache_public)?;
        if flag(it.has_cache)? {
            given = given.with_cache(cache);
        }
        if let Some(kind) = it.result_type.maybe_text()? {
            if kind.is_empty() {
                return Err(Failed(WIRELINE_ERR_ARGUMENT));
            }
            given = given.with_result_type(kind);
        }
        Ok(given.with_meta(payload(it.meta)?))
    }
}

/// A result that is there.
pub(crate) unsafe fn result<'p>(result: wireline_slice) -> Outcome<Reply<'p>> {
    // SAFETY: the caller vouches for the slice.
    let result = unsafe { result.checked() }?;
    result
        .map(Reply::new)
        .ok_or(Failed(crate::status::WIRELINE_ERR_PAYLOAD))
}

/// How a request gets on. Numbers are decimal text, so that what is sent is what was meant.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_progress {
    /// `sizeof(wireline_progress)`.
    pub size: u32,
    /// 0.
    pub reserved: u32,
    /// How far; greater each time, and at most 20 characters.
    pub progress: wireline_slice,
    /// Of how much; may be absent.
    pub total: wireline_slice,
    /// In words; may be absent.
    pub message: wireline_slice,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_progress {}

pub(crate) unsafe fn progress<'p>(progress: *const wireline_progress) -> Outcome<Progress<'p>> {
    // SAFETY: the caller vouches for the pointer and its slices.
    unsafe {
        let it = input(progress)?;
        reserved(it.reserved)?;
        Ok(Progress {
            progress: it.progress.text()?,
            total: it.total.maybe_text()?,
            message: it.message.maybe_text()?,
        })
    }
}

/// What a subscription covers. Zeroed memory with `size` set covers nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_filter {
    /// `sizeof(wireline_filter)`.
    pub size: u32,
    /// 1: changes of the list of tools.
    pub tools: u8,
    /// 1: changes of the list of prompts.
    pub prompts: u8,
    /// 1: changes of the list of resources.
    pub resources: u8,
    /// 0.
    pub reserved: u8,
    /// Changes of resources: a JSON array of their URIs; may be absent.
    pub uris: wireline_slice,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_filter {}

impl wireline_filter {
    pub(crate) fn of(filter: &Filter<'_>) -> Self {
        wireline_filter {
            size: wireline_filter::SIZE,
            tools: filter.tools.into(),
            prompts: filter.prompts.into(),
            resources: filter.resources.into(),
            reserved: 0,
            uris: wireline_slice::json(filter.uris),
        }
    }
}

pub(crate) unsafe fn filter<'p>(filter: *const wireline_filter) -> Outcome<Filter<'p>> {
    // SAFETY: the caller vouches for the pointer and its slices.
    unsafe {
        let it = input(filter)?;
        reserved(it.reserved)?;
        let uris = it.uris.checked()?;
        if uris.is_some_and(|it| it.kind() != wireline::json::JsonKind::Array) {
            return Err(Failed(crate::status::WIRELINE_ERR_TYPE));
        }
        Ok(Filter {
            tools: flag(it.tools)?,
            prompts: flag(it.prompts)?,
            resources: flag(it.resources)?,
            uris,
        })
    }
}

/// What a `subscriptions/listen` asks for, or its acknowledgement grants: reads the value of
/// `notifications` in its parameters. Set `filter->size` first. Errors: TYPE, if it is no
/// object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_filter_read(
    notifications: wireline_slice,
    filter: *mut wireline_filter,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let value = notifications.known()?;
        let out = sized_out(filter)?;
        if value.kind() != wireline::json::JsonKind::Object {
            return Err(Failed(crate::status::WIRELINE_ERR_TYPE));
        }
        out.set(wireline_filter::of(&Filter::read(value)));
        Ok(())
    })
}

/// What a session has agreed on, and what is under way.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_session_info {
    /// `sizeof(wireline_session_info)`.
    pub size: u32,
    /// Where it is.
    pub state: wireline_state,
    /// Of a state FAILED: why.
    pub failure: wireline_failure,
    /// The revision that was agreed on; 0 for none. A server of the modern era agrees on none.
    pub revision: wireline_revisions,
    /// What the peer has declared that it can do. A server of the modern era learns it anew
    /// with each request.
    pub peer_capabilities: wireline_capabilities,
    /// Requests of the peer that are being worked on.
    pub inbound: u32,
    /// Requests of ours that wait.
    pub outbound: u32,
}

// SAFETY: integers only, the size first.
unsafe impl Sized32 for wireline_session_info {}

pub(crate) fn info<R: Role>(
    session: &Session<'static, R, Lent>,
    out: *mut wireline_session_info,
) -> Outcome {
    let out = sized_out(out)?;
    let (state, failure, _) = state_code(session.state());
    let (inbound, outbound) = session.in_flight();
    out.set(wireline_session_info {
        size: wireline_session_info::SIZE,
        state,
        failure,
        revision: session.revision().map_or(0, revision_code),
        peer_capabilities: capabilities_code(session.peer_capabilities()),
        inbound: inbound as u32,
        outbound: outbound as u32,
    });
    Ok(())
}

/// What is known of a request that is being worked on.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_incoming {
    /// `sizeof(wireline_incoming)`.
    pub size: u32,
    /// Its method.
    pub method: wireline_method,
    /// The revision that it follows.
    pub revision: wireline_revisions,
    /// What its client can do.
    pub capabilities: wireline_capabilities,
    /// 1: it asked to be told how it gets on.
    pub wants_progress: u32,
    /// From which level on log messages may be sent for it; 0 for none at all.
    pub log_level: wireline_log_level,
}

// SAFETY: integers only, the size first.
unsafe impl Sized32 for wireline_incoming {}

pub(crate) fn incoming(info: Option<IncomingInfo>, out: *mut wireline_incoming) -> Outcome {
    let out = sized_out(out)?;
    let info = info.ok_or(Failed(WIRELINE_ERR_STALE_HANDLE))?;
    out.set(wireline_incoming {
        size: wireline_incoming::SIZE,
        method: method_code(info.method),
        revision: revision_code(info.revision),
        capabilities: capabilities_code(info.capabilities),
        wants_progress: info.wants_progress.into(),
        log_level: info.log_level.map_or(0, level_code),
    });
    Ok(())
}

/// Whose body is coming in, in pieces: one of the `WIRELINE_ROUTE_` codes.
pub type wireline_route = u32;
/// Nothing that is waited for, as far as can be told yet.
pub const WIRELINE_ROUTE_UNKNOWN: wireline_route = 0;
/// The answer to the request of ours of the handle: its id has been seen.
pub const WIRELINE_ROUTE_KNOWN: wireline_route = 1;
/// The id has not been seen yet, but only one request of ours is waiting.
pub const WIRELINE_ROUTE_ONLY: wireline_route = 2;

pub(crate) unsafe fn route<R: Role>(
    session: &Session<'static, R, Lent>,
    item: *const wireline_item,
    route: *mut wireline_route,
    handle: *mut wireline_handle,
) -> Outcome {
    // SAFETY: the caller vouches for the pointer.
    let head = unsafe { head(item) }?;
    let (route, handle) = (Out::new(route)?, Out::new(handle)?);
    let (code, bits) = match session.route(head) {
        Route::Known(it) => (WIRELINE_ROUTE_KNOWN, it.to_bits()),
        Route::Only(it) => (WIRELINE_ROUTE_ONLY, it.to_bits()),
        Route::Unknown => (WIRELINE_ROUTE_UNKNOWN, 0),
    };
    route.set(code);
    handle.set(bits);
    Ok(())
}

/// A session of either role, in the caller's tables.
pub(crate) type ClientSession = Session<'static, Client, Lent>;
pub(crate) type ServerSession = Session<'static, Server, Lent>;

/// What `expire` and `close` of both roles come to.
pub(crate) fn perhaps(
    next: impl FnOnce() -> Option<Step<'static>>,
    step: *mut wireline_step,
    more: *mut bool,
) -> Outcome {
    let (out, more) = (sized_out(step)?, Out::new(more)?);
    let next = next();
    more.set(next.is_some());
    if let Some(step) = next {
        out.step(&step);
    }
    Ok(())
}

/// A text that must be there, though it may be empty.
pub(crate) unsafe fn named<'p>(text: wireline_slice) -> Outcome<&'p str> {
    if text.is_absent() {
        return Err(Failed(WIRELINE_ERR_NULL));
    }
    // SAFETY: the caller vouches for the slice.
    unsafe { text.text() }
}
