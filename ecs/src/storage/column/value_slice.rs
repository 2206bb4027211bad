//! The values of a column as seen by views: looked up by row or by entity id.

#![expect(unsafe_code, reason = "reads values in raw blocks")]

use core::any::Any;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::block::{Block, ROWS, bit};
use super::typed::ColumnOf;
use crate::storage::slots::{Row, SlotSlice};
use crate::words::entity_id::EntityId;

/// The values of a column, borrowed for many lookups.
///
/// Made only by [`ColumnOf<T>`], so its blocks hold values of type `T`.
pub(crate) struct ValueSlice<'a, T> {
    blocks: &'a [Block],
    values: PhantomData<&'a T>,
}

impl<'a, T> ValueSlice<'a, T> {
    pub(crate) const NONE: Self = Self {
        blocks: &[],
        values: PhantomData,
    };

    /// Returns the place of the value in a row, if there is one.
    #[inline]
    fn value(self, row: Row) -> Option<NonNull<T>> {
        Self::value_in(self.blocks.get(row.get() / ROWS)?, row)
    }

    /// Returns the place of the value in a row of this block, if there is one.
    #[inline]
    fn value_in(block: &Block, row: Row) -> Option<NonNull<T>> {
        if block.occupied & bit(row) == 0 {
            return None;
        }
        // SAFETY: the bit is set, so `values` points to memory for `ROWS` values of type `T`.
        Some(unsafe { block.values.cast::<T>().add(row.get() % ROWS) })
    }
}

impl<T: Any> ColumnOf<T> {
    pub(crate) fn slice(&self) -> ValueSlice<'_, T> {
        ValueSlice {
            blocks: &self.column.blocks,
            values: PhantomData,
        }
    }
}

/// The values of a column, borrowed together with the slots.
///
/// Invariant: **if no entity has been moved, every slot here has a block for its row**, so no check
/// is needed once the slot is found.
pub(crate) struct ValuesById<'a, T> {
    slots: SlotSlice<'a>,
    values: ValueSlice<'a, T>,
}

impl<'a, T> ValuesById<'a, T> {
    pub(crate) fn new(slots: SlotSlice<'a>, values: ValueSlice<'a, T>) -> Self {
        Self {
            // Excluded slots have no value.
            slots: slots.with_rows_below(values.blocks.len() * ROWS),
            values,
        }
    }

    /// Returns the value of an entity, or `None` if it is dead or has none.
    #[inline]
    #[track_caller]
    pub(crate) fn get<C>(self, id: EntityId<C>) -> Option<&'a T> {
        let (_, value) = self.place(id)?;
        // SAFETY: a place whose bit is set has an initialized value; the column is borrowed for
        // `'a`.
        Some(unsafe { value.as_ref() })
    }

    /// Returns the row of an entity and the place of its value, or `None` if it is dead or has
    /// none.
    #[inline]
    #[track_caller]
    pub(crate) fn place<C>(self, id: EntityId<C>) -> Option<(Row, NonNull<T>)> {
        let row = self.slots.row(id)?;
        if self.slots.moved() {
            return Some((row, self.values.value(row)?));
        }
        // SAFETY: the row has a block (invariant).
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

// SAFETY: a slice gives only shared references to values, like `&[T]`.
unsafe impl<T: Sync> Send for ValueSlice<'_, T> {}
// SAFETY: a shared reference can do no more than a copy, which is `Send`.
unsafe impl<T: Sync> Sync for ValueSlice<'_, T> {}
