//! Adding systems that react to changes.

use super::Systems;
use crate::api::context::Context;
use crate::matching::matcher::Trigger;
use crate::systems::contexts::HasContext;
use crate::systems::system::{
    EachChanged, MultiReactive, MultiReactiveSystem, OnRemoved, Reactive, ReactiveSystem,
};
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

impl<W> Systems<W> {
    /// Adds a reactive system at the end; it gathers changes from now on.
    ///
    /// Events: *group created* for the groups that its trigger is the first to need.
    ///
    /// # Examples
    ///
    /// See [`ReactiveSystem`].
    #[must_use = "the list is handed back"]
    pub fn add_reactive<S>(self, world: &mut W, system: S) -> Self
    where
        S: ReactiveSystem<W> + 'static,
        W: HasContext<S::Context>,
    {
        let system = Reactive::new(world, system);
        self.add(system)
    }

    /// Adds a system that reacts to changes in several contexts.
    ///
    /// Events: *group created* for the groups that its triggers are the first to need.
    ///
    /// # Examples
    ///
    /// See [`MultiReactiveSystem`].
    #[must_use = "the list is handed back"]
    pub fn add_multi_reactive<S>(self, world: &mut W, system: S) -> Self
    where
        S: MultiReactiveSystem<W> + 'static,
        W: 'static,
    {
        let system = MultiReactive::new(world, system);
        self.add(system)
    }

    /// Adds a closure that is called for each entity that a trigger concerned since the
    /// execute before, in the order in which they were first concerned.
    ///
    /// It is called for the entities that a [`ReactiveSystem`] is handed by default. One
    /// that an earlier call has destroyed is passed over.
    ///
    /// Events: *group created* for the groups that the trigger is the first to need.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().for_each_changed(
    ///     &mut game,
    ///     Game::all_of::<Health>().updated(),
    ///     |game, id| game.destroy(id),
    /// );
    /// game.create_with(Health(1)).replace_health(2);
    /// systems.execute(&mut game);
    /// assert!(game.is_empty());
    /// ```
    #[must_use = "the list is handed back"]
    pub fn for_each_changed<C: Context>(
        self,
        world: &mut W,
        trigger: Trigger<C>,
        each: impl FnMut(&mut W, EntityId<C>) + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let system = EachChanged::new(world, trigger, each);
        self.add(system)
    }

    /// Adds a closure that is handed the values of `T` that entities have lost since the
    /// execute before, by removal or by their end, in order. So nothing has to be read
    /// from an entity that is dead. It is not called where none was lost.
    ///
    /// What counts as lost is told at [`RemovedValues`](crate::RemovedValues).
    ///
    /// Events: *group created* where there is no group of the entities with `T` yet.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component, Clone)] #[component(context = Game)] struct Cargo(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Debris(u32);
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().on_removed(&mut game, |game, lost: &[(_, Cargo)]| {
    ///     for (_, cargo) in lost { game.create_with(Debris(cargo.0)); }
    /// });
    /// let ship = game.create_with(Cargo(7)).id();
    /// game.destroy(ship);
    /// systems.execute(&mut game);
    /// assert_eq!(game.entities().next().unwrap().debris().0, 7);
    /// ```
    #[must_use = "the list is handed back"]
    pub fn on_removed<C: Context, T: Component<C> + Clone>(
        self,
        world: &mut W,
        react: impl FnMut(&mut W, &[(EntityId<C>, T)]) + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let system = OnRemoved::new(world, react);
        self.add(system)
    }
}
