//! Queries that write, and report their writes to groups, collectors, indexes and observers.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::data::{QueryData, conflict, is_observed, relied_on};
use super::narrowing::Narrowing;
use super::traversal::BlockTraversal;
use crate::state::{HasCore, QueryUpdate, Visit, Written, reject_untracked};
use crate::storage::registry::numbering;
use crate::storage::row_words::RowWord;

/// A query that writes components, and **reports every visited entity** as updated in each
/// component queried as `&mut T`.
///
/// Created by [`Context::query_mut`](crate::Context::query_mut). `Q` is one of these terms, a tuple
/// of up to twelve, or a struct with [`#[derive(QueryData)]`](macro@crate::QueryData); tuples and
/// structs nest:
///
/// | term | item | slice | rows |
/// | --- | --- | --- | --- |
/// | `&T`, `&mut T` | the value | `&[T]`, `&mut [T]` | those that have `T` |
/// | [`Mut<T>`](crate::Mut) | the value, reported only if written | `Mut<[T]>` | those that have `T` |
/// | an `Option` of these | the value, if any | the slice, if any | all |
/// | `EntityId<C>` | the entity's id | [`Ids`](crate::Ids) of the run | all |
/// | `View<C, T>` | a [`View`](crate::View) of the `T` of all entities | the same | all |
///
/// A *row* is the place of one entity in storage, and a *run* is a sequence of adjacent rows that
/// have all required components: see the [glossary](crate::guide::glossary).
///
/// A reported update has the effects of an update of a single entity: groups raise *updated*,
/// collectors and indexes are updated, and observers are notified, with the previous value if `T`
/// is `Clone`. All state is final before the first observer runs. Observers are notified in the
/// order of rows, and for each entity in the order of terms. An entity that lacks an `Option<&mut
/// T>` is not updated in `T`. A component that nothing observes costs nothing to report.
///
/// A component queried as `&mut T` must be queried only once, views included; otherwise the query
/// does not compile, or panics if the component is implemented by hand. To also read the same
/// component of other entities, such as a parent, read it first: by
/// [`query`](crate::Context::query) into a list, [as below](#parents-and-children), or from a
/// component that keeps last turn's value.
///
/// A component with a primary index or a relation cannot be queried as `&mut T`, because a key or
/// target can be rejected only before it is written; change it entity by entity.
///
/// `TRACKED` is false after [`untracked`](Self::untracked).
///
/// # Parents and children
///
/// Code that reads the `Position` of one entity and writes that of another needs two passes: the
/// first reads all, the second writes.
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
///     Some((id, positions.get(it.leader)?.0 - it.distance)) // no position: stays where it is
/// });
/// let places: Vec<_> = places.collect();
/// for (id, place) in places {
///     game.entity_mut(id).replace_position(place);
/// }
/// assert_eq!(game.entity(id).position().0, 3.5);
/// ```
///
/// If parents have parents, iterate from the roots down, as the page
/// [hierarchies](crate::guide::hierarchies) shows.
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
#[must_use = "a query does nothing until it is walked"]
pub struct QueryMut<'a, C: HasCore, Q, const TRACKED: bool = true> {
    /// What is reported of loops over the borrowed query, when it is used again or dropped.
    pub(super) update: QueryUpdate<'a, C>,
    pub(super) narrowing: Narrowing<C>,
    /// Invariant, because a query for a type must not be used as a query for its subtype.
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
            update: QueryUpdate::new(context),
            data: PhantomData,
        }
    }

    /// Returns a query **that does not report its writes**: no group, collector or observer is
    /// notified, and everything that relies on *updated* is out of date until the next reported
    /// change.
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
    ///
    /// # Panics
    ///
    /// Panics if an entity index, a feed or a history depends on a component queried as `&mut T`,
    /// because it would become wrong.
    #[track_caller]
    pub fn untracked(mut self) -> QueryMut<'a, C, Q, false> {
        let context = self.context();
        if relied_on::<C, Q>(context.core()).is_some() {
            reject_untracked(context, relied_on::<C, Q>);
        }
        QueryMut {
            update: self.update,
            narrowing: self.narrowing,
            data: PhantomData,
        }
    }
}

impl<C: HasCore, Q: QueryData<C>, const TRACKED: bool> QueryMut<'_, C, Q, TRACKED> {
    /// Calls `each` with the item of every row, in ascending order, and reports every visited
    /// entity as updated.
    ///
    /// Complexity: linear in the blocks of 64 rows up to the last value of the required components,
    /// and in the items. A collector that is empty, or contains only entities changed in bulk, is
    /// filled 64 rows at a time; otherwise reporting is linear in the observed entities.
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
    ///
    /// # Panics
    ///
    /// Panics if `each` panics. The entities visited by then, including the current one, keep their
    /// values and are collected, but no observer is notified.
    #[inline]
    #[track_caller]
    pub fn for_each(self, mut each: impl for<'i> FnMut(Q::Item<'i>)) {
        self.visit(|traversal, reached| {
            // SAFETY: the only traversal that makes items (3), and none of them outlives its
            // call, so none is left when the context is used again; the query ensured (2) and
            // borrows the core (1).
            unsafe {
                traversal.items(0..traversal.blocks, |row, item| {
                    reaching(row + 1, reached, || each(item));
                });
            }
        });
    }

    /// Calls `each` with slices of the values of every run of adjacent rows, in ascending order,
    /// and reports every visited entity as updated.
    ///
    /// This is the fastest way to change many entities.
    ///
    /// Runs end where those of [`Query::for_each_slice`](crate::Query::for_each_slice) do, and with
    /// a [`Mut<T>`](crate::Mut) at every 64th row.
    ///
    /// Complexity: linear in the blocks of 64 rows up to the last value of the required components,
    /// and in the runs; reporting costs the same as in [`for_each`](Self::for_each).
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
    ///
    /// # Panics
    ///
    /// Panics if `each` panics. All entities of the current run count as visited; otherwise as for
    /// [`for_each`](Self::for_each).
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

    /// Reports every row that `visit` reaches; `visit` records the end of what it has reached
    /// before it calls user code.
    #[inline(always)] // so that absent filters cost nothing
    pub(super) fn visit(self, visit: impl FnOnce(BlockTraversal<'_, C, Q>, &mut usize)) {
        self.visit_rows(|traversal| traversal.rows(), false, visit);
    }

    #[inline(always)] // so that absent filters cost nothing
    pub(super) fn visit_rows(
        mut self,
        rows: impl FnOnce(&BlockTraversal<'_, C, Q>) -> Vec<RowWord>,
        shared: bool,
        visit: impl FnOnce(BlockTraversal<'_, C, Q>, &mut usize),
    ) {
        self.report_loop();
        let Self {
            mut update,
            narrowing,
            ..
        } = self;
        if TRACKED && is_observed::<C, Q>(update.context().core_mut()) {
            let core = update.context().core_mut();
            let rows = rows(&BlockTraversal::new(core, &narrowing, &[]));
            update.begin(rows, written::<C, Q>(), shared);
        }
        let Visit {
            context,
            written,
            reached,
            ..
        } = update.visit();
        let traversal = BlockTraversal::new(context.core_mut(), &narrowing, written);
        visit(traversal, reached);
        update.finish();
    }
}

/// Calls user code. If it panics, records how far the visit came, so that nothing needs to be
/// stored per item.
#[inline(always)]
pub(super) fn reaching(end: usize, reached: &mut usize, code: impl FnOnce()) {
    let recorded = Reached { end, reached };
    code();
    core::mem::forget(recorded);
}

/// Records how far a visit has come when it is dropped.
struct Reached<'r> {
    end: usize,
    reached: &'r mut usize,
}

impl Drop for Reached<'_> {
    fn drop(&mut self) {
        *self.reached = self.end;
    }
}

/// The components that `Q` writes.
pub(super) fn written<C: HasCore, Q: QueryData<C>>() -> Vec<Written> {
    let mut written = Vec::new();
    Q::written(&mut written);
    written
}

impl<C: HasCore, Q, const TRACKED: bool> fmt::Debug for QueryMut<'_, C, Q, TRACKED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.narrowing.describe(&mut f.debug_struct("QueryMut"))
    }
}
