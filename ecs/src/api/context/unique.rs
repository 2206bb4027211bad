//! Unique components by type: the context is asked for the value, and finds the entity that has
//! it.

use core::fmt;
use core::marker::PhantomData;

use crate::api::create;
use crate::api::entity::{Entity, EntityMut};
use crate::api::handles::Handles;
use crate::state::{self, HasCore, owner_of};
use crate::words::component::UniqueComponent;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation, expect, refuse};

/// The unique component `T` of a context, to be read: at most one of its entities has one at a
/// time. Returned by [`unique`](crate::Context::unique).
///
/// The derive also writes methods with the component's name on the context, such as `score`.
///
/// Complexity: all of them find the owner without a search.
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
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
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
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// assert!(game.unique::<Score>().get().is_none());
    /// game.set_score(1);
    /// assert_eq!(game.unique::<Score>().get().unwrap().0, 1);
    /// ```
    #[inline]
    pub fn get(self) -> Option<&'a T> {
        let core = self.context.core();
        let slot = core.slots.get(core.owner::<T>()?)?;
        core.columns.of::<T>()?.get(slot.row)
    }

    /// Returns the component.
    ///
    /// # Panics
    ///
    /// Panics if no entity has it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// assert_eq!(game.unique::<Score>().component().0, 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn component(self) -> &'a T {
        match self.get() {
            Some(value) => value,
            None => refuse(not_set::<C, T>(Operation::Read)),
        }
    }

    /// Returns the entity that has the component, or `None` if there is none.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_score(1).id();
    /// assert_eq!(game.unique::<Score>().entity().map(|entity| entity.id()), Some(id));
    /// ```
    #[inline]
    pub fn entity(self) -> Option<C::Entity<'a>> {
        let slot = self
            .context
            .core()
            .slots
            .get(owner_of::<C, T>(self.context)?)?;
        Some(Entity::new(self.context, slot).into())
    }
}

/// The unique component `T` of a context, to be set, changed and removed. Returned by
/// [`unique_mut`](crate::Context::unique_mut).
///
/// The derive also writes methods with the component's name on the context, such as `set_score`.
#[must_use = "the handle does nothing by itself"]
pub struct UniqueMut<'a, C, T> {
    context: &'a mut C,
    component: PhantomData<fn() -> T>,
}

impl<'a, C: Handles, T: UniqueComponent<C>> UniqueMut<'a, C, T> {
    #[inline]
    pub(super) fn new(context: &'a mut C) -> Self {
        let component = PhantomData;
        Self { context, component }
    }

    /// Creates an entity with the component, in one change.
    ///
    /// Events: as for [`create_with`](crate::Context::create_with).
    ///
    /// # Panics
    ///
    /// Panics if an entity has the component already; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// let id = game.unique_mut::<Score>().set(Score(1)).id();
    /// assert_eq!(game.entity(id).score().0, 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn set(self, value: T) -> C::EntityMut<'a> {
        expect(self.try_set(value))
    }

    /// Creates an entity with the component; see [`set`](Self::set).
    ///
    /// # Errors
    ///
    /// [`UniqueAlreadySet`](crate::ErrorKind::UniqueAlreadySet) if an entity has it already; nothing has changed
    /// then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// assert!(matches!(game.unique_mut::<Score>().try_set(Score(2)), Err(error) if error.kind() == ErrorKind::UniqueAlreadySet));
    /// assert_eq!((game.score().0, game.len()), (1, 1));
    /// ```
    #[inline]
    pub fn try_set(self, value: T) -> Result<C::EntityMut<'a>, Error> {
        match owner_of::<C, T>(self.context) {
            Some(owner) => Err(Error::unique_already_set(owner.raw(), None, T::NAMES)),
            None => Ok(create(self.context, value).into()),
        }
    }

    /// Replaces the component if an entity has it, or creates an entity with it.
    ///
    /// Events: as for [`EntityMut::replace`] or for [`set`](Self::set).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// let first = game.unique_mut::<Score>().replace(Score(1)).id();
    /// let second = game.unique_mut::<Score>().replace(Score(2)).id();
    /// assert_eq!((first, game.score().0), (second, 2));
    /// ```
    #[inline]
    #[track_caller]
    pub fn replace(self, value: T) -> C::EntityMut<'a> {
        match owner_of::<C, T>(self.context) {
            Some(owner) => {
                let mut entity = EntityMut::new(self.context, owner);
                entity.replace(value);
                entity.into()
            }
            None => create(self.context, value).into(),
        }
    }

    /// Changes the component in place, then reports an update.
    ///
    /// Events: as for [`EntityMut::update`].
    ///
    /// # Panics
    ///
    /// Panics if no entity has the component; `change` is not called then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// game.unique_mut::<Score>().update(|score| score.0 += 1);
    /// assert_eq!(game.score().0, 2);
    /// ```
    #[inline]
    #[track_caller]
    pub fn update(self, change: impl FnOnce(&mut T)) -> C::EntityMut<'a> {
        expect(self.try_update(change))
    }

    /// Changes the component in place; see [`update`](Self::update).
    ///
    /// # Errors
    ///
    /// [`UniqueNotSet`](crate::ErrorKind::UniqueNotSet) if no entity has the component; `change` is not called
    /// then.
    #[inline]
    pub fn try_update(self, change: impl FnOnce(&mut T)) -> Result<C::EntityMut<'a>, Error> {
        let owner = owner::<C, T>(self.context, Operation::Update)?;
        let mut entity = EntityMut::new(self.context, owner);
        entity.try_update(change)?;
        Ok(entity.into())
    }

    /// Returns the component, to be written to **without reporting it**: no group, collector or
    /// observer hears of the change.
    ///
    /// # Panics
    ///
    /// Panics if no entity has it, and if an entity index follows the component, because it would
    /// go wrong.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// game.unique_mut::<Score>().mut_untracked().0 = 2;
    /// assert_eq!(game.score().0, 2);
    /// ```
    #[inline]
    #[track_caller]
    pub fn mut_untracked(self) -> &'a mut T {
        state::check_untracked::<C, T>(self.context.core());
        let owner = expect(owner::<C, T>(self.context, Operation::Access));
        let row = self.context.core().slots.get(owner).map(|slot| slot.row);
        let values = &mut self.context.core_mut().columns;
        row.and_then(|row| values.untracked::<T>(row))
            .expect("the owner has the component")
    }

    /// **Destroys the entity** that has the component, with all its other components.
    ///
    /// To take the component alone, remove it from the entity.
    ///
    /// Events: as for [`destroy`](crate::Context::destroy).
    ///
    /// # Panics
    ///
    /// Panics if no entity has the component, or it is being destroyed already.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Score(u32);
    /// let mut game = Game::new();
    /// game.set_score(1);
    /// game.unique_mut::<Score>().remove();
    /// assert!(game.is_empty());
    /// ```
    #[inline]
    #[track_caller]
    pub fn remove(self) {
        expect(self.try_remove());
    }

    /// **Destroys the entity** that has the component; see
    /// [`remove`](Self::remove).
    ///
    /// # Errors
    ///
    /// [`UniqueNotSet`](crate::ErrorKind::UniqueNotSet) if no entity has it, [`BeingDestroyed`](crate::ErrorKind::BeingDestroyed).
    #[inline]
    pub fn try_remove(self) -> Result<(), Error> {
        let owner = owner::<C, T>(self.context, Operation::Remove)?;
        state::destroy(self.context, owner)
    }

    /// Has an entity with the component if `on`, and none otherwise: creates
    /// it with `value`, or **destroys it** with all its other components. The entity, if
    /// there is one now.
    ///
    /// Events: none if all is as wanted already; otherwise as for
    /// [`set`](Self::set) or [`remove`](Self::remove).
    ///
    /// # Panics
    ///
    /// Panics if the entity is to be destroyed and is being destroyed already.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game, unique)] struct Paused;
    /// let mut game = Game::new();
    /// let id = game.unique_mut::<Paused>().set_flag(Paused, true).unwrap().id();
    /// assert_eq!(game.unique_mut::<Paused>().set_flag(Paused, true).unwrap().id(), id);
    /// assert!(game.unique_mut::<Paused>().set_flag(Paused, false).is_none());
    /// assert!(game.is_empty());
    /// ```
    #[inline]
    #[track_caller]
    pub fn set_flag(self, value: T, on: bool) -> Option<C::EntityMut<'a>> {
        match (on, owner_of::<C, T>(self.context)) {
            (true, Some(owner)) => return Some(EntityMut::new(self.context, owner).into()),
            (true, None) => return Some(create(self.context, value).into()),
            (false, Some(owner)) => expect(state::destroy(self.context, owner)),
            (false, None) => {}
        }
        None
    }
}

impl<C: Handles, T: UniqueComponent<C> + fmt::Debug> fmt::Debug for Unique<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unique")
            .field(&Unique::get(Self { ..*self }))
            .finish()
    }
}

impl<C, T> fmt::Debug for UniqueMut<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UniqueMut").finish_non_exhaustive()
    }
}

/// Creates an entity with a unique component that no entity has.
#[track_caller]
fn create<C: HasCore, T: UniqueComponent<C>>(context: &mut C, value: T) -> EntityMut<'_, C> {
    let id = create::by(context, |writer| writer.put(value));
    EntityMut::new(context, id)
}

/// The entity that has a unique component.
#[inline]
fn owner<C: HasCore, T: UniqueComponent<C>>(
    context: &C,
    operation: Operation,
) -> Result<EntityId<C>, Error> {
    match owner_of::<C, T>(context) {
        Some(owner) => Ok(owner),
        None => Err(not_set::<C, T>(operation)),
    }
}

#[cold]
fn not_set<C, T: UniqueComponent<C>>(operation: Operation) -> Error {
    Error::unique_not_set(T::NAMES, operation)
}
