//! The values of a column as views see them: looked up row by row.

#![expect(unsafe_code, reason = "reads values in raw blocks")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::{Block, ColumnOf, ROWS, bit};
use crate::slots::Row;

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

    pub(super) fn new(column: &'a ColumnOf<T>) -> Self {
        Self {
            blocks: &column.column.blocks,
            values: PhantomData,
        }
    }

    /// Where the value of a row is, if it has one.
    #[inline]
    pub(super) fn value(self, row: Row) -> Option<NonNull<T>> {
        let block = self.blocks.get(row.get() / ROWS)?;
        if block.occupied & bit(row) == 0 {
            return None;
        }
        // SAFETY: the bit is set, so `values` is a block of 64 values of type `T`.
        Some(unsafe { block.values.cast::<T>().add(row.get() % ROWS) })
    }

    /// The value in a row.
    #[inline]
    pub(crate) fn get(self, row: Row) -> Option<&'a T> {
        // SAFETY: a place whose bit is set holds an initialized value; the column is
        // borrowed for `'a`.
        self.value(row).map(|value| unsafe { value.as_ref() })
    }
}

impl<T> Clone for ValueSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ValueSlice<'_, T> {}

// SAFETY: a slice gives out shared references to values alone, like `&[T]`.
unsafe impl<T: Sync> Send for ValueSlice<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for ValueSlice<'_, T> {}
