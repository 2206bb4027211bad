//! Loads and merges arbitrary saves in a binary format.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ecs_fuzz::load_bytes(bytes));
