//! Entities that were collected in bulk, kept as rows until they are needed one by one.
//!
//! ```text
//! words      (3, 0b…1111) (4, 0b…0110)      in order of collection
//! seen[3]    0b…1111                        the same as a set, so that
//! seen[4]    0b…0110                        no row is collected twice
//! ```
//!
//! Collecting 64 entities takes one OR, and a query iterates over them word by word. A row
//! represents its entity only while that is alive and not moved, so entities are converted to ids
//! before one of them is destroyed or moved.

use alloc::boxed::Box;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

use crate::storage::bit_set::BitSet;
use crate::storage::heap::heap;
use crate::storage::row_words::RowWord;
use crate::storage::slots::{Row, Slots};
use crate::words::entity_id::UntypedId;
use crate::words::limits::ROWS;
use crate::words::signature::Bits;

/// Rows of living entities, without duplicates, in order of collection.
pub(super) struct CollectedRows {
    words: Vec<RowWord>,
    seen: BitSet,
    /// The entities as ids, computed on first use.
    ids: OnceBox<Vec<UntypedId>>,
}

heap!(CollectedRows: words, seen, ids);

impl CollectedRows {
    pub(super) const fn new() -> Self {
        Self {
            words: Vec::new(),
            seen: BitSet::new(),
            ids: OnceBox::new(),
        }
    }

    /// Adds rows of living entities, except those already present.
    pub(super) fn add(&mut self, rows: impl Iterator<Item = RowWord>) {
        self.ids = OnceBox::new();
        for (at, bits) in rows {
            let fresh = self.seen.insert_word(at, bits);
            if fresh != 0 {
                self.words.push((at, fresh));
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        let counts = self.words.iter().map(|(_, bits)| bits.count_ones());
        counts.map(|count| count as usize).sum()
    }

    pub(super) fn contains(&self, row: Row) -> bool {
        self.seen.word(row.get() / ROWS) >> (row.get() % ROWS) & 1 != 0
    }

    /// The entities as ids.
    pub(super) fn ids(&self, slots: &Slots) -> &[UntypedId] {
        self.ids.get_or_init(|| {
            let mut ids = Vec::new();
            self.list(slots, &mut ids);
            Box::new(ids)
        })
    }

    /// Appends the entities to a list.
    pub(super) fn list(&self, slots: &Slots, ids: &mut Vec<UntypedId>) {
        ids.reserve(self.len());
        for &(at, bits) in &self.words {
            let rows = Bits(bits).map(|place| Row((at * ROWS) as u32 + place));
            ids.extend(rows.filter_map(|row| slots.id_in(row)));
        }
    }

    /// Takes the set of rows, and leaves an empty one.
    pub(super) fn take(&mut self, rows: &mut BitSet) {
        core::mem::swap(&mut self.seen, rows);
        self.words.clear();
        self.ids = OnceBox::new();
    }

    pub(super) fn clear(&mut self) {
        self.seen.clear();
        self.words.clear();
        self.ids = OnceBox::new();
    }

    /// Panics if the words and the set differ, or a row has no entity.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self, slots: &Slots) {
        let mut seen = BitSet::new();
        for &(at, bits) in &self.words {
            assert!(
                bits != 0 && seen.insert_word(at, bits) == bits,
                "collected rows: one appears twice"
            );
            assert_eq!(
                bits & !slots.alive(at),
                0,
                "collected rows: one has no entity"
            );
        }
        let is_seen = |number| seen.word(number / 64) >> (number % 64) & 1 != 0;
        self.seen.check_invariants(is_seen, seen.len() * 64);
    }
}
