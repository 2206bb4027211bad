//! Walking through the values of several components at once, block by block.
//!
//! ```text
//! Position  occupied 0b…1111   values ─► [Position; 64]
//! Velocity  occupied 0b…0110   values ─► [Velocity; 64]
//! rows      AND      0b…0110   full words are plain loops, over neighbours in memory as one;
//!                               others go bit by bit, and empty ones are passed four at once
//! ```
//!
//! `walk.rs` says which rows are visited and makes their items, `data.rs` what a term
//! gives for a row and for a run of rows; the files beside them are what users call.
//!
//! The invariants the unsafe code rests on:
//!
//! 1. A query holds the context's core exclusively for as long as items live.
//! 2. No component is asked for twice where one of the two is `&mut` (checked when
//!    the query is made), so items of one row never overlap.
//! 3. A walk visits each row once, so items of different rows never overlap; neither do they
//!    where sparse blocks share memory, because no place of it has values of two blocks.
//! 4. An item of a component is made for a row only if the component's bit is set
//!    there, so an initialized value is behind it (the invariant of the column).
//! 5. A run of rows goes on from a block to the next one only if the next one's values
//!    start where this one's end. Then both are of one slab, so of one allocation (the
//!    invariant of the slabs), and the first one's pointer is good for both. Of memory that
//!    is shared it touches the places of its own rows alone, because their bits are set.
//!
//! The core comes from [`HasCore::core_mut`] alone, once for each walk: that trait is a
//! safe one, and what `core` gives might be shared with somebody else.

#![expect(
    unsafe_code,
    reason = "hands out references to values of several columns at once"
)]

mod data;
mod iter;
mod limits;
mod narrow;
mod narrowing;
#[cfg(feature = "rayon")]
mod parallel;
mod prefetch;
mod report;
mod walk;

use core::fmt;
use core::marker::PhantomData;

use crate::state::{Core, HasCore};
use crate::storage::column::ROWS;
use crate::storage::registry::numbering;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::EntityId;

pub use self::data::QueryData;
pub use self::data::rows::Ids;
use self::data::{conflict, unwritable};
pub use self::iter::QueryIter;
use self::narrowing::Narrowing;
use self::walk::Walk;

/// The entities that have certain components, and those components' values; **what is
/// written through `&mut T` is not reported** to any group, collector or observer, but by
/// [`update_each`](Self::update_each).
///
/// `Q` is one of these or a tuple of up to twelve:
///
/// | term | item | slice | rows |
/// | --- | --- | --- | --- |
/// | `&T`, `&mut T` | the value | `&[T]`, `&mut [T]` | those that have `T` |
/// | `Option<&T>`, `Option<&mut T>` | the value, if any | the slice, if any | all |
/// | `EntityId<C>` | the entity's id | [`Ids`] of the run | all |
/// | `View<'_, C, T>` | a [`View`](crate::View) of the `T` of all entities | the same | all |
///
/// A component that is asked for as `&mut T` can be asked for once, views included. One with
/// indexed fields can be written by [`update_each`](Query::update_each) alone, which its
/// index hears of.
///
/// Rows are visited in ascending order. Made by
/// [`Context::query`](crate::Context::query).
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Position(f32);
/// #[derive(Component)]
/// #[component(context = Game)]
/// struct Velocity(f32);
///
/// let mut game = Game::new();
/// let id = game.create_with((Position(1.0), Velocity(0.5))).id();
/// game.query::<(&mut Position, &Velocity)>().for_each(|(position, velocity)| {
///     position.0 += velocity.0;
/// });
/// assert_eq!(game.entity(id).position().0, 1.5);
/// ```
#[must_use = "a query does nothing until it is walked"]
pub struct Query<'a, C: 'static, Q> {
    context: &'a mut C,
    narrowing: Narrowing<C>,
    /// Invariant: of two types of which one is a subtype of the other, a query for
    /// one must not pass for a query for the other.
    data: PhantomData<fn(Q) -> Q>,
}

impl<'a, C: HasCore, Q: QueryData<C>> Query<'a, C, Q> {
    #[inline]
    #[track_caller]
    pub(crate) fn new(context: &'a mut C) -> Self {
        if let Some(component) = conflict::<C, Q>() {
            let name = numbering::<C>().name(component);
            panic!(
                "a query of context `{}` asks for component `{name}` twice and for one of the two \
                 as `&mut {name}`; ask for it once",
                C::NAME
            );
        }
        Self {
            context,
            narrowing: Narrowing::none(),
            data: PhantomData,
        }
    }

    /// The walk through all blocks.
    #[inline(always)] // so that filters which are not there cost nothing
    #[track_caller]
    fn walk(self) -> Walk<'a, C, Q> {
        if let Some(component) = unwritable::<C, Q>(false) {
            refuse_writes::<C>(
                component,
                "indexed fields, and their index",
                "`update_each`",
            );
        }
        let core: &'a Core<C> = self.context.core_mut();
        Walk::new(core, self.narrowing)
    }

    /// Calls `each` with the item of every row, in ascending order.
    ///
    /// Complexity: linear in the blocks of 64 rows up to the last value of the
    /// components asked for, and in the items.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let ids = game.create_many([Health(1), Health(2)]);
    /// game.query::<&mut Health>().for_each(|health| health.0 *= 2);
    /// assert_eq!(game.entity(ids[1]).health().0, 4);
    /// ```
    #[inline]
    #[track_caller]
    pub fn for_each(self, mut each: impl FnMut(Q::Item<'a>)) {
        let walk = self.walk();
        // SAFETY: the one walk there is (3); the query made sure of (2) and holds the
        // core (1).
        unsafe { walk.items(0..walk.blocks, |_, item| each(item)) }
    }

    /// Calls `each` with slices of the values of every run of neighbouring rows, in
    /// ascending order: all of a run at once, for loops that the compiler can vectorize.
    ///
    /// A run ends where a row is not visited, where an optional component begins or ends
    /// to be there, and where values stop being neighbours in memory. So entities made
    /// one after the other give few and long runs, and so do all entities after
    /// [`defragment`](crate::Context::defragment).
    ///
    /// Complexity: linear in the blocks of 64 rows up to the last value of the
    /// components asked for, and in the runs.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Position(f32);
    /// # #[derive(Component)] #[component(context = Game)] struct Velocity(f32);
    /// let mut game = Game::new();
    /// let ids = game.create_many((0..1_000).map(|_| (Position(1.0), Velocity(0.5))));
    /// game.query::<(&mut Position, &Velocity)>().for_each_slice(|(positions, velocities)| {
    ///     positions.iter_mut().zip(velocities).for_each(|(p, v)| p.0 += v.0);
    /// });
    /// assert_eq!(game.entity(ids[999]).position().0, 1.5);
    /// ```
    #[inline]
    #[track_caller]
    pub fn for_each_slice(self, mut each: impl FnMut(Q::Slice<'a>)) {
        let walk = self.walk();
        // SAFETY: the one walk there is (3); the query made sure of (2) and holds the
        // core (1).
        unsafe { walk.runs(0..walk.blocks, |_, slice| each(slice)) }
    }

    /// The items, in ascending order of the rows.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// game.create_many([Health(1), Health(2)]);
    /// for health in game.query::<&mut Health>().iter() {
    ///     health.0 *= 2;
    /// }
    /// assert_eq!(game.query::<&Health>().iter().map(|health| health.0).sum::<u32>(), 6);
    /// ```
    #[inline]
    #[track_caller]
    pub fn iter(self) -> QueryIter<'a, C, Q> {
        QueryIter::new(self.walk())
    }

    /// The item of one entity; `None` if it is dead or does not match.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(1)).id();
    /// assert_eq!(game.query::<&Health>().get(id).unwrap().0, 1);
    /// ```
    #[inline]
    #[track_caller]
    pub fn get(self, id: EntityId<C>) -> Option<Q::Item<'a>> {
        let walk = self.walk();
        let row = walk.row(id)?;
        let (at, place) = (row.get() / ROWS, row.get() % ROWS);
        // SAFETY: `at` is less than `blocks`.
        if at >= walk.blocks || unsafe { walk.word(at) } >> place & 1 == 0 {
            return None;
        }
        // SAFETY: `at` is less than `blocks`. The bit of the row is set (4); one row is
        // visited, once (3); the query made sure of (2) and holds the core (1).
        Some(unsafe { Q::item(walk.block(at), place) })
    }

    /// The one item, or `None` if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// assert!(game.query::<&Health>().single().is_none());
    /// game.create_with(Health(3));
    /// assert_eq!(game.query::<&Health>().single().map(|health| health.0), Some(3));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there are several.
    #[track_caller]
    pub fn single(self) -> Option<Q::Item<'a>> {
        let mut items = self.iter();
        let item = items.next();
        assert!(
            items.next().is_none(),
            "a query of context `{}` has several entities where one was asked for; use `iter`, \
             or narrow it by `with` or `without`",
            C::NAME
        );
        item
    }
}

/// Refuses a query that writes to a component past its indexes.
#[cold]
#[track_caller]
fn refuse_writes<C: HasCore>(component: ComponentIndex, why: &str, instead: &str) -> ! {
    let name = numbering::<C>().name(component);
    panic!(
        "a query of context `{}` asks for `&mut {name}`, but `{name}` has {why} would not follow \
         what is written; ask for `&{name}`, or use {instead}, which reports changes",
        C::NAME
    )
}

impl<'a, C: HasCore, Q: QueryData<C>> IntoIterator for Query<'a, C, Q> {
    type Item = Q::Item<'a>;
    type IntoIter = QueryIter<'a, C, Q>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<C: HasCore, Q> fmt::Debug for Query<'_, C, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.narrowing.describe(&mut f.debug_struct("Query"))
    }
}
