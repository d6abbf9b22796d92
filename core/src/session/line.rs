//! What is to be sent: lines that know how to write themselves.

use super::body::{Body, Long};
use super::config::{Cache, Config};
use super::slots::{TOKEN, fill};
use crate::encode::{self, Payload, WriteError};
use crate::id::Id;
use crate::json::{JsonKind, Pieces, RawJson, ToJson, Writer};
use crate::mcp::{Method, Revision};
use crate::message::Kind;
use crate::text::Text;

/// The id of a line.
#[derive(Clone, Copy)]
pub(crate) enum LineId<'p> {
    /// None, and no member.
    None,
    /// One of ours.
    Ours(u32),
    /// The peer's, in the line that was received.
    Echo(Id<'p>),
    /// The peer's, out of a slot: its length and its bytes.
    Stored(u8, [u8; TOKEN]),
}

impl<'p> LineId<'p> {
    /// An id that is echoed, if there is one.
    pub(crate) fn echo(id: Option<Id<'p>>) -> Self {
        id.map_or(LineId::None, LineId::Echo)
    }

    /// A copy of an id.
    pub(crate) fn stored(id: Option<Id<'_>>) -> Self {
        let mut bytes = [0; TOKEN];
        let id = id.map_or(&[][..], |id| id.as_bytes());
        fill(&mut bytes, id);
        let len = id.len().min(TOKEN) as u8;
        LineId::Stored(len, bytes)
    }

    /// The id as a value.
    pub(super) fn put(&self, w: &mut Writer<'_>) {
        let token = match self {
            LineId::None => b"null",
            LineId::Ours(id) => {
                w.uint(u64::from(*id));
                return;
            }
            LineId::Echo(id) => id.as_bytes(),
            LineId::Stored(len, bytes) => bytes.get(..usize::from(*len)).unwrap_or(bytes),
        };
        // A string or a number; which of them, nobody asks.
        w.copy(JsonKind::String, token);
    }
}

/// The id of errors that answer nothing in particular, where it is not left out.
pub(crate) fn null_id<'p>() -> Option<Id<'p>> {
    Id::from_token(Text::new("null"))
}

/// Progress of a request: how far it is, of how much, and in words.
///
/// The numbers are decimal text, so that what is sent is what was meant.
///
/// ```
/// use wireline::session::Progress;
/// let half = Progress::new("0.5").of("1").saying("half way");
/// assert_eq!(half.progress, "0.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'p> {
    /// How far; greater each time.
    pub progress: &'p str,
    /// Of how much, if that is known.
    pub total: Option<&'p str>,
    /// In words. Left out in 2024-11-05, which does not know it.
    pub message: Option<&'p str>,
}

impl<'p> Progress<'p> {
    /// A number as decimal text.
    #[must_use]
    pub const fn new(progress: &'p str) -> Self {
        Progress {
            progress,
            total: None,
            message: None,
        }
    }

    /// Sets the total, as decimal text.
    #[must_use]
    pub const fn of(mut self, total: &'p str) -> Self {
        self.total = Some(total);
        self
    }

    /// Sets the words.
    #[must_use]
    pub const fn saying(mut self, message: &'p str) -> Self {
        self.message = Some(message);
        self
    }
}

/// What a subscription covers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'p> {
    /// Changes of the list of tools.
    pub tools: bool,
    /// Changes of the list of prompts.
    pub prompts: bool,
    /// Changes of the list of resources.
    pub resources: bool,
    /// Changes of resources: an array of their URIs.
    pub uris: Option<RawJson<'p>>,
}

pub(crate) const TOOLS: u8 = 1;
pub(crate) const PROMPTS: u8 = 2;
pub(crate) const RESOURCES: u8 = 4;
pub(crate) const URIS: u8 = 8;

impl<'p> Filter<'p> {
    /// What a `subscriptions/listen` asks for, or its acknowledgement grants: the value of
    /// its member `notifications`.
    #[must_use]
    pub fn read(notifications: RawJson<'p>) -> Self {
        let flag = |name| notifications.get(name).and_then(|it| it.as_bool()) == Some(true);
        let [tools, prompts, resources] = LISTS.map(flag);
        Filter {
            tools,
            prompts,
            resources,
            uris: notifications
                .get(SUBSCRIPTIONS)
                .filter(|it| it.kind() == JsonKind::Array),
        }
    }

    pub(crate) fn bits(&self) -> u8 {
        let bit = |yes: bool, bit: u8| if yes { bit } else { 0 };
        bit(self.tools, TOOLS)
            | bit(self.prompts, PROMPTS)
            | bit(self.resources, RESOURCES)
            | bit(self.uris.is_some(), URIS)
    }
}

/// The members of a filter that are booleans: for tools, prompts, resources.
const LISTS: [&str; 3] = [
    "toolsListChanged",
    "promptsListChanged",
    "resourcesListChanged",
];
/// The one that is an array.
const SUBSCRIPTIONS: &str = "resourceSubscriptions";

impl ToJson for Filter<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object();
        for (name, on) in LISTS.iter().zip([self.tools, self.prompts, self.resources]) {
            if on {
                w.key(name).bool(true);
            }
        }
        if let Some(uris) = self.uris {
            w.key(SUBSCRIPTIONS).raw(uris);
        }
        w.end_object();
    }
}

/// One thing that a server asks of its client before a request can go on.
#[derive(Clone, Copy, Debug)]
pub struct InputRequest<'p> {
    /// The name under which the answer comes.
    pub key: &'p str,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: Method,
    /// Its parameters: an object.
    pub params: Payload<'p>,
}

/// A result, and what the modern era says about it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Reply<'p> {
    /// The result: an object, without `resultType`, `ttlMs`, `cacheScope` and `_meta`, which
    /// the session adds where the revision has them.
    pub payload: Payload<'p>,
    /// How long it may be kept; `None` for what the [`Config`] says.
    pub cache: Option<Cache>,
    /// Members for `_meta`: an object.
    pub meta: Payload<'p>,
    /// The kind of result, of an extension that the request's client declared; `None`, or
    /// `complete`, for one of no extension.
    pub result_type: Option<&'p str>,
}

impl<'p> Reply<'p> {
    /// A result.
    #[must_use]
    pub fn new(payload: impl Into<Payload<'p>>) -> Self {
        Reply {
            payload: payload.into(),
            cache: None,
            meta: Payload::None,
            result_type: None,
        }
    }

    /// Sets the kind of result that an extension defines, such as `task`. Left out in the
    /// legacy era, which has none.
    #[must_use]
    pub const fn with_result_type(mut self, kind: &'p str) -> Self {
        self.result_type = Some(kind);
        self
    }

    /// Sets how long it may be kept. Left out where it has no meaning.
    #[must_use]
    pub const fn with_cache(mut self, cache: Cache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Sets members for `_meta`.
    #[must_use]
    pub fn with_meta(mut self, members: impl Into<Payload<'p>>) -> Self {
        self.meta = members.into();
        self
    }
}

impl<'p, T: Into<Payload<'p>>> From<T> for Reply<'p> {
    fn from(payload: T) -> Self {
        Reply::new(payload)
    }
}

/// One line to be sent.
///
/// It borrows the payloads that it was made of, and never the session. It can be written
/// again where a buffer was too small.
#[derive(Clone, Copy)]
pub struct Line<'p> {
    pub(crate) kind: Kind,
    /// The message's id; of a notification, the id that it speaks of: what is cancelled,
    /// what got on, whose subscription.
    pub(crate) id: LineId<'p>,
    /// The method, or an error's message.
    pub(crate) text: &'p str,
    /// An error's code.
    pub(crate) code: Long,
    pub(crate) body: Body<'p>,
    pub(crate) config: Option<&'p Config<'p>>,
    pub(crate) revision: Revision,
}

impl<'p> Line<'p> {
    pub(crate) fn new(
        kind: Kind,
        id: LineId<'p>,
        text: &'p str,
        revision: Revision,
        body: Body<'p>,
    ) -> Self {
        Line {
            kind,
            id,
            text,
            code: Long::ZERO,
            body,
            config: None,
            revision,
        }
    }

    /// Which kind of message it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Writes the line, LF included, and returns its length in bytes.
    ///
    /// # Errors
    ///
    /// [`WriteError::TooSmall`] with the bytes needed, or what is wrong with a payload that
    /// changed since the line was made.
    pub fn write(&self, out: &mut [u8]) -> Result<usize, WriteError> {
        encode::write_line(self, out)
    }

    /// The line's length in bytes, LF included.
    ///
    /// # Errors
    ///
    /// As [`write`](Line::write), but never `TooSmall`.
    pub fn line_len(&self) -> Result<usize, WriteError> {
        crate::json::measure(self).map(|len| len.saturating_add(1))
    }

    /// The line in pieces, for a buffer of any size.
    ///
    /// # Errors
    ///
    /// As [`line_len`](Line::line_len); no byte has left then.
    pub fn pieces(&self) -> Result<Pieces<Self>, WriteError> {
        Pieces::line(*self)
    }
}

impl core::fmt::Debug for Line<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Line")
            .field("kind", &self.kind)
            .field("text", &self.text)
            .finish_non_exhaustive()
    }
}

/// The message's text without a line end.
impl ToJson for Line<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object().key("jsonrpc").string("2.0");
        if self.kind != Kind::Notification && !matches!(self.id, LineId::None) {
            w.key("id");
            self.id.put(w);
        }
        let payload = match self.kind {
            Kind::Request | Kind::Notification => {
                w.key("method").string(self.text);
                "params"
            }
            Kind::Result => "result",
            Kind::Error => {
                w.key("error").begin_object();
                w.key("code").int(self.code.get() as i64);
                w.key("message").string(self.text);
                "data"
            }
        };
        self.body.write(payload, self, w);
        if self.kind == Kind::Error {
            w.end_object();
        }
        w.end_object();
    }
}

/// Zero, one or two lines to be sent, in this order.
///
/// ```
/// use wireline::session::Send;
/// assert!(Send::NONE.is_empty());
/// assert_eq!(Send::NONE.write(&mut []), Ok(0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Send<'p> {
    pub(crate) line: Option<Line<'p>>,
    /// A `notifications/cancelled` for the same id follows, which this writes: a program
    /// that never sends one is linked without it.
    pub(super) ending: Option<Ending>,
}

/// Writes the second line, after the first was written with this outcome.
type Ending = fn(&Send<'_>, Result<usize, WriteError>, &mut [u8]) -> Result<usize, WriteError>;

impl<'p> Send<'p> {
    /// Nothing.
    pub const NONE: Send<'static> = Send {
        line: None,
        ending: None,
    };

    pub(crate) const fn one(line: Line<'p>) -> Self {
        Send {
            line: Some(line),
            ending: None,
        }
    }

    /// Whether there is nothing to be sent.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.line.is_none()
    }

    /// The lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = Line<'p>> {
        self.line.into_iter().chain(self.cancellation())
    }

    /// The second line.
    fn cancellation(&self) -> Option<Line<'p>> {
        let first = self.line.as_ref().filter(|_| self.ending.is_some())?;
        let text = Method::Cancelled.name();
        let body = Body::cancelled(None);
        Some(Line::new(
            Kind::Notification,
            first.id,
            text,
            first.revision,
            body,
        ))
    }

    /// The bytes of all lines, their LF included.
    ///
    /// # Errors
    ///
    /// As [`Line::line_len`].
    pub fn len(&self) -> Result<usize, WriteError> {
        let mut len = 0usize;
        for line in self.lines() {
            len = len.saturating_add(line.line_len()?);
        }
        Ok(len)
    }

    /// Writes all lines, each with its LF, and returns the bytes written.
    ///
    /// # Errors
    ///
    /// As [`Line::write`]; the bytes needed are those of all lines.
    pub fn write(&self, out: &mut [u8]) -> Result<usize, WriteError> {
        let Some(line) = &self.line else {
            return Ok(0);
        };
        let written = line.write(out);
        match self.ending {
            Some(ending) => ending(self, written, out),
            None => written,
        }
    }

    /// The line, and a cancellation of the same id.
    pub(super) const fn and_cancelled(line: Line<'p>) -> Self {
        Send {
            line: Some(line),
            ending: Some(write_second),
        }
    }
}

/// Writes the second line of two.
fn write_second(
    send: &Send<'_>,
    written: Result<usize, WriteError>,
    out: &mut [u8],
) -> Result<usize, WriteError> {
    let Some(second) = send.cancellation() else {
        return written;
    };
    let at = written.unwrap_or(out.len());
    let room = out.get_mut(at..).unwrap_or(&mut []);
    match (written, second.write(room)) {
        (Ok(_), Ok(n)) => Ok(at.saturating_add(n)),
        (Err(WriteError::TooSmall { .. }), _) | (_, Err(WriteError::TooSmall { .. })) => {
            let needed = send.len()?;
            Err(WriteError::TooSmall { needed })
        }
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

/// Whether a payload's text can be written at all.
pub(crate) fn check(line: &Line<'_>) -> Result<(), WriteError> {
    crate::json::measure(line).map(drop)
}

impl<'p> Line<'p> {
    /// Puts another result into an answer.
    pub(crate) fn put_result(&mut self, payload: Payload<'p>) {
        self.body.set_result(payload);
    }

    /// Makes an error of an answer.
    pub(crate) fn put_error(&mut self, code: i64, message: &'p str) {
        self.kind = Kind::Error;
        self.code = Long::new(code as u64);
        self.text = message;
        self.body = Body::none();
    }
}
