#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| wireline::fuzz::json_parity(data));
