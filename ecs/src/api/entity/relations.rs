//! How both handles of an entity lead to the relations that it takes part in.

use super::exclusive::EntityMut;
use super::shared::Entity;
use crate::api::related::Related;
use crate::state::HasCore;
use crate::words::relation::Relation;

impl<'a, C: HasCore> Entity<'a, C> {
    /// The entity as a part of the relation `T`: who leads to it, and where it leads.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with(ChildOf { parent: ship }).id();
    /// assert_eq!(game.entity(ship).related::<ChildOf>().sources(), [sail]);
    /// ```
    #[inline]
    pub fn related<T: Relation<C>>(self) -> Related<'a, C, T> {
        Related::new(self.context(), self.id())
    }
}

impl<C: HasCore> EntityMut<'_, C> {
    /// The entity as a part of the relation `T`: who leads to it, and where it leads. Once an
    /// observer has destroyed it, that is nobody and nowhere.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ship = game.create_entity().id();
    /// let sail = game.create_with(ChildOf { parent: ship });
    /// assert_eq!(sail.related::<ChildOf>().target(), Some(ship));
    /// ```
    #[inline]
    pub fn related<T: Relation<C>>(&self) -> Related<'_, C, T> {
        Related::new(self.context(), self.id())
    }
}
