//! What is sent: against `serde_json`, and back through this crate's own decoder.

#[path = "support/values.rs"]
mod values;

use proptest::prelude::*;
use serde_json::{Map, Value};
use values::*;
use wireline::encode::{self, ErrorId, OutId, Outgoing, Payload, Pieces, WriteError};
use wireline::json::{self, JsonKind, RawJson, ToJson};
use wireline::{FaultKind, Id, Kind, Limits, LineDecoder, Message, Profile, parse};

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
    let data = json::from_fn(|w| {
        w.begin_object().key("max").int(5).end_object();
    });
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
        let writes_itself = json::from_fn(|w| {
            w.raw(raw);
        });
        let nested: &dyn ToJson = &&&writes_itself;
        let inside = json::from_fn(|w| {
            w.value(&writes_itself);
        });
        for payload in [
            Payload::from(raw),
            Payload::from(&writes_itself),
            Payload::from(nested),
            Payload::from(&inside),
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
            if window > first + 46 {
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

/// So many objects, one inside the other.
fn objects(depth: usize) -> String {
    format!(
        "{}{{}}{}",
        "{\"a\":".repeat(depth - 1),
        "}".repeat(depth - 1)
    )
}

#[test]
fn what_is_written_is_not_too_deep_for_a_reader() {
    let read = |written: Result<Vec<u8>, WriteError>| match written {
        Ok(line) => {
            decoded(&line, Profile::Mcp, |_| {});
            true
        }
        Err(error) => {
            assert_eq!(error, WriteError::TooDeep);
            false
        }
    };
    // Brackets in strings count for nothing, and breadth is not depth.
    let wide = format!("[{}\"{}\"]", "[[]],".repeat(200), "[{".repeat(200));
    for depth in 120..=127 {
        let text = objects(depth);
        let raw = RawJson::validate(text.as_bytes()).unwrap();
        let wrapped = json::from_fn(|w| {
            w.begin_object()
                .member("wide", &RawJson::validate(wide.as_bytes()).unwrap())
                .member("raw", &raw)
                .end_object();
        });
        for (message, around) in [
            (Outgoing::request(1, "m").params(raw), 1),
            (Outgoing::notification("m").params(raw), 1),
            (Outgoing::result(1, raw), 1),
            (Outgoing::error(1, 1, "m").data(raw), 2),
            (Outgoing::result(1, &wrapped), 2),
            (Outgoing::error(1, 1, "m").data(&wrapped), 3),
        ] {
            let fits = depth + around <= 127;
            assert_eq!(read(line(&message)), fits, "{depth} in {message:?}");
            assert_eq!(message.pieces().is_ok(), fits);
            assert_eq!(message.line_len().is_ok(), fits);
        }
        let batch = [Outgoing::result(1, raw), Outgoing::result(2, raw)];
        let mut buffer = vec![0; 4096];
        let written = encode::write_line(&batch, &mut buffer);
        assert_eq!(written.is_ok(), depth + 2 <= 127, "{depth} in a batch");
    }
    // A value's own containers and a fragment's count together.
    let text = objects(70);
    let raw = RawJson::validate(text.as_bytes()).unwrap();
    for own in [50, 56, 57] {
        let value = json::from_fn(|w| {
            for _ in 0..own {
                w.begin_object().key("a");
            }
            w.raw(raw);
            for _ in 0..own {
                w.end_object();
            }
        });
        let message = Outgoing::result(1, &value);
        assert_eq!(read(line(&message)), own <= 56, "{own}");
    }
}

proptest! {
    /// Whatever a fragment holds between its tokens, and whichever way it takes.
    #[test]
    fn no_line_holds_a_raw_line_break(value in any_object(), seed: u64, size in 1usize..40) {
        let text = loose(&value, &mut spaces(seed));
        let raw = RawJson::validate(text.as_bytes()).unwrap();
        let inside = json::from_fn(|w| { w.begin_object().member("a", &raw).end_object(); });
        let framed = format!("{{\r\n\"jsonrpc\":\"2.0\",\n\"id\" : 1,\"method\":\"m\",\"params\":{text}\n}}");
        let received = parse(framed.as_bytes(), &Limits::HOST).unwrap();
        let renumbered = received.renumber().id("a");
        let messages = [
            Outgoing::request(1, "a\r\nb").params(raw),
            Outgoing::result("a\r\nb", raw),
            Outgoing::result(1, &inside),
            Outgoing::error(1, 1, "a\r\nb").data(raw),
        ];
        let mut values: Vec<&dyn ToJson> = vec![&messages, &renumbered, &raw];
        values.extend(messages.iter().map(|message| message as &dyn ToJson));
        for value in values {
            let mut buffer = vec![0; 4 * text.len() + 1024];
            let length = encode::write_line(value, &mut buffer).unwrap();
            let whole = &buffer[..length];
            let breaks = whole.iter().filter(|byte| b"\r\n".contains(byte)).count();
            prop_assert_eq!((breaks, whole.last()), (1, Some(&b'\n')));
            let mut pieces = Pieces::line(value).unwrap();
            let (mut sent, mut piece) = (Vec::new(), vec![0; size]);
            while let n @ 1.. = pieces.fill(&mut piece).unwrap() {
                sent.extend_from_slice(&piece[..n]);
            }
            prop_assert_eq!(sent.as_slice(), whole);
        }
    }
}
