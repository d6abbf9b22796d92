//! What a call found, as 32-bit words that JavaScript reads when it is asked.
//!
//! `js/layout.mts` has the same layout. Offsets count in the chunk, or, where the head says
//! so, in the call's *extra* bytes: lines that were put together from several chunks, and
//! what is kept of refused ones.

use crate::names::Names;
use crate::storage::{NoMemory, append};
use wireline::json::JsonStr;
use wireline::mcp::Side;
use wireline::{BatchPlace, FaultKind, Head, Id, IdKind, Kind, Message, Rejected, Rule};

/// Words of a message's record.
pub(crate) const MESSAGE: usize = 12;
/// Words of a fault's record.
pub(crate) const FAULT: usize = 20;
/// Words before the first record.
pub(crate) const HEADER: usize = 4;

// The head: the two lowest bits are the kind of a message.
const IS_FAULT: u32 = 1 << 2;
pub(crate) const IN_EXTRA: u32 = 1 << 3;
const NULL_PARAMS: u32 = 1 << 4;
const BOM: u32 = 1 << 5;
const BATCHED: u32 = 1 << 6;
const LAST: u32 = 1 << 7;
/// Three bits: the form of the id.
const ID_FORM: u32 = 8;
/// The id is an integer, and not spelled as one.
const ID_ODD: u32 = 1 << 11;
const METHOD_ESCAPED: u32 = 1 << 12;
/// Of a fault: its id may be answered.
const ANSWERABLE: u32 = 1 << 13;
const HAS_LIMIT: u32 = 1 << 14;
/// Of a head or a fault: a method was seen, which may be empty.
const HAS_METHOD: u32 = 1 << 15;
/// The upper half: the number of the method's name, or the fault's kind.
const NAME: u32 = 16;

#[derive(Clone, Copy)]
#[repr(u32)]
enum Form {
    Positive = 1,
    Negative,
    Plain,
    Escaped,
    Null,
    Large,
}

const MAX_SAFE: u64 = (1 << 53) - 1;

/// The number that a plain token of digits is, if it is a safe integer.
#[inline]
fn plain(digits: &[u8]) -> Option<u64> {
    if digits.len() > 16 {
        return None;
    }
    let mut value = 0u64;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    (value <= MAX_SAFE).then_some(value)
}

/// An id's form, its value where it is a safe integer, and whether it is oddly spelled.
#[inline]
fn form(id: &Id<'_>) -> (Form, u64, bool) {
    let token = id.as_bytes();
    match token {
        [b'"', inner @ ..] => {
            let form = if inner.contains(&b'\\') {
                Form::Escaped
            } else {
                Form::Plain
            };
            (form, 0, false)
        }
        [b'-', digits @ ..] if digits != b"0" => match plain(digits) {
            Some(value) => (Form::Negative, value, false),
            None => odd(id),
        },
        digits => match plain(digits) {
            Some(value) => (Form::Positive, value, false),
            None => odd(id),
        },
    }
}

#[cold]
fn odd(id: &Id<'_>) -> (Form, u64, bool) {
    if id.kind() == IdKind::Null {
        return (Form::Null, 0, false);
    }
    match id.as_i64() {
        Some(value) if value.unsigned_abs() <= MAX_SAFE => {
            let form = if value < 0 {
                Form::Negative
            } else {
                Form::Positive
            };
            (form, value.unsigned_abs(), true)
        }
        _ => (Form::Large, 0, false),
    }
}

/// Where a part of a text lies in it, `base` bytes further on.
#[inline]
fn span(part: &[u8], text: &[u8], base: usize) -> (u32, u32) {
    let offset = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    ((base.wrapping_add(offset)) as u32, part.len() as u32)
}

fn place(batch: Option<BatchPlace>) -> (u32, u32) {
    match batch {
        None => (0, 0),
        Some(place) => (BATCHED | if place.last { LAST } else { 0 }, place.index),
    }
}

/// Writes a message's record. Its text begins at `base` of the chunk or of the extra bytes.
#[inline]
pub(crate) fn message(
    out: &mut [u32; MESSAGE],
    message: &Message<'_>,
    base: usize,
    in_extra: bool,
    names: &mut Names,
) {
    let text = message.as_bytes();
    let flags = message.flags();
    let (batch, index) = place(message.batch());
    let mut head = message.kind() as u32 | batch;
    if in_extra {
        head |= IN_EXTRA;
    }
    if flags.null_params {
        head |= NULL_PARAMS;
    }
    if flags.bom {
        head |= BOM;
    }
    let mut id = (0, 0);
    let mut value = 0;
    if let Some(found) = message.id() {
        let (form, number, odd) = form(&found);
        head |= (form as u32) << ID_FORM;
        if odd {
            head |= ID_ODD;
        }
        value = number;
        id = span(found.as_bytes(), text, base);
    }
    let mut name = (0, 0);
    if let Some(method) = message.method() {
        let raw = method.raw_bytes();
        name = span(raw, text, base);
        if raw.contains(&b'\\') {
            head |= METHOD_ESCAPED;
        } else {
            head |= u32::from(names.number(raw)) << NAME;
        }
    }
    let body = match message.kind() {
        Kind::Request | Kind::Notification => message.params(),
        Kind::Result => message.result(),
        Kind::Error => message.error().map(|error| error.raw()),
    };
    let body = body.map_or((0, 0), |raw| span(raw.as_bytes(), text, base));
    *out = [
        head,
        base as u32,
        text.len() as u32,
        id.0,
        id.1,
        value as u32,
        (value >> 32) as u32,
        name.0,
        name.1,
        body.0,
        body.1,
        index,
    ];
}

/// The bytes that belong to a call and lie in none of the caller's.
pub(crate) fn keep(extra: &mut Vec<u8>, bytes: &[u8]) -> Result<(u32, u32), NoMemory> {
    let at = append(extra, bytes)?;
    Ok((at as u32, bytes.len() as u32))
}

/// The number of the rule that a refused line breaks, whoever sent it; 0 where that
/// depends on the sender and it is not known, or where there is none.
fn rule(rejected: &Rejected<'_>, from: Option<Side>) -> u32 {
    let by = |side| Rule::broken_by(rejected, side);
    let rule = match from {
        Some(side) => by(side),
        None if by(Side::Client) == by(Side::Server) => by(Side::Client),
        None => None,
    };
    rule.map_or(0, |rule| rule.number().into())
}

/// Writes a fault's record; what it names is copied to the extra bytes. The last four words
/// are the caller's: which line of the stream it is.
pub(crate) fn fault(
    out: &mut [u32; FAULT],
    rejected: &Rejected<'_>,
    extra: &mut Vec<u8>,
    from: Option<Side>,
) -> Result<(), NoMemory> {
    let (batch, index) = place(rejected.batch());
    let mut head = IS_FAULT | IN_EXTRA | batch | ((rejected.kind() as u32) << NAME);
    let mut id = (0, 0);
    let mut value = 0;
    if let Some(hint) = rejected.id_hint() {
        let (form, number, odd) = form(&hint);
        head |= (form as u32) << ID_FORM;
        if odd {
            head |= ID_ODD;
        }
        value = number;
        id = keep(extra, hint.as_bytes())?;
    }
    if rejected.id().is_some() {
        head |= ANSWERABLE;
    }
    let mut name = (0, 0);
    if let Some(method) = rejected.method() {
        let raw = method.raw_bytes();
        if raw.contains(&b'\\') {
            head |= METHOD_ESCAPED;
        }
        head |= HAS_METHOD;
        name = keep(extra, raw)?;
    }
    let excerpt = keep(extra, rejected.excerpt())?;
    let limit = rejected.limit();
    if limit.is_some() {
        head |= HAS_LIMIT;
    }
    let shape = rejected.shape();
    let shape = u32::from(shape.jsonrpc)
        | u32::from(shape.method) << 1
        | u32::from(shape.result) << 2
        | u32::from(shape.error) << 3;
    let offset = rejected.offset();
    let length = rejected.length();
    *out = [
        head,
        excerpt.0,
        excerpt.1,
        id.0,
        id.1,
        value as u32,
        (value >> 32) as u32,
        name.0,
        name.1,
        offset as u32,
        (offset >> 32) as u32,
        index,
        length as u32,
        (length >> 32) as u32,
        limit.unwrap_or(0) as u32,
        shape | rule(rejected, from) << 8,
        0,
        0,
        0,
        0,
    ];
    Ok(())
}

/// Writes the record of a head; what it names is copied to the extra bytes.
pub(crate) fn head(
    out: &mut [u32; MESSAGE],
    head: &Head<'_>,
    event: u32,
    extra: &mut Vec<u8>,
) -> Result<(), NoMemory> {
    let mut word = IN_EXTRA | head.kind().map_or(0, |kind| kind as u32);
    let flags = head.flags();
    if flags.null_params {
        word |= NULL_PARAMS;
    }
    if flags.bom {
        word |= BOM;
    }
    let mut id = (0, 0);
    let mut value = 0;
    if let Some(found) = head.id() {
        let (form, number, odd) = form(&found);
        word |= (form as u32) << ID_FORM;
        if odd {
            word |= ID_ODD;
        }
        value = number;
        id = keep(extra, found.as_bytes())?;
    }
    let mut name = (0, 0);
    if let Some(method) = head.method() {
        let raw = method.raw_bytes();
        if raw.contains(&b'\\') {
            word |= METHOD_ESCAPED;
        }
        word |= HAS_METHOD;
        name = keep(extra, raw)?;
    }
    let length = head.length();
    *out = [
        word,
        length as u32,
        (length >> 32) as u32,
        id.0,
        id.1,
        value as u32,
        (value >> 32) as u32,
        name.0,
        name.1,
        0,
        0,
        event,
    ];
    Ok(())
}

/// The kinds of faults in the order of their numbers: name and reason.
pub(crate) fn fault_names() -> Vec<String> {
    let all = FaultKind::ALL.iter();
    all.flat_map(|kind| [kind.name().to_owned(), kind.reason().to_owned()])
        .collect()
}

/// The spans of what a state machine needs of a message, two words each; an absent member
/// has length 0. In the order of `META` in `js/layout.mts`.
pub(crate) fn meta(out: &mut [u32], message: &Message<'_>) {
    let meta = message.meta();
    let text = message.as_bytes();
    let quoted = |found: Option<JsonStr<'_>>| {
        // The quotes stand around the text.
        found.map_or((0, 0), |it| {
            let (at, length) = span(it.raw_bytes(), text, 0);
            (at.wrapping_sub(1), length.wrapping_add(2))
        })
    };
    let id = |found: Option<Id<'_>>| found.map_or((0, 0), |it| span(it.as_bytes(), text, 0));
    let raw = |found: Option<wireline::json::RawJson<'_>>| {
        found.map_or((0, 0), |it| span(it.as_bytes(), text, 0))
    };
    let number = |found: Option<wireline::json::Number<'_>>| {
        found.map_or((0, 0), |it| span(it.as_str().as_bytes(), text, 0))
    };
    let spans = [
        id(meta.progress_token()),
        quoted(meta.protocol_version()),
        raw(meta.client_capabilities()),
        quoted(meta.log_level()),
        id(meta.subscription_id()),
        id(meta.request_id()),
        number(meta.progress()),
        quoted(meta.result_type()),
        raw(meta.supported()),
    ];
    for (slot, value) in out.iter_mut().zip(spans.iter().flat_map(|it| [it.0, it.1])) {
        *slot = value;
    }
}
