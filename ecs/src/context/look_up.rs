//! The methods of a context that look entities and components up which may not be there.

use super::Context;
use crate::component::{Component, ComponentIndex, ComponentInfo};
use crate::entity::{Entity, EntityMut};
use crate::entity_id::EntityId;
use crate::error::{Error, Operation};
use crate::registry::index_of;
use crate::slots::Slot;
use crate::state::HasCore;

/// The methods of a [`Context`] that look up what may not be there.
pub trait LookUp: HasCore {
    /// A handle that reads the entity.
    ///
    /// # Errors
    ///
    /// [`Error::NotAlive`].
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// let mut game = Game::new();
    /// let id = game.create_entity().id();
    /// assert!(game.try_entity(id).is_ok());
    /// game.destroy(id);
    /// assert!(matches!(game.try_entity(id), Err(Error::NotAlive { .. })));
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
    /// [`Error::NotAlive`].
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

#[inline]
fn alive<C: HasCore>(context: &C, id: EntityId<C>) -> Result<Slot, Error> {
    context.core().slots.get(id).ok_or(Error::NotAlive {
        entity: id.raw(),
        context: C::NAME,
        operation: Operation::Access,
        component: None,
    })
}
