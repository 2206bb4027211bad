//! Iteration over the values of several components at once, block by block.
//!
//! ```text
//! Position  occupied 0b…1111   values ─► [Position; 64]
//! Velocity  occupied 0b…0110   values ─► [Velocity; 64]
//! rows      AND      0b…0110   full words are plain loops, joined over adjacent blocks;
//!                               others are visited bit by bit, empty ones skipped four at a time
//! ```
//!
//! `traversal.rs` decides which rows are visited and makes their items, `data.rs` defines what a
//! term yields for a row and for a run of rows. The other files contain the public API: [`Query`]
//! reads through `&Game`, [`QueryMut`] (`exclusive.rs`) writes and reports.
//!
//! The invariants that the unsafe code rests on:
//!
//! 1. A query borrows the context's core as long as items exist: exclusively, if some item has a
//!    `&mut`.
//! 2. No component is queried twice if one of the two is `&mut` (checked when the query is
//!    created), so items of one row never overlap.
//! 3. A traversal visits each row once, so items of different rows never overlap; nor do they if
//!    sparse blocks share memory, because no place of it has values of two blocks. If all items
//!    only read, rows may be visited any number of times.
//! 4. An item of a component is made for a row only if the component's bit is set there, so the
//!    value is initialized (the invariant of the column).
//! 5. A run of rows continues from a block to the next one only if the next one's values start
//!    where this one's end. Then both are in one slab, so in one allocation (the invariant of the
//!    slabs), and the pointer of the first is valid for both. In shared memory a run accesses only
//!    the places of its own rows, because their bits are set.
//!
//! The core is obtained from [`HasCore::core`] or [`HasCore::core_mut`] only once per traversal:
//! that trait is safe, so two calls might return different cores.

#![expect(
    unsafe_code,
    reason = "hands out references to values of several columns at once"
)]

mod by_id;
mod data;
mod exclusive;
mod iter;
mod limits;
mod loops;
mod narrow;
mod narrowing;
#[cfg(feature = "rayon")]
mod parallel;
mod traversal;
mod view_mut;

use core::fmt;
use core::marker::PhantomData;

use crate::state::HasCore;
use crate::words::entity_id::EntityId;

pub use self::data::mut_ref::Mut;
pub use self::data::rows::Ids;
pub use self::data::{Asked, QueryData, ReadOnlyQueryData, Term};
pub use self::exclusive::QueryMut;
pub use self::iter::QueryIter;
use self::narrowing::Narrowing;
use self::traversal::{BlockTraversal, several};
pub use self::view_mut::ViewMut;

/// A query that reads the components of entities.
///
/// Created by [`Context::query`](crate::Context::query) from `&Game`: several queries can be
/// iterated at once, even nested, and shared between threads. To write, use
/// [`query_mut`](crate::Context::query_mut).
///
/// `Q` is one of these terms, a tuple of up to twelve, or a struct with
/// [`#[derive(QueryData)]`](macro@crate::QueryData); tuples and structs nest:
///
/// | term | item | slice | rows |
/// | --- | --- | --- | --- |
/// | `&T` | the value | `&[T]` | those that have `T` |
/// | `Option<&T>` | the value, if any | the slice, if any | all |
/// | `EntityId<C>` | the entity's id | [`Ids`] of the run | all |
/// | `View<'_, C, T>` | a [`View`](crate::View) of the `T` of all entities | the same | all |
///
/// A *row* is the place of one entity in storage, and a *run* is a sequence of adjacent rows that
/// have all required components: see the [glossary](crate::guide::glossary). Rows are visited in
/// ascending order.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// game.create_many([(Position(1.0), Radius(0.5)), (Position(1.5), Radius(0.5))]);
///
/// let balls = game.query::<(EntityId<Game>, &Position, &Radius)>();
/// let mut hits = 0;
/// for (a, p, r) in balls.iter() {
///     for (b, q, s) in balls.iter() {
///         hits += usize::from(a != b && (p.0 - q.0).abs() < r.0 + s.0);
///     }
/// }
/// assert_eq!(hits, 2);
/// ```
#[must_use = "a query does nothing until it is walked"]
pub struct Query<'a, C: 'static, Q> {
    context: &'a C,
    narrowing: Narrowing<C>,
    data: PhantomData<fn(Q) -> Q>,
}

impl<'a, C: HasCore, Q: ReadOnlyQueryData<C>> Query<'a, C, Q> {
    #[inline]
    pub(crate) fn new(context: &'a C) -> Self {
        Self {
            context,
            narrowing: Narrowing::of(context.core()),
            data: PhantomData,
        }
    }

    /// The traversal of all blocks.
    #[inline(always)] // so that absent filters cost nothing
    fn traversal(&self) -> BlockTraversal<'a, C, Q> {
        BlockTraversal::new(self.context.core(), &self.narrowing, &[])
    }

    /// Calls `each` with the item of every row, in ascending order.
    ///
    /// Complexity: linear in the blocks of 64 rows up to the last value of the required components,
    /// and in the items.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(1), Health(2)]);
    /// let mut sum = 0;
    /// game.query::<&Health>().for_each(|health| sum += health.0);
    /// assert_eq!(sum, 3);
    /// ```
    #[inline]
    pub fn for_each(&self, mut each: impl FnMut(Q::Item<'a>)) {
        let traversal = self.traversal();
        // SAFETY: all items only read (2, 3); the query borrows the core (1).
        unsafe { traversal.items(0..traversal.blocks, |_, item| each(item)) }
    }

    /// Calls `each` with slices of the values of every run of adjacent rows, in ascending order: a
    /// whole run at once, for loops that the compiler can vectorize.
    ///
    /// A run ends where a row is not visited, where an optional component starts or stops being
    /// present, and where values are not adjacent in memory. So entities created one after the
    /// other form few, long runs, and so do all entities after
    /// [`defragment`](crate::Context::defragment).
    ///
    /// Complexity: linear in the blocks of 64 rows up to the last value of the required components,
    /// and in the runs.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many((0..1_000).map(|_| Velocity(0.5)));
    /// let mut total = 0.0;
    /// game.query::<&Velocity>().for_each_slice(|velocities| {
    ///     total += velocities.iter().map(|velocity| velocity.0).sum::<f32>();
    /// });
    /// assert_eq!(total, 500.0);
    /// ```
    #[inline]
    pub fn for_each_slice(&self, mut each: impl FnMut(Q::Slice<'a>)) {
        let traversal = self.traversal();
        // SAFETY: all items only read (2, 3); the query borrows the core (1).
        unsafe { traversal.runs(0..traversal.blocks, |_, slice| each(slice)) }
    }

    /// Returns an iterator of the items, in ascending order of rows.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many([Health(1), Health(2)]);
    /// assert_eq!(game.query::<&Health>().iter().map(|health| health.0).sum::<u32>(), 3);
    /// ```
    #[inline]
    pub fn iter(&self) -> QueryIter<'a, C, Q> {
        QueryIter::new(self.traversal())
    }

    /// Returns the item of one entity, or `None` if it is dead or does not match.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(1)).id();
    /// assert_eq!(game.query::<&Health>().get(id).unwrap().0, 1);
    /// ```
    #[inline]
    pub fn get(&self, id: EntityId<C>) -> Option<Q::Item<'a>> {
        let traversal = self.traversal();
        let row = traversal.visited_row(id)?;
        // SAFETY: the row is visited; all items only read (2, 3); the query borrows the core (1).
        Some(unsafe { traversal.item(row) })
    }

    /// Returns the only item, or `None` if no entity matches.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// assert!(game.query::<&Health>().single().is_none());
    /// game.create_with(Health(3));
    /// assert_eq!(game.query::<&Health>().single().map(|health| health.0), Some(3));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if several entities match.
    #[track_caller]
    pub fn single(&self) -> Option<Q::Item<'a>> {
        let mut items = self.iter();
        let item = items.next();
        if items.next().is_some() {
            several::<C>();
        }
        item
    }
}

impl<'a, C: HasCore, Q: ReadOnlyQueryData<C>> IntoIterator for &Query<'a, C, Q> {
    type Item = Q::Item<'a>;
    type IntoIter = QueryIter<'a, C, Q>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, C: HasCore, Q: ReadOnlyQueryData<C>> IntoIterator for Query<'a, C, Q> {
    type Item = Q::Item<'a>;
    type IntoIter = QueryIter<'a, C, Q>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

// By hand, because a derive would require `C: Clone` and `Q: Clone`.
impl<C, Q> Clone for Query<'_, C, Q> {
    fn clone(&self) -> Self {
        Self {
            narrowing: self.narrowing.clone(),
            ..*self
        }
    }
}

impl<C: HasCore, Q> fmt::Debug for Query<'_, C, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.narrowing.describe(&mut f.debug_struct("Query"))
    }
}
