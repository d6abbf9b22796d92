//! The grammars of small texts: keys of `_meta`, trace headers, base64.

use crate::json::JsonStr;
use crate::mcp::Revision;

/// Longer keys are passed over: none is in use.
const LONGEST: usize = 128;

/// What a key of `_meta` is by the grammar of a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// In order, and with a prefix or not.
    Good {
        /// Whether it has a prefix.
        prefixed: bool,
    },
    /// Under a prefix that is left to the protocol, and not one of the protocol's own.
    Reserved,
    /// Against the grammar.
    Bad,
}

/// Judges a key: `[label *("." label) "/"] name`.
pub(crate) fn key(text: JsonStr<'_>, revision: Revision) -> Key {
    let mut buffer = [0u8; LONGEST];
    let plain = match text.as_str() {
        Some(plain) => plain,
        None => match text.unescape_into(&mut buffer) {
            Ok(plain) => plain,
            Err(_) => return Key::Good { prefixed: true },
        },
    };
    let plain = plain.as_bytes();
    let (prefix, name) = match split_once(plain, b'/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, plain),
    };
    let good_name = name.is_empty() || ends(name, |byte| matches!(byte, b'-' | b'_' | b'.'));
    let Some(prefix) = prefix else {
        return match good_name {
            true => Key::Good { prefixed: false },
            false => Key::Bad,
        };
    };
    let good_label = |label: &[u8]| {
        label.first().is_some_and(u8::is_ascii_alphabetic) && ends(label, |byte| byte == b'-')
    };
    let labels = || prefix.split(|byte| *byte == b'.');
    if !good_name || !labels().all(good_label) {
        return Key::Bad;
    }
    let reserved = match revision {
        // The label before the last one.
        Revision::V2025_06_18 => labels().rev().nth(1).is_some_and(is_ours),
        _ => labels().nth(1).is_some_and(is_ours) && prefix != b"io.modelcontextprotocol",
    };
    match reserved {
        true => Key::Reserved,
        false => Key::Good { prefixed: true },
    }
}

fn is_ours(label: &[u8]) -> bool {
    matches!(label, b"mcp" | b"modelcontextprotocol")
}

/// What stands before and after the first such byte. The search for characters in `str`
/// would bring code that can panic.
fn split_once(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let index = text.iter().position(|byte| *byte == at)?;
    let (before, after) = text.split_at_checked(index)?;
    Some((before, after.get(1..)?))
}

/// Whether the text begins and ends with a letter or digit, with these or `inner` between.
fn ends(bytes: &[u8], inner: impl Fn(u8) -> bool) -> bool {
    let edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    edge(bytes.first())
        && edge(bytes.last())
        && bytes
            .iter()
            .all(|&byte| byte.is_ascii_alphanumeric() || inner(byte))
}

/// Whether the text is a `traceparent` of W3C Trace Context: `00-` trace id `-` parent id
/// `-` flags, in lower-case hexadecimal, neither id all zeros. Later versions may hold more.
pub(crate) fn is_traceparent(text: JsonStr<'_>) -> bool {
    let mut parts = text.raw_bytes().split(|&byte| byte == b'-');
    let mut hex = |digits: usize| -> Option<&[u8]> {
        let part = parts.next()?;
        let good = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (part.len() == digits && part.iter().all(good)).then_some(part)
    };
    let (Some(version), Some(trace), Some(parent), Some(_)) = (hex(2), hex(32), hex(16), hex(2))
    else {
        return false;
    };
    let zero = |part: &[u8]| part.iter().all(|&byte| byte == b'0');
    let more = parts.next().is_some();
    version != b"ff" && !zero(trace) && !zero(parent) && (version != b"00" || !more)
}

/// Whether the text is a list of `key=value`, as `tracestate` and `baggage` are: members
/// that are not empty have a key and an equals sign.
pub(crate) fn is_pairs(text: JsonStr<'_>) -> bool {
    let Some(text) = text.as_str() else {
        return false;
    };
    let mut members = text.as_bytes().split(|byte| *byte == b',');
    members.all(|member| {
        let member = member.trim_ascii();
        member.is_empty()
            || split_once(member, b'=').is_some_and(|(key, _)| {
                let key = key.trim_ascii();
                !key.is_empty()
                    && key
                        .iter()
                        .all(|byte| byte.is_ascii_graphic() && *byte != b'"')
            })
    })
}

/// Whether the text is base64 with padding (RFC 4648, section 4).
pub(crate) fn is_base64(text: JsonStr<'_>) -> bool {
    let (mut length, mut padding) = (0usize, 0usize);
    for character in text.chars() {
        match character {
            Ok('A'..='Z' | 'a'..='z' | '0'..='9' | '+' | '/') if padding == 0 => {}
            Ok('=') => padding = padding.saturating_add(1),
            _ => return false,
        }
        length = length.wrapping_add(1);
    }
    length & 3 == 0 && padding <= 2 && padding <= length
}

/// A number for what a text or value says, for telling whether two are alike without
/// keeping them. Equal ones have equal numbers; a few others do too.
#[derive(Clone, Copy)]
pub(crate) struct Print(u32);

impl Print {
    pub(crate) const fn new() -> Self {
        Print(0x811c_9dc5)
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }

    pub(crate) fn number(&mut self, number: u64) {
        number
            .to_le_bytes()
            .iter()
            .for_each(|&byte| self.byte(byte));
    }

    pub(crate) fn text(mut self, text: JsonStr<'_>) -> Self {
        for character in text.chars() {
            match character {
                Ok(character) => self.number(u64::from(character)),
                Err(lone) => self.number(u64::from(lone.0)),
            }
        }
        self
    }

    /// Never zero.
    pub(crate) fn get(self) -> u32 {
        // The last multiplication leaves the low bits weak.
        (self.0 ^ (self.0 >> 15)).wrapping_mul(0x2c1b_3c6d) | 1
    }
}

/// The print of a value: of its strings and literals and how deep each stands, whatever
/// their order, their white space and the spelling of their numbers.
pub(crate) fn value_print(value: crate::json::RawJson<'_>) -> u32 {
    let bytes = value.as_bytes();
    let (mut sum, mut depth, mut at) = (0u32, 0u32, 0usize);
    while let Some(&byte) = bytes.get(at) {
        let end = crate::json::walk::skip_value(bytes, at);
        match byte {
            b'{' | b'[' => {
                depth = depth.wrapping_add(1);
                at = at.wrapping_add(1);
                continue;
            }
            b'}' | b']' => depth = depth.wrapping_sub(1),
            b'"' => {
                let part = bytes.get(at..end).and_then(crate::text::Text::found);
                if let Some(text) = part.and_then(JsonStr::from_token) {
                    let mut print = Print::new();
                    print.number(u64::from(depth));
                    sum = sum.wrapping_add(print.text(text).get());
                }
                at = end;
                continue;
            }
            b't' | b'f' | b'n' | b'-' | b'0'..=b'9' => {
                let mut print = Print::new();
                print.number(u64::from(depth));
                // `1`, `1.0` and `10e-1` are the same, so all numbers are.
                print.byte(if byte.is_ascii_alphabetic() {
                    byte
                } else {
                    b'0'
                });
                sum = sum.wrapping_add(print.get());
                at = end;
                continue;
            }
            _ => {}
        }
        at = at.wrapping_add(1);
    }
    sum
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::json::RawJson;

    fn text(token: &str) -> JsonStr<'_> {
        RawJson::validate(token.as_bytes())
            .unwrap()
            .as_json_str()
            .unwrap()
    }

    #[test]
    fn keys() {
        let judge = |key: &str, revision| {
            let mut token = [0u8; 140];
            let bytes = token.get_mut(..key.len() + 2).unwrap();
            bytes[0] = b'"';
            bytes[1..=key.len()].copy_from_slice(key.as_bytes());
            bytes[key.len() + 1] = b'"';
            super::key(text(core::str::from_utf8(bytes).unwrap()), revision)
        };
        let (c, d) = (Revision::V2025_06_18, Revision::V2025_11_25);
        for good in [
            "",
            "a",
            "a_b.c-d",
            "com.example/",
            "com.example/a",
            "x/1",
            "com.example.mcp/a",
        ] {
            assert!(matches!(judge(good, d), Key::Good { .. }), "{good}");
        }
        for bad in [
            "-x", "a b", "1a/x", "a-/x", "a..b/x", "/x", "a/b/c", "é", "a/-",
        ] {
            assert_eq!(judge(bad, d), Key::Bad, "{bad}");
        }
        for prefix in [
            "modelcontextprotocol.io",
            "mcp.dev",
            "api.modelcontextprotocol.org",
            "tools.mcp.com",
        ] {
            assert_eq!(
                judge(&std::format!("{prefix}/x"), c),
                Key::Reserved,
                "{prefix}"
            );
        }
        assert_eq!(
            judge("io.modelcontextprotocol/x", c),
            Key::Good { prefixed: true }
        );
        for prefix in ["dev.mcp", "org.modelcontextprotocol.api", "com.mcp.tools"] {
            assert_eq!(
                judge(&std::format!("{prefix}/x"), d),
                Key::Reserved,
                "{prefix}"
            );
        }
        assert_eq!(judge("mcp.dev/x", d), Key::Good { prefixed: true });
        assert_eq!(
            judge("io.modelcontextprotocol/x", d),
            Key::Good { prefixed: true }
        );
    }

    #[test]
    fn trace_headers() {
        let good = "\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\"";
        assert!(is_traceparent(text(good)));
        for bad in [
            "\"\"",
            "\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331\"",
            "\"00-00000000000000000000000000000000-b7ad6b7169203331-01\"",
            "\"ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\"",
            "\"00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\"",
            "\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x\"",
        ] {
            assert!(!is_traceparent(text(bad)), "{bad}");
        }
        assert!(is_pairs(text(
            "\"rojo=00f067aa0ba902b7,congo=t61rcWkgMzE\""
        )));
        assert!(is_pairs(text("\"userId=alice;p=1, b = 2\"")));
        assert!(!is_pairs(text("\"alice\"")) && !is_pairs(text("\"=x\"")));
    }

    #[test]
    fn base64() {
        for good in ["\"\"", "\"QQ==\"", "\"QUI=\"", "\"QUJD\"", "\"QU\\/D\""] {
            assert!(is_base64(text(good)), "{good}");
        }
        for bad in [
            "\"Q\"", "\"QQ=\"", "\"Q===\"", "\"QQ=A\"", "\"QU D\"", "\"QUJ-\"",
        ] {
            assert!(!is_base64(text(bad)), "{bad}");
        }
    }

    #[test]
    fn prints_follow_the_meaning() {
        let print = |value: &str| value_print(RawJson::validate(value.as_bytes()).unwrap());
        assert_eq!(
            print(r#"{"a":[1,"x"],"b":null}"#),
            print(r#"{ "b":null, "\u0061":[1.0 , "x"]}"#)
        );
        assert_ne!(print(r#"{"a":"x"}"#), print(r#"{"a":"y"}"#));
        assert_ne!(print(r#"{"a":"x"}"#), print(r#"{"a":["x"]}"#));
        assert_ne!(print(r#"{"a":true}"#), print(r#"{"a":false}"#));
    }
}
