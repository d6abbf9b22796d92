//! Runs the text vectors (`vectors/`) in every way in, and checks the vectors themselves against an independent reader of JSON.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use serde_json::value::RawValue;
use support::render::{self, Line};
use support::vectors::{self, Head, Item, Text, Vector};
use wireline::json::RawJson;
use wireline::{
    FaultKind, Limits, LineDecoder, Message, Part, Rejected, Storage, StreamDecoder, StreamEvent,
    parse,
};

/// Up to so many bytes a vector is cut at every place; a longer one at so many places, evenly spread, and around its line ends.
/// (Every cut of a stream costs as many runs as it has bytes, and each run reads all of it: 64 MiB would take years.)
const EVERY_CUT: usize = 2048;
/// Up to so many bytes a vector is fed byte by byte; a longer one in pieces of 4096 bytes.
const BYTE_BY_BYTE: usize = 64 * 1024;
/// Up to so many bytes a vector is run in all ways; longer ones run whole, in pieces, and at a few random cuts.
const ALL_WAYS: usize = 1 << 20;
/// Random cuttings of each vector in each way.
const RANDOM: u64 = 6;

fn directory() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors"))
}

/// All vectors that this build can run.
fn all() -> &'static [Vector] {
    static ALL: OnceLock<Vec<Vector>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut vectors = vectors::load(directory()).unwrap_or_else(|e| panic!("{e}"));
        if cfg!(not(feature = "batch")) {
            let before = vectors.len();
            vectors.retain(|v| !v.settings.batches);
            println!(
                "{} vectors ask for the feature `batch`, which this build is without",
                before - vectors.len()
            );
        }
        assert!(vectors.len() > 500, "only {} vectors", vectors.len());
        vectors
    })
}

/// Memory that grows, without the crate's feature `std`.
struct Growing(Vec<u8>);

impl Storage for Growing {
    fn bytes(&self) -> &[u8] {
        &self.0
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
    fn capacity(&self) -> usize {
        usize::MAX
    }
    /// By as little as it may, so that growing happens often.
    fn grow(&mut self, need: usize, most: usize) -> bool {
        if need > self.0.len() {
            self.0.resize((need + 16).min(most).max(need), 0xaa);
        }
        true
    }
    fn shrink(&mut self) {
        self.0.truncate(7);
    }
}

/// A stream and where its lines are.
struct Input<'v> {
    vector: &'v Vector,
    bytes: Vec<u8>,
    limits: Limits,
    longest: usize,
}

impl<'v> Input<'v> {
    fn new(vector: &'v Vector, bytes: Vec<u8>) -> Self {
        let limits = render::limits(&vector.settings);
        let longest = render::lines(&bytes, &limits)
            .iter()
            .map(|line| line.text.len())
            .max()
            .unwrap_or(0);
        Input {
            vector,
            bytes,
            limits,
            longest,
        }
    }

    fn collector(&self, way: &str) -> Collector<'_> {
        Collector {
            input: self,
            lines: render::lines(&self.bytes, &self.limits),
            next: 0,
            items: Vec::new(),
            way: way.to_owned(),
            small: false,
        }
    }
}

/// What came out so far, and what holds for every item wherever it came from.
struct Collector<'a> {
    input: &'a Input<'a>,
    lines: Vec<Line<'a>>,
    /// The line after that of the last item.
    next: usize,
    items: Vec<Item>,
    way: String,
    /// The buffer may be too small to keep the beginning of a line that is not stored.
    small: bool,
}

impl Collector<'_> {
    fn fail(&self, why: &str) -> ! {
        let vector = self.input.vector;
        panic!(
            "\n{}:{} {} ({}), {}: {why}\n--- input\nin{}\n--- expected\n{}\n--- got\n{}\n",
            vector.file,
            vector.line,
            vector.name,
            vector.doc,
            self.way,
            Text(&self.input.bytes),
            list(&vector.expected),
            list(&self.items)
        )
    }

    /// Takes an item; the line number and the stream position are what the decoder says of it, where it says them.
    fn take(&mut self, result: &Result<Message<'_>, Rejected<'_>>) -> Item {
        let item = render::item(result);
        let batch = match result {
            Ok(message) => message.batch(),
            Err(rejected) => rejected.batch(),
        };
        if batch.is_none_or(|place| place.index == 0) {
            self.next += 1;
        }
        let Some(line) = self.lines.get(self.next - 1) else {
            self.items.push(item);
            self.fail("more items than lines that are not blank");
        };
        let text = line.text;
        match result {
            Ok(message) if batch.is_none() && message.as_bytes() != text => {
                self.fail("as_bytes() is not the line")
            }
            Ok(message) if !contains(text, message.as_bytes()) => {
                self.fail("as_bytes() is no part of the line")
            }
            Err(rejected) => {
                let excerpt = rejected.excerpt();
                let matches = if batch.is_some() {
                    contains(text, excerpt)
                } else {
                    text.starts_with(excerpt)
                };
                let whole = rejected.kind() != FaultKind::NotJson
                    || self.small
                    || excerpt.len() == text.len().min(48);
                if !matches || !whole {
                    self.items.push(item);
                    self.fail(&format!("excerpt() is {}", Text(excerpt)));
                }
            }
            _ => {}
        }
        item
    }

    fn push(&mut self, item: Item, line: u64, position: u64) {
        self.items.push(item);
        let expected = &self.lines[self.next - 1];
        if (line, position) != (expected.number, expected.position) {
            let wanted = format!("line {} at {}", expected.number, expected.position);
            self.fail(&format!(
                "the decoder says line {line} at {position}, it is {wanted}"
            ));
        }
    }

    fn done(self) {
        if self.items != self.input.vector.expected {
            let both = self.items.iter().zip(&self.input.vector.expected);
            let same = both.take_while(|(got, expected)| got == expected).count();
            self.fail(&format!("item {} differs", same + 1));
        }
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

fn list(items: &[Item]) -> String {
    items.iter().map(|item| format!("{item}\n")).collect()
}

/// Over the caller's chunks.
fn over_chunks<B: Storage>(
    input: &Input<'_>,
    storage: B,
    way: &str,
    pieces: &mut dyn Iterator<Item = &[u8]>,
) {
    let mut collector = input.collector(way);
    collector.small = storage.capacity() < 512 || storage.bytes().is_empty();
    let mut decoder = LineDecoder::new(storage, input.limits);
    for piece in pieces {
        let mut rest = piece;
        while let Some(item) = decoder.next_in(&mut rest) {
            let item = collector.take(&item.result());
            collector.push(item, decoder.line(), decoder.position());
        }
        assert!(
            rest.is_empty(),
            "{way}: next_in() said None with bytes left"
        );
    }
    end(&mut decoder, &mut collector);
    collector.done();
}

/// In place; `ask` also asks after the unfinished line whenever it can.
fn in_place<B: Storage>(
    input: &Input<'_>,
    storage: B,
    limits: Limits,
    small: bool,
    ask: bool,
    way: &str,
    pieces: &mut dyn Iterator<Item = &[u8]>,
) {
    let mut collector = input.collector(way);
    collector.small = small || storage.bytes().is_empty();
    let mut decoder = LineDecoder::new(storage, limits);
    let mut unfinished = 0u64;
    let bom = input.bytes.starts_with(b"\xef\xbb\xbf");
    for piece in pieces {
        let mut rest = piece;
        while !rest.is_empty() {
            let spare = decoder.spare();
            assert!(!spare.is_empty(), "{way}: spare() is empty");
            let (now, later) = rest.split_at(rest.len().min(spare.len()));
            spare[..now.len()].copy_from_slice(now);
            decoder.commit(now.len());
            rest = later;
            while let Some(result) = decoder.next() {
                let item = collector.take(&result);
                collector.push(item, decoder.line(), decoder.position());
            }
            if ask {
                match now.iter().rposition(|byte| *byte == b'\n') {
                    Some(at) => unfinished = (now.len() - at - 1) as u64,
                    None => unfinished += now.len() as u64,
                }
                let pending = decoder.pending();
                if !bom && !decoder.is_closed() && pending.bytes != unfinished {
                    collector.fail(&format!(
                        "pending() says {pending:?}, {unfinished} bytes are unfinished"
                    ));
                }
            }
        }
    }
    end(&mut decoder, &mut collector);
    collector.done();
}

fn end<B: Storage>(decoder: &mut LineDecoder<B>, collector: &mut Collector<'_>) {
    let closed = decoder.is_closed();
    let runaway = collector
        .items
        .iter()
        .any(|item| item.fault_kind() == Some("runaway"));
    assert_eq!(
        closed, runaway,
        "{}: closed after a runaway line and never else",
        collector.way
    );
    while let Some(result) = decoder.finish() {
        let item = collector.take(&result);
        collector.items.push(item);
    }
}

/// Where a stream is cut in two.
fn cuts(bytes: &[u8]) -> Vec<usize> {
    if bytes.len() <= EVERY_CUT {
        return (0..=bytes.len()).collect();
    }
    let few = if bytes.len() <= ALL_WAYS { 64 } else { 4 };
    let mut cuts: Vec<usize> = (0..=few).map(|n| bytes.len() * n / few).collect();
    for (at, _) in bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .take(few)
    {
        cuts.extend([at.saturating_sub(1), at, at + 1]);
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// Cut at random places, the same on every run.
fn random_pieces(bytes: &[u8], seed: u64) -> Vec<&[u8]> {
    // xorshift64*: no need for more.
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move |below: usize| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    };
    let mut pieces = Vec::new();
    let mut rest = bytes;
    let longest = [2, 7, 40, 200, 5000][random(5)].max(bytes.len() / 200);
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(random(longest + 1).min(rest.len()));
        pieces.push(piece);
        rest = later;
    }
    pieces
}

/// The smallest pieces that are affordable.
fn small_pieces(bytes: &[u8]) -> std::slice::Chunks<'_, u8> {
    bytes.chunks(if bytes.len() <= BYTE_BY_BYTE { 1 } else { 4096 })
}

/// CRLF for every LF that has no CR before it; the items stay what they are.
fn crlf(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 16);
    for &byte in bytes {
        if byte == b'\n' && out.last() != Some(&b'\r') {
            out.push(b'\r');
        }
        out.push(byte);
    }
    out
}

/// Runs `f` for every vector, as it is and with CRLF, and prints how many runs that were.
fn each(what: &str, f: impl Fn(&Input<'_>) -> usize) {
    let runs = every_vector(what, |vector| {
        f(&Input::new(vector, vector.input.clone())) + f(&Input::new(vector, crlf(&vector.input)))
    });
    println!(
        "{what}: {} vectors, with LF and with CRLF, {runs} runs",
        all().len()
    );
}

/// Runs `f` for every vector and sums up; one that fails does not hide the others.
fn every_vector(what: &str, f: impl Fn(&'static Vector) -> usize) -> usize {
    let mut runs = 0;
    let mut failed = Vec::new();
    for vector in all() {
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(vector))) {
            Ok(more) => runs += more,
            Err(_) => failed.push(format!("{} {}", vector.file, vector.name)),
        }
    }
    assert!(
        failed.is_empty(),
        "{what}: {} vectors failed:\n{}",
        failed.len(),
        failed.join("\n")
    );
    runs
}

/// Fixed memory in which every line of the stream fits, and every id and method.
fn roomy(input: &Input<'_>) -> Vec<u8> {
    let tokens = 4 * input.limits.id.max(input.limits.method) as usize;
    vec![
        0;
        (input.longest.min(input.limits.message as usize) + 2)
            .max(tokens)
            .max(512)
    ]
}

#[test]
fn over_chunks_whole() {
    each("next_in, whole: fixed, growing", |input| {
        over_chunks(
            input,
            &mut roomy(input)[..],
            "next_in, fixed, whole",
            &mut std::iter::once(&input.bytes[..]),
        );
        over_chunks(
            input,
            Growing(Vec::new()),
            "next_in, growing, whole",
            &mut std::iter::once(&input.bytes[..]),
        );
        2
    });
}

#[cfg(feature = "std")]
#[test]
fn over_chunks_into_a_vec() {
    each(
        "next_in, std Vec: whole, small pieces, random cuts",
        |input| {
            over_chunks(
                input,
                Vec::new(),
                "next_in, Vec, whole",
                &mut std::iter::once(&input.bytes[..]),
            );
            over_chunks(
                input,
                Vec::new(),
                "next_in, Vec, small pieces",
                &mut small_pieces(&input.bytes),
            );
            for seed in 0..RANDOM {
                over_chunks(
                    input,
                    Vec::new(),
                    "next_in, Vec, random cuts",
                    &mut random_pieces(&input.bytes, seed).into_iter(),
                );
            }
            2 + RANDOM as usize
        },
    );
}

#[test]
fn over_chunks_byte_by_byte() {
    each("next_in, byte by byte: fixed, growing", |input| {
        over_chunks(
            input,
            &mut roomy(input)[..],
            "next_in, fixed, small pieces",
            &mut small_pieces(&input.bytes),
        );
        over_chunks(
            input,
            Growing(Vec::new()),
            "next_in, growing, small pieces",
            &mut small_pieces(&input.bytes),
        );
        2
    });
}

#[test]
fn over_chunks_at_every_cut() {
    each("next_in, every cut: growing, and fixed in turn", |input| {
        let mut fixed = roomy(input);
        for cut in cuts(&input.bytes) {
            let (a, b) = input.bytes.split_at(cut);
            over_chunks(
                input,
                Growing(Vec::new()),
                &format!("next_in, growing, cut at {cut}"),
                &mut [a, b].into_iter(),
            );
            over_chunks(
                input,
                &mut fixed[..],
                &format!("next_in, fixed, cut at {cut}"),
                &mut [a, b].into_iter(),
            );
        }
        2 * cuts(&input.bytes).len()
    });
}

#[test]
fn over_chunks_at_random_cuts() {
    each("next_in, random cuts: fixed, growing, heapless", |input| {
        let mut runs = 0;
        for seed in 0..if input.bytes.len() <= ALL_WAYS {
            RANDOM
        } else {
            1
        } {
            let pieces = random_pieces(&input.bytes, seed);
            over_chunks(
                input,
                &mut roomy(input)[..],
                "next_in, fixed, random cuts",
                &mut pieces.iter().copied(),
            );
            over_chunks(
                input,
                Growing(Vec::new()),
                "next_in, growing, random cuts",
                &mut pieces.iter().copied(),
            );
            runs += 2;
            if fits_heapless(input) {
                over_chunks(
                    input,
                    heapless::Vec::<u8, 2048>::new(),
                    "next_in, heapless, random cuts",
                    &mut pieces.iter().copied(),
                );
                runs += 1;
            }
        }
        runs
    });
}

/// Whether 2048 bytes are no lower ceiling than the vector's own.
fn fits_heapless(input: &Input<'_>) -> bool {
    (input.longest <= 2046 || input.limits.message <= 2046)
        && input.limits.id <= 512
        && input.limits.method <= 512
}

#[test]
fn in_place_whole_and_byte_by_byte() {
    each(
        "spare/commit/next, whole and byte by byte: fixed, growing, heapless",
        |input| {
            let limits = input.limits;
            let whole = || std::iter::once(&input.bytes[..]);
            in_place(
                input,
                &mut roomy(input)[..],
                limits,
                false,
                false,
                "in place, fixed, whole",
                &mut whole(),
            );
            in_place(
                input,
                Growing(Vec::new()),
                limits,
                false,
                false,
                "in place, growing, whole",
                &mut whole(),
            );
            in_place(
                input,
                &mut roomy(input)[..],
                limits,
                false,
                false,
                "in place, fixed, small pieces",
                &mut small_pieces(&input.bytes),
            );
            in_place(
                input,
                Growing(Vec::new()),
                limits,
                false,
                false,
                "in place, growing, small pieces",
                &mut small_pieces(&input.bytes),
            );
            if !fits_heapless(input) {
                return 4;
            }
            let heapless = heapless::Vec::<u8, 2048>::new;
            in_place(
                input,
                heapless(),
                limits,
                false,
                false,
                "in place, heapless, whole",
                &mut whole(),
            );
            in_place(
                input,
                heapless(),
                limits,
                false,
                false,
                "in place, heapless, small pieces",
                &mut small_pieces(&input.bytes),
            );
            6
        },
    );
}

#[test]
fn in_place_asking_after_every_byte() {
    each(
        "spare/commit/next with pending() after every piece",
        |input| {
            in_place(
                input,
                &mut roomy(input)[..],
                input.limits,
                false,
                true,
                "in place, asking, fixed",
                &mut small_pieces(&input.bytes),
            );
            in_place(
                input,
                Growing(Vec::new()),
                input.limits,
                false,
                true,
                "in place, asking, growing",
                &mut small_pieces(&input.bytes),
            );
            for seed in 0..RANDOM {
                let pieces = random_pieces(&input.bytes, seed);
                in_place(
                    input,
                    &mut roomy(input)[..],
                    input.limits,
                    false,
                    true,
                    "in place, asking, random cuts",
                    &mut pieces.into_iter(),
                );
            }
            2 + RANDOM as usize
        },
    );
}

#[test]
fn in_place_at_every_cut() {
    each("spare/commit/next, every cut: growing", |input| {
        for cut in cuts(&input.bytes) {
            let (a, b) = input.bytes.split_at(cut);
            let way = format!("in place, growing, cut at {cut}");
            in_place(
                input,
                Growing(Vec::new()),
                input.limits,
                false,
                false,
                &way,
                &mut [a, b].into_iter(),
            );
        }
        cuts(&input.bytes).len()
    });
}

/// A buffer of N bytes takes messages of N − 2 bytes: where a vector sets a ceiling, a buffer of that size must do the same.
#[test]
fn in_place_the_buffer_is_the_ceiling() {
    let count = std::cell::Cell::new(0);
    each("spare/commit/next, the buffer as ceiling", |input| {
        let Some(message) = input.vector.settings.message else {
            return 0;
        };
        // Such a buffer lowers the ceilings of id and method as well, which some vectors would notice.
        let quarter = (message as usize + 2) / 4;
        let token = |item: &Item| {
            ["id", "hint", "method"]
                .iter()
                .filter_map(|key| item.get(key).map(<[u8]>::len))
                .max()
        };
        if input
            .vector
            .expected
            .iter()
            .filter_map(token)
            .max()
            .unwrap_or(0)
            > quarter
        {
            return 0;
        }
        let limits = input.limits.with_message(u32::MAX);
        let mut memory = vec![0; message as usize + 2];
        let mut runs = 0;
        for (way, pieces) in [
            ("whole", vec![&input.bytes[..]]),
            ("byte by byte", small_pieces(&input.bytes).collect()),
        ] {
            in_place(
                input,
                &mut memory[..],
                limits,
                true,
                false,
                &format!("in place, the buffer as ceiling, {way}"),
                &mut pieces.into_iter(),
            );
            runs += 1;
        }
        for seed in 0..RANDOM {
            let pieces = random_pieces(&input.bytes, seed);
            in_place(
                input,
                &mut memory[..],
                limits,
                true,
                false,
                "in place, the buffer as ceiling, random cuts",
                &mut pieces.into_iter(),
            );
            runs += 1;
        }
        count.set(count.get() + 1);
        runs
    });
    assert!(
        count.get() > 20,
        "only {} vectors have a ceiling",
        count.get()
    );
}

/// The lines of a vector that hold one item each, with it.
fn single_lines(vector: &Vector) -> Vec<(Line<'_>, &Item)> {
    let mut lines = render::lines(&vector.input, &render::limits(&vector.settings)).into_iter();
    let mut pairs = Vec::new();
    for item in &vector.expected {
        match item.get("batch") {
            None => {
                let line = lines
                    .next()
                    .unwrap_or_else(|| panic!("{}: more items than lines", vector.name));
                pairs.push((line, item));
            }
            Some(place) if place.starts_with(b"0") => _ = lines.next(),
            Some(_) => {}
        }
    }
    let runaway = vector
        .expected
        .iter()
        .any(|item| item.fault_kind() == Some("runaway"));
    assert!(
        runaway || lines.next().is_none(),
        "{}: lines without an item",
        vector.name
    );
    pairs
}

/// Not what a line by itself is, but what the stream did.
fn of_the_stream(item: &Item) -> bool {
    matches!(item.fault_kind(), Some("truncated" | "runaway"))
}

#[test]
fn single_lines_through_parse() {
    let runs = every_vector("parse()", |vector| {
        let limits = render::limits(&vector.settings);
        let mut runs = 0;
        for (line, expected) in single_lines(vector) {
            // Where the input ended inside a line, parse() sees the end of a text instead.
            if of_the_stream(expected) || !line.ended && !vector.settings.eof_completes_line {
                continue;
            }
            let got = render::item(&parse(line.text, &limits));
            let mut expected = expected.clone();
            if expected
                .get("flags")
                .is_some_and(|flags| flags.starts_with(b"bom"))
            {
                expected.remove("flags");
            }
            assert_eq!(
                got,
                expected,
                "\n{}:{} {} through parse(): {}",
                vector.file,
                vector.line,
                vector.name,
                Text(line.text)
            );
            runs += 1;
        }
        runs
    });
    println!("parse(): {runs} lines");
    assert!(runs > 900);
}

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

/// Bytes committed where nothing is taken out: the line they belong to is lost and said to be, its neighbours are not.
#[test]
fn overrun_loses_one_line_and_says_so() {
    let limits = Limits::EMBEDDED;
    let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let mut decoder = LineDecoder::new([0u8; 256], limits);
    // An interrupt that goes on while nobody takes anything out.
    for &byte in line.iter().cycle().take(line.len() * 8) {
        decoder.spare()[0] = byte;
        decoder.commit(1);
    }
    let mut messages = 0;
    let mut faults = Vec::new();
    let mut take = |decoder: &mut LineDecoder<[u8; 256]>| {
        while let Some(result) = decoder.next() {
            match result {
                Ok(message) => {
                    assert_eq!(message.as_bytes(), &line[..line.len() - 1]);
                    messages += 1;
                }
                Err(rejected) => {
                    assert!(rejected.id().is_none(), "{rejected:?}");
                    faults.push(rejected.kind());
                }
            }
        }
    };
    take(&mut decoder);
    for &byte in line {
        decoder.spare()[0] = byte;
        decoder.commit(1);
        take(&mut decoder);
    }
    assert_eq!(faults, [FaultKind::Overrun]);
    assert_eq!(
        messages,
        256 / line.len() + 1,
        "what had come whole before, and what came after"
    );
}

/// Every fault has a vector. `overrun` has none: it comes of how a buffer is used, not of what is in the stream.
#[test]
fn every_kind_has_a_vector() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for item in all().iter().flat_map(|vector| &vector.expected) {
        let kind = match &item.head {
            Head::Message { kind } => format!("message {kind}"),
            Head::Fault { kind, .. } => kind.clone(),
        };
        *counts.entry(kind).or_default() += 1;
    }
    println!("{counts:?}");
    for kind in FaultKind::ALL {
        assert!(
            counts.remove(kind.name()).is_some() || *kind == FaultKind::Overrun,
            "no vector has {}",
            kind.name()
        );
    }
    assert!(
        counts.keys().map(String::as_str).eq([
            "message error",
            "message notification",
            "message request",
            "message result"
        ]),
        "{counts:?}"
    );
}

/// Every public fault report that concerns decoding has a vector, which names its number.
#[test]
fn every_known_report_has_a_vector() {
    let numbers = [
        1, 2, 4, 5, 7, 8, 19, 20, 22, 23, 25, 32, 34, 35, 37, 38, 52, 53, 55, 56, 58, 59, 61, 62,
        64, 65, 67, 82, 83, 91, 92, 94, 95, 97, 98, 100, 107, 109, 110, 146, 148, 152, 158,
    ];
    // The batch vectors may be out of this build, not out of the directory.
    let vectors = vectors::load(directory()).unwrap();
    for number in numbers {
        let tag = format!("B{number:03}");
        assert!(
            vectors.iter().any(|vector| vector.doc.contains(&tag)),
            "no vector names {tag}"
        );
    }
}

/// The vectors themselves against an independent reader: what they call a message is JSON, what they call broken text is not, and an
/// id is answerable only in a text that is valid as a whole.
#[test]
fn vectors_agree_with_an_independent_reader() {
    let is_json = |text: &[u8]| {
        std::str::from_utf8(text).is_ok_and(|text| serde_json::from_str::<&RawValue>(text).is_ok())
    };
    let (mut accepted, mut refused) = (0, 0);
    for vector in all() {
        for (line, item) in single_lines(vector) {
            let json = is_json(line.text);
            let whose = format!(
                "{}:{} {}\n{item}\nof: {}",
                vector.file,
                vector.line,
                vector.name,
                Text(line.text)
            );
            match &item.head {
                Head::Message { .. } => {
                    assert!(json, "not JSON, but a message: {whose}");
                    accepted += 1;
                }
                Head::Fault { kind, of, .. } => {
                    match kind.as_str() {
                        "not-json" | "syntax" | "utf8" | "cut" | "trailing" => {
                            assert!(!json, "JSON, but broken text: {whose}");
                            refused += 1;
                        }
                        // Past the depth ceiling brackets are counted and not matched.
                        "too-deep" => {}
                        "not-object" | "batch" | "empty-batch" => {
                            assert!(json, "not JSON: {whose}")
                        }
                        _ if item.get("id").is_some() => {
                            assert!(json, "not JSON, but answerable: {whose}")
                        }
                        _ if item.get("hint").is_some() && !of_the_stream(item) && line.ended => {
                            assert!(!json, "JSON, but not answerable: {whose}")
                        }
                        _ => {}
                    }
                    assert!(
                        of_the_stream(item) || *of == line.text.len() as u64,
                        "length: {whose}"
                    );
                }
            }
            if let (Head::Message { kind }, Ok(value)) = (
                &item.head,
                serde_json::from_slice::<BTreeMap<String, &RawValue>>(line.text),
            ) {
                compare_members(kind, item, &value, &whose);
            }
        }
    }
    println!("independent reader: {accepted} messages accepted, {refused} texts refused");
    assert!(accepted > 400 && refused > 300);
}

/// The members that the other reader finds are the fields of the item.
fn compare_members(kind: &str, item: &Item, value: &BTreeMap<String, &RawValue>, whose: &str) {
    let member = |name: &str| {
        value
            .get(name)
            .map(|raw| raw.get().as_bytes())
            .filter(|raw| *raw != b"null")
    };
    for name in ["id", "method", "params", "result"] {
        let stray = name == "params" && matches!(kind, "result" | "error");
        // Only this profile takes null for an id or a result.
        let null = item.get(name) == Some(b"null");
        assert!(
            stray || null || item.get(name) == member(name),
            "{name}: {whose}"
        );
    }
    if let Some(text) = item.get("method-text") {
        let decoded: String = serde_json::from_str(value["method"].get()).unwrap();
        assert_eq!(decoded.as_bytes(), text, "method-text: {whose}");
    }
    if let Some(text) = item.get("id-text") {
        let decoded: String = serde_json::from_str(value["id"].get()).unwrap();
        assert_eq!(decoded.as_bytes(), text, "id-text: {whose}");
    }
    if kind == "error" {
        let error: BTreeMap<String, &RawValue> =
            serde_json::from_str(value["error"].get()).unwrap();
        for (key, name) in [
            ("error.code", "code"),
            ("error.message", "message"),
            ("error.data", "data"),
        ] {
            assert_eq!(
                item.get(key),
                error.get(name).map(|raw| raw.get().as_bytes()),
                "{key}: {whose}"
            );
        }
    }
}
