//! Text that was found to be UTF-8.
//!
//! Core has no unsafe code, so bytes become a `str` only by being looked at. A host looks
//! once, at a whole line with wide instructions, and every part of it is a `str` for free.
//! A chip, where the scanner has just found the bytes to be UTF-8, keeps them as bytes, and
//! looks again only at what is asked for as a `str`.

#[cfg(feature = "wide")]
type Inner<'a> = &'a str;
#[cfg(not(feature = "wide"))]
type Inner<'a> = &'a [u8];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Text<'a>(Inner<'a>);

impl<'a> Text<'a> {
    #[cfg(feature = "wide")]
    pub(crate) const fn new(text: &'a str) -> Self {
        Text(text)
    }

    #[cfg(not(feature = "wide"))]
    pub(crate) const fn new(text: &'a str) -> Self {
        Text(text.as_bytes())
    }

    /// Bytes that the scanner has found to be UTF-8.
    #[cfg(feature = "wide")]
    #[inline]
    pub(crate) fn found(bytes: &'a [u8]) -> Option<Self> {
        simdutf8::basic::from_utf8(bytes).ok().map(Text)
    }

    /// The front of `bytes`, up to an ASCII character or the end. The check is quickest over
    /// whole blocks, so what follows is looked at too; if that is not UTF-8, it was in vain.
    #[cfg(feature = "wide")]
    #[inline]
    pub(crate) fn found_at_front(bytes: &'a [u8], length: usize) -> Option<Self> {
        const BLOCK: usize = 64;
        let blocks = length.checked_next_multiple_of(BLOCK)?;
        if let Some(more) = bytes.get(..blocks)
            && let Ok(more) = simdutf8::basic::from_utf8(more)
        {
            return more.get(..length).map(Text);
        }
        Self::found(bytes.get(..length)?)
    }

    #[cfg(not(feature = "wide"))]
    pub(crate) const fn found(bytes: &'a [u8]) -> Option<Self> {
        Some(Text(bytes))
    }

    #[cfg(feature = "wide")]
    #[inline(always)]
    pub(crate) const fn as_bytes(self) -> &'a [u8] {
        self.0.as_bytes()
    }

    #[cfg(not(feature = "wide"))]
    #[inline(always)]
    pub(crate) const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    #[cfg(feature = "wide")]
    #[inline(always)]
    pub(crate) const fn as_str(self) -> &'a str {
        self.0
    }

    #[cfg(not(feature = "wide"))]
    pub(crate) fn as_str(self) -> &'a str {
        core::str::from_utf8(self.0).unwrap_or_default()
    }

    /// A part of it, which begins and ends at ASCII characters.
    #[inline(always)]
    pub(crate) fn part(self, from: usize, to: usize) -> Option<Self> {
        self.0.get(from..to).map(Text)
    }
}

/// The bytes from one place to another, none if they are not there. A chip has the two
/// comparisons once.
#[cfg_attr(not(feature = "wide"), inline(never))]
#[cfg_attr(feature = "wide", inline)]
pub(crate) fn part(bytes: &[u8], from: usize, to: usize) -> &[u8] {
    bytes.get(from..to).unwrap_or(&[])
}
