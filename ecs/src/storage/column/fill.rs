//! Moving the values of a list into consecutive rows.

#![expect(unsafe_code, reason = "writes values into raw blocks")]

use alloc::vec::Vec;
use core::any::Any;

use super::block::ROWS;
use super::typed::ColumnOf;
use crate::storage::slots::Row;
use crate::words::limits::ALL_ROWS;

impl<T: Any> ColumnOf<T> {
    /// Moves values into consecutive empty rows starting at `start`.
    pub(crate) fn fill(&mut self, start: Row, mut values: Vec<T>) {
        let (first, count) = (values.as_ptr(), values.len());
        // SAFETY: the list gives up its values before they are moved; if `copy_in` panics they are
        // leaked. The list keeps its memory until the end.
        unsafe {
            values.set_len(0);
            self.copy_in(start, first, count);
        }
    }

    /// Copies values into consecutive empty rows starting at `start`.
    pub(crate) fn fill_with_copies(&mut self, start: Row, values: &[T])
    where
        T: Copy,
    {
        // SAFETY: the type is `Copy`, so bitwise copies are valid values.
        unsafe { self.copy_in(start, values.as_ptr(), values.len()) }
    }

    /// # Safety
    ///
    /// `values` must point to `count` values, which the column takes over.
    unsafe fn copy_in(&mut self, start: Row, values: *const T, count: usize) {
        let mut done = 0;
        while done < count {
            let (at, place) = ((start.get() + done) / ROWS, (start.get() + done) % ROWS);
            let len = (ROWS - place).min(count - done);
            let bits = ALL_ROWS >> (ROWS - len) << place;
            let block = self.claim(at, bits);
            // SAFETY: the block has memory for `ROWS` values of type `T`, and `place + len` is at
            // most `ROWS`; `done + len` is at most `count` (guaranteed by the caller). The list is
            // not in the column's memory.
            unsafe {
                let places = block.values.cast::<T>().add(place).as_ptr();
                places.copy_from_nonoverlapping(values.add(done), len);
            }
            block.occupied |= bits;
            done += len;
        }
    }
}
