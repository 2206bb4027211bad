//! Removing components, and destroying the entity.

use super::{EntityMut, rejected};
use crate::state::{self, HasCore};
use crate::words::component::Component;
use crate::words::error::{Error, Operation, expect, reject};

impl<C: HasCore> EntityMut<'_, C> {
    /// Removes a component.
    ///
    /// After all observers have seen the value, it is dropped, or pooled if the component is
    /// `pooled`.
    ///
    /// Events: *left* and *entered* for the groups concerned.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// entity.remove::<Health>();
    /// assert!(!entity.has_health());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead or lacks the component.
    #[inline(always)] // too large to be inlined otherwise
    #[track_caller]
    pub fn remove<T: Component<C>>(&mut self) -> &mut Self {
        if let Err(rejection) = state::remove::<C, T>(self.context, self.id) {
            reject(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Remove,
            ));
        }
        self
    }

    /// Like [`remove`](Self::remove), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// assert!(entity.try_remove::<Health>().is_ok());
    /// assert!(entity.try_remove::<Health>().is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) or
    /// [`NotAlive`](crate::ErrorKind::NotAlive); nothing has changed then.
    #[inline]
    pub fn try_remove<T: Component<C>>(&mut self) -> Result<&mut Self, Error> {
        match state::remove::<C, T>(self.context, self.id) {
            Ok(()) => Ok(self),
            Err(rejection) => Err(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Remove,
            )),
        }
    }

    /// Removes a component and returns its value, or `None` without an event if the entity lacks
    /// it.
    ///
    /// Events: as for [`remove`](Self::remove). Inside an observer, the notification is queued
    /// while the value is returned at once, so [`Change::previous`](crate::Change::previous) is
    /// `None`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// assert_eq!(entity.take::<Health>().unwrap().0, 3);
    /// assert!(entity.take::<Health>().is_none());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    #[inline]
    #[track_caller]
    pub fn take<T: Component<C>>(&mut self) -> Option<T> {
        expect(self.try_take())
    }

    /// Like [`take`](Self::take), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// entity.add_health(3);
    /// assert_eq!(entity.try_take::<Health>().unwrap().unwrap().0, 3);
    /// assert!(entity.try_take::<Health>().unwrap().is_none());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive).
    #[inline]
    pub fn try_take<T: Component<C>>(&mut self) -> Result<Option<T>, Error> {
        match state::take(self.context, self.id) {
            Ok(value) => Ok(value),
            Err(rejection) => Err(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Remove,
            )),
        }
    }

    /// Removes all components in ascending order of index, each as a separate change.
    ///
    /// Does nothing if the entity has none. Stops early if an observer destroys the entity or the
    /// `drop` of a value panics.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with((Health(3), Frozen));
    /// entity.remove_all();
    /// assert!(entity.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead.
    #[track_caller]
    pub fn remove_all(&mut self) -> &mut Self {
        expect(state::remove_all(self.context, self.id));
        self
    }

    /// Destroys the entity with all its components.
    ///
    /// Events: *will be destroyed*; *left* for each of its groups; *destroyed*.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.entity_mut(id).destroy();
    /// assert!(!game.contains(id));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead or already being destroyed, or if a relation rejects it.
    #[inline]
    #[track_caller]
    pub fn destroy(self) {
        expect(self.try_destroy());
    }

    /// Like [`destroy`](Self::destroy), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = game.create_entity();
    /// assert!(entity.try_destroy().is_ok());
    /// assert!(game.is_empty());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive),
    /// [`BeingDestroyed`](crate::ErrorKind::BeingDestroyed) or, if a relation rejects it,
    /// [`TargetInUse`](crate::ErrorKind::TargetInUse).
    #[inline]
    pub fn try_destroy(self) -> Result<(), Error> {
        state::destroy(self.context, self.id)
    }
}
