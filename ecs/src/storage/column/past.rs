//! The values of a column that a history keeps, and the steps by which they come back.
//!
//! The invariant: **the past of a column is one of values of the column's type.** It is made by
//! the descriptor of the column.

#![expect(
    unsafe_code,
    reason = "moves values whose type is known at run time alone"
)]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use super::block::{Column, ROWS, bit};
use super::typed::ColumnOf;
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::past::{Direction, Past};
use crate::storage::slots::Row;
use crate::storage::value_list::{Room, ValueList};

impl Column {
    /// The values that a history keeps.
    #[inline]
    fn past(&mut self) -> &mut Past {
        let past = &mut self.backing.past;
        past.get_or_insert_with(|| Box::new(Past::new(self.descriptor)))
    }

    /// Has the value in a row and the next one of the past change places, if the row has one.
    pub(crate) fn exchange_past(&mut self, row: Row, direction: Direction) {
        if let Some(value) = self.value(row) {
            // SAFETY: the bit is set, so an initialized value of the column is there, and the past
            // is of such values (see above).
            unsafe { self.past().exchange(direction, value) };
        }
    }

    /// Takes the value in a row to the past, if the row has one.
    pub(crate) fn take_to_past(&mut self, row: Row, direction: Direction) {
        if let Some(value) = self.value(row) {
            self.release(row.get() / ROWS, bit(row));
            // SAFETY: as in `exchange_past`. The bit is cleared by now, so nobody else uses the value.
            // Memory that has been taken back keeps its contents until it is allocated again, and the
            // past allocates none of it.
            unsafe { self.past().take(direction, value) };
        }
    }

    /// Puts the next value of the past into a row that has none.
    pub(crate) fn put_from_past(&mut self, row: Row, direction: Direction) {
        let (at, size) = (row.get() / ROWS, self.descriptor.layout.size());
        let values = self.claim(at, bit(row)).values;
        // SAFETY: `claim` returns a block with memory for `ROWS` values.
        let value = unsafe { values.add(row.get() % ROWS * size) };
        // SAFETY: the place has memory, and no value, as `claim` has checked.
        if unsafe { self.past().put(direction, value) } {
            self.blocks[at].occupied |= bit(row);
        } else {
            self.release(at, bit(row));
        }
    }

    /// Keeps a value of before.
    pub(crate) fn keep(&mut self, value: Moved<'_>) {
        self.past().push(value);
    }

    /// Keeps a clone of a value that was moved out of the column; returns whether it can be cloned.
    pub(crate) fn keep_clone_of(&mut self, value: &AnyValue) -> bool {
        self.past().push_clone(value)
    }

    /// Keeps a clone of the value in a row; returns whether there is one that can be cloned.
    pub(crate) fn keep_clone(&mut self, row: Row) -> bool {
        let mut buffer = Buffer::new(self.descriptor);
        let clone = self.view(row).and_then(|value| buffer.clone_of(value));
        let is_there = clone.is_some();
        clone.into_iter().for_each(|value| self.keep(value));
        is_there
    }

    /// How many values of before there are.
    pub(crate) fn past_len(&self) -> usize {
        self.backing.past.as_ref().map_or(0, |past| past.len())
    }

    /// A value of before, the first one first.
    pub(crate) fn past_value(&self, place: usize) -> Option<&AnyValue> {
        self.backing.past.as_ref()?.get(place)
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

    /// The bytes held by what is kept.
    pub(crate) fn past_bytes(&self) -> usize {
        self.backing.past.as_ref().map_or(0, |past| past.bytes())
    }
}

impl<T: Any + Send + Sync> ColumnOf<T> {
    /// Room for a value of before, if there is any without further ado.
    #[inline]
    pub(crate) fn room_in_past(&mut self) -> Option<Room<'_, T>> {
        // SAFETY: the past is one of values of the column's type (see above), which is `T`.
        unsafe { self.column.backing.past.as_mut()?.room() }
    }
}

/// Has nothing ahead in any column. Runs no user code.
pub(crate) fn cut_future(columns: &mut [Column]) {
    for past in all(columns) {
        past.cut();
    }
}

/// Drops what has been cut off in all columns.
pub(crate) fn drop_cut(columns: &mut [Column]) {
    for past in all(columns) {
        past.drop_cut();
    }
}

/// Takes out what all columns keep.
pub(crate) fn end_past(columns: &mut [Column]) -> impl Sized + use<> {
    let pasts = columns.iter_mut().map(|column| column.backing.past.take());
    pasts.collect::<Vec<_>>()
}

fn all(columns: &mut [Column]) -> impl Iterator<Item = &mut Past> {
    let pasts = columns.iter_mut().map(|column| &mut column.backing.past);
    pasts.flatten().map(|past| &mut **past)
}
