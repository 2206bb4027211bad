//! Queries that write to single entities: those with certain ids, or the only one.

use alloc::vec::Vec;

use super::data::QueryData;
use super::exclusive::{QueryMut, reaching};
use super::traversal::BlockTraversal;
use crate::state::{Core, HasCore};
use crate::storage::row_words::{RowWord, RowWords};
use crate::storage::slots::Row;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};

impl<C: HasCore, Q: QueryData<C>, const TRACKED: bool> QueryMut<'_, C, Q, TRACKED> {
    /// Calls `visit` with the item of one entity, and reports the entity as updated.
    ///
    /// Returns the result of `visit`, or `None` if the entity is dead or does not match.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// let left = game.query_mut::<&mut Health>().get(id, |health| {
    ///     health.0 -= 1;
    ///     health.0
    /// });
    /// assert_eq!(left, Some(2));
    /// ```
    #[track_caller]
    pub fn get<R>(
        mut self,
        id: EntityId<C>,
        visit: impl for<'i> FnOnce(Q::Item<'i>) -> R,
    ) -> Option<R> {
        let row = self.traversal().visited_row(id)?;
        self.visit_these([row], |[item]| visit(item))
    }

    /// Calls `visit` with the items of several different entities at once, in the order of `ids`,
    /// and reports them as updated.
    ///
    /// Returns the result of `visit`.
    ///
    /// Complexity: linear in the components of the query; quadratic in `N`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # fn main() -> Result<(), ecs::Error> {
    /// let mut game = Game::new();
    /// let fighters = game.create_many([(Health(9), Strength(2)), (Health(9), Strength(3))]);
    /// let (a, b) = (fighters[0], fighters[1]);
    /// game.query_mut::<(&mut Health, &Strength)>().get_many([a, b], |[a, b]| {
    ///     a.0.0 -= b.1.0;
    ///     b.0.0 -= a.1.0;
    /// })?;
    /// assert_eq!((game.entity(a).health().0, game.entity(b).health().0), (6, 7));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`RepeatedEntity`](crate::ErrorKind::RepeatedEntity) if an entity is listed twice,
    /// [`NotAlive`](crate::ErrorKind::NotAlive) or
    /// [`DoesNotMatch`](crate::ErrorKind::DoesNotMatch); `visit` is not called then.
    pub fn get_many<const N: usize, R>(
        mut self,
        ids: [EntityId<C>; N],
        visit: impl for<'i> FnOnce([Q::Item<'i>; N]) -> R,
    ) -> Result<R, Error> {
        let rows = self.rows_of(ids)?;
        let visited = self.visit_these(rows, visit);
        visited.ok_or_else(|| Error::does_not_match(ids[0].raw(), C::NAME))
    }

    /// Calls `each` with the item of each listed entity and the value beside its id, in the order of
    /// rows, and reports the visited entities as updated: to compute something for all entities
    /// first, and then apply it.
    ///
    /// Entities that are dead or do not match are skipped, as by [`among`](Self::among).
    ///
    /// Complexity: that of `among`; for a list that is not in the order of rows, n log n.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let ids = game.create_many([Position(1.0), Position(2.0), Position(3.0)]);
    /// let moves = [(ids[2], 0.5), (ids[0], 0.25)];
    /// game.query_mut::<&mut Position>().among_with(&moves, |position, by| position.0 += by);
    /// assert_eq!(game.entity(ids[2]).position().0, 3.5);
    /// assert_eq!(game.entity(ids[0]).position().0, 1.25);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if an entity is listed twice, or if one of the ids is known to belong to another
    /// context; nothing has changed then. Panics if `each` panics, as
    /// [`for_each`](Self::for_each) does.
    #[track_caller]
    pub fn among_with<V>(
        mut self,
        values: &[(EntityId<C>, V)],
        mut each: impl for<'i> FnMut(Q::Item<'i>, &V),
    ) {
        let mut places = self.places_of(values).into_iter();
        let query = self.among(values.iter().map(|(id, _)| id));
        query.visit(|traversal, reached| {
            // SAFETY: as in `for_each`.
            unsafe {
                traversal.items(0..traversal.blocks, |row, item| {
                    let listed = places.find(|&(at, _)| at.get() == row);
                    let (_, place) = listed.expect("visits only listed rows, in their order");
                    reaching(row + 1, reached, || each(item, &values[place].1));
                });
            }
        });
    }

    /// The rows of listed entities that are alive, ascending, each with its place in the list.
    #[track_caller]
    fn places_of<V>(&mut self, values: &[(EntityId<C>, V)]) -> Vec<(Row, usize)> {
        let slots = self.context().core().world.slots().slice();
        let rows = values.iter().map(|&(id, _)| slots.row(id));
        let mut places: Vec<_> = rows
            .zip(0..)
            .filter_map(|(row, at)| Some((row?, at)))
            .collect();
        if !places.is_sorted_by(|(a, _), (b, _)| a < b) {
            places.sort_unstable();
            if let Some(twice) = places.windows(2).find(|two| two[0].0 == two[1].0) {
                let id = values[twice[0].1].0;
                panic!(
                    "entity {} of context `{}` is listed twice with a value; combine its values \
                     into one first",
                    id.raw(),
                    C::NAME
                );
            }
        }
        places
    }

    /// Calls `visit` with the only item, and reports its entity as updated.
    ///
    /// Returns the result of `visit`, or `None` if no entity matches.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// game.query_mut::<&mut Health>().single(|health| health.0 += 1);
    /// assert_eq!(game.entity(id).health().0, 4);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if several entities match.
    #[track_caller]
    pub fn single<R>(mut self, visit: impl for<'i> FnOnce(Q::Item<'i>) -> R) -> Option<R> {
        let row = self.traversal().only_row()?;
        self.visit_these([row], |[item]| visit(item))
    }

    fn traversal(&mut self) -> BlockTraversal<'_, C, Q> {
        self.report_loop();
        BlockTraversal::new(self.update.context().core(), &self.narrowing, &[])
    }

    /// The rows of different entities, all of which the query visits.
    fn rows_of<const N: usize>(&mut self, ids: [EntityId<C>; N]) -> Result<[Row; N], Error> {
        let traversal = self.traversal();
        let mut rows = [Row(0); N];
        for (place, id) in ids.into_iter().enumerate() {
            if ids[..place].contains(&id) {
                let error = Error::repeated_entity(id.raw(), C::NAME);
                return Err(traversal.core.world.named(error));
            }
            rows[place] = traversal
                .visited_row(id)
                .ok_or_else(|| not_visited(traversal.core, id))?;
        }
        Ok(rows)
    }

    /// Visits different rows, all at once.
    fn visit_these<const N: usize, R>(
        self,
        rows: [Row; N],
        visit: impl for<'i> FnOnce([Q::Item<'i>; N]) -> R,
    ) -> Option<R> {
        let mut result = None;
        self.visit_rows(
            |_| words_of(rows),
            N > 1,
            |traversal, reached| {
                *reached = rows.iter().map(|row| row.get() + 1).max().unwrap_or(0);
                if rows.iter().all(|&row| traversal.visits(row)) {
                    // SAFETY: the rows are visited and different; no item outlives the call (3); the
                    // query ensured (2) and borrows the core (1).
                    result = Some(visit(rows.map(|row| unsafe { traversal.item(row) })));
                }
            },
        );
        result
    }
}

#[cold]
fn not_visited<C: HasCore>(core: &Core<C>, id: EntityId<C>) -> Error {
    match core.world.slots().get(id) {
        Some(_) => core.world.named(Error::does_not_match(id.raw(), C::NAME)),
        None => Error::not_alive(id.raw(), C::NAME, Operation::Access),
    }
}

/// The rows as words, in ascending order.
fn words_of<const N: usize>(mut rows: [Row; N]) -> Vec<RowWord> {
    rows.sort_unstable();
    let mut words = RowWords::default();
    rows.into_iter().for_each(|row| words.push(row));
    words.as_slice().to_vec()
}
