//! Ways to cut a stream.

/// Up to so many bytes a vector is cut at every place; a longer one at so many places, evenly spread, and around its line ends.
/// (Every cut of a stream costs as many runs as it has bytes, and each run reads all of it: 64 MiB would take years.)
pub const EVERY_CUT: usize = 2048;
/// Up to so many bytes a vector is fed byte by byte; a longer one in pieces of 4096 bytes.
pub const BYTE_BY_BYTE: usize = 64 * 1024;
/// Up to so many bytes a vector is run in all ways; longer ones run whole, in pieces, and at a few random cuts.
pub const ALL_WAYS: usize = 1 << 20;
/// Random cuttings of each vector in each way.
pub const RANDOM: u64 = 6;

/// Where a stream is cut in two.
pub fn cuts(bytes: &[u8]) -> Vec<usize> {
    if bytes.len() <= EVERY_CUT {
        return (0..=bytes.len()).collect();
    }
    let few = if bytes.len() <= ALL_WAYS { 64 } else { 4 };
    let mut cuts: Vec<usize> = (0..=few).map(|n| bytes.len() * n / few).collect();
    for (at, _) in bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .take(few)
    {
        cuts.extend([at.saturating_sub(1), at, at + 1]);
    }
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// Cut at random places, the same on every run.
pub fn random_pieces(bytes: &[u8], seed: u64) -> Vec<&[u8]> {
    // xorshift64*: no need for more.
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move |below: usize| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    };
    let mut pieces = Vec::new();
    let mut rest = bytes;
    let longest = [2, 7, 40, 200, 5000][random(5)].max(bytes.len() / 200);
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(random(longest + 1).min(rest.len()));
        pieces.push(piece);
        rest = later;
    }
    pieces
}

/// The smallest pieces that are affordable.
pub fn small_pieces(bytes: &[u8]) -> std::slice::Chunks<'_, u8> {
    bytes.chunks(if bytes.len() <= BYTE_BY_BYTE { 1 } else { 4096 })
}

/// CRLF for every LF that has no CR before it; the items stay what they are.
pub fn crlf(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 16);
    for &byte in bytes {
        if byte == b'\n' && out.last() != Some(&b'\r') {
            out.push(b'\r');
        }
        out.push(byte);
    }
    out
}
