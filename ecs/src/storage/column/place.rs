//! Putting one value into a row: finding its place, and filling it.
//!
//! These are two steps so that a value that is made where it is put need not be in memory
//! before: what is rare is done between them, by functions that are not handed the value.

#![expect(unsafe_code, reason = "writes values into raw blocks")]

use core::any::Any;
use core::marker::PhantomData;

use super::block::{Block, ROWS, bit};
use super::pieces::move_to;
use super::typed::ColumnOf;
use crate::storage::slots::Row;

/// A place without a value that is its block's, in memory with room for `ROWS` values of type
/// `T`, aligned for them.
pub(crate) struct Place<'a, T> {
    block: &'a mut Block,
    row: Row,
    takes: PhantomData<fn(T)>,
}

impl<T> Place<'_, T> {
    /// Puts the value there.
    #[inline]
    pub(crate) fn fill(self, value: T) {
        let Self { block, row, .. } = self;
        // SAFETY: the block has room for `ROWS` values of type `T` (see above), and the place is
        // its own, also where it shares its memory.
        unsafe { move_to(block.values.cast::<T>().add(row.get() % ROWS), value) };
        block.occupied |= bit(row);
    }
}

impl<T: Any + Send + Sync> ColumnOf<T> {
    /// The place of a row that has no value; to be filled at once, so that the memory of its
    /// block is given back with the value.
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

    /// The place of a row that has no value, if it takes no call to anything: if there is
    /// memory behind its block, which it does not share.
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

    /// A block with memory at some places: see [`Column::claim`](super::block::Column::claim).
    #[inline]
    pub(super) fn claim(&mut self, at: usize, bits: u64) -> &mut Block {
        self.column.claim(at, bits)
    }
}
