//! A client's session.

use wireline::session::{Handle, Session};

use crate::args::{Out, sized_out, wireline_slice, wireline_string};
use crate::handle::{begin, get, get_mut, handle};
use crate::message::{received, wireline_item};
use crate::names::{revision, wireline_capabilities, wireline_revisions};
use crate::session::{
    self, ClientSession, Lent, wireline_config, wireline_filter, wireline_handle,
    wireline_incoming, wireline_options, wireline_progress, wireline_reply, wireline_route,
    wireline_send, wireline_session_info, wireline_slots, wireline_step,
};
#[cfg(not(feature = "tasks"))]
use crate::status::Failed;
use crate::status::{run, wireline_status};

/// A client's side of a connection: what was agreed on, and what is under way.
///
/// Open it with `wireline_client_connect`, send what that gives, and hand it every item of a
/// decoder. It reads no clock and does no I/O: each call says what follows from it.
#[repr(C)]
pub struct wireline_client {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 24],
}

handle!(wireline_client, ClientSession, 0x574c_0012);

/// Makes a client that has agreed on nothing yet. `config` stays where it is and as it is,
/// and the memory of `slots` stays the client's, as long as it is used. Write
/// `WIRELINE_SELF(client)` for the first three arguments.
///
/// Errors: NULL, ALIGN, SIZE, VERSION; UNINITIALISED or MOVED for the configuration; ARGUMENT
/// for more than 65535 slots; UNSUPPORTED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_init(
    client: *mut wireline_client,
    size: usize,
    version: u32,
    config: *const wireline_config,
    slots: *const wireline_slots,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let new = begin(client, size, version)?;
        let config = session::config(config)?;
        let slots = Lent::new(slots)?;
        new.put(Session::new(config, slots));
        Ok(())
    })
}

/// Opens the session: sends `server/discover`, if we speak the modern era, else `initialize`.
/// What the server speaks is settled when `WIRELINE_EVENT_STATE` says READY.
///
/// Errors: NOT_READY, if it was called before; TABLE_FULL, if there is no slot for requests
/// of ours; MISPLACED, if `extra_capabilities` repeats a member.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_connect(
    client: *mut wireline_client,
    now: u64,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let out = Out::new(send)?;
        out.send(&session.connect(now)?);
        Ok(())
    })
}

/// Opens a session of the legacy era without a probe: where the server is known to be of that
/// era, or closed the connection when it was probed.
///
/// Errors: as of `wireline_client_connect`; NOT_READY also if we speak no revision of that
/// era.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_connect_legacy(
    client: *mut wireline_client,
    now: u64,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let out = Out::new(send)?;
        out.send(&session.connect_legacy(now)?);
        Ok(())
    })
}

/// Takes the server's era from a verdict of earlier, so that no probe is needed: all requests
/// follow the modern revision, and `capabilities` are what the server declared then.
///
/// Errors: NOT_READY, if the session was opened before, or we do not speak the revision;
/// ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_assume(
    client: *mut wireline_client,
    revision: wireline_revisions,
    capabilities: wireline_capabilities,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let revision = self::revision(revision)?;
        session.assume(revision, session::capabilities(capabilities)?)?;
        Ok(())
    })
}

/// Takes what a decoder gave, a message or a fault, and says what follows from it. `now` is
/// in milliseconds of any clock. Set `step->size` first. Write `step->send` before the next
/// call on the decoder: see `wireline_send`.
///
/// Errors: ITEM, unless the item is a MESSAGE or a FAULT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_receive(
    client: *mut wireline_client,
    item: *const wireline_item,
    now: u64,
    step: *mut wireline_step,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let item = received(item)?;
        let out = sized_out(step)?;
        out.step(&session.receive(&item, now));
        Ok(())
    })
}

/// Answers a request with a result, a JSON object. Its handle is stale from then on. What the
/// revision of the request asks for beside the result is added: `resultType`, `serverInfo` in
/// `_meta`, `ttlMs` and `cacheScope`.
///
/// Errors: STALE_HANDLE, if the request was answered or cancelled: nothing may be sent for
/// it; JSON, PAYLOAD or MISPLACED, if the result is no object or has a member that the
/// session adds; RULE, R91 for a `result_type` whose extension was not declared. The request still waits for its answer then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_respond(
    client: *mut wireline_client,
    handle: wireline_handle,
    result: wireline_slice,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let reply = session::result(result)?;
        let out = Out::new(send)?;
        out.send(&session.respond(Handle::from_bits(handle), reply)?);
        Ok(())
    })
}

/// Answers a request with a result, and says how long it may be kept or what stands in its
/// `_meta`: see `wireline_client_respond`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_respond_with(
    client: *mut wireline_client,
    handle: wireline_handle,
    reply: *const wireline_reply,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let reply = session::reply(reply)?;
        let out = Out::new(send)?;
        out.send(&session.respond(Handle::from_bits(handle), reply)?);
        Ok(())
    })
}

/// Answers a request with an error. Its handle is stale from then on. `data` is any JSON
/// value, or absent.
///
/// Errors: STALE_HANDLE; JSON; RULE, R33 or R34 for a code that the request's revision
/// forbids.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_fail(
    client: *mut wireline_client,
    handle: wireline_handle,
    code: i64,
    message: wireline_slice,
    data: wireline_slice,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let message = message.text()?;
        let data = session::payload(data)?;
        let out = Out::new(send)?;
        out.send(&session.fail(Handle::from_bits(handle), code, message, data)?);
        Ok(())
    })
}

/// Tells how a request gets on. Nothing is sent if it did not ask to be told.
///
/// Errors: STALE_HANDLE; PROGRESS, if it is not greater than the last time, or no number of
/// at most 20 characters; NUMBER, if the total is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_progress(
    client: *mut wireline_client,
    handle: wireline_handle,
    progress: *const wireline_progress,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let progress = session::progress(progress)?;
        let out = Out::new(send)?;
        out.send(&session.progress(Handle::from_bits(handle), progress)?);
        Ok(())
    })
}

/// Sends a request. Its end comes as `WIRELINE_EVENT_ENDED` with the handle that `*handle`
/// gets. `params` is a JSON object without `_meta`, or absent. `options` may be NULL.
///
/// Errors: NOT_READY; RULE; TABLE_FULL; JSON, PAYLOAD, MISPLACED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_request(
    client: *mut wireline_client,
    method: wireline_slice,
    params: wireline_slice,
    options: *const wireline_options,
    now: u64,
    handle: *mut wireline_handle,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let method = session::named(method)?;
        let params = session::payload(params)?;
        let options = session::options(options)?;
        let (handle, out) = (Out::new(handle)?, Out::new(send)?);
        let (sent, lines) = session.request(method, params, options, now)?;
        handle.set(sent.to_bits());
        out.send(&lines);
        Ok(())
    })
}

/// Asks whether the peer is there; the legacy era only.
///
/// Errors: NOT_READY; RULE, R74 in the modern era; TABLE_FULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_ping(
    client: *mut wireline_client,
    now: u64,
    handle: *mut wireline_handle,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let (handle, out) = (Out::new(handle)?, Out::new(send)?);
        let (sent, lines) = session.ping(now)?;
        handle.set(sent.to_bits());
        out.send(&lines);
        Ok(())
    })
}

/// Sends a notification. Those that belong to a request or a subscription have calls of their
/// own. `params` is a JSON object, or absent.
///
/// Errors: NOT_READY; RULE; JSON, PAYLOAD.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_notify(
    client: *mut wireline_client,
    method: wireline_slice,
    params: wireline_slice,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let method = session::named(method)?;
        let params = session::payload(params)?;
        let out = Out::new(send)?;
        out.send(&session.notify(method, params)?);
        Ok(())
    })
}

/// Cancels a request of ours: it has ended, and its answer, if one still comes, is ignored.
/// `reason` may be absent. Set `step->size` first.
///
/// Errors: STALE_HANDLE; RULE, R112 for a task.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_cancel(
    client: *mut wireline_client,
    handle: wireline_handle,
    reason: wireline_slice,
    step: *mut wireline_step,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let reason = reason.maybe_text()?;
        let out = sized_out(step)?;
        out.step(&session.cancel(Handle::from_bits(handle), reason)?);
        Ok(())
    })
}

/// When `wireline_client_expire` is due, in milliseconds of the caller's clock; `UINT64_MAX` for
/// never.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_poll_timeout(
    client: *const wireline_client,
    due: *mut u64,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get(client)?;
        Out::new(due)?.set(session.poll_timeout().unwrap_or(u64::MAX));
        Ok(())
    })
}

/// Lets time pass. Each call ends one request at most: call it until `*more` is false, and
/// look at the step only while it is true. A clock that goes back stands still.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_expire(
    client: *mut wireline_client,
    now: u64,
    step: *mut wireline_step,
    more: *mut bool,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        session::perhaps(|| session.expire(now), step, more)
    })
}

/// The input has ended. Each call ends one request of ours, and the last says that the session
/// is closed: call it until `*more` is false, and look at the step only while it is true.
/// Requests of the peer that are being worked on may still be answered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_close(
    client: *mut wireline_client,
    step: *mut wireline_step,
    more: *mut bool,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        session::perhaps(|| session.close(), step, more)
    })
}

/// What the session has agreed on, and what is under way. Set `info->size` first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_info(
    client: *const wireline_client,
    info: *mut wireline_session_info,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe { session::info(get(client)?, info) })
}

/// What is known of a request that is being worked on. Set `incoming->size` first.
///
/// Errors: STALE_HANDLE, once it was answered or cancelled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_incoming(
    client: *const wireline_client,
    handle: wireline_handle,
    incoming: *mut wireline_incoming,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get(client)?;
        session::incoming(session.incoming(Handle::from_bits(handle)), incoming)
    })
}

/// Whose body is coming in, in pieces, from a stream decoder: asked at its HEAD already. What
/// comes is provisional until the line ends. `*handle` gets the request's handle, or 0.
///
/// Errors: ITEM, unless the item is a HEAD or an END.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_route(
    client: *const wireline_client,
    item: *const wireline_item,
    route: *mut wireline_route,
    handle: *mut wireline_handle,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe { session::route(get(client)?, item, route, handle) })
}

/// The answers to a batch of 2025-03-26, once the last has been given: one line, LF included,
/// to be sent as it is, until the next call on the session; absent, if there is none. If
/// batches are taken, call it after every call that may have given an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_take_batch(
    client: *mut wireline_client,
    line: *mut wireline_slice,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let out = Out::new(line)?;
        #[cfg(feature = "batch")]
        out.set(wireline_slice::maybe(session.take_batch()));
        #[cfg(not(feature = "batch"))]
        {
            let _ = session;
            out.set(wireline_slice::ABSENT);
        }
        Ok(())
    })
}

/// Answers a request with a task of 2025-11-25: the result is an object with the member
/// `task`. The handle stays good for `wireline_client_progress` until `wireline_client_end_task`.
///
/// Errors: STALE_HANDLE; RULE, R143 for a request of another revision, or where no tasks were
/// declared for it; JSON, PAYLOAD; UNSUPPORTED without the feature `tasks`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_respond_with_task(
    client: *mut wireline_client,
    handle: wireline_handle,
    reply: *const wireline_reply,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let reply = session::reply(reply)?;
        let out = Out::new(send)?;
        #[cfg(feature = "tasks")]
        {
            out.send(&session.respond_with_task(Handle::from_bits(handle), reply)?);
            Ok(())
        }
        #[cfg(not(feature = "tasks"))]
        {
            let _ = (session, handle, reply, out);
            Err(Failed(crate::status::WIRELINE_ERR_UNSUPPORTED))
        }
    })
}

/// A task has ended: of the peer's request, no more progress is sent; of ours, no more is
/// waited for. A handle that is stale already is no error. Errors: UNSUPPORTED without the
/// feature `tasks`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_end_task(
    client: *mut wireline_client,
    handle: wireline_handle,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        #[cfg(feature = "tasks")]
        {
            session.end_task(Handle::from_bits(handle));
            Ok(())
        }
        #[cfg(not(feature = "tasks"))]
        {
            let _ = (session, handle);
            Err(Failed(crate::status::WIRELINE_ERR_UNSUPPORTED))
        }
    })
}

/// Sends a request again, with the input that it asked for: after
/// `WIRELINE_EVENT_INPUT_REQUIRED`. The handle stays the same; on the wire it is a new request.
/// `params` are those of the first time; `answers` is an object with a result for each key of
/// `inputRequests`, or absent; `state` is `requestState` as it came, or absent. `options` may
/// be NULL.
///
/// Errors: STALE_HANDLE, also for a request that asked for nothing; JSON, also for a state that
/// is not the inside of a JSON string; PAYLOAD, MISPLACED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_retry(
    client: *mut wireline_client,
    handle: wireline_handle,
    params: wireline_slice,
    answers: wireline_slice,
    state: wireline_string,
    options: *const wireline_options,
    now: u64,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let params = session::payload(params)?;
        let answers = session::payload(answers)?;
        let state = state.checked()?;
        let options = session::options(options)?;
        let out = Out::new(send)?;
        let handle = Handle::from_bits(handle);
        out.send(&session.retry(handle, params, answers, state, options, now)?);
        Ok(())
    })
}

/// Asks to be told of changes; the modern era only. `WIRELINE_EVENT_SUBSCRIBED` says that it is
/// open, `WIRELINE_EVENT_ENDED` that it is over.
///
/// Errors: NOT_READY; RULE, R62 in the legacy era; TABLE_FULL; JSON, TYPE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_client_listen(
    client: *mut wireline_client,
    filter: *const wireline_filter,
    now: u64,
    handle: *mut wireline_handle,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(client)?;
        let filter = session::filter(filter)?;
        let (handle, out) = (Out::new(handle)?, Out::new(send)?);
        let (sent, lines) = session.listen(filter, now)?;
        handle.set(sent.to_bits());
        out.send(&lines);
        Ok(())
    })
}
