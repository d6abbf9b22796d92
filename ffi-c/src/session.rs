//! What calls of sessions of both roles take and give.

use wireline::encode::Payload;
use wireline::session::{
    Client, Filter, IncomingInfo, Options, Progress, Reply, Role, Route, Server, Session,
    SessionError, Step,
};

use crate::args::{Out, Sized32, flag, input, reserved, sized_out, wireline_slice};
use crate::config::cache;
pub(crate) use crate::config::{capabilities, capabilities_code, config, wireline_config};
use crate::message::{head, wireline_item};
use crate::names::{
    level_code, method_code, revision_code, wireline_capabilities, wireline_log_level,
    wireline_method, wireline_revisions,
};
pub(crate) use crate::slots::{Lent, wireline_slots};
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_ARGUMENT, WIRELINE_ERR_NOT_READY, WIRELINE_ERR_NULL,
    WIRELINE_ERR_PROGRESS, WIRELINE_ERR_STALE_HANDLE, WIRELINE_ERR_TABLE_FULL, rule_status, run,
    wireline_status,
};
pub(crate) use crate::step::{
    Told, WIRELINE_EVENT_CANCELLED, line_of, wireline_event, wireline_handle, wireline_rules,
    wireline_send, wireline_step,
};
use crate::step::{state_code, wireline_failure, wireline_state};

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
