//! `shipyard`: views borrowed once, then work on the views.
//!
//! The reactive rows use its tracking: a time stamp beside each value, which the
//! consumer compares, and removed ids in a list. W8e uses the function that a storage
//! calls at each insertion, which a replace is too.

use shipyard::{
    AddComponent, Component, Delete, EntitiesView, EntitiesViewMut, EntityId, Get, IntoIter,
    Remove, View, ViewMut, World, track,
};

use crate::rows::Id;
use crate::types::*;
use crate::workload::{Heard, Picks, Tally, Workload, fresh, in_shuffled_order, shuffled, steady};

macro_rules! untracked {
    ($($component:ident)*) => {$(
        impl Component for $component {
            type Tracking = track::Untracked;
        }
    )*};
}
untracked!(Transform Position Rotation Velocity Data A B Flag);
with_kinds!(untracked);

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

type Wide<'a> = (
    EntitiesViewMut<'a>,
    ViewMut<'a, Transform>,
    ViewMut<'a, Position>,
    ViewMut<'a, Rotation>,
    ViewMut<'a, Velocity>,
);

/// Adds unchecked, which is safe to call: an entity that was just made is alive. In
/// the other rows the ids come from elsewhere and are checked.
fn incremental_create(items: usize) -> Box<dyn Workload> {
    let run = move |world: &mut World| {
        let (mut entities, mut transforms, mut positions, mut rotations, mut velocities) =
            world.borrow::<Wide<'_>>().unwrap();
        for index in 0..items {
            let (transform, position, rotation, velocity) = wide(index);
            let id = entities.add_entity((), ());
            transforms.add_component_unchecked(id, transform);
            positions.add_component_unchecked(id, position);
            rotations.add_component_unchecked(id, rotation);
            velocities.add_component_unchecked(id, velocity);
        }
    };
    fresh(World::new, run, move |world| {
        let (_, transforms, positions, rotations, velocities) = world.borrow::<Wide<'_>>().unwrap();
        let mut tally = Tally::default();
        let entities = (&transforms, &positions, &rotations, &velocities).iter();
        tally.add_all(entities.map(|(_, position, ..)| position));
        assert_eq!(tally, Tally::of_all(items, 1));
    })
}

/// A world with the entities of W1i.
fn wide_world(entities: usize) -> (World, Vec<EntityId>) {
    let mut world = World::new();
    let ids = world.bulk_add_entity((0..entities).map(wide)).collect();
    (world, ids)
}

fn iter(items: usize) -> Box<dyn Workload> {
    let run = |(world, _): &mut (World, Vec<EntityId>)| {
        world.run(
            |mut positions: ViewMut<'_, Position>, velocities: View<'_, Velocity>| {
                (&mut positions, &velocities)
                    .iter()
                    .for_each(|(position, velocity)| advance(position, velocity));
            },
        );
    };
    steady(wide_world(items), run, |(world, ids), steps| {
        let positions = world.borrow::<View<'_, Position>>().unwrap();
        for (index, &id) in ids.iter().enumerate() {
            assert_eq!(positions[id], advanced(index, steps));
        }
    })
}

fn fragmented(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.bulk_add_entity((0..items / KINDS).map(|_| ($kind(0.0), Data(1.0))));
        )*};
    }
    with_kinds!(populate);
    let run = |world: &mut World| {
        world.run(|mut data: ViewMut<'_, Data>| {
            (&mut data).iter().for_each(|data| data.0 *= 2.0);
        });
    };
    steady(world, run, move |world, times| {
        let data = world.borrow::<View<'_, Data>>().unwrap();
        let values = data.iter().map(|data| data.0);
        assert!(values.eq(std::iter::repeat_n(doubled(times), items)));
    })
}

/// Adds a component to each entity, then removes it from each.
fn add_then_remove<T>(value: T) -> impl Fn(&mut (World, Vec<EntityId>))
where
    T: Component<Tracking = track::Untracked> + Copy,
{
    move |(world, ids)| {
        world.run(|entities: EntitiesView<'_>, mut storage: ViewMut<'_, T>| {
            for &id in ids.iter() {
                entities.add_component(id, &mut storage, value);
            }
            for &id in ids.iter() {
                assert!(storage.remove(id).is_some());
            }
        });
    }
}

fn add_remove(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let ids = world.bulk_add_entity((0..items).map(|_| A(0.0))).collect();
    steady(
        (world, ids),
        add_then_remove(B(1.0)),
        move |(world, _), _| {
            world.run(|with_a: View<'_, A>, with_b: View<'_, B>| {
                assert_eq!((with_a.len(), with_b.len()), (items, 0));
            });
        },
    )
}

fn add_remove_wide(items: usize) -> Box<dyn Workload> {
    steady(wide_world(items), add_then_remove(Flag), |(world, _), _| {
        assert!(world.borrow::<View<'_, Flag>>().unwrap().is_empty());
    })
}

/// A world with entities that move.
fn movers(entities: usize) -> (World, Vec<EntityId>) {
    let mut world = World::new();
    let bundles = (0..entities).map(|index| (position(index), velocity()));
    let ids = world.bulk_add_entity(bundles).collect();
    (world, ids)
}

fn get_random(items: usize) -> Box<dyn Workload> {
    let (world, ids) = movers(items);
    let state = (world, in_shuffled_order(&ids), Tally::default());
    let run = |(world, ids, tally): &mut (World, Vec<EntityId>, Tally)| {
        let positions = world.borrow::<View<'_, Position>>().unwrap();
        tally.add_all(ids.iter().map(|&id| (&positions).get(id).unwrap()));
    };
    steady(state, run, move |state, runs| {
        assert_eq!(state.2, Tally::of_all(items, runs));
    })
}

type Movers<'a> = (
    EntitiesViewMut<'a>,
    ViewMut<'a, Position>,
    ViewMut<'a, Velocity>,
);

/// Deletes from the two storages it knows of: `delete_entity` asks every storage.
fn churn(items: usize) -> Box<dyn Workload> {
    let order = shuffled(items);
    let run = move |(world, ids): &mut (World, Vec<EntityId>)| {
        let (mut entities, mut positions, mut velocities) = world.borrow::<Movers<'_>>().unwrap();
        for &at in &order {
            (&mut positions, &mut velocities).delete(ids[at]);
            assert!(entities.delete_unchecked(ids[at]));
        }
        ids.clear();
        for index in 0..items {
            let storages = (&mut positions, &mut velocities);
            ids.push(entities.add_entity(storages, (position(index), velocity())));
        }
    };
    steady(movers(items), run, move |(world, ids), _| {
        let positions = world.borrow::<View<'_, Position>>().unwrap();
        let mut tally = Tally::default();
        tally.add_all(ids.iter().map(|&id| &positions[id]));
        assert_eq!(tally, Tally::of_all(items, 1));
        assert_eq!(positions.len(), items);
    })
}

/// A world with entities that have a position and no more.
fn positioned(entities: usize) -> (World, Vec<EntityId>) {
    let mut world = World::new();
    let ids = world.bulk_add_entity((0..entities).map(position)).collect();
    (world, ids)
}

struct Reactive {
    world: World,
    ids: Vec<EntityId>,
    picks: Picks,
    tally: Tally,
}

type Modified<'a> = ViewMut<'a, Position, track::Modification>;

fn reactive_replace(items: usize) -> Box<dyn Workload> {
    let (mut world, ids) = positioned(items * 10);
    world.track_modification::<Position>();
    let state = Reactive {
        picks: Picks::new(items, ids.len()),
        tally: Tally::default(),
        world,
        ids,
    };
    let run = |state: &mut Reactive| {
        state.world.run(|mut positions: Modified<'_>| {
            for &at in state.picks.round() {
                *(&mut positions).get(state.ids[at]).unwrap() = position(at);
            }
        });
        state.world.run(|positions: Modified<'_>| {
            state.tally.add_all(positions.modified().iter());
            positions.clear_all_modified();
        });
    };
    steady(state, run, |state, runs| {
        assert_eq!(state.tally, state.picks.handled(runs));
    })
}

fn event_callback(items: usize) -> Box<dyn Workload> {
    let (world, ids) = positioned(items);
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
    steady((world, ids), run, move |_, runs| heard.check(items, runs))
}

/// Tracked flags: who has got one is stamped, who has lost one is listed.
type Flags<'a> = ViewMut<'a, Flag, track::InsertionAndRemoval>;

/// The same, to be read.
type ReadFlags<'a> = View<'a, Flag, track::InsertionAndRemoval>;

struct Flagging {
    world: World,
    ids: Vec<EntityId>,
    tally: Tally,
    members: usize,
}

impl Flagging {
    fn new(entities: usize) -> Self {
        let (mut world, ids) = positioned(entities);
        world.track_insertion::<Flag>().track_removal::<Flag>();
        Self {
            world,
            ids,
            tally: Tally::default(),
            members: 0,
        }
    }

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

    /// Joins anew: shipyard keeps no groups.
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
