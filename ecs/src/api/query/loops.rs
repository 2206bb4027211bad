//! Loops over queries that write.
//!
//! ```text
//! for item in game.query_mut::<&mut Health>().iter_mut() { .. }
//!             └─ the query, until the loop ends ─┘
//!                                             └─ items borrow the query
//! ```
//!
//! Items borrow the query, not only the context. So the compiler rejects a program in which an item
//! is left when the query is dropped, and the query reports there, as others do when their closure has
//! returned. A query that reports nothing is an iterator by itself.

use super::data::{QueryData, ReadOnlyQueryData, is_observed};
use super::exclusive::{QueryMut, written};
use super::iter::QueryIter;
use super::narrowing::Among;
use super::traversal::BlockTraversal;
use crate::state::{self, Core, HasCore, Visit};

impl<C: HasCore, Q: QueryData<C>> QueryMut<'_, C, Q> {
    /// Returns an iterator of the items, in ascending order of rows, for `for` loops and iterator
    /// methods. Entities whose items were taken from it are reported as updated **when the query is
    /// dropped**, which is at the end of the loop or statement.
    ///
    /// So `break`, `continue`, `?` and `return` work as in any loop. A query in a variable reports
    /// when it is dropped or used again.
    ///
    /// The compiler does not vectorize such a loop. A body of one addition takes about five times as
    /// long per entity as in [`for_each`](Self::for_each) (0.6 ns instead of 0.1), one of a dozen operations
    /// twice as long; with calls, observers or scattered entities, the difference is small. So use
    /// `for_each` for short bodies over many entities, and a loop where it reads better.
    ///
    /// Complexity: linear in the blocks of 64 rows up to the last one that is visited, and in their
    /// items; previous values are cloned a block at a time, before its first item is returned.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let wounded = game.collector(Game::all_of::<Health>().updated());
    /// let ids = game.create_many([Health(3), Health(1), Health(2)]);
    /// let mut fallen = None;
    /// for (id, health) in game.query_mut::<(EntityId<Game>, &mut Health)>().iter_mut() {
    ///     health.0 -= 1;
    ///     if health.0 == 0 {
    ///         fallen = Some(id);
    ///         break;
    ///     }
    /// }
    /// assert_eq!(fallen, Some(ids[1]));
    /// assert_eq!(wounded.drain(&mut game), ids[..2]);
    /// ```
    ///
    /// # Panics
    ///
    /// If the loop panics, the entities visited by then, including the current one, keep their values
    /// and are collected, but no observer is notified. If the query is leaked by
    /// [`mem::forget`](core::mem::forget), what the loop wrote is never reported: the next use of a
    /// history, index, feed, collector or group panics, until the context is
    /// [reset](crate::Context::reset).
    #[inline]
    #[track_caller]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = Q::Item<'_>> {
        self.report_loop();
        if is_observed::<C, Q>(self.update.context().core()) {
            self.update.begin_loop(written::<C, Q>());
        }
        let Visit {
            context,
            written,
            recorder,
            reached,
        } = self.update.visit();
        let traversal = BlockTraversal::<C, Q>::new(context.core_mut(), &self.narrowing, written);
        Loop {
            items: QueryIter::recorded(traversal, recorder),
            reached,
        }
    }
}

impl<C: HasCore, Q: QueryData<C>, const TRACKED: bool> QueryMut<'_, C, Q, TRACKED> {
    /// Reports a loop over the borrowed query. None of its items is left if the query can be used.
    #[inline]
    pub(super) fn report_loop(&mut self) {
        if self.update.is_in_loop() {
            self.report_and_keep_rows();
        }
    }

    /// Reports a loop; observers may use the set of taken rows, and move entities.
    #[cold]
    fn report_and_keep_rows(&mut self) {
        let core = self.update.context().core_mut();
        let taken = matches!(self.narrowing.among, Among::Taken);
        let ids = taken.then(|| state::taken_ids(&core.world, &mut core.subs));
        self.update.finish_loop(); // user code
        if let Some(ids) = ids {
            let core = self.update.context().core_mut();
            let mut rows = state::spare_rows(&mut core.subs, false);
            core.world.slots().insert_rows(ids, &mut rows);
            state::take_rows(&mut core.subs, rows, false);
        }
    }

    /// The context, with earlier loops reported.
    #[inline]
    pub(super) fn context(&mut self) -> &mut C {
        self.report_loop();
        self.update.context()
    }
}

/// An iterator of the items of a borrowed query.
struct Loop<'q, C: HasCore, Q: QueryData<C>> {
    items: QueryIter<'q, C, Q>,
    /// Where to record how far it has come; until it is dropped, everything counts as visited.
    reached: &'q mut usize,
}

impl<'q, C: HasCore, Q: QueryData<C>> Iterator for Loop<'q, C, Q> {
    type Item = Q::Item<'q>;

    #[inline(always)] // so that the iterator stays in registers
    fn next(&mut self) -> Option<Self::Item> {
        self.items.next()
    }
}

impl<C: HasCore, Q: QueryData<C>> Drop for Loop<'_, C, Q> {
    #[inline]
    fn drop(&mut self) {
        *self.reached = self.items.reached();
    }
}

impl<'a, C: HasCore, Q: QueryData<C>> QueryMut<'a, C, Q, false> {
    /// Returns an iterator of the items, in ascending order of rows.
    ///
    /// Writes through them are **not reported**.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(1), Health(2)]);
    /// for health in game.query_mut::<&mut Health>().untracked().iter() {
    ///     health.0 *= 2;
    /// }
    /// assert_eq!(game.query::<&Health>().iter().map(|health| health.0).sum::<u32>(), 6);
    /// ```
    #[inline]
    pub fn iter(self) -> QueryIter<'a, C, Q> {
        self.items()
    }
}

impl<'a, C: HasCore, Q: ReadOnlyQueryData<C>> QueryMut<'a, C, Q> {
    /// Returns an iterator of the items of a query that writes nothing, in ascending order of rows:
    /// for example of what was [drained](Self::drained_from) from a collector.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let born = game.collector(Game::all_of::<Health>().entered());
    /// game.create_many([Health(1), Health(2)]);
    /// let drained = game.query_mut::<&Health>().drained_from(&born);
    /// assert_eq!(drained.iter().map(|health| health.0).sum::<u32>(), 3);
    /// ```
    #[inline]
    pub fn iter(self) -> QueryIter<'a, C, Q> {
        self.items()
    }
}

impl<'a, C: HasCore, Q: QueryData<C>, const TRACKED: bool> QueryMut<'a, C, Q, TRACKED> {
    /// The items, without reporting.
    #[inline]
    fn items(mut self) -> QueryIter<'a, C, Q> {
        self.report_loop();
        let core: &'a Core<C> = self.update.into_context().core_mut();
        QueryIter::new(BlockTraversal::new(core, &self.narrowing, &[]))
    }
}

impl<'a, C: HasCore, Q: QueryData<C>> IntoIterator for QueryMut<'a, C, Q, false> {
    type Item = Q::Item<'a>;
    type IntoIter = QueryIter<'a, C, Q>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Implemented by no type: a query reports its changes when it ends, which a loop might not reach.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a query that reports what it changes is no iterator: use `iter_mut`",
    label = "add `.iter_mut()`",
    note = "write `for (a, b) in game.query_mut::<(&mut A, &B)>().iter_mut()`; the query reports when the loop ends",
    note = "a query that only reads is one: `for (a, b) in game.query::<(&A, &B)>()`, and so is one whose writes are to be unseen, after `untracked()`"
)]
pub trait QueryInLoop {}

/// Makes a `for` loop over the query an error that says what to write instead.
#[doc(hidden)]
impl<'a, C: HasCore, Q: QueryData<C> + QueryInLoop> Iterator for QueryMut<'a, C, Q> {
    type Item = Q::Item<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}
