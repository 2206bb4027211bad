//! Loads and merges saves in a binary format that anybody may have written.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ecs_fuzz::load_bytes(bytes));
