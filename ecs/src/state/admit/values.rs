//! The values of all components: anybody reads them, and what is admitted writes them.
//!
//! The columns are reached for writing in [`admit`](super) and the files below it alone, which
//! hand out places and values of what they have checked. What else is done with columns changes
//! no value that an entity has, and is named here.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Deref;

use crate::storage::column::{Relocation, past};
use crate::storage::columns::Columns;
use crate::storage::descriptor::AnyValue;
use crate::storage::moved::{Buffer, Moved};
use crate::storage::past::Direction;
use crate::storage::slots::Row;
use crate::storage::value_list::{Room, ValueList};
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

    /// Moves out a value that has been left behind, to the buffer.
    pub(crate) fn take_left_to<'b>(
        &mut self,
        component: ComponentIndex,
        row: Row,
        buffer: &'b mut Buffer,
    ) -> Option<Moved<'b>> {
        self.columns.at_mut(component)?.take_to(row, buffer)
    }

    /// Moves out a value of type `T` that has been left behind.
    pub(crate) fn take_left_as<T: Component<C>>(
        &mut self,
        component: ComponentIndex,
        row: Row,
    ) -> Option<T> {
        self.columns.typed::<T>(component).remove(row)
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

/// The columns.
impl<C: 'static> Values<C> {
    /// Adds the columns of components that were numbered since the context was made.
    #[cfg(feature = "serde")]
    pub(crate) fn catch_up(&mut self) {
        self.columns.catch_up();
    }
}

/// The pool stacks.
impl<C: 'static> Values<C> {
    /// Moves a value out that waits to be used again, if the component is `pooled`.
    #[inline]
    pub(crate) fn take_pooled<T: Component<C>>(&mut self) -> Option<T> {
        match T::POOLED {
            true => self.columns.of_mut::<T>().take_pooled(),
            false => None,
        }
    }

    /// Puts a value on the pool stack of its component, as far as it has room, or drops it.
    #[inline]
    pub(crate) fn recycle<T: Component<C>>(&mut self, value: T) {
        if T::POOLED {
            self.columns.of_mut::<T>().recycle(value);
        }
    }

    /// Puts a value on the pool stack of its component, or drops it if that has no room or is none.
    pub(crate) fn recycle_moved(&mut self, component: ComponentIndex, value: Moved<'_>) {
        if let Some(column) = self.columns.at_mut(component) {
            column.recycle(value);
        }
    }

    /// Takes all values out that wait to be used again.
    pub(crate) fn take_pool(&mut self, component: ComponentIndex) -> Option<ValueList> {
        self.columns.at_mut(component)?.take_pool()
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

/// What a history keeps. A value that goes to the past is no entity's any more, and one that comes
/// from there has been admitted before.
impl<C: 'static> Values<C> {
    /// The component of this type, and room for a value of before, if there is any without further
    /// ado.
    #[inline]
    pub(crate) fn room_in_past<T: Component<C>>(
        &mut self,
    ) -> Option<(ComponentIndex, Room<'_, T>)> {
        let (component, column) = self.columns.known::<T>()?;
        Some((component, column.room_in_past()?))
    }

    /// Keeps a value of the component with this index as one of before.
    pub(crate) fn keep(&mut self, component: ComponentIndex, value: Moved<'_>) {
        if let Some(column) = self.columns.at_mut(component) {
            column.keep(value);
        }
    }

    /// Keeps a clone of a value of the component with this index as one of before; returns whether it
    /// can be cloned.
    pub(crate) fn keep_clone_of(&mut self, component: ComponentIndex, value: &AnyValue) -> bool {
        let column = self.columns.at_mut(component);
        column.is_some_and(|column| column.keep_clone_of(value))
    }

    /// Keeps a clone of the value in a row as one of before.
    pub(crate) fn keep_clone(&mut self, component: ComponentIndex, row: Row) {
        if let Some(column) = self.columns.at_mut(component) {
            column.keep_clone(row);
        }
    }

    /// Moves the value in a row to those of before, or to those of after.
    pub(crate) fn take_to_past(
        &mut self,
        component: ComponentIndex,
        row: Row,
        direction: Direction,
    ) {
        if let Some(column) = self.columns.at_mut(component) {
            column.take_to_past(row, direction);
        }
    }

    /// Gives a row the next value of before, or of after.
    pub(crate) fn put_from_past(
        &mut self,
        component: ComponentIndex,
        row: Row,
        direction: Direction,
    ) {
        if let Some(column) = self.columns.at_mut(component) {
            column.put_from_past(row, direction);
        }
    }

    /// Has the value in a row and the next one of before, or of after, change places.
    pub(crate) fn exchange_past(
        &mut self,
        component: ComponentIndex,
        row: Row,
        direction: Direction,
    ) {
        if let Some(column) = self.columns.at_mut(component) {
            column.exchange_past(row, direction);
        }
    }

    /// Takes the first values of before out, as many of each component as are counted.
    pub(crate) fn forget_past(&mut self, counts: &[usize]) -> Vec<ValueList> {
        let columns = self.columns.iter_mut().zip(counts);
        let counted = columns.filter(|(_, count)| **count > 0);
        counted
            .filter_map(|(column, count)| column.forget_past(*count))
            .collect()
    }

    /// Has nothing ahead.
    pub(crate) fn cut_future(&mut self) {
        past::cut_future(self.columns.all_mut());
    }

    /// Drops what has been cut off.
    pub(crate) fn drop_cut(&mut self) {
        past::drop_cut(self.columns.all_mut());
    }

    /// Takes all that is kept out, to be dropped.
    pub(crate) fn end_past(&mut self) -> impl Sized + use<C> {
        past::end_past(self.columns.all_mut())
    }
}

/// The way around all who follow changes.
impl<C: 'static> Values<C> {
    /// A value, to be changed without anybody being notified.
    #[inline]
    pub(crate) fn untracked<T: Component<C>>(&mut self, row: Row) -> Option<&mut T> {
        self.columns.of_mut::<T>().get_mut(row)
    }

    /// A value of the component with an index, which is `T`, that is being changed.
    #[inline]
    pub(crate) fn changing<T: Component<C>>(
        &mut self,
        component: ComponentIndex,
        row: Row,
    ) -> Option<&mut T> {
        self.columns.typed::<T>(component).get_mut(row)
    }
}

/// What snapshots copy, and put in the place of all that is there.
impl<C: 'static> Values<C> {
    /// Clones of all values but those of the components that are left out.
    pub(crate) fn copied(&self, left_out: &ComponentSet) -> Columns<C> {
        self.columns.copied(left_out)
    }

    /// Has other values take the place of those that are there, which `other` gets.
    pub(crate) fn exchange_all(&mut self, other: &mut Columns<C>) {
        self.columns.exchange_all(other);
    }

    /// Moves the value in a row to an empty row of other columns.
    pub(crate) fn hand_over(
        &mut self,
        component: ComponentIndex,
        rows: (Row, Row),
        other: &mut Columns<C>,
    ) {
        self.columns.hand_over(component, rows, other);
    }
}
