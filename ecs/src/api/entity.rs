//! Handles of entities: a shared one to read, an exclusive one to change.
//!
//! `#[ecs::context]` wraps each in a type of the user's crate, `GameEntity` and `GameEntityMut`, so
//! that the derive can add accessors to it.

mod listen;
mod reading;
mod shared;

use alloc::boxed::Box;
use core::fmt;

use crate::api::bundle::Bundle;
use crate::api::related::Related;
use crate::state;
use crate::state::records::feed::Feed;
use crate::state::{HasCore, Present, Rejection};
use crate::storage::registry::index_of;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation, expect, reject};
use crate::words::origin::Origin;
use crate::words::relation::Relation;

pub use self::shared::Entity;

/// A handle that changes an entity; `GameEntityMut` wraps it.
///
/// It borrows the context exclusively. Its methods run observers, which may destroy the entity:
/// then `is_alive` returns false and further changes are rejected.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let mut entity: GameEntityMut<'_> = game.create_entity();
/// entity.add_frozen();
/// assert!(entity.is_frozen());
/// ```
pub struct EntityMut<'a, C> {
    context: &'a mut C,
    id: EntityId<C>,
}

impl<'a, C: HasCore> EntityMut<'a, C> {
    #[inline]
    pub(crate) fn new(context: &'a mut C, id: EntityId<C>) -> Self {
        Self { context, id }
    }

    /// Returns the entity, for reading, if it is alive.
    #[inline]
    pub(crate) fn get_ref(&self) -> Option<Entity<'_, C>> {
        let slot = self.context.core().slots().get(self.id)?;
        Some(Entity::new(&*self.context, slot))
    }

    #[cold]
    fn dead(&self, operation: Operation) -> Error {
        Error::not_alive(self.id.raw(), C::NAME, operation)
    }

    /// Adds a component.
    ///
    /// Events: *entered* and *left* for the groups concerned.
    ///
    /// # Panics
    ///
    /// Panics if [`try_add`](Self::try_add) would return an error, such as when the entity is dead
    /// or already has the component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// entity.add(Health(3)).add(Frozen);
    /// assert_eq!(entity.health().0, 3);
    /// ```
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
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// assert!(entity.try_add(Frozen).is_ok());
    /// assert!(entity.try_add(Frozen).is_err());
    /// ```
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
    /// # Panics
    ///
    /// Panics if [`try_replace`](Self::try_replace) would return an error, such as when the entity
    /// is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// entity.replace(Health(2));
    /// assert_eq!(entity.health().0, 2);
    /// ```
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
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// assert!(entity.try_replace(Health(2)).is_ok());
    /// assert_eq!(entity.health().0, 2);
    /// ```
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
        if let Err(rejection) = self
            .context
            .core()
            .check_owner(Some(self.id.untyped()), index_of::<C, T>())
        {
            reject(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Add,
            ));
        }
    }

    /// Changes a component in place, then reports an update. Returns what `change` returns.
    ///
    /// Events: *updated* for the groups whose matcher names the component. Observers get the
    /// previous value if the component is `Clone`. If `change` panics, the value stays as it is at
    /// that point: it counts as updated for collectors, feeds, indexes and histories, but observers
    /// are not notified.
    ///
    /// If the component has a primary index, `change` gets a copy, which replaces the value once
    /// its keys are known to be free; so a panic changes nothing.
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead or lacks the component, or if another entity has a primary key
    /// of the new value.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// let left = entity.update(|health: &mut Health| {
    ///     health.0 -= 1;
    ///     health.0
    /// });
    /// assert_eq!((left, entity.health().0), (2, 2));
    /// ```
    #[inline]
    #[track_caller]
    pub fn update<T: Component<C>, R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R {
        match state::update(self.context, self.id, change) {
            Ok(returned) => returned,
            Err(rejection) => reject(rejected::<C, T>(
                self.context,
                self.id,
                rejection,
                Operation::Update,
            )),
        }
    }

    /// Like [`update`](Self::update), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) or
    /// [`NotAlive`](crate::ErrorKind::NotAlive) without calling `change`, or
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey); nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// let updated = entity.try_update(|health: &mut Health| health.0 -= 1);
    /// assert!(matches!(updated, Err(error) if error.kind() == ErrorKind::DoesNotHaveComponent));
    /// ```
    #[inline]
    pub fn try_update<T: Component<C>, R>(
        &mut self,
        change: impl FnOnce(&mut T) -> R,
    ) -> Result<R, Error> {
        let updated = state::update(self.context, self.id, change);
        updated.map_err(|it| rejected::<C, T>(self.context, self.id, it, Operation::Update))
    }

    /// Changes a component with read access to everything else: `change` gets the value and the
    /// context. Returns what `change` returns.
    ///
    /// `change` gets a clone, which replaces the value when it returns. Until then the context
    /// contains the old value; if `change` panics, nothing has changed.
    ///
    /// Events: as for [`update`](Self::update).
    ///
    /// # Panics
    ///
    /// Panics if [`try_update_with`](Self::try_update_with) would return an error.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let attacker = game.create_with(Strength(2)).id();
    /// let mut victim = game.create_with(Health(5));
    /// victim.update_with(|health: &mut Health, game| {
    ///     health.0 -= game.entity(attacker).strength().0;
    /// });
    /// assert_eq!(victim.health().0, 3);
    /// ```
    #[inline]
    #[track_caller]
    pub fn update_with<T: Component<C> + Clone, R>(
        &mut self,
        change: impl FnOnce(&mut T, &C) -> R,
    ) -> R {
        expect(self.try_update_with(change))
    }

    /// Like [`update_with`](Self::update_with), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) or
    /// [`NotAlive`](crate::ErrorKind::NotAlive) without calling `change`, or
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey); nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// assert!(entity.try_update_with(|health: &mut Health, _| health.0 -= 1).is_err());
    /// ```
    #[inline]
    pub fn try_update_with<T: Component<C> + Clone, R>(
        &mut self,
        change: impl FnOnce(&mut T, &C) -> R,
    ) -> Result<R, Error> {
        let updated = state::update_with(self.context, self.id, change);
        updated.map_err(|it| rejected::<C, T>(self.context, self.id, it, Operation::Update))
    }

    /// Removes a component. After all observers have seen the value, it is dropped, or pooled if
    /// the component is `pooled`.
    ///
    /// Events: *left* and *entered* for the groups concerned.
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead or lacks the component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// entity.remove::<Health>();
    /// assert!(!entity.has_health());
    /// ```
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
    /// # Errors
    ///
    /// Returns [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) or
    /// [`NotAlive`](crate::ErrorKind::NotAlive); nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// assert!(entity.try_remove::<Health>().is_ok());
    /// assert!(entity.try_remove::<Health>().is_err());
    /// ```
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
    /// # Panics
    ///
    /// Panics if the entity is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// assert_eq!(entity.take::<Health>().unwrap().0, 3);
    /// assert!(entity.take::<Health>().is_none());
    /// ```
    #[inline]
    #[track_caller]
    pub fn take<T: Component<C>>(&mut self) -> Option<T> {
        expect(self.try_take())
    }

    /// Like [`take`](Self::take), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive).
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

    /// Returns a mutable reference to a component **without reporting the change**: no group,
    /// collector or observer is notified.
    ///
    /// # Panics
    ///
    /// Panics if the entity is dead or lacks the component, or if an entity index depends on the
    /// component, because the index would become wrong.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let moved = game.collector(Game::all_of::<Health>().updated());
    /// let mut entity = game.create_with(Health(3));
    /// entity.mut_untracked::<Health>().0 = 2;
    /// assert_eq!(entity.health().0, 2);
    /// assert!(moved.is_empty(&game));
    /// ```
    #[inline]
    #[track_caller]
    pub fn mut_untracked<T: Component<C>>(&mut self) -> &mut T {
        let id = self.id;
        state::check_untracked::<C, T>(self.context);
        let Some(slot) = self.context.core().slots().get(id) else {
            reject(self.dead(Operation::Access))
        };
        match self.context.core_mut().typed_mut().untracked::<T>(slot.row) {
            Some(value) => value,
            None => reject(Error::does_not_have(id.raw(), T::NAMES, Operation::Read)),
        }
    }

    /// Adds a component whose value `fill` writes, starting from the default value. The value
    /// reuses the memory of a pooled one, if there is one ([`Recycle`](crate::Recycle)).
    ///
    /// # Panics
    ///
    /// Panics if [`add`](Self::add) would panic; `fill` is not called then.
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
    #[inline]
    #[track_caller]
    pub fn add_with<T: Component<C> + Default>(&mut self, fill: impl FnOnce(&mut T)) -> &mut Self {
        self.as_ref();
        if let Err(rejection) = self
            .context
            .core()
            .check_vacant(self.id.untyped(), index_of::<C, T>())
        {
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
    /// value. The value reuses the memory of a pooled one, if there is one
    /// ([`Recycle`](crate::Recycle)).
    ///
    /// # Panics
    ///
    /// Panics if [`replace`](Self::replace) would panic; `fill` is not called then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Route(vec![1, 2]));
    /// entity.replace_with::<Route>(|route| route.0.push(3));
    /// assert_eq!(entity.route().0, [3]);
    /// ```
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

/// Takes its arguments by value, so that the caller can keep the handle in registers.
#[cold]
#[inline(never)]
fn rejected<C: HasCore, T: Component<C>>(
    context: &C,
    id: EntityId<C>,
    rejection: Rejection,
    operation: Operation,
) -> Error {
    context.core().rejected(rejection, id, T::NAMES, operation)
}

/// Prints the id and the components, or the id and `dead`.
impl<C: HasCore> fmt::Debug for EntityMut<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get_ref() {
            Some(entity) => fmt::Debug::fmt(&entity, f),
            None => write!(f, "{:?}(dead)", self.id),
        }
    }
}

/// The types of a context's entity handles. Implemented by `#[ecs::context]`; the methods of a
/// context are in [`Context`](crate::Context).
///
/// # Examples
///
/// ```
/// use ecs::prelude::*;
///
/// #[ecs::context]
/// pub struct Game;
///
/// fn first<C: Context>(context: &C) -> Option<C::Entity<'_>> {
///     context.entities().next()
/// }
///
/// let mut game = Game::new();
/// let id = game.create_entity().id();
/// assert_eq!(first(&game).unwrap().id(), id);
/// ```
pub trait Handles: HasCore {
    /// The crate in which inherent methods can be added to the handles.
    #[doc(hidden)]
    const ORIGIN: Origin = Origin::UNKNOWN;

    /// The handle that reads an entity.
    type Entity<'a>: From<Entity<'a, Self>>;
    /// The handle that changes an entity.
    type EntityMut<'a>: From<EntityMut<'a, Self>>;
}

impl<C: Handles> Feed<C> {
    /// Limits the feed to entities for which `sees` returns true, such as those that one client may
    /// see. The client sees an entity appear when it comes into sight and vanish when it goes out
    /// of sight.
    ///
    /// `sees` is called for entities of which a component of the feed has changed. If its result
    /// depends on anything else, such as the position of the viewer, call
    /// [`look_again`](Self::look_again) when that has changed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let feed = game.feed::<Position>().only(|entity| entity.position().0 < 10.0);
    /// let id = game.create_with(Position(3.0)).id();
    /// assert_eq!(feed.take(&mut game).appeared(), [id]);
    /// game.entity_mut(id).replace_position(12.0);
    /// assert!(feed.take(&mut game).vanished().eq([id]));
    /// ```
    pub fn only(mut self, sees: impl Fn(C::Entity<'_>) -> bool + Send + Sync + 'static) -> Self {
        let sees = move |context: &C, id| {
            let entity = Entity::find(context, id);
            entity.is_some_and(|entity| sees(entity.into()))
        };
        self.only = Some(Box::new(sees));
        self
    }
}

impl<'a, C: HasCore> Entity<'a, C> {
    /// Returns the entity's place in the relation `T`: the entities that refer to it, and its
    /// target.
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
    /// Returns the entity's place in the relation `T`: the entities that refer to it, and its
    /// target. Both are empty once an observer has destroyed the entity.
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

impl<C: HasCore> EntityMut<'_, C> {
    /// Removes all components in ascending order of index, each as a separate change. Does nothing
    /// if the entity has none. Stops early if an observer destroys the entity or the `drop` of a
    /// value panics.
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
    /// Panics if the entity is dead or already being destroyed, or if a relation rejects it.
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

    /// Like [`destroy`](Self::destroy), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive),
    /// [`BeingDestroyed`](crate::ErrorKind::BeingDestroyed) or, if a relation rejects it,
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

impl<C: HasCore> EntityMut<'_, C> {
    /// Swaps the component `T` with another entity, in one step. This also swaps two keys of a
    /// primary index, which would be rejected one at a time.
    ///
    /// Events: *updated* for both, as for [`update`](Self::update), once both have their new
    /// values; none if both are the same entity.
    ///
    /// # Panics
    ///
    /// Panics if one of them is dead or lacks the component, or if a relation would make one refer
    /// to itself; nothing has changed then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// #[derive(Component, Clone)]
    /// #[component(context = Game)]
    /// struct Seat(#[component(primary_index)] u32);
    ///
    /// let mut game = Game::new();
    /// let (ann, ben) = (game.create_with(Seat(1)).id(), game.create_with(Seat(2)).id());
    /// game.entity_mut(ann).swap::<Seat>(ben);
    /// assert_eq!(game.entity_with_seat(&1).unwrap().id(), ben);
    /// ```
    #[track_caller]
    pub fn swap<T: Component<C>>(&mut self, other: EntityId<C>) -> &mut Self {
        expect(self.try_swap::<T>(other).map(drop));
        self
    }

    /// Like [`swap`](Self::swap), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`NotAlive`](crate::ErrorKind::NotAlive),
    /// [`DoesNotHaveComponent`](crate::ErrorKind::DoesNotHaveComponent) or
    /// [`RelationCycle`](crate::ErrorKind::RelationCycle); nothing has changed then.
    pub fn try_swap<T: Component<C>>(&mut self, other: EntityId<C>) -> Result<&mut Self, Error> {
        state::swap::<C, T>(self.context, [self.id, other])?;
        Ok(self)
    }
}

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
    /// # Panics
    ///
    /// Panics if [`try_insert`](Self::try_insert) would return an error, or the bundle contains a
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

    /// Like [`insert`](Self::insert), but returns an error instead of panicking.
    ///
    /// # Panics
    ///
    /// Panics if the bundle contains a component twice; nothing has changed then.
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
    /// # Panics
    ///
    /// Panics if [`try_add_all`](Self::try_add_all) would return an error, or the bundle contains a
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

    /// Like [`add_all`](Self::add_all), but returns an error instead of panicking.
    ///
    /// # Panics
    ///
    /// Panics if the bundle contains a component twice; nothing has changed then.
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
