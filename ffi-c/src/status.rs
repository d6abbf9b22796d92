//! What a call came to.

use core::ffi::c_char;

use wireline::encode::WriteError;
use wireline::json::UnescapeError;

/// What a call came to: `WIRELINE_OK`, or one of the negative `WIRELINE_ERR_` codes.
pub type wireline_status = i32;

/// It is done.
pub const WIRELINE_OK: wireline_status = 0;
/// A pointer is NULL that must not be.
pub const WIRELINE_ERR_NULL: wireline_status = -1;
/// A pointer is not aligned as its type must be.
pub const WIRELINE_ERR_ALIGN: wireline_status = -2;
/// A handle is not initialised, or is of another type.
pub const WIRELINE_ERR_UNINITIALISED: wireline_status = -3;
/// A handle was copied or moved; it is valid only where it was initialised.
pub const WIRELINE_ERR_MOVED: wireline_status = -4;
/// A struct's `size`, or the size given to an init function, is not that of the library's.
pub const WIRELINE_ERR_SIZE: wireline_status = -5;
/// The program was compiled with the header of another version.
pub const WIRELINE_ERR_VERSION: wireline_status = -6;
/// An argument is none of the values that it may have.
pub const WIRELINE_ERR_ARGUMENT: wireline_status = -7;
/// Text given is not UTF-8.
pub const WIRELINE_ERR_UTF8: wireline_status = -8;
/// Memory lent is too small; where the call has a length to hand out, it is what is needed.
pub const WIRELINE_ERR_TOO_SMALL: wireline_status = -9;
/// The library was built without this.
pub const WIRELINE_ERR_UNSUPPORTED: wireline_status = -10;
/// There is no such member, element or name.
pub const WIRELINE_ERR_NOT_FOUND: wireline_status = -11;
/// A JSON value is of another type than asked for.
pub const WIRELINE_ERR_TYPE: wireline_status = -12;
/// A number is not whole, or outside the range of the type asked for.
pub const WIRELINE_ERR_RANGE: wireline_status = -13;
/// Text given is not one JSON value.
pub const WIRELINE_ERR_JSON: wireline_status = -14;
/// A string holds an unpaired surrogate escape, which UTF-8 cannot carry.
pub const WIRELINE_ERR_LONE_SURROGATE: wireline_status = -15;
/// An item holds nothing of the kind that the call takes.
pub const WIRELINE_ERR_ITEM: wireline_status = -16;
/// A value, a name or a bracket is written where it may not stand.
pub const WIRELINE_ERR_MISPLACED: wireline_status = -20;
/// The text ended before its value did.
pub const WIRELINE_ERR_UNFINISHED: wireline_status = -21;
/// Too many containers are open.
pub const WIRELINE_ERR_TOO_DEEP: wireline_status = -22;
/// Text given for a number is not a JSON number.
pub const WIRELINE_ERR_NUMBER: wireline_status = -23;
/// An id that may not be sent: outside ±(2^53 - 1), or empty, or none where one is needed.
pub const WIRELINE_ERR_ID: wireline_status = -24;
/// `params` or `result` is not an object.
pub const WIRELINE_ERR_PAYLOAD: wireline_status = -25;
/// The message has no such member to be replaced.
pub const WIRELINE_ERR_NO_MEMBER: wireline_status = -26;
/// Memory that a message is written from has changed while it left in pieces.
pub const WIRELINE_ERR_CHANGED: wireline_status = -27;

/// The request of a handle has ended or was cancelled, or never was.
pub const WIRELINE_ERR_STALE_HANDLE: wireline_status = -40;
/// The session is not in a state where this may be sent.
pub const WIRELINE_ERR_NOT_READY: wireline_status = -41;
/// Every slot for requests of ours is in use.
pub const WIRELINE_ERR_TABLE_FULL: wireline_status = -42;
/// Progress has to increase, and to be written in at most 20 characters.
pub const WIRELINE_ERR_PROGRESS: wireline_status = -43;
/// An entry of a server's tables is wrong: the call says which and why.
pub const WIRELINE_ERR_TABLE: wireline_status = -44;
/// A rule of the protocol forbids it: the method is not of this side or revision, or its
/// capability was not declared. Which rule it is, is subtracted: -1062 is R62, as
/// `wireline_status_rule` says.
pub const WIRELINE_ERR_RULE: wireline_status = -1000;

/// The codes with their names and reasons, from -1 downwards. Each text ends with NUL.
static TEXTS: &[(wireline_status, &str, &str)] = &[
    (WIRELINE_OK, "ok\0", "done\0"),
    (
        WIRELINE_ERR_NULL,
        "null\0",
        "a pointer is NULL that must not be\0",
    ),
    (
        WIRELINE_ERR_ALIGN,
        "align\0",
        "a pointer is not aligned as its type must be\0",
    ),
    (
        WIRELINE_ERR_UNINITIALISED,
        "uninitialised\0",
        "a handle is not initialised, or is of another type\0",
    ),
    (
        WIRELINE_ERR_MOVED,
        "moved\0",
        "a handle was moved; it is valid only where it was initialised\0",
    ),
    (
        WIRELINE_ERR_SIZE,
        "size\0",
        "a struct has another size than the library's: set its `size`, or compile anew\0",
    ),
    (
        WIRELINE_ERR_VERSION,
        "version\0",
        "the program was compiled with the header of another version\0",
    ),
    (
        WIRELINE_ERR_ARGUMENT,
        "argument\0",
        "an argument is none of the values that it may have\0",
    ),
    (WIRELINE_ERR_UTF8, "utf8\0", "text given is not UTF-8\0"),
    (
        WIRELINE_ERR_TOO_SMALL,
        "too-small\0",
        "the memory lent is too small\0",
    ),
    (
        WIRELINE_ERR_UNSUPPORTED,
        "unsupported\0",
        "the library was built without this\0",
    ),
    (
        WIRELINE_ERR_NOT_FOUND,
        "not-found\0",
        "there is no such member, element or name\0",
    ),
    (
        WIRELINE_ERR_TYPE,
        "type\0",
        "a JSON value is of another type than asked for\0",
    ),
    (
        WIRELINE_ERR_RANGE,
        "range\0",
        "a number is not whole, or does not fit\0",
    ),
    (
        WIRELINE_ERR_JSON,
        "json\0",
        "text given is not one JSON value\0",
    ),
    (
        WIRELINE_ERR_LONE_SURROGATE,
        "lone-surrogate\0",
        "a string holds an unpaired surrogate escape\0",
    ),
    (
        WIRELINE_ERR_ITEM,
        "item\0",
        "an item holds nothing of the kind that the call takes\0",
    ),
    (
        WIRELINE_ERR_MISPLACED,
        "misplaced\0",
        "a value, a name or a bracket is written where it may not stand\0",
    ),
    (
        WIRELINE_ERR_UNFINISHED,
        "unfinished\0",
        "the text ended before its value did\0",
    ),
    (
        WIRELINE_ERR_TOO_DEEP,
        "too-deep\0",
        "too many containers are open\0",
    ),
    (
        WIRELINE_ERR_NUMBER,
        "number\0",
        "text given for a number is not a JSON number\0",
    ),
    (WIRELINE_ERR_ID, "id\0", "not an id that may be sent\0"),
    (
        WIRELINE_ERR_PAYLOAD,
        "payload\0",
        "params or result is not an object\0",
    ),
    (
        WIRELINE_ERR_NO_MEMBER,
        "no-member\0",
        "the message has no such member to be replaced\0",
    ),
    (
        WIRELINE_ERR_CHANGED,
        "changed\0",
        "memory that a message is written from has changed\0",
    ),
    (
        WIRELINE_ERR_STALE_HANDLE,
        "stale-handle\0",
        "the request has ended, was cancelled, or never was\0",
    ),
    (
        WIRELINE_ERR_NOT_READY,
        "not-ready\0",
        "the session is not in a state where this may be sent\0",
    ),
    (
        WIRELINE_ERR_TABLE_FULL,
        "table-full\0",
        "too many requests are waiting for answers\0",
    ),
    (
        WIRELINE_ERR_PROGRESS,
        "progress\0",
        "progress has to increase, in at most 20 characters\0",
    ),
    (
        WIRELINE_ERR_TABLE,
        "table\0",
        "an entry of a server's tables is wrong\0",
    ),
    (
        WIRELINE_ERR_RULE,
        "rule\0",
        "a rule of the protocol forbids it\0",
    ),
];

fn texts(status: wireline_status) -> (&'static str, &'static str) {
    let status = match wireline_status_rule(status) {
        0 => status,
        _ => WIRELINE_ERR_RULE,
    };
    TEXTS.iter().find(|(code, ..)| *code == status).map_or(
        ("unknown\0", "no status of this library\0"),
        |(_, name, reason)| (*name, *reason),
    )
}

/// The short name of a status, such as `too-small`; `unknown` for a number that is none.
/// Never NULL, ends with NUL, and stays.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_status_name(status: wireline_status) -> *const c_char {
    texts(status).0.as_ptr().cast()
}

/// A status in one sentence, for people. Never NULL, ends with NUL, and stays.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_status_reason(status: wireline_status) -> *const c_char {
    texts(status).1.as_ptr().cast()
}

/// The number of the rule that a status names, for `wireline_rule_text`; 0 for every status
/// that names none.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_status_rule(status: wireline_status) -> u32 {
    match WIRELINE_ERR_RULE.checked_sub(status) {
        Some(number @ 1..) if number as u32 <= crate::names::WIRELINE_RULE_COUNT => number as u32,
        _ => 0,
    }
}

pub(crate) fn rule_status(rule: wireline::Rule) -> wireline_status {
    WIRELINE_ERR_RULE.wrapping_sub(i32::from(rule.number()))
}

/// What goes wrong in a call, on its way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failed(pub(crate) wireline_status);

pub(crate) type Outcome<T = ()> = Result<T, Failed>;

/// The body of a call that returns a status.
pub(crate) fn run(body: impl FnOnce() -> Outcome) -> wireline_status {
    match body() {
        Ok(()) => WIRELINE_OK,
        Err(Failed(status)) => status,
    }
}

impl From<WriteError> for Failed {
    fn from(error: WriteError) -> Self {
        Failed(match error {
            WriteError::TooSmall { .. } => WIRELINE_ERR_TOO_SMALL,
            WriteError::Misplaced => WIRELINE_ERR_MISPLACED,
            WriteError::Unfinished => WIRELINE_ERR_UNFINISHED,
            WriteError::TooDeep => WIRELINE_ERR_TOO_DEEP,
            WriteError::Invalid(_) => WIRELINE_ERR_JSON,
            WriteError::BadNumber => WIRELINE_ERR_NUMBER,
            WriteError::BadId => WIRELINE_ERR_ID,
            WriteError::BadPayload => WIRELINE_ERR_PAYLOAD,
            WriteError::NoMember => WIRELINE_ERR_NO_MEMBER,
            WriteError::Changed => WIRELINE_ERR_CHANGED,
            // `Unsupported` comes of `Display` and `Serialize`, which are not used here.
            _ => WIRELINE_ERR_UNSUPPORTED,
        })
    }
}

impl From<UnescapeError> for Failed {
    fn from(error: UnescapeError) -> Self {
        Failed(match error {
            UnescapeError::LoneSurrogate(_) => WIRELINE_ERR_LONE_SURROGATE,
            UnescapeError::TooSmall(_) => WIRELINE_ERR_TOO_SMALL,
        })
    }
}
