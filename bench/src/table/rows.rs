//! What is measured on what.

/// A binary: a role and its features. `native` builds exist of the first and the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// `wireline` with the features it ships with on hosts.
    Shipped,
    /// `wireline` with the resumable scanner alone.
    Scan,
    Peers,
}

impl Build {
    pub const ALL: &[Build] = &[Build::Shipped, Build::Scan, Build::Peers];

    /// The file's name among the binaries.
    pub fn file(self) -> &'static str {
        match self {
            Build::Shipped => "ours-shipped",
            Build::Scan => "ours-scan",
            Build::Peers => "peers",
        }
    }
}

/// One way to read a stream, as a row of the table.
pub struct Row {
    pub build: Build,
    pub method: &'static str,
    pub label: &'static str,
    /// The package whose version is shown.
    pub package: &'static str,
    /// Corpora on which it is measured.
    pub on: &'static [&'static str],
    /// Whether it reads every message; parts of the work and refused lines do not.
    pub reads: bool,
}

const STREAMS: &[&str] = &["small", "mixed", "text", "numbers"];
const BOTH: &[&str] = &[
    "small",
    "mixed",
    "text",
    "numbers",
    "line-text",
    "line-dense",
];
const LINES: &[&str] = &["line-text", "line-dense"];
const SHORT: &[&str] = &["small", "mixed"];
const SMALL: &[&str] = &["small"];

const fn ours(method: &'static str, label: &'static str, on: &'static [&'static str]) -> Row {
    Row {
        build: Build::Shipped,
        method,
        label,
        package: "wireline",
        on,
        reads: true,
    }
}

const fn peer(
    method: &'static str,
    label: &'static str,
    package: &'static str,
    on: &'static [&'static str],
) -> Row {
    Row {
        build: Build::Peers,
        method,
        label,
        package,
        on,
        reads: true,
    }
}

const fn part(method: &'static str, label: &'static str, package: &'static str) -> Row {
    Row {
        build: Build::Peers,
        method,
        label,
        package,
        on: BOTH,
        reads: false,
    }
}

/// Every row, in the table's order.
pub const ROWS: &[Row] = &[
    ours("whole", "next_in, whole in memory", STREAMS),
    ours("pieces", "next_in, 64 KiB pieces", STREAMS),
    ours("fill", "filled in place, 64 KiB", STREAMS),
    ours("stream", "stream decoder, 64 KiB pieces", STREAMS),
    ours("parse", "parse(), lines framed elsewhere", SHORT),
    ours("bytes", "next_in, byte by byte", SMALL),
    ours("bytes-fill", "filled in place, byte by byte", SMALL),
    Row {
        build: Build::Scan,
        method: "whole",
        label: "scanner alone, whole in memory",
        package: "wireline",
        on: STREAMS,
        reads: true,
    },
    ours("stored", "next_in, 64 KiB pieces, stored", LINES),
    Row {
        build: Build::Shipped,
        method: "unstored",
        label: "next_in, 64 KiB pieces, over the ceiling",
        package: "wireline",
        on: LINES,
        reads: false,
    },
    ours("stream", "stream decoder, 64 KiB pieces", LINES),
    Row {
        build: Build::Scan,
        method: "unstored",
        label: "scanner alone, 64 KiB pieces, over the ceiling",
        package: "wireline",
        on: LINES,
        reads: false,
    },
    peer(
        "serde_json",
        "std UTF-8 + RawValue envelope",
        "serde_json",
        STREAMS,
    ),
    peer(
        "simdutf8+serde_json",
        "simdutf8 + RawValue envelope",
        "serde_json",
        BOTH,
    ),
    peer(
        "sonic-rs:iter",
        "simdutf8 + to_object_iter",
        "sonic-rs",
        STREAMS,
    ),
    peer(
        "sonic-rs:typed",
        "simdutf8 + LazyValue envelope",
        "sonic-rs",
        STREAMS,
    ),
    peer(
        "sonic-rs:typed+digits",
        "the same + a check of \\u digits of our own",
        "sonic-rs",
        BOTH,
    ),
    peer("simd-json", "tape, buffers reused", "simd-json", BOTH),
    peer("jiter", "simdutf8 + pull parser", "jiter", STREAMS),
    peer("rmcp", "JsonRpcMessageCodec", "rmcp", SHORT),
    part("memchr", "line ends only", "memchr"),
    part("simdutf8", "line ends and UTF-8 only", "simdutf8"),
];

/// How the long line is cut for the check that time is linear, by method suffix.
pub const CUTS: &[(&str, &str)] = &[("4k", "4 KiB"), ("64k", "64 KiB"), ("whole", "whole")];

/// Sizes of the long line, in MiB.
pub const SIZES: &[usize] = &[16, 32, 64];
