//! Request ids, kept as the token that was received.

use crate::json::{JsonStr, Number};
use crate::text::Text;

/// The type of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IdKind {
    /// A number.
    Number,
    /// A string.
    String,
    /// `null`, which only [`Profile::JsonRpc`](crate::Profile::JsonRpc) takes.
    Null,
}

/// A request's id, kept as the token that was received, so that an answer carries exactly
/// what the peer wrote.
///
/// Ids are equal if their type and meaning are: `"\u0041"` equals `"A"` and `1.0` equals
/// `1`, while `1` and `"1"` differ (JSON-RPC 2.0, section 5). No id goes through a
/// floating-point number.
///
/// ```
/// use wireline::Id;
/// let mut text = [0; 20];
/// let seven = Id::integer(7, &mut text);
/// assert_eq!(seven, Id::parse(b"7.0").unwrap());
/// assert_ne!(seven, Id::parse(br#""7""#).unwrap());
/// assert_eq!(Id::parse(b"1.5"), None);
/// ```
#[derive(Clone, Copy)]
pub struct Id<'a>(Text<'a>);

impl<'a> Id<'a> {
    /// Takes an id's token: an integer or a quoted JSON string. `None` if it is neither,
    /// or holds an unpaired surrogate escape.
    #[must_use]
    pub fn parse(token: &'a [u8]) -> Option<Self> {
        let raw = crate::json::RawJson::validate(token).ok()?;
        if raw.as_bytes().len() != token.len() {
            return None;
        }
        let id = Id(Text::found(token)?);
        if let Some(text) = raw.as_json_str() {
            return text.chars().all(|c| c.is_ok()).then_some(id);
        }
        raw.as_number()?.is_integer().then_some(id)
    }

    /// An integer id, its text written into `text`.
    #[must_use]
    pub fn integer(value: i64, text: &'a mut [u8; 20]) -> Self {
        let digits = crate::json::decimal(value.unsigned_abs(), text).len();
        let mut from = text.len().saturating_sub(digits);
        if value < 0 {
            // The longest negative number fills the buffer just so.
            from = from.saturating_sub(1);
            if let Some(sign) = text.get_mut(from) {
                *sign = b'-';
            }
        }
        let digits = text.get(from..).and_then(Text::found);
        Id(digits.unwrap_or(Text::new("0")))
    }

    /// The id of an error that answers nothing in particular.
    pub(crate) const NULL: Id<'static> = Id(Text::new("null"));

    /// A token that the envelope has found usable.
    pub(crate) fn from_token(token: Text<'a>) -> Option<Self> {
        (!token.as_bytes().is_empty()).then_some(Id(token))
    }

    /// The type.
    #[must_use]
    pub fn kind(&self) -> IdKind {
        match self.as_bytes().first() {
            Some(b'"') => IdKind::String,
            Some(b'n') => IdKind::Null,
            _ => IdKind::Number,
        }
    }

    /// The token as it was received, quotes included.
    #[must_use]
    pub fn as_raw(&self) -> &'a str {
        self.0.as_str()
    }

    /// The token's bytes as they were received, quotes included.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0.as_bytes()
    }

    /// The value, if the id is an integer of this range.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        Number::from_token(self.0)?.as_i64()
    }

    /// The number, if the id is one.
    #[must_use]
    pub fn as_number(&self) -> Option<Number<'a>> {
        Number::from_token(self.0)
    }

    /// The text, if the id is a string.
    #[must_use]
    pub fn as_json_str(&self) -> Option<JsonStr<'a>> {
        JsonStr::from_token(self.0)
    }
}

impl PartialEq for Id<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.0 == other.0 {
            return true;
        }
        if let (Some(number), Some(other)) = (self.as_number(), other.as_number()) {
            return number == other;
        }
        match (self.as_json_str(), other.as_json_str()) {
            (Some(text), Some(other)) => same(text, other),
            _ => false,
        }
    }
}

/// Whether two strings mean the same. Ids hold no unpaired surrogates.
fn same(text: JsonStr<'_>, other: JsonStr<'_>) -> bool {
    let (mut text, mut other) = (text.chars(), other.chars());
    loop {
        match (text.next(), other.next()) {
            (Some(Ok(character)), Some(Ok(other))) if character == other => {}
            (None, None) => return true,
            _ => return false,
        }
    }
}

impl Eq for Id<'_> {}

impl core::fmt::Debug for Id<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_raw())
    }
}

impl core::fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_raw())
    }
}
