//! Properties of what is read, over generated messages, whole and damaged: the same however they
//! are cut, the same as `serde_json` has it, exact where a float would not be.
#![allow(clippy::disallowed_methods, reason = "a test may panic")]

use std::cmp::Ordering;

use proptest::collection;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use wireline::json::{Number, RawJson, UnescapeError};
use wireline::{
    FaultClass, FaultKind, Id, Kind, Limits, LineDecoder, Message, Rejected, Storage, parse,
};

// ---- streams ----

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i16>().prop_map(|number| Value::from(f64::from(number) / 32.0)),
        "[ -~é\u{2028}\u{1f600}\\n\\t\"\\\\]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            collection::vec(("[a-z_]{0,8}", inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn any_object() -> impl Strategy<Value = Value> {
    collection::vec(("[a-zA-Z]{1,12}", any_value()), 0..5)
        .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()))
}

fn any_id() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from)
    ]
}

/// A message and its kind; its members stand in any order.
fn any_message() -> impl Strategy<Value = (Kind, String)> {
    let members = prop_oneof![
        (any_id(), "[a-z/]{1,20}", any_object()).prop_map(|(id, method, params)| {
            (
                Kind::Request,
                vec![("id", id), ("method", json!(method)), ("params", params)],
            )
        }),
        ("[a-z/]{1,20}", any_object()).prop_map(|(method, params)| {
            (
                Kind::Notification,
                vec![("method", json!(method)), ("params", params)],
            )
        }),
        (any_id(), any_object())
            .prop_map(|(id, result)| (Kind::Result, vec![("id", id), ("result", result)])),
        (any_id(), any::<i32>(), "[ -~]{0,20}", any_value()).prop_map(
            |(id, code, message, data)| {
                let error = json!({ "code": code, "message": message, "data": data });
                (Kind::Error, vec![("id", id), ("error", error)])
            }
        ),
    ];
    (members, any::<Index>(), any::<bool>()).prop_map(|((kind, mut members), turn, reverse)| {
        members.push(("jsonrpc", json!("2.0")));
        let turn = turn.index(members.len());
        members.rotate_left(turn);
        if reverse {
            members.reverse();
        }
        let members: Vec<String> = members
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"))
            .collect();
        (kind, format!("{{{}}}", members.join(",")))
    })
}

/// A line with one thing wrong somewhere, which may still leave it right.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        select(b"\"\\{}[],:0e.-nt \r\xff\xc3\x00a".as_slice()),
        any::<u8>()
    ];
    (any_message(), any::<Index>(), byte, 0..5u8).prop_map(|((_, line), at, byte, how)| {
        let mut line = line.into_bytes();
        let at = at.index(line.len());
        match how {
            0 => line[at] = byte,
            1 => line.insert(at, byte),
            2 => drop(line.remove(at)),
            3 => line.truncate(at),
            _ => line.extend_from_within(at..),
        }
        // It stays one line.
        line.retain(|byte| *byte != b'\n');
        line
    })
}

fn any_stream() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        3 => any_message().prop_map(|(_, line)| line.into_bytes()),
        2 => damaged(),
        1 => "[ -~]{0,40}".prop_map(String::into_bytes),
    ];
    let end = select(vec![b"\n".as_slice(), b"\r\n", b"\n\n", b" \n"]);
    (collection::vec((line, end), 0..6), any::<bool>()).prop_map(|(lines, ended)| {
        let mut stream = Vec::new();
        for (line, end) in lines {
            stream.extend_from_slice(&line);
            stream.extend_from_slice(end);
        }
        if !ended {
            stream.pop();
        }
        stream
    })
}

// ---- what came ----

fn told(item: &Result<Message<'_>, Rejected<'_>>) -> String {
    match item {
        Ok(message) => format!("{message:?} {:?} {}", message.flags(), message.as_str()),
        Err(rejected) => format!(
            "{rejected:?} {:?} {:?} {:?}",
            rejected.shape(),
            rejected.limit(),
            String::from_utf8_lossy(rejected.excerpt())
        ),
    }
}

/// Where the last item's line stood.
#[cfg(not(feature = "std"))]
fn place<B: Storage>(_: &LineDecoder<B>) -> (u64, u64) {
    (0, 0)
}

/// Where the last item's line stood.
#[cfg(feature = "std")]
fn place<B: Storage>(decoder: &LineDecoder<B>) -> (u64, u64) {
    (decoder.line(), decoder.position())
}

fn at_once(stream: &[u8], limits: Limits) -> Vec<(u64, u64, String)> {
    cut(stream, &[stream.len()], [0; 64 * 1024], limits, false)
}

/// The stream in pieces of these sizes, over and over.
fn cut<B: Storage>(
    stream: &[u8],
    sizes: &[usize],
    storage: B,
    limits: Limits,
    in_place: bool,
) -> Vec<(u64, u64, String)> {
    let mut decoder = LineDecoder::new(storage, limits);
    let mut items = Vec::new();
    let mut sizes = sizes.iter().cycle();
    let mut rest = stream;
    while !rest.is_empty() {
        let size = (*sizes.next().expect("a size")).clamp(1, rest.len());
        let (mut piece, after) = rest.split_at(size);
        rest = after;
        if in_place {
            while !piece.is_empty() {
                let spare = decoder.spare();
                let count = spare.len().min(piece.len());
                spare[..count].copy_from_slice(&piece[..count]);
                decoder.commit(count);
                piece = &piece[count..];
                while let Some(text) = decoder.next().map(|item| told(&item)) {
                    let (line, position) = place(&decoder);
                    items.push((line, position, text));
                }
                decoder.pending();
            }
        } else {
            while let Some(text) = decoder.next_in(&mut piece).map(|item| told(&item.result())) {
                let (line, position) = place(&decoder);
                items.push((line, position, text));
            }
        }
    }
    while let Some(text) = decoder.finish().map(|item| told(&item)) {
        let (line, position) = place(&decoder);
        items.push((line, position, text));
    }
    items
}

proptest! {
    #[test]
    fn a_good_message_is_read_as_it_is((kind, line) in any_message()) {
        let theirs: Value = serde_json::from_str(&line).unwrap();
        let ours = parse(line.as_bytes(), &Limits::HOST).unwrap();
        prop_assert_eq!(ours.kind(), kind);
        let value = |raw: Option<RawJson<'_>>| raw.map(|raw| serde_json::from_str::<Value>(raw.as_str()).unwrap());
        prop_assert_eq!(value(ours.params()), theirs.get("params").cloned());
        prop_assert_eq!(value(ours.result()), theirs.get("result").cloned());
        prop_assert_eq!(ours.id().map(|id| serde_json::from_str::<Value>(id.as_raw()).unwrap()), theirs.get("id").cloned());
        prop_assert_eq!(ours.method().map(|method| Value::from(method.to_string())), theirs.get("method").cloned());
        if let Some(error) = ours.error() {
            prop_assert_eq!(error.code().as_i64(), theirs["error"]["code"].as_i64());
            prop_assert_eq!(&error.message().to_string(), theirs["error"]["message"].as_str().unwrap());
            prop_assert_eq!(value(error.data()), theirs["error"].get("data").cloned());
        }
    }

    #[test]
    fn cuts_change_nothing(stream in any_stream(), sizes in collection::vec(1..80usize, 1..6), small in 60..400u32) {
        for limits in [Limits::HOST, Limits::HOST.with_message(small + 400)] {
            let limits = limits.with_id(32).with_method(32);
            let expected = at_once(&stream, limits);
            for in_place in [false, true] {
                let items = cut(&stream, &sizes, [0; 64 * 1024], limits, in_place);
                prop_assert_eq!(&expected, &items, "in place: {}", in_place);
                let items = cut(&stream, &[1], [0; 64 * 1024], limits, in_place);
                prop_assert_eq!(&expected, &items, "byte by byte, in place: {}", in_place);
            }
        }
    }

    /// A line whole in memory may go through the wide instructions; a byte at a time cannot.
    #[test]
    fn a_line_at_once_comes_to_what_its_bytes_come_to(line in prop_oneof![
        any_message().prop_map(|(_, line)| line.into_bytes()),
        damaged(),
    ]) {
        let mut ended = line.clone();
        ended.push(b'\n');
        let bytes = cut(&ended, &[1], [0; 64 * 1024], Limits::HOST, true);
        let whole: Vec<String> = at_once(&ended, Limits::HOST).into_iter().map(|(_, _, text)| text).collect();
        let bytes: Vec<String> = bytes.into_iter().map(|(_, _, text)| text).collect();
        prop_assert_eq!(&whole, &bytes);
        // A CR at the end belongs to the line's end, not to a text that something else framed.
        if let [item] = whole.as_slice() && line.last() != Some(&b'\r') && !line.starts_with(b"\xef\xbb\xbf") {
            prop_assert_eq!(&told(&parse(&line, &Limits::HOST)), item);
        }
    }

    #[test]
    fn a_line_is_refused_as_text_exactly_if_serde_json_refuses_it(line in damaged()) {
        let theirs = std::str::from_utf8(&line).is_ok_and(|text| serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok());
        match parse(&line, &Limits::HOST) {
            Ok(_) => prop_assert!(theirs),
            Err(rejected) => {
                let text = matches!(rejected.kind().class(), FaultClass::Text | FaultClass::Noise);
                prop_assert!(!(text && theirs), "{:?}", rejected);
                prop_assert!(theirs || rejected.id().is_none(), "an id of text that is broken: {:?}", rejected);
                prop_assert!(rejected.offset() <= rejected.length());
            }
        }
    }

    #[test]
    fn the_line_after_any_bytes_is_read(garbage: Vec<u8>, buffer in 64..300usize) {
        let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        let stream = [&garbage[..], b"\n", ping, b"\n"].concat();
        for in_place in [false, true] {
            let mut memory = vec![0; buffer];
            let items = cut(&stream, &[7, 1, 30], memory.as_mut_slice(), Limits::EMBEDDED, in_place);
            let (_, position, text) = items.last().unwrap();
            if cfg!(feature = "std") {
                prop_assert_eq!(*position, garbage.len() as u64 + 1);
            }
            prop_assert!(text.ends_with(std::str::from_utf8(ping).unwrap()), "{}", text);
        }
    }

    /// Too long to keep, and the id stands anywhere: the answer can still name it.
    #[test]
    fn an_id_is_known_wherever_it_stands(first: bool, filler in 0..5000usize, id in any_id(), sizes in collection::vec(1..300usize, 1..4)) {
        let id = id.to_string();
        let rest = format!("\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{{\"x\":\"{}\"}}", "x".repeat(filler));
        let line = if first { format!("{{\"id\":{id},{rest}}}\n") } else { format!("{{{rest},\"id\":{id}}}\n") };
        let length = line.len() - 1;
        for in_place in [false, true] {
            let mut decoder = LineDecoder::new([0; 256], Limits::EMBEDDED);
            let mut rest = line.as_bytes();
            let mut sizes = sizes.iter().cycle();
            let mut seen = 0;
            while !rest.is_empty() {
                let size = (*sizes.next().unwrap()).min(rest.len());
                let mut piece = &rest[..size];
                rest = &rest[size..];
                while !piece.is_empty() {
                    let item = if in_place {
                        let spare = decoder.spare();
                        let count = spare.len().min(piece.len());
                        spare[..count].copy_from_slice(&piece[..count]);
                        decoder.commit(count);
                        piece = &piece[count..];
                        decoder.next()
                    } else {
                        decoder.next_in(&mut piece).map(|item| item.result())
                    };
                    let Some(item) = item else { continue };
                    seen += 1;
                    match item {
                        Ok(message) => prop_assert_eq!(message.id().unwrap().as_raw(), id.as_str()),
                        Err(rejected) => {
                            prop_assert_eq!(rejected.kind(), FaultKind::TooLong);
                            prop_assert_eq!(rejected.id().unwrap().as_raw(), id.as_str());
                            prop_assert_eq!(rejected.length(), length as u64);
                            prop_assert_eq!(rejected.limit(), Some(254));
                        }
                    }
                }
            }
            prop_assert_eq!(seen, 1);
        }
    }
}

// ---- strings, numbers, ids, fragments ----

/// A string's token, any character of it escaped or not.
fn any_string_token() -> impl Strategy<Value = (String, String)> {
    collection::vec((any::<char>(), 0..4u8), 0..12).prop_map(|characters| {
        let (mut text, mut token) = (String::new(), String::from("\""));
        for (character, how) in characters {
            text.push(character);
            let plain = character >= ' ' && character != '"' && character != '\\';
            if plain && how < 2 {
                token.push(character);
            } else if how == 2 && "\"\\/\u{8}\u{c}\n\r\t".contains(character) {
                let letter = match character {
                    '\u{8}' => 'b',
                    '\u{c}' => 'f',
                    '\n' => 'n',
                    '\r' => 'r',
                    '\t' => 't',
                    other => other,
                };
                token.extend(['\\', letter]);
            } else {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    token.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
        token.push('"');
        (text, token)
    })
}

/// A number's text and its value as digits × 10^exponent.
fn any_number() -> impl Strategy<Value = (String, i128, i32)> {
    (
        any::<bool>(),
        0..1_000_000_000u64,
        0..8u32,
        -8..8i32,
        0..3u8,
    )
        .prop_map(|(minus, digits, places, exponent, how)| {
            let scale = 10u64.pow(places);
            let sign = if minus { "-" } else { "" };
            let mut text = format!("{sign}{}", digits / scale);
            if places > 0 {
                text.push_str(&format!(
                    ".{:0width$}",
                    digits % scale,
                    width = places as usize
                ));
            }
            let exponent = if how == 0 { 0 } else { exponent };
            match how {
                1 => text.push_str(&format!("e{exponent}")),
                2 => text.push_str(&format!("E{exponent:+03}")),
                _ => {}
            }
            let value = i128::from(digits) * if minus { -1 } else { 1 };
            (text, value, exponent - places as i32)
        })
}

/// The value times 10^16, which all generated ones are whole numbers of.
fn scaled(value: i128, exponent: i32) -> i128 {
    value * 10i128.pow(u32::try_from(exponent + 16).expect("in range"))
}

proptest! {
    #[test]
    fn strings_mean_what_serde_json_says((text, token) in any_string_token(), other in any_string_token()) {
        prop_assert_eq!(&serde_json::from_str::<String>(&token).unwrap(), &text);
        let ours = RawJson::validate(token.as_bytes()).unwrap().as_json_str().unwrap();
        prop_assert_eq!(ours, text.as_str());
        prop_assert_eq!(ours.to_string(), text.as_str());
        prop_assert_eq!(ours.chars().map(Result::unwrap).collect::<String>(), text.as_str());
        let mut buffer = vec![0; text.len()];
        prop_assert_eq!(ours.unescape_into(&mut buffer), Ok(text.as_str()));
        if !text.is_empty() {
            let room = text.len() - 1;
            prop_assert_eq!(ours.unescape_into(&mut buffer[..room]), Err(UnescapeError::TooSmall(text.len())));
        }
        let theirs = RawJson::validate(other.1.as_bytes()).unwrap().as_json_str().unwrap();
        prop_assert_eq!(ours == theirs, text == other.0);
        prop_assert_eq!(Id::parse(token.as_bytes()).unwrap() == Id::parse(other.1.as_bytes()).unwrap(), text == other.0);
        let spelled = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(Id::parse(token.as_bytes()), Id::parse(spelled.as_bytes()));
    }

    #[test]
    fn numbers_are_exact((a, value_a, exponent_a) in any_number(), (b, value_b, exponent_b) in any_number()) {
        let (number_a, number_b) = (Number::new(&a).unwrap(), Number::new(&b).unwrap());
        let (exact_a, exact_b) = (scaled(value_a, exponent_a), scaled(value_b, exponent_b));
        prop_assert_eq!(number_a.cmp(&number_b), exact_a.cmp(&exact_b), "{} and {}", a, b);
        prop_assert_eq!(number_a == number_b, exact_a == exact_b);
        let one = 10i128.pow(16);
        let whole = (exact_a % one == 0).then(|| exact_a / one);
        prop_assert_eq!(number_a.is_integer(), whole.is_some(), "{}", a);
        prop_assert_eq!(number_a.as_i64(), whole.and_then(|value| i64::try_from(value).ok()), "{}", a);
        prop_assert_eq!(number_a.as_u64(), whole.and_then(|value| u64::try_from(value).ok()), "{}", a);
        let id = Id::parse(a.as_bytes());
        prop_assert_eq!(id.is_some(), whole.is_some());
        if let (Some(id), Some(whole)) = (id, whole) {
            let plain = whole.to_string();
            prop_assert_eq!(Some(id), Id::parse(plain.as_bytes()));
            let quoted = format!("\"{plain}\"");
            prop_assert_ne!(Some(id), Id::parse(quoted.as_bytes()));
        }
    }

    #[test]
    fn integers_of_any_length_keep_their_order(a in "-?[1-9][0-9]{0,60}", b in "-?[1-9][0-9]{0,60}") {
        let key = |text: &str| (text.strip_prefix('-').unwrap_or(text).len(), text.trim_start_matches('-').to_owned());
        let expected = match (a.starts_with('-'), b.starts_with('-')) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => key(&a).cmp(&key(&b)),
            (true, true) => key(&b).cmp(&key(&a)),
        };
        prop_assert_eq!(Number::new(&a).unwrap().cmp(&Number::new(&b).unwrap()), expected);
        prop_assert_eq!(Number::new(&a).unwrap().as_i64(), a.parse().ok());
        prop_assert_eq!(Number::new(&a).unwrap().as_u64(), a.parse().ok());
    }

    #[test]
    fn compaction_changes_no_value_and_is_done_once(value in any_value()) {
        let pretty = serde_json::to_string_pretty(&value).unwrap().replace('\n', "\r\n");
        let raw = RawJson::validate(pretty.as_bytes()).unwrap();
        let mut first = vec![0; pretty.len()];
        let once = raw.compact_into(&mut first).unwrap();
        prop_assert_eq!(once.as_str(), value.to_string());
        let mut second = vec![0; once.as_bytes().len()];
        let twice = once.compact_into(&mut second).unwrap();
        prop_assert_eq!(once.as_str(), twice.as_str());
        let needed = once.as_bytes().len();
        prop_assert_eq!(raw.compact_into(&mut vec![0; needed - 1]).unwrap_err().needed, needed);
    }
}

/// No text that can be written out has an exponent that is not told from another.
#[test]
fn exponents_are_told_apart_up_to_ten_to_the_fifteenth() {
    let rising = [
        "-1e999999999999999",
        "1e-999999999999999",
        "1e-999999999999998",
        "1e999999999999998",
        "1e999999999999999",
        "1e1000000000000000",
    ];
    for (i, a) in rising.iter().enumerate() {
        for (j, b) in rising.iter().enumerate() {
            let [a, b] = [a, b].map(|it| Number::new(it).unwrap());
            assert_eq!(a.cmp(&b), i.cmp(&j), "{a} and {b}");
        }
    }
    let [a, b] = ["1e1000000000000000", "1e2000000000000000"].map(|it| Number::new(it).unwrap());
    assert_eq!(a, b);
}

/// A `Vec` grows to the ceiling and no further, and gives back what a long line took.
#[cfg(feature = "std")]
#[test]
fn memory_follows_the_lines() {
    use std::cell::Cell;

    /// The most there was, and what is kept.
    struct Watched<'c>(Vec<u8>, &'c Cell<(usize, usize)>);

    impl Storage for Watched<'_> {
        fn bytes(&self) -> &[u8] {
            self.0.bytes()
        }
        fn bytes_mut(&mut self) -> &mut [u8] {
            self.0.bytes_mut()
        }
        fn capacity(&self) -> usize {
            Storage::capacity(&self.0)
        }
        fn grow(&mut self, need: usize, most: usize) -> bool {
            let grown = Storage::grow(&mut self.0, need, most);
            let now = self.0.capacity();
            self.1.set((self.1.get().0.max(now), now));
            grown
        }
        fn shrink(&mut self) {
            Storage::shrink(&mut self.0);
            assert!(
                self.0.capacity() <= 4096,
                "{} bytes are kept",
                self.0.capacity()
            );
            self.1.set((self.1.get().0, self.0.capacity()));
        }
    }

    let sizes = Cell::new((0, 0));
    let ceiling = 300_000;
    let mut decoder = LineDecoder::new(
        Watched(Vec::new(), &sizes),
        Limits::HOST.with_message(ceiling),
    );
    for length in [10, 200_000, 10, 60_000, 1_000_000, 5_000, 299_000, 10] {
        let params = "x".repeat(length);
        let line =
            format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{{\"x\":\"{params}\"}}}}\n");
        let mut items = 0;
        for mut piece in line.as_bytes().chunks(1000) {
            while let Some(item) = decoder.next_in(&mut piece) {
                assert_eq!(item.result().is_ok(), line.len() - 1 <= ceiling as usize);
                items += 1;
            }
        }
        assert_eq!(items, 1);
        assert!(decoder.next().is_none());
        assert!(sizes.get().1 <= 4096, "{length}: {:?}", sizes.get());
    }
    let (most, _) = sizes.get();
    assert!(most >= 299_000 && most <= ceiling as usize + 2, "{most}");
    // The end of the input is the end of a line's use of memory, too.
    for cut in [100_000, 1_000_000] {
        let text = [b"{\"a\":\"".to_vec(), vec![b'x'; cut]].concat();
        for mut piece in text.chunks(1000) {
            assert!(decoder.next_in(&mut piece).is_none());
        }
        assert!(sizes.get().1 > 4096 || cut > ceiling as usize);
        assert!(decoder.finish().unwrap().is_err());
        assert!(decoder.finish().is_none());
        assert!(sizes.get().1 <= 4096, "{:?} after the end", sizes.get());
    }
}

#[test]
fn messages_of_equal_bytes_are_equal_whatever_was_read_before() {
    let lines = [
        r#"{"jsonrpc":"2.0","method":"a\u001f","params":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","method":"a\u001f"}"#,
        r#"{"id":1,"method":"ping","jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","id":"\u0041","result":{"b":[]}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"\u0070ing"}"#,
    ];
    for first in lines {
        for second in lines {
            let text = format!("{first}\n{second}\n");
            let alone = wireline::parse(second.as_bytes(), &Limits::HOST).unwrap();
            for size in [text.len(), 1, 7, first.len() + 1] {
                let mut decoder = LineDecoder::new([0u8; 256], Limits::HOST);
                let mut read = 0;
                for chunk in text.as_bytes().chunks(size) {
                    let mut input = chunk;
                    while let Some(item) = decoder.next_in(&mut input) {
                        let message = item.result().unwrap();
                        read += 1;
                        if read == 2 {
                            assert_eq!(message, alone, "{second} after {first} in {size}");
                        }
                    }
                }
                assert_eq!(read, 2);
            }
        }
    }
}

/// Every place in a line is noted in 32 bits, and one value means that there is none.
#[cfg(all(feature = "std", target_pointer_width = "64"))]
#[test]
fn no_line_is_longer_than_its_places_can_be_counted() {
    let ceiling = |limits| LineDecoder::new(Vec::new(), limits).limits().message;
    assert_eq!(
        ceiling(Limits::HOST.with_message(u32::MAX - 1)),
        u32::MAX - 1
    );
    // A buffer that grows has no ceiling of its own to give.
    for limits in [
        Limits::EMBEDDED,
        Limits::HOST,
        Limits::HOST.with_message(u32::MAX),
    ] {
        assert_eq!(ceiling(limits), Limits::HOST.message);
    }
}
