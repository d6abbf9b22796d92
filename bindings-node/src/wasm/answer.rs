//! Results that are no numbers: kept until the next of them.

use super::types::{BufferSlice, Error};
use std::cell::RefCell;

/// What a call left to be read. JavaScript reads the first three words.
#[repr(C)]
struct Answer {
    address: *const u8,
    length: usize,
    /// Of an error: how many of the bytes are its code. The rest is its reason.
    code: usize,
    bytes: Vec<u8>,
}

thread_local! {
    static ANSWER: RefCell<Answer> = const {
        RefCell::new(Answer {
            address: std::ptr::null(),
            length: 0,
            code: 0,
            bytes: Vec::new(),
        })
    };
}

fn put(bytes: Vec<u8>, code: usize) {
    ANSWER.with_borrow_mut(|answer| {
        answer.address = bytes.as_ptr();
        answer.length = bytes.len();
        answer.code = code;
        answer.bytes = bytes;
    });
}

/// Where the words of the answer are.
#[unsafe(export_name = "answer.words")]
extern "C" fn words() -> *const usize {
    ANSWER.with(|answer| answer.as_ptr().cast())
}

/// Frees what the answer holds.
#[unsafe(export_name = "answer.clear")]
extern "C" fn clear() {
    put(Vec::new(), 0);
}

/// Keeps an error to be thrown.
pub(crate) fn failed<S: Into<String>>(error: Error<S>) {
    let (mut text, reason) = error.into_parts();
    let code = text.len();
    text.push_str(&reason);
    put(text.into_bytes(), code);
}

/// What an export returns for a result.
pub(crate) trait Give {
    type As;

    fn give(self) -> Self::As;
}

/// An export succeeded: the answer is what it says, or there is none.
const GOOD: u32 = 0;
/// The answer is an error.
const BAD: u32 = 1;

impl Give for u32 {
    type As = u32;

    fn give(self) -> u32 {
        self
    }
}

impl Give for f64 {
    type As = f64;

    fn give(self) -> f64 {
        self
    }
}

impl Give for bool {
    type As = u32;

    fn give(self) -> u32 {
        self.into()
    }
}

impl Give for () {
    type As = ();

    fn give(self) {}
}

impl Give for Vec<u32> {
    type As = u32;

    fn give(self) -> u32 {
        put(self.into_iter().flat_map(u32::to_le_bytes).collect(), 0);
        GOOD
    }
}

impl Give for Vec<f64> {
    type As = u32;

    fn give(self) -> u32 {
        put(self.into_iter().flat_map(f64::to_le_bytes).collect(), 0);
        GOOD
    }
}

/// Each text behind its length in four bytes.
impl Give for Vec<String> {
    type As = u32;

    fn give(self) -> u32 {
        let mut bytes = Vec::new();
        for text in self {
            bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        put(bytes, 0);
        GOOD
    }
}

impl<S: Into<String>> Give for Result<BufferSlice<'_>, Error<S>> {
    type As = u32;

    fn give(self) -> u32 {
        match self {
            Ok(slice) => {
                put(slice.into_bytes(), 0);
                GOOD
            }
            Err(error) => {
                failed(error);
                BAD
            }
        }
    }
}

impl<S: Into<String>> Give for Result<(), Error<S>> {
    type As = u32;

    fn give(self) -> u32 {
        match self {
            Ok(()) => GOOD,
            Err(error) => {
                failed(error);
                BAD
            }
        }
    }
}

/// A count, or -1 for an error.
impl<S: Into<String>> Give for Result<u32, Error<S>> {
    type As = f64;

    fn give(self) -> f64 {
        match self {
            Ok(number) => number.into(),
            Err(error) => {
                failed(error);
                -1.0
            }
        }
    }
}
