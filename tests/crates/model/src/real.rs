//! The same programs run by the library, noted in the same words.

mod bulk;
mod follow;
mod mirrored;
mod observe;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::prelude::*;
use ecs::{BundleWriter, CloneOptions, ComponentIndex, Inbox, RemovedValues, Snapshot};

use support::attempt;

use self::bulk::{run_many, run_unique};
use self::follow::run_following;
use self::mirrored::Follower;
use self::observe::run_reaction;
use crate::check::check_invariants;
use crate::faults::{disarm, user_code, with_fault};
use crate::game::{A, B, C, E, G, Game, GameEntityMut, Id, L, Numbered, number_of, with_type};
use crate::op::{Kind, Op, Target, Values};
use crate::play::{BUDGET, Player, count};

/// A bundle whose components are known at run time alone.
struct Dynamic(Vec<(Kind, u64)>);

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
pub(crate) struct Hand {
    log: Vec<String>,
    pub(crate) known: Vec<Id>,
    pub(crate) collectors: Vec<Option<Collector<Game>>>,
    pub(crate) subscriptions: Vec<Subscription>,
    pub(crate) inboxes: Vec<Option<Inbox<Game, u8>>>,
    pub(crate) removed: Vec<Option<RemovedValues<Game, A>>>,
    indexes: Vec<Option<EntityIndex<Game, u8>>>,
    feeds: Vec<Option<Follower>>,
    /// Whether a feed has been made, so that nothing may be written untracked.
    pub(crate) followed: bool,
    budget: usize,
    /// Whether entities have been moved, so that their order in groups is open.
    pub(crate) moved: bool,
    /// Whether blocks have been given back.
    pub(crate) shrunk: bool,
}

impl Hand {
    /// Whether it is open how many values a pool keeps: no more than there are rows.
    fn has_open_pools(&self) -> bool {
        self.moved || self.shrunk
    }
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
pub struct Real {
    pub game: Game,
    shared: Shared,
}

impl Player for Real {
    fn play(&mut self, op: &Op) -> Vec<String> {
        self.shared.hand().budget = BUDGET;
        match op {
            Op::Panicking(at, script) => self.run_panicking(*at, script),
            op => run(&mut self.game, &self.shared, op, None),
        }
        self.check();
        std::mem::take(&mut self.shared.hand().log)
    }

    fn state(&self) -> Vec<String> {
        let game = &self.game;
        let pooled = game.storage().pooled::<C>();
        let mut state = vec![count(
            game.len(),
            game.storage().reusable_entities(),
            (!self.shared.hand().has_open_pools()).then_some(pooled),
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
    /// Runs an operation in which user code may panic. If it has, nobody knows how far it has come,
    /// so all that it may have left behind for somebody is thrown away.
    fn run_panicking(&mut self, at: u8, script: &[Op]) {
        let panicked = attempt(|| {
            let run_all = || {
                script
                    .iter()
                    .for_each(|op| run(&mut self.game, &self.shared, op, None))
            };
            with_fault(at, run_all);
        });
        disarm();
        if panicked.is_some() {
            self.shared.hand().log = vec![format!("panicked: {}", panicked.unwrap_or_default())];
            self.game.observers().clear();
            let inboxes = self.shared.hand().inboxes.len();
            for number in 0..inboxes {
                run_following(&mut self.game, &self.shared, &Op::DrainInbox(number as u8));
            }
            let removed = self.shared.hand().removed.len();
            for number in 0..removed {
                run_following(
                    &mut self.game,
                    &self.shared,
                    &Op::DrainRemoved(number as u8),
                );
            }
            self.shared.hand().log.truncate(1);
        }
    }

    /// What the program has in hand, and the context.
    pub(crate) fn with_hand(&mut self, act: impl FnOnce(&mut Hand, &Game)) {
        act(&mut self.shared.hand(), &self.game);
    }

    /// What holds at any time.
    pub fn check(&self) {
        check_invariants(&self.game);
        follow::check_indexes(&self.game, &self.shared);
    }

    /// Whether the latest operation has ended in a panic of user code.
    #[must_use]
    pub fn has_panicked(log: &[String]) -> bool {
        log.first().is_some_and(|line| line.starts_with("panicked"))
    }

    /// How many entities there have been.
    pub fn known(&self) -> usize {
        self.shared.hand().known.len()
    }

    /// Forgets what has been noted.
    pub fn forget_log(&self) {
        self.shared.hand().log.clear();
    }

    /// Forgets the entities that have been after these.
    pub fn forget_known(&self, known: usize) {
        self.shared.hand().known.truncate(known);
    }

    /// Whether entities have been moved.
    pub fn is_moved(&self) -> bool {
        self.shared.hand().moved
    }

    /// Goes on as if entities had been moved, or not.
    pub fn set_moved(&self, moved: bool) {
        self.shared.hand().moved = moved;
    }

    /// One that goes on with a copy of the context, and has nothing else in hand but the ids.
    pub fn copy(&mut self) -> Self {
        let snapshot = Snapshot::builder().leave_out::<B>();
        let snapshot = snapshot.snapshot(&mut self.game);
        let mut copy = Game::new();
        copy.restore(&snapshot);
        self.with(copy)
    }

    /// One that goes on with another context that has the same entities.
    #[must_use]
    pub fn with(&self, game: Game) -> Self {
        let copy = Self {
            game,
            ..Self::default()
        };
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
    let has = |kind| Some((kind, number_of(entity, kind)?));
    let components: std::collections::BTreeMap<_, _> =
        Kind::ALL.into_iter().filter_map(has).collect();
    let links = [entity.of_h(), entity.of_i(), entity.of_j(), entity.of_k()].map(names);
    format!("{components:?} {links:?}")
}

fn target(shared: &Shared, target: Target, it: Option<Id>) -> Option<Id> {
    let known = &shared.hand().known;
    match target {
        Target::It => it.or(known.last().copied()),
        Target::Nth(n) => known.get(usize::from(n) % known.len().max(1)).copied(),
    }
}

/// The number that a value stands for: that of an entity, for a relation.
fn number(shared: &Shared, kind: Kind, value: u8) -> Option<u64> {
    match kind.is_relation() {
        true => target(shared, Target::Nth(value), None).map(Id::to_bits),
        false => Some(value.into()),
    }
}

/// The bundle that some values stand for.
fn bundle(shared: &Shared, values: &Values) -> Dynamic {
    let numbers = values.iter();
    let numbers = numbers.filter_map(|&(kind, value)| Some((kind, number(shared, kind, value)?)));
    Dynamic(numbers.collect())
}

fn some_of(shared: &Shared, numbers: &[u8]) -> Vec<Id> {
    let nth = |n: &u8| target(shared, Target::Nth(*n), None);
    numbers.iter().filter_map(nth).collect()
}

fn group(game: &Game, n: u8) -> Option<Group<Game>> {
    let groups = Group::all(game);
    groups.get(usize::from(n) % groups.len().max(1)).copied()
}

fn group_number(game: &Game, group: Group<Game>) -> usize {
    let mut groups = Group::all(game).into_iter();
    groups
        .position(|known| known == group)
        .expect("a group of this context")
}

/// An answer without its advice.
fn told<T>(answer: Result<T, Error>) -> Result<(), String> {
    told_of(answer).map(drop)
}

/// The same, with what it says if nothing is refused.
fn told_of<T>(answer: Result<T, Error>) -> Result<T, String> {
    let told = answer.map_err(|error| error.to_string());
    told.map_err(|text| match text.split_once("; ") {
        Some((before, _)) => before.to_owned(),
        None => text,
    })
}

/// Runs what may be refused because a bundle has a component twice.
fn unless_twice<R>(shared: &Shared, create: impl FnOnce() -> R) -> Option<R> {
    let mut created = None;
    if let Some(text) = attempt(|| created = Some(create())) {
        if !text.contains("twice") {
            std::panic::resume_unwind(Box::new(text));
        }
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
        Op::CreateWith(values) => create_many(game, shared, vec![bundle(shared, values)]),
        Op::CreateMany(bundles) => {
            let bundles = bundles.iter().map(|values| bundle(shared, values));
            let bundles = bundles.collect();
            create_many(game, shared, bundles);
        }
        Op::CreateColumns(count, v) => {
            let values = || (0..*count).map(|_| u64::from(*v));
            let columns: (Vec<_>, Vec<_>) = (
                values().map(A::new).collect(),
                values().map(L::new).collect(),
            );
            let ids = game.create_columns(columns);
            shared.hand().known.extend(ids);
        }
        Op::Defragment | Op::DefragmentFor(_) | Op::ShrinkToFit => keep_up(game, shared, op),
        Op::ReserveEntities(n) => game.storage_mut().reserve_entities(usize::from(*n)),
        Op::Reserve(kind, n) => {
            with_type!(kind, T => game.storage_mut().reserve::<T>(usize::from(*n)));
        }
        Op::DestroyAll => game.destroy_all(),
        Op::Reset => game.reset(),
        Op::ForEach(..) if shared.hand().moved => {}
        Op::ForEach(n, script) => {
            if let Some(group) = group(game, *n) {
                group.for_each(game, |mut entity| {
                    let id = entity.id();
                    for op in script {
                        run(entity.context_mut(), shared, op, Some(id));
                    }
                });
            }
        }
        _ => run_else(game, shared, op),
    }
}

fn run_else(game: &mut Game, shared: &Shared, op: &Op) {
    match op {
        Op::AddMany(..)
        | Op::ReplaceMany(..)
        | Op::UpdateMany(..)
        | Op::RemoveMany(..)
        | Op::DestroyMany(_)
        | Op::RemoveFromGroup(..)
        | Op::DestroyGroup(_)
        | Op::WriteAll(..) => run_many(game, shared, op),
        Op::SetUnique(_) | Op::ReplaceUnique(_) | Op::RemoveUnique | Op::DestroyUnique => {
            run_unique(game, shared, op);
        }
        Op::DropCollector(_)
        | Op::MakeInbox
        | Op::Send(_)
        | Op::DrainInbox(_)
        | Op::DropInbox(_)
        | Op::MakeRemoved
        | Op::DrainRemoved(_)
        | Op::DropRemoved(_)
        | Op::MakeIndex
        | Op::DropIndex(_)
        | Op::MakeFeed
        | Op::TakeFeed(_)
        | Op::DropFeed(_) => run_following(game, shared, op),
        Op::Panicking(..) => unreachable!("only steps panic"),
        _ => run_reaction(game, shared, op),
    }
}

/// Creates entities of bundles, by an iterator of user code.
fn create_many(game: &mut Game, shared: &Shared, bundles: Vec<Dynamic>) {
    let bundles = bundles.into_iter().inspect(|_| user_code());
    let create = || told_of(game.try_create_many(bundles));
    match unless_twice(shared, create) {
        Some(Ok(ids)) => shared.hand().known.extend(ids),
        Some(Err(text)) => shared.answer(text),
        None => {}
    }
}

fn keep_up(game: &mut Game, shared: &Shared, op: &Op) {
    match op {
        Op::Defragment => game.defragment(),
        Op::DefragmentFor(moves) => _ = game.storage_mut().defragment_for(usize::from(*moves)),
        _ => {
            game.storage_mut().shrink_to_fit();
            return shared.hand().shrunk = true;
        }
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
        Op::Add(_, kind, v)
        | Op::Replace(_, kind, v)
        | Op::Update(_, kind, v)
        | Op::UseAfterDestroy(_, kind, v) => {
            let Some(number) = number(shared, kind, v) else {
                return;
            };
            match *op {
                Op::Add(..) => with_type!(kind, T => told(entity.try_add(T::new(number)))),
                Op::Replace(..) => with_type!(kind, T => told(entity.try_replace(T::new(number)))),
                Op::Update(..) => {
                    with_type!(kind, T => told(entity.try_update(|value: &mut T| write(value, number))))
                }
                _ => return use_after_destroy(entity, shared, kind, number),
            }
        }
        Op::Insert(_, ref values) => told(entity.try_insert(bundle(shared, values))),
        Op::AddAll(_, ref values) => told(entity.try_add_all(bundle(shared, values))),
        Op::Touch(_, kind) => {
            with_type!(kind, T => told(entity.try_update(|_: &mut T| user_code())))
        }
        Op::Remove(_, kind) => with_type!(kind, T => told(entity.try_remove::<T>())),
        Op::Swap(_, kind, other) => {
            let Some(other) = target(shared, Target::Nth(other), None) else {
                return;
            };
            with_type!(kind, T => told(entity.try_swap::<T>(other)))
        }
        Op::Copy(_) => {
            let copied = CloneOptions::all().without::<(B, E, G)>();
            let copy = told_of(copied.try_clone_entity(game, id).map(|copy| copy.id()));
            copy.map(|copy| shared.hand().known.push(copy))
        }
        Op::RemoveAll(_) => {
            entity.remove_all();
            return;
        }
        Op::Take(_, kind) => {
            let taken = with_type!(kind, T => {
                entity.try_take::<T>().map(|value| value.map(|value| value.number()))
            });
            return shared.answer(format!("{:?}", told_of(taken)));
        }
        Op::Untracked(_, kind, v) => {
            if kind.has_untracked() && !shared.hand().followed {
                write_untracked(&mut entity, kind, v);
            }
            return;
        }
        _ => return,
    };
    shared.answer(format!("{answer:?}"));
}

/// What closures do with the value that they are lent.
fn write<T: Numbered>(value: &mut T, number: u64) {
    value.set(number);
    user_code();
}

fn write_untracked(entity: &mut GameEntityMut<'_>, kind: Kind, v: u8) {
    with_type!(kind, T => {
        if entity.has::<T>() {
            entity.mut_untracked::<T>().set(v.into());
        }
    });
}

fn use_after_destroy(mut entity: GameEntityMut<'_>, shared: &Shared, kind: Kind, v: u64) {
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
