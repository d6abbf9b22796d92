//! JSON and the supported part of JSON Schema, read where a table is built: by the compiler.

use super::lexis::{Rest, fail, integer, plain, read_between, rest, scalar, skip, space, string};
use super::schema::{KEYWORDS, SchemaError, SchemaFault, TYPES, Takes};
use super::table::same_bytes;

/// Schemas inside one another, at most.
pub(super) const MAX_SCHEMAS: u8 = 8;

/// Containers inside one another in an annotation's value (`default`, `examples`), and in
/// JSON that is not read as a schema, at most.
const MAX_DEPTH: u8 = 20;

/// Any value, with so many containers inside one another.
const fn value(text: &[u8], depth: u8) -> Rest<'_> {
    match text {
        [b'{' | b'[', ..] if depth == 0 => fail(SchemaFault::TooDeep, text),
        [b'{', ..] => match members(text, Members::Any, depth.saturating_sub(1)) {
            Ok((rest, _)) => Ok(rest),
            Err(error) => Err(error),
        },
        [b'[', rest @ ..] => {
            let mut rest = space(rest);
            if let [b']', rest @ ..] = rest {
                return Ok(rest);
            }
            loop {
                rest = space(rest!(value(rest, depth.saturating_sub(1))));
                match rest {
                    [b',', more @ ..] => rest = space(more),
                    [b']', more @ ..] => return Ok(more),
                    _ => return fail(SchemaFault::Syntax, rest),
                }
            }
        }
        _ => scalar(text),
    }
}

/// Names that may have come before: a bit for each value of a hash. Where it is set, they
/// are looked at.
#[derive(Clone, Copy)]
struct Seen([u64; 8]);

impl Seen {
    const NONE: Seen = Seen([0; 8]);

    /// Adds a name; `true` if it may have been there.
    const fn add(&mut self, mut name: &[u8]) -> bool {
        let mut hash = 0u32;
        while let [byte, rest @ ..] = name {
            hash = (hash ^ *byte as u32).wrapping_mul(0x0100_0193);
            name = rest;
        }
        let bit = 1u64.wrapping_shl(hash.wrapping_shr(8));
        let mut word = hash.wrapping_shr(20) & 7;
        let mut words: &mut [u64] = &mut self.0;
        while let [first, rest @ ..] = words {
            if word == 0 {
                let there = *first & bit != 0;
                *first |= bit;
                return there;
            }
            word = word.wrapping_sub(1);
            words = rest;
        }
        true
    }
}

/// What the members of an object are.
#[derive(Clone, Copy)]
enum Members {
    /// A schema's keywords.
    Keywords,
    /// Names, each with a schema.
    Schemas,
    /// Anything.
    Any,
}

/// The value of the member of this name, between two places in an object, of which the
/// first stands before a name.
const fn find<'a>(from: &'a [u8], upto: &[u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut rest = from;
    while rest.len() > upto.len() {
        let Ok(after) = string(rest) else {
            return None;
        };
        let token = read_between(rest, after);
        let [b':', after @ ..] = space(after) else {
            return None;
        };
        let begin = space(after);
        if same_bytes(token, name) {
            return Some(begin);
        }
        let [b',', after @ ..] = space(skip(begin)) else {
            return None;
        };
        rest = space(after);
    }
    None
}

/// Whether a schema says `"type":"object"`.
type IsObject = bool;

const fn members(
    text: &[u8],
    what: Members,
    depth: u8,
) -> Result<(&[u8], IsObject), (SchemaFault, usize)> {
    let [b'{', rest @ ..] = text else {
        return Err((SchemaFault::Value, text.len()));
    };
    let first = space(rest);
    let mut rest = first;
    if let [b'}', rest @ ..] = rest {
        return Ok((rest, false));
    }
    let mut seen = Seen::NONE;
    let (mut required, mut properties): (&[u8], &[u8]) = (&[], &[]);
    let mut is_object = false;
    loop {
        let begin = rest;
        let after = match what {
            Members::Any => rest!(string(begin)),
            _ => rest!(plain(begin)),
        };
        let name = read_between(begin, after);
        if seen.add(name) && find(first, begin, name).is_some() {
            return Err((SchemaFault::Duplicate, begin.len()));
        }
        rest = space(after);
        let [b':', after @ ..] = rest else {
            return Err((SchemaFault::Syntax, rest.len()));
        };
        let value_at = space(after);
        rest = match what {
            Members::Any => rest!(value(value_at, depth)),
            Members::Schemas => match schema(value_at, depth) {
                Ok((rest, _)) => rest,
                Err(error) => return Err(error),
            },
            Members::Keywords => rest!(keyword(begin, name, value_at, depth)),
        };
        if matches!(what, Members::Keywords) {
            if same_bytes(name, b"\"required\"") {
                required = value_at;
            } else if same_bytes(name, b"\"properties\"") {
                properties = value_at;
            } else if same_bytes(name, b"\"type\"") {
                is_object = same_bytes(read_between(value_at, rest), b"\"object\"");
            }
        }
        rest = space(rest);
        match rest {
            [b',', more @ ..] => rest = space(more),
            [b'}', more @ ..] => {
                rest = more;
                break;
            }
            _ => return Err((SchemaFault::Syntax, rest.len())),
        }
    }
    if let [b'[', names @ ..] = required {
        rest!(required_are_there(names, properties));
    }
    Ok((rest, is_object))
}

/// Whether every name that `required` lists has a schema in `properties`. They mostly come
/// in the same order, so each is looked for from where the last one was found.
const fn required_are_there<'a>(names: &'a [u8], properties: &[u8]) -> Rest<'a> {
    let first = match properties {
        [b'{', rest @ ..] => space(rest),
        _ => &[],
    };
    let mut from = first;
    let mut rest = space(names);
    while let [b'"', ..] = rest {
        let Ok(after) = string(rest) else {
            break;
        };
        let name = read_between(rest, after);
        let found = match find(from, &[], name) {
            Some(found) => Some(found),
            None => find(first, from, name),
        };
        let Some(found) = found else {
            return fail(SchemaFault::Required, rest);
        };
        from = match space(skip(found)) {
            [b',', more @ ..] => space(more),
            _ => first,
        };
        rest = match space(after) {
            [b',', more @ ..] => space(more),
            other => other,
        };
    }
    Ok(rest)
}

/// What the elements of a keyword's array are.
#[derive(Clone, Copy)]
enum Elements {
    Names,
    Types,
    Scalars,
}

/// An array of different elements, at least one if they are types or values.
const fn list(text: &[u8], what: Elements) -> Rest<'_> {
    let [b'[', rest @ ..] = text else {
        return fail(SchemaFault::Value, text);
    };
    let first = space(rest);
    let mut rest = first;
    if let [b']', more @ ..] = rest {
        return match what {
            Elements::Names => Ok(more),
            _ => fail(SchemaFault::Value, rest),
        };
    }
    let mut seen = Seen::NONE;
    loop {
        let after = match what {
            Elements::Names => rest!(plain(rest)),
            Elements::Types => rest!(type_name(rest)),
            Elements::Scalars => rest!(scalar(rest)),
        };
        let element = read_between(rest, after);
        if seen.add(element) && stands_before(first, rest, element) {
            return fail(SchemaFault::Duplicate, rest);
        }
        rest = space(after);
        match rest {
            [b',', more @ ..] => rest = space(more),
            [b']', more @ ..] => return Ok(more),
            _ => return fail(SchemaFault::Syntax, rest),
        }
    }
}

/// Whether an element stands in a list up to a place.
const fn stands_before(list: &[u8], upto: &[u8], element: &[u8]) -> bool {
    let mut rest = list;
    while rest.len() > upto.len() {
        let Ok(after) = scalar(rest) else {
            return false;
        };
        if same_bytes(read_between(rest, after), element) {
            return true;
        }
        rest = match space(after) {
            [b',', more @ ..] => space(more),
            _ => return false,
        };
    }
    false
}

/// Whether a token is this string.
const fn is(token: &[u8], text: &str) -> bool {
    match token {
        [b'"', inner @ .., b'"'] => same_bytes(inner, text.as_bytes()),
        _ => false,
    }
}

const fn type_name(text: &[u8]) -> Rest<'_> {
    let rest = rest!(plain(text));
    let token = read_between(text, rest);
    let mut known = TYPES;
    while let [(name, _), more @ ..] = known {
        if is(token, name) {
            return Ok(rest);
        }
        known = more;
    }
    fail(SchemaFault::Value, text)
}

/// The value of the keyword of this name, which stands at `at`.
const fn keyword<'a>(at: &'a [u8], name: &[u8], text: &'a [u8], depth: u8) -> Rest<'a> {
    let mut known = KEYWORDS;
    let takes = loop {
        match known {
            [(word, takes), more @ ..] => {
                if is(name, word) {
                    break *takes;
                }
                known = more;
            }
            [] => return fail(SchemaFault::Keyword, at),
        }
    };
    match (takes, text) {
        (Takes::Types, [b'[', ..]) => list(text, Elements::Types),
        (Takes::Types, _) => type_name(text),
        (Takes::Names, _) => list(text, Elements::Names),
        (Takes::Scalars, _) => list(text, Elements::Scalars),
        (Takes::Scalar, _) => scalar(text),
        (Takes::Schemas, _) => match members(text, Members::Schemas, depth) {
            Ok((rest, _)) => Ok(rest),
            Err(error) => Err(error),
        },
        (Takes::SchemaOrBool | Takes::Bool, [b't' | b'f', ..]) => scalar(text),
        (Takes::SchemaOrBool | Takes::Schema, _) => match schema(text, depth) {
            Ok((rest, _)) => Ok(rest),
            Err(error) => Err(error),
        },
        (Takes::Integer, [b'-' | b'0'..=b'9', ..]) | (Takes::Count, [b'0'..=b'9', ..]) => {
            let rest = rest!(integer(text));
            match rest {
                // A fraction or an exponent, which these keywords do not take.
                [b'.' | b'e' | b'E', ..] => fail(SchemaFault::Value, rest),
                _ if read_between(text, rest).len() > 18 => fail(SchemaFault::Value, text),
                _ => Ok(rest),
            }
        }
        (Takes::Text, [b'"', ..]) => string(text),
        (Takes::Anything, _) => value(text, MAX_DEPTH),
        _ => fail(SchemaFault::Value, text),
    }
}

/// A schema, with so many inside one another.
const fn schema(text: &[u8], depth: u8) -> Result<(&[u8], IsObject), (SchemaFault, usize)> {
    match depth {
        0 => Err((SchemaFault::TooDeep, text.len())),
        _ => members(text, Members::Keywords, depth.saturating_sub(1)),
    }
}

/// Reads the whole text as one value: a schema, or any object. Tells whether it is a schema
/// that says `"type":"object"`.
pub(super) const fn read(text: &[u8], keywords: bool) -> Result<IsObject, SchemaError> {
    let begin = space(text);
    let result = if keywords {
        schema(begin, MAX_SCHEMAS)
    } else {
        members(begin, Members::Any, MAX_DEPTH)
    };
    let (fault, left) = match result {
        Ok((rest, is_object)) => match space(rest) {
            [] => return Ok(is_object),
            rest => (SchemaFault::Syntax, rest.len()),
        },
        Err(error) => error,
    };
    Err(SchemaError {
        fault,
        offset: text.len().saturating_sub(left),
    })
}

/// Whether an object that is in order has this member, and with this string, if one is
/// given.
pub(super) const fn has_member(text: &[u8], name: &str, string_value: &str) -> bool {
    let [b'{', rest @ ..] = space(text) else {
        return false;
    };
    let mut rest = space(rest);
    while let Ok(after) = string(rest) {
        let token = read_between(rest, after);
        let begin = match space(after) {
            [b':', after @ ..] => space(after),
            _ => return false,
        };
        let after = skip(begin);
        if is(token, name) {
            return string_value.is_empty() || is(read_between(begin, after), string_value);
        }
        rest = match space(after) {
            [b',', more @ ..] => space(more),
            _ => return false,
        };
    }
    false
}
