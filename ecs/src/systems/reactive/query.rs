//! Reactive systems as a trigger and a query: a closure receives the components of changed entities.

use alloc::string::String;
use core::marker::PhantomData;

use super::collected::CollectorSource;
use super::reaction::{ChangeSource, Control, React, Reaction};
use crate::api::context::Context;
use crate::api::query::QueryData;
use crate::matching::matcher::Trigger;
use crate::systems::contexts::HasContext;
use crate::systems::name;
use crate::systems::system::{Sendable, Systems};

/// A collector that is drained by a query. The closure is called for its items while they are visited, so
/// nothing is left for `react`.
struct QuerySource<C, Q> {
    collected: CollectorSource<C>,
    query: PhantomData<fn() -> Q>,
}

impl<C: Context, W: HasContext<C>, Q: QueryData<C>> ChangeSource<W> for QuerySource<C, Q> {
    type Candidate<'a> = Q::Item<'a>;

    #[track_caller]
    fn drain(&mut self, world: &mut W, mut accept: impl FnMut(Q::Item<'_>) -> bool) -> usize {
        let mut count = 0;
        if let Some(query) = self.collected.query::<Q>(world.context_mut()) {
            query.for_each(|item| count += usize::from(accept(item)));
        }
        count
    }

    fn discard(&mut self) {}

    fn control(&mut self, world: &mut W, control: Control) {
        self.collected.control(world.context_mut(), control);
    }
}

/// Calls a closure for each item, while the query visits them.
struct ForEachItem<F>(F);

impl<W, C, Q, F> React<W, QuerySource<C, Q>, ()> for ForEachItem<F>
where
    W: HasContext<C>,
    C: Context,
    Q: QueryData<C>,
    F: for<'a> FnMut(Q::Item<'a>) + Sendable,
{
    fn accept(&mut self, item: Q::Item<'_>) -> bool {
        (self.0)(item);
        true
    }

    fn react(&mut self, _: &mut W, _: &mut QuerySource<C, Q>) {}

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a system that calls `each` at execute, with the components of each entity that the trigger has
    /// collected since the last execute and that matches the query. This is the fastest way to react to
    /// changes, because no entity is looked up by id.
    ///
    /// The entities are those that a [`ReactiveSystem`](crate::ReactiveSystem) receives by default, in the
    /// order of a query. A component that is borrowed as `&mut T` is reported as updated when the query
    /// ends; if the trigger includes such updates, the system receives the entity again at the next
    /// execute. The closure cannot [fail](crate::Systems#systems-that-fail).
    ///
    /// Events: *group created* for the groups that the trigger is the first to need.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let mut systems = Systems::new().query_changed::<_, (&mut Bar, &Health)>(
    ///     &mut game,
    ///     Game::all_of::<Health>().entered_or_updated(),
    ///     |(bar, health)| bar.0 = health.0,
    /// );
    /// let id = game.create_with((Health(7), Bar(0))).id();
    /// systems.execute(&mut game);
    /// assert_eq!(game.entity(id).bar().0, 7);
    /// ```
    #[must_use = "the list is returned"]
    pub fn query_changed<C: Context, Q: QueryData<C> + 'static>(
        self,
        world: &mut W,
        trigger: Trigger<C>,
        each: impl for<'a> FnMut(Q::Item<'a>) + Sendable + 'static,
    ) -> Self
    where
        W: HasContext<C>,
    {
        let name = name::of_value(&each);
        let items = QuerySource::<C, Q> {
            collected: CollectorSource::new(world.context_mut(), trigger, false, &name),
            query: PhantomData,
        };
        self.add(Reaction::new(ForEachItem(each), items))
    }
}
