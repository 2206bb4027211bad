//! The rows about notifications of changes.

use freecs::{Entity, StructuralChangeKind, tick_is_newer};

use super::{check_advanced, kinds, movers, moving};
use crate::flagging;
use crate::observed;
use crate::types::*;
use crate::workload::{Picks, Tally, Workload, steady};

/// Creates a world with entities that have only a position.
fn positioned(entities: usize, position: fn(usize) -> Position) -> (moving::World, Vec<Entity>) {
    let mut world = moving::World::default();
    let ids = world.spawn_batch(moving::POSITION, entities, |table, row| {
        table.position[row] = position(row);
    });
    world.step();
    (world, ids)
}

struct Reactive {
    world: moving::World,
    ids: Vec<Entity>,
    picks: Picks,
    tally: Tally,
}

/// The consumer compares the ticks of all entities, so one that was written twice is found once.
pub(super) fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let (world, ids) = positioned(items * 10, stale);
    let state = Reactive {
        picks: Picks::new(items, ids.len()),
        tally: Tally::default(),
        world,
        ids,
    };
    let run = |state: &mut Reactive| {
        for &at in state.picks.round() {
            *state.world.get_position_mut(state.ids[at]).unwrap() = position(at);
        }
        handle_changed(&mut state.world, &mut state.tally);
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
        let position = |at: usize| *state.world.get_position(state.ids[at]).unwrap();
        state.picks.check(runs, position);
    })
}

/// Handles the entities written in this step, and begins the next step.
fn handle_changed(world: &mut moving::World, tally: &mut Tally) {
    let since = world.last_tick();
    for table in &world.tables {
        let values = table.position.iter().zip(&table.position_changed);
        let changed = values.filter(|&(_, &tick)| tick_is_newer(tick, since));
        tally.add_all(changed.map(|(position, _)| position));
    }
    world.step();
}

/// Uses whole columns as flat floats, marked as changed by one call; the consumer compares ticks, as in
/// W8.
pub(super) fn move_system(items: usize) -> Box<dyn Workload> {
    moving_all(items, |((world, _), tally)| {
        let tick = world.current_tick();
        for table in &mut world.tables {
            advance_all(&mut table.position, &table.velocity);
            table.mark_columns_changed(moving::POSITION, tick);
        }
        handle_changed(world, tally);
    })
}

/// Reads and writes each entity by its id.
pub(super) fn move_by_id(items: usize) -> Box<dyn Workload> {
    moving_all(items, |((world, ids), tally)| {
        for &id in ids.iter() {
            let velocity = *world.get_velocity(id).unwrap();
            advance(world.get_position_mut(id).unwrap(), &velocity);
        }
        handle_changed(world, tally);
    })
}

/// A world with its entities, and what has been handled.
type Moving = ((moving::World, Vec<Entity>), Tally);

fn moving_all(items: usize, run: impl FnMut(&mut Moving) + 'static) -> Box<dyn Workload> {
    let (mut world, ids) = movers(items);
    world.step();
    let state = ((world, ids), Tally::default());
    steady(state, run, move |(movers, tally), runs| {
        assert_eq!(*tally, Tally::of_moving(items, runs));
        check_advanced(movers, runs);
    })
}

/// The observer is a boxed function that the writer calls.
pub(super) fn event_callback(items: usize) -> Box<dyn Workload> {
    let replace_all = |state: &mut observed::Observed<moving::World, Entity>| {
        for (index, &id) in state.ids.iter().enumerate() {
            let value = state.world.get_position_mut(id).unwrap();
            *value = position(index);
            (state.observer)(id, value);
        }
    };
    let read = |world: &moving::World, id| *world.get_position(id).unwrap();
    observed::event_callback(positioned(items, stale), replace_all, read)
}

struct Flagging {
    world: kinds::World,
    ids: Vec<Entity>,
    cursor: u64,
    tally: Tally,
    members: usize,
}

impl Flagging {
    fn new(entities: usize) -> Self {
        let mut world = kinds::World::default();
        let ids = world.spawn_batch(kinds::POSITION, entities, |table, row| {
            table.position[row] = position(row);
        });
        Self {
            cursor: world.structural_sequence(),
            tally: Tally::default(),
            members: 0,
            world,
            ids,
        }
    }

    /// Handles entities with a position that have got or lost the flag.
    fn handle(&mut self, kind: StructuralChangeKind) {
        let changes = self.world.structural_changes_since(self.cursor).iter();
        let flagged = changes.filter(|change| change.kind == kind && change.mask == kinds::FLAG);
        let positions = flagged.filter_map(|change| self.world.get_position(change.entity));
        self.tally.add_all(positions);
        self.cursor = self.world.structural_sequence();
        self.world.clear_structural_log();
    }

    fn count_of(&mut self, include: u64, exclude: u64) {
        let mut members = 0;
        self.world
            .for_each(include, exclude, |_, _, _| members += 1);
        self.members += members;
    }
}

impl flagging::Flags for Flagging {
    fn add(&mut self) {
        for &id in &self.ids {
            self.world.add_flag(id);
        }
        self.handle(StructuralChangeKind::TagsAdded);
    }

    fn remove(&mut self) {
        for &id in &self.ids {
            assert!(self.world.remove_flag(id));
        }
        self.handle(StructuralChangeKind::TagsRemoved);
    }

    /// Iterates the tables and checks the tag of each entity: freecs keeps no groups.
    fn count(&mut self) {
        let flagged = kinds::POSITION | kinds::FLAG;
        self.count_of(flagged, 0);
        macro_rules! entered {
            ($($kind:ident)*) => {$(freecs::paste::paste! {
                self.count_of(flagged, kinds::[<$kind:upper>]);
            })*};
        }
        macro_rules! naming_flag {
            ($($kind:ident)*) => {$(freecs::paste::paste! {
                self.count_of(kinds::FLAG | kinds::[<$kind:upper>], 0);
            })*};
        }
        with_kinds_without!(entered);
        with_kinds_beside_flag!(naming_flag);
    }

    fn seen(&self) -> (Tally, usize) {
        (self.tally, self.members)
    }

    fn found(&self, index: usize) -> (Position, bool) {
        let id = self.ids[index];
        (
            *self.world.get_position(id).unwrap(),
            self.world.has_flag(id),
        )
    }
}

pub(super) fn group_events(items: usize) -> Box<dyn Workload> {
    flagging::group_events(Flagging::new(items), items)
}

pub(super) fn many_groups(items: usize) -> Box<dyn Workload> {
    flagging::many_groups(Flagging::new(items), items)
}
