//! A read-only iterator of the entities with a key of an entity index.

use alloc::vec::Vec;
use core::fmt;

use crate::api::entity::{Entity, Handles};
use crate::reactions::entity_index::Found;
use crate::words::entity_id::{EntityId, UntypedId};

/// The entities with a key, read-only. Returned by lookups in entity indexes.
#[must_use = "a lookup does nothing but look"]
pub struct IndexIter<'a, C> {
    found: Found<'a>,
    context: &'a C,
}

impl<'a, C> IndexIter<'a, C> {
    #[inline]
    pub(super) fn new(found: Found<'a>, context: &'a C) -> Self {
        Self { found, context }
    }
}

impl<C: Handles> IndexIter<'_, C> {
    /// Returns the ids of the entities, for example to change them.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Team(1), Team(2), Team(1)]);
    /// // the field of `Team` has an `index`
    /// for id in game.entities_with_team(&1).ids() {
    ///     game.entity_mut(id).replace_team(3);
    /// }
    /// assert_eq!(game.entities_with_team(&3).len(), 2);
    /// ```
    pub fn ids(self) -> Vec<EntityId<C>> {
        let slots = self.context.core().world.slots();
        let with_lineage = |id: UntypedId| slots.id_of_generation(id.index(), id.generation());
        self.found.map(with_lineage).collect()
    }

    /// Returns whether no entity has the key.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_entity().add_team(1);
    /// assert!(!game.entities_with_team(&1).is_empty());
    /// assert!(game.entities_with_team(&2).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.found.size_hint().0 == 0
    }
}

impl<'a, C: Handles> Iterator for IndexIter<'a, C> {
    type Item = C::Entity<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let id = self.found.next()?;
        let slot = self.context.core().world.slots().get(id.typed::<C>());
        let slot = slot.expect("an entity of an index is alive");
        Some(Entity::new(self.context, slot).into())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.found.size_hint()
    }
}

impl<C: Handles> ExactSizeIterator for IndexIter<'_, C> {}

impl<C> Clone for IndexIter<'_, C> {
    fn clone(&self) -> Self {
        Self {
            found: self.found.clone(),
            context: self.context,
        }
    }
}

impl<C: Handles> fmt::Debug for IndexIter<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.found.clone()).finish()
    }
}
