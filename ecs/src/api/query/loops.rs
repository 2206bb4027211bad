//! Loops over queries that write: iterators of those that report nothing, an error for the others.

use super::data::{QueryData, ReadOnlyQueryData};
use super::exclusive::QueryMut;
use super::iter::QueryIter;
use super::traversal::BlockTraversal;
use crate::state::{Core, HasCore};

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
    fn items(self) -> QueryIter<'a, C, Q> {
        let core: &'a Core<C> = self.context.core_mut();
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
    message = "a query that reports what it changes is no iterator: use `for_each`, or `iterate` for a loop with `break` and `?`",
    label = "call `for_each` with a closure",
    note = "write `game.query_mut::<(&mut A, &B)>().for_each(|(a, b)| ..)`",
    note = "or `game.query_mut::<(&mut A, &B)>().iterate(|items| ..)`, with `for (a, b) in items` in the closure",
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
