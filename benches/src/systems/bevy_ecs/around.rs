//! The rows W14 to W20 of `bevy_ecs`: its hierarchy and its messages; keys by a map beside the world;
//! copies and saves by hand.

use bevy_ecs::component::{Mutable, StorageType};
use bevy_ecs::message::{Message, MessageCursor, Messages};
use bevy_ecs::prelude::*;

use super::{check_wide, movers, wide_world};
use crate::around::{self, Family, Hit, PARENTS, Saving};
use crate::rows::Id;
use crate::types::*;
use crate::workload::{Workload, fresh};

pub(super) fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W14 => reparent(items),
        Id::W15 => look_up(items),
        Id::W16 => make_queries(items),
        Id::W17 => start_up(),
        Id::W18 => messages(items),
        Id::W19 => copy_world(items),
        Id::W20 | Id::W20l => save(row, items),
        _ => return None,
    })
}

fn reparent(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let parents: Vec<Entity> = (0..PARENTS).map(|_| world.spawn_empty().id()).collect();
    let children = (0..items).map(|child| ChildOf(parents[child % PARENTS]));
    let children = children.collect::<Vec<_>>();
    let family = Family {
        children: world.spawn_batch(children).collect(),
        parents,
        world,
    };
    let set_parents = |world: &mut World, pairs: &[(Entity, Entity)]| {
        for &(child, parent) in pairs {
            world.entity_mut(child).insert(ChildOf(parent));
        }
    };
    around::reparent(family, set_parents, |world, parent| {
        world.get::<Children>(parent).unwrap().to_vec()
    })
}

fn look_up(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    let ids: Vec<Entity> = world.spawn_batch((0..items).map(position)).collect();
    around::look_up_by_hand((world, ids), |world, id| world.get(id).copied())
}

fn make_queries(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(world.spawn(($kind(0.0), Data(1.0)));)*};
    }
    with_kinds!(populate);
    around::make_queries(world, items, |world| {
        let mut query = world.query::<(&Ka, &Data)>();
        query.iter(world).map(|(_, data)| data.0).sum()
    })
}

impl<const HIGH: usize, const LOW: usize> Component for Part<HIGH, LOW> {
    const STORAGE_TYPE: StorageType = StorageType::Table;
    type Mutability = Mutable;
}

fn start_up() -> Box<dyn Workload> {
    let run = |world: &mut Option<World>| {
        let world = world.insert(World::new());
        macro_rules! create {
            ($high:literal: $($low:literal)*) => {$(world.spawn(Part::<$high, $low>(1));)*};
        }
        with_parts!(create);
    };
    let make = || None::<World>;
    fresh(make, run, |world| {
        let world = world.as_mut().unwrap();
        macro_rules! check {
            ($high:literal: $($low:literal)*) => {$(
                assert_eq!(world.query::<&Part<$high, $low>>().iter(world).len(), 1);
            )*};
        }
        with_parts!(check);
    })
}

impl Message for Hit {}

fn messages(items: usize) -> Box<dyn Workload> {
    let mut world = World::new();
    world.init_resource::<Messages<Hit>>();
    let send = |world: &mut World, hit: Hit| _ = world.write_message(hit);
    let mut cursor = MessageCursor::<Hit>::default();
    around::messages(world, items, send, move |world| {
        let mut messages = world.resource_mut::<Messages<Hit>>();
        let sum = cursor.read(&messages).map(|hit| hit.damage).sum();
        messages.update();
        sum
    })
}

/// Copies into another world, in which the entities have other ids.
fn copy_world(items: usize) -> Box<dyn Workload> {
    let (mut world, _) = wide_world(items);
    let mut all = world.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    let copy = move |world: &mut World| {
        let mut copy = World::new();
        let rows = all.iter(world);
        let rows = rows.map(|(&transform, &position, &rotation, &velocity)| {
            (transform, position, rotation, velocity)
        });
        copy.spawn_batch(rows.collect::<Vec<_>>()).for_each(drop);
        copy
    };
    around::copy_world(world, copy, move |copy| check_wide(copy, items))
}

/// Saves by hand, as a list of pairs. Loaded entities have other ids.
fn save(row: Id, items: usize) -> Box<dyn Workload> {
    fn all(world: &mut World) -> Vec<(Position, Velocity)> {
        let mut all = world.query::<(&Position, &Velocity)>();
        let all = all.iter(world);
        all.map(|(&position, &velocity)| (position, velocity))
            .collect()
    }
    let saving = Saving {
        save: |world: &mut World| postcard::to_stdvec(&all(world)).unwrap(),
        load: |bytes| {
            let mut world = World::new();
            let all: Vec<(Position, Velocity)> = postcard::from_bytes(bytes).unwrap();
            world.spawn_batch(all).for_each(drop);
            world
        },
        all,
    };
    saving.workload(row, movers(items).0, items)
}
