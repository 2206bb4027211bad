//! The handle that changes an entity.

use alloc::vec::Vec;
use core::fmt;

use super::{ByIndexMut, Entity, lacks};
use crate::component::{Component, ComponentIndex, Components};
use crate::entity_id::EntityId;
use crate::error::{Error, Operation, expect, refuse};
use crate::state::{self, HasCore};

/// An entity, for changing: what `GameEntityMut` is made of.
///
/// It borrows the context exclusively. What is called on it runs observers, and
/// these may destroy the entity: then `is_alive` is false and further changes are
/// refused.
pub struct EntityMut<'a, C> {
    context: &'a mut C,
    id: EntityId<C>,
}

impl<'a, C: HasCore> EntityMut<'a, C> {
    #[inline]
    pub(crate) fn new(context: &'a mut C, id: EntityId<C>) -> Self {
        Self { context, id }
    }

    /// The entity's id.
    #[inline]
    pub fn id(&self) -> EntityId<C> {
        self.id
    }

    /// Whether the entity is alive: false once an observer has destroyed it.
    #[inline]
    pub fn is_alive(&self) -> bool {
        self.context.core().slots.get(self.id).is_some()
    }

    /// The context the entity lives in.
    #[inline]
    pub fn context(&self) -> &C {
        self.context
    }

    /// The context the entity lives in, to be changed.
    #[inline]
    pub fn context_mut(&mut self) -> &mut C {
        self.context
    }

    /// The entity, for reading, if it is alive.
    #[inline]
    fn get_ref(&self) -> Option<Entity<'_, C>> {
        let slot = self.context.core().slots.get(self.id)?;
        Some(Entity::new(&*self.context, slot))
    }

    /// The entity, for reading.
    ///
    /// # Panics
    ///
    /// Panics where an observer has destroyed the entity.
    #[inline]
    #[track_caller]
    pub fn as_ref(&self) -> Entity<'_, C> {
        match self.get_ref() {
            Some(entity) => entity,
            None => refuse(self.dead(Operation::Access)),
        }
    }

    #[cold]
    fn dead(&self, operation: Operation) -> Error {
        let (entity, context) = (self.id.raw(), C::NAME);
        Error::NotAlive {
            entity,
            context,
            operation,
            component: None,
        }
    }

    /// Whether the entity has component `T`.
    #[inline]
    pub fn has<T: Component<C>>(&self) -> bool {
        self.get_ref().is_some_and(|entity| entity.has::<T>())
    }

    /// Whether the entity has every component of `T`: one component or a tuple.
    pub fn has_all<T: Components<C>>(&self) -> bool {
        self.get_ref().is_some_and(|entity| entity.has_all::<T>())
    }

    /// Whether the entity has at least one component of `T`.
    pub fn has_any<T: Components<C>>(&self) -> bool {
        self.get_ref().is_some_and(|entity| entity.has_any::<T>())
    }

    /// Whether the entity has no component.
    pub fn is_empty(&self) -> bool {
        self.get_ref().is_none_or(|entity| entity.is_empty())
    }

    /// The indices of the entity's components, ascending.
    pub fn component_indices(&self) -> Vec<ComponentIndex> {
        self.get_ref()
            .map_or(Vec::new(), |entity| entity.component_indices())
    }

    /// The entity's component `T`, if it has one.
    #[inline]
    pub fn get<T: Component<C>>(&self) -> Option<&T> {
        self.get_ref()?.get()
    }

    /// The entity's component `T`.
    ///
    /// # Panics
    ///
    /// Panics where the entity has none, or has been destroyed by an observer.
    #[inline]
    #[track_caller]
    pub fn component<T: Component<C>>(&self) -> &T {
        self.as_ref().component()
    }

    /// Adds a component.
    ///
    /// Events: *entered* and *left* for the groups concerned.
    ///
    /// # Panics
    ///
    /// Panics where the entity has one already, or is dead.
    #[inline]
    #[track_caller]
    pub fn add<T: Component<C>>(&mut self, value: T) -> &mut Self {
        expect(self.try_add(value))
    }

    /// Adds a component.
    ///
    /// # Errors
    ///
    /// [`Error::AlreadyHasComponent`], [`Error::NotAlive`]; nothing has changed then.
    #[inline]
    pub fn try_add<T: Component<C>>(&mut self, value: T) -> Result<&mut Self, Error> {
        match state::add(self.context, self.id, value) {
            Ok(()) => Ok(self),
            Err(refusal) => Err(refusal.error::<C, T>(self.id, Operation::Add)),
        }
    }

    /// Replaces a component, or adds it where it is missing.
    ///
    /// Events: *updated* for the groups whose matcher names it, also if the values
    /// are equal; never *left* and *entered*. As for `add` where it was missing.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead.
    #[inline]
    #[track_caller]
    pub fn replace<T: Component<C>>(&mut self, value: T) -> &mut Self {
        expect(self.try_replace(value))
    }

    /// Replaces a component, or adds it where it is missing.
    ///
    /// # Errors
    ///
    /// [`Error::NotAlive`].
    #[inline]
    pub fn try_replace<T: Component<C>>(&mut self, value: T) -> Result<&mut Self, Error> {
        match state::replace(self.context, self.id, value) {
            Ok(()) => Ok(self),
            Err(refusal) => Err(refusal.error::<C, T>(self.id, Operation::Replace)),
        }
    }

    /// Changes a component in place, then reports an update.
    ///
    /// Events: *updated* for the groups whose matcher names it. Observers are told
    /// the previous value where the component is `Clone`. Where `change` panics the
    /// value stays as it left it, and nothing is reported.
    ///
    /// # Panics
    ///
    /// Panics where the entity has no such component, or is dead.
    #[inline]
    #[track_caller]
    pub fn update<T: Component<C>>(&mut self, change: impl FnOnce(&mut T)) -> &mut Self {
        expect(self.try_update(change))
    }

    /// Changes a component in place, then reports an update; see
    /// [`update`](Self::update).
    ///
    /// # Errors
    ///
    /// [`Error::DoesNotHaveComponent`], [`Error::NotAlive`]; `change` is not called
    /// then.
    #[inline]
    pub fn try_update<T: Component<C>>(
        &mut self,
        change: impl FnOnce(&mut T),
    ) -> Result<&mut Self, Error> {
        match state::update(self.context, self.id, change) {
            Ok(()) => Ok(self),
            Err(refusal) => Err(refusal.error::<C, T>(self.id, Operation::Update)),
        }
    }

    /// Removes a component; its value is dropped, or kept on the pool stack if the
    /// component is `pooled`, after all observers have seen it.
    ///
    /// Events: *left* and *entered* for the groups concerned.
    ///
    /// # Panics
    ///
    /// Panics where the entity has no such component, or is dead.
    #[inline]
    #[track_caller]
    pub fn remove<T: Component<C>>(&mut self) -> &mut Self {
        expect(self.try_remove::<T>())
    }

    /// Removes a component; see [`remove`](Self::remove).
    ///
    /// # Errors
    ///
    /// [`Error::DoesNotHaveComponent`], [`Error::NotAlive`]; nothing has changed then.
    #[inline]
    pub fn try_remove<T: Component<C>>(&mut self) -> Result<&mut Self, Error> {
        match state::remove::<C, T>(self.context, self.id) {
            Ok(()) => Ok(self),
            Err(refusal) => Err(refusal.error::<C, T>(self.id, Operation::Remove)),
        }
    }

    /// Removes a component and hands its value over; `None`, and no event, where the
    /// entity has none.
    ///
    /// Events: as for [`remove`](Self::remove). Inside an observer the news of it has
    /// to wait while the value is handed over at once, so that
    /// [`Change::previous`](crate::Change::previous) is `None` then.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead.
    #[inline]
    #[track_caller]
    pub fn take<T: Component<C>>(&mut self) -> Option<T> {
        expect(self.try_take())
    }

    /// Removes a component and hands its value over; see [`take`](Self::take).
    ///
    /// # Errors
    ///
    /// [`Error::NotAlive`].
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// entity.add_health(3);
    /// assert_eq!(entity.try_take::<Health>().unwrap().unwrap().0, 3);
    /// assert!(entity.try_take::<Health>().unwrap().is_none());
    /// ```
    #[inline]
    pub fn try_take<T: Component<C>>(&mut self) -> Result<Option<T>, Error> {
        match state::take(self.context, self.id) {
            Ok(value) => Ok(value),
            Err(refusal) => Err(refusal.error::<C, T>(self.id, Operation::Remove)),
        }
    }

    /// The components by their index, for tools that do not know the types.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let index = game.component_index::<Frozen>();
    /// let mut entity = game.create_entity();
    /// entity.by_index().try_add(index, Box::new(Frozen)).unwrap();
    /// assert!(entity.is_frozen());
    /// ```
    pub fn by_index(&mut self) -> ByIndexMut<'_, C> {
        ByIndexMut::new(self.context, self.id)
    }

    /// A component to be written to **without reporting it**: no group, collector or
    /// observer hears of the change.
    ///
    /// # Panics
    ///
    /// Panics where the entity has no such component, or is dead.
    #[inline]
    #[track_caller]
    pub fn mut_untracked<T: Component<C>>(&mut self) -> &mut T {
        let id = self.id;
        let Some(slot) = self.context.core().slots.get(id) else {
            refuse(self.dead(Operation::Access))
        };
        match self
            .context
            .core_mut()
            .columns
            .of_mut::<T>()
            .get_mut(slot.row)
        {
            Some(value) => value,
            None => refuse(lacks::<C, T>(id)),
        }
    }

    /// Adds a component whose value is filled in by `fill`: the top of the pool stack
    /// as it was when it got there, or a default value.
    ///
    /// # Panics
    ///
    /// Panics where the entity has one already, or is dead; `fill` is not called then.
    #[inline]
    #[track_caller]
    pub fn add_with<T: Component<C> + Default>(&mut self, fill: impl FnOnce(&mut T)) -> &mut Self {
        if self.as_ref().has::<T>() {
            let (entity, component) = (self.id.raw(), T::NAMES);
            refuse(Error::AlreadyHasComponent { entity, component });
        }
        let value = state::filled(self.context, fill);
        self.add(value)
    }

    /// Replaces a component, or adds it, with a value filled in by `fill`: the top of
    /// the pool stack as it was when it got there, or a default value.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead; `fill` is not called then.
    #[inline]
    #[track_caller]
    pub fn replace_with<T: Component<C> + Default>(
        &mut self,
        fill: impl FnOnce(&mut T),
    ) -> &mut Self {
        self.as_ref();
        let value = state::filled(self.context, fill);
        self.replace(value)
    }

    /// Removes every component in ascending order of index, one change each; does
    /// nothing where there is none. It ends early where an observer destroys the entity
    /// or the `drop` of a value panics.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead.
    #[track_caller]
    pub fn remove_all(&mut self) -> &mut Self {
        expect(state::remove_all(self.context, self.id));
        self
    }

    /// Destroys the entity; see [`Context::destroy`](crate::Context::destroy).
    ///
    /// # Panics
    ///
    /// Panics where an observer has destroyed the entity, or is about to.
    #[inline]
    #[track_caller]
    pub fn destroy(self) {
        expect(self.try_destroy());
    }

    /// Destroys the entity; see [`Context::destroy`](crate::Context::destroy).
    ///
    /// # Errors
    ///
    /// [`Error::NotAlive`], [`Error::BeingDestroyed`].
    #[inline]
    pub fn try_destroy(self) -> Result<(), Error> {
        state::destroy(self.context, self.id)
    }
}

/// Prints the id and the components, or the id and «dead».
impl<C: HasCore> fmt::Debug for EntityMut<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get_ref() {
            Some(entity) => fmt::Debug::fmt(&entity, f),
            None => write!(f, "{:?}(dead)", self.id),
        }
    }
}
