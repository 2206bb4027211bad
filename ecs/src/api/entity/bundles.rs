//! Adding several components in one change.

use super::EntityMut;
use crate::api::bundle::Bundle;
use crate::state::{self, HasCore, Present};
use crate::words::error::{Error, expect};

impl<C: HasCore> EntityMut<'_, C> {
    /// Inserts all components of a bundle in one change: present ones are replaced, missing ones
    /// added.
    ///
    /// Events: first *left* and *entered* for the groups whose membership differs before and after
    /// the whole change, in order of the groups; then, for each replaced component, in order of
    /// index, *updated* for the groups that name it and still contain the entity. Observers run
    /// when all values are stored.
    ///
    /// [`Change::component`](crate::Change::component) of *left* and *entered* is the component
    /// that was added, or `None` if several were.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// entity.insert((Health(2), Frozen));
    /// assert!(entity.is_frozen() && entity.health().0 == 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_insert`](Self::try_insert) would return an error, or the bundle contains a
    /// component twice; nothing has changed then.
    #[track_caller]
    pub fn insert<B: Bundle<C>>(&mut self, bundle: B) -> &mut Self {
        expect(self.try_insert(bundle))
    }

    /// Like [`insert`](Self::insert), but returns an error instead of panicking.
    ///
    /// # Examples
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
    ///
    /// # Panics
    ///
    /// Panics if the bundle contains a component twice; nothing has changed then.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive),
    /// [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet) or
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey). Returns
    /// [`TooManyEntities`](crate::ErrorKind::TooManyEntities) if no slot is free, because one holds
    /// the values until all are validated. Nothing has changed then.
    #[track_caller]
    pub fn try_insert<B: Bundle<C>>(&mut self, bundle: B) -> Result<&mut Self, Error> {
        self.put(bundle, Present::Replace)
    }

    /// Adds all components of a bundle in one change.
    ///
    /// Events: as for [`insert`](Self::insert), without *updated*.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_all((Health(3), Frozen)).id();
    /// assert!(game.entity(id).is_frozen());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_add_all`](Self::try_add_all) would return an error, or the bundle contains a
    /// component twice; nothing has changed then.
    #[track_caller]
    pub fn add_all<B: Bundle<C>>(&mut self, bundle: B) -> &mut Self {
        expect(self.try_add_all(bundle))
    }

    /// Like [`add_all`](Self::add_all), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// let rejected = entity.try_add_all((Frozen, Health(2))).map(drop).unwrap_err();
    /// assert_eq!(rejected.kind(), ErrorKind::AlreadyHasComponent);
    /// assert!(!entity.is_frozen() && entity.health().0 == 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the bundle contains a component twice; nothing has changed then.
    ///
    /// # Errors
    ///
    /// Returns [`AlreadyHasComponent`](crate::ErrorKind::AlreadyHasComponent) if the entity has one
    /// of the components, or the errors of [`try_insert`](Self::try_insert); nothing has changed
    /// then.
    #[track_caller]
    pub fn try_add_all<B: Bundle<C>>(&mut self, bundle: B) -> Result<&mut Self, Error> {
        self.put(bundle, Present::Reject)
    }

    #[track_caller]
    fn put<B: Bundle<C>>(&mut self, bundle: B, present: Present) -> Result<&mut Self, Error> {
        state::insert(self.context, self.id, present, |writer| bundle.put(writer))?;
        Ok(self)
    }
}
