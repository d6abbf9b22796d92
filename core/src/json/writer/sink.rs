//! Where written bytes go: counted, stored, or stored as far as a window shows them.

use core::cmp::Ordering;

use crate::json::escape;

/// The first byte of text that a window shows, and where to go on in the copy that the
/// window's end cuts.
///
/// Text that is longer than a window is written again for every window. Long copies are
/// not: what has left is passed over, and the one that was cut goes on where it was, so
/// that each costs its length once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Where the window begins in the text.
    pub(crate) at: usize,
    /// Which copy was cut, counted from one; none, if zero.
    copy: usize,
    /// The first byte of its source that has not been written.
    source: usize,
    /// Where in the text that byte's output begins.
    text: usize,
}

impl Place {
    /// The whole text is still to come. Where no copy was cut the rest means nothing, and
    /// fewer zeros in a row are set without a call on a small chip.
    pub(crate) const START: Place = Place {
        at: 0,
        copy: 0,
        source: usize::MAX,
        text: usize::MAX,
    };
}

/// Takes bytes and counts them; stores those that fit.
///
/// A sink over a slice goes on counting past its end. A sink over a window gives up
/// copying there, since the rest is written again in its turn.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Sink<'b> {
    /// Bytes taken so far, shown or not.
    at: usize,
    out: &'b mut [u8],
    /// What a window does with copies; where there is none, its code is not linked.
    window: Option<&'static Window>,
    place: Place,
    /// Copies begun.
    copies: usize,
    /// The window cut a copy; what follows is neither copied nor counted.
    cut: bool,
}

/// What a window does when a copy begins, and with a part of one.
#[derive(Debug)]
struct Window {
    enter: fn(&mut Sink<'_>) -> usize,
    part: fn(&mut Sink<'_>, usize, usize, bool) -> bool,
}

static WINDOW: Window = Window {
    enter: |sink| sink.enter_window(),
    part: |sink, length, source, plain| sink.part_in_window(length, source, plain),
};

impl<'b> Sink<'b> {
    #[inline]
    pub(crate) fn new(out: &'b mut [u8], window: Option<Place>) -> Self {
        Sink {
            at: 0,
            out,
            window: window.is_some().then_some(&WINDOW),
            place: window.unwrap_or(Place::START),
            copies: 0,
            cut: false,
        }
    }

    /// Bytes taken so far.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Whether it shows a window of a text that was counted before.
    pub(crate) fn is_window(&self) -> bool {
        self.window.is_some()
    }

    /// Bytes that the slice still has room for.
    pub(crate) fn room(&self) -> usize {
        self.end().saturating_sub(self.at)
    }

    /// Counts bytes that are stored already.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// Where the stored bytes end in the text, if there is room for all of it.
    fn end(&self) -> usize {
        self.place.at.saturating_add(self.out.len())
    }

    /// Whether the slice or window holds the text up to its end.
    pub(crate) fn is_whole(&self) -> bool {
        !self.cut && self.at <= self.end()
    }

    /// Whether a copy was cut short, so that the text's length is not known.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    /// The place of the next window.
    pub(crate) fn next_place(&self) -> Place {
        Place {
            at: self.at.clamp(self.place.at, self.end()),
            ..self.place
        }
    }

    /// The stored bytes.
    pub(crate) fn into_stored(self) -> &'b [u8] {
        let stored = self.next_place().at.saturating_sub(self.place.at);
        let out: &'b [u8] = self.out;
        out.get(..stored).unwrap_or(out)
    }

    /// Takes `bytes` as they are.
    #[cfg(any(feature = "std", feature = "wide"))]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        let hidden = self.place.at.saturating_sub(self.at);
        let index = self.at.saturating_sub(self.place.at);
        if let (Some(shown), Some(room)) = (bytes.get(hidden..), self.out.get_mut(index..)) {
            for (to, from) in room.iter_mut().zip(shown) {
                *to = *from;
            }
        }
        self.at = self.at.saturating_add(bytes.len());
    }

    /// Takes `bytes` as they are. Byte by byte, which is the least code.
    #[cfg(not(any(feature = "std", feature = "wide")))]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if let Some(slot) = self.out.get_mut(self.at.wrapping_sub(self.place.at)) {
                *slot = *byte;
            }
            self.at = self.at.saturating_add(1);
        }
    }

    /// Begins a copy; returns the index in its source to begin at.
    fn enter(&mut self) -> usize {
        match self.window {
            None => 0,
            Some(window) => (window.enter)(self),
        }
    }

    /// Takes what the source at index `source` comes to: the bytes themselves, if
    /// `plain`, or their replacement. `false`, if the copy ends here.
    fn part(&mut self, bytes: &[u8], source: usize, plain: bool) -> bool {
        if let Some(window) = self.window
            && !(window.part)(self, bytes.len(), source, plain)
        {
            if !self.cut {
                self.cut = true;
                self.put(bytes);
            }
            return false;
        }
        self.put(bytes);
        true
    }

    fn enter_window(&mut self) -> usize {
        self.copies = self.copies.wrapping_add(1);
        match self.copies.cmp(&self.place.copy) {
            // All of it has left, and the place of the one that was cut is known.
            Ordering::Less => usize::MAX,
            Ordering::Equal => {
                self.at = self.place.text;
                self.place.source
            }
            Ordering::Greater => 0,
        }
    }

    /// Whether the window has room for a part; notes where it ends, if not.
    fn part_in_window(&mut self, length: usize, source: usize, plain: bool) -> bool {
        if self.cut {
            return false;
        }
        let room = self.room();
        if length <= room {
            return true;
        }
        // Where the window ends before this copy begins, the next window begins there, and
        // what lies in between must be written again.
        if self.at <= self.end() {
            let taken = if plain { room } else { 0 };
            self.place.copy = self.copies;
            self.place.source = source.saturating_add(taken);
            self.place.text = self.at.saturating_add(taken);
        }
        false
    }

    /// Takes an integer in decimal.
    pub(crate) fn integer(&mut self, negative: bool, magnitude: u64) {
        if negative {
            self.put(b"-");
        }
        // Not zeros, which would be set by a call on a small chip.
        let mut digits = *b"00112233445566778899";
        self.put(decimal(magnitude, &mut digits));
    }

    /// Takes text as a string.
    pub(crate) fn string(&mut self, text: &[u8]) {
        self.quoted(text, Sink::text);
    }

    /// Takes a string, what is between the quotes with `put`.
    pub(crate) fn quoted(&mut self, text: &[u8], put: fn(&mut Sink<'b>, &[u8])) {
        self.put(b"\"");
        put(self, text);
        self.put(b"\"");
    }

    /// Copies text into a string, with what must be escaped escaped.
    #[cfg(not(any(feature = "std", feature = "wide")))]
    pub(crate) fn text(&mut self, text: &[u8]) {
        self.copy(text, false);
    }

    /// Copies valid JSON as it is, but for CR and LF, which can only be white space.
    #[cfg(not(any(feature = "std", feature = "wide")))]
    pub(crate) fn json(&mut self, json: &[u8]) {
        self.copy(json, true);
    }

    /// Copies valid JSON, or text into a string, byte by byte, which is the least code.
    #[cfg(not(any(feature = "std", feature = "wide")))]
    fn copy(&mut self, text: &[u8], json: bool) {
        let mut source = self.enter();
        while let Some(&byte) = text.get(source) {
            let (mut bytes, mut length) = ([byte; 6], 1);
            if json {
                length = usize::from(byte != b'\r' && byte != b'\n');
            } else if is_special(byte) {
                (bytes, length) = escaped(byte);
            }
            if !self.part(bytes.get(..length).unwrap_or(&[]), source, false) {
                return;
            }
            source = source.saturating_add(1);
        }
    }

    /// Copies text into a string, with what must be escaped escaped.
    #[cfg(any(feature = "std", feature = "wide"))]
    pub(crate) fn text(&mut self, text: &[u8]) {
        let mut source = self.enter();
        while let Some(rest) = text.get(source..) {
            let plain = plain_text(rest);
            let (escape, length);
            let (bytes, used) = match (plain, rest) {
                ([], []) => return,
                ([], [byte, ..]) => {
                    (escape, length) = escaped(*byte);
                    (escape.get(..length).unwrap_or(&escape), 1)
                }
                _ => (plain, plain.len()),
            };
            if !self.part(bytes, source, !plain.is_empty()) {
                return;
            }
            source = source.saturating_add(used);
        }
    }

    /// Copies valid JSON as it is, but for CR and LF, which can only be white space.
    #[cfg(any(feature = "std", feature = "wide"))]
    pub(crate) fn json(&mut self, json: &[u8]) {
        let mut source = self.enter();
        while let Some(rest) = json.get(source..) {
            let run = line_break(rest);
            let plain = rest.get(..run.unwrap_or(rest.len())).unwrap_or(rest);
            if !self.part(plain, source, true) || run.is_none() {
                return;
            }
            source = source.saturating_add(plain.len()).saturating_add(1);
        }
    }

    /// Copies bytes as base64 with padding (RFC 4648, section 4).
    pub(crate) fn base64(&mut self, bytes: &[u8]) {
        let mut source = self.enter();
        while let Some(rest) = bytes.get(source..) {
            let group = match *rest {
                [a, b, c, ..] => base64_group([a, b, c], 3),
                [a, b] => base64_group([a, b, 0], 2),
                [a] => base64_group([a, 0, 0], 1),
                [] => return,
            };
            if !self.part(&group, source, false) {
                return;
            }
            source = source.saturating_add(3);
        }
    }
}

/// An unsigned integer in decimal.
///
/// A chip divides byte by byte: a 64-bit division alone would cost it more flash than the
/// rest of this file.
pub(crate) fn decimal(value: u64, digits: &mut [u8; 20]) -> &[u8] {
    let mut limbs = value.to_be_bytes();
    let mut first = digits.len();
    for digit in digits.iter_mut().rev() {
        let rest = divide(&mut limbs);
        *digit = (rest as u8).wrapping_add(b'0');
        first = first.wrapping_sub(1);
        if limbs == [0; 8] {
            break;
        }
    }
    digits.get(first..).unwrap_or(&[])
}

/// Divides by ten; returns what is left.
#[cfg(not(any(feature = "std", feature = "wide")))]
fn divide(limbs: &mut [u8; 8]) -> u32 {
    let mut rest = 0u32;
    for limb in limbs {
        let part = rest.wrapping_shl(8) | u32::from(*limb);
        *limb = (part / 10) as u8;
        rest = part % 10;
    }
    rest
}

#[cfg(any(feature = "std", feature = "wide"))]
fn divide(limbs: &mut [u8; 8]) -> u32 {
    let value = u64::from_be_bytes(*limbs);
    *limbs = (value / 10).to_be_bytes();
    (value % 10) as u32
}

/// Whether a byte cannot stand in a string as it is.
fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The first bytes that can stand in a string as they are.
pub(crate) fn plain_text(text: &[u8]) -> &[u8] {
    let special = |byte: &u8| is_special(*byte);
    let mut run = 0usize;
    // A host looks at sixteen bytes at once; a chip does without the code for it.
    #[cfg(any(feature = "std", feature = "wide"))]
    for chunk in text.as_chunks::<16>().0 {
        if chunk.iter().fold(false, |any, byte| any | special(byte)) {
            break;
        }
        run = run.saturating_add(16);
    }
    let rest = text.get(run..).unwrap_or_default();
    run = run.saturating_add(rest.iter().position(special).unwrap_or(rest.len()));
    text.get(..run).unwrap_or(text)
}

/// The escape for a byte that cannot stand in a string as it is, and its length.
pub(crate) fn escaped(byte: u8) -> ([u8; 6], usize) {
    let letter = escape(byte);
    let low = byte & 15;
    let low = low.wrapping_add(if low < 10 { b'0' } else { b'a' - 10 });
    let high = (byte >> 4).wrapping_add(b'0');
    (
        [b'\\', letter, b'0', b'0', high, low],
        if letter == b'u' { 6 } else { 2 },
    )
}

/// Index of the first CR or LF.
pub(crate) fn line_break(bytes: &[u8]) -> Option<usize> {
    // On a host long fragments are searched with wide instructions; a chip does without
    // the code for it.
    #[cfg(any(feature = "std", feature = "wide"))]
    return memchr::memchr2(b'\r', b'\n', bytes);
    #[cfg(not(any(feature = "std", feature = "wide")))]
    bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n'))
}

/// Three bytes as four characters, those past the first `len` bytes as padding.
pub(crate) fn base64_group(bytes: [u8; 3], len: usize) -> [u8; 4] {
    let [a, b, c] = bytes;
    let bits = u32::from_be_bytes([0, a, b, c]);
    let mut group = [b'='; 4];
    for (place, character) in group.iter_mut().enumerate().take(len.saturating_add(1)) {
        let six = bits.wrapping_shr(18u32.saturating_sub(6u32.saturating_mul(place as u32))) & 63;
        *character = match six as u8 {
            six @ 0..=25 => six.wrapping_add(b'A'),
            six @ 26..=51 => six.wrapping_add(b'a' - 26),
            six @ 52..=61 => six.wrapping_sub(52).wrapping_add(b'0'),
            62 => b'+',
            _ => b'/',
        };
    }
    group
}
