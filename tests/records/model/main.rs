//! The model-based test: random programs, whose observers make changes themselves, run by the
//! library and by a naive oracle that implements the rules of notification literally. Everything
//! visible is compared after each step: the log of notifications line by line, results and errors,
//! the members of all groups, the contents of collectors, ids, values. So there is no event without
//! a transition and no transition without an event (F23).
//!
//! The crate `model` contains the operations, the oracle and the library's side; this module and
//! those below contain the properties. `ECS_TEST_PROGRAMS` sets the number of programs.

mod each_change;
mod faults;
#[cfg(ecs_small_limits)]
mod full;
#[cfg(ecs_small_limits)]
mod limits;
mod matrix;
mod mirrored;
mod restore;
mod rewind;
mod saved;
mod taken_over;
mod upkeep;
mod view;

use ::model::op::{Kind, Op, Sets};
use ::model::{Player, Real, are_numbers_late, compare, compare_seldom, make, programs};
use ecs::Context as _;
use proptest::prelude::*;

/// Whether an operation does not change groups, observers or handles.
fn leaves_handles(op: &Op) -> bool {
    match op {
        Op::MakeGroup(_)
        | Op::MakeCollector(_)
        | Op::MakeCollectors(..)
        | Op::MakeSystems(..)
        | Op::MakeStates(..)
        | Op::MakeTransitions(_)
        | Op::PlugIn(..)
        | Op::Execute(_)
        | Op::SwitchSystems(..)
        | Op::MakeTemplate(..)
        | Op::ClearGroupObservers(_)
        | Op::SwitchRemoved(..)
        | Op::SwitchIndex(..)
        | Op::Activate(_)
        | Op::Deactivate(_)
        | Op::Release(_)
        | Op::DropCollector(_)
        | Op::Subscribe(..)
        | Op::Unsubscribe(_)
        | Op::Guard(_)
        | Op::DropGuard(_)
        | Op::ClearObservers
        | Op::SwitchEvents(_)
        | Op::Reload(..)
        | Op::MakeInbox
        | Op::DropInbox(_)
        | Op::MakeRemoved
        | Op::DropRemoved(_)
        | Op::MakeIndex(_)
        | Op::DropIndex(_)
        | Op::MakeFeed(_)
        | Op::TakeFeed(..)
        | Op::DropFeed(_) => false,
        Op::ForEach(_, script)
        | Op::Each(_, script)
        | Op::Edit(script, _)
        | Op::Panicking(_, script) => script.iter().all(leaves_handles),
        _ => true,
    }
}

/// The operations for which `fits` is true, without `B`, which is not `Clone`.
fn without_b(program: Vec<Op>, fits: fn(&Op) -> bool) -> Vec<Op> {
    let other = |kind: Kind| if kind == Kind::B { Kind::A } else { kind };
    let program = program.into_iter().map(|op| op.map_kinds(&other));
    program.filter(fits).collect()
}

/// The operations before a program: its observers run only operations for which `fits` is true, and
/// it has the groups that cleanup would create.
fn prepared(preparation: Vec<Op>, fits: fn(&Op) -> bool) -> Vec<Op> {
    let scripts = preparation.into_iter().map(|op| match op {
        Op::Subscribe(to, script) => Op::Subscribe(to, without_b(script, fits)),
        op => op,
    });
    let of_clean_up = [Kind::L, Kind::N].map(|kind| Op::MakeGroup(Sets::of(kind)));
    let scripts = without_b(scripts.collect(), |_| true);
    [of_clean_up.into(), scripts].concat()
}

/// The preparation of programs without listeners to entities that one of them destroys, because a
/// rewind does not bring these listeners back.
fn with_lasting_listeners(mut preparation: Vec<Op>, programs: &[&[Op]]) -> Vec<Op> {
    // Without some listeners others may end, because listeners make changes, too.
    while let Some(at) = first_that_ends(&preparation, programs) {
        preparation.remove(at);
    }
    preparation
}

/// The position of the first operation that adds a listener which ends with its entity.
fn first_that_ends(preparation: &[Op], programs: &[&[Op]]) -> Option<usize> {
    let ends = |program: &&[Op]| {
        let (mut real, mut places) = (Real::default(), Vec::new());
        for (at, op) in preparation.iter().enumerate() {
            real.play(op);
            places.resize(real.listened_to().len(), at);
        }
        program.iter().for_each(|op| drop(real.play(op)));
        let listened = places.into_iter().zip(real.listened_to());
        listened
            .filter(|(_, id)| !real.game.contains(*id))
            .map(|(at, _)| at)
            .min()
    };
    programs.iter().filter_map(ends).min()
}

/// The library after a program.
fn after(program: &[Op]) -> Real {
    let mut real = Real::default();
    program.iter().for_each(|op| drop(real.play(op)));
    real
}

/// The visible state; pools are not part of it.
fn seen(real: &Real) -> Vec<String> {
    let mut seen = real.state();
    seen[0] = seen[0].rsplit_once(',').expect("the pool").0.to_owned();
    if are_numbers_late() {
        seen.retain(|line| !line.starts_with("group ")); // late indexes have groups
    }
    seen
}

proptest! {
    #![proptest_config(programs(50))]

    /// The library agrees with the oracle in every visible respect.
    #[test]
    fn the_library_agrees_with_the_oracle(program in make::program()) {
        compare(&program).map_err(TestCaseError::fail)?;
    }

}

proptest! {
    #![proptest_config(programs(4))]

    /// F25: programs of several hundred entities, which fill many blocks.
    #[test]
    fn the_library_agrees_with_the_oracle_about_many_entities(program in make::large_program()) {
        compare_seldom(&program).map_err(TestCaseError::fail)?;
    }
}

proptest! {
    #![proptest_config(programs(10))]

    /// F26: the same program gives the same log, in another context and on another thread.
    #[test]
    fn the_same_program_gives_the_same_log(program in make::program()) {
        let play = || {
            let mut real = Real::default();
            let log: Vec<_> = program.iter().map(|op| real.play(op)).collect();
            (log, real.state(), real.rows())
        };
        let first = play();
        let elsewhere = std::thread::scope(|scope| scope.spawn(play).join().unwrap());
        prop_assert_eq!(&first, &play());
        prop_assert_eq!(&first, &elsewhere);
    }

    /// F26: groups created before and after everything else have the same members.
    #[test]
    fn groups_made_first_and_last_have_the_same_members(
        groups in make::matchers(),
        program in make::quiet_program(),
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

    /// Replacing a value and assigning it in an update give the same state, except for the pool,
    /// which gets replaced values.
    #[test]
    fn replacing_and_updating_give_the_same_state(
        groups in make::matchers(),
        program in make::quiet_program(),
    ) {
        let (mut replacing, mut updating) = (Real::default(), Real::default());
        for real in [&mut replacing, &mut updating] {
            groups.iter().for_each(|sets| _ = real.play(&Op::MakeGroup(*sets)));
        }
        for op in &program {
            replacing.play(op);
            match *op {
                Op::Replace(target, kind, value) => {
                    let notified = updating.play(&Op::Update(target, kind, value));
                    if notified.iter().any(|line| line.contains("it has none")) {
                        updating.play(&Op::Add(target, kind, value));
                    }
                }
                _ => _ = updating.play(op),
            }
        }
        prop_assert_eq!(&replacing.state()[1..], &updating.state()[1..]);
    }
}
