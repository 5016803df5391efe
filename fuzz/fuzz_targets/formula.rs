//! `targets::formula` on whatever the fuzzer thinks of.
#![no_main]

#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::formula(data));
