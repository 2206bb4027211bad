//! Changes of several components of one entity at once: bundles for an entity that lives.

use super::EntityMut;
use crate::api::bundle::Bundle;
use crate::state::{self, HasCore, Present};
use crate::words::error::{Error, expect};

impl<C: HasCore> EntityMut<'_, C> {
    /// Gives the entity all components of a bundle in one change: those it has are replaced, the
    /// others are added.
    ///
    /// Events: first *left* and *entered* for the groups that tell the entity before from the whole
    /// entity afterwards, in order of the groups; then, for each component that was there, in order
    /// of index, *updated* for the groups that name it and that the entity has stayed in. Observers
    /// run when all values are there.
    ///
    /// [`Change::component`](crate::Change::component) of *left* and *entered* is the component
    /// that was added, or `None` if several were.
    ///
    /// # Panics
    ///
    /// Panics if [`try_insert`](Self::try_insert) would return an error, or the bundle has a
    /// component twice; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// entity.insert((Health(2), Frozen));
    /// assert!(entity.is_frozen() && entity.health().0 == 2);
    /// ```
    #[track_caller]
    pub fn insert<B: Bundle<C>>(&mut self, bundle: B) -> &mut Self {
        expect(self.try_insert(bundle))
    }

    /// Gives the entity all components of a bundle in one change; see [`insert`](Self::insert).
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive), [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet),
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey), or
    /// [`TooManyEntities`](crate::ErrorKind::TooManyEntities) if no slot is free, for the values wait in
    /// one until all are checked; nothing has changed then.
    ///
    /// # Panics
    ///
    /// Panics if the bundle has a component twice; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_with(Score(1));
    /// let mut entity = game.create_with(Health(3));
    /// assert!(entity.try_insert((Health(2), Score(2))).is_err());
    /// assert_eq!(entity.health().0, 3);
    /// ```
    #[track_caller]
    pub fn try_insert<B: Bundle<C>>(&mut self, bundle: B) -> Result<&mut Self, Error> {
        self.put(bundle, Present::Replace)
    }

    /// Adds all components of a bundle in one change.
    ///
    /// Events: as for [`insert`](Self::insert); none is *updated*.
    ///
    /// # Panics
    ///
    /// Panics if [`try_add_all`](Self::try_add_all) would return an error, or the bundle has a
    /// component twice; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_all((Health(3), Frozen)).id();
    /// assert!(game.entity(id).is_frozen());
    /// ```
    #[track_caller]
    pub fn add_all<B: Bundle<C>>(&mut self, bundle: B) -> &mut Self {
        expect(self.try_add_all(bundle))
    }

    /// Adds all components of a bundle in one change; see [`add_all`](Self::add_all).
    ///
    /// # Errors
    ///
    /// Returns [`AlreadyHasComponent`](crate::ErrorKind::AlreadyHasComponent) if the entity has one of
    /// them, or what [`try_insert`](Self::try_insert) returns; nothing has changed then.
    ///
    /// # Panics
    ///
    /// Panics if the bundle has a component twice; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// let refused = entity.try_add_all((Frozen, Health(2))).map(drop).unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::AlreadyHasComponent);
    /// assert!(!entity.is_frozen() && entity.health().0 == 3);
    /// ```
    #[track_caller]
    pub fn try_add_all<B: Bundle<C>>(&mut self, bundle: B) -> Result<&mut Self, Error> {
        self.put(bundle, Present::Refuse)
    }

    #[track_caller]
    fn put<B: Bundle<C>>(&mut self, bundle: B, present: Present) -> Result<&mut Self, Error> {
        state::insert(self.context, self.id, present, |writer| bundle.put(writer))?;
        Ok(self)
    }
}
