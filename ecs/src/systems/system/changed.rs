//! A reaction to changes as a query: a closure that is handed the components of what
//! changed, not its id.

use alloc::string::String;
use core::marker::PhantomData;

use super::inbox::{Inbox, inbox_of_a_system};
use super::{Reactions, System, Systems, name};
use crate::api::context::Context;
use crate::api::query::QueryData;
use crate::matching::matcher::Trigger;
use crate::systems::contexts::HasContext;

/// A closure that is called for the item of each entity that changed. See
/// [`Systems::query_changed`].
pub struct QueryChanged<C, Q, F> {
    each: F,
    inbox: Inbox<C>,
    reactions: Reactions,
    query: PhantomData<fn() -> Q>,
}

impl<C: Context, Q: QueryData<C>, F> QueryChanged<C, Q, F>
where
    F: for<'a> FnMut(Q::Item<'a>),
{
    /// Gathers from now on the entities that the trigger concerns, and calls `each` with
    /// the item of every one of them at execute.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::{QueryChanged, prelude::*};
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let born = Game::all_of::<Health>().entered();
    /// let mut grow = QueryChanged::<_, &mut Health, _>::new(&mut game, born, |h| h.0 += 1);
    /// let ids = game.create_many([Health(1), Health(2)]);
    /// grow.execute(&mut game);
    /// assert_eq!(game.entity(ids[1]).health().0, 3);
    /// ```
    pub fn new<W: HasContext<C>>(world: &mut W, trigger: Trigger<C>, each: F) -> Self {
        Self {
            each,
            inbox: Inbox::new(world.context_mut(), trigger, false),
            reactions: Reactions::default(),
            query: PhantomData,
        }
    }
}

impl<W, C, Q, F> System<W> for QueryChanged<C, Q, F>
where
    W: HasContext<C>,
    C: Context,
    Q: QueryData<C>,
    F: for<'a> FnMut(Q::Item<'a>),
{
    fn execute(&mut self, world: &mut W) {
        let mut count = 0;
        if let Some(query) = self.inbox.query::<Q>(world.context_mut()) {
            query.for_each(|item| {
                count += 1;
                (self.each)(item);
            });
        }
        self.reactions.note(count);
    }

    fn name(&self) -> String {
        name::of::<F>()
    }

    inbox_of_a_system!();
}

impl<W> Systems<W> {
    /// Adds a closure that is called for the item of each entity that a trigger concerned
    /// since the execute before and that has what the query asks for: the fastest way to
    /// react to changes, for it looks nobody up by id.
    ///
    /// It is called for the entities that a [`ReactiveSystem`](crate::ReactiveSystem) is
    /// handed by default, in the order of a query. What it writes through `&mut T` is
    /// **not reported**.
    ///
    /// Events: *group created* for the groups that the trigger is the first to need.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Bar(u32);
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().query_changed::<_, (&mut Bar, &Health)>(
    ///     &mut game,
    ///     Game::all_of::<Health>().added(),
    ///     |(bar, health)| bar.0 = health.0,
    /// );
    /// let id = game.create_with((Health(7), Bar(0))).id();
    /// systems.execute(&mut game);
    /// assert_eq!(game.entity(id).bar().0, 7);
    /// ```
    #[must_use = "the list is handed back"]
    pub fn query_changed<C: Context, Q: QueryData<C> + 'static>(
        self,
        world: &mut W,
        trigger: Trigger<C>,
        each: impl for<'a> FnMut(Q::Item<'a>) + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let system = QueryChanged::<C, Q, _>::new(world, trigger, each);
        self.add(system)
    }
}
