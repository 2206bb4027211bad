//! What a query changes: the rows that it visits, and the components that it writes to there.

use alloc::vec::Vec;

use super::copies::Written;
use super::written_rows::WrittenRows;
use crate::state::core::HasCore;
use crate::storage::row_words::RowWord;
use crate::words::limits::ROWS;

/// The changes that a query makes.
pub(super) struct Changes<C: HasCore> {
    rows: Vec<RowWord>,
    written: Vec<Written<C>>,
    tracked: Vec<WrittenRows>,
}

impl<C: HasCore> Default for Changes<C> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            written: Vec::new(),
            tracked: Vec::new(),
        }
    }
}

impl<C: HasCore> Changes<C> {
    /// Changes of these components in these rows, which ascend.
    pub(super) fn new(rows: Vec<RowWord>, written: Vec<Written<C>>) -> Self {
        let blocks = rows.last().map_or(0, |(at, _)| at + 1);
        let tracked = written.iter().filter(|written| written.tracked.is_some());
        Self {
            tracked: tracked.map(|_| WrittenRows::new(blocks)).collect(),
            rows,
            written,
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows visited.
    pub(super) fn rows(&self) -> &[RowWord] {
        &self.rows
    }

    /// How many rows are visited.
    pub(super) fn visited(&self) -> usize {
        let rows = self.rows.iter().map(|(_, bits)| bits.count_ones() as usize);
        rows.sum()
    }

    /// The components written to.
    pub(super) fn written(&self) -> &[Written<C>] {
        &self.written
    }

    /// Where items note what they write to.
    #[inline]
    pub(super) fn tracked(&self) -> &[WrittenRows] {
        &self.tracked
    }

    /// The rows of a component that note what is written to, if not all rows visited count.
    pub(super) fn tracked_rows(&self, written: &Written<C>) -> Option<&WrittenRows> {
        self.tracked.get(written.tracked?)
    }

    /// Of rows visited, those in which a component counts as changed.
    pub(super) fn of(&self, written: &Written<C>, (at, bits): RowWord) -> RowWord {
        let tracked = self.tracked_rows(written);
        (at, tracked.map_or(bits, |rows| bits & rows.bits(at)))
    }

    /// Forgets all rows from `end` on.
    pub(super) fn forget_from(&mut self, end: usize) {
        self.rows.retain_mut(|(at, bits)| {
            let below = end.saturating_sub(*at * ROWS);
            if below < ROWS {
                *bits &= (1 << below) - 1;
            }
            *bits != 0
        });
    }
}
