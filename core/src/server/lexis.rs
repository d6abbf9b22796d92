//! JSON's tokens, as the compiler reads them.
//!
//! Everything here and in [`grammar`](super::grammar) is `const`, and written so that the
//! compiler has little to do for a byte: it gives up on what takes it too many steps. So text
//! is taken off the front of a slice, and what was read is seldom read again.

use super::schema::SchemaFault;

/// What is left after something was read, or what is wrong, and with how much left.
pub(super) type Rest<'a> = Result<&'a [u8], (SchemaFault, usize)>;

/// Goes on with what is left, or returns what is wrong.
macro_rules! rest {
    ($value:expr) => {
        match $value {
            Ok(rest) => rest,
            Err(error) => return Err(error),
        }
    };
}

pub(super) const fn fail(fault: SchemaFault, rest: &[u8]) -> Rest<'_> {
    Err((fault, rest.len()))
}

pub(super) const fn space(mut rest: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r' | b'\n', more @ ..] = rest {
        rest = more;
    }
    rest
}

/// What was read, given what there was before and is left after it.
pub(super) const fn read_between<'a>(before: &'a [u8], after: &[u8]) -> &'a [u8] {
    match before.split_at_checked(before.len().saturating_sub(after.len())) {
        Some((token, _)) => token,
        None => &[],
    }
}

pub(super) const fn string(text: &[u8]) -> Rest<'_> {
    let [b'"', rest @ ..] = text else {
        return fail(SchemaFault::Syntax, text);
    };
    let mut rest = rest;
    loop {
        match rest {
            [b'"', more @ ..] => return Ok(more),
            [b'\\', b'u', more @ ..] => {
                rest = more;
                let mut digits = 0u8;
                while digits < 4 {
                    match rest {
                        [b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F', more @ ..] => rest = more,
                        _ => return fail(SchemaFault::Syntax, rest),
                    }
                    digits = digits.wrapping_add(1);
                }
            }
            [
                b'\\',
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
                more @ ..,
            ] => rest = more,
            [] | [b'\\' | 0..=0x1f, ..] => return fail(SchemaFault::Syntax, rest),
            [_, more @ ..] => rest = more,
        }
    }
}

/// The same for a string that is compared by its bytes, so that no escape may stand in it.
pub(super) const fn plain(text: &[u8]) -> Rest<'_> {
    let after = rest!(string(text));
    let mut rest = text;
    while rest.len() > after.len() {
        match rest {
            [b'\\', ..] => return fail(SchemaFault::Escape, rest),
            [_, more @ ..] => rest = more,
            [] => break,
        }
    }
    Ok(after)
}

const fn digits(text: &[u8]) -> Rest<'_> {
    let [b'0'..=b'9', rest @ ..] = text else {
        return fail(SchemaFault::Syntax, text);
    };
    let mut rest = rest;
    while let [b'0'..=b'9', more @ ..] = rest {
        rest = more;
    }
    Ok(rest)
}

pub(super) const fn integer(text: &[u8]) -> Rest<'_> {
    let first = match text {
        [b'-', rest @ ..] => rest,
        _ => text,
    };
    match first {
        [b'0', b'0'..=b'9', ..] => fail(SchemaFault::Syntax, first),
        _ => digits(first),
    }
}

const fn number(text: &[u8]) -> Rest<'_> {
    let mut rest = rest!(integer(text));
    if let [b'.', more @ ..] = rest {
        rest = rest!(digits(more));
    }
    if let [b'e' | b'E', b'+' | b'-', more @ ..] | [b'e' | b'E', more @ ..] = rest {
        rest = rest!(digits(more));
    }
    Ok(rest)
}

/// A string, a number, `true`, `false` or `null`.
pub(super) const fn scalar(text: &[u8]) -> Rest<'_> {
    match text {
        [b'"', ..] => string(text),
        [b't', b'r', b'u', b'e', rest @ ..]
        | [b'f', b'a', b'l', b's', b'e', rest @ ..]
        | [b'n', b'u', b'l', b'l', rest @ ..] => Ok(rest),
        [b'-' | b'0'..=b'9', ..] => number(text),
        _ => fail(SchemaFault::Syntax, text),
    }
}

/// Passes over a value that is in order.
pub(super) const fn skip(text: &[u8]) -> &[u8] {
    let mut rest = text;
    let mut open = 0usize;
    loop {
        match rest {
            [b'"', ..] => match string(rest) {
                Ok(more) => rest = more,
                Err(_) => return &[],
            },
            [b'{' | b'[', more @ ..] => {
                open = open.saturating_add(1);
                rest = more;
            }
            [b'}' | b']', more @ ..] => {
                open = open.saturating_sub(1);
                rest = more;
            }
            // The white space, commas, colons and scalars between brackets.
            [_, more @ ..] if open > 0 => {
                rest = more;
                continue;
            }
            _ => match scalar(rest) {
                Ok(more) => rest = more,
                Err(_) => return &[],
            },
        }
        if open == 0 {
            return rest;
        }
    }
}

/// Takes a string, or one byte, off the front; gives it, or nothing for white space.
const fn token<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let before = *rest;
    match before {
        [b' ' | b'\t' | b'\r' | b'\n', more @ ..] => {
            *rest = more;
            return &[];
        }
        [b'"', more @ ..] => {
            *rest = match string(before) {
                Ok(after) => after,
                Err(_) => more,
            }
        }
        [_, more @ ..] => *rest = more,
        [] => {}
    }
    read_between(before, rest)
}

/// The length of the text without the white space between its tokens.
pub(super) const fn compact_len(text: &[u8]) -> usize {
    let mut length = 0usize;
    let mut rest = text;
    while !rest.is_empty() {
        length = length.wrapping_add(token(&mut rest).len());
    }
    length
}

/// The text without that white space. What is longer than `N` is cut.
pub(super) const fn compact<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut out = [b' '; N];
    let mut room: &mut [u8] = &mut out;
    let mut rest = text;
    while !rest.is_empty() {
        let mut bytes = token(&mut rest);
        while let [byte, more @ ..] = bytes {
            let [slot, left @ ..] = room else {
                return out;
            };
            *slot = *byte;
            room = left;
            bytes = more;
        }
    }
    out
}

pub(super) use rest;
