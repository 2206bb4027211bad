//! An entity index over the value of a component.
//!
//! It creates the group of the entities that have the component, if there is none yet. If the script
//! uses an equal group later, it is the same group, with the index's position in the order of creation.

use ecs::prelude::*;

use super::kind::Kind;
use super::script::Letters;
use super::world::{self, World};

/// An entity index over the value of one kind of component.
pub(crate) struct Index(EntityIndex<World, i64>);

impl Index {
    pub(crate) fn new(world: &mut World, kind: Kind) -> Self {
        let matcher = world::matcher(&Letters {
            all: vec![kind],
            ..Letters::default()
        });
        Self(EntityIndex::with_keys(world, matcher, move |owner| {
            world::get(owner, kind).map(|value| value.number)
        }))
    }

    /// Returns the entities whose component has the value `key`.
    pub(crate) fn lookup(&self, world: &World, key: i64) -> Vec<EntityId<World>> {
        self.0.get(world, &key).ids()
    }
}
