//! Bodies of the fuzz targets: each takes any bytes and panics where two ways that must
//! come to the same do not.
//!
//! They live in the crate, behind a private feature, because some of them look at parts
//! that are not public, and because `cargo test` replays what was once found through the
//! same code (`tests/regressions.rs`).
//!
//! An input begins with a header of [`HEADER`] bytes, missing ones being 0: what the
//! decoder is set to, and how the stream is cut. The rest is the stream as it is, or, if
//! the header says so, choices of a small grammar that writes one.
#![allow(
    missing_docs,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::arithmetic_side_effects,
    clippy::string_slice,
    clippy::disallowed_methods,
    reason = "a harness that must panic, and that no program links"
)]

mod drive;
mod grammar;
mod lines;
mod oracle;
mod oversize;
mod parity;
mod roundtrip;
mod seen;
mod session_ops;
mod split;
mod wide;

use std::vec::Vec;

pub use lines::line_vs_stream;
pub use oversize::oversize;
pub use parity::json_parity;
pub use roundtrip::roundtrip;
pub use session_ops::session_ops;
pub use split::split;
pub use wide::wide_vs_scan;

use crate::limits::{Limits, Profile};
use grammar::Source;

/// One target: its name and its body.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("split", split),
    ("wide_vs_scan", wide_vs_scan),
    ("line_vs_stream", line_vs_stream),
    ("json_parity", json_parity),
    ("roundtrip", roundtrip),
    ("oversize", oversize),
    ("session_ops", session_ops),
];

/// Bytes of an input's header.
pub const HEADER: usize = 8;

/// The first header byte: the rest of the input makes the stream through the grammar.
pub const GRAMMAR: u8 = 1;
/// The profile is JSON-RPC's.
pub const JSON_RPC: u8 = 2;
/// Batches are taken apart.
pub const BATCHES: u8 = 4;
/// The end of the input ends a line.
pub const EOF: u8 = 8;

/// What an input's header says.
#[derive(Clone, Copy, Debug)]
struct Setup {
    limits: Limits,
    /// Bytes of a fixed buffer.
    buffer: usize,
    /// Where the cuts come from.
    seed: u64,
}

/// Takes an input apart into what its header says, and its stream.
fn open(data: &[u8]) -> (Setup, Vec<u8>) {
    let mut header = [0u8; HEADER];
    for (to, from) in header.iter_mut().zip(data) {
        *to = *from;
    }
    let [flags, message, depth, id, method, discard, buffer, cuts] = header;
    let rest = data.get(HEADER..).unwrap_or(&[]);
    let mut limits = Limits::HOST
        .with_batches(flags & BATCHES != 0)
        .with_eof_completes_line(flags & EOF != 0)
        .with_max_discard(u32::from(discard) * 8);
    if flags & JSON_RPC != 0 {
        limits = limits.with_profile(Profile::JsonRpc);
    }
    if message != 0 {
        limits = limits.with_message(64 + 3 * u32::from(message));
    }
    if depth != 0 {
        limits = limits.with_depth(depth.clamp(4, 127));
    }
    if id != 0 {
        limits = limits.with_id(u16::from(id));
    }
    if method != 0 {
        limits = limits.with_method(u16::from(method));
    }
    let stream = if flags & GRAMMAR != 0 {
        grammar::stream(&mut Source::new(rest))
    } else {
        Vec::from(rest)
    };
    let setup = Setup {
        limits,
        buffer: 68 + 4 * usize::from(buffer),
        seed: u64::from(cuts),
    };
    (setup, stream)
}

/// A small generator of pseudo-random numbers, so that an input decides everything.
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound.max(1)
    }
}

/// Takes a piece of a length that is mostly short off the front.
fn piece<'a>(rest: &mut &'a [u8], random: &mut Random) -> &'a [u8] {
    let longest = [1, 3, 16, 64, 1000][random.below(5)];
    let (front, back) = rest.split_at(rest.len().min(1 + random.below(longest)));
    *rest = back;
    front
}
