//! Validated fragments.

use super::scan::{Event, Finish, Scanner};
use super::{JsonKind, JsonStr, Number, walk};
use crate::fault::FaultKind;
use crate::text::Text;

/// One JSON value, validated, as it was received.
///
/// It may hold CR or LF as white space between its tokens; a writer leaves those bytes
/// out, so a fragment cannot break the framing of a line it is written into. A lone
/// surrogate escape inside a string passes, since RFC 8259 allows it; reading such a
/// string as text reports it.
///
/// ```
/// use wireline::json::{JsonKind, RawJson};
/// let value = RawJson::validate(br#" {"a": [1, "x"], "b\u0062": null} "#).unwrap();
/// assert_eq!(value.kind(), JsonKind::Object);
/// assert_eq!(value.get("bb").unwrap().as_str(), "null");
/// let a = value.get("a").unwrap();
/// assert_eq!(a.elements().count(), 2);
/// assert_eq!(a.elements().next().unwrap().as_number().unwrap().as_i64(), Some(1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RawJson<'a>(Text<'a>);

/// Why text is not one JSON value.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// [`NotJson`](FaultKind::NotJson), [`Syntax`](FaultKind::Syntax),
    /// [`Utf8`](FaultKind::Utf8), [`Cut`](FaultKind::Cut),
    /// [`Trailing`](FaultKind::Trailing) or [`TooDeep`](FaultKind::TooDeep).
    pub kind: FaultKind,
    /// Where, in bytes from the start.
    pub offset: usize,
}

impl core::fmt::Display for Invalid {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} at byte {}", self.kind.reason(), self.offset)
    }
}

impl core::error::Error for Invalid {}

/// A buffer is too small for what was to be written; nothing else has changed.
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooSmall {
    /// The bytes that are needed.
    pub needed: usize,
}

impl core::fmt::Display for TooSmall {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the buffer needs {} bytes", self.needed)
    }
}

impl core::error::Error for TooSmall {}

impl<'a> RawJson<'a> {
    /// Takes text that is one JSON value, white space around it left off, nested no
    /// deeper than 127.
    ///
    /// # Errors
    ///
    /// [`Invalid`] says what is wrong and where.
    pub fn validate(text: &'a [u8]) -> Result<Self, Invalid> {
        let mut scanner = Scanner::new(127, true);
        let (mut begin, mut end) = (0, text.len());
        let mut rest = text;
        loop {
            let event = scanner.step(&mut rest, &[]);
            let at = scanner.at();
            match event {
                Event::Need => break,
                Event::Begin(_) => begin = at.saturating_sub(1),
                Event::End => end = at,
                Event::Name | Event::LoneSurrogate => {}
                Event::TooDeep => {
                    return Err(Invalid {
                        kind: FaultKind::TooDeep,
                        offset: scanner.event_at(),
                    });
                }
                Event::Fault(kind) => {
                    return Err(Invalid {
                        kind,
                        offset: scanner.event_at(),
                    });
                }
            }
        }
        let kind = match scanner.finish() {
            Finish::Complete => match Text::found(text.get(begin..end).unwrap_or(&[])) {
                Some(value) => return Ok(RawJson(value)),
                None => FaultKind::Utf8,
            },
            Finish::Blank => FaultKind::Cut,
            Finish::Cut(kind) => {
                return Err(Invalid {
                    kind,
                    offset: scanner.event_at(),
                });
            }
        };
        Err(Invalid {
            kind,
            offset: text.len(),
        })
    }

    /// Takes text that is known to be one value, white space around it left off, because
    /// it is a part of a message or was validated before: for bindings, which hand out
    /// fragments as bytes and are given them again. Only what this type needs is looked at,
    /// UTF-8 where it is kept as `str` (with `wide`); `None` if that fails. Of text that is no
    /// value, what is read is arbitrary. What is written with it is not looked at again, so such
    /// text can make a line that is no message, or another message than was meant: text of
    /// unknown origin is for [`validate`](Self::validate).
    ///
    /// ```
    /// use wireline::json::RawJson;
    /// let list = RawJson::assume_valid(b"[1,2]").unwrap();
    /// assert_eq!(list.elements().count(), 2);
    /// ```
    #[must_use]
    pub fn assume_valid(text: &'a [u8]) -> Option<Self> {
        Text::found(text).map(RawJson)
    }

    /// Text that the scanner has found to be one value.
    pub(crate) const fn from_valid(text: Text<'a>) -> Self {
        RawJson(text)
    }

    /// The empty object.
    pub const EMPTY_OBJECT: RawJson<'static> = RawJson(Text::new("{}"));

    /// The text as it was received. For free with the feature `wide`; without it the
    /// UTF-8 is looked at once more.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.0.as_str()
    }

    /// The text's bytes as they were received.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0.as_bytes()
    }

    /// The value's type.
    #[must_use]
    pub fn kind(&self) -> JsonKind {
        let first = self.0.as_bytes().first().copied();
        JsonKind::of(first.unwrap_or_default()).unwrap_or(JsonKind::Null)
    }

    /// Whether the value is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.as_bytes() == b"null"
    }

    /// The value, if it is `true` or `false`.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self.as_bytes() {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// The value, if it is a string.
    #[must_use]
    pub fn as_json_str(&self) -> Option<JsonStr<'a>> {
        JsonStr::from_token(self.0)
    }

    /// The value, if it is a number.
    #[must_use]
    pub fn as_number(&self) -> Option<Number<'a>> {
        Number::from_token(self.0)
    }

    /// The member of this name, if the value is an object that has one; the first, if
    /// the name stands twice. Names are compared by meaning, so an escaped name is found.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<RawJson<'a>> {
        self.members()
            .find(|(key, _)| *key == *name)
            .map(|(_, value)| value)
    }

    /// The members in their order; none, if the value is not an object.
    #[must_use]
    pub fn members(&self) -> Members<'a> {
        Members(inner(self.0, b'{'))
    }

    /// The elements in their order; none, if the value is not an array.
    #[must_use]
    pub fn elements(&self) -> Elements<'a> {
        Elements(inner(self.0, b'['))
    }

    /// Writes the value without white space between its tokens into `buffer`.
    ///
    /// # Errors
    ///
    /// [`TooSmall`] with the bytes needed; what was in the buffer may be overwritten.
    pub fn compact_into<'b>(&self, buffer: &'b mut [u8]) -> Result<RawJson<'b>, TooSmall> {
        let mut needed = 0usize;
        let mut in_string = false;
        let mut escaped = false;
        for &byte in self.as_bytes() {
            if in_string {
                in_string = escaped || byte != b'"';
                escaped = !escaped && byte == b'\\';
            } else {
                match byte {
                    b' ' | b'\t' | b'\r' | b'\n' => continue,
                    b'"' => in_string = true,
                    _ => {}
                }
            }
            if let Some(slot) = buffer.get_mut(needed) {
                *slot = byte;
            }
            needed = needed.wrapping_add(1);
        }
        buffer
            .get(..needed)
            .and_then(Text::found)
            .map(RawJson)
            .ok_or(TooSmall { needed })
    }
}

impl core::fmt::Debug for RawJson<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl core::fmt::Display for RawJson<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What stands after the opening bracket, if it is this one.
fn inner(text: Text<'_>, open: u8) -> Text<'_> {
    match text.as_bytes().first() {
        Some(first) if *first == open => text.part(1, text.as_bytes().len()),
        _ => None,
    }
    .unwrap_or(Text::new(""))
}

/// Takes one value off the front, passing over a comma or colon before it; `None` at the
/// closing bracket.
fn take<'a>(rest: &mut Text<'a>) -> Option<Text<'a>> {
    let bytes = rest.as_bytes();
    let mut at = walk::skip_space(bytes, 0);
    if let Some(b',' | b':') = bytes.get(at) {
        at = walk::skip_space(bytes, at.wrapping_add(1));
    }
    if let None | Some(b'}' | b']') = bytes.get(at) {
        *rest = Text::new("");
        return None;
    }
    let end = walk::skip_value(bytes, at);
    let value = rest.part(at, end)?;
    *rest = rest.part(end, bytes.len())?;
    Some(value)
}

/// The members of an object. See [`RawJson::members`].
#[derive(Clone)]
pub struct Members<'a>(Text<'a>);

impl core::fmt::Debug for Members<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (JsonStr<'a>, RawJson<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let name = JsonStr::from_token(take(&mut self.0)?)?;
        let value = RawJson::from_valid(take(&mut self.0)?);
        Some((name, value))
    }
}

/// The elements of an array. See [`RawJson::elements`].
#[derive(Clone)]
pub struct Elements<'a>(Text<'a>);

impl core::fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = RawJson<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        take(&mut self.0).map(RawJson::from_valid)
    }
}
