//! F15: an entity that is named twice, and places in memory without an entity. F26: a program gives
//! the same log in every run and in every process.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use ::model::op::Op;
use ::model::{Player, Real, make, programs};
use ecs::prelude::*;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use support::game::{Game, Health, Id};
use support::{panic_of, this_program};

fn rejected<T: Debug>(result: Result<T, Error>, kind: ErrorKind) {
    assert_eq!(result.unwrap_err().kind(), kind);
}

/// F15: two items of one entity are never borrowed at once.
#[test]
fn an_entity_named_twice_is_borrowed_once_or_not_at_all() {
    let mut game = Game::new();
    let ids = game.create_many((0..130).map(Health));
    let (a, b) = (ids[3], ids[100]);
    let repeated = ErrorKind::RepeatedEntity;
    let updated = game.collector(Game::all_of::<Health>().updated());
    for ids in [[a, a, b], [a, b, a], [b, a, a]] {
        let query = game.query_mut::<&mut Health>();
        rejected(query.get_many(ids, |_| unreachable!()), repeated);
        let query = game.query_mut::<(Id, &mut Health)>().untracked();
        rejected(query.get_many(ids, |_| unreachable!()), repeated);
        let query = game.query_mut::<Mut<'_, Health>>();
        rejected(query.get_many(ids, |_| unreachable!()), repeated);
    }
    assert!(updated.is_empty(&game));
    let swap = |[a, b]: [&mut Health; 2]| std::mem::swap(a, b);
    game.query_mut::<&mut Health>()
        .get_many([a, b], swap)
        .unwrap();
    assert_eq!(
        (game.entity(a).health().0, game.entity(b).health().0),
        (100, 3)
    );
    assert_eq!(updated.drain(&mut game), [a, b]);
    game.storage().check_invariants();
}

/// F15: a list is checked up to where the entity stands again, also if ids are skipped in its slot.
#[test]
fn an_entity_that_came_back_is_not_destroyed_twice_by_a_list() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2)]);
    let mut edits = UndoStack::<Game>::all();
    edits.step(&mut game, "Destroy", |game| game.destroy(ids[1]));
    let later = game.create_entity().id();
    game.destroy(later);
    assert_eq!(later.index(), ids[1].index());
    assert!(edits.undo(&mut game) && game.contains(ids[1]));
    let listed = [ids[1], ids[1], ids[0]];
    rejected(game.many(&listed).try_destroy(), ErrorKind::NotAlive);
    game.storage().check_invariants();
    assert_eq!(game.len(), 2);
    game.many(&listed[1..]).destroy();
    game.storage().check_invariants();
    let next = [(); 2].map(|()| game.create_entity().id());
    let generation_of = |index| next.iter().find(|id| id.index() == index);
    let generation = generation_of(later.index()).map(|id| id.generation());
    assert_eq!(
        generation,
        Some(later.generation() + 1),
        "no id is given twice"
    );
}

/// F15: a place after the last entity, for which there is memory, belongs to no entity.
#[test]
fn a_place_after_the_last_entity_belongs_to_no_entity() {
    let mut game = Game::with_capacity(1_000);
    game.storage_mut().reserve::<Health>(1_000);
    let ids = game.create_many((0..3).map(Health));
    for index in [3, 63, 64, 999, 1_000, u64::from(u32::MAX)] {
        for generation in [1, 2, u64::from(u32::MAX >> 1)] {
            let Some(unused) = Id::from_bits(generation << 32 | index) else {
                continue;
            };
            assert!(!game.contains(unused) && game.get_entity(unused).is_none());
            assert!(game.view::<Health>().get(unused).is_none());
            assert!(game.query::<&Health>().get(unused).is_none());
            assert!(
                game.query_mut::<&mut Health>()
                    .get(unused, |_| ())
                    .is_none()
            );
            let query = game.query_mut::<&mut Health>();
            let passed = query.get_many([ids[0], unused], |_| unreachable!());
            rejected(passed, ErrorKind::NotAlive);
            let many = [ids[1], unused];
            rejected(
                game.many(&many)
                    .try_update(|_, _: &mut Health| unreachable!()),
                ErrorKind::NotAlive,
            );
            rejected(game.many(&many).try_destroy(), ErrorKind::NotAlive);
            panic_of(|| _ = game.entity_mut(unused).add_frozen());
        }
    }
    assert_eq!(game.len(), 3);
    game.storage().check_invariants();
}

/// Some programs, the same in every run.
fn fixed_programs() -> Vec<Vec<Op>> {
    let choices = TestRng::deterministic_rng(RngAlgorithm::XorShift);
    let mut runner = TestRunner::new_with_rng(programs(1), choices);
    let program = |_| make::program().new_tree(&mut runner).unwrap().current();
    (0..programs(10).cases.min(4)).map(program).collect()
}

/// A hash of the logs of programs, and of the visible state after each.
fn log(programs: &[Vec<Op>]) -> u64 {
    let mut hasher = DefaultHasher::new(); // always has the same keys
    for program in programs {
        let mut real = Real::default();
        for op in program {
            real.play(op).hash(&mut hasher);
        }
        real.state().hash(&mut hasher);
    }
    hasher.finish()
}

/// The variable that makes another process print its log.
const LOG: &str = "ECS_TEST_LOG";

fn log_in_another_process() -> String {
    let mut command = this_program();
    let test = "repeats::the_same_program_gives_the_same_log_in_every_run_and_process";
    command.args(["--exact", "--nocapture", test]).env(LOG, "1");
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let (_, rest) = output.split_once("the log is ").expect("it says so");
    rest.split_whitespace().next().unwrap().to_owned()
}

/// F26: the log does not depend on addresses, seeds of hash maps or the number of the run.
#[test]
fn the_same_program_gives_the_same_log_in_every_run_and_process() {
    let programs = fixed_programs();
    let expected = log(&programs);
    if env::var_os(LOG).is_some() {
        return println!("the log is {expected} ");
    }
    for run in 1..20 {
        assert_eq!(log(&programs), expected, "run {run}");
    }
    for _ in 0..3 {
        assert_eq!(log_in_another_process(), expected.to_string());
    }
}
