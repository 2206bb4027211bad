//! Viewing, removing and dropping values whose type is known only at run time.

#![expect(
    unsafe_code,
    reason = "handles values as bytes, by the functions of their type"
)]

use alloc::boxed::Box;
use core::ptr::NonNull;

use super::block::{Column, ROWS, bit};
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;
use crate::words::limits::ALL_ROWS;
use crate::words::signature::Bits;

impl Column {
    #[inline]
    pub(crate) fn contains(&self, row: Row) -> bool {
        self.blocks
            .get(row.get() / ROWS)
            .is_some_and(|block| block.occupied & bit(row) != 0)
    }

    pub(crate) fn view(&self, row: Row) -> Option<&AnyValue> {
        let value = self.value(row)?;
        // SAFETY: the bit is set, so the place has an initialized value of `descriptor`, borrowed
        // as long as `self`.
        Some(unsafe { self.descriptor.view(value).as_ref() })
    }

    /// Moves the value in a row to the buffer.
    pub(crate) fn take_to<'b>(&mut self, row: Row, buffer: &'b mut Buffer) -> Option<Moved<'b>> {
        let value = self.take(row)?;
        // SAFETY: a value of the column's component is given up.
        Some(buffer.fill(unsafe { Moved::new(self.descriptor, value) }))
    }

    /// Moves the value in a row into a box.
    pub(crate) fn take_boxed(&mut self, row: Row) -> Option<Box<AnyValue>> {
        let value = self.take(row)?;
        // SAFETY: a value of the column's component is given up.
        Some(unsafe { Moved::new(self.descriptor, value) }.into_box())
    }

    /// Removes the value in a row; the caller must move or drop it immediately. Freed memory keeps
    /// its contents until it is allocated again, which needs `&mut self`.
    fn take(&mut self, row: Row) -> Option<NonNull<u8>> {
        let value = self.value(row)?;
        self.vacate(row);
        Some(value)
    }

    /// Moves a value into a row. If the row already has one, drops the value and returns `false`.
    ///
    /// # Panics
    ///
    /// Panics if the value is of another component.
    pub(crate) fn put(&mut self, row: Row, value: Moved<'_>) -> bool {
        assert!(
            value.descriptor() == self.descriptor,
            "a value is put among its like"
        );
        if self.contains(row) {
            return false;
        }
        let (at, place) = (
            row.get() / ROWS,
            row.get() % ROWS * self.descriptor.layout.size(),
        );
        let block = self.claim(at, bit(row));
        // SAFETY: the block has memory for `ROWS` values of the column's type, which is that of the
        // value, and the place is empty.
        unsafe { value.move_to(block.values.add(place)) };
        block.occupied |= bit(row);
        true
    }

    /// Swaps the value in a row with another one. Returns whether the row has a value.
    ///
    /// # Panics
    ///
    /// Panics if the value is of another component.
    pub(crate) fn swap_with(&mut self, row: Row, other: &mut Moved<'_>) -> bool {
        assert!(
            other.descriptor() == self.descriptor,
            "a value is put among its like"
        );
        let value = self.value(row);
        if let Some(value) = value {
            // SAFETY: both are values of the column's component, and `&mut self` and `&mut other`
            // exclude other references.
            unsafe { other.swap(value) };
        }
        value.is_some()
    }

    /// Drops the value in a row, or recycles it in the pool.
    #[inline]
    pub(crate) fn discard(&mut self, row: Row) {
        if self.plain {
            self.vacate(row);
        } else {
            self.discard_value(row);
        }
    }

    /// Removes the value in a row if it needs no more than that. Returns whether it did.
    #[inline]
    pub(crate) fn discard_plain(&mut self, row: Row) -> bool {
        let forgets = self.plain && !self.large;
        if forgets && let Some(block) = self.blocks.get_mut(row.get() / ROWS) {
            block.occupied &= !bit(row);
        }
        forgets
    }

    #[inline(never)]
    fn discard_value(&mut self, row: Row) {
        if let Some(value) = self.take(row) {
            // SAFETY: a value of the column's component is given up.
            self.recycle(unsafe { Moved::new(self.descriptor, value) });
        }
    }

    /// Recycles a value in the pool, or drops it if there is no pool or it is full.
    pub(crate) fn recycle(&mut self, value: Moved<'_>) {
        let most = self.most_pooled();
        match self.backing.pool.as_mut().filter(|pool| pool.len() < most) {
            Some(pool) => pool.push_moved(value),
            None => drop(value),
        }
    }

    /// Returns the maximum size of the pool: the number of rows up to the last one that ever had a
    /// value, so entities could use all of its values; or the component's own limit, if that is less.
    pub(super) fn most_pooled(&self) -> usize {
        (self.blocks.len() * ROWS).min(self.descriptor.pool_limit)
    }

    pub(crate) fn pool_len(&self) -> usize {
        self.backing.pool.as_ref().map_or(0, ValueList::len)
    }

    /// Removes and returns all pooled values.
    pub(crate) fn take_pool(&mut self) -> Option<ValueList> {
        Some(self.backing.pool.as_mut()?.take())
    }

    /// Returns the place of the value in a row, if there is one.
    pub(super) fn value(&self, row: Row) -> Option<NonNull<u8>> {
        // SAFETY: the size is that of the values.
        unsafe { self.place_of(row, self.descriptor.layout.size()) }
    }

    /// Returns the place of the value in a row, if there is one.
    ///
    /// # Safety
    ///
    /// The size must be that of the values.
    #[inline]
    pub(super) unsafe fn place_of(&self, row: Row, size: usize) -> Option<NonNull<u8>> {
        let block = self.blocks.get(row.get() / ROWS)?;
        if block.occupied & bit(row) == 0 {
            return None;
        }
        // SAFETY: the bit is set, so `values` points to memory for `ROWS` values of this size.
        Some(unsafe { block.values.add(row.get() % ROWS * size) })
    }

    /// Moves the values in rows, where there are any, to the end of a list, in order.
    ///
    /// # Panics
    ///
    /// Panics if the list is of another component.
    pub(crate) fn take_rows(&mut self, rows: &[Row], to: &mut ValueList) {
        let same = *to.descriptor() == *self.descriptor;
        assert!(same, "the list is of the column's type");
        let mut rest = rows;
        while let Some(&first) = rest.first() {
            let (at, place) = (first.get() / ROWS, first.get() % ROWS);
            let mut len = run_in_block(rest);
            let occupied = self.occupied(at) >> place;
            len = len.min(occupied.trailing_ones() as usize).max(1);
            if let Some(value) = self.value(first) {
                // SAFETY: `len` consecutive places have values of the column's type, which is that
                // of the list; their bits are cleared below, so nothing else uses them.
                unsafe { to.push_all_from(value, len) };
                self.release(at, ALL_ROWS >> (ROWS - len) << place);
            }
            rest = &rest[len..];
        }
    }

    /// Removes the values in rows if they need no more than that. Returns whether it did.
    pub(crate) fn forget_rows(&mut self, rows: &[Row]) -> bool {
        if self.plain {
            rows.iter().for_each(|&row| self.vacate(row));
        }
        self.plain
    }

    /// Clears the bit of a row. The caller moves, drops or forgets the value.
    #[inline]
    fn vacate(&mut self, row: Row) {
        let at = row.get() / ROWS;
        if self.occupied(at) & bit(row) != 0 {
            self.release(at, bit(row));
        }
    }

    /// Drops all values.
    fn clear(&mut self) {
        /// Continues with the rest when the `drop` of a value panics.
        struct RestOfSlice<'a>(&'a mut Column);
        impl RestOfSlice<'_> {
            fn run(&mut self) {
                while let Some(last) = self.0.blocks.last() {
                    match Bits(last.occupied).next() {
                        Some(bit) => {
                            let first = (self.0.blocks.len() - 1) * ROWS;
                            self.0.discard(Row(first as u32 + bit));
                        }
                        None => drop(self.0.blocks.pop()),
                    }
                }
            }
        }
        impl Drop for RestOfSlice<'_> {
            fn drop(&mut self) {
                self.run();
            }
        }
        RestOfSlice(self).run();
    }
}

impl Drop for Column {
    fn drop(&mut self) {
        if self.descriptor.needs_drop {
            self.clear();
        }
    }
}

/// Returns how many of the first rows are consecutive and in one block. Tests the whole range
/// first, since it usually is consecutive and this test is vectorized.
pub(super) fn run_in_block(rows: &[Row]) -> usize {
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
