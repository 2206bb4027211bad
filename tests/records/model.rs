//! The model-based test: random programs, with observers that change things
//! themselves, run by the library and by a naive oracle that follows the rules of
//! notification to the letter. Everything that can be seen is compared after each
//! step: the log of notifications line by line, answers and errors, the members of
//! all groups, what collectors hold, ids, values. So no event is without a transition and
//! no transition without an event (F23).
//!
//! The number of programs is that of `PROPTEST_CASES` (256 where it is not set).

mod matrix;
mod mirrored;
mod op;
mod oracle;
mod real;
mod restore;
mod rewind;

use ecs::prelude::*;
use proptest::prelude::*;

use self::op::{Op, Sets};
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

    /// F26: the same program leads to the same log, in another context and on another
    /// thread.
    #[test]
    fn the_same_program_gives_the_same_log(program in op::program()) {
        let play = || {
            let mut real = Real::default();
            let log: Vec<_> = program.iter().map(|op| real.play(op)).collect();
            (log, real.state())
        };
        let first = play();
        let elsewhere = std::thread::scope(|scope| scope.spawn(play).join().unwrap());
        prop_assert_eq!(&first, &play());
        prop_assert_eq!(&first, &elsewhere);
    }

    /// Groups made before everything else and groups made after it have the same
    /// members.
    #[test]
    fn groups_made_first_and_last_have_the_same_members(
        groups in op::matchers(),
        program in op::quiet_program(),
    ) {
        let (mut early, mut late) = (Real::default(), Real::default());
        let make = |real: &mut Real| {
            groups.iter().for_each(|sets: &Sets| _ = real.play(&Op::MakeGroup(*sets)));
        };
        make(&mut early);
        for op in &program {
            prop_assert_eq!(early.play(op), late.play(op));
        }
        make(&mut late);
        prop_assert_eq!(early.state(), late.state());
    }

    /// Replacing a value and assigning it in an update leave the same state; only the
    /// pool, which gets replaced values, may differ.
    #[test]
    fn replacing_and_updating_lead_to_the_same_state(
        groups in op::matchers(),
        program in op::quiet_program(),
    ) {
        let (mut replacing, mut updating) = (Real::default(), Real::default());
        for real in [&mut replacing, &mut updating] {
            groups.iter().for_each(|sets| _ = real.play(&Op::MakeGroup(*sets)));
        }
        for op in &program {
            replacing.play(op);
            match *op {
                Op::Replace(target, kind, value) => {
                    let told = updating.play(&Op::Update(target, kind, value));
                    if told.iter().any(|line| line.contains("it has none")) {
                        updating.play(&Op::Add(target, kind, value));
                    }
                }
                _ => _ = updating.play(op),
            }
        }
        prop_assert_eq!(&replacing.state()[1..], &updating.state()[1..]);
    }
}
