//! Inserting one value into a row: finding its place, and filling it.
//!
//! In two steps, so that a value made in place need not be in memory before: rare work is done in
//! between, by functions that do not receive the value.

#![expect(unsafe_code, reason = "writes values into raw blocks")]

use core::any::Any;
use core::marker::PhantomData;

use super::block::{Block, ROWS, bit};
use super::pieces::move_to;
use super::typed::ColumnOf;
use crate::storage::slots::Row;

/// An empty place that belongs to the block, in aligned memory for `ROWS` values of type `T`.
pub(crate) struct Place<'a, T> {
    block: &'a mut Block,
    row: Row,
    takes: PhantomData<fn(T)>,
}

impl<T> Place<'_, T> {
    #[inline]
    pub(crate) fn fill(self, value: T) {
        let Self { block, row, .. } = self;
        // SAFETY: the block has memory for `ROWS` values of type `T` (see above), and the place
        // belongs to it, even if it shares its memory.
        unsafe { move_to(block.values.cast::<T>().add(row.get() % ROWS), value) };
        block.occupied |= bit(row);
    }
}

impl<T: Any> ColumnOf<T> {
    /// Returns the place of an empty row. Must be filled, so that the block's memory is released
    /// with the value.
    pub(crate) fn place(&mut self, row: Row) -> Option<Place<'_, T>> {
        if self.contains(row) {
            return None;
        }
        Some(Place {
            block: self.claim(row.get() / ROWS, bit(row)),
            row,
            takes: PhantomData,
        })
    }

    /// Returns the place of an empty row if that needs no call: if the block has memory that it
    /// does not share.
    #[inline]
    pub(crate) fn inline_place(&mut self, row: Row) -> Option<Place<'_, T>> {
        let at = row.get() / ROWS;
        if Self::IS_LARGE && self.column.shares(at) {
            return None;
        }
        let block = self.column.blocks.get_mut(at)?;
        if !block.has_memory() {
            return None;
        }
        (block.occupied & bit(row) == 0).then_some(Place {
            block,
            row,
            takes: PhantomData,
        })
    }

    /// Returns a block with memory at some places: see
    /// [`Column::claim`](super::block::Column::claim).
    #[inline]
    pub(super) fn claim(&mut self, at: usize, bits: u64) -> &mut Block {
        self.column.claim(at, bits)
    }
}
