//! Untyped operations on rows of columns: leftover values of destroyed entities and removed
//! components, pools, memory, and histories.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::{Columns, ColumnsOf};
use crate::storage::column::{Relocation, past};
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::past::Past;
use crate::storage::slots::Row;
use crate::storage::value_list::{VacantValue, ValueList};
use crate::words::component::{Component, RawComponentIndex};

/// Leftover values: those in rows of entities that were destroyed or lost the component.
impl Columns {
    /// Removes and returns a leftover value.
    pub(crate) fn take_left(
        &mut self,
        component: RawComponentIndex,
        row: Row,
    ) -> Option<Box<AnyValue>> {
        self.at_mut(component)?.take_boxed(row)
    }

    /// Moves a leftover value to the buffer.
    pub(crate) fn take_left_to<'b>(
        &mut self,
        component: RawComponentIndex,
        row: Row,
        buffer: &'b mut Buffer,
    ) -> Option<Moved<'b>> {
        self.at_mut(component)?.take_to(row, buffer)
    }

    /// Drops the leftover values of a row, or recycles them in pools.
    #[inline]
    pub(crate) fn drop_left(&mut self, components: &[RawComponentIndex], row: Row) {
        self.discard_row(components, row);
    }

    /// Drops the leftover values of many rows, or recycles them in pools.
    pub(crate) fn drop_left_in_rows(&mut self, components: &[RawComponentIndex], rows: &[Row]) {
        self.discard_many(components, rows);
    }
}

/// Pools.
impl Columns {
    /// Recycles a value in the pool of its component, or drops it if there is no pool or it is
    /// full.
    pub(crate) fn recycle_moved(&mut self, component: RawComponentIndex, value: Moved<'_>) {
        if let Some(column) = self.at_mut(component) {
            column.recycle(value);
        }
    }

    /// Removes and returns all pooled values.
    pub(crate) fn take_pool(&mut self, component: RawComponentIndex) -> Option<ValueList> {
        self.at_mut(component)?.take_pool()
    }
}

/// Memory and the location of values.
impl Columns {
    /// Moves all values to other rows, and each column to the given number of blocks.
    pub(crate) fn relocate(&mut self, runs: &[Relocation], blocks: Vec<usize>) {
        for (column, blocks) in self.iter_mut().zip(blocks) {
            column.relocate(runs, blocks);
        }
    }
}

/// Histories.
impl Columns {
    /// Removes and returns the oldest values for undo, as many per component as counted.
    pub(crate) fn forget_past(&mut self, counts: &[usize]) -> Vec<ValueList> {
        let columns = self.iter_mut().zip(counts);
        let counted = columns.filter(|(_, count)| **count > 0);
        counted
            .filter_map(|(column, count)| column.forget_past(*count))
            .collect()
    }

    /// Discards the values for redo.
    pub(crate) fn cut_future(&mut self) {
        past::all(self.all_mut()).for_each(Past::cut);
    }

    /// Drops the discarded values.
    pub(crate) fn drop_cut(&mut self) {
        past::all(self.all_mut()).for_each(Past::drop_cut);
    }

    /// Ends the histories, and returns their values to be dropped.
    pub(crate) fn end_past(&mut self) -> impl Sized + use<> {
        let pasts = self.iter_mut().map(|column| column.end_past());
        pasts.collect::<Vec<_>>()
    }
}

/// Typed operations.
impl<C: 'static> ColumnsOf<C> {
    /// Removes and returns a leftover value of type `T`.
    pub(crate) fn take_left_as<T: Component<C>>(
        &mut self,
        component: RawComponentIndex,
        row: Row,
    ) -> Option<T> {
        self.typed::<T>(component).remove(row)
    }

    /// Removes and returns a pooled value, if the component is `pooled`.
    #[inline]
    pub(crate) fn take_pooled<T: Component<C>>(&mut self) -> Option<T> {
        match T::POOLED {
            true => self.of_mut::<T>().take_pooled(),
            false => None,
        }
    }

    /// Recycles a value in the pool of its component, or drops it if the pool is full.
    #[inline]
    pub(crate) fn recycle<T: Component<C>>(&mut self, value: T) {
        if T::POOLED {
            self.of_mut::<T>().recycle(value);
        }
    }

    /// Reserves memory for values of one component. Returns whether that succeeded.
    pub(crate) fn try_reserve<T: Component<C>>(&mut self, start: usize, count: usize) -> bool {
        let column = self.of_mut::<T>();
        column.try_reserve(start, count).is_ok()
    }

    /// Returns the index of `T`, and space for a value to undo, if available without allocating.
    #[inline]
    pub(crate) fn vacancy_in_past<T: Component<C>>(
        &mut self,
    ) -> Option<(RawComponentIndex, VacantValue<'_, T>)> {
        let (component, column) = self.known::<T>()?;
        Some((component, column.vacancy_in_past()?))
    }

    /// Returns a value mutably, without notifications.
    #[inline]
    pub(crate) fn untracked<T: Component<C>>(&mut self, row: Row) -> Option<&mut T> {
        self.of_mut::<T>().get_mut(row)
    }
}
