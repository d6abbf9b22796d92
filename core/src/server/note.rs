//! A short text in fixed memory.

use heapless::String;

use crate::json::JsonStr;

/// Bytes that a note holds.
const SIZE: usize = 120;

/// Bytes of it that are left for the reason.
const REASON: usize = 48;

/// What stands for what had no room.
const ELLIPSIS: char = '…';

/// A path and a reason, or any short text.
#[derive(Clone, Debug)]
pub(super) struct Note {
    text: String<SIZE, u8>,
    /// Where the path begins.
    path: u8,
}

/// How much of the path there was before the last step.
#[derive(Clone, Copy)]
pub(super) struct Mark(u8);

impl Note {
    pub(super) const fn new() -> Self {
        Note {
            text: String::new(),
            path: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.path = 0;
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    fn mark(&self) -> Mark {
        Mark(self.text.len() as u8)
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.push_chars(&mut text.chars(), 0);
    }

    /// Adds text of ASCII alone, such as a number.
    #[inline(never)]
    pub(super) fn push_ascii(&mut self, text: &[u8]) {
        self.push_chars(&mut text.iter().map(|byte| char::from(*byte)), 0);
    }

    /// Adds a string's text.
    pub(super) fn push_json_str(&mut self, text: JsonStr<'_>) {
        self.push_chars(&mut characters(text), 0);
    }

    /// Adds characters, and `…` for what has no room beside so many bytes more.
    #[inline(never)]
    fn push_chars(&mut self, text: &mut dyn Iterator<Item = char>, more: usize) {
        let room = SIZE.saturating_sub(more);
        for character in text {
            let length = self.text.len();
            let end = length.saturating_add(character.len_utf8());
            if end.saturating_add(ELLIPSIS.len_utf8()) <= room {
                let _ = self.text.push(character);
                continue;
            }
            if length.saturating_add(ELLIPSIS.len_utf8()) <= room && !self.text.ends_with(ELLIPSIS)
            {
                let _ = self.text.push(ELLIPSIS);
            }
            return;
        }
    }

    /// Adds what a path follows.
    pub(super) fn begin(&mut self, text: &str) -> Mark {
        let mark = self.mark();
        self.push_str(text);
        self.path = self.mark().0;
        mark
    }

    /// Adds a step to the path.
    pub(super) fn enter(&mut self, name: JsonStr<'_>) -> Mark {
        self.step(&mut characters(name))
    }

    pub(super) fn enter_str(&mut self, name: &str) {
        self.step(&mut name.chars());
    }

    #[inline(never)]
    pub(super) fn enter_index(&mut self, index: usize) -> Mark {
        let digits = decimal(index);
        self.step(&mut digits.chars())
    }

    fn step(&mut self, name: &mut dyn Iterator<Item = char>) -> Mark {
        let mark = self.mark();
        self.push_chars(&mut core::iter::once('/'), REASON);
        self.push_chars(name, REASON);
        mark
    }

    /// Takes the step back.
    #[inline(never)]
    pub(super) fn leave(&mut self, mark: Mark) {
        while self.text.len() > usize::from(mark.0) && self.text.pop().is_some() {}
    }

    /// Ends the path with what is wrong.
    pub(super) fn reason(&mut self, what: &str) {
        if self.mark().0 > self.path {
            self.push_str(": ");
        }
        self.push_str(what);
    }
}

fn characters(text: JsonStr<'_>) -> impl Iterator<Item = char> {
    text.chars()
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// A number's digits.
pub(super) fn decimal(number: usize) -> String<20, u8> {
    let mut digits = [0; 20];
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
    let mut text = String::new();
    for digit in digits.iter().skip(begin) {
        let _ = text.push(char::from(*digit));
    }
    text
}
