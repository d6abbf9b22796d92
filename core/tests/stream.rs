//! The stream decoder in as little memory as it asks for, and what ends a stream.

use wireline::{FaultKind, Kind, Limits, StreamDecoder, StreamEvent};

/// How the last message of some bytes ended: its kind and id, or the fault.
fn last(decoder: &mut StreamDecoder<'_>, mut input: &[u8]) -> (&'static str, Option<String>) {
    let mut end = ("nothing", None);
    loop {
        let (used, event) = decoder.step(input);
        input = &input[used..];
        match event {
            StreamEvent::NeedInput => return end,
            StreamEvent::End(head) => {
                let kind = head.kind().map_or("none", |kind| kind.name());
                end = (kind, head.id().map(|id| id.as_raw().to_owned()));
            }
            StreamEvent::Fault(fault) => end = (fault.kind().name(), None),
            _ => {}
        }
    }
}

/// A token that does not fit leaves the room of those that are still to come.
#[test]
fn tokens_that_do_not_fit_cost_the_id_nothing() {
    let long = "x".repeat(90);
    let id = "\"00000000-0000-4000-8000-000000000001\"";
    let line = format!(
        "{{\"method\":\"m\",\"params\":{{\"_meta\":{{\"progressToken\":\"{long}\",\"io.modelcontextprotocol/logLevel\":\"{long}\",\
         \"io.modelcontextprotocol/subscriptionId\":\"{long}\",\"io.modelcontextprotocol/protocolVersion\":\"{long}\"}},\
         \"requestId\":\"{long}\"}},\"jsonrpc\":\"2.0\",\"id\":{id}}}\n"
    );
    let mut memory = [0; StreamDecoder::LEAST];
    let mut decoder = StreamDecoder::new(&mut memory, Limits::EMBEDDED).unwrap();
    assert_eq!(
        last(&mut decoder, line.as_bytes()),
        ("request", Some(id.to_owned()))
    );
    let line = format!(
        "{{\"params\":{{\"progressToken\":\"{long}\"}},\"error\":{{\"code\":-32600,\"message\":\"m\"}},\"jsonrpc\":\"2.0\",\"id\":1}}\n"
    );
    assert_eq!(
        last(&mut decoder, line.as_bytes()),
        ("error", Some("1".to_owned()))
    );
}

/// Memory past what 16 bits count is not used, and harms nothing.
#[test]
fn more_memory_than_can_be_counted() {
    let long = "x".repeat(70_000);
    let line = format!(
        "{{\"method\":\"m\",\"params\":{{\"progressToken\":\"{long}\"}},\"jsonrpc\":\"2.0\",\"id\":1}}\n"
    );
    let mut memory = vec![0; 1 << 20];
    let mut decoder = StreamDecoder::new(&mut memory, Limits::EMBEDDED).unwrap();
    assert_eq!(
        last(&mut decoder, line.as_bytes()),
        ("request", Some("1".to_owned()))
    );
}

/// Without a message ceiling, an endless line is one that is void for too long.
#[test]
fn a_void_line_runs_away_and_a_body_does_not() {
    let mut memory = [0; StreamDecoder::LEAST];
    let limits = Limits::EMBEDDED.with_max_discard(1000);
    let mut decoder = StreamDecoder::new(&mut memory, limits).unwrap();
    let body = "x".repeat(5000);
    let good = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"t\":\"{body}\"}}}}\n");
    assert_eq!(
        last(&mut decoder, good.as_bytes()),
        ("result", Some("1".to_owned()))
    );
    assert_eq!(last(&mut decoder, body.as_bytes()), ("runaway", None));
    assert!(decoder.is_closed());
    assert_eq!(last(&mut decoder, good.as_bytes()), ("nothing", None));
    decoder.reset();
    assert_eq!(
        last(&mut decoder, good.as_bytes()),
        ("result", Some("1".to_owned()))
    );
}

/// It is counted from where the text breaks, however early the line was void.
#[test]
fn a_line_that_breaks_late_is_passed_over_as_far_as_another() {
    let limits = Limits::EMBEDDED.with_max_discard(1000);
    let body = "x".repeat(5000);
    let void = format!("{{\"jsonrpc\":\"1.0\",\"id\":1,\"result\":{{\"t\":\"{body}\"}}");
    for (garbage, expected) in [
        // Void and whole, however long.
        (format!("{void}}}\n"), "bad-version"),
        (format!("{void}!\n"), "bad-version"),
        (format!("{void}!{}\n", "y".repeat(999)), "bad-version"),
        (format!("{void}!{}\n", "y".repeat(1000)), "runaway"),
    ] {
        for size in [1, 7, 64, 10_000] {
            let mut memory = [0; StreamDecoder::LEAST];
            let mut decoder = StreamDecoder::new(&mut memory, limits).unwrap();
            let mut found = "nothing";
            let mut length = 0;
            for mut piece in garbage.as_bytes().chunks(size) {
                while !piece.is_empty() {
                    let (used, event) = decoder.step(piece);
                    piece = &piece[used..];
                    if let StreamEvent::Fault(fault) = event {
                        (found, length) = (fault.kind().name(), fault.length());
                    }
                }
            }
            assert_eq!(found, expected, "in pieces of {size}");
            let whole = garbage.len() as u64 - 1;
            assert_eq!(
                length,
                whole.min(void.len() as u64 + 1000),
                "in pieces of {size}"
            );
        }
    }
}

/// What was known of bytes that never came is forgotten at the end of the input.
#[test]
fn a_new_stream_begins_afresh() {
    let mut memory = [0; StreamDecoder::LEAST];
    let mut decoder = StreamDecoder::new(&mut memory, Limits::EMBEDDED).unwrap();
    let first = b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"a\":1}}";
    let (used, event) = decoder.step(first);
    assert!(used < first.len() && matches!(event, StreamEvent::Head(_)));
    match decoder.finish() {
        Some(StreamEvent::Fault(fault)) => assert_eq!(fault.kind(), FaultKind::Truncated),
        other => panic!("{other:?}"),
    }
    let next = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"m\"}\n";
    // Nothing of the body that was about to come either.
    let (used, event) = decoder.step(next);
    assert!(
        matches!(&event, StreamEvent::End(head) if head.kind() == Some(Kind::Request)),
        "{event:?}"
    );
    let next = &next[used..];
    assert_eq!(last(&mut decoder, next), ("request", Some("2".to_owned())));
}

/// Nor does it cost the other tokens theirs.
#[test]
fn a_token_that_does_not_fit_leaves_its_room() {
    let long = "x".repeat(150);
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{{\"progressToken\":\"{long}\",\"requestId\":7}}}}\n"
    );
    let mut memory = [0; StreamDecoder::LEAST];
    let mut decoder = StreamDecoder::new(&mut memory, Limits::EMBEDDED).unwrap();
    let mut input = line.as_bytes();
    loop {
        let (used, event) = decoder.step(input);
        input = &input[used..];
        match event {
            StreamEvent::End(head) => {
                assert_eq!(head.meta().progress_token(), None);
                assert_eq!(head.meta().request_id().and_then(|id| id.as_i64()), Some(7));
                return;
            }
            StreamEvent::NeedInput => panic!("the line came to nothing"),
            _ => {}
        }
    }
}
