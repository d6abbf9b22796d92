//! Replays what the fuzzers once found, and the grammar's own streams, through their targets.
//!
//! Inputs lie in `fuzz/regressions/<target>/`; a file's name says what was wrong.

use std::path::{Path, PathBuf};
use std::{fs, panic};

use wireline::fuzz::{BATCHES, EOF, GRAMMAR, HEADER, JSON_RPC, TARGETS, Target};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/regressions")
}

fn inputs(target: &str) -> Vec<PathBuf> {
    let directory = directory().join(target);
    let entries =
        fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a directory entry").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no inputs in {}", directory.display());
    files
}

#[test]
fn every_target_has_its_directory_and_no_other() {
    let mut found: Vec<String> = fs::read_dir(directory())
        .expect("the regressions are there")
        .map(|entry| {
            let entry = entry.expect("a directory entry");
            entry.file_name().into_string().expect("a name")
        })
        .collect();
    found.sort();
    // That of the C interface is replayed by its own crate.
    found.retain(|name| name != "ffi");
    let mut expected: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn what_was_found_stays_mended() {
    let mut failed = Vec::new();
    let mut replayed = 0;
    for (name, target) in TARGETS {
        for path in inputs(name) {
            let data = fs::read(&path).expect("the input can be read");
            if panic::catch_unwind(|| target(&data)).is_err() {
                failed.push(path);
            }
            replayed += 1;
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    println!("{replayed} inputs replayed");
}

/// Inputs from a fixed seed: a look at every target without a fuzzer.
fn generated(target: Target, count: u64) {
    let (name, body) = target;
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as usize
    };
    for index in 0..count {
        let length = HEADER + next() % 160;
        let mut data: Vec<u8> = (0..length).map(|_| next() as u8).collect();
        data[0] = data[0] & (JSON_RPC | BATCHES | EOF) | GRAMMAR;
        // Most ceilings mostly stay where they are by default.
        for byte in &mut data[1..6] {
            if next() % 4 != 0 {
                *byte = 0;
            }
        }
        let result = panic::catch_unwind(|| body(&data));
        assert!(result.is_ok(), "{name}, input {index}: {data:?}");
    }
}

macro_rules! generated {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let target = TARGETS.iter().find(|(name, _)| *name == stringify!($name));
            generated(*target.expect("the target"), 4_000);
        }
    )*};
}

mod on_generated_streams {
    use super::{TARGETS, generated};

    generated!(split wide_vs_scan line_vs_stream json_parity roundtrip oversize session_ops);
}
