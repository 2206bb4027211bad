//! Observers of each change receive what a history records, in the same order for each entity.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::{ChangeKind, EntityChange, History};
use proptest::prelude::*;

use ::model::game::{A, B, Game};
use ::model::op::{Kind, Op, Sets, Values};
use ::model::{Player, Real, make, programs};

use super::rewind;
use super::without_b;

/// Whether an operation is recorded and notified: after a panic, observers are not notified.
fn is_followed(op: &Op) -> bool {
    match op {
        Op::UpdateHalfway(..) => false,
        Op::CreateMany(bundles) if bundles.iter().any(has_repeated) => false, // panics
        Op::ForEach(_, script) | Op::Each(_, script) | Op::Edit(script, _) => {
            script.iter().all(is_followed)
        }
        _ => rewind::is_followed(op),
    }
}

fn has_repeated(bundle: &Values) -> bool {
    let kinds: BTreeSet<_> = bundle.iter().map(|(kind, _)| kind).collect();
    kinds.len() < bundle.len()
}

/// An entity, what happened to it, through which component, and the value of `A` before.
type Line = (EntityId<Game>, ChangeKind, Option<&'static str>, Option<u8>);
type Log = Arc<Mutex<Vec<Line>>>;

fn note(log: &Log) -> impl FnMut(&mut Game, &EntityChange<'_, Game>) + Send + Sync + 'static {
    let log = log.clone();
    move |_, change| {
        let before = change.previous::<A>().map(|a| a.0.get());
        let line = (
            change.entity(),
            change.kind(),
            change.component_name(),
            before,
        );
        log.lock().unwrap().push(line);
    }
}

fn recorded(history: &History<Game>, game: &Game) -> Vec<Line> {
    let changes = history.changes(game).map(|change| {
        let component = change.component().map(ecs::ComponentInfo::name);
        let before = change.previous::<A>().map(|a| a.0.get());
        (change.entity(), change.kind(), component, before)
    });
    changes.collect()
}

/// The lines sorted by entity: a destroyed entity is notified before the sources that lose their
/// relation to it, and recorded after them.
fn by_entity(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by_key(|line| line.0);
    lines
}

/// The changes of these entities until each is destroyed: a step that is undone may create it again
/// under its id, without its observer.
fn of_first_lives(lines: Vec<Line>, mut known: BTreeSet<EntityId<Game>>) -> Vec<Line> {
    let is_of_known = |line: &Line| match line.1 {
        ChangeKind::Destroyed => known.remove(&line.0),
        _ => known.contains(&line.0),
    };
    lines.into_iter().filter(is_of_known).collect()
}

proptest! {
    #![proptest_config(programs(5))]

    /// Every change is notified once to observers of all changes, and once to observers of the
    /// entity, which end with it.
    #[test]
    fn every_change_is_notified_as_it_is_recorded(
        preparation in make::preparation(),
        program in make::edited_steps().prop_map(|program| without_b(program, is_followed)),
    ) {
        let mut real = Real::default();
        for op in super::prepared(preparation, is_followed) {
            real.play(&op);
        }
        real.play(&Op::MakeGroup(Sets::of(Kind::A)));
        let (all, own) = (Log::default(), Log::default());
        let known: BTreeSet<_> = real.game.entities().map(|entity| entity.id()).collect();
        let history = History::builder().without::<B>().record(&mut real.game);
        real.game.observers().on_change(note(&all));
        for &id in &known {
            real.game.entity_mut(id).on_change(note(&own));
        }
        program.iter().for_each(|op| drop(real.play(op)));
        let notified = all.lock().unwrap().clone();
        let recorded = by_entity(recorded(&history, &real.game));
        prop_assert_eq!(by_entity(notified.clone()), recorded);
        let of_known = of_first_lives(notified, known);
        prop_assert_eq!(&*own.lock().unwrap(), &of_known);
        ::model::check::check_invariants(&real.game);
    }
}
