//! Every short text over a JSON alphabet, against an independent reader: `from_utf8`, then `serde_json`'s `&RawValue`.
//!
//! Surrogates and depth stand apart: that reader has no opinion of either, and these texts are too short for the ceiling.
#![allow(clippy::disallowed_methods, reason = "a test may panic")]

use serde_json::value::RawValue;
use wireline::json::RawJson;
use wireline::{FaultClass, FaultKind, Item, Limits, LineDecoder, Message, Rejected};

/// Symbols of structure, numbers and literals; texts of up to so many of them.
const SYMBOLS: [&[u8]; 15] = [
    b"{", b"}", b"[", b"]", b",", b":", b"\"", b"\\", b"\\u00", b"0", b"1", b"-", b".", b"e",
    b"null",
];
const LONGEST: usize = 6;
/// The same and what else the grammar has: white space, the other literals, and exponents in full. Of these texts, those
/// with one of the new symbols.
const MORE_SYMBOLS: [&[u8]; 20] = [
    b"{", b"}", b"[", b"]", b",", b":", b"\"", b"\\", b"\\u00", b"0", b"1", b"-", b".", b"e",
    b"null", b" ", b"true", b"false", b"E", b"+",
];
const LONGEST_OF_MORE: usize = 5;
/// What may stand in a string, or break it.
const CHARACTERS: [&[u8]; 16] = [
    b"\"",
    b"\\",
    b"u",
    b"d",
    b"8",
    b"0",
    b"n",
    b"\\ud83d",
    b"\x1f",
    b"\xc3",
    b"\xa9",
    b"\xe2",
    b"\x82",
    b"\xed",
    b"\xa0",
    b"\xf0\x9f",
];
const LONGEST_STRING: usize = 5;

fn oracle(text: &[u8]) -> Result<&str, bool> {
    let text = std::str::from_utf8(text).map_err(|_| false)?;
    serde_json::from_str::<&RawValue>(text)
        .map(RawValue::get)
        .map_err(|e| e.is_eof())
}

/// Calls `f` with every text of up to `longest` symbols that begins with `first`.
fn every_text(symbols: &[&[u8]], longest: usize, first: usize, f: &mut dyn FnMut(&[u8])) {
    fn below(symbols: &[&[u8]], left: usize, text: &mut Vec<u8>, f: &mut dyn FnMut(&[u8])) {
        f(text);
        if left > 0 {
            for symbol in symbols {
                text.extend_from_slice(symbol);
                below(symbols, left - 1, text, f);
                text.truncate(text.len() - symbol.len());
            }
        }
    }
    below(symbols, longest - 1, &mut symbols[first].to_vec(), f);
}

/// Runs `check` over every text, on as many threads as there are processors, and returns how many texts that were.
fn run<C: Checker>(symbols: &'static [&'static [u8]], longest: usize) -> u64 {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut checker = C::new();
                    let mut count = 0;
                    loop {
                        let first = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        if first >= symbols.len() {
                            return count;
                        }
                        every_text(symbols, longest, first, &mut |text| {
                            checker.check(text);
                            count += 1;
                        });
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a text was judged wrongly"))
            .sum()
    })
}

trait Checker {
    fn new() -> Self;
    fn check(&mut self, text: &[u8]);
}

/// `RawJson::validate` by itself.
struct Validate;

impl Checker for Validate {
    fn new() -> Self {
        Validate
    }

    fn check(&mut self, text: &[u8]) {
        validate(text);
    }
}

fn validate(text: &[u8]) {
    let shown = || String::from_utf8_lossy(text).into_owned();
    match (oracle(text), RawJson::validate(text)) {
        (Ok(theirs), Ok(ours)) => assert_eq!(theirs, ours.as_str(), "{}", shown()),
        (Err(eof), Err(invalid)) => {
            assert!(invalid.offset <= text.len(), "{}: {invalid:?}", shown());
            // The other reader takes four hex digits at once, so it calls a bad one near the end the end.
            let hex = text.windows(2).any(|pair| pair == b"\\u");
            assert!(
                !eof || hex || invalid.kind == FaultKind::Cut,
                "{} is cut, not {invalid:?}",
                shown()
            );
            // What stands before the fault can still become JSON: it is whole or cut, never wrong.
            if invalid.kind != FaultKind::Cut {
                match RawJson::validate(&text[..invalid.offset]) {
                    Ok(_) => {}
                    Err(before) => assert_eq!(
                        before.kind,
                        FaultKind::Cut,
                        "{}: {invalid:?}, but before it {before:?}",
                        shown()
                    ),
                }
            } else {
                assert_eq!(invalid.offset, text.len(), "{}: {invalid:?}", shown());
            }
        }
        (theirs, ours) => panic!("{}: {theirs:?}, but {ours:?}", shown()),
    }
}

/// Another checker, for texts with a symbol that only `MORE_SYMBOLS` has.
struct More<C>(C);

impl<C: Checker> Checker for More<C> {
    fn new() -> Self {
        More(C::new())
    }

    fn check(&mut self, text: &[u8]) {
        if text.iter().any(|byte| b" tfE+".contains(byte)) {
            self.0.check(text);
        }
    }
}

/// The line decoder, whole and byte by byte, over the text as a line and as the value of a member.
struct Lines {
    whole: LineDecoder<[u8; 512]>,
    pieces: LineDecoder<[u8; 512]>,
    line: Vec<u8>,
}

/// What is compared of an item.
#[derive(Debug, PartialEq)]
enum Came {
    Nothing,
    Message(Vec<u8>),
    Fault(FaultKind, u64, u64),
}

fn came(item: Result<Message<'_>, Rejected<'_>>) -> Came {
    match item {
        Ok(message) => Came::Message(
            message
                .params()
                .map(|p| p.as_bytes().to_vec())
                .unwrap_or_default(),
        ),
        Err(rejected) => Came::Fault(rejected.kind(), rejected.offset(), rejected.length()),
    }
}

impl Checker for Lines {
    fn new() -> Self {
        Lines {
            whole: LineDecoder::new([0; 512], Limits::HOST),
            pieces: LineDecoder::new([0; 512], Limits::HOST),
            line: Vec::new(),
        }
    }

    fn check(&mut self, text: &[u8]) {
        self.line.clear();
        self.line.extend_from_slice(text);
        self.judge();
        self.line.clear();
        self.line
            .extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"v\":");
        self.line.extend_from_slice(text);
        self.line.extend_from_slice(b"}}");
        self.judge();
    }
}

impl Lines {
    /// Takes what is in `line` for a line.
    fn judge(&mut self) {
        let expected = oracle(&self.line).is_ok();
        self.line.push(b'\n');
        let mut input = self.line.as_slice();
        let whole = match self.whole.next_in(&mut input) {
            None => Came::Nothing,
            Some(Item::InChunk(item)) => came(item),
            Some(Item::InBuffer(item)) => panic!("not read in place: {item:?}"),
        };
        let mut pieces = Came::Nothing;
        for byte in self.line.chunks(1) {
            let mut input = byte;
            if let Some(item) = self.pieces.next_in(&mut input) {
                assert_eq!(pieces, Came::Nothing);
                pieces = came(item.result());
            }
        }
        self.line.pop();
        let shown = || String::from_utf8_lossy(&self.line).into_owned();
        assert_eq!(whole, pieces, "{} in one piece and byte by byte", shown());
        let valid = match &whole {
            // A blank line, of which nothing comes.
            Came::Nothing => {
                let blank = self.line.iter().all(|byte| b" \t\r".contains(byte));
                assert!(blank, "{}: nothing", shown());
                return;
            }
            Came::Message(_) => true,
            Came::Fault(kind, at, of) => {
                assert!(
                    at <= of && *of == self.line.len() as u64,
                    "{}: {whole:?}",
                    shown()
                );
                !matches!(kind.class(), FaultClass::Noise | FaultClass::Text)
            }
        };
        // An unpaired surrogate in a name is the first fault, whatever stands behind it.
        if matches!(whole, Came::Fault(FaultKind::LoneSurrogate, ..)) {
            return;
        }
        assert_eq!(valid, expected, "{}: {whole:?}", shown());
        if let Came::Message(params) = &whole
            && !params.is_empty()
        {
            validate(params);
        }
    }
}

#[test]
fn structure_through_validate() {
    let count = run::<Validate>(&SYMBOLS, LONGEST);
    println!("{count} texts of up to {LONGEST} symbols through RawJson::validate");
    assert_eq!(
        count,
        (1..=LONGEST as u32)
            .map(|n| (SYMBOLS.len() as u64).pow(n))
            .sum::<u64>()
    );
}

#[test]
fn structure_through_the_line_decoder() {
    let count = run::<Lines>(&SYMBOLS, LONGEST);
    println!(
        "{count} texts of up to {LONGEST} symbols through the line decoder, as lines and as members, whole and byte by byte"
    );
}

#[test]
fn white_space_literals_and_exponents_through_both() {
    let count = run::<More<Validate>>(&MORE_SYMBOLS, LONGEST_OF_MORE);
    assert_eq!(count, run::<More<Lines>>(&MORE_SYMBOLS, LONGEST_OF_MORE));
    println!("{count} texts of up to {LONGEST_OF_MORE} of more symbols through both");
}

struct Quoted(Lines, Vec<u8>);

impl Checker for Quoted {
    fn new() -> Self {
        Quoted(Lines::new(), Vec::new())
    }

    fn check(&mut self, text: &[u8]) {
        self.1.clear();
        self.1.push(b'"');
        self.1.extend_from_slice(text);
        self.1.push(b'"');
        validate(&self.1);
        // As a value, and as a name.
        self.0.check(&self.1);
        self.0.line.clear();
        self.0
            .line
            .extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",");
        self.0.line.extend_from_slice(&self.1);
        self.0.line.extend_from_slice(b":1}");
        self.0.judge();
    }
}

#[test]
fn strings_through_both() {
    let count = run::<Quoted>(&CHARACTERS, LONGEST_STRING);
    println!(
        "{count} strings of up to {LONGEST_STRING} symbols through both, as lines, values and names"
    );
}
