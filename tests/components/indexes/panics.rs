//! F05: a panic in the code of a key, or in a closure that changes one. Lookups afterwards agree
//! with every entity.

mod calls;

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use self::calls::{CHANGES, FOR_MANY, done};
use support::attempt;
use support::game::{Game, GameEntity, GameEntityMut};

/// The user code of a key.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Act {
    Hash,
    Eq,
    Clone,
    Drop,
    /// The key function.
    Tell,
}

thread_local! {
    /// The user code that panics once, and the number of calls before.
    static FUSE: Cell<Option<(Act, u32)>> = const { Cell::new(None) };
    /// The number of keys alive.
    static ALIVE: Cell<i64> = const { Cell::new(0) };
}

fn touch(act: Act) {
    match FUSE.get() {
        Some((armed, 0)) if armed == act => {
            FUSE.set(None);
            panic!("a key on purpose");
        }
        Some((armed, left)) if armed == act => FUSE.set(Some((armed, left - 1))),
        _ => {}
    }
}

#[derive(Debug)]
struct Key(u8);

impl Key {
    fn new(value: u8) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(value)
    }
}

impl Clone for Key {
    fn clone(&self) -> Self {
        touch(Act::Clone);
        Self::new(self.0)
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        touch(Act::Eq);
        self.0 == other.0
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        touch(Act::Hash);
        self.0.hash(state);
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u8::deserialize(deserializer).map(Self::new)
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
        if !std::thread::panicking() {
            touch(Act::Drop);
        }
    }
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, extension)]
struct Mark(#[component(index)] Key);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, extension)]
struct Marks(#[component(index(each))] Vec<Key>);

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, extension)]
struct Berth(#[component(primary_index)] Key);

/// A context with entities in every index.
struct World {
    game: Game,
    ids: Vec<EntityId<Game>>,
    notified: EntityIndex<Game, Key>,
}

fn mark(value: u8) -> Mark {
    Mark(Key::new(value))
}

fn marks(values: &[u8]) -> Marks {
    Marks(values.iter().copied().map(Key::new).collect())
}

fn seat(value: u8) -> Berth {
    Berth(Key::new(value))
}

impl World {
    fn new() -> Self {
        let mut game = Game::new();
        let notified = game.entity_index(Game::all_of::<Mark>(), |e| {
            touch(Act::Tell);
            e.mark().0.clone()
        });
        let entity = |n| (mark(n % 2), marks(&[n, n + 1, n + 1]), seat(n));
        let ids = game.create_many((0..4).map(entity));
        Self {
            game,
            ids,
            notified,
        }
    }

    /// Checks every index against every entity.
    #[track_caller]
    fn check(&self) {
        let game = &self.game;
        game.storage().check_invariants();
        let scan = |has: &dyn Fn(GameEntity<'_>) -> bool| -> Vec<_> {
            game.entities()
                .filter(|e| has(*e))
                .map(|e| e.id())
                .collect()
        };
        let sorted = |mut ids: Vec<EntityId<Game>>| {
            ids.sort();
            ids
        };
        for value in 0..24 {
            let key = Key::new(value);
            let tagged = scan(&|e| e.get_mark().is_some_and(|mark| mark.0.0 == value));
            assert_eq!(
                sorted(game.entities_with_mark(&key).ids()),
                tagged,
                "mark {value}"
            );
            assert_eq!(
                sorted(self.notified.get(game, &key).ids()),
                tagged,
                "notified {value}"
            );
            let each = scan(&|e| {
                e.get_marks()
                    .is_some_and(|t| t.0.iter().any(|k| k.0 == value))
            });
            assert_eq!(
                sorted(game.entities_with_marks(&key).ids()),
                each,
                "marks {value}"
            );
            let seats = scan(&|e| e.get_berth().is_some_and(|seat| seat.0.0 == value));
            let seat: Vec<_> = game
                .entity_with_berth(&key)
                .map(|e| e.id())
                .into_iter()
                .collect();
            assert_eq!(seat, seats, "seat {value}");
        }
    }

    /// Checks that the context stays usable, and repairs what a panic left.
    fn go_on(&mut self) {
        for &id in &self.ids {
            let Some(mut entity) = self.game.get_entity_mut(id) else {
                continue;
            };
            entity
                .replace(mark(5))
                .replace(marks(&[5, 6]))
                .remove::<Marks>();
            if entity.has_berth() {
                entity.update_berth(|seat| seat.0.0 += 10);
            }
            self.check();
        }
        self.game.create_with((mark(7), marks(&[7]), seat(0)));
        self.check();
        assert_eq!(self.notified.get(&self.game, &Key::new(7)).len(), 1);
    }
}

/// Makes each of the first `times` calls of key code panic in turn; then everything must agree.
fn try_all(changes: &[fn(&mut World)], times: u32) {
    for (number, change) in changes.iter().enumerate() {
        for act in [Act::Hash, Act::Eq, Act::Clone, Act::Drop, Act::Tell] {
            for times in 0..times {
                let mut world = World::new();
                FUSE.set(Some((act, times)));
                let notified = attempt(|| change(&mut world));
                let blown = FUSE.take().is_none();
                assert_eq!(
                    notified.is_some(),
                    blown,
                    "change {number}, {act:?} {times}"
                );
                world.check();
                world.go_on();
                drop(world);
                let alive = ALIVE.get();
                assert_eq!(alive, 0, "keys alive: change {number}, {act:?} {times}");
                if !blown {
                    break; // there are fewer calls
                }
            }
        }
    }
}

/// F05: a key panics in a change of one entity.
#[test]
fn a_key_that_panics_leaves_indexes_that_agree_with_the_components() {
    try_all(&CHANGES, 8);
}

/// F05: a key panics while many entities are created, destroyed or changed, by a query or a list.
#[test]
fn a_key_that_panics_among_many_leaves_indexes_that_agree_with_the_components() {
    try_all(&FOR_MANY, 12);
}

/// F05: a key panics while a context is loaded: nothing is left of it.
#[test]
fn a_key_that_panics_in_a_load_leaves_nothing() {
    for act in [Act::Hash, Act::Eq, Act::Clone, Act::Drop] {
        for times in 0..20 {
            FUSE.set(Some((act, times)));
            let notified = attempt(|| drop(calls::load()));
            let blown = FUSE.take().is_none();
            assert_eq!(notified.is_some(), blown, "{act:?} {times}");
            assert_eq!(ALIVE.get(), 0, "{act:?} {times}");
        }
    }
}

#[test]
fn a_closure_that_panics_half_way_leaves_indexes_that_agree_with_the_component() {
    let mut world = World::new();
    let id = world.ids[0];
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        world.game.entity_mut(id).update_mark(|mark| {
            mark.0.0 = 6;
            panic!("on purpose");
        });
    }));
    assert!(outcome.is_err());
    assert_eq!(world.game.entities_with_mark(&Key::new(6)).ids(), [id]);
    world.check();
    world.go_on();
}

#[test]
fn a_key_function_that_panics_makes_no_index() {
    let mut world = World::new();
    let made = catch_unwind(AssertUnwindSafe(|| {
        world
            .game
            .entity_index(Game::all_of::<Mark>(), |e| match e.mark().0.0 {
                1 => panic!("on purpose"),
                value => value,
            })
    }));
    assert!(made.is_err());
    world.check();
    world.go_on();
}

#[test]
fn a_deactivated_index_finds_nothing_even_with_a_pending_key_after_a_panic() {
    let mut world = World::new();
    let id = world.ids[0];
    FUSE.set(Some((Act::Tell, 0)));
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        done(world.game.entity_mut(id).replace(mark(9)).id());
    }));
    assert!(outcome.is_err());
    assert_eq!(world.notified.get(&world.game, &Key::new(9)).ids(), [id]);
    world.notified.deactivate(&mut world.game);
    assert!(
        world
            .notified
            .get(&world.game, &Key::new(9))
            .ids()
            .is_empty()
    );
    world.notified.activate(&mut world.game);
    world.check();
}

#[test]
fn an_activation_that_panics_leaves_a_usable_index() {
    let mut world = World::new();
    world.notified.deactivate(&mut world.game);
    FUSE.set(Some((Act::Tell, 2)));
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        world.notified.activate(&mut world.game)
    }));
    assert!(outcome.is_err() && world.notified.is_active(&world.game));
    world.check();
    world.go_on();
}

/// Gives an entity a key that others have, and in turn several keys that no entity has afterwards.
fn change_keys(world: &mut World) {
    let mut entity = world.game.entity_mut(world.ids[0]);
    entity
        .replace(mark(1))
        .replace(mark(9))
        .replace(marks(&[11, 12, 13]))
        .replace(marks(&[1, 8]));
}

/// F05: unused keys are dropped after everything else is done.
#[test]
fn a_key_that_panics_in_a_short_change_leaves_indexes_that_agree_with_the_components() {
    try_all(&[change_keys, |world| world.game.destroy(world.ids[2])], 8);
}
