//! Values of a column whose type is known at run time alone: looked at, taken out, dropped.

#![expect(
    unsafe_code,
    reason = "handles values as bytes, by the functions of their type"
)]

use alloc::boxed::Box;
use core::ptr::NonNull;

use super::block::{Column, ROWS, bit};
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::Row;
use crate::words::signature::Bits;

impl Column {
    /// Whether the row has a value.
    #[inline]
    pub(crate) fn contains(&self, row: Row) -> bool {
        self.blocks
            .get(row.get() / ROWS)
            .is_some_and(|block| block.occupied & bit(row) != 0)
    }

    /// The value in a row.
    pub(crate) fn view(&self, row: Row) -> Option<&AnyValue> {
        let value = self.value(row)?;
        // SAFETY: the bit is set, so an initialized value of `descriptor` is there; it
        // stays borrowed as long as `self` is.
        Some(unsafe { &*(self.descriptor.view)(value.as_ptr()) })
    }

    /// Moves the value in a row out.
    pub(crate) fn take_boxed(&mut self, row: Row) -> Option<Box<AnyValue>> {
        let value = self.value(row)?;
        self.vacate(row);
        // SAFETY: the bit was set, so an initialized value of `descriptor` is there; it is
        // cleared by now, so nobody else uses it. Memory that `vacate` takes back keeps
        // its contents until it is allocated again, which needs `&mut self`.
        Some(unsafe { (self.descriptor.take)(value.as_ptr()) })
    }

    /// Drops the value in a row, or puts it on the pool stack.
    #[inline]
    pub(crate) fn discard(&mut self, row: Row) {
        if self.plain {
            self.vacate(row);
        } else {
            self.discard_value(row);
        }
    }

    /// Forgets the value in a row if that is all there is to do; returns whether it was.
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
        if self.descriptor.pool.is_some() {
            if let Some(value) = self.take_boxed(row) {
                self.recycle_boxed(value);
            }
        } else if let Some(value) = self.value(row) {
            self.vacate(row);
            // SAFETY: as in `take_boxed`; the bit is cleared also if `drop` panics.
            unsafe { (self.descriptor.drop)(value.as_ptr()) };
        }
    }

    /// Puts a value that was moved out on the pool stack, or drops it if there is no room or no pool.
    pub(crate) fn recycle_boxed(&mut self, value: Box<AnyValue>) {
        let most = self.most_pooled();
        if let (Some(table), Some(pool)) = (self.descriptor.pool, &mut self.pool) {
            (table.recycle)(&mut **pool, value, most);
        }
    }

    /// How many values the pool stack may hold: as many as there are rows up to the last one that
    /// has had a value, so no more than entities could ever take.
    pub(super) fn most_pooled(&self) -> usize {
        self.blocks.len() * ROWS
    }

    /// Puts an empty pool stack in place of the one there is.
    pub(crate) fn take_pool(&mut self) -> Option<Box<AnyValue>> {
        core::mem::replace(&mut self.pool, self.descriptor.new_pool())
    }

    /// Where the value of a row is, if it has one.
    pub(super) fn value(&self, row: Row) -> Option<NonNull<u8>> {
        let block = self.blocks.get(row.get() / ROWS)?;
        // SAFETY: the bit is set, so `values` is a block of `ROWS` values of `descriptor`.
        (block.occupied & bit(row) != 0).then(|| unsafe {
            block
                .values
                .add(row.get() % ROWS * self.descriptor.layout.size())
        })
    }

    /// Forgets the values of rows if that is all there is to do; returns whether it was.
    pub(crate) fn forget_rows(&mut self, rows: &[Row]) -> bool {
        if self.plain {
            rows.iter().for_each(|&row| self.vacate(row));
        }
        self.plain
    }

    /// Clears the bit of a row, whose value the caller moves out, drops or forgets.
    #[inline]
    fn vacate(&mut self, row: Row) {
        let at = row.get() / ROWS;
        if self.occupied(at) & bit(row) != 0 {
            self.release(at, bit(row));
        }
    }

    /// Drops all values.
    fn clear(&mut self) {
        /// Goes on with the rest when a value's `drop` panics.
        struct Rest<'a>(&'a mut Column);
        impl Rest<'_> {
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
        impl Drop for Rest<'_> {
            fn drop(&mut self) {
                self.run();
            }
        }
        Rest(self).run();
    }
}

impl Drop for Column {
    fn drop(&mut self) {
        if self.descriptor.needs_drop {
            self.clear();
        }
    }
}
