//! The methods of a context that bring entities to life and end them.

use super::Context;
use crate::api::bundle::{self, Bundle};
use crate::api::entity::EntityMut;
use crate::state::{self, HasCore};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, expect};

/// The methods of a [`Context`] that create and destroy entities.
///
/// A part of [`Context`], whose structs have each of these methods as their own.
pub trait Lifecycle: HasCore {
    /// Creates an entity without components.
    ///
    /// Events: *created*; *entered* for groups that match entities without components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.contains(id));
    /// ```
    #[inline]
    fn create_entity(&mut self) -> Self::EntityMut<'_>
    where
        Self: Context,
    {
        let id = state::create(self);
        EntityMut::new(self, id).into()
    }

    /// Creates an entity with all components of a bundle, in one change.
    ///
    /// Events: *created*; *entered* for the groups of the whole entity, none for
    /// those of a part.
    ///
    /// # Panics
    ///
    /// Panics where the bundle has a component twice, a unique one that an entity has, or a
    /// key of a primary index that is another entity's; nothing is created then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Player;
    /// let mut game = Game::new();
    /// let id = game.create_with((Health(3), Player)).id();
    /// assert!(game.entity(id).is_player());
    /// ```
    #[inline(always)] // see `bundle::create_with`
    #[track_caller]
    fn create_with<B: Bundle<Self>>(&mut self, bundle: B) -> Self::EntityMut<'_>
    where
        Self: Context,
    {
        let id = bundle::create::create_with(self, bundle);
        EntityMut::new(self, id).into()
    }

    /// Destroys an entity with all its components.
    ///
    /// Events: *will be destroyed*, with the entity whole and in its groups; then it
    /// is gone from all books; then *left* for each group, through the components in
    /// ascending order of index (it enters no group on the way); then *destroyed*.
    ///
    /// Called by a *will be destroyed* observer, the destroy is carried out right
    /// after the one under way.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead, or is being destroyed already.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let frozen = game.group(Matcher::all_of::<Frozen>());
    /// let id = game.create_entity().add_frozen().id();
    /// game.destroy(id);
    /// assert!(!game.contains(id) && frozen.is_empty(&game));
    /// ```
    #[inline]
    #[track_caller]
    fn destroy(&mut self, id: EntityId<Self>) {
        expect(self.try_destroy(id));
    }

    /// Destroys an entity; see [`destroy`](Self::destroy).
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive), [`BeingDestroyed`](crate::ErrorKind::BeingDestroyed).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.try_destroy(id).is_ok());
    /// assert!(game.try_destroy(id).is_err());
    /// ```
    #[inline]
    fn try_destroy(&mut self, id: EntityId<Self>) -> Result<(), Error> {
        state::destroy(self, id)
    }

    /// Destroys every entity that is alive at the call, in ascending order of index,
    /// each as [`destroy`](Self::destroy) does. Entities that observers create
    /// meanwhile stay.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let ids = game.create_many([Frozen, Frozen]);
    /// game.destroy_all();
    /// assert!(game.is_empty() && !game.contains(ids[0]));
    /// ```
    fn destroy_all(&mut self) {
        state::destroy_all(self);
    }
}

impl<C: HasCore> Lifecycle for C {}
