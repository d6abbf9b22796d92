//! Makes the corpora: `corpus FOLDER [NAME BYTES]`.
//!
//! Without a name, all of them, full size, each checked against its digest.
//! With a name and a size, that one at that size, unchecked, for counting.

use std::path::Path;
use std::process::ExitCode;
use wireline_bench::corpus::{ALL, Corpus};
use wireline_bench::store;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.as_slice() {
        [folder] => all(Path::new(folder)),
        [folder, name, bytes] => slice(Path::new(folder), name, bytes),
        _ => Err("usage: corpus FOLDER [NAME BYTES]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn all(folder: &Path) -> Result<(), String> {
    for corpus in ALL {
        let bytes = store::make(folder, corpus)?;
        let count = |wanted: fn(&u8) -> bool| bytes.iter().filter(|b| wanted(b)).count();
        let lines = count(|b| *b == b'\n');
        let percent = |n: usize| n as f64 * 100.0 / bytes.len() as f64;
        println!(
            "{} {} {} bytes, {lines} messages, mean {} B, {:.1} % backslashes, {:.1} % non-ASCII: {}",
            corpus.sha256,
            corpus.name,
            bytes.len(),
            bytes.len() / lines.max(1),
            percent(count(|b| *b == b'\\')),
            percent(count(|b| *b >= 0x80)),
            corpus.about,
        );
    }
    Ok(())
}

fn slice(folder: &Path, name: &str, bytes: &str) -> Result<(), String> {
    let corpus = Corpus::named(name).ok_or_else(|| format!("no corpus {name}"))?;
    let bytes: usize = bytes.parse().map_err(|_| format!("not a size: {bytes}"))?;
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    std::fs::write(
        folder.join(format!("{name}-{bytes}.ndjson")),
        corpus.generate_to(bytes),
    )
    .map_err(|e| e.to_string())
}
