//! What a program answers with.

use crate::encode::Payload;
use crate::json::{RawJson, ToJson, Writer};
use crate::mcp::{Method, Role};

/// A result of one of the methods that the program answers.
///
/// It is written straight into the line, so what it borrows is not copied anywhere: a blob
/// of any size leaves as base64 through a buffer of any size.
pub trait Answer: ToJson {
    /// The method that it is a result of.
    const METHOD: Method;
}

/// Text that is there, or that is put together when it is written.
#[derive(Clone, Copy)]
enum Words<'p> {
    Text(&'p str),
    Value(&'p dyn core::fmt::Display),
}

impl ToJson for Words<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self {
            Words::Text(text) => w.string(text),
            Words::Value(value) => w.display(value),
        };
    }
}

impl core::fmt::Debug for Words<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Words::Text(text) => core::fmt::Debug::fmt(text, f),
            Words::Value(value) => core::fmt::Display::fmt(value, f),
        }
    }
}

/// A block of content.
///
/// ```
/// use wireline::json;
/// use wireline::server::Content;
/// let image = Content::image(b"\x89PNG", "image/png");
/// assert_eq!(
///     json::write(&image, &mut [0; 80]).unwrap(),
///     br#"{"type":"image","data":"iVBORw==","mimeType":"image/png"}"#,
/// );
/// let warm = Content::display(&21.5);
/// assert_eq!(json::write(&warm, &mut [0; 80]).unwrap(), br#"{"type":"text","text":"21.5"}"#);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Content<'p>(Block<'p>);

#[derive(Clone, Copy, Debug)]
enum Block<'p> {
    Text(Words<'p>),
    Media {
        kind: &'static str,
        data: &'p [u8],
        mime_type: &'p str,
    },
    Link {
        uri: &'p str,
        name: &'p str,
        mime_type: Option<&'p str>,
    },
    Resource(Contents<'p>),
    Other(Payload<'p>),
}

impl<'p> Content<'p> {
    /// Text.
    #[must_use]
    pub const fn text(text: &'p str) -> Self {
        Content(Block::Text(Words::Text(text)))
    }

    /// What a value's `Display` says. It must say the same every time.
    #[must_use]
    pub const fn display(value: &'p dyn core::fmt::Display) -> Self {
        Content(Block::Text(Words::Value(value)))
    }

    /// An image.
    #[must_use]
    pub const fn image(data: &'p [u8], mime_type: &'p str) -> Self {
        Content(Block::Media {
            kind: "image",
            data,
            mime_type,
        })
    }

    /// Sound. Defined from 2025-03-26 on.
    #[must_use]
    pub const fn audio(data: &'p [u8], mime_type: &'p str) -> Self {
        Content(Block::Media {
            kind: "audio",
            data,
            mime_type,
        })
    }

    /// A resource that the client may read. Defined from 2025-06-18 on.
    #[must_use]
    pub const fn link(uri: &'p str, name: &'p str, mime_type: Option<&'p str>) -> Self {
        Content(Block::Link {
            uri,
            name,
            mime_type,
        })
    }

    /// What a resource holds.
    #[must_use]
    pub const fn resource(contents: Contents<'p>) -> Self {
        Content(Block::Resource(contents))
    }

    /// Any other block, an object with `type`.
    #[must_use]
    pub fn other(block: impl Into<Payload<'p>>) -> Self {
        Content(Block::Other(block.into()))
    }
}

impl ToJson for Content<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        if let Block::Other(block) = &self.0 {
            return match block {
                Payload::Value(value) => value.write_json(w),
                Payload::Raw(raw) => raw.write_json(w),
                Payload::None => {}
            };
        }
        w.begin_object().key("type");
        match &self.0 {
            Block::Text(words) => {
                w.string("text").member("text", words);
            }
            Block::Media {
                kind,
                data,
                mime_type,
            } => {
                w.string(kind).key("data").base64(data);
                w.member("mimeType", mime_type);
            }
            Block::Link {
                uri,
                name,
                mime_type,
            } => {
                w.string("resource_link").member("uri", uri);
                w.member("name", name);
                if let Some(mime_type) = mime_type {
                    w.member("mimeType", mime_type);
                }
            }
            Block::Resource(contents) => {
                w.string("resource").member("resource", contents);
            }
            Block::Other(_) => {}
        }
        w.end_object();
    }
}

/// What a resource holds: text, or bytes that are sent as base64.
///
/// ```
/// use wireline::json;
/// use wireline::server::Contents;
/// let log = Contents::text("board://log", "ok\n").with_mime_type("text/plain");
/// assert_eq!(
///     json::write(&log, &mut [0; 80]).unwrap(),
///     br#"{"uri":"board://log","mimeType":"text/plain","text":"ok\n"}"#,
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Contents<'p> {
    uri: Words<'p>,
    mime_type: Option<&'p str>,
    body: Body<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Body<'p> {
    Text(Words<'p>),
    Blob(&'p [u8]),
}

impl<'p> Contents<'p> {
    const fn new(uri: &'p str, body: Body<'p>) -> Self {
        Contents {
            uri: Words::Text(uri),
            mime_type: None,
            body,
        }
    }

    /// The resource's URI, and its text.
    #[must_use]
    pub const fn text(uri: &'p str, text: &'p str) -> Self {
        Contents::new(uri, Body::Text(Words::Text(text)))
    }

    /// The resource's URI, and what a value's `Display` says. It must say the same every
    /// time.
    #[must_use]
    pub const fn display(uri: &'p str, value: &'p dyn core::fmt::Display) -> Self {
        Contents::new(uri, Body::Text(Words::Value(value)))
    }

    /// The resource's URI, and its bytes.
    #[must_use]
    pub const fn blob(uri: &'p str, bytes: &'p [u8]) -> Self {
        Contents::new(uri, Body::Blob(bytes))
    }

    /// Sets the media type.
    #[must_use]
    pub const fn with_mime_type(mut self, mime_type: &'p str) -> Self {
        self.mime_type = Some(mime_type);
        self
    }

    /// Sets the URI to what a value's `Display` says, such as the one that was received.
    #[must_use]
    pub const fn with_uri(mut self, uri: &'p dyn core::fmt::Display) -> Self {
        self.uri = Words::Value(uri);
        self
    }
}

impl ToJson for Contents<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object().member("uri", &self.uri);
        if let Some(mime_type) = self.mime_type {
            w.member("mimeType", &mime_type);
        }
        match &self.body {
            Body::Text(text) => w.member("text", text),
            Body::Blob(bytes) => w.key("blob").base64(bytes),
        };
        w.end_object();
    }
}

/// The result of `tools/call`.
///
/// ```
/// use wireline::json::{self, RawJson};
/// use wireline::server::CallResult;
/// let failed = CallResult::failure("the sensor does not answer");
/// assert_eq!(
///     json::write(&failed, &mut [0; 120]).unwrap(),
///     br#"{"content":[{"type":"text","text":"the sensor does not answer"}],"isError":true}"#,
/// );
/// let warm = RawJson::validate(br#"{"celsius":21}"#).unwrap();
/// assert_eq!(
///     json::write(&CallResult::structured(&warm), &mut [0; 120]).unwrap(),
///     br#"{"content":[{"type":"text","text":"{\"celsius\":21}"}],"structuredContent":{"celsius":21}}"#,
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CallResult<'p> {
    content: Blocks<'p>,
    structured: Option<Payload<'p>>,
    is_error: bool,
}

#[derive(Clone, Copy, Debug)]
enum Blocks<'p> {
    One(Content<'p>),
    Many(&'p [Content<'p>]),
}

impl<'p> CallResult<'p> {
    const fn one(content: Content<'p>, is_error: bool) -> Self {
        CallResult {
            content: Blocks::One(content),
            structured: None,
            is_error,
        }
    }

    /// Text.
    #[must_use]
    pub const fn text(text: &'p str) -> Self {
        CallResult::one(Content::text(text), false)
    }

    /// What a value's `Display` says. It must say the same every time.
    #[must_use]
    pub const fn display(value: &'p dyn core::fmt::Display) -> Self {
        CallResult::one(Content::display(value), false)
    }

    /// Any blocks, or none.
    #[must_use]
    pub const fn content(blocks: &'p [Content<'p>]) -> Self {
        CallResult {
            content: Blocks::Many(blocks),
            structured: None,
            is_error: false,
        }
    }

    /// An object, as structured content (defined from 2025-06-18 on) and, for who reads only
    /// that, as text.
    #[must_use]
    pub const fn structured(object: &'p RawJson<'p>) -> Self {
        CallResult {
            structured: Some(Payload::Raw(*object)),
            ..CallResult::one(Content::display(object), false)
        }
    }

    /// What went wrong inside the tool, for the model to read: `isError`.
    #[must_use]
    pub const fn failure(text: &'p str) -> Self {
        CallResult::one(Content::text(text), true)
    }

    /// The same with what a value's `Display` says.
    #[must_use]
    pub const fn failure_display(value: &'p dyn core::fmt::Display) -> Self {
        CallResult::one(Content::display(value), true)
    }

    /// Sets the structured content, an object.
    #[must_use]
    pub fn with_structured(mut self, object: impl Into<Payload<'p>>) -> Self {
        self.structured = Some(object.into());
        self
    }

    /// Says that the tool failed.
    #[must_use]
    pub const fn with_is_error(mut self, is_error: bool) -> Self {
        self.is_error = is_error;
        self
    }
}

impl ToJson for CallResult<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object().key("content");
        match &self.content {
            Blocks::One(content) => w.begin_array().value(content).end_array(),
            Blocks::Many(blocks) => w.value(blocks),
        };
        match &self.structured {
            Some(Payload::Raw(raw)) => {
                w.member("structuredContent", raw);
            }
            Some(Payload::Value(value)) => {
                w.member("structuredContent", value);
            }
            _ => {}
        }
        if self.is_error {
            w.member("isError", &true);
        }
        w.end_object();
    }
}

impl Answer for CallResult<'_> {
    const METHOD: Method = Method::ToolsCall;
}

/// The result of `resources/read`.
///
/// ```
/// use wireline::json;
/// use wireline::server::{Contents, ReadResult};
/// let contents = [Contents::blob("board://id", &[1, 2, 3])];
/// assert_eq!(
///     json::write(&ReadResult::new(&contents), &mut [0; 80]).unwrap(),
///     br#"{"contents":[{"uri":"board://id","blob":"AQID"}]}"#,
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ReadResult<'p>(&'p [Contents<'p>]);

impl<'p> ReadResult<'p> {
    /// What the resource, or each of its parts, holds; at least one.
    #[must_use]
    pub const fn new(contents: &'p [Contents<'p>]) -> Self {
        ReadResult(contents)
    }
}

impl ToJson for ReadResult<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object().member("contents", &self.0).end_object();
    }
}

impl Answer for ReadResult<'_> {
    const METHOD: Method = Method::ResourcesRead;
}

/// One message of a prompt.
#[derive(Clone, Copy, Debug)]
pub struct PromptMessage<'p> {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Content<'p>,
}

impl<'p> PromptMessage<'p> {
    /// What the user says.
    #[must_use]
    pub const fn user(content: Content<'p>) -> Self {
        PromptMessage {
            role: Role::User,
            content,
        }
    }

    /// What the model says.
    #[must_use]
    pub const fn assistant(content: Content<'p>) -> Self {
        PromptMessage {
            role: Role::Assistant,
            content,
        }
    }
}

impl ToJson for PromptMessage<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object().member("role", &self.role);
        w.member("content", &self.content).end_object();
    }
}

/// The result of `prompts/get`.
///
/// ```
/// use wireline::json;
/// use wireline::server::{Content, GetResult, PromptMessage};
/// let messages = [PromptMessage::user(Content::text("Why is pin 3 high?"))];
/// assert_eq!(
///     json::write(&GetResult::new(&messages), &mut [0; 120]).unwrap(),
///     br#"{"messages":[{"role":"user","content":{"type":"text","text":"Why is pin 3 high?"}}]}"#,
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GetResult<'p> {
    description: Option<&'p str>,
    messages: &'p [PromptMessage<'p>],
}

impl<'p> GetResult<'p> {
    /// The prompt's messages.
    #[must_use]
    pub const fn new(messages: &'p [PromptMessage<'p>]) -> Self {
        GetResult {
            description: None,
            messages,
        }
    }

    /// Says what the prompt is for.
    #[must_use]
    pub const fn with_description(mut self, description: &'p str) -> Self {
        self.description = Some(description);
        self
    }
}

impl ToJson for GetResult<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object();
        if let Some(description) = self.description {
            w.member("description", &description);
        }
        w.member("messages", &self.messages).end_object();
    }
}

impl Answer for GetResult<'_> {
    const METHOD: Method = Method::PromptsGet;
}

/// Values of a completion that are sent, at most.
pub const MAX_COMPLETIONS: usize = 100;

/// The result of `completion/complete`. No more than [`MAX_COMPLETIONS`] values are sent;
/// if there are more, the result says so.
///
/// ```
/// use wireline::json;
/// use wireline::server::CompleteResult;
/// assert_eq!(
///     json::write(&CompleteResult::new(&["high", "low"]), &mut [0; 80]).unwrap(),
///     br#"{"completion":{"values":["high","low"],"total":2,"hasMore":false}}"#,
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CompleteResult<'p> {
    values: &'p [&'p str],
    total: Option<u32>,
    more: bool,
}

impl<'p> CompleteResult<'p> {
    /// All the values that there are.
    #[must_use]
    pub const fn new(values: &'p [&'p str]) -> Self {
        CompleteResult {
            values,
            total: Some(values.len() as u32),
            more: false,
        }
    }

    /// Some of the values; how many there are in all, if that is known.
    #[must_use]
    pub const fn some_of(values: &'p [&'p str], total: Option<u32>) -> Self {
        CompleteResult {
            values,
            total,
            more: true,
        }
    }
}

impl ToJson for CompleteResult<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_object().key("completion").begin_object();
        w.key("values").begin_array();
        for value in self.values.iter().take(MAX_COMPLETIONS) {
            w.string(value);
        }
        w.end_array();
        if let Some(total) = self.total {
            w.member("total", &total);
        }
        let more = self.more || self.values.len() > MAX_COMPLETIONS;
        w.member("hasMore", &more).end_object().end_object();
    }
}

impl Answer for CompleteResult<'_> {
    const METHOD: Method = Method::Complete;
}
