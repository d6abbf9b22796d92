//! Text as a string of JavaScript's. The engine's own decoder takes several times as long for
//! what is not all ASCII.

use crate::glue::{Env, Error};
use crate::storage::NoMemory;
use napi::JsString;
use napi_derive::napi;
use std::cell::RefCell;

thread_local! {
    /// Memory for the units of one text: to get as much anew for each costs more than to
    /// fill it.
    static UNITS: RefCell<Vec<u16>> = const { RefCell::new(Vec::new()) };
}

/// Units for which the memory is kept.
const KEPT: usize = 1 << 18;

/// Bytes that are looked at together.
const LANE: usize = 32;

/// The string of a part of some bytes, which are known to be UTF-8. What is none, since
/// somebody has written to them meanwhile, becomes U+FFFD.
///
/// # Errors
///
/// When there is no memory for it.
#[napi]
pub(crate) fn text<'env>(
    env: &'env Env,
    bytes: &[u8],
    from: u32,
    length: u32,
) -> Result<JsString<'env>, Error<String>> {
    let rest = bytes.get(from as usize..).unwrap_or(&[]);
    let bytes = rest.get(..length as usize).unwrap_or(rest);
    if bytes.is_ascii() {
        return env.create_string_latin1(bytes).map_err(unmade);
    }
    UNITS.with_borrow_mut(|units| {
        units.clear();
        if units.try_reserve(bytes.len()).is_err() {
            return Err(NoMemory.into());
        }
        widen(bytes, units);
        let made = env.create_string_utf16(&*units);
        if units.capacity() > KEPT {
            *units = Vec::new();
        }
        made.map_err(unmade)
    })
}

/// A string that the engine does not make, of too many characters for one.
fn unmade(why: Error) -> Error<String> {
    Error::new("ERR_WIRELINE_OUT_OF_MEMORY".to_owned(), why.reason)
}

/// UTF-16 out of UTF-8; there are never more units than bytes.
fn widen(mut bytes: &[u8], units: &mut Vec<u16>) {
    loop {
        while let Some((lane, rest)) = bytes.split_first_chunk::<LANE>() {
            if !lane.is_ascii() {
                break;
            }
            units.extend_from_slice(&lane.map(u16::from));
            bytes = rest;
        }
        // As long as there are others, one by one.
        for _ in 0..LANE {
            let Some((unit, low, used)) = decode(bytes) else {
                return;
            };
            units.push(unit);
            if let Some(low) = low {
                units.push(low);
            }
            bytes = bytes.get(used..).unwrap_or(&[]);
        }
    }
}

/// The first character: its unit, the second one if it has one, and its bytes.
fn decode(bytes: &[u8]) -> Option<(u16, Option<u16>, usize)> {
    let tail = |byte: &u8| u32::from(*byte & 0x3F);
    let (scalar, used) = match bytes {
        [] => return None,
        [one @ ..0x80, ..] => return Some((u16::from(*one), None, 1)),
        [lead @ 0xC2..0xE0, a @ 0x80..0xC0, ..] => ((u32::from(*lead & 0x1F) << 6) | tail(a), 2),
        [lead @ 0xE0..0xF0, a @ 0x80..0xC0, b @ 0x80..0xC0, ..] => {
            let scalar = (u32::from(*lead & 0x0F) << 12) | (tail(a) << 6) | tail(b);
            (scalar, 3)
        }
        [
            lead @ 0xF0..0xF5,
            a @ 0x80..0xC0,
            b @ 0x80..0xC0,
            c @ 0x80..0xC0,
            ..,
        ] => {
            let high = (u32::from(*lead & 0x07) << 18) | (tail(a) << 12);
            (high | (tail(b) << 6) | tail(c), 4)
        }
        _ => (0xFFFD, 1),
    };
    Some(match scalar.checked_sub(0x1_0000) {
        None => (scalar as u16, None, used),
        Some(above) => {
            let high = 0xD800 | (above >> 10) as u16 & 0x3FF;
            (high, Some(0xDC00 | (above & 0x3FF) as u16), used)
        }
    })
}
