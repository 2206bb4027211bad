//! Columns whose type of value is known: one value read, changed or moved out.

#![expect(unsafe_code, reason = "reads and writes values in raw blocks")]

use core::any::{Any, TypeId};
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::block::{Column, LARGE, ROWS, bit};
use super::slab::OutOfMemory;
#[cfg(test)]
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::moved::Slot;
use crate::storage::slots::Row;

/// A column of values of type `T`.
///
/// A `&ColumnOf<T>` is made by [`Columns`](crate::storage::columns::Columns) alone, from a column whose descriptor is that
/// of `T`.
#[repr(transparent)]
pub(crate) struct ColumnOf<T> {
    pub(super) column: Column,
    values: PhantomData<T>,
}

impl Column {
    /// The column with the type of its values, if that is `T`.
    #[inline]
    pub(crate) fn typed<T: Any + Send + Sync>(&self) -> Option<&ColumnOf<T>> {
        let is_of = self.descriptor().type_id == TypeId::of::<T>();
        // SAFETY: the column holds values of the type that its descriptor names, which is `T`;
        // `ColumnOf<T>` is a transparent wrapper of `Column`.
        is_of.then(|| unsafe { &*core::ptr::from_ref(self).cast() })
    }

    /// The column with the type of its values, if that is `T`.
    #[inline]
    pub(crate) fn typed_mut<T: Any + Send + Sync>(&mut self) -> Option<&mut ColumnOf<T>> {
        let is_of = self.descriptor().type_id == TypeId::of::<T>();
        // SAFETY: as above, and `&mut self` excludes every other reference.
        is_of.then(|| unsafe { &mut *core::ptr::from_mut(self).cast() })
    }
}

impl<T: Any + Send + Sync> ColumnOf<T> {
    /// Whether blocks may share memory: if they cannot, nothing of it is left here.
    pub(super) const IS_LARGE: bool = size_of::<T>() >= LARGE;

    /// An empty column.
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

    /// Whether the row has a value.
    #[inline]
    pub(crate) fn contains(&self, row: Row) -> bool {
        self.column.contains(row)
    }

    /// Where the value of a row is, if it has one.
    #[inline]
    fn value(&self, row: Row) -> Option<NonNull<u8>> {
        // SAFETY: the size is that of the values.
        unsafe { self.column.place_of(row, size_of::<T>()) }
    }

    /// The value in a row.
    #[inline]
    pub(crate) fn get(&self, row: Row) -> Option<&T> {
        match self.value(row) {
            // SAFETY: a place whose bit is set holds an initialized value; it is
            // borrowed as long as `self` is.
            Some(value) => Some(unsafe { &*value.as_ptr().cast::<T>() }),
            None => None,
        }
    }

    /// The value in a row, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, row: Row) -> Option<&mut T> {
        match self.value(row) {
            // SAFETY: as in `get`, and `&mut self` excludes every other reference.
            Some(value) => Some(unsafe { &mut *value.as_ptr().cast::<T>() }),
            None => None,
        }
    }

    /// Moves the value in a row out.
    #[inline]
    pub(crate) fn remove(&mut self, row: Row) -> Option<T> {
        let value = self.value(row)?;
        self.column.release(row.get() / ROWS, bit(row));
        // SAFETY: the bit was set, so an initialized value is there; it is cleared by now, so
        // the value is moved out once. Memory that has been taken back keeps its contents until
        // it is allocated again, which needs `&mut self`.
        Some(unsafe { value.cast::<T>().read() })
    }

    /// Moves the value in a row out if that takes no call to anything: if its block keeps the
    /// memory.
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
        // SAFETY: the bit was set, so an initialized value is there; it is cleared by now, so
        // the value is moved out once.
        Some(unsafe { block.values.cast::<T>().add(row.get() % ROWS).read() })
    }

    /// Moves the last value out that waits to be used again.
    pub(crate) fn take_pooled(&mut self) -> Option<T> {
        let value = self.column.backing.pool.as_mut()?.pop()?.into_place();
        // SAFETY: a value of the column's component, which is `T`, is given up.
        Some(unsafe { value.cast::<T>().read() })
    }

    /// Puts a value that was moved out on the pool stack, or drops it if there is no room.
    #[inline]
    pub(crate) fn recycle(&mut self, value: T) {
        let descriptor = self.column.descriptor;
        self.column.recycle(Slot::of(value).moved(descriptor));
    }

    /// Makes room for a value in each of `count` rows from `first` on.
    pub(crate) fn try_reserve(&mut self, first: usize, count: usize) -> Result<(), OutOfMemory> {
        self.column.try_reserve(first, count)
    }
}
