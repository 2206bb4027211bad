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

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use super::Columns;
use crate::column::{Column, ROWS};
use crate::component::{Component, ComponentIndex};
use crate::registry::index_of;
use crate::slots::Row;

/// A column, with the block that is being filled.
struct Lane {
    component: ComponentIndex,
    values: NonNull<u8>,
}

/// Columns that are being filled, from a row to the end of its block.
pub(crate) struct Lanes<'a, C: 'static> {
    columns: &'a mut Columns<C>,
    lanes: Vec<Lane>,
    at: usize,
    start: usize,
    place: usize,
    /// How many values a row has got that was not ended.
    reached: usize,
}

/// A row that is being filled, one value after the other.
pub(crate) struct LaneRow<'l, C> {
    lanes: &'l [Lane],
    /// Where its values go, less than 64.
    place: &'l mut usize,
    reached: &'l mut usize,
    /// How many values it has.
    next: usize,
    context: PhantomData<fn() -> C>,
}

impl<'a, C: 'static> Lanes<'a, C> {
    /// Opens the block of a row in the columns of some components, each of them once;
    /// none has values from this row on.
    pub(crate) fn open(
        columns: &'a mut Columns<C>,
        components: &[ComponentIndex],
        start: Row,
    ) -> Self {
        let (at, start) = (start.get() / ROWS, start.get() % ROWS);
        let mut lanes = Self {
            columns,
            lanes: Vec::with_capacity(components.len()),
            at,
            start,
            place: start,
            reached: 0,
        };
        for &component in components {
            debug_assert!(lanes.lanes.iter().all(|lane| lane.component != component));
            let values = lanes.column(component).open_at(at);
            lanes.lanes.push(Lane { component, values });
        }
        lanes
    }

    /// Starts the next row, of which the block must have one.
    #[inline(always)] // see `create_with`
    pub(crate) fn row(&mut self) -> LaneRow<'_, C> {
        assert!(self.place < ROWS, "the block has no further row");
        LaneRow {
            lanes: &self.lanes,
            place: &mut self.place,
            reached: &mut self.reached,
            next: 0,
            context: PhantomData,
        }
    }

    /// How many rows have been ended.
    pub(crate) fn rows(&self) -> usize {
        self.place - self.start
    }

    fn column(&mut self, component: ComponentIndex) -> &mut Column {
        if component.get() >= self.columns.len() {
            self.columns.catch_up();
        }
        &mut self.columns.columns[component.get()]
    }

    /// Sets the bits of all values that have been put.
    fn close(&mut self) -> Vec<Lane> {
        let lanes = core::mem::take(&mut self.lanes);
        let below = |place: usize| {
            u64::MAX
                .checked_shl(place as u32)
                .map_or(u64::MAX, |bits| !bits)
        };
        let whole = below(self.place) & !below(self.start);
        for (nth, lane) in lanes.iter().enumerate() {
            let under_way = if nth < self.reached {
                1 << self.place
            } else {
                0
            };
            let at = self.at;
            // SAFETY: these places of the open block hold values (the invariant).
            unsafe {
                self.column(lane.component)
                    .set_filled(at, whole | under_way)
            };
        }
        lanes
    }
}

impl<C: 'static> LaneRow<'_, C> {
    /// Puts the next value; false where it is not of the column that comes next.
    #[inline(always)] // see `create_with`
    pub(crate) fn put<T: Component<C>>(&mut self, value: T) -> bool {
        match self.lanes.get(self.next) {
            Some(lane) if lane.component == index_of::<C, T>() => {
                // SAFETY: the column at the index of `T` is one of `T` (the invariant of
                // `Columns`), so its open block has room for 64 of them; `place` is less
                // than that.
                unsafe { lane.values.cast::<T>().add(*self.place).write(value) };
                self.next += 1;
                true
            }
            _ => false,
        }
    }

    /// Ends the row, which must have all its values.
    #[inline(always)] // see `create_with`
    pub(crate) fn end(self) {
        assert!(
            self.next == self.lanes.len(),
            "a row has a value of each lane"
        );
        let mut row = ManuallyDrop::new(self);
        *row.place += 1;
    }
}

impl<C> Drop for LaneRow<'_, C> {
    /// Leaves its values to the lanes, which drop them.
    #[inline]
    fn drop(&mut self) {
        *self.reached = self.next;
    }
}

impl<C: 'static> Drop for Lanes<'_, C> {
    /// Drops the values of the row under way.
    fn drop(&mut self) {
        let lanes = self.close();
        let row = Row((self.at * ROWS + self.place) as u32);
        let components = lanes.iter().take(self.reached).map(|lane| lane.component);
        let components: Vec<_> = components.collect();
        self.columns.discard(&components, &[row]);
    }
}
