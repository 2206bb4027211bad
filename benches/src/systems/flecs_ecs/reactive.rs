//! The rows about notifications of changes.

use std::cell::RefCell;
use std::rc::Rc;

use flecs_ecs::prelude::*;

use super::stored::*;
use super::{empty, mover, movers, read};
use crate::checks::{check_movers, check_positions};
use crate::flagging;
use crate::types::{self, advance, position, stale, with_kinds_beside_flag, with_kinds_without};
use crate::workload::{Heard, Picks, Tally, Workload, steady};

/// Creates a world with entities that have only a position.
fn positioned(entities: usize, position: fn(usize) -> types::Position) -> (World, Vec<Entity>) {
    let world = empty();
    let positions: Vec<Position> = (0..entities).map(position).map(Position).collect();
    let ids = world.entity_bulk(entities as u32).set(&positions).build();
    (world, ids)
}

/// Changed entities, in a list that a hook or an observer shares with the consumer.
type Recorded = Rc<RefCell<Vec<Entity>>>;

struct Reactive {
    world: World,
    ids: Vec<Entity>,
    recorded: Recorded,
    /// The entities already handled, one bit per index.
    handled: Vec<u64>,
    picks: Picks,
    tally: Tally,
}

impl Reactive {
    /// Adds a hook that records changed entities from now on.
    fn new((world, ids): (World, Vec<Entity>), picks: Picks) -> Self {
        let recorded = Recorded::default();
        let note = recorded.clone();
        let hook = move |id: EntityView<'_>, _: &mut Position| note.borrow_mut().push(id.id());
        world.component::<Position>().on_set(hook);
        let last = ids.iter().map(|&id| index(id)).max().unwrap_or(0);
        Self {
            handled: vec![0; last / 64 + 1],
            tally: Tally::default(),
            world,
            ids,
            recorded,
            picks,
        }
    }

    /// Handles each recorded entity once.
    fn handle(&mut self) {
        let mut recorded = self.recorded.borrow_mut();
        for &id in recorded.iter() {
            let (word, bit) = (&mut self.handled[index(id) / 64], 1 << (index(id) % 64));
            if *word & bit == 0 {
                *word |= bit;
                self.tally.add(&read(&self.world, id).0);
            }
        }
        for id in recorded.drain(..) {
            self.handled[index(id) / 64] = 0;
        }
    }
}

pub(super) fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let picks = Picks::new(items, items * 10);
    let state = Reactive::new(positioned(items * 10, stale), picks);
    let run = |state: &mut Reactive| {
        for &at in state.picks.round() {
            let entity = state.ids[at].entity_view(&state.world);
            entity.assign(Position(position(at)));
        }
        state.handle();
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
        let position = |at: usize| read(&state.world, state.ids[at]).0;
        state.picks.check(runs, position);
    })
}

/// Reads, then assigns, which calls the hook of W8.
pub(super) fn move_system(items: usize) -> Box<dyn Workload> {
    let state = Reactive::new(movers(items), Picks::new(0, items));
    let run = |state: &mut Reactive| {
        for &id in &state.ids {
            let entity = id.entity_view(&state.world);
            let (mut position, velocity) = entity.cloned::<(&Position, &Velocity)>();
            advance(&mut position.0, &velocity.0);
            entity.assign(position);
        }
        state.handle();
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_moving(items, runs));
        check_movers(&state.ids, runs, |id| mover(&state.world, id));
    })
}

/// The id without its generation.
fn index(id: Entity) -> usize {
    id.0 as u32 as usize
}

/// Uses a hook, which costs less than an observer.
pub(super) fn event_callback(items: usize) -> Box<dyn Workload> {
    let (world, ids) = positioned(items, stale);
    let heard = Heard::default();
    let notified = heard.clone();
    let hook = move |_: EntityView<'_>, position: &mut Position| notified.of(&position.0);
    world.component::<Position>().on_set(hook);
    let run = |(world, ids): &mut (World, Vec<Entity>)| {
        for (index, id) in ids.iter().enumerate() {
            id.entity_view(&*world).assign(Position(position(index)));
        }
    };
    steady((world, ids), run, move |(world, ids), runs| {
        heard.check(items, runs);
        check_positions(ids, |id| read(world, id).0);
    })
}

struct Flagging {
    /// Cached queries in place of the groups that name Flag.
    groups: Vec<Query<()>>,
    world: World,
    ids: Vec<Entity>,
    entered: Recorded,
    left: Recorded,
    tally: Tally,
    members: usize,
}

impl Flagging {
    fn new(entities: usize) -> Self {
        let (world, ids) = positioned(entities, position);
        let (entered, left) = (Recorded::default(), Recorded::default());
        let note = entered.clone();
        world
            .observer::<flecs::OnAdd, ()>()
            .with(Flag::id())
            .each_entity(move |id, ()| note.borrow_mut().push(id.id()));
        let note = left.clone();
        world
            .observer::<flecs::OnRemove, ()>()
            .with(Flag::id())
            .each_entity(move |id, ()| note.borrow_mut().push(id.id()));
        Self {
            groups: groups(&world),
            world,
            ids,
            entered,
            left,
            tally: Tally::default(),
            members: 0,
        }
    }

    /// Handles entities with a position that have got or lost the flag.
    fn handle(world: &World, recorded: &Recorded, tally: &mut Tally) {
        for id in recorded.borrow_mut().drain(..) {
            tally.add(&read(world, id).0);
        }
    }
}

impl flagging::Flags for Flagging {
    fn add(&mut self) {
        for id in &self.ids {
            id.entity_view(&self.world).add(Flag::id());
        }
        Self::handle(&self.world, &self.entered, &mut self.tally);
    }

    fn remove(&mut self) {
        for id in &self.ids {
            id.entity_view(&self.world).remove(Flag::id());
        }
        Self::handle(&self.world, &self.left, &mut self.tally);
    }

    /// Counts by table, which is as fast as a maintained group.
    fn count(&mut self) {
        for group in &self.groups {
            group.run(|mut tables| {
                while tables.next() {
                    self.members += tables.count();
                }
            });
        }
    }

    fn seen(&self) -> (Tally, usize) {
        (self.tally, self.members)
    }

    fn found(&self, index: usize) -> (types::Position, bool) {
        let id = self.ids[index];
        let is_flagged = id.entity_view(&self.world).has(Flag::id());
        (read(&self.world, id).0, is_flagged)
    }
}

/// The twenty groups of W10 that name Flag.
fn groups(world: &World) -> Vec<Query<()>> {
    let flagged = || {
        let mut query = world.query::<()>();
        query.with(Position::id()).with(Flag::id());
        query
    };
    let mut groups = vec![flagged().set_cached().build()];
    macro_rules! entered {
        ($($kind:ident)*) => {
            $(groups.push(flagged().without($kind::id()).set_cached().build());)*
        };
    }
    macro_rules! naming_flag {
        ($($kind:ident)*) => {$({
            let mut query = world.query::<()>();
            query.with(Flag::id()).with($kind::id());
            groups.push(query.set_cached().build());
        })*};
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
