//! Messages whose payload comes in pieces.

#[path = "support/values.rs"]
mod values;

use proptest::prelude::*;
use serde_json::Value;
use values::*;
use wireline::FaultKind;
use wireline::encode::{ErrorId, MessageWriter, Outgoing, Payload, WriteError};
use wireline::json::{self, JsonKind, RawJson};

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
                prop_assert_eq!(compact(&stream), compact(&expected));
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

fn compact(text: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; text.len()];
    let raw = RawJson::validate(text).unwrap();
    raw.compact_into(&mut buffer).unwrap().as_bytes().to_vec()
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

/// What waits for room is not lost where the message turns out to be incomplete.
#[test]
fn an_end_that_comes_too_early_writes_nothing() {
    let mut message = MessageWriter::new(Outgoing::result(1, Payload::None)).unwrap();
    let (mut line, mut out) = (Vec::new(), [0; 64]);
    let cut = |result: Result<usize, WriteError>| match result {
        Err(WriteError::Invalid(invalid)) => assert_eq!(invalid.kind, FaultKind::Cut),
        other => panic!("{other:?}"),
    };
    cut(message.finish(&mut out));
    let (used, written) = message.body(b"{\"a\":", &mut out).unwrap();
    assert_eq!(used, 5);
    line.extend_from_slice(&out[..written]);
    message.begin_text().unwrap();
    message.end_string().unwrap();
    cut(message.finish(&mut out));
    let (_, written) = message.body(b"}", &mut out).unwrap();
    line.extend_from_slice(&out[..written]);
    let written = message.finish(&mut out).unwrap();
    line.extend_from_slice(&out[..written]);
    assert_eq!(
        line,
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\"}}\n"
    );
}
