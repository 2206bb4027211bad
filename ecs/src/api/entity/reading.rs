//! Methods that the exclusive handle shares with the shared one. Once an observer has destroyed the
//! entity, it has no components.

use alloc::vec::Vec;

use super::{Entity, EntityMut};
use crate::state::HasCore;
use crate::words::component::typed::ComponentIndex;
use crate::words::component::{Component, Components};
use crate::words::entity_id::EntityId;
use crate::words::error::{Operation, reject};

impl<'a, C: HasCore> EntityMut<'a, C> {
    /// Returns a handle that changes the entity, or `None` if it is dead.
    ///
    /// For code that is generic over contexts; otherwise use
    /// [`get_entity_mut`](crate::Context::get_entity_mut).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::{EntityMut, prelude::*};
    /// # use sample::*;
    /// fn clear<C: Context>(context: &mut C, id: EntityId<C>) {
    ///     if let Some(mut entity) = EntityMut::find(context, id) { entity.remove_all(); }
    /// }
    /// let mut game = Game::new();
    /// let id = game.create_with(Frozen).id();
    /// clear(&mut game, id);
    /// assert!(game.entity(id).is_empty());
    /// ```
    #[track_caller]
    pub fn find(context: &'a mut C, id: EntityId<C>) -> Option<Self> {
        Entity::find(context, id)?;
        Some(Self::new(context, id))
    }
}

impl<C: HasCore> EntityMut<'_, C> {
    /// Returns the entity's id.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = game.create_entity();
    /// let id = entity.id();
    /// assert!(game.contains(id));
    /// ```
    #[inline]
    pub fn id(&self) -> EntityId<C> {
        self.id
    }

    /// Returns whether the entity is alive: false once an observer has destroyed it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let frozen = game.group(Game::all_of::<Frozen>());
    /// frozen.on_entered(&mut game, |game, change| game.destroy(change.entity()));
    /// let mut entity = game.create_entity();
    /// entity.add_frozen();
    /// assert!(!entity.is_alive());
    /// ```
    #[inline]
    pub fn is_alive(&self) -> bool {
        self.context.core().world.is_alive(self.id)
    }

    /// Returns the context of the entity.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = game.create_entity();
    /// assert_eq!(entity.context().len(), 1);
    /// ```
    #[inline]
    pub fn context(&self) -> &C {
        self.context
    }

    /// Returns the context of the entity, to change it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_entity();
    /// let other = entity.context_mut().create_entity().id();
    /// assert_ne!(entity.id(), other);
    /// ```
    #[inline]
    pub fn context_mut(&mut self) -> &mut C {
        self.context
    }

    /// Returns a handle that reads the entity.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut entity = game.create_with(Health(3));
    /// let reading = entity.as_ref();
    /// assert_eq!(reading.health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if an observer has destroyed the entity.
    #[inline]
    #[track_caller]
    pub fn as_ref(&self) -> Entity<'_, C> {
        match self.get_ref() {
            Some(entity) => entity,
            None => reject(self.dead(Operation::Access)),
        }
    }

    /// Returns whether the entity has component `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = game.create_with(Frozen);
    /// assert!(entity.has::<Frozen>());
    /// ```
    #[inline]
    pub fn has<T: Component<C>>(&self) -> bool {
        self.get_ref().is_some_and(|entity| entity.has::<T>())
    }

    /// Returns whether the entity has every component of `T`: one component or a tuple.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = game.create_with((Health(3), Frozen));
    /// assert!(entity.has_all::<(Health, Frozen)>());
    /// ```
    pub fn has_all<T: Components<C>>(&self) -> bool {
        self.get_ref().is_some_and(|entity| entity.has_all::<T>())
    }

    /// Returns whether the entity has at least one component of `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = game.create_entity();
    /// assert!(!entity.has_any::<(Health, Frozen)>());
    /// ```
    pub fn has_any<T: Components<C>>(&self) -> bool {
        self.get_ref().is_some_and(|entity| entity.has_any::<T>())
    }

    /// Returns whether the entity has no components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// assert!(game.create_entity().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.get_ref().is_none_or(|entity| entity.is_empty())
    }

    /// Returns the indices of the entity's components, in ascending order.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let indices = game.create_with(Frozen).component_indices();
    /// assert_eq!(indices, [game.components().index_of::<Frozen>()]);
    /// ```
    pub fn component_indices(&self) -> Vec<ComponentIndex<C>> {
        self.get_ref()
            .map_or(Vec::new(), |entity| entity.component_indices())
    }

    /// Returns the entity's component `T`, or `None` if it lacks it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = game.create_entity();
    /// assert!(entity.get::<Health>().is_none());
    /// ```
    #[inline]
    pub fn get<T: Component<C>>(&self) -> Option<&T> {
        self.get_ref()?.get()
    }

    /// Returns the entity's component `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let entity = game.create_with(Health(3));
    /// assert_eq!(entity.component::<Health>().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the entity lacks it, or was destroyed by an observer.
    #[inline]
    #[track_caller]
    pub fn component<T: Component<C>>(&self) -> &T {
        self.as_ref().component()
    }
}
