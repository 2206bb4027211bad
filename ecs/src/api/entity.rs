//! Handles of entities: a shared one to read, an exclusive one to change.
//!
//! `#[ecs::context]` wraps each in a type of the user's crate, `GameEntity` and `GameEntityMut`, so
//! that the derive can add accessors to it.

mod adding;
mod bundles;
mod listen;
mod reading;
mod removing;
mod shared;
mod updating;

use alloc::boxed::Box;
use core::fmt;

pub use self::shared::Entity;
use super::related::Related;
use crate::records::feed::Feed;
use crate::state::{HasCore, Rejection};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};
use crate::words::origin::Origin;
use crate::words::relation::Relation;

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
        let slot = self.context.core().world.slots().get(self.id)?;
        Some(Entity::new(&*self.context, slot))
    }

    #[cold]
    fn dead(&self, operation: Operation) -> Error {
        Error::not_alive(self.id.raw(), C::NAME, operation)
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
    crate::state::rejected(&context.core().world, rejection, id, T::NAMES, operation)
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

/// The types of a context's entity handles.
///
/// Implemented by `#[ecs::context]`; the methods of a context are in [`Context`](crate::Context).
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
    /// see.
    ///
    /// The client sees an entity appear when it comes into sight and vanish when it goes out of
    /// sight.
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
        self.limit(Box::new(sees));
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
    /// target.
    ///
    /// Both are empty once an observer has destroyed the entity.
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
