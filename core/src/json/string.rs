//! Strings kept as they were written.

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
pub struct JsonStr<'a>(&'a str);

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
    pub(crate) fn from_token(token: &'a str) -> Option<Self> {
        let inner = token.strip_prefix('"')?.strip_suffix('"')?;
        Some(JsonStr(inner))
    }

    /// The text between the quotes as it was written, escapes included.
    #[must_use]
    pub const fn raw(&self) -> &'a str {
        self.0
    }

    /// The same as bytes.
    #[must_use]
    pub const fn raw_bytes(&self) -> &'a [u8] {
        self.0.as_bytes()
    }

    /// The text, if it holds no escape and so needs no buffer.
    #[must_use]
    pub fn as_str(&self) -> Option<&'a str> {
        if has_backslash(self.0.as_bytes()) {
            None
        } else {
            Some(self.0)
        }
    }

    /// The characters, escapes resolved.
    #[must_use]
    pub fn chars(&self) -> Chars<'a> {
        Chars(self.0.chars())
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

/// The characters of a [`JsonStr`], escapes resolved.
#[derive(Clone, Debug)]
pub struct Chars<'a>(core::str::Chars<'a>);

impl Chars<'_> {
    fn unit(&mut self) -> u16 {
        let mut unit = 0u32;
        for _ in 0..4 {
            let digit = self.0.next().and_then(|digit| digit.to_digit(16));
            unit = unit.wrapping_shl(4) | digit.unwrap_or(0);
        }
        unit as u16
    }
}

impl Iterator for Chars<'_> {
    type Item = Result<char, LoneSurrogate>;

    fn next(&mut self) -> Option<Self::Item> {
        let character = self.0.next()?;
        if character != '\\' {
            return Some(Ok(character));
        }
        let unit = match self.0.next()? {
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'u' => self.unit(),
            other => return Some(Ok(other)),
        };
        let mut code = u32::from(unit);
        if unit >> 10 == 0x36 {
            let mut ahead = self.clone();
            if ahead.0.next() == Some('\\') && ahead.0.next() == Some('u') {
                let low = ahead.unit();
                if low >> 10 == 0x37 {
                    *self = ahead;
                    code = u32::from(unit & 0x3ff)
                        .wrapping_shl(10)
                        .wrapping_add(u32::from(low & 0x3ff))
                        .wrapping_add(0x1_0000);
                }
            }
        }
        Some(char::from_u32(code).ok_or(LoneSurrogate(unit)))
    }
}

impl PartialEq<str> for JsonStr<'_> {
    fn eq(&self, other: &str) -> bool {
        if has_backslash(self.0.as_bytes()) {
            let mut theirs = other.chars();
            self.chars().all(|ours| theirs.next().map(Ok) == Some(ours)) && theirs.next().is_none()
        } else {
            self.0 == other
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
        self.0 == other.0 || self.chars().eq(other.chars())
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
