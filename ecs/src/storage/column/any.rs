//! Values of a column whose type is known at run time alone: looked at, taken out, dropped.

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
        Some(unsafe { self.descriptor.view(value).as_ref() })
    }

    /// Moves the value in a row out, to the buffer.
    pub(crate) fn take_to<'b>(&mut self, row: Row, buffer: &'b mut Buffer) -> Option<Moved<'b>> {
        let value = self.take(row)?;
        // SAFETY: a value of the column's component is given up.
        Some(buffer.fill(unsafe { Moved::new(self.descriptor, value) }))
    }

    /// Moves the value in a row out, into a box.
    pub(crate) fn take_boxed(&mut self, row: Row) -> Option<Box<AnyValue>> {
        let value = self.take(row)?;
        // SAFETY: a value of the column's component is given up.
        Some(unsafe { Moved::new(self.descriptor, value) }.into_box())
    }

    /// Gives up the value in a row, to be moved or dropped at once: memory that is taken back keeps its
    /// contents until it is allocated again, which needs `&mut self`.
    fn take(&mut self, row: Row) -> Option<NonNull<u8>> {
        let value = self.value(row)?;
        self.vacate(row);
        Some(value)
    }

    /// Puts a value into a row; or drops it, if the row has one, and says so.
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
        // SAFETY: the block has memory for `ROWS` values of the column's type, which the value is of,
        // and none is at this place.
        unsafe { value.move_to(block.values.add(place)) };
        block.occupied |= bit(row);
        true
    }

    /// Has the value in a row and another one change places, if the row has one.
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
            // SAFETY: both are values of the column's component, and `&mut self` and `&mut other` exclude
            // every other reference.
            unsafe { other.swap(value) };
        }
        value.is_some()
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
        if let Some(value) = self.take(row) {
            // SAFETY: a value of the column's component is given up.
            self.recycle(unsafe { Moved::new(self.descriptor, value) });
        }
    }

    /// Puts a value that was moved out on the pool stack, or drops it if there is no room or no pool.
    pub(crate) fn recycle(&mut self, value: Moved<'_>) {
        let most = self.most_pooled();
        match self.backing.pool.as_mut().filter(|pool| pool.len() < most) {
            Some(pool) => pool.push_moved(value),
            None => drop(value),
        }
    }

    /// How many values the pool stack may hold: as many as there are rows up to the last one that
    /// has had a value, so no more than entities could ever take.
    pub(super) fn most_pooled(&self) -> usize {
        self.blocks.len() * ROWS
    }

    /// How many values wait to be used again.
    pub(crate) fn pool_len(&self) -> usize {
        self.backing.pool.as_ref().map_or(0, ValueList::len)
    }

    /// Takes the pool stack, and leaves an empty one.
    pub(crate) fn take_pool(&mut self) -> Option<ValueList> {
        Some(self.backing.pool.as_mut()?.take())
    }

    /// Where the value of a row is, if it has one.
    pub(super) fn value(&self, row: Row) -> Option<NonNull<u8>> {
        // SAFETY: the size is that of the values.
        unsafe { self.place_of(row, self.descriptor.layout.size()) }
    }

    /// Where the value of a row is, if it has one.
    ///
    /// # Safety
    ///
    /// The values are of this size.
    #[inline]
    pub(super) unsafe fn place_of(&self, row: Row, size: usize) -> Option<NonNull<u8>> {
        let block = self.blocks.get(row.get() / ROWS)?;
        if block.occupied & bit(row) == 0 {
            return None;
        }
        // SAFETY: the bit is set, so `values` is memory for `ROWS` values of this size.
        Some(unsafe { block.values.add(row.get() % ROWS * size) })
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
