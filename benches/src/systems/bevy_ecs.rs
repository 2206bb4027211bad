//! `bevy_ecs`: `QueryState`s kept from run to run, the batch calls where there are any,
//! storage in sparse sets for what is added and removed.
//!
//! The reactive rows use its own means: change ticks, which a filtered query compares
//! and `clear_trackers` puts behind; the list of who lost a component; a hook on insert
//! for W8e, which costs less than an observer.

mod large;

use bevy_ecs::component::{Mutable, StorageType};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;

use super::columns::on_columns;
use crate::flagging;
use crate::matrix::{compute, computed, transform};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Heard, Picks, Tally, Workload, fresh, in_shuffled_order, shuffled, steady};

macro_rules! stored {
    ($storage:ident: $($component:ident)*) => {$(
        impl Component for $component {
            const STORAGE_TYPE: StorageType = StorageType::$storage;
            type Mutability = Mutable;
        }
    )*};
}

macro_rules! kinds_in_tables {
    ($($kind:ident)*) => { stored!(Table: $($kind)*); };
}

stored!(Table: Transform Position Rotation Velocity Data A);
stored!(SparseSet: B Flag);
with_kinds!(kinds_in_tables);

/// The workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1 => large::bulk_create(items),
        Id::W1s => large::single_create(items),
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items),
        Id::W2m => large::iter_many(items),
        Id::W3 => fragmented(items),
        Id::W4 => add_remove(items),
        Id::W4w => add_remove_wide(items),
        Id::W5 => get_random(items),
        Id::W6 => churn(items),
        Id::W7 | Id::W7d => large::sparse_join(items),
        Id::W7c | Id::W7cd => large::churned_join(items),
        Id::W8 => reactive_replace(items),
        Id::W8e => event_callback(items),
        Id::W9 => group_events(items),
        Id::W10 => many_groups(items),
        Id::W11 => large::memory(items),
        Id::W11s | Id::W11sd => large::memory_sparse(items),
        Id::W12 => heavy_compute(items),
        Id::W13 => move_system(items),
    })
}

fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        for index in 0..items {
            let (transform, position, rotation, velocity) = wide(index);
            world
                .spawn_empty()
                .insert(transform)
                .insert(position)
                .insert(rotation)
                .insert(velocity);
        }
    };
    fresh(World::new, run, move |world| {
        let mut tally = Tally::default();
        let mut all = world.query::<(&Transform, &Position, &Rotation, &Velocity)>();
        tally.add_all(all.iter(world).map(|(_, position, ..)| position));
        assert_eq!(tally, Tally::of_all(items, 1));
    })
}

/// A world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids = world.spawn_batch((0..entities).map(wide)).collect();
    (world, ids)
}

type Moving = QueryState<(&'static mut Position, &'static Velocity)>;

/// Whole columns, marked as changed all at once.
fn advance_all(moving: &mut Moving, world: &mut World) {
    let columns = moving.contiguous_iter_mut(world).expect("they are tables");
    for (positions, velocities) in columns {
        for (position, velocity) in positions.into_iter().zip(velocities) {
            advance(position, velocity);
        }
    }
}

fn iter(items: usize) -> Box<dyn Workload> {
    let (mut world, ids) = wide_world(items);
    let moving: Moving = world.query();
    let run = |(world, _, moving): &mut (World, Vec<Entity>, Moving)| advance_all(moving, world);
    steady((world, ids, moving), run, |(world, ids, _), steps| {
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(world.get::<Position>(id), Some(&advanced(index, steps)));
        }
    })
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.spawn_batch((0..items / KINDS).map(|_| ($kind(0.0), Data(1.0))));
        )*};
    }
    with_kinds!(populate);
    let mut query = world.query::<&mut Data>();
    let run = move |world: &mut World| {
        query.iter_mut(world).for_each(|mut data| data.0 *= 2.0);
    };
    steady(world, run, move |world, times| {
        let mut query = world.query::<&Data>();
        let values = query.iter(world).map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

/// Adds a component to all entities in one batch, then removes it from each: there is
/// no batch for that.
fn add_then_remove<T: Component + Copy>(value: T) -> impl Fn(&mut (World, Vec<Entity>)) {
    move |(world, ids)| {
        world.insert_batch(ids.iter().map(|&id| (id, value)));
        for &id in ids.iter() {
            world.entity_mut(id).remove::<T>();
        }
    }
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let ids = world.spawn_batch((0..items).map(|_| A(0.0))).collect();
    steady(
        (world, ids),
        add_then_remove(B(1.0)),
        move |(world, _), _| {
            let mut with_a = world.query_filtered::<(), (With<A>, Without<B>)>();
            assert_eq!(with_a.iter(world).len(), items);
        },
    )
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    let run = add_then_remove(Flag);
    steady(wide_world(items), run, move |(world, _), _| {
        let mut plain = world.query_filtered::<(), (With<Position>, Without<Flag>)>();
        assert_eq!(plain.iter(world).len(), items);
    })
}

/// A world with entities that move.
fn movers(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let bundles = (0..entities).map(|index| (position(index), velocity()));
    let ids = world.spawn_batch(bundles).collect();
    (world, ids)
}

type ReadPositions = QueryState<&'static Position>;

fn get_random(items: usize) -> Box<dyn Workload> {
    let (mut world, ids) = movers(items);
    let mut positions: ReadPositions = world.query();
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = move |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        let positions = positions.query(world);
        tally.add_all(ids.iter().map(|&id| positions.get_inner(id).unwrap()));
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.2, Tally::of_all(items, runs));
    })
}

fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let run = move |(world, ids): &mut (World, Vec<Entity>)| {
        for &at in &order {
            assert!(world.despawn(ids[at]));
        }
        ids.clear();
        let bundles = (0..items).map(|index| (position(index), velocity()));
        ids.extend(world.spawn_batch(bundles));
    };
    steady(movers(items), run, move |(world, ids), _| {
        let mut tally = Tally::default();
        let positions = ids.iter().map(|&id| world.get::<Position>(id).unwrap());
        tally.add_all(positions);
        let alive = world
            .query_filtered::<(), With<Position>>()
            .iter(world)
            .len();
        assert_eq!((tally, alive), (Tally::of_all(items, 1), items));
    })
}

/// A world with entities that have a position and no more.
fn positioned(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids = world.spawn_batch((0..entities).map(position)).collect();
    world.clear_trackers();
    (world, ids)
}

struct Reactive {
    world: World,
    ids: Vec<Entity>,
    positions: QueryState<&'static mut Position>,
    changed: QueryState<&'static Position, Changed<Position>>,
    picks: Picks,
    tally: Tally,
}

/// The consumer compares the ticks of all entities; one that was written twice is
/// found once.
fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let (mut world, ids) = positioned(items * 10);
    let state = Reactive {
        positions: world.query(),
        changed: world.query_filtered(),
        picks: Picks::new(items, ids.len()),
        tally: Tally::default(),
        world,
        ids,
    };
    let run = |state: &mut Reactive| {
        let mut positions = state.positions.query_mut(&mut state.world);
        for &at in state.picks.round() {
            *positions.get_mut(state.ids[at]).unwrap() = position(at);
        }
        state.tally.add_all(state.changed.iter(&state.world));
        state.world.clear_trackers();
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
    })
}

struct Movers {
    world: World,
    moving: Moving,
    changed: QueryState<&'static Position, Changed<Position>>,
    tally: Tally,
}

/// Whole columns as flat floats, marked as changed all at once; the consumer compares the
/// ticks, as in W8.
fn move_system(items: usize) -> Box<dyn Workload> {
    let (mut world, _) = movers(items);
    world.clear_trackers();
    let state = Movers {
        moving: world.query(),
        changed: world.query_filtered(),
        tally: Tally::default(),
        world,
    };
    let run = |state: &mut Movers| {
        let columns = state.moving.contiguous_iter_mut(&mut state.world);
        for (mut positions, velocities) in columns.expect("they are tables") {
            crate::types::advance_all(&mut positions, velocities);
        }
        state.tally.add_all(state.changed.iter(&state.world));
        state.world.clear_trackers();
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_moving(items, runs));
    })
}

type Computed = QueryState<(&'static mut Transform, &'static mut Position)>;

/// Whole columns, spread over two threads as in the rows of others: its own executor
/// has no more to do here.
fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let bundles = (0..items).map(|index| (transform(index), position(index)));
    let ids: Vec<Entity> = world.spawn_batch(bundles).collect();
    let both: Computed = world.query();
    let run = |(world, _, both): &mut (World, Vec<Entity>, Computed)| {
        let columns = both.contiguous_iter_mut(world).expect("they are tables");
        for (mut transforms, mut positions) in columns {
            on_columns(&mut transforms, &mut positions, compute);
        }
    };
    steady((world, ids, both), run, |(world, ids, _), runs| {
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(world.get::<Position>(id), Some(&computed(index, runs)));
        }
    })
}

/// Who is told of updates. A hook is a plain function, which finds it in the world.
#[derive(Resource)]
struct Listener(Heard);

/// A batch of inserts, each of which replaces the value and calls the hook.
fn event_callback(items: usize) -> Box<dyn Workload> {
    fn tell(world: DeferredWorld<'_>, context: HookContext) {
        let position = world.get::<Position>(context.entity);
        let Listener(heard) = world.resource::<Listener>();
        heard.of(position.expect("it was just inserted"));
    }
    let mut world = World::new();
    // It has to be there before the first value, of which nobody is to hear.
    world.register_component_hooks::<Position>().on_insert(tell);
    world.insert_resource(Listener(Heard::default()));
    let ids: Vec<Entity> = world.spawn_batch((0..items).map(position)).collect();
    let heard = Heard::default();
    world.insert_resource(Listener(heard.clone()));
    let run = |(world, ids): &mut (World, Vec<Entity>)| {
        let ids = ids.iter().enumerate();
        world.insert_batch(ids.map(|(index, &id)| (id, position(index))));
    };
    steady((world, ids), run, move |_, runs| heard.check(items, runs))
}

/// How many entities a group would have.
type Count = Box<dyn FnMut(&World) -> usize>;

struct Flagging {
    world: World,
    ids: Vec<Entity>,
    positions: ReadPositions,
    entered: QueryState<&'static Position, Added<Flag>>,
    /// Prepared queries in place of the groups that name Flag.
    groups: Vec<Count>,
    tally: Tally,
    members: usize,
}

impl Flagging {
    fn new(entities: usize) -> Self {
        let (mut world, ids) = positioned(entities);
        Self {
            positions: world.query(),
            entered: world.query_filtered(),
            groups: groups(&mut world),
            tally: Tally::default(),
            members: 0,
            world,
            ids,
        }
    }
}

impl flagging::Flags for Flagging {
    fn add(&mut self) {
        let ids = self.ids.iter();
        self.world.insert_batch(ids.map(|&id| (id, Flag)));
        self.tally.add_all(self.entered.iter(&self.world));
        self.world.clear_trackers();
    }

    fn remove(&mut self) {
        for &id in &self.ids {
            self.world.entity_mut(id).remove::<Flag>();
        }
        let positions = self.positions.query(&self.world);
        let left = self.world.removed::<Flag>();
        let left = left.map(|id| positions.get_inner(id).unwrap());
        self.tally.add_all(left);
        self.world.clear_trackers();
    }

    /// Counts by table, which is as good as a group that is kept up.
    fn count(&mut self) {
        let groups = self.groups.iter_mut();
        self.members += groups.map(|count| count(&self.world)).sum::<usize>();
    }

    fn seen(&self) -> (Tally, usize) {
        (self.tally, self.members)
    }
}

/// The twenty groups of W10 that name Flag.
fn groups(world: &mut World) -> Vec<Count> {
    let mut groups = vec![group::<(With<Position>, With<Flag>)>(world)];
    macro_rules! entered {
        ($($kind:ident)*) => {
            $(groups.push(group::<(With<Position>, With<Flag>, Without<$kind>)>(world));)*
        };
    }
    macro_rules! naming_flag {
        ($($kind:ident)*) => { $(groups.push(group::<(With<Flag>, With<$kind>)>(world));)* };
    }
    with_kinds_without!(entered);
    with_kinds_beside_flag!(naming_flag);
    groups
}

fn group<F: bevy_ecs::query::ArchetypeFilter + 'static>(world: &mut World) -> Count {
    let mut members = world.query_filtered::<(), F>();
    Box::new(move |world| members.iter(world).len())
}

fn group_events(items: usize) -> Box<dyn Workload> {
    flagging::group_events(Flagging::new(items), items)
}

fn many_groups(items: usize) -> Box<dyn Workload> {
    flagging::many_groups(Flagging::new(items), items)
}
