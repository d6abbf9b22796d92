//! The vectors, and the ways to run them through a line decoder.

use std::path::Path;
use std::sync::OnceLock;

use wireline::{FaultKind, Limits, LineDecoder, Message, Rejected, Storage};

use super::pieces::crlf;
use super::render::{self, Line};
use super::vectors::{self, Item, Text, Vector};

pub fn directory() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors"))
}

/// All vectors that this build can run.
pub fn all() -> &'static [Vector] {
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
pub struct Growing(pub Vec<u8>);

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
pub struct Input<'v> {
    pub vector: &'v Vector,
    pub bytes: Vec<u8>,
    pub limits: Limits,
    pub longest: usize,
}

impl<'v> Input<'v> {
    pub fn new(vector: &'v Vector, bytes: Vec<u8>) -> Self {
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
pub struct Collector<'a> {
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

    /// `place` is the decoder's line and position, which it tells with the feature `std`.
    fn push(&mut self, item: Item, place: Option<(u64, u64)>) {
        self.items.push(item);
        let expected = &self.lines[self.next - 1];
        let wanted = (expected.number, expected.position);
        if place.is_some_and(|place| place != wanted) {
            self.fail(&format!(
                "the decoder says it is at {place:?}, it is at {wanted:?}"
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

pub fn contains(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window == part)
}

pub fn list(items: &[Item]) -> String {
    items.iter().map(|item| format!("{item}\n")).collect()
}

/// Over the caller's chunks.
pub fn over_chunks<B: Storage>(
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
            collector.push(item, place(&decoder));
        }
        assert!(
            rest.is_empty(),
            "{way}: next_in() said None with bytes left"
        );
    }
    end(&mut decoder, &mut collector);
    collector.done();
}

/// How a stream is read in place.
#[derive(Clone, Copy)]
pub struct InPlace {
    pub limits: Limits,
    /// The buffer is the ceiling, so it may be too small for the beginning of a longer line.
    pub small: bool,
    /// Asks after the unfinished line whenever it can.
    pub ask: bool,
}

impl InPlace {
    pub fn of(input: &Input<'_>) -> Self {
        InPlace {
            limits: input.limits,
            small: false,
            ask: false,
        }
    }
}

/// In place.
pub fn in_place<B: Storage>(
    input: &Input<'_>,
    storage: B,
    how: InPlace,
    way: &str,
    pieces: &mut dyn Iterator<Item = &[u8]>,
) {
    let InPlace { limits, small, ask } = how;
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
                collector.push(item, place(&decoder));
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

pub fn end<B: Storage>(decoder: &mut LineDecoder<B>, collector: &mut Collector<'_>) {
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

/// Runs `f` for every vector, as it is and with CRLF, and prints how many runs that were.
pub fn each(what: &str, f: impl Fn(&Input<'_>) -> usize) {
    let runs = every_vector(what, |vector| {
        f(&Input::new(vector, vector.input.clone())) + f(&Input::new(vector, crlf(&vector.input)))
    });
    println!(
        "{what}: {} vectors, with LF and with CRLF, {runs} runs",
        all().len()
    );
}

/// Runs `f` for every vector and sums up; one that fails does not hide the others.
pub fn every_vector(what: &str, f: impl Fn(&'static Vector) -> usize) -> usize {
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
pub fn roomy(input: &Input<'_>) -> Vec<u8> {
    let tokens = 4 * input.limits.id.max(input.limits.method) as usize;
    vec![
        0;
        (input.longest.min(input.limits.message as usize) + 2)
            .max(tokens)
            .max(512)
    ]
}

#[cfg(feature = "std")]
fn place<B: Storage>(decoder: &LineDecoder<B>) -> Option<(u64, u64)> {
    Some((decoder.line(), decoder.position()))
}

#[cfg(not(feature = "std"))]
fn place<B: Storage>(_: &LineDecoder<B>) -> Option<(u64, u64)> {
    None
}

/// The lines of a vector that hold one item each, with it.
pub fn single_lines(vector: &Vector) -> Vec<(Line<'_>, &Item)> {
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
pub fn of_the_stream(item: &Item) -> bool {
    matches!(item.fault_kind(), Some("truncated" | "runaway"))
}
