//! Strings kept as they were written.

use super::raw::Invalid;
use super::scan::{Event, Finish, Scanner};
use crate::fault::FaultKind;
use crate::text::Text;

/// A JSON string, kept as it was written, escapes included.
///
/// Comparison is by meaning: `"tools\/call"` equals `tools/call`.
///
/// ```
/// use wireline::json::RawJson;
/// let value = RawJson::validate(br#""tools\/c\u0061ll""#).unwrap();
/// let text = value.as_json_str().unwrap();
/// assert_eq!(text, "tools/call");
/// assert_eq!(text.as_str(), None); // it holds escapes, so it is not a slice of the input
/// let mut buffer = [0; 16];
/// assert_eq!(text.unescape_into(&mut buffer), Ok("tools/call"));
/// ```
#[derive(Clone, Copy)]
pub struct JsonStr<'a>(Text<'a>);

/// An unpaired surrogate escape (`\ud800` to `\udfff`): JSON text, but no Unicode text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoneSurrogate(pub u16);

impl core::fmt::Display for LoneSurrogate {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "unpaired surrogate escape \\u{:04x}", self.0)
    }
}

impl core::error::Error for LoneSurrogate {}

/// Why a string could not be unescaped into a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnescapeError {
    /// The string holds an unpaired surrogate escape, which UTF-8 cannot carry.
    LoneSurrogate(LoneSurrogate),
    /// The buffer is too small; so many bytes are needed.
    TooSmall(usize),
}

impl core::fmt::Display for UnescapeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            UnescapeError::LoneSurrogate(lone) => lone.fmt(f),
            UnescapeError::TooSmall(needed) => write!(f, "the buffer needs {needed} bytes"),
        }
    }
}

impl core::error::Error for UnescapeError {}

impl<'a> JsonStr<'a> {
    /// A string's token, quotes included, that the scanner has found valid.
    pub(crate) fn from_token(token: Text<'a>) -> Option<Self> {
        match token.as_bytes() {
            // It ends with a quote, too, and not with the same one.
            [b'"', rest @ ..] => token.part(1, rest.len()).map(JsonStr),
            _ => None,
        }
    }

    /// Takes what can stand between the quotes of a string: escapes that are ones, neither
    /// a bare quote nor a control character, UTF-8.
    ///
    /// ```
    /// use wireline::json::JsonStr;
    /// assert_eq!(JsonStr::validate(br"a\u0062").unwrap(), "ab");
    /// assert_eq!(JsonStr::validate(br#"a","b":"#).unwrap_err().offset, 1);
    /// ```
    ///
    /// # Errors
    ///
    /// [`Invalid`] says what is wrong and where.
    pub fn validate(text: &'a [u8]) -> Result<Self, Invalid> {
        let mut scanner = Scanner::new(1, true);
        // The quotes are not the caller's: they shift every offset by one.
        let invalid = |kind, at: usize| Invalid {
            kind,
            offset: at.saturating_sub(1).min(text.len()),
        };
        for (last, part) in [(false, &b"\""[..]), (false, text), (true, b"\"")] {
            let mut rest = part;
            loop {
                match scanner.step(&mut rest, &[]) {
                    Event::Need => break,
                    Event::End if !last => {
                        let at = scanner.at().saturating_sub(1);
                        return Err(invalid(FaultKind::Syntax, at));
                    }
                    Event::Fault(kind) => return Err(invalid(kind, scanner.event_at())),
                    _ => {}
                }
            }
        }
        match scanner.finish() {
            Finish::Complete => Text::found(text)
                .map(JsonStr)
                .ok_or(invalid(FaultKind::Utf8, usize::MAX)),
            Finish::Blank => Err(invalid(FaultKind::Cut, usize::MAX)),
            Finish::Cut(kind) => Err(invalid(kind, usize::MAX)),
        }
    }

    /// Takes what stood between the quotes of a valid string, as [`raw_bytes`] gives it:
    /// see [`RawJson::assume_valid`](super::RawJson::assume_valid).
    ///
    /// [`raw_bytes`]: Self::raw_bytes
    #[must_use]
    pub fn assume_valid(text: &'a [u8]) -> Option<Self> {
        Text::found(text).map(JsonStr)
    }

    /// Text that stood between the quotes of a valid token.
    pub(crate) const fn from_raw(text: Text<'a>) -> Self {
        JsonStr(text)
    }

    /// The text between the quotes as it was written, escapes included.
    #[must_use]
    pub fn raw(&self) -> &'a str {
        self.0.as_str()
    }

    /// The same as bytes.
    #[must_use]
    pub const fn raw_bytes(&self) -> &'a [u8] {
        self.0.as_bytes()
    }

    /// The text, if it holds no escape and so needs no buffer.
    #[must_use]
    pub fn as_str(&self) -> Option<&'a str> {
        if has_backslash(self.raw_bytes()) {
            None
        } else {
            Some(self.raw())
        }
    }

    /// The characters, escapes resolved.
    #[must_use]
    pub fn chars(&self) -> Chars<'a> {
        Chars(self.raw_bytes())
    }

    /// The character that stands at a place of the token, counted in bytes of
    /// [`raw`](Self::raw), and the place after it; `None` for an unpaired surrogate and at
    /// the end.
    pub(crate) fn char_at(&self, at: usize) -> Option<(char, usize)> {
        let rest = self.raw_bytes().get(at..)?;
        let mut chars = Chars(rest);
        let character = chars.next()?.ok()?;
        let used = rest.len().wrapping_sub(chars.0.len());
        Some((character, at.wrapping_add(used)))
    }

    /// The part from one place to another, both between characters.
    pub(crate) fn part(&self, from: usize, to: usize) -> Option<Self> {
        self.0.part(from, to).map(JsonStr)
    }

    /// Writes the text into `buffer`, escapes resolved. Never longer than [`raw`](Self::raw).
    ///
    /// # Errors
    ///
    /// [`UnescapeError::TooSmall`] with the bytes needed; what was in the buffer may be
    /// overwritten. [`UnescapeError::LoneSurrogate`] if the text is no Unicode text.
    pub fn unescape_into<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b str, UnescapeError> {
        let mut needed = 0usize;
        for character in self.chars() {
            let character = character.map_err(UnescapeError::LoneSurrogate)?;
            let mut utf8 = [0u8; 4];
            for byte in character.encode_utf8(&mut utf8).bytes() {
                if let Some(slot) = buffer.get_mut(needed) {
                    *slot = byte;
                }
                needed = needed.wrapping_add(1);
            }
        }
        let text = buffer
            .get(..needed)
            .ok_or(UnescapeError::TooSmall(needed))?;
        core::str::from_utf8(text).map_err(|_| UnescapeError::TooSmall(needed))
    }
}

/// Whether there is a backslash.
#[cfg(not(feature = "wide"))]
fn has_backslash(bytes: &[u8]) -> bool {
    bytes.contains(&b'\\')
}

/// Whether there is a backslash. Strings that are asked are short, so a call for a wide
/// search costs more than it saves.
#[cfg(feature = "wide")]
#[inline]
fn has_backslash(bytes: &[u8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let any = |word: &[u8; 8]| {
        // The lowest byte that was a backslash has its highest bit set.
        let word = u64::from_le_bytes(*word) ^ ONES.wrapping_mul(b'\\' as u64);
        word.wrapping_sub(ONES) & !word & ONES.wrapping_mul(0x80) != 0
    };
    match bytes.last_chunk() {
        Some(last) => any(last) || bytes.as_chunks().0.iter().any(any),
        None => bytes.contains(&b'\\'),
    }
}

/// Letters that stand after a backslash for a control character, and these characters.
static LETTERS: [(u8, u8); 5] = [(b'b', 8), (b't', 9), (b'n', 10), (b'f', 12), (b'r', 13)];

/// What a letter after a backslash stands for; itself, if it is none of [`LETTERS`].
#[cfg_attr(not(feature = "wide"), inline(never))]
pub(crate) fn unescaped(letter: u8) -> u8 {
    for (name, character) in &LETTERS {
        if *name == letter {
            return *character;
        }
    }
    letter
}

/// The letter after the backslash for a byte that cannot stand in a string as it is; `u`
/// for a control character without a letter of its own.
pub(crate) fn escape(byte: u8) -> u8 {
    for (name, character) in &LETTERS {
        if *character == byte {
            return *name;
        }
    }
    if byte < 0x20 { b'u' } else { byte }
}

/// The characters of a [`JsonStr`], escapes resolved.
#[derive(Clone, Debug)]
pub struct Chars<'a>(&'a [u8]);

/// No character: the end of the text.
const END: u32 = u32::MAX;

impl Chars<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    /// The number of the next character, or of an unpaired surrogate, or [`END`].
    fn code(&mut self, escapes: bool) -> u32 {
        let Some(first) = self.byte() else {
            return END;
        };
        if first == b'\\' && escapes {
            return match self.byte() {
                None => END,
                Some(b'u') => self.unicode(),
                Some(letter) => u32::from(unescaped(letter)),
            };
        }
        // The ones that a first byte begins with count the bytes; others begin with one.
        let mut code = u32::from(first & 0x7f_u8.wrapping_shr(first.leading_ones()));
        while let Some((byte @ 0x80..=0xbf, rest)) = self.0.split_first() {
            self.0 = rest;
            code = code.wrapping_shl(6) | u32::from(byte & 0x3f);
        }
        code
    }

    /// The four digits of a `\u` escape.
    fn unit(&mut self) -> u32 {
        let mut unit = 0u32;
        for _ in 0..4 {
            let byte = self.byte().unwrap_or(b'0');
            // A letter's low bits are 1 to 6.
            let digit = if byte > b'9' {
                (byte & 7).wrapping_add(9)
            } else {
                byte & 15
            };
            unit = unit.wrapping_shl(4) | u32::from(digit);
        }
        unit
    }

    fn unicode(&mut self) -> u32 {
        let unit = self.unit();
        if unit >> 10 == 0x36
            && let [b'\\', b'u', rest @ ..] = self.0
        {
            let mut ahead = Chars(rest);
            let low = ahead.unit();
            if low >> 10 == 0x37 {
                *self = Chars(ahead.0);
                let code = (unit & 0x3ff).wrapping_shl(10) | low & 0x3ff;
                return code.wrapping_add(0x1_0000);
            }
        }
        unit
    }
}

impl Iterator for Chars<'_> {
    type Item = Result<char, LoneSurrogate>;

    fn next(&mut self) -> Option<Self::Item> {
        let code = self.code(true);
        (code != END).then(|| char::from_u32(code).ok_or(LoneSurrogate(code as u16)))
    }
}

impl PartialEq<str> for JsonStr<'_> {
    fn eq(&self, other: &str) -> bool {
        // Most strings hold no escape. A chip does without the code for both ways.
        #[cfg(any(feature = "std", feature = "wide"))]
        if !has_backslash(self.raw_bytes()) {
            return self.raw_bytes() == other.as_bytes();
        }
        let (mut ours, mut theirs) = (self.chars(), Chars(other.as_bytes()));
        loop {
            let code = ours.code(true);
            if code != theirs.code(false) {
                return false;
            }
            if code == END {
                return true;
            }
        }
    }
}

impl PartialEq<&str> for JsonStr<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq for JsonStr<'_> {
    /// Two strings are equal if their characters are; unpaired surrogates equal only
    /// themselves.
    fn eq(&self, other: &Self) -> bool {
        self.raw_bytes() == other.raw_bytes() || self.chars().eq(other.chars())
    }
}

impl Eq for JsonStr<'_> {}

impl core::fmt::Display for JsonStr<'_> {
    /// Writes the text, escapes resolved and each unpaired surrogate as U+FFFD.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        use core::fmt::Write;
        for character in self.chars() {
            f.write_char(character.unwrap_or(char::REPLACEMENT_CHARACTER))?;
        }
        Ok(())
    }
}

impl core::fmt::Debug for JsonStr<'_> {
    /// Writes the token as it stood, quotes included.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "\"{}\"", self.raw())
    }
}
