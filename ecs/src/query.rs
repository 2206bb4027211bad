//! Walking through the values of several components at once, block by block.
//!
//! ```text
//! Position  occupied 0b…1111   values ─► [Position; 64]
//! Velocity  occupied 0b…0110   values ─► [Velocity; 64]
//! rows      AND      0b…0110   a full word is a plain loop over 64, others go bit by bit
//! ```
//!
//! The invariants the unsafe code rests on:
//!
//! 1. A query holds the context's core exclusively for as long as items live.
//! 2. No component is asked for twice where one of the two is `&mut` (checked when
//!    the query is made), so items of one row never overlap.
//! 3. A walk visits each row once, so items of different rows never overlap.
//! 4. An item of a component is made for a row only if the component's bit is set
//!    there, so an initialized value is behind it (the invariant of the column).

#![expect(
    unsafe_code,
    reason = "hands out references to values of several columns at once"
)]

mod data;
mod walk;

use core::fmt;
use core::marker::PhantomData;

use crate::component::Components;
use crate::entity_id::EntityId;
use crate::group::Group;
use crate::registry::numbering;
use crate::signature::{Bits, ComponentSet};
use crate::state::{Core, HasCore, foreign};

pub use self::data::QueryData;
use self::data::conflict;
use self::walk::Walk;

/// How many rows a block has.
const ROWS: usize = 64;

/// The entities that have certain components, and those components' values.
///
/// **What is written through `&mut T` is not reported**: no group, collector or
/// observer hears of it.
///
/// `Q` is one of these or a tuple of up to twelve:
///
/// | term | item | rows |
/// | --- | --- | --- |
/// | `&T`, `&mut T` | the value | those that have `T` |
/// | `Option<&T>`, `Option<&mut T>` | the value, if any | all |
/// | `EntityId<C>` | the entity's id | all |
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
    core: &'a mut Core<C>,
    with: ComponentSet,
    without: ComponentSet,
    group: Option<Group<C>>,
    /// Invariant: of two types of which one is a subtype of the other, a query for
    /// one must not pass for a query for the other.
    data: PhantomData<fn(Q) -> Q>,
}

impl<'a, C: HasCore, Q: QueryData<C>> Query<'a, C, Q> {
    #[track_caller]
    pub(crate) fn new(context: &'a mut C) -> Self {
        let core = context.core_mut();
        if let Some(component) = conflict::<C, Q>() {
            let name = numbering::<C>().name(component);
            panic!(
                "a query of context `{}` asks for component `{name}` twice and for one of the two \
                 as `&mut {name}`; ask for it once",
                C::NAME
            );
        }
        let (with, without) = (ComponentSet::new(), ComponentSet::new());
        Self {
            core,
            with,
            without,
            group: None,
            data: PhantomData,
        }
    }

    /// Visits only entities that also have every component of `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let id = game.create_entity().add_frozen().id();
    /// game.create_entity();
    /// assert_eq!(game.query::<EntityId<Game>>().with::<Frozen>().single(), Some(id));
    /// ```
    pub fn with<T: Components<C>>(mut self) -> Self {
        T::visit(&mut |component| _ = self.with.insert(component));
        self
    }

    /// Visits only entities that have no component of `T`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// game.create_with((Health(1), Frozen));
    /// game.create_with(Health(2));
    /// let sum: u32 = game.query::<&Health>().without::<Frozen>().iter().map(|h| h.0).sum();
    /// assert_eq!(sum, 2);
    /// ```
    pub fn without<T: Components<C>>(mut self) -> Self {
        T::visit(&mut |component| _ = self.without.insert(component));
        self
    }

    /// Visits only members of a group.
    ///
    /// # Panics
    ///
    /// Panics where the group is one of another context.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// # #[derive(Component)] #[component(context = Game)] struct Frozen;
    /// let mut game = Game::new();
    /// let moving = game.group(Game::all_of::<Health>().none_of::<Frozen>());
    /// game.create_with((Health(1), Frozen));
    /// game.create_with(Health(2));
    /// game.query::<&mut Health>().in_group(moving).for_each(|health| health.0 += 1);
    /// assert_eq!(moving.single(&game).unwrap().health().0, 3);
    /// ```
    #[track_caller]
    pub fn in_group(mut self, group: Group<C>) -> Self {
        if group.instance != self.core.instance {
            foreign::<C>("group");
        }
        self.group = Some(group);
        self
    }

    /// Calls `each` with the item of every row, in ascending order.
    ///
    /// Complexity: linear in the blocks of 64 rows up to the last value of the
    /// components asked for, and in the items.
    #[inline]
    pub fn for_each(self, mut each: impl FnMut(Q::Item<'a>)) {
        let walk = Walk::<C, Q>::new(self.core, &self.with, &self.without, self.group);
        for at in 0..walk.blocks {
            let word = walk.word(at);
            if word == 0 {
                continue;
            }
            let block = Q::block(&walk.columns, at);
            if word == u64::MAX {
                for place in 0..ROWS {
                    // SAFETY: every bit of `word` is set (4); each row once (3); the
                    // query made sure of (2) and holds the core (1).
                    each(unsafe { Q::item(block, place) });
                }
            } else {
                for place in Bits(word) {
                    // SAFETY: the bit of `place` is set (4); (1) to (3) as above.
                    each(unsafe { Q::item(block, place as usize) });
                }
            }
        }
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
    pub fn iter(self) -> QueryIter<'a, C, Q> {
        let walk = Walk::new(self.core, &self.with, &self.without, self.group);
        QueryIter {
            walk,
            next: 0,
            word: Bits(0),
            block: None,
        }
    }

    /// The item of one entity; `None` where it is dead or does not match.
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
    pub fn get(self, id: EntityId<C>) -> Option<Q::Item<'a>> {
        let row = self.core.slots.get(id)?.row;
        let walk = Walk::<C, Q>::new(self.core, &self.with, &self.without, self.group);
        let (at, place) = (row.get() / ROWS, row.get() % ROWS);
        if at >= walk.blocks || walk.word(at) >> place & 1 == 0 {
            return None;
        }
        // SAFETY: the bit of the row is set (4); one row is visited, once (3); the
        // query made sure of (2) and holds the core (1).
        Some(unsafe { Q::item(Q::block(&walk.columns, at), place) })
    }

    /// The one item, or `None` where there is none.
    ///
    /// # Panics
    ///
    /// Panics where there are several.
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

impl<'a, C: HasCore, Q: QueryData<C>> IntoIterator for Query<'a, C, Q> {
    type Item = Q::Item<'a>;
    type IntoIter = QueryIter<'a, C, Q>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<C: HasCore, Q> fmt::Debug for Query<'_, C, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |component| numbering::<C>().name(component);
        f.debug_struct("Query")
            .field(
                "with",
                &fmt::from_fn(|f| f.debug_set().entries(self.with.iter().map(name)).finish()),
            )
            .field(
                "without",
                &fmt::from_fn(|f| {
                    f.debug_set()
                        .entries(self.without.iter().map(name))
                        .finish()
                }),
            )
            .field("group", &self.group)
            .finish()
    }
}

/// The items of a [`Query`]. See [`Query::iter`].
pub struct QueryIter<'a, C: HasCore, Q: QueryData<C>> {
    walk: Walk<'a, C, Q>,
    next: usize,
    word: Bits,
    block: Option<Q::Block<'a>>,
}

impl<'a, C: HasCore, Q: QueryData<C>> Iterator for QueryIter<'a, C, Q> {
    type Item = Q::Item<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let (Some(block), Some(place)) = (self.block, self.word.next()) {
                // SAFETY: the bit of `place` is set (4) and has been cleared now, and
                // blocks ascend (3); the query made sure of (2) and holds the core (1).
                return Some(unsafe { Q::item(block, place as usize) });
            }
            if self.next == self.walk.blocks {
                return None;
            }
            self.word = Bits(self.walk.word(self.next));
            self.block = Some(Q::block(&self.walk.columns, self.next));
            self.next += 1;
        }
    }
}

impl<C: HasCore, Q: QueryData<C>> fmt::Debug for QueryIter<'_, C, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryIter")
            .field("next_block", &self.next)
            .finish_non_exhaustive()
    }
}
