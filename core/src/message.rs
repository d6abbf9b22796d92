//! Messages as they were received.

use crate::envelope::{Captured, Field};
use crate::id::Id;
use crate::json::{JsonKind, JsonStr, Number, RawJson};
use crate::text::Text;

/// The kind of a message.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A method and an id: it is owed an answer.
    Request,
    /// A method and no id: it is never answered.
    Notification,
    /// An answer with a result.
    Result,
    /// An answer with an error.
    Error,
}

impl Kind {
    /// The kind's name: `request`, `notification`, `result` or `error`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Request => "request",
            Kind::Notification => "notification",
            Kind::Result => "result",
            Kind::Error => "error",
        }
    }
}

/// Where an element stood in its batch.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchPlace {
    /// The element's index, from 0.
    pub index: u32,
    /// Whether it is the batch's last.
    pub last: bool,
}

/// What was tolerated in a message that is otherwise in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flags {
    /// `params` was null and counts as absent.
    pub null_params: bool,
    /// A byte order mark stood at the start of the stream.
    pub bom: bool,
}

impl Captured {
    pub(crate) fn tolerated(&self) -> Flags {
        Flags {
            null_params: self.flag(Captured::PARAMS_NULL),
            bom: self.flag(Captured::BOM),
        }
    }
}

/// One message, as slices of what was received.
///
/// ```
/// use wireline::{Kind, Limits, parse};
/// let line = br#"{"method":"tools\/list","params":{"cursor":"2"},"jsonrpc":"2.0","id":"a"}"#;
/// let message = parse(line, &Limits::HOST).unwrap();
/// assert_eq!(message.kind(), Kind::Request);
/// assert_eq!(message.method().unwrap(), "tools/list");
/// assert_eq!(message.params().unwrap().get("cursor").unwrap().as_str(), "\"2\"");
/// assert_eq!(message.id().unwrap().as_raw(), "\"a\"");
/// ```
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Message<'a> {
    pub(crate) captured: Captured,
    pub(crate) line: Text<'a>,
    pub(crate) kind: Kind,
    pub(crate) batch: Option<BatchPlace>,
}

impl<'a> Message<'a> {
    /// What kind of message it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The id; `None` for a notification, and for an error that answers nothing in
    /// particular (its id was null or absent).
    #[must_use]
    pub fn id(&self) -> Option<Id<'a>> {
        if self.captured.id_usable() {
            Id::from_token(self.main_token(Field::ID)?)
        } else {
            None
        }
    }

    /// The method of a request or notification.
    #[must_use]
    pub fn method(&self) -> Option<JsonStr<'a>> {
        JsonStr::from_token(self.main_token(Field::METHOD)?)
    }

    /// The parameters of a request or notification; `None` if absent or null.
    #[must_use]
    pub fn params(&self) -> Option<RawJson<'a>> {
        if self.captured.flag(Captured::PARAMS_NULL) {
            return None;
        }
        self.main_token(Field::PARAMS).map(RawJson::from_valid)
    }

    /// The result of an answer.
    #[must_use]
    pub fn result(&self) -> Option<RawJson<'a>> {
        self.main_token(Field::RESULT).map(RawJson::from_valid)
    }

    /// The error of an answer.
    #[must_use]
    pub fn error(&self) -> Option<ErrorObject<'a>> {
        Some(ErrorObject {
            raw: RawJson::from_valid(self.main_token(Field::ERROR)?),
            code: Number::from_token(self.token(Field::CODE)?)?,
            message: JsonStr::from_token(self.token(Field::MESSAGE)?)?,
            data: self.token(Field::DATA).map(RawJson::from_valid),
        })
    }

    /// What else a protocol's state depends on.
    #[must_use]
    pub fn meta(&self) -> Meta<'a> {
        Meta {
            base: self.line.as_bytes(),
            captured: self.captured,
            notification: self.kind == Kind::Notification,
        }
    }

    /// The message's own bytes, without a line end.
    #[must_use]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.line.as_bytes()
    }

    /// The message's own text, without a line end.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.line.as_str()
    }

    /// The same message over a copy of its own bytes, so that it can outlive what it was
    /// read from; `None` if `copy` is not equal to [`as_bytes`](Self::as_bytes).
    ///
    /// ```
    /// use wireline::{Limits, parse};
    /// let line = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_vec();
    /// let message = parse(&line, &Limits::HOST).unwrap();
    /// let copy = message.as_bytes().to_vec();
    /// assert_eq!(message.over(b"{}"), None);
    /// let kept = message.over(&copy).unwrap();
    /// drop(line);
    /// assert_eq!(kept.method().unwrap(), "ping");
    /// ```
    #[must_use]
    pub fn over<'b>(&self, copy: &'b [u8]) -> Option<Message<'b>> {
        (copy == self.line.as_bytes()).then_some(Message {
            captured: self.captured,
            line: Text::found(copy)?,
            kind: self.kind,
            batch: self.batch,
        })
    }

    /// What was tolerated.
    #[must_use]
    pub fn flags(&self) -> Flags {
        self.captured.tolerated()
    }

    /// Where in a batch it stood.
    #[must_use]
    pub fn batch(&self) -> Option<BatchPlace> {
        self.batch
    }

    fn token(&self, field: Field) -> Option<Text<'a>> {
        self.captured.text(field, self.line)
    }

    /// The same for the id, the method or a body.
    fn main_token(&self, field: Field) -> Option<Text<'a>> {
        self.captured.main_text(field, self.line)
    }

    /// Where a captured member's value stands in [`as_bytes`](Self::as_bytes).
    pub(crate) fn span(&self, field: Field) -> Option<(usize, usize)> {
        self.captured.span(field, self.line.as_bytes())
    }
}

impl core::fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Message")
            .field("kind", &self.kind)
            .field("id", &self.id())
            .field("method", &self.method())
            .field("params", &self.params())
            .field("result", &self.result())
            .field("error", &self.error())
            .field("batch", &self.batch)
            .finish()
    }
}

impl PartialEq for Message<'_> {
    /// Two messages are equal if their bytes and what was found in them are.
    fn eq(&self, other: &Self) -> bool {
        self.line == other.line
            && self.captured == other.captured
            && self.kind == other.kind
            && self.batch == other.batch
    }
}

/// The error of an answer: JSON-RPC 2.0, section 5.1.
#[derive(Clone, Copy, Debug)]
pub struct ErrorObject<'a> {
    raw: RawJson<'a>,
    code: Number<'a>,
    message: JsonStr<'a>,
    data: Option<RawJson<'a>>,
}

impl<'a> ErrorObject<'a> {
    /// The code, a whole number.
    #[must_use]
    pub fn code(&self) -> Number<'a> {
        self.code
    }

    /// The message for people.
    #[must_use]
    pub fn message(&self) -> JsonStr<'a> {
        self.message
    }

    /// Whatever else the peer says of it.
    #[must_use]
    pub fn data(&self) -> Option<RawJson<'a>> {
        self.data
    }

    /// The whole object.
    #[must_use]
    pub fn raw(&self) -> RawJson<'a> {
        self.raw
    }
}

/// The members inside a message's payload that a protocol's state depends on.
///
/// Each is `None` if it is absent or of another type than the protocol gives it. Their
/// places were found when the message was read; a value is looked at when it is asked for.
///
/// ```
/// use wireline::{Limits, parse};
/// let line = br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}"#;
/// let message = parse(line, &Limits::HOST).unwrap();
/// assert_eq!(message.meta().request_id().unwrap().as_i64(), Some(0));
/// assert!(message.meta().progress_token().is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Meta<'a> {
    pub(crate) base: &'a [u8],
    pub(crate) captured: Captured,
    pub(crate) notification: bool,
}

impl<'a> Meta<'a> {
    fn token(&self, field: Field) -> Option<Text<'a>> {
        self.captured.token(field, self.base)
    }

    fn string(&self, field: Field) -> Option<JsonStr<'a>> {
        JsonStr::from_token(self.token(field)?)
    }

    fn id(&self, field: Field) -> Option<Id<'a>> {
        let token = self.token(field)?;
        let good = match JsonStr::from_token(token) {
            Some(text) => text.chars().all(|character| character.is_ok()),
            None => crate::envelope::is_integer(token.as_bytes()),
        };
        good.then(|| Id::from_token(token))?
    }

    fn object(&self, field: Field) -> Option<RawJson<'a>> {
        let raw = RawJson::from_valid(self.token(field)?);
        (raw.kind() == JsonKind::Object).then_some(raw)
    }

    /// `params._meta`, an object.
    #[must_use]
    pub fn object_in_params(&self) -> Option<RawJson<'a>> {
        self.object(Field::META)
    }

    /// `params.requestId`: the request that a cancellation names.
    #[must_use]
    pub fn request_id(&self) -> Option<Id<'a>> {
        self.id(Field::REQUEST_ID)
    }

    /// The progress token: `params._meta.progressToken` of a request,
    /// `params.progressToken` of a notification.
    #[must_use]
    pub fn progress_token(&self) -> Option<Id<'a>> {
        self.id(if self.notification {
            Field::PROGRESS_TOKEN
        } else {
            Field::META_PROGRESS_TOKEN
        })
    }

    /// Whether a request has a progress token that is none: neither a string nor an
    /// integer.
    pub(crate) fn has_bad_progress_token(&self) -> bool {
        self.captured.has(Field::META_PROGRESS_TOKEN) && self.progress_token().is_none()
    }

    /// Whether `params._meta` names a revision, whatever it is: the mark of the modern era.
    pub(crate) fn is_modern(&self) -> bool {
        self.captured.has(Field::PROTOCOL_VERSION)
    }

    /// `params.progress`.
    #[must_use]
    pub fn progress(&self) -> Option<Number<'a>> {
        Number::from_token(self.token(Field::PROGRESS)?)
    }

    /// `params._meta["io.modelcontextprotocol/protocolVersion"]`, else
    /// `result.protocolVersion`.
    #[must_use]
    pub fn protocol_version(&self) -> Option<JsonStr<'a>> {
        self.string(Field::PROTOCOL_VERSION)
            .or_else(|| self.string(Field::RESULT_VERSION))
    }

    /// `params._meta["io.modelcontextprotocol/clientCapabilities"]`, an object.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<RawJson<'a>> {
        self.object(Field::CLIENT_CAPABILITIES)
    }

    /// `params._meta["io.modelcontextprotocol/logLevel"]`.
    #[must_use]
    pub fn log_level(&self) -> Option<JsonStr<'a>> {
        self.string(Field::LOG_LEVEL)
    }

    /// `params._meta["io.modelcontextprotocol/subscriptionId"]`.
    #[must_use]
    pub fn subscription_id(&self) -> Option<Id<'a>> {
        self.id(Field::SUBSCRIPTION_ID)
    }

    /// `result.resultType`.
    #[must_use]
    pub fn result_type(&self) -> Option<JsonStr<'a>> {
        self.string(Field::RESULT_TYPE)
    }

    /// `error.code`.
    #[must_use]
    pub fn error_code(&self) -> Option<Number<'a>> {
        Number::from_token(self.token(Field::CODE)?)
    }

    /// `error.data.supported`, an array.
    #[must_use]
    pub fn supported(&self) -> Option<RawJson<'a>> {
        let raw = RawJson::from_valid(self.token(Field::SUPPORTED)?);
        (raw.kind() == JsonKind::Array).then_some(raw)
    }
}
