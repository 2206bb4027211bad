//! A closure for each item of a query, on several threads.

use alloc::string::String;
use core::marker::PhantomData;

use super::name;
use super::system::{System, Systems};
use crate::api::context::Context;
use crate::api::query::QueryData;
use crate::systems::contexts::HasContext;
use crate::words::demands::{SharedContext, ThreadSafe};

/// Calls a closure for each item of a query, on several threads.
struct ParallelForEach<C, Q, F> {
    each: F,
    query: PhantomData<fn() -> (C, Q)>,
}

impl<W, C, Q, F> System<W> for ParallelForEach<C, Q, F>
where
    W: HasContext<C>,
    C: Context + SharedContext,
    Q: QueryData<C>,
    for<'a> Q::Item<'a>: Send,
    F: for<'a> Fn(Q::Item<'a>) + Send + Sync,
{
    fn execute(&mut self, world: &mut W) {
        let query = world.context_mut().query_mut::<Q>();
        query.par_for_each(|item| (self.each)(item));
    }

    fn name(&self) -> String {
        name::of::<F>()
    }
}

impl<W> Systems<W> {
    /// Adds a system that calls `each` at execute, for each item of a query, on the threads of the current
    /// `rayon` pool; see [`Query::par_for_each`](crate::Query::par_for_each).
    ///
    /// Needs the feature `rayon`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many((0..1_000).map(|_| (Position(1.0), Velocity(0.5))));
    /// let mut systems = Systems::new()
    ///     .par_for_each::<Game, (&mut Position, &Velocity)>(|(p, v)| p.0 += v.0);
    /// systems.execute(&mut game);
    /// assert_eq!(game.entity(ids[999]).position().0, 1.5);
    /// ```
    #[doc(alias = "JobSystem")]
    #[doc(alias = "ParallelSystem")]
    #[must_use = "the list is returned"]
    pub fn par_for_each<C: Context + SharedContext, Q: QueryData<C> + 'static>(
        self,
        each: impl for<'a> Fn(Q::Item<'a>) + ThreadSafe,
    ) -> Self
    where
        W: HasContext<C>,
        for<'a> Q::Item<'a>: Send,
    {
        let query = PhantomData::<fn() -> (C, Q)>;
        self.add(ParallelForEach { each, query })
    }
}
