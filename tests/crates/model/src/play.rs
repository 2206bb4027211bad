//! Running programs on both sides.

use std::env;

use proptest::prelude::ProptestConfig;

use crate::op::{Op, paste};
use crate::{Oracle, Real};

/// How many operations the observers may run for one step of the program, so that
/// every chain ends.
pub(crate) const BUDGET: usize = 12;

/// One that runs programs.
pub trait Player {
    /// Runs one step; gives the notifications and answers it led to.
    fn play(&mut self, op: &Op) -> Vec<String>;

    /// All that can be seen.
    fn state(&self) -> Vec<String>;
}

/// How many entities and pooled values there are.
pub(crate) fn count(alive: usize, reusable: usize, pooled: Option<usize>) -> String {
    let pooled = pooled.map_or("some".to_string(), |pooled| pooled.to_string());
    format!("{alive} alive, {reusable} reusable, {pooled} pooled")
}

/// Runs so many programs for each hundred that there are to be: `ECS_TEST_PROGRAMS` says how many,
/// 2,000 where it is not set.
#[must_use]
pub fn programs(percent: u32) -> ProptestConfig {
    let all = env::var("ECS_TEST_PROGRAMS").ok();
    let all = all.map_or(2_000, |all| {
        all.parse().expect("`ECS_TEST_PROGRAMS` is a number")
    });
    ProptestConfig {
        cases: (all * percent / 100).max(1),
        failure_persistence: None,
        max_shrink_iters: 4_000,
        ..ProptestConfig::default()
    }
}

/// Runs a program on both sides.
///
/// # Errors
///
/// They disagree: the step, and what each side says.
pub fn compare(program: &[Op]) -> Result<(), String> {
    let (mut real, mut oracle) = (Real::default(), Oracle::new());
    for (step, op) in program.iter().enumerate() {
        let told = real.play(op);
        if Real::has_panicked(&told) {
            oracle.adopt(&mut real);
        } else {
            equal(&told, &oracle.play(op), &program[..=step])?;
        }
        equal(&real.state(), &oracle.state(), &program[..=step])?;
    }
    Ok(())
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
