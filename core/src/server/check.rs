//! Values against a schema.

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
#[derive(Clone, Copy)]
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
    match fits(schema, value, &mut note) {
        true => Ok(()),
        false => Err(Mismatch(note)),
    }
}

/// Says what is wrong with the value whose path the note holds.
fn wrong(note: &mut Note, what: &str, with: &[u8]) -> bool {
    note.reason(what, with);
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

/// A count that a keyword gives. The table is in order, so it is there.
fn count(limit: RawJson<'_>) -> usize {
    let limit = limit.as_number().and_then(|number| number.as_u64());
    limit
        .and_then(|limit| usize::try_from(limit).ok())
        .unwrap_or(usize::MAX)
}

/// Whether the value fits. It calls itself no deeper than schemas may stand in one another.
pub(super) fn fits(schema: RawJson<'_>, value: RawJson<'_>, note: &mut Note) -> bool {
    let bits = bits(value);
    let mut properties = None;
    let mut additional = None;
    for (keyword, limit) in schema.members() {
        // No keyword holds an escape.
        let ok = match keyword.raw_bytes() {
            b"type" => match limit.as_json_str() {
                Some(name) if type_bit(name) & bits == 0 => {
                    return wrong(note, "not of type ", name.raw_bytes());
                }
                Some(_) => true,
                None => {
                    let mut types = limit.elements().filter_map(|name| name.as_json_str());
                    if !types.any(|name| type_bit(name) & bits != 0) {
                        return wrong(note, "of a type that is not allowed", b"");
                    }
                    true
                }
            },
            b"enum" => limit.elements().any(|allowed| equal(allowed, value)),
            b"const" => equal(limit, value),
            b"minimum" => match (limit.as_number(), value.as_number()) {
                (Some(limit), Some(value)) if value < limit => {
                    return wrong(note, "less than ", limit.as_bytes());
                }
                _ => true,
            },
            b"maximum" => match (limit.as_number(), value.as_number()) {
                (Some(limit), Some(value)) if value > limit => {
                    return wrong(note, "more than ", limit.as_bytes());
                }
                _ => true,
            },
            b"minLength" => match value.as_json_str() {
                Some(text) if text.chars().count() < count(limit) => {
                    return wrong(note, "shorter than ", limit.as_bytes());
                }
                _ => true,
            },
            b"maxLength" => match value.as_json_str() {
                Some(text) if text.chars().count() > count(limit) => {
                    return wrong(note, "longer than ", limit.as_bytes());
                }
                _ => true,
            },
            b"minItems" if bits == 32 && value.elements().count() < count(limit) => {
                return wrong(note, "fewer elements than ", limit.as_bytes());
            }
            b"maxItems" if bits == 32 && value.elements().count() > count(limit) => {
                return wrong(note, "more elements than ", limit.as_bytes());
            }
            b"items" => {
                for (index, element) in value.elements().enumerate() {
                    let path = note.enter_index(index);
                    if !fits(limit, element, note) {
                        return false;
                    }
                    note.leave(path);
                }
                true
            }
            b"properties" => {
                properties = Some(limit);
                true
            }
            b"additionalProperties" => {
                additional = Some(limit);
                true
            }
            b"required" => {
                for name in limit.elements().filter_map(|name| name.as_json_str()) {
                    if bits == 64 && !value.members().any(|(member, _)| member == name) {
                        note.enter(name);
                        return wrong(note, "missing", b"");
                    }
                }
                true
            }
            _ => true,
        };
        if !ok {
            return wrong(note, "not one of the values allowed", b"");
        }
    }
    if bits == 64 && (properties.is_some() || additional.is_some()) {
        return members_fit(properties, additional, value, note);
    }
    true
}

fn members_fit(
    properties: Option<RawJson<'_>>,
    additional: Option<RawJson<'_>>,
    value: RawJson<'_>,
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
                    return wrong(note, "there twice", b"");
                }
                Some(schema)
            }
            (None, Some(schema)) => match schema.as_bool() {
                Some(true) => None,
                Some(false) => return wrong(note, "not allowed", b""),
                None => Some(schema),
            },
            (None, None) => None,
        };
        if let Some(schema) = schema
            && !fits(schema, member, note)
        {
            return false;
        }
        note.leave(path);
    }
    true
}
