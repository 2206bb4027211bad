//! Access to unique components by type, without knowing the owner.

use core::fmt;
use core::marker::PhantomData;

use crate::api::entity::{Entity, Handles};
use crate::state::owner_of;
use crate::storage::registry::index_of;
use crate::words::component::UniqueComponent;
use crate::words::error::{Error, Operation, reject};

/// Reads the unique component `T` of a context; at most one entity has it at a time.
///
/// Returned by [`unique`](crate::Context::unique).
///
/// The derive also adds methods with the component's name to the context, such as `score`.
///
/// Complexity: all methods find the owner without a search.
#[must_use = "the handle does nothing by itself"]
pub struct Unique<'a, C, T> {
    context: &'a C,
    component: PhantomData<fn() -> T>,
}

impl<'a, C: Handles, T: UniqueComponent<C>> Unique<'a, C, T> {
    #[inline]
    pub(super) fn new(context: &'a C) -> Self {
        let component = PhantomData;
        Self { context, component }
    }

    /// Returns whether an entity has the component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// assert!(!game.unique::<Score>().is_set());
    /// game.create_entity().add_score(1);
    /// assert!(game.unique::<Score>().is_set());
    /// ```
    #[inline]
    pub fn is_set(self) -> bool {
        owner_of::<C, T>(self.context).is_some()
    }

    /// Returns the component, or `None` if no entity has it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// assert!(game.unique::<Score>().get().is_none());
    /// game.set_score(1);
    /// assert_eq!(game.unique::<Score>().get().unwrap().0, 1);
    /// ```
    #[inline]
    pub fn get(self) -> Option<&'a T> {
        let core = self.context.core();
        let slot = core
            .world
            .slots()
            .get(core.world.owner(index_of::<C, T>())?)?;
        core.typed().of::<T>()?.get(slot.row)
    }

    /// Returns the component.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// assert_eq!(game.unique::<Score>().component().0, 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if no entity has it.
    #[inline]
    #[track_caller]
    pub fn component(self) -> &'a T {
        match self.get() {
            Some(value) => value,
            None => reject(not_set::<C, T>(Operation::Read)),
        }
    }

    /// Returns the entity that has the component, or `None` if there is none.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_score(1).id();
    /// assert_eq!(game.unique::<Score>().entity().map(|entity| entity.id()), Some(id));
    /// ```
    #[inline]
    pub fn entity(self) -> Option<C::Entity<'a>> {
        let slot = self
            .context
            .core()
            .world
            .slots()
            .get(owner_of::<C, T>(self.context)?)?;
        Some(Entity::new(self.context, slot).into())
    }
}

impl<C: Handles, T: UniqueComponent<C> + fmt::Debug> fmt::Debug for Unique<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unique")
            .field(&Unique::get(Self { ..*self }))
            .finish()
    }
}

#[cold]
pub(super) fn not_set<C, T: UniqueComponent<C>>(operation: Operation) -> Error {
    Error::unique_not_set(T::NAMES, operation)
}
