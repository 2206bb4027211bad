//! Queries that write. If entities were moved, the order of iteration is that of the library.

use std::time::Duration;

use ecs::prelude::*;
use ecs::{Components, Mut, QueryData, QueryMut};

use super::Shared;
use super::entity::write;
use super::names::{group, number, outcome, target};
use crate::faults::user_code;
use crate::game::{A, D, Game, Id, L, N, Numbered, P, with_type};
use crate::op::{Kind, Op, Target, Write};

/// Evaluates an expression with the type of a component that queries can write.
macro_rules! with_written {
    ($kind:expr, $T:ident => $body:expr) => {
        with_type!($kind, $T in A B C F L M N P => $body, else ())
    };
}

pub(super) fn run_query(game: &mut Game, shared: &Shared, op: &Op) {
    match *op {
        Op::Write(what, v) => write_all(game, shared, what, v),
        Op::DrainRows(n, other) => drain_rows(game, shared, n, other),
        _ => unreachable!("run by `run`"),
    }
}

fn note_rows<T: Components<Game>>(game: &Game, shared: &Shared) {
    shared.note_order(|| game.query::<Id>().with::<T>().iter().collect());
}

/// The numbers to write in turn.
fn next(kind: Kind, v: u8) -> impl FnMut() -> u64 {
    let mut nth = 0;
    move || {
        nth += 1;
        kind.nth_value(v, nth - 1).into()
    }
}

/// Calls `each` for all items, in a loop or as a closure.
fn visit<Q: QueryData<Game>>(
    shared: &Shared,
    mut query: QueryMut<'_, Game, Q>,
    each: impl for<'i> FnMut(Q::Item<'i>),
) {
    match shared.is_second_turn() {
        true => query.iter_mut().for_each(each),
        false => query.for_each(each),
    }
}

fn write_all(game: &mut Game, shared: &Shared, what: Write, v: u8) {
    match what {
        Write::Each(kind) => with_written!(kind, T => {
            note_rows::<T>(game, shared);
            let mut next = next(kind, v);
            let ids: Vec<_> = game.query::<Id>().with::<T>().iter().collect();
            let query = game.query_mut::<&mut T>();
            if shared.turn().is_multiple_of(3) {
                let values = ids.into_iter().map(|id| (id, next())).collect::<Vec<_>>();
                let values: Vec<_> = values.into_iter().rev().collect();
                query.among_with(&values, |value, number| write(value, *number));
            } else {
                visit(shared, query, |value| write(value, next()));
            }
        }),
        Write::Slices(kind) => with_written!(kind, T => {
            note_rows::<T>(game, shared);
            let mut next = next(kind, v);
            game.query_mut::<(Id, &mut T)>().for_each_slice(|(ids, values)| {
                assert_eq!(ids.len(), values.len());
                values.iter_mut().for_each(|value| write(value, next()));
            });
        }),
        Write::Members(kind, n) => {
            if let Some(group) = group(game, n) {
                with_written!(kind, T => write_members::<T>(game, shared, group, next(kind, v)));
            }
        }
        Write::Both => write_both(game, shared, v),
        Write::Changed(kind) => write_changed(game, shared, kind, v),
        Write::Untracked(kind) => {
            if kind.has_untracked() && !shared.hand().followed {
                with_written!(kind, T => write_untracked::<T>(game, shared, next(kind, v)));
            }
        }
        Write::Parallel => write_parallel(game, shared, v),
        Write::Tick => {
            note_rows::<P>(game, shared);
            visit(shared, game.query_mut::<&mut P>(), |timer| {
                user_code();
                timer.0.tick(Duration::from_millis(v.into()));
            });
        }
    }
}

fn write_changed(game: &mut Game, shared: &Shared, kind: Kind, v: u8) {
    if kind == Kind::N {
        note_rows::<N>(game, shared);
        let query = game.query_mut::<Mut<'_, N>>();
        return visit(shared, query, |mut n| _ = n.set_if_changed(N(v)));
    }
    with_written!(kind, T => {
        note_rows::<T>(game, shared);
        visit(shared, game.query_mut::<Mut<'_, T>>(), |mut value| {
            if value.number() != u64::from(v) {
                write(&mut *value, v.into());
            }
        });
    });
}

fn write_parallel(game: &mut Game, shared: &Shared, v: u8) {
    note_rows::<N>(game, shared);
    let write = |id: Id, n: &mut N| n.0 = v.wrapping_add(id.index() as u8) % 16;
    let query = game.query_mut::<(Id, &mut N)>();
    match shared.is_second_turn() {
        true => query.par_for_each_slice(|(ids, all)| {
            ids.iter().zip(all).for_each(|(id, n)| write(id, n));
        }),
        false => query.par_for_each(|(id, n)| write(id, n)),
    }
}

fn write_untracked<T: Numbered>(game: &mut Game, shared: &Shared, mut next: impl FnMut() -> u64) {
    note_rows::<T>(game, shared);
    let query = game.query_mut::<&mut T>().untracked();
    query.for_each(|value| write(value, next()));
}

fn write_members<T: Numbered>(
    game: &mut Game,
    shared: &Shared,
    group: Group<Game>,
    mut next: impl FnMut() -> u64,
) {
    let query = game.query::<Id>().with::<T>().in_group(group);
    shared.note_order(|| query.iter().collect());
    let query = game.query_mut::<&mut T>().in_group(group);
    visit(shared, query, |value| write(value, next()));
}

fn write_both(game: &mut Game, shared: &Shared, v: u8) {
    note_rows::<(A, D)>(game, shared);
    let mut next = next(Kind::A, v);
    let query = game.query_mut::<(&mut A, Option<&mut L>)>();
    visit(shared, query.with::<D>(), |(a, l)| {
        let number = next();
        write(a, number);
        l.into_iter().for_each(|l| write(l, number));
    });
}

/// Writes the value of one entity, or of two.
pub(super) fn write_to(
    game: &mut Game,
    shared: &Shared,
    (id, other): (Id, Option<u8>),
    kind: Kind,
    v: u8,
) {
    let Some(number) = number(shared, kind, v) else {
        return;
    };
    let other = other.and_then(|other| target(shared, Target::Nth(other), None));
    with_written!(kind, T => {
        let answer = match other {
            None => {
                let mut written = None;
                match shared.turn() % 3 {
                    0 => game.view_mut::<T>(|all| {
                        written = all.get_mut(id).map(|value| write(value, number));
                    }),
                    1 => {
                        let query = game.query_mut::<&mut T>();
                        written = query.get(id, |value| write(value, number));
                    }
                    _ => {
                        let mut query = game.query_mut::<&mut T>().among([id]);
                        let first = query.iter_mut().next();
                        written = first.map(|value| write(value, number));
                    }
                }
                format!("{written:?}")
            }
            Some(other) => {
                let is_visited = |it: &Id| *it == id || *it == other;
                let rows = game.query::<Id>();
                shared.note_order(|| rows.iter().filter(is_visited).collect());
                let written = game.query_mut::<&mut T>().get_many([id, other], |[one, two]| {
                    write(one, number);
                    write(two, number);
                });
                format!("{:?}", outcome(written))
            }
        };
        shared.answer(answer);
    });
}

/// Visits the entities that two collectors hold.
fn drain_rows(game: &mut Game, shared: &Shared, n: u8, other: u8) {
    let drained: Option<Vec<(Id, u64)>> = {
        let hand = shared.hand();
        let place = |n: u8| usize::from(n) % hand.collectors.len().max(1);
        let [one, two] = [n, other].map(|n| hand.collectors.get(place(n)).and_then(Option::as_ref));
        one.zip(two).map(|(one, two)| {
            let query = game.query_mut::<(Id, &A)>().drained_from(one);
            let query = query.drained_from(two);
            query.iter().map(|(id, a)| (id, a.number())).collect()
        })
    };
    let drained = drained.unwrap_or_default();
    let ids = drained.iter().rev().map(|(id, _)| id);
    let among = game.query::<(Id, &A)>().among(ids).iter();
    assert!(
        among
            .map(|(id, a)| (id, a.number()))
            .eq(drained.iter().copied())
    );
    shared.note_order(|| drained.iter().map(|(id, _)| *id).collect());
    let lines = drained.iter().map(|(id, a)| format!("{id} {a}"));
    shared.answer(lines.collect::<Vec<_>>().join(", "));
}
