//! The meaning of the numbers of a program, and the format of results.

use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex};
use support::attempt;

use super::Shared;
use crate::game::{Game, GameEntity, Id, Numbered, groups, may_name, number_of, with_type};
use crate::op::{Kind, Pick, Target, Values};

/// A bundle whose components are known at run time only.
pub(super) struct Dynamic(Vec<(Kind, u64)>);

impl Components<Game> for Dynamic {
    fn visit(_: &mut dyn FnMut(ComponentIndex<Game>)) {}
}

impl Bundle<Game> for Dynamic {
    fn visit_components(each: &mut dyn FnMut(ComponentIndex<Game>)) {
        <Self as Components<Game>>::visit(each);
    }

    fn put(self, writer: &mut BundleWriter<'_, Game>) {
        for (kind, value) in self.0 {
            with_type!(kind, T => writer.put(T::new(value)));
        }
    }
}

pub(super) fn names(ids: &[Id]) -> String {
    ids.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Formats the current components of an entity.
pub(super) fn present(game: &Game, id: Id) -> String {
    let Some(entity) = game.get_entity(id) else {
        return "dead".to_owned();
    };
    let has = |kind| Some((kind, number_of(entity, kind)?));
    let components: std::collections::BTreeMap<_, _> =
        Kind::ALL.into_iter().filter_map(has).collect();
    let links = [Kind::H, Kind::I, Kind::J, Kind::K].map(|kind| names(sources(entity, kind)));
    format!("{components:?} {links:?}")
}

/// The sources of an entity by a relation.
fn sources(target: GameEntity<'_>, kind: Kind) -> &[Id] {
    match kind {
        kind if !may_name(target.context(), kind) => &[],
        Kind::H => target.of_h(),
        Kind::I => target.of_i(),
        Kind::J => target.of_j(),
        _ => target.of_k(),
    }
}

pub(super) fn target(shared: &Shared, target: Target, it: Option<Id>) -> Option<Id> {
    let known = &shared.hand().known;
    match target {
        Target::It => it.or(known.last().copied()),
        Target::Nth(n) => known.get(usize::from(n) % known.len().max(1)).copied(),
    }
}

/// Converts a value to a number: that of an entity, for a relation.
pub(super) fn number(shared: &Shared, kind: Kind, value: u8) -> Option<u64> {
    match kind.is_relation() {
        true => target(shared, Target::Nth(value), None).map(Id::to_bits),
        false => Some(value.into()),
    }
}

/// The numbers of several entities in turn.
pub(super) fn numbers(shared: &Shared, kind: Kind, value: u8, count: usize) -> Option<Vec<u64>> {
    let nth = |nth| number(shared, kind, kind.nth_value(value, nth));
    (0..count).map(nth).collect()
}

/// The bundle for some values.
pub(super) fn bundle(shared: &Shared, values: &Values) -> Dynamic {
    let numbers = values.iter();
    let numbers = numbers.filter_map(|&(kind, value)| Some((kind, number(shared, kind, value)?)));
    Dynamic(numbers.collect())
}

/// The entities that an operation concerns; for a run those for which `fits` is true.
pub(super) fn picked(
    game: &Game,
    shared: &Shared,
    pick: &Pick,
    fits: impl Fn(GameEntity<'_>) -> bool,
) -> Vec<Id> {
    match *pick {
        Pick::These(ref numbers) => {
            let nth = |n: &u8| target(shared, Target::Nth(*n), None);
            numbers.iter().filter_map(nth).collect()
        }
        Pick::Run(at, step, len, backward) => {
            let fit = game.entities().filter(|it| fits(*it)).map(|it| it.id());
            Pick::of_run(fit.collect(), at, step, len, backward)
        }
    }
}

pub(super) fn group(game: &Game, n: u8) -> Option<Group<Game>> {
    let groups = groups(game);
    groups.get(usize::from(n) % groups.len().max(1)).copied()
}

pub(super) fn group_number(game: &Game, group: Group<Game>) -> usize {
    let mut groups = groups(game).into_iter();
    groups
        .position(|known| known == group)
        .expect("a group of this context")
}

/// The error of a result, without the advice.
pub(super) fn outcome<T>(answer: Result<T, Error>) -> Result<(), String> {
    outcome_of(answer).map(drop)
}

/// A result without the advice of its error.
pub(super) fn outcome_of<T>(answer: Result<T, Error>) -> Result<T, String> {
    answer.map_err(|error| without_advice(&error.to_string()))
}

pub(super) fn without_advice(text: &str) -> String {
    let reason = text.split_once("; ").map_or(text, |(before, _)| before);
    reason.to_owned()
}

/// Runs a call that may panic because a bundle has a component twice.
pub(super) fn unless_twice<R>(shared: &Shared, create: impl FnOnce() -> R) -> Option<R> {
    unless(shared, "twice", create)
        .map_err(|_| shared.answer("twice"))
        .ok()
}

/// Runs a call that may panic with a message that contains this text; returns that message.
pub(super) fn unless<R>(_: &Shared, expected: &str, act: impl FnOnce() -> R) -> Result<R, String> {
    let mut done = None;
    match attempt(|| done = Some(act())) {
        Some(text) if !text.contains(expected) => std::panic::resume_unwind(Box::new(text)),
        Some(text) => Err(without_advice(&text)),
        None => Ok(done.expect("it has not panicked")),
    }
}
