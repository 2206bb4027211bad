//! The rows about notifications of changes, with lists that the program keeps.

use hecs::{Entity, World};

use super::{mover, movers};
use crate::checks::check_movers;
use crate::flagging;
use crate::observed;
use crate::types::*;
use crate::workload::{Picks, Tally, Workload, steady};

/// Creates a world with entities that have only a position.
fn positioned(entities: usize, position: fn(usize) -> Position) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let bundles = (0..entities).map(|index| (position(index),));
    let ids = world.spawn_batch(bundles).collect();
    (world, ids)
}

fn read(world: &World, id: Entity) -> Position {
    *world.get::<&Position>(id).unwrap()
}

/// A world and the list of changed entities.
struct Reactive {
    world: World,
    ids: Vec<Entity>,
    changed: Changed,
    tally: Tally,
}

/// The changed entities, each once.
struct Changed {
    /// The entities already in `list`, one bit per index.
    dirty: Vec<u64>,
    list: Vec<Entity>,
}

impl Changed {
    #[inline]
    fn note(&mut self, id: Entity) {
        let word = &mut self.dirty[id.id() as usize / 64];
        let bit = 1 << (id.id() % 64);
        if *word & bit == 0 {
            *word |= bit;
            self.list.push(id);
        }
    }
}

impl Reactive {
    fn new((world, ids): (World, Vec<Entity>)) -> Self {
        let changed = Changed {
            dirty: vec![0; ids.len().div_ceil(64)],
            list: Vec::new(),
        };
        Self {
            world,
            ids,
            changed,
            tally: Tally::default(),
        }
    }

    fn handle(&mut self) {
        let positions = self.world.view_mut::<&Position>();
        let Changed { dirty, list } = &mut self.changed;
        self.tally.add_all(list.drain(..).map(|id| {
            dirty[id.id() as usize / 64] = 0;
            positions.get(id).unwrap()
        }));
    }
}

pub(super) fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let state = Reactive::new(positioned(items * 10, stale));
    let picks = Picks::new(items, items * 10);
    let run = |(state, picks): &mut (Reactive, Picks)| {
        let mut positions = state.world.view_mut::<&mut Position>();
        for &at in picks.round() {
            let id = state.ids[at];
            *positions.get_mut(id).unwrap() = position(at);
            state.changed.note(id);
        }
        drop(positions);
        state.handle();
    };
    steady((state, picks), run, |(state, picks), runs| {
        assert_eq!(state.tally, picks.handled(runs));
        picks.check(runs, |at| read(&state.world, state.ids[at]));
    })
}

pub(super) fn move_system(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Reactive| {
        type Movers<'a> = (Entity, &'a mut Position, &'a Velocity);
        for (id, position, velocity) in state.world.query_mut::<Movers<'_>>() {
            advance(position, velocity);
            state.changed.note(id);
        }
        state.handle();
    };
    moving(items, run)
}

/// Reads and writes each entity by its id, through a view.
pub(super) fn move_by_id(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Reactive| {
        let mut movers = state.world.view_mut::<(&mut Position, &Velocity)>();
        for &id in &state.ids {
            let (position, velocity) = movers.get_mut(id).unwrap();
            advance(position, velocity);
            state.changed.note(id);
        }
        drop(movers);
        state.handle();
    };
    moving(items, run)
}

fn moving(items: usize, run: impl FnMut(&mut Reactive) + 'static) -> Box<dyn Workload> {
    steady(Reactive::new(movers(items)), run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_moving(items, runs));
        check_movers(&state.ids, runs, |id| mover(&state.world, id));
    })
}

/// The observer is a boxed function that the writer calls.
pub(super) fn event_callback(items: usize) -> Box<dyn Workload> {
    let replace_all = |state: &mut observed::Observed<World, Entity>| {
        let mut positions = state.world.view_mut::<&mut Position>();
        for (index, &id) in state.ids.iter().enumerate() {
            let value = positions.get_mut(id).unwrap();
            *value = position(index);
            (state.observer)(id, value);
        }
    };
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
        let (world, ids) = positioned(entities, position);
        Self {
            world,
            ids,
            changed: Vec::new(),
            tally: Tally::default(),
            members: 0,
        }
    }

    fn handle(&mut self) {
        let positions = self.world.view_mut::<&Position>();
        let changed = self.changed.drain(..);
        self.tally
            .add_all(changed.map(|id| positions.get(id).unwrap()));
    }

    fn count_of<Q: hecs::Query>(&mut self) {
        self.members += self.world.query_mut::<Q>().into_iter().len();
    }
}

impl flagging::Flags for Flagging {
    fn add(&mut self) {
        for &id in &self.ids {
            self.world.insert_one(id, Flag).unwrap();
            self.changed.push(id);
        }
        self.handle();
    }

    fn remove(&mut self) {
        for &id in &self.ids {
            self.world.remove_one::<Flag>(id).unwrap();
            self.changed.push(id);
        }
        self.handle();
    }

    /// Counts by archetype, which is as fast as a maintained group.
    fn count(&mut self) {
        self.count_of::<(&Position, &Flag)>();
        macro_rules! entered {
            ($($kind:ident)*) => {
                $(self.count_of::<hecs::Without<(&Position, &Flag), &$kind>>();)*
            };
        }
        macro_rules! naming_flag {
            ($($kind:ident)*) => { $(self.count_of::<(&Flag, &$kind)>();)* };
        }
        with_kinds_without!(entered);
        with_kinds_beside_flag!(naming_flag);
    }

    fn seen(&self) -> (Tally, usize) {
        (self.tally, self.members)
    }

    fn found(&self, index: usize) -> (Position, bool) {
        let id = self.ids[index];
        (read(&self.world, id), self.world.get::<&Flag>(id).is_ok())
    }
}

pub(super) fn group_events(items: usize) -> Box<dyn Workload> {
    flagging::group_events(Flagging::new(items), items)
}

pub(super) fn many_groups(items: usize) -> Box<dyn Workload> {
    flagging::many_groups(Flagging::new(items), items)
}
