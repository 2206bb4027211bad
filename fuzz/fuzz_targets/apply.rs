//! Applies arbitrary deltas of feeds, one after the other.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ecs_fuzz::apply(bytes));
