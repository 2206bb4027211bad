//! Queries that run on several threads.
//!
//! Threads divide the traversal by blocks, never within a block, so that no two of them write to
//! the same cache line of values. Items of different rows never overlap (invariant 3), regardless
//! of threads.

use core::ops::Range;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::data::{QueryData, ReadOnlyQueryData};
use super::{Query, QueryMut};
use crate::api::command_buffer::CommandBuffer;
use crate::state::HasCore;
use crate::words::demands::SharedContext;

/// The number of blocks that a thread takes at once for slices.
const SHARE: usize = 16;

impl<'a, C: HasCore, Q: ReadOnlyQueryData<C>> Query<'a, C, Q> {
    /// Calls `each` with the item of every row on all threads of the current [`rayon`] pool, in no
    /// fixed order, but once per row.
    ///
    /// Use it for expensive work per entity; for cheap work,
    /// [`par_for_each_slice`](Self::par_for_each_slice) is faster. Requires the feature `rayon`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many((0..1_000).map(Health));
    /// let sum = AtomicU32::new(0);
    /// game.query::<&Health>().par_for_each(|health| _ = sum.fetch_add(health.0, Relaxed));
    /// assert_eq!(sum.into_inner(), 499_500);
    /// ```
    ///
    /// # Panics
    ///
    /// Propagates a panic of `each`, once all threads have stopped.
    pub fn par_for_each(&self, each: impl Fn(Q::Item<'a>) + Send + Sync)
    where
        C: SharedContext,
        Q::Item<'a>: Send,
    {
        let traversal = self.traversal();
        // SAFETY: all items only read (2, 3); the query borrows the core (1).
        in_parallel(traversal.blocks, 1, |blocks| unsafe {
            traversal.items(blocks, |_, item| each(item));
        });
    }

    /// Calls `each` with a command buffer and the item of every row on all threads of the current
    /// [`rayon`] pool.
    ///
    /// The recorded commands are appended to `buffer` in the order of rows, so the result is the
    /// same as that of a sequential loop.
    ///
    /// Requires the feature `rayon`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many((0..1_000).map(Health));
    /// let mut buffer = CommandBuffer::new();
    /// let all = game.query::<(EntityId<Game>, &Health)>();
    /// all.par_for_each_with(&mut buffer, |buffer, (id, health)| {
    ///     if health.0 % 2 == 0 { buffer.destroy(id); }
    /// });
    /// buffer.apply(&mut game);
    /// assert_eq!(game.len(), 500);
    /// ```
    ///
    /// # Panics
    ///
    /// Propagates a panic of `each`, once all threads have stopped; nothing is recorded then.
    pub fn par_for_each_with(
        &self,
        buffer: &mut CommandBuffer<C>,
        each: impl Fn(&mut CommandBuffer<C>, Q::Item<'a>) + Send + Sync,
    ) where
        C: SharedContext,
        Q::Item<'a>: Send,
    {
        let traversal = self.traversal();
        // SAFETY: all items only read (2, 3); the query borrows the core (1).
        recorded(traversal.blocks, buffer, |blocks, buffer| unsafe {
            traversal.items(blocks, |_, item| each(buffer, item));
        });
    }

    /// Calls `each` with slices of the values of every run of adjacent rows on all threads of the
    /// current [`rayon`] pool; see [`par_for_each`](Self::par_for_each).
    ///
    /// Runs have at most 1,024 rows, regardless of the number of threads. Requires the feature
    /// `rayon`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many((0..1_000).map(Health));
    /// let sum = AtomicU32::new(0);
    /// game.query::<&Health>().par_for_each_slice(|healths| {
    ///     sum.fetch_add(healths.iter().map(|health| health.0).sum(), Relaxed);
    /// });
    /// assert_eq!(sum.into_inner(), 499_500);
    /// ```
    ///
    /// # Panics
    ///
    /// Propagates a panic of `each`, once all threads have stopped.
    pub fn par_for_each_slice(&self, each: impl Fn(Q::Slice<'a>) + Send + Sync)
    where
        C: SharedContext,
        Q::Slice<'a>: Send,
    {
        let traversal = self.traversal();
        // SAFETY: all items only read (2, 3); the query borrows the core (1).
        in_parallel(traversal.blocks, SHARE, |blocks| unsafe {
            traversal.runs(blocks, |_, slice| each(slice));
        });
    }
}

impl<C: HasCore, Q: QueryData<C>, const TRACKED: bool> QueryMut<'_, C, Q, TRACKED> {
    /// Calls `each` with the item of every row on all threads of the current [`rayon`] pool, and
    /// reports every visited entity as updated when all threads have finished.
    ///
    /// Rows are visited in no fixed order, but once each, so the resulting values do not depend on
    /// the number of threads. `each` can write only what the query has as `&mut T`; to read
    /// components of other entities, add a [`View`](crate::View) of them to the query. Use it for
    /// expensive work per entity; for cheap work, [`par_for_each_slice`](Self::par_for_each_slice)
    /// is faster. Requires the feature `rayon`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let changed = game.collector(Game::all_of::<Health>().updated());
    /// game.create_many((0..1_000).map(Health));
    /// game.query_mut::<&mut Health>().par_for_each(|health| health.0 += 1);
    /// assert_eq!(game.query::<&Health>().iter().map(|h| h.0).sum::<u32>(), 500_500);
    /// assert_eq!(changed.len(&game), 1_000);
    /// ```
    ///
    /// # Panics
    ///
    /// Propagates a panic of `each`, once all threads have stopped. What was written by then stays,
    /// all entities count as visited, and the context stays usable.
    #[track_caller]
    pub fn par_for_each(self, each: impl for<'i> Fn(Q::Item<'i>) + Send + Sync)
    where
        C: SharedContext,
        for<'i> Q::Item<'i>: Send,
    {
        self.visit(|traversal, reached| {
            *reached = usize::MAX;
            // SAFETY: the only traversal that makes items, each block is visited once (3), and no
            // item outlives its call; the query ensured (2) and borrows the core (1).
            in_parallel(traversal.blocks, 1, |blocks| unsafe {
                traversal.items(blocks, |_, item| each(item));
            });
        });
    }

    /// Calls `each` with a command buffer and the item of every row on all threads of the current
    /// [`rayon`] pool, and reports every visited entity as updated.
    ///
    /// The recorded commands are appended to `buffer` in the order of rows; see
    /// [`Query::par_for_each_with`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many((0..1_000).map(Health));
    /// let mut buffer = CommandBuffer::new();
    /// let all = game.query_mut::<(EntityId<Game>, &mut Health)>();
    /// all.par_for_each_with(&mut buffer, |buffer, (id, health)| {
    ///     health.0 /= 2;
    ///     if health.0 == 0 { buffer.add(id, Dead); }
    /// });
    /// buffer.apply(&mut game);
    /// assert_eq!(game.query::<EntityId<Game>>().with::<Dead>().iter().count(), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// Propagates a panic of `each`, as [`par_for_each`](Self::par_for_each) does; nothing is
    /// recorded then.
    #[track_caller]
    pub fn par_for_each_with(
        self,
        buffer: &mut CommandBuffer<C>,
        each: impl for<'i> Fn(&mut CommandBuffer<C>, Q::Item<'i>) + Send + Sync,
    ) where
        C: SharedContext,
        for<'i> Q::Item<'i>: Send,
    {
        self.visit(|traversal, reached| {
            *reached = usize::MAX;
            // SAFETY: as in `par_for_each`.
            recorded(traversal.blocks, buffer, |blocks, buffer| unsafe {
                traversal.items(blocks, |_, item| each(buffer, item));
            });
        });
    }

    /// Calls `each` with slices of the values of every run of adjacent rows on all threads of the
    /// current [`rayon`] pool; see [`par_for_each`](Self::par_for_each).
    ///
    /// Runs have at most 1,024 rows, regardless of the number of threads. Requires the feature
    /// `rayon`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many((0..3_000).map(|_| (Position(1.0), Velocity(0.5))));
    /// let all = game.query_mut::<(&mut Position, &Velocity)>();
    /// all.par_for_each_slice(|(positions, velocities)| {
    ///     positions.iter_mut().zip(velocities).for_each(|(p, v)| p.0 += v.0);
    /// });
    /// assert_eq!(game.entity(ids[2_999]).position().0, 1.5);
    /// ```
    ///
    /// # Panics
    ///
    /// Propagates a panic of `each`, as [`par_for_each`](Self::par_for_each) does.
    #[track_caller]
    pub fn par_for_each_slice(self, each: impl for<'i> Fn(Q::Slice<'i>) + Send + Sync)
    where
        C: SharedContext,
        for<'i> Q::Slice<'i>: Send,
    {
        self.visit(|traversal, reached| {
            *reached = usize::MAX;
            // SAFETY: as in `par_for_each`.
            in_parallel(traversal.blocks, SHARE, |blocks| unsafe {
                traversal.runs(blocks, |_, slice| each(slice));
            });
        });
    }
}

/// Calls `visit` for all blocks, `share` at a time, each once, on the threads of the current pool.
fn in_parallel(blocks: usize, share: usize, visit: impl Fn(Range<usize>) + Send + Sync) {
    (0..blocks.div_ceil(share))
        .into_par_iter()
        .for_each(|at| visit(at * share..blocks.min((at + 1) * share)));
}

/// Calls `visit` for all blocks, each once, with a buffer of its thread, and appends these buffers
/// to `buffer` in the order of the blocks.
fn recorded<C: HasCore + SharedContext>(
    blocks: usize,
    buffer: &mut CommandBuffer<C>,
    visit: impl Fn(Range<usize>, &mut CommandBuffer<C>) + Send + Sync,
) {
    let parts = (0..blocks)
        .into_par_iter()
        .fold(CommandBuffer::new, |mut buffer, at| {
            visit(at..at + 1, &mut buffer);
            buffer
        });
    let mut all = parts.reduce(CommandBuffer::new, |mut first, mut second| {
        first.append(&mut second);
        first
    });
    buffer.append(&mut all);
}
