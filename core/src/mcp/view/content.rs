//! Blocks of content: text, images, audio, resources, and uses of tools.

use super::*;
use crate::json::{Elements, JsonKind};

/// A block of content.
///
/// ```
/// use wireline::json::RawJson;
/// use wireline::mcp::view::Content;
/// let block = RawJson::validate(br#"{"type":"image","data":"AAEC","mimeType":"image/png"}"#);
/// let Content::Image(image) = Content::new(block.unwrap()) else { panic!() };
/// assert_eq!(image.mime_type().unwrap(), "image/png");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content<'a> {
    /// Text.
    Text(TextContent<'a>),
    /// An image.
    Image(ImageContent<'a>),
    /// Sound (from 2025-03-26).
    Audio(AudioContent<'a>),
    /// A resource that can be read (from 2025-06-18).
    ResourceLink(ResourceLink<'a>),
    /// A resource with its contents.
    Resource(EmbeddedResource<'a>),
    /// The model uses a tool; sampling only (from 2025-11-25).
    ToolUse(ToolUseContent<'a>),
    /// What came of it; sampling only (from 2025-11-25).
    ToolResult(ToolResultContent<'a>),
    /// Of a type that is in no revision, of none at all, or no object.
    Other(RawJson<'a>),
}

impl<'a> Content<'a> {
    /// Looks at a value as a block of the type it names.
    #[must_use]
    pub fn new(raw: RawJson<'a>) -> Self {
        const TYPES: [&str; 7] = [
            "text",
            "image",
            "audio",
            "resource_link",
            "resource",
            "tool_use",
            "tool_result",
        ];
        let name = lookup::string(raw, "type");
        let found = name.and_then(|name| TYPES.iter().position(|it| name == *it));
        match found {
            Some(0) => Content::Text(TextContent::new(raw)),
            Some(1) => Content::Image(ImageContent::new(raw)),
            Some(2) => Content::Audio(AudioContent::new(raw)),
            Some(3) => Content::ResourceLink(ResourceLink::new(raw)),
            Some(4) => Content::Resource(EmbeddedResource::new(raw)),
            Some(5) => Content::ToolUse(ToolUseContent::new(raw)),
            Some(6) => Content::ToolResult(ToolResultContent::new(raw)),
            _ => Content::Other(raw),
        }
    }

    /// The whole block, as it was received.
    #[must_use]
    pub const fn raw(self) -> RawJson<'a> {
        match self {
            Content::Text(block) => block.raw(),
            Content::Image(block) => block.raw(),
            Content::Audio(block) => block.raw(),
            Content::ResourceLink(block) => block.raw(),
            Content::Resource(block) => block.raw(),
            Content::ToolUse(block) => block.raw(),
            Content::ToolResult(block) => block.raw(),
            Content::Other(raw) => raw,
        }
    }

    /// The text, if it is a block of text.
    #[must_use]
    pub fn as_text(self) -> Option<JsonStr<'a>> {
        match self {
            Content::Text(block) => block.text(),
            _ => None,
        }
    }

    /// What a host may do with it, in every type of block that has annotations.
    #[must_use]
    pub fn annotations(self) -> Option<Annotations<'a>> {
        lookup::object(self.raw(), "annotations").map(Annotations::new)
    }
}

impl<'a> From<RawJson<'a>> for Content<'a> {
    fn from(raw: RawJson<'a>) -> Self {
        Content::new(raw)
    }
}

/// Blocks of content that stand in an array, or a single one without it, as sampling
/// allows from 2025-11-25 on.
///
/// ```
/// use wireline::json::RawJson;
/// use wireline::mcp::view::SamplingMessage;
/// for content in [r#"{"type":"text","text":"a"}"#, r#"[{"type":"text","text":"a"}]"#] {
///     let message = format!(r#"{{"role":"user","content":{content}}}"#);
///     let message = SamplingMessage::new(RawJson::validate(message.as_bytes()).unwrap());
///     assert_eq!(message.content().count(), 1);
///     assert_eq!(message.content().next().unwrap().as_text().unwrap(), "a");
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Blocks<'a> {
    single: Option<RawJson<'a>>,
    more: Elements<'a>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(object: RawJson<'a>, name: &str) -> Self {
        let value = object.get(name).unwrap_or(RawJson::EMPTY_OBJECT);
        let single = object
            .get(name)
            .filter(|value| value.kind() == JsonKind::Object);
        Blocks {
            single,
            more: value.elements(),
        }
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Content<'a>;

    fn next(&mut self) -> Option<Content<'a>> {
        let raw = self.single.take().or_else(|| self.more.next())?;
        Some(Content::new(raw))
    }
}

views! {
    /// A block of text.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::TextContent;
    /// let block = RawJson::validate(br#"{"type":"text","text":"21 \u00b0C"}"#).unwrap();
    /// assert_eq!(TextContent::new(block).text().unwrap(), "21 °C");
    /// ```
    TextContent [noted] {
        /// The text.
        pub fn text() -> str = "text", required;
        /// What a host may do with it.
        pub fn annotations() -> view(Annotations<'a>) = "annotations";
    }

    /// An image.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ImageContent;
    /// let block = RawJson::validate(br#"{"type":"image","data":"AA==","mimeType":"image/png"}"#);
    /// assert_eq!(ImageContent::new(block.unwrap()).data().unwrap().raw(), "AA==");
    /// ```
    ImageContent [noted] {
        /// The image, in base64.
        pub fn data() -> str = "data", required;
        /// Its media type.
        pub fn mime_type() -> str = "mimeType", required;
        /// What a host may do with it.
        pub fn annotations() -> view(Annotations<'a>) = "annotations";
    }

    /// Sound (from 2025-03-26).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::AudioContent;
    /// let block = RawJson::validate(br#"{"type":"audio","data":"","mimeType":"audio/wav"}"#);
    /// assert_eq!(AudioContent::new(block.unwrap()).mime_type().unwrap(), "audio/wav");
    /// ```
    AudioContent [noted] {
        /// The sound, in base64.
        pub fn data() -> str = "data", required;
        /// Its media type.
        pub fn mime_type() -> str = "mimeType", required;
        /// What a host may do with it.
        pub fn annotations() -> view(Annotations<'a>) = "annotations";
    }

    /// A resource that can be read (from 2025-06-18).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ResourceLink;
    /// let block = RawJson::validate(br#"{"type":"resource_link","uri":"log:/1","name":"log"}"#);
    /// assert_eq!(ResourceLink::new(block.unwrap()).resource().uri().unwrap(), "log:/1");
    /// ```
    ResourceLink [noted] {
        /// Its address.
        pub fn uri() -> str = "uri", required;
        /// Its name in programs.
        pub fn name() -> str = "name", required;
        /// What a host may do with it.
        pub fn annotations() -> view(Annotations<'a>) = "annotations";
    }

    /// A resource with its contents.
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::EmbeddedResource;
    /// let block = br#"{"type":"resource","resource":{"uri":"log:/1","text":"ok"}}"#;
    /// let block = EmbeddedResource::new(RawJson::validate(block).unwrap());
    /// assert_eq!(block.resource().unwrap().text().unwrap(), "ok");
    /// ```
    EmbeddedResource [noted] {
        /// The resource's contents.
        pub fn resource() -> view(ResourceContents<'a>) = "resource", required;
        /// What a host may do with it.
        pub fn annotations() -> view(Annotations<'a>) = "annotations";
    }

    /// The model uses a tool (from 2025-11-25).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ToolUseContent;
    /// let block = RawJson::validate(br#"{"type":"tool_use","id":"1","name":"add","input":{}}"#);
    /// let block = ToolUseContent::new(block.unwrap());
    /// assert_eq!(block.name().unwrap(), "add");
    /// assert!(block.check().is_ok());
    /// ```
    ToolUseContent [noted] {
        /// What the result will name it by.
        pub fn id() -> str = "id", required;
        /// The tool's name.
        pub fn name() -> str = "name", required;
        /// The arguments.
        pub fn input() -> object = "input", required;
    }

    /// What came of the use of a tool (from 2025-11-25).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// use wireline::mcp::view::ToolResultContent;
    /// let block = br#"{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"3"}]}"#;
    /// let block = ToolResultContent::new(RawJson::validate(block).unwrap());
    /// assert_eq!(block.tool_use_id().unwrap(), "1");
    /// assert_eq!(block.content().count(), 1);
    /// ```
    ToolResultContent [noted] {
        /// The use's [`id`](ToolUseContent::id).
        pub fn tool_use_id() -> str = "toolUseId", required;
        /// What the tool says.
        pub fn content() -> list(Content<'a>) = "content", required;
        /// What it says as data.
        pub fn structured_content() -> any = "structuredContent";
        /// Whether it has failed.
        pub fn is_error() -> flag(false) = "isError";
    }
}

impl<'a> ResourceLink<'a> {
    /// The rest of what it says: all that a [`Resource`] of a list does.
    #[must_use]
    pub const fn resource(self) -> Resource<'a> {
        Resource::new(self.raw())
    }
}
