//! Loads and merges arbitrary saves in JSON.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ecs_fuzz::load_text(bytes));
