//! The changes of a query: the rows that it visits, and the components that it writes.

use alloc::vec::Vec;
use core::mem;

use crate::reactions::subscribers::Subscribers;
use crate::storage::bit_set::BitSet;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::registry::index_of;
use crate::storage::row_words::RowWord;
use crate::storage::slots::Row;
use crate::words::atomic::AtomicU64;
use crate::words::atomic::Ordering::Relaxed;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::limits::ROWS;
use crate::words::written_word::WrittenWord;

/// A component that a query writes.
#[doc(hidden)]
pub struct Written {
    pub(super) component: RawComponentIndex,
    pub(super) descriptor: &'static ComponentDescriptor,
    /// The index of its [`WrittenRows`](super::WrittenRows), if only entities that were written to
    /// count as updated; otherwise all visited ones do.
    pub(super) tracked: Option<usize>,
}

impl Written {
    /// The component `T`, updated in all visited entities.
    pub(crate) fn of<C: 'static, T: Component<C>>() -> Self {
        Self {
            component: index_of::<C, T>(),
            descriptor: const { ComponentDescriptor::of::<C, T>() },
            tracked: None,
        }
    }

    /// Whether only entities that were written to count as updated.
    pub(crate) fn is_tracked(&self) -> bool {
        self.tracked.is_some()
    }

    /// The component `T`, updated in the entities written to; it is the `nth` tracked one of the
    /// query.
    pub(crate) fn tracked<C: 'static, T: Component<C>>(nth: usize) -> Self {
        let tracked = Some(nth);
        Self {
            tracked,
            ..Self::of::<C, T>()
        }
    }
}

/// The changes of a query.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) visited: VisitedRows,
    pub(super) written: Vec<Written>,
    pub(super) tracked: Vec<WrittenRows>,
}

/// The rows that a query visits, in this order.
#[derive(Default)]
pub(super) struct VisitedRows {
    words: Vec<RowWord>,
    /// The rows that were added one by one.
    added: BitSet,
}

impl VisitedRows {
    /// Creates a list of these rows.
    pub(super) fn of(words: Vec<RowWord>) -> Self {
        Self {
            words,
            added: BitSet::new(),
        }
    }

    /// Creates an empty list of rows that are added one by one, with a set for them.
    pub(super) fn one_by_one(added: BitSet) -> Self {
        Self {
            words: Vec::new(),
            added,
        }
    }

    /// Takes the set of rows that were added one by one.
    pub(super) fn take_added(&mut self) -> BitSet {
        mem::take(&mut self.added)
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
        match self.words.last_mut() {
            Some((at, bits)) if *at == block && *bits >> place == 0 => *bits |= 1 << place,
            _ => self.words.push((block, 1 << place)),
        }
    }

    /// Adds rows of a block, none of which was added before.
    pub(super) fn add_word(&mut self, rows: RowWord) {
        self.words.push(rows);
    }

    /// Discards all rows from `end` on.
    fn forget_from(&mut self, end: usize) {
        self.words.retain_mut(|(at, bits)| {
            let below = end.saturating_sub(*at * ROWS);
            if below < ROWS {
                *bits &= (1 << below) - 1;
            }
            *bits != 0
        });
    }
}

impl Changes {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.visited.words.is_empty()
    }

    /// The visited rows.
    pub(super) fn rows(&self) -> &[RowWord] {
        &self.visited.words
    }

    /// The number of visited rows.
    pub(super) fn visited(&self) -> usize {
        let rows = self.rows().iter();
        rows.map(|(_, bits)| bits.count_ones() as usize).sum()
    }

    /// The written components.
    pub(super) fn written(&self) -> &[Written] {
        &self.written
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
        self.visited.forget_from(end);
    }
}

/// Empty sets of rows in `blocks` blocks, for the tracked ones of these components; `shared` if
/// several items exist at a time. Sets are kept for reuse, so that a query takes no time for
/// blocks that it does not visit.
pub(super) fn written_rows(
    subs: &mut Subscribers,
    written: &[Written],
    blocks: usize,
    shared: bool,
) -> Vec<WrittenRows> {
    let tracked = written.iter().filter(|written| written.is_tracked());
    let spare = tracked.map(|_| {
        let mut words = subs.spare_written.pop().unwrap_or_default();
        if words.len() < blocks {
            words.resize_with(blocks, AtomicU64::default);
        }
        WrittenRows { words, shared }
    });
    spare.collect()
}

/// Keeps the sets of written rows for reuse. Rows are written only if they are visited.
pub(super) fn reuse_written_rows(subs: &mut Subscribers, changes: &mut Changes) {
    for WrittenRows { words, .. } in mem::take(&mut changes.tracked) {
        let visited = changes.rows().iter();
        let visited = visited.filter_map(|(at, _)| words.get(*at));
        visited.for_each(|word| word.store(0, Relaxed));
        subs.spare_written.push(words);
    }
}

// The rows that a query has written to, for components that it accesses as `Mut`: bits set by
// items, 64 rows per word.
//
// If items exist one at a time on each thread, all items of a word are on the same thread, and a bit
// is set by a load and a store. If several items exist at a time, they may be sent to other threads.

/// The written rows of one component.
#[doc(hidden)]
pub struct WrittenRows {
    words: Vec<AtomicU64>,
    /// Whether several items of a word exist at a time.
    shared: bool,
}

/// Receives bits that are never read.
static UNREAD: AtomicU64 = AtomicU64::new(0);

impl WrittenRows {
    /// The word of a block, for its items; one that is never read if the rows are not tracked.
    #[inline]
    pub(crate) fn word(rows: Option<&Self>, block: usize) -> WrittenWord<'_> {
        let tracked = rows.and_then(|rows| Some((rows.words.get(block)?, rows.shared)));
        let (word, shared) = tracked.unwrap_or((&UNREAD, false));
        WrittenWord::new(word, shared)
    }

    /// The written rows of a block, as bits.
    pub(super) fn bits(&self, block: usize) -> u64 {
        self.words.get(block).map_or(0, |word| word.load(Relaxed))
    }
}
