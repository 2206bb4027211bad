//! A handle to one component of one entity, which can be stored.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::entity::{Entity, EntityMut};
use crate::state::HasCore;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::map_ids::{IdMap, MapIds};

/// The component `T` of one entity: an id that says what is read there. As large as the id, and `Copy`.
///
/// It does not keep the component alive. It is alive as long as the entity is alive and has a `T`; if the component is
/// removed and added again, the handle refers to the new one. It can be stored in components, and is saved, copied and
/// mapped as its id is.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// use ecs::ComponentHandle;
///
/// let mut game = Game::new();
/// let id = game.create_with(Health(3)).id();
/// let health = ComponentHandle::<Game, Health>::new(id);
/// assert_eq!(health.get(&game).unwrap().0, 3);
///
/// health.update(&mut game, |health| health.0 -= 1);
/// assert_eq!(game.entity(id).health().0, 2);
///
/// game.entity_mut(id).remove_health();
/// assert!(!health.is_alive(&game));
/// game.entity_mut(id).add_health(9);
/// assert!(health.is_alive(&game));
/// game.destroy(id);
/// assert!(health.get(&game).is_none());
/// ```
pub struct ComponentHandle<C, T> {
    id: EntityId<C>,
    component: PhantomData<fn() -> T>,
}

impl<C, T> ComponentHandle<C, T> {
    /// Returns a handle to the component `T` of an entity, which need not have it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(!ecs::ComponentHandle::<Game, Health>::new(id).is_alive(&game));
    /// ```
    #[inline]
    pub const fn new(id: EntityId<C>) -> Self {
        let component = PhantomData;
        Self { id, component }
    }

    /// Returns the id of the entity.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert_eq!(ecs::ComponentHandle::<Game, Health>::new(id).id(), id);
    /// ```
    #[inline]
    pub const fn id(self) -> EntityId<C> {
        self.id
    }
}

impl<C: HasCore, T: Component<C>> ComponentHandle<C, T> {
    /// Returns whether the entity is alive and has the component.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// assert!(ecs::ComponentHandle::<Game, Health>::new(id).is_alive(&game));
    /// ```
    #[inline]
    #[track_caller]
    pub fn is_alive(self, context: &C) -> bool {
        Entity::find(context, self.id).is_some_and(Entity::has::<T>)
    }

    /// Returns the component, or `None` if it is not [alive](Self::is_alive).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// assert_eq!(ecs::ComponentHandle::<Game, Health>::new(id).get(&game).unwrap().0, 3);
    /// ```
    #[inline]
    #[track_caller]
    pub fn get(self, context: &C) -> Option<&T> {
        Entity::find(context, self.id)?.get()
    }

    /// Changes the component as [`EntityMut::update`] does, and returns what `change` returns; `None` without calling
    /// it if the component is not [alive](Self::is_alive).
    ///
    /// Events: those of [`EntityMut::update`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// let health = ecs::ComponentHandle::<Game, Health>::new(id);
    /// assert_eq!(health.update(&mut game, |it| { it.0 += 1; it.0 }), Some(4));
    /// game.destroy(id);
    /// assert_eq!(health.update(&mut game, |it| it.0), None);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if another entity has a primary key of the new value.
    #[track_caller]
    pub fn update<R>(self, context: &mut C, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        let mut entity = EntityMut::find(context, self.id).filter(EntityMut::has::<T>)?;
        Some(entity.update(change))
    }
}

// By hand, because derives would add bounds on `C` and `T`.
impl<C, T> Clone for ComponentHandle<C, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, T> Copy for ComponentHandle<C, T> {}

impl<C, T> PartialEq for ComponentHandle<C, T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<C, T> Eq for ComponentHandle<C, T> {}

impl<C, T> Hash for ComponentHandle<C, T> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl<C: HasCore, T: Component<C>> fmt::Debug for ComponentHandle<C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:?})", T::NAMES.component, self.id)
    }
}

impl<C: 'static, T> MapIds for ComponentHandle<C, T> {
    fn map_ids(&mut self, map: &IdMap<'_>) {
        self.id.map_ids(map);
    }
}

/// Written as its id.
#[cfg(feature = "serde")]
impl<C: 'static, T> Serialize for ComponentHandle<C, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.id.serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de, C: 'static, T> Deserialize<'de> for ComponentHandle<C, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        EntityId::deserialize(deserializer).map(Self::new)
    }
}
