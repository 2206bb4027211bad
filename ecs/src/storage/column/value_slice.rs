//! The values of a column as views see them: looked up row by row, or by the ids of their
//! entities.

#![expect(unsafe_code, reason = "reads values in raw blocks")]

use core::any::Any;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::block::{Block, ROWS, bit};
use super::typed::ColumnOf;
use crate::storage::slots::{Row, SlotSlice};
use crate::words::entity_id::EntityId;

/// The values of a column, borrowed for looking many of them up.
///
/// Made by [`ColumnOf<T>`] alone, so its blocks hold values of type `T`.
pub(crate) struct ValueSlice<'a, T> {
    blocks: &'a [Block],
    values: PhantomData<&'a T>,
}

impl<'a, T> ValueSlice<'a, T> {
    /// No values at all.
    pub(crate) const NONE: Self = Self {
        blocks: &[],
        values: PhantomData,
    };

    /// Where the value of a row is, if it has one.
    #[inline]
    fn value(self, row: Row) -> Option<NonNull<T>> {
        Self::value_in(self.blocks.get(row.get() / ROWS)?, row)
    }

    /// Where the value of a row of this block is, if it has one.
    #[inline]
    fn value_in(block: &Block, row: Row) -> Option<NonNull<T>> {
        if block.occupied & bit(row) == 0 {
            return None;
        }
        // SAFETY: the bit is set, so `values` is a block of `ROWS` values of type `T`.
        Some(unsafe { block.values.cast::<T>().add(row.get() % ROWS) })
    }
}

impl<T: Any + Send + Sync> ColumnOf<T> {
    /// The values, for looking many of them up.
    pub(crate) fn slice(&self) -> ValueSlice<'_, T> {
        ValueSlice {
            blocks: &self.column.blocks,
            values: PhantomData,
        }
    }
}

/// The values of a column, borrowed together with the slots that say whose they are.
///
/// The invariant: **if no entity has been moved, there is a block for the row of every
/// slot here**, so whoever has found the slot need not look whether there is one.
pub(crate) struct ValuesById<'a, T> {
    slots: SlotSlice<'a>,
    values: ValueSlice<'a, T>,
}

impl<'a, T> ValuesById<'a, T> {
    pub(crate) fn new(slots: SlotSlice<'a>, values: ValueSlice<'a, T>) -> Self {
        Self {
            // What is left out has no value.
            slots: slots.with_rows_below(values.blocks.len() * ROWS),
            values,
        }
    }

    /// The value of an entity; `None` if it is dead or has none.
    #[inline]
    #[track_caller]
    pub(crate) fn get<C>(self, id: EntityId<C>) -> Option<&'a T> {
        let (_, value) = self.place(id)?;
        // SAFETY: a place whose bit is set holds an initialized value; the column is borrowed for `'a`.
        Some(unsafe { value.as_ref() })
    }

    /// The row of an entity, and where its value is; `None` if it is dead or has none.
    #[inline]
    #[track_caller]
    pub(crate) fn place<C>(self, id: EntityId<C>) -> Option<(Row, NonNull<T>)> {
        let row = self.slots.row(id)?;
        if self.slots.moved() {
            return Some((row, self.values.value(row)?));
        }
        // SAFETY: there is a block for the row (the invariant above).
        let block = unsafe { self.values.blocks.get_unchecked(row.get() / ROWS) };
        Some((row, ValueSlice::value_in(block, row)?))
    }
}

impl<T> Clone for ValuesById<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ValuesById<'_, T> {}

impl<T> Clone for ValueSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ValueSlice<'_, T> {}

// SAFETY: a slice gives out shared references to values alone, like `&[T]`.
unsafe impl<T: Sync> Send for ValueSlice<'_, T> {}
// SAFETY: shared, it does no more than a copy of it would, which may be sent.
unsafe impl<T: Sync> Sync for ValueSlice<'_, T> {}
