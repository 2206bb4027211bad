//! The rows W14 to W20 of `flecs_ecs`: its hierarchy and its queries.

use flecs_ecs::prelude::*;

use super::stored::*;
use crate::around::{self, Family, PARENTS};
use crate::rows::Id;
use crate::types::{self, with_kinds};
use crate::workload::Workload;

pub(super) fn workload(row: Id, items: usize) -> Option<Box<dyn Workload>> {
    Some(match row {
        Id::W14 => reparent(items),
        Id::W16 => make_queries(items),
        _ => return None,
    })
}

/// An entity with another parent moves to another table.
fn reparent(items: usize) -> Box<dyn Workload> {
    let world = World::new();
    let entity = || world.entity().id();
    let family = Family {
        parents: (0..PARENTS).map(|_| entity()).collect::<Vec<Entity>>(),
        children: (0..items).map(|_| entity()).collect(),
        world: world.clone(),
    };
    for (at, child) in family.children.iter().enumerate() {
        child
            .entity_view(&world)
            .child_of(family.parents[at % PARENTS]);
    }
    let set_parents = |world: &mut World, pairs: &[(Entity, Entity)]| {
        for &(child, parent) in pairs {
            child.entity_view(&*world).child_of(parent);
        }
    };
    around::reparent(family, set_parents, |world, parent| {
        let mut children = Vec::new();
        let parent = parent.entity_view(&*world);
        parent.each_child(|child| children.push(child.id()));
        children
    })
}

/// The query is not cached, since it is dropped immediately.
fn make_queries(items: usize) -> Box<dyn Workload> {
    let world = World::new();
    macro_rules! populate {
        ($($kind:ident)*) => {$(
            world.entity().set($kind(types::$kind(0.0))).set(Data(types::Data(1.0)));
        )*};
    }
    with_kinds!(populate);
    around::make_queries(world, items, |world| {
        let mut sum = 0.0;
        let query = world.new_query::<(&Ka, &Data)>();
        query.each(|(_, data)| sum += data.0.0);
        sum
    })
}
