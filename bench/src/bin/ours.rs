//! `wireline` as a worker.

use std::io::Read;
use std::process::ExitCode;
use wireline_bench::ours;
use wireline_bench::sum::Sum;
use wireline_bench::worker::{self, Method};

type Run = fn(&[u8]) -> Sum;
type From = fn(&mut dyn Read) -> Sum;

fn main() -> ExitCode {
    let methods: &[(&str, Run, From)] = &[
        ("whole", ours::whole, ours::pieces_from),
        ("pieces", ours::pieces, ours::pieces_from),
        ("fill", ours::fill, ours::fill_from),
        ("stream", ours::stream, ours::stream_from),
        ("parse", ours::parse, ours::pieces_from),
        ("bytes", ours::bytes, ours::pieces_from),
        ("bytes-fill", ours::bytes_fill, ours::fill_from),
        ("unstored", ours::unstored, ours::pieces_from),
        ("stored", ours::stored, ours::stored_from),
        ("unstored-4k", ours::cut::<4096, false>, ours::pieces_from),
        (
            "unstored-64k",
            ours::cut::<65_536, false>,
            ours::pieces_from,
        ),
        (
            "unstored-whole",
            ours::cut::<{ usize::MAX }, false>,
            ours::pieces_from,
        ),
        ("stored-4k", ours::cut::<4096, true>, ours::stored_from),
        ("stored-64k", ours::cut::<65_536, true>, ours::stored_from),
        (
            "stored-whole",
            ours::cut::<{ usize::MAX }, true>,
            ours::stored_from,
        ),
    ];
    let methods: Vec<Method> = methods
        .iter()
        .map(|(name, run, stream)| Method {
            name,
            run: *run,
            stream: Some(*stream),
        })
        .collect();
    worker::main(&methods)
}
