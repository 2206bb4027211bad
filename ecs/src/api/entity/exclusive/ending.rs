//! What ends an entity, or all it has.

use super::EntityMut;
use crate::state::{self, HasCore};
use crate::words::error::{Error, expect};

impl<C: HasCore> EntityMut<'_, C> {
    /// Removes every component in ascending order of index, one change each; does
    /// nothing if there is none. It ends early if an observer destroys the entity
    /// or the `drop` of a value panics.
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with((Health(3), Frozen));
    /// entity.remove_all();
    /// assert!(entity.is_empty());
    /// ```
    #[track_caller]
    pub fn remove_all(&mut self) -> &mut Self {
        expect(state::remove_all(self.context, self.id));
        self
    }

    /// Destroys the entity with all its components.
    ///
    /// Events: *will be destroyed*; *left* for each of its groups; *destroyed*.
    ///
    /// # Panics
    ///
    /// Panics if an observer has destroyed the entity, or is about to, or if a relation refuses it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.entity_mut(id).destroy();
    /// assert!(!game.contains(id));
    /// ```
    #[inline]
    #[track_caller]
    pub fn destroy(self) {
        expect(self.try_destroy());
    }

    /// Destroys the entity with all its components, or returns why it cannot.
    ///
    /// Events: as for [`destroy`](Self::destroy).
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive), [`BeingDestroyed`](crate::ErrorKind::BeingDestroyed),
    /// [`TargetInUse`](crate::ErrorKind::TargetInUse).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = game.create_entity();
    /// assert!(entity.try_destroy().is_ok());
    /// assert!(game.is_empty());
    /// ```
    #[inline]
    pub fn try_destroy(self) -> Result<(), Error> {
        state::destroy(self.context, self.id)
    }
}
