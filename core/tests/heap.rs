//! Tables on the heap take memory as they are used, not as they are long.
#![cfg(all(target_os = "linux", feature = "std", feature = "batch"))]

use wireline::session::{HeapMemory, Slots};

/// Bytes of this process that are in memory.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kib.expect("a size")
        .trim()
        .parse::<usize>()
        .expect("a number")
        << 10
}

#[test]
fn what_no_batch_has_used_is_not_in_memory() {
    let before = resident();
    let mut tables: Vec<_> = (0..64)
        .map(|_| {
            HeapMemory::new(16, 16, 64)
                .and_then(|tables| tables.with_gather(8 << 20))
                .expect("there is room")
        })
        .collect();
    for tables in &mut tables {
        let gather = tables.gather();
        assert_eq!((gather.len(), gather.first()), (8 << 20, Some(&0)));
    }
    let taken = resident().saturating_sub(before);
    assert!(taken < 64 << 20, "{taken} bytes for 64 sessions");
}
