#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| wireline::fuzz::session_ops(data));
