//! Entities that loops have yet to visit, while the loop body may change anything.
//!
//! ```text
//! rows    (at, 0b…0101_0010), …     while no entity is destroyed or moved
//! ids     [7v2, 3v1, …]             after the first destroy or move
//! ```
//!
//! Traversals are nested like loops; the last one belongs to the innermost loop.

use alloc::vec::Vec;

use super::order::Row;
use crate::storage::heap::{Heap, bytes_of, heap};
use crate::storage::row_words::RowWord;
use crate::words::entity_id::UntypedId;
use crate::words::limits::ROWS;
use crate::words::signature::Bits;

/// The traversals in progress. Not copied with the slots.
#[derive(Default)]
pub(super) struct Traversals {
    pub(super) traversals: Vec<RowTraversal>,
    /// The number of traversals by rows.
    pub(super) by_rows: usize,
    /// The lists of a finished traversal, for reuse.
    pub(super) spare: RowTraversal,
}

impl Heap for Traversals {
    bytes_of!(traversals, spare; each traversals);

    fn trim(&mut self) {
        self.spare = RowTraversal::default();
    }
}

impl Clone for Traversals {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The rest of one traversal.
#[derive(Default)]
pub(super) struct RowTraversal {
    /// The following words, in reverse order.
    pub(super) words: Vec<RowWord>,
    at: usize,
    pub(super) rows: Bits,
    /// The entities in reverse order, if the traversal goes by ids.
    pub(super) ids: Vec<UntypedId>,
    pub(super) goes_by_ids: bool,
}

heap!(RowTraversal: words, ids);

impl RowTraversal {
    /// Returns the next row.
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
