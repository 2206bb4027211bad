//! Entities that loops are still to visit, while what they call may change anything.
//!
//! ```text
//! rows    (at, 0b…0101_0010), …     as long as entities stay where they are
//! ids     [7v2, 3v1, …]             from the first on that is destroyed or gets another row
//! ```
//!
//! Loops are nested, and so are walks: the last one is that of the innermost loop.

use alloc::vec::Vec;

use super::order::Row;
use crate::storage::row_words::RowWord;
use crate::words::entity_id::UntypedId;
use crate::words::limits::ROWS;
use crate::words::signature::Bits;

/// The walks under way. A copy of slots has none.
#[derive(Default)]
pub(super) struct Traversals {
    pub(super) traversals: Vec<RowTraversal>,
    /// How many of them go by rows.
    pub(super) by_rows: usize,
    /// Lists of a walk that has ended, to be used again.
    pub(super) spare: RowTraversal,
}

impl Clone for Traversals {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What is left of one walk.
#[derive(Default)]
pub(super) struct RowTraversal {
    /// The words that come later, the next one last.
    pub(super) words: Vec<RowWord>,
    at: usize,
    pub(super) rows: Bits,
    /// The entities, the next one last, if the walk goes by ids.
    pub(super) ids: Vec<UntypedId>,
    pub(super) goes_by_ids: bool,
}

impl RowTraversal {
    /// The row that comes next.
    #[inline]
    pub(super) fn next_row(&mut self) -> Option<Row> {
        loop {
            if let Some(place) = self.rows.next() {
                return Some(Row((self.at * ROWS) as u32 + place));
            }
            let (at, rows) = self.words.pop()?;
            (self.at, self.rows) = (at, Bits(rows));
        }
    }
}
