//! The values before an update of many entities whose rows are not known in advance: copied row by
//! row, or block by block, immediately before they can be written to.

use alloc::vec::Vec;

use super::changes::VisitedRows;
use super::copies::{Copies, Written};
use crate::reactions::subscribers::Subscribers;
use crate::state::recording::is_recorded;
use crate::storage::row_words::RowWord;
use crate::storage::slots::Row;
use crate::words::limits::ROWS;
use crate::world::World;

/// Copies of each written component for one purpose, in the order of rows; `None` if they are not
/// needed or cannot be made.
type OfComponents = Vec<Option<CompleteCopies>>;

/// Copies of the values of all recorded rows, and of a part of further rows if a clone panicked.
struct CompleteCopies {
    copies: Copies,
    /// How many values are of recorded rows.
    complete: usize,
}

/// The previous values of recorded rows: for the history, and for observers, who may drop theirs.
pub(super) struct CopiedValues {
    recorded: OfComponents,
    notified: OfComponents,
}

impl CopiedValues {
    /// Starts without values.
    pub(super) fn new(world: &World, subs: &Subscribers, written: &[Written]) -> Self {
        let of = |is_needed: &dyn Fn(&Written) -> bool| {
            let copies = written.iter().map(|written| {
                let copies = Copies::new(written, 0).filter(|_| is_needed(written))?;
                Some(CompleteCopies {
                    copies,
                    complete: 0,
                })
            });
            copies.collect()
        };
        Self {
            recorded: of(&|it| is_recorded(subs, it.component)),
            notified: of(&|it| world.groups.are_updates_notified(it.component)),
        }
    }

    /// Copies the values of rows: user code. If it panics, the rows do not count.
    fn keep(&mut self, world: &World, written: &[Written], rows: RowWord) {
        for of_components in [&mut self.recorded, &mut self.notified] {
            for (kept, written) in of_components.iter_mut().zip(written) {
                if let Some(CompleteCopies { copies, complete }) = kept {
                    copies.truncate(*complete);
                    copies.keep_present(world, written.component, rows);
                }
            }
        }
        let all = self.recorded.iter_mut().chain(&mut self.notified);
        for CompleteCopies { copies, complete } in all.flatten() {
            *complete = copies.len();
        }
    }

    /// The values for the history, and those for observers.
    pub(super) fn into_parts(self) -> [Vec<Option<Copies>>; 2] {
        [self.recorded, self.notified].map(|of_components| {
            let copies = of_components.into_iter();
            copies.map(|kept| kept.map(|kept| kept.copies)).collect()
        })
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
