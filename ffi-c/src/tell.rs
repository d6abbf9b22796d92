//! What only a server says: questions, subscriptions, changes, log messages.

use wireline::encode::Payload;
use wireline::mcp::{LogLevel, Method};
use wireline::session::{Change, Handle, InputRequest};

use crate::args::{Out, Sized32, input, pointer, wireline_slice};
use crate::handle::{begin, get, get_mut, handle};
use crate::names::{level, method, wireline_capabilities, wireline_log_level, wireline_method};
use crate::server::wireline_server;
use crate::session::{self, wireline_filter, wireline_handle, wireline_send};
use crate::status::{Failed, Outcome, WIRELINE_ERR_ARGUMENT, run, wireline_status};

/// One thing that a server asks of its client before a request can go on.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_input_request {
    /// `sizeof(wireline_input_request)`.
    pub size: u32,
    /// ELICIT, CREATE_MESSAGE or ROOTS_LIST of the `WIRELINE_METHOD_`
    /// codes.
    pub method: wireline_method,
    /// The name under which the answer comes.
    pub key: wireline_slice,
    /// Its parameters: a JSON object, or absent.
    pub params: wireline_slice,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_input_request {}

/// Things that are asked for at once, at most.
pub const WIRELINE_MAX_QUESTIONS: usize = 8;

/// What a server asks of its client, looked at.
#[repr(C)]
pub struct wireline_questions {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 52],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Questions {
    list: [InputRequest<'static>; WIRELINE_MAX_QUESTIONS],
    count: usize,
}

handle!(wireline_questions, Questions, 0x574c_0015);

/// Looks at what is to be asked: an array of `count`, at most `WIRELINE_MAX_QUESTIONS`. Its
/// slices stay in use; the array is needed no more. Write `WIRELINE_SELF(questions)` for the
/// first three arguments. Errors: ARGUMENT, UTF8, JSON.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_questions_init(
    questions: *mut wireline_questions,
    size: usize,
    version: u32,
    requests: *const wireline_input_request,
    count: usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let new = begin(questions, size, version)?;
        if count > WIRELINE_MAX_QUESTIONS {
            return Err(Failed(WIRELINE_ERR_ARGUMENT));
        }
        let mut list = [InputRequest {
            key: "",
            method: Method::RootsList,
            params: Payload::None,
        }; WIRELINE_MAX_QUESTIONS];
        for (index, place) in list.iter_mut().take(count).enumerate() {
            let it = input(requests.wrapping_add(index))?;
            *place = InputRequest {
                key: session::named(it.key)?,
                method: method(it.method).ok_or(Failed(WIRELINE_ERR_ARGUMENT))?,
                params: session::payload(it.params)?,
            };
        }
        new.put(Questions { list, count });
        Ok(())
    })
}

/// Answers a request by asking its client for input first, in the modern era. The exchange is
/// over then: the client sends the request anew, with the answers. `questions`, which stays in
/// use until what is to be sent has left, may be NULL for none. `state`, which may be absent,
/// comes back with the answers, from whoever sends it: seal it where that matters. In the
/// legacy era, ask by a request of one's own.
///
/// Errors: STALE_HANDLE; UTF8; RULE, R92 for a method whose results cannot ask or a request of
/// the legacy era, R93 for neither questions nor state, R94 for a method that cannot be asked
/// for, R95 for one whose capability the request did not declare; PAYLOAD.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_ask(
    server: *mut wireline_server,
    handle: wireline_handle,
    questions: *const wireline_questions,
    state: wireline_slice,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers, and that the questions
    // last as long as what is to be sent.
    run(|| unsafe {
        let session = get_mut(server)?.session_mut();
        let asked: &'static [InputRequest<'static>] = match questions.is_null() {
            true => &[],
            false => {
                let questions: &'static Questions = get(questions)?;
                questions.list.get(..questions.count).unwrap_or(&[])
            }
        };
        let state = state.maybe_text()?;
        let out = Out::new(send)?;
        out.send(&session.ask(Handle::from_bits(handle), asked, state)?);
        Ok(())
    })
}

/// Answers a request that needs capabilities which its client did not declare: -32021. Errors:
/// STALE_HANDLE, ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_fail_for_capability(
    server: *mut wireline_server,
    handle: wireline_handle,
    required: wireline_capabilities,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(server)?.session_mut();
        let required = session::capabilities(required)?;
        let out = Out::new(send)?;
        out.send(&session.fail_for_capability(Handle::from_bits(handle), required)?);
        Ok(())
    })
}

/// Opens a subscription that a client has asked for with `subscriptions/listen`. What is
/// granted may be less than what was asked for; what our capabilities do not cover is left out
/// by itself. The handle stays good until the subscription ends.
///
/// Errors: STALE_HANDLE; RULE, R130 if more is granted than was asked for, R129 if it is open
/// already or the request is another one; JSON.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_accept(
    server: *mut wireline_server,
    handle: wireline_handle,
    filter: *const wireline_filter,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(server)?.session_mut();
        let filter = session::filter(filter)?;
        let out = Out::new(send)?;
        out.send(&session.accept(Handle::from_bits(handle), filter)?);
        Ok(())
    })
}

/// Something of a server's that changed: one of the `WIRELINE_CHANGE_` codes.
pub type wireline_change = u32;
/// The list of tools.
pub const WIRELINE_CHANGE_TOOLS: wireline_change = 1;
/// The list of prompts.
pub const WIRELINE_CHANGE_PROMPTS: wireline_change = 2;
/// The list of resources.
pub const WIRELINE_CHANGE_RESOURCES: wireline_change = 3;
/// The resource of the URI that goes with it. Whether a client asked to be told of it is for
/// the program to know, which was given its URIs: `wireline_server_changed` tells the session of
/// the legacy era, and `wireline_server_changed_for` a subscription.
pub const WIRELINE_CHANGE_RESOURCE: wireline_change = 4;

unsafe fn change<'p>(change: wireline_change, uri: wireline_slice) -> Outcome<Change<'p>> {
    Ok(match change {
        WIRELINE_CHANGE_TOOLS => Change::Tools,
        WIRELINE_CHANGE_PROMPTS => Change::Prompts,
        WIRELINE_CHANGE_RESOURCES => Change::Resources,
        // SAFETY: the caller vouches for the slice.
        WIRELINE_CHANGE_RESOURCE => Change::Resource(unsafe { session::named(uri) }?),
        _ => return Err(Failed(WIRELINE_ERR_ARGUMENT)),
    })
}

/// Tells of a change. Call it with the same `*cursor`, 0 at first, until `*more` is false;
/// each time it is true, `*send` is to be sent. There is one line for a session of the legacy
/// era, and one for each subscription of the modern era that covers a change of a list. RESOURCE
/// goes to no subscription, since URIs are not kept: tell those that named it, each with
/// `wireline_server_changed_for` (R131). `uri` is that of RESOURCE, else absent. Errors: ARGUMENT,
/// UTF8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_changed(
    server: *mut wireline_server,
    change: wireline_change,
    uri: wireline_slice,
    cursor: *mut usize,
    send: *mut wireline_send,
    more: *mut bool,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(server)?.session_mut();
        let change = self::change(change, uri)?;
        pointer(cursor)?;
        let (out, more) = (Out::new(send)?, Out::new(more)?);
        let mut at = cursor.read();
        let next = session.changed(change, &mut at);
        cursor.write(at);
        more.set(next.is_some());
        if let Some(lines) = next {
            out.send(&lines);
        }
        Ok(())
    })
}

/// Tells one subscription of a change. That it named the URI of RESOURCE is for the program to
/// know: what is checked is that it named any. Errors: STALE_HANDLE; RULE, R131 if it does not cover
/// the change, R129 if it is not open; ARGUMENT, UTF8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_changed_for(
    server: *mut wireline_server,
    handle: wireline_handle,
    change: wireline_change,
    uri: wireline_slice,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(server)?.session_mut();
        let change = self::change(change, uri)?;
        let out = Out::new(send)?;
        out.send(&session.changed_for(Handle::from_bits(handle), change)?);
        Ok(())
    })
}

/// Ends a subscription from this side: two lines, its result, and a cancellation of its id.
/// Errors: STALE_HANDLE, also for a request that is no subscription.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_end_subscription(
    server: *mut wireline_server,
    handle: wireline_handle,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(server)?.session_mut();
        let out = Out::new(send)?;
        out.send(&session.end_subscription(Handle::from_bits(handle))?);
        Ok(())
    })
}

/// Sends a log message: for a request, or, with a handle of 0 and in the legacy era, for none.
/// Nothing is sent below the level that was asked for. `logger` may be absent; `data` is any
/// JSON value.
///
/// Errors: RULE, R126 if logging was not declared; STALE_HANDLE; NOT_READY without a handle and
/// without a session of the legacy era; ARGUMENT; JSON, PAYLOAD.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_log(
    server: *mut wireline_server,
    handle: wireline_handle,
    level: wireline_log_level,
    logger: wireline_slice,
    data: wireline_slice,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let session = get_mut(server)?.session_mut();
        let level: LogLevel = self::level(level).ok_or(Failed(WIRELINE_ERR_ARGUMENT))?;
        let logger = logger.maybe_text()?;
        let data = data.checked()?;
        let data = data.ok_or(Failed(crate::status::WIRELINE_ERR_PAYLOAD))?;
        let out = Out::new(send)?;
        let handle = (handle != 0).then(|| Handle::from_bits(handle));
        out.send(&session.log(handle, level, logger, data)?);
        Ok(())
    })
}
