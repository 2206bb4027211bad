//! Columns that are filled side by side, row by row, with what is looked up for each
//! value otherwise looked up once for a whole block.
//!
//! ```text
//! lanes    Position  Velocity  Name         the columns, in the order of the values of a row
//! row 64   ●         ●         ●            finished
//! row 65   ●         ●         ◄ next       under way; ended by a panic, its values are dropped
//! row 66
//! ```
//!
//! The invariant: **the places of all lanes from `start` up to `place` hold values, and so
//! does `place` itself in as many lanes as the row under way has reached**. The bits of these
//! places are set when the lanes end, also by a panic; until then `columns` is borrowed, so
//! nobody looks at them.
//!
//! A row is handed from value to value, so that `next` stays in a register: stored and
//! loaded again for each value, it would be what everything waits for.

#![expect(
    unsafe_code,
    reason = "writes values into the blocks of several columns"
)]

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use super::row_types::{MOST, RowTypes};
use super::{Columns, ColumnsOf};
use crate::storage::column::{ROWS, move_to};
use crate::storage::slots::Row;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::limits::ALL_ROWS;

/// The types of the columns that are filled side by side, known when the code that fills
/// them is compiled.
pub(crate) trait LaneTypes {
    /// These types.
    const TYPES: &'static RowTypes;
}

/// Columns that are being filled, block by block.
pub(crate) struct Lanes<'a, C: 'static, L> {
    columns: &'a mut ColumnsOf<C>,
    components: &'a [RawComponentIndex],
    /// The open block of each.
    values: [NonNull<u8>; MOST],
    /// In how many columns the block at `at` is open.
    open: usize,
    at: usize,
    start: usize,
    place: usize,
    /// How many values a row has got that was not ended.
    reached: usize,
    types: PhantomData<fn() -> L>,
}

/// A row that is being filled, one value after the other.
pub(crate) struct LaneRow<'l, C> {
    types: &'static RowTypes,
    values: &'l [NonNull<u8>; MOST],
    /// Where its values go, less than 64.
    place: usize,
    ended: &'l mut usize,
    reached: &'l mut usize,
    /// How many values it has.
    next: usize,
    context: PhantomData<fn() -> C>,
}

impl<'a, C: 'static, L: LaneTypes> Lanes<'a, C, L> {
    /// The columns of some components. None if they are not of these types, or one is there
    /// twice.
    pub(crate) fn new(
        columns: &'a mut ColumnsOf<C>,
        components: &'a [RawComponentIndex],
    ) -> Option<Self> {
        let are_distinct = L::TYPES.are_distinct();
        (are_distinct && columns.are_of(components, L::TYPES)).then_some(Self {
            columns,
            components,
            values: [NonNull::dangling(); MOST],
            open: 0,
            at: 0,
            start: 0,
            place: 0,
            reached: 0,
            types: PhantomData,
        })
    }

    /// Opens the block of a row, from which on no column has values.
    pub(crate) fn open(&mut self, start: Row) {
        self.close();
        self.at = start.get() / ROWS;
        (self.start, self.place) = (start.get() % ROWS, start.get() % ROWS);
        let claimed = ALL_ROWS & u64::MAX << self.start;
        for &component in self.components {
            self.values[self.open] =
                self.columns.columns[component.get()].open_at(self.at, claimed);
            self.open += 1;
        }
    }

    /// Fills a row for each bundle; the open block must have as many.
    #[inline(always)] // see `create::with`
    pub(crate) fn fill<B>(
        &mut self,
        bundles: impl Iterator<Item = B>,
        put: impl for<'l> Fn(B, LaneRow<'l, C>) -> LaneRow<'l, C>,
    ) {
        assert!(self.open == L::TYPES.len(), "all lanes are open");
        // Of their own, so that the compiler knows that no value is written over them.
        let values = self.values;
        let (ended, reached) = (&mut self.place, &mut self.reached);
        // Handed over by the iterator itself, a bundle need not be in memory on the way.
        bundles.for_each(move |bundle| {
            let place = *ended;
            assert!(place < ROWS && *reached == 0, "the block has another row");
            let row = LaneRow {
                types: L::TYPES,
                values: &values,
                place,
                ended,
                reached,
                next: 0,
                context: PhantomData,
            };
            put(bundle, row).end();
        });
    }
}

impl<C: 'static, L> Lanes<'_, C, L> {
    /// Sets the bits of all values that have been put in the open block; returns how many of its
    /// rows have been ended.
    pub(crate) fn close(&mut self) -> usize {
        let below = |place: usize| {
            u64::MAX
                .checked_shl(place as u32)
                .map_or(u64::MAX, |bits| !bits)
        };
        let claimed = ALL_ROWS & !below(self.start);
        let whole = below(self.place) & claimed;
        for (nth, &component) in self.components[..self.open].iter().enumerate() {
            let under_way = if nth < self.reached {
                1 << self.place
            } else {
                0
            };
            let column = &mut self.columns.columns[component.get()];
            let filled = whole | under_way;
            // SAFETY: these places of the open block hold values (the invariant), and it was
            // claimed from `start` on.
            unsafe { column.set_filled(self.at, filled, claimed & !filled) };
        }
        let rows = self.place - self.start;
        (self.open, self.start) = (0, self.place);
        rows
    }
}

impl<C: 'static> LaneRow<'_, C> {
    /// Puts the next value; false if it is not of the column that comes next.
    #[inline(always)] // see `create::with`
    pub(crate) fn put<T: Component<C>>(&mut self, value: T) -> bool {
        if !self.types.has_at::<T>(self.next) {
            return false;
        }
        // SAFETY: the column that comes next is one of `T` (as `Lanes::new` has checked), so its
        // open block has room for 64 of them; `place` is less than that.
        unsafe { move_to(self.values[self.next].cast::<T>().add(self.place), value) };
        self.next += 1;
        true
    }

    /// Ends the row, which must have all its values.
    #[inline(always)] // see `create::with`
    pub(crate) fn end(self) {
        assert!(
            self.next == self.types.len(),
            "a row has a value of each lane"
        );
        let mut row = ManuallyDrop::new(self);
        *row.ended = row.place + 1;
    }
}

impl<C> Drop for LaneRow<'_, C> {
    /// Leaves its values to the lanes, which drop them.
    #[inline]
    fn drop(&mut self) {
        *self.reached = self.next;
    }
}

impl<C: 'static, L> Drop for Lanes<'_, C, L> {
    /// Drops the values of the row under way.
    fn drop(&mut self) {
        self.close();
        if self.reached > 0 {
            let row = Row((self.at * ROWS + self.place) as u32);
            let components = &self.components[..self.reached];
            self.columns.discard(components, &[row]);
        }
    }
}

impl Columns {
    /// Whether the columns of some components are of these types.
    fn are_of(&mut self, components: &[RawComponentIndex], types: &RowTypes) -> bool {
        self.catch_up();
        let column = |component: &RawComponentIndex| &self.columns[component.get()];
        types.are(
            components
                .iter()
                .map(|component| column(component).descriptor().type_id),
        )
    }
}
