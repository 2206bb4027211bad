//! `specs`: storages fetched once; `VecStorage` for values, `NullStorage` for marks.
//!
//! The reactive rows use `FlaggedStorage`, whose channel gets an event for each change.
//! It calls nobody at once, so that in W8e the observer is called by who reads the
//! channel after the replaces: each update is told of once, in order.

use specs::prelude::*;
use specs::shrev::ReaderId;
use specs::storage::{ComponentEvent, NullStorage};

use crate::rows::Id;
use crate::types::*;
use crate::workload::{Heard, Picks, Tally, Workload, fresh, in_shuffled_order, shuffled, steady};

macro_rules! stored {
    ($($component:ident)*) => {$(
        impl Component for $component {
            type Storage = VecStorage<Self>;
        }
    )*};
}
stored!(Transform Position Rotation Velocity A B);
with_kinds!(stored);

impl Component for Flag {
    type Storage = NullStorage<Self>;
}

/// In a storage without gaps, so that W3 can walk a slice.
impl Component for Data {
    type Storage = DenseVecStorage<Self>;
}

/// A position whose changes are told.
struct Watched(Position);

impl Component for Watched {
    type Storage = FlaggedStorage<Self, VecStorage<Self>>;
}

/// A mark whose changes are told.
#[derive(Default)]
struct WatchedFlag;

impl Component for WatchedFlag {
    type Storage = FlaggedStorage<Self, NullStorage<Self>>;
}

/// The workload of a row.
pub fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W1i => incremental_create(items),
        Id::W2 => iter(items),
        Id::W3 => fragmented(items),
        Id::W4 => add_remove(items),
        Id::W4w => add_remove_wide(items),
        Id::W5 => get_random(items),
        Id::W6 => churn(items),
        Id::W8 => reactive_replace(items),
        Id::W8e => event_callback(items),
        Id::W9 => group_events(items),
        Id::W10 => many_groups(items),
        _ => return None,
    })
}

fn world() -> World {
    let mut world = World::new();
    macro_rules! register {
        ($($component:ident)*) => {$(world.register::<$component>();)*};
    }
    register!(Transform Position Rotation Velocity Data A B Flag Watched WatchedFlag);
    with_kinds!(register);
    world
}

type Wide<'a> = (
    WriteStorage<'a, Transform>,
    WriteStorage<'a, Position>,
    WriteStorage<'a, Rotation>,
    WriteStorage<'a, Velocity>,
);

/// Adds the four components of W1i to new entities.
fn create_wide(world: &mut World, entities: usize) -> Vec<Entity> {
    let ids: Vec<Entity> = world.create_iter().take(entities).collect();
    let (mut transforms, mut positions, mut rotations, mut velocities): Wide<'_> =
        world.system_data();
    for (index, &id) in ids.iter().enumerate() {
        let (transform, position, rotation, velocity) = wide(index);
        transforms.insert(id, transform).unwrap();
        positions.insert(id, position).unwrap();
        rotations.insert(id, rotation).unwrap();
        velocities.insert(id, velocity).unwrap();
    }
    ids
}

fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        std::hint::black_box(create_wide(world, items));
    };
    fresh(world, run, move |world| {
        let (transforms, positions, rotations, velocities): Wide<'_> = world.system_data();
        let mut tally = Tally::default();
        let entities = (&transforms, &positions, &rotations, &velocities).join();
        tally.add_all(entities.map(|(_, position, ..)| position));
        assert_eq!(tally, Tally::of_all(items, 1));
    })
}

/// A world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<Entity>) {
    let mut world = world();
    let ids = create_wide(&mut world, entities);
    (world, ids)
}

fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<Entity>)| {
        let mut positions = world.write_storage::<Position>();
        let velocities = world.read_storage::<Velocity>();
        for (position, velocity) in (&mut positions, &velocities).join() {
            advance(position, velocity);
        }
    };
    steady(wide_world(items), run, |(world, ids), steps| {
        let positions = world.read_storage::<Position>();
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(positions.get(id), Some(&advanced(index, steps)));
        }
    })
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut world = world();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            for _ in 0..items / KINDS {
                world.create_entity().with($kind(0.0)).with(Data(1.0)).build();
            }
        )*};
    }
    with_kinds!(populate);
    let run = |world: &mut World| {
        let mut data = world.write_storage::<Data>();
        for data in data.as_mut_slice() {
            data.0 *= 2.0;
        }
    };
    steady(world, run, move |world, times| {
        let data = world.read_storage::<Data>();
        let values = data.join().map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

/// Adds a component to each entity, then removes it from each.
fn add_then_remove<T: Component + Copy>(value: T) -> impl Fn(&mut (World, Vec<Entity>)) {
    move |(world, ids)| {
        let mut storage = world.write_storage::<T>();
        for &id in ids.iter() {
            storage.insert(id, value).unwrap();
        }
        for &id in ids.iter() {
            assert!(storage.remove(id).is_some());
        }
    }
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = world();
    let ids: Vec<Entity> = world.create_iter().take(items).collect();
    for &id in &ids {
        world.write_storage().insert(id, A(0.0)).unwrap();
    }
    steady(
        (world, ids),
        add_then_remove(B(1.0)),
        move |(world, _), _| {
            assert_eq!(world.read_storage::<A>().count(), items);
            assert!(world.read_storage::<B>().is_empty());
        },
    )
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    steady(wide_world(items), add_then_remove(Flag), |(world, _), _| {
        assert!(world.read_storage::<Flag>().is_empty());
    })
}

/// Creates entities that move.
fn create_movers(world: &mut World, entities: usize, ids: &mut Vec<Entity>) {
    ids.clear();
    ids.extend(world.create_iter().take(entities));
    let mut positions = world.write_storage();
    let mut velocities = world.write_storage();
    for (index, &id) in ids.iter().enumerate() {
        positions.insert(id, position(index)).unwrap();
        velocities.insert(id, velocity()).unwrap();
    }
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (mut world, mut ids) = (world(), Vec::new());
    create_movers(&mut world, items, &mut ids);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        let positions = world.read_storage::<Position>();
        tally.add_all(ids.iter().map(|&id| positions.get(id).unwrap()));
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.2, Tally::of_all(items, runs));
    })
}

/// Only what has a position and a velocity is registered here: a delete asks every
/// storage there is.
fn churn(items: usize) -> Box<dyn Workload> {
    let (mut world, mut ids) = (World::new(), Vec::new());
    world.register::<Position>();
    world.register::<Velocity>();
    create_movers(&mut world, items, &mut ids);
    let order = shuffled(items);
    let mut doomed = Vec::new();
    let run = move |(world, ids): &mut (World, Vec<Entity>)| {
        doomed.clear();
        doomed.extend(order.iter().map(|&at| ids[at]));
        world.delete_entities(&doomed).unwrap();
        create_movers(world, items, ids);
    };
    steady((world, ids), run, move |(world, ids), _| {
        let positions = world.read_storage::<Position>();
        let mut tally = Tally::default();
        tally.add_all(ids.iter().map(|&id| positions.get(id).unwrap()));
        assert_eq!(tally, Tally::of_all(items, 1));
        assert_eq!(positions.count(), items);
    })
}

struct Reactive {
    world: World,
    ids: Vec<Entity>,
    events: ReaderId<ComponentEvent>,
    dirty: BitSet,
    picks: Picks,
    tally: Tally,
}

/// A world with entities whose only component is a watched position.
fn watched(entities: usize) -> (World, Vec<Entity>, ReaderId<ComponentEvent>) {
    let mut world = world();
    let ids: Vec<Entity> = world.create_iter().take(entities).collect();
    let mut positions = world.write_storage::<Watched>();
    for (index, &id) in ids.iter().enumerate() {
        positions.insert(id, Watched(position(index))).unwrap();
    }
    let events = positions.register_reader();
    drop(positions);
    (world, ids, events)
}

fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let (world, ids, events) = watched(items * 10);
    let state = Reactive {
        picks: Picks::new(items, ids.len()),
        dirty: BitSet::new(),
        tally: Tally::default(),
        world,
        ids,
        events,
    };
    let run = |state: &mut Reactive| {
        let mut positions = state.world.write_storage::<Watched>();
        for &at in state.picks.round() {
            positions.get_mut(state.ids[at]).unwrap().0 = position(at);
        }
        for event in positions.channel().read(&mut state.events) {
            if let ComponentEvent::Modified(index) = *event {
                state.dirty.add(index);
            }
        }
        let changed = (&positions, &state.dirty).join();
        state
            .tally
            .add_all(changed.map(|(position, _)| &position.0));
        state.dirty.clear();
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
    })
}

struct Observed {
    world: World,
    ids: Vec<Entity>,
    events: ReaderId<ComponentEvent>,
    observer: Box<dyn FnMut(&Position)>,
}

fn event_callback(items: usize) -> Box<dyn Workload> {
    let (world, ids, events) = watched(items);
    let heard = Heard::default();
    let told = heard.clone();
    let observer = Box::new(move |position: &Position| told.of(position));
    let state = Observed {
        world,
        ids,
        events,
        observer,
    };
    let run = |state: &mut Observed| {
        let mut positions = state.world.write_storage::<Watched>();
        let entities = state.world.entities();
        for (index, &id) in state.ids.iter().enumerate() {
            positions.get_mut(id).unwrap().0 = position(index);
        }
        for event in positions.channel().read(&mut state.events) {
            if let ComponentEvent::Modified(index) = *event {
                let id = entities.entity(index);
                (state.observer)(&positions.get(id).unwrap().0);
            }
        }
    };
    steady(state, run, move |_, runs| heard.check(items, runs))
}

struct Flagging {
    world: World,
    ids: Vec<Entity>,
    events: ReaderId<ComponentEvent>,
    tally: Tally,
    members: usize,
}

impl Flagging {
    fn new(entities: usize) -> Self {
        let mut world = world();
        let ids: Vec<Entity> = world.create_iter().take(entities).collect();
        for (index, &id) in ids.iter().enumerate() {
            world.write_storage().insert(id, position(index)).unwrap();
        }
        let events = world.write_storage::<WatchedFlag>().register_reader();
        Self {
            world,
            ids,
            events,
            tally: Tally::default(),
            members: 0,
        }
    }

    fn add(&mut self) {
        let mut flags = self.world.write_storage::<WatchedFlag>();
        for &id in &self.ids {
            flags.insert(id, WatchedFlag).unwrap();
        }
        drop(flags);
        self.handle();
    }

    fn remove(&mut self) {
        let mut flags = self.world.write_storage::<WatchedFlag>();
        for &id in &self.ids {
            assert!(flags.remove(id).is_some());
        }
        drop(flags);
        self.handle();
    }

    /// Handles who came to have, or lost, the flag, and has a position.
    fn handle(&mut self) {
        let flags = self.world.read_storage::<WatchedFlag>();
        let positions = self.world.read_storage::<Position>();
        let entities = self.world.entities();
        let changed = flags.channel().read(&mut self.events).filter_map(|event| {
            let (ComponentEvent::Inserted(index) | ComponentEvent::Removed(index)) = *event else {
                return None;
            };
            positions.get(entities.entity(index))
        });
        self.tally.add_all(changed);
    }

    /// Joins the masks anew: specs keeps no groups.
    fn count(&mut self) {
        let flags = self.world.read_storage::<WatchedFlag>();
        let positions = self.world.read_storage::<Position>();
        let (flags, positions) = (flags.mask(), positions.mask());
        let mut members = (flags, positions).join().count();
        macro_rules! entered {
            ($($kind:ident)*) => {$({
                let kinds = self.world.read_storage::<$kind>();
                members += (flags, positions, !kinds.mask()).join().count();
            })*};
        }
        macro_rules! naming_flag {
            ($($kind:ident)*) => {$({
                let kinds = self.world.read_storage::<$kind>();
                members += (flags, kinds.mask()).join().count();
            })*};
        }
        with_kinds_without!(entered);
        with_kinds_beside_flag!(naming_flag);
        self.members += members;
    }
}

fn group_events(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Flagging| {
        state.add();
        state.remove();
    };
    steady(Flagging::new(items), run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_all(items, 2 * runs));
    })
}

fn many_groups(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Flagging| {
        state.add();
        state.count();
        state.remove();
        state.count();
    };
    steady(Flagging::new(items), run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_all(items, 2 * runs));
        assert_eq!(state.members, 5 * items * runs as usize);
    })
}
