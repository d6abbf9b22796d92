//! JSON and the supported part of JSON Schema, read where a table is built: by the compiler.
//!
//! Everything here is `const` and runs over plain bytes. A place past the end reads as 0,
//! which no JSON text holds outside of an escape.

use super::schema::{SchemaError, SchemaFault};

/// A place in the text, or what is wrong at another.
pub(super) type At = Result<usize, SchemaError>;

/// Schemas inside one another, at most.
pub(super) const MAX_SCHEMAS: usize = 8;

/// Containers inside one another in an annotation's value (`default`, `examples`), and in
/// JSON that is not read as a schema, at most.
pub(super) const MAX_DEPTH: usize = 20;

/// Goes on with a place, or returns what is wrong.
macro_rules! at {
    ($value:expr) => {
        match $value {
            Ok(at) => at,
            Err(error) => return Err(error),
        }
    };
}

const fn fail(fault: SchemaFault, offset: usize) -> At {
    Err(SchemaError { fault, offset })
}

const fn byte(text: &[u8], at: usize) -> u8 {
    match text.split_at_checked(at) {
        Some((_, [byte, ..])) => *byte,
        _ => 0,
    }
}

const fn space(text: &[u8], mut at: usize) -> usize {
    while matches!(byte(text, at), b' ' | b'\t' | b'\r' | b'\n') {
        at = at.wrapping_add(1);
    }
    at
}

/// Whether the text holds `what` from here on.
const fn has(text: &[u8], at: usize, what: &[u8]) -> bool {
    let mut done = 0;
    while done < what.len() {
        if byte(text, at.wrapping_add(done)) != byte(what, done) {
            return false;
        }
        done = done.wrapping_add(1);
    }
    true
}

/// Whether the token from `at` to `end` is the string `what`, quotes apart.
const fn is(text: &[u8], at: usize, end: usize, what: &[u8]) -> bool {
    end.wrapping_sub(at) == what.len().wrapping_add(2) && has(text, at.wrapping_add(1), what)
}

/// Whether two stretches of the text are the same.
const fn same(text: &[u8], one: (usize, usize), other: (usize, usize)) -> bool {
    if one.1.wrapping_sub(one.0) != other.1.wrapping_sub(other.0) {
        return false;
    }
    let mut done = 0;
    while one.0.wrapping_add(done) < one.1 {
        if byte(text, one.0.wrapping_add(done)) != byte(text, other.0.wrapping_add(done)) {
            return false;
        }
        done = done.wrapping_add(1);
    }
    true
}

/// The place after the string that begins here.
const fn string(text: &[u8], at: usize) -> At {
    if byte(text, at) != b'"' {
        return fail(SchemaFault::Syntax, at);
    }
    let mut at = at.wrapping_add(1);
    loop {
        match byte(text, at) {
            b'"' => return Ok(at.wrapping_add(1)),
            0..=0x1f => return fail(SchemaFault::Syntax, at),
            b'\\' => match byte(text, at.wrapping_add(1)) {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => at = at.wrapping_add(2),
                b'u' => {
                    let end = at.wrapping_add(6);
                    at = at.wrapping_add(2);
                    while at < end {
                        if !byte(text, at).is_ascii_hexdigit() {
                            return fail(SchemaFault::Syntax, at);
                        }
                        at = at.wrapping_add(1);
                    }
                }
                _ => return fail(SchemaFault::Syntax, at),
            },
            _ => at = at.wrapping_add(1),
        }
    }
}

/// The same for a string that is compared by its bytes, so that no escape may stand in it.
const fn plain(text: &[u8], at: usize) -> At {
    let end = at!(string(text, at));
    let mut look = at;
    while look < end {
        if byte(text, look) == b'\\' {
            return fail(SchemaFault::Escape, look);
        }
        look = look.wrapping_add(1);
    }
    Ok(end)
}

const fn digits(text: &[u8], mut at: usize) -> At {
    if !byte(text, at).is_ascii_digit() {
        return fail(SchemaFault::Syntax, at);
    }
    while byte(text, at).is_ascii_digit() {
        at = at.wrapping_add(1);
    }
    Ok(at)
}

/// The place after the whole number that begins here.
const fn integer(text: &[u8], at: usize) -> At {
    let first = if byte(text, at) == b'-' {
        at.wrapping_add(1)
    } else {
        at
    };
    let end = at!(digits(text, first));
    if byte(text, first) == b'0' && end > first.wrapping_add(1) {
        return fail(SchemaFault::Syntax, first);
    }
    Ok(end)
}

const fn number(text: &[u8], at: usize) -> At {
    let mut at = at!(integer(text, at));
    if byte(text, at) == b'.' {
        at = at!(digits(text, at.wrapping_add(1)));
    }
    if matches!(byte(text, at), b'e' | b'E') {
        at = at.wrapping_add(1);
        if matches!(byte(text, at), b'+' | b'-') {
            at = at.wrapping_add(1);
        }
        at = at!(digits(text, at));
    }
    Ok(at)
}

/// A string, a number, `true`, `false` or `null`.
const fn scalar(text: &[u8], at: usize) -> At {
    match byte(text, at) {
        b'"' => string(text, at),
        b't' if has(text, at, b"true") => Ok(at.wrapping_add(4)),
        b'f' if has(text, at, b"false") => Ok(at.wrapping_add(5)),
        b'n' if has(text, at, b"null") => Ok(at.wrapping_add(4)),
        b'-' | b'0'..=b'9' => number(text, at),
        _ => fail(SchemaFault::Syntax, at),
    }
}

/// Any value, with so many containers inside one another.
const fn value(text: &[u8], at: usize, depth: usize) -> At {
    match byte(text, at) {
        b'{' if depth > 0 => members(text, at, Members::Any, depth.wrapping_sub(1)),
        b'[' if depth > 0 => {
            let mut at = space(text, at.wrapping_add(1));
            if byte(text, at) == b']' {
                return Ok(at.wrapping_add(1));
            }
            loop {
                at = space(text, at!(value(text, at, depth.wrapping_sub(1))));
                match byte(text, at) {
                    b',' => at = space(text, at.wrapping_add(1)),
                    b']' => return Ok(at.wrapping_add(1)),
                    _ => return fail(SchemaFault::Syntax, at),
                }
            }
        }
        b'{' | b'[' => fail(SchemaFault::TooDeep, at),
        _ => scalar(text, at),
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

/// The place of the value that this name has in an object, up to a place in it; 0 if it has
/// none. What comes before that place is in order.
const fn find(text: &[u8], object: usize, upto: usize, name: (usize, usize)) -> usize {
    let mut at = space(text, object.wrapping_add(1));
    while at < upto {
        let Ok(end) = string(text, at) else { return 0 };
        let begin = space(text, space(text, end).wrapping_add(1));
        if same(text, (at, end), name) {
            return begin;
        }
        let Ok(end) = value(text, begin, usize::MAX) else {
            return 0;
        };
        at = space(text, space(text, end).wrapping_add(1));
    }
    0
}

const fn members(text: &[u8], object: usize, what: Members, depth: usize) -> At {
    if byte(text, object) != b'{' {
        return fail(SchemaFault::Value, object);
    }
    let mut at = space(text, object.wrapping_add(1));
    if byte(text, at) == b'}' {
        return Ok(at.wrapping_add(1));
    }
    // Where `required` and `properties` stand in a schema.
    let (mut required, mut properties) = (0, 0);
    loop {
        let name = at;
        let end = match what {
            Members::Any => at!(string(text, name)),
            _ => at!(plain(text, name)),
        };
        if find(text, object, name, (name, end)) != 0 {
            return fail(SchemaFault::Duplicate, name);
        }
        at = space(text, end);
        if byte(text, at) != b':' {
            return fail(SchemaFault::Syntax, at);
        }
        at = space(text, at.wrapping_add(1));
        let begin = at;
        at = match what {
            Members::Any => at!(value(text, begin, depth)),
            Members::Schemas => at!(schema(text, begin, depth)),
            Members::Keywords => at!(keyword(text, name, end, begin, depth)),
        };
        if is(text, name, end, b"required") {
            required = begin;
        } else if is(text, name, end, b"properties") {
            properties = begin;
        }
        at = space(text, at);
        match byte(text, at) {
            b',' => at = space(text, at.wrapping_add(1)),
            b'}' => break,
            _ => return fail(SchemaFault::Syntax, at),
        }
    }
    if matches!(what, Members::Keywords) && required != 0 {
        at!(required_are_there(text, required, properties));
    }
    Ok(at.wrapping_add(1))
}

/// Whether every name that `required` lists has a schema in `properties`.
const fn required_are_there(text: &[u8], required: usize, properties: usize) -> At {
    let mut at = space(text, required.wrapping_add(1));
    while byte(text, at) == b'"' {
        let end = at!(string(text, at));
        if properties == 0 || find(text, properties, text.len(), (at, end)) == 0 {
            return fail(SchemaFault::Required, at);
        }
        at = space(text, space(text, end).wrapping_add(1));
    }
    Ok(at)
}

/// What the elements of a keyword's array are.
#[derive(Clone, Copy)]
enum Elements {
    Names,
    Types,
    Scalars,
}

/// An array of different elements, at least one if they are types or values.
const fn list(text: &[u8], array: usize, what: Elements) -> At {
    if byte(text, array) != b'[' {
        return fail(SchemaFault::Value, array);
    }
    let first = space(text, array.wrapping_add(1));
    let mut at = first;
    if byte(text, at) == b']' {
        return match what {
            Elements::Names => Ok(at.wrapping_add(1)),
            _ => fail(SchemaFault::Value, at),
        };
    }
    loop {
        let end = match what {
            Elements::Names => at!(plain(text, at)),
            Elements::Types => at!(type_name(text, at)),
            Elements::Scalars => at!(scalar(text, at)),
        };
        let mut before = first;
        while before < at {
            let Ok(its_end) = scalar(text, before) else {
                break;
            };
            if same(text, (before, its_end), (at, end)) {
                return fail(SchemaFault::Duplicate, at);
            }
            before = space(text, space(text, its_end).wrapping_add(1));
        }
        at = space(text, end);
        match byte(text, at) {
            b',' => at = space(text, at.wrapping_add(1)),
            b']' => return Ok(at.wrapping_add(1)),
            _ => return fail(SchemaFault::Syntax, at),
        }
    }
}

const fn type_name(text: &[u8], at: usize) -> At {
    let end = at!(plain(text, at));
    let mut known = super::schema::TYPES;
    while let [(name, _), rest @ ..] = known {
        if is(text, at, end, name.as_bytes()) {
            return Ok(end);
        }
        known = rest;
    }
    fail(SchemaFault::Value, at)
}

const fn boolean(text: &[u8], at: usize) -> At {
    match byte(text, at) {
        b't' | b'f' => scalar(text, at),
        _ => fail(SchemaFault::Value, at),
    }
}

/// The value of a keyword whose name stands from `name` to `end`.
const fn keyword(text: &[u8], name: usize, end: usize, at: usize, depth: usize) -> At {
    let mut known = super::schema::KEYWORDS;
    let takes = loop {
        match known {
            [(word, takes), rest @ ..] => {
                if is(text, name, end, word.as_bytes()) {
                    break *takes;
                }
                known = rest;
            }
            [] => return fail(SchemaFault::Keyword, name),
        }
    };
    use super::schema::Takes;
    match (takes, byte(text, at)) {
        (Takes::Types, b'[') => list(text, at, Elements::Types),
        (Takes::Types, _) => type_name(text, at),
        (Takes::Names, _) => list(text, at, Elements::Names),
        (Takes::Scalars, _) => list(text, at, Elements::Scalars),
        (Takes::Scalar, _) => scalar(text, at),
        (Takes::Schemas, _) => members(text, at, Members::Schemas, depth),
        (Takes::SchemaOrBool, b't' | b'f') => scalar(text, at),
        (Takes::SchemaOrBool | Takes::Schema, _) => schema(text, at, depth),
        (Takes::Integer, b'-' | b'0'..=b'9') | (Takes::Count, b'0'..=b'9') => {
            let end = at!(integer(text, at));
            // What goes on is a fraction or an exponent, which these keywords do not take.
            match byte(text, end) {
                b'.' | b'e' | b'E' => fail(SchemaFault::Value, end),
                _ if end.wrapping_sub(at) > 18 => fail(SchemaFault::Value, at),
                _ => Ok(end),
            }
        }
        (Takes::Text, b'"') => string(text, at),
        (Takes::Bool, _) => boolean(text, at),
        (Takes::Anything, _) => value(text, at, MAX_DEPTH),
        _ => fail(SchemaFault::Value, at),
    }
}

/// A schema, with so many inside one another.
const fn schema(text: &[u8], at: usize, depth: usize) -> At {
    match depth {
        0 => fail(SchemaFault::TooDeep, at),
        _ => members(text, at, Members::Keywords, depth.wrapping_sub(1)),
    }
}

/// Reads the whole text as one value: a schema, or any object.
pub(super) const fn read(text: &[u8], keywords: bool) -> Result<(), SchemaError> {
    let at = space(text, 0);
    let end = if keywords {
        at!(schema(text, at, MAX_SCHEMAS))
    } else {
        if byte(text, at) != b'{' {
            return Err(SchemaError {
                fault: SchemaFault::Value,
                offset: at,
            });
        }
        at!(value(text, at, MAX_DEPTH))
    };
    if space(text, end) == text.len() {
        Ok(())
    } else {
        Err(SchemaError {
            fault: SchemaFault::Syntax,
            offset: end,
        })
    }
}

/// Whether the object that the text is has this member with this string, or any if none is
/// given.
pub(super) const fn has_member(text: &[u8], name: &[u8], string_value: &[u8]) -> bool {
    let object = space(text, 0);
    let mut at = space(text, object.wrapping_add(1));
    while byte(text, at) == b'"' {
        let Ok(end) = string(text, at) else {
            return false;
        };
        let begin = space(text, space(text, end).wrapping_add(1));
        let Ok(after) = value(text, begin, usize::MAX) else {
            return false;
        };
        if is(text, at, end, name) {
            return string_value.is_empty() || is(text, begin, after, string_value);
        }
        at = space(text, space(text, after).wrapping_add(1));
    }
    false
}

/// The length of the text without the white space between its tokens.
pub(super) const fn compact_len(text: &[u8]) -> usize {
    let mut length = 0usize;
    let mut at = 0;
    while at < text.len() {
        let after = after_token(text, at);
        if !matches!(byte(text, at), b' ' | b'\t' | b'\r' | b'\n') {
            length = length.wrapping_add(after.wrapping_sub(at));
        }
        at = after;
    }
    length
}

/// The text without that white space. What is longer than `N` is cut.
pub(super) const fn compact<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut out = [b' '; N];
    let mut length = 0usize;
    let mut at = 0;
    while at < text.len() {
        let after = after_token(text, at);
        if !matches!(byte(text, at), b' ' | b'\t' | b'\r' | b'\n') {
            while at < after {
                if let Some((_, [slot, ..])) = out.split_at_mut_checked(length) {
                    *slot = byte(text, at);
                }
                length = length.wrapping_add(1);
                at = at.wrapping_add(1);
            }
        }
        at = after;
    }
    out
}

/// The place after the string, or the one byte, that stands here.
const fn after_token(text: &[u8], at: usize) -> usize {
    if byte(text, at) == b'"'
        && let Ok(end) = string(text, at)
    {
        return end;
    }
    at.wrapping_add(1)
}
