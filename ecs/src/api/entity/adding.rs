//! Adding and replacing components.

use super::{EntityMut, rejected};
use crate::state::{self, HasCore, check_owner, check_vacant};
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::error::{Error, Operation, reject};

impl<C: HasCore> EntityMut<'_, C> {
    /// Adds a component.
    ///
    /// Events: *entered* and *left* for the groups concerned.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// entity.add(Health(3)).add(Frozen);
    /// assert_eq!(entity.health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_add`](Self::try_add) would return an error, such as when the entity is dead
    /// or already has the component.
    #[inline(always)] // too large to be inlined otherwise
    #[track_caller]
    pub fn add<T: Component<C>>(&mut self, value: T) -> &mut Self {
        if let Err(rejection) = state::add(self.context, self.id, value) {
            reject(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Add,
            ));
        }
        self
    }

    /// Like [`add`](Self::add), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// assert!(entity.try_add(Frozen).is_ok());
    /// assert!(entity.try_add(Frozen).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// - [`NotAlive`](crate::ErrorKind::NotAlive)
    /// - [`AlreadyHasComponent`](crate::ErrorKind::AlreadyHasComponent)
    /// - [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet)
    /// - [`DuplicateKey`](crate::ErrorKind::DuplicateKey)
    /// - [`TargetNotAlive`](crate::ErrorKind::TargetNotAlive) or
    ///   [`RelationCycle`](crate::ErrorKind::RelationCycle) for a
    ///   [relation](crate::guide::hierarchies)
    ///
    /// Nothing has changed then.
    #[inline]
    pub fn try_add<T: Component<C>>(&mut self, value: T) -> Result<&mut Self, Error> {
        match state::add(self.context, self.id, value) {
            Ok(()) => Ok(self),
            Err(rejection) => Err(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Add,
            )),
        }
    }

    /// Replaces a component, or adds it if it is missing.
    ///
    /// Events: *updated* for the groups whose matcher names the component, even if the values are
    /// equal; never *left* and *entered*. As for [`add`](Self::add) if it was missing.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// entity.replace(Health(2));
    /// assert_eq!(entity.health().0, 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`try_replace`](Self::try_replace) would return an error, such as when the entity
    /// is dead.
    #[inline(always)] // too large to be inlined otherwise
    #[track_caller]
    pub fn replace<T: Component<C>>(&mut self, value: T) -> &mut Self {
        if let Err(rejection) = state::replace(self.context, self.id, value) {
            reject(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Replace,
            ));
        }
        self
    }

    /// Like [`replace`](Self::replace), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// assert!(entity.try_replace(Health(2)).is_ok());
    /// assert_eq!(entity.health().0, 2);
    /// ```
    ///
    /// # Errors
    ///
    /// - [`NotAlive`](crate::ErrorKind::NotAlive)
    /// - [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet)
    /// - [`DuplicateKey`](crate::ErrorKind::DuplicateKey)
    /// - [`TargetNotAlive`](crate::ErrorKind::TargetNotAlive) or
    ///   [`RelationCycle`](crate::ErrorKind::RelationCycle) for a
    ///   [relation](crate::guide::hierarchies)
    ///
    /// Nothing has changed then.
    #[inline]
    pub fn try_replace<T: Component<C>>(&mut self, value: T) -> Result<&mut Self, Error> {
        match state::replace(self.context, self.id, value) {
            Ok(()) => Ok(self),
            Err(rejection) => Err(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Replace,
            )),
        }
    }

    /// Panics if the component is unique and another entity has it.
    #[inline]
    #[track_caller]
    fn check_unique<T: Component<C>>(&self) {
        if let Err(rejection) = check_owner(
            &self.context.core().world,
            Some(self.id.untyped()),
            index_of::<C, T>(),
        ) {
            reject(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Add,
            ));
        }
    }

    /// Adds a component whose value `fill` writes, starting from the default value.
    ///
    /// The value reuses the memory of a pooled one, if there is one ([`Recycle`](crate::Recycle)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_with(Route(vec![1, 2])).remove_route();
    /// let mut entity = game.create_entity();
    /// entity.add_with::<Route>(|route| route.0.push(3));
    /// assert_eq!(entity.route().0, [3]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`add`](Self::add) would panic; `fill` is not called then.
    #[inline]
    #[track_caller]
    pub fn add_with<T: Component<C> + Default>(&mut self, fill: impl FnOnce(&mut T)) -> &mut Self {
        self.as_ref();
        if let Err(rejection) = check_vacant(
            &self.context.core().world,
            self.id.untyped(),
            index_of::<C, T>(),
        ) {
            reject(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Add,
            ));
        }
        let value = state::filled(self.context, fill);
        self.add(value)
    }

    /// Replaces a component, or adds it, with a value that `fill` writes, starting from the default
    /// value.
    ///
    /// The value reuses the memory of a pooled one, if there is one ([`Recycle`](crate::Recycle)).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Route(vec![1, 2]));
    /// entity.replace_with::<Route>(|route| route.0.push(3));
    /// assert_eq!(entity.route().0, [3]);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if [`replace`](Self::replace) would panic; `fill` is not called then.
    #[inline]
    #[track_caller]
    pub fn replace_with<T: Component<C> + Default>(
        &mut self,
        fill: impl FnOnce(&mut T),
    ) -> &mut Self {
        self.as_ref();
        self.check_unique::<T>();
        let value = state::filled(self.context, fill);
        self.replace(value)
    }
}
