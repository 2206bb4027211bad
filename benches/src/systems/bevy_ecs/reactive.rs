//! The rows about notifications of changes.

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;

use super::{Moving, ReadPositions, advance_tables, mover, movers};
use crate::checks::{check_movers, check_positions};
use crate::flagging;
use crate::types::*;
use crate::workload::{Heard, Picks, Tally, Workload, steady};

/// Creates a world with entities that have only a position.
fn positioned(entities: usize, position: fn(usize) -> Position) -> (World, Vec<Entity>) {
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

/// The consumer compares the ticks of all entities, so one that was written twice is found once.
pub(super) fn reactive_replace(items: usize) -> Box<dyn Workload> {
    replaced(items, |state| {
        let mut positions = state.positions.query_mut(&mut state.world);
        for &at in state.picks.round() {
            *positions.get_mut(state.ids[at]).unwrap() = position(at);
        }
    })
}

/// Each replace is a call on the world.
pub(super) fn replace_by_world(items: usize) -> Box<dyn Workload> {
    replaced(items, |state| {
        for &at in state.picks.round() {
            *state.world.get_mut(state.ids[at]).unwrap() = position(at);
        }
    })
}

fn replaced(items: usize, replace: fn(&mut Reactive)) -> Box<dyn Workload> {
    let (mut world, ids) = positioned(items * 10, stale);
    let state = Reactive {
        positions: world.query(),
        changed: world.query_filtered(),
        picks: Picks::new(items, ids.len()),
        tally: Tally::default(),
        world,
        ids,
    };
    let run = move |state: &mut Reactive| {
        replace(state);
        state.tally.add_all(state.changed.iter(&state.world));
        state.world.clear_trackers();
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
        let position = |at: usize| *state.world.get::<Position>(state.ids[at]).unwrap();
        state.picks.check(runs, position);
    })
}

struct Movers {
    world: World,
    ids: Vec<Entity>,
    moving: Moving,
    changed: QueryState<&'static Position, Changed<Position>>,
    tally: Tally,
}

impl Movers {
    /// Compares the ticks, as in W8.
    fn handle(&mut self) {
        self.tally.add_all(self.changed.iter(&self.world));
        self.world.clear_trackers();
    }
}

/// Uses whole columns, as in W2.
pub(super) fn move_system(items: usize) -> Box<dyn Workload> {
    moving(items, |state| {
        advance_tables(&mut state.moving, &mut state.world);
        state.handle();
    })
}

/// Reads and writes each entity by its id.
pub(super) fn move_by_id(items: usize) -> Box<dyn Workload> {
    moving(items, |state| {
        let mut moving = state.moving.query_mut(&mut state.world);
        for &id in &state.ids {
            let (mut position, velocity) = moving.get_mut(id).unwrap();
            advance(&mut position, velocity);
        }
        state.handle();
    })
}

/// Each read and each write is a call on the world.
pub(super) fn move_by_world(items: usize) -> Box<dyn Workload> {
    moving(items, |state| {
        for &id in &state.ids {
            let velocity = *state.world.get(id).unwrap();
            advance(&mut state.world.get_mut(id).unwrap(), &velocity);
        }
        state.handle();
    })
}

fn moving(items: usize, run: impl FnMut(&mut Movers) + 'static) -> Box<dyn Workload> {
    let (mut world, ids) = movers(items);
    world.clear_trackers();
    let state = Movers {
        moving: world.query(),
        changed: world.query_filtered(),
        tally: Tally::default(),
        world,
        ids,
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_moving(items, runs));
        check_movers(&state.ids, runs, |id| mover(&state.world, id));
    })
}

/// The listener of updates. A hook is a plain function, which finds it in the world.
#[derive(Resource)]
struct Listener(Heard);

/// How values are inserted.
#[derive(Clone, Copy)]
pub(super) enum Inserts {
    Batch,
    OneByOne,
}

/// Each insert replaces the value and calls the hook.
pub(super) fn event_callback(items: usize, inserts: Inserts) -> Box<dyn Workload> {
    fn tell(world: DeferredWorld<'_>, context: HookContext) {
        let position = world.get::<Position>(context.entity);
        let Listener(heard) = world.resource::<Listener>();
        heard.of(position.expect("it was just inserted"));
    }
    let mut world = World::new();
    // The hook must be registered before the first values, which go to a discarded listener.
    world.register_component_hooks::<Position>().on_insert(tell);
    world.insert_resource(Listener(Heard::default()));
    let ids: Vec<Entity> = world.spawn_batch((0..items).map(stale)).collect();
    let heard = Heard::default();
    world.insert_resource(Listener(heard.clone()));
    let run = move |(world, ids): &mut (World, Vec<Entity>)| {
        let values = ids.iter().enumerate();
        let values = values.map(|(index, &id)| (id, position(index)));
        match inserts {
            Inserts::Batch => world.insert_batch(values),
            Inserts::OneByOne => values.for_each(|(id, value)| {
                world.entity_mut(id).insert(value);
            }),
        }
    };
    steady((world, ids), run, move |(world, ids), runs| {
        heard.check(items, runs);
        check_positions(ids, |id| *world.get::<Position>(id).unwrap());
    })
}

/// Returns the number of entities that a group would have.
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
        let (mut world, ids) = positioned(entities, position);
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

    /// Counts by table, which is as fast as a maintained group.
    fn count(&mut self) {
        let groups = self.groups.iter_mut();
        self.members += groups.map(|count| count(&self.world)).sum::<usize>();
    }

    fn seen(&self) -> (Tally, usize) {
        (self.tally, self.members)
    }

    fn found(&self, index: usize) -> (Position, bool) {
        let entity = self.world.entity(self.ids[index]);
        (*entity.get().unwrap(), entity.contains::<Flag>())
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

pub(super) fn group_events(items: usize) -> Box<dyn Workload> {
    flagging::group_events(Flagging::new(items), items)
}

pub(super) fn many_groups(items: usize) -> Box<dyn Workload> {
    flagging::many_groups(Flagging::new(items), items)
}
