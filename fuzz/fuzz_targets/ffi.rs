#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wireline_c::fuzz::ffi(data));
