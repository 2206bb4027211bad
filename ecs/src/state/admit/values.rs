//! The values of all components: anybody reads them, and what is admitted writes them.
//!
//! The columns are reached for writing in [`admit`](super) and the files below it alone, which
//! hand out places and values of what they have checked. What else is done with columns changes
//! no value that an entity has, and is named here.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Deref;

use crate::storage::column::Relocation;
use crate::storage::columns::Columns;
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::Row;
use crate::words::component::{Component, ComponentIndex};
use crate::words::signature::ComponentSet;

/// The values of all components of a context.
pub(crate) struct Values<C> {
    pub(super) columns: Columns<C>,
}

/// Reading.
impl<C> Deref for Values<C> {
    type Target = Columns<C>;

    #[inline]
    fn deref(&self) -> &Columns<C> {
        &self.columns
    }
}

/// What entities have left behind: values in rows whose entities have ended, or have lost the
/// component.
impl<C: 'static> Values<C> {
    /// Moves out a value that has been left behind.
    pub(crate) fn take_left(
        &mut self,
        component: ComponentIndex,
        row: Row,
    ) -> Option<Box<AnyValue>> {
        self.columns.at_mut(component)?.take_boxed(row)
    }

    /// Drops what has been left behind in a row, or puts it on the pool stacks.
    #[inline]
    pub(crate) fn drop_left(&mut self, components: &[ComponentIndex], row: Row) {
        self.columns.discard_row(components, row);
    }

    /// Drops what has been left behind in many rows, or puts it on the pool stacks.
    pub(crate) fn drop_left_in_rows(&mut self, components: &[ComponentIndex], rows: &[Row]) {
        self.columns.discard_many(components, rows);
    }
}

/// The pool stacks.
impl<C: 'static> Values<C> {
    /// The pool stack of a component.
    #[inline]
    pub(crate) fn pool<T: Component<C>>(&mut self) -> &mut Vec<T> {
        self.columns.of_mut::<T>().pool()
    }

    /// Puts a value on the pool stack of its component, or drops it if that has none.
    pub(crate) fn recycle(&mut self, component: ComponentIndex, value: Box<AnyValue>) {
        if let Some(column) = self.columns.at_mut(component) {
            column.recycle_boxed(value);
        }
    }

    /// Drops the values on all pool stacks.
    pub(crate) fn clear_pools(&mut self) {
        self.columns.clear_pools();
    }
}

/// Memory, and where values lie in it.
impl<C: 'static> Values<C> {
    /// A column without values for each component known by now.
    pub(crate) fn new() -> Self {
        let columns = Columns::new();
        Self { columns }
    }

    /// Reserves memory for values of some components in `count` rows from `start` on.
    pub(crate) fn reserve(&mut self, components: &ComponentSet, start: usize, count: usize) {
        self.columns.reserve(components, start, count);
    }

    /// Reserves memory for values of one component; returns whether there is enough.
    pub(crate) fn try_reserve<T: Component<C>>(&mut self, start: usize, count: usize) -> bool {
        let column = self.columns.of_mut::<T>();
        column.try_reserve(start, count).is_ok()
    }

    /// Gives up the memory that nothing is in.
    pub(crate) fn trim(&mut self) {
        self.columns.iter_mut().for_each(|column| column.trim());
    }

    /// Moves all values to other rows, each column to as many blocks as it needs.
    pub(crate) fn relocate(&mut self, runs: &[Relocation], blocks: Vec<usize>) {
        for (column, blocks) in self.columns.iter_mut().zip(blocks) {
            column.relocate(runs, blocks);
        }
    }

    /// Has the values of two rows change places.
    pub(crate) fn exchange(
        &mut self,
        components: impl Iterator<Item = ComponentIndex>,
        a: Row,
        b: Row,
    ) {
        self.columns.exchange(components, a, b);
    }
}

/// The way around all who follow changes.
impl<C: 'static> Values<C> {
    /// A value, to be changed without anybody being notified.
    #[inline]
    pub(crate) fn untracked<T: Component<C>>(&mut self, row: Row) -> Option<&mut T> {
        self.columns.of_mut::<T>().get_mut(row)
    }
}
