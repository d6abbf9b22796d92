//! Numbers as text. The machinery of `core::fmt` would be a tenth of the image.

use heapless::String;

/// The text of a number.
#[derive(Clone)]
pub(crate) struct Digits(String<11, u8>);

impl Digits {
    /// The number in decimal.
    pub(crate) fn decimal(value: u32) -> Self {
        Self::of(value, 10, 1, 0)
    }

    /// A number of hundredths.
    pub(crate) fn hundredths(value: u32) -> Self {
        Self::of(value, 10, 4, 3)
    }

    /// The number in hexadecimal, all eight digits.
    pub(crate) fn hex(value: u32) -> Self {
        Self::of(value, 16, 8, 0)
    }

    /// At least so many characters, with a point as the one that many places from the end.
    fn of(mut value: u32, base: u32, least: usize, point: usize) -> Self {
        let mut text = [b'.'; 11];
        let mut left = text.len();
        for (count, slot) in text.iter_mut().rev().enumerate() {
            if value == 0 && count >= least {
                break;
            }
            left -= 1;
            if count + 1 == point {
                continue;
            }
            let digit = (value % base) as u8;
            *slot = digit + if digit < 10 { b'0' } else { b'a' - 10 };
            value /= base;
        }
        let mut digits = String::new();
        for byte in text.iter().skip(left) {
            // There is room for all of them.
            let _ = digits.push(char::from(*byte));
        }
        Self(digits)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}
