//! Columns with a known type: reading, changing and removing one value.

#![expect(unsafe_code, reason = "reads and writes values in raw blocks")]

use core::any::Any;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::block::{Column, LARGE, ROWS, bit};
use super::block_memory::OutOfMemory;
#[cfg(test)]
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::moved::ValueSlot;
use crate::storage::slots::Row;

/// A column of values of type `T`.
///
/// A `&ColumnOf<T>` is made only by [`Columns`](crate::storage::columns::Columns), from a column
/// with the descriptor of `T`.
#[repr(transparent)]
pub(crate) struct ColumnOf<T> {
    pub(super) column: Column,
    values: PhantomData<T>,
}

impl Column {
    /// Returns the column with the type of its values, if that is `T`.
    #[inline]
    pub(crate) fn typed<T: Any>(&self) -> Option<&ColumnOf<T>> {
        let is_of = self.descriptor().is_for::<T>();
        // SAFETY: the column holds values of the type named by its descriptor, which is `T`;
        // `ColumnOf<T>` is a transparent wrapper of `Column`.
        is_of.then(|| unsafe { &*core::ptr::from_ref(self).cast() })
    }

    /// Returns the column with the type of its values, if that is `T`.
    #[inline]
    pub(crate) fn typed_mut<T: Any>(&mut self) -> Option<&mut ColumnOf<T>> {
        let is_of = self.descriptor().is_for::<T>();
        // SAFETY: as above, and `&mut self` excludes other references.
        is_of.then(|| unsafe { &mut *core::ptr::from_mut(self).cast() })
    }
}

impl<T: Any> ColumnOf<T> {
    /// Whether blocks may share memory. If not, none of that code is compiled here.
    pub(super) const IS_LARGE: bool = size_of::<T>() >= LARGE;

    /// Creates an empty column.
    #[cfg(test)]
    pub(super) fn new<C: 'static>() -> Self
    where
        T: crate::words::component::Component<C>,
    {
        Self {
            column: Column::new(ComponentDescriptor::of::<C, T>()),
            values: PhantomData,
        }
    }

    #[inline]
    pub(crate) fn contains(&self, row: Row) -> bool {
        self.column.contains(row)
    }

    /// Returns the place of the value in a row, if there is one.
    #[inline]
    fn value(&self, row: Row) -> Option<NonNull<u8>> {
        // SAFETY: the size is that of the values.
        unsafe { self.column.place_of(row, size_of::<T>()) }
    }

    #[inline]
    pub(crate) fn get(&self, row: Row) -> Option<&T> {
        match self.value(row) {
            // SAFETY: a place whose bit is set has an initialized value, borrowed as long as
            // `self`.
            Some(value) => Some(unsafe { &*value.as_ptr().cast::<T>() }),
            None => None,
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, row: Row) -> Option<&mut T> {
        match self.value(row) {
            // SAFETY: as in `get`, and `&mut self` excludes other references.
            Some(value) => Some(unsafe { &mut *value.as_ptr().cast::<T>() }),
            None => None,
        }
    }

    /// Removes and returns the value in a row.
    #[inline]
    pub(crate) fn remove(&mut self, row: Row) -> Option<T> {
        let value = self.value(row)?;
        self.column.release(row.get() / ROWS, bit(row));
        // SAFETY: the bit was set, so the place has an initialized value; it is cleared now, so the
        // value is moved once. Freed memory keeps its contents until it is allocated again, which
        // needs `&mut self`.
        Some(unsafe { value.cast::<T>().read() })
    }

    /// Removes and returns the value in a row if that needs no call: if the block keeps its memory.
    #[inline]
    pub(crate) fn remove_beside(&mut self, row: Row) -> Option<T> {
        let at = row.get() / ROWS;
        if Self::IS_LARGE && self.column.shares(at) {
            return None;
        }
        let block = self.column.blocks.get_mut(at)?;
        let others = block.occupied & !bit(row);
        if others == block.occupied || Self::IS_LARGE && others == 0 {
            return None;
        }
        block.occupied = others;
        // SAFETY: the bit was set, so the place has an initialized value; it is cleared now, so the
        // value is moved once.
        Some(unsafe { block.values.cast::<T>().add(row.get() % ROWS).read() })
    }

    /// Removes and returns the last pooled value.
    pub(crate) fn take_pooled(&mut self) -> Option<T> {
        let value = self.column.backing.pool.as_mut()?.pop()?.into_place();
        // SAFETY: a value of the column's component, which is `T`, is given up.
        Some(unsafe { value.cast::<T>().read() })
    }

    /// Recycles a value in the pool, or drops it if the pool is full.
    #[inline]
    pub(crate) fn recycle(&mut self, value: T) {
        let descriptor = self.column.descriptor;
        self.column.recycle(ValueSlot::of(value).moved(descriptor));
    }

    /// Reserves space for values in `count` rows starting at `first`.
    pub(crate) fn try_reserve(&mut self, first: usize, count: usize) -> Result<(), OutOfMemory> {
        self.column.try_reserve(first, count)
    }
}
