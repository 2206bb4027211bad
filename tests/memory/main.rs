//! Memory: the reported figures are compared with the counts of the allocator, and the allocator is
//! made to fail (F34).
//!
//! A separate binary, because the allocator is global to the process. Its tests run one after the
//! other, each under [`alone`].

mod allocator;
mod chains;
mod churn;
mod costs;
mod finding;
mod kinds;
mod many;
mod mirrors;
mod nth;
mod parts;
mod recorded;
mod resources;
mod rows;
mod signatures;
mod used;
mod visits;
mod waiting;

use std::env;
use std::os::unix::process::ExitStatusExt;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::process::Output;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cap::Cap;
use ecs::prelude::*;
use support::this_program;

use self::allocator::{ByThread, allocated};

#[global_allocator]
static ALLOCATOR: Cap<ByThread> = Cap::new(ByThread, usize::MAX);

/// Has components of known sizes, so that expected totals can be computed.
#[ecs::context]
struct World;

#[derive(Component, Debug, PartialEq)]
#[component(context = World)]
struct Position([f32; 3]);

#[derive(Component)]
#[component(context = World)]
struct Velocity([f32; 3]);

#[derive(Component)]
#[component(context = World)]
struct Transform([f32; 16]);

#[derive(Component)]
#[component(context = World)]
struct Frozen;

#[derive(Component, Default)]
#[component(context = World, pooled)]
struct Kept(u64);

#[derive(Component, Clone)]
#[component(context = World)]
struct Cargo([u64; 4]);

type Id = EntityId<World>;

fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Compares the reported memory of a world with the bytes allocated beyond `before`.
fn assert_honest(world: &World, before: usize, what: &str) {
    let reported = world.storage().memory().total();
    let counted = allocated() - before;
    let off = reported.abs_diff(counted) as f64 / counted as f64;
    assert!(
        off <= 0.05,
        "{what}: reported {reported}, counted {counted}\n{}",
        world.storage().memory()
    );
}

/// A world in which everything is in use: groups, collectors, observers, pools.
fn busy() -> World {
    let mut world = World::new();
    let moving = world.group(World::all_of::<(Position, Velocity)>().none_of::<Frozen>());
    let frozen = world.group(World::any_of::<(Frozen, Kept)>());
    let collectors = [
        world.collector(World::all_of::<Position>().entered_or_updated()),
        world.collector(World::all_of::<Velocity>().left_or_updated()),
    ];
    assert!(
        collectors
            .iter()
            .all(|collector| collector.is_empty(&world))
    );
    let mut seen = [0u64; 100];
    moving.on_left(&mut world, move |_: &mut World, _: &Change<'_, World>| {
        seen[7] += 1
    });
    assert!(frozen.is_empty(&world));
    world
}

/// F35 concerns growing memory; this test concerns the reported figures.
#[test]
fn the_figures_are_those_of_the_allocator() {
    let _alone = alone();
    drop(busy()); // allocates what a program allocates once
    let before = allocated();
    let mut world = busy();
    assert_honest(&world, before, "empty");
    let ids: Vec<Id> = (0..20_000u16)
        .map(|n| world.create_with((Position([n.into(); 3]), Kept(7))).id())
        .collect();
    let outside = before + size_of_val(&ids[..]) + (ids.capacity() - ids.len()) * size_of::<Id>();
    assert_honest(&world, outside, "filled");
    for (at, &id) in ids.iter().enumerate() {
        match at % 7 {
            0 => {
                _ = world
                    .entity_mut(id)
                    .add_velocity([1.0; 3])
                    .add_transform([0.0; 16])
            }
            1 | 2 => world.destroy(id),
            3 => _ = world.entity_mut(id).add_frozen().remove_kept(),
            _ => {}
        }
    }
    assert_honest(&world, outside, "changed");
    assert!((0..30).all(|_| world.storage_mut().defragment_for(100)));
    assert_honest(&world, outside, "half defragmented");
    world.defragment();
    assert_honest(&world, outside, "defragmented");
    world.storage_mut().shrink_to_fit();
    assert_honest(&world, outside, "shrunk");
    world.storage_mut().reserve_entities(10_000);
    world.storage_mut().reserve::<Transform>(10_000);
    assert_honest(&world, outside, "reserved");
    drop(world);
    assert!(allocated() <= outside + 4096);
}

/// Indexes and links.
mod indexed {
    use super::*;

    /// Has only indexed components and links, so that nothing else is measured.
    #[ecs::context]
    struct Shop;

    #[derive(Component, Clone)]
    #[component(context = Shop)]
    struct Shelf(#[component(index)] u32);

    #[derive(Component, Clone)]
    #[component(context = Shop)]
    struct Tags(#[component(index(each))] [u16; 3]);

    #[derive(Component, Clone)]
    #[component(context = Shop)]
    struct Inside(#[component(relation(reverse = content))] EntityId<Shop>);

    /// Compares the reported and allocated memory of entity indexes and links.
    fn assert_honest(shop: &Shop, before: usize, what: &str) {
        let memory = shop.storage().memory();
        let counted = allocated() - before;
        let off = memory.total().abs_diff(counted) as f64 / counted as f64;
        assert!(off <= 0.05, "{what}: counted {counted}\n{memory}");
    }

    #[test]
    fn indexes_and_links_are_counted() {
        let _alone = alone();
        drop(Shop::new()); // allocates what a program allocates once
        let before = allocated();
        let mut shop = Shop::new();
        let rows = shop.entity_index(Shop::all_of::<Shelf>(), |e| u64::from(e.shelf().0 / 10));
        let none = shop.storage().memory().indexes;
        for n in 0..20_000 {
            shop.create_with(Shelf(n / 4));
        }
        assert!(shop.storage().memory().indexes > none + 20_000 * 16);
        assert_honest(&shop, before, "by one key");
        for n in 0..10_000_u16 {
            shop.create_with(Tags([n, n / 2, n / 3 + 50]));
        }
        assert_honest(&shop, before, "by three");
        let chest = shop.create_entity().id();
        for _ in 0..10_000 {
            shop.create_with(Inside(chest));
        }
        assert_honest(&shop, before, "by a relation");
        shop.query_mut::<&mut Shelf>()
            .for_each(|shelf| shelf.0 += 1);
        assert_honest(&shop, before, "changed");
        assert_eq!(rows.get(&shop, &0).count(), 9 * 4);
        shop.destroy_all();
        assert_honest(&shop, before, "empty");
    }
}

/// The bytes allocated per entity, in addition to at most 24 of values.
#[test]
fn an_entity_takes_little_more_than_its_values() {
    const COUNT: usize = 200_000;
    let _alone = alone();
    drop(World::new());
    let before = allocated();
    let mut world = World::with_capacity(COUNT);
    world.storage_mut().reserve::<Position>(COUNT);
    world.storage_mut().reserve::<Velocity>(COUNT);
    for _ in 0..COUNT {
        world.create_with((Position([1.0; 3]), Velocity([0.0; 3])));
    }
    let each = (allocated() - before) as f64 / COUNT as f64;
    assert!(each <= 44.0, "{each} bytes for each entity");
}

/// Few values of a large component take little memory, wherever they are, and even less once they
/// are moved together.
#[test]
fn rare_components_take_little_wherever_they_are() {
    const COUNT: usize = 200_000;
    let _alone = alone();
    drop(World::new());
    let before = allocated();
    let mut world = World::with_capacity(COUNT);
    let mut seed = 1u32;
    for at in 0..COUNT {
        let mut entity = world.create_with(Position([1.0; 3]));
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if (seed >> 8).is_multiple_of(100) || at + 1 == COUNT {
            entity.add_transform([1.0; 16]);
        }
    }
    let transforms = |world: &World| {
        assert_honest(world, before, "sparse");
        let memory = world.storage().memory();
        let mut all = memory.components().iter();
        let one = all.find(|one| one.name() == "Transform").unwrap();
        (one.values, one.bytes as f64 / COUNT as f64)
    };
    let (values, each) = transforms(&world);
    assert!((COUNT / 120..COUNT / 80).contains(&values), "{values}");
    assert!(each < 2.0, "{each} bytes for each entity");
    world.storage_mut().shrink_to_fit();
    let (_, shrunk) = transforms(&world);
    assert!(shrunk < 1.5, "{shrunk} bytes for each entity");
    world.defragment();
    world.storage_mut().shrink_to_fit();
    let (_, moved) = transforms(&world);
    assert!(moved < 1.0, "{moved} bytes for each entity");
}

struct Recount;

impl ReactiveSystem<World> for Recount {
    type Context = World;

    fn trigger(&self) -> Trigger<World> {
        World::all_of::<Cargo>().any_change()
    }

    fn react(&mut self, _: &mut World, _: &[Id]) {}
}

/// Everything that collects changes for a list of systems.
fn gathering(world: &mut World) -> Systems<World> {
    let changed = || World::all_of::<Cargo>().any_change();
    Systems::new()
        .add_reactive(world, Recount)
        .for_each_changed(world, changed(), |_, _| ())
        .query_changed::<_, &Cargo>(world, changed(), |_| ())
        .on_removed(world, |_, _: &[(Id, Cargo)]| ())
}

fn ship_and_sink(world: &mut World, ships: u32) {
    for _ in 0..ships {
        let ship = world.create_with(Cargo([0; 4])).id();
        world.destroy(ship);
    }
}

#[test]
fn a_dropped_list_of_systems_collects_nothing_more() {
    let _alone = alone();
    let mut world = World::new();
    let systems = gathering(&mut world);
    ship_and_sink(&mut world, 1_000);
    drop(systems);
    ship_and_sink(&mut world, 100_000);
    let held = world.storage().memory().total();
    assert!(held < 100_000, "{held} bytes are held");
}

#[test]
fn only_the_last_of_recreated_systems_collect() {
    let _alone = alone();
    let mut world = World::new();
    for _ in 0..100 {
        let _systems = gathering(&mut world);
        ship_and_sink(&mut world, 100);
    }
    let held = world.storage().memory().total();
    assert!(held < 100_000, "{held} bytes are held");
}

/// Runs `act` with only this many bytes available. Nothing is printed meanwhile, because printing
/// the location of a panic allocates.
fn limited<R>(bytes: usize, act: impl FnOnce() -> R) -> R {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    ALLOCATOR.set_limit(ALLOCATOR.allocated() + bytes).unwrap();
    let result = act();
    ALLOCATOR.set_limit(usize::MAX).unwrap();
    panic::set_hook(hook);
    result
}

/// F34: a reservation beyond the available memory is rejected and changes nothing.
#[test]
fn a_reservation_beyond_memory_is_rejected_and_changes_nothing() {
    let _alone = alone();
    let mut world = World::new();
    let id = world.create_with(Position([1.0; 3])).id();
    let before = world.storage().memory();
    let mut rejected = |reserve: fn(&mut World)| {
        let attempt = || catch_unwind(AssertUnwindSafe(|| reserve(&mut world)));
        let panic = limited(64 << 10, attempt).unwrap_err();
        let message = panic.downcast::<String>().unwrap();
        assert!(
            message.contains("context `World`: memory has no room for them"),
            "{message}"
        );
    };
    rejected(|world| world.storage_mut().reserve_entities(10_000));
    rejected(|world| world.storage_mut().reserve::<Position>(100_000));
    assert_eq!(world.storage().memory(), before);
    world.storage_mut().reserve::<Position>(100_000);
    assert_eq!(world.entity(id).position(), &Position([1.0; 3]));
}

/// F34: the memory of values doubles; if that fails, it grows by what is needed.
#[test]
fn values_take_only_the_memory_they_need_if_more_is_unavailable() {
    const COUNT: usize = 10_000;
    let _alone = alone();
    let mut world = World::with_capacity(COUNT);
    let mut most = 0;
    for _ in 0..COUNT {
        let before = allocated();
        limited(64 << 10, || {
            world.create_with(Transform([1.0; 16]));
        });
        most = most.max(allocated().saturating_sub(before));
    }
    assert_eq!(world.query::<&Transform>().into_iter().count(), COUNT);
    assert!((16 << 10..64 << 10).contains(&most), "{most}");
}

/// Fills a context until memory is exhausted, in a separate process.
fn fill() {
    let mut world = busy();
    let mut ids = Vec::new();
    for n in 0..3000u16 {
        ids.push(
            world
                .create_with((Position([n.into(); 3]), Kept(n.into())))
                .id(),
        );
        let before = ids[usize::from(n) / 2];
        match n % 5 {
            0 => {
                _ = world
                    .entity_mut(before)
                    .replace_velocity([1.0; 3])
                    .set_frozen(true)
            }
            1 if world.entity(before).has_kept() => _ = world.entity_mut(before).remove_kept(),
            2 => _ = world.storage_mut().defragment_for(3),
            3 if n % 50 == 3 => world.defragment(),
            4 if n % 70 == 4 => world.storage_mut().shrink_to_fit(),
            _ => {}
        }
    }
    assert!(
        ids.iter()
            .all(|&id| world.entity(id).position().0[0] == f32::from(id.index() as u16))
    );
}

/// Whether a process ended like one that is out of memory.
fn has_aborted(output: &Output) -> bool {
    let message = String::from_utf8_lossy(&output.stderr);
    output.status.signal() == Some(SIGABRT) && message.contains("memory allocation of")
}

const SIGABRT: i32 = 6;

const LIMIT: &str = "ECS_TEST_MEMORY_LIMIT";

fn fill_in_another_process(limit: usize) -> Output {
    let mut command = this_program();
    let test = ["--exact", "exhausted_memory_aborts_and_corrupts_nothing"];
    command.args(test).env(LIMIT, limit.to_string());
    command.env("RUST_BACKTRACE", "0");
    command.output().unwrap()
}

/// F34: when memory is exhausted, early or late, the program ends at once with a message and
/// `abort`, never with an invalid access. (`nth` tests the failure of each single allocation.)
#[test]
fn exhausted_memory_aborts_and_corrupts_nothing() {
    let _alone = alone();
    if let Ok(limit) = env::var(LIMIT) {
        return limited(limit.parse().unwrap(), fill);
    }
    let mut aborted = 0;
    for step in 0..40 {
        let output = fill_in_another_process(500 * 9usize.pow(step / 8) + 3 * 977 * step as usize);
        if !output.status.success() {
            assert!(has_aborted(&output), "{output:?}");
            aborted += 1;
        }
    }
    assert!((20..40).contains(&aborted), "{aborted} of 40");
}
