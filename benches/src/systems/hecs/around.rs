//! The rows W14 to W20 of `hecs`, by hand where it does not support them.

use std::mem;

use hecs::{Entity, World};

use super::saving::{Saved, load};
use super::{check_wide, movers, wide_world};
use crate::around::{self, Family, PARENTS, Saving};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Workload, fresh};

pub(super) fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W14 => reparent(items),
        Id::W15 => look_up(items),
        Id::W16 => make_queries(items),
        Id::W17 => start_up(),
        Id::W19 => copy_world(items),
        Id::W20 | Id::W20l => save(row, items),
        _ => return None,
    })
}

struct Parent(Entity);

struct Children(Vec<Entity>);

/// Two components, kept consistent by hand.
fn set_parent(world: &World, child: Entity, parent: Entity) {
    let mut link = world.get::<&mut Parent>(child).unwrap();
    let before = mem::replace(&mut link.0, parent);
    let mut list = world.get::<&mut Children>(before).unwrap();
    let at = list.0.iter().position(|&other| other == child).unwrap();
    list.0.swap_remove(at);
    drop(list);
    world.get::<&mut Children>(parent).unwrap().0.push(child);
}

fn reparent(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let parents = (0..PARENTS).map(|_| world.spawn((Children(Vec::new()),)));
    let parents: Vec<Entity> = parents.collect();
    let mut children = Vec::new();
    for child in 0..items {
        let parent = parents[child % PARENTS];
        children.push(world.spawn((Parent(parent),)));
        let mut list = world.get::<&mut Children>(parent).unwrap();
        list.0.push(children[child]);
    }
    let family = Family {
        world,
        parents,
        children,
    };
    let set_parents = |world: &mut World, pairs: &[(Entity, Entity)]| {
        for &(child, parent) in pairs {
            set_parent(world, child, parent);
        }
    };
    around::reparent(family, set_parents, |world, parent| {
        world.get::<&Children>(parent).unwrap().0.clone()
    })
}

fn look_up(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let ids = world.spawn_batch((0..items).map(|at| (position(at),)));
    let ids = ids.collect();
    around::look_up_by_hand((world, ids), |world, id| {
        Some(*world.get::<&Position>(id).ok()?)
    })
}

fn make_queries(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(world.spawn(($kind(0.0), Data(1.0)));)*};
    }
    with_kinds!(populate);
    around::make_queries(world, items, |world| {
        let found = world.query_mut::<(&Ka, &Data)>().into_iter();
        found.map(|(_, data)| data.0).sum()
    })
}

fn start_up() -> Box<dyn Workload> {
    let run = |world: &mut Option<World>| {
        let world = world.insert(World::new());
        macro_rules! create {
            ($high:literal: $($low:literal)*) => {$(world.spawn((Part::<$high, $low>(1),));)*};
        }
        with_parts!(create);
    };
    let make = || None::<World>;
    fresh(make, run, |world| {
        assert_eq!(world.as_ref().map(World::len), Some(PARTS as u32));
    })
}

/// Copies into another world, in which the entities have the same ids.
fn copy_world(items: usize) -> Box<dyn Workload> {
    let (world, _) = wide_world(items);
    let copy = |world: &mut World| {
        let mut copy = World::new();
        type All<'a> = (
            Entity,
            &'a Transform,
            &'a Position,
            &'a Rotation,
            &'a Velocity,
        );
        for (id, &transform, &position, &rotation, &velocity) in world.query_mut::<All<'_>>() {
            copy.spawn_at(id, (transform, position, rotation, velocity));
        }
        copy
    };
    around::copy_world(world, copy, move |copy| check_wide(copy, items))
}

fn save(row: Id, items: usize) -> Box<dyn Workload> {
    let saving = Saving {
        save: |world: &mut World| postcard::to_stdvec(&Saved(world)).unwrap(),
        load: |bytes| load(&mut postcard::Deserializer::from_bytes(bytes)).unwrap(),
        all: |world| {
            let all = world.query_mut::<(&Position, &Velocity)>().into_iter();
            all.map(|(&position, &velocity)| (position, velocity))
                .collect()
        },
    };
    saving.workload(row, movers(items).0, items)
}
