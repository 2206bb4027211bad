//! The rows about notifications of changes.

use std::mem::take;
use std::sync::{Arc, Mutex};

use legion::storage::{ComponentStorage, PackedStorage};
use legion::world::{Event, EventSender};
use legion::{Entity, EntityStore, IntoQuery, World, component};

use super::{read, tally_all};
use crate::checks::check_movers;
use crate::flagging;
use crate::observed;
use crate::types::*;
use crate::workload::{Picks, Tally, Workload, steady};

/// A position, and the round in which it was last written: the ids have no index for a bit set.
#[derive(Clone, Copy)]
struct Recorded {
    position: Position,
    round: u64,
}

impl Recorded {
    /// Adds the entity to those changed in this round, unless it is one of them.
    #[inline]
    fn note(&mut self, id: Entity, round: u64, changed: &mut Vec<Entity>) {
        if self.round != round {
            self.round = round;
            changed.push(id);
        }
    }
}

/// Handles the positions of changed entities.
fn handle(world: &World, changed: &mut Vec<Entity>, tally: &mut Tally) {
    let values: &PackedStorage<Recorded> = world.components().get_downcast::<Recorded>().unwrap();
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

pub(super) fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let mut world = World::default();
    let bundles = (0..items * 10).map(|index| {
        let (position, round) = (stale(index), 0);
        (Recorded { position, round },)
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
            let value = entry.get_component_mut::<Recorded>().unwrap();
            value.position = position(at);
            value.note(id, state.round, &mut state.changed);
        }
        handle(&state.world, &mut state.changed, &mut state.tally);
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
        let recorded = |at: usize| read::<Recorded>(&state.world, state.ids[at]).unwrap();
        state.picks.check(runs, |at| recorded(at).position);
    })
}

struct Movers {
    world: World,
    ids: Vec<Entity>,
    changed: Vec<Entity>,
    round: u64,
    tally: Tally,
}

/// The code that writes also records the entity, as in W8.
pub(super) fn move_system(items: usize) -> Box<dyn Workload> {
    let mut movers = <(Entity, &mut Recorded, &Velocity)>::query();
    let run = move |state: &mut Movers| {
        state.round += 1;
        movers.for_each_mut(&mut state.world, |(&id, value, velocity)| {
            advance(&mut value.position, velocity);
            value.note(id, state.round, &mut state.changed);
        });
        handle(&state.world, &mut state.changed, &mut state.tally);
    };
    moving(items, run)
}

/// Reads and writes each entity by its id.
pub(super) fn move_by_id(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Movers| {
        state.round += 1;
        for &id in &state.ids {
            let mut entry = state.world.entry_mut(id).unwrap();
            let velocity = *entry.get_component::<Velocity>().unwrap();
            let value = entry.get_component_mut::<Recorded>().unwrap();
            advance(&mut value.position, &velocity);
            value.note(id, state.round, &mut state.changed);
        }
        handle(&state.world, &mut state.changed, &mut state.tally);
    };
    moving(items, run)
}

fn moving(items: usize, run: impl FnMut(&mut Movers) + 'static) -> Box<dyn Workload> {
    let mut world = World::default();
    let bundles = (0..items).map(|index| {
        let (position, round) = (position(index), 0);
        (Recorded { position, round }, velocity())
    });
    let ids = world.extend(bundles).to_vec();
    let state = Movers {
        changed: Vec::new(),
        round: 0,
        tally: Tally::default(),
        world,
        ids,
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_moving(items, runs));
        check_movers(&state.ids, runs, |id| {
            let recorded = read::<Recorded>(&state.world, id);
            (
                recorded.map(|recorded| recorded.position),
                read(&state.world, id),
            )
        });
    })
}

/// Creates a world with entities that have only a position.
fn positioned(entities: usize, position: fn(usize) -> Position) -> (World, Vec<Entity>) {
    let mut world = World::default();
    let bundles = (0..entities).map(|index| (position(index),));
    let ids = world.extend(bundles).to_vec();
    (world, ids)
}

/// The observer is a boxed function that the writer calls.
pub(super) fn event_callback(items: usize) -> Box<dyn Workload> {
    let replace_all = |state: &mut observed::Observed<World, Entity>| {
        for (index, &id) in state.ids.iter().enumerate() {
            let mut entry = state.world.entry_mut(id).unwrap();
            let value = entry.get_component_mut::<Position>().unwrap();
            *value = position(index);
            (state.observer)(id, value);
        }
    };
    let read = |world: &World, id| read(world, id).unwrap();
    observed::event_callback(positioned(items, stale), replace_all, read)
}

/// The events of one subscription. An uncontended lock costs less here than a channel.
#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<Event>>>);

impl EventSender for Events {
    fn send(&self, event: Event) -> bool {
        self.0.lock().expect("not poisoned").push(event);
        true
    }
}

/// Returns the number of entities that a group would have.
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
        let (mut world, ids) = positioned(entities, position);
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
        take(&mut self.events.0.lock().expect("not poisoned"))
    }

    /// Returns the memory of handled events to the subscription.
    fn give_back(&self, mut events: Vec<Event>) {
        events.clear();
        *self.events.0.lock().expect("not poisoned") = events;
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

    /// Counts by chunk, which is as fast as a maintained group.
    fn count(&mut self) {
        let groups = self.groups.iter_mut();
        self.members += groups.map(|count| count(&self.world)).sum::<usize>();
    }

    fn seen(&self) -> (Tally, usize) {
        (self.tally, self.members)
    }

    fn found(&self, index: usize) -> (Position, bool) {
        let id = self.ids[index];
        let is_flagged = read::<Flag>(&self.world, id).is_some();
        (read(&self.world, id).unwrap(), is_flagged)
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

pub(super) fn group_events(items: usize) -> Box<dyn Workload> {
    flagging::group_events(Flagging::new(items), items)
}

pub(super) fn many_groups(items: usize) -> Box<dyn Workload> {
    flagging::many_groups(Flagging::new(items), items)
}
