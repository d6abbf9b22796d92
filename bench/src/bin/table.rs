//! `table all BINARIES CORPORA VECTORS LOCK JSON` prints the report and writes the copy;
//! `table gate BINARIES CORPORA` counts instructions of ours and of the binary
//! `peers-gate`, and fails if ours does not lead by enough.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wireline_bench::corpus::Corpus;
use wireline_bench::sum::Sum;
use wireline_bench::table::machine::Machine;
use wireline_bench::table::measure::{self, COUNTED, COUNTED_BYTES, Places, slice};
use wireline_bench::table::render::GATE;
use wireline_bench::table::{callgrind, json, render, worker};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["all", binaries, corpora, vectors, lock, json] => {
            report(binaries, corpora, vectors, lock, json)
        }
        ["gate", binaries, corpora] => gate(Path::new(binaries), Path::new(corpora)),
        _ => Err(
            "usage: table all BINARIES CORPORA VECTORS LOCK JSON | table gate BINARIES CORPORA"
                .into(),
        ),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn report(
    binaries: &str,
    corpora: &str,
    vectors: &str,
    lock: &str,
    copy: &str,
) -> Result<(), String> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(vectors)
        .map_err(|e| format!("{vectors}: {e}"))?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    let places = Places {
        binaries: binaries.into(),
        corpora: corpora.into(),
        vectors: files,
    };
    let lock = std::fs::read_to_string(lock).map_err(|e| format!("{lock}: {e}"))?;
    let results = measure::all(&places)?;
    let machine = Machine::here();
    let text = render::markdown(&results, &machine, &lock).map_err(|e| e.to_string())?;
    print!("{text}");
    let folder = Path::new(copy).parent().ok_or("no folder for the copy")?;
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    std::fs::write(copy, json::json(&results, &machine, &lock)).map_err(|e| format!("{copy}: {e}"))
}

fn gate(binaries: &Path, corpora: &Path) -> Result<(), String> {
    let peers = binaries.join("peers-gate");
    let ours = binaries.join("ours-shipped");
    let mut low = false;
    // A peer that no longer refuses the bad lines must not set the bar unnoticed.
    let counted: Vec<String> = worker::verdicts(&peers, &[])?
        .into_iter()
        .filter(|v| v.wrong.is_empty())
        .map(|v| v.method)
        .collect();
    if counted.is_empty() {
        return Err("no peer counts".into());
    }
    println!("| corpus | method | instructions per byte | peer : ours |\n|---|---|---:|---:|");
    for name in COUNTED {
        let corpus = Corpus::named(name).ok_or("corpus")?;
        let file = slice(corpora, corpus, COUNTED_BYTES)?;
        let bytes = std::fs::metadata(&file).map_err(|e| e.to_string())?.len() as f64;
        let (own, read) = callgrind::count(&ours, "whole", &file)?;
        println!("| {name} | wireline | {:.2} | |", own as f64 / bytes);
        for method in &counted {
            let (theirs, other) = callgrind::count(&peers, method, &file)?;
            same(&read, &other, method)?;
            let ratio = theirs as f64 / own as f64;
            println!(
                "| {name} | {method} | {:.2} | {ratio:.2} |",
                theirs as f64 / bytes
            );
            low |= ratio < GATE;
        }
    }
    if low {
        Err(format!(
            "a counted peer takes less than {GATE} times our instructions"
        ))
    } else {
        Ok(())
    }
}

fn same(ours: &Sum, theirs: &Sum, method: &str) -> Result<(), String> {
    if ours == theirs {
        Ok(())
    } else {
        Err(format!("{method} read {theirs:?}, wireline {ours:?}"))
    }
}
