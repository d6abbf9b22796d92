//! The tables of RFC 8259 and RFC 3629, generated whole, through `RawJson::validate`.
#![allow(clippy::disallowed_methods, reason = "a test may panic")]

use wireline::FaultKind;
use wireline::json::{JsonStr, LoneSurrogate, Number, RawJson};

/// Bytes where the rules of UTF-8 change, one on each side.
const BOUNDARIES: [u8; 28] = [
    b' ', b'a', 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1,
    0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xff,
];

/// The standard library's verdict on a string with these bytes in it, and ours; where they are wrong they are wrong at the same byte.
fn check_utf8(text: &[u8]) {
    match (std::str::from_utf8(text), RawJson::validate(text)) {
        (Ok(text), Ok(value)) => assert_eq!(value.as_str(), text),
        (Err(error), Err(invalid)) => {
            assert_eq!(
                (invalid.kind, invalid.offset),
                (FaultKind::Utf8, error.valid_up_to()),
                "{text:x?}"
            );
        }
        (std, ours) => panic!("{text:x?}: {std:?}, but {ours:?}"),
    }
}

#[test]
fn utf8_of_one_to_three_bytes_all_of_it() {
    let mut count = 0u32;
    // A leading byte below 0x80 adds nothing but length, so it stands for all of them.
    for first in (0x7f..=0xff).chain([b'a']) {
        check_utf8(&[b'"', first, b'"']);
        for second in (0x20..=0xff).filter(|byte| !b"\"\\".contains(byte)) {
            check_utf8(&[b'"', first, second, b'"']);
            count += 2;
            // Sequences of three bytes begin with 0xE0 to 0xEF; others are settled by their first two.
            if first >= 0xe0 {
                for third in (0x20..=0xff).filter(|byte| !b"\"\\".contains(byte)) {
                    check_utf8(&[b'"', first, second, third, b'"']);
                    count += 1;
                }
            }
        }
    }
    println!("UTF-8: {count} sequences of one to three bytes");
}

#[test]
fn utf8_of_four_bytes_at_the_boundaries() {
    let mut count = 0u32;
    for a in BOUNDARIES {
        for b in BOUNDARIES {
            for c in BOUNDARIES {
                for d in BOUNDARIES {
                    check_utf8(&[b'"', a, b, c, d, b'"']);
                    // Cut short by an escape, and far inside a string.
                    check_utf8(&[b'"', b'x', b'\\', b'n', a, b, c, d, b'\\', b'n', b'"']);
                    count += 2;
                }
            }
        }
    }
    println!("UTF-8: {count} sequences of four bytes");
}

/// Every character there is, at every distance from a wide block's edge that matters.
#[test]
fn utf8_every_character() {
    let mut text = String::new();
    let mut count = 0;
    for c in (' '..=char::MAX).filter(|c| !matches!(c, '"' | '\\')) {
        text.clear();
        text.push('"');
        text.extend(std::iter::repeat_n('x', count % 67));
        text.push(c);
        text.push('"');
        let value = RawJson::validate(text.as_bytes())
            .unwrap_or_else(|e| panic!("U+{:04X}: {e}", c as u32));
        assert_eq!(value.as_json_str().unwrap().chars().last(), Some(Ok(c)));
        count += 1;
    }
    println!("UTF-8: {count} characters");
}

fn unescaped(text: &str) -> Vec<Result<char, LoneSurrogate>> {
    RawJson::validate(text.as_bytes())
        .unwrap_or_else(|e| panic!("{text}: {e}"))
        .as_json_str()
        .unwrap()
        .chars()
        .collect()
}

fn expected(units: &[u16]) -> Vec<Result<char, LoneSurrogate>> {
    char::decode_utf16(units.iter().copied())
        .map(|c| c.map_err(|e| LoneSurrogate(e.unpaired_surrogate())))
        .collect()
}

#[test]
fn every_code_unit_escaped() {
    for unit in 0..=0xffff_u16 {
        for text in [
            format!("\"\\u{unit:04x}\""),
            format!("\"\\u{unit:04X}\""),
            format!(" \"\\u{unit:04x}\" "),
        ] {
            assert_eq!(unescaped(&text), expected(&[unit]), "{text}");
        }
        // Between characters, and beside others that could pair with it.
        for other in [0x0041, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000] {
            assert_eq!(
                unescaped(&format!("\"\\u{unit:04x}\\u{other:04x}\"")),
                expected(&[unit, other])
            );
            assert_eq!(
                unescaped(&format!("\"\\u{other:04X}\\u{unit:04x}x\"")),
                expected(&[other, unit, b'x'.into()])
            );
        }
    }
}

#[test]
fn every_surrogate_pair_escaped() {
    let mut count = 0u32;
    for high in 0xd800..=0xdbff_u16 {
        for low in 0xdc00..=0xdfff_u16 {
            let text = format!("\"\\u{high:04x}\\u{low:04x}\"");
            let value = RawJson::validate(text.as_bytes()).unwrap();
            let mut characters = value.as_json_str().unwrap().chars();
            let pair = char::decode_utf16([high, low]).next().unwrap().unwrap();
            assert_eq!(
                (characters.next(), characters.next()),
                (Some(Ok(pair)), None),
                "{text}"
            );
            count += 1;
        }
    }
    println!("escapes: {count} surrogate pairs");
}

#[test]
fn every_byte_behind_a_backslash() {
    for byte in 0..=0xff_u8 {
        let text = [b'"', b'\\', byte, b'"'];
        let result = RawJson::validate(&text);
        let meant = match byte {
            b'"' | b'\\' | b'/' => Some(char::from(byte)),
            b'b' => Some('\u{8}'),
            b'f' => Some('\u{c}'),
            b'n' => Some('\n'),
            b'r' => Some('\r'),
            b't' => Some('\t'),
            _ => None,
        };
        if let Some(meant) = meant {
            assert_eq!(
                result.unwrap().as_json_str().unwrap().chars().next(),
                Some(Ok(meant)),
                "{byte:#x}"
            );
        } else {
            // A `u` takes hex digits, so there the quote is the wrong byte.
            let at = if byte == b'u' { 3 } else { 2 };
            let invalid = result.unwrap_err();
            assert_eq!(
                (invalid.kind, invalid.offset),
                (FaultKind::Syntax, at),
                "{byte:#x}"
            );
        }
    }
}

#[test]
fn every_byte_for_every_hex_digit() {
    for place in 0..4 {
        for byte in 0..=0xff_u8 {
            let mut text = *b"\"\\u0041\"";
            text[3 + place] = byte;
            let result = RawJson::validate(&text);
            if byte.is_ascii_hexdigit() {
                assert!(result.is_ok(), "{text:x?}");
            } else {
                let invalid = result.unwrap_err();
                assert_eq!(
                    (invalid.kind, invalid.offset),
                    (FaultKind::Syntax, 3 + place),
                    "{text:x?}"
                );
            }
        }
    }
}

/// Every byte as a string's character, as a whole text, and between tokens.
#[test]
fn every_byte_in_every_place() {
    for byte in 0..=0xff_u8 {
        let in_string = RawJson::validate(&[b'"', byte, b'"']).is_ok();
        assert_eq!(
            in_string,
            (0x20..0x80).contains(&byte) && !b"\"\\".contains(&byte),
            "{byte:#x} in a string"
        );
        let alone = RawJson::validate(&[byte]).is_ok();
        assert_eq!(alone, byte.is_ascii_digit(), "{byte:#x} alone");
        let between = RawJson::validate(&[b'[', b'1', byte, b',', byte, b'2', byte, b']']).is_ok();
        // A digit makes one number of two, but for a leading zero.
        assert_eq!(
            between,
            b" \t\r\n123456789".contains(&byte),
            "{byte:#x} between tokens"
        );
        let before = RawJson::validate(&[byte, b'1']).is_ok();
        assert_eq!(
            before,
            b" \t\r\n-123456789".contains(&byte),
            "{byte:#x} before a number"
        );
    }
}

/// RFC 8259's grammar of numbers, read off section 6 and nothing else.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (
            mantissa,
            Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        ),
        None => (text, None),
    };
    let (integer, fraction) = match mantissa.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (mantissa, None),
    };
    digits(integer)
        && (integer == "0" || !integer.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

/// Every text over `alphabet` of up to `longest` bytes.
fn every_text(alphabet: &[u8], longest: usize, mut f: impl FnMut(&str)) {
    let mut places = Vec::new();
    loop {
        let mut place = 0;
        loop {
            if place == places.len() {
                if place == longest {
                    return;
                }
                places.push(0);
                break;
            }
            places[place] += 1;
            if places[place] < alphabet.len() {
                break;
            }
            places[place] = 0;
            place += 1;
        }
        let text: Vec<u8> = places.iter().map(|&place| alphabet[place]).collect();
        f(std::str::from_utf8(&text).unwrap());
    }
}

#[test]
fn number_grammar() {
    let (mut count, mut numbers) = (0u32, 0u32);
    every_text(b"0123-+.eE", 6, |text| {
        count += 1;
        let is = is_number(text);
        numbers += u32::from(is);
        assert_eq!(RawJson::validate(text.as_bytes()).is_ok(), is, "{text}");
        let array = format!("[{text},{text} ]");
        assert_eq!(RawJson::validate(array.as_bytes()).is_ok(), is, "{array}");
        assert_eq!(Number::new(text).is_some(), is, "{text}");
    });
    println!("numbers: {count} texts, {numbers} of them numbers");
    assert!(numbers > 10_000);
}

/// The value as a whole number, worked out on its decimal text.
fn whole(text: &str) -> Option<i128> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => (-1, text),
        None => (1, text),
    };
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = format!("{integer}{fraction}");
    let mut scale = exponent.parse::<i64>().unwrap() - fraction.len() as i64;
    while digits.ends_with('0') && digits.len() > 1 {
        digits.pop();
        scale += 1;
    }
    if digits.bytes().all(|b| b == b'0') {
        return Some(0);
    }
    if scale < 0 {
        return None;
    }
    // Too large for the comparison, but whole.
    if scale > 25 {
        return Some(sign * i128::MAX);
    }
    digits.push_str(&"0".repeat(scale as usize));
    Some(sign * digits.parse::<i128>().unwrap())
}

#[test]
fn numbers_by_value() {
    let mut count = 0u32;
    let mut check = |text: &str| {
        let number = Number::new(text).unwrap_or_else(|| panic!("{text}"));
        let whole = whole(text);
        assert_eq!(number.is_integer(), whole.is_some(), "{text}");
        assert_eq!(
            number.as_i64(),
            whole.and_then(|value| i64::try_from(value).ok()),
            "{text}"
        );
        assert_eq!(
            number.as_u64(),
            whole.and_then(|value| u64::try_from(value).ok()),
            "{text}"
        );
        assert_eq!(number.as_str(), text);
        count += 1;
    };
    every_text(b"012-.eE+", 6, |text| {
        if is_number(text) {
            check(text);
        }
    });
    for limit in [
        i64::MAX as i128,
        i64::MIN as i128,
        u64::MAX as i128,
        1 << 53,
        -(1 << 53),
        0,
    ] {
        for near in -3..=3 {
            let value = limit + near;
            check(&value.to_string());
            check(&format!("{value}.0"));
            if value != 0 {
                check(&format!("{value}0e-1"));
            }
            check(&format!("{value}.5"));
            check(&format!("{value}e0"));
            check(&format!("{value}e1"));
            check(&format!("{value}e-1"));
        }
    }
    println!("numbers: {count} by value");
}

/// Order and equality, against doubles where those are exact enough to tell short numbers apart.
#[test]
fn numbers_in_order() {
    let mut numbers: Vec<(String, f64)> = Vec::new();
    every_text(b"019-.e", 5, |text| {
        if is_number(text) {
            numbers.push((text.to_owned(), text.parse().unwrap()));
        }
    });
    let finite = |value: f64| value.is_finite() && (value == 0.0 || value.abs() > 1e-300);
    let zero = |text: &str| {
        text.bytes()
            .take_while(|b| *b != b'e')
            .all(|b| !(b'1'..=b'9').contains(&b))
    };
    numbers.retain(|(text, value)| finite(*value) && (*value != 0.0 || zero(text)));
    let step = numbers.len() / 700 + 1;
    let mut count = 0u32;
    for (a, x) in numbers.iter().step_by(step) {
        for (b, y) in &numbers {
            let (left, right) = (Number::new(a).unwrap(), Number::new(b).unwrap());
            assert_eq!(left.partial_cmp(&right), x.partial_cmp(y), "{a} and {b}");
            assert_eq!(left == right, x == y, "{a} and {b}");
            count += 1;
        }
    }
    println!("numbers: {count} pairs in order");
}

/// What may stand between quotes is what is a string with them: every text of up to three
/// bytes out of those that matter.
#[test]
fn the_inside_of_a_string_is_what_makes_one() {
    let bytes = b"\"\\/bfnrtuaA0x{}, \n\r\t\x00\x1f\x7f\x80\xc3\xa9\xff";
    let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
    let mut last = texts.clone();
    for _ in 0..3 {
        last = last
            .iter()
            .flat_map(|text| bytes.iter().map(|byte| [&text[..], &[*byte]].concat()))
            .collect();
        texts.extend_from_slice(&last);
    }
    for end in ["", "\"", "\\", "0", "g"] {
        texts.push(format!("\\u00e9\\ud83d\\ude00\\udead\\u00e{end}").into_bytes());
    }
    for text in texts {
        let token = [b"\"", &text[..], b"\""].concat();
        let whole = RawJson::validate(&token);
        // A line feed is taken as white space around a value, and an escape may not eat the quote.
        let whole = whole.ok().filter(|it| it.as_bytes() == token);
        let inside = JsonStr::validate(&text);
        assert_eq!(inside.is_ok(), whole.is_some(), "{}", text.escape_ascii());
        match inside {
            Ok(inside) => assert_eq!(inside.raw_bytes(), text),
            Err(error) => assert!(error.offset <= text.len(), "{}", text.escape_ascii()),
        }
    }
}
