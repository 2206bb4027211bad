//! The rows that a query has really written to, for components that it hands out as
//! [`Mut`](crate::Mut): bits that the items set, 64 rows to a word.
//!
//! The items of a word may be on any thread, but all on the same one, so a bit is set by a load
//! and a store. Words are atomic so that they can be shared between threads at all.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::storage::column::ROWS;
use crate::storage::slots::Row;

/// The rows written to, of one component.
#[doc(hidden)]
#[derive(Default)]
pub struct WrittenRows(Vec<AtomicU64>);

/// Where items set bits that nobody reads.
static UNREAD: AtomicU64 = AtomicU64::new(0);

impl WrittenRows {
    /// None yet, of rows in so many blocks.
    pub(super) fn new(blocks: usize) -> Self {
        Self((0..blocks).map(|_| AtomicU64::new(0)).collect())
    }

    /// The word of a block, for its items; one that nobody reads if there is no note of them.
    #[inline]
    pub(crate) fn word(rows: Option<&Self>, block: usize) -> &AtomicU64 {
        rows.and_then(|rows| rows.0.get(block)).unwrap_or(&UNREAD)
    }

    /// The rows of a block that have been written to, as bits.
    pub(super) fn bits(&self, block: usize) -> u64 {
        self.0.get(block).map_or(0, |word| word.load(Relaxed))
    }

    /// Whether a row has been written to.
    pub(super) fn contains(&self, row: Row) -> bool {
        let row = row.get();
        self.bits(row / ROWS) >> (row % ROWS) & 1 != 0
    }

    /// Notes rows of a word as written to.
    #[inline]
    pub(crate) fn set(word: &AtomicU64, rows: u64) {
        word.store(word.load(Relaxed) | rows, Relaxed);
    }
}
