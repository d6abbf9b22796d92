//! Framing for readers that take one line at a time.

use crate::sum::Sum;

/// Gives every line to `read`, without its end; blank lines are skipped.
#[inline(always)]
pub fn lines(data: &[u8], mut read: impl FnMut(&[u8], &mut Sum)) -> Sum {
    let mut sum = Sum::default();
    let mut rest = data;
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        rest = after.get(1..).unwrap_or(&[]);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !line.is_empty() {
            read(line, &mut sum);
        }
    }
    sum
}
