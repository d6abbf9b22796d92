//! The resumable scanner: RFC 8259 over bytes that come in any cuts.
//!
//! It keeps no text. A driver watches the outermost levels: there, names, beginnings and
//! ends of values come back as events; deeper values are checked without one. Depth is a
//! bit a level, so nothing recurses.

use super::JsonKind;
use crate::fault::FaultKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum State {
    /// A value must begin.
    Value,
    /// A value or `]`.
    ArrayFirst,
    /// A name or `}`.
    ObjectFirst,
    /// A name.
    Name,
    Colon,
    /// A comma or a closing bracket.
    After,
    /// The text is complete.
    Done,
    /// Past the depth ceiling: brackets are counted, strings checked.
    Deep,
    String,
    Escape,
    Hex,
    /// Inside a UTF-8 sequence.
    Utf8,
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    Literal,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// All input is used.
    Need,
    /// A member's name ended at a watched level: its index in the driver's table.
    Name(Option<u8>),
    /// A value begins at a watched level; its first byte is the last one used.
    Begin(JsonKind),
    /// A value ended at a watched level; it reaches to the last byte used.
    End,
    /// An unpaired surrogate escape in a string that must be text, so many bytes back.
    LoneSurrogate(u8),
    /// A bracket, the last byte used, passes the depth ceiling.
    TooDeep,
    /// The text is broken, so many bytes back from the last used. Nothing more is taken.
    Fault(FaultKind, u8),
}

/// How the text stands when no more bytes come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// Nothing but white space.
    Blank,
    /// A complete text; `true` if its last value, a number, ends only now.
    Complete(bool),
    /// The text is not complete.
    Cut,
    /// The text ends inside a UTF-8 sequence that began so many bytes back.
    Utf8(u8),
}

/// A resumable RFC 8259 scanner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scanner {
    /// Bytes used so far.
    at: usize,
    /// Where the last watched name began, or what the driver has marked since.
    mark: usize,
    /// Open containers.
    depth: u32,
    /// One bit per open container: set for an object.
    objects: [u32; 4],
    /// The value of a `\u` escape so far.
    unit: u16,
    state: State,
    /// Events are raised for what stands in at most so many containers.
    watch: u8,
    max_depth: u8,
    /// Hex digits or continuation bytes still to come.
    need: u8,
    /// Bytes of the UTF-8 sequence so far.
    sequence: u8,
    /// Bounds of the next continuation byte.
    low: u8,
    high: u8,
    /// Names that the text may still be, a bit each, and bytes compared.
    mask: u8,
    position: u8,
    /// The next byte of the literal, as an index in their table.
    literal: u8,
    flags: u8,
}

/// The string is a member's name.
const NAME: u8 = 1;
/// The string is compared with the driver's table.
const PICK: u8 = 2;
/// Unpaired surrogates are reported.
const TEXT: u8 = 4;
/// A high surrogate waits for its low one.
const HIGH: u8 = 8;
/// LF is white space.
const LINE_FEED: u8 = 16;

/// What follows the first bytes of `true`, `false` and `null`, each with a zero at its end.
static LITERALS: [u8; 13] = *b"rue\0alse\0ull\0";

/// What one byte came to.
enum Act {
    Go,
    Raise(Event),
    /// The byte belongs to what follows.
    Back(Option<Event>),
}

impl Scanner {
    /// A scanner at the start of a text. `line_feed` says whether LF is white space.
    pub(crate) const fn new(max_depth: u8, line_feed: bool) -> Self {
        Scanner {
            at: 0,
            mark: 0,
            depth: 0,
            objects: [0; 4],
            unit: 0,
            state: State::Value,
            watch: 0,
            max_depth,
            need: 0,
            sequence: 0,
            low: 0,
            high: 0,
            mask: 0,
            position: 0,
            literal: 0,
            flags: if line_feed { LINE_FEED } else { 0 },
        }
    }

    /// Bytes used so far.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Open containers.
    pub(crate) const fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether the string being read is a member's name.
    pub(crate) const fn in_name(&self) -> bool {
        self.flags & NAME != 0
    }

    /// Where the last watched name's opening quote stands, or what was marked since.
    pub(crate) const fn marked(&self) -> usize {
        self.mark
    }

    /// Marks a place, until the next watched name.
    pub(crate) const fn mark(&mut self, at: usize) {
        self.mark = at;
    }

    /// Takes back bytes that were counted and not looked at.
    pub(crate) const fn take_back(&mut self, bytes: usize) {
        self.at = self.at.saturating_sub(bytes);
    }

    /// Counts bytes that are not looked at.
    pub(crate) const fn pass(&mut self, bytes: usize) {
        self.at = self.at.wrapping_add(bytes);
    }

    /// Watches inside the container that just began.
    pub(crate) const fn descend(&mut self) {
        self.watch = self.depth as u8;
    }

    /// Compares the string that just began with the driver's table.
    pub(crate) fn pick(&mut self, names: &[&str]) {
        self.flags |= PICK;
        self.start_pick(names);
    }

    /// Reports unpaired surrogates in the string that just began.
    pub(crate) const fn text(&mut self) {
        self.flags |= TEXT;
    }

    /// Which of the driver's names the string that just ended is.
    pub(crate) fn picked(&self, names: &[&str]) -> Option<u8> {
        let mut bit = 1u8;
        for (index, name) in (0u8..8).zip(names) {
            if self.mask & bit != 0 && name.len() == usize::from(self.position) {
                return Some(index);
            }
            bit = bit.wrapping_shl(1);
        }
        None
    }

    /// Takes bytes until something is to be told. Returns how many were used.
    #[cfg_attr(not(any(feature = "std", feature = "wide")), inline(never))]
    pub(crate) fn step(&mut self, input: &[u8], names: &[&str]) -> (usize, Event) {
        let mut used = 0usize;
        let event = loop {
            if matches!(self.state, State::String) && self.flags & (PICK | HIGH) == 0 {
                used = used.wrapping_add(plain_run(input.get(used..).unwrap_or(&[])));
            }
            let Some(&byte) = input.get(used) else {
                break Event::Need;
            };
            let act = self.byte(byte, used, names);
            if let Act::Back(event) = act {
                match event {
                    Some(event) => break event,
                    None => continue,
                }
            }
            used = used.wrapping_add(1);
            if let Act::Raise(event) = act {
                break event;
            }
        };
        self.at = self.at.wrapping_add(used);
        (used, event)
    }

    /// How the text stands if no more bytes come.
    pub(crate) fn finish(&mut self) -> Finish {
        match self.state {
            State::Done => Finish::Complete(false),
            State::Zero | State::Integer | State::Fraction | State::ExponentDigits
                if self.depth == 0 =>
            {
                self.state = State::Done;
                Finish::Complete(true)
            }
            State::Value if self.depth == 0 => Finish::Blank,
            State::Utf8 => Finish::Utf8(self.sequence),
            _ => Finish::Cut,
        }
    }

    #[inline]
    fn byte(&mut self, byte: u8, used: usize, names: &[&str]) -> Act {
        match self.state {
            State::String => self.string_byte(byte, names),
            State::Integer => match byte {
                b'0'..=b'9' => Act::Go,
                _ => self.number_tail(byte, true),
            },
            State::Fraction | State::ExponentDigits if byte.is_ascii_digit() => Act::Go,
            State::Fraction => self.number_tail(byte, false),
            State::ExponentDigits => self.number_end(),
            State::Zero => self.number_tail(byte, true),
            State::Minus => match byte {
                b'0' => self.go(State::Zero),
                b'1'..=b'9' => self.go(State::Integer),
                _ => syntax(),
            },
            State::Point => match byte {
                b'0'..=b'9' => self.go(State::Fraction),
                _ => syntax(),
            },
            State::Exponent => match byte {
                b'0'..=b'9' => self.go(State::ExponentDigits),
                b'+' | b'-' => self.go(State::ExponentSign),
                _ => syntax(),
            },
            State::ExponentSign => match byte {
                b'0'..=b'9' => self.go(State::ExponentDigits),
                _ => syntax(),
            },
            State::Escape => self.escape_byte(byte, names),
            State::Hex => self.hex_byte(byte, names),
            State::Utf8 => {
                if byte < self.low || byte > self.high {
                    return Act::Raise(Event::Fault(
                        FaultKind::Utf8,
                        self.sequence.wrapping_add(1),
                    ));
                }
                self.low = 0x80;
                self.high = 0xbf;
                self.sequence = self.sequence.wrapping_add(1);
                self.need = self.need.wrapping_sub(1);
                if self.need == 0 {
                    self.state = State::String;
                }
                Act::Go
            }
            State::Literal => {
                let at = usize::from(self.literal);
                if LITERALS.get(at) != Some(&byte) {
                    return syntax();
                }
                self.literal = self.literal.wrapping_add(1);
                match LITERALS.get(at.wrapping_add(1)) {
                    Some(0) => self.value_end(),
                    _ => Act::Go,
                }
            }
            _ => self.structural_byte(byte, used, names),
        }
    }

    #[inline]
    fn structural_byte(&mut self, byte: u8, used: usize, names: &[&str]) -> Act {
        match byte {
            b' ' | b'\t' | b'\r' => return Act::Go,
            b'\n' if self.flags & LINE_FEED != 0 => return Act::Go,
            _ => {}
        }
        match self.state {
            State::Value => self.value_begin(byte),
            State::ArrayFirst => match byte {
                b']' => self.close(),
                _ => self.value_begin(byte),
            },
            State::ObjectFirst | State::Name => match byte {
                b'"' => {
                    self.state = State::String;
                    self.flags = self.flags & LINE_FEED | NAME | TEXT;
                    if self.depth <= u32::from(self.watch) {
                        self.mark = self.at.wrapping_add(used);
                        self.pick(names);
                    }
                    Act::Go
                }
                b'}' if matches!(self.state, State::ObjectFirst) => self.close(),
                _ => syntax(),
            },
            State::Colon => match byte {
                b':' => self.go(State::Value),
                _ => syntax(),
            },
            State::After => match (byte, self.in_object()) {
                (b',', true) => self.go(State::Name),
                (b',', false) => self.go(State::Value),
                (b'}', true) | (b']', false) => self.close(),
                _ => syntax(),
            },
            State::Deep => match byte {
                b'"' => {
                    self.state = State::String;
                    self.flags &= LINE_FEED;
                    Act::Go
                }
                b'{' | b'[' => {
                    self.depth = self.depth.saturating_add(1);
                    Act::Go
                }
                b'}' | b']' => self.close(),
                b'0'..=b'9' | b'+' | b'-' | b'.' | b',' | b':' | b'E' => Act::Go,
                b'a' | b'e' | b'f' | b'l' | b'n' | b'r' | b's' | b't' | b'u' => Act::Go,
                _ => syntax(),
            },
            _ => Act::Raise(Event::Fault(FaultKind::Trailing, 1)),
        }
    }

    fn value_begin(&mut self, byte: u8) -> Act {
        let (state, kind) = match byte {
            b'"' => (State::String, JsonKind::String),
            b'{' => (State::ObjectFirst, JsonKind::Object),
            b'[' => (State::ArrayFirst, JsonKind::Array),
            b'-' => (State::Minus, JsonKind::Number),
            b'0' => (State::Zero, JsonKind::Number),
            b'1'..=b'9' => (State::Integer, JsonKind::Number),
            b't' | b'f' => (State::Literal, JsonKind::Bool),
            b'n' => (State::Literal, JsonKind::Null),
            _ if self.depth == 0 => return Act::Raise(Event::Fault(FaultKind::NotJson, 1)),
            _ => return syntax(),
        };
        self.flags &= LINE_FEED;
        self.literal = match byte {
            b't' => 0,
            b'f' => 4,
            _ => 9,
        };
        // The event belongs to the level around a container.
        let around = self.depth;
        if kind >= JsonKind::Array {
            self.depth = self.depth.saturating_add(1);
            if around >= u32::from(self.max_depth) {
                self.state = State::Deep;
                return Act::Raise(Event::TooDeep);
            }
            if let Some(word) = self.objects.get_mut((around >> 5) as usize) {
                let bit = 1u32.wrapping_shl(around & 31);
                *word &= !bit;
                if kind == JsonKind::Object {
                    *word |= bit;
                }
            }
        }
        self.state = state;
        if around <= u32::from(self.watch) {
            Act::Raise(Event::Begin(kind))
        } else {
            Act::Go
        }
    }

    #[inline]
    fn in_object(&self) -> bool {
        let top = self.depth.wrapping_sub(1);
        match self.objects.get((top >> 5) as usize) {
            Some(word) => word.wrapping_shr(top & 31) & 1 != 0,
            None => false,
        }
    }

    fn close(&mut self) -> Act {
        self.depth = self.depth.wrapping_sub(1);
        if u32::from(self.watch) > self.depth {
            self.watch = self.depth as u8;
        }
        self.value_end()
    }

    #[inline]
    fn value_end(&mut self) -> Act {
        self.state = if self.depth == 0 {
            State::Done
        } else if self.depth > u32::from(self.max_depth) {
            State::Deep
        } else {
            State::After
        };
        if self.depth <= u32::from(self.watch) {
            Act::Raise(Event::End)
        } else {
            Act::Go
        }
    }

    #[inline]
    fn number_tail(&mut self, byte: u8, point: bool) -> Act {
        match byte {
            b'.' if point => self.go(State::Point),
            b'e' | b'E' => self.go(State::Exponent),
            _ => self.number_end(),
        }
    }

    #[inline]
    fn number_end(&mut self) -> Act {
        match self.value_end() {
            Act::Raise(event) => Act::Back(Some(event)),
            _ => Act::Back(None),
        }
    }

    #[inline]
    fn go(&mut self, state: State) -> Act {
        self.state = state;
        Act::Go
    }

    #[inline]
    fn string_byte(&mut self, byte: u8, names: &[&str]) -> Act {
        if self.flags & HIGH != 0 && byte != b'\\' {
            self.flags &= !HIGH;
            return Act::Back(Some(Event::LoneSurrogate(6)));
        }
        match byte {
            b'"' => {
                if self.flags & NAME == 0 {
                    return self.value_end();
                }
                self.state = State::Colon;
                if self.flags & PICK != 0 {
                    Act::Raise(Event::Name(self.picked(names)))
                } else {
                    Act::Go
                }
            }
            b'\\' => self.go(State::Escape),
            0..=0x1f => syntax(),
            0x20..=0x7f => {
                self.compare(byte, names);
                Act::Go
            }
            _ => {
                let (need, low, high) = match byte {
                    0xc2..=0xdf => (1, 0x80, 0xbf),
                    0xe0 => (2, 0xa0, 0xbf),
                    0xed => (2, 0x80, 0x9f),
                    0xe1..=0xef => (2, 0x80, 0xbf),
                    0xf0 => (3, 0x90, 0xbf),
                    0xf1..=0xf3 => (3, 0x80, 0xbf),
                    0xf4 => (3, 0x80, 0x8f),
                    _ => return Act::Raise(Event::Fault(FaultKind::Utf8, 1)),
                };
                self.mask = 0;
                self.need = need;
                self.low = low;
                self.high = high;
                self.sequence = 1;
                self.go(State::Utf8)
            }
        }
    }

    fn escape_byte(&mut self, byte: u8, names: &[&str]) -> Act {
        let character = match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                self.need = 4;
                self.unit = 0;
                return self.go(State::Hex);
            }
            _ => return self.broken_escape(7),
        };
        self.state = State::String;
        self.compare(character, names);
        if self.flags & HIGH != 0 {
            self.flags &= !HIGH;
            return Act::Raise(Event::LoneSurrogate(8));
        }
        Act::Go
    }

    /// An escape that is none. If an unpaired surrogate is so many bytes back, that is
    /// told first.
    fn broken_escape(&mut self, back: u8) -> Act {
        if self.flags & HIGH == 0 {
            return syntax();
        }
        self.flags &= !HIGH;
        Act::Back(Some(Event::LoneSurrogate(back)))
    }

    fn hex_byte(&mut self, byte: u8, names: &[&str]) -> Act {
        let digit = match byte {
            b'0'..=b'9' => byte.wrapping_sub(b'0'),
            b'a'..=b'f' => byte.wrapping_sub(b'a' - 10),
            b'A'..=b'F' => byte.wrapping_sub(b'A' - 10),
            _ => return self.broken_escape(12u8.wrapping_sub(self.need)),
        };
        self.unit = self.unit.wrapping_shl(4) | u16::from(digit);
        self.need = self.need.wrapping_sub(1);
        if self.need != 0 {
            return Act::Go;
        }
        self.state = State::String;
        match u8::try_from(self.unit) {
            Ok(character) if character < 0x80 => self.compare(character, names),
            _ => self.mask = 0,
        }
        if self.flags & TEXT == 0 {
            return Act::Go;
        }
        let waits = self.flags & HIGH != 0;
        self.flags &= !HIGH;
        match self.unit >> 10 {
            0x36 => {
                self.flags |= HIGH;
                if !waits {
                    return Act::Go;
                }
                Act::Raise(Event::LoneSurrogate(12))
            }
            0x37 if waits => Act::Go,
            0x37 => Act::Raise(Event::LoneSurrogate(6)),
            _ if waits => Act::Raise(Event::LoneSurrogate(12)),
            _ => Act::Go,
        }
    }

    fn start_pick(&mut self, names: &[&str]) {
        // At most eight names, so the shift is at most eight.
        self.mask = 0xffu16.wrapping_shr(8u32.saturating_sub(names.len() as u32)) as u8;
        self.position = 0;
    }

    /// Drops the names that do not have `byte` next.
    fn compare(&mut self, byte: u8, names: &[&str]) {
        if self.flags & PICK == 0 || self.mask == 0 {
            return;
        }
        let mut bit = 1u8;
        for name in names {
            if name.as_bytes().get(usize::from(self.position)) != Some(&byte) {
                self.mask &= !bit;
            }
            bit = bit.wrapping_shl(1);
        }
        self.position = self.position.saturating_add(1);
    }
}

fn syntax() -> Act {
    Act::Raise(Event::Fault(FaultKind::Syntax, 1))
}

/// Length of the run of bytes that are plain characters of a string: printable ASCII but
/// for the quote and the backslash.
#[cfg(not(feature = "wide"))]
#[inline(always)]
fn plain_run(bytes: &[u8]) -> usize {
    let mut run = 0usize;
    for &byte in bytes {
        if !matches!(byte, 0x20..0x80) || byte == b'"' || byte == b'\\' {
            break;
        }
        run = run.wrapping_add(1);
    }
    run
}

#[cfg(feature = "wide")]
use super::vector::plain_run;
