//! Filling several columns side by side, row by row. What would be looked up for each value is
//! looked up once per block.
//!
//! ```text
//! lanes    Position  Velocity  Name         the columns, in the order of the values of a row
//! row 64   ●         ●         ●            finished
//! row 65   ●         ●         ◄ next       in progress; on panic its values are dropped
//! row 66
//! ```
//!
//! Invariant: **the places of all lanes from `start` to before `place` hold values, and so does
//! `place` in the lanes that the row in progress has reached**. The bits of these places are set
//! when the block is closed, even on panic; until then `columns` is borrowed, so nothing reads
//! them.
//!
//! A row is passed from value to value, so that `next` stays in a register: storing and loading it
//! for each value would dominate the time.

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

/// The types of columns filled side by side, known at compile time.
pub(crate) trait LaneTypes {
    /// The types.
    const TYPES: &'static RowTypes;
}

/// Columns being filled, block by block.
pub(crate) struct Lanes<'a, C: 'static, L> {
    columns: &'a mut ColumnsOf<C>,
    components: &'a [RawComponentIndex],
    /// The values of the open block of each column.
    values: [NonNull<u8>; MOST],
    /// The number of columns in which the block at `at` is open.
    open: usize,
    at: usize,
    start: usize,
    place: usize,
    /// The number of values of an unfinished row.
    reached: usize,
    types: PhantomData<fn() -> L>,
}

/// A row being filled, one value after another.
pub(crate) struct LaneRow<'l, C> {
    types: &'static RowTypes,
    values: &'l [NonNull<u8>; MOST],
    /// The place of its values in the block, less than 64.
    place: usize,
    ended: &'l mut usize,
    reached: &'l mut usize,
    /// The number of values so far.
    next: usize,
    context: PhantomData<fn() -> C>,
}

impl<'a, C: 'static, L: LaneTypes> Lanes<'a, C, L> {
    /// Returns lanes for these components, or `None` if their types are not `L`'s or not distinct.
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

    /// Opens the block of a row. No column may have values in it at or after that row.
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

    /// Fills a row for each bundle. The open block must have enough rows.
    #[inline(always)] // see `create::with`
    pub(crate) fn fill<B>(
        &mut self,
        bundles: impl Iterator<Item = B>,
        put: impl for<'l> Fn(B, LaneRow<'l, C>) -> LaneRow<'l, C>,
    ) {
        assert!(self.open == L::TYPES.len(), "all lanes are open");
        // A local copy, so that the compiler knows that no write changes it.
        let values = self.values;
        let (ended, reached) = (&mut self.place, &mut self.reached);
        // With `for_each` of the iterator, bundles need not go through memory.
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
    /// Sets the bits of all values written to the open block. Returns the number of finished rows.
    pub(crate) fn close(&mut self) -> usize {
        let below = |place: usize| {
            u64::MAX
                .checked_shl(place as u32)
                .map_or(u64::MAX, |bits| !bits)
        };
        let claimed = ALL_ROWS & !below(self.start);
        let whole = below(self.place) & claimed;
        for (nth, &component) in self.components[..self.open].iter().enumerate() {
            let in_progress = if nth < self.reached {
                1 << self.place
            } else {
                0
            };
            let column = &mut self.columns.columns[component.get()];
            let filled = whole | in_progress;
            // SAFETY: by the invariant these places of the open block hold values, and it was
            // claimed from `start`.
            unsafe { column.set_filled(self.at, filled, claimed & !filled) };
        }
        let rows = self.place - self.start;
        (self.open, self.start) = (0, self.place);
        rows
    }
}

impl<C: 'static> LaneRow<'_, C> {
    /// Writes the next value. Returns `false` if it is not of the type of the next column.
    #[inline(always)] // see `create::with`
    pub(crate) fn put<T: Component<C>>(&mut self, value: T) -> bool {
        if !self.types.has_at::<T>(self.next) {
            return false;
        }
        // SAFETY: the next column is one of `T` (checked by `Lanes::new`), so its open block has
        // space for 64 of them; `place` is less than that.
        unsafe { move_to(self.values[self.next].cast::<T>().add(self.place), value) };
        self.next += 1;
        true
    }

    /// Finishes the row, which must be complete.
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
    /// Leaves the values to the lanes, which drop them.
    #[inline]
    fn drop(&mut self) {
        *self.reached = self.next;
    }
}

impl<C: 'static, L> Drop for Lanes<'_, C, L> {
    /// Drops the values of an unfinished row.
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
    /// Returns whether the columns of some components are of these types.
    fn are_of(&mut self, components: &[RawComponentIndex], types: &RowTypes) -> bool {
        self.catch_up();
        let column = |component: &RawComponentIndex| &self.columns[component.get()];
        types.are(
            components
                .iter()
                .map(|component| (column(component).descriptor().type_id)()),
        )
    }
}
