//! Writes the text vectors (`vectors/`) as seeds for the fuzz targets into a directory:
//! `cargo run --example fuzz-seeds --features __fuzz -- DIRECTORY`

use std::path::Path;
use std::{env, fs, process};

use wireline::fuzz::{BATCHES, EOF, HEADER, JSON_RPC};

#[allow(dead_code, unreachable_pub, reason = "the tests use the rest")]
#[path = "../tests/support/vectors.rs"]
mod vectors;

use vectors::{Settings, Vector};

/// The header that comes nearest to a vector's settings.
fn header(settings: &Settings) -> [u8; HEADER] {
    let mut flags = 0;
    for (set, flag) in [
        (settings.json_rpc, JSON_RPC),
        (settings.batches, BATCHES),
        (settings.eof_completes_line, EOF),
    ] {
        if set {
            flags |= flag;
        }
    }
    let byte = |value: u32| u8::try_from(value).unwrap_or(u8::MAX);
    [
        flags,
        settings
            .message
            .map_or(0, |bytes| byte(bytes.saturating_sub(14) / 3).max(1)),
        settings.depth.unwrap_or(0),
        settings.id.map_or(0, |bytes| byte(bytes.into())),
        settings.method.map_or(0, |bytes| byte(bytes.into())),
        settings.discard.map_or(0, |bytes| byte(bytes.div_ceil(8))),
        100,
        1,
    ]
}

/// A vector as an input; what is longer than `longest` is left to the tests.
fn seed(vector: &Vector, longest: usize) -> Option<Vec<u8>> {
    let mut seed = header(&vector.settings).to_vec();
    seed.extend_from_slice(&vector.input);
    (seed.len() <= longest).then_some(seed)
}

fn main() {
    let Some(to) = env::args_os().nth(1) else {
        eprintln!("usage: fuzz-seeds DIRECTORY");
        process::exit(2);
    };
    let to = Path::new(&to);
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    let vectors = vectors::load(&from).expect("the vectors can be read");
    fs::create_dir_all(to).expect("the directory can be made");
    let mut written = 0;
    for vector in &vectors {
        let Some(seed) = seed(vector, 4096) else {
            continue;
        };
        let file = vector.file.trim_end_matches(".txt").replace('/', "-");
        let path = to.join(format!("{file}-{}", vector.name));
        fs::write(path, seed).expect("the seed can be written");
        written += 1;
    }
    assert!(written > 0, "no vectors");
    println!("{written} of {} vectors as seeds", vectors.len());
}
