//! The entities of a matcher without a group: for one-off questions of tools and users.
//!
//! Rows are computed 64 at a time from the occupancy of the columns, so counting and skipping cost
//! time by blocks.

use core::fmt;
use core::marker::PhantomData;

use crate::matching::matcher::Matcher;
use crate::matching::members::{Members, Terms};
use crate::state::HasCore;
use crate::storage::column::ROWS;
use crate::storage::slots::{Row, Slots};
use crate::words::entity_id::EntityId;
use crate::words::signature::Bits;

/// The entities that match a matcher. See [`Matcher::ids`].
///
/// [`count`](Iterator::count) and [`nth`](Iterator::nth) advance 64 entities at a time.
#[must_use = "iterators are lazy"]
pub struct MatchingIds<'a, C> {
    slots: &'a Slots,
    rows: Members<'a, Terms>,
    /// The index after the last block.
    end: usize,
    next: usize,
    word: Bits,
    context: PhantomData<fn() -> C>,
}

impl<C: HasCore> Matcher<C> {
    /// Returns the entities that match now, in the order in which a group iterates.
    ///
    /// It creates no group. Use the [`Group`](crate::Group) of the matcher for repeated calls.
    ///
    /// Complexity: linear in the blocks of 64 entities, times the components named, and in the
    /// visited entities.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.create_many((0..100).map(Health));
    /// game.create_with((Health(7), Frozen));
    /// let frozen = Game::all_of::<(Health, Frozen)>();
    /// let id = frozen.ids(&game).next().unwrap();
    /// assert_eq!(game.entity(id).health().0, 7);
    /// let healthy = Game::all_of::<Health>().none_of::<Frozen>();
    /// assert_eq!(healthy.ids(&game).nth(90).unwrap().index(), 90);
    /// assert_eq!(healthy.ids(&game).count(), 100);
    /// ```
    pub fn ids<'a>(&self, context: &'a C) -> MatchingIds<'a, C> {
        let core = context.core();
        let disabling = core.world.columns().disabling();
        let rows = match disabling.is_empty() {
            true => core.matching(self.condition()),
            false => core.matching(&self.condition().clone().hiding(disabling)),
        };
        MatchingIds {
            slots: core.world.slots(),
            end: rows.end(),
            rows,
            next: 0,
            word: Bits(0),
            context: PhantomData,
        }
    }
}

impl<C: 'static> MatchingIds<'_, C> {
    /// Advances to the next word; returns false after the last one.
    fn advance(&mut self) -> bool {
        if self.next == self.end {
            self.word = Bits(0);
            return false;
        }
        self.word = Bits(self.rows.word(self.next));
        self.next += 1;
        true
    }

    /// The next row of the current word.
    fn row(&mut self) -> Option<Row> {
        let place = self.word.next()?;
        Some(Row(((self.next - 1) * ROWS) as u32 + place))
    }
}

impl<C: 'static> Iterator for MatchingIds<'_, C> {
    type Item = EntityId<C>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.row() {
                return self.slots.id_in(row);
            }
            if !self.advance() {
                return None;
            }
        }
    }

    fn nth(&mut self, mut n: usize) -> Option<Self::Item> {
        while self.word.0.count_ones() as usize <= n {
            n -= self.word.0.count_ones() as usize;
            if !self.advance() {
                return None;
            }
        }
        for _ in 0..n {
            self.word.next();
        }
        self.next()
    }

    fn count(mut self) -> usize {
        let mut count = self.word.0.count_ones() as usize;
        while self.advance() {
            count += self.word.0.count_ones() as usize;
        }
        count
    }
}

// By hand, because a derive would require `C: Clone`.
impl<C> Clone for MatchingIds<'_, C> {
    fn clone(&self) -> Self {
        Self {
            rows: self.rows.clone(),
            word: Bits(self.word.0),
            ..*self
        }
    }
}

impl<C: 'static> fmt::Debug for MatchingIds<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
