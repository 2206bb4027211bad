//! The values of a column kept by a history, and the steps that restore them.
//!
//! Invariant: **the past of a column holds values of the column's type**, because it is made with
//! the column's descriptor.

#![expect(
    unsafe_code,
    reason = "moves values whose type is known only at run time"
)]

use alloc::boxed::Box;
use core::any::Any;

use super::block::{Column, ROWS, bit};
use super::typed::ColumnOf;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::past::{Direction, Past};
use crate::storage::slots::Row;
use crate::storage::value_list::{VacantValue, ValueList};

impl Column {
    /// Returns the values kept by a history, created on first use.
    #[inline]
    fn past_mut(&mut self) -> &mut Past {
        let past = &mut self.backing.past;
        past.get_or_insert_with(|| Box::new(Past::new(self.descriptor)))
    }

    /// Swaps the value in a row, if there is one, with the next one of the past.
    pub(crate) fn swap_past(&mut self, row: Row, direction: Direction) {
        if let Some(value) = self.value(row) {
            // SAFETY: the bit is set, so the place has an initialized value of the column's type,
            // which is also that of the past (invariant).
            unsafe { self.past_mut().swap(direction, value) };
        }
    }

    /// Moves the value in a row, if there is one, to the past.
    pub(crate) fn take_to_past(&mut self, row: Row, direction: Direction) {
        if let Some(value) = self.value(row) {
            self.release(row.get() / ROWS, bit(row));
            // SAFETY: as in `swap_past`. The bit is cleared, so nothing else uses the value. Freed
            // memory keeps its contents until it is allocated again, and the past does not allocate
            // from it.
            unsafe { self.past_mut().take(direction, value) };
        }
    }

    /// Moves the next value of the past into an empty row.
    pub(crate) fn put_from_past(&mut self, row: Row, direction: Direction) {
        let (at, size) = (row.get() / ROWS, self.descriptor.layout.size());
        let values = self.claim(at, bit(row)).values;
        // SAFETY: `claim` returns a block with memory for `ROWS` values.
        let value = unsafe { values.add(row.get() % ROWS * size) };
        // SAFETY: the place has memory and no value, as checked by `claim`.
        if unsafe { self.past_mut().put(direction, value) } {
            self.blocks[at].occupied |= bit(row);
        } else {
            self.release(at, bit(row));
        }
    }

    /// Records the value before a change.
    pub(crate) fn keep(&mut self, value: Moved<'_>) {
        self.past_mut().push(value);
    }

    /// Records the values before several changes, in order.
    pub(crate) fn keep_all(&mut self, values: ValueList) {
        self.past_mut().push_all(values);
    }

    /// Records the values in rows before they are removed.
    pub(crate) fn keep_rows(&mut self, rows: &[Row]) {
        let mut values = self.past_mut().take_undo();
        self.take_rows(rows, &mut values);
        self.past_mut().put_undo(values);
    }

    /// Records a clone of the value in a row, if there is one that can be cloned.
    pub(crate) fn keep_clone(&mut self, row: Row) {
        let mut buffer = Buffer::new(self.descriptor);
        let value = self.view(row);
        if let Some(clone) = value.and_then(|value| buffer.clone_of(value)) {
            self.keep(clone);
        }
    }

    /// Returns the kept values, if there is a history.
    pub(crate) fn past(&self) -> Option<&Past> {
        self.backing.past.as_deref()
    }

    /// Removes and returns the oldest `count` values for undo.
    pub(crate) fn forget_past(&mut self, count: usize) -> Option<ValueList> {
        Some(self.backing.past.as_mut()?.forget(count))
    }

    /// Removes and returns all kept values.
    pub(crate) fn end_past(&mut self) -> Option<Box<Past>> {
        self.backing.past.take()
    }
}

impl<T: Any> ColumnOf<T> {
    /// Returns space for a value to undo, if available without allocating.
    #[inline]
    pub(crate) fn vacancy_in_past(&mut self) -> Option<VacantValue<'_, T>> {
        // SAFETY: the past holds values of the column's type (invariant), which is `T`.
        unsafe { self.column.backing.past.as_mut()?.vacancy() }
    }
}

/// Iterates over the pasts of these columns.
pub(crate) fn all(columns: &mut [Column]) -> impl Iterator<Item = &mut Past> {
    let pasts = columns.iter_mut().map(|column| &mut column.backing.past);
    pasts.flatten().map(|past| &mut **past)
}
