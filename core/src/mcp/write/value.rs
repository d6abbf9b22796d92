//! What members are made of.

use crate::json::{Base64, JsonKind, JsonStr, Number, RawJson, ToJson, Writer};

const fn of(kind: JsonKind) -> u8 {
    1u8.wrapping_shl(kind as u32)
}

/// Types that a value may have, as bits.
pub(super) const STRING: u8 = of(JsonKind::String);
pub(super) const OBJECT: u8 = of(JsonKind::Object);
pub(super) const ARRAY: u8 = of(JsonKind::Array);
pub(super) const ANY: u8 = 0xff;

pub(super) fn put_str(w: &mut Writer<'_>, name: &str, value: &str) {
    w.key(name).string(value);
}

pub(super) fn put_text(w: &mut Writer<'_>, name: &str, value: &Text<'_>) {
    value.write_json(w.key(name));
}

pub(super) fn put_flag(w: &mut Writer<'_>, name: &str, value: bool) {
    w.key(name).bool(value);
}

pub(super) fn put_whole(w: &mut Writer<'_>, name: &str, value: u64) {
    w.key(name).uint(value);
}

pub(super) fn put_json(w: &mut Writer<'_>, name: &str, value: &dyn ToJson, kinds: u8) {
    w.key(name).payload(value, kinds);
}

/// A value of the caller's.
#[derive(Clone, Copy)]
pub(super) struct Json<'a>(pub(super) &'a dyn ToJson);

impl core::fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Json")
    }
}

/// A slice, and the function that writes it: kept together, so that only images that give
/// the slice have what writes it. The function takes elements of any lifetime, so that what
/// is longer borrowed serves for what is shorter borrowed.
#[derive(Clone, Copy)]
pub(super) struct Slice<I, F> {
    pub(super) items: I,
    pub(super) write: F,
}

impl<I: core::fmt::Debug, F> core::fmt::Debug for Slice<I, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.items.fmt(f)
    }
}

/// A string to be written: one's own, or one that was received and goes back as it is.
///
/// ```
/// use wireline::json::{self, RawJson};
/// use wireline::mcp::view;
/// use wireline::mcp::write::{PageParams, Text, TextContent};
///
/// let page = RawJson::validate(br#"{"nextCursor":"\u0070\/2"}"#).unwrap();
/// let cursor = view::ListToolsResult::new(page).next_cursor().unwrap();
/// let next = PageParams::new().cursor(cursor);
/// assert_eq!(json::write(&next, &mut [0; 40]), Ok(&br#"{"cursor":"\u0070\/2"}"#[..]));
///
/// let degrees = 21;
/// let mut buffer = [0; 64];
/// let text = json::write(&TextContent::new(&format_args!("{degrees} °C")), &mut buffer);
/// assert_eq!(text, Ok(r#"{"type":"text","text":"21 °C"}"#.as_bytes()));
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Text<'a> {
    /// Text.
    Str(&'a str),
    /// A string that was received, written with the escapes it had.
    Json(JsonStr<'a>),
    /// What writes itself as a string, as [`core::fmt::Arguments`] does. What writes
    /// anything else is [`WriteError::BadPayload`](crate::json::WriteError::BadPayload).
    Value(&'a dyn ToJson),
}

impl core::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Text::Str(text) => text.fmt(f),
            Text::Json(text) => text.fmt(f),
            Text::Value(_) => f.write_str("Value"),
        }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Text::Str(text)
    }
}

impl<'a> From<JsonStr<'a>> for Text<'a> {
    fn from(text: JsonStr<'a>) -> Self {
        Text::Json(text)
    }
}

impl<'a> From<&'a core::fmt::Arguments<'a>> for Text<'a> {
    fn from(text: &'a core::fmt::Arguments<'a>) -> Self {
        Text::Value(text)
    }
}

impl ToJson for Text<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self {
            Text::Str(text) => w.string(text),
            Text::Json(text) => w.json_str(*text),
            Text::Value(text) => w.payload(*text, STRING),
        };
    }
}

/// A number to be written: an integer, or decimal text that is kept as it is.
///
/// ```
/// use wireline::json::{self, Number};
/// use wireline::mcp::write::ProgressParams;
/// let half = Number::new("0.50").unwrap();
/// let progress = ProgressParams::new("t", half).total(1);
/// assert_eq!(
///     json::write(&progress, &mut [0; 64]),
///     Ok(&br#"{"progressToken":"t","progress":0.50,"total":1}"#[..]),
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Amount<'a> {
    /// An integer.
    Int(i64),
    /// An integer that is not negative.
    Uint(u64),
    /// Any number.
    Decimal(Number<'a>),
}

impl From<i32> for Amount<'_> {
    fn from(value: i32) -> Self {
        Amount::Int(value.into())
    }
}

impl From<i64> for Amount<'_> {
    fn from(value: i64) -> Self {
        Amount::Int(value)
    }
}

impl From<u32> for Amount<'_> {
    fn from(value: u32) -> Self {
        Amount::Uint(value.into())
    }
}

impl From<u64> for Amount<'_> {
    fn from(value: u64) -> Self {
        Amount::Uint(value)
    }
}

impl<'a> From<Number<'a>> for Amount<'a> {
    fn from(value: Number<'a>) -> Self {
        Amount::Decimal(value)
    }
}

impl ToJson for Amount<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self {
            Amount::Int(value) => w.int(*value),
            Amount::Uint(value) => w.uint(*value),
            Amount::Decimal(value) => w.number(*value),
        };
    }
}

/// Bytes to be written in base64, or base64 that is there already.
///
/// ```
/// use wireline::json;
/// use wireline::mcp::write::ImageContent;
/// let image = ImageContent::new(&[1, 2, 3], "image/x");
/// assert_eq!(
///     json::write(&image, &mut [0; 64]),
///     Ok(&br#"{"type":"image","data":"AQID","mimeType":"image/x"}"#[..]),
/// );
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Blob<'a> {
    /// Bytes.
    Bytes(&'a [u8]),
    /// Base64. It is not looked at.
    Base64(Text<'a>),
}

impl<'a> From<&'a [u8]> for Blob<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Blob::Bytes(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Blob<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Blob::Bytes(bytes)
    }
}

/// Base64 that was received.
impl<'a> From<JsonStr<'a>> for Blob<'a> {
    fn from(text: JsonStr<'a>) -> Self {
        Blob::Base64(text.into())
    }
}

impl ToJson for Blob<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self {
            Blob::Bytes(bytes) => Base64(bytes).write_json(w),
            Blob::Base64(text) => text.write_json(w),
        }
    }
}

/// A list to be written: a slice, or what a function gives one by one.
///
/// ```
/// use wireline::json;
/// use wireline::mcp::write::{CallToolResult, List, TextContent};
///
/// let readings = [17, 21];
/// let each = |list: &mut wireline::mcp::write::Items<'_, '_>| {
///     for reading in readings {
///         list.push(&TextContent::new(&format_args!("{reading}")));
///     }
/// };
/// let result = CallToolResult::new(List::each(&each));
/// let mut buffer = [0; 100];
/// let text = json::write(&result, &mut buffer).unwrap();
/// assert_eq!(text, br#"{"content":[{"type":"text","text":"17"},{"type":"text","text":"21"}]}"#);
///
/// let said = [TextContent::new("17")];
/// let result = CallToolResult::new(&said).is_error(true);
/// let text = json::write(&result, &mut buffer).unwrap();
/// assert_eq!(text, br#"{"content":[{"type":"text","text":"17"}],"isError":true}"#);
/// ```
pub struct List<'a, T>(Source<'a, T>);

enum Source<'a, T> {
    Slice(&'a [T]),
    Each(&'a dyn Fn(&mut Items<'_, '_>)),
}

impl<'a> List<'a, RawJson<'a>> {
    /// What a function pushes. It may be asked several times, and must push the same every
    /// time.
    #[must_use]
    pub const fn each(push: &'a dyn Fn(&mut Items<'_, '_>)) -> Self {
        List(Source::Each(push))
    }
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<'_, T> {}

impl<T> Clone for Source<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Source<'_, T> {}

impl<T> core::fmt::Debug for List<'_, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            Source::Slice(slice) => write!(f, "List of {}", slice.len()),
            Source::Each(_) => f.write_str("List"),
        }
    }
}

impl<'a, T> From<&'a [T]> for List<'a, T> {
    fn from(slice: &'a [T]) -> Self {
        List(Source::Slice(slice))
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for List<'a, T> {
    fn from(array: &'a [T; N]) -> Self {
        List(Source::Slice(array))
    }
}

impl<T: ToJson> ToJson for List<'_, T> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self.0 {
            Source::Slice(slice) => slice.write_json(w),
            Source::Each(push) => {
                w.begin_array();
                push(&mut Items(w));
                w.end_array();
            }
        }
    }
}

/// Takes the elements of a list. See [`List::each`].
#[derive(Debug)]
pub struct Items<'w, 'b>(&'w mut Writer<'b>);

impl Items<'_, '_> {
    /// Writes the next element.
    pub fn push(&mut self, item: &dyn ToJson) -> &mut Self {
        self.0.value(item);
        self
    }
}

/// One block of content, or several in an array, as sampling allows from 2025-11-25 on.
///
/// ```
/// use wireline::json;
/// use wireline::mcp::{Role, write::{Blocks, SamplingMessage, TextContent}};
/// let blocks = [TextContent::new("a"), TextContent::new("b")];
/// let message = SamplingMessage::new(Role::User, Blocks::several(&blocks));
/// let mut buffer = [0; 128];
/// let text = json::write(&message, &mut buffer).unwrap();
/// assert!(text.starts_with(br#"{"role":"user","content":[{"type":"text","text":"a"},"#));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Blocks<'a, T> {
    /// One, without an array.
    One(T),
    /// Several.
    Several(List<'a, T>),
}

impl<'a, T> Blocks<'a, T> {
    /// Several, from a slice or a [`List`].
    #[must_use]
    pub fn several(blocks: impl Into<List<'a, T>>) -> Self {
        Blocks::Several(blocks.into())
    }
}

impl<T: ToJson> ToJson for Blocks<'_, T> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self {
            Blocks::One(block) => block.write_json(w),
            Blocks::Several(blocks) => blocks.write_json(w),
        }
    }
}
