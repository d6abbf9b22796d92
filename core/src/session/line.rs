//! What is to be sent: lines that know how to write themselves.

use super::config::{Cache, CacheScope, Config, Implementation};
use super::slots::TOKEN;
use crate::encode::{self, ErrorId, OutId, Outgoing, Payload, WriteError};
use crate::id::Id;
use crate::json::{JsonStr, Number, Pieces, RawJson, ToJson, Writer};
use crate::mcp::{Capabilities, Era, LogLevel, Method, Revision, meta};
use crate::message::Kind;
use crate::text::Text;

/// An id that was copied out of a slot.
#[derive(Clone, Copy)]
pub(crate) struct Stored {
    len: u8,
    bytes: [u8; TOKEN],
}

impl Stored {
    pub(crate) fn new(id: Id<'_>) -> Self {
        let mut bytes = [0; TOKEN];
        let mut len = 0u8;
        for (from, to) in id.as_bytes().iter().zip(&mut bytes) {
            *to = *from;
            len = len.saturating_add(1);
        }
        Stored { len, bytes }
    }

    fn id(&self) -> Option<Id<'_>> {
        let bytes = self.bytes.get(..usize::from(self.len))?;
        Id::from_token(Text::found(bytes)?)
    }
}

/// The id of a line.
#[derive(Clone, Copy)]
pub(crate) enum LineId<'p> {
    /// None, and no member.
    None,
    /// None, said as `null`.
    Null,
    /// One of ours.
    Ours(u32),
    /// The peer's, in the line that was received.
    Echo(Id<'p>),
    /// The peer's, out of a slot.
    Stored(Stored),
}

impl LineId<'_> {
    fn error_id(&self) -> ErrorId<'_> {
        match self {
            LineId::None => ErrorId::Omitted,
            LineId::Null => ErrorId::Null,
            LineId::Ours(id) => ErrorId::Known(OutId::Int(i64::from(*id))),
            LineId::Echo(id) => ErrorId::Known(OutId::Echo(*id)),
            LineId::Stored(stored) => ErrorId::or_omitted(stored.id()),
        }
    }

    fn put(&self, w: &mut Writer<'_>) {
        match self {
            LineId::None | LineId::Null => {
                w.null();
            }
            LineId::Ours(id) => {
                w.uint(u64::from(*id));
            }
            LineId::Echo(id) => put_id(*id, w),
            LineId::Stored(stored) => match stored.id() {
                Some(id) => put_id(id, w),
                None => {
                    w.null();
                }
            },
        }
    }
}

/// An id as a value.
fn put_id(id: Id<'_>, w: &mut Writer<'_>) {
    match (id.as_json_str(), id.as_number()) {
        (Some(text), _) => w.json_str(text),
        (_, Some(number)) => w.number(number),
        _ => w.null(),
    };
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
        Filter {
            tools: flag("toolsListChanged"),
            prompts: flag("promptsListChanged"),
            resources: flag("resourcesListChanged"),
            uris: notifications
                .get("resourceSubscriptions")
                .filter(|it| it.kind() == crate::json::JsonKind::Array),
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

impl ToJson for Filter<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object();
        for (on, name) in [
            (self.tools, "toolsListChanged"),
            (self.prompts, "promptsListChanged"),
            (self.resources, "resourcesListChanged"),
        ] {
            if on {
                w.member(name, &true);
            }
        }
        if let Some(uris) = self.uris {
            w.member("resourceSubscriptions", &uris);
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
}

impl<'p> Reply<'p> {
    /// A result.
    #[must_use]
    pub fn new(payload: impl Into<Payload<'p>>) -> Self {
        Reply {
            payload: payload.into(),
            cache: None,
            meta: Payload::None,
        }
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

/// What a line's payload is made of.
#[derive(Clone, Copy)]
pub(crate) enum Body<'p> {
    /// Nothing but what the host gives.
    Host(Payload<'p>),
    /// The parameters of a request, with what belongs into `_meta`.
    Request {
        payload: Payload<'p>,
        meta: Payload<'p>,
        /// A progress token that equals the id.
        token: bool,
        level: Option<LogLevel>,
        /// Input that was asked for, and the state that came with it.
        answers: Payload<'p>,
        state: Option<JsonStr<'p>>,
    },
    /// The parameters of `subscriptions/listen`.
    Listen(Filter<'p>),
    /// The parameters of `initialize`.
    Initialize,
    /// The result of `initialize`.
    Initialized,
    /// The result of `server/discover`.
    Discovered,
    /// A result.
    Result {
        reply: Reply<'p>,
        cached: bool,
        /// The id of the subscription that it ends.
        subscription: bool,
    },
    /// A result that asks for input.
    InputRequired {
        requests: &'p [InputRequest<'p>],
        state: Option<&'p str>,
    },
    /// An empty result of the legacy era.
    Empty,
    /// The parameters of `notifications/cancelled`.
    Cancelled { reason: Option<&'p str> },
    /// The parameters of `notifications/progress`.
    Progress(Progress<'p>),
    /// The parameters of `notifications/message`.
    Log {
        level: LogLevel,
        logger: Option<&'p str>,
        data: Payload<'p>,
    },
    /// Parameters of a notification of a subscription.
    Subscription {
        filter: Option<Filter<'p>>,
        payload: Payload<'p>,
    },
    /// The parameters of `notifications/resources/updated`.
    Updated(&'p str),
    /// The data of -32022.
    Supported { requested: Option<JsonStr<'p>> },
    /// The data of -32021.
    Required(Capabilities),
    /// The data of what is over a ceiling.
    TooLong {
        limit: &'static str,
        max: u64,
        length: u64,
    },
    /// The data of what is no valid request.
    Fault { fault: &'static str, offset: u64 },
    /// The data of a full table.
    Full { limit: u64 },
    /// The data of wrong parameters: the member, and whether it is of the wrong type.
    Member { name: &'static str },
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
    pub(crate) code: i64,
    pub(crate) body: Body<'p>,
    pub(crate) config: Option<&'p Config<'p>>,
    pub(crate) revision: Revision,
}

impl<'p> Line<'p> {
    pub(crate) fn new(kind: Kind, id: LineId<'p>, text: &'p str, revision: Revision) -> Self {
        Line {
            kind,
            id,
            text,
            code: 0,
            body: Body::Host(Payload::None),
            config: None,
            revision,
        }
    }

    pub(crate) fn body(mut self, body: Body<'p>) -> Self {
        self.body = body;
        self
    }

    pub(crate) fn config(mut self, config: &'p Config<'p>) -> Self {
        self.config = Some(config);
        self
    }

    pub(crate) fn error(id: LineId<'p>, code: i64, message: &'p str, revision: Revision) -> Self {
        Line {
            code,
            ..Line::new(Kind::Error, id, message, revision)
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

    /// Whether the payload is left out.
    fn is_bare(&self) -> bool {
        match &self.body {
            Body::Host(payload) => matches!(payload, Payload::None),
            Body::Request {
                payload,
                meta,
                token,
                level,
                answers,
                state,
            } => {
                self.revision.era() == Era::Legacy
                    && !token
                    && level.is_none()
                    && state.is_none()
                    && [payload, meta, answers]
                        .iter()
                        .all(|it| matches!(it, Payload::None))
            }
            _ => false,
        }
    }
}

impl core::fmt::Debug for Line<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Line")
            .field("kind", &self.kind)
            .field("id", &self.id.error_id())
            .field("text", &self.text)
            .finish_non_exhaustive()
    }
}

/// The message's text without a line end.
impl ToJson for Line<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        let body = Dressed(self);
        let payload = if self.is_bare() {
            Payload::None
        } else {
            Payload::Value(&body)
        };
        let id = self.id.error_id();
        let outgoing = match (self.kind, id) {
            (Kind::Request, ErrorId::Known(id)) => Outgoing::request(id, self.text).params(payload),
            (Kind::Result, ErrorId::Known(id)) => Outgoing::result(id, payload),
            (Kind::Error, id) => Outgoing::error(id, self.code, self.text).data(payload),
            _ => Outgoing::notification(self.text).params(payload),
        };
        outgoing.write_json(w);
    }
}

/// A line's payload.
struct Dressed<'l, 'p>(&'l Line<'p>);

impl ToJson for Dressed<'_, '_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        let line = self.0;
        if let Body::Host(payload) = &line.body {
            return put(payload, w);
        }
        w.begin_object();
        line.members(w);
        w.end_object();
    }
}

/// A payload as a value.
fn put(payload: &Payload<'_>, w: &mut Writer<'_>) {
    match payload {
        Payload::None => {
            w.begin_object().end_object();
        }
        Payload::Raw(raw) => {
            w.raw(*raw);
        }
        Payload::Value(value) => value.write_json(w),
    }
}

/// A payload's members, into the object that is open.
fn join(payload: &Payload<'_>, taken: &'static [&'static str], w: &mut Writer<'_>) {
    match payload {
        Payload::None => {}
        Payload::Raw(raw) => {
            w.members(raw, taken);
        }
        Payload::Value(value) => {
            w.members(*value, taken);
        }
    }
}

fn info(implementation: &Implementation<'_>, w: &mut Writer<'_>) {
    w.begin_object();
    w.member("name", &implementation.name);
    w.member("version", &implementation.version);
    if let Some(title) = implementation.title {
        w.member("title", &title);
    }
    w.end_object();
}

fn capabilities(config: &Config<'_>, revision: Revision, w: &mut Writer<'_>) {
    w.begin_object();
    config.offered(revision).write_members(w);
    if let Some(extra) = &config.extra_capabilities {
        w.members(extra, &[]);
    }
    w.end_object();
}

fn cache(cache: Cache, w: &mut Writer<'_>) {
    w.member("ttlMs", &cache.ttl_ms);
    w.member(
        "cacheScope",
        &match cache.scope {
            CacheScope::Public => "public",
            CacheScope::Private => "private",
        },
    );
}

impl Line<'_> {
    fn members(&self, w: &mut Writer<'_>) {
        let modern = self.revision.era() == Era::Modern;
        match &self.body {
            Body::Host(_) | Body::Empty => {}
            Body::Request { .. } => self.request(w),
            Body::Listen(filter) => {
                w.key("_meta").begin_object();
                self.client_meta(w);
                w.end_object().member("notifications", filter);
            }
            Body::Initialize => {
                w.member("protocolVersion", &self.revision.name());
                if let Some(config) = self.config {
                    w.key("capabilities");
                    capabilities(config, self.revision, w);
                    w.key("clientInfo");
                    info(&config.info, w);
                }
            }
            Body::Initialized => {
                w.member("protocolVersion", &self.revision.name());
                if let Some(config) = self.config {
                    w.key("capabilities");
                    capabilities(config, self.revision, w);
                    w.key("serverInfo");
                    info(&config.info, w);
                    if let Some(text) = config.instructions {
                        w.member("instructions", &text);
                    }
                }
            }
            Body::Discovered => {
                self.complete("complete", &Payload::None, false, w);
                if let Some(config) = self.config {
                    w.key("supportedVersions").begin_array();
                    for revision in config.revisions.iter() {
                        if revision.era() == Era::Modern {
                            w.string(revision.name());
                        }
                    }
                    w.end_array().key("capabilities");
                    capabilities(config, self.revision, w);
                    if let Some(text) = config.instructions {
                        w.member("instructions", &text);
                    }
                    cache(config.cache, w);
                }
            }
            Body::Result {
                reply,
                cached,
                subscription,
            } => {
                if !modern {
                    if !matches!(reply.meta, Payload::None) {
                        w.key("_meta");
                        put(&reply.meta, w);
                    }
                    join(&reply.payload, &["_meta"], w);
                    return;
                }
                self.complete("complete", &reply.meta, *subscription, w);
                join(
                    &reply.payload,
                    &["_meta", "resultType", "ttlMs", "cacheScope"],
                    w,
                );
                if let (true, Some(config)) = (*cached, self.config) {
                    cache(reply.cache.unwrap_or(config.cache), w);
                }
            }
            Body::InputRequired { requests, state } => {
                self.complete("input_required", &Payload::None, false, w);
                if !requests.is_empty() {
                    w.key("inputRequests").begin_object();
                    for request in *requests {
                        w.key(request.key).begin_object();
                        w.member("method", &request.method.name()).key("params");
                        put(&request.params, w);
                        w.end_object();
                    }
                    w.end_object();
                }
                if let Some(state) = state {
                    w.member("requestState", state);
                }
            }
            Body::Cancelled { reason } => {
                w.key("requestId");
                self.id.put(w);
                if let Some(reason) = reason {
                    w.member("reason", reason);
                }
            }
            Body::Progress(progress) => {
                w.key("progressToken");
                self.id.put(w);
                w.key("progress").decimal(progress.progress);
                if let Some(total) = progress.total {
                    w.key("total").decimal(total);
                }
                if let (Some(message), true) =
                    (progress.message, self.revision != Revision::V2024_11_05)
                {
                    w.member("message", &message);
                }
            }
            Body::Log {
                level,
                logger,
                data,
            } => {
                w.member("level", &level.name());
                if let Some(logger) = logger {
                    w.member("logger", logger);
                }
                w.key("data");
                match data {
                    Payload::None => {
                        w.null();
                    }
                    data => put(data, w),
                }
            }
            Body::Subscription { filter, payload } => {
                w.key("_meta").begin_object().key(meta::SUBSCRIPTION_ID);
                self.id.put(w);
                w.end_object();
                if let Some(filter) = filter {
                    w.member("notifications", filter);
                }
                join(payload, &["_meta"], w);
            }
            Body::Updated(uri) => {
                if modern {
                    w.key("_meta").begin_object().key(meta::SUBSCRIPTION_ID);
                    self.id.put(w);
                    w.end_object();
                }
                w.member("uri", uri);
            }
            Body::Supported { requested } => {
                w.key("supported").begin_array();
                if let Some(config) = self.config {
                    for revision in config.revisions.iter() {
                        w.string(revision.name());
                    }
                }
                w.end_array();
                if let Some(requested) = requested {
                    w.member("requested", requested);
                }
            }
            Body::Required(required) => {
                w.member("requiredCapabilities", required);
            }
            Body::TooLong { limit, max, length } => {
                w.member("limit", limit).member("max", max);
                w.member("length", length);
            }
            Body::Fault { fault, offset } => {
                w.member("fault", fault).member("offset", offset);
            }
            Body::Full { limit } => {
                w.member("limit", limit);
            }
            Body::Member { name } => {
                w.member("member", name);
            }
        }
    }

    /// What every result of the modern era begins with.
    fn complete(&self, kind: &str, more: &Payload<'_>, subscription: bool, w: &mut Writer<'_>) {
        w.member("resultType", &kind);
        w.key("_meta").begin_object();
        if let Some(config) = self.config {
            w.key(meta::SERVER_INFO);
            info(&config.info, w);
        }
        if subscription {
            w.key(meta::SUBSCRIPTION_ID);
            self.id.put(w);
        }
        join(more, &[meta::SERVER_INFO, meta::SUBSCRIPTION_ID], w);
        w.end_object();
    }

    /// What every request of the modern era says of its client.
    fn client_meta(&self, w: &mut Writer<'_>) {
        if let Some(config) = self.config {
            w.member(meta::PROTOCOL_VERSION, &self.revision.name());
            w.key(meta::CLIENT_CAPABILITIES);
            capabilities(config, self.revision, w);
            w.key(meta::CLIENT_INFO);
            info(&config.info, w);
        }
    }

    fn request(&self, w: &mut Writer<'_>) {
        let Body::Request {
            payload,
            meta: more,
            token,
            level,
            answers,
            state,
        } = &self.body
        else {
            return;
        };
        let modern = self.revision.era() == Era::Modern;
        if modern || *token || !matches!(more, Payload::None) {
            w.key("_meta").begin_object();
            if modern {
                self.client_meta(w);
                if let Some(level) = level {
                    w.member(meta::LOG_LEVEL, &level.name());
                }
            }
            if *token {
                w.key(meta::PROGRESS_TOKEN);
                self.id.put(w);
            }
            join(
                more,
                &[
                    meta::PROTOCOL_VERSION,
                    meta::CLIENT_CAPABILITIES,
                    meta::CLIENT_INFO,
                    meta::LOG_LEVEL,
                    meta::PROGRESS_TOKEN,
                ],
                w,
            );
            w.end_object();
        }
        join(payload, &["_meta", "inputResponses", "requestState"], w);
        if !matches!(answers, Payload::None) {
            w.key("inputResponses");
            put(answers, w);
        }
        if let Some(state) = state {
            w.member("requestState", state);
        }
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
    line: Option<Line<'p>>,
    /// A `notifications/cancelled` for the same id follows.
    ending: bool,
}

impl<'p> Send<'p> {
    /// Nothing.
    pub const NONE: Send<'static> = Send {
        line: None,
        ending: false,
    };

    pub(crate) const fn one(line: Line<'p>) -> Self {
        Send {
            line: Some(line),
            ending: false,
        }
    }

    /// The line, and a cancellation of the same id.
    pub(crate) const fn and_cancelled(line: Line<'p>) -> Self {
        Send {
            line: Some(line),
            ending: true,
        }
    }

    /// Whether there is nothing to be sent.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.line.is_none()
    }

    /// The lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = Line<'p>> {
        let second = self.line.filter(|_| self.ending).map(|first| {
            Line::new(
                Kind::Notification,
                first.id,
                "notifications/cancelled",
                first.revision,
            )
            .body(Body::Cancelled { reason: None })
        });
        self.line.into_iter().chain(second)
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
        let mut at = 0usize;
        for line in self.lines() {
            match line.write(out.get_mut(at..).unwrap_or(&mut [])) {
                Ok(n) => at = at.saturating_add(n),
                Err(WriteError::TooSmall { .. }) => {
                    return Err(WriteError::TooSmall {
                        needed: self.len()?,
                    });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(at)
    }
}

/// Whether a payload's text can be written at all.
pub(crate) fn check(line: &Line<'_>) -> Result<(), WriteError> {
    crate::json::measure(line).map(drop)
}

/// A number that a peer will take: decimal text by RFC 8259.
pub(crate) fn decimal(text: &str) -> Option<Number<'_>> {
    Number::new(text)
}

impl<'p> Send<'p> {
    /// The same answer with another result.
    pub(crate) fn instead(mut self, payload: Payload<'p>) -> Self {
        if let Some(line) = &mut self.line
            && let Body::Result { reply, .. } = &mut line.body
        {
            reply.payload = payload;
        }
        self
    }

    /// An error in the place of an answer.
    pub(crate) fn instead_error(self, code: i64, message: &'p str) -> Self {
        match self.line {
            Some(line) => Send::one(Line::error(line.id, code, message, line.revision)),
            None => self,
        }
    }
}
