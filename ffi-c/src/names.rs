//! Names, numbers and tables of the protocol.

use core::ffi::c_char;

use wireline::mcp::{Capability, LogLevel, Method, Revision, Revisions, Side, code};
use wireline::{FaultClass, FaultKind, Level, Rule, Who};

use crate::args::{Out, pointer, wireline_slice, wireline_string};
use crate::message::{fault_kind, wireline_fault, wireline_kind};
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_ARGUMENT, WIRELINE_ERR_NOT_FOUND, run, wireline_status,
};

/// One revision of the protocol, or a set of them: `WIRELINE_REVISION_` bits.
pub type wireline_revisions = u32;
/// 2024-11-05.
pub const WIRELINE_REVISION_2024_11_05: wireline_revisions = 0x1;
/// 2025-03-26, the only one with batches.
pub const WIRELINE_REVISION_2025_03_26: wireline_revisions = 0x2;
/// 2025-06-18.
pub const WIRELINE_REVISION_2025_06_18: wireline_revisions = 0x4;
/// 2025-11-25, the last with a handshake.
pub const WIRELINE_REVISION_2025_11_25: wireline_revisions = 0x8;
/// 2026-07-28, the first without one.
pub const WIRELINE_REVISION_2026_07_28: wireline_revisions = 0x10;
/// The revisions that open a session by `initialize`.
pub const WIRELINE_REVISIONS_LEGACY: wireline_revisions = 0x0f;
/// The revisions without a handshake.
pub const WIRELINE_REVISIONS_MODERN: wireline_revisions = 0x10;
/// All of them.
pub const WIRELINE_REVISIONS_ALL: wireline_revisions = 0x1f;

/// A method of the protocol: one of the `WIRELINE_METHOD_` codes.
pub type wireline_method = u32;
/// A method of no table.
pub const WIRELINE_METHOD_UNKNOWN: wireline_method = 0;
/// `initialize`: opens a legacy session.
pub const WIRELINE_METHOD_INITIALIZE: wireline_method = 1;
/// `server/discover`: what the server is and supports.
pub const WIRELINE_METHOD_DISCOVER: wireline_method = 2;
/// `ping`: whether the other side is there.
pub const WIRELINE_METHOD_PING: wireline_method = 3;
/// `tools/list`: a page of the tools.
pub const WIRELINE_METHOD_TOOLS_LIST: wireline_method = 4;
/// `tools/call`: calls one of them.
pub const WIRELINE_METHOD_TOOLS_CALL: wireline_method = 5;
/// `resources/list`: a page of the resources.
pub const WIRELINE_METHOD_RESOURCES_LIST: wireline_method = 6;
/// `resources/templates/list`: a page of the resource templates.
pub const WIRELINE_METHOD_RESOURCE_TEMPLATES_LIST: wireline_method = 7;
/// `resources/read`: a resource's contents.
pub const WIRELINE_METHOD_RESOURCES_READ: wireline_method = 8;
/// `resources/subscribe`: asks to be told of a resource's changes.
pub const WIRELINE_METHOD_RESOURCES_SUBSCRIBE: wireline_method = 9;
/// `resources/unsubscribe`: no longer.
pub const WIRELINE_METHOD_RESOURCES_UNSUBSCRIBE: wireline_method = 10;
/// `prompts/list`: a page of the prompts.
pub const WIRELINE_METHOD_PROMPTS_LIST: wireline_method = 11;
/// `prompts/get`: one of them.
pub const WIRELINE_METHOD_PROMPTS_GET: wireline_method = 12;
/// `completion/complete`: completes an argument.
pub const WIRELINE_METHOD_COMPLETE: wireline_method = 13;
/// `logging/setLevel`: from which level on log messages are sent.
pub const WIRELINE_METHOD_SET_LEVEL: wireline_method = 14;
/// `subscriptions/listen`: opens a subscription.
pub const WIRELINE_METHOD_SUBSCRIPTIONS_LISTEN: wireline_method = 15;
/// `roots/list`: the client's roots.
pub const WIRELINE_METHOD_ROOTS_LIST: wireline_method = 16;
/// `sampling/createMessage`: asks the client's model.
pub const WIRELINE_METHOD_CREATE_MESSAGE: wireline_method = 17;
/// `elicitation/create`: asks the client's user.
pub const WIRELINE_METHOD_ELICIT: wireline_method = 18;
/// `tasks/get`: a task's state.
pub const WIRELINE_METHOD_TASKS_GET: wireline_method = 19;
/// `tasks/result`: a task's outcome.
pub const WIRELINE_METHOD_TASKS_RESULT: wireline_method = 20;
/// `tasks/list`: a page of the tasks.
pub const WIRELINE_METHOD_TASKS_LIST: wireline_method = 21;
/// `tasks/cancel`: cancels a task.
pub const WIRELINE_METHOD_TASKS_CANCEL: wireline_method = 22;
/// `notifications/initialized`: the handshake is done.
pub const WIRELINE_METHOD_INITIALIZED: wireline_method = 23;
/// `notifications/cancelled`: a request is no longer wanted.
pub const WIRELINE_METHOD_CANCELLED: wireline_method = 24;
/// `notifications/progress`: how far a request is.
pub const WIRELINE_METHOD_PROGRESS: wireline_method = 25;
/// `notifications/message`: a log message.
pub const WIRELINE_METHOD_LOG_MESSAGE: wireline_method = 26;
/// `notifications/resources/list_changed`: the list of resources has changed.
pub const WIRELINE_METHOD_RESOURCES_LIST_CHANGED: wireline_method = 27;
/// `notifications/resources/updated`: a resource has changed.
pub const WIRELINE_METHOD_RESOURCES_UPDATED: wireline_method = 28;
/// `notifications/prompts/list_changed`: the list of prompts has changed.
pub const WIRELINE_METHOD_PROMPTS_LIST_CHANGED: wireline_method = 29;
/// `notifications/tools/list_changed`: the list of tools has changed.
pub const WIRELINE_METHOD_TOOLS_LIST_CHANGED: wireline_method = 30;
/// `notifications/roots/list_changed`: the client's roots have changed.
pub const WIRELINE_METHOD_ROOTS_LIST_CHANGED: wireline_method = 31;
/// `notifications/elicitation/complete`: what a user was sent to a URL for is done.
pub const WIRELINE_METHOD_ELICITATION_COMPLETE: wireline_method = 32;
/// `notifications/tasks/status`: a task's state has changed.
pub const WIRELINE_METHOD_TASKS_STATUS: wireline_method = 33;
/// `notifications/subscriptions/acknowledged`: a subscription is open, and this is what it covers.
pub const WIRELINE_METHOD_SUBSCRIPTIONS_ACKNOWLEDGED: wireline_method = 34;

// The codes are the library's promise, and must not follow the order of an enum unseen.
const _: () = {
    const CODES: &[(Method, wireline_method)] = &[
        (Method::Initialize, WIRELINE_METHOD_INITIALIZE),
        (Method::Discover, WIRELINE_METHOD_DISCOVER),
        (Method::Ping, WIRELINE_METHOD_PING),
        (Method::ToolsList, WIRELINE_METHOD_TOOLS_LIST),
        (Method::ToolsCall, WIRELINE_METHOD_TOOLS_CALL),
        (Method::ResourcesList, WIRELINE_METHOD_RESOURCES_LIST),
        (
            Method::ResourceTemplatesList,
            WIRELINE_METHOD_RESOURCE_TEMPLATES_LIST,
        ),
        (Method::ResourcesRead, WIRELINE_METHOD_RESOURCES_READ),
        (
            Method::ResourcesSubscribe,
            WIRELINE_METHOD_RESOURCES_SUBSCRIBE,
        ),
        (
            Method::ResourcesUnsubscribe,
            WIRELINE_METHOD_RESOURCES_UNSUBSCRIBE,
        ),
        (Method::PromptsList, WIRELINE_METHOD_PROMPTS_LIST),
        (Method::PromptsGet, WIRELINE_METHOD_PROMPTS_GET),
        (Method::Complete, WIRELINE_METHOD_COMPLETE),
        (Method::SetLevel, WIRELINE_METHOD_SET_LEVEL),
        (
            Method::SubscriptionsListen,
            WIRELINE_METHOD_SUBSCRIPTIONS_LISTEN,
        ),
        (Method::RootsList, WIRELINE_METHOD_ROOTS_LIST),
        (Method::CreateMessage, WIRELINE_METHOD_CREATE_MESSAGE),
        (Method::Elicit, WIRELINE_METHOD_ELICIT),
        (Method::TasksGet, WIRELINE_METHOD_TASKS_GET),
        (Method::TasksResult, WIRELINE_METHOD_TASKS_RESULT),
        (Method::TasksList, WIRELINE_METHOD_TASKS_LIST),
        (Method::TasksCancel, WIRELINE_METHOD_TASKS_CANCEL),
        (Method::Initialized, WIRELINE_METHOD_INITIALIZED),
        (Method::Cancelled, WIRELINE_METHOD_CANCELLED),
        (Method::Progress, WIRELINE_METHOD_PROGRESS),
        (Method::LogMessage, WIRELINE_METHOD_LOG_MESSAGE),
        (
            Method::ResourcesListChanged,
            WIRELINE_METHOD_RESOURCES_LIST_CHANGED,
        ),
        (Method::ResourcesUpdated, WIRELINE_METHOD_RESOURCES_UPDATED),
        (
            Method::PromptsListChanged,
            WIRELINE_METHOD_PROMPTS_LIST_CHANGED,
        ),
        (Method::ToolsListChanged, WIRELINE_METHOD_TOOLS_LIST_CHANGED),
        (Method::RootsListChanged, WIRELINE_METHOD_ROOTS_LIST_CHANGED),
        (
            Method::ElicitationComplete,
            WIRELINE_METHOD_ELICITATION_COMPLETE,
        ),
        (Method::TasksStatus, WIRELINE_METHOD_TASKS_STATUS),
        (
            Method::SubscriptionsAcknowledged,
            WIRELINE_METHOD_SUBSCRIPTIONS_ACKNOWLEDGED,
        ),
    ];
    let mut rest = CODES;
    while let [(method, code), more @ ..] = rest {
        assert!(*method as u32 + 1 == *code);
        rest = more;
    }
    assert!(CODES.len() == Method::ALL.len());
};

/// A set of capabilities, of a client or of a server: `WIRELINE_CAPABILITY_` bits.
pub type wireline_capabilities = u32;
/// A client's `roots`: the client can list its roots.
pub const WIRELINE_CAPABILITY_ROOTS: wireline_capabilities = 0x1;
/// A client's `roots.listChanged`: it says when they change.
pub const WIRELINE_CAPABILITY_ROOTS_LIST_CHANGED: wireline_capabilities = 0x2;
/// A client's `sampling`: it can ask a model.
pub const WIRELINE_CAPABILITY_SAMPLING: wireline_capabilities = 0x4;
/// A client's `sampling.context`: with context of other servers.
pub const WIRELINE_CAPABILITY_SAMPLING_CONTEXT: wireline_capabilities = 0x8;
/// A client's `sampling.tools`: with tools.
pub const WIRELINE_CAPABILITY_SAMPLING_TOOLS: wireline_capabilities = 0x10;
/// A client's `elicitation`: it can ask its user.
pub const WIRELINE_CAPABILITY_ELICITATION: wireline_capabilities = 0x20;
/// A client's `elicitation.form`: with a form; also what an empty `elicitation` means.
pub const WIRELINE_CAPABILITY_ELICITATION_FORM: wireline_capabilities = 0x40;
/// A client's `elicitation.url`: by sending the user to a URL.
pub const WIRELINE_CAPABILITY_ELICITATION_URL: wireline_capabilities = 0x80;
/// A client's `tasks`: it takes requests as tasks.
pub const WIRELINE_CAPABILITY_CLIENT_TASKS: wireline_capabilities = 0x100;
/// A client's `tasks.list`: it lists them.
pub const WIRELINE_CAPABILITY_CLIENT_TASKS_LIST: wireline_capabilities = 0x200;
/// A client's `tasks.cancel`: it cancels them.
pub const WIRELINE_CAPABILITY_CLIENT_TASKS_CANCEL: wireline_capabilities = 0x400;
/// A client's `tasks.requests.sampling.createMessage`: `sampling/createMessage` may be a task.
pub const WIRELINE_CAPABILITY_CLIENT_TASKS_SAMPLING: wireline_capabilities = 0x800;
/// A client's `tasks.requests.elicitation.create`: `elicitation/create` may be a task.
pub const WIRELINE_CAPABILITY_CLIENT_TASKS_ELICITATION: wireline_capabilities = 0x1000;
/// A client's `experimental`: what no revision defines.
pub const WIRELINE_CAPABILITY_CLIENT_EXPERIMENTAL: wireline_capabilities = 0x2000;
/// A client's `extensions`: extensions, by their identifiers.
pub const WIRELINE_CAPABILITY_CLIENT_EXTENSIONS: wireline_capabilities = 0x4000;
/// A server's `logging`: the server sends log messages.
pub const WIRELINE_CAPABILITY_LOGGING: wireline_capabilities = 0x8000;
/// A server's `completions`: it completes arguments.
pub const WIRELINE_CAPABILITY_COMPLETIONS: wireline_capabilities = 0x10000;
/// A server's `prompts`: it has prompts.
pub const WIRELINE_CAPABILITY_PROMPTS: wireline_capabilities = 0x20000;
/// A server's `prompts.listChanged`: it says when their list changes.
pub const WIRELINE_CAPABILITY_PROMPTS_LIST_CHANGED: wireline_capabilities = 0x40000;
/// A server's `resources`: it has resources.
pub const WIRELINE_CAPABILITY_RESOURCES: wireline_capabilities = 0x80000;
/// A server's `resources.subscribe`: it says when one of them changes, to whom asked for it.
pub const WIRELINE_CAPABILITY_RESOURCES_SUBSCRIBE: wireline_capabilities = 0x100000;
/// A server's `resources.listChanged`: it says when their list changes.
pub const WIRELINE_CAPABILITY_RESOURCES_LIST_CHANGED: wireline_capabilities = 0x200000;
/// A server's `tools`: it has tools.
pub const WIRELINE_CAPABILITY_TOOLS: wireline_capabilities = 0x400000;
/// A server's `tools.listChanged`: it says when their list changes.
pub const WIRELINE_CAPABILITY_TOOLS_LIST_CHANGED: wireline_capabilities = 0x800000;
/// A server's `tasks`: it takes requests as tasks.
pub const WIRELINE_CAPABILITY_SERVER_TASKS: wireline_capabilities = 0x1000000;
/// A server's `tasks.list`: it lists them.
pub const WIRELINE_CAPABILITY_SERVER_TASKS_LIST: wireline_capabilities = 0x2000000;
/// A server's `tasks.cancel`: it cancels them.
pub const WIRELINE_CAPABILITY_SERVER_TASKS_CANCEL: wireline_capabilities = 0x4000000;
/// A server's `tasks.requests.tools.call`: `tools/call` may be a task.
pub const WIRELINE_CAPABILITY_SERVER_TASKS_TOOLS: wireline_capabilities = 0x8000000;
/// A server's `experimental`: what no revision defines.
pub const WIRELINE_CAPABILITY_SERVER_EXPERIMENTAL: wireline_capabilities = 0x10000000;
/// A server's `extensions`: extensions, by their identifiers.
pub const WIRELINE_CAPABILITY_SERVER_EXTENSIONS: wireline_capabilities = 0x20000000;

const _: () = {
    const CODES: &[(Capability, wireline_capabilities)] = &[
        (Capability::Roots, WIRELINE_CAPABILITY_ROOTS),
        (
            Capability::RootsListChanged,
            WIRELINE_CAPABILITY_ROOTS_LIST_CHANGED,
        ),
        (Capability::Sampling, WIRELINE_CAPABILITY_SAMPLING),
        (
            Capability::SamplingContext,
            WIRELINE_CAPABILITY_SAMPLING_CONTEXT,
        ),
        (
            Capability::SamplingTools,
            WIRELINE_CAPABILITY_SAMPLING_TOOLS,
        ),
        (Capability::Elicitation, WIRELINE_CAPABILITY_ELICITATION),
        (
            Capability::ElicitationForm,
            WIRELINE_CAPABILITY_ELICITATION_FORM,
        ),
        (
            Capability::ElicitationUrl,
            WIRELINE_CAPABILITY_ELICITATION_URL,
        ),
        (Capability::ClientTasks, WIRELINE_CAPABILITY_CLIENT_TASKS),
        (
            Capability::ClientTasksList,
            WIRELINE_CAPABILITY_CLIENT_TASKS_LIST,
        ),
        (
            Capability::ClientTasksCancel,
            WIRELINE_CAPABILITY_CLIENT_TASKS_CANCEL,
        ),
        (
            Capability::ClientTasksSampling,
            WIRELINE_CAPABILITY_CLIENT_TASKS_SAMPLING,
        ),
        (
            Capability::ClientTasksElicitation,
            WIRELINE_CAPABILITY_CLIENT_TASKS_ELICITATION,
        ),
        (
            Capability::ClientExperimental,
            WIRELINE_CAPABILITY_CLIENT_EXPERIMENTAL,
        ),
        (
            Capability::ClientExtensions,
            WIRELINE_CAPABILITY_CLIENT_EXTENSIONS,
        ),
        (Capability::Logging, WIRELINE_CAPABILITY_LOGGING),
        (Capability::Completions, WIRELINE_CAPABILITY_COMPLETIONS),
        (Capability::Prompts, WIRELINE_CAPABILITY_PROMPTS),
        (
            Capability::PromptsListChanged,
            WIRELINE_CAPABILITY_PROMPTS_LIST_CHANGED,
        ),
        (Capability::Resources, WIRELINE_CAPABILITY_RESOURCES),
        (
            Capability::ResourcesSubscribe,
            WIRELINE_CAPABILITY_RESOURCES_SUBSCRIBE,
        ),
        (
            Capability::ResourcesListChanged,
            WIRELINE_CAPABILITY_RESOURCES_LIST_CHANGED,
        ),
        (Capability::Tools, WIRELINE_CAPABILITY_TOOLS),
        (
            Capability::ToolsListChanged,
            WIRELINE_CAPABILITY_TOOLS_LIST_CHANGED,
        ),
        (Capability::ServerTasks, WIRELINE_CAPABILITY_SERVER_TASKS),
        (
            Capability::ServerTasksList,
            WIRELINE_CAPABILITY_SERVER_TASKS_LIST,
        ),
        (
            Capability::ServerTasksCancel,
            WIRELINE_CAPABILITY_SERVER_TASKS_CANCEL,
        ),
        (
            Capability::ServerTasksTools,
            WIRELINE_CAPABILITY_SERVER_TASKS_TOOLS,
        ),
        (
            Capability::ServerExperimental,
            WIRELINE_CAPABILITY_SERVER_EXPERIMENTAL,
        ),
        (
            Capability::ServerExtensions,
            WIRELINE_CAPABILITY_SERVER_EXTENSIONS,
        ),
    ];
    let mut rest = CODES;
    while let [(capability, code), more @ ..] = rest {
        assert!(1 << *capability as u32 == *code);
        rest = more;
    }
    assert!(CODES.len() == Capability::ALL.len());
};

/// How severe a log message is: one of the `WIRELINE_LOG_` codes, which rise.
pub type wireline_log_level = u32;
/// None.
pub const WIRELINE_LOG_NONE: wireline_log_level = 0;
/// Details for whoever looks for a mistake.
pub const WIRELINE_LOG_DEBUG: wireline_log_level = 1;
/// What normally happens.
pub const WIRELINE_LOG_INFO: wireline_log_level = 2;
/// What normally happens, but is worth a look.
pub const WIRELINE_LOG_NOTICE: wireline_log_level = 3;
/// Something may go wrong.
pub const WIRELINE_LOG_WARNING: wireline_log_level = 4;
/// Something has gone wrong.
pub const WIRELINE_LOG_ERROR: wireline_log_level = 5;
/// A component has failed.
pub const WIRELINE_LOG_CRITICAL: wireline_log_level = 6;
/// Somebody has to act at once.
pub const WIRELINE_LOG_ALERT: wireline_log_level = 7;
/// Nothing works.
pub const WIRELINE_LOG_EMERGENCY: wireline_log_level = 8;

/// A side of a connection: `WIRELINE_SIDE_CLIENT` or `WIRELINE_SIDE_SERVER`.
pub type wireline_side = u32;
/// The client.
pub const WIRELINE_SIDE_CLIENT: wireline_side = 1;
/// The server.
pub const WIRELINE_SIDE_SERVER: wireline_side = 2;

// Error codes of JSON-RPC 2.0 and of the protocol.
/// The text is not JSON. JSON-RPC 2.0.
pub const WIRELINE_CODE_PARSE_ERROR: i64 = -32700;
/// The message is no valid request. JSON-RPC 2.0.
pub const WIRELINE_CODE_INVALID_REQUEST: i64 = -32600;
/// No such method, or not for this peer. JSON-RPC 2.0.
pub const WIRELINE_CODE_METHOD_NOT_FOUND: i64 = -32601;
/// The parameters are wrong. JSON-RPC 2.0.
pub const WIRELINE_CODE_INVALID_PARAMS: i64 = -32602;
/// The server is at fault. JSON-RPC 2.0.
pub const WIRELINE_CODE_INTERNAL_ERROR: i64 = -32603;
/// No such resource, in the revisions up to 2025-11-25. Later it is
/// `WIRELINE_CODE_INVALID_PARAMS`.
pub const WIRELINE_CODE_RESOURCE_NOT_FOUND: i64 = -32002;
/// The user has to visit a URL first; 2025-11-25 only.
pub const WIRELINE_CODE_URL_ELICITATION_REQUIRED: i64 = -32042;
/// An HTTP header does not agree with the body; from 2026-07-28.
pub const WIRELINE_CODE_HEADER_MISMATCH: i64 = -32020;
/// The request needs a capability that its client did not declare; from 2026-07-28.
pub const WIRELINE_CODE_MISSING_CLIENT_CAPABILITY: i64 = -32021;
/// The request follows a revision that the server does not support; from 2026-07-28.
pub const WIRELINE_CODE_UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;
/// The request was cancelled. The Language Server Protocol's; no revision of MCP defines
/// it, but some peers send it.
pub const WIRELINE_CODE_REQUEST_CANCELLED: i64 = -32800;
/// The content is too large. No revision defines it; a policy can choose it for requests
/// that are over a ceiling.
pub const WIRELINE_CODE_CONTENT_TOO_LARGE: i64 = -32801;

const _: () = {
    assert!(WIRELINE_CODE_PARSE_ERROR == code::PARSE_ERROR);
    assert!(WIRELINE_CODE_INVALID_REQUEST == code::INVALID_REQUEST);
    assert!(WIRELINE_CODE_METHOD_NOT_FOUND == code::METHOD_NOT_FOUND);
    assert!(WIRELINE_CODE_INVALID_PARAMS == code::INVALID_PARAMS);
    assert!(WIRELINE_CODE_INTERNAL_ERROR == code::INTERNAL_ERROR);
    assert!(WIRELINE_CODE_RESOURCE_NOT_FOUND == code::RESOURCE_NOT_FOUND);
    assert!(WIRELINE_CODE_URL_ELICITATION_REQUIRED == code::URL_ELICITATION_REQUIRED);
    assert!(WIRELINE_CODE_HEADER_MISMATCH == code::HEADER_MISMATCH);
    assert!(WIRELINE_CODE_MISSING_CLIENT_CAPABILITY == code::MISSING_CLIENT_CAPABILITY);
    assert!(WIRELINE_CODE_UNSUPPORTED_PROTOCOL_VERSION == code::UNSUPPORTED_PROTOCOL_VERSION);
    assert!(WIRELINE_CODE_REQUEST_CANCELLED == code::REQUEST_CANCELLED);
    assert!(WIRELINE_CODE_CONTENT_TOO_LARGE == code::CONTENT_TOO_LARGE);
};

pub(crate) fn revisions(bits: wireline_revisions) -> Outcome<Revisions> {
    if bits & !WIRELINE_REVISIONS_ALL != 0 {
        return Err(Failed(WIRELINE_ERR_ARGUMENT));
    }
    let mut set = Revisions::NONE;
    for revision in Revision::ALL {
        if bits & revision_code(*revision) != 0 {
            set = set.with(*revision);
        }
    }
    Ok(set)
}

/// One revision.
pub(crate) fn revision(bit: wireline_revisions) -> Outcome<Revision> {
    let mut all = Revision::ALL.iter().copied();
    all.find(|it| revision_code(*it) == bit)
        .ok_or(Failed(WIRELINE_ERR_ARGUMENT))
}

pub(crate) fn revision_code(revision: Revision) -> wireline_revisions {
    1u32.wrapping_shl(revision as u32)
}

pub(crate) fn revisions_code(set: Revisions) -> wireline_revisions {
    set.iter().fold(0, |bits, it| bits | revision_code(it))
}

pub(crate) fn method(code: wireline_method) -> Option<Method> {
    Method::ALL.get(code.checked_sub(1)? as usize).copied()
}

pub(crate) fn method_code(method: Option<Method>) -> wireline_method {
    method.map_or(WIRELINE_METHOD_UNKNOWN, |it| (it as u32).wrapping_add(1))
}

pub(crate) fn level(code: wireline_log_level) -> Option<LogLevel> {
    LogLevel::ALL.get(code.checked_sub(1)? as usize).copied()
}

pub(crate) fn level_code(level: LogLevel) -> wireline_log_level {
    (level as u32).wrapping_add(1)
}

pub(crate) fn side(code: wireline_side) -> Outcome<Side> {
    match code {
        WIRELINE_SIDE_CLIENT => Ok(Side::Client),
        WIRELINE_SIDE_SERVER => Ok(Side::Server),
        _ => Err(Failed(WIRELINE_ERR_ARGUMENT)),
    }
}

/// All texts one after the other, each ended by NUL.
macro_rules! texts {
    ($name:ident, $of:ident) => {
        // Done while compiling, where what is out of bounds does not compile.
        #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
        static $name: [u8; {
            let mut bytes = 0;
            let mut rest = FaultKind::ALL;
            while let [kind, more @ ..] = rest {
                bytes += kind.$of().len() + 1;
                rest = more;
            }
            bytes
        }] = {
            let mut texts = [0; _];
            let mut at = 0;
            let mut rest = FaultKind::ALL;
            while let [kind, more @ ..] = rest {
                let mut text = kind.$of().as_bytes();
                while let [byte, after @ ..] = text {
                    texts[at] = *byte;
                    at += 1;
                    text = after;
                }
                at += 1;
                rest = more;
            }
            texts
        };
    };
}
texts!(FAULT_NAMES, name);
texts!(FAULT_REASONS, reason);

fn text(texts: &'static [u8], index: u32, default: &'static core::ffi::CStr) -> *const c_char {
    let mut all = texts.split_inclusive(|byte| *byte == 0);
    match index.checked_sub(1).and_then(|at| all.nth(at as usize)) {
        Some(text) => text.as_ptr().cast(),
        None => default.as_ptr(),
    }
}

/// A fault's stable name, such as `too-long`; `none` for any other number. Never NULL, ends
/// with NUL, and stays.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_fault_name(fault: wireline_fault) -> *const c_char {
    text(&FAULT_NAMES, fault, c"none")
}

/// A fault in one sentence, for people. Never NULL, ends with NUL, and stays.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_fault_reason(fault: wireline_fault) -> *const c_char {
    text(&FAULT_REASONS, fault, c"no fault")
}

/// What a kind of fault says about a line: one of the `WIRELINE_CLASS_` codes.
pub type wireline_fault_class = u32;
/// None: no fault.
pub const WIRELINE_CLASS_NONE: wireline_fault_class = 0;
/// Not JSON at all. Nothing is owed.
pub const WIRELINE_CLASS_NOISE: wireline_fault_class = 1;
/// The text is broken; ids and methods seen in it are hints.
pub const WIRELINE_CLASS_TEXT: wireline_fault_class = 2;
/// Valid as far as it was judged, but over a ceiling.
pub const WIRELINE_CLASS_LIMIT: wireline_fault_class = 3;
/// Valid JSON that is no JSON-RPC message.
pub const WIRELINE_CLASS_ENVELOPE: wireline_fault_class = 4;
/// The stream itself ended or overflowed.
pub const WIRELINE_CLASS_STREAM: wireline_fault_class = 5;

/// What a kind of fault says about a line.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_fault_class_of(fault: wireline_fault) -> wireline_fault_class {
    match fault_kind(fault).map(FaultKind::class) {
        None => WIRELINE_CLASS_NONE,
        Some(FaultClass::Noise) => WIRELINE_CLASS_NOISE,
        Some(FaultClass::Text) => WIRELINE_CLASS_TEXT,
        Some(FaultClass::Limit) => WIRELINE_CLASS_LIMIT,
        Some(FaultClass::Envelope) => WIRELINE_CLASS_ENVELOPE,
        Some(_) => WIRELINE_CLASS_STREAM,
    }
}

/// The name of a message's kind: `request`, `notification`, `result`, `error`; `none` for
/// any other number. Never NULL, ends with NUL, and stays.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_kind_name(kind: wireline_kind) -> *const c_char {
    let names = [c"none", c"request", c"notification", c"result", c"error"];
    names.get(kind as usize).unwrap_or(&c"none").as_ptr()
}

fn name(name: Option<&'static str>) -> wireline_slice {
    wireline_slice::maybe(name.map(str::as_bytes))
}

/// The name of a method on the wire; absent for a number that is none.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_method_name(method: wireline_method) -> wireline_slice {
    name(self::method(method).map(Method::name))
}

/// The method that a received string names; `WIRELINE_METHOD_UNKNOWN`, if no table has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_method_of(
    string: wireline_string,
    method: *mut wireline_method,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let string = string.known()?;
        Out::new(method)?.set(method_code(Method::from_json_str(string)));
        Ok(())
    })
}

/// The revisions that define a method; none for a number that is none.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_method_revisions(method: wireline_method) -> wireline_revisions {
    self::method(method).map_or(0, |it| revisions_code(it.revisions()))
}

/// Whether a side may send a method in a revision. Errors: ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_method_may_send(
    method: wireline_method,
    side: wireline_side,
    revision: wireline_revisions,
    may: *mut bool,
) -> wireline_status {
    run(|| {
        let method = self::method(method).ok_or(Failed(WIRELINE_ERR_ARGUMENT))?;
        let may_send = method.may_send(self::side(side)?, self::revision(revision)?);
        Out::new(may)?.set(may_send);
        Ok(())
    })
}

/// The name of one revision on the wire, a date; absent for what is not one revision.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_revision_name(revision: wireline_revisions) -> wireline_slice {
    name(self::revision(revision).ok().map(Revision::name))
}

/// The revision that a received string names. Errors: NOT_FOUND.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_revision_of(
    string: wireline_string,
    revision: *mut wireline_revisions,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let string = string.known()?;
        let out = Out::new(revision)?;
        let found = Revision::from_json_str(string).ok_or(Failed(WIRELINE_ERR_NOT_FOUND))?;
        out.set(revision_code(found));
        Ok(())
    })
}

/// Where a capability stands in the capabilities object: `path` is an array of four, of
/// which the first is the name of a member, the next that of a member inside it, and so on;
/// absent where the path ends. `capability` is one bit. Errors: ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_capability_path(
    capability: wireline_capabilities,
    path: *mut wireline_slice,
) -> wireline_status {
    run(|| {
        let mut all = Capability::ALL.iter();
        let found = all
            .find(|it| 1u32.wrapping_shl(**it as u32) == capability)
            .ok_or(Failed(WIRELINE_ERR_ARGUMENT))?;
        pointer(path)?;
        let names = found.path().map(|it| match it {
            "" => wireline_slice::ABSENT,
            name => wireline_slice::of(name.as_bytes()),
        });
        // SAFETY: the conventions ask the caller to vouch for room for four.
        unsafe { path.cast::<[wireline_slice; 4]>().write(names) };
        Ok(())
    })
}

/// The name of a level on the wire; absent for a number that is none.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_log_level_name(level: wireline_log_level) -> wireline_slice {
    name(self::level(level).map(LogLevel::name))
}

/// The level that a received string names. Errors: NOT_FOUND.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_log_level_of(
    string: wireline_string,
    level: *mut wireline_log_level,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let string = string.known()?;
        let out = Out::new(level)?;
        let found = LogLevel::from_json_str(string).ok_or(Failed(WIRELINE_ERR_NOT_FOUND))?;
        out.set(level_code(found));
        Ok(())
    })
}

/// What an error code says; absent, if it is none of the known ones.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_code_name(code: i64) -> wireline_slice {
    name(code::name(code))
}

/// How many rules there are: they are numbered from 1.
pub const WIRELINE_RULE_COUNT: u32 = 180;
const _: () = assert!(WIRELINE_RULE_COUNT == Rule::COUNT as u32);

pub(crate) fn rule(number: u32) -> Option<Rule> {
    Rule::from_number(u8::try_from(number).ok()?)
}

/// The duty that a rule states, in a line; absent for a number that is none. A program that
/// never asks does not carry the texts.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_rule_text(rule: u32) -> wireline_slice {
    name(self::rule(rule).map(Rule::text))
}

/// How binding a rule is: one of the `WIRELINE_LEVEL_` codes.
pub type wireline_level = u32;
/// No such rule.
pub const WIRELINE_LEVEL_NONE: wireline_level = 0;
/// A fact worth telling; nothing forbids it.
pub const WIRELINE_LEVEL_FACT: wireline_level = 1;
/// SHOULD of RFC 2119.
pub const WIRELINE_LEVEL_SHOULD: wireline_level = 2;
/// MUST of RFC 2119.
pub const WIRELINE_LEVEL_MUST: wireline_level = 3;

pub(crate) fn level_of(level: Option<Level>) -> wireline_level {
    match level {
        None => WIRELINE_LEVEL_NONE,
        Some(Level::Fact) => WIRELINE_LEVEL_FACT,
        Some(Level::Should) => WIRELINE_LEVEL_SHOULD,
        Some(Level::Must) => WIRELINE_LEVEL_MUST,
    }
}

/// How binding a rule is where it is most binding.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_rule_level(rule: u32) -> wireline_level {
    level_of(self::rule(rule).map(Rule::level))
}

/// How binding a rule is in one revision; NONE where the revision does not have it.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_rule_level_in(
    rule: u32,
    revision: wireline_revisions,
) -> wireline_level {
    let revision = self::revision(revision).ok();
    level_of(
        self::rule(rule)
            .zip(revision)
            .and_then(|(rule, it)| rule.level_in(it)),
    )
}

/// Whose duty a rule is: `WIRELINE_SIDE_` bits, 0 for a number that is none.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_rule_sides(rule: u32) -> wireline_side {
    match self::rule(rule).map(Rule::who) {
        None => 0,
        Some(Who::Client) => WIRELINE_SIDE_CLIENT,
        Some(Who::Server) => WIRELINE_SIDE_SERVER,
        Some(Who::Both) => WIRELINE_SIDE_CLIENT | WIRELINE_SIDE_SERVER,
    }
}

/// The revisions that have a rule; none for a number that is none.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_rule_revisions(rule: u32) -> wireline_revisions {
    self::rule(rule).map_or(0, |it| revisions_code(it.revisions()))
}
