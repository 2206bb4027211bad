//! Values whose type is known at run time alone that are put into rows from a list, and written.

#![expect(unsafe_code, reason = "moves values to raw blocks")]

use alloc::vec::Vec;

use super::block::{Column, ROWS};
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;
use crate::words::limits::ALL_ROWS;
use crate::words::packed::{Message, Packer};

impl Column {
    /// Moves values into rows, none of which has one, in order.
    ///
    /// # Panics
    ///
    /// Panics if they are values of another component, or a row has one.
    pub(crate) fn load(&mut self, rows: &[Row], mut values: ValueList) {
        let same = values.descriptor().type_id == self.descriptor.type_id;
        assert!(same, "the values are of the column's type");
        let (mut rest, size) = (rows, self.descriptor.layout.size());
        while let Some(&first) = rest.first().filter(|_| !values.is_empty()) {
            let len = run_in_block(rest).min(values.len());
            let (at, place) = (first.get() / ROWS, first.get() % ROWS);
            let bits = ALL_ROWS >> (ROWS - len) << place;
            let block = self.claim(at, bits);
            // SAFETY: the block has room for `ROWS` values of the column's type, and `place + len` is at
            // most `ROWS`. The list is not in the column's memory.
            unsafe { values.move_first(len, block.values.add(place * size)) };
            block.occupied |= bits;
            rest = &rest[len..];
        }
    }
}

/// How many values are handed to their type at once.
const SOME: usize = 256;

impl Column {
    /// Appends the values of some rows to a column that is being written.
    pub(crate) fn pack_rows(&self, rows: &[Row], to: &mut Packer) -> Result<(), Message> {
        to.reserve(rows.len() * self.descriptor.layout.size()); // seldom more
        let mut values = Vec::with_capacity(SOME);
        for rows in rows.chunks(SOME) {
            values.clear();
            values.extend(rows.iter().filter_map(|&row| self.value(row)));
            // SAFETY: the rows have values of the column's component.
            unsafe { self.descriptor.pack(&values, to)? };
        }
        Ok(())
    }
}

/// How many of the first rows follow one another in one block: mostly all of it, which is asked
/// first, and of many rows at once.
fn run_in_block(rows: &[Row]) -> usize {
    let first = rows[0].get();
    let rows = &rows[..rows.len().min(ROWS - first % ROWS)];
    let follows = |(nth, row): (usize, &Row)| row.get() == first + nth;
    if rows
        .iter()
        .enumerate()
        .fold(true, |all, row| all & follows(row))
    {
        return rows.len();
    }
    rows.iter()
        .enumerate()
        .take_while(|&row| follows(row))
        .count()
}
