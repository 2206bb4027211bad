//! The rows about notifications of changes.

use sparsey::component::View;
use sparsey::{Entity, World};

use super::{empty, grouped, movers_in};
use crate::checks::check_movers;
use crate::flagging;
use crate::observed;
use crate::types::*;
use crate::workload::{Picks, Tally, Workload, steady};

/// Reads and writes through views, along the group, and records the written entities, as in W8.
pub(super) fn move_system(items: usize) -> Box<dyn Workload> {
    let run = |(world, _, changes, tally): &mut Moving| {
        let mut movers = world.query_all::<(Entity, &mut Position, &Velocity)>();
        movers.for_each(|(id, position, velocity)| {
            advance(position, velocity);
            changes.note(id);
        });
        drop(movers);
        changes.handle(&world.borrow(), tally);
    };
    moving(items, run)
}

/// Reads and writes each entity by its id.
pub(super) fn move_by_id(items: usize) -> Box<dyn Workload> {
    let run = |(world, ids, changes, tally): &mut Moving| {
        let mut positions = world.borrow_mut::<Position>();
        let velocities = world.borrow::<Velocity>();
        for &id in ids.iter() {
            advance(&mut positions[id], &velocities[id]);
            changes.note(id);
        }
        drop((positions, velocities));
        changes.handle(&world.borrow(), tally);
    };
    moving(items, run)
}

/// A world, its entities, the changed ones, and a tally of what was handled.
type Moving = (World, Vec<Entity>, Changes, Tally);

fn moving(items: usize, run: impl FnMut(&mut Moving) + 'static) -> Box<dyn Workload> {
    let mut world = grouped();
    let bundles = (0..items).map(|index| (position(index), velocity()));
    let ids = world.extend(bundles).to_vec();
    let changes = Changes::new(&ids);
    let state = (world, ids, changes, Tally::default());
    steady(state, run, move |(world, ids, _, tally), runs| {
        assert_eq!(*tally, Tally::of_moving(items, runs));
        check_movers(ids, runs, movers_in(world));
    })
}

/// Creates a world with entities that have only a position.
fn positioned(entities: usize, position: fn(usize) -> Position) -> (World, Vec<Entity>) {
    let mut world = empty();
    let ids = world.extend((0..entities).map(|index| (position(index),)));
    let ids = ids.to_vec();
    (world, ids)
}

/// A list of the written entities, each once.
struct Changes {
    /// The entities already in the list, one bit per index.
    dirty: Vec<u64>,
    changed: Vec<Entity>,
}

impl Changes {
    fn new(ids: &[Entity]) -> Self {
        Self {
            dirty: vec![0; ids.len().div_ceil(64)],
            changed: Vec::new(),
        }
    }

    #[inline]
    fn note(&mut self, id: Entity) {
        let word = &mut self.dirty[id.index as usize / 64];
        let bit = 1 << (id.index % 64);
        if *word & bit == 0 {
            *word |= bit;
            self.changed.push(id);
        }
    }

    fn handle(&mut self, positions: &View<'_, Position>, tally: &mut Tally) {
        let dirty = &mut self.dirty;
        tally.add_all(self.changed.drain(..).map(|id| {
            dirty[id.index as usize / 64] = 0;
            &positions[id]
        }));
    }
}

struct Reactive {
    world: World,
    ids: Vec<Entity>,
    changes: Changes,
    picks: Picks,
    tally: Tally,
}

pub(super) fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let (world, ids) = positioned(items * 10, stale);
    let state = Reactive {
        changes: Changes::new(&ids),
        picks: Picks::new(items, ids.len()),
        tally: Tally::default(),
        world,
        ids,
    };
    let run = |state: &mut Reactive| {
        let mut positions = state.world.borrow_mut::<Position>();
        for &at in state.picks.round() {
            let id = state.ids[at];
            positions[id] = position(at);
            state.changes.note(id);
        }
        drop(positions);
        let positions = state.world.borrow();
        state.changes.handle(&positions, &mut state.tally);
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
        let positions = state.world.borrow::<Position>();
        state.picks.check(runs, |at| positions[state.ids[at]]);
    })
}

/// The observer is a boxed function that the writer calls.
pub(super) fn event_callback(items: usize) -> Box<dyn Workload> {
    let replace_all = |state: &mut observed::Observed<World, Entity>| {
        let mut positions = state.world.borrow_mut::<Position>();
        for (index, &id) in state.ids.iter().enumerate() {
            let value = &mut positions[id];
            *value = position(index);
            (state.observer)(id, value);
        }
    };
    let read = |world: &World, id| world.borrow::<Position>()[id];
    observed::event_callback(positioned(items, stale), replace_all, read)
}

struct Flagging {
    world: World,
    ids: Vec<Entity>,
    changed: Vec<Entity>,
    tally: Tally,
    members: usize,
}

impl Flagging {
    fn new(entities: usize) -> Self {
        let (mut world, ids) = positioned(entities, position);
        macro_rules! register {
            ($($kind:ident)*) => {$(world.register::<$kind>();)*};
        }
        with_kinds!(register);
        Self {
            world,
            ids,
            changed: Vec::new(),
            tally: Tally::default(),
            members: 0,
        }
    }

    fn handle(&mut self) {
        let positions = self.world.borrow::<Position>();
        let changed = self.changed.drain(..);
        self.tally.add_all(changed.map(|id| &positions[id]));
    }
}

impl flagging::Flags for Flagging {
    fn add(&mut self) {
        for &id in &self.ids {
            assert!(self.world.insert(id, (Flag,)));
            self.changed.push(id);
        }
        self.handle();
    }

    fn remove(&mut self) {
        for &id in &self.ids {
            self.world.delete::<(Flag,)>(id);
            self.changed.push(id);
        }
        self.handle();
    }

    /// Joins each time. A component is in one family of nested groups, which cannot contain these
    /// twenty; a group of just Position and Flag costs more at each add and remove than it saves
    /// here.
    fn count(&mut self) {
        let world = &self.world;
        let flagged = || world.query_all::<Entity>().include::<(&Flag, &Position)>();
        let mut members = flagged().iter().count();
        macro_rules! entered {
            ($($kind:ident)*) => {
                $(members += flagged().exclude::<&$kind>().iter().count();)*
            };
        }
        macro_rules! naming_flag {
            ($($kind:ident)*) => {$({
                let mut both = world.query_all::<Entity>().include::<(&Flag, &$kind)>();
                members += both.iter().count();
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
        let flags = self.world.borrow::<Flag>();
        (self.world.borrow::<Position>()[id], flags.contains(id))
    }
}

pub(super) fn group_events(items: usize) -> Box<dyn Workload> {
    flagging::group_events(Flagging::new(items), items)
}

pub(super) fn many_groups(items: usize) -> Box<dyn Workload> {
    flagging::many_groups(Flagging::new(items), items)
}
