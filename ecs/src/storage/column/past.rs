//! The values of a column that a history keeps, and the steps by which they come back.
//!
//! The invariant: **the past of a column is one of values of the column's type.** It is made by
//! the descriptor of the column.

#![expect(
    unsafe_code,
    reason = "moves values whose type is known at run time alone"
)]

use alloc::boxed::Box;
use core::any::Any;

use super::block::{Column, ROWS, bit};
use super::typed::ColumnOf;
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::past::{Direction, Past};
use crate::storage::slots::Row;
use crate::storage::value_list::{VacantValue, ValueList};

impl Column {
    /// The values that a history keeps, made if need be.
    #[inline]
    fn past_mut(&mut self) -> &mut Past {
        let past = &mut self.backing.past;
        past.get_or_insert_with(|| Box::new(Past::new(self.descriptor)))
    }

    /// Has the value in a row and the next one of the past change places, if the row has one.
    pub(crate) fn swap_past(&mut self, row: Row, direction: Direction) {
        if let Some(value) = self.value(row) {
            // SAFETY: the bit is set, so an initialized value of the column is there, and the past
            // is of such values (see above).
            unsafe { self.past_mut().swap(direction, value) };
        }
    }

    /// Takes the value in a row to the past, if the row has one.
    pub(crate) fn take_to_past(&mut self, row: Row, direction: Direction) {
        if let Some(value) = self.value(row) {
            self.release(row.get() / ROWS, bit(row));
            // SAFETY: as in `swap_past`. The bit is cleared by now, so nobody else uses the value.
            // Memory that has been taken back keeps its contents until it is allocated again, and the
            // past allocates none of it.
            unsafe { self.past_mut().take(direction, value) };
        }
    }

    /// Puts the next value of the past into a row that has none.
    pub(crate) fn put_from_past(&mut self, row: Row, direction: Direction) {
        let (at, size) = (row.get() / ROWS, self.descriptor.layout.size());
        let values = self.claim(at, bit(row)).values;
        // SAFETY: `claim` returns a block with memory for `ROWS` values.
        let value = unsafe { values.add(row.get() % ROWS * size) };
        // SAFETY: the place has memory, and no value, as `claim` has checked.
        if unsafe { self.past_mut().put(direction, value) } {
            self.blocks[at].occupied |= bit(row);
        } else {
            self.release(at, bit(row));
        }
    }

    /// Keeps a value of before.
    pub(crate) fn keep(&mut self, value: Moved<'_>) {
        self.past_mut().push(value);
    }

    /// Keeps a clone of a value that was moved out of the column; returns whether it can be cloned.
    pub(crate) fn keep_clone_of(&mut self, value: &AnyValue) -> bool {
        self.past_mut().push_clone(value)
    }

    /// Keeps a clone of the value in a row, if there is one that can be cloned.
    pub(crate) fn keep_clone(&mut self, row: Row) {
        let mut buffer = Buffer::new(self.descriptor);
        let value = self.view(row);
        if let Some(clone) = value.and_then(|value| buffer.clone_of(value)) {
            self.keep(clone);
        }
    }

    /// What is kept, if there is a history.
    pub(crate) fn past(&self) -> Option<&Past> {
        self.backing.past.as_deref()
    }

    /// Takes the first so many values of before out.
    pub(crate) fn forget_past(&mut self, count: usize) -> Option<ValueList> {
        Some(self.backing.past.as_mut()?.forget(count))
    }

    /// Gives up the room in which nothing is kept.
    pub(super) fn trim_past(&mut self) {
        if let Some(past) = &mut self.backing.past {
            past.trim();
        }
    }

    /// Takes out all that is kept.
    pub(crate) fn end_past(&mut self) -> Option<Box<Past>> {
        self.backing.past.take()
    }
}

impl<T: Any + Send + Sync> ColumnOf<T> {
    /// Room for a value of before, if there is any without further ado.
    #[inline]
    pub(crate) fn vacancy_in_past(&mut self) -> Option<VacantValue<'_, T>> {
        // SAFETY: the past is one of values of the column's type (see above), which is `T`.
        unsafe { self.column.backing.past.as_mut()?.vacancy() }
    }
}

/// What these columns keep.
pub(crate) fn all(columns: &mut [Column]) -> impl Iterator<Item = &mut Past> {
    let pasts = columns.iter_mut().map(|column| &mut column.backing.past);
    pasts.flatten().map(|past| &mut **past)
}
