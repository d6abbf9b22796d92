//! The optimistic reading of a message that lies whole in memory.
//!
//! What it accepts it reports exactly as the resumable reader would; what it does not
//! recognise as plainly good it leaves to that one.

use super::{CODE, Captured, Context, Field, is_integer};
use crate::json::vector::{byte, members, number, plain_string, space, string, value, word};
use crate::limits::{Limits, Profile};
use crate::message::{Kind, Message};
use crate::text::Text;

/// Reads the line at the front of `text`, if it ends there and is plainly good. Returns
/// the message and how many bytes the line has, its end included.
#[inline]
pub(crate) fn read<'a>(text: &'a [u8], limits: &Limits) -> Option<(Message<'a>, usize)> {
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
    Some((reader.message(line)?, end.wrapping_add(1)))
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
    reader.message(text)
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

    /// The message that the members make.
    #[inline(always)]
    fn message(&mut self, line: &'a [u8]) -> Option<Message<'a>> {
        let kind = self.kind()?;
        if line.len() > self.limits.message as usize {
            return None;
        }
        Some(Message {
            line: Text::found(line)?,
            captured: self.captured,
            kind,
            batch: None,
        })
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
        let name = |from| known(text, from).or_else(|| any(Context::Top, text, from));
        members(text, at, name, |field, at, first| {
            let Some(field) = field else {
                return value(text, at, first, self.levels(Context::Top));
            };
            self.see(field, at)?;
            let inside = at.wrapping_add(1);
            let end = match (field, first) {
                (Field::JSONRPC, _) => {
                    self.captured.set(Captured::VERSION_OK);
                    return word(text, at, b"\"2.0\"");
                }
                (Field::METHOD, b'"') => {
                    let end = plain_string(text, inside)?.wrapping_add(1);
                    if end.wrapping_sub(at) > usize::from(self.limits.method) {
                        return None;
                    }
                    end
                }
                (Field::ID, b'"') => {
                    let end = plain_string(text, inside)?.wrapping_add(1);
                    self.id(at, end)?
                }
                (Field::ID, _) => match number(text, at, first)? {
                    (end, true) => self.id(at, end)?,
                    _ => return None,
                },
                (Field::PARAMS, b'{') => self.params(inside)?,
                (Field::RESULT, b'{') => self.result(inside)?,
                (Field::ERROR, b'{') => self.error(inside)?,
                (Field::PARAMS, b'[') | (Field::RESULT, _) if self.is_lenient(first) => {
                    value(text, at, first, self.levels(Context::Top))?
                }
                _ => return None,
            };
            self.captured.end(field, end);
            Some(end)
        })
    }

    /// Whether the profile takes bodies that are no objects. A null is left to the
    /// resumable reader.
    fn is_lenient(&self, first: u8) -> bool {
        self.limits.profile == Profile::JsonRpc && first != b'n'
    }

    #[inline(always)]
    fn id(&mut self, at: usize, end: usize) -> Option<usize> {
        self.captured.set(Captured::ID_USABLE);
        (end.wrapping_sub(at) <= usize::from(self.limits.id)).then_some(end)
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

    #[inline(always)]
    fn kind(&mut self) -> Option<Kind> {
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

/// The name that begins here, if it is one of the message's own members: they are short
/// enough to be compared at once, closing quote included.
#[inline(always)]
fn known(text: &[u8], at: usize) -> Name {
    const JSONRPC: u64 = u64::from_le_bytes(*b"jsonrpc\"");
    const METHOD: u64 = u64::from_le_bytes(*b"method\"\0");
    const PARAMS: u64 = u64::from_le_bytes(*b"params\"\0");
    const RESULT: u64 = u64::from_le_bytes(*b"result\"\0");
    const ERROR: u64 = u64::from_le_bytes(*b"error\"\0\0");
    const ID: u64 = u64::from_le_bytes(*b"id\"\0\0\0\0\0");
    let word = u64::from_le_bytes(*text.get(at..)?.first_chunk()?);
    let seven = word & 0x00ff_ffff_ffff_ffff;
    let (field, length) = if word & 0x00ff_ffff == ID {
        (Field::ID, 2)
    } else if word == JSONRPC {
        (Field::JSONRPC, 7)
    } else if seven == METHOD {
        (Field::METHOD, 6)
    } else if seven == PARAMS {
        (Field::PARAMS, 6)
    } else if seven == RESULT {
        (Field::RESULT, 6)
    } else if word & 0xffff_ffff_ffff == ERROR {
        (Field::ERROR, 5)
    } else {
        return None;
    };
    Some((Some(field), at.wrapping_add(length)))
}

/// The name that begins here, whatever it is.
#[inline(always)]
fn any(context: Context, text: &[u8], at: usize) -> Name {
    let to = plain_string(text, at)?;
    Some((find(context, text.get(at..to)?), to))
}

/// The captured member of this name.
#[inline(always)]
fn find(context: Context, name: &[u8]) -> Option<Field> {
    match context {
        Context::Top => match name {
            b"id" => Some(Field::ID),
            b"method" => Some(Field::METHOD),
            b"params" => Some(Field::PARAMS),
            b"result" => Some(Field::RESULT),
            b"error" => Some(Field::ERROR),
            b"jsonrpc" => Some(Field::JSONRPC),
            _ => None,
        },
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
        Context::Outside => None,
    }
}
