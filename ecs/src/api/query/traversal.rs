//! Determines which rows a query visits, a block at a time, and yields their items.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use super::data::QueryData;
use super::limits::Limits;
use super::narrowing::Narrowing;
use crate::state::{Core, HasCore, WrittenRows};
use crate::storage::column::ROWS;
use crate::storage::row_words::RowWord;
use crate::storage::slots::Row;
use crate::words::demands::SharedContext;
use crate::words::entity_id::EntityId;
use crate::words::limits::ALL_ROWS;
use crate::words::signature::Bits;

/// How many blocks ahead the memory of rows is prefetched.
const AHEAD: usize = 8;

/// The maximum number of visited rows in a block for which memory is prefetched: with more, most
/// cache lines are touched, and the processor predicts them.
const SPARSE: u32 = 16;

/// The number of blocks that are tested together while nothing is visited.
const SKIP: usize = 4;

/// The traversal of a query's blocks.
pub(super) struct BlockTraversal<'a, C: 'static, Q: QueryData<C>> {
    columns: Q::Columns<'a>,
    pub(super) core: &'a Core<C>,
    /// What else limits the visited rows, if anything. Boxed, so that an iterator that contains the
    /// traversal stays in registers.
    limits: Option<Box<Limits<'a>>>,
    /// The number of blocks to visit; every column has at least that many.
    pub(super) blocks: usize,
}

// SAFETY: the context is shared, so several threads may use the columns (contract of `QueryData`); all other fields
// are `Sync`.
unsafe impl<C: SharedContext, Q: QueryData<C>> Sync for BlockTraversal<'_, C, Q> where
    for<'a> (&'a Core<C>, Option<Box<Limits<'a>>>): Sync
{
}

impl<'a, C: HasCore, Q: QueryData<C>> BlockTraversal<'a, C, Q> {
    /// The traversal of the blocks of a core; items record their writes in `written`, if that is
    /// tracked.
    ///
    /// Inlined, so that the compiler knows when a query has no limits and omits the code for them.
    #[inline(always)]
    pub(super) fn new(
        core: &'a Core<C>,
        narrowing: &Narrowing<C>,
        written: &'a [WrittenRows],
    ) -> Self {
        let columns = Q::columns(core, &mut written.iter());
        let mut blocks = core
            .world
            .slots()
            .rows()
            .div_ceil(ROWS)
            .min(Q::len(&columns));
        let mut limits = None;
        if !Q::BOUNDED || narrowing.is_any() {
            let found = Limits::new(core, (Q::BOUNDED, Q::access), narrowing);
            blocks = blocks.min(found.len());
            limits = Some(Box::new(found));
        }
        Self {
            columns,
            core,
            limits,
            blocks,
        }
    }

    /// The visited rows of a block, as bits.
    ///
    /// # Safety
    ///
    /// `at` is less than `blocks`.
    #[inline]
    pub(super) unsafe fn word(&self, at: usize) -> u64 {
        // SAFETY: `blocks` is at most the `len` of the columns.
        let word = unsafe { Q::occupied(&self.columns, at) };
        match &self.limits {
            None => word,
            Some(limits) => limits.narrow(word, at),
        }
    }

    /// The row of an entity, if it is alive and its row is visited.
    #[inline]
    #[track_caller]
    pub(super) fn visited_row(&self, id: EntityId<C>) -> Option<Row> {
        let row = self.core.world.slots().get(id)?.row;
        self.visits(row).then_some(row)
    }

    /// Whether a row is visited.
    #[inline]
    pub(super) fn visits(&self, row: Row) -> bool {
        let at = row.get() / ROWS;
        // SAFETY: `at` is less than `blocks`.
        at < self.blocks && unsafe { self.word(at) } >> (row.get() % ROWS) & 1 != 0
    }

    /// The only visited row, if there is one.
    ///
    /// # Panics
    ///
    /// Panics if there are several.
    #[track_caller]
    pub(super) fn only_row(&self) -> Option<Row> {
        let rows = self.rows();
        let mut rows = rows
            .iter()
            .flat_map(|(at, bits)| Bits(*bits).map(move |place| Row((at * ROWS) as u32 + place)));
        let row = rows.next();
        if rows.next().is_some() {
            several::<C>();
        }
        row
    }

    /// The item of one row.
    ///
    /// # Safety
    ///
    /// The row is visited. The invariants 1 to 3 of the [module](super) hold.
    #[inline]
    pub(super) unsafe fn item(&self, row: Row) -> Q::Item<'a> {
        let (at, place) = (row.get() / ROWS, row.get() % ROWS);
        // SAFETY: the block of a visited row is less than `blocks`, and the bit of the row is set
        // (4); the rest is the caller's promise.
        unsafe { Q::item(self.block(at), place) }
    }

    /// All visited rows.
    pub(super) fn rows(&self) -> Vec<RowWord> {
        let (mut rows, mut at) = (Vec::new(), 0); // iterators would add functions to each query
        while at < self.blocks {
            // SAFETY: `at` is less than `blocks`.
            let word = unsafe { self.word(at) };
            if word != 0 {
                rows.push((at, word));
            } else if let Some(limits) = &self.limits {
                at = limits.next(at + 1);
                continue;
            }
            at += 1;
        }
        rows
    }

    /// The block of each column at an index.
    ///
    /// # Safety
    ///
    /// `at` is less than `blocks`.
    #[inline]
    pub(super) unsafe fn block(&self, at: usize) -> Q::Block<'a> {
        // SAFETY: `blocks` is at most the `len` of the columns.
        unsafe { Q::block(&self.columns, at) }
    }

    /// Calls `each` with the row and the item of each visited row in a range of blocks, in
    /// ascending order.
    ///
    /// # Safety
    ///
    /// The range ends at `blocks` or before. The invariants 1 to 3 of the [module](super) hold: all
    /// items only read; or the core is borrowed exclusively, nothing is accessed twice, and no
    /// other item of these blocks is made from it.
    #[inline]
    pub(super) unsafe fn items(
        &self,
        range: Range<usize>,
        mut each: impl FnMut(usize, Q::Item<'a>),
    ) {
        let mut at = range.start;
        while at < range.end {
            let first = at * ROWS;
            // SAFETY: `at` is in the range, and so less than `blocks`.
            let (word, block) = unsafe { (self.word(at), self.block(at)) };
            at += 1;
            if word == 0 {
                // SAFETY: as above.
                at = unsafe { self.skip_empty(at..range.end) };
                continue;
            }
            if word == ALL_ROWS {
                if Q::cuts(block) == 0 {
                    at = self.pass_whole(block, at..range.end).1;
                }
                for place in 0..at * ROWS - first {
                    // SAFETY: every bit of these blocks is set (4); each row once (3);
                    // blocks after the first are of its run (5); the rest is the
                    // caller's promise.
                    each(first + place, unsafe { Q::item(block, place) });
                }
            } else {
                for place in Bits(word) {
                    let place = place as usize;
                    // SAFETY: the bit of `place` is set (4); the rest as above.
                    each(first + place, unsafe { Q::item(block, place) });
                }
            }
        }
    }

    /// Skips blocks without visited rows; returns the first block that may have some.
    ///
    /// # Safety
    ///
    /// The range ends at `blocks` or before.
    #[inline]
    pub(super) unsafe fn skip_empty(&self, range: Range<usize>) -> usize {
        let mut at = range.start;
        if let Some(limits) = &self.limits {
            at = limits.next(at).min(range.end);
        }
        while at + SKIP <= range.end {
            let (mut any, end) = (0, at + SKIP);
            let mut next = at;
            while next < end {
                // SAFETY: `at + SKIP` is at most `blocks`.
                any |= unsafe { Q::occupied(&self.columns, next) };
                next += 1;
            }
            if any != 0 {
                break;
            }
            at = end;
        }
        at
    }

    /// Prefetches the memory of visited rows a few blocks ahead, if a block has so few of them that
    /// each would wait for a cache line of its own.
    #[inline]
    fn fetch_ahead(&self, word: u64, at: usize) {
        let at = at + AHEAD;
        if self.limits.is_some() || at >= self.blocks || word.count_ones() > SPARSE {
            return;
        }
        // SAFETY: `at` is less than `blocks`.
        let (word, block) = unsafe { (self.word(at), self.block(at)) };
        Bits(word).for_each(|place| Q::fetch(block, place as usize));
    }

    /// Continues a run, which includes the last row of `last`, through the blocks of which it
    /// includes all rows. Returns the last of these, the index of the first block after it, and the
    /// visited rows of that block, none if there is no such block.
    #[inline]
    pub(super) fn pass_whole(
        &self,
        mut last: Q::Block<'a>,
        rest: Range<usize>,
    ) -> (Q::Block<'a>, usize, u64) {
        let (mut at, mut word) = (rest.start, 0);
        while at < rest.end {
            // SAFETY: ranges end at `blocks` or before.
            let (next_word, next) = unsafe { (self.word(at), self.block(at)) };
            if next_word != ALL_ROWS || Q::cuts(next) != 0 || !Q::joins(last, next) {
                word = next_word;
                break;
            }
            last = next;
            at += 1;
        }
        (last, at, word)
    }

    /// Calls `each` with each run of adjacent visited rows in a range of blocks, in ascending
    /// order, and with the row after its last one.
    ///
    /// # Safety
    ///
    /// As for [`items`](Self::items).
    #[inline]
    pub(super) unsafe fn runs(
        &self,
        range: Range<usize>,
        mut each: impl FnMut(usize, Q::Slice<'a>),
    ) {
        let (mut at, mut taken) = (range.start, 0);
        while at < range.end {
            // SAFETY: `at` is in the range, and so less than `blocks`.
            let (word, block) = unsafe { (self.word(at), self.block(at)) };
            let (mut word, cuts) = (word & u64::MAX << taken, Q::cuts(block));
            let first = at * ROWS;
            (at, taken) = (at + 1, 0);
            if word == 0 {
                // SAFETY: the range ends at `blocks` or before.
                at = unsafe { self.skip_empty(at..range.end) };
                continue;
            }
            self.fetch_ahead(word, at);
            while word != 0 {
                let (place, mut len) = take_run(&mut word, cuts);
                if place + len == ROWS {
                    let start = at;
                    (at, taken) = self.reach(block, at..range.end);
                    len += (at - start) * ROWS + taken;
                }
                // SAFETY: the bits of all these rows are set (4), and each row is in one
                // run (3): they are cleared, passed or taken. None after the first was
                // cut off, and each block after the first joins the one before (5); the
                // rest is the caller's promise.
                each(first + place + len, unsafe { Q::slice(block, place, len) });
            }
        }
    }

    /// How far a run continues that includes the last row of a block: the index of the block it
    /// ends in, and how many rows it takes from that block, fewer than all.
    #[inline]
    fn reach(&self, block: Q::Block<'a>, rest: Range<usize>) -> (usize, usize) {
        let (last, at, mut word) = self.pass_whole(block, rest);
        if word & 1 == 0 {
            return (at, 0);
        }
        // SAFETY: a row is visited there, so `at` is less than `blocks`.
        let block = unsafe { self.block(at) };
        if !Q::joins(last, block) {
            return (at, 0);
        }
        (at, take_run(&mut word, Q::cuts(block)).1)
    }
}

/// Takes the first run from the remaining rows of a block, of which there is at least one; returns
/// the place where it starts, and its number of rows, up to the end of the block.
///
/// ```text
/// word      0b…0111_0011      two runs, of 2 and 3 rows: adjacent set bits
/// cuts      0b…0010_0000      three runs, of 2, 1 and 2 rows: a cut starts a new run
/// sum       0b…0111_0100      adding the lowest bit carries to where the run ends
/// ```
#[inline]
pub(super) fn take_run(word: &mut u64, cuts: u64) -> (usize, usize) {
    if *word == ALL_ROWS && cuts == 0 {
        *word = 0;
        return (0, ROWS); // constants, so that the values need not wait for the mask
    }
    let place = word.trailing_zeros();
    let first = *word & word.wrapping_neg();
    // A cut at the run's first row does not end it.
    let ends = word.wrapping_add(first) | cuts & (first << 1).wrapping_neg();
    let end = ends & ends.wrapping_neg();
    *word &= end.wrapping_neg();
    (place as usize, (ends.trailing_zeros() - place) as usize)
}

/// Panics because a query has several entities where one is expected.
#[cold]
#[track_caller]
pub(super) fn several<C: HasCore>() -> ! {
    panic!(
        "a query of context `{}` has several entities where one was asked for; use `iter` or \
         `for_each`, or narrow it by `with` or `without`",
        C::NAME
    )
}

// Prefetching, for values so scattered that the traversal would wait for each of them.
//
// It is only a hint: the result is the same if the processor ignores it or has no such
// instruction.

/// Prefetches the cache line at an address.
#[inline(always)]
pub(super) fn prefetch<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, valid for any address: it reads nothing that the program could
        // observe, and never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
