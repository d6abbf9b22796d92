//! Medians and spreads.

/// The middle of some times, and how far the middle half of them lies apart, in
/// parts of the median. Zero without times.
pub fn median_and_spread(times: &[u64]) -> (u64, f64) {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = |quarter: usize| {
        sorted
            .get(sorted.len().saturating_sub(1) * quarter / 4)
            .copied()
            .unwrap_or(0)
    };
    let median = at(2);
    (median, (at(3) - at(1)) as f64 / median.max(1) as f64)
}
