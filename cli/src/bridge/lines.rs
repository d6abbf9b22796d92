//! Lines out of pieces, as they came.

use wireline::{Limits, LineDecoder, Rejected};

/// What stays allocated between lines.
const KEPT: usize = 64 << 10;

/// What a decoder needs to find the id of a line that is not kept.
const SCAN: usize = 512;

/// A splitter at line ends, with a ceiling.
#[derive(Debug)]
pub(super) struct Lines {
    limits: Limits,
    /// The line so far.
    part: Vec<u8>,
    /// Scans a line that is over the ceiling to its end.
    over: Option<Box<LineDecoder<[u8; SCAN]>>>,
}

/// A line.
#[derive(Debug)]
pub(super) enum Line<'a> {
    /// Without its LF and one CR before it.
    Whole(&'a [u8]),
    /// Over the ceiling, and what is known of it all the same.
    TooLong(Rejected<'a>),
}

impl Lines {
    pub(super) const fn new(limits: Limits) -> Self {
        Self {
            limits,
            part: Vec::new(),
            over: None,
        }
    }

    /// Takes bytes, gives the lines that end in them.
    pub(super) fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(Line<'_>)) {
        let most = self.limits.message as usize;
        loop {
            if let Some(decoder) = &mut self.over {
                match decoder.next_in(&mut bytes).map(wireline::Item::result) {
                    Some(Err(rejected)) => each(Line::TooLong(rejected)),
                    Some(Ok(_)) => {}
                    None => return,
                }
                self.over = None;
            }
            let end = memchr::memchr(b'\n', bytes);
            let more = end.unwrap_or(bytes.len());
            if self.part.len() + more > most {
                let mut decoder = Box::new(LineDecoder::new([0; SCAN], self.limits));
                let nothing = decoder.next_in(&mut &self.part[..]);
                debug_assert!(nothing.is_none(), "there is no line end yet");
                self.part = Vec::new();
                self.over = Some(decoder);
                continue;
            }
            let Some(end) = end else {
                self.part.extend_from_slice(bytes);
                return;
            };
            if self.part.is_empty() {
                each(Line::Whole(without_cr(&bytes[..end])));
            } else {
                self.part.extend_from_slice(&bytes[..end]);
                each(Line::Whole(without_cr(&self.part)));
                self.part.clear();
                self.part.shrink_to(KEPT);
            }
            bytes = &bytes[end + 1..];
        }
    }

    /// The line that was begun and has no end, if there is one: how it begins, and its length as far
    /// as it is kept. The next piece begins a new line.
    pub(super) fn cut(&mut self) -> Option<Vec<u8>> {
        let part = std::mem::take(&mut self.part);
        let over = self.over.take().is_some();
        (over || !part.trim_ascii().is_empty()).then_some(part)
    }
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(input: &[u8], piece: usize) -> (Vec<String>, Option<Vec<u8>>) {
        let mut lines = Lines::new(Limits::HOST.with_message(600));
        let mut seen = Vec::new();
        for piece in input.chunks(piece) {
            lines.push(piece, |line| {
                seen.push(match line {
                    Line::Whole(text) => String::from_utf8_lossy(text).into_owned(),
                    Line::TooLong(rejected) => {
                        format!("{} {:?}", rejected.length(), rejected.id())
                    }
                });
            });
        }
        (seen, lines.cut())
    }

    #[test]
    fn every_cut_gives_the_same_lines() {
        let mut input = b"one\r\n\ntwo\n".to_vec();
        input.extend_from_slice(
            format!(
                "{{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{{\"a\":\"{}\"}},\"id\":\"late\"}}\n",
                "a".repeat(1000)
            )
            .as_bytes(),
        );
        input.extend_from_slice("b".repeat(600).as_bytes());
        input.extend_from_slice(b"\nthree\nrest");
        let whole = split(&input, input.len());
        assert_eq!(whole.0.len(), 6);
        assert_eq!(whole.0[3], "1060 Some(\"late\")");
        assert_eq!(whole.0[4].len(), 600);
        assert_eq!(whole.1.as_deref(), Some(&b"rest"[..]));
        for piece in 1..700 {
            assert_eq!(split(&input, piece), whole, "{piece}");
        }
    }
}
