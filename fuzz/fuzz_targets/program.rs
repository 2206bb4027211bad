//! Runs programs with the library and with the oracle of the model.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ecs_fuzz::program(bytes));
