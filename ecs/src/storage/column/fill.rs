//! Values that are put into rows that follow one another, from a list.

#![expect(unsafe_code, reason = "writes values into raw blocks")]

use alloc::vec::Vec;
use core::any::Any;

use super::block::ROWS;
use super::typed::ColumnOf;
use crate::storage::slots::Row;
use crate::words::limits::ALL_ROWS;

impl<T: Any + Send + Sync> ColumnOf<T> {
    /// Moves values into the rows from `start` on, none of which has one.
    pub(crate) fn fill(&mut self, start: Row, mut values: Vec<T>) {
        let (first, count) = (values.as_ptr(), values.len());
        // SAFETY: the values are given up here, before they are anywhere else; should
        // `copy_in` panic they are leaked. The list keeps its memory until the end.
        unsafe {
            values.set_len(0);
            self.copy_in(start, first, count);
        }
    }

    /// Copies values into the rows from `start` on, none of which has one.
    pub(crate) fn fill_with_copies(&mut self, start: Row, values: &[T])
    where
        T: Copy,
    {
        // SAFETY: copies of a `Copy` type are values of their own.
        unsafe { self.copy_in(start, values.as_ptr(), values.len()) }
    }

    /// # Safety
    ///
    /// `values` leads to `count` values that are the column's from now on.
    unsafe fn copy_in(&mut self, start: Row, values: *const T, count: usize) {
        let mut done = 0;
        while done < count {
            let (at, place) = ((start.get() + done) / ROWS, (start.get() + done) % ROWS);
            let len = (ROWS - place).min(count - done);
            let bits = ALL_ROWS >> (ROWS - len) << place;
            let block = self.claim(at, bits);
            // SAFETY: the block has room for `ROWS` values of type `T` and `place + len` is
            // at most `ROWS`; `done + len` is at most `count` (the caller's promise). The
            // list is not in the column's memory.
            unsafe {
                let places = block.values.cast::<T>().add(place).as_ptr();
                places.copy_from_nonoverlapping(values.add(done), len);
            }
            block.occupied |= bits;
            done += len;
        }
    }
}
