//! Finding one's way in text that is known to be valid JSON.

/// The first index at or after `at` that holds no white space.
#[inline]
pub(crate) fn skip_space(text: &[u8], mut at: usize) -> usize {
    // Between tokens nothing else stands that is as low.
    while let Some(..=b' ') = text.get(at) {
        at = at.wrapping_add(1);
    }
    at
}

/// Whether more than so many containers are open at once in the value that `text` is.
pub(crate) fn is_deeper(text: &[u8], most: u8) -> bool {
    let most = usize::from(most);
    // Each container has two brackets, long texts have few, and counting them all is quick
    // on a host. A chip does without the code for it.
    #[cfg(any(feature = "std", feature = "wide"))]
    if text.len() <= most.wrapping_mul(2)
        || text.iter().filter(|byte| **byte | 0x20 == b'{').count() <= most
    {
        return false;
    }
    skip_within(text, 0, most) == usize::MAX
}

/// The index after the string whose opening quote stands at `at`.
pub(crate) fn skip_string(text: &[u8], at: usize) -> usize {
    let mut at = at.wrapping_add(1);
    loop {
        match text.get(at) {
            None => return text.len(),
            Some(b'"') => return at.wrapping_add(1),
            Some(b'\\') => at = at.wrapping_add(2),
            Some(_) => at = at.wrapping_add(1),
        }
    }
}

/// The index after the value that begins at `at`.
pub(crate) fn skip_value(text: &[u8], at: usize) -> usize {
    skip_within(text, at, usize::MAX)
}

/// The index after the value that begins at `at`; the greatest there is, if more than `most`
/// containers are open in it at once.
fn skip_within(text: &[u8], at: usize, most: usize) -> usize {
    let mut depth = 0usize;
    let mut at = at;
    while let Some(&byte) = text.get(at) {
        let mut next = at.wrapping_add(1);
        // Brackets and braces differ in one bit.
        let over = match byte | 0x20 {
            b'{' if depth >= most => return usize::MAX,
            b'{' => {
                depth = depth.wrapping_add(1);
                false
            }
            b'}' if depth == 0 => return at,
            b'}' => {
                depth = depth.wrapping_sub(1);
                true
            }
            _ if byte == b'"' => {
                next = skip_string(text, at);
                true
            }
            _ if depth == 0 && (byte <= b' ' || matches!(byte, b',' | b':')) => return at,
            _ => false,
        };
        if over && depth == 0 {
            return next;
        }
        at = next;
    }
    at
}
