//! The optimistic reading of a message that lies whole in memory.
//!
//! What it accepts it reports exactly as the resumable reader would; what it does not
//! recognise as plainly good it leaves to that one.

use super::{CODE, Captured, Context, Field, is_integer};
use crate::json::vector::{
    self, byte, expect, members, number, plain_string, space, string, value,
};
use crate::limits::{Limits, Profile};
use crate::message::{Kind, Message};
use crate::text::Text;

/// Reads the line at the front of `text`, if it ends there and is plainly good. Returns
/// the message and how many bytes the line has, its end included.
#[inline]
pub(crate) fn read<'a>(text: &'a [u8], limits: &Limits) -> Option<(Message<'a>, usize)> {
    let (shape, used) = shape(text, limits)?;
    Some((shape.over(text)?, used))
}

/// What a message is, but for whether it is UTF-8.
pub(crate) struct Shape {
    captured: Captured,
    kind: Kind,
    length: usize,
}

impl Shape {
    /// The message at the front of the text that it is the shape of, if that is UTF-8.
    #[inline]
    pub(crate) fn over<'a>(&self, text: &'a [u8]) -> Option<Message<'a>> {
        Some(Message {
            line: Text::found_at_front(text, self.length)?,
            captured: self.captured,
            kind: self.kind,
            batch: None,
        })
    }
}

/// Reads as [`read`] does, but for whether the line is UTF-8.
#[inline]
pub(crate) fn shape(text: &[u8], limits: &Limits) -> Option<(Shape, usize)> {
    // A line that is too long is not read to its end only to be refused.
    let most = (limits.message as usize).saturating_add(2);
    let text = text.get(..most).unwrap_or(text);
    let mut reader = Reader {
        text,
        captured: Captured::new(),
        limits,
    };
    let end = reader.text()?;
    // At the end of the text there may be no line end.
    let line = text.get(..end)?;
    if text.get(end) != Some(&b'\n') {
        return None;
    }
    let line = match line {
        [line @ .., b'\r'] => line,
        _ => line,
    };
    let kind = reader.kind(line)?;
    let shape = Shape {
        captured: reader.captured,
        kind,
        length: line.len(),
    };
    Some((shape, end.wrapping_add(1)))
}

/// Reads a text that something else framed, if it is plainly good.
pub(crate) fn parse<'a>(text: &'a [u8], limits: &Limits) -> Option<Message<'a>> {
    let mut reader = Reader {
        text,
        captured: Captured::new(),
        limits,
    };
    let end = reader.text()?;
    let rest = text.get(end..)?;
    if !rest
        .iter()
        .all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
    {
        return None;
    }
    let kind = reader.kind(text)?;
    Some(Message {
        line: Text::found(text)?,
        captured: reader.captured,
        kind,
        batch: None,
    })
}

struct Reader<'a, 'l> {
    text: &'a [u8],
    captured: Captured,
    limits: &'l Limits,
}

impl<'a> Reader<'a, '_> {
    /// The text's one value and the white space after it.
    #[inline(always)]
    fn text(&mut self) -> Option<usize> {
        let at = space(self.text, 0);
        if byte(self.text, at) != b'{' {
            return None;
        }
        let end = self.top(at.wrapping_add(1))?;
        Some(space(self.text, end))
    }

    /// Notes a member; `None` if it stands twice.
    #[inline(always)]
    fn see(&mut self, field: Field, at: usize) -> Option<()> {
        self.captured.begin(field, at);
        self.captured.see(field).then_some(())
    }

    /// How many containers may be opened inside this context.
    #[inline(always)]
    fn levels(&self, context: Context) -> u32 {
        u32::from(self.limits.depth).wrapping_sub(context.depth())
    }

    /// The members of the message itself, whose opening brace is behind.
    #[inline(always)]
    fn top(&mut self, at: usize) -> Option<usize> {
        let text = self.text;
        let mut at = space(text, at);
        if byte(text, at) == b'}' {
            return Some(at.wrapping_add(1));
        }
        loop {
            let from = expect(text, at, b'"')?;
            at = space(text, self.member(from)?);
            match byte(text, at) {
                b',' => at = at.wrapping_add(1),
                b'}' => return Some(at.wrapping_add(1)),
                _ => return None,
            }
        }
    }

    /// A member of the message itself, whose name's opening quote is behind. The names are
    /// short enough to be compared at once, closing quote included, and each has its own
    /// way on from here.
    #[inline(always)]
    fn member(&mut self, from: usize) -> Option<usize> {
        let text = self.text;
        let word = eight(text, from);
        let seven = word & 0x00ff_ffff_ffff_ffff;
        if word == u64::from_le_bytes(*b"jsonrpc\"") {
            self.see(Field::JSONRPC, from)?;
            self.captured.set(Captured::VERSION_OK);
            // As every writer has it, and then with white space in it.
            let compact = u64::from_le_bytes(*b"\":\"2.0\"\0");
            if eight(text, from.wrapping_add(7)) & 0x00ff_ffff_ffff_ffff == compact {
                return Some(from.wrapping_add(14));
            }
            let (at, _) = after_name(text, from.wrapping_add(8))?;
            vector::word(text, at, b"\"2.0\"")
        } else if word & 0x00ff_ffff == u64::from_le_bytes(*b"id\"\0\0\0\0\0") {
            let (at, first) = after_name(text, from.wrapping_add(3))?;
            self.see(Field::ID, at)?;
            let end = if first == b'"' {
                plain_string(text, at.wrapping_add(1))?.wrapping_add(1)
            } else {
                match number(text, at, first)? {
                    (end, true) => end,
                    _ => return None,
                }
            };
            self.captured.set(Captured::ID_USABLE);
            self.captured.end(Field::ID, end);
            (end.wrapping_sub(at) <= usize::from(self.limits.id)).then_some(end)
        } else if seven == u64::from_le_bytes(*b"method\"\0") {
            let (at, first) = after_name(text, from.wrapping_add(7))?;
            self.see(Field::METHOD, at)?;
            if first != b'"' {
                return None;
            }
            let end = plain_string(text, at.wrapping_add(1))?.wrapping_add(1);
            self.captured.end(Field::METHOD, end);
            (end.wrapping_sub(at) <= usize::from(self.limits.method)).then_some(end)
        } else if seven == u64::from_le_bytes(*b"params\"\0") {
            let (at, first) = after_name(text, from.wrapping_add(7))?;
            self.see(Field::PARAMS, at)?;
            let end = match first {
                b'{' => self.params(at.wrapping_add(1))?,
                b'[' => self.lenient(at, first)?,
                _ => return None,
            };
            self.captured.end(Field::PARAMS, end);
            Some(end)
        } else if seven == u64::from_le_bytes(*b"result\"\0") {
            let (at, first) = after_name(text, from.wrapping_add(7))?;
            self.see(Field::RESULT, at)?;
            let end = match first {
                b'{' => self.result(at.wrapping_add(1))?,
                _ => self.lenient(at, first)?,
            };
            self.captured.end(Field::RESULT, end);
            Some(end)
        } else if word & 0xffff_ffff_ffff == u64::from_le_bytes(*b"error\"\0\0") {
            let (at, first) = after_name(text, from.wrapping_add(6))?;
            self.see(Field::ERROR, at)?;
            if first != b'{' {
                return None;
            }
            let end = self.error(at.wrapping_add(1))?;
            self.captured.end(Field::ERROR, end);
            Some(end)
        } else {
            let to = plain_string(text, from)?;
            let (at, first) = after_name(text, to.wrapping_add(1))?;
            value(text, at, first, self.levels(Context::Top))
        }
    }

    /// A body that is no object, if the profile takes it. A null is left to the resumable
    /// reader.
    fn lenient(&self, at: usize, first: u8) -> Option<usize> {
        if self.limits.profile != Profile::JsonRpc || first == b'n' {
            return None;
        }
        value(self.text, at, first, self.levels(Context::Top))
    }

    /// The members of `params`.
    fn params(&mut self, at: usize) -> Option<usize> {
        let text = self.text;
        let levels = self.levels(Context::Params);
        let name = |from| any(Context::Params, text, from);
        members(text, at, name, |field, at, first| {
            if let Some(field) = field {
                self.see(field, at)?;
                if field == Field::META && first == b'{' {
                    return self.leaf(Context::Meta, at.wrapping_add(1));
                }
            }
            value(text, at, first, levels)
        })
    }

    /// The members of `result`.
    fn result(&mut self, at: usize) -> Option<usize> {
        self.leaf(Context::Result, at)
    }

    /// The members of an object with nothing captured any deeper.
    #[inline(never)]
    fn leaf(&mut self, context: Context, at: usize) -> Option<usize> {
        let text = self.text;
        let levels = self.levels(context);
        let name = |from| any(context, text, from);
        members(text, at, name, |field, at, first| {
            if let Some(field) = field {
                self.see(field, at)?;
            }
            value(text, at, first, levels)
        })
    }

    /// The members of `error`.
    #[inline(never)]
    fn error(&mut self, at: usize) -> Option<usize> {
        let text = self.text;
        let levels = self.levels(Context::Error);
        let name = |from| any(Context::Error, text, from);
        let end = members(text, at, name, |field, at, first| {
            if let Some(field) = field {
                self.see(field, at)?;
            }
            match (field, first) {
                (Some(Field::CODE), b'-' | b'0'..=b'9') => {
                    let (end, plain) = number(text, at, first)?;
                    let token = text.get(at..end)?;
                    if token.len() > CODE || !(plain || is_integer(token)) {
                        return None;
                    }
                    self.captured.set(Captured::CODE_OK);
                    Some(end)
                }
                (Some(Field::MESSAGE), b'"') => {
                    self.captured.set(Captured::MESSAGE_OK);
                    string(text, at.wrapping_add(1))
                }
                (Some(Field::DATA), b'{') => self.leaf(Context::Data, at.wrapping_add(1)),
                (Some(Field::CODE | Field::MESSAGE), _) => None,
                _ => value(text, at, first, levels),
            }
        })?;
        let flags = &self.captured;
        (flags.flag(Captured::CODE_OK) && flags.flag(Captured::MESSAGE_OK)).then_some(end)
    }

    /// The kind of message that the members make of this line.
    #[inline(always)]
    fn kind(&mut self, line: &[u8]) -> Option<Kind> {
        if line.len() > self.limits.message as usize {
            return None;
        }
        let seen = &mut self.captured;
        if !seen.version_ok() {
            return None;
        }
        let id = seen.has(Field::ID);
        match (
            seen.has(Field::METHOD),
            seen.has(Field::RESULT),
            seen.has(Field::ERROR),
        ) {
            (true, false, false) if id => Some(Kind::Request),
            (true, false, false) => Some(Kind::Notification),
            (false, true, false) if id => {
                seen.forget_params();
                Some(Kind::Result)
            }
            (false, false, true) => {
                seen.forget_params();
                Some(Kind::Error)
            }
            _ => None,
        }
    }
}

/// What a name is taken for, and the place of its closing quote.
type Name = Option<(Option<Field>, usize)>;

/// The eight bytes from here on; what is behind the end of the text is 0.
#[inline(always)]
fn eight(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => last(text, at),
    }
}

#[cold]
#[inline(never)]
fn last(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or(&[]).iter().take(8).rev();
    rest.fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// The place and first byte of a member's value, its name and the closing quote behind.
#[inline(always)]
fn after_name(text: &[u8], at: usize) -> Option<(usize, u8)> {
    let at = space(text, expect(text, at, b':')?);
    Some((at, byte(text, at)))
}

/// The name that begins here, whatever it is.
#[inline(always)]
fn any(context: Context, text: &[u8], at: usize) -> Name {
    let to = plain_string(text, at)?;
    // Nearly all names are told from these by how they begin.
    let begin = |name: &[u8; 8]| u64::from_le_bytes(*name);
    let word = eight(text, at);
    let (one, other) = match context {
        Context::Params => {
            if word & 0xffff_ffff_ffff == begin(b"_meta\"\0\0") {
                return Some((Some(Field::META), to));
            }
            (begin(b"progress"), begin(b"requestI"))
        }
        Context::Meta => (begin(b"progress"), begin(b"io.model")),
        Context::Result => (begin(b"resultTy"), begin(b"protocol")),
        Context::Data => (begin(b"supporte"), begin(b"supporte")),
        Context::Error => return Some((find(context, text.get(at..to)?), to)),
        Context::Top | Context::Outside => return None,
    };
    if word != one && word != other {
        return Some((None, to));
    }
    Some((find(context, text.get(at..to)?), to))
}

/// The captured member of this name.
#[inline(always)]
fn find(context: Context, name: &[u8]) -> Option<Field> {
    match context {
        Context::Params => match name {
            b"_meta" => Some(Field::META),
            b"requestId" => Some(Field::REQUEST_ID),
            b"progressToken" => Some(Field::PROGRESS_TOKEN),
            b"progress" => Some(Field::PROGRESS),
            _ => None,
        },
        Context::Meta => match name {
            b"progressToken" => Some(Field::META_PROGRESS_TOKEN),
            _ => match name.strip_prefix(b"io.modelcontextprotocol/") {
                Some(b"protocolVersion") => Some(Field::PROTOCOL_VERSION),
                Some(b"clientCapabilities") => Some(Field::CLIENT_CAPABILITIES),
                Some(b"logLevel") => Some(Field::LOG_LEVEL),
                Some(b"subscriptionId") => Some(Field::SUBSCRIPTION_ID),
                _ => None,
            },
        },
        Context::Result => match name {
            b"resultType" => Some(Field::RESULT_TYPE),
            b"protocolVersion" => Some(Field::RESULT_VERSION),
            _ => None,
        },
        Context::Error => match name {
            b"code" => Some(Field::CODE),
            b"message" => Some(Field::MESSAGE),
            b"data" => Some(Field::DATA),
            _ => None,
        },
        Context::Data => match name {
            b"supported" => Some(Field::SUPPORTED),
            _ => None,
        },
        Context::Top | Context::Outside => None,
    }
}
