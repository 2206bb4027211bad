//! Programs from arbitrary bytes, for fuzzing: there is a program for any bytes, and bytes for
//! every program that can be generated.
//!
//! ```text
//! bytes   │ 17 03 a0 5c │ 00 91 2e 77 │ …
//!           └ seed of all choices of the first step
//! ```
//!
//! So a changed byte changes one step and no other, and steps can be removed, repeated and swapped.
//! Choices are not read from the bytes themselves, because strategies read on until they accept a
//! value.

use proptest::prelude::ProptestConfig;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use crate::make::step;
use crate::op::Op;

/// The number of bytes per step.
const STEP: usize = 4;

/// The largest number of steps of a program.
const MOST: usize = 100;

/// Decodes a program from bytes.
#[must_use]
pub fn program(bytes: &[u8]) -> Vec<Op> {
    let step = step();
    let steps = bytes.chunks(STEP).take(MOST);
    steps.map(|bytes| read(&step, bytes)).collect()
}

fn read(step: &impl Strategy<Value = Op>, bytes: &[u8]) -> Op {
    let mut seed = [0; 32];
    seed[..bytes.len()].copy_from_slice(bytes);
    let choices = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), choices);
    let made = step.new_tree(&mut runner);
    made.expect("no step is rejected").current()
}
