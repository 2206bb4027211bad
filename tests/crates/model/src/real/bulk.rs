//! Changes of many entities, and of the unique component, as programs use them.

use ecs::prelude::*;
use support::attempt;

use super::{Shared, group, number, run_on, some_of, told, told_of, write};
use crate::game::{E, Game, Numbered, with_type};
use crate::op::{Op, Target};

pub(super) fn run_many(game: &mut Game, shared: &Shared, op: &Op) {
    let answer = match op {
        Op::AddMany(kind, v, some)
        | Op::ReplaceMany(kind, v, some)
        | Op::UpdateMany(kind, v, some) => {
            let ids = some_of(shared, some);
            let Some(number) = number(shared, *kind, *v) else {
                return;
            };
            with_type!(kind, T => match op {
                Op::AddMany(..) => told(game.many(&ids).try_add(|_| T::new(number))),
                Op::ReplaceMany(..) => told(game.many(&ids).try_replace(|_| T::new(number))),
                _ => told(game.many(&ids).try_update(|_, value: &mut T| write(value, number))),
            })
        }
        Op::RemoveMany(kind, some) => {
            let ids = some_of(shared, some);
            with_type!(kind, T => told(game.many(&ids).try_remove::<T>()))
        }
        Op::DestroyMany(some) => {
            let ids = some_of(shared, some);
            told(game.many(&ids).try_destroy())
        }
        Op::WriteAll(..) if shared.hand().moved => return,
        Op::WriteAll(kind, v) => return write_all(game, *kind, *v),
        _ => return run_on_group(game, shared, op),
    };
    shared.answer(format!("{answer:?}"));
}

/// Writes all values of a component by a query.
fn write_all(game: &mut Game, kind: crate::op::Kind, v: u8) {
    use crate::game::{A, B, C, L};
    use crate::op::Kind;
    let v = u64::from(v);
    match kind {
        Kind::A => game.query_mut::<&mut A>().for_each(|value| write(value, v)),
        Kind::B => game.query_mut::<&mut B>().for_each(|value| write(value, v)),
        Kind::C => game.query_mut::<&mut C>().for_each(|value| write(value, v)),
        Kind::L => game.query_mut::<&mut L>().for_each(|value| write(value, v)),
        _ => {}
    }
}

/// The order of members is that of indices as long as no entity has been moved.
fn run_on_group(game: &mut Game, shared: &Shared, op: &Op) {
    let (Op::RemoveFromGroup(n, _) | Op::DestroyGroup(n)) = *op else {
        unreachable!("run by `run_many`");
    };
    let Some(group) = group(game, n).filter(|_| !shared.hand().moved) else {
        return;
    };
    match *op {
        Op::RemoveFromGroup(_, kind) => {
            with_type!(kind, T => _ = group.remove_from_all::<T>(game));
        }
        _ => {
            let refused = attempt(|| group.destroy_all(game));
            match refused {
                Some(text) if text.starts_with("cannot destroy") => shared.answer("refused"),
                Some(text) => std::panic::resume_unwind(Box::new(text)),
                None => {}
            }
        }
    }
}

pub(super) fn run_unique(game: &mut Game, shared: &Shared, op: &Op) {
    let value = |v: u8| E::new(v.into());
    let was_set = game.unique::<E>().is_set();
    let made = match *op {
        Op::SetUnique(v) => told_of(game.unique_mut::<E>().try_set(value(v)).map(|it| it.id())),
        Op::ReplaceUnique(v) => Ok(game.unique_mut::<E>().replace(value(v)).id()),
        Op::RemoveUnique => {
            let answer = told(game.unique_mut::<E>().try_remove());
            return shared.answer(format!("{answer:?}"));
        }
        Op::DestroyUnique => {
            let answer = told(game.unique_mut::<E>().try_destroy_entity());
            return shared.answer(format!("{answer:?}"));
        }
        _ => {
            return run_on(
                game,
                shared,
                op,
                super::target(shared, Target::It, None).expect("one"),
            );
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
