//! The optimistic reading of a message that lies whole in memory.
//!
//! What it accepts it reports exactly as the resumable reader would; what it does not
//! recognise as plainly good it leaves to that one.

use super::{Captured, Context, Field};
use crate::json::vector::Cursor;
use crate::limits::{Limits, Profile};
use crate::message::Kind;

/// A good line at the front of some text.
pub(crate) struct Whole {
    pub(crate) captured: Captured,
    pub(crate) kind: Kind,
    /// Bytes of the message.
    pub(crate) length: usize,
    /// Bytes of the line, its end included.
    pub(crate) line: usize,
}

/// Reads the line at the front of `text`, if it ends there and is plainly good.
#[inline]
pub(crate) fn read(text: &[u8], limits: &Limits) -> Option<Whole> {
    let mut reader = Reader {
        cursor: Cursor::new(text),
        captured: Captured::new(),
        limits,
    };
    if reader.cursor.space() != b'{' {
        return None;
    }
    reader.object(Context::Top)?;
    if reader.cursor.space() != b'\n' {
        return None;
    }
    let end = reader.cursor.at();
    // At the end of the text there may be no line end.
    if end >= text.len() {
        return None;
    }
    let length = match reader.cursor.slice(0, end) {
        [line @ .., b'\r'] => line.len(),
        _ => end,
    };
    if length > limits.message as usize {
        return None;
    }
    if reader.cursor.may_hold_utf8()
        && simdutf8::basic::from_utf8(reader.cursor.slice(0, length)).is_err()
    {
        return None;
    }
    let kind = reader.kind()?;
    Some(Whole {
        captured: reader.captured,
        kind,
        length,
        line: end.wrapping_add(1),
    })
}

struct Reader<'a, 'l> {
    cursor: Cursor<'a>,
    captured: Captured,
    limits: &'l Limits,
}

impl Reader<'_, '_> {
    /// Reads the object that begins here, its members captured as the context says.
    #[inline(always)]
    fn members(&mut self, context: Context) -> Option<()> {
        self.cursor.bump();
        let mut byte = self.cursor.space();
        if byte == b'}' {
            self.cursor.bump();
            return Some(());
        }
        loop {
            if byte != b'"' {
                return None;
            }
            self.cursor.bump();
            let name = self.cursor.plain_string()?;
            let field = find(context, name);
            if self.cursor.space() != b':' {
                return None;
            }
            self.cursor.bump();
            let first = self.cursor.space();
            match field {
                None => self.cursor.value(first, self.levels(context))?,
                Some(field) => {
                    if !self.captured.see(field) {
                        return None;
                    }
                    self.member(context, field, first)?;
                }
            }
            byte = self.cursor.space();
            if byte != b',' {
                if byte != b'}' {
                    return None;
                }
                self.cursor.bump();
                return Some(());
            }
            self.cursor.bump();
            byte = self.cursor.space();
        }
    }

    /// How many containers may be opened inside this context.
    #[inline(always)]
    fn levels(&self, context: Context) -> u32 {
        u32::from(self.limits.depth).saturating_sub(context.depth())
    }

    fn object(&mut self, context: Context) -> Option<()> {
        match context {
            Context::Top => self.members(Context::Top),
            Context::Params => self.members(Context::Params),
            Context::Meta => self.members(Context::Meta),
            Context::Result => self.members(Context::Result),
            Context::Error => self.members(Context::Error),
            Context::Data => self.members(Context::Data),
            Context::Outside => None,
        }
    }

    #[inline(always)]
    fn member(&mut self, context: Context, field: Field, first: u8) -> Option<()> {
        let start = self.cursor.at();
        self.captured.begin(field, start);
        match (field, first) {
            (Field::ID, b'"') => {
                self.cursor.bump();
                self.cursor.plain_string()?;
                self.end_id(start)
            }
            (Field::ID, b'-' | b'0'..=b'9') => {
                self.cursor.number(first)?;
                let token = self.cursor.slice(start, self.cursor.at());
                super::is_integer(token).then_some(())?;
                self.end_id(start)
            }
            (Field::METHOD, b'"') => {
                self.cursor.bump();
                self.cursor.plain_string()?;
                let end = self.cursor.at();
                self.captured.end(field, end);
                (end.wrapping_sub(start) <= usize::from(self.limits.method)).then_some(())
            }
            (Field::JSONRPC, b'"') => {
                self.cursor.literal(b"\"2.0\"")?;
                self.captured.set(Captured::VERSION_OK);
                Some(())
            }
            (Field::ID | Field::METHOD | Field::JSONRPC, _) => None,
            (Field::PARAMS, b'{') => self.body(Context::Params, field),
            (Field::RESULT, b'{') => self.body(Context::Result, field),
            (Field::ERROR, b'{') => {
                self.body(Context::Error, field)?;
                let flags = &self.captured;
                (flags.flag(Captured::CODE_OK) && flags.flag(Captured::MESSAGE_OK)).then_some(())
            }
            (Field::PARAMS, b'[') | (Field::RESULT, _)
                if self.limits.profile == Profile::JsonRpc && first != b'n' =>
            {
                self.cursor.value(first, self.levels(context))?;
                self.captured.end(field, self.cursor.at());
                Some(())
            }
            (Field::PARAMS | Field::RESULT | Field::ERROR, _) => None,
            (Field::META, b'{') => self.object(Context::Meta),
            (Field::DATA, b'{') => self.object(Context::Data),
            (Field::CODE, b'-' | b'0'..=b'9') => {
                self.cursor.number(first)?;
                let token = self.cursor.slice(start, self.cursor.at());
                if token.len() > super::CODE || !super::is_integer(token) {
                    return None;
                }
                self.captured.set(Captured::CODE_OK);
                Some(())
            }
            (Field::MESSAGE, b'"') => {
                self.captured.set(Captured::MESSAGE_OK);
                self.cursor.value(first, 0)
            }
            (Field::CODE | Field::MESSAGE, _) => None,
            _ => self.cursor.value(first, self.levels(context)),
        }
    }

    #[inline(always)]
    fn body(&mut self, context: Context, field: Field) -> Option<()> {
        self.object(context)?;
        self.captured.end(field, self.cursor.at());
        Some(())
    }

    #[inline(always)]
    fn end_id(&mut self, start: usize) -> Option<()> {
        let end = self.cursor.at();
        self.captured.end(Field::ID, end);
        self.captured.set(Captured::ID_USABLE);
        (end.wrapping_sub(start) <= usize::from(self.limits.id)).then_some(())
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
