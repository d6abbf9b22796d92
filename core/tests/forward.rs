//! Messages passed on with other ids.

#[path = "support/values.rs"]
mod values;

use proptest::prelude::*;
use serde_json::Value;
use values::*;
use wireline::encode::{OutId, StreamRenumber, WriteError};
use wireline::{Id, Kind, Limits, LineDecoder, Profile, StreamDecoder, StreamEvent, parse};

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
    forward: StreamRenumber<'_>,
    id: OutId<'_>,
    early: bool,
    ins: &[usize],
    outs: &[usize],
) -> Vec<u8> {
    forwarded_by(&Limits::HOST, input, forward, id, early, ins, outs)
}

fn forwarded_by(
    limits: &Limits,
    input: &[u8],
    mut forward: StreamRenumber<'_>,
    id: OutId<'_>,
    early: bool,
    ins: &[usize],
    outs: &[usize],
) -> Vec<u8> {
    let mut memory = [0; 512];
    let mut decoder = StreamDecoder::new(&mut memory, *limits).unwrap();
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
fn an_error_keeps_the_id_that_is_null() {
    let null = b"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"\"}}\n";
    let last = b"{\"error\":{\"code\":-32700,\"message\":\"\"},\"id\":null,\"jsonrpc\":\"2.0\"}\n";
    let absent = b"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"\"}}\n";
    let profiles = [Profile::Mcp, Profile::JsonRpc].map(|it| Limits::HOST.with_profile(it));
    for (line, has) in [(&null[..], true), (&last[..], true), (&absent[..], false)] {
        for (ins, outs) in [([1024], [512]), ([1], [1]), ([7], [3])] {
            for limits in &profiles {
                null_is_kept(limits, line, has, false, &ins, &outs);
                null_is_kept(limits, line, has, true, &ins, &outs);
            }
        }
    }
}

fn null_is_kept(
    limits: &Limits,
    line: &[u8],
    has: bool,
    early: bool,
    ins: &[usize],
    outs: &[usize],
) {
    let forward = StreamRenumber::new();
    let sent = forwarded_by(limits, line, forward, OutId::Int(5), early, ins, outs);
    let value: Value = serde_json::from_slice(&sent).unwrap();
    assert_eq!(value["error"]["code"], -32700);
    assert_eq!(value.get("id"), has.then_some(&Value::Null), "{value}");
    assert!(sent.ends_with(b"}\n"));
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
