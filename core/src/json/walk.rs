//! Finding one's way in text that is known to be valid JSON.

/// The first index at or after `at` that holds no white space.
#[inline]
pub(crate) fn skip_space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = text.get(at) {
        at = at.wrapping_add(1);
    }
    at
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
    match text.get(at) {
        Some(b'"') => skip_string(text, at),
        Some(b'{' | b'[') => {
            let mut depth = 0usize;
            let mut at = at;
            loop {
                match text.get(at) {
                    None => return text.len(),
                    Some(b'"') => {
                        at = skip_string(text, at);
                        continue;
                    }
                    Some(b'{' | b'[') => depth = depth.wrapping_add(1),
                    Some(b'}' | b']') => {
                        depth = depth.wrapping_sub(1);
                        if depth == 0 {
                            return at.wrapping_add(1);
                        }
                    }
                    Some(_) => {}
                }
                at = at.wrapping_add(1);
            }
        }
        _ => {
            let mut at = at;
            while let Some(byte) = text.get(at) {
                match byte {
                    b' ' | b'\t' | b'\r' | b'\n' | b',' | b'}' | b']' | b':' => break,
                    _ => at = at.wrapping_add(1),
                }
            }
            at
        }
    }
}
