//! The rows about notifications of changes.

use shipyard::{EntitiesView, EntityId, Get, IntoIter, Remove, View, ViewMut};
use shipyard::{World, track};

use super::movers;
use crate::checks::{check_movers, check_positions};
use crate::flagging;
use crate::types::*;
use crate::workload::{Heard, Picks, Tally, Workload, steady};

/// Creates a world with entities that have only a position.
fn positioned(entities: usize, position: fn(usize) -> Position) -> (World, Vec<EntityId>) {
    let mut world = World::new();
    let ids = world.bulk_add_entity((0..entities).map(position)).collect();
    (world, ids)
}

struct Reactive {
    world: World,
    ids: Vec<EntityId>,
    tally: Tally,
}

type Modified<'a> = ViewMut<'a, Position, track::Modification>;

impl Reactive {
    fn new((mut world, ids): (World, Vec<EntityId>)) -> Self {
        world.track_modification::<Position>();
        let tally = Tally::default();
        Self { world, ids, tally }
    }

    fn handle(&mut self) {
        self.world.run(|positions: Modified<'_>| {
            self.tally.add_all(positions.modified().iter());
            positions.clear_all_modified();
        });
    }
}

pub(super) fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let state = Reactive::new(positioned(items * 10, stale));
    let picks = Picks::new(items, items * 10);
    let run = |(state, picks): &mut (Reactive, Picks)| {
        state.world.run(|mut positions: Modified<'_>| {
            for &at in picks.round() {
                *(&mut positions).get(state.ids[at]).unwrap() = position(at);
            }
        });
        state.handle();
    };
    steady((state, picks), run, |(state, picks), runs| {
        assert_eq!(state.tally, picks.handled(runs));
        let positions = state.world.borrow::<Modified<'_>>().unwrap();
        picks.check(runs, |at| positions[state.ids[at]]);
    })
}

pub(super) fn move_system(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Reactive| {
        state.world.run(
            |mut positions: Modified<'_>, velocities: View<'_, Velocity>| {
                (&mut positions, &velocities)
                    .iter()
                    .for_each(|(mut position, velocity)| advance(&mut position, velocity));
            },
        );
        state.handle();
    };
    moving(items, run)
}

/// Reads and writes each entity by its id.
pub(super) fn move_by_id(items: usize) -> Box<dyn Workload> {
    let run = |state: &mut Reactive| {
        state.world.run(
            |mut positions: Modified<'_>, velocities: View<'_, Velocity>| {
                for &id in &state.ids {
                    let both = (&mut positions, &velocities).get(id);
                    let (mut position, velocity) = both.unwrap();
                    advance(&mut position, velocity);
                }
            },
        );
        state.handle();
    };
    moving(items, run)
}

fn moving(items: usize, run: impl FnMut(&mut Reactive) + 'static) -> Box<dyn Workload> {
    steady(Reactive::new(movers(items)), run, move |state, runs| {
        assert_eq!(state.tally, Tally::of_moving(items, runs));
        let positions = state.world.borrow::<Modified<'_>>().unwrap();
        let velocities = state.world.borrow::<View<'_, Velocity>>().unwrap();
        check_movers(&state.ids, runs, |id| {
            (Some(positions[id]), Some(velocities[id]))
        });
    })
}

pub(super) fn event_callback(items: usize) -> Box<dyn Workload> {
    let (world, ids) = positioned(items, stale);
    let heard = Heard::default();
    let observer = heard.clone();
    world.run(|mut positions: ViewMut<'_, Position>| {
        positions.on_insertion(move |_, position| observer.of(position));
    });
    let run = |(world, ids): &mut (World, Vec<EntityId>)| {
        world.run(
            |entities: EntitiesView<'_>, mut positions: ViewMut<'_, Position>| {
                for (index, &id) in ids.iter().enumerate() {
                    entities.add_component(id, &mut positions, position(index));
                }
            },
        );
    };
    steady((world, ids), run, move |(world, ids), runs| {
        heard.check(items, runs);
        let positions = world.borrow::<View<'_, Position>>().unwrap();
        check_positions(ids, |id| positions[id]);
    })
}

/// Tracked flags: added ones have a time stamp, removed ones are listed.
type Flags<'a> = ViewMut<'a, Flag, track::InsertionAndRemoval>;

/// Like `Flags`, but read-only.
type ReadFlags<'a> = View<'a, Flag, track::InsertionAndRemoval>;

struct Flagging {
    world: World,
    ids: Vec<EntityId>,
    tally: Tally,
    members: usize,
}

impl Flagging {
    fn new(entities: usize) -> Self {
        let (mut world, ids) = positioned(entities, position);
        world.track_insertion::<Flag>().track_removal::<Flag>();
        Self {
            world,
            ids,
            tally: Tally::default(),
            members: 0,
        }
    }
}

impl flagging::Flags for Flagging {
    fn add(&mut self) {
        let Self {
            world, ids, tally, ..
        } = self;
        world.run(|entities: EntitiesView<'_>, mut flags: Flags<'_>| {
            for &id in ids.iter() {
                entities.add_component(id, &mut flags, Flag);
            }
        });
        world.run(|flags: Flags<'_>, positions: View<'_, Position>| {
            let inserted = (&positions, flags.inserted()).iter();
            tally.add_all(inserted.map(|(position, _)| position));
            flags.clear_all_inserted();
        });
    }

    fn remove(&mut self) {
        let Self {
            world, ids, tally, ..
        } = self;
        world.run(|mut flags: Flags<'_>| {
            for &id in ids.iter() {
                assert!(flags.remove(id).is_some());
            }
        });
        world.run(|mut flags: Flags<'_>, positions: View<'_, Position>| {
            tally.add_all(flags.removed().map(|id| (&positions).get(id).unwrap()));
            flags.clear_all_removed();
        });
    }

    /// Joins each time: shipyard keeps no groups.
    fn count(&mut self) {
        let (flags, positions) = self
            .world
            .borrow::<(ReadFlags<'_>, View<'_, Position>)>()
            .unwrap();
        let mut members = (&flags, &positions).iter().count();
        macro_rules! entered {
            ($($kind:ident)*) => {$({
                let kinds = self.world.borrow::<View<'_, $kind>>().unwrap();
                members += (&flags, &positions, !&kinds).iter().count();
            })*};
        }
        macro_rules! naming_flag {
            ($($kind:ident)*) => {$({
                let kinds = self.world.borrow::<View<'_, $kind>>().unwrap();
                members += (&flags, &kinds).iter().count();
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
        let positions = self.world.borrow::<View<'_, Position>>().unwrap();
        let flags = self.world.borrow::<ReadFlags<'_>>().unwrap();
        (positions[id], flags.contains(id))
    }
}

pub(super) fn group_events(items: usize) -> Box<dyn Workload> {
    flagging::group_events(Flagging::new(items), items)
}

pub(super) fn many_groups(items: usize) -> Box<dyn Workload> {
    flagging::many_groups(Flagging::new(items), items)
}
