//! Random programs of which snapshots are taken: restoring one leads to the state that it was taken of,
//! the same operations to the same log, and a copy goes on as the original would have.

use ecs::Snapshot;
use ecs::prelude::*;
use proptest::prelude::*;

use super::op::{self, Kind, Op};
use super::real::Real;
use super::{A, B, C, Game, Player};

/// A moment of a program: its snapshot, how many operations came before it, and what was seen.
struct Moment {
    snapshot: Snapshot<Game>,
    done: usize,
    known: usize,
    moved: bool,
    state: Vec<String>,
}

impl Moment {
    fn of(real: &mut Real, done: usize) -> Self {
        // `B` is not `Clone`, and no entity has it.
        let snapshot = Snapshot::builder()
            .leave_out::<B>()
            .snapshot(&mut real.game);
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

/// All that can be seen, and the orders of walking; pools are no part of the state.
fn seen(real: &Real) -> Vec<String> {
    let mut seen = real.state();
    seen[0] = seen[0].rsplit_once(',').expect("the pool").0.to_owned();
    let groups = Group::all(&real.game).into_iter();
    seen.extend(groups.map(|group| format!("{:?}", group.ids(&real.game))));
    seen.extend(walked(&real.game));
    seen
}

/// The order of queries, with values.
fn walked(game: &Game) -> [String; 2] {
    let of_a = game.query::<(EntityId<Game>, &A)>();
    let of_c = game.query::<(EntityId<Game>, &C, Option<&A>)>();
    let of_a: Vec<_> = of_a.iter().map(|(id, a)| (id, a.0)).collect();
    let of_c = of_c.iter().map(|(id, c, a)| (id, c.0, a.map(|a| a.0)));
    [
        format!("{of_a:?}"),
        format!("{:?}", of_c.collect::<Vec<_>>()),
    ]
}

/// Whether an operation leaves observers and handles as they are: these are no part of a snapshot.
fn is_of_state(op: &Op) -> bool {
    match op {
        Op::MakeGroup(_)
        | Op::MakeCollector(_)
        | Op::Activate(_)
        | Op::Deactivate(_)
        | Op::Release(_)
        | Op::Subscribe(..)
        | Op::Unsubscribe(_)
        | Op::ClearObservers => false,
        Op::ForEach(_, op) => is_of_state(op),
        _ => true,
    }
}

fn of_state(program: Vec<Op>) -> Vec<Op> {
    let program = program.into_iter().filter(is_of_state);
    program.map(|op| op.map_kinds(&without_b)).collect()
}

fn without_b(kind: Kind) -> Kind {
    if kind == Kind::B { Kind::A } else { kind }
}

fn prepared(preparation: Vec<Op>) -> Vec<Op> {
    let all = preparation.into_iter().map(|op| match op {
        Op::Subscribe(to, script) => Op::Subscribe(to, of_state(script)),
        op => op.map_kinds(&without_b),
    });
    all.collect()
}

fn after(preparation: &[Op]) -> Real {
    let mut real = Real::default();
    preparation.iter().for_each(|op| drop(real.play(op)));
    real
}

proptest! {
    /// Any snapshot can be restored, in any order, any number of times.
    #[test]
    fn every_snapshot_can_become_the_present_again(
        preparation in op::preparation().prop_map(prepared),
        program in op::steps().prop_map(of_state),
        every in 1usize..5,
        tour in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let mut real = after(&preparation);
        let mut moments = vec![Moment::of(&mut real, 0)];
        for (at, op) in program.iter().enumerate() {
            real.play(op);
            if at % every == 0 {
                moments.push(Moment::of(&mut real, at + 1));
            }
        }
        for stop in tour {
            let moment = stop.get(&moments);
            moment.restore(&mut real);
            prop_assert_eq!(&seen(&real), &moment.state);
        }
    }

    /// What is done again after a restore gives the same ids, the same log and the same state, whatever
    /// was done in between.
    #[test]
    fn the_same_operations_lead_to_the_same_log_after_a_restore(
        preparation in op::preparation().prop_map(prepared),
        program in op::steps().prop_map(of_state),
        detour in op::steps().prop_map(of_state),
        back_to in any::<prop::sample::Index>(),
    ) {
        let mut real = after(&preparation);
        let (mut moments, mut logs) = (Vec::new(), Vec::new());
        for (at, op) in program.iter().enumerate() {
            moments.push(Moment::of(&mut real, at));
            logs.push(real.play(op));
        }
        let end = Moment::of(&mut real, program.len());
        moments.push(end);
        let back_to = back_to.get(&moments);
        back_to.restore(&mut real);
        detour.iter().for_each(|op| drop(real.play(op)));
        back_to.restore(&mut real);
        for (at, op) in program.iter().enumerate().skip(back_to.done) {
            prop_assert_eq!(&real.play(op), &logs[at], "log of step {}: {:?}", at, op);
            prop_assert_eq!(&seen(&real), &moments[at + 1].state, "after step {}", at);
        }
    }

    /// A copy in another context has the same entities and goes on like the original; neither notices
    /// the other.
    #[test]
    fn a_copy_goes_on_like_the_original(
        beginning in op::quiet_program().prop_map(of_state),
        program in op::quiet_program().prop_map(of_state),
        groups in op::matchers(),
    ) {
        let mut real = after(&beginning);
        let mut copy = real.copy();
        prop_assert_eq!(seen(&real), seen(&copy));
        let before = seen(&real);
        let logs: Vec<_> = program.iter().map(|op| copy.play(op)).collect();
        prop_assert_eq!(seen(&real), before);
        let told: Vec<_> = program.iter().map(|op| real.play(op)).collect();
        prop_assert_eq!(told, logs);
        for sets in groups {
            let (one, other) = (real.play(&Op::MakeGroup(sets)), copy.play(&Op::MakeGroup(sets)));
            prop_assert_eq!(one, other);
        }
        prop_assert_eq!(seen(&real), seen(&copy));
    }
}
