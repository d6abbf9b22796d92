//! What is said on standard error: it never holds a message up.

use crate::escape;

/// Bytes that may wait for a slow reader.
const MOST: usize = 64 << 10;

/// Lines for people, each with a mark before it.
#[derive(Debug)]
pub(super) struct Notes {
    waiting: Vec<u8>,
    quiet: bool,
    /// Lines that found no room.
    lost: u64,
}

impl Notes {
    pub(super) const fn new(quiet: bool) -> Self {
        Self {
            waiting: Vec::new(),
            quiet,
            lost: 0,
        }
    }

    /// A line of the bridge's own; what others wrote in it is made harmless.
    pub(super) fn say(&mut self, text: &str) {
        self.line(|out| escape::push_text(out, text.as_bytes()));
    }

    /// A line of the device that is no message: why it is none, and how it begins.
    pub(super) fn noise(&mut self, why: &str, excerpt: &[u8], length: u64) {
        self.line(|out| {
            out.extend_from_slice(why.as_bytes());
            out.extend_from_slice(b": ");
            escape::push_text(out, excerpt);
            if length > excerpt.len() as u64 {
                out.extend_from_slice(format!(" … ({length} bytes)").as_bytes());
            }
        });
    }

    fn line(&mut self, fill: impl FnOnce(&mut Vec<u8>)) {
        if self.quiet {
            return;
        }
        if self.waiting.len() >= MOST {
            self.lost += 1;
            return;
        }
        if self.lost > 0 {
            let lost = format!("wireline bridge: {} lines are left out here\n", self.lost);
            self.waiting.extend_from_slice(lost.as_bytes());
            self.lost = 0;
        }
        self.waiting.extend_from_slice(b"wireline bridge: ");
        fill(&mut self.waiting);
        self.waiting.push(b'\n');
    }

    pub(super) fn waiting(&self) -> &[u8] {
        &self.waiting
    }

    pub(super) fn written(&mut self, bytes: usize) {
        self.waiting.drain(..bytes);
    }

    /// Nobody reads it.
    pub(super) fn close(&mut self) {
        self.quiet = true;
        self.waiting = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_marked_harmless_and_bounded() {
        let mut notes = Notes::new(false);
        notes.noise("noise", b"\x1b[2Jboot", 100);
        let text = String::from_utf8_lossy(notes.waiting()).into_owned();
        assert_eq!(text, "wireline bridge: noise: \\x1b[2Jboot … (100 bytes)\n");
        for _ in 0..10_000 {
            notes.say("twenty bytes or more of text");
        }
        let full = notes.waiting().len();
        assert!(full < MOST + 100, "{full}");
        notes.written(full);
        notes.say("again");
        let text = String::from_utf8_lossy(notes.waiting()).into_owned();
        assert!(text.contains(" lines are left out here\n"), "{text}");
        assert!(text.ends_with("wireline bridge: again\n"), "{text}");
    }
}
