//! How a recording is known from a plain stream: by the bytes that it begins with.

/// What the heading begins with. Between its tokens there may be blanks.
const MAGIC: &[u8] = br#"{"wireline":"recording""#;

/// A stream that has not told within so many bytes, in bytes, is a plain one.
pub(crate) const HEAD: usize = 4096;

/// Matches the first bytes of a stream, however they are cut.
#[derive(Default)]
pub(crate) struct Magic {
    /// So many bytes of `MAGIC` were seen.
    matched: usize,
    /// So many bytes of the stream were seen.
    seen: usize,
    /// Within a string, where a blank counts.
    quoted: bool,
}

impl Magic {
    /// Takes the next bytes. Whether the stream is a recording; `None` if more bytes are needed to
    /// tell, and then no byte is to be shown twice.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Option<bool> {
        for &b in bytes {
            if self.seen == HEAD {
                return Some(false);
            }
            self.seen += 1;
            if !self.quoted && matches!(b, b' ' | b'\t') {
                continue;
            }
            if MAGIC.get(self.matched) != Some(&b) {
                return Some(false);
            }
            self.quoted ^= b == b'"';
            self.matched += 1;
            if self.matched == MAGIC.len() {
                return Some(true);
            }
        }
        (self.seen == HEAD).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In one piece, and byte by byte, which must not differ.
    fn begins(bytes: &[u8]) -> Option<bool> {
        let whole = Magic::default().feed(bytes);
        let mut magic = Magic::default();
        let piecewise = bytes.chunks(1).find_map(|piece| magic.feed(piece));
        assert_eq!(whole, piecewise);
        whole
    }

    #[test]
    fn detection() {
        assert_eq!(
            begins(b"{\"wireline\":\"recording\",\"version\":1}"),
            Some(true)
        );
        assert_eq!(begins(b"{ \"wireline\": \"recording\", "), Some(true));
        assert_eq!(begins(b" \t{\t\"wireline\" :\t\"recording\""), Some(true));
        assert_eq!(begins(b"{\"wire"), None);
        assert_eq!(begins(b""), None);
        assert_eq!(begins(b"{\"jsonrpc\":\"2.0\"}"), Some(false));
        assert_eq!(begins(b"\n"), Some(false));
    }

    #[test]
    fn blanks_in_strings_count() {
        assert_eq!(begins(b"{\"wire line\":\"recording\""), Some(false));
        assert_eq!(begins(b"{\" wireline\":\"recording\""), Some(false));
        assert_eq!(begins(b"{\"wireline\":\"recording\t\""), Some(false));
    }

    #[test]
    fn the_head_has_an_end() {
        let blank = |n: usize| [&b" ".repeat(n), MAGIC].concat();
        assert_eq!(begins(&blank(HEAD - MAGIC.len())), Some(true));
        assert_eq!(begins(&blank(HEAD - MAGIC.len() + 1)), Some(false));
        assert_eq!(begins(&b" ".repeat(HEAD - 1)), None);
        assert_eq!(begins(&b" ".repeat(HEAD)), Some(false));
    }
}
