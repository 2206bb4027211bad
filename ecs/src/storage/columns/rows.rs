//! What is done with values of columns, row by row and without their types: values that entities have
//! left behind, pool stacks, memory, and the past that a history keeps.

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

/// What entities have left behind: values in rows whose entities have ended, or have lost the
/// component.
impl Columns {
    /// Moves out a value that has been left behind.
    pub(crate) fn take_left(
        &mut self,
        component: RawComponentIndex,
        row: Row,
    ) -> Option<Box<AnyValue>> {
        self.at_mut(component)?.take_boxed(row)
    }

    /// Moves out a value that has been left behind, to the buffer.
    pub(crate) fn take_left_to<'b>(
        &mut self,
        component: RawComponentIndex,
        row: Row,
        buffer: &'b mut Buffer,
    ) -> Option<Moved<'b>> {
        self.at_mut(component)?.take_to(row, buffer)
    }

    /// Drops what has been left behind in a row, or puts it on the pool stacks.
    #[inline]
    pub(crate) fn drop_left(&mut self, components: &[RawComponentIndex], row: Row) {
        self.discard_row(components, row);
    }

    /// Drops what has been left behind in many rows, or puts it on the pool stacks.
    pub(crate) fn drop_left_in_rows(&mut self, components: &[RawComponentIndex], rows: &[Row]) {
        self.discard_many(components, rows);
    }
}

/// The pool stacks.
impl Columns {
    /// Puts a value on the pool stack of its component, or drops it if that has no room or is none.
    pub(crate) fn recycle_moved(&mut self, component: RawComponentIndex, value: Moved<'_>) {
        if let Some(column) = self.at_mut(component) {
            column.recycle(value);
        }
    }

    /// Takes all values out that wait to be used again.
    pub(crate) fn take_pool(&mut self, component: RawComponentIndex) -> Option<ValueList> {
        self.at_mut(component)?.take_pool()
    }
}

/// Memory, and where values lie in it.
impl Columns {
    /// Gives up the memory that nothing is in.
    pub(crate) fn trim(&mut self) {
        self.iter_mut().for_each(|column| column.trim());
    }

    /// Moves all values to other rows, each column to as many blocks as it needs.
    pub(crate) fn relocate(&mut self, runs: &[Relocation], blocks: Vec<usize>) {
        for (column, blocks) in self.iter_mut().zip(blocks) {
            column.relocate(runs, blocks);
        }
    }
}

/// What a history keeps.
impl Columns {
    /// Takes the first values of before out, as many of each component as are counted.
    pub(crate) fn forget_past(&mut self, counts: &[usize]) -> Vec<ValueList> {
        let columns = self.iter_mut().zip(counts);
        let counted = columns.filter(|(_, count)| **count > 0);
        counted
            .filter_map(|(column, count)| column.forget_past(*count))
            .collect()
    }

    /// Has nothing ahead.
    pub(crate) fn cut_future(&mut self) {
        past::all(self.all_mut()).for_each(Past::cut);
    }

    /// Drops what has been cut off.
    pub(crate) fn drop_cut(&mut self) {
        past::all(self.all_mut()).for_each(Past::drop_cut);
    }

    /// Takes all that is kept out, to be dropped.
    pub(crate) fn end_past(&mut self) -> impl Sized + use<> {
        let pasts = self.iter_mut().map(|column| column.end_past());
        pasts.collect::<Vec<_>>()
    }
}

/// With the type of their values.
impl<C: 'static> ColumnsOf<C> {
    /// Moves out a value of type `T` that has been left behind.
    pub(crate) fn take_left_as<T: Component<C>>(
        &mut self,
        component: RawComponentIndex,
        row: Row,
    ) -> Option<T> {
        self.typed::<T>(component).remove(row)
    }

    /// Moves a value out that waits to be used again, if the component is `pooled`.
    #[inline]
    pub(crate) fn take_pooled<T: Component<C>>(&mut self) -> Option<T> {
        match T::POOLED {
            true => self.of_mut::<T>().take_pooled(),
            false => None,
        }
    }

    /// Puts a value on the pool stack of its component, as far as it has room, or drops it.
    #[inline]
    pub(crate) fn recycle<T: Component<C>>(&mut self, value: T) {
        if T::POOLED {
            self.of_mut::<T>().recycle(value);
        }
    }

    /// Reserves memory for values of one component; returns whether there is enough.
    pub(crate) fn try_reserve<T: Component<C>>(&mut self, start: usize, count: usize) -> bool {
        let column = self.of_mut::<T>();
        column.try_reserve(start, count).is_ok()
    }

    /// The component of this type, and room for a value of before, if there is any without further
    /// ado.
    #[inline]
    pub(crate) fn vacancy_in_past<T: Component<C>>(
        &mut self,
    ) -> Option<(RawComponentIndex, VacantValue<'_, T>)> {
        let (component, column) = self.known::<T>()?;
        Some((component, column.vacancy_in_past()?))
    }

    /// A value, to be changed without anybody being notified.
    #[inline]
    pub(crate) fn untracked<T: Component<C>>(&mut self, row: Row) -> Option<&mut T> {
        self.of_mut::<T>().get_mut(row)
    }
}
