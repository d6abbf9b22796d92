//! A short text in fixed memory.

use crate::json::JsonStr;

/// Bytes that a note holds.
const SIZE: usize = 120;

/// Bytes of it that are left for the reason.
const REASON: usize = 48;

/// A path and a reason, or any short text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    text: [u8; SIZE],
    length: u8,
    /// Where the path begins.
    path: u8,
}

/// How much of the path there was before the last step.
#[derive(Clone, Copy)]
pub(super) struct Mark(u8);

impl Note {
    pub(super) const fn new() -> Self {
        Note {
            text: [0; SIZE],
            length: 0,
            path: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        (self.length, self.path) = (0, 0);
    }

    pub(super) fn as_str(&self) -> &str {
        let text = self.text.get(..usize::from(self.length)).unwrap_or(&[]);
        core::str::from_utf8(text).unwrap_or_default()
    }

    /// Adds bytes that are whole characters, if there is room for all of them and so many
    /// more.
    fn push(&mut self, bytes: &[u8], more: usize) -> bool {
        let begin = usize::from(self.length);
        let end = begin.saturating_add(bytes.len());
        if end.saturating_add(more) > SIZE {
            return false;
        }
        for (slot, byte) in self.text.iter_mut().skip(begin).zip(bytes) {
            *slot = *byte;
        }
        self.length = u8::try_from(end).unwrap_or(u8::MAX);
        true
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.push_chars(text.chars(), 0);
    }

    /// Adds characters, and `…` for what has no room.
    fn push_chars(&mut self, text: impl Iterator<Item = char>, more: usize) {
        const ELLIPSIS: &[u8] = "…".as_bytes();
        for character in text {
            let mut utf8 = [0; 4];
            let bytes = character.encode_utf8(&mut utf8).as_bytes();
            if !self.push(bytes, more.saturating_add(ELLIPSIS.len())) {
                if !self.as_str().ends_with('…') {
                    self.push(ELLIPSIS, more);
                }
                return;
            }
        }
    }

    /// Adds a string's text.
    pub(super) fn push_json_str(&mut self, text: JsonStr<'_>) {
        self.push_chars(characters(text), 0);
    }

    /// Adds what a path follows.
    pub(super) fn begin(&mut self, text: &str) -> Mark {
        let mark = Mark(self.length);
        self.push_str(text);
        self.path = self.length;
        mark
    }

    /// Adds a step to the path.
    pub(super) fn enter(&mut self, name: JsonStr<'_>) -> Mark {
        let mark = Mark(self.length);
        self.push_chars(core::iter::once('/').chain(characters(name)), REASON);
        mark
    }

    pub(super) fn enter_str(&mut self, name: &str) {
        self.push_chars(core::iter::once('/').chain(name.chars()), REASON);
    }

    pub(super) fn enter_index(&mut self, index: usize) -> Mark {
        let mark = Mark(self.length);
        let mut digits = [0; 20];
        let digits = decimal(index, &mut digits);
        self.push_chars(core::iter::once('/').chain(digits.chars()), REASON);
        mark
    }

    /// Takes the step back.
    pub(super) fn leave(&mut self, mark: Mark) {
        self.length = mark.0;
    }

    /// Ends the path with what is wrong.
    pub(super) fn reason(&mut self, what: &str, with: &[u8]) {
        if self.length > self.path {
            self.push(b": ", 0);
        }
        self.push(what.as_bytes(), 0);
        self.push(with, 0);
    }
}

fn characters(text: JsonStr<'_>) -> impl Iterator<Item = char> {
    text.chars()
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// A number's digits.
pub(super) fn decimal(number: usize, digits: &mut [u8; 20]) -> &str {
    let mut rest = number;
    let mut begin = digits.len();
    for slot in digits.iter_mut().rev() {
        *slot = b'0'.wrapping_add((rest % 10) as u8);
        begin = begin.wrapping_sub(1);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    core::str::from_utf8(digits.get(begin..).unwrap_or(&[])).unwrap_or_default()
}
