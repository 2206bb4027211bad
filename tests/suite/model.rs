//! The model-based test: random programs, with observers that change things
//! themselves, run by the library and by a naive oracle that follows the rules of
//! notification to the letter. Everything that can be seen is compared after each
//! step: the log of notifications line by line, answers and errors, the members of
//! all groups, what collectors hold, ids, values.
//!
//! The number of programs is that of `PROPTEST_CASES` (256 where it is not set).

#[path = "model/op.rs"]
mod op;
#[path = "model/oracle.rs"]
mod oracle;
#[path = "model/real.rs"]
mod real;

use ecs::prelude::*;
use proptest::prelude::*;

use self::op::Op;
use self::oracle::Oracle;
use self::real::Real;

#[ecs::context]
struct Game;

#[derive(Component, Clone)]
#[component(context = Game)]
struct A(u8);

#[derive(Component)]
#[component(context = Game)]
struct B(u8);

#[derive(Component, Clone, Default)]
#[component(context = Game, pooled)]
struct C(u8);

#[derive(Component, Clone)]
#[component(context = Game)]
struct D;

/// How many operations the observers may run for one step of the program, so that
/// every chain ends.
const BUDGET: usize = 12;

/// One that runs programs.
trait Player {
    /// Runs one step; gives the notifications and answers it led to.
    fn play(&mut self, op: &Op) -> Vec<String>;

    /// All that can be seen.
    fn state(&self) -> Vec<String>;
}

/// Runs a program on both sides.
fn compare(program: &[Op]) -> Result<(), TestCaseError> {
    let (mut real, mut oracle) = (Real::default(), Oracle::default());
    for (step, op) in program.iter().enumerate() {
        prop_assert_eq!(
            real.play(op),
            oracle.play(op),
            "log of step {}: {:?}",
            step,
            op
        );
        prop_assert_eq!(
            real.state(),
            oracle.state(),
            "state after step {}: {:?}",
            step,
            op
        );
    }
    Ok(())
}

proptest! {
    /// The library does what the oracle says, in every respect that can be seen.
    #[test]
    fn the_library_agrees_with_the_oracle(program in op::program()) {
        compare(&program)?;
    }
}

#[test]
fn stats_tmp() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut lines, mut steps, mut nested, mut max) = (0, 0, 0, 0);
    for _ in 0..300 {
        let p = op::program().new_tree(&mut runner).unwrap().current();
        let mut real = Real::default();
        for op in &p { let l = real.play(op); steps += 1; max = max.max(l.len()); let e = l.iter().filter(|l| l.starts_with('#')).count(); lines += e; if e > 3 { nested += 1 } }
    }
    eprintln!("steps {steps} notifications {lines} steps with >3 {nested} max {max}");
}
