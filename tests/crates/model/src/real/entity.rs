//! Changes of one entity.

use std::any::Any;

use ecs::prelude::*;

use super::Shared;
use super::names::{bundle, number, outcome, outcome_of, target, unless};
use super::{copying, query};
use crate::faults::user_code;
use crate::game::{C, Game, GameEntityMut, Id, Numbered, with_type};
use crate::op::{Kind, Op, Target, Untyped};

pub(super) fn run_on(game: &mut Game, shared: &Shared, op: &Op, id: Id) {
    match *op {
        Op::Destroy(_) => {
            let answer = outcome(game.try_destroy(id));
            shared.answer(format!("{answer:?}"));
        }
        Op::WriteTo(_, other, kind, v) => query::write_to(game, shared, (id, other), kind, v),
        _ => match run_on_alive(game, shared, op, id) {
            Err(Dead) => shared.answer("dead"),
            Ok(Some(answer)) => shared.answer(answer),
            Ok(None) => {}
        },
    }
}

/// The entity is not alive.
struct Dead;

/// Runs an operation on a living entity; returns its result, if any.
fn run_on_alive(game: &mut Game, shared: &Shared, op: &Op, id: Id) -> Result<Option<String>, Dead> {
    let found = match shared.is_second_turn() {
        true => game.try_entity_mut(id).ok(),
        false => game.get_entity_mut(id),
    };
    let mut entity = found.ok_or(Dead)?;
    Ok(match *op {
        Op::Copy(..) | Op::CopyTo(..) | Op::MakeTemplate(..) | Op::ApplyTemplate(..) => {
            copying::run_copying(game, shared, op, id)
        }
        Op::RemoveAll(_) => {
            entity.remove_all();
            None
        }
        Op::Untracked(_, kind, v) => {
            if kind.has_untracked() && !shared.hand().followed {
                write_untracked(entity, kind, v);
            }
            None
        }
        Op::UseAfterDestroy(_, kind, v) => {
            number(shared, kind, v).map(|number| use_after_destroy(entity, kind, number))
        }
        _ => change(entity, shared, op),
    })
}

/// Changes an entity by one call; returns its result.
fn change(mut entity: GameEntityMut<'_>, shared: &Shared, op: &Op) -> Option<String> {
    let answer = match *op {
        Op::Insert(_, ref values) => outcome(entity.try_insert(bundle(shared, values))),
        Op::AddAll(_, ref values) => outcome(entity.try_add_all(bundle(shared, values))),
        Op::Touch(_, kind) => {
            with_type!(kind, T => outcome(entity.try_update(|_: &mut T| user_code())))
        }
        Op::Remove(_, kind) => with_type!(kind, T => outcome(entity.try_remove::<T>())),
        Op::Swap(_, kind, other) => {
            let other = target(shared, Target::Nth(other), None)?;
            with_type!(kind, T => outcome(entity.try_swap::<T>(other)))
        }
        Op::Take(_, kind) => return Some(format!("{:?}", take(entity, kind))),
        Op::FillNew(_, v) | Op::FillAny(_, v) => {
            shared.hand().shrunk = true; // which value was pooled is undefined
            fill(entity, v, matches!(op, Op::FillAny(..)));
            return None;
        }
        Op::Add(_, kind, v)
        | Op::Replace(_, kind, v)
        | Op::Update(_, kind, v)
        | Op::UpdateHalfway(_, kind, v)
        | Op::UpdateWith(_, kind, v)
        | Op::Untyped(_, _, kind, v) => {
            let number = number(shared, kind, v)?;
            if matches!(op, Op::UpdateHalfway(..)) {
                return Some(update_halfway(entity, shared, kind, number));
            }
            return change_value(entity, op, kind, number);
        }
        _ => unreachable!("run by `run_on`"),
    };
    Some(format!("{answer:?}"))
}

fn change_value(mut entity: GameEntityMut<'_>, op: &Op, kind: Kind, number: u64) -> Option<String> {
    let answer = match *op {
        Op::Add(..) => with_type!(kind, T => outcome(entity.try_add(T::new(number)))),
        Op::Replace(..) => with_type!(kind, T => outcome(entity.try_replace(T::new(number)))),
        Op::Update(..) => {
            with_type!(kind, T => outcome(entity.try_update(|value: &mut T| write(value, number))))
        }
        Op::UpdateWith(..) => update_with(entity, kind, number)?,
        Op::Untyped(_, verb, ..) => return Some(change_untyped(entity, verb, kind, number)),
        _ => unreachable!("run by `change`"),
    };
    Some(format!("{answer:?}"))
}

/// What closures do with their value.
pub(super) fn write<T: Numbered>(value: &mut T, number: u64) {
    value.set(number);
    user_code();
}

/// Updates a component with a closure that panics after writing.
fn update_halfway(
    mut entity: GameEntityMut<'_>,
    shared: &Shared,
    kind: Kind,
    number: u64,
) -> String {
    let (id, is_second) = (entity.id(), shared.is_second_turn());
    let answer = with_type!(kind, T => {
        let halfway = |value: &mut T| {
            write(value, number);
            panic!("half-way");
        };
        unless(shared, "half-way", || match is_second {
            true => outcome(entity.context_mut().many(&[id]).try_update(|_, it| halfway(it))),
            false => outcome(entity.try_update(halfway)),
        })
    });
    format!("{answer:?}")
}

fn take(mut entity: GameEntityMut<'_>, kind: Kind) -> Result<Option<u64>, String> {
    let taken = with_type!(kind, T => {
        entity.try_take::<T>().map(|value| value.map(|value| value.number()))
    });
    outcome_of(taken)
}

fn update_with(
    mut entity: GameEntityMut<'_>,
    kind: Kind,
    number: u64,
) -> Option<Result<(), String>> {
    with_type!(kind, T in A C D E F G H I J K L M N O P => {
        let change = |value: &mut T, game: &Game| {
            assert!(!game.is_empty());
            write(value, number);
        };
        Some(outcome(entity.try_update_with(change)))
    }, else None)
}

/// Fills a default value, which may be a pooled one.
fn fill(mut entity: GameEntityMut<'_>, v: u8, also_if_there: bool) {
    let fill = |value: &mut C| write(value, value.number() + u64::from(v));
    match also_if_there {
        true => _ = entity.replace_with(fill),
        false if !entity.has::<C>() => _ = entity.add_with(fill),
        false => {}
    }
}

fn change_untyped(mut entity: GameEntityMut<'_>, verb: Untyped, kind: Kind, number: u64) -> String {
    with_type!(kind, T => {
        let index = entity.context().components().index_of::<T>();
        let mut entity = entity.dynamic();
        let new = || Box::new(T::new(number));
        let number_in = |value: Box<dyn Any + Send + Sync>| {
            value.downcast_ref::<T>().expect("a value of the type").number()
        };
        let answer = match verb {
            Untyped::Add => outcome(entity.try_add(index, new())),
            Untyped::Replace => outcome(entity.try_replace(index, new())),
            Untyped::Remove => outcome(entity.try_remove(index)),
            Untyped::Take => {
                let taken = outcome_of(entity.try_take(index));
                return format!("{:?}", taken.map(|value| value.map(number_in)));
            }
        };
        format!("{answer:?}")
    })
}

fn write_untracked(mut entity: GameEntityMut<'_>, kind: Kind, v: u8) {
    with_type!(kind, T => {
        if entity.has::<T>() {
            entity.mut_untracked::<T>().set(v.into());
        }
    });
}

fn use_after_destroy(mut entity: GameEntityMut<'_>, kind: Kind, v: u64) -> String {
    let id = entity.id();
    let answers = with_type!(kind, T => [
        outcome(entity.context_mut().try_destroy(id)),
        outcome(entity.try_add(T::new(v))),
        outcome(entity.try_replace(T::new(v))),
        outcome(entity.try_update(|value: &mut T| value.set(v))),
        outcome(entity.try_remove::<T>()),
        outcome(entity.try_destroy()),
    ]);
    format!("{answers:?}")
}
