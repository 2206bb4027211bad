//! A world for tests of several subjects.

use ecs::prelude::*;

/// A world of entities with numbers, names and flags.
#[ecs::context]
pub struct World;

/// A number that most entities have.
#[derive(Component, Debug, PartialEq, Clone)]
#[component(context = World)]
pub struct A(pub u32);

/// A number that some entities have.
#[derive(Component, Debug, PartialEq, Clone)]
#[component(context = World)]
pub struct B(pub u32);

/// A value that owns memory.
#[derive(Component, Debug, PartialEq, Clone)]
#[component(context = World, by_value)]
pub struct Name(pub String);

/// A component without fields.
#[derive(Component, Debug, PartialEq, Clone)]
#[component(context = World)]
pub struct Flag;

/// Another flag, which few entities have.
#[derive(Component, Debug, PartialEq)]
#[component(context = World)]
pub struct Other;

/// Has no size, but a large alignment.
#[derive(Component, Debug, PartialEq)]
#[component(context = World)]
#[repr(align(128))]
pub struct Aligned;

/// An entity of this world.
pub type Id = EntityId<World>;

/// Creates `count` entities whose `A` counts from 0.
pub fn world(count: u32) -> (World, Vec<Id>) {
    let mut world = World::new();
    let ids = world.create_many((0..count).map(A));
    (world, ids)
}
