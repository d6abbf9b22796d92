//! Values against a schema.

use core::cmp::Ordering;

use super::grammar::MAX_SCHEMAS;
use super::note::Note;
use super::schema::TYPES;
use crate::json::{JsonKind, JsonStr, RawJson};

/// Why a value does not fit a schema: the path of the member that is wrong, as a JSON
/// pointer (RFC 6901, without its escapes), and what is wrong with it, in at most 120 bytes.
///
/// A path that is too long ends with `…`.
///
/// ```
/// use wireline::json::RawJson;
/// let schema = wireline::schema!({ "on": bool });
/// let value = RawJson::validate(b"{}").unwrap();
/// assert_eq!(schema.check(value).unwrap_err().as_str(), "/on: missing");
/// ```
#[derive(Clone)]
pub struct Mismatch(Note);

impl Mismatch {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl core::fmt::Debug for Mismatch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Mismatch({:?})", self.as_str())
    }
}

impl core::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl core::error::Error for Mismatch {}

pub(super) fn check(schema: RawJson<'_>, value: RawJson<'_>) -> Result<(), Mismatch> {
    let mut note = Note::new();
    match fits(schema, value, MAX_SCHEMAS, &mut note) {
        true => Ok(()),
        false => Err(Mismatch(note)),
    }
}

/// The keywords that are looked at, and what each asks. No keyword holds an escape.
///
/// A table, since each literal that is matched against is some dozen instructions.
static KEYWORDS: [(&str, Keyword); 13] = [
    ("type", Keyword::Type),
    ("enum", Keyword::OneOf),
    ("const", Keyword::OneOf),
    ("items", Keyword::Items),
    ("properties", Keyword::Properties),
    ("additionalProperties", Keyword::Additional),
    ("required", Keyword::Required),
    ("minimum", Keyword::Least(Of::Value)),
    ("minLength", Keyword::Least(Of::Length)),
    ("minItems", Keyword::Least(Of::Items)),
    ("maximum", Keyword::Most(Of::Value)),
    ("maxLength", Keyword::Most(Of::Length)),
    ("maxItems", Keyword::Most(Of::Items)),
];

#[derive(Clone, Copy)]
enum Keyword {
    Type,
    OneOf,
    Items,
    Properties,
    Additional,
    Required,
    Least(Of),
    Most(Of),
}

/// What a limit is of.
#[derive(Clone, Copy)]
enum Of {
    Value,
    Length,
    Items,
}

/// Says what is wrong with the value whose path the note holds.
fn wrong(note: &mut Note, what: &str) -> bool {
    note.reason(what);
    false
}

/// The type's bit, and that of the types it counts as.
fn bits(value: RawJson<'_>) -> u8 {
    match value.kind() {
        JsonKind::Null => 1,
        JsonKind::Bool => 2,
        JsonKind::Number => match value.as_number() {
            Some(number) if number.is_integer() => 4 | 8,
            _ => 8,
        },
        JsonKind::String => 16,
        JsonKind::Array => 32,
        JsonKind::Object => 64,
    }
}

fn type_bit(name: JsonStr<'_>) -> u8 {
    TYPES
        .iter()
        .find(|(known, _)| name == *known)
        .map_or(0, |(_, bit)| *bit)
}

fn equal(one: RawJson<'_>, other: RawJson<'_>) -> bool {
    match (one.as_json_str(), other.as_json_str()) {
        (Some(one), Some(other)) => return one == other,
        (None, None) => {}
        _ => return false,
    }
    match (one.as_number(), other.as_number()) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.as_bytes() == other.as_bytes(),
        _ => false,
    }
}

/// Whether the value fits. It calls itself no deeper than schemas may stand in one another, also
/// where one that nobody has looked at goes deeper: `depth` is how many may still.
pub(super) fn fits(schema: RawJson<'_>, value: RawJson<'_>, depth: u8, note: &mut Note) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let bits = bits(value);
    let mut properties = None;
    let mut additional = None;
    for (keyword, limit) in schema.members() {
        let known = KEYWORDS.iter().find(|(name, _)| keyword == *name);
        let Some((_, keyword)) = known else { continue };
        match *keyword {
            Keyword::Type => {
                if let Some(name) = limit.as_json_str() {
                    if type_bit(name) & bits == 0 {
                        wrong(note, "not of type ");
                        note.push_json_str(name);
                        return false;
                    }
                } else if !any(limit, |name| {
                    name.as_json_str().map_or(0, type_bit) & bits != 0
                }) {
                    return wrong(note, "of a type that is not allowed");
                }
            }
            Keyword::OneOf => {
                let allowed = match limit.kind() {
                    JsonKind::Array => any(limit, |allowed| equal(allowed, value)),
                    _ => equal(limit, value),
                };
                if !allowed {
                    return wrong(note, "not one of the values allowed");
                }
            }
            Keyword::Items => {
                for (index, element) in value.elements().enumerate() {
                    let path = note.enter_index(index);
                    if !fits(limit, element, depth, note) {
                        return false;
                    }
                    note.leave(path);
                }
            }
            Keyword::Properties => properties = Some(limit),
            Keyword::Additional => additional = Some(limit),
            Keyword::Required if bits == 64 => {
                for name in limit.elements().filter_map(|name| name.as_json_str()) {
                    if !value.members().any(|(member, _)| member == name) {
                        note.enter(name);
                        return wrong(note, "missing");
                    }
                }
            }
            Keyword::Required => {}
            Keyword::Least(of) => {
                if compared(of, value, limit) == Ordering::Less {
                    return outside(note, "less than ", limit, of);
                }
            }
            Keyword::Most(of) => {
                if compared(of, value, limit) == Ordering::Greater {
                    return outside(note, "more than ", limit, of);
                }
            }
        }
    }
    if bits == 64 && (properties.is_some() || additional.is_some()) {
        return members_fit(properties, additional, value, depth, note);
    }
    true
}

/// Whether one of the elements is such.
fn any(list: RawJson<'_>, is: impl Fn(RawJson<'_>) -> bool) -> bool {
    list.elements().any(is)
}

/// How a value compares with a limit; as equal, if the limit is of values of another type.
fn compared(of: Of, value: RawJson<'_>, limit: RawJson<'_>) -> Ordering {
    let Some(limit) = limit.as_number() else {
        return Ordering::Equal;
    };
    let count = match of {
        Of::Value => {
            return value
                .as_number()
                .map_or(Ordering::Equal, |it| it.cmp(&limit));
        }
        Of::Length => value.as_json_str().map(|text| text.chars().count()),
        Of::Items if value.kind() == JsonKind::Array => Some(value.elements().count()),
        Of::Items => None,
    };
    match (count, limit.as_u64()) {
        (Some(count), Some(limit)) => (count as u64).cmp(&limit),
        _ => Ordering::Equal,
    }
}

fn outside(note: &mut Note, what: &str, limit: RawJson<'_>, of: Of) -> bool {
    wrong(note, what);
    note.push_ascii(limit.as_bytes());
    note.push_str(match of {
        Of::Value => "",
        Of::Length => " characters",
        Of::Items => " elements",
    });
    false
}

fn members_fit(
    properties: Option<RawJson<'_>>,
    additional: Option<RawJson<'_>>,
    value: RawJson<'_>,
    depth: u8,
    note: &mut Note,
) -> bool {
    for (at, (name, member)) in value.members().enumerate() {
        let path = note.enter(name);
        let known = properties
            .iter()
            .flat_map(|properties| properties.members())
            .find(|(property, _)| *property == name);
        let schema = match (known, additional) {
            (Some((_, schema)), _) => {
                let mut before = value.members().take(at);
                if before.any(|(earlier, _)| earlier == name) {
                    return wrong(note, "there twice");
                }
                Some(schema)
            }
            (None, Some(schema)) => match schema.as_bool() {
                Some(true) => None,
                Some(false) => return wrong(note, "not allowed"),
                None => Some(schema),
            },
            (None, None) => None,
        };
        if let Some(schema) = schema
            && !fits(schema, member, depth, note)
        {
            return false;
        }
        note.leave(path);
    }
    true
}
