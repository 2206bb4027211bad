//! The changes of a query: the rows that it visits, and the components that it writes.

use alloc::vec::Vec;

use super::copies::Written;
use crate::storage::bit_set::BitSet;
use crate::storage::row_words::RowWord;
use crate::storage::slots::Row;
use crate::words::atomic::{AtomicU64, Ordering::Relaxed};
use crate::words::limits::ROWS;

/// The changes of a query.
#[derive(Default)]
pub(super) struct Changes {
    rows: Vec<RowWord>,
    written: Vec<Written>,
    tracked: Vec<WrittenRows>,
    /// The rows that were added one by one.
    pub(super) added: BitSet,
}

impl Changes {
    /// Creates changes of these components in these rows, which are ascending.
    pub(super) fn new(rows: Vec<RowWord>, written: Vec<Written>) -> Self {
        let blocks = rows.last().map_or(0, |(at, _)| at + 1);
        let tracked = written.iter().filter(|written| written.tracked.is_some());
        Self {
            tracked: tracked.map(|_| WrittenRows::new(blocks)).collect(),
            rows,
            written,
            added: BitSet::new(),
        }
    }

    /// Whether a row was added.
    #[inline]
    pub(super) fn contains(&self, row: Row) -> bool {
        self.added.word(row.get() / ROWS) >> (row.get() % ROWS) & 1 != 0
    }

    /// Adds a row. Rows need not be ascending: they are visited, and reported, in this order.
    pub(super) fn add(&mut self, row: Row) {
        self.added.insert(row.get());
        let (block, place) = (row.get() / ROWS, row.get() % ROWS);
        match self.rows.last_mut() {
            Some((at, bits)) if *at == block && *bits >> place == 0 => *bits |= 1 << place,
            _ => self.rows.push((block, 1 << place)),
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The visited rows.
    pub(super) fn rows(&self) -> &[RowWord] {
        &self.rows
    }

    /// The number of visited rows.
    pub(super) fn visited(&self) -> usize {
        let rows = self.rows.iter().map(|(_, bits)| bits.count_ones() as usize);
        rows.sum()
    }

    /// The written components.
    pub(super) fn written(&self) -> &[Written] {
        &self.written
    }

    /// The written rows of tracked components.
    #[inline]
    pub(super) fn tracked(&self) -> &[WrittenRows] {
        &self.tracked
    }

    /// The written rows of a component; `None` if all visited rows count.
    pub(super) fn tracked_rows(&self, written: &Written) -> Option<&WrittenRows> {
        self.tracked.get(written.tracked?)
    }

    /// Those of some visited rows in which a component counts as changed.
    pub(super) fn of(&self, written: &Written, (at, bits): RowWord) -> RowWord {
        let tracked = self.tracked_rows(written);
        (at, tracked.map_or(bits, |rows| bits & rows.bits(at)))
    }

    /// Discards all rows from `end` on.
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

// The rows that a query has written to, for components that it accesses as `Mut`: bits set by
// items, 64 rows per word.
//
// All items of a word are on the same thread, so a bit is set by a load and a store. Words are
// atomic only so that they can be shared between threads.

/// The written rows of one component.
#[doc(hidden)]
#[derive(Default)]
pub struct WrittenRows(Vec<AtomicU64>);

/// Receives bits that are never read.
static UNREAD: AtomicU64 = AtomicU64::new(0);

impl WrittenRows {
    /// Creates an empty set for rows in `blocks` blocks.
    pub(super) fn new(blocks: usize) -> Self {
        Self((0..blocks).map(|_| AtomicU64::new(0)).collect())
    }

    /// The word of a block, for its items; one that is never read if the rows are not tracked.
    #[inline]
    pub(crate) fn word(rows: Option<&Self>, block: usize) -> &AtomicU64 {
        rows.and_then(|rows| rows.0.get(block)).unwrap_or(&UNREAD)
    }

    /// The written rows of a block, as bits.
    pub(super) fn bits(&self, block: usize) -> u64 {
        self.0.get(block).map_or(0, |word| word.load(Relaxed))
    }

    /// Whether a row was written to.
    pub(super) fn contains(&self, row: Row) -> bool {
        let row = row.get();
        self.bits(row / ROWS) >> (row % ROWS) & 1 != 0
    }

    /// Records rows of a word as written.
    #[inline]
    pub(crate) fn set(word: &AtomicU64, rows: u64) {
        word.store(word.load(Relaxed) | rows, Relaxed);
    }
}
