//! `jiter`: its pull parser, bodies skipped.

use crate::envelope::{Envelope, IdOf, Shape};
use crate::frame::lines;
use crate::sum::Sum;
use jiter::{Jiter, Peek};

#[derive(Clone, Copy)]
enum Member {
    Version,
    Id,
    Method,
    Params,
    Result,
    Error,
    Other,
}

fn member(name: &str) -> Member {
    match name {
        "jsonrpc" => Member::Version,
        "id" => Member::Id,
        "method" => Member::Method,
        "params" => Member::Params,
        "result" => Member::Result,
        "error" => Member::Error,
        _ => Member::Other,
    }
}

fn shape(peek: Peek) -> Shape {
    if peek == Peek::Object {
        Shape::Object
    } else if peek == Peek::Null {
        Shape::Null
    } else {
        Shape::Other
    }
}

/// Strings are borrowed only until the next call, so id and method are kept in these.
#[derive(Default)]
struct Kept {
    id: String,
    method: String,
}

fn read<'k>(line: &[u8], tape: Vec<u8>, kept: &'k mut Kept) -> (Option<Envelope<'k>>, Vec<u8>) {
    let mut jiter = Jiter::with_tape(line, tape);
    let envelope = members(&mut jiter, kept);
    (envelope, jiter.into_tape())
}

fn members<'k>(jiter: &mut Jiter<'_>, kept: &'k mut Kept) -> Option<Envelope<'k>> {
    let mut envelope = Envelope::default();
    let (mut version, mut id, mut method, mut text_id) = (false, false, false, false);
    let mut next = jiter.next_object().ok()?.map(member);
    while let Some(name) = next {
        let peek = jiter.peek().ok()?;
        match name {
            Member::Version => {
                if std::mem::replace(&mut version, true) {
                    return None;
                }
                envelope.version = jiter.next_str().ok()? == "2.0";
            }
            Member::Id => {
                if std::mem::replace(&mut id, true) {
                    return None;
                }
                envelope.id = if peek == Peek::String {
                    kept.id.clear();
                    kept.id.push_str(jiter.known_str().ok()?);
                    text_id = true;
                    IdOf::Absent
                } else if peek == Peek::Null {
                    jiter.known_null().ok()?;
                    IdOf::Null
                } else if peek.is_num() {
                    IdOf::number(std::str::from_utf8(jiter.known_number_bytes(peek).ok()?).ok()?)
                } else {
                    return None;
                };
            }
            Member::Method => {
                if std::mem::replace(&mut method, true) {
                    return None;
                }
                kept.method.clear();
                kept.method.push_str(jiter.next_str().ok()?);
            }
            Member::Params | Member::Result | Member::Error => {
                let slot = match name {
                    Member::Params => &mut envelope.params,
                    Member::Result => &mut envelope.result,
                    _ => &mut envelope.error,
                };
                if std::mem::replace(slot, shape(peek)) != Shape::Absent {
                    return None;
                }
                jiter.known_skip(peek).ok()?;
            }
            Member::Other => jiter.known_skip(peek).ok()?,
        }
        next = jiter.next_key().ok()?.map(member);
    }
    jiter.finish().ok()?;
    if text_id {
        envelope.id = IdOf::Text(&kept.id);
    }
    if method {
        envelope.method = Some(&kept.method);
    }
    Some(envelope)
}

/// Skips bodies; whether a line is UTF-8 is checked first, since skipping does not.
pub fn skip(data: &[u8]) -> Sum {
    let mut kept = Kept::default();
    let mut tape = Vec::new();
    lines(data, |line, sum| {
        if simdutf8::basic::from_utf8(line).is_err() {
            return sum.fault();
        }
        let (envelope, used) = read(line, std::mem::take(&mut tape), &mut kept);
        match envelope {
            Some(envelope) => envelope.judge(sum),
            None => sum.fault(),
        }
        tape = used;
    })
}
