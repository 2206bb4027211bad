//! `legion`: `extend` for many entities (vectors of components where they are at hand),
//! chunks of slices for iteration, entries for what is added and removed, and the
//! storage of a component, looked up once, for reading many by id.
//!
//! It tells of entities that enter or leave a layout, which W9 and W10 subscribe to.
//! Of values that change it tells nothing finer than a chunk, so that in W8 and W8e
//! whoever writes also notes what was written.

mod large;

use std::mem::take;
use std::sync::{Arc, Mutex};

use legion::storage::{ComponentStorage, IntoSoa, PackOptions, PackedStorage};
use legion::world::{Event, EventSender};
use legion::{Entity, EntityStore, IntoQuery, World, component};

use super::columns::on_columns;
use crate::flagging;
use crate::matrix::{compute, computed, transform};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Heard, Picks, Tally, Workload, fresh, in_shuffled_order, shuffled, steady};

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

/// Creates the empty entities at once: one by one, each takes a block of 16 ids.
fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        let ids = world.extend((0..items).map(|_| ()));
        let ids = ids.to_vec();
        for (index, id) in ids.into_iter().enumerate() {
            let (transform, position, rotation, velocity) = wide(index);
            let mut entry = world.entry(id).unwrap();
            entry.add_component(transform);
            entry.add_component(position);
            entry.add_component(rotation);
            entry.add_component(velocity);
        }
    };
    fresh(World::default, run, move |world| {
        let mut tally = Tally::default();
        let mut all = <(&Transform, &Position, &Rotation, &Velocity)>::query();
        tally.add_all(all.iter(world).map(|(_, position, ..)| position));
        assert_eq!(tally, Tally::of_all(items, 1));
    })
}

/// The entities of W1i, a vector for each component.
type Wide = (Vec<Transform>, Vec<Position>, Vec<Rotation>, Vec<Velocity>);

fn wide_columns(entities: usize) -> Wide {
    let mut columns = Wide::default();
    for (transform, position, rotation, velocity) in (0..entities).map(wide) {
        columns.0.push(transform);
        columns.1.push(position);
        columns.2.push(rotation);
        columns.3.push(velocity);
    }
    columns
}

/// A world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::default();
    let ids = world.extend(wide_columns(entities).into_soa()).to_vec();
    (world, ids)
}

/// position += velocity, a chunk at a time.
fn advance_all() -> impl FnMut(&mut World) {
    let mut moving = <(&mut Position, &Velocity)>::query();
    move |world| {
        for chunk in moving.iter_chunks_mut(world) {
            let (positions, velocities) = chunk.into_components();
            for (position, velocity) in positions.iter_mut().zip(velocities) {
                advance(position, velocity);
            }
        }
    }
}

fn iter(items: usize) -> Box<dyn Workload> {
    let mut step = advance_all();
    let run = move |(world, _): &mut (World, Vec<Entity>)| step(world);
    steady(wide_world(items), run, |(world, ids), steps| {
        for (index, &id) in ids.iter().enumerate() {
            let position = world.entry(id).unwrap().into_component::<Position>();
            assert_eq!(position, Ok(&advanced(index, steps)));
        }
    })
}

/// A pack brings the slices of all kinds into one piece of memory.
fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.extend((0..items / KINDS).map(|_| ($kind(0.0), Data(1.0))));
        )*};
    }
    with_kinds!(populate);
    world.pack(PackOptions::force());
    let mut query = <&mut Data>::query();
    let run = move |world: &mut World| {
        for chunk in query.iter_chunks_mut(world) {
            for data in chunk.into_components() {
                data.0 *= 2.0;
            }
        }
    };
    steady(world, run, move |world, times| {
        let mut query = <&Data>::query();
        let values = query.iter(world).map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

/// Adds a component to each entity, then removes it from each.
fn add_then_remove<T>(value: T) -> impl Fn(&mut (World, Vec<Entity>))
where
    T: Copy + Send + Sync + 'static,
{
    move |(world, ids)| {
        for &id in ids.iter() {
            world.entry(id).unwrap().add_component(value);
        }
        for &id in ids.iter() {
            world.entry(id).unwrap().remove_component::<T>();
        }
    }
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    let ids = world.extend((0..items).map(|_| (A(0.0),))).to_vec();
    steady(
        (world, ids),
        add_then_remove(B(1.0)),
        move |(world, _), _| {
            let mut with_a = <&A>::query().filter(!component::<B>());
            assert_eq!(with_a.iter(world).count(), items);
        },
    )
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    let run = add_then_remove(Flag);
    steady(wide_world(items), run, move |(world, _), _| {
        let mut plain = <&Position>::query().filter(!component::<Flag>());
        assert_eq!(plain.iter(world).count(), items);
    })
}

/// Creates entities that move.
fn extend_movers(world: &mut World, entities: usize, ids: &mut Vec<Entity>) {
    let bundles = (0..entities).map(|index| (position(index), velocity()));
    ids.clear();
    ids.extend(world.extend(bundles).iter().copied());
}

/// A world with entities that move.
fn movers(entities: usize) -> (World, Vec<Entity>) {
    let (mut world, mut ids) = (World::default(), Vec::new());
    extend_movers(&mut world, entities, &mut ids);
    (world, ids)
}

/// Handles the positions of these, from the storage that is looked up once.
#[inline]
fn tally_all(world: &World, ids: impl Iterator<Item = Entity>, tally: &mut Tally) {
    let positions: &PackedStorage<Position> =
        world.components().get_downcast::<Position>().unwrap();
    let mut sum = *tally;
    for id in ids {
        let location = world.entry_ref(id).unwrap().location();
        let chunk = positions.get(location.archetype()).unwrap();
        sum.add(&chunk[location.component()]);
    }
    *tally = sum;
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<Entity>, Tally)| {
        tally_all(world, ids.iter().copied(), tally);
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.2, Tally::of_all(items, runs));
    })
}

/// Its ids are never used again, nor is the memory of where they were.
fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let run = move |(world, ids): &mut (World, Vec<Entity>)| {
        for &at in &order {
            assert!(world.remove(ids[at]));
        }
        extend_movers(world, items, ids);
    };
    steady(movers(items), run, move |(world, ids), _| {
        let mut tally = Tally::default();
        tally_all(world, ids.iter().copied(), &mut tally);
        assert_eq!((tally, world.len()), (Tally::of_all(items, 1), items));
    })
}

/// A position, and in which round it was written last: the ids have no index by which
/// a set of bits could be kept.
struct Noted {
    position: Position,
    round: u64,
}

impl Noted {
    /// Adds the entity to those changed in this round, if it is not among them.
    #[inline]
    fn note(&mut self, id: Entity, round: u64, changed: &mut Vec<Entity>) {
        if self.round != round {
            self.round = round;
            changed.push(id);
        }
    }
}

/// Handles the positions of entities that were changed.
fn handle(world: &World, changed: &mut Vec<Entity>, tally: &mut Tally) {
    let values: &PackedStorage<Noted> = world.components().get_downcast::<Noted>().unwrap();
    for id in changed.drain(..) {
        let location = world.entry_ref(id).unwrap().location();
        let chunk = values.get(location.archetype()).unwrap();
        tally.add(&chunk[location.component()].position);
    }
}

struct Reactive {
    world: World,
    ids: Vec<Entity>,
    changed: Vec<Entity>,
    round: u64,
    picks: Picks,
    tally: Tally,
}

fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    let bundles = (0..items * 10).map(|index| {
        let (position, round) = (position(index), 0);
        (Noted { position, round },)
    });
    let ids = world.extend(bundles).to_vec();
    let state = Reactive {
        changed: Vec::new(),
        round: 0,
        picks: Picks::new(items, ids.len()),
        tally: Tally::default(),
        world,
        ids,
    };
    let run = |state: &mut Reactive| {
        state.round += 1;
        for &at in state.picks.round() {
            let id = state.ids[at];
            let mut entry = state.world.entry_mut(id).unwrap();
            let value = entry.get_component_mut::<Noted>().unwrap();
            value.position = position(at);
            value.note(id, state.round, &mut state.changed);
        }
        handle(&state.world, &mut state.changed, &mut state.tally);
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
    })
}

struct Movers {
    world: World,
    changed: Vec<Entity>,
    round: u64,
    tally: Tally,
}

/// Whoever writes also notes what was written, as in W8.
fn move_system(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    let bundles = (0..items).map(|index| {
        let (position, round) = (position(index), 0);
        (Noted { position, round }, velocity())
    });
    world.extend(bundles);
    let state = Movers {
        changed: Vec::new(),
        round: 0,
        tally: Tally::default(),
        world,
    };
    let mut moving = <(Entity, &mut Noted, &Velocity)>::query();
    let run = move |state: &mut Movers| {
        state.round += 1;
        moving.for_each_mut(&mut state.world, |(&id, value, velocity)| {
            advance(&mut value.position, velocity);
            value.note(id, state.round, &mut state.changed);
        });
        handle(&state.world, &mut state.changed, &mut state.tally);
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_moving(items, runs));
    })
}

/// Whole chunks, spread over two threads as in the rows of others.
fn heavy_compute(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    let bundles = (0..items).map(|index| (transform(index), position(index)));
    let ids = world.extend(bundles).to_vec();
    let mut both = <(&mut Transform, &mut Position)>::query();
    let run = move |(world, _): &mut (World, Vec<Entity>)| {
        for chunk in both.iter_chunks_mut(world) {
            let (transforms, positions) = chunk.into_components();
            on_columns(transforms, positions, compute);
        }
    };
    steady((world, ids), run, |(world, ids), runs| {
        for (index, &id) in ids.iter().enumerate() {
            let position = world.entry(id).unwrap().into_component::<Position>();
            assert_eq!(position, Ok(&computed(index, runs)));
        }
    })
}

/// A world with entities that have a position and no more.
fn positioned(entities: usize) -> (World, Vec<Entity>) {
    let mut world = World::default();
    let bundles = (0..entities).map(|index| (position(index),));
    let ids = world.extend(bundles).to_vec();
    (world, ids)
}

type Observer = Box<dyn FnMut(Entity, &Position)>;

struct Observed {
    world: World,
    ids: Vec<Entity>,
    observer: Observer,
}

/// The observer is a boxed function that the writer calls.
fn event_callback(items: usize) -> Box<dyn Workload> {
    let (world, ids) = positioned(items);
    let heard = Heard::default();
    let told = heard.clone();
    let observer = Box::new(move |_, position: &Position| told.of(position));
    let state = Observed {
        world,
        ids,
        observer,
    };
    let run = |state: &mut Observed| {
        for (index, &id) in state.ids.iter().enumerate() {
            let mut entry = state.world.entry_mut(id).unwrap();
            let value = entry.get_component_mut::<Position>().unwrap();
            *value = position(index);
            (state.observer)(id, value);
        }
    };
    steady(state, run, move |_, runs| heard.check(items, runs))
}

/// The events of one subscription. A lock that nobody else holds costs less here than
/// a channel.
#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<Event>>>);

impl EventSender for Events {
    fn send(&self, event: Event) -> bool {
        self.0.lock().expect("nobody panics with it").push(event);
        true
    }
}

/// How many entities a group would have.
type Count = Box<dyn FnMut(&World) -> usize>;

struct Flagging {
    world: World,
    ids: Vec<Entity>,
    events: Events,
    /// Prepared queries in place of the groups that name Flag.
    groups: Vec<Count>,
    tally: Tally,
    members: usize,
}

impl Flagging {
    fn new(entities: usize) -> Self {
        let (mut world, ids) = positioned(entities);
        let events = Events::default();
        let flagged = component::<Position>() & component::<Flag>();
        world.subscribe(events.clone(), flagged);
        Self {
            groups: groups(),
            tally: Tally::default(),
            members: 0,
            world,
            ids,
            events,
        }
    }

    fn drain(&self) -> Vec<Event> {
        take(&mut self.events.0.lock().expect("nobody panics with it"))
    }

    /// Gives the memory of handled events back to the subscription.
    fn give_back(&self, mut events: Vec<Event>) {
        events.clear();
        *self.events.0.lock().expect("nobody panics with it") = events;
    }
}

impl flagging::Flags for Flagging {
    fn add(&mut self) {
        for &id in &self.ids {
            self.world.entry(id).unwrap().add_component(Flag);
        }
        let events = self.drain();
        let entered = events.iter().filter_map(|event| match *event {
            Event::EntityInserted(id, _) => Some(id),
            _ => None,
        });
        tally_all(&self.world, entered, &mut self.tally);
        self.give_back(events);
    }

    fn remove(&mut self) {
        for &id in &self.ids {
            self.world.entry(id).unwrap().remove_component::<Flag>();
        }
        let events = self.drain();
        let left = events.iter().filter_map(|event| match *event {
            Event::EntityRemoved(id, _) => Some(id),
            _ => None,
        });
        tally_all(&self.world, left, &mut self.tally);
        self.give_back(events);
    }

    /// Counts by chunk, which is as good as a group that is kept up.
    fn count(&mut self) {
        let groups = self.groups.iter_mut();
        self.members += groups.map(|count| count(&self.world)).sum::<usize>();
    }

    fn seen(&self) -> (Tally, usize) {
        (self.tally, self.members)
    }
}

/// The twenty groups of W10 that name Flag.
fn groups() -> Vec<Count> {
    macro_rules! group {
        ($query:expr) => {{
            let mut query = $query;
            let count: Count = Box::new(move |world| {
                let chunks = query.iter_chunks(world);
                chunks.map(|chunk| chunk.archetype().entities().len()).sum()
            });
            count
        }};
    }
    let mut groups = vec![group!(<(&Position, &Flag)>::query())];
    macro_rules! entered {
        ($($kind:ident)*) => {$(
            let without = <(&Position, &Flag)>::query().filter(!component::<$kind>());
            groups.push(group!(without));
        )*};
    }
    macro_rules! naming_flag {
        ($($kind:ident)*) => { $(groups.push(group!(<(&Flag, &$kind)>::query()));)* };
    }
    with_kinds_without!(entered);
    with_kinds_beside_flag!(naming_flag);
    groups
}

fn group_events(items: usize) -> Box<dyn Workload> {
    flagging::group_events(Flagging::new(items), items)
}

fn many_groups(items: usize) -> Box<dyn Workload> {
    flagging::many_groups(Flagging::new(items), items)
}
