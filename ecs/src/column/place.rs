//! Putting one value into a row: finding its place, and filling it.
//!
//! These are two steps so that a value that is made where it is put need not be in memory
//! before: what is rare is done between them, by functions that are not handed the value.

#![expect(unsafe_code, reason = "writes values into raw blocks")]

use core::any::Any;
use core::marker::PhantomData;

use super::{Block, ColumnOf, ROWS, bit, move_to};
use crate::slots::Row;

/// A place without a value, in a block that has room for 64 values of type `T`, aligned for
/// them.
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
        // SAFETY: the block has room for 64 values of type `T` (see above), and the place is
        // its column's alone.
        unsafe { move_to(block.values.cast::<T>().add(row.get() % ROWS), value) };
        block.occupied |= bit(row);
    }
}

impl<T: Any + Send + Sync> ColumnOf<T> {
    /// Puts a value into a row; gives it back where the row has one.
    #[inline]
    pub(crate) fn insert(&mut self, row: Row, value: T) -> Result<(), T> {
        match self.place(row) {
            Some(place) => place.fill(value),
            None => return Err(value),
        }
        Ok(())
    }

    /// The place of a row that has no value; to be filled at once, so that the memory of its
    /// block is given back with the value.
    pub(crate) fn place(&mut self, row: Row) -> Option<Place<'_, T>> {
        let at = row.get() / ROWS;
        let is_open = |block: &Block| block.occupied != 0;
        let block = if self.column.blocks.get(at).is_some_and(is_open) {
            &mut self.column.blocks[at]
        } else {
            self.column.open(at)
        };
        // A block that is occupied or has been opened is of this column's memory.
        vacant(block, row)
    }

    /// The same for a row whose block has others; so it needs no call to anything.
    #[inline]
    pub(crate) fn place_beside(&mut self, row: Row) -> Option<Place<'_, T>> {
        let block = self.column.blocks.get_mut(row.get() / ROWS)?;
        if block.occupied == 0 {
            return None;
        }
        vacant(block, row)
    }
}

/// The place of a row in a block of a column of `T` that is occupied or has been opened, if
/// it has no value.
#[inline]
fn vacant<T>(block: &mut Block, row: Row) -> Option<Place<'_, T>> {
    (block.occupied & bit(row) == 0).then_some(Place {
        block,
        row,
        takes: PhantomData,
    })
}
