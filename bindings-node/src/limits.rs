//! Limits as JavaScript hands them over: checked there, plain numbers here.

use wireline::{Limits, Profile};

/// Bits of the `flags` argument.
const JSON_RPC: u32 = 1;
const EOF_COMPLETES_LINE: u32 = 2;
const BATCHES: u32 = 4;

/// The limits that five numbers and a set of flags stand for.
pub(crate) fn limits(numbers: &[u32]) -> Limits {
    let at = |index: usize| numbers.get(index).copied().unwrap_or(0);
    let short = |index: usize| u16::try_from(at(index)).unwrap_or(u16::MAX);
    let flags = at(5);
    Limits::HOST
        .with_message(at(0))
        .with_depth(u8::try_from(at(1)).unwrap_or(u8::MAX))
        .with_id(short(2))
        .with_method(short(3))
        .with_max_discard(at(4))
        .with_profile(if flags & JSON_RPC != 0 {
            Profile::JsonRpc
        } else {
            Profile::Mcp
        })
        .with_eof_completes_line(flags & EOF_COMPLETES_LINE != 0)
        .with_batches(flags & BATCHES != 0)
}

/// The same the other way: what is in force.
pub(crate) fn numbers(limits: &Limits) -> Vec<u32> {
    let mut flags = 0;
    if limits.profile == Profile::JsonRpc {
        flags |= JSON_RPC;
    }
    if limits.eof_completes_line {
        flags |= EOF_COMPLETES_LINE;
    }
    if limits.batches {
        flags |= BATCHES;
    }
    vec![
        limits.message,
        limits.depth.into(),
        limits.id.into(),
        limits.method.into(),
        limits.max_discard,
        flags,
    ]
}
