//! What narrows a query down to fewer entities.

use super::Query;
use super::data::QueryData;
use crate::component::Components;
use crate::group::Group;
use crate::state::{HasCore, foreign};

impl<C: HasCore, Q: QueryData<C>> Query<'_, C, Q> {
    /// Visits only entities that also have every component of `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_frozen().id();
    /// game.create_entity();
    /// assert_eq!(game.query::<EntityId<Game>>().with::<Frozen>().single(), Some(id));
    /// ```
    pub fn with<T: Components<C>>(mut self) -> Self {
        T::visit(&mut |component| _ = self.with.insert(component));
        self
    }

    /// Visits only entities that have no component of `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// game.create_with((Health(1), Frozen));
    /// game.create_with(Health(2));
    /// let sum: u32 = game.query::<&Health>().without::<Frozen>().iter().map(|h| h.0).sum();
    /// assert_eq!(sum, 2);
    /// ```
    pub fn without<T: Components<C>>(mut self) -> Self {
        T::visit(&mut |component| _ = self.without.insert(component));
        self
    }

    /// Visits only members of a group.
    ///
    /// # Panics
    ///
    /// Panics where the group is one of another context.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let moving = game.group(Game::all_of::<Health>().none_of::<Frozen>());
    /// game.create_with((Health(1), Frozen));
    /// game.create_with(Health(2));
    /// game.query::<&mut Health>().in_group(moving).for_each(|health| health.0 += 1);
    /// assert_eq!(moving.single(&game).unwrap().health().0, 3);
    /// ```
    #[track_caller]
    pub fn in_group(mut self, group: Group<C>) -> Self {
        if group.instance != self.context.core_mut().instance {
            foreign::<C>("group");
        }
        self.group = Some(group);
        self
    }
}
