//! SplitMix64: the corpora must come out the same on every machine.

/// A generator of 64-bit numbers from a seed.
pub struct Rng(u64);

impl Rng {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.number()) * u128::from(n)) >> 64) as u64
    }

    /// A number in `low..=high`.
    pub fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True in `n` of 1000 cases.
    pub fn permille(&mut self, n: u64) -> bool {
        self.below(1000) < n
    }

    /// One of the list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    /// A number in `low..=high` whose logarithm is spread evenly: many small, few large.
    pub fn log_range(&mut self, low: u64, high: u64) -> u64 {
        let mut top = low;
        let mut octaves = 0;
        while top < high {
            top = top.saturating_mul(2);
            octaves += 1;
        }
        let from = low << self.below(octaves.max(1));
        self.range(from, (from * 2).min(high).max(from))
    }
}
