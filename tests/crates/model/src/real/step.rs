//! Runs one operation.

use ecs::prelude::*;

use super::Shared;
use super::bulk::{run_many, run_unique};
use super::create::run_creating;
use super::entity::run_on;
use super::follow::run_following;
use super::names::{group, picked, target};
use super::observe::run_reaction;
use super::query::run_query;
use super::saved::run_saved;
use super::systems::run_systems;
use crate::game::{Game, Id, with_type};
use crate::op::{Kind, Op};

pub(super) fn run(game: &mut Game, shared: &Shared, op: &Op, it: Option<Id>) {
    if let Some(on) = op.target() {
        if let Some(id) = target(shared, on, it) {
            run_on(game, shared, op, id);
        }
        return;
    }
    match op {
        Op::Create
        | Op::CreateWith(_)
        | Op::CreateMany(_)
        | Op::CreateRun(..)
        | Op::CreateTree(..)
        | Op::FromTemplate(..) => run_creating(game, shared, op),
        Op::DestroyAll => game.destroy_all(),
        Op::Reset => game.reset(),
        Op::ForEach(n, script) => for_each(game, shared, *n, script),
        Op::Each(pick, script) => {
            for id in picked(game, shared, pick, |_| true) {
                run_all(game, shared, script, id);
            }
        }
        Op::Write(..) | Op::DrainRows(..) => run_query(game, shared, op),
        _ => run_else(game, shared, op, it),
    }
}

fn run_all(game: &mut Game, shared: &Shared, script: &[Op], id: Id) {
    script.iter().for_each(|op| run(game, shared, op, Some(id)));
}

fn for_each(game: &mut Game, shared: &Shared, n: u8, script: &[Op]) {
    let Some(group) = group(game, n) else {
        return;
    };
    shared.note_order(|| group.ids(game));
    group.for_each(game, |mut entity| {
        let id = entity.id();
        run_all(entity.context_mut(), shared, script, id);
    });
}

fn run_else(game: &mut Game, shared: &Shared, op: &Op, it: Option<Id>) {
    match op {
        Op::Defragment
        | Op::DefragmentFor(_)
        | Op::ShrinkToFit
        | Op::ClearPool(_)
        | Op::ClearPools
        | Op::ReserveEntities(_)
        | Op::Reserve(..) => keep_up(game, shared, op),
        Op::AddMany(..)
        | Op::ReplaceMany(..)
        | Op::UpdateMany(..)
        | Op::RemoveMany(..)
        | Op::DestroyMany(_)
        | Op::RemoveFromGroup(..)
        | Op::DestroyGroup(_)
        | Op::Expire(..)
        | Op::CleanUp => run_many(game, shared, op),
        Op::SetUnique(_)
        | Op::ReplaceUnique(_)
        | Op::UpdateUnique(_)
        | Op::RemoveUnique
        | Op::DestroyUnique
        | Op::SetState(_) => run_unique(game, shared, op),
        Op::MakeSystems(..)
        | Op::MakeStates(..)
        | Op::MakeTransitions(_)
        | Op::PlugIn(..)
        | Op::Execute(_)
        | Op::SwitchSystems(..) => {
            run_systems(game, shared, op);
        }
        Op::Merge(..) | Op::Reload(..) => run_saved(game, shared, op),
        Op::Panicking(..) | Op::Edit(..) | Op::Undo | Op::Redo => {
            unreachable!("only steps panic, or are edits")
        }
        _ => run_watching(game, shared, op, it),
    }
}

/// Runs operations that create and use subscribers of a context.
fn run_watching(game: &mut Game, shared: &Shared, op: &Op, it: Option<Id>) {
    match op {
        Op::MakeGroup(_)
        | Op::MakeCollector(_)
        | Op::MakeCollectors(..)
        | Op::Subscribe(..)
        | Op::Unsubscribe(_)
        | Op::Guard(_)
        | Op::DropGuard(_)
        | Op::ClearObservers
        | Op::ClearGroupObservers(_)
        | Op::Deliver(_)
        | Op::Replay(_)
        | Op::SwitchEvents(_)
        | Op::Drain(_)
        | Op::Clear(_)
        | Op::Activate(_)
        | Op::Deactivate(_)
        | Op::Release(_) => run_reaction(game, shared, op, it),
        _ => run_following(game, shared, op),
    }
}

fn keep_up(game: &mut Game, shared: &Shared, op: &Op) {
    if is_move(op) && shared.hand().cleaning {
        return;
    }
    match *op {
        Op::Defragment => game.defragment(),
        Op::DefragmentFor(moves) => _ = game.storage_mut().defragment_for(usize::from(moves)),
        Op::ShrinkToFit => game.storage_mut().shrink_to_fit(),
        Op::ClearPool(kind) => with_type!(kind, T => game.storage_mut().clear_pool::<T>()),
        Op::ClearPools => game.storage_mut().clear_pools(),
        Op::ReserveEntities(n) => game.storage_mut().reserve_entities(usize::from(n)),
        Op::Reserve(kind, n) => {
            with_type!(kind, T => game.storage_mut().reserve::<T>(usize::from(n)));
        }
        _ => unreachable!("run by `run_else`"),
    }
    let mut hand = shared.hand();
    if is_move(op) {
        hand.moved = true;
        hand.moves += 1;
    }
    hand.shrunk |= matches!(
        op,
        Op::ShrinkToFit | Op::ClearPools | Op::ClearPool(Kind::C)
    );
}

fn is_move(op: &Op) -> bool {
    matches!(op, Op::Defragment | Op::DefragmentFor(_))
}
