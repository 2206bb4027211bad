//! Snapshots of random programs: restoring one gives back the state it was taken of, then the same
//! operations give the same log, and a copy continues as the original would have.

use std::collections::BTreeSet;

use ecs::Snapshot;
use ecs::prelude::*;
use proptest::prelude::*;

use ::model::game::Game;
use ::model::make;
use ::model::op::Op;

use super::view::{View, values};
use super::{after, leaves_handles, with_lasting_listeners, without_b};
use ::model::check::check_invariants;
use ::model::faults::Val;
use ::model::game::{A, B, C};
use ::model::{Player, Real, are_numbers_late, programs};

/// The entities of each key, in order.
fn orders_of_keys(game: &Game) -> Vec<String> {
    if are_numbers_late() {
        return Vec::new(); // reading would number the components
    }
    let keys = (0..9).map(Val::new);
    let ids = keys.map(|key| {
        (
            game.entities_with_f(&key).ids(),
            game.entities_with_m(&key).ids(),
        )
    });
    ids.map(|ids| format!("{ids:?}")).collect()
}

/// A checkpoint of a program: its snapshot, the number of operations before it, and the state.
struct Checkpoint {
    snapshot: Snapshot<Game>,
    done: usize,
    known: (usize, bool),
    moved: bool,
    state: Vec<String>,
}

impl Checkpoint {
    fn of(real: &mut Real, done: usize) -> Self {
        // `B` is not `Clone`, and no entity has one.
        let snapshot = Snapshot::builder().without::<B>().snapshot(&mut real.game);
        Self {
            snapshot,
            done,
            known: real.known(),
            moved: real.is_moved(),
            state: seen(real),
        }
    }

    fn restore(&self, real: &mut Real) {
        real.game.restore(&self.snapshot);
        real.forget_known(self.known);
        real.set_moved(self.moved);
    }
}

/// The visible state, and the orders of iteration.
fn seen(real: &Real) -> Vec<String> {
    let mut seen = super::seen(real);
    let groups = Group::all(&real.game).into_iter();
    let groups = groups.filter(|_| !are_numbers_late()); // late indexes have groups
    seen.extend(groups.map(|group| format!("{:?}", group.ids(&real.game))));
    seen.extend(walked(&real.game));
    seen.extend(orders_of_keys(&real.game));
    seen
}

/// The order of queries, with values.
fn walked(game: &Game) -> [String; 2] {
    let of_a = game.query::<(EntityId<Game>, &A)>();
    let of_c = game.query::<(EntityId<Game>, &C, Option<&A>)>();
    let of_a: Vec<_> = of_a.iter().map(|(id, a)| (id, a.0.get())).collect();
    let of_c = of_c
        .iter()
        .map(|(id, c, a)| (id, c.0.get(), a.map(|a| a.0.get())));
    [
        format!("{of_a:?}"),
        format!("{:?}", of_c.collect::<Vec<_>>()),
    ]
}

fn of_state(program: Vec<Op>) -> Vec<Op> {
    without_b(program, leaves_handles)
}

/// Whether collectors receive all changes of an operation: it writes nothing untracked.
fn is_notified(op: &Op) -> bool {
    !op.any(&Op::is_untracked)
}

fn watched(program: Vec<Op>) -> Vec<Op> {
    of_state(program).into_iter().filter(is_notified).collect()
}

fn prepared(preparation: Vec<Op>) -> Vec<Op> {
    super::prepared(preparation, leaves_handles)
}

fn prepared_and_watched(preparation: Vec<Op>) -> Vec<Op> {
    super::prepared(preparation, |op| leaves_handles(op) && is_notified(op))
}

proptest! {
    #![proptest_config(programs(5))]

    /// Any snapshot can be restored, in any order, any number of times.
    #[test]
    fn every_snapshot_can_become_the_present_again(
        preparation in make::preparation().prop_map(prepared),
        program in make::steps().prop_map(of_state),
        every in 1usize..5,
        tour in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let mut real = after(&preparation);
        let mut checkpoints = vec![Checkpoint::of(&mut real, 0)];
        for (at, op) in program.iter().enumerate() {
            real.play(op);
            if at % every == 0 {
                checkpoints.push(Checkpoint::of(&mut real, at + 1));
            }
        }
        for stop in tour {
            let checkpoint = stop.get(&checkpoints);
            checkpoint.restore(&mut real);
            prop_assert_eq!(&seen(&real), &checkpoint.state);
        }
    }

    /// Operations repeated after a restore give the same ids, log and state, whatever was done in
    /// between.
    #[test]
    fn the_same_operations_give_the_same_log_after_a_restore(
        preparation in make::listened_preparation().prop_map(prepared),
        program in make::steps().prop_map(of_state),
        detour in make::steps().prop_map(of_state),
        back_to in any::<prop::sample::Index>(),
    ) {
        let with_detour = [&program[..back_to.index(program.len() + 1)], &detour].concat();
        let mut real = after(&with_lasting_listeners(preparation, &[&program, &with_detour]));
        let (mut checkpoints, mut logs) = (Vec::new(), Vec::new());
        for (at, op) in program.iter().enumerate() {
            checkpoints.push(Checkpoint::of(&mut real, at));
            logs.push(real.play(op));
        }
        let end = Checkpoint::of(&mut real, program.len());
        checkpoints.push(end);
        let back_to = back_to.get(&checkpoints);
        back_to.restore(&mut real);
        detour.iter().for_each(|op| drop(real.play(op)));
        back_to.restore(&mut real);
        for (at, op) in program.iter().enumerate().skip(back_to.done) {
            prop_assert_eq!(&real.play(op), &logs[at], "log of step {}: {:?}", at, op);
            prop_assert_eq!(&seen(&real), &checkpoints[at + 1].state, "after step {}", at);
        }
    }

    /// Collectors that stay active receive exactly the entities that differ by a restore, and miss
    /// no change before or after it.
    #[test]
    fn collectors_with_rewinds_collect_entities_that_differ_by_a_restore(
        preparation in make::preparation().prop_map(prepared_and_watched),
        program in make::steps().prop_map(watched),
        detour in make::steps().prop_map(watched),
        again in make::steps().prop_map(watched),
        show_now in any::<bool>(),
    ) {
        let mut real = after(&preparation);
        let mut view = View::new(&mut real.game);
        program.iter().for_each(|op| drop(real.play(op)));
        prop_assert!(view.is_right(&mut real.game));
        let checkpoint = Checkpoint::of(&mut real, 0);
        detour.iter().for_each(|op| drop(real.play(op)));
        let mut concerned: BTreeSet<_> = view.concerned(&real.game).into_iter().collect();
        let before = values(&real.game);
        checkpoint.restore(&mut real);
        check_invariants(&real.game);
        concerned.extend(View::differing(&before, &real.game));
        let listed = view.concerned(&real.game);
        let held: BTreeSet<_> = listed.iter().copied().collect();
        prop_assert_eq!(held.len(), listed.len());
        prop_assert!(held.is_superset(&concerned));
        // The type in `A` is one that the library cannot compare.
        let now = values(&real.game);
        prop_assert!(held.difference(&concerned).all(|id| before.contains_key(id) && now.contains_key(id)));
        prop_assert!(!show_now || view.is_right(&mut real.game));
        again.iter().for_each(|op| drop(real.play(op)));
        prop_assert!(view.is_right(&mut real.game));
    }

    /// A copy in another context has the same entities and continues like the original; neither
    /// affects the other.
    #[test]
    fn a_copy_continues_like_the_original(
        beginning in make::quiet_faulty_program().prop_map(of_state),
        program in make::quiet_program().prop_map(of_state),
        groups in make::matchers(),
    ) {
        let mut real = after(&beginning);
        let mut copy = real.copy();
        prop_assert_eq!(seen(&real), seen(&copy));
        let before = seen(&real);
        let logs: Vec<_> = program.iter().map(|op| copy.play(op)).collect();
        prop_assert_eq!(seen(&real), before);
        let notified: Vec<_> = program.iter().map(|op| real.play(op)).collect();
        prop_assert_eq!(notified, logs);
        for sets in groups {
            let (one, other) = (real.play(&Op::MakeGroup(sets)), copy.play(&Op::MakeGroup(sets)));
            prop_assert_eq!(one, other);
        }
        prop_assert_eq!(seen(&real), seen(&copy));
    }
}
