//! Running programs on both sides.

use std::fmt::Debug;
use std::{env, thread};

use proptest::prelude::ProptestConfig;
use proptest::sample::subsequence;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRunner};

use crate::game::Id;
use crate::op::{Kind, Op, paste};
use crate::{Oracle, Real};

/// The number of operations that observers may run per step of the program, so that every chain
/// ends.
pub(crate) const BUDGET: usize = 12;

/// Contexts with fewer entities are compared as a whole in every observer.
pub(crate) const FEW: usize = 24;

/// Programs with many entities are compared once in this many steps.
const SELDOM: usize = 8;

/// A side that runs programs.
pub trait Player {
    /// Runs one step; returns its notifications and results.
    fn play(&mut self, op: &Op) -> Vec<String>;

    /// The visible state.
    fn state(&self) -> Vec<String>;
}

/// Formats the numbers of entities and pooled values.
pub(crate) fn count(alive: usize, reusable: usize, pooled: Option<usize>) -> String {
    let pooled = pooled.map_or("some".to_string(), |pooled| pooled.to_string());
    format!("{alive} alive, {reusable} reusable, {pooled} pooled")
}

/// A checksum of a value of an entity.
pub(crate) fn sum(id: u64, kind: Kind, number: u64) -> u64 {
    let all = id.rotate_left(24) ^ (number << 8) ^ kind as u64;
    all.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Formats the order in which the library visits entities.
pub(crate) fn order(names: &str) -> String {
    format!("order {names}")
}

/// The number of programs from which on all cases of the matrix of observers run, as in
/// `tests/programs`.
const ENOUGH: u32 = 2_000;

/// The number of programs to run: `ECS_TEST_PROGRAMS`, or 15 per processor.
fn wanted() -> u32 {
    let said = env::var("ECS_TEST_PROGRAMS").ok();
    said.map_or_else(for_this_machine, |said| {
        said.parse().expect("`ECS_TEST_PROGRAMS` is a number")
    })
}

fn for_this_machine() -> u32 {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    u32::try_from(15 * processors).unwrap_or(ENOUGH)
}

/// Runs this percentage of the programs.
#[must_use]
pub fn programs(percent: u32) -> ProptestConfig {
    ProptestConfig {
        cases: (wanted() * percent / 100).max(1),
        failure_persistence: None,
        // The default algorithm takes a quarter of the time in debug builds.
        rng_algorithm: RngAlgorithm::XorShift,
        max_shrink_iters: 2 * wanted(),
        ..ProptestConfig::default()
    }
}

/// All cases if 2,000 programs or more are to run; otherwise a random part of the same proportion.
#[must_use]
pub fn chosen<T: Clone + Debug + 'static>(cases: Vec<T>) -> Vec<T> {
    let part = wanted().min(ENOUGH) as usize;
    let count = cases.len() * part / ENOUGH as usize;
    let mut runner = TestRunner::new(programs(1));
    let choice = subsequence(cases, count).new_tree(&mut runner);
    choice.expect("there are enough").current()
}

/// Runs a program on both sides.
///
/// # Errors
///
/// The sides disagree: the step, and the output of each side.
pub fn compare(program: &[Op]) -> Result<(), String> {
    let creations = program.iter().filter(|op| matches!(op, Op::Create)).count();
    let real = match creations % 2 {
        0 => Real::default(),
        _ => Real::with_terms(),
    };
    run_both(program, real, 1)
}

/// Runs a program with many entities on both sides: the state, unlike the log, is compared now and
/// then only, because reading everything takes much longer than a step.
///
/// # Errors
///
/// The sides disagree: the step, and the output of each side.
pub fn compare_seldom(program: &[Op]) -> Result<(), String> {
    run_both(program, Real::unchecked(), SELDOM)
}

fn run_both(program: &[Op], mut real: Real, every: usize) -> Result<(), String> {
    let mut oracle = Oracle::new();
    let mut rows = Rows::default();
    for (step, op) in program.iter().enumerate() {
        let notified = real.play(op);
        if Real::has_panicked(&notified) {
            oracle.adopt(&mut real);
        } else {
            oracle.learn_orders(&notified);
            equal(&notified, &oracle.play(op), &program[..=step])?;
        }
        if step % every == every - 1 || step == program.len() - 1 {
            real.open_pools(oracle.has_open_pools());
            equal(&real.state(), &oracle.state(), &program[..=step])?;
            real.check_if_unchecked();
        }
        rows.check(&real);
    }
    Ok(())
}

/// The order of iteration, which stays the same until entities are moved.
#[derive(Default)]
struct Rows {
    moves: usize,
    ids: Vec<Id>,
}

impl Rows {
    fn check(&mut self, real: &Real) {
        let (moves, ids) = (real.moves(), real.rows());
        if moves == self.moves && ids != self.ids {
            let kept = |from: &[Id], of: &[Id]| {
                let mut of = of.to_vec();
                of.sort_unstable();
                let kept = from.iter().filter(|id| of.binary_search(id).is_ok());
                kept.copied().collect::<Vec<Id>>()
            };
            let (before, after) = (kept(&self.ids, &ids), kept(&ids, &self.ids));
            assert_eq!(before, after, "the order of rows has changed");
        }
        *self = Self { moves, ids };
    }
}

fn equal(real: &[String], oracle: &[String], program: &[Op]) -> Result<(), String> {
    if real == oracle {
        return Ok(());
    }
    let program = paste(program);
    Err(format!(
        "the library: {real:#?}\nthe oracle: {oracle:#?}\nafter the last step of\n{program}\n"
    ))
}
