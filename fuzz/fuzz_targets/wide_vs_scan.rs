#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| wireline::fuzz::wide_vs_scan(data));
