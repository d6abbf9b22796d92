//! The look-ups that all views share, and what is wrong with an object.

use crate::id::Id;
use crate::json::{JsonKind, JsonStr, Number, RawJson};
use crate::mcp::ResultType;

pub(super) const BOOL: Kinds = Kinds::of(JsonKind::Bool);
pub(super) const NUMBER: Kinds = Kinds::of(JsonKind::Number);
pub(super) const STRING: Kinds = Kinds::of(JsonKind::String);
pub(super) const ARRAY: Kinds = Kinds::of(JsonKind::Array);
pub(super) const OBJECT: Kinds = Kinds::of(JsonKind::Object);
pub(super) const ID: Kinds = STRING.or(NUMBER);
pub(super) const BLOCKS: Kinds = ARRAY.or(OBJECT);
pub(super) const NUMBER_OR_NULL: Kinds = NUMBER.or(Kinds::of(JsonKind::Null));
pub(super) const ANY: Kinds = Kinds(0x7e);

pub(super) fn string<'a>(object: RawJson<'a>, name: &str) -> Option<JsonStr<'a>> {
    object.get(name)?.as_json_str()
}

pub(super) fn number<'a>(object: RawJson<'a>, name: &str) -> Option<Number<'a>> {
    object.get(name)?.as_number()
}

pub(super) fn whole(object: RawJson<'_>, name: &str) -> Option<u64> {
    number(object, name)?.as_u64()
}

pub(super) fn flag(object: RawJson<'_>, name: &str, default: bool) -> bool {
    let value = object.get(name).and_then(|value| value.as_bool());
    value.unwrap_or(default)
}

pub(super) fn id<'a>(object: RawJson<'a>, name: &str) -> Option<Id<'a>> {
    Id::parse(object.get(name)?.as_bytes())
}

pub(super) fn object<'a>(object: RawJson<'a>, name: &str) -> Option<RawJson<'a>> {
    of_kind(object, name, JsonKind::Object)
}

pub(super) fn of_kind<'a>(object: RawJson<'a>, name: &str, kind: JsonKind) -> Option<RawJson<'a>> {
    object.get(name).filter(|value| value.kind() == kind)
}

pub(super) fn result_type(result: RawJson<'_>) -> Option<ResultType> {
    match result.get("resultType") {
        None => Some(ResultType::Complete),
        Some(value) => ResultType::from_json_str(value.as_json_str()?),
    }
}

/// A set of types.
///
/// ```
/// use wireline::json::JsonKind;
/// use wireline::mcp::view::Kinds;
/// let id = Kinds::of(JsonKind::String).or(Kinds::of(JsonKind::Number));
/// assert!(id.contains(JsonKind::Number) && !id.contains(JsonKind::Null));
/// assert_eq!(id.to_string(), "a number or a string");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kinds(u8);

impl Kinds {
    /// The set of one type.
    #[must_use]
    pub const fn of(kind: JsonKind) -> Self {
        Kinds(1u8.wrapping_shl(kind as u32))
    }

    /// What is in either set.
    #[must_use]
    pub const fn or(self, other: Kinds) -> Self {
        Kinds(self.0 | other.0)
    }

    /// Whether the type is in the set.
    #[must_use]
    pub const fn contains(self, kind: JsonKind) -> bool {
        self.0 & Kinds::of(kind).0 != 0
    }
}

impl core::fmt::Display for Kinds {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut or = "";
        for (kind, name) in [
            (JsonKind::Null, "null"),
            (JsonKind::Bool, "a boolean"),
            (JsonKind::Number, "a number"),
            (JsonKind::String, "a string"),
            (JsonKind::Array, "an array"),
            (JsonKind::Object, "an object"),
        ] {
            if self.contains(kind) {
                f.write_str(or)?;
                f.write_str(name)?;
                or = " or ";
            }
        }
        Ok(())
    }
}

/// A member that is missing or of another type than the protocol gives it. See
/// [`Tool::check`](super::Tool::check).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadMember {
    /// The member's name; empty, if the value itself is no object.
    pub name: &'static str,
    /// The types that it may have.
    pub wanted: Kinds,
    /// The type that it has; `None`, if it is missing.
    pub found: Option<JsonKind>,
}

impl core::fmt::Display for BadMember {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match (self.name, self.found) {
            ("", _) => f.write_str("not an object"),
            (name, None) => write!(f, "`{name}` is missing"),
            (name, Some(_)) => write!(f, "`{name}` is not {}", self.wanted),
        }
    }
}

impl core::error::Error for BadMember {}

/// Goes through an object's members and keeps the first that is bad.
pub(super) struct Check<'a> {
    object: RawJson<'a>,
    bad: Option<BadMember>,
}

impl<'a> Check<'a> {
    pub(super) fn new(object: RawJson<'a>) -> Self {
        let bad = (object.kind() != JsonKind::Object).then(|| BadMember {
            name: "",
            wanted: OBJECT,
            found: Some(object.kind()),
        });
        Check { object, bad }
    }

    fn member(&mut self, name: &'static str, wanted: Kinds, required: bool) -> &mut Self {
        if self.bad.is_none() {
            let found = self.object.get(name).map(|value| value.kind());
            let good = match found {
                None => !required,
                Some(JsonKind::Null) if !required => true,
                Some(kind) => wanted.contains(kind),
            };
            if !good {
                self.bad = Some(BadMember {
                    name,
                    wanted,
                    found,
                });
            }
        }
        self
    }

    pub(super) fn required(&mut self, name: &'static str, wanted: Kinds) -> &mut Self {
        self.member(name, wanted, true)
    }

    pub(super) fn optional(&mut self, name: &'static str, wanted: Kinds) -> &mut Self {
        self.member(name, wanted, false)
    }

    pub(super) fn done(&self) -> Result<(), BadMember> {
        self.bad.map_or(Ok(()), Err)
    }
}
