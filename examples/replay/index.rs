//! An entity index over the value of a component.
//!
//! The library has none yet, so this one keeps no books: it looks through the group
//! of the entities that have the component. That it makes this group is a part of what
//! logs show: an equal group of the script is the same one, so it reports in the place
//! that the index took in the order of creation.

use ecs::prelude::*;

use super::kind::Kind;
use super::script::Letters;
use super::world::{self, World};

/// An entity index over the value of one kind of component.
pub(crate) struct Index {
    kind: Kind,
    owners: Group<World>,
}

impl Index {
    pub(crate) fn new(world: &mut World, kind: Kind) -> Self {
        let owners = world.group(world::matcher(&Letters {
            all: vec![kind],
            ..Letters::default()
        }));
        Self { kind, owners }
    }

    /// The living entities whose component has the value `key`, in no order of note.
    pub(crate) fn lookup(&self, world: &World, key: i64) -> Vec<EntityId<World>> {
        let filed = self
            .owners
            .iter(world)
            .filter(|owner| world::get(*owner, self.kind).is_some_and(|value| value.number == key));
        filed.map(|owner| owner.id()).collect()
    }
}
