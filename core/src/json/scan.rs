//! The resumable scanner: RFC 8259 over bytes that come in any cuts.
//!
//! It keeps no text. A driver watches the outermost levels: there, names, beginnings and
//! ends of values come back as events; deeper values are checked without one. Depth is a
//! bit a level, so nothing recurses.

use super::{JsonKind, unescaped};
use crate::fault::FaultKind;

/// Where in the grammar the next byte stands. Those of numbers come first, in the order of
/// [`NUMBERS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum State {
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    Literal,
    String,
    Escape,
    Hex,
    /// Inside a UTF-8 sequence.
    Utf8,
    /// The text is complete.
    Done,
    /// Past the depth ceiling: brackets are counted, strings checked.
    Deep,
    /// A colon.
    Colon,
    /// A comma or a closing bracket.
    After,
    /// The first name or value of a container, or its closing bracket.
    First,
    /// A further name or value, or the value of the whole text.
    Value,
    /// The value that belongs to a name.
    Member,
}

/// What follows in a number on `0`, another digit, the point, `e`, a sign, and on any other
/// byte. [`State::After`] ends it, [`State::Done`] is what the grammar does not allow.
static NUMBERS: [[State; 6]; 8] = {
    use State::{
        After, Done, Exponent, ExponentDigits, ExponentSign, Fraction, Integer, Point, Zero,
    };
    [
        [Zero, Integer, Done, Done, Done, Done],
        [After, After, Point, Exponent, After, After],
        [Integer, Integer, Point, Exponent, After, After],
        [Fraction, Fraction, Done, Done, Done, Done],
        [Fraction, Fraction, After, Exponent, After, After],
        [
            ExponentDigits,
            ExponentDigits,
            Done,
            Done,
            ExponentSign,
            Done,
        ],
        [ExponentDigits, ExponentDigits, Done, Done, Done, Done],
        [ExponentDigits, ExponentDigits, After, After, After, After],
    ]
};

/// Bytes that may stand past the depth ceiling outside of strings, a bit each; brackets and
/// quotes apart.
#[allow(
    clippy::disallowed_methods,
    reason = "a place out of range would not compile"
)]
static DEEP: [u32; 4] = {
    let mut set = [0u32; 4];
    let mut rest: &[u8] = b"0123456789+-.,:Eaeflnrstu";
    while let Some((byte, after)) = rest.split_first() {
        if let Some(word) = set
            .as_mut_slice()
            .split_at_mut((*byte >> 5) as usize)
            .1
            .first_mut()
        {
            *word |= 1u32.wrapping_shl(*byte as u32);
        }
        rest = after;
    }
    set
};

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// All input is used.
    Need,
    /// A member's name ended at a watched level: [`Scanner::picked`] says which.
    Name,
    /// A value begins at a watched level; its first byte is the last one used.
    Begin(JsonKind),
    /// A value ended at a watched level; it reaches to the last byte used.
    End,
    /// An unpaired surrogate escape in a string that must be text.
    LoneSurrogate,
    /// A bracket, the last byte used, passes the depth ceiling.
    TooDeep,
    /// The text is broken. Nothing more is taken.
    Fault(FaultKind),
}

/// How the text stands when no more bytes come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// Nothing but white space.
    Blank,
    Complete,
    /// The text is not complete, or [`Utf8`](FaultKind::Utf8): it ends inside a sequence.
    Cut(FaultKind),
}

/// A resumable RFC 8259 scanner.
// A Cortex-M reaches bytes in the first 32 of a structure with the shorter instructions, so
// the small fields come first here and in what holds this.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Scanner {
    state: State,
    /// Events are raised for what stands in at most so many containers.
    watch: u8,
    max_depth: u8,
    /// Hex digits or continuation bytes still to come, or the next byte of a literal as an
    /// index in [`LITERALS`].
    need: u8,
    /// Bytes of the UTF-8 sequence so far; how far back the last event is about.
    back: u8,
    /// Bounds of the next continuation byte.
    low: u8,
    high: u8,
    /// Where in the driver's names the string that is compared goes on.
    cursor: u8,
    /// Bytes compared.
    position: u8,
    flags: u8,
    /// The value of a `\u` escape so far.
    unit: u16,
    /// Bytes used so far.
    at: usize,
    /// Where the last watched name began, or what the driver has marked since.
    mark: usize,
    /// Open containers.
    depth: u32,
    /// One bit per open container: set for an object.
    objects: [u32; 4],
}

/// The string is a member's name.
const NAME: u8 = 1;
/// The string is compared with the driver's names.
const PICK: u8 = 2;
/// Unpaired surrogates are reported.
const TEXT: u8 = 4;
/// A high surrogate waits for its low one.
const HIGH: u8 = 8;
/// LF is white space.
const LINE_FEED: u8 = 16;

/// What follows the first bytes of `true`, `false` and `null`; the last one has its highest
/// bit set.
static LITERALS: [u8; 10] = *b"ru\xe5als\xe5ul\xec";

/// The string is none of the driver's names.
const NONE: u8 = u8::MAX;
/// In a driver's names, what ends a name; the lower bits are its number.
pub(crate) const END: u8 = 0x80;

/// Names to be told apart, as a driver gives them: each as a count of the bytes that it
/// begins with like the one before it, the bytes that follow, and [`END`] with the name's
/// number. Names that begin alike stand together, the shorter before the longer.
pub(crate) type Names = [u8];

impl Scanner {
    /// A scanner at the start of a text. `line_feed` says whether LF is white space.
    pub(crate) const fn new(max_depth: u8, line_feed: bool) -> Self {
        Scanner {
            at: 0,
            mark: 0,
            depth: 0,
            objects: [1, 2, 3, 4],
            unit: 0,
            state: State::Value,
            watch: 0,
            max_depth,
            need: 0,
            back: 0,
            // Nothing is read before it is set, but long runs of zeros are set by a call on
            // a small chip.
            low: 0x80,
            high: 0xbf,
            cursor: NONE,
            position: 0,
            flags: if line_feed { LINE_FEED } else { 0 },
        }
    }

    /// Goes back to the start of a text.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.state = State::Value;
        self.watch = 0;
        self.flags &= LINE_FEED;
        self.at = 0;
        self.mark = 0;
        self.depth = 0;
    }

    /// Bytes used so far.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// The place of the fault or of the surrogate that was just told.
    pub(crate) const fn event_at(&self) -> usize {
        self.at.wrapping_sub(self.back as usize)
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

    /// Compares the string that just began with the driver's names.
    pub(crate) const fn pick(&mut self) {
        self.flags |= PICK;
        // Past the count of the first name, which shares nothing with one before it.
        self.cursor = 1;
        self.position = 0;
    }

    /// Reports unpaired surrogates in the string that just began.
    pub(crate) const fn text(&mut self) {
        self.flags |= TEXT;
    }

    /// The number of the driver's name that the string that just ended is.
    pub(crate) fn picked(&self, names: &Names) -> Option<u8> {
        let end = names.get(usize::from(self.cursor))?;
        end.checked_sub(END)
    }

    /// Takes bytes until something is to be told, and moves `input` past them.
    #[cfg_attr(not(any(feature = "std", feature = "wide")), inline(never))]
    pub(crate) fn step(&mut self, input: &mut &[u8], names: &Names) -> Event {
        loop {
            if matches!(self.state, State::String) && self.flags & (PICK | HIGH) == 0 {
                let rest = after_plain(input);
                self.pass(input.len().wrapping_sub(rest.len()));
                *input = rest;
            }
            let Some((&byte, rest)) = input.split_first() else {
                return Event::Need;
            };
            let before = self.at;
            self.at = before.wrapping_add(1);
            let event = self.byte(byte, names);
            if self.at != before {
                *input = rest;
            }
            if let Some(event) = event {
                return event;
            }
        }
    }

    /// How the text stands if no more bytes come.
    pub(crate) fn finish(&mut self) -> Finish {
        if self.state == State::Utf8 {
            return Finish::Cut(FaultKind::Utf8);
        }
        if self.depth == 0 {
            // Whatever ends a number, the end of the text does.
            let number = NUMBERS.get(self.state as usize);
            if let Some([.., State::After]) = number {
                self.state = State::Done;
            }
            match self.state {
                State::Done => return Finish::Complete,
                State::Value => return Finish::Blank,
                _ => {}
            }
        }
        self.back = 0;
        Finish::Cut(FaultKind::Cut)
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8, names: &Names) -> Option<Event> {
        if let Some(follow) = NUMBERS.get(self.state as usize) {
            let class = if byte.is_ascii_digit() {
                usize::from(byte != b'0')
            } else {
                // Two letters and two signs make one class each.
                let signs = b".eE+-".iter();
                let at = signs.take_while(|sign| **sign != byte).count();
                at.wrapping_add(5) / 2
            };
            return match *follow.get(class)? {
                State::Done => self.syntax(),
                State::After => self.before(Self::value_end),
                state => self.go(state),
            };
        }
        match self.state {
            State::String => self.string_byte(byte, names),
            State::Escape => {
                if byte == b'u' {
                    self.need = 4;
                    self.unit = 0;
                    return self.go(State::Hex);
                }
                let character = unescaped(byte);
                if character == byte && !matches!(byte, b'"' | b'\\' | b'/') {
                    return self.broken_escape(7);
                }
                self.state = State::String;
                self.compare(character, names);
                self.unpaired(8)
            }
            State::Hex => self.hex_byte(byte, names),
            State::Utf8 => {
                self.back = self.back.wrapping_add(1);
                if byte < self.low || byte > self.high {
                    return Some(Event::Fault(FaultKind::Utf8));
                }
                self.low = 0x80;
                self.high = 0xbf;
                self.need = self.need.wrapping_sub(1);
                if self.need == 0 {
                    self.state = State::String;
                }
                None
            }
            State::Literal => {
                let expected = *LITERALS.get(usize::from(self.need))?;
                if expected & 0x7f != byte {
                    return self.syntax();
                }
                self.need = self.need.wrapping_add(1);
                if expected < 0x80 {
                    return None;
                }
                self.value_end()
            }
            _ => self.structural_byte(byte),
        }
    }

    #[cfg_attr(not(feature = "wide"), inline(never))]
    fn structural_byte(&mut self, byte: u8) -> Option<Event> {
        match byte {
            b' ' | b'\t' | b'\r' => return None,
            b'\n' if self.flags & LINE_FEED != 0 => return None,
            _ => {}
        }
        let in_object = self.in_object();
        let closing = b']'.wrapping_add(in_object.wrapping_shl(5));
        let state = self.state;
        if state == State::Done {
            return self.fault(FaultKind::Trailing);
        }
        if state == State::Deep {
            return self.deep_byte(byte);
        }
        if byte == closing && matches!(state, State::After | State::First) {
            return self.close();
        }
        if let State::Colon | State::After = state {
            let (expected, next) = match state {
                State::Colon => (b':', State::Member),
                _ => (b',', State::Value),
            };
            if byte != expected {
                return self.syntax();
            }
            return self.go(next);
        }
        if state == State::Member || in_object == 0 {
            return self.value_begin(byte);
        }
        if byte != b'"' {
            return self.syntax();
        }
        self.string(NAME | TEXT);
        if self.depth <= u32::from(self.watch) {
            self.mark = self.at.wrapping_sub(1);
            self.pick();
        }
        None
    }

    #[inline(always)]
    fn deep_byte(&mut self, byte: u8) -> Option<Event> {
        match byte {
            b'"' => return self.string(0),
            b'{' | b'[' => {
                self.depth = self.depth.saturating_add(1);
                return None;
            }
            b'}' | b']' => return self.close(),
            _ => {}
        }
        match DEEP.get(usize::from(byte >> 5)) {
            Some(set) if set.wrapping_shr(u32::from(byte)) & 1 != 0 => None,
            _ => self.syntax(),
        }
    }

    #[inline(always)]
    fn value_begin(&mut self, byte: u8) -> Option<Event> {
        let Some(kind) = JsonKind::of(byte) else {
            return self.fault(if self.depth == 0 {
                FaultKind::NotJson
            } else {
                FaultKind::Syntax
            });
        };
        // The event belongs to the level around a container.
        let around = self.depth;
        let event = if around <= u32::from(self.watch) {
            Some(Event::Begin(kind))
        } else {
            None
        };
        self.flags &= LINE_FEED;
        self.state = match kind {
            JsonKind::String => State::String,
            JsonKind::Number => match byte {
                b'-' => State::Minus,
                b'0' => State::Zero,
                _ => State::Integer,
            },
            JsonKind::Null | JsonKind::Bool => {
                self.need = match byte {
                    b't' => 0,
                    b'f' => 3,
                    _ => 7,
                };
                State::Literal
            }
            JsonKind::Array | JsonKind::Object => {
                self.depth = self.depth.saturating_add(1);
                if around >= u32::from(self.max_depth) {
                    self.state = State::Deep;
                    self.back = 1;
                    return Some(Event::TooDeep);
                }
                if let Some(word) = self.objects.get_mut((around >> 5) as usize) {
                    let bit = 1u32.wrapping_shl(around & 31);
                    *word |= bit;
                    if kind == JsonKind::Array {
                        *word ^= bit;
                    }
                }
                State::First
            }
        };
        event
    }

    #[cfg_attr(not(feature = "wide"), inline(never))]
    fn in_object(&self) -> u8 {
        let top = self.depth.wrapping_sub(1);
        match self.objects.get((top >> 5) as usize) {
            Some(word) => word.wrapping_shr(top) as u8 & 1,
            None => 0,
        }
    }

    fn close(&mut self) -> Option<Event> {
        self.depth = self.depth.wrapping_sub(1);
        if u32::from(self.watch) > self.depth {
            self.watch = self.depth as u8;
        }
        self.value_end()
    }

    fn value_end(&mut self) -> Option<Event> {
        self.state = if self.depth == 0 {
            State::Done
        } else if self.depth > u32::from(self.max_depth) {
            State::Deep
        } else {
            State::After
        };
        if self.depth <= u32::from(self.watch) {
            Some(Event::End)
        } else {
            None
        }
    }

    /// Does what comes before the byte at hand, which is looked at again.
    #[inline(always)]
    fn before(&mut self, what: impl FnOnce(&mut Self) -> Option<Event>) -> Option<Event> {
        self.at = self.at.wrapping_sub(1);
        what(self)
    }

    #[inline(always)]
    fn go(&mut self, state: State) -> Option<Event> {
        self.state = state;
        None
    }

    /// A string begins.
    #[inline(always)]
    fn string(&mut self, flags: u8) -> Option<Event> {
        self.flags = self.flags & LINE_FEED | flags;
        self.go(State::String)
    }

    /// A fault at the byte at hand.
    #[inline(always)]
    fn fault(&mut self, kind: FaultKind) -> Option<Event> {
        self.back = 1;
        Some(Event::Fault(kind))
    }

    #[inline(always)]
    fn syntax(&mut self) -> Option<Event> {
        self.fault(FaultKind::Syntax)
    }

    #[inline(always)]
    fn string_byte(&mut self, byte: u8, names: &Names) -> Option<Event> {
        if byte == b'\\' {
            return self.go(State::Escape);
        }
        if self.flags & HIGH != 0 {
            return self.before(|scan| scan.unpaired(6));
        }
        match byte {
            b'"' => {
                if self.flags & NAME == 0 {
                    return self.value_end();
                }
                self.state = State::Colon;
                if self.flags & PICK != 0 {
                    Some(Event::Name)
                } else {
                    None
                }
            }
            0..=0x1f => self.syntax(),
            0x20..=0x7f => {
                self.compare(byte, names);
                None
            }
            0x80..=0xc1 | 0xf5.. => self.fault(FaultKind::Utf8),
            _ => {
                self.cursor = NONE;
                self.need = match byte {
                    0xc2..=0xdf => 1,
                    0xe0..=0xef => 2,
                    _ => 3,
                };
                self.low = match byte {
                    0xe0 => 0xa0,
                    0xf0 => 0x90,
                    _ => 0x80,
                };
                self.high = match byte {
                    0xed => 0x9f,
                    0xf4 => 0x8f,
                    _ => 0xbf,
                };
                self.back = 1;
                self.go(State::Utf8)
            }
        }
    }

    /// Tells of a high surrogate that waits, if one does, so many bytes back.
    fn unpaired(&mut self, back: u8) -> Option<Event> {
        self.back = back;
        let waits = self.flags & HIGH != 0;
        self.flags &= !HIGH;
        if waits {
            Some(Event::LoneSurrogate)
        } else {
            None
        }
    }

    /// An escape that is none. If an unpaired surrogate is so many bytes back, that is
    /// told first.
    fn broken_escape(&mut self, back: u8) -> Option<Event> {
        if self.flags & HIGH == 0 {
            return self.syntax();
        }
        self.before(|scan| scan.unpaired(back))
    }

    #[inline(always)]
    fn hex_byte(&mut self, byte: u8, names: &Names) -> Option<Event> {
        let digit = match byte {
            b'0'..=b'9' => byte.wrapping_sub(b'0'),
            _ if matches!(byte | 0x20, b'a'..=b'f') => (byte & 7).wrapping_add(9),
            _ => return self.broken_escape(12u8.wrapping_sub(self.need)),
        };
        self.unit = self.unit.wrapping_shl(4) | u16::from(digit);
        self.need = self.need.wrapping_sub(1);
        if self.need != 0 {
            return None;
        }
        self.state = State::String;
        if self.unit < 0x80 {
            self.compare(self.unit as u8, names);
        } else {
            self.cursor = NONE;
        }
        if self.flags & TEXT == 0 {
            return None;
        }
        let waits = self.flags & HIGH != 0;
        self.flags &= !HIGH;
        if self.unit >> 10 == 0x36 {
            self.flags |= HIGH;
        }
        if waits == (self.unit >> 10 == 0x37) {
            return None;
        }
        self.back = if waits { 12 } else { 6 };
        Some(Event::LoneSurrogate)
    }

    /// Goes on in the driver's names, to one that has `byte` next.
    fn compare(&mut self, byte: u8, names: &Names) {
        if self.flags & PICK == 0 {
            return;
        }
        let mut at = usize::from(self.cursor);
        // Bytes that the name at hand begins with like the string, as far as is known.
        let mut shared = self.position;
        self.cursor = NONE;
        while let Some(&next) = names.get(at) {
            at = at.wrapping_add(1);
            if shared == self.position {
                if next == byte {
                    self.cursor = at as u8;
                    self.position = shared.wrapping_add(1);
                    return;
                }
                // The rest of this name is passed over.
                shared = NONE;
            }
            if next >= END {
                shared = names.get(at).copied().unwrap_or(0);
                at = at.wrapping_add(1);
                if shared < self.position {
                    return;
                }
            }
        }
    }
}

/// What follows the run of bytes that are plain characters of a string: printable ASCII but
/// for the quote and the backslash.
#[cfg(not(feature = "wide"))]
#[inline(always)]
fn after_plain(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let Some((0x20..=0x21 | 0x23..=0x5b | 0x5d..=0x7f, after)) = rest.split_first() {
        rest = after;
    }
    rest
}

#[cfg(feature = "wide")]
#[inline]
fn after_plain(bytes: &[u8]) -> &[u8] {
    bytes.get(super::vector::plain_run(bytes)..).unwrap_or(&[])
}
