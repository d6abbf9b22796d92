//! What signals this process was started with.

/// Whether it was started with this signal ignored, as `nohup` and a shell's background job do; `false` where that
/// cannot be told.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let mask = std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|text| {
            let mask = text.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
            u64::from_str_radix(mask.trim(), 16).ok()
        })
        .unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
