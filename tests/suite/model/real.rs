//! The same programs run by the library, noted in the same words.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex};

use crate::failures::support::attempt;

use super::op::{Events, Kind, Listen, Op, Sets, Target, Values};
use super::{A, B, BUDGET, C, D, Game, GameEntityMut, Player};

type Id = EntityId<Game>;

/// A component with a number in it.
trait Numbered: Component<Game> {
    fn new(value: u8) -> Self;
    fn number(&self) -> u8;
    fn set(&mut self, value: u8);
}

macro_rules! numbered {
    ($($name:ident)*) => { $(
        impl Numbered for $name {
            fn new(value: u8) -> Self {
                Self(value)
            }
            fn number(&self) -> u8 {
                self.0
            }
            fn set(&mut self, value: u8) {
                self.0 = value;
            }
        }
    )* };
}

numbered!(A B C);

impl Numbered for D {
    fn new(_: u8) -> Self {
        Self
    }
    fn number(&self) -> u8 {
        0
    }
    fn set(&mut self, _: u8) {}
}

/// Evaluates an expression with `T` standing for the type of a component.
macro_rules! with_type {
    ($kind:expr, $T:ident => $body:expr) => {
        match $kind {
            Kind::A => with_type!(@ A, $T, $body),
            Kind::B => with_type!(@ B, $T, $body),
            Kind::C => with_type!(@ C, $T, $body),
            Kind::D => with_type!(@ D, $T, $body),
        }
    };
    (@ $name:ident, $T:ident, $body:expr) => {{
        type $T = $name;
        $body
    }};
}

/// A bundle whose components are known at run time alone.
struct Dynamic(Values);

impl Components<Game> for Dynamic {
    fn visit(_: &mut dyn FnMut(ComponentIndex)) {}
}

impl Bundle<Game> for Dynamic {
    fn put(self, writer: &mut BundleWriter<'_, Game>) {
        for (kind, value) in self.0 {
            with_type!(kind, T => writer.put(T::new(value)));
        }
    }
}

fn matcher(sets: Sets) -> Matcher<Game> {
    let mut matcher = Game::all_of::<()>();
    // Backwards, because the order must not matter.
    for kind in Kind::ALL.into_iter().rev() {
        let has = |set: u8| set >> kind as u8 & 1 != 0;
        with_type!(kind, T => {
            if has(sets.none) {
                matcher = matcher.none_of::<T>();
            }
            if has(sets.any) {
                matcher = matcher.any_of::<(T, T)>();
            }
            if has(sets.all) {
                matcher = matcher.all_of::<T>();
            }
        });
    }
    matcher
}

fn trigger(parts: &[(Sets, Events)]) -> Trigger<Game> {
    let part = |&(sets, events): &(Sets, Events)| {
        let matcher = matcher(sets);
        match events {
            Events::Entered => matcher.entered(),
            Events::Left => matcher.left(),
            Events::Updated => matcher.updated(),
            Events::Added => matcher.added(),
            Events::Removed => matcher.removed(),
            Events::AddedOrRemoved => matcher.added_or_removed(),
        }
    };
    let parts = parts.iter().map(part);
    parts.reduce(Trigger::or).expect("a trigger has parts")
}

/// What a program has in hand, shared with its observers.
#[derive(Default)]
struct Hand {
    log: Vec<String>,
    known: Vec<Id>,
    collectors: Vec<Option<Collector<Game>>>,
    subscriptions: Vec<Subscription>,
    budget: usize,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Hand>>);

impl Shared {
    fn hand(&self) -> MutexGuard<'_, Hand> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, line: impl Into<String>) {
        self.hand().log.push(line.into());
    }

    fn answer(&self, answer: impl Into<String>) {
        self.note(format!("= {}", answer.into()));
    }
}

/// The library.
#[derive(Default)]
pub(super) struct Real {
    pub(super) game: Game,
    shared: Shared,
}

impl Player for Real {
    fn play(&mut self, op: &Op) -> Vec<String> {
        self.shared.hand().budget = BUDGET;
        run(&mut self.game, &self.shared, op, None);
        std::mem::take(&mut self.shared.hand().log)
    }

    fn state(&self) -> Vec<String> {
        let game = &self.game;
        let mut state = vec![format!(
            "{} alive, {} reusable, {} pooled",
            game.len(),
            game.reusable_entities(),
            game.pooled_components::<C>()
        )];
        let line = |id| format!("{id}: {}", present(game, id));
        state.extend(game.entities().map(|entity| line(entity.id())));
        for (at, group) in game.groups().into_iter().enumerate() {
            assert_eq!(group.len(game), group.ids(game).len());
            state.push(format!("group {at}: {}", names(&group.ids(game))));
        }
        for (at, collector) in self.shared.hand().collectors.iter().enumerate() {
            if let Some(collector) = collector {
                let (active, ids) = (collector.is_active(game), names(collector.ids(game)));
                state.push(format!("collector {at} {active}: {ids}"));
            }
        }
        state
    }
}

fn names(ids: &[Id]) -> String {
    ids.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The components of an entity as it is at present.
fn present(game: &Game, id: Id) -> String {
    let Some(entity) = game.get_entity(id) else {
        return "dead".to_owned();
    };
    let value = |kind| with_type!(kind, T => entity.get::<T>().map(T::number));
    let has = Kind::ALL
        .into_iter()
        .filter_map(|kind| Some((kind, value(kind)?)));
    let components: std::collections::BTreeMap<_, _> = has.collect();
    let signature = entity
        .component_indices()
        .into_iter()
        .map(|index| index.get());
    assert!(signature.eq(components.keys().map(|kind| *kind as usize)));
    format!("{components:?}")
}

fn target(shared: &Shared, target: Target, it: Option<Id>) -> Option<Id> {
    let known = &shared.hand().known;
    match target {
        Target::It => it.or(known.last().copied()),
        Target::Nth(n) => known.get(usize::from(n) % known.len().max(1)).copied(),
    }
}

fn group(game: &Game, n: u8) -> Option<Group<Game>> {
    let groups = game.groups();
    groups.get(usize::from(n) % groups.len().max(1)).copied()
}

fn number_of(game: &Game, group: Group<Game>) -> usize {
    let mut groups = game.groups().into_iter();
    groups
        .position(|known| known == group)
        .expect("a group of this context")
}

/// An answer without its advice.
fn told<T>(answer: Result<T, Error>) -> Result<(), String> {
    let told = answer.map_err(|error| error.to_string());
    told.map(drop).map_err(|text| match text.split_once("; ") {
        Some((before, _)) => before.to_owned(),
        None => text,
    })
}

/// Runs what may be refused because a bundle has a component twice.
fn unless_twice<R>(shared: &Shared, create: impl FnOnce() -> R) -> Option<R> {
    let mut created = None;
    if let Some(text) = attempt(|| created = Some(create())) {
        assert!(text.contains("twice"), "{text}");
        shared.answer("twice");
    }
    created
}

fn run(game: &mut Game, shared: &Shared, op: &Op, it: Option<Id>) {
    match op {
        Op::Create => {
            let id = game.create_entity().id();
            shared.hand().known.push(id);
        }
        Op::CreateWith(values) => {
            let create = || game.create_with(Dynamic(values.clone())).id();
            if let Some(id) = unless_twice(shared, create) {
                shared.hand().known.push(id);
            }
        }
        Op::CreateMany(bundles) => {
            let bundles = bundles.iter().cloned().map(Dynamic);
            if let Some(ids) = unless_twice(shared, || game.create_many(bundles)) {
                shared.hand().known.extend(ids);
            }
        }
        Op::Add(on, ..)
        | Op::Replace(on, ..)
        | Op::Update(on, ..)
        | Op::Touch(on, ..)
        | Op::Untracked(on, ..)
        | Op::Remove(on, ..)
        | Op::Take(on, ..)
        | Op::RemoveAll(on)
        | Op::Destroy(on)
        | Op::UseAfterDestroy(on, ..) => {
            if let Some(id) = target(shared, *on, it) {
                run_on(game, shared, op, id);
            }
        }
        Op::DestroyAll => game.destroy_all(),
        Op::Reset => game.reset(),
        Op::ForEach(n, op) => {
            if let Some(group) = group(game, *n) {
                group.for_each(game, |mut entity| {
                    let id = entity.id();
                    run(entity.context_mut(), shared, op, Some(id));
                });
            }
        }
        _ => run_reaction(game, shared, op),
    }
}

fn run_on(game: &mut Game, shared: &Shared, op: &Op, id: Id) {
    if matches!(op, Op::Destroy(_)) {
        let answer = told(game.try_destroy(id));
        return shared.answer(format!("{answer:?}"));
    }
    let Some(mut entity) = game.get_entity_mut(id) else {
        return shared.answer("dead");
    };
    let answer = match *op {
        Op::Add(_, kind, v) => with_type!(kind, T => told(entity.try_add(T::new(v)))),
        Op::Replace(_, kind, v) => with_type!(kind, T => told(entity.try_replace(T::new(v)))),
        Op::Update(_, kind, v) => {
            with_type!(kind, T => told(entity.try_update(|value: &mut T| value.set(v))))
        }
        Op::Touch(_, kind) => with_type!(kind, T => told(entity.try_update(|_: &mut T| {}))),
        Op::Remove(_, kind) => with_type!(kind, T => told(entity.try_remove::<T>())),
        Op::RemoveAll(_) => {
            entity.remove_all();
            return;
        }
        Op::Take(_, kind) => {
            let taken = with_type!(kind, T => entity.take::<T>().map(|value| value.number()));
            return shared.answer(format!("{taken:?}"));
        }
        Op::Untracked(_, kind, v) => {
            return with_type!(kind, T => {
                if entity.has::<T>() {
                    entity.mut_untracked::<T>().set(v);
                }
            });
        }
        Op::UseAfterDestroy(_, kind, v) => return use_after_destroy(entity, shared, kind, v),
        _ => return,
    };
    shared.answer(format!("{answer:?}"));
}

fn use_after_destroy(mut entity: GameEntityMut<'_>, shared: &Shared, kind: Kind, v: u8) {
    let id = entity.id();
    let answers = with_type!(kind, T => [
        told(entity.context_mut().try_destroy(id)),
        told(entity.try_add(T::new(v))),
        told(entity.try_replace(T::new(v))),
        told(entity.try_update(|value: &mut T| value.set(v))),
        told(entity.try_remove::<T>()),
        told(entity.try_destroy()),
    ]);
    shared.answer(format!("{answers:?}"));
}

fn run_reaction(game: &mut Game, shared: &Shared, op: &Op) {
    match op {
        Op::MakeGroup(sets) => {
            let group = game.group(matcher(*sets));
            shared.answer(format!("group {}", number_of(game, group)));
        }
        Op::MakeCollector(parts) => {
            let collector = game.collector(trigger(parts));
            shared.hand().collectors.push(Some(collector));
        }
        Op::Subscribe(listen, script) => subscribe(game, shared, *listen, script),
        Op::Unsubscribe(n) => {
            let one = {
                let subscriptions = &shared.hand().subscriptions;
                let at = usize::from(*n) % subscriptions.len().max(1);
                subscriptions.get(at).copied()
            };
            let was_live = one.map(|one| game.unsubscribe(one));
            shared.answer(format!("{was_live:?}"));
        }
        Op::ClearObservers => game.clear_observers(),
        Op::Drain(n) => {
            let ids = collector(shared, *n, |collector| collector.drain(game));
            shared.answer(names(&ids.unwrap_or_default()));
        }
        Op::Clear(n) => _ = collector(shared, *n, |collector| collector.clear(game)),
        Op::Activate(n) => _ = collector(shared, *n, |collector| collector.activate(game)),
        Op::Deactivate(n) => _ = collector(shared, *n, |collector| collector.deactivate(game)),
        Op::Release(n) => {
            let collectors = &mut shared.hand().collectors;
            let at = usize::from(*n) % collectors.len().max(1);
            if let Some(collector) = collectors.get_mut(at).and_then(Option::take) {
                collector.release(game);
            }
        }
        _ => unreachable!("run by `run`"),
    }
}

fn collector<R>(shared: &Shared, n: u8, act: impl FnOnce(&Collector<Game>) -> R) -> Option<R> {
    let collectors = &shared.hand().collectors;
    let at = usize::from(n) % collectors.len().max(1);
    collectors.get(at)?.as_ref().map(act)
}

/// Runs the script of an observer that has been told of something.
fn react(game: &mut Game, shared: &Shared, script: &[Op], it: Option<Id>) {
    for op in script {
        if shared.hand().budget > 0 {
            shared.hand().budget -= 1;
            run(game, shared, op, it);
        }
    }
}

fn subscribe(game: &mut Game, shared: &Shared, listen: Listen, script: &[Op]) {
    let number = shared.hand().subscriptions.len();
    let (told, script) = (shared.clone(), script.to_vec());
    let on_change = {
        let (told, script) = (told.clone(), script.clone());
        move |game: &mut Game, change: &Change<'_, Game>| {
            told.note(line(game, number, change));
            react(game, &told, &script, Some(change.entity()));
        }
    };
    let on_entity = |what: &'static str| {
        let (told, script) = (told.clone(), script.clone());
        move |game: &mut Game, id: Id| {
            told.note(format!("#{number} {id} {what}; now {}", present(game, id)));
            react(game, &told, &script, Some(id));
        }
    };
    let subscription = match listen {
        Listen::Entered(n) => group(game, n).map(|group| group.on_entered(game, on_change)),
        Listen::Left(n) => group(game, n).map(|group| group.on_left(game, on_change)),
        Listen::Updated(n) => group(game, n).map(|group| group.on_updated(game, on_change)),
        Listen::Created => Some(game.on_created(on_entity("created"))),
        Listen::Dying => Some(game.on_will_be_destroyed(on_entity("will be destroyed"))),
        Listen::Destroyed => Some(game.on_destroyed(on_entity("destroyed"))),
        Listen::GroupCreated => Some(game.on_group_created(move |game, group| {
            let group = Some(number_of(game, group));
            told.note(format!("#{number} group {group:?} created"));
            react(game, &told, &script, None);
        })),
    };
    shared.hand().subscriptions.extend(subscription);
}

fn line(game: &Game, observer: usize, change: &Change<'_, Game>) -> String {
    let (id, event, group) = (change.entity(), change.event(), change.group());
    let via = change
        .component()
        .map(|component| Kind::ALL[component.get()]);
    let previous = Kind::ALL.into_iter().find_map(|kind| {
        with_type!(kind, T => {
            let value = change.previous::<T>().map(T::number);
            assert!(value.is_none() || change.is::<T>());
            value
        })
    });
    let (now, inside) = (present(game, id), group.contains(game, id));
    let group = number_of(game, group);
    format!(
        "#{observer} {id} {event:?} group {group} via {via:?} from {previous:?}; \
         now {now}, inside {inside}"
    )
}
