//! Bytes from a stream, made fit for a terminal and for JSON.
//!
//! Nothing that a peer sent reaches a terminal as a control sequence, and nothing that it sent can
//! reorder or hide the text around it.

use std::io::Write;

/// Characters that steer a terminal, or that change how the text around them is shown.
pub(crate) fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn plain_ascii(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| matches!(b, 0x20..=0x7e))
}

/// Appends the bytes as one safe line: `\x1b` for control characters and for bytes that are not
/// UTF-8, `\u{202e}` for other characters that steer.
pub(crate) fn push_text(out: &mut Vec<u8>, bytes: &[u8]) {
    if plain_ascii(bytes) {
        out.extend_from_slice(bytes);
        return;
    }
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_char(out, c);
        }
        for b in chunk.invalid() {
            let _ = write!(out, "\\x{b:02x}");
        }
    }
}

pub(crate) fn push_char(out: &mut Vec<u8>, c: char) {
    if !steers(c) {
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    } else if c.is_ascii() {
        let _ = write!(out, "\\x{:02x}", u32::from(c));
    } else {
        let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
    }
}

/// Appends a JSON string, quotes included.
pub(crate) fn push_json(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    push_json_inner(out, text);
    out.push(b'"');
}

/// Appends the inside of a JSON string.
pub(crate) fn push_json_inner(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    let mut from = 0;
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'"' | b'\\' => {
                out.extend_from_slice(&bytes[from..at]);
                out.extend_from_slice(&[b'\\', b]);
                at += 1;
                from = at;
            }
            0x20..=0x7e => at += 1,
            _ => {
                // `at` is always at a character's first byte.
                let Some(c) = text[at..].chars().next() else {
                    break;
                };
                if steers(c) {
                    out.extend_from_slice(&bytes[from..at]);
                    push_json_escape(out, c);
                    from = at + c.len_utf8();
                }
                at += c.len_utf8();
            }
        }
    }
    out.extend_from_slice(&bytes[from..]);
}

pub(crate) fn push_json_escape(out: &mut Vec<u8>, c: char) {
    match c {
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\t' => out.extend_from_slice(b"\\t"),
        c => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
}

/// Appends a JSON token that is valid already, escaping what steers inside its strings: the same
/// value, safe to show.
pub(crate) fn push_token(out: &mut Vec<u8>, token: &str) {
    if plain_ascii(token.as_bytes()) {
        out.extend_from_slice(token.as_bytes());
        return;
    }
    for c in token.chars() {
        if steers(c) {
            push_json_escape(out, c);
        } else {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        let mut out = Vec::new();
        push_text(&mut out, bytes);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn text_carries_no_control_and_no_direction_marks() {
        assert_eq!(text("plain \"é😀\"".as_bytes()), "plain \"é😀\"");
        assert_eq!(
            text(b"\x1b[31mred\x07\x7f\r\n\xc2\x9b"),
            r"\x1b[31mred\x07\x7f\x0d\x0a\u{9b}"
        );
        assert_eq!(text(b"\xff\xe2\x82"), r"\xff\xe2\x82");
        assert_eq!(text("a\u{202e}b\u{2028}".as_bytes()), r"a\u{202e}b\u{2028}");
    }

    #[test]
    fn every_character_survives_json() {
        for c in (0..=0x10ffff_u32).filter_map(char::from_u32) {
            let want = format!("a{c}b\\\"{c}");
            let mut out = Vec::new();
            push_json(&mut out, &want);
            assert_eq!(
                serde_json::from_slice::<String>(&out).expect("valid JSON"),
                want
            );
            assert!(!String::from_utf8(out).expect("UTF-8").chars().any(steers));
        }
    }

    #[test]
    fn tokens_keep_their_value() {
        let mut out = Vec::new();
        push_token(&mut out, "\"a\u{9b}\\n\u{e0041}\"");
        assert_eq!(out, br#""a\u009b\n\udb40\udc41""#);
    }
}
