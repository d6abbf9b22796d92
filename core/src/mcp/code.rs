//! Error codes: JSON-RPC 2.0's, and those that revisions of the protocol define.
//!
//! ```
//! use wireline::mcp::code;
//! assert_eq!(code::name(code::INVALID_PARAMS), Some("Invalid params"));
//! assert_eq!(code::name(-1), None);
//! ```

use super::Revisions;
use crate::json::Number;
use crate::text::Text;

/// The text is not JSON. JSON-RPC 2.0.
pub const PARSE_ERROR: i64 = -32700;
/// The message is no valid request. JSON-RPC 2.0.
pub const INVALID_REQUEST: i64 = -32600;
/// No such method, or not for this peer. JSON-RPC 2.0.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters are wrong. JSON-RPC 2.0.
pub const INVALID_PARAMS: i64 = -32602;
/// The server is at fault. JSON-RPC 2.0.
pub const INTERNAL_ERROR: i64 = -32603;
/// No such resource, in the revisions up to 2025-11-25. Later it is
/// [`INVALID_PARAMS`].
pub const RESOURCE_NOT_FOUND: i64 = -32002;
/// The user has to visit a URL first; 2025-11-25 only.
pub const URL_ELICITATION_REQUIRED: i64 = -32042;
/// An HTTP header does not agree with the body; from 2026-07-28.
pub const HEADER_MISMATCH: i64 = -32020;
/// The request needs a capability that its client did not declare; from 2026-07-28.
pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
/// The request follows a revision that the server does not support; from 2026-07-28.
pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;
/// The request was cancelled. The Language Server Protocol's; no revision of MCP defines
/// it, but some peers send it.
pub const REQUEST_CANCELLED: i64 = -32800;
/// The content is too large. No revision defines it; a policy can choose it for requests
/// that are over a ceiling.
pub const CONTENT_TOO_LARGE: i64 = -32801;

const TABLE: &[(i64, &str, Revisions)] = &[
    (PARSE_ERROR, "Parse error", Revisions::ALL),
    (INVALID_REQUEST, "Invalid Request", Revisions::ALL),
    (METHOD_NOT_FOUND, "Method not found", Revisions::ALL),
    (INVALID_PARAMS, "Invalid params", Revisions::ALL),
    (INTERNAL_ERROR, "Internal error", Revisions::ALL),
    (RESOURCE_NOT_FOUND, "Resource not found", Revisions::LEGACY),
    (
        URL_ELICITATION_REQUIRED,
        "URL elicitation required",
        Revisions::from(3, 3),
    ),
    (HEADER_MISMATCH, "Header mismatch", Revisions::MODERN),
    (
        MISSING_CLIENT_CAPABILITY,
        "Missing required client capability",
        Revisions::MODERN,
    ),
    (
        UNSUPPORTED_PROTOCOL_VERSION,
        "Unsupported protocol version",
        Revisions::MODERN,
    ),
    (REQUEST_CANCELLED, "Request cancelled", Revisions::NONE),
    (CONTENT_TOO_LARGE, "Content too large", Revisions::NONE),
];

/// The code's message, if it is a known one.
#[must_use]
pub fn name(code: i64) -> Option<&'static str> {
    TABLE.iter().find(|row| row.0 == code).map(|row| row.1)
}

/// The revisions that define the code; none for those that are only known by name.
#[must_use]
pub fn revisions(code: i64) -> Revisions {
    TABLE
        .iter()
        .find(|row| row.0 == code)
        .map_or(Revisions::NONE, |row| row.2)
}

/// Whether a code tells a client that the server is of the modern era, whatever else is
/// wrong: -32020 to -32022.
#[must_use]
pub const fn is_modern(code: i64) -> bool {
    matches!(
        code,
        HEADER_MISMATCH | MISSING_CLIENT_CAPABILITY | UNSUPPORTED_PROTOCOL_VERSION
    )
}

/// Those of [`is_modern`], and how they are written.
const MODERN: [(i64, &str); 3] = [
    (HEADER_MISMATCH, "-32020"),
    (MISSING_CLIENT_CAPABILITY, "-32021"),
    (UNSUPPORTED_PROTOCOL_VERSION, "-32022"),
];

/// A code that was received, if it is one of [`is_modern`].
pub(crate) fn modern(code: Number<'_>) -> Option<i64> {
    let is_it = |text: &str| Number::from_token(Text::new(text)).is_some_and(|it| it == code);
    let row = MODERN.iter().find(|row| is_it(row.1))?;
    Some(row.0)
}
