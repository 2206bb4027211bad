//! A world of entities with numbers, names and flags.

use ecs::prelude::*;

#[ecs::context]
pub(crate) struct World;

#[derive(Component, Debug, PartialEq, Clone)]
#[component(context = World)]
pub(crate) struct A(pub(crate) u32);

#[derive(Component, Debug, PartialEq, Clone)]
#[component(context = World)]
pub(crate) struct B(pub(crate) u32);

#[derive(Component, Debug, PartialEq, Clone)]
#[component(context = World, by_value)]
pub(crate) struct Name(pub(crate) String);

#[derive(Component, Debug, PartialEq)]
#[component(context = World)]
pub(crate) struct Flag;

/// Without a size, but aligned far apart.
#[derive(Component, Debug, PartialEq)]
#[component(context = World)]
#[repr(align(128))]
pub(crate) struct Aligned;

pub(crate) type Id = EntityId<World>;

/// So many entities with A, counted.
pub(crate) fn world(count: u32) -> (World, Vec<Id>) {
    let mut world = World::new();
    let ids = world.create_many((0..count).map(A));
    (world, ids)
}
