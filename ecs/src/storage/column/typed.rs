//! Columns whose type of value is known: one value read, changed or moved out.

#![expect(unsafe_code, reason = "reads and writes values in raw blocks")]

use alloc::vec::Vec;
use core::any::Any;
use core::marker::PhantomData;
use core::ptr::NonNull;

use super::block::{Column, LARGE, ROWS, bit};
use super::slab::OutOfMemory;
use crate::storage::descriptor::AnyValue;
#[cfg(test)]
use crate::storage::descriptor::ComponentDescriptor;
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
    fn value(&self, row: Row) -> Option<NonNull<T>> {
        let block = self.column.blocks.get(row.get() / ROWS)?;
        if block.occupied & bit(row) == 0 {
            return None;
        }
        // SAFETY: the bit is set, so `values` is memory for `ROWS` values of type `T`.
        Some(unsafe { block.values.cast::<T>().add(row.get() % ROWS) })
    }

    /// The value in a row.
    #[inline]
    pub(crate) fn get(&self, row: Row) -> Option<&T> {
        // SAFETY: a place whose bit is set holds an initialized value; it is
        // borrowed as long as `self` is.
        self.value(row).map(|value| unsafe { value.as_ref() })
    }

    /// The value in a row, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, row: Row) -> Option<&mut T> {
        // SAFETY: as in `get`, and `&mut self` excludes every other reference.
        self.value(row).map(|mut value| unsafe { value.as_mut() })
    }

    /// Moves the value in a row out.
    #[inline]
    pub(crate) fn remove(&mut self, row: Row) -> Option<T> {
        let value = self.value(row)?;
        self.column.release(row.get() / ROWS, bit(row));
        // SAFETY: the bit was set, so an initialized value is there; it is cleared by now, so
        // the value is moved out once. Memory that has been taken back keeps its contents until
        // it is allocated again, which needs `&mut self`.
        Some(unsafe { value.read() })
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

    /// The values waiting to be used again, if the component is `pooled`.
    pub(crate) fn pool(&mut self) -> Option<&mut Vec<T>> {
        let pool: &mut AnyValue = &mut **self.column.pool.as_mut()?;
        pool.downcast_mut()
    }

    /// Puts values that were moved out on the pool stack, as far as there is room, and drops the
    /// others.
    pub(crate) fn recycle(&mut self, values: impl IntoIterator<Item = T>) {
        let room = self.column.most_pooled().saturating_sub(self.pool_len());
        if let Some(pool) = self.pool() {
            pool.extend(values.into_iter().take(room));
        }
    }

    /// How many values wait to be used again.
    pub(crate) fn pool_len(&self) -> usize {
        let pool = self.column.pool.as_deref();
        pool.and_then(|pool| pool.downcast_ref::<Vec<T>>())
            .map_or(0, Vec::len)
    }

    /// Makes room for a value in each of `count` rows from `first` on.
    pub(crate) fn try_reserve(&mut self, first: usize, count: usize) -> Result<(), OutOfMemory> {
        self.column.try_reserve(first, count)
    }
}
