//! Runs the text vectors (`vectors/`) through the stream decoder, which must come to the same verdicts.
#![allow(clippy::disallowed_methods, reason = "a test may panic")]

mod support;

use std::collections::BTreeMap;

use support::pieces::{ALL_WAYS, RANDOM, crlf, cuts, random_pieces, small_pieces};
use support::render;
use support::suite::{all, every_vector, list};
use support::vectors::{Item, Text, Vector};
use wireline::json::RawJson;
use wireline::{Limits, Part, StreamDecoder, StreamEvent};

/// One line's events from a stream decoder.
#[derive(Debug, Default)]
struct Streamed {
    items: Vec<(Item, BTreeMap<&'static str, Vec<u8>>)>,
    bodies: BTreeMap<&'static str, Vec<u8>>,
    heads: usize,
}

impl Streamed {
    fn take(&mut self, event: StreamEvent<'_>) {
        match event {
            StreamEvent::NeedInput => {}
            StreamEvent::Head(head) => {
                assert!(head.kind().is_none() && !head.is_final());
                self.heads += 1;
            }
            StreamEvent::Body { part, bytes } => {
                let part = match part {
                    Part::Params => "params",
                    Part::Result => "result",
                    Part::Error => "error",
                };
                self.bodies
                    .entry(part)
                    .or_default()
                    .extend_from_slice(bytes);
            }
            StreamEvent::End(head) => {
                let mut item = Item::message(head.kind().expect("the last head is final").name());
                if let Some(id) = head.id() {
                    item.set("id", id.as_raw());
                }
                if let Some(method) = head.method() {
                    item.set("method", format!("\"{}\"", method.raw()));
                }
                // The plain tokens of the captured fields are kept where memory allows.
                let meta = head.meta();
                for (key, id) in [
                    ("meta.progress-token", meta.progress_token()),
                    ("meta.request-id", meta.request_id()),
                ] {
                    if let Some(id) = id {
                        item.set(key, id.as_raw());
                    }
                }
                if let Some(code) = meta.error_code() {
                    item.set("error.code", code.as_str());
                }
                self.items.push((item, std::mem::take(&mut self.bodies)));
            }
            StreamEvent::Fault(rejected) => self.items.push((
                render::fault_item(&rejected),
                std::mem::take(&mut self.bodies),
            )),
        }
    }
}

fn stream(bytes: &mut dyn Iterator<Item = &[u8]>, limits: Limits) -> Streamed {
    let mut memory = vec![0; 4096];
    let mut decoder = StreamDecoder::new(&mut memory, limits).unwrap();
    let mut streamed = Streamed::default();
    for piece in bytes {
        let mut rest = piece;
        loop {
            let (used, event) = decoder.step(rest);
            let done = matches!(event, StreamEvent::NeedInput);
            streamed.take(event);
            rest = &rest[used..];
            if done {
                assert!(rest.is_empty(), "NeedInput with input left");
                break;
            }
        }
    }
    if let Some(event) = decoder.finish() {
        streamed.take(event);
    }
    streamed
}

/// What of a line decoder's item a stream decoder tells too.
fn as_streamed(item: &Item) -> Item {
    let mut item = item.clone();
    if item.is_message() {
        let told = [
            "id",
            "method",
            "meta.progress-token",
            "meta.request-id",
            "error.code",
        ];
        item.fields.retain(|(key, _)| told.contains(&key.as_str()));
    }
    item
}

fn check_streamed(vector: &Vector, way: &str, streamed: &Streamed) {
    let whose = format!(
        "\n{}:{} {} through the stream decoder, {way}",
        vector.file, vector.line, vector.name
    );
    let got: Vec<&Item> = streamed.items.iter().map(|(item, _)| item).collect();
    let expected: Vec<Item> = vector.expected.iter().map(as_streamed).collect();
    assert!(
        got.iter().copied().eq(expected.iter()),
        "{whose}\n--- input\nin{}\n--- expected\n{}--- got\n{}",
        Text(&vector.input),
        list(&expected),
        streamed
            .items
            .iter()
            .map(|(item, _)| format!("{item}\n"))
            .collect::<String>()
    );
    for (item, (_, bodies)) in vector.expected.iter().zip(&streamed.items) {
        if !item.is_message() {
            continue;
        }
        for key in ["params", "result"] {
            if let Some(value) = item.get(key) {
                assert_eq!(
                    bodies.get(key).map(Vec::as_slice),
                    Some(value),
                    "{whose}: {key} in pieces"
                );
            }
        }
        if item.get("error.code").is_some() {
            let body = bodies.get("error").expect("an error has a body");
            let error =
                RawJson::validate(body).unwrap_or_else(|e| panic!("{whose}: error in pieces: {e}"));
            assert_eq!(error.as_bytes(), body, "{whose}: error in pieces");
            for (key, name) in [
                ("error.code", "code"),
                ("error.message", "message"),
                ("error.data", "data"),
            ] {
                assert_eq!(
                    error.get(name).map(|v| v.as_bytes()),
                    item.get(key),
                    "{whose}: {key} in pieces"
                );
            }
        }
    }
}

/// The stream decoder gives the same verdicts. Batches it never takes, so vectors that ask for them stay out.
#[test]
fn through_the_stream_decoder() {
    let count = all()
        .iter()
        .filter(|vector| !vector.settings.batches)
        .count();
    let runs = every_vector("stream decoder", |vector| {
        if vector.settings.batches {
            return 0;
        }
        let mut runs = 0;
        let limits = render::limits(&vector.settings);
        for bytes in [vector.input.clone(), crlf(&vector.input)] {
            let mut run = |way: &str, pieces: &mut dyn Iterator<Item = &[u8]>| {
                check_streamed(vector, way, &stream(pieces, limits));
                runs += 1;
            };
            run("whole", &mut std::iter::once(&bytes[..]));
            run("small pieces", &mut small_pieces(&bytes));
            for cut in cuts(&bytes) {
                let (a, b) = bytes.split_at(cut);
                run(&format!("cut at {cut}"), &mut [a, b].into_iter());
            }
            for seed in 0..if bytes.len() <= ALL_WAYS { RANDOM } else { 1 } {
                run("random cuts", &mut random_pieces(&bytes, seed).into_iter());
            }
        }
        runs
    });
    println!("stream decoder: {count} vectors, with LF and with CRLF, {runs} runs");
}
