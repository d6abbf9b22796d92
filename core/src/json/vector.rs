//! Checking JSON that lies whole in memory, sixteen bytes at a time.
//!
//! This path is optimistic: it accepts what is plainly good, and answers anything else
//! with `None`, upon which the resumable scanner reads the same bytes from their start
//! and decides. It must never accept what the scanner does not.

use wide::u8x16;

const LANES: usize = 16;

/// One bit per byte that a string's text cannot simply hold: the quote, the backslash and
/// control characters.
#[inline(always)]
fn special(bytes: u8x16) -> u8x16 {
    // With this bit flipped the quote comes next to the control characters.
    let flipped = bytes ^ u8x16::splat(0x02);
    let low = flipped.min(u8x16::splat(0x20)).simd_eq(flipped);
    low | bytes.simd_eq(u8x16::splat(b'\\'))
}

#[inline(always)]
fn load(bytes: &[u8], at: usize) -> Option<u8x16> {
    let lanes: &[u8; LANES] = bytes.get(at..)?.first_chunk()?;
    Some(u8x16::new(*lanes))
}

/// Length of the run of bytes that are plain characters of a string: printable ASCII but
/// for the quote and the backslash.
#[inline]
pub(crate) fn plain_run(bytes: &[u8]) -> usize {
    let mut at = 0usize;
    while let Some(lanes) = load(bytes, at) {
        // A lane's highest bit is set for what is special, and for what is not ASCII.
        let mask = (special(lanes) | lanes).to_bitmask();
        if mask != 0 {
            return at.wrapping_add(mask.trailing_zeros() as usize);
        }
        at = at.wrapping_add(LANES);
    }
    while let Some(&byte) = bytes.get(at) {
        if byte < 0x20 || byte >= 0x80 || byte == b'"' || byte == b'\\' {
            break;
        }
        at = at.wrapping_add(1);
    }
    at
}

/// A place in text that is being checked.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    /// Not zero once bytes that are not ASCII may have been passed.
    high: u32,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Cursor {
            text,
            at: 0,
            high: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Whether bytes that are not ASCII may have been passed.
    #[inline(always)]
    pub(crate) fn may_hold_utf8(&self) -> bool {
        self.high != 0
    }

    /// The byte here; a line feed at the end of the text, which no rule takes.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u8 {
        match self.text.get(self.at) {
            Some(byte) => *byte,
            None => b'\n',
        }
    }

    #[inline(always)]
    pub(crate) fn bump(&mut self) {
        self.at = self.at.wrapping_add(1);
    }

    #[inline(always)]
    pub(crate) fn slice(&self, from: usize, to: usize) -> &'a [u8] {
        self.text.get(from..to).unwrap_or(&[])
    }

    /// Passes over white space, which a compact writer does not put there.
    #[inline(always)]
    pub(crate) fn space(&mut self) -> u8 {
        loop {
            let byte = self.peek();
            if byte > b' ' {
                return byte;
            }
            match byte {
                b' ' | b'\t' | b'\r' => self.bump(),
                _ => return byte,
            }
        }
    }

    /// Passes over a string whose opening quote is behind.
    #[inline(always)]
    pub(crate) fn string(&mut self) -> Option<()> {
        let mut at = self.at;
        while let Some(lanes) = load(self.text, at) {
            self.high |= lanes.to_bitmask();
            let mut mask = special(lanes).to_bitmask();
            let mut next = LANES;
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize;
                let place = at.wrapping_add(lane);
                if self.text.get(place) == Some(&b'"') {
                    self.at = place.wrapping_add(1);
                    return Some(());
                }
                next = lane.wrapping_add(escape(self.text, place)?);
                if next >= LANES {
                    break;
                }
                mask &= u32::MAX.wrapping_shl(next as u32);
                next = LANES;
            }
            at = at.wrapping_add(next);
        }
        self.at = at;
        self.string_tail()
    }

    /// The same, a byte at a time, near the end of the text.
    #[cold]
    #[inline(never)]
    fn string_tail(&mut self) -> Option<()> {
        loop {
            let byte = *self.text.get(self.at)?;
            match byte {
                b'"' => {
                    self.bump();
                    return Some(());
                }
                b'\\' => self.at = self.at.wrapping_add(escape(self.text, self.at)?),
                0..=0x1f => return None,
                _ => {
                    self.high |= u32::from(byte >> 7);
                    self.bump();
                }
            }
        }
    }

    /// Passes over a string that holds no escape, and returns what is between its quotes.
    /// The opening quote is behind.
    #[inline(always)]
    pub(crate) fn plain_string(&mut self) -> Option<&'a [u8]> {
        let from = self.at;
        let mut at = from;
        while let Some(lanes) = load(self.text, at) {
            self.high |= lanes.to_bitmask();
            let mask = special(lanes).to_bitmask();
            if mask != 0 {
                return self.plain_end(from, at.wrapping_add(mask.trailing_zeros() as usize));
            }
            at = at.wrapping_add(LANES);
        }
        self.plain_tail(from, at)
    }

    #[inline(always)]
    fn plain_end(&mut self, from: usize, to: usize) -> Option<&'a [u8]> {
        if self.text.get(to) != Some(&b'"') {
            return None;
        }
        self.at = to.wrapping_add(1);
        self.text.get(from..to)
    }

    #[cold]
    #[inline(never)]
    fn plain_tail(&mut self, from: usize, at: usize) -> Option<&'a [u8]> {
        let mut at = at;
        loop {
            let byte = *self.text.get(at)?;
            match byte {
                b'"' => return self.plain_end(from, at),
                b'\\' | 0..=0x1f => return None,
                _ => self.high |= u32::from(byte >> 7),
            }
            at = at.wrapping_add(1);
        }
    }

    /// Passes over a number whose first byte, `first`, is here.
    #[inline(always)]
    pub(crate) fn number(&mut self, first: u8) -> Option<()> {
        let mut byte = first;
        if byte == b'-' {
            self.bump();
            byte = self.peek();
        }
        self.bump();
        match byte {
            b'0' => {}
            b'1'..=b'9' => self.digits(),
            _ => return None,
        }
        match self.peek() {
            b'.' | b'e' | b'E' => self.fraction(),
            _ => Some(()),
        }
    }

    #[inline(always)]
    fn digits(&mut self) {
        while self.peek().is_ascii_digit() {
            self.bump();
        }
    }

    fn fraction(&mut self) -> Option<()> {
        if self.peek() == b'.' {
            self.bump();
            if !self.peek().is_ascii_digit() {
                return None;
            }
            self.digits();
        }
        if self.peek() | 0x20 == b'e' {
            self.bump();
            if matches!(self.peek(), b'+' | b'-') {
                self.bump();
            }
            if !self.peek().is_ascii_digit() {
                return None;
            }
            self.digits();
        }
        Some(())
    }

    /// Passes over a literal.
    #[inline(always)]
    pub(crate) fn literal(&mut self, word: &[u8]) -> Option<()> {
        let to = self.at.wrapping_add(word.len());
        if self.text.get(self.at..to) != Some(word) {
            return None;
        }
        self.at = to;
        Some(())
    }

    /// Passes over the value that begins here with `first`, nested in `levels` more
    /// containers at most.
    #[inline(always)]
    pub(crate) fn value(&mut self, first: u8, levels: u32) -> Option<()> {
        match first {
            b'"' => {
                self.bump();
                self.string()
            }
            b'{' | b'[' => self.container(first, levels),
            _ => self.scalar(first),
        }
    }

    #[inline(always)]
    fn scalar(&mut self, first: u8) -> Option<()> {
        match first {
            b'-' | b'0'..=b'9' => self.number(first),
            b't' => self.literal(b"true"),
            b'f' => self.literal(b"false"),
            b'n' => self.literal(b"null"),
            _ => None,
        }
    }

    /// Passes over the object or array that begins here.
    pub(crate) fn container(&mut self, first: u8, levels: u32) -> Option<()> {
        // Levels are bits: set for an object, the innermost lowest.
        let mut objects = 0u64;
        let mut depth = 0u32;
        let levels = levels.min(64);
        let mut byte = first;
        loop {
            // A value begins with `byte`.
            if byte == b'{' || byte == b'[' {
                if depth >= levels {
                    return None;
                }
                let object = byte == b'{';
                depth = depth.wrapping_add(1);
                objects = objects.wrapping_shl(1) | u64::from(object);
                self.bump();
                byte = self.space();
                if object {
                    if byte == b'"' {
                        byte = self.name()?;
                        continue;
                    }
                    if byte != b'}' {
                        return None;
                    }
                } else if byte != b']' {
                    continue;
                }
            } else {
                if byte == b'"' {
                    self.bump();
                    self.string()?;
                } else {
                    self.scalar(byte)?;
                }
                byte = self.space();
            }
            // A value has ended, or an empty container is about to; `byte` follows.
            loop {
                let object = objects & 1 != 0;
                if byte == b',' {
                    self.bump();
                    byte = self.space();
                    if object {
                        if byte != b'"' {
                            return None;
                        }
                        byte = self.name()?;
                    }
                    break;
                }
                if byte != if object { b'}' } else { b']' } {
                    return None;
                }
                self.bump();
                depth = depth.wrapping_sub(1);
                if depth == 0 {
                    return Some(());
                }
                objects >>= 1;
                byte = self.space();
            }
        }
    }

    /// Passes over a member's name, whose opening quote is here, and its colon; returns
    /// the first byte of the value.
    #[inline(always)]
    fn name(&mut self) -> Option<u8> {
        self.bump();
        self.plain_string()?;
        if self.space() != b':' {
            return None;
        }
        self.bump();
        Some(self.space())
    }
}

/// The length of the escape whose backslash stands at `at`; `None` if it is none.
#[inline(always)]
fn escape(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    match rest {
        [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Some(2),
        [b'\\', b'u', a, b, c, d, ..] => {
            let hex = a.is_ascii_hexdigit()
                && b.is_ascii_hexdigit()
                && c.is_ascii_hexdigit()
                && d.is_ascii_hexdigit();
            hex.then_some(6)
        }
        _ => None,
    }
}
