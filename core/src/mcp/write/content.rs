//! Blocks of content: text, images, audio, resources, and uses of tools.

use super::*;

/// A block of content of any type, for lists of several types. A list of one type is
/// written from a slice of that type.
///
/// ```
/// use wireline::json;
/// use wireline::mcp::write::{CallToolResult, Content, ImageContent, TextContent};
/// let blocks: [Content; 2] =
///     [TextContent::new("see").into(), ImageContent::new(&[0], "image/x").into()];
/// assert_eq!(
///     json::write(&CallToolResult::new(&blocks), &mut [0; 128]),
///     Ok(&br#"{"content":[{"type":"text","text":"see"},{"type":"image","data":"AA==","mimeType":"image/x"}]}"#[..]),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
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
    /// A block that is there already.
    Raw(RawJson<'a>),
}

macro_rules! contents {
    ($($variant:ident($t:ident)),*) => {
        $(impl<'a> From<$t<'a>> for Content<'a> {
            fn from(block: $t<'a>) -> Self {
                Content::$variant(block)
            }
        })*

        impl ToJson for Content<'_> {
            fn write_json(&self, w: &mut Writer<'_>) {
                match self { $(Content::$variant(block) => block.write_json(w),)* }
            }
        }
    };
}

contents!(
    Text(TextContent),
    Image(ImageContent),
    Audio(AudioContent),
    ResourceLink(ResourceLink),
    Resource(EmbeddedResource),
    ToolUse(ToolUseContent),
    Raw(RawJson)
);

writers! {
    /// A block of text.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::TextContent;
    /// let text = json::write(&TextContent::new("a\nb"), &mut [0; 40]).map(<[u8]>::len);
    /// assert_eq!(text, Ok(r#"{"type":"text","text":"a\nb"}"#.len()));
    /// ```
    TextContent: [noted] ("type" = "text") {
        text: text = "text";
        /// What a host may do with it.
        pub fn annotations() -> by(Annotations<'a>) = "annotations";
    }

    /// An image: its bytes and media type.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::ImageContent;
    /// assert!(json::measure(&ImageContent::new(&[0; 300], "image/png")).unwrap() > 400);
    /// ```
    ImageContent: [noted] ("type" = "image") {
        data: blob = "data";
        mime_type: str = "mimeType";
        /// What a host may do with it.
        pub fn annotations() -> by(Annotations<'a>) = "annotations";
    }

    /// Sound: its bytes and media type (from 2025-03-26).
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::AudioContent;
    /// assert!(json::measure(&AudioContent::new(&[0; 300], "audio/wav")).unwrap() > 400);
    /// ```
    AudioContent: [noted] ("type" = "audio") {
        data: blob = "data";
        mime_type: str = "mimeType";
        /// What a host may do with it.
        pub fn annotations() -> by(Annotations<'a>) = "annotations";
    }

    /// A resource that can be read: its address and name (from 2025-06-18).
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::ResourceLink;
    /// assert_eq!(
    ///     json::write(&ResourceLink::new("log:/1", "log"), &mut [0; 64]),
    ///     Ok(&br#"{"type":"resource_link","uri":"log:/1","name":"log"}"#[..]),
    /// );
    /// ```
    ResourceLink: const [noted] ("type" = "resource_link") {
        uri: str = "uri";
        name: str = "name";
        /// Its name for people.
        pub fn title() -> str = "title";
        /// What it is, for a model to read.
        pub fn description() -> str = "description";
        /// Its media type.
        pub fn mime_type() -> str = "mimeType";
        /// Its size in bytes, before base64.
        pub fn size() -> whole = "size";
        /// What a host may do with it.
        pub fn annotations() -> by(Annotations<'a>) = "annotations";
        /// Its icons (from 2025-11-25).
        pub fn icons() -> slice(Icon) = "icons";
    }

    /// A resource with its contents.
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{EmbeddedResource, TextResource};
    /// let block = EmbeddedResource::new(TextResource::new("log:/1", "ok").into());
    /// assert_eq!(
    ///     json::write(&block, &mut [0; 64]),
    ///     Ok(&br#"{"type":"resource","resource":{"uri":"log:/1","text":"ok"}}"#[..]),
    /// );
    /// ```
    EmbeddedResource: const [noted] ("type" = "resource") {
        resource: of(ResourceContents<'a>) = "resource";
        /// What a host may do with it.
        pub fn annotations() -> by(Annotations<'a>) = "annotations";
    }

    /// The model uses a tool: an id of one's own, the tool's name, and its arguments, an
    /// object (from 2025-11-25).
    ///
    /// ```
    /// use wireline::json::{self, RawJson};
    /// use wireline::mcp::write::ToolUseContent;
    /// assert_eq!(
    ///     json::write(&ToolUseContent::new("1", "temp", &RawJson::EMPTY_OBJECT), &mut [0; 64]),
    ///     Ok(&br#"{"type":"tool_use","id":"1","name":"temp","input":{}}"#[..]),
    /// );
    /// ```
    ToolUseContent: const [noted] ("type" = "tool_use") {
        id: str = "id";
        name: str = "name";
        input: json(OBJECT) = "input";
    }

    /// What came of the use of a tool: the use's id, and blocks of content (from
    /// 2025-11-25).
    ///
    /// ```
    /// use wireline::json;
    /// use wireline::mcp::write::{TextContent, ToolResultContent};
    /// assert_eq!(
    ///     json::write(&ToolResultContent::new("1", &[TextContent::new("3")]), &mut [0; 96]),
    ///     Ok(&br#"{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"3"}]}"#[..]),
    /// );
    /// ```
    ToolResultContent<T = Content<'a>>: [noted] ("type" = "tool_result") {
        tool_use_id: text = "toolUseId";
        content: list(T) = "content";
        /// What it says as data. An object, but in 2026-07-28 any value.
        pub fn structured_content() -> json(ANY) = "structuredContent";
        /// Whether it has failed.
        pub fn is_error() -> flag = "isError";
    }
}
