//! Messages to bytes: whole lines into a caller's slice, or pieces of them.
//!
//! What is written is the intersection of what peers parse: `jsonrpc`, `id`, then
//! `method` and `params`, or `result`, or `error`, in this order; nothing beside them; no
//! `params` where there are none; ids that are plain integers within ±(2⁵³ − 1) or
//! strings, or exactly what the peer wrote when it is answered; no raw LF or CR inside a
//! line.
//!
//! | to write | use |
//! |---|---|
//! | a message into a buffer that holds it | [`Outgoing::write`] |
//! | a message of any length through a buffer of any size | [`Outgoing::pieces`] |
//! | a message whose payload comes in pieces itself | [`MessageWriter`] |
//! | a received message with another id | [`Renumber`], [`StreamRenumber`] |
//!
//! A fragment ([`RawJson`]) is written as it is: its grammar was checked when it was validated,
//! its depth is checked here, but not that no name stands twice or holds an unpaired surrogate, which readers refuse where
//! it decides what the message means. Fragments that others wrote are best passed on as
//! what [`parse`](crate::parse) has taken, or through a [`MessageWriter`], which refuses
//! such surrogates.
//!
//! A line is one message with LF at its end; hand it to the transport in one write where
//! it fits, so that another writer cannot get between.

mod forward;
mod id;
mod renumber;

mod stream;

pub use crate::json::{Pieces, ToJson, WriteError, Writer};
#[cfg(feature = "serde")]
pub use crate::serde_support::{FromJsonError, MAX_NESTED, Serde, write_json};
pub use forward::StreamRenumber;
pub use id::{ErrorId, OutId};
pub use renumber::Renumber;

pub use stream::MessageWriter;

use crate::json::{JsonKind, RawJson};
use crate::limits::Profile;
use crate::message::Kind;

/// Writes any value as a line, LF at its end, and returns the line's bytes.
///
/// [`Outgoing`] and [`Renumber`] have this as a method; it serves what is put together
/// of several of them, as a batch is:
///
/// ```
/// use wireline::encode::{self, Outgoing};
/// let batch = [Outgoing::notification("a"), Outgoing::notification("b")];
/// let mut buffer = [0; 100];
/// let n = encode::write_line(&batch, &mut buffer).unwrap();
/// assert_eq!(
///     &buffer[..n],
///     b"[{\"jsonrpc\":\"2.0\",\"method\":\"a\"},{\"jsonrpc\":\"2.0\",\"method\":\"b\"}]\n",
/// );
/// ```
///
/// # Errors
///
/// [`WriteError::TooSmall`] with the bytes needed, LF included, or what is wrong with the
/// value.
pub fn write_line(value: &dyn ToJson, out: &mut [u8]) -> Result<usize, WriteError> {
    let mut writer = Writer::new(out);
    value.write_json(&mut writer);
    writer.sink().put(b"\n");
    writer.check()?;
    let length = writer.len();
    if writer.sink().is_whole() {
        Ok(length)
    } else {
        Err(WriteError::TooSmall { needed: length })
    }
}

/// The bytes of a value's line, LF included.
fn line_len(value: &dyn ToJson) -> Result<usize, WriteError> {
    crate::json::measure(value).map(|len| len.saturating_add(1))
}

/// What a message carries: nothing, a fragment, or a value that writes itself.
///
/// Made from a [`RawJson`] or from a reference to anything that implements [`ToJson`].
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Payload<'a> {
    /// No such member.
    None,
    /// JSON that is there already.
    Raw(RawJson<'a>),
    /// JSON that is written straight into the line.
    Value(&'a dyn ToJson),
}

impl core::fmt::Debug for Payload<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Payload::None => f.write_str("None"),
            Payload::Raw(raw) => raw.fmt(f),
            Payload::Value(_) => f.write_str("Value"),
        }
    }
}

impl<'a> From<RawJson<'a>> for Payload<'a> {
    fn from(raw: RawJson<'a>) -> Self {
        Payload::Raw(raw)
    }
}

impl<'a, T: ToJson> From<&'a T> for Payload<'a> {
    fn from(value: &'a T) -> Self {
        Payload::Value(value)
    }
}

impl<'a> From<&'a dyn ToJson> for Payload<'a> {
    fn from(value: &'a dyn ToJson) -> Self {
        Payload::Value(value)
    }
}

/// `None` leaves the member out.
impl<'a> From<Option<RawJson<'a>>> for Payload<'a> {
    fn from(raw: Option<RawJson<'a>>) -> Self {
        raw.map_or(Payload::None, Payload::Raw)
    }
}

/// A message to be sent.
///
/// It borrows what it is made of and does nothing until it is written, so it can be
/// written again when a buffer was too small.
///
/// ```
/// use wireline::encode::{Outgoing, WriteError};
/// use wireline::json::{self, RawJson};
///
/// let arguments = json::from_fn(|w| {
///     w.begin_object().member("name", &"led").member("on", &true).end_object();
/// });
/// let call = Outgoing::request(1, "tools/call").params(&arguments);
///
/// let mut line = [0; 96];
/// let n = call.write(&mut line).unwrap();
/// assert_eq!(
///     &line[..n],
///     b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"led\",\"on\":true}}\n",
/// );
/// assert_eq!(call.write(&mut [0; 10]), Err(WriteError::TooSmall { needed: n }));
///
/// let pretty = RawJson::validate(b"{\r\n  \"ok\": true\r\n}").unwrap();
/// let n = Outgoing::result("a", pretty).write(&mut line).unwrap();
/// assert_eq!(&line[..n], b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{  \"ok\": true}}\n");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    kind: Kind,
    id: ErrorId<'a>,
    /// The method, or the error's message.
    text: &'a str,
    code: i64,
    payload: Payload<'a>,
    profile: Profile,
}

impl<'a> Outgoing<'a> {
    const fn new(kind: Kind, id: ErrorId<'a>, text: &'a str) -> Self {
        Outgoing {
            kind,
            id,
            text,
            code: 0,
            payload: Payload::None,
            profile: Profile::Mcp,
        }
    }

    /// A request. Its id must be an integer within ±(2⁵³ − 1) or a string that is not
    /// empty; a received id is taken if it is spelled so.
    #[must_use]
    pub fn request(id: impl Into<OutId<'a>>, method: &'a str) -> Self {
        Outgoing::new(Kind::Request, ErrorId::Known(id.into()), method)
    }

    /// A notification.
    #[must_use]
    pub const fn notification(method: &'a str) -> Self {
        Outgoing::new(Kind::Notification, ErrorId::Omitted, method)
    }

    /// The result of the request that had this id. Give the id as it was received, and it
    /// is written exactly so.
    #[must_use]
    pub fn result(id: impl Into<OutId<'a>>, result: impl Into<Payload<'a>>) -> Self {
        Outgoing::new(Kind::Result, ErrorId::Known(id.into()), "").payload(result.into())
    }

    /// An error, in answer to the request that had this id, or to something whose id
    /// could not be read: see [`ErrorId`].
    #[must_use]
    pub fn error(id: impl Into<ErrorId<'a>>, code: i64, message: &'a str) -> Self {
        Outgoing {
            code,
            ..Outgoing::new(Kind::Error, id.into(), message)
        }
    }

    /// Sets a request's or a notification's parameters. (The payload of a result or an
    /// error is set by this, too.)
    #[must_use]
    pub fn params(self, params: impl Into<Payload<'a>>) -> Self {
        self.payload(params.into())
    }

    /// Sets an error's `data`, of any type.
    #[must_use]
    pub fn data(self, data: impl Into<Payload<'a>>) -> Self {
        self.payload(data.into())
    }

    const fn payload(mut self, payload: Payload<'a>) -> Self {
        self.payload = payload;
        self
    }

    /// Sets which types `params` and `result` may have: objects only, as MCP asks and as
    /// is preset, or all that JSON-RPC 2.0 allows.
    #[must_use]
    pub const fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Which kind of message it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Writes the line, LF included, and returns its length in bytes.
    ///
    /// # Errors
    ///
    /// [`WriteError::TooSmall`] with the bytes needed, or what is wrong with the message:
    /// [`BadId`](WriteError::BadId), [`BadPayload`](WriteError::BadPayload), or a fault of
    /// the value that was to be written. What `out` then holds is of no use.
    pub fn write(&self, out: &mut [u8]) -> Result<usize, WriteError> {
        write_line(self, out)
    }

    /// The line's length in bytes, LF included.
    ///
    /// # Errors
    ///
    /// As [`write`](Outgoing::write), but never `TooSmall`.
    pub fn line_len(&self) -> Result<usize, WriteError> {
        line_len(self)
    }

    /// The line in pieces, for a buffer of any size.
    ///
    /// ```
    /// use wireline::encode::Outgoing;
    /// let mut pieces = Outgoing::request(1, "ping").pieces()?;
    /// let mut line = Vec::new();
    /// let mut byte = [0];
    /// while pieces.fill(&mut byte)? > 0 {
    ///     line.push(byte[0]);
    /// }
    /// assert_eq!(line, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
    /// # Ok::<(), wireline::encode::WriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`line_len`](Outgoing::line_len); no byte has left then.
    pub fn pieces(&self) -> Result<Pieces<Self>, WriteError> {
        Pieces::line(*self)
    }

    /// Writes all up to the payload, its name included; returns the types it may have.
    fn head(&self, w: &mut Writer<'_>, payload: bool) -> u8 {
        w.begin_object().key("jsonrpc").string("2.0");
        if let Err(error) = self.id.write(self.kind, w) {
            w.fail(error);
        }
        let mut kinds = bit(JsonKind::Object);
        let loose = self.profile == Profile::JsonRpc;
        match self.kind {
            Kind::Request | Kind::Notification => {
                w.key("method").string(self.text);
                if payload {
                    w.key("params");
                }
                if loose {
                    kinds |= bit(JsonKind::Array);
                }
            }
            Kind::Result => {
                w.key("result");
                if loose {
                    kinds = u8::MAX;
                }
            }
            Kind::Error => {
                w.key("error").begin_object();
                w.key("code").int(self.code);
                w.key("message").string(self.text);
                if payload {
                    w.key("data");
                }
                kinds = u8::MAX;
            }
        }
        kinds
    }
}

const fn bit(kind: JsonKind) -> u8 {
    1u8.wrapping_shl(kind as u32)
}

/// The message's text without a line end, as an element of a batch or the body of an HTTP
/// request.
impl ToJson for Outgoing<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        let kinds = self.head(w, !matches!(self.payload, Payload::None));
        // By value, so that the message itself need not stand in memory.
        match self.payload {
            Payload::None if self.kind == Kind::Result => w.fail(WriteError::BadPayload),
            Payload::None => {}
            Payload::Raw(raw) => {
                w.payload(&raw, kinds);
            }
            Payload::Value(value) => {
                w.payload(value, kinds);
            }
        }
        if self.kind == Kind::Error {
            w.end_object();
        }
        w.end_object();
    }
}
