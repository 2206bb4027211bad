//! The same programs run by the library, noted in the same words.

mod observe;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::prelude::*;
use ecs::{BundleWriter, ComponentIndex, Snapshot};

use support::attempt;

use self::observe::run_reaction;
use super::op::{Kind, Op, Target, Values};
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

use with_type;

/// A bundle whose components are known at run time alone.
struct Dynamic(Values);

impl Components<Game> for Dynamic {
    fn visit(_: &mut dyn FnMut(ComponentIndex)) {}
}

impl Bundle<Game> for Dynamic {
    fn visit_components(each: &mut dyn FnMut(ComponentIndex)) {
        <Self as Components<Game>>::visit(each);
    }

    fn put(self, writer: &mut BundleWriter<'_, Game>) {
        for (kind, value) in self.0 {
            with_type!(kind, T => writer.put(T::new(value)));
        }
    }
}

/// What a program has in hand, shared with its observers.
#[derive(Default)]
struct Hand {
    log: Vec<String>,
    known: Vec<Id>,
    collectors: Vec<Option<Collector<Game>>>,
    subscriptions: Vec<Subscription>,
    budget: usize,
    /// Whether entities have been moved, so that their order in groups is open.
    moved: bool,
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
            game.storage().reusable_entities(),
            game.storage().pooled::<C>()
        )];
        let line = |id| format!("{id}: {}", present(game, id));
        state.extend(game.entities().map(|entity| line(entity.id())));
        for (at, group) in Group::all(game).into_iter().enumerate() {
            state.push(format!("group {at}: {}", names(&self.members(group))));
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

impl Real {
    /// How many entities there have been.
    pub(super) fn known(&self) -> usize {
        self.shared.hand().known.len()
    }

    /// Forgets what has been noted.
    pub(super) fn forget_log(&self) {
        self.shared.hand().log.clear();
    }

    /// Forgets the entities that have been after these.
    pub(super) fn forget_known(&self, known: usize) {
        self.shared.hand().known.truncate(known);
    }

    /// Whether entities have been moved.
    pub(super) fn is_moved(&self) -> bool {
        self.shared.hand().moved
    }

    /// Goes on as if entities had been moved, or not.
    pub(super) fn set_moved(&self, moved: bool) {
        self.shared.hand().moved = moved;
    }

    /// One that goes on with a copy of the context, and has nothing else in hand but the ids.
    pub(super) fn copy(&mut self) -> Self {
        let snapshot = Snapshot::builder().leave_out::<B>();
        let snapshot = snapshot.snapshot(&mut self.game);
        let mut copy = Self::default();
        copy.game.restore(&snapshot);
        copy.shared.hand().known = self.shared.hand().known.clone();
        copy.set_moved(self.is_moved());
        copy
    }

    /// The members of a group; in order of index, unless they have been moved.
    fn members(&self, group: Group<Game>) -> Vec<Id> {
        let mut ids = group.ids(&self.game);
        assert_eq!(ids.len(), group.len(&self.game));
        if self.shared.hand().moved {
            ids.sort_unstable();
        }
        ids
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

fn some_of(shared: &Shared, numbers: &[u8]) -> Vec<Id> {
    let nth = |n: &u8| target(shared, Target::Nth(*n), None);
    numbers.iter().filter_map(nth).collect()
}

fn group(game: &Game, n: u8) -> Option<Group<Game>> {
    let groups = Group::all(game);
    groups.get(usize::from(n) % groups.len().max(1)).copied()
}

fn number_of(game: &Game, group: Group<Game>) -> usize {
    let mut groups = Group::all(game).into_iter();
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
    if let Some(on) = op.target() {
        if let Some(id) = target(shared, on, it) {
            run_on(game, shared, op, id);
        }
        return;
    }
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
        Op::AddMany(kind, v, some) => {
            let ids = some_of(shared, some);
            let answer = with_type!(kind, T => told(game.many(&ids).try_add(|_| T::new(*v))));
            shared.answer(format!("{answer:?}"));
        }
        Op::RemoveMany(kind, some) => {
            let ids = some_of(shared, some);
            let answer = with_type!(kind, T => told(game.many(&ids).try_remove::<T>()));
            shared.answer(format!("{answer:?}"));
        }
        Op::Defragment | Op::DefragmentFor(_) | Op::ShrinkToFit => keep_up(game, shared, op),
        Op::ReserveEntities(n) => game.storage_mut().reserve_entities(usize::from(*n)),
        Op::Reserve(kind, n) => {
            with_type!(kind, T => game.storage_mut().reserve::<T>(usize::from(*n)))
        }
        Op::DestroyAll => game.destroy_all(),
        Op::Reset => game.reset(),
        Op::ForEach(..) if shared.hand().moved => {}
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

fn keep_up(game: &mut Game, shared: &Shared, op: &Op) {
    match op {
        Op::Defragment => game.defragment(),
        Op::DefragmentFor(moves) => _ = game.storage_mut().defragment_for(usize::from(*moves)),
        _ => return game.storage_mut().shrink_to_fit(),
    }
    shared.hand().moved = true;
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
        Op::Insert(_, ref values) => told(entity.try_insert(Dynamic(values.clone()))),
        Op::AddAll(_, ref values) => told(entity.try_add_all(Dynamic(values.clone()))),
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
