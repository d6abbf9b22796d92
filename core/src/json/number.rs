//! Numbers kept as their exact text.

use core::cmp::Ordering;

use crate::text::Text;

/// A JSON number, kept as it was written and compared by value.
///
/// No precision is lost, however long it is: nothing is converted until an integer is
/// asked for, and no floating-point code is involved. Only of exponents past ±10^15 no more
/// is known than that they are: two numbers that differ in nothing else are equal.
///
/// ```
/// use wireline::json::Number;
/// let big = Number::new("9007199254740993").unwrap();
/// assert_eq!(big.as_i64(), Some(9007199254740993));
/// assert_eq!(Number::new("1.0").unwrap(), Number::new("10e-1").unwrap());
/// assert!(Number::new("-2.5").unwrap() < Number::new("1e-3").unwrap());
/// assert!(Number::new("01").is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Number<'a>(Text<'a>);

/// A number in the form 0.d₁d₂d₃… × 10^exponent with d₁ ≠ 0.
struct Scientific<'a> {
    negative: bool,
    /// The digits with a point among them, from the first significant one on.
    digits: &'a [u8],
    exponent: i64,
}

/// Exponents are kept within these bounds. A token that passes them would need more
/// than 10^15 digits when written out.
const EXPONENT: i64 = 1_000_000_000_000_000;

impl<'a> Number<'a> {
    /// Takes a number's text; `None` unless it is exactly one number by RFC 8259.
    #[must_use]
    pub fn new(text: &'a str) -> Option<Self> {
        let raw = super::RawJson::validate(text.as_bytes()).ok()?;
        let number = raw.as_number()?;
        (number.as_bytes().len() == text.len()).then_some(number)
    }

    /// Text that the scanner has found to be a number.
    pub(crate) fn from_token(token: Text<'a>) -> Option<Self> {
        match token.as_bytes().first() {
            Some(b'-' | b'0'..=b'9') => Some(Number(token)),
            _ => None,
        }
    }

    /// The number as it was written.
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.0.as_str()
    }

    /// The number's bytes as they were written.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0.as_bytes()
    }

    /// The value, if it is a whole number of this range, however it is spelled
    /// (`1`, `1.0` and `10e-1` are all 1).
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        // Few digits, as most ids have, cannot overflow.
        let bytes = self.as_bytes();
        if bytes.len() <= 18 && bytes.iter().all(u8::is_ascii_digit) {
            return Some(bytes.iter().fold(0i64, |value, byte| {
                value
                    .wrapping_mul(10)
                    .wrapping_add(i64::from(byte.wrapping_sub(b'0')))
            }));
        }
        let (negative, magnitude) = self.whole()?;
        if negative {
            0i64.checked_sub_unsigned(magnitude)
        } else {
            i64::try_from(magnitude).ok()
        }
    }

    /// The value, if it is a whole number of this range, however it is spelled.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self.whole()? {
            (true, 1..) => None,
            (_, magnitude) => Some(magnitude),
        }
    }

    /// Whether the value is a whole number, of any size.
    ///
    /// An exponent of 10^8 or more is taken for no integer.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        is_integer(self.as_bytes())
    }

    fn whole(&self) -> Option<(bool, u64)> {
        let bytes = self.as_bytes();
        let (negative, digits) = match bytes {
            [b'-', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let mut plain = 0u64;
        let mut fits = true;
        for &byte in digits {
            if !byte.is_ascii_digit() {
                return self.whole_from_scientific();
            }
            match push_digit(plain, byte) {
                Some(value) => plain = value,
                None => fits = false,
            }
        }
        fits.then_some((negative, plain))
    }

    fn whole_from_scientific(&self) -> Option<(bool, u64)> {
        let Some(form) = self.scientific() else {
            return Some((false, 0));
        };
        if !is_integer(self.as_bytes()) || form.exponent > 20 {
            return None;
        }
        let mut digits = form.digits.iter().filter(|byte| **byte != b'.');
        let mut value = 0u64;
        for _ in 0..form.exponent {
            value = push_digit(value, *digits.next().unwrap_or(&b'0'))?;
        }
        Some((form.negative, value))
    }

    /// `None` for zero.
    fn scientific(&self) -> Option<Scientific<'a>> {
        let bytes = self.as_bytes();
        let (negative, bytes) = match bytes {
            [b'-', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let split = bytes
            .iter()
            .position(|byte| matches!(byte, b'e' | b'E'))
            .unwrap_or(bytes.len());
        let mantissa = bytes.get(..split)?;
        let mut exponent = 0i64;
        let mut minus = false;
        for &byte in bytes.get(split..)? {
            match byte {
                b'-' => minus = true,
                b'0'..=b'9' => {
                    exponent = exponent
                        .saturating_mul(10)
                        .saturating_add(i64::from(byte.wrapping_sub(b'0')))
                        .min(EXPONENT);
                }
                _ => {}
            }
        }
        if minus {
            exponent = exponent.wrapping_neg();
        }
        let point = mantissa
            .iter()
            .position(|byte| *byte == b'.')
            .unwrap_or(mantissa.len());
        let first = mantissa
            .iter()
            .position(|byte| matches!(byte, b'1'..=b'9'))?;
        // Digits before the point count up, zeros after it count down.
        let shift = if first < point {
            i64::try_from(point.saturating_sub(first)).unwrap_or(EXPONENT)
        } else {
            let zeros = first.saturating_sub(point).saturating_sub(1);
            i64::try_from(zeros).unwrap_or(EXPONENT).wrapping_neg()
        };
        Some(Scientific {
            negative,
            digits: mantissa.get(first..)?,
            exponent: exponent.saturating_add(shift),
        })
    }
}

fn push_digit(value: u64, digit: u8) -> Option<u64> {
    value
        .checked_mul(10)?
        .checked_add(u64::from(digit.wrapping_sub(b'0')))
}

/// Whether a number's token is a whole number: whether its exponent makes up for the
/// digits after the point, trailing zeros not counted.
pub(crate) fn is_integer(token: &[u8]) -> bool {
    let mut places = 0i32;
    let mut exponent = 0i32;
    // The least exponent that makes the significant digits so far a whole number.
    let mut least = NO_DIGIT;
    let (mut fraction, mut scientific, mut minus) = (0i32, false, false);
    for &byte in token {
        match byte {
            b'.' => fraction = 1,
            b'e' | b'E' => scientific = true,
            b'-' => minus = scientific,
            b'+' => {}
            _ if scientific => {
                let digit = i32::from(byte.wrapping_sub(b'0'));
                exponent = exponent.wrapping_mul(10).wrapping_add(digit).min(MOST);
            }
            _ => {
                places = places.wrapping_add(fraction);
                if byte != b'0' {
                    least = places;
                } else if fraction == 0 {
                    least = least.wrapping_sub(1);
                }
            }
        }
    }
    if minus {
        exponent = exponent.wrapping_neg();
    }
    least < -MOST || exponent >= least && exponent < MOST
}

/// Of a number all of whose digits are zeros, which is whole with any exponent.
const NO_DIGIT: i32 = i32::MIN / 2;

/// Exponents from here on make no integer: nothing that long can be written out.
const MOST: i32 = 100_000_000;

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number<'_> {}

impl PartialOrd for Number<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = match (self.scientific(), other.scientific()) {
            (None, None) => return Ordering::Equal,
            (None, Some(b)) if b.negative => return Ordering::Greater,
            (None, Some(_)) => return Ordering::Less,
            (Some(a), None) if a.negative => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(a), Some(b)) => (a, b),
        };
        match (a.negative, b.negative) {
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            _ => {}
        }
        let mut order = a.exponent.cmp(&b.exponent);
        if order == Ordering::Equal {
            let mut left = a.digits.iter().filter(|byte| **byte != b'.');
            let mut right = b.digits.iter().filter(|byte| **byte != b'.');
            loop {
                let (l, r) = (left.next(), right.next());
                if l.is_none() && r.is_none() {
                    break;
                }
                order = l.unwrap_or(&b'0').cmp(r.unwrap_or(&b'0'));
                if order != Ordering::Equal {
                    break;
                }
            }
        }
        if a.negative { order.reverse() } else { order }
    }
}

impl core::fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl core::fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}
