//! Snapshots of two contexts, restored in any order in one of them: it has the entities of the
//! snapshot, under their ids, and excluded components stay with surviving entities only.

use std::collections::BTreeMap;

use ecs::Snapshot;
use ecs::prelude::*;
use proptest::prelude::*;
use proptest::sample::Index;

use ::model::check::check_invariants;
use ::model::game::{B, F, Game, H, I, Id, J, K, Numbered, number_of};
use ::model::make;
use ::model::op::{Kind, Op};
use ::model::{Player, Real, programs};

use super::{after, leaves_handles, without_b};

/// A checkpoint of one of the contexts.
struct Checkpoint {
    /// The number of the context.
    of: usize,
    snapshot: Snapshot<Game>,
    recorded: Vec<String>,
}

impl Checkpoint {
    fn of(of: usize, game: &mut Game) -> Self {
        // `B` is not `Clone`, and no entity has one.
        let snapshot = Snapshot::builder().without::<B>().without::<F>();
        let snapshot = snapshot.without::<H>().without::<I>();
        Self {
            of,
            snapshot: snapshot.without::<J>().without::<K>().snapshot(game),
            recorded: recorded(game),
        }
    }
}

const EXCLUDED: [Kind; 6] = [Kind::B, Kind::F, Kind::H, Kind::I, Kind::J, Kind::K];

/// All entities in the order of iteration, with the components of a snapshot.
fn recorded(game: &Game) -> Vec<String> {
    let kinds = Kind::ALL
        .into_iter()
        .filter(|kind| !EXCLUDED.contains(kind));
    let kinds: Vec<_> = kinds.collect();
    let line = |id: Id| {
        let numbers = kinds.iter().map(|&kind| number_of(game.entity(id), kind));
        format!("{} {:?}", id.raw(), numbers.collect::<Vec<_>>())
    };
    game.query::<Id>().iter().map(line).collect()
}

/// The excluded components by entity.
fn excluded(game: &Game) -> BTreeMap<Id, [Option<u64>; 2]> {
    let values = |id| [Kind::F, Kind::I].map(|kind| number_of(game.entity(id), kind));
    let all = game.query::<Id>().iter().map(|id| (id, values(id)));
    all.filter(|(_, values)| values.iter().any(Option::is_some))
        .collect()
}

/// Gives some entities excluded components: a key, and a relation to the previous entity.
fn stir(game: &mut Game, turn: usize) {
    let ids: Vec<Id> = game.query::<Id>().iter().collect();
    for (nth, pair) in ids
        .windows(2)
        .enumerate()
        .filter(|(nth, _)| nth % 3 == turn % 3)
    {
        game.entity_mut(pair[1])
            .replace(F::new(nth as u64 % 4))
            .replace(I(pair[0]));
    }
}

/// The excluded components of surviving entities: a relation only if its target survives.
fn kept(game: &Game, before: BTreeMap<Id, [Option<u64>; 2]>) -> BTreeMap<Id, [Option<u64>; 2]> {
    let lives = |target: &u64| Id::from_bits(*target).is_some_and(|id| game.contains(id));
    let values = before.into_iter().filter(|(id, _)| game.contains(*id));
    let values = values.map(|(id, [key, target])| (id, [key, target.filter(lives)]));
    values
        .filter(|(_, values)| values.iter().any(Option::is_some))
        .collect()
}

/// A context after a program, with checkpoints on the way.
fn run_with_checkpoints(of: usize, program: &[Op], checkpoints: &mut Vec<Checkpoint>) -> Real {
    let mut real = after(&program[..0]);
    for (at, op) in program.iter().enumerate() {
        if at % 9 == 0 {
            checkpoints.push(Checkpoint::of(of, &mut real.game));
        }
        real.play(op);
    }
    checkpoints.push(Checkpoint::of(of, &mut real.game));
    real
}

fn of_state(program: Vec<Op>) -> Vec<Op> {
    without_b(program, leaves_handles)
}

proptest! {
    #![proptest_config(programs(5))]

    /// F42: the entities of one context are not those of the other with the same ids.
    #[test]
    fn snapshots_of_two_contexts_take_turns(
        program in make::quiet_program().prop_map(of_state),
        other in make::quiet_program().prop_map(of_state),
        tour in prop::collection::vec(any::<Index>(), 1..12),
    ) {
        let mut checkpoints = Vec::new();
        let mut real = run_with_checkpoints(0, &program, &mut checkpoints);
        let _other = run_with_checkpoints(1, &other, &mut checkpoints);
        let (game, mut present) = (&mut real.game, 0);
        for (turn, stop) in tour.iter().enumerate() {
            stir(game, turn);
            let (checkpoint, before) = (stop.get(&checkpoints), excluded(game));
            game.restore(&checkpoint.snapshot);
            let is_own = (present, checkpoint.of) == (0, 0);
            let expected = if is_own { kept(game, before) } else { BTreeMap::new() };
            prop_assert_eq!(excluded(game), expected);
            prop_assert_eq!(&recorded(game), &checkpoint.recorded);
            check_invariants(game);
            present = checkpoint.of;
        }
    }
}
