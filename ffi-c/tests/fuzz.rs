//! What fuzzing the C interface has found is run again, and a few programs of calls besides.

use std::path::Path;

#[test]
fn regressions() {
    let directory = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../fuzz/regressions/ffi"
    ));
    let mut count = 0;
    for entry in std::fs::read_dir(directory).expect("fuzz/regressions/ffi") {
        let path = entry.expect("an entry").path();
        wireline_c::fuzz::ffi(&std::fs::read(&path).expect("a file"));
        count += 1;
    }
    assert!(count > 0, "no regressions in {}", directory.display());
}

#[test]
fn programs_at_random() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..3000 {
        let mut program = Vec::new();
        for _ in 0..400 {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            program.push((state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 56) as u8);
        }
        wireline_c::fuzz::ffi(&program);
    }
}
