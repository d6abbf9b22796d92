//! Checking JSON that lies whole in memory, sixteen bytes at a time.
//!
//! This path is optimistic: it accepts what is plainly good, and answers anything else
//! with `None`, upon which the resumable scanner reads the same bytes from their start
//! and decides. It must never accept what the scanner does not. UTF-8 is its caller's to
//! check.
//!
//! Functions take a place in the text and return the place after what they passed, so
//! that it stays in a register. The end of the text reads as a line feed, which no rule
//! takes.

use wide::u8x16;

const LANES: usize = 16;
const BLOCK: usize = 64;

/// Every second bit, from the second on.
const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// One lane per quote and control character.
#[inline(always)]
fn ends(bytes: u8x16) -> u8x16 {
    // With this bit flipped the quote comes next to the control characters.
    let flipped = bytes ^ u8x16::splat(0x02);
    flipped.min(u8x16::splat(0x20)).simd_eq(flipped)
}

/// One lane per byte that a string's text cannot simply hold: the quote, the backslash
/// and control characters.
#[inline(always)]
fn special(bytes: u8x16) -> u8x16 {
    ends(bytes) | bytes.simd_eq(u8x16::splat(b'\\'))
}

#[inline(always)]
fn load(text: &[u8], at: usize) -> Option<u8x16> {
    let lanes: &[u8; LANES] = text.get(at..)?.first_chunk()?;
    Some(u8x16::new(*lanes))
}

/// Length of the run of bytes that are plain characters of a string: printable ASCII but
/// for the quote and the backslash.
#[inline]
pub(crate) fn plain_run(text: &[u8]) -> usize {
    let mut at = 0usize;
    while let Some(lanes) = load(text, at) {
        // A lane's highest bit is set for what is special, and for what is not ASCII.
        let mask = (special(lanes) | lanes).to_bitmask();
        if mask != 0 {
            return at.wrapping_add(mask.trailing_zeros() as usize);
        }
        at = at.wrapping_add(LANES);
    }
    while let Some(&byte) = text.get(at) {
        if !matches!(byte, 0x20..0x80) || byte == b'"' || byte == b'\\' {
            break;
        }
        at = at.wrapping_add(1);
    }
    at
}

#[inline(always)]
pub(crate) fn byte(text: &[u8], at: usize) -> u8 {
    match text.get(at) {
        Some(byte) => *byte,
        None => b'\n',
    }
}

#[inline(always)]
fn next(at: usize) -> usize {
    at.wrapping_add(1)
}

/// Passes over white space, which a compact writer does not put there.
#[cold]
#[inline(never)]
fn spaces(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while let b' ' | b'\t' | b'\r' = byte(text, at) {
        at = next(at);
    }
    at
}

/// The place of the next byte that is no white space.
#[inline(always)]
pub(crate) fn space(text: &[u8], at: usize) -> usize {
    if byte(text, at) > b' ' {
        return at;
    }
    spaces(text, at)
}

/// Passes over one byte that has to be here, white space before it allowed.
#[inline(always)]
pub(crate) fn expect(text: &[u8], at: usize, wanted: u8) -> Option<usize> {
    if byte(text, at) == wanted {
        return Some(next(at));
    }
    let at = space(text, at);
    (byte(text, at) == wanted).then_some(next(at))
}

/// The place of the first byte that a string's text cannot simply hold.
#[inline(always)]
fn stop(text: &[u8], at: usize) -> Option<usize> {
    let (blocks, _) = text.get(at..)?.as_chunks::<LANES>();
    let mut at = at;
    for block in blocks {
        let mask = special(u8x16::new(*block)).to_bitmask();
        if mask != 0 {
            return Some(at.wrapping_add(mask.trailing_zeros() as usize));
        }
        at = at.wrapping_add(LANES);
    }
    stop_near_end(text, at)
}

/// The same, a byte at a time, near the end of the text.
#[cold]
#[inline(never)]
fn stop_near_end(text: &[u8], at: usize) -> Option<usize> {
    let mut at = at;
    loop {
        match *text.get(at)? {
            b'"' | b'\\' | 0..=0x1f => return Some(at),
            _ => at = next(at),
        }
    }
}

/// Passes over a string whose opening quote is behind.
#[inline(always)]
pub(crate) fn string(text: &[u8], at: usize) -> Option<usize> {
    let at = stop(text, at)?;
    if byte(text, at) == b'"' {
        return Some(next(at));
    }
    escapes(text, at)
}

/// One lane per byte that most often follows a backslash, but for the backslash.
#[inline(always)]
fn common(bytes: u8x16) -> u8x16 {
    bytes.simd_eq(u8x16::splat(b'n'))
        | bytes.simd_eq(u8x16::splat(b'"'))
        | bytes.simd_eq(u8x16::splat(b't'))
}

/// Passes over the rest of a string, which goes on with an escape. Works on bits, one a
/// byte, so that it does not branch for each escape.
#[inline(never)]
fn escapes(text: &[u8], at: usize) -> Option<usize> {
    let (blocks, _) = text.get(at..)?.as_chunks::<BLOCK>();
    let mut at = at;
    // Set if the first byte of the block is escaped.
    let mut carry = 0;
    for block in blocks {
        let (mut slashes, mut stops, mut plain) = (0, 0, 0);
        let mut shift = 0u32;
        for lanes in block.as_chunks::<LANES>().0 {
            let lanes = u8x16::new(*lanes);
            let bits = |mask: u8x16| u64::from(mask.to_bitmask()).wrapping_shl(shift);
            slashes |= bits(lanes.simd_eq(u8x16::splat(b'\\')));
            stops |= bits(ends(lanes));
            plain |= bits(common(lanes));
            shift = shift.wrapping_add(16);
        }
        // Of a run of backslashes every second one is escaped, and what follows an odd run.
        let open = slashes & !carry;
        let pairs = ((open << 1) | ODD).wrapping_sub(open) ^ ODD;
        let escaped = pairs ^ (slashes | carry);
        carry = (pairs & slashes) >> (u64::BITS - 1);
        let stops = stops & !escaped;
        let inside = match stops {
            0 => u64::MAX,
            _ => stops.wrapping_sub(1) & !stops,
        };
        let mut rare = escaped & inside & !(plain | slashes);
        while rare != 0 {
            let place = at.wrapping_add(rare.trailing_zeros() as usize);
            escape(text, place.wrapping_sub(1))?;
            rare &= rare.wrapping_sub(1);
        }
        if stops != 0 {
            let place = at.wrapping_add(stops.trailing_zeros() as usize);
            return (byte(text, place) == b'"').then_some(next(place));
        }
        at = at.wrapping_add(BLOCK);
    }
    at = at.wrapping_sub(carry as usize);
    loop {
        at = stop_near_end(text, at)?;
        if byte(text, at) == b'"' {
            return Some(next(at));
        }
        at = escape(text, at)?;
    }
}

/// Passes over an escape.
#[inline(always)]
fn escape(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..)? {
        [
            b'\\',
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
            ..,
        ] => Some(at.wrapping_add(2)),
        [b'\\', b'u', a, b, c, d, ..] => {
            let hex = a.is_ascii_hexdigit()
                && b.is_ascii_hexdigit()
                && c.is_ascii_hexdigit()
                && d.is_ascii_hexdigit();
            hex.then_some(at.wrapping_add(6))
        }
        _ => None,
    }
}

/// Passes over a string that holds no escape; returns the place of its closing quote. The
/// opening quote is behind.
#[inline(always)]
pub(crate) fn plain_string(text: &[u8], at: usize) -> Option<usize> {
    let at = stop(text, at)?;
    (byte(text, at) == b'"').then_some(at)
}

/// Passes over a number that begins here with `first`; tells whether it is plain digits.
#[inline(always)]
pub(crate) fn number(text: &[u8], at: usize, first: u8) -> Option<(usize, bool)> {
    let (at, first) = if first == b'-' {
        (next(at), byte(text, next(at)))
    } else {
        (at, first)
    };
    let at = match first {
        b'1'..=b'9' => digits(text, next(at)),
        b'0' => next(at),
        _ => return None,
    };
    match byte(text, at) {
        b'.' | b'e' | b'E' => Some((fraction(text, at)?, false)),
        _ => Some((at, true)),
    }
}

/// Passes over digits, eight at a time.
#[inline(always)]
fn digits(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word) ^ 0x3030_3030_3030_3030;
        // A byte's highest bit is set if it was no digit; carries only reach later bytes.
        let other = (word.wrapping_add(0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080;
        if other != 0 {
            return at.wrapping_add((other.trailing_zeros() >> 3) as usize);
        }
        at = at.wrapping_add(8);
    }
    while byte(text, at).is_ascii_digit() {
        at = next(at);
    }
    at
}

#[inline(always)]
fn some_digits(text: &[u8], at: usize) -> Option<usize> {
    byte(text, at)
        .is_ascii_digit()
        .then(|| digits(text, next(at)))
}

#[inline(always)]
fn fraction(text: &[u8], at: usize) -> Option<usize> {
    let at = if byte(text, at) == b'.' {
        some_digits(text, next(at))?
    } else {
        at
    };
    if byte(text, at) | 0x20 == b'e' {
        exponent(text, next(at))
    } else {
        Some(at)
    }
}

#[inline(never)]
fn exponent(text: &[u8], at: usize) -> Option<usize> {
    let at = match byte(text, at) {
        b'+' | b'-' => next(at),
        _ => at,
    };
    some_digits(text, at)
}

/// Passes over this word, if it is here.
#[inline(always)]
pub(crate) fn word(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let to = at.wrapping_add(word.len());
    (text.get(at..to) == Some(word)).then_some(to)
}

/// Passes over the value that begins here with `first`, which may open `levels`
/// containers.
#[inline(always)]
pub(crate) fn value(text: &[u8], at: usize, first: u8, levels: u32) -> Option<usize> {
    if first == b'"' {
        string(text, next(at))
    } else if first == b'{' || first == b'[' {
        container(text, at, first, levels)
    } else {
        scalar(text, at, first)
    }
}

#[inline(always)]
fn scalar(text: &[u8], at: usize, first: u8) -> Option<usize> {
    // Comparisons one after the other are guessed better than a jump through a table.
    if first.wrapping_sub(b'-') <= b'9' - b'-' {
        number(text, at, first).map(|(at, _)| at)
    } else if first == b't' {
        word(text, at, b"true")
    } else if first == b'f' {
        word(text, at, b"false")
    } else if first == b'n' {
        word(text, at, b"null")
    } else {
        None
    }
}

/// Passes over a member's name, whose opening quote is behind, and its colon.
#[inline(always)]
fn name(text: &[u8], at: usize) -> Option<usize> {
    let at = plain_string(text, at)?;
    expect(text, next(at), b':')
}

/// Passes over the object or array that begins here.
#[inline(never)]
pub(crate) fn container(text: &[u8], at: usize, first: u8, levels: u32) -> Option<usize> {
    // Levels are bits: set for an object, the innermost lowest.
    let mut objects = 0u64;
    let mut left = levels.min(64);
    let most = left;
    let mut at = at;
    let mut first = first;
    loop {
        // A value begins here with `first`.
        if first == b'{' {
            left = left.checked_sub(1)?;
            objects = objects.wrapping_shl(1) | 1;
            at = space(text, next(at));
            match byte(text, at) {
                b'"' => {
                    at = space(text, name(text, next(at))?);
                    first = byte(text, at);
                    continue;
                }
                b'}' => {}
                _ => return None,
            }
        } else if first == b'[' {
            left = left.checked_sub(1)?;
            objects = objects.wrapping_shl(1);
            at = space(text, next(at));
            first = byte(text, at);
            if first != b']' {
                continue;
            }
        } else {
            at = if first == b'"' {
                string(text, next(at))?
            } else {
                scalar(text, at, first)?
            };
        }
        // A value has ended, or an empty container is about to.
        loop {
            at = space(text, at);
            let after = byte(text, at);
            if after == b',' {
                at = next(at);
                if objects & 1 != 0 {
                    at = name(text, expect(text, at, b'"')?)?;
                }
                at = space(text, at);
                first = byte(text, at);
                break;
            }
            let close = if objects & 1 != 0 { b'}' } else { b']' };
            if after != close {
                return None;
            }
            at = next(at);
            objects >>= 1;
            left = left.wrapping_add(1);
            if left == most {
                return Some(at);
            }
        }
    }
}

/// Passes over the members of an object whose opening brace is behind. `name` is given
/// the place after a name's opening quote and returns what it takes the name for and the
/// place of the closing quote; `member` is given that, and the place and first byte of the
/// value, which it passes over.
#[inline(always)]
pub(crate) fn members<T>(
    text: &[u8],
    at: usize,
    name: impl Fn(usize) -> Option<(T, usize)>,
    mut member: impl FnMut(T, usize, u8) -> Option<usize>,
) -> Option<usize> {
    let mut at = space(text, at);
    if byte(text, at) == b'}' {
        return Some(next(at));
    }
    loop {
        let (taken, to) = name(expect(text, at, b'"')?)?;
        at = space(text, expect(text, next(to), b':')?);
        at = member(taken, at, byte(text, at))?;
        at = space(text, at);
        match byte(text, at) {
            b',' => at = next(at),
            b'}' => return Some(next(at)),
            _ => return None,
        }
    }
}
