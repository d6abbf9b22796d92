//! What the fuzzers once found, and the test vectors' files, as bytes through the decoders: as much of it as needs no
//! feature. `regressions.rs` replays the same through the fuzzers' own bodies.

use std::fs;
use std::path::{Path, PathBuf};

use wireline::json::RawJson;
use wireline::{Limits, LineDecoder, Message, Rejected, StreamDecoder, StreamEvent, parse};

fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries =
        fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    for entry in entries {
        let path = entry.expect("a directory entry").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn told(item: Result<Message<'_>, Rejected<'_>>) -> String {
    match item {
        Ok(message) => format!("{:?} {}", message.kind(), message.as_str()),
        Err(rejected) => format!("{rejected:?}"),
    }
}

/// All items of a stream that comes in pieces of this length.
fn items(data: &[u8], length: usize) -> Vec<String> {
    let mut decoder = LineDecoder::new([0; 256], Limits::EMBEDDED);
    let mut all = Vec::new();
    for mut piece in data.chunks(length) {
        while let Some(item) = decoder.next_in(&mut piece) {
            all.push(told(item.result()));
        }
    }
    while let Some(item) = decoder.finish() {
        all.push(told(item));
    }
    all
}

/// How many lines of a stream came to a message, and how many to a fault.
fn streamed(data: &[u8], length: usize) -> (usize, usize) {
    let mut memory = [0; 512];
    let mut decoder = StreamDecoder::new(&mut memory, Limits::EMBEDDED).expect("room");
    let (mut messages, mut faults) = (0, 0);
    for mut piece in data.chunks(length) {
        loop {
            let (used, event) = decoder.step(piece);
            match event {
                StreamEvent::NeedInput => break,
                StreamEvent::End(_) => messages += 1,
                StreamEvent::Fault(_) => faults += 1,
                _ => {}
            }
            piece = &piece[used..];
        }
    }
    (messages, faults)
}

#[test]
fn however_it_is_cut_it_comes_to_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut inputs = Vec::new();
    files(&root.join("fuzz/regressions"), &mut inputs);
    let found = inputs.len();
    files(&root.join("vectors"), &mut inputs);
    assert!(found > 0 && inputs.len() > found);
    for path in inputs {
        let data = fs::read(&path).expect("the input can be read");
        let whole = items(&data, data.len().max(1));
        let counted = streamed(&data, data.len().max(1));
        for length in [1, 2, 7, 64] {
            assert_eq!(
                items(&data, length),
                whole,
                "{} in {length}",
                path.display()
            );
            assert_eq!(
                streamed(&data, length),
                counted,
                "{} in {length}",
                path.display()
            );
        }
        for line in data.split(|byte| *byte == b'\n') {
            if let Ok(message) = parse(line, &Limits::HOST) {
                RawJson::validate(message.as_bytes()).expect("a message is JSON");
            }
        }
    }
}
