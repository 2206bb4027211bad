//! Queries whose writes are reported: to groups, collectors, indexes and observers.

use alloc::vec::Vec;

use super::data::{QueryData, unwritable};
use super::walk::Walk;
use super::{Query, refuse_writes};
use crate::state::{HasCore, UpdateEach};

impl<C: HasCore, Q: QueryData<C>> Query<'_, C, Q> {
    /// Calls `each` with the item of every row, in ascending order, and reports every
    /// entity visited as updated in each component that the query asks for as `&mut T`,
    /// whether `each` has written to it or not.
    ///
    /// What is an update one by one is one here: groups raise *updated*, collectors
    /// collect, observers are told, with the previous value where `T` is `Clone`. All
    /// values are final, and collectors filled, before the first observer runs; then each
    /// entity is told of in the order of the rows, and of one entity each component in
    /// the order of the query's terms. An entity that lacks an `Option<&mut T>` is not
    /// updated in `T`.
    ///
    /// # Panics
    ///
    /// Panics if `each` does. Then the entities visited by then keep their values and
    /// are collected, the one under way included, but no observer is told. Panics if a
    /// component asked for as `&mut T` has a primary index, which could refuse a key only
    /// when it has been written.
    ///
    /// Complexity: that of [`for_each`](Self::for_each). An empty collector, or one that
    /// holds nothing but what was changed in bulk, takes in 64 rows at once; else it is
    /// linear in the entities of which somebody hears, too.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let wounded = game.collector(Game::all_of::<Health>().updated());
    /// let ids = game.create_many([Health(3), Health(2)]);
    /// game.query::<&mut Health>().update_each(|health| health.0 -= 1);
    /// assert_eq!(wounded.drain(&mut game), ids);
    /// ```
    #[track_caller]
    pub fn update_each(self, mut each: impl for<'i> FnMut(Q::Item<'i>)) {
        self.report(|walk, reached| {
            // SAFETY: the one walk there is that makes items (3), and none of them outlives
            // its call, so none is left when the context is used again; the query made
            // sure of (2) and holds the core (1).
            unsafe {
                walk.items(0..walk.blocks, |row, item| {
                    *reached = row + 1;
                    each(item);
                });
            }
        });
    }

    /// Does what [`update_each`](Self::update_each) does, for slices of the values of every
    /// run of neighbouring rows, as [`for_each_slice`](Self::for_each_slice) hands them
    /// out: the fastest way to change many entities and to have it reported.
    ///
    /// # Panics
    ///
    /// As [`update_each`](Self::update_each). Where `each` panics, all entities of the run
    /// under way count as visited.
    ///
    /// Complexity: that of [`for_each_slice`](Self::for_each_slice), and of reporting as
    /// above.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[ecs::context] pub struct Game;
    /// # #[derive(Component)] #[component(context = Game)] struct Health(u32);
    /// let mut game = Game::new();
    /// let wounded = game.collector(Game::all_of::<Health>().updated());
    /// let ids = game.create_many([Health(3), Health(2)]);
    /// let all = game.query::<&mut Health>();
    /// all.update_each_slice(|healths| healths.iter_mut().for_each(|health| health.0 -= 1));
    /// assert_eq!(wounded.drain(&mut game), ids);
    /// ```
    #[track_caller]
    pub fn update_each_slice(self, mut each: impl for<'i> FnMut(Q::Slice<'i>)) {
        self.report(|walk, reached| {
            // SAFETY: as in `update_each`.
            unsafe {
                walk.runs(0..walk.blocks, |end, slice| {
                    *reached = end;
                    each(slice);
                });
            }
        });
    }

    /// Reports every row that a visit reaches; the visit notes the end of what it has
    /// reached before it calls anybody.
    #[track_caller]
    fn report(self, visit: impl FnOnce(&Walk<'_, C, Q>, &mut usize)) {
        if let Some(component) = unwritable::<C, Q>(true) {
            refuse_writes::<C>(
                component,
                "a primary index, which",
                "`update` of each entity",
            );
        }
        let (context, narrowing) = (self.context, self.narrowing);
        let mut written = Vec::new();
        Q::written(&mut |component| written.push(component));
        let rows = Walk::<C, Q>::new(context.core_mut(), narrowing.clone()).rows();
        let mut update = UpdateEach::begin(context, rows, written);
        let (context, reached) = update.split();
        visit(&Walk::new(context.core_mut(), narrowing), reached);
        update.finish();
    }
}
