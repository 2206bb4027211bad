//! Queries that write: what they write is reported to groups, collectors, indexes and observers.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::data::{QueryData, ReadOnlyQueryData, conflict, is_observed, relied_on};
use super::iter::QueryIter;
use super::narrowing::Narrowing;
use super::traversal::BlockTraversal;
use crate::state::{Core, HasCore, QueryUpdate, Written, reject_untracked};
use crate::storage::registry::numbering;
use crate::storage::row_words::RowWord;

/// Writes to the components of entities, and **reports every entity visited** as updated in each
/// component that it asks for as `&mut T`.
///
/// Made by [`Context::query_mut`](crate::Context::query_mut). `Q` is one of these, a tuple of up to
/// twelve, or a struct with [`#[derive(QueryData)]`](macro@crate::QueryData); tuples and structs nest:
///
/// | term | item | slice | rows |
/// | --- | --- | --- | --- |
/// | `&T`, `&mut T` | the value | `&[T]`, `&mut [T]` | those that have `T` |
/// | [`Mut<T>`](crate::Mut) | the value, reported only if written to | `Mut<[T]>` | those that have `T` |
/// | an `Option` of these | the value, if any | the slice, if any | all |
/// | `EntityId<C>` | the entity's id | [`Ids`](crate::Ids) of the run | all |
/// | `View<C, T>` | a [`View`](crate::View) of the `T` of all entities | the same | all |
///
/// A *row* is the place of one entity in storage, and a *run* is rows next to each other that all
/// have what is asked for: see the page [`words`](crate::guide::words).
///
/// What is an update one by one is one here: groups raise *updated*, collectors collect, indexes
/// follow, observers are notified, with the previous value if `T` is `Clone`. All values are final,
/// collectors filled and indexes right before the first observer runs; then observers are
/// notified of one entity after the other in the order of the rows, and of one entity in the order
/// of the terms. An entity that lacks an `Option<&mut T>` is not updated in `T`. A component that
/// nobody follows costs nothing to report.
///
/// A component that is asked for as `&mut T` can be asked for once, views included; else making the
/// query panics. A query that is to read the same component of other entities, say of a parent,
/// reads it first: through [`query`](crate::Context::query) into a list, [as below](#parents-and-children),
/// or out of a component that holds last turn's value.
/// A component with a primary index or a relation cannot be asked for as `&mut T`, because a key
/// or a target can be rejected only before it is written; change it entity by entity.
///
/// `TRACKED` is false after [`untracked`](Self::untracked).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let moved = game.collector(Game::all_of::<Position>().updated());
/// let id = game.create_with((Position(1.0), Velocity(0.5))).id();
/// game.query_mut::<(&mut Position, &Velocity)>().for_each(|(position, velocity)| {
///     position.0 += velocity.0;
/// });
/// assert_eq!(game.entity(id).position().0, 1.5);
/// assert_eq!(moved.drain(&mut game), [id]);
/// ```
///
/// # Parents and children
///
/// What reads the `Position` of one entity and writes that of another takes two passes: the first
/// reads all, the second writes.
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let leader = game.create_with(Position(5.0)).id();
/// let id = game.create_with((Position(0.0), Follows { leader, distance: 1.5 })).id();
///
/// let positions = game.view::<Position>();
/// let followers = game.query::<(EntityId<Game>, &Follows, &Position)>();
/// let places = followers.iter().filter_map(|(id, it, _)| {
///     Some((id, positions.get(it.leader)?.0 - it.distance)) // no leader any more: it stays
/// });
/// let places: Vec<_> = places.collect();
/// for (id, place) in places {
///     game.entity_mut(id).replace_position(place);
/// }
/// assert_eq!(game.entity(id).position().0, 3.5);
/// ```
///
/// Where parents have parents, walk from the roots down, as the page
/// [`hierarchy`](crate::hierarchy) shows.
#[must_use = "a query does nothing until it is walked"]
pub struct QueryMut<'a, C: 'static, Q, const TRACKED: bool = true> {
    pub(super) context: &'a mut C,
    pub(super) narrowing: Narrowing<C>,
    /// Invariant: of two types of which one is a subtype of the other, a query for
    /// one must not pass for a query for the other.
    data: PhantomData<fn(Q) -> Q>,
}

impl<'a, C: HasCore, Q: QueryData<C>> QueryMut<'a, C, Q> {
    #[inline]
    #[track_caller]
    pub(crate) fn new(context: &'a mut C) -> Self {
        if let Some(component) = conflict::<C, Q>() {
            let name = numbering::<C>().name(component);
            panic!(
                "a query of context `{}` asks for component `{name}` twice and for one of the two \
                 as `&mut {name}`; ask for it once, and read that of other entities before: \
                 through `query` into a list, or from a component that keeps the value",
                C::NAME
            );
        }
        Self {
            narrowing: Narrowing::of(context.core()),
            context,
            data: PhantomData,
        }
    }

    /// Turns it into a query **that does not report what it writes**: no group, collector or
    /// observer is notified, and all that relies on *updated* is out of date until the next
    /// reported change.
    ///
    /// # Panics
    ///
    /// Panics if an entity index, a feed or a history follows a component that is asked for as `&mut T`, because it
    /// would go wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let wounded = game.collector(Game::all_of::<Health>().updated());
    /// let id = game.create_with(Health(3)).id();
    /// game.query_mut::<&mut Health>().untracked().for_each(|health| health.0 -= 1);
    /// assert_eq!(game.entity(id).health().0, 2);
    /// assert!(wounded.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn untracked(self) -> QueryMut<'a, C, Q, false> {
        if relied_on::<C, Q>(self.context.core()).is_some() {
            reject_untracked(self.context, relied_on::<C, Q>);
        }
        QueryMut {
            context: self.context,
            narrowing: self.narrowing,
            data: PhantomData,
        }
    }
}

impl<'a, C: HasCore, Q: QueryData<C>, const TRACKED: bool> QueryMut<'a, C, Q, TRACKED> {
    /// Calls `each` with the item of every row, in ascending order, and reports every
    /// entity visited as updated.
    ///
    /// # Panics
    ///
    /// Panics if `each` does. Then the entities visited by then keep their values and
    /// are collected, the one under way included, but no observer is notified.
    ///
    /// Complexity: linear in the blocks of 64 rows up to the last value of the components asked
    /// for, and in the items. An empty collector, or one that holds nothing but what was changed
    /// in bulk, takes in 64 rows at once; else reporting is linear in the entities that somebody
    /// follows.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let wounded = game.collector(Game::all_of::<Health>().updated());
    /// let ids = game.create_many([Health(3), Health(2)]);
    /// game.query_mut::<&mut Health>().for_each(|health| health.0 -= 1);
    /// assert_eq!(wounded.drain(&mut game), ids);
    /// ```
    #[inline]
    #[track_caller]
    pub fn for_each(self, mut each: impl for<'i> FnMut(Q::Item<'i>)) {
        self.visit(|traversal, reached| {
            // SAFETY: the one walk there is that makes items (3), and none of them outlives
            // its call, so none is left when the context is used again; the query made
            // sure of (2) and holds the core (1).
            unsafe {
                traversal.items(0..traversal.blocks, |row, item| {
                    reaching(row + 1, reached, || each(item));
                });
            }
        });
    }

    /// Calls `each` with the item of every row, as [`for_each`](Self::for_each) does, until it returns an
    /// error; returns that. Those visited by then are reported, the last one included.
    ///
    /// # Errors
    ///
    /// Returns the first error of `each`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let wounded = game.collector(Game::all_of::<Health>().updated());
    /// let ids = game.create_many([Health(1), Health(0), Health(2)]);
    /// let dead = game.query_mut::<&mut Health>().try_for_each(|health| {
    ///     health.0 = health.0.checked_sub(1).ok_or("dead")?;
    ///     Ok(())
    /// });
    /// assert_eq!(dead, Err("dead"));
    /// assert_eq!(wounded.drain(&mut game), ids[..2]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_for_each<E>(
        self,
        mut each: impl for<'i> FnMut(Q::Item<'i>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.iterate(|items| {
            for item in items {
                each(item)?;
            }
            Ok(())
        })
    }

    /// Lends `visit` an iterator of the items, for a `for` loop with `break`, `continue` and `?`, and for
    /// what iterators can do; returns what `visit` returns. The entities whose items have been taken out
    /// of the iterator are reported as updated when `visit` returns.
    ///
    /// The items end with the closure: observers who look at the values run behind it.
    ///
    /// # Panics
    ///
    /// Panics if `visit` does, as [`for_each`](Self::for_each) does.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let wounded = game.collector(Game::all_of::<Health>().updated());
    /// let ids = game.create_many([Health(3), Health(1), Health(2)]);
    /// let fallen = game.query_mut::<(EntityId<Game>, &mut Health)>().iterate(|items| {
    ///     for (id, health) in items {
    ///         health.0 -= 1;
    ///         if health.0 == 0 {
    ///             return Some(id);
    ///         }
    ///     }
    ///     None
    /// });
    /// assert_eq!(fallen, Some(ids[1]));
    /// assert_eq!(wounded.drain(&mut game), ids[..2]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn iterate<R>(self, visit: impl for<'i> FnOnce(&mut QueryIter<'i, C, Q>) -> R) -> R {
        let (update, result) = self.visited(
            |traversal| traversal.rows(),
            |traversal, reached| {
                let mut items = Iterated {
                    items: QueryIter::new(traversal),
                    reached,
                };
                visit(&mut items.items)
            },
        );
        update.finish_early();
        result
    }

    /// Calls `each` with slices of the values of every run of neighbouring rows, in ascending
    /// order, and reports every entity visited as updated: the fastest way to change many.
    ///
    /// Runs end where those of [`Query::for_each_slice`](crate::Query::for_each_slice) do, and
    /// with a [`Mut<T>`](crate::Mut) at every 64th row.
    ///
    /// # Panics
    ///
    /// Panics if `each` does. Then all entities of the run under way count as visited, and the
    /// rest is as for [`for_each`](Self::for_each).
    ///
    /// Complexity: linear in the blocks of 64 rows up to the last value of the components asked
    /// for, and in the runs; reporting is that of [`for_each`](Self::for_each).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many((0..1_000).map(|_| (Position(1.0), Velocity(0.5))));
    /// game.query_mut::<(&mut Position, &Velocity)>().for_each_slice(|(positions, velocities)| {
    ///     positions.iter_mut().zip(velocities).for_each(|(p, v)| p.0 += v.0);
    /// });
    /// assert_eq!(game.entity(ids[999]).position().0, 1.5);
    /// ```
    #[inline]
    #[track_caller]
    pub fn for_each_slice(self, mut each: impl for<'i> FnMut(Q::Slice<'i>)) {
        self.visit(|traversal, reached| {
            // SAFETY: as in `for_each`.
            unsafe {
                traversal.runs(0..traversal.blocks, |end, slice| {
                    reaching(end, reached, || each(slice));
                });
            }
        });
    }

    /// Reports every row that a visit reaches; the visit notes the end of what it has
    /// reached before it calls anybody.
    #[inline(always)] // so that filters which are not there cost nothing
    pub(super) fn visit(self, visit: impl FnOnce(BlockTraversal<'_, C, Q>, &mut usize)) {
        self.visit_rows(|traversal| traversal.rows(), visit);
    }

    #[inline(always)] // so that filters which are not there cost nothing
    pub(super) fn visit_rows(
        self,
        rows: impl FnOnce(&BlockTraversal<'_, C, Q>) -> Vec<RowWord>,
        visit: impl FnOnce(BlockTraversal<'_, C, Q>, &mut usize),
    ) {
        self.visited(rows, visit).0.finish();
    }

    /// Visits rows; returns what is to be reported of that.
    #[inline(always)] // as above
    fn visited<R>(
        self,
        rows: impl FnOnce(&BlockTraversal<'_, C, Q>) -> Vec<RowWord>,
        visit: impl FnOnce(BlockTraversal<'_, C, Q>, &mut usize) -> R,
    ) -> (QueryUpdate<'a, C>, R) {
        let Self {
            context, narrowing, ..
        } = self;
        let mut update = if TRACKED && is_observed::<C, Q>(context.core_mut()) {
            let rows = rows(&BlockTraversal::new(context.core_mut(), &narrowing, &[]));
            QueryUpdate::begin(context, rows, written::<C, Q>())
        } else {
            QueryUpdate::unfollowed(context)
        };
        let (context, written, reached) = update.parts();
        let traversal = BlockTraversal::new(context.core_mut(), &narrowing, written);
        let result = visit(traversal, reached);
        (update, result)
    }
}

/// Calls user code with what has been reached by then: noted if the code panics, so that nothing is
/// written down for each item.
#[inline(always)]
fn reaching(end: usize, reached: &mut usize, code: impl FnOnce()) {
    let recorded = Reached { end, reached };
    code();
    core::mem::forget(recorded);
}

/// Notes how far a visit has come when it is dropped.
struct Reached<'r> {
    end: usize,
    reached: &'r mut usize,
}

impl Drop for Reached<'_> {
    fn drop(&mut self) {
        *self.reached = self.end;
    }
}

/// An iterator that is lent: notes how far it has come when it is dropped.
struct Iterated<'i, 'r, C: HasCore, Q: QueryData<C>> {
    items: QueryIter<'i, C, Q>,
    reached: &'r mut usize,
}

impl<C: HasCore, Q: QueryData<C>> Drop for Iterated<'_, '_, C, Q> {
    #[inline]
    fn drop(&mut self) {
        *self.reached = self.items.reached();
    }
}

/// The components that `Q` writes to.
fn written<C: HasCore, Q: QueryData<C>>() -> Vec<Written> {
    let mut written = Vec::new();
    Q::written(&mut written);
    written
}

impl<'a, C: HasCore, Q: QueryData<C>> QueryMut<'a, C, Q, false> {
    /// Returns the items, in ascending order of the rows. What is written through them is **not
    /// reported**.
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
    /// Returns the items of a query that writes to nothing, in ascending order of the rows: what
    /// has been [drained](Self::drained_from) from a collector, say.
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
    /// The items, of which nothing is reported.
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

/// Implemented by nothing: a query reports what it changes at its end, which a loop may not reach.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a query that reports what it changes is no iterator: use `for_each`, or `iterate` for a loop with `break` and `?`",
    label = "call `for_each` with a closure",
    note = "write `game.query_mut::<(&mut A, &B)>().for_each(|(a, b)| ..)`",
    note = "or `game.query_mut::<(&mut A, &B)>().iterate(|items| ..)`, with `for (a, b) in items` in the closure",
    note = "a query that only reads is one: `for (a, b) in game.query::<(&A, &B)>()`, and so is one whose writes are to be unseen, after `untracked()`"
)]
pub trait QueryInLoop {}

/// Says what to write in place of a loop.
#[doc(hidden)]
impl<'a, C: HasCore, Q: QueryData<C> + QueryInLoop> Iterator for QueryMut<'a, C, Q> {
    type Item = Q::Item<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}

impl<C: HasCore, Q, const TRACKED: bool> fmt::Debug for QueryMut<'_, C, Q, TRACKED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.narrowing.describe(&mut f.debug_struct("QueryMut"))
    }
}
