//! Copying all columns, and replacing them with a copy.

use alloc::vec::Vec;

use super::Columns;
use crate::storage::column::Column;
use crate::storage::slots::Row;
use crate::words::component::RawComponentIndex;
use crate::words::signature::RawComponentSet;

impl Columns {
    /// Returns the names of the components that are neither `Clone` nor excluded.
    pub(crate) fn not_clone(&self, excluded: &RawComponentSet) -> Vec<&'static str> {
        let components = (0..).map(RawComponentIndex::at);
        let components = components.zip(self.numbering().descriptors());
        let not_clone = components
            .filter(|(index, descriptor)| !descriptor.is_clone && !excluded.contains(*index));
        let names = not_clone.map(|(_, descriptor)| descriptor.names.component);
        names.collect()
    }

    /// Clones all values. Columns of components that are excluded or cannot be cloned are empty. If
    /// a `clone` panics, the clones made so far are dropped.
    pub(crate) fn copied(&self, excluded: &RawComponentSet) -> Self {
        let columns = (0..).map(RawComponentIndex::at).zip(&self.columns);
        let copies = columns.map(|(index, column)| {
            let copy = (!excluded.contains(index)).then(|| column.copied());
            let empty = || Column::new(column.descriptor());
            copy.flatten().unwrap_or_else(empty)
        });
        Self {
            columns: copies.collect(),
            infos: self.infos.clone(),
            label: self.label,
            disabling: self.disabling.clone(),
            context: self.context,
            #[cfg(debug_assertions)]
            key_reads: None,
        }
    }

    /// Swaps all values with those of other columns.
    pub(crate) fn swap_all(&mut self, other: &mut Self) {
        debug_assert!(self.context == other.context);
        self.catch_up();
        other.catch_up();
        for (column, other) in self.columns.iter_mut().zip(&mut other.columns) {
            column.swap_values(other);
        }
    }

    /// Moves the value of a component in a row to an empty row of other columns.
    pub(crate) fn hand_over(
        &mut self,
        component: RawComponentIndex,
        (from, to): (Row, Row),
        other: &mut Self,
    ) {
        if component.get() >= other.columns.len() {
            other.catch_up(); // a copy made before the component was numbered
        }
        let column = self.columns.get_mut(component.get());
        if let (Some(column), Some(other)) = (column, other.columns.get_mut(component.get())) {
            column.hand_over(from, to, other);
        }
    }
}
