//! Queries that are walked by many threads at once.
//!
//! Threads share the blocks out among them, never the rows of one block, so that no two
//! of them write to the same cache line of values. Items of different rows never overlap
//! (invariant 3), whichever thread has them.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::Query;
use super::data::QueryData;
use crate::state::HasCore;

/// How many blocks a thread takes at once where it is handed slices.
const SHARE: usize = 16;

impl<'a, C: HasCore, Q: QueryData<C>> Query<'a, C, Q> {
    /// Does what [`for_each`](Self::for_each) does, on the threads of the current
    /// [`rayon`] pool at once: in no fixed order, but each row once, so that the values
    /// come out the same for any number of threads.
    ///
    /// For much work per entity; for little, [`par_for_each_slice`](Self::par_for_each_slice)
    /// is faster. `each` can write what the query asks for as `&mut T` and nothing
    /// else. To read components of other entities, ask for a [`View`](crate::View) of
    /// them. What else is needed is written down by id, and done afterwards.
    ///
    /// Needs the feature `rayon`.
    ///
    /// # Panics
    ///
    /// Panics with the panic of `each`, once all threads have stopped. What has been
    /// written by then stays, and the context can be used on.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// game.create_many((0..1_000).map(Health));
    /// game.query::<&mut Health>().par_for_each(|health| health.0 += 1);
    /// assert_eq!(game.query::<&Health>().iter().map(|h| h.0).sum::<u32>(), 500_500);
    /// ```
    #[track_caller]
    pub fn par_for_each(self, each: impl Fn(Q::Item<'a>) + Send + Sync)
    where
        Q::Item<'a>: Send,
    {
        let walk = self.walk();
        (0..walk.blocks).into_par_iter().for_each(|at| {
            // SAFETY: `at` is less than `blocks`, and each block is visited once (3); the
            // query made sure of (2) and holds the core (1).
            unsafe { walk.items(at..at + 1, |_, item| each(item)) };
        });
    }

    /// Does what [`for_each_slice`](Self::for_each_slice) does, on the threads of the
    /// current [`rayon`] pool at once; see [`par_for_each`](Self::par_for_each).
    ///
    /// Runs end at every 1,024th row at the latest, whatever the number of threads.
    ///
    /// Needs the feature `rayon`.
    ///
    /// # Panics
    ///
    /// As [`par_for_each`](Self::par_for_each).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Position(f32);
    /// # #[derive(Component)] #[component(context = Game)] struct Velocity(f32);
    /// let mut game = Game::new();
    /// let ids = game.create_many((0..3_000).map(|_| (Position(1.0), Velocity(0.5))));
    /// game.query::<(&mut Position, &Velocity)>().par_for_each_slice(|(positions, velocities)| {
    ///     positions.iter_mut().zip(velocities).for_each(|(p, v)| p.0 += v.0);
    /// });
    /// assert_eq!(game.entity(ids[2_999]).position().0, 1.5);
    /// ```
    #[track_caller]
    pub fn par_for_each_slice(self, each: impl Fn(Q::Slice<'a>) + Send + Sync)
    where
        Q::Slice<'a>: Send,
    {
        let walk = self.walk();
        let shares = walk.blocks.div_ceil(SHARE);
        (0..shares).into_par_iter().for_each(|share| {
            let start = share * SHARE;
            let end = walk.blocks.min(start + SHARE);
            // SAFETY: shares end at `blocks` and do not overlap (3); the query made sure
            // of (2) and holds the core (1).
            unsafe { walk.runs(start..end, |_, slice| each(slice)) }
        });
    }
}
