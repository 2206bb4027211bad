//! Bulk changes, and changes of the unique component through the context.

use super::Shared;
use super::entity::write;
use super::names::{group, numbers, outcome, outcome_of, picked, unless, without_advice};
use crate::faults::{Val, user_code};
use crate::game::{E, Game, GameEntity, Id, Numbered, number_of, with_type};
use crate::op::{Kind, Op, Pick};
use ecs::prelude::*;

pub(super) fn run_many(game: &mut Game, shared: &Shared, op: &Op) {
    let answer = match op {
        Op::AddMany(kind, v, pick) => {
            let lacks = |it: GameEntity<'_>| number_of(it, *kind).is_none();
            Some((*kind, *v, picked(game, shared, pick, lacks)))
        }
        Op::ReplaceMany(kind, v, pick) => Some((*kind, *v, picked(game, shared, pick, |_| true))),
        Op::UpdateMany(kind, v, pick) => Some((*kind, *v, having(game, shared, pick, *kind))),
        _ => None,
    };
    match answer {
        Some((kind, v, ids)) => write_many(game, shared, op, (kind, v), &ids),
        None => run_on_many(game, shared, op),
    }
}

fn having(game: &Game, shared: &Shared, pick: &Pick, kind: Kind) -> Vec<Id> {
    picked(game, shared, pick, |it| number_of(it, kind).is_some())
}

/// Writes a component of several entities in turn.
fn write_many(game: &mut Game, shared: &Shared, op: &Op, (kind, v): (Kind, u8), ids: &[Id]) {
    let Some(numbers) = numbers(shared, kind, v, ids.len()) else {
        return;
    };
    let mut numbers = numbers.into_iter();
    let mut next = || numbers.next().expect("one for each");
    let answer = with_type!(kind, T => match op {
        Op::AddMany(..) => outcome(game.many(ids).try_add_with(|_| made::<T>(next()))),
        Op::ReplaceMany(..) => outcome(game.many(ids).try_replace_with(|_| made::<T>(next()))),
        _ => outcome(game.many(ids).try_update(|_, value: &mut T| write(value, next()))),
    });
    shared.answer(format!("{answer:?}"));
}

/// Creates a value in user code.
fn made<T: Numbered>(number: u64) -> T {
    user_code();
    T::new(number)
}

fn run_on_many(game: &mut Game, shared: &Shared, op: &Op) {
    let answer = match op {
        Op::RemoveMany(kind, pick) => {
            let ids = having(game, shared, pick, *kind);
            with_type!(*kind, T => outcome(game.many(&ids).try_remove::<T>()))
        }
        Op::DestroyMany(pick) => {
            let ids = picked(game, shared, pick, |_| true);
            outcome(game.many(&ids).try_destroy())
        }
        Op::CleanUp => return clean_up(game, shared),
        Op::Expire(kind, v, destroys) => {
            return expire(game, shared, *kind, (*v).into(), *destroys);
        }
        _ => return run_on_group(game, shared, op),
    };
    shared.answer(format!("{answer:?}"));
}

/// Changes all members of a group.
fn run_on_group(game: &mut Game, shared: &Shared, op: &Op) {
    let (Op::RemoveFromGroup(n, _) | Op::DestroyGroup(n)) = *op else {
        unreachable!("run by `run_many`");
    };
    let Some(group) = group(game, n) else {
        return;
    };
    shared.note_order(|| group.ids(game));
    match *op {
        Op::RemoveFromGroup(_, kind) => {
            let removed = with_type!(kind, T => group.remove_from_all::<T>(game));
            shared.answer(format!("{removed} removed"));
        }
        _ => {
            let destroyed = group.try_destroy_all(game);
            let rejected = |error: Error| without_advice(&error.to_string());
            shared.answer(destroyed.map_or_else(rejected, |count| format!("{count} destroyed")));
        }
    }
}

/// Ends components whose number is too small, or their entities.
fn expire(game: &mut Game, shared: &Shared, kind: Kind, least: u64, destroys: bool) {
    with_type!(kind, T in A C L N => {
        shared.note_order(|| game.query::<Id>().with::<T>().iter().collect());
        let is_over = move |_: &Game, value: &T| {
            user_code();
            value.number() < least
        };
        let ended = unless(shared, "cannot destroy", || match destroys {
            true => Expire::destroy(is_over).execute(game),
            false => Expire::remove(is_over).execute(game),
        });
        shared.answer(format!("{ended:?}"));
    }, else ());
}

/// Runs all cleanup of the context, unless the order of entities is undefined.
fn clean_up(game: &mut Game, shared: &Shared) {
    if shared.hand().moved {
        return;
    }
    let before = std::mem::replace(&mut shared.hand().cleaning, true);
    let mut systems = CleanupSystems::new(game);
    let cleaned = unless(shared, "cannot destroy", || systems.run(game));
    shared.hand().cleaning = before;
    shared.answer(format!("{cleaned:?}"));
}

pub(super) fn run_unique(game: &mut Game, shared: &Shared, op: &Op) {
    let value = |v: u8| E::new(v.into());
    let was_set = game.unique::<E>().is_set();
    let made = match *op {
        Op::SetUnique(v) => outcome_of(game.try_create_with(value(v)).map(|it| it.id())),
        Op::ReplaceUnique(v) => {
            outcome_of(game.unique_mut::<E>().try_set(value(v)).map(|it| it.id()))
        }
        Op::SetState(v) => Ok(game.set_e(Val::new(v)).id()),
        Op::UpdateUnique(v) => {
            let update = |e: &mut E| write(e, v.into());
            let owner = game.unique::<E>().entity().map(|it| it.id());
            let updated = game.unique_mut::<E>().try_update(update);
            outcome_of(updated.map(|()| owner.expect("what is updated has an owner")))
        }
        Op::RemoveUnique => {
            let answer = outcome(game.unique_mut::<E>().try_remove());
            return shared.answer(format!("{answer:?}"));
        }
        _ => {
            let answer = outcome(game.unique_mut::<E>().try_destroy_entity());
            return shared.answer(format!("{answer:?}"));
        }
    };
    match made {
        Ok(id) => {
            let known = &mut shared.hand().known;
            if !was_set || !known.contains(&id) {
                known.push(id);
            }
        }
        Err(text) => shared.answer(text),
    }
}
