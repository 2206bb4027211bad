//! The rows about notifications of changes, by events in a channel.

use specs::prelude::*;
use specs::shrev::ReaderId;
use specs::storage::ComponentEvent;

use super::{Watched, WatchedFlag, world};
use crate::checks::{check_movers, check_positions};
use crate::flagging;
use crate::types::*;
use crate::workload::{Heard, Picks, Tally, Workload, steady};

/// Creates a world with entities whose only component is a watched position.
fn watched(
    entities: usize,
    position: fn(usize) -> Position,
) -> (World, Vec<Entity>, ReaderId<ComponentEvent>) {
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

struct Reactive {
    world: World,
    ids: Vec<Entity>,
    events: ReaderId<ComponentEvent>,
    dirty: BitSet,
    tally: Tally,
}

impl Reactive {
    fn new((world, ids, events): (World, Vec<Entity>, ReaderId<ComponentEvent>)) -> Self {
        Self {
            world,
            ids,
            events,
            dirty: BitSet::new(),
            tally: Tally::default(),
        }
    }

    fn handle(&mut self) {
        let positions = self.world.read_storage::<Watched>();
        for event in positions.channel().read(&mut self.events) {
            if let ComponentEvent::Modified(index) = *event {
                self.dirty.add(index);
            }
        }
        let changed = (&positions, &self.dirty).join();
        self.tally.add_all(changed.map(|(position, _)| &position.0));
        self.dirty.clear();
    }
}

pub(super) fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let state = Reactive::new(watched(items * 10, stale));
    let picks = Picks::new(items, items * 10);
    let run = |(state, picks): &mut (Reactive, Picks)| {
        let mut positions = state.world.write_storage::<Watched>();
        for &at in picks.round() {
            positions.get_mut(state.ids[at]).unwrap().0 = position(at);
        }
        drop(positions);
        state.handle();
    };
    steady((state, picks), run, |(state, picks), runs| {
        assert_eq!(state.tally, picks.handled(runs));
        let positions = state.world.read_storage::<Watched>();
        picks.check(runs, |at| positions.get(state.ids[at]).unwrap().0);
    })
}

pub(super) fn move_system(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Reactive| {
        let mut positions = state.world.write_storage::<Watched>();
        let velocities = state.world.read_storage::<Velocity>();
        for (position, velocity) in (&mut positions, &velocities).join() {
            advance(&mut position.0, velocity);
        }
        drop((positions, velocities));
        state.handle();
    };
    moving(items, run)
}

/// Reads and writes each entity by its id.
pub(super) fn move_by_id(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Reactive| {
        let mut positions = state.world.write_storage::<Watched>();
        let velocities = state.world.read_storage::<Velocity>();
        for &id in &state.ids {
            let velocity = velocities.get(id).unwrap();
            advance(&mut positions.get_mut(id).unwrap().0, velocity);
        }
        drop((positions, velocities));
        state.handle();
    };
    moving(items, run)
}

fn moving(items: usize, run: impl FnMut(&mut Reactive) + 'static) -> Box<dyn Workload> {
    let state = Reactive::new(watched(items, position));
    for &id in &state.ids {
        let mut velocities = state.world.write_storage();
        velocities.insert(id, velocity()).unwrap();
    }
    steady(state, run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_moving(items, runs));
        let positions = state.world.read_storage::<Watched>();
        let velocities = state.world.read_storage::<Velocity>();
        check_movers(&state.ids, runs, |id| {
            let position = positions.get(id).map(|watched| watched.0);
            (position, velocities.get(id).copied())
        });
    })
}

struct Observed {
    world: World,
    ids: Vec<Entity>,
    events: ReaderId<ComponentEvent>,
    observer: Box<dyn FnMut(&Position)>,
}

pub(super) fn event_callback(items: usize) -> Box<dyn Workload> {
    let (world, ids, events) = watched(items, stale);
    let heard = Heard::default();
    let notified = heard.clone();
    let observer = Box::new(move |position: &Position| notified.of(position));
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
    steady(state, run, move |state, runs| {
        heard.check(items, runs);
        let positions = state.world.read_storage::<Watched>();
        check_positions(&state.ids, |id| positions.get(id).unwrap().0);
    })
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

    /// Handles entities with a position that have got or lost the flag.
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
}

impl flagging::Flags for Flagging {
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

    /// Joins the masks each time: specs keeps no groups.
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

    fn seen(&self) -> (Tally, usize) {
        (self.tally, self.members)
    }

    fn found(&self, index: usize) -> (Position, bool) {
        let id = self.ids[index];
        let positions = self.world.read_storage::<Position>();
        let flags = self.world.read_storage::<WatchedFlag>();
        (*positions.get(id).unwrap(), flags.contains(id))
    }
}

pub(super) fn group_events(items: usize) -> Box<dyn Workload> {
    flagging::group_events(Flagging::new(items), items)
}

pub(super) fn many_groups(items: usize) -> Box<dyn Workload> {
    flagging::many_groups(Flagging::new(items), items)
}
