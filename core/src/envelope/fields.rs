//! The members that decide what a message means, and where they stood in a line.

use core::num::NonZeroU8;

use crate::fault::FaultKind;
use crate::json::scan::{END, Names};
use crate::json::{JsonKind, walk};
use crate::limits::Profile;
use crate::text::{Text, part};

/// A captured member. Its number is its bit in the set of members seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field(NonZeroU8);

/// Where in a message the scanner stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Context {
    Outside,
    Top,
    Params,
    Meta,
    Result,
    Error,
    Data,
}

/// What is captured in one context.
struct Table {
    /// Where in [`NAMES`] its names stand.
    from: u8,
    to: u8,
    /// Open containers inside this one, itself included.
    depth: u8,
    parent: Context,
    /// The member that the container is the value of.
    owner: Option<Field>,
}

/// The value that `jsonrpc` must have.
pub(crate) const VERSION: &Names = b"\x002.0\x81";

/// The names of all contexts, with the numbers of their fields.
static NAMES: &Names = b"\0id\x81\0method\x82\0params\x83\0result\x93\0error\x94\0jsonrpc\x95\
    \0_meta\x84\0requestId\x85\0progress\x87\x08Token\x86\
    \0io.modelcontextprotocol/protocolVersion\x88\x18clientCapabilities\x89\x18logLevel\x8a\
    \x18subscriptionId\x8b\0progressToken\x8c\
    \0resultType\x8d\0protocolVersion\x8e\
    \0code\x8f\0message\x90\0data\x92\
    \0supported\x91";

const fn table(from: u8, to: u8, depth: u8, parent: Context, owner: Option<Field>) -> Table {
    Table {
        from,
        to,
        depth,
        parent,
        owner,
    }
}

const NOTHING: Table = table(0, 0, 0, Context::Outside, None);

static TABLES: [Table; 7] = [
    NOTHING,
    table(0, TOP, 1, Context::Outside, None),
    table(TOP, PARAMS, 2, Context::Top, Some(Field::PARAMS)),
    table(PARAMS, META, 3, Context::Params, Some(Field::META)),
    table(META, RESULT, 2, Context::Top, Some(Field::RESULT)),
    table(RESULT, ERROR, 2, Context::Top, Some(Field::ERROR)),
    table(ERROR, DATA, 3, Context::Error, Some(Field::DATA)),
];

// Where the names of each context end.
const TOP: u8 = after(Field::JSONRPC);
const PARAMS: u8 = after(Field::PROGRESS_TOKEN);
const META: u8 = after(Field::META_PROGRESS_TOKEN);
const RESULT: u8 = after(Field::RESULT_VERSION);
const ERROR: u8 = after(Field::DATA);
const DATA: u8 = after(Field::SUPPORTED);

/// Where a field's name ends.
const fn after(field: Field) -> u8 {
    let mut rest = NAMES;
    let mut at = 0u8;
    while let Some((byte, more)) = rest.split_first() {
        at = at.wrapping_add(1);
        if *byte == END | field.number() {
            break;
        }
        rest = more;
    }
    at
}

/// What values a member may have, and what follows from them.
pub(crate) struct Rule {
    /// Types that both profiles take, a bit each, as [`JsonKind`] numbers them.
    takes: u8,
    /// Types that [`Profile::JsonRpc`] takes.
    lenient: u8,
    /// What it is to have another type.
    pub(crate) fault: FaultKind,
    /// What is captured inside an object.
    pub(crate) inside: Context,
    /// The flag for a null, or for a string where that is what is asked for.
    pub(crate) flag: u16,
}

const NULL: u8 = 1 << JsonKind::Null as u8;
const NUMBER: u8 = 1 << JsonKind::Number as u8;
const STRING: u8 = 1 << JsonKind::String as u8;
const ARRAY: u8 = 1 << JsonKind::Array as u8;
const OBJECT: u8 = 1 << JsonKind::Object as u8;
const ANY: u8 = u8::MAX;

const fn rule(takes: u8, lenient: u8, fault: FaultKind, inside: Context, flag: u16) -> Rule {
    Rule {
        takes,
        lenient,
        fault,
        inside,
        flag,
    }
}

/// The profiles: which types the deciding members may have. A null is judged once the
/// message is complete, since what it means depends on the other members.
static RULES: [Rule; 9] = {
    use Context::{Data, Error, Meta, Outside, Params, Result};
    [
        rule(
            STRING | NUMBER | NULL,
            0,
            FaultKind::BadId,
            Outside,
            Captured::ID_NULL,
        ),
        rule(STRING, 0, FaultKind::BadMethod, Outside, 0),
        rule(
            OBJECT | NULL,
            ARRAY,
            FaultKind::BadParams,
            Params,
            Captured::PARAMS_NULL,
        ),
        rule(ANY, ANY, FaultKind::Syntax, Meta, 0),
        // `data`, `result`, `error` and `jsonrpc`.
        rule(ANY, ANY, FaultKind::Syntax, Data, 0),
        rule(
            OBJECT | NULL,
            ANY,
            FaultKind::BadResult,
            Result,
            Captured::RESULT_NULL,
        ),
        rule(
            OBJECT | NULL,
            0,
            FaultKind::BadError,
            Error,
            Captured::ERROR_NULL,
        ),
        rule(STRING, 0, FaultKind::BadVersion, Outside, 0),
        ANYTHING,
    ]
};

const ANYTHING: Rule = rule(ANY, ANY, FaultKind::Syntax, Context::Outside, 0);

static OTHER: Rule = ANYTHING;

impl Rule {
    /// Whether a profile takes a value of this type.
    pub(crate) fn takes(&self, kind: JsonKind, profile: Profile) -> bool {
        let lenient = match profile {
            Profile::Mcp => 0,
            Profile::JsonRpc => self.lenient,
        };
        (self.takes | lenient) & 1u8.wrapping_shl(kind as u32) != 0
    }
}

impl Context {
    fn table(self) -> &'static Table {
        TABLES.get(self as usize).unwrap_or(&TABLES[0])
    }

    pub(crate) fn names(self) -> &'static Names {
        let table = self.table();
        part(NAMES, usize::from(table.from), usize::from(table.to))
    }

    pub(crate) fn depth(self) -> u32 {
        u32::from(self.table().depth)
    }

    pub(crate) fn parent(self) -> Context {
        self.table().parent
    }

    pub(crate) fn owner(self) -> Option<Field> {
        self.table().owner
    }
}

impl Field {
    pub(crate) const ID: Field = Field::new(1);
    pub(crate) const METHOD: Field = Field::new(2);
    pub(crate) const PARAMS: Field = Field::new(3);
    /// In `params`:
    pub(crate) const META: Field = Field::new(4);
    pub(crate) const REQUEST_ID: Field = Field::new(5);
    pub(crate) const PROGRESS_TOKEN: Field = Field::new(6);
    pub(crate) const PROGRESS: Field = Field::new(7);
    /// In `params._meta`:
    pub(crate) const PROTOCOL_VERSION: Field = Field::new(8);
    pub(crate) const CLIENT_CAPABILITIES: Field = Field::new(9);
    pub(crate) const LOG_LEVEL: Field = Field::new(10);
    pub(crate) const SUBSCRIPTION_ID: Field = Field::new(11);
    pub(crate) const META_PROGRESS_TOKEN: Field = Field::new(12);
    /// In `result`:
    pub(crate) const RESULT_TYPE: Field = Field::new(13);
    pub(crate) const RESULT_VERSION: Field = Field::new(14);
    /// In `error`:
    pub(crate) const CODE: Field = Field::new(15);
    pub(crate) const MESSAGE: Field = Field::new(16);
    /// In `error.data`:
    pub(crate) const SUPPORTED: Field = Field::new(17);
    /// In `error`:
    pub(crate) const DATA: Field = Field::new(18);
    /// In the message:
    pub(crate) const RESULT: Field = Field::new(19);
    pub(crate) const ERROR: Field = Field::new(20);
    pub(crate) const JSONRPC: Field = Field::new(21);

    const fn new(number: u8) -> Field {
        match Field::numbered(number) {
            Some(field) => field,
            None => Field(NonZeroU8::MIN),
        }
    }

    /// The field that has this number in the names of a [`Context`].
    pub(crate) const fn numbered(number: u8) -> Option<Field> {
        match NonZeroU8::new(number) {
            Some(number) => Some(Field(number)),
            None => None,
        }
    }

    const fn number(self) -> u8 {
        self.0.get()
    }

    pub(crate) const fn bit(self) -> u32 {
        1u32.wrapping_shl(self.number() as u32)
    }

    const fn is_in(self, set: u32) -> bool {
        self.bit() & set != 0
    }

    /// Where its start is kept. A message has `params` or one of `result` and `error`, so
    /// these share a place, and so does what is inside them. Nobody asks where `jsonrpc`
    /// stood.
    const fn slot(self) -> usize {
        let number = self.number();
        (match number {
            ..13 => number.wrapping_sub(1),
            13..19 => number.wrapping_sub(10),
            _ => 2,
        }) as usize
    }

    /// The same for a field that is not known beforehand; a chip has the code once.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    #[cfg_attr(feature = "wide", inline(always))]
    fn any_slot(self) -> usize {
        self.slot()
    }

    /// What values it may have.
    pub(crate) fn rule(self) -> &'static Rule {
        let number = self.number();
        let index = match number {
            ..5 => number.wrapping_sub(1),
            5..18 => 8,
            _ => number.wrapping_sub(14),
        };
        RULES.get(usize::from(index)).unwrap_or(&OTHER)
    }

    /// Whether it is a message's payload.
    pub(crate) const fn is_body(self) -> bool {
        self.is_in(Field::PARAMS.bit() | Field::RESULT.bit() | Field::ERROR.bit())
    }

    /// Whether it is a plain token that a decoder without the line keeps a copy of.
    pub(crate) const fn is_token(self) -> bool {
        self.is_in(TOKENS)
    }
}

/// Members inside `params` and `params._meta`.
const IN_PARAMS: u32 = 0x1ff0;
/// The members that are plain tokens.
const TOKENS: u32 = !(Field::PARAMS.bit()
    | Field::RESULT.bit()
    | Field::ERROR.bit()
    | Field::JSONRPC.bit()
    | Field::META.bit()
    | Field::CLIENT_CAPABILITIES.bit()
    | Field::MESSAGE.bit()
    | Field::DATA.bit()
    | Field::SUPPORTED.bit());

/// What was captured of one message: which members stood in it, and where.
///
/// Offsets count from the line's start, or from the start of the copies where the line
/// itself is not kept. What is kept of a member that was not seen means nothing.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Captured {
    flags: u16,
    /// Of the id and of the method.
    lengths: [u16; 2],
    /// The member whose value the body's place is about.
    body: Field,
    seen: u32,
    body_end: u32,
    /// Where values start, by [`Field::slot`].
    starts: Starts,
    more: Starts,
}

/// As many as a small chip copies without a call: where nothing calls for it, the code to
/// copy memory is not linked.
type Starts = [u32; 6];

impl PartialEq for Captured {
    fn eq(&self, other: &Self) -> bool {
        let starts = |field| self.has(field) && self.start(field) != other.start(field);
        self.seen == other.seen
            && self.flags == other.flags
            && self.lengths == other.lengths
            && self.body == other.body
            && self.body_end == other.body_end
            // `jsonrpc` has no place of its own.
            && !(1..Field::JSONRPC.number())
                .filter_map(Field::numbered)
                .any(starts)
    }
}

impl Eq for Captured {}

/// The start of a token that was not kept.
const NOT_KEPT: u32 = u32::MAX;

impl Captured {
    pub(crate) const VERSION_OK: u16 = 1;
    pub(crate) const ID_USABLE: u16 = 2;
    pub(crate) const ID_NULL: u16 = 4;
    pub(crate) const PARAMS_NULL: u16 = 8;
    pub(crate) const RESULT_NULL: u16 = 0x10;
    pub(crate) const ERROR_NULL: u16 = 0x20;
    pub(crate) const CODE_OK: u16 = 0x40;
    pub(crate) const MESSAGE_OK: u16 = 0x80;
    pub(crate) const BOM: u16 = 0x100;
    pub(crate) const ID_LONE: u16 = 0x200;

    pub(crate) const fn new() -> Self {
        Captured {
            flags: 0,
            lengths: [0; 2],
            body: Field::PARAMS,
            seen: 0,
            body_end: 0,
            starts: Self::NOWHERE,
            more: Self::NOWHERE,
        }
    }

    // Not all the same, so that they are not set by a call either.
    const NOWHERE: Starts = [0, 1, 2, 3, 4, 5];

    /// Forgets all.
    pub(crate) fn reset(&mut self) {
        self.flags = 0;
        self.lengths = [0; 2];
        self.body = Field::PARAMS;
        self.seen = 0;
        self.body_end = 0;
    }

    /// Copies it, piece by piece.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    pub(crate) fn parts(&self) -> Self {
        let mut copy = Captured::new();
        copy.flags = self.flags;
        copy.lengths = self.lengths;
        copy.body = self.body;
        copy.seen = self.seen;
        copy.body_end = self.body_end;
        copy.starts = self.starts;
        copy.more = self.more;
        copy
    }

    /// Marks a member as seen; `false` if it was already.
    pub(crate) fn see(&mut self, field: Field) -> bool {
        let new = self.seen & field.bit() == 0;
        self.seen |= field.bit();
        new
    }

    pub(crate) fn has(&self, field: Field) -> bool {
        self.seen & field.bit() != 0
    }

    /// The members that were seen, a bit each.
    pub(crate) fn seen(&self) -> u32 {
        self.seen
    }

    pub(crate) fn flag(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    pub(crate) fn set(&mut self, flag: u16) {
        self.flags |= flag;
    }

    pub(crate) fn clear(&mut self, flag: u16) {
        self.flags &= !flag;
    }

    pub(crate) fn version_ok(&self) -> bool {
        self.flag(Self::VERSION_OK)
    }

    pub(crate) fn id_usable(&self) -> bool {
        self.flag(Self::ID_USABLE)
    }

    /// Notes where a member's value begins; `false` if its place belongs to another.
    #[inline(always)]
    pub(crate) fn begin(&mut self, field: Field, at: usize) -> bool {
        // A response's members win the shared places over those of a stray `params`.
        let response = self.seen & (Field::RESULT.bit() | Field::ERROR.bit()) != 0;
        // What is null gives way to what is not, an error to a result.
        let gives_way = match field {
            _ if field.is_in(IN_PARAMS | Field::PARAMS.bit()) => response,
            Field::ERROR => self.flag(Self::ERROR_NULL) && self.has(Field::RESULT),
            Field::RESULT => {
                let other = self.has(Field::ERROR) && !self.flag(Self::ERROR_NULL);
                self.flag(Self::RESULT_NULL) && other
            }
            Field::JSONRPC => true,
            _ => false,
        };
        if gives_way {
            return false;
        }
        if field.is_body() {
            self.body = field;
        }
        self.place(field, at);
        true
    }

    /// Says where a member's value stands.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    #[cfg_attr(feature = "wide", inline(always))]
    pub(crate) fn place(&mut self, field: Field, at: usize) {
        let slot = field.any_slot();
        let start = match self.starts.get_mut(slot) {
            None => self.more.get_mut(slot.wrapping_sub(6)),
            start => start,
        };
        if let Some(start) = start {
            *start = at as u32;
        }
    }

    /// Notes where the value of an id, a method or a body ends.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    #[cfg_attr(feature = "wide", inline(always))]
    pub(crate) fn end(&mut self, field: Field, at: usize) {
        let slot = field.any_slot();
        let length = at.wrapping_sub(self.start_in(slot)) as u16;
        if let Some(slot) = self.lengths.get_mut(slot) {
            *slot = length;
        } else if field == self.body {
            self.body_end = at as u32;
        }
    }

    /// Notes that a token was not kept.
    pub(crate) fn drop_token(&mut self, field: Field) {
        self.place(field, NOT_KEPT as usize);
    }

    /// Forgets what stood inside a `params` that belongs to no request or notification.
    pub(crate) fn forget_params(&mut self) {
        self.seen &= !(IN_PARAMS | Field::PARAMS.bit());
    }

    /// Forgets a member that counts as absent.
    pub(crate) fn forget(&mut self, field: Field) {
        self.seen &= !field.bit();
        if field == Field::RESULT || field == Field::ERROR {
            // Its value is null, so nothing inside it was seen.
            self.clear(if field == Field::RESULT {
                Self::RESULT_NULL
            } else {
                Self::ERROR_NULL
            });
        }
    }

    /// Forgets the members that only the line itself holds.
    pub(crate) fn tokens_only(&mut self) {
        self.seen &= TOKENS;
    }

    pub(crate) fn start(&self, field: Field) -> usize {
        self.start_in(field.slot())
    }

    /// The same for a field that is not known beforehand.
    pub(crate) fn start_of(&self, field: Field) -> usize {
        self.start_in(field.any_slot())
    }

    fn start_in(&self, slot: usize) -> usize {
        let start = match self.starts.get(slot) {
            None => self.more.get(slot.wrapping_sub(6)),
            start => start,
        };
        start.copied().unwrap_or(NOT_KEPT) as usize
    }

    /// Where a member's value stands in `text`.
    pub(crate) fn span(&self, field: Field, text: &[u8]) -> Option<(usize, usize)> {
        if field.slot() < 3 {
            return self.main_span(field, text.len());
        }
        if !self.has(field) {
            return None;
        }
        let start = self.start(field);
        let end = walk::skip_value(text, start);
        (start < end && end <= text.len()).then_some((start, end))
    }

    /// The same for an id, a method or a body, the end of which is known. On a chip that
    /// asks for no others, nothing that looks for a value's end is linked.
    #[cfg_attr(not(feature = "wide"), inline)]
    pub(crate) fn main_span(&self, field: Field, length: usize) -> Option<(usize, usize)> {
        let (start, end) = self.main_place(field);
        (start < end && end <= length).then_some((start, end))
    }

    /// Where an id, a method or a body stands: nowhere, if it was not seen.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    pub(crate) fn main_place(&self, field: Field) -> (usize, usize) {
        let slot = field.any_slot();
        let start = self.start_in(slot);
        let end = match self.lengths.get(slot) {
            _ if !self.has(field) => 0,
            Some(length) => start.wrapping_add(usize::from(*length)),
            None if field == self.body => self.body_end as usize,
            None => 0,
        };
        (start, end)
    }

    /// A member's value, in bytes that need not be UTF-8 all through.
    pub(crate) fn token<'a>(&self, field: Field, text: &'a [u8]) -> Option<Text<'a>> {
        let (start, end) = self.span(field, text)?;
        Text::found(text.get(start..end)?)
    }

    /// The same for an id, a method or a body.
    #[cfg_attr(not(feature = "wide"), inline(never))]
    pub(crate) fn main_token<'a>(&self, field: Field, text: &'a [u8]) -> Option<Text<'a>> {
        let (start, end) = self.main_place(field);
        match part(text, start, end) {
            [] => None,
            token => Text::found(token),
        }
    }

    /// An id, a method or a body.
    #[inline]
    pub(crate) fn main_text<'a>(&self, field: Field, text: Text<'a>) -> Option<Text<'a>> {
        #[cfg(not(feature = "wide"))]
        return self.main_token(field, text.as_bytes());
        #[cfg(feature = "wide")]
        {
            let (start, end) = self.main_span(field, text.as_bytes().len())?;
            text.part(start, end)
        }
    }

    /// A member's value.
    #[inline]
    pub(crate) fn text<'a>(&self, field: Field, text: Text<'a>) -> Option<Text<'a>> {
        let (start, end) = self.span(field, text.as_bytes())?;
        text.part(start, end)
    }
}
