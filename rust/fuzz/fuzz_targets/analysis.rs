#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sapper_fuzz::analysis::check(data));
