//! What is written: against `serde_json`, and back through this crate's own decoder.

use proptest::prelude::*;
use serde_json::{Map, Value};
use wireline::encode::{
    self, ErrorId, MessageWriter, OutId, Outgoing, Payload, Pieces, StreamRenumber, WriteError,
};
use wireline::json::{self, JsonKind, Number, RawJson, ToJson, Writer};
use wireline::{
    FaultKind, Id, Kind, Limits, LineDecoder, Message, Profile, StreamDecoder, StreamEvent, parse,
};

// ---- values ----

/// Any JSON value, written call by call.
struct Tree<'a>(&'a Value);

impl ToJson for Tree<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        match self.0 {
            Value::Null => drop(w.null()),
            Value::Bool(value) => drop(w.bool(*value)),
            Value::Number(number) => drop(w.decimal(&number.to_string())),
            Value::String(text) => drop(w.string(text)),
            Value::Array(items) => {
                w.begin_array();
                for item in items {
                    w.value(&Tree(item));
                }
                w.end_array();
            }
            Value::Object(members) => {
                w.begin_object();
                for (name, value) in members {
                    w.member(name, &Tree(value));
                }
                w.end_object();
            }
        }
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ -~]{0,12}",
        2 => proptest::collection::vec(any::<char>(), 0..8)
            .prop_map(|characters| characters.into_iter().collect()),
        1 => "[\\x00-\\x1f\"\\\\/\\x7f\u{85}\u{2028}\u{2029}\u{feff}\u{1f600}]{0,8}",
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i32>().prop_map(|number| Value::from(f64::from(number) / 64.0)),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec((any_text(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn any_object() -> impl Strategy<Value = Value> {
    proptest::collection::vec((any_text(), any_value()), 0..6)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// The value as text with white space, CR and LF among it, between all tokens.
fn loose(value: &Value, space: &mut impl Iterator<Item = &'static str>) -> String {
    let mut text = String::from(space.next().unwrap());
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                text.push_str(&loose(item, space));
            }
            text.push_str(space.next().unwrap());
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (index, (name, value)) in members.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                text.push_str(space.next().unwrap());
                text.push_str(&serde_json::to_string(name).unwrap());
                text.push_str(space.next().unwrap());
                text.push(':');
                text.push_str(&loose(value, space));
            }
            text.push_str(space.next().unwrap());
            text.push('}');
        }
        plain => text.push_str(&plain.to_string()),
    }
    text.push_str(space.next().unwrap());
    text
}

fn spaces(seed: u64) -> impl Iterator<Item = &'static str> {
    let mut state = seed | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ["", "", " ", "\r", "\n", "\r\n", "\t", "\r\r \n\n"][(state >> 32) as usize % 8]
    })
}

fn written(value: &dyn ToJson) -> Result<Vec<u8>, WriteError> {
    let mut buffer = vec![0; json::measure(value)?];
    let len = json::write(value, &mut buffer)?.len();
    assert_eq!(len, buffer.len());
    Ok(buffer)
}

fn line(message: &Outgoing<'_>) -> Result<Vec<u8>, WriteError> {
    let mut buffer = vec![0; message.line_len()?];
    assert_eq!(message.write(&mut buffer)?, buffer.len());
    Ok(buffer)
}

/// All of the pieces, with windows of these sizes in turn.
fn drained<T: ToJson>(mut pieces: Pieces<T>, sizes: &[usize]) -> Vec<u8> {
    let mut text = Vec::new();
    for size in sizes.iter().cycle() {
        let mut window = vec![0xaa; *size];
        let left = pieces.remaining();
        let n = pieces.fill(&mut window).unwrap();
        assert_eq!(
            n,
            left.min(*size),
            "a window is filled as long as there is text"
        );
        assert_eq!(pieces.remaining(), left - n);
        assert!(window[n..].iter().all(|byte| *byte == 0xaa));
        text.extend_from_slice(&window[..n]);
        if pieces.is_done() {
            assert_eq!(pieces.fill(&mut window), Ok(0));
            return text;
        }
    }
    unreachable!()
}

/// Whole, counted, too small by any number of bytes, and through windows of every size.
fn check_every_way(value: &dyn ToJson) -> Vec<u8> {
    let text = written(value).unwrap();
    for len in 0..text.len() {
        let mut short = vec![0; len];
        let result = json::write(value, &mut short);
        assert_eq!(result, Err(WriteError::TooSmall { needed: text.len() }));
    }
    let mut long = vec![0xaa; text.len() + 3];
    assert_eq!(json::write(value, &mut long), Ok(&text[..]));
    assert!(long.ends_with(&[0xaa; 3]));
    for size in 1..=text.len() + 1 {
        assert_eq!(
            drained(Pieces::new(value).unwrap(), &[size]),
            text,
            "windows of {size}"
        );
    }
    let with_line_end = drained(Pieces::line(value).unwrap(), &[3, 1, 7]);
    assert_eq!(with_line_end.strip_suffix(b"\n"), Some(&text[..]));
    assert!(!text.contains(&b'\n') && !text.contains(&b'\r'));
    text
}

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
    while bits.len() % 6 != 0 {
        bits.push_str("00");
    }
    let mut text: String = bits
        .as_bytes()
        .chunks(6)
        .map(|six| usize::from_str_radix(std::str::from_utf8(six).unwrap(), 2).unwrap())
        .map(|index| &ALPHABET[index..=index])
        .collect();
    while text.len() % 4 != 0 {
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
        let value = json::from_fn(|w| drop(w.decimal(text)));
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
        let value = json::from_fn(|w| drop(w.begin_array().decimal(text).end_array()));
        assert_eq!(written(&value), Err(WriteError::BadNumber), "{text}");
    }
}

// ---- misuse ----

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
        written(&json::from_fn(|w| drop(w.display(&Failing)))),
        Err(WriteError::Unsupported)
    );
    let text = check_every_way(&format_args!("a\n{}", "\"b\" \u{2028}"));
    assert_eq!(text, "\"a\\n\\\"b\\\" \u{2028}\"".as_bytes());
}

// ---- messages ----

/// The members of a line's object, in their order, as text.
fn members(line: &[u8]) -> Vec<(String, String)> {
    let raw = RawJson::validate(line).unwrap();
    raw.members()
        .map(|(name, value)| (name.raw().to_owned(), value.as_str().to_owned()))
        .collect()
}

fn names(line: &[u8]) -> Vec<String> {
    members(line).into_iter().map(|(name, _)| name).collect()
}

fn decoded(line: &[u8], profile: Profile, look: impl FnOnce(Message<'_>)) {
    let mut decoder = LineDecoder::new(
        vec![0u8; line.len() + 1024].leak() as &mut [u8],
        Limits::HOST.with_profile(profile),
    );
    decoder.spare()[..line.len()].copy_from_slice(line);
    decoder.commit(line.len());
    look(decoder.next().expect("a line").expect("a message"));
    assert!(decoder.next().is_none(), "one line only");
}

#[test]
fn members_stand_in_their_order_and_no_others() {
    let object = RawJson::EMPTY_OBJECT;
    let request = Outgoing::request(1, "ping");
    assert_eq!(names(&line(&request).unwrap()), ["jsonrpc", "id", "method"]);
    assert_eq!(
        names(&line(&request.params(object)).unwrap()),
        ["jsonrpc", "id", "method", "params"]
    );
    let notification = Outgoing::notification("notifications/initialized");
    assert_eq!(names(&line(&notification).unwrap()), ["jsonrpc", "method"]);
    assert_eq!(
        names(&line(&notification.params(object)).unwrap()),
        ["jsonrpc", "method", "params"]
    );
    assert_eq!(
        names(&line(&Outgoing::result(1, object)).unwrap()),
        ["jsonrpc", "id", "result"]
    );
    let error = Outgoing::error(1, -32603, "broken");
    assert_eq!(names(&line(&error).unwrap()), ["jsonrpc", "id", "error"]);
    let data = json::from_fn(|w| drop(w.begin_object().key("max").int(5).end_object()));
    assert_eq!(
        line(&error.data(&data)).unwrap(),
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"broken\",\"data\":{\"max\":5}}}\n",
    );
    assert_eq!(
        line(&Outgoing::error(ErrorId::or_null(None), i64::MIN, "\u{1}")).unwrap(),
        b"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-9223372036854775808,\"message\":\"\\u0001\"}}\n",
    );
    assert_eq!(
        names(&line(&Outgoing::error(ErrorId::or_omitted(None), 0, "")).unwrap()),
        ["jsonrpc", "error"]
    );
}

#[test]
fn payloads_of_a_type_the_profile_does_not_take_are_refused() {
    let object = r#"{"a":1}"#;
    for text in [object, "[1]", "1", "\"s\"", "true", "null"] {
        let raw = RawJson::validate(text.as_bytes()).unwrap();
        let array = raw.kind() == JsonKind::Array;
        let is_object = text == object;
        let writes_itself = json::from_fn(|w| drop(w.raw(raw)));
        let nested: &dyn ToJson = &&&writes_itself;
        for payload in [
            Payload::from(raw),
            Payload::from(&writes_itself),
            Payload::from(nested),
        ] {
            for (profile, params, result) in [
                (Profile::Mcp, is_object, is_object),
                (Profile::JsonRpc, is_object || array, true),
            ] {
                for (message, good) in [
                    (Outgoing::request(1, "m").params(payload), params),
                    (Outgoing::notification("m").params(payload), params),
                    (Outgoing::result(1, payload), result),
                    (Outgoing::error(1, 1, "m").data(payload), true),
                ] {
                    let message = message.with_profile(profile);
                    let written = line(&message);
                    if good {
                        decoded(&written.unwrap(), profile, |m| {
                            assert_eq!(m.kind(), message.kind())
                        });
                        assert!(message.pieces().is_ok());
                    } else {
                        assert_eq!(written, Err(WriteError::BadPayload), "{text} {message:?}");
                        assert_eq!(message.pieces().err(), Some(WriteError::BadPayload));
                        assert_eq!(message.write(&mut []), Err(WriteError::BadPayload));
                    }
                }
            }
        }
    }
    assert_eq!(
        line(&Outgoing::result(1, Payload::None)),
        Err(WriteError::BadPayload)
    );
    let none: Option<RawJson<'_>> = None;
    assert_eq!(
        names(&line(&Outgoing::request(1, "m").params(none)).unwrap()),
        ["jsonrpc", "id", "method"]
    );
}

#[test]
fn own_ids_are_plain_and_safe() {
    let max = (1i64 << 53) - 1;
    for (id, good) in [
        (OutId::Int(0), true),
        (OutId::Int(max), true),
        (OutId::Int(-max), true),
        (OutId::Int(max + 1), false),
        (OutId::Int(-max - 1), false),
        (OutId::Int(i64::MAX), false),
        (OutId::Int(i64::MIN), false),
        (OutId::Text("a\n\"\u{2028}"), true),
        (OutId::Text(""), false),
        (OutId::from(7u32), true),
    ] {
        let written = line(&Outgoing::request(id, "m"));
        assert_eq!(written.is_ok(), good, "{id:?}");
        assert!(good || written == Err(WriteError::BadId));
    }
    for (token, good) in [
        ("7", true),
        ("-7", true),
        ("9007199254740991", true),
        ("-9007199254740991", true),
        ("9007199254740992", false),
        ("10000000000000000", false),
        ("7.0", false),
        ("7e0", false),
        ("1E2", false),
        ("\"a\"", true),
        ("\"\"", false),
        ("\"\\u0041\"", true),
    ] {
        let id = Id::parse(token.as_bytes()).unwrap();
        assert_eq!(line(&Outgoing::request(id, "m")).is_ok(), good, "{token}");
    }
}

#[test]
fn a_peers_id_is_echoed_exactly() {
    for token in [
        "0",
        "1",
        "-1",
        "-0",
        "1.0",
        "100e-2",
        "1E2",
        "10000000000000000000000000000000000000",
        "9007199254740993",
        "18446744073709551615",
        "\"\"",
        "\"a\"",
        "\"\\u0041\"",
        "\"\\/\\\"\\\\\"",
        "\"\u{e9}\u{2028}\u{1f600}\"",
        "\"\\ud83d\\ude00\"",
        "\"3f2b6c1e-0000-4000-8000-000000000001\"",
    ] {
        let request = format!("{{\"jsonrpc\":\"2.0\",\"id\":{token},\"method\":\"ping\"}}");
        let message = parse(request.as_bytes(), &Limits::HOST).unwrap();
        let id = message.id().unwrap();
        for answer in [
            Outgoing::result(id, RawJson::EMPTY_OBJECT),
            Outgoing::error(id, -32601, "no"),
        ] {
            let out = line(&answer).unwrap();
            assert_eq!(members(&out)[1], ("id".to_owned(), token.to_owned()));
            decoded(&out, Profile::Mcp, |answer| {
                assert_eq!(answer.id().unwrap().as_raw(), token)
            });
        }
        assert_eq!(
            names(&line(&Outgoing::error(ErrorId::or_omitted(Some(id)), 1, "")).unwrap()),
            ["jsonrpc", "id", "error"],
        );
    }
}

#[test]
fn lone_surrogates_pass_through_as_they_came() {
    let text = br#"{"\ud800":1,"t":"\udfff x \ud83c"}"#;
    let raw = RawJson::validate(text).unwrap();
    let out = check_every_way(&Outgoing::result(1, raw));
    assert!(out.windows(text.len()).any(|window| window == text));
}

proptest! {
    #[test]
    fn messages_come_back_as_they_were(
        kind in 0..4,
        number in -(1i64 << 53) + 1..1 << 53,
        id_text in proptest::option::of("[ -~é\u{2028}\n]{1,9}"),
        text in any_text(),
        code: i64,
        payload in proptest::option::of(any_object()),
        sizes in proptest::collection::vec(1usize..50, 1..8),
    ) {
        let tree = payload.as_ref().map(Tree);
        let id = id_text.as_deref().map_or(OutId::Int(number), OutId::Text);
        let empty = Tree(&Value::Object(Map::new()));
        let with = |message: Outgoing<'_>| -> (Vec<u8>, Vec<u8>) {
            (line(&message).unwrap(), drained(message.pieces().unwrap(), &sizes))
        };
        let (out, pieces) = match (kind, &tree) {
            (0, Some(tree)) => with(Outgoing::request(id, &text).params(tree)),
            (0, None) => with(Outgoing::request(id, &text)),
            (1, Some(tree)) => with(Outgoing::notification(&text).params(tree)),
            (1, None) => with(Outgoing::notification(&text)),
            (2, tree) => with(Outgoing::result(id, tree.as_ref().unwrap_or(&empty))),
            (_, Some(tree)) => with(Outgoing::error(id, code, &text).data(tree)),
            (_, None) => with(Outgoing::error(id, code, &text)),
        };
        prop_assert_eq!(&out, &pieces);
        prop_assert_eq!(out.iter().filter(|byte| b"\r\n".contains(byte)).count(), 1);
        prop_assert_eq!(out.last(), Some(&b'\n'));
        // Independently:
        let value: Value = serde_json::from_slice(&out).unwrap();
        let id_value = id_text.as_deref().map_or(Value::from(number), Value::from);
        let mut expected = serde_json::json!({ "jsonrpc": "2.0" });
        if kind != 1 {
            expected["id"] = id_value;
        }
        match kind {
            0 | 1 => {
                expected["method"] = text.clone().into();
                if let Some(payload) = &payload {
                    expected["params"] = payload.clone();
                }
            }
            2 => expected["result"] = payload.clone().unwrap_or(Value::Object(Map::new())),
            _ => {
                expected["error"] = serde_json::json!({ "code": code, "message": text.clone() });
                if let Some(payload) = &payload {
                    expected["error"]["data"] = payload.clone();
                }
            }
        }
        prop_assert_eq!(value, expected);
        // Through the decoder:
        decoded(&out, Profile::Mcp, |message| {
            assert_eq!(message.kind(), [Kind::Request, Kind::Notification, Kind::Result, Kind::Error][kind as usize]);
            if kind < 2 {
                assert_eq!(message.method().unwrap(), text.as_str());
                assert_eq!(message.params().is_some(), payload.is_some());
            }
            if kind == 3 {
                assert_eq!(message.error().unwrap().code().as_i64(), Some(code));
                assert_eq!(message.error().unwrap().message(), text.as_str());
            }
        });
    }

    #[test]
    fn too_small_tells_what_is_needed_and_changes_nothing(value in any_object(), text in any_text()) {
        let tree = Tree(&value);
        let message = Outgoing::request(OutId::Text("id"), &text).params(&tree);
        let needed = message.line_len().unwrap();
        let mut around = vec![0xaa; needed + 16];
        for len in 0..needed {
            prop_assert_eq!(message.write(&mut around[8..8 + len]), Err(WriteError::TooSmall { needed }));
            prop_assert!(around[..8].iter().chain(&around[8 + len..]).all(|byte| *byte == 0xaa));
            around[8..8 + len].fill(0xaa);
        }
        prop_assert_eq!(message.write(&mut around[8..]), Ok(needed));
        prop_assert_eq!(&around[8..8 + needed], &line(&message).unwrap()[..]);
        prop_assert!(around[8 + needed..].iter().all(|byte| *byte == 0xaa));
    }
}

/// A long fragment, string or blob costs its length once, however small the window: at
/// the square of it, this test would not end.
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
    assert!(drained(message.pieces().unwrap(), &[7]) == whole);
    assert!(
        drained(
            Outgoing::notification("m").params(&value).pieces().unwrap(),
            &[64]
        )
        .len()
            > 6 << 20
    );
}

#[test]
fn a_value_that_changes_is_noticed_and_its_line_is_given_up() {
    use std::cell::Cell;
    for (first, then) in [(100, 5), (5, 100)] {
        let len = Cell::new(first);
        let value = json::from_fn(|w| {
            w.begin_object()
                .key("t")
                .string(&"x".repeat(len.get()))
                .end_object();
        });
        for window in [1, 8, 30, 60, 500] {
            len.set(first);
            let mut pieces = Outgoing::notification("m").params(&value).pieces().unwrap();
            let mut out = vec![0; window];
            let mut stream = Vec::new();
            let mut torn = 0;
            loop {
                match pieces.fill(&mut out) {
                    Ok(0) => break,
                    Ok(n) => stream.extend_from_slice(&out[..n]),
                    Err(error) => {
                        assert_eq!(error, WriteError::Changed);
                        torn += 1;
                    }
                }
                if stream.len() >= 10.min(window) {
                    len.set(then);
                }
            }
            if window == 500 {
                assert_eq!(torn, 0);
                continue;
            }
            assert_eq!(torn, 1, "{first} {then} {window}");
            assert_eq!(stream.pop(), Some(b'\n'));
            assert!(!stream.contains(&b'\n'));
            assert_eq!(RawJson::validate(&stream).unwrap_err().kind, FaultKind::Cut);
        }
    }
}

// ---- payloads in pieces ----

/// What a streamed payload is made of.
#[derive(Clone, Debug)]
enum Part {
    Json(String),
    Text(Vec<u8>),
    Blob(Vec<u8>),
}

/// Streams a message, with pieces of `ins` bytes given and `outs` bytes of room in turn.
fn streamed(
    head: Outgoing<'_>,
    parts: &[Part],
    ins: &[usize],
    outs: &[usize],
) -> Result<Vec<u8>, (WriteError, Vec<u8>)> {
    let mut ins = ins.iter().copied().cycle();
    let mut outs = outs.iter().copied().cycle();
    let mut stream = Vec::new();
    let mut message = MessageWriter::new(head).map_err(|error| (error, Vec::new()))?;
    let result = (|| {
        for part in parts {
            let bytes = match part {
                Part::Json(text) => text.as_bytes(),
                Part::Text(bytes) => {
                    message.begin_text()?;
                    bytes
                }
                Part::Blob(bytes) => {
                    message.begin_base64()?;
                    bytes
                }
            };
            let mut at = 0;
            while at < bytes.len() {
                let to = bytes.len().min(at + ins.next().unwrap());
                let mut input = &bytes[at..to];
                at = to;
                while !input.is_empty() {
                    let mut out = vec![0xaa; outs.next().unwrap()];
                    let (used, written) = match part {
                        Part::Json(_) => message.body(input, &mut out)?,
                        Part::Text(_) => message.text(input, &mut out)?,
                        Part::Blob(_) => message.base64(input, &mut out)?,
                    };
                    assert!(used > 0 || written == out.len(), "no progress");
                    assert!(out[written..].iter().all(|byte| *byte == 0xaa));
                    stream.extend_from_slice(&out[..written]);
                    input = &input[used..];
                }
            }
            if !matches!(part, Part::Json(_)) {
                message.end_string()?;
            }
        }
        loop {
            let mut out = vec![0xaa; outs.next().unwrap()];
            let written = message.finish(&mut out)?;
            stream.extend_from_slice(&out[..written]);
            if written == 0 {
                return Ok(());
            }
        }
    })();
    match result {
        Ok(()) => {
            assert_eq!(message.abort(&mut [0; 8]), 0);
            assert_eq!(message.body(b"1", &mut [0; 8]), Err(WriteError::Misplaced));
            Ok(stream)
        }
        Err(error) => {
            if !matches!(error, WriteError::Invalid(invalid) if invalid.kind == FaultKind::Cut) {
                assert_eq!(
                    message.body(b" ", &mut [0; 8]),
                    Err(error),
                    "broken for good"
                );
                assert_eq!(message.finish(&mut [0; 8]), Err(error));
            }
            let mut byte = [0];
            while message.abort(&mut byte) > 0 {
                stream.push(byte[0]);
            }
            Err((error, stream))
        }
    }
}

fn any_sizes() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(1usize..20, 1..6)
}

/// What was given up is one line that the decoder rejects, or nothing; what comes next is
/// read.
fn assert_given_up(stream: &[u8]) {
    let mut input = stream.to_vec();
    input.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":\"next\"}\n");
    let mut chunk = &input[..];
    let mut decoder = LineDecoder::new([0; 4096], Limits::HOST);
    if !stream.is_empty() {
        let cut = decoder.next_in(&mut chunk).unwrap().result().unwrap_err();
        assert!(matches!(cut.kind(), FaultKind::Cut | FaultKind::Utf8));
        assert_eq!(cut.length() + 1, stream.len() as u64);
    }
    let next = decoder.next_in(&mut chunk).unwrap().result().unwrap();
    assert_eq!(next.method().unwrap(), "next");
    assert!(decoder.next_in(&mut chunk).is_none());
}

proptest! {
    #[test]
    fn streamed_json_is_what_is_written_at_once(
        value in any_object(), seed: u64, kind in 0..4, ins in any_sizes(), outs in any_sizes(),
    ) {
        let text = loose(&value, &mut spaces(seed));
        let raw = RawJson::validate(text.as_bytes()).unwrap();
        let head = match kind {
            0 => Outgoing::request(1, "m"),
            1 => Outgoing::notification("m"),
            2 => Outgoing::result("id", Payload::None),
            _ => Outgoing::error(ErrorId::Null, 1, "m"),
        };
        let stream = streamed(head, &[Part::Json(text.clone())], &ins, &outs).unwrap();
        // White space around the value passes, so the two are compared as values.
        prop_assert_eq!(stream.iter().filter(|byte| b"\r\n".contains(byte)).count(), 1);
        let whole = line(&head.params(raw)).unwrap();
        prop_assert_eq!(
            serde_json::from_slice::<Value>(&stream).unwrap(),
            serde_json::from_slice::<Value>(&whole).unwrap()
        );
        let trimmed = streamed(head, &[Part::Json(raw.as_str().to_owned())], &ins, &outs).unwrap();
        prop_assert_eq!(trimmed, whole);
    }

    #[test]
    fn streamed_strings_are_what_is_written_at_once(
        text in any_text(), blob: Vec<u8>, ins in any_sizes(), outs in any_sizes(),
    ) {
        let parts = [
            Part::Json("{\"a\":[".into()),
            Part::Text(text.clone().into_bytes()),
            Part::Json(",".into()),
            Part::Blob(blob.clone()),
            Part::Json("],".into()),
            Part::Text(b"name".to_vec()),
            Part::Json(":1}".into()),
        ];
        let value = json::from_fn(|w| {
            w.begin_object().key("a").begin_array().string(&text).base64(&blob).end_array();
            w.key("name").int(1).end_object();
        });
        let stream = streamed(Outgoing::notification("m"), &parts, &ins, &outs).unwrap();
        prop_assert_eq!(stream, line(&Outgoing::notification("m").params(&value)).unwrap());
    }

    #[test]
    fn a_broken_body_is_refused_where_it_breaks(
        value in any_object(), seed: u64, at: prop::sample::Index, byte: u8,
        ins in any_sizes(), outs in any_sizes(),
    ) {
        let mut text = loose(&value, &mut spaces(seed)).into_bytes();
        let at = at.index(text.len());
        text[at] = byte;
        let head = Outgoing::result(1, Payload::None);
        // The scanner takes text as it comes, so bytes that are no UTF-8 go in as they are.
        let stream = stream_bytes(head, &text, &ins, &outs);
        match (RawJson::validate(&text), stream) {
            (Ok(raw), Ok(stream)) => {
                let expected = line(&Outgoing::result(1, raw)).unwrap();
                let (stream, expected): (Value, Value) =
                    (serde_json::from_slice(&stream).unwrap(), serde_json::from_slice(&expected).unwrap());
                prop_assert_eq!(stream, expected);
            }
            (Ok(raw), Err((WriteError::BadPayload, stream))) => {
                prop_assert!(raw.kind() != JsonKind::Object);
                assert_given_up(&stream);
            }
            (Err(invalid), Err((error, stream))) => {
                // A body of another type is refused at its first byte.
                let first = text.iter().find(|byte| !b" \t\r\n".contains(byte));
                if error == WriteError::BadPayload {
                    prop_assert_ne!(first, Some(&0x7b));
                } else {
                    prop_assert_eq!(error, WriteError::Invalid(invalid));
                }
                assert_given_up(&stream);
            }
            (validated, streamed) => prop_assert!(false, "{:?} but {:?}", validated, streamed),
        }
    }

    #[test]
    fn text_that_is_no_utf8_is_refused(bytes: Vec<u8>, ins in any_sizes(), outs in any_sizes()) {
        let parts = [
            Part::Json("{\"a\":".into()),
            Part::Text(bytes.clone()),
            Part::Json("}".into()),
        ];
        match (std::str::from_utf8(&bytes), streamed(Outgoing::notification("m"), &parts, &ins, &outs)) {
            (Ok(text), Ok(stream)) => {
                let value: Value = serde_json::from_slice(&stream).unwrap();
                prop_assert_eq!(&value["params"]["a"], text);
            }
            (Err(error), Err((WriteError::Invalid(invalid), stream))) => {
                prop_assert_eq!(invalid.kind, FaultKind::Utf8);
                // Counted from the body's start, the opening quote as one byte.
                prop_assert_eq!(invalid.offset, 6 + error.valid_up_to());
                assert_given_up(&stream);
            }
            (text, stream) => prop_assert!(false, "{:?} but {:?}", text, stream),
        }
    }
}

fn stream_bytes(
    head: Outgoing<'_>,
    text: &[u8],
    ins: &[usize],
    outs: &[usize],
) -> Result<Vec<u8>, (WriteError, Vec<u8>)> {
    let mut message = MessageWriter::new(head).unwrap();
    let mut stream = Vec::new();
    let mut ins = ins.iter().copied().cycle();
    let mut outs = outs.iter().copied().cycle();
    let mut rest = text;
    let result = (|| {
        while !rest.is_empty() {
            let input = &rest[..rest.len().min(ins.next().unwrap())];
            let mut out = vec![0; outs.next().unwrap()];
            let (used, written) = message.body(input, &mut out)?;
            stream.extend_from_slice(&out[..written]);
            rest = &rest[used..];
        }
        loop {
            let mut out = vec![0; outs.next().unwrap()];
            let written = message.finish(&mut out)?;
            stream.extend_from_slice(&out[..written]);
            if written == 0 {
                return Ok(());
            }
        }
    })();
    match result {
        Ok(()) => Ok(stream),
        Err(error) => {
            let mut byte = [0];
            while message.abort(&mut byte) > 0 {
                stream.push(byte[0]);
            }
            Err((error, stream))
        }
    }
}

#[test]
fn a_streamed_message_is_refused_when_it_cannot_be_begun() {
    let raw = RawJson::EMPTY_OBJECT;
    assert_eq!(
        MessageWriter::new(Outgoing::result(1, raw)).err(),
        Some(WriteError::Misplaced)
    );
    assert_eq!(
        MessageWriter::new(Outgoing::request("", "m")).err(),
        Some(WriteError::BadId)
    );
    let mut message = MessageWriter::new(Outgoing::result(1, Payload::None)).unwrap();
    assert_eq!(
        message.abort(&mut [0; 8]),
        0,
        "nothing has left, so nothing is ended"
    );
}

#[test]
fn strings_are_opened_and_closed_where_they_may_be() {
    let start = || MessageWriter::new(Outgoing::result(1, Payload::None)).unwrap();
    let mut out = [0; 128];
    assert_eq!(start().end_string(), Err(WriteError::Misplaced));
    assert_eq!(start().text(b"a", &mut out), Err(WriteError::Misplaced));
    assert_eq!(start().base64(b"a", &mut out), Err(WriteError::Misplaced));
    assert_eq!(
        start().begin_text(),
        Err(WriteError::BadPayload),
        "a result is an object"
    );
    let mut message = start();
    message.body(b"{", &mut out).unwrap();
    message.begin_text().unwrap();
    assert_eq!(message.begin_text(), Err(WriteError::Misplaced));
    let mut message = start();
    message.body(b"{", &mut out).unwrap();
    message.begin_text().unwrap();
    message.end_string().unwrap();
    // A colon is due.
    assert!(matches!(
        message.begin_base64(),
        Err(WriteError::Invalid(_))
    ));
    let mut message = start();
    message.body(b"{\"\\ud800", &mut out).unwrap();
    let lone = message.body(b"\":1}", &mut out).unwrap_err();
    assert!(
        matches!(lone, WriteError::Invalid(invalid) if invalid.kind == FaultKind::LoneSurrogate)
    );
    // In a value it passes.
    let mut message = start();
    message.body(b"{\"a\":\"\\ud800\"}", &mut out).unwrap();
    assert!(message.finish(&mut out).is_ok());
    // Too deep for a peer whose ceiling is 127.
    let mut message = start();
    message.body(b"{\"a\":", &mut out).unwrap();
    let deep = (0..130).find_map(|_| message.body(b"[", &mut out).err());
    assert!(
        matches!(deep, Some(WriteError::Invalid(invalid)) if invalid.kind == FaultKind::TooDeep && invalid.offset == 129)
    );
}

#[test]
fn an_unfinished_body_may_still_be_finished() {
    let mut out = [0; 128];
    let mut message = MessageWriter::new(Outgoing::result(1, Payload::None)).unwrap();
    let (_, n) = message.body(b"{\"a\":[1", &mut out).unwrap();
    let error = message.finish(&mut [0; 8]).unwrap_err();
    assert!(
        matches!(error, WriteError::Invalid(invalid) if invalid.kind == FaultKind::Cut && invalid.offset == 7)
    );
    let (_, m) = message.body(b"]}", &mut out[n..]).unwrap();
    let end = message.finish(&mut out[n + m..]).unwrap();
    assert_eq!(
        &out[..n + m + end],
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":[1]}}\n"
    );
}

// ---- messages passed on ----

/// A message's members in any order, each with white space about.
fn any_message() -> impl Strategy<Value = (String, Value)> {
    let id = prop_oneof![
        Just("1"),
        Just("-0"),
        Just("1.0"),
        Just("\"a\""),
        Just("\"\\u0041\""),
        Just("\"\""),
        Just("9007199254740993"),
    ];
    let token = proptest::option::of(prop_oneof![
        Just("1"),
        Just("\"t\""),
        Just("1"),
        Just("\"\\n\"")
    ]);
    (0..4, id, token, any_object(), any::<u64>(), Just(vec![0usize, 1, 2, 3]).prop_shuffle()).prop_map(
        |(kind, id, token, extra, seed, order)| {
            let mut space = spaces(seed);
            let mut space = std::iter::repeat_with(move || space.find(|space| !space.contains('\n')).unwrap());
            let mut payload = vec![format!("\"extra\"{}:{}", space.next().unwrap(), loose(&extra, &mut space))];
            if let Some(token) = token {
                let meta = format!("\"_m\\u0065ta\":{{\"x\":{{\"progressToken\":9}},\"progressToken\"{}:\r{token}\r }}", space.next().unwrap());
                payload.insert(usize::from(seed % 2 == 0), meta);
                payload.push(format!("\"progressToken\":{token}"));
                payload.push(format!("\"requestId\":{}{token}", space.next().unwrap()));
            }
            let payload = format!("{{{}}}", payload.join(","));
            let mut members = vec!["\"jsonrpc\":\"2.0\"".to_owned()];
            match kind {
                0 => {
                    members.push(format!("\"method\":{}\"a\\/b\"", space.next().unwrap()));
                    members.push(format!("\"params\":{payload}"));
                }
                1 => {
                    members.push("\"method\":\"n\"".to_owned());
                    members.push(format!("\"p\\u0061rams\":{payload}"));
                }
                2 => members.push(format!("\"result\":\r{payload}")),
                _ => members.push(format!("\"error\":{{\"code\":1,\"message\":\"\",\"data\":{payload}}}")),
            }
            if kind != 1 {
                members.push(format!("\"i\\u0064\"\r:{}{id}", space.next().unwrap()));
            }
            let text: Vec<String> = order.iter().filter_map(|index| members.get(*index).cloned()).collect();
            let text = format!("{{{}{}}}", space.next().unwrap(), text.join(","));
            let value = serde_json::from_str(&text).unwrap();
            (text, value)
        },
    )
}

proptest! {
    #[test]
    fn a_message_passes_with_its_ids_replaced_and_nothing_else(
        (text, mut value) in any_message(),
        sizes in proptest::collection::vec(1usize..40, 1..8),
    ) {
        let message = parse(text.as_bytes(), &Limits::HOST).unwrap();
        let mut renumber = message.renumber();
        // What stands in the text when the tokens are put into it by hand, last one first.
        let mut edits: Vec<(&str, &str)> = Vec::new();
        if let Some(id) = message.id() {
            renumber = renumber.id("new");
            edits.push((id.as_raw(), "\"new\""));
            value["id"] = "new".into();
        }
        let meta = message.meta();
        if meta.request_id().is_some() {
            renumber = renumber.request_id(-5);
            value["params"]["requestId"] = Value::from(-5);
        }
        if meta.progress_token().is_some() {
            renumber = renumber.progress_token("p\n");
            match message.kind() {
                Kind::Request => value["params"]["_meta"]["progressToken"] = "p\n".into(),
                _ => value["params"]["progressToken"] = "p\n".into(),
            }
        }
        let mut out = vec![0; renumber.line_len().unwrap()];
        prop_assert_eq!(renumber.write(&mut out), Ok(out.len()));
        prop_assert_eq!(&drained(renumber.pieces().unwrap(), &sizes), &out);
        for len in [0, 1, out.len() - 1] {
            prop_assert_eq!(renumber.write(&mut vec![0; len]), Err(WriteError::TooSmall { needed: out.len() }));
        }
        prop_assert_eq!(serde_json::from_slice::<Value>(&out).unwrap(), value);
        prop_assert_eq!(out.iter().filter(|byte| b"\r\n".contains(byte)).count(), 1);

        // Only the id: all other bytes are those that came.
        if let Some(id) = message.id() {
            let token = id.as_raw();
            let mut out = vec![0; text.len() + 16];
            let n = message.write_with_id(1234567, &mut out).unwrap();
            let key = text.find("\"i\\u0064\"").unwrap();
            let at = key + text[key..].find(':').unwrap();
            let at = at + text[at..].find(token).unwrap();
            let expected = format!("{}1234567{}\n", &text[..at], &text[at + token.len()..]).replace('\r', "");
            prop_assert_eq!(std::str::from_utf8(&out[..n]).unwrap(), expected);
        } else {
            prop_assert_eq!(message.write_with_id(1, &mut out), Err(WriteError::NoMember));
        }
    }

    #[test]
    fn a_streamed_message_passes_with_its_ids_replaced(
        (text, mut value) in any_message(), ins in any_sizes(), outs in any_sizes(), early: bool,
    ) {
        let has_token = !value["params"]["_meta"]["progressToken"].is_null();
        if !value["id"].is_null() {
            value["id"] = Value::from(77);
        }
        if has_token {
            value["params"]["_meta"]["progressToken"] = "tok\n".into();
        }
        let input = format!("{text}\n");
        let forward = StreamRenumber::new().progress_token("tok\n").unwrap();
        let out = forwarded(input.as_bytes(), forward, OutId::Int(77), early, &ins, &outs);
        prop_assert_eq!(out.last(), Some(&b'\n'));
        prop_assert_eq!(out.iter().filter(|byte| b"\r\n".contains(byte)).count(), 1);
        prop_assert_eq!(serde_json::from_slice::<Value>(&out).unwrap(), value);
        parse(&out, &Limits::HOST).unwrap();
    }

    #[test]
    fn a_streamed_message_that_breaks_off_is_given_up(
        (text, _) in any_message(), cut: prop::sample::Index, ins in any_sizes(), outs in any_sizes(),
    ) {
        let text = &text[..text.floor_char_boundary(1 + cut.index(text.len() - 1))];
        let out = forwarded(format!("{text}\n").as_bytes(), StreamRenumber::new(), OutId::Int(1), true, &ins, &outs);
        assert_given_up(&out);
    }
}

/// Passes one line through a stream decoder and a stream renumberer.
fn forwarded(
    input: &[u8],
    mut forward: StreamRenumber<'_>,
    id: OutId<'_>,
    early: bool,
    ins: &[usize],
    outs: &[usize],
) -> Vec<u8> {
    let mut memory = [0; 512];
    let mut decoder = StreamDecoder::new(&mut memory, Limits::HOST).unwrap();
    let mut ins = ins.iter().copied().cycle();
    let mut outs = outs.iter().copied().cycle();
    let mut stream = Vec::new();
    let mut rest = input;
    let mut over = false;
    while !rest.is_empty() {
        let mut piece = &rest[..rest.len().min(ins.next().unwrap())];
        rest = &rest[piece.len()..];
        loop {
            let (used, event) = decoder.step(piece);
            piece = &piece[used..];
            let mut out = || vec![0u8; outs.next().unwrap()];
            match event {
                StreamEvent::NeedInput => break,
                StreamEvent::Head(head) => loop {
                    let mut out = out();
                    match forward.head(&head, early.then_some(id), &mut out) {
                        0 => break,
                        n => stream.extend_from_slice(&out[..n]),
                    }
                },
                StreamEvent::Body { part, mut bytes } => {
                    while !bytes.is_empty() {
                        let mut out = out();
                        let (used, n) = forward.body(part, bytes, &mut out);
                        bytes = &bytes[used..];
                        stream.extend_from_slice(&out[..n]);
                    }
                }
                StreamEvent::End(head) => loop {
                    over = true;
                    let mut out = out();
                    match forward.end(&head, Some(id), &mut out).unwrap() {
                        0 => break,
                        n => stream.extend_from_slice(&out[..n]),
                    }
                },
                StreamEvent::Fault(_) => loop {
                    over = true;
                    let mut out = out();
                    match forward.give_up(&mut out) {
                        0 => break,
                        n => stream.extend_from_slice(&out[..n]),
                    }
                },
            }
        }
    }
    assert!(over);
    stream
}

#[test]
fn only_what_is_there_is_renumbered() {
    let mut out = [0; 512];
    let request = parse(br#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"progressToken":1,"_meta":{"progressToken":{}}}}"#, &Limits::HOST).unwrap();
    assert_eq!(
        request.renumber().progress_token(2).write(&mut out),
        Err(WriteError::NoMember)
    );
    assert_eq!(
        request.renumber().request_id(2).write(&mut out),
        Err(WriteError::NoMember)
    );
    assert_eq!(
        request.renumber().subscription_id(2).write(&mut out),
        Err(WriteError::NoMember)
    );
    assert_eq!(
        request.renumber().id("").write(&mut out),
        Err(WriteError::BadId)
    );
    assert_eq!(
        request.renumber().id(i64::MAX).line_len(),
        Err(WriteError::BadId)
    );
    let error = parse(
        br#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#,
        &Limits::HOST,
    )
    .unwrap();
    assert_eq!(error.write_with_id(1, &mut out), Err(WriteError::NoMember));
    // An answer takes whatever the peer wrote.
    let result = parse(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#, &Limits::HOST).unwrap();
    let n = result
        .write_with_id(Id::parse(b"1.50e1").unwrap(), &mut out)
        .unwrap();
    assert_eq!(
        &out[..n],
        b"{\"jsonrpc\":\"2.0\",\"id\":1.50e1,\"result\":{}}\n"
    );
    assert_eq!(
        request.write_with_id(Id::parse(b"1.50e1").unwrap(), &mut out),
        Err(WriteError::BadId)
    );
}

#[test]
fn subscription_ids_are_found_in_parameters_and_results() {
    let mut out = [0; 512];
    for (line, good) in [
        (
            r#"{"jsonrpc":"2.0","method":"n","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":OLD}}}"#,
            true,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":{"_meta":{}},"_meta":{"x":[1],"io.modelcontextprotocol\/subscriptionId": OLD }}}"#,
            true,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":OLD,"io.modelcontextprotocol/subscriptionId":OLD}}}"#,
            false,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":[]}}"#, false),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":null}}}"#,
            false,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, false),
    ] {
        let text = line.replace("OLD", "\"old\"");
        let message = parse(text.as_bytes(), &Limits::HOST).unwrap();
        let written = message.renumber().subscription_id("new id").write(&mut out);
        if good {
            let expected = line.replace("OLD", "\"new id\"") + "\n";
            assert_eq!(
                std::str::from_utf8(&out[..written.unwrap()]).unwrap(),
                expected
            );
        } else {
            assert_eq!(written, Err(WriteError::NoMember), "{text}");
        }
    }
}

#[test]
fn a_byte_order_mark_does_not_pass() {
    let text = b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\n";
    let mut decoder = LineDecoder::new([0; 256], Limits::HOST);
    let mut chunk = &text[..];
    let message = decoder.next_in(&mut chunk).unwrap().result().unwrap();
    assert!(message.flags().bom);
    let mut out = [0; 64];
    let n = message.write_with_id(2, &mut out).unwrap();
    assert_eq!(
        &out[..n],
        b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"m\"}\n"
    );
}

#[test]
fn a_batch_is_one_line() {
    let empty = RawJson::EMPTY_OBJECT;
    let batch = [
        Outgoing::result(1, empty),
        Outgoing::error(2, 3, "no"),
        Outgoing::result("", empty),
    ];
    let mut out = [0; 256];
    let n = encode::write_line(&batch, &mut out).unwrap();
    let value: Value = serde_json::from_slice(&out[..n]).unwrap();
    assert_eq!(value.as_array().unwrap().len(), 3);
    assert_eq!(drained(Pieces::line(&batch).unwrap(), &[5]), &out[..n]);
}
