//! JSON-RPC's members: what kind of message a text is, and where its parts stand.
//!
//! The driver here watches the scanner's outermost levels. It never depends on the order
//! of members: the id may come last.

mod fields;
#[cfg(feature = "wide")]
pub(crate) mod whole;

pub(crate) use fields::{Captured, Context, Field, VERSION};

use core::ops::Range;

use crate::fault::FaultKind;
use crate::json::JsonKind;
use crate::json::scan::{Event, Finish, Scanner};
use crate::limits::{Limits, Profile};
use crate::message::Kind;
use crate::text::part;

/// Longest `error.code` that is looked at, in bytes.
pub(crate) const CODE: usize = 32;

/// Where a driver that was fed a piece stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// All bytes are used.
    Need,
    /// `params`, `result` or `error` begins; its first byte is the last one used.
    Body(Field),
    /// It ended; it reaches to the last byte used.
    BodyEnd,
    /// The text's one value ended.
    TextEnd,
}

/// Where captured tokens are to be found.
pub(crate) enum Store<'a> {
    /// The line itself is kept, and this is all of it so far.
    Line(&'a [u8]),
    /// The line is not kept: tokens are copied here. Those that nothing depends on leave
    /// this much room to the others; without such a room, they are not copied.
    Copies(&'a mut [u8], Option<Reserve>),
}

/// How much room is kept for what is still to come.
pub(crate) type Reserve = fn(&Captured, &Limits) -> usize;

/// Room for the tokens that every line is owed.
pub(crate) fn reserve(captured: &Captured, limits: &Limits) -> usize {
    let mut room = 0usize;
    for field in [Field::ID, Field::METHOD, Field::CODE] {
        if !captured.has(field) {
            room = room.wrapping_add(ceiling(field, limits)).wrapping_add(1);
        }
    }
    room
}

/// How a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    LineFeed,
    EndOfInput,
}

/// What a line came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Blank,
    Message(Kind),
    /// A valid batch with at least one element, to be taken apart.
    Elements,
    /// No message: the reader knows of the fault.
    Rejected,
}

/// The resumable reader of one line.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Envelope {
    fault: Option<FaultKind>,
    context: Context,
    field: Option<Field>,
    flags: u8,
    /// Bytes of the copies in use.
    copied: u16,
    pub(crate) limits: Limits,
    scan: Scanner,
    fault_at: usize,
    pub(crate) captured: Captured,
}

/// The text is broken: nothing more is scanned.
const DEAD: u8 = 1;
/// A token is being copied.
const COPYING: u8 = 2;
/// The text is an array.
const ARRAY: u8 = 4;
/// The text is neither an object nor an array.
const SCALAR: u8 = 8;
/// The array has an element.
const FILLED: u8 = 0x10;

impl Envelope {
    pub(crate) const fn new(limits: Limits, line_feed: bool) -> Self {
        Envelope {
            scan: Scanner::new(limits.depth, line_feed),
            limits,
            captured: Captured::new(),
            fault_at: 0,
            copied: 0,
            fault: None,
            context: Context::Outside,
            field: None,
            flags: 0,
        }
    }

    /// Makes the reader ready for the next line.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    pub(crate) fn reset(&mut self) {
        self.fault = None;
        self.fault_at = 0;
        self.context = Context::Outside;
        self.field = None;
        self.flags = 0;
        self.copied = 0;
        self.scan.reset();
        self.captured.reset();
    }

    /// Bytes of the line so far.
    pub(crate) fn at(&self) -> usize {
        self.scan.at()
    }

    /// Whether the text is broken, so that nothing depends on the bytes to come.
    pub(crate) fn is_dead(&self) -> bool {
        self.flags & DEAD != 0
    }

    /// Where the text broke, if the scanner found it broken.
    pub(crate) fn broken_at(&self) -> Option<usize> {
        self.is_dead().then(|| self.scan.marked())
    }

    /// Takes back bytes of a broken text that were counted.
    pub(crate) fn take_back(&mut self, bytes: usize) {
        self.scan.take_back(bytes);
    }

    /// Counts bytes of a broken text.
    pub(crate) fn pass(&mut self, bytes: usize) {
        self.scan.pass(bytes);
    }

    /// The first fault so far and where it is.
    pub(crate) fn fault(&self) -> Option<(FaultKind, usize)> {
        self.fault.map(|kind| (kind, self.fault_at))
    }

    /// Reports a fault. The first by offset names the line's kind.
    pub(crate) fn note(&mut self, kind: FaultKind, offset: usize) {
        // A fault of the stream itself stands, whatever was in the line.
        if matches!(self.fault, Some(FaultKind::Overrun | FaultKind::Runaway)) {
            return;
        }
        // What is too long gives way to what the scanner finds at the same place, so that
        // it does not matter which of them is noted first.
        let first = offset < self.fault_at
            || offset == self.fault_at && self.fault == Some(FaultKind::TooLong);
        if self.fault.is_none() || first {
            self.fault = Some(kind);
            self.fault_at = offset;
        }
    }

    /// Reports a fault of the stream itself, which names the line whatever was in it.
    pub(crate) fn replace(&mut self, kind: FaultKind, offset: usize) {
        self.fault = Some(kind);
        self.fault_at = offset;
        self.flags |= DEAD;
    }

    /// Calls the fault by another name.
    #[cfg(feature = "batch")]
    pub(crate) fn rename(&mut self, kind: FaultKind) {
        self.fault = Some(kind);
    }

    /// Bytes of the copies in use.
    pub(crate) fn copied(&self) -> usize {
        usize::from(self.copied)
    }

    /// Reports a fault that ends the reading of the line.
    pub(crate) fn give_up(&mut self, kind: FaultKind, offset: usize) {
        self.note(kind, offset);
        self.flags |= DEAD;
    }

    /// Goes over to copies: what was captured of the line, the first `filled` bytes of
    /// the buffer, is moved to the buffer's front, behind the line's first `excerpt`
    /// bytes, which stay where they are.
    pub(crate) fn spill(&mut self, line: &mut [u8], filled: usize, excerpt: usize) {
        let mut cursor = excerpt.min(filled);
        // Tokens move towards the front, in their order, so none runs over another.
        let mut order = [Field::ID, Field::METHOD];
        if self.captured.start(Field::METHOD) < self.captured.start(Field::ID) {
            order = [Field::METHOD, Field::ID];
        }
        for field in order {
            let (start, end) = self.captured.main_place(field);
            let kept = field == Field::METHOD || self.captured.id_usable();
            if kept && start < end && end <= line.len() {
                cursor = self.move_token(line, field, start..end, start.min(cursor), cursor);
            }
        }
        match self.field {
            Some(field) if is_owed(field) && self.flags & COPYING != 0 => {
                let start = self.scan.marked();
                // It is still being read, so it has to stand last.
                let target = if self.at() < cursor {
                    cursor
                } else {
                    start.min(cursor)
                };
                let most = start.wrapping_add(ceiling(field, &self.limits));
                let end = self.at().min(most);
                cursor = self.move_token(line, field, start..end, target, cursor);
            }
            _ => self.flags &= !COPYING,
        }
        self.copied = cursor as u16;
    }

    /// Moves a token; returns the end of what is kept.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    fn move_token(
        &mut self,
        line: &mut [u8],
        field: Field,
        token: Range<usize>,
        target: usize,
        cursor: usize,
    ) -> usize {
        let length = token.end.wrapping_sub(token.start);
        move_bytes(line, token.start, target, length);
        self.captured.place(field, target);
        cursor.max(target.wrapping_add(length))
    }

    /// Reads a piece of the line until something is to be told, and moves `chunk` past it.
    pub(crate) fn feed(&mut self, chunk: &mut &[u8], store: &mut Store<'_>) -> Mark {
        loop {
            let before = *chunk;
            if self.is_dead() {
                self.scan.pass(before.len());
                *chunk = &[];
                return Mark::Need;
            }
            let names = match self.field {
                Some(Field::JSONRPC) => VERSION,
                _ => self.context.names(),
            };
            let event = self.scan.step(chunk, names);
            let used = before.len().wrapping_sub(chunk.len());
            self.keep(before, 0, used, store);
            let mark = match event {
                Event::Need => Some(Mark::Need),
                Event::Name => {
                    self.name(self.scan.picked(names));
                    None
                }
                Event::Begin(kind) => {
                    let mark = self.begin(kind, matches!(store, Store::Copies(..)));
                    self.keep(before, used.wrapping_sub(1), used, store);
                    mark
                }
                Event::End => self.end(store),
                Event::LoneSurrogate => {
                    self.lone_surrogate();
                    None
                }
                Event::TooDeep => {
                    self.note(FaultKind::TooDeep, self.scan.event_at());
                    None
                }
                Event::Fault(kind) => {
                    self.flags &= !COPYING;
                    let at = self.scan.event_at();
                    self.scan.mark(at);
                    self.give_up(kind, at);
                    None
                }
            };
            if let Some(mark) = mark {
                return mark;
            }
        }
    }

    fn name(&mut self, number: Option<u8>) {
        self.field = number.and_then(Field::numbered);
        if let Some(field) = self.field
            && !self.captured.see(field)
        {
            self.note(FaultKind::Duplicate, self.scan.marked());
            if field == Field::ID {
                self.captured.clear(Captured::ID_USABLE);
            }
            self.field = None;
        }
    }

    #[cfg_attr(not(any(feature = "std", feature = "wide")), inline(never))]
    fn begin(&mut self, kind: JsonKind, copies: bool) -> Option<Mark> {
        let at = self.at().wrapping_sub(1);
        if self.context == Context::Outside {
            self.begin_text(kind, at);
            return None;
        }
        let field = self.field?;
        self.scan.mark(at);
        let rule = field.rule();
        if kind == JsonKind::Null {
            self.captured.set(rule.flag);
        }
        // A stray member's place belongs to another.
        let placed = self.captured.begin(field, at);
        let scalar = kind < JsonKind::Array;
        if !rule.takes(kind, self.limits.profile) {
            self.note(rule.fault, at);
        } else if kind == JsonKind::Object && rule.inside != Context::Outside {
            self.descend(rule.inside);
        } else if field.is_token() {
            if scalar && (placed || !copies) {
                self.flags |= COPYING;
            }
            if placed && copies {
                if scalar {
                    self.captured.place(field, self.copied());
                } else {
                    self.captured.drop_token(field);
                }
            }
        }
        if kind == JsonKind::String {
            match field {
                Field::ID | Field::METHOD => self.scan.text(),
                Field::JSONRPC => self.scan.pick(),
                Field::MESSAGE => self.captured.set(Captured::MESSAGE_OK),
                _ => {}
            }
        }
        field.is_body().then_some(Mark::Body(field))
    }

    /// The text's own value begins, or an element of a batch.
    fn begin_text(&mut self, kind: JsonKind, at: usize) {
        if self.flags & ARRAY != 0 {
            self.flags |= FILLED;
            return;
        }
        self.scan.mark(at);
        match kind {
            JsonKind::Object => {
                self.context = Context::Top;
                self.scan.descend();
            }
            JsonKind::Array => {
                self.flags |= ARRAY;
                self.scan.descend();
            }
            _ => self.flags |= SCALAR,
        }
    }

    fn descend(&mut self, context: Context) {
        self.context = context;
        self.field = None;
        self.scan.descend();
    }

    /// Appends to the copy of the current token, if one is made, as much of these bytes as
    /// it may have.
    #[cfg_attr(not(any(feature = "std", feature = "wide")), inline(never))]
    fn keep(&mut self, bytes: &[u8], from: usize, to: usize, store: &mut Store<'_>) {
        let (Some(field), Store::Copies(copies, reserve)) = (self.field, store) else {
            return;
        };
        if self.flags & COPYING == 0 {
            return;
        }
        let mut end = copies.len();
        if is_owed(field) {
            let most = self
                .captured
                .start_of(field)
                .wrapping_add(ceiling(field, &self.limits));
            end = end.min(most);
        } else if let Some(reserve) = reserve {
            end = end.saturating_sub(reserve(&self.captured, &self.limits));
        } else {
            return;
        }
        for &byte in part(bytes, from, to) {
            let at = self.copied();
            match copies.get_mut(at) {
                Some(slot) if at < end => *slot = byte,
                _ => return,
            }
            self.copied = self.copied.wrapping_add(1);
        }
    }

    #[cfg_attr(not(any(feature = "std", feature = "wide")), inline(never))]
    fn end(&mut self, store: &mut Store<'_>) -> Option<Mark> {
        let at = self.at();
        if self.scan.depth() == 0 {
            self.context = Context::Outside;
            if self.flags & (ARRAY | SCALAR) == 0 {
                // Where the closing brace is, which is where a missing member is missed.
                self.scan.mark(at);
            }
            return Some(Mark::TextEnd);
        }
        if self.scan.depth() < self.context.depth() {
            self.field = self.context.owner();
            self.context = self.context.parent();
        }
        let field = self.field.take()?;
        let copied = self.flags & COPYING != 0;
        self.flags &= !COPYING;
        if field.is_body() {
            self.captured.end(field, at);
            if field == Field::ERROR {
                self.end_error();
            }
            return Some(Mark::BodyEnd);
        }
        if field == Field::JSONRPC {
            if self.scan.picked(VERSION).is_some() {
                self.captured.set(Captured::VERSION_OK);
            } else {
                self.note(FaultKind::BadVersion, self.scan.marked());
            }
        } else if copied {
            self.end_token(field, store);
        }
        None
    }

    fn end_error(&mut self) {
        let ok = self.captured.flag(Captured::CODE_OK) && self.captured.flag(Captured::MESSAGE_OK);
        if !ok && !self.captured.flag(Captured::ERROR_NULL) {
            self.note(FaultKind::BadError, self.captured.start(Field::ERROR));
        }
    }

    fn end_token(&mut self, field: Field, store: &mut Store<'_>) {
        let marked = self.scan.marked();
        let length = self.at().wrapping_sub(marked);
        let (mut start, mut end) = (marked, self.at());
        let mut cut = false;
        let text: &[u8] = match store {
            Store::Line(line) => line,
            Store::Copies(copies, _) => {
                start = self.captured.start_of(field);
                end = usize::from(self.copied);
                cut = end.wrapping_sub(start) < length;
                // Tokens stand apart, so that a number's end can be told.
                if let Some(slot) = copies.get_mut(end) {
                    *slot = b' ';
                }
                let next = if cut && !is_owed(field) {
                    // It takes no room from those that are still to come.
                    start
                } else {
                    end.wrapping_add(1).min(copies.len())
                };
                self.copied = next as u16;
                copies
            }
        };
        self.captured.end(field, end);
        let token = part(text, start, end);
        let long = length > ceiling(field, &self.limits);
        let mut lost = cut;
        match field {
            Field::CODE => {
                lost = false;
                if !long && is_integer(token) {
                    self.captured.set(Captured::CODE_OK);
                }
            }
            Field::ID if long => {
                lost = true;
                self.note(FaultKind::IdTooLong, marked);
            }
            Field::METHOD if long => {
                lost = true;
                self.note(FaultKind::MethodTooLong, marked);
            }
            Field::ID if lost => {}
            Field::ID => {
                if self.captured.flag(Captured::ID_LONE) {
                    lost = true;
                } else if self.limits.profile == Profile::JsonRpc || is_id(token) {
                    self.captured.set(Captured::ID_USABLE);
                } else if self.captured.flag(Captured::ID_NULL) {
                    // Where it was, should a fault have to name it.
                    self.captured.place(field, marked);
                } else {
                    self.note(FaultKind::BadId, marked);
                }
            }
            _ => {}
        }
        if lost {
            self.captured.drop_token(field);
        }
    }

    fn lone_surrogate(&mut self) {
        if self.scan.in_name() {
            // In a batch each element is judged on its own.
            if self.flags & ARRAY == 0 {
                self.note(FaultKind::LoneSurrogate, self.scan.event_at());
            }
        } else if self.field == Some(Field::ID) {
            self.note(FaultKind::BadId, self.scan.marked());
            self.captured.set(Captured::ID_LONE);
        } else {
            self.note(FaultKind::BadMethod, self.scan.marked());
        }
    }

    /// Judges the line, no more bytes of which come.
    #[cfg_attr(not(any(feature = "std", feature = "wide")), inline(never))]
    pub(crate) fn finish(&mut self, ending: Ending) -> Verdict {
        let length = self.at();
        if !self.is_dead() {
            let truncated = ending == Ending::EndOfInput && !self.limits.eof_completes_line;
            match self.scan.finish() {
                Finish::Blank => return Verdict::Blank,
                _ if truncated => self.give_up(FaultKind::Truncated, length),
                Finish::Cut(kind) => self.give_up(kind, self.scan.event_at()),
                Finish::Complete => {}
            }
        }
        let mut kind = Kind::Notification;
        if !self.is_dead() {
            if self.flags & (ARRAY | SCALAR) == 0 {
                kind = self.judge();
            } else if self.flags & SCALAR != 0 {
                self.note_if_first(FaultKind::NotObject);
            } else if self.flags & FILLED == 0 {
                self.note_if_first(FaultKind::EmptyBatch);
            } else if !self.limits.takes_batches() {
                self.note_if_first(FaultKind::Batch);
            } else if self.fault.is_none() {
                return Verdict::Elements;
            }
        }
        match self.fault {
            None => Verdict::Message(kind),
            Some(_) => Verdict::Rejected,
        }
    }

    /// What the whole text is, unless something in it was found wrong before.
    fn note_if_first(&mut self, kind: FaultKind) {
        if self.fault.is_none() {
            self.note(kind, self.scan.marked());
        }
    }

    /// The members together: which kind of message they make, or what keeps them from it.
    fn judge(&mut self) -> Kind {
        let brace = self.scan.marked().wrapping_sub(1);
        let seen = &mut self.captured;
        if seen.has(Field::RESULT) && seen.has(Field::ERROR) {
            if seen.flag(Captured::ERROR_NULL) {
                seen.forget(Field::ERROR);
            } else if seen.flag(Captured::RESULT_NULL) {
                seen.forget(Field::RESULT);
            }
        }
        let present = seen.seen();
        let mcp = self.limits.profile == Profile::Mcp;
        if present & Field::JSONRPC.bit() == 0 {
            self.note(FaultKind::BadVersion, brace);
        }
        // A null that is still there is alone.
        let (fault, null) = if present & ERROR != 0 {
            (FaultKind::BadError, Captured::ERROR_NULL)
        } else {
            (FaultKind::BadResult, Captured::RESULT_NULL)
        };
        if self.captured.flag(null) && (mcp || fault == FaultKind::BadError) {
            self.note(fault, self.captured.start(Field::RESULT));
        }
        let has_id = present & Field::ID.bit() != 0;
        let mut at = brace;
        let (kind, fault) = match present & (METHOD | RESULT | ERROR) {
            METHOD if !has_id => return Kind::Notification,
            METHOD => (Kind::Request, FaultKind::BadId),
            RESULT => (Kind::Result, FaultKind::BadId),
            ERROR => {
                if self.captured.flag(Captured::ID_NULL) {
                    self.captured.clear(Captured::ID_USABLE);
                }
                self.captured.forget_params();
                return Kind::Error;
            }
            0 => (Kind::Notification, FaultKind::NoKind),
            _ => (Kind::Notification, FaultKind::Conflict),
        };
        if kind == Kind::Result {
            self.captured.forget_params();
        }
        if kind != Kind::Notification && has_id {
            if !mcp || !self.captured.flag(Captured::ID_NULL) {
                return kind;
            }
            at = self.captured.start(Field::ID);
        }
        self.note(fault, at);
        kind
    }
}

const METHOD: u32 = Field::METHOD.bit();
const RESULT: u32 = Field::RESULT.bit();
const ERROR: u32 = Field::ERROR.bit();

/// Moves so many bytes, towards the front or to where they do not stand themselves. Byte by
/// byte, which is the least code.
#[cfg(not(any(feature = "std", feature = "wide")))]
pub(crate) fn move_bytes(bytes: &mut [u8], from: usize, to: usize, length: usize) {
    for index in 0..length {
        let byte = bytes.get(from.wrapping_add(index)).copied();
        if let (Some(byte), Some(slot)) = (byte, bytes.get_mut(to.wrapping_add(index))) {
            *slot = byte;
        }
    }
}

/// Moves so many bytes, towards the front or to where they do not stand themselves.
#[cfg(any(feature = "std", feature = "wide"))]
pub(crate) fn move_bytes(bytes: &mut [u8], from: usize, to: usize, length: usize) {
    // Piece by piece, each no longer than the gap, so that it is a plain copy.
    let gap = from.abs_diff(to);
    let mut moved = 0usize;
    while gap > 0 && moved < length {
        let part = length.wrapping_sub(moved).min(gap);
        let (from, to) = (from.wrapping_add(moved), to.wrapping_add(moved));
        let Some((front, back)) = bytes.split_at_mut_checked(from.max(to)) else {
            return;
        };
        let front = front.get_mut(from.min(to)..).unwrap_or_default();
        let (source, target) = if from > to {
            (back, front)
        } else {
            (front, back)
        };
        for (slot, byte) in target.iter_mut().zip(source).take(part) {
            *slot = *byte;
        }
        moved = moved.wrapping_add(part);
    }
}

/// Whether an id's token, valid JSON, is a string or a whole number.
pub(crate) fn is_id(token: &[u8]) -> bool {
    token.first() == Some(&b'"') || is_integer(token)
}

/// Whether a token, valid JSON, is a whole number.
pub(crate) fn is_integer(token: &[u8]) -> bool {
    matches!(token.first(), Some(b'-' | b'0'..=b'9')) && crate::json::is_integer(token)
}

/// Whether what a line comes to depends on this token.
const fn is_owed(field: Field) -> bool {
    matches!(field, Field::ID | Field::METHOD | Field::CODE)
}

/// How much of such a token is kept once the line is not.
fn ceiling(field: Field, limits: &Limits) -> usize {
    match field {
        Field::ID => usize::from(limits.id),
        Field::METHOD => usize::from(limits.method),
        _ => CODE,
    }
}
