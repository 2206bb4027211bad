//! Loads and merges saves in JSON that anybody may have written.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ecs_fuzz::load_text(bytes));
