//! Another Rust library, with a standard library of its own inside.

#[unsafe(no_mangle)]
pub extern "C" fn other_sum(count: u32) -> u32 {
    let numbers: Vec<u32> = (0..count).collect();
    std::panic::catch_unwind(|| numbers.iter().sum()).unwrap_or(0)
}
