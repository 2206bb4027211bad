//! Loading and saving values whose type is known only at run time.

#![expect(unsafe_code, reason = "moves values to raw blocks")]

use alloc::vec::Vec;

use super::any::run_in_block;
use super::block::{Column, ROWS};
use crate::formats::packed::{Message, Packer};
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;
use crate::words::limits::ALL_ROWS;

impl Column {
    /// Moves values into empty rows, in order.
    ///
    /// # Panics
    ///
    /// Panics if the values are of another component, or if a row already has a value.
    pub(crate) fn load(&mut self, rows: &[Row], mut values: ValueList) {
        let same = *values.descriptor() == *self.descriptor;
        assert!(same, "the values are of the column's type");
        let (mut rest, size) = (rows, self.descriptor.layout.size());
        while let Some(&first) = rest.first().filter(|_| !values.is_empty()) {
            let len = run_in_block(rest).min(values.len());
            let (at, place) = (first.get() / ROWS, first.get() % ROWS);
            let bits = ALL_ROWS >> (ROWS - len) << place;
            let block = self.claim(at, bits);
            // SAFETY: the block has memory for `ROWS` values of the column's type, and
            // `place + len` is at most `ROWS`. The list is not in the column's memory.
            unsafe { values.move_first(len, block.values.add(place * size)) };
            block.occupied |= bits;
            rest = &rest[len..];
        }
    }
}

/// The number of values packed at once.
const SOME: usize = 256;

impl Column {
    /// Appends the values of rows to a column being written.
    pub(crate) fn pack_rows(&self, rows: &[Row], to: &mut Packer) -> Result<(), Message> {
        to.reserve(rows.len() * self.descriptor.layout.size()); // rarely more
        let mut values = Vec::with_capacity(SOME);
        for rows in rows.chunks(SOME) {
            values.clear();
            values.extend(rows.iter().filter_map(|&row| self.value(row)));
            // SAFETY: the pointers are to values of the column's component.
            unsafe { self.descriptor.pack(&values, to)? };
        }
        Ok(())
    }
}
