//! Copies of entities, and templates.

use ecs::prelude::*;
use ecs::{CloneOptions, OnConflict};

use super::Shared;
use super::names::{outcome, outcome_of, target, unless};
use crate::game::{A, B, C, E, G, Game, H, Id};
use crate::op::{Conflict, Copying, Op, Target};

fn options(copying: Copying) -> CloneOptions<Game> {
    match copying {
        Copying::All => CloneOptions::all().without::<(B, E, G)>(),
        Copying::Few => CloneOptions::only::<(A, C, H)>(),
        Copying::Tree => CloneOptions::all().without::<B>().with_descendants::<H>(),
        Copying::Branch => CloneOptions::only::<A>().with_descendants::<H>(),
    }
}

fn on_conflict(conflict: Conflict) -> OnConflict {
    match conflict {
        Conflict::Reject => OnConflict::Reject,
        Conflict::Replace => OnConflict::Replace,
        Conflict::Keep => OnConflict::Keep,
    }
}

/// Whether a copy has all components of the entity.
fn is_copied_whole(game: &Game, copying: Copying, id: Id) -> bool {
    matches!(copying, Copying::All) && !game.entity(id).has_any::<(B, E, G)>()
}

/// Whether a copied tree has all components of the entities.
fn is_tree_of_clones(game: &Game, copying: Copying, id: Id) -> bool {
    let below = game.entity(id).related::<H>().descendants();
    let mut tree = below.chain([id]);
    matches!(copying, Copying::Tree) && !tree.any(|id| game.entity(id).has_b())
}

/// Runs an operation that copies a living entity; returns its result.
pub(super) fn run_copying(game: &mut Game, shared: &Shared, op: &Op, id: Id) -> Option<String> {
    let answer = match *op {
        Op::Copy(_, copying) => {
            let copy = match is_copied_whole(game, copying, id) && shared.is_second_turn() {
                true => unless(shared, "cannot", || game.clone_entity(id).id()),
                false if is_tree_of_clones(game, copying, id) && shared.is_second_turn() => {
                    unless(shared, "cannot", || game.clone_tree::<H>(id).id())
                }
                false => {
                    let copied = options(copying).try_clone_entity(game, id);
                    outcome_of(copied.map(|copy| copy.id()))
                }
            };
            copy.map(|copy| shared.hand().known.push(copy))
        }
        Op::CopyTo(_, to, copying, conflict) => {
            let to = target(shared, Target::Nth(to), None)?;
            let options = options(copying).on_conflict(on_conflict(conflict));
            outcome(options.try_copy(game, id, to))
        }
        Op::MakeTemplate(_, copying) if copying.is_of_trees() => return None,
        Op::MakeTemplate(_, copying) => {
            let made = outcome_of(options(copying).try_template(game, id));
            made.map(|template| shared.hand().templates.push(template))
        }
        Op::ApplyTemplate(_, n, conflict) => {
            let template = shared.template(n)?;
            outcome(template.try_apply_to(game, id, on_conflict(conflict)))
        }
        _ => unreachable!("run by `run_on`"),
    };
    Some(format!("{answer:?}"))
}
