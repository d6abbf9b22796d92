//! `wireline`, through each of its ways in.

use crate::frame::lines;
use crate::sum::{Kind, Sum};
use std::io::Read;
use wireline::json::JsonStr;
use wireline::{Id, IdKind, Limits, LineDecoder, Message, Rejected, StreamDecoder, StreamEvent};

/// Bytes at once from a pipe or a socket.
const PIECE: usize = 65_536;

/// More than any line here: all of it is stored.
const ROOMY: Limits = Limits::HOST.with_message(128 << 20);

/// Less than the long line at any size: its body is scanned, not stored.
const TIGHT: Limits = Limits::HOST.with_message(1 << 20);

#[inline]
fn text(text: JsonStr<'_>, put: impl FnOnce(&str)) {
    match text.as_str() {
        Some(plain) => put(plain),
        None => {
            if let Ok(decoded) = text.unescape_into(&mut [0; 256]) {
                put(decoded);
            }
        }
    }
}

#[inline]
fn head(kind: wireline::Kind, id: Option<Id<'_>>, method: Option<JsonStr<'_>>, sum: &mut Sum) {
    sum.kind(match kind {
        wireline::Kind::Request => Kind::Request,
        wireline::Kind::Notification => Kind::Notification,
        wireline::Kind::Result => Kind::Result,
        wireline::Kind::Error => Kind::Error,
    });
    if let Some(id) = id {
        match id.kind() {
            IdKind::Number => id.as_i64().into_iter().for_each(|n| sum.id_number(n)),
            IdKind::String => id
                .as_json_str()
                .into_iter()
                .for_each(|s| text(s, |s| sum.id_text(s))),
            IdKind::Null => {}
        }
    }
    if let Some(method) = method {
        text(method, |m| sum.method(m));
    }
}

#[inline]
fn take(item: Result<Message<'_>, Rejected<'_>>, sum: &mut Sum) {
    match item {
        Ok(message) => head(message.kind(), message.id(), message.method(), sum),
        Err(_) => sum.fault(),
    }
}

#[inline]
fn over(data: &[u8], piece: usize, limits: Limits) -> Sum {
    let mut sum = Sum::default();
    let mut decoder = LineDecoder::new(Vec::new(), limits);
    for piece in data.chunks(piece) {
        let mut rest = piece;
        while let Some(item) = decoder.next_in(&mut rest) {
            take(item.result(), &mut sum);
        }
    }
    sum
}

/// `next_in` over all of it at once.
pub fn whole(data: &[u8]) -> Sum {
    over(data, usize::MAX, Limits::HOST)
}

/// `next_in` over 64 KiB at a time.
pub fn pieces(data: &[u8]) -> Sum {
    over(data, PIECE, Limits::HOST)
}

/// `next_in` over one byte at a time.
pub fn bytes(data: &[u8]) -> Sum {
    over(data, 1, Limits::HOST)
}

/// Lines longer than the ceiling.
pub fn unstored(data: &[u8]) -> Sum {
    over(data, PIECE, Limits::HOST)
}

/// Lines as long as they come.
pub fn stored(data: &[u8]) -> Sum {
    over(data, PIECE, ROOMY)
}

/// The long line in a given cut, never or always stored.
pub fn cut<const BYTES: usize, const STORED: bool>(data: &[u8]) -> Sum {
    over(data, BYTES, if STORED { ROOMY } else { TIGHT })
}

/// The decoder lends its buffer; `read` puts bytes there and tells how many.
#[inline]
fn filled(mut read: impl FnMut(&mut [u8]) -> usize) -> Sum {
    let mut sum = Sum::default();
    let mut decoder = LineDecoder::new(vec![0; PIECE], Limits::HOST);
    loop {
        let count = read(decoder.spare());
        if count == 0 {
            return sum;
        }
        decoder.commit(count);
        while let Some(item) = decoder.next() {
            take(item, &mut sum);
        }
    }
}

#[inline]
fn copied(data: &[u8], at_most: usize) -> Sum {
    let mut rest = data;
    filled(|spare| {
        let count = rest.len().min(spare.len()).min(at_most);
        let (now, later) = rest.split_at(count);
        spare[..count].copy_from_slice(now);
        rest = later;
        count
    })
}

/// Filled in place by 64 KiB.
pub fn fill(data: &[u8]) -> Sum {
    copied(data, PIECE)
}

/// Filled in place by one byte.
pub fn bytes_fill(data: &[u8]) -> Sum {
    copied(data, 1)
}

/// Filled in place from something that reads.
pub fn fill_from(source: &mut dyn Read) -> Sum {
    filled(|spare| {
        let most = spare.len().min(PIECE);
        source.read(&mut spare[..most]).unwrap_or(0)
    })
}

/// `next_in` over pieces from something that reads.
fn over_from(source: &mut dyn Read, limits: Limits) -> Sum {
    let mut sum = Sum::default();
    let mut piece = vec![0; PIECE];
    let mut decoder = LineDecoder::new(Vec::new(), limits);
    loop {
        let count = source.read(&mut piece).unwrap_or(0);
        if count == 0 {
            return sum;
        }
        let mut rest = &piece[..count];
        while let Some(item) = decoder.next_in(&mut rest) {
            take(item.result(), &mut sum);
        }
    }
}

/// As `pieces` and `unstored`.
pub fn pieces_from(source: &mut dyn Read) -> Sum {
    over_from(source, Limits::HOST)
}

/// As `stored`.
pub fn stored_from(source: &mut dyn Read) -> Sum {
    over_from(source, ROOMY)
}

#[inline]
fn streamed(mut piece: impl FnMut(&mut dyn FnMut(&[u8])) -> bool) -> Sum {
    let mut sum = Sum::default();
    let mut memory = [0; 4096];
    let mut bodies = 0;
    let mut decoder = match StreamDecoder::new(&mut memory, ROOMY) {
        Ok(decoder) => decoder,
        Err(_) => return sum,
    };
    while piece(&mut |bytes| {
        let mut rest = bytes;
        loop {
            let (used, event) = decoder.step(rest);
            match event {
                StreamEvent::NeedInput => break,
                StreamEvent::Body { bytes, .. } => bodies += bytes.len(),
                StreamEvent::End(end) => match end.kind() {
                    Some(kind) => head(kind, end.id(), end.method(), &mut sum),
                    None => sum.fault(),
                },
                StreamEvent::Fault(_) => sum.fault(),
                _ => {}
            }
            rest = rest.get(used..).unwrap_or(&[]);
        }
    }) {}
    std::hint::black_box(bodies);
    sum
}

/// `StreamDecoder` over 64 KiB at a time.
pub fn stream(data: &[u8]) -> Sum {
    let mut pieces = data.chunks(PIECE);
    streamed(|read| pieces.next().map(read).is_some())
}

/// `StreamDecoder` over pieces from something that reads.
pub fn stream_from(source: &mut dyn Read) -> Sum {
    let mut piece = vec![0; PIECE];
    streamed(|read| {
        let count = source.read(&mut piece).unwrap_or(0);
        read(&piece[..count]);
        count > 0
    })
}

/// `parse()` on every line, framed by the caller.
pub fn parse(data: &[u8]) -> Sum {
    lines(data, |line, sum| {
        take(wireline::parse(line, &Limits::HOST), sum)
    })
}
