//! Ids that are sent.

use crate::id::{Id, IdKind};
use crate::json::{JsonKind, Sink, ToJson, WriteError, Writer};
use crate::message::Kind;

/// The largest magnitude of an integer that every peer keeps exact: 2⁵³ − 1.
const MAX_SAFE: u64 = (1 << 53) - 1;
const MAX_SAFE_DIGITS: &[u8] = b"9007199254740991";

/// An id to be written.
///
/// Made from an integer, a string, or a received [`Id`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutId<'a> {
    /// An integer, within ±(2⁵³ − 1).
    Int(i64),
    /// A string; in a request, not an empty one.
    Text(&'a str),
    /// Exactly what was received.
    Echo(Id<'a>),
}

impl From<i64> for OutId<'_> {
    fn from(id: i64) -> Self {
        OutId::Int(id)
    }
}

impl From<i32> for OutId<'_> {
    fn from(id: i32) -> Self {
        OutId::Int(id.into())
    }
}

impl From<u32> for OutId<'_> {
    fn from(id: u32) -> Self {
        OutId::Int(id.into())
    }
}

impl<'a> From<&'a str> for OutId<'a> {
    fn from(id: &'a str) -> Self {
        OutId::Text(id)
    }
}

impl<'a> From<Id<'a>> for OutId<'a> {
    fn from(id: Id<'a>) -> Self {
        OutId::Echo(id)
    }
}

impl OutId<'_> {
    /// Whether the id may stand in a message of this kind.
    pub(super) fn check(&self, kind: Kind) -> Result<(), WriteError> {
        let ours = kind == Kind::Request;
        let good = match self {
            OutId::Int(id) => id.unsigned_abs() <= MAX_SAFE,
            OutId::Text(id) => !(ours && id.is_empty()),
            OutId::Echo(id) => match id.kind() {
                IdKind::Null => kind == Kind::Error,
                IdKind::String => !(ours && id.as_bytes().len() <= 2),
                // A fraction or an exponent is echoed, but never first sent: some peers
                // take a request with such an id for a notification.
                IdKind::Number => !ours || is_safe(id.as_bytes()),
            },
        };
        if good { Ok(()) } else { Err(WriteError::BadId) }
    }

    /// The id's token.
    pub(super) fn put(&self, sink: &mut Sink<'_>) {
        match self {
            OutId::Int(id) => sink.integer(*id < 0, id.unsigned_abs()),
            OutId::Text(id) => sink.string(id.as_bytes()),
            OutId::Echo(id) => sink.json(id.as_bytes()),
        }
    }
}

/// The id, where it names a message and is not a message's own: `requestId`, a progress
/// token, a subscription's id. One that no message can have is [`WriteError::BadId`].
impl ToJson for OutId<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        if let Err(error) = self.check(Kind::Result) {
            w.fail(error);
            return;
        }
        let text = match self {
            OutId::Int(_) => false,
            OutId::Text(_) => true,
            OutId::Echo(id) => id.kind() == IdKind::String,
        };
        let kind = if text {
            JsonKind::String
        } else {
            JsonKind::Number
        };
        if w.lead(kind) {
            self.put(w.sink());
        }
    }
}

/// Whether a number's token is a plain integer within ±(2⁵³ − 1).
fn is_safe(token: &[u8]) -> bool {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    // JSON has no leading zeros, so that of two numbers the shorter is the smaller one.
    digits.iter().all(u8::is_ascii_digit)
        && (digits.len() < MAX_SAFE_DIGITS.len()
            || digits.len() == MAX_SAFE_DIGITS.len() && digits <= MAX_SAFE_DIGITS)
}

/// Whose error an error response is.
///
/// Where the id could not be read, JSON-RPC 2.0 and the revisions up to 2025-06-18 ask
/// for `null`; from 2025-11-25 on the member is left out. Peers differ in which of the
/// two they take, so it is the caller's to say.
///
/// ```
/// use wireline::encode::{ErrorId, Outgoing};
/// let mut line = [0; 96];
/// let n = Outgoing::error(ErrorId::Omitted, -32700, "Parse error").write(&mut line).unwrap();
/// assert_eq!(&line[..n], b"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}\n");
/// let n = Outgoing::error(ErrorId::Null, -32700, "Parse error").write(&mut line).unwrap();
/// assert!(line[..n].starts_with(b"{\"jsonrpc\":\"2.0\",\"id\":null,"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorId<'a> {
    /// The error answers the request that had this id.
    Known(OutId<'a>),
    /// There is no id, and no member for it.
    Omitted,
    /// There is no id, and the member says `null`.
    Null,
}

impl<'a, T: Into<OutId<'a>>> From<T> for ErrorId<'a> {
    fn from(id: T) -> Self {
        ErrorId::Known(id.into())
    }
}

impl<'a> ErrorId<'a> {
    /// The id, or no member, if there is none.
    #[must_use]
    pub fn or_omitted(id: Option<Id<'a>>) -> Self {
        id.map_or(ErrorId::Omitted, ErrorId::from)
    }

    /// The id, or `null`, if there is none.
    #[must_use]
    pub fn or_null(id: Option<Id<'a>>) -> Self {
        id.map_or(ErrorId::Null, ErrorId::from)
    }

    pub(super) fn write(&self, kind: Kind, w: &mut Writer<'_>) -> Result<(), WriteError> {
        match self {
            ErrorId::Known(id) => {
                id.check(kind)?;
                // Its type does not matter where no type is asked for.
                if w.key("id").lead(JsonKind::Null) {
                    id.put(w.sink());
                }
            }
            ErrorId::Omitted => {}
            ErrorId::Null => {
                w.key("id").null();
            }
        }
        Ok(())
    }
}
