//! User code that panics: the context stays valid, and nothing is lost.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ecs::prelude::*;

use support::attempt;

thread_local! {
    static CLONES_LEFT: Cell<u32> = const { Cell::new(u32::MAX) };
    static ALIVE: Cell<u32> = const { Cell::new(0) };
    static DROP_PANICS: Cell<bool> = const { Cell::new(false) };
}

/// Has clones that panic on request.
#[ecs::context]
struct World;

/// A counted number that panics if it is cloned once too often, or dropped when it must not be.
#[derive(Component, Debug, PartialEq)]
#[component(context = World)]
struct Counted(u32);

impl Counted {
    fn new(number: u32) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(number)
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        assert!(CLONES_LEFT.get() > 0, "one clone too many");
        CLONES_LEFT.set(CLONES_LEFT.get() - 1);
        Self::new(self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
        if DROP_PANICS.replace(false) {
            panic!("dropped");
        }
    }
}

/// Large enough to share memory, and without a `Drop`.
#[derive(Component, Debug, PartialEq)]
#[component(context = World)]
struct Wide([u32; 10]);

impl Clone for Wide {
    fn clone(&self) -> Self {
        assert!(CLONES_LEFT.get() > 0, "one clone too many");
        CLONES_LEFT.set(CLONES_LEFT.get() - 1);
        Self(self.0)
    }
}

fn world() -> (World, Vec<EntityId<World>>) {
    let mut world = World::new();
    let ids = (0..200).map(|n| world.create_with(Counted::new(n)).id());
    let ids: Vec<_> = ids.collect();
    for &id in ids.iter().step_by(70) {
        world.entity_mut(id).add_wide([7; 10]);
    }
    world.create_many((0..300).map(|n| Wide([n; 10])));
    (world, ids)
}

fn numbers(world: &World) -> Vec<u32> {
    let counted = world.query::<&Counted>();
    let wide = world.query::<&Wide>();
    let counted = counted.iter().map(|counted| counted.0);
    counted.chain(wide.iter().map(|wide| wide.0[0])).collect()
}

/// Runs a closure that may clone this often.
fn with_clones<R>(clones: u32, run: impl FnOnce() -> R) -> Option<String> {
    CLONES_LEFT.set(clones);
    let panicked = attempt(|| drop(run()));
    CLONES_LEFT.set(u32::MAX);
    panicked
}

/// F02: the clone of a value panics while a snapshot or a fork is made.
#[test]
fn a_clone_that_panics_leaves_no_snapshot_and_no_fork() {
    let (mut world, _) = world();
    let (before, alive) = (numbers(&world), ALIVE.get());
    for clones in [0, 1, 63, 64, 65, 150, 199, 200, 201, 204, 300, 502] {
        assert!(
            with_clones(clones, || world.snapshot()).is_some(),
            "{clones}"
        );
        assert!(with_clones(clones, || world.fork()).is_some(), "{clones}");
        assert_eq!(ALIVE.get(), alive);
        assert_eq!(numbers(&world), before);
    }
    assert!(with_clones(503, || world.snapshot()).is_none());
    assert_eq!(ALIVE.get(), alive);
}

#[test]
fn a_clone_that_panics_in_a_restore_has_changed_nothing() {
    let (mut world, ids) = world();
    let (snapshot, then) = (world.snapshot(), numbers(&world));
    world.entity_mut(ids[3]).replace(Counted::new(1000));
    world.destroy(ids[4]);
    let lost = world.removed_values::<Counted>();
    world.destroy(ids[5]);
    let with_lost = world.snapshot();
    let (now, alive) = (numbers(&world), ALIVE.get());
    for clones in [0, 64, 199, 300, 502] {
        assert!(with_clones(clones, || world.restore(&snapshot)).is_some());
        assert_eq!((numbers(&world), ALIVE.get()), (now.clone(), alive));
        assert_eq!(lost.drain(&mut world).len(), 1);
        world.restore(&with_lost);
    }
    // All values of the columns, without the removed ones.
    let in_columns = now.len() as u32;
    assert!(with_clones(in_columns, || world.restore(&with_lost)).is_some());
    assert_eq!((numbers(&world), lost.drain(&mut world).len()), (now, 1));
    world.restore(&snapshot);
    assert_eq!(numbers(&world), then);
}

/// F01: the drop of a value that a restore replaces panics.
#[test]
fn a_drop_that_panics_runs_after_the_restore() {
    let (mut world, ids) = world();
    let (snapshot, then) = (world.snapshot(), numbers(&world));
    let alive = ALIVE.get();
    world.destroy(ids[9]);
    DROP_PANICS.set(true);
    assert!(attempt(|| world.restore(&snapshot)).is_some());
    assert_eq!((numbers(&world), ALIVE.get()), (then, alive));
    drop((world, snapshot));
    assert_eq!(ALIVE.get(), 0);
}

/// A key whose clone may panic; the index clones its keys.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key(u32);

impl Clone for Key {
    fn clone(&self) -> Self {
        assert!(CLONES_LEFT.get() > 0, "one clone too many");
        Self(self.0)
    }
}

#[derive(Component, Debug, Clone)]
#[component(context = World)]
struct Team(#[component(index)] Key);

#[derive(Component, Debug, Clone)]
#[component(context = World)]
struct Tags(#[component(index(each))] Vec<Key>);

/// The entities of each key, in order.
fn orders(world: &World) -> Vec<[Vec<EntityId<World>>; 2]> {
    let keys = (0..6).map(Key);
    let of = |key| {
        [
            world.entities_with_team(&key),
            world.entities_with_tags(&key),
        ]
    };
    keys.map(|key| of(key).map(|found| found.ids())).collect()
}

fn team_and_tags(number: u32) -> (Team, Tags) {
    let tags = [number % 2, 5, number % 3].map(Key);
    (Team(Key(number % 3)), Tags(tags.into()))
}

/// Changes keys so that worlds with the same order of entities have the same order afterwards.
fn change_keys(world: &mut World, ids: &[EntityId<World>]) {
    for (nth, &id) in (0..).zip(ids) {
        match nth % 4 {
            0 => _ = world.entity_mut(id).insert(team_and_tags(nth + 1)),
            1 => world
                .entity_mut(id)
                .update::<Tags, _>(|tags| tags.0.reverse()),
            2 => world.destroy(id),
            _ => {}
        }
    }
    world.create_with(team_and_tags(4));
}

/// F05.
#[test]
fn entities_with_pending_keys_after_a_panic_keep_their_place_in_a_restore_and_a_fork() {
    type Change = fn(&mut World, &[EntityId<World>]);
    let changes: [Change; 5] = [
        |world, ids| _ = world.entity_mut(ids[0]).replace(Team(Key(0))),
        |world, ids| _ = world.entity_mut(ids[1]).insert(team_and_tags(2)),
        |world, _| {
            world
                .query_mut::<&mut Team>()
                .for_each(|team| team.0.0 = team.0.0 * 2 % 3)
        },
        |world, ids| {
            world
                .entity_mut(ids[2])
                .update::<Team, ()>(|_| panic!("half-way"))
        },
        |world, ids| {
            world
                .many(&ids[3..6])
                .update::<Tags>(|_, tags| tags.0.truncate(1))
        },
    ];
    for (first, second) in (0..5).flat_map(|first| (0..5).map(move |second| (first, second))) {
        let mut world = World::new();
        let ids = world.create_many((0..9).map(team_and_tags));
        for change in [first, second] {
            assert!(with_clones(0, || changes[change](&mut world, &ids)).is_some());
            world.storage().check_invariants();
        }
        let (mut fork, snapshot, now) = (world.fork(), world.snapshot(), orders(&world));
        assert_eq!(orders(&fork), now, "{first} {second}");
        for world in [&mut world, &mut fork] {
            change_keys(world, &ids);
        }
        let then = orders(&world);
        assert_eq!(orders(&fork), then, "{first} {second}");
        for world in [&mut world, &mut fork] {
            world.restore(&snapshot);
            assert_eq!(orders(world), now, "{first} {second}");
            change_keys(world, &ids);
            assert_eq!(orders(world), then, "{first} {second}");
            world.storage().check_invariants();
        }
    }
}

#[test]
fn a_key_function_that_panics_leaves_an_index_that_still_finds() {
    let mut world = World::new();
    let ids = world.create_many((0..10).map(|n| Wide([n % 3; 10])));
    let panics = Arc::new(AtomicBool::new(false));
    let by_first = world.entity_index(World::all_of::<Wide>(), {
        let panics = panics.clone();
        move |entity| {
            assert!(
                !(panics.load(Ordering::Relaxed) && entity.wide().0[1] == 2),
                "key"
            );
            entity.wide().0[0]
        }
    });
    let snapshot = world.snapshot();
    world.entity_mut(ids[0]).replace_wide([5; 10]);
    world.destroy(ids[1]);
    panics.store(true, Ordering::Relaxed);
    assert!(attempt(|| world.restore(&snapshot)).is_some());
    panics.store(false, Ordering::Relaxed);
    let found = |key: u32| {
        let mut found: Vec<_> = by_first.get(&world, &key).map(|it| it.id()).collect();
        found.sort_unstable();
        found
    };
    assert_eq!(found(0), [ids[0], ids[3], ids[6], ids[9]]);
    assert_eq!(found(1), [ids[1], ids[4], ids[7]]);
    assert_eq!(found(2), [ids[2], ids[5], ids[8]]);
    assert!(found(5).is_empty());
}
