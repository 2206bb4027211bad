//! The methods of a context that look entities and components up.

use super::{Context, Entities};
use crate::api::entity::{Entity, EntityMut};
use crate::state::HasCore;
use crate::storage::registry::index_of;
use crate::storage::slots::Slot;
use crate::words::component::{Component, ComponentIndex, ComponentInfo};
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation, refuse};

/// The methods of a [`Context`] that look entities and components up, and count them.
///
/// A part of [`Context`], whose structs have each of these methods as their own.
pub trait LookUp: HasCore {
    /// How many entities are alive.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// game.create_many([Frozen, Frozen]);
    /// assert_eq!(game.len(), 2);
    /// ```
    #[inline]
    fn len(&self) -> usize {
        self.core().slots.len()
    }

    /// Whether no entity is alive.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// assert!(game.is_empty());
    /// game.create_entity();
    /// assert!(!game.is_empty());
    /// ```
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The living entities, for reading, in ascending order of index.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.entities().map(|entity| entity.id()).eq([id]));
    /// ```
    fn entities(&self) -> Entities<'_, Self>
    where
        Self: Context,
    {
        Entities::new(self)
    }

    /// Whether the entity is alive in this context.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.contains(id));
    /// game.destroy(id);
    /// assert!(!game.contains(id));
    /// ```
    #[inline]
    fn contains(&self, id: EntityId<Self>) -> bool {
        self.core().slots.get(id).is_some()
    }

    /// A handle that reads the entity.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_frozen().id();
    /// assert!(game.entity(id).is_frozen());
    /// ```
    #[inline]
    #[track_caller]
    fn entity(&self, id: EntityId<Self>) -> Self::Entity<'_>
    where
        Self: Context,
    {
        let slot = living(self, id);
        Entity::new(self, slot).into()
    }

    /// A handle that reads the entity, or `None` where it is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.destroy(id);
    /// assert!(game.get_entity(id).is_none());
    /// ```
    #[inline]
    fn get_entity(&self, id: EntityId<Self>) -> Option<Self::Entity<'_>>
    where
        Self: Context,
    {
        let slot = self.core().slots.get(id)?;
        Some(Entity::new(self, slot).into())
    }

    /// A handle that changes the entity.
    ///
    /// # Panics
    ///
    /// Panics where the entity is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// game.entity_mut(id).add_frozen();
    /// assert!(game.entity(id).is_frozen());
    /// ```
    #[inline]
    #[track_caller]
    fn entity_mut(&mut self, id: EntityId<Self>) -> Self::EntityMut<'_>
    where
        Self: Context,
    {
        living(self, id);
        EntityMut::new(self, id).into()
    }

    /// A handle that changes the entity, or `None` where it is dead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// if let Some(mut entity) = game.get_entity_mut(id) {
    ///     entity.add_frozen();
    /// }
    /// assert!(game.entity(id).is_frozen());
    /// ```
    #[inline]
    fn get_entity_mut(&mut self, id: EntityId<Self>) -> Option<Self::EntityMut<'_>>
    where
        Self: Context,
    {
        self.contains(id).then(|| EntityMut::new(self, id).into())
    }

    /// A handle that reads the entity.
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.try_entity(id).is_ok());
    /// game.destroy(id);
    /// assert!(matches!(game.try_entity(id), Err(error) if error.kind() == ErrorKind::NotAlive));
    /// ```
    #[inline]
    fn try_entity(&self, id: EntityId<Self>) -> Result<Self::Entity<'_>, Error>
    where
        Self: Context,
    {
        Ok(Entity::new(self, alive(self, id)?).into())
    }

    /// A handle that changes the entity.
    ///
    /// # Errors
    ///
    /// [`NotAlive`](crate::ErrorKind::NotAlive).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// # let mut game = Game::new();
    /// # let id = game.create_entity().id();
    /// fn freeze(game: &mut Game, id: EntityId<Game>) -> Result<(), Error> {
    ///     game.try_entity_mut(id)?.try_add_frozen()?;
    ///     Ok(())
    /// }
    /// assert!(freeze(&mut game, id).is_ok());
    /// ```
    #[inline]
    fn try_entity_mut(&mut self, id: EntityId<Self>) -> Result<Self::EntityMut<'_>, Error>
    where
        Self: Context,
    {
        alive(self, id)?;
        Ok(EntityMut::new(self, id).into())
    }

    /// What is known of each component, by its index.
    ///
    /// A component that is not known to the linker is listed after its first use in
    /// this context.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let game = Game::new();
    /// let names: Vec<_> = game.components().iter().map(|info| info.name()).collect();
    /// assert_eq!(names, ["Frozen"]);
    /// ```
    fn components(&self) -> &[ComponentInfo] {
        self.core().columns.infos()
    }

    /// The index of component `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let game = Game::new();
    /// let index = game.component_index::<Frozen>();
    /// assert_eq!(game.components()[index.get()].name(), "Frozen");
    /// ```
    fn component_index<T: Component<Self>>(&self) -> ComponentIndex {
        index_of::<Self, T>()
    }

    /// What is known of the component with this name, as in `Position`, or with this
    /// full path, as in `game::physics::Position`. Of several with one name it is the one
    /// with the lowest index; full paths come first.
    ///
    /// Complexity: linear in components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let game = Game::new();
    /// let info = game.find_component("Frozen").unwrap();
    /// assert_eq!(info.index(), game.component_index::<Frozen>());
    /// assert!(game.find_component("Lost").is_none());
    /// ```
    fn find_component(&self, name: &str) -> Option<&ComponentInfo> {
        let infos = self.core().columns.infos();
        let by_path = infos.iter().find(|info| info.type_name() == name);
        by_path.or_else(|| infos.iter().find(|info| info.name() == name))
    }
}

impl<C: HasCore> LookUp for C {}

/// The slot of a living entity, or the refusal.
#[inline]
fn alive<C: HasCore>(context: &C, id: EntityId<C>) -> Result<Slot, Error> {
    context.core().slots.get(id).ok_or_else(|| not_alive(id))
}

/// The same, or a panic.
#[inline]
#[track_caller]
fn living<C: HasCore>(context: &C, id: EntityId<C>) -> Slot {
    match context.core().slots.get(id) {
        Some(slot) => slot,
        None => refuse_dead(id),
    }
}

#[cold]
#[inline(never)] // a caller that reads has nothing to keep then
#[track_caller]
fn refuse_dead<C: HasCore>(id: EntityId<C>) -> ! {
    refuse(not_alive(id))
}

#[cold]
fn not_alive<C: HasCore>(id: EntityId<C>) -> Error {
    Error::not_alive(id.raw(), C::NAME, Operation::Access)
}
