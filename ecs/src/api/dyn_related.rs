//! An entity's place in relations that are known only at run time.

use core::fmt;

use super::dyn_entity::DynEntity;
use crate::reactions::entity_index::Links;
use crate::state::HasCore;
use crate::storage::registry::numbering;
use crate::words::component::typed::ComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::relation::OnTargetDestroyed;

/// An entity's place in one relation: the entities that refer to it, and its target.
///
/// Returned by [`DynEntity::relations`].
pub struct DynRelated<'a, C> {
    id: EntityId<C>,
    links: &'a Links,
}

impl<'a, C: HasCore> DynEntity<'a, C> {
    /// Returns the entity's place in each relation of the context.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let mast = game.create_with(ChildOf { parent: ship }).id();
    ///
    /// let child_of = game.components().index_of::<ChildOf>();
    /// let relation = game.entity(ship).dynamic().relations().next().unwrap();
    /// assert_eq!((relation.component(), relation.sources()), (child_of, &[mast][..]));
    /// assert_eq!(relation.target(), None);
    /// ```
    pub fn relations(self) -> impl Iterator<Item = DynRelated<'a, C>> {
        let id = self.id();
        let relations = self.core().subs.indexes().relations();
        relations.map(move |links| DynRelated { id, links })
    }
}

impl<'a, C: HasCore> DynRelated<'a, C> {
    /// Returns the index of the relation's component.
    pub fn component(&self) -> ComponentIndex<C> {
        ComponentIndex::of(self.links.component)
    }

    /// Returns what happens to the sources of a destroyed entity.
    pub fn on_target_destroyed(&self) -> OnTargetDestroyed {
        self.links.on_target_destroyed
    }

    /// Returns the entity that this one refers to, if there is one and it is alive.
    pub fn target(&self) -> Option<EntityId<C>> {
        Some(self.links.target(self.id.untyped())?.typed())
    }

    /// Returns the entities that refer to this one.
    pub fn sources(&self) -> &'a [EntityId<C>] {
        UntypedId::typed_all(self.links.sources(self.id.untyped()))
    }
}

// By hand, because a derive would require `C: Clone`.
impl<C> Clone for DynRelated<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for DynRelated<'_, C> {}

impl<C: HasCore> fmt::Debug for DynRelated<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynRelated")
            .field("component", &numbering::<C>().name(self.links.component))
            .field("target", &self.target())
            .field("sources", &self.sources())
            .finish()
    }
}
