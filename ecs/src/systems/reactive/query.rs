//! A reaction to changes as a query: a closure that is handed the components of what
//! changed, not its id.

use alloc::string::String;
use core::marker::PhantomData;

use super::collected::Collected;
use super::reaction::{ChangeSource, Control, React, Reaction};
use crate::api::context::Context;
use crate::api::query::QueryData;
use crate::matching::matcher::Trigger;
use crate::systems::contexts::HasContext;
use crate::systems::name;
use crate::systems::system::{Sendable, Systems};

/// What a collector gathered, walked as a query: its items are the candidates, and nothing is
/// left to hand over.
struct CollectedItems<C, Q> {
    collected: Collected<C>,
    query: PhantomData<fn() -> Q>,
}

impl<C: Context, W: HasContext<C>, Q: QueryData<C>> ChangeSource<W> for CollectedItems<C, Q> {
    type Candidate<'a> = Q::Item<'a>;

    #[track_caller]
    fn drain(&mut self, world: &mut W, mut accept: impl FnMut(Q::Item<'_>) -> bool) -> usize {
        let mut count = 0;
        if let Some(query) = self.collected.query::<Q>(world.context_mut()) {
            query.for_each(|item| count += usize::from(accept(item)));
        }
        count
    }

    fn forget(&mut self) {}

    fn control(&mut self, world: &mut W, control: Control) {
        self.collected.control(world.context_mut(), control);
    }
}

/// A closure that is called for one item after the other, while the query is walked.
struct ForItems<F>(F);

impl<W, C, Q, F> React<W, CollectedItems<C, Q>, ()> for ForItems<F>
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

    fn react(&mut self, _: &mut W, _: &CollectedItems<C, Q>) {}

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a closure that is called for the item of each entity that a trigger concerned
    /// since the last execute and that has what the query asks for.
    ///
    /// This is the fastest way to react to changes, because no entity is looked up by its id.
    /// It is called for the entities that a [`ReactiveSystem`](crate::ReactiveSystem) is
    /// handed by default, in the order of a query. What it is lent as `&mut T` counts as updated
    /// when all entities have been visited; if that is what the trigger waits for, at the next
    /// execute again. The closure cannot [fail](crate::Systems#systems-that-fail): all items are
    /// visited.
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
        let items = CollectedItems::<C, Q> {
            collected: Collected::new(world.context_mut(), trigger, false, &name),
            query: PhantomData,
        };
        self.add(Reaction::new(ForItems(each), items))
    }
}
