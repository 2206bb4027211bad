//! The values before an update of many entities: copied before they can be written to, all at the
//! beginning, or row by row or block by block, if the rows are not known in advance.

use alloc::vec::Vec;

use super::changes::{VisitedRows, Written};
use crate::reactions::subscribers::Subscribers;
use crate::state::recording::is_recorded;
use crate::storage::row_words::RowWord;
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;
use crate::words::limits::ROWS;
use crate::world::World;

/// Copies of the values of a component, and of a part of further rows if a clone panicked.
struct Copies {
    values: ValueList,
    /// How many values are of recorded rows.
    complete: usize,
}

/// The previous values of the written components, in the order of rows; `None` if neither a history
/// nor an observer needs them, or if they cannot be cloned.
#[derive(Default)]
pub(super) struct CopiedValues {
    copies: Vec<Option<Copies>>,
    /// Whether a history or an observer depends on any of the components.
    is_needed: bool,
}

impl CopiedValues {
    /// Starts without values, with space for those of `capacity` rows.
    pub(super) fn new(
        world: &World,
        subs: &Subscribers,
        written: &[Written],
        capacity: usize,
    ) -> Self {
        let is_needed = |written: &Written| {
            let component = written.component;
            is_recorded(subs, component) || world.groups.are_updates_notified(component)
        };
        let copies = written.iter().map(|written| {
            let descriptor = Some(written.descriptor).filter(|it| it.is_clone)?;
            let mut values = is_needed(written).then(|| ValueList::new(descriptor))?;
            values.reserve(capacity);
            let complete = 0;
            Some(Copies { values, complete })
        });
        Self {
            copies: copies.collect(),
            is_needed: written.iter().any(is_needed),
        }
    }

    /// Whether a history or an observer depends on the update.
    pub(super) fn is_needed(&self) -> bool {
        self.is_needed
    }

    /// Copies the values of rows: user code. If it panics, the rows do not count.
    pub(super) fn keep(&mut self, world: &World, written: &[Written], rows: RowWord) {
        for (kept, written) in self.copies.iter_mut().zip(written) {
            if let (Some(Copies { values, complete }), Some(column)) =
                (kept, world.columns.at(written.component))
            {
                while values.len() > *complete {
                    drop(values.pop());
                }
                column.clone_word(rows, values);
            }
        }
        for Copies { values, complete } in self.copies.iter_mut().flatten() {
            *complete = values.len();
        }
    }

    /// Takes the values of each component.
    pub(super) fn take(&mut self) -> Vec<Option<ValueList>> {
        let copies = self.copies.drain(..);
        copies.map(|kept| Some(kept?.values)).collect()
    }
}

/// Records rows before they are written to, if they are not known in advance.
pub(crate) struct RowRecorder<'a> {
    pub(super) rows: &'a mut VisitedRows,
    pub(super) written: &'a [Written],
    pub(super) values: &'a mut CopiedValues,
}

impl RowRecorder<'_> {
    /// Records a row; the first time with copies of its values. Rows may be in any order.
    pub(crate) fn record(&mut self, world: &World, row: Row) {
        if self.rows.contains(row) {
            return;
        }
        let word = (row.get() / ROWS, 1 << (row.get() % ROWS));
        self.values.keep(world, self.written, word); // user code
        self.rows.add(row);
    }

    /// Records rows of a block, with copies of their values. Blocks must be ascending.
    pub(crate) fn record_block(&mut self, world: &World, rows: RowWord) {
        self.values.keep(world, self.written, rows); // user code
        self.rows.add_word(rows);
    }
}
