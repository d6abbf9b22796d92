//! What the JSON writer writes: against `serde_json`, and call by call.

#[path = "support/values.rs"]
mod values;

use proptest::prelude::*;
use serde_json::Value;
use values::*;
use wireline::encode::{Outgoing, Pieces, WriteError};
use wireline::json::{self, Number, RawJson, Writer};

proptest! {
    #[test]
    fn any_value_is_read_back_by_serde_json(value in any_value()) {
        let text = check_every_way(&Tree(&value));
        prop_assert_eq!(serde_json::from_slice::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn windows_of_mixed_sizes_join_to_the_text(
        value in any_value(),
        sizes in proptest::collection::vec(1usize..40, 1..12),
    ) {
        let tree = Tree(&value);
        prop_assert_eq!(drained(Pieces::new(&tree).unwrap(), &sizes), written(&tree).unwrap());
    }

    #[test]
    fn fragments_lose_line_breaks_and_nothing_else(value in any_value(), seed: u64) {
        let text = loose(&value, &mut spaces(seed));
        let raw = RawJson::validate(text.as_bytes()).unwrap();
        let out = check_every_way(&[raw, raw]);
        let kept: Vec<u8> = raw.as_bytes().iter().copied().filter(|b| !b"\r\n".contains(b)).collect();
        prop_assert_eq!(&out, &[b"[", &kept[..], b",", &kept[..], b"]"].concat());
        prop_assert_eq!(serde_json::from_slice::<[Value; 2]>(&out).unwrap(), [value.clone(), value]);
    }

    #[test]
    fn base64_is_what_a_plain_encoder_gives(bytes: Vec<u8>) {
        let text = check_every_way(&json::Base64(&bytes));
        prop_assert_eq!(text, format!("\"{}\"", base64(&bytes)).into_bytes());
    }

    #[test]
    fn integers_are_what_std_gives(value: i64, other: u64, shift in 0u32..64) {
        let text = check_every_way(&json::from_fn(|w| {
            w.begin_array().int(value >> shift).uint(other >> shift).end_array();
        }));
        prop_assert_eq!(text, format!("[{},{}]", value >> shift, other >> shift).into_bytes());
    }
}

/// Base64 bit by bit.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    while !bits.len().is_multiple_of(6) {
        bits.push_str("00");
    }
    let mut text: String = bits
        .as_bytes()
        .chunks(6)
        .map(|six| usize::from_str_radix(std::str::from_utf8(six).unwrap(), 2).unwrap())
        .map(|index| &ALPHABET[index..=index])
        .collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

#[test]
fn base64_of_rfc_4648_section_10() {
    for (bytes, text) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ] {
        let written = written(&json::Base64(bytes.as_bytes())).unwrap();
        assert_eq!(written, format!("\"{text}\"").into_bytes());
    }
}

#[test]
fn integers_at_the_edges() {
    for value in [
        i64::MIN,
        i64::MIN + 1,
        -1,
        0,
        1,
        9,
        10,
        65_535,
        65_536,
        i64::MAX,
    ] {
        assert_eq!(written(&value).unwrap(), value.to_string().into_bytes());
    }
    for power in 0..64 {
        for value in [1u64 << power, (1u64 << power) - 1, u64::MAX >> power] {
            assert_eq!(written(&value).unwrap(), value.to_string().into_bytes());
        }
    }
    let mut power = 1u64;
    while let Some(next) = power.checked_mul(10) {
        for value in [power, power - 1, power + 1] {
            assert_eq!(written(&value).unwrap(), value.to_string().into_bytes());
        }
        power = next;
    }
    assert_eq!(
        written(&(u8::MAX, i8::MIN, u16::MAX, i16::MIN).to_array()).unwrap(),
        b"[255,-128,65535,-32768]",
    );
}

trait ToArray {
    fn to_array(&self) -> [i64; 4];
}

impl ToArray for (u8, i8, u16, i16) {
    fn to_array(&self) -> [i64; 4] {
        [self.0.into(), self.1.into(), self.2.into(), self.3.into()]
    }
}

#[test]
fn every_character_is_escaped_as_it_must_and_no_further() {
    let mut text = String::new();
    for character in '\0'..=char::MAX {
        text.clear();
        text.push(character);
        let out = written(&text.as_str()).unwrap();
        assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        let expected = match character {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\u{8}' => "\\b".to_owned(),
            '\t' => "\\t".to_owned(),
            '\n' => "\\n".to_owned(),
            '\u{c}' => "\\f".to_owned(),
            '\r' => "\\r".to_owned(),
            '\0'..='\x1f' => format!("\\u{:04x}", u32::from(character)),
            other => other.to_string(),
        };
        assert_eq!(out, format!("\"{expected}\"").into_bytes());
    }
}

#[test]
fn numbers_keep_their_text_and_bad_ones_are_refused() {
    for text in [
        "0",
        "-0",
        "0.10",
        "1E+2",
        "123456789012345678901234567890",
        "1e-999",
    ] {
        let value = json::from_fn(|w| {
            w.decimal(text);
        });
        assert_eq!(written(&value).unwrap(), text.as_bytes());
        assert_eq!(
            written(&Number::new(text).unwrap()).unwrap(),
            text.as_bytes()
        );
    }
    for text in [
        "NaN",
        "nan",
        "Infinity",
        "-Infinity",
        "INF",
        "inf",
        "",
        "01",
        ".5",
        "5.",
        "+1",
        "1e",
        "0x1",
        "1 ",
        " 1",
        "1\n",
        "\"1\"",
        "null",
        "1,2",
        "--1",
    ] {
        let value = json::from_fn(|w| {
            w.begin_array().decimal(text).end_array();
        });
        assert_eq!(written(&value), Err(WriteError::BadNumber), "{text}");
    }
}

/// A long fragment, string or blob costs its length once, however small the window: a
/// second, where the square of it would take hours.
#[test]
fn long_copies_are_linear_through_small_windows() {
    let long = "x\n".repeat(1 << 20);
    let pretty = format!("[{}1]", "1,\r\n".repeat(1 << 19));
    let raw = RawJson::validate(pretty.as_bytes()).unwrap();
    let value = json::from_fn(|w| {
        w.begin_object();
        w.key("raw").raw(raw);
        w.key("text").string(&long);
        w.key("blob").base64(long.as_bytes());
        w.end_object();
    });
    let message = Outgoing::request(1, "m").params(&value);
    let whole = line(&message).unwrap();
    assert_eq!(whole.len(), message.line_len().unwrap());
    let begun = std::time::Instant::now();
    let mut pieces = message.pieces().unwrap();
    let mut window = [0; 7];
    for expected in whole.chunks(window.len()) {
        assert_eq!(pieces.fill(&mut window), Ok(expected.len()));
        assert_eq!(&window[..expected.len()], expected);
        assert!(begun.elapsed().as_secs() < 60, "far from linear");
    }
    assert!(pieces.is_done());
    assert!(
        drained(
            Outgoing::notification("m").params(&value).pieces().unwrap(),
            &[64]
        )
        .len()
            > 6 << 20
    );
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Key,
    Value,
    BeginObject,
    EndObject,
    BeginArray,
    EndArray,
}

/// Whether the calls make exactly one value, judged by a grammar over the whole list.
fn well_formed(ops: &[Op]) -> bool {
    fn value(ops: &[Op]) -> Option<&[Op]> {
        match ops.split_first()? {
            (Op::Value, rest) => Some(rest),
            (Op::BeginArray, mut rest) => loop {
                match rest.split_first()? {
                    (Op::EndArray, rest) => return Some(rest),
                    _ => rest = value(rest)?,
                }
            },
            (Op::BeginObject, mut rest) => loop {
                match rest.split_first()? {
                    (Op::EndObject, rest) => return Some(rest),
                    (Op::Key, inner) => rest = value(inner)?,
                    _ => return None,
                }
            },
            _ => None,
        }
    }
    value(ops).is_some_and(<[Op]>::is_empty)
}

fn apply(w: &mut Writer<'_>, ops: &[Op]) {
    for op in ops {
        match op {
            Op::Key => w.key("k"),
            Op::Value => w.int(1),
            Op::BeginObject => w.begin_object(),
            Op::EndObject => w.end_object(),
            Op::BeginArray => w.begin_array(),
            Op::EndArray => w.end_array(),
        };
    }
}

/// Every list of calls up to a length either is well-formed and gives valid JSON, or is
/// refused; and a value that makes such calls cannot break what is around it.
#[test]
fn misuse_is_an_error_and_never_wrong_text() {
    const OPS: [Op; 6] = [
        Op::Key,
        Op::Value,
        Op::BeginObject,
        Op::EndObject,
        Op::BeginArray,
        Op::EndArray,
    ];
    let mut good = 0;
    for len in 0..=7u32 {
        for code in 0..6usize.pow(len) {
            let ops: Vec<Op> = (0..len)
                .map(|digit| OPS[code / 6usize.pow(digit) % 6])
                .collect();
            let mut buffer = [0; 64];
            let mut w = Writer::new(&mut buffer);
            apply(&mut w, &ops);
            let alone = w.finish();
            assert_eq!(alone.is_ok(), well_formed(&ops), "{ops:?}: {alone:?}");
            match alone {
                Ok(text) => {
                    good += 1;
                    serde_json::from_slice::<Value>(text).unwrap();
                }
                Err(error) => assert!(
                    matches!(error, WriteError::Misplaced | WriteError::Unfinished),
                    "{error:?}",
                ),
            }
            let alone = alone.map(<[u8]>::to_vec);
            let value = json::from_fn(|w| apply(w, &ops));
            for around in ["[1,", "{\"a\":"] {
                let mut buffer = [0; 64];
                let mut w = Writer::new(&mut buffer);
                let close = match around {
                    "[1," => {
                        w.begin_array().int(1).value(&value).end_array();
                        "]"
                    }
                    _ => {
                        w.begin_object().key("a").value(&value).end_object();
                        "}"
                    }
                };
                match (w.finish(), &alone) {
                    (Ok(text), Ok(alone)) => {
                        assert_eq!(text, [around.as_bytes(), alone, close.as_bytes()].concat());
                    }
                    (Err(_), Err(_)) => {}
                    (inside, alone) => panic!("{ops:?}: {inside:?} but alone {alone:?}"),
                }
            }
        }
    }
    assert!(good > 30);
}

#[test]
fn a_value_that_leaves_a_container_open_is_refused_though_another_closes_it() {
    let opens = json::from_fn(|w| {
        w.begin_array().int(1);
    });
    let two = json::from_fn(|w| {
        w.begin_array().value(&opens).end_array().end_array();
    });
    assert_eq!(written(&two), Err(WriteError::Unfinished));
}

#[test]
fn too_many_open_containers_are_refused() {
    for (depth, expected) in [
        (json::MAX_OPEN, None),
        (json::MAX_OPEN + 1, Some(WriteError::TooDeep)),
    ] {
        let value = json::from_fn(|w| {
            for level in 0..depth {
                if level % 2 == 0 {
                    w.begin_array();
                } else {
                    w.begin_object().key("");
                }
            }
            w.null();
            for level in (0..depth).rev() {
                if level % 2 == 0 {
                    w.end_array();
                } else {
                    w.end_object();
                }
            }
        });
        let text = written(&value);
        assert_eq!(text.as_ref().err().copied(), expected);
        if let Ok(text) = text {
            serde_json::from_slice::<Value>(&text).unwrap();
        }
    }
}

#[test]
fn a_display_that_fails_is_reported() {
    struct Failing;
    impl std::fmt::Display for Failing {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("half")?;
            Err(std::fmt::Error)
        }
    }
    assert_eq!(
        written(&json::from_fn(|w| {
            w.display(&Failing);
        })),
        Err(WriteError::Unsupported)
    );
    let text = check_every_way(&format_args!("a\n{}", "\"b\" \u{2028}"));
    assert_eq!(text, "\"a\\n\\\"b\\\" \u{2028}\"".as_bytes());
}
