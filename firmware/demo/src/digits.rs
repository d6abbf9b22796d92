//! Numbers as text. The machinery of `core::fmt` would be a tenth of the image.

/// The text of a number.
#[derive(Clone, Copy)]
pub(crate) struct Digits {
    text: [u8; 11],
    begin: u8,
}

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
        Self {
            text,
            begin: left as u8,
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        let text = self.text.get(usize::from(self.begin)..).unwrap_or(&[]);
        core::str::from_utf8(text).unwrap_or("")
    }
}
