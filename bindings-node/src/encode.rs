//! Lines out of payloads that are JSON text already, and messages passed on.

use crate::glue::{BufferSlice, Env, Error};
use crate::limits::limits;
use crate::storage::zeroes;
use napi_derive::napi;
use wireline::encode::{ErrorId, OutId, Outgoing, WriteError};
use wireline::json::RawJson;
use wireline::{FaultKind, Id, Profile, parse};

/// A result whose error has a `code` that JavaScript knows.
pub(crate) type Coded<T> = Result<T, Error<String>>;

/// An error by its code and what there is to say.
pub(crate) fn error<T>(code: &str, reason: impl ToString) -> Coded<T> {
    Err(Error::new(format!("ERR_WIRELINE_{code}"), reason))
}

/// The error of something that could not be written.
pub(crate) fn unwritable<T>(bad: WriteError) -> Coded<T> {
    let code = match bad {
        WriteError::BadId => "BAD_ID",
        WriteError::BadPayload => "BAD_PAYLOAD",
        WriteError::NoMember => "NO_MEMBER",
        WriteError::TooDeep => "TOO_DEEP",
        WriteError::BadNumber => "BAD_NUMBER",
        WriteError::TooSmall { .. } => "OUT_OF_MEMORY",
        _ => "BAD_JSON",
    };
    error(code, bad)
}

/// Memory for a line.
pub(crate) fn zeroed(length: usize) -> Coded<Vec<u8>> {
    zeroes(length).map_or_else(
        || {
            error(
                "OUT_OF_MEMORY",
                format!("there is no memory for {length} bytes"),
            )
        },
        Ok,
    )
}

/// The id of a token; one of no bytes is none.
pub(crate) fn id(token: &str) -> Coded<Option<Id<'_>>> {
    if token.is_empty() {
        return Ok(None);
    }
    match Id::parse(token.as_bytes()) {
        Some(id) => Ok(Some(id)),
        None => error("BAD_ID", format!("{token} is no id")),
    }
}

/// JSON text that is to stand in a message.
pub(crate) fn raw(text: &[u8]) -> Coded<Option<RawJson<'_>>> {
    if text.is_empty() {
        return Ok(None);
    }
    match RawJson::validate(text) {
        Ok(raw) => Ok(Some(raw)),
        Err(bad) if bad.kind == FaultKind::TooDeep => error("TOO_DEEP", bad),
        Err(bad) => error("BAD_JSON", format!("not valid JSON: {bad}")),
    }
}

/// The kinds of messages, as JavaScript numbers them.
const REQUEST: u32 = 0;
const NOTIFICATION: u32 = 1;
const RESULT: u32 = 2;

/// Writes a line out of its parts.
///
/// # Errors
///
/// The code says what is wrong: `ERR_WIRELINE_BAD_ID`, `ERR_WIRELINE_BAD_JSON` and so on.
#[napi]
#[allow(clippy::too_many_arguments, reason = "a message has so many parts")]
pub(crate) fn encode<'env>(
    env: &'env Env,
    kind: u32,
    token: String,
    null_id: bool,
    text: String,
    code: f64,
    payload: &[u8],
    json_rpc: bool,
) -> Result<BufferSlice<'env>, Error<String>> {
    let token = id(&token)?;
    let payload = raw(payload)?;
    let known = || {
        token.map_or_else(
            || error("BAD_ID", "there is no id"),
            |id| Ok(OutId::from(id)),
        )
    };
    let outgoing = match kind {
        REQUEST => Outgoing::request(known()?, &text).params(payload),
        NOTIFICATION => Outgoing::notification(&text).params(payload),
        RESULT => match payload {
            Some(payload) => Outgoing::result(known()?, payload),
            None => return error("BAD_PAYLOAD", "there is no result"),
        },
        _ => {
            let id = match token {
                Some(id) => ErrorId::from(id),
                None if null_id => ErrorId::Null,
                None => ErrorId::Omitted,
            };
            Outgoing::error(id, code as i64, &text).data(payload)
        }
    };
    let outgoing = outgoing.with_profile(if json_rpc {
        Profile::JsonRpc
    } else {
        Profile::Mcp
    });
    let mut line = zeroed(outgoing.line_len().or_else(unwritable)?)?;
    outgoing.write(&mut line).or_else(unwritable)?;
    copied(env, &line)
}

/// Writes a message with other ids: its own, `requestId`, its progress token, its
/// subscription's. An empty token leaves one as it is.
///
/// # Errors
///
/// As [`encode`], and what is wrong with the text.
#[napi]
pub(crate) fn forward<'env>(
    env: &'env Env,
    text: &[u8],
    options: &[u32],
    tokens: Vec<String>,
) -> Result<BufferSlice<'env>, Error<String>> {
    let message = match parse(text, &limits(options)) {
        Ok(message) => message,
        Err(bad) => return error("BAD_JSON", bad),
    };
    let mut renumber = message.renumber();
    for (place, token) in tokens.iter().enumerate() {
        let Some(token) = id(token)? else { continue };
        renumber = match place {
            0 => renumber.id(token),
            1 => renumber.request_id(token),
            2 => renumber.progress_token(token),
            _ => renumber.subscription_id(token),
        };
    }
    let mut line = zeroed(renumber.line_len().or_else(unwritable)?)?;
    renumber.write(&mut line).or_else(unwritable)?;
    copied(env, &line)
}

/// Bytes as a JavaScript array of their own.
pub(crate) fn copied<'env>(env: &'env Env, bytes: &[u8]) -> Coded<BufferSlice<'env>> {
    BufferSlice::copy_from(env, bytes).or_else(|bad| error("OUT_OF_MEMORY", bad))
}
