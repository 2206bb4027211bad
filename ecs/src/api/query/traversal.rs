//! Which rows a query visits, worked out a block at a time, and the items of those rows.

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
use crate::words::entity_id::EntityId;
use crate::words::limits::ALL_ROWS;
use crate::words::signature::Bits;

/// How many blocks before its own the memory of a row is asked for.
const AHEAD: usize = 8;

/// Up to how many rows of a block it is asked for: of more, most lines are touched, and
/// the processor sees them coming.
const SPARSE: u32 = 16;

/// How many blocks are looked at at once if nothing is visited.
const SKIP: usize = 4;

/// The blocks a query walks through.
pub(super) struct BlockTraversal<'a, C: 'static, Q: QueryData<C>> {
    columns: Q::Columns<'a>,
    core: &'a Core<C>,
    /// What else says which rows are visited, if anything does: in a place of its own, so that an
    /// iterator which holds the walk stays in registers.
    limits: Option<Box<Limits<'a>>>,
    /// How many blocks there are to visit; all columns have that many.
    pub(super) blocks: usize,
}

impl<'a, C: HasCore, Q: QueryData<C>> BlockTraversal<'a, C, Q> {
    /// The walk through the blocks of a core; items note in `written` what they write to,
    /// if that is tracked.
    ///
    /// Inlined, so that a query without limits is known to have none, and all that concerns
    /// limits is left out of its walk.
    #[inline(always)]
    pub(super) fn new(
        core: &'a Core<C>,
        narrowing: &Narrowing<C>,
        written: &'a [WrittenRows],
    ) -> Self {
        let columns = Q::columns(core, &mut written.iter());
        let mut blocks = core.slots().rows().div_ceil(ROWS).min(Q::len(&columns));
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

    /// The rows of a block that are visited, as bits.
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

    /// The row of an entity, if it lives and its row is visited.
    #[inline]
    #[track_caller]
    pub(super) fn visited_row(&self, id: EntityId<C>) -> Option<Row> {
        let row = self.core.slots().get(id)?.row;
        self.visits(row).then_some(row)
    }

    /// Whether a row is visited.
    #[inline]
    pub(super) fn visits(&self, row: Row) -> bool {
        let at = row.get() / ROWS;
        // SAFETY: `at` is less than `blocks`.
        at < self.blocks && unsafe { self.word(at) } >> (row.get() % ROWS) & 1 != 0
    }

    /// The one row that is visited, or none.
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
        // SAFETY: the block of a row that is visited is less than `blocks`, and the bit of the
        // row is set (4); the rest is the caller's promise.
        unsafe { Q::item(self.block(at), place) }
    }

    /// All rows that are visited.
    pub(super) fn rows(&self) -> Vec<RowWord> {
        let (mut rows, mut at) = (Vec::new(), 0); // counted: iterators cost each query some functions
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

    /// The block of each column at a place.
    ///
    /// # Safety
    ///
    /// `at` is less than `blocks`.
    #[inline]
    pub(super) unsafe fn block(&self, at: usize) -> Q::Block<'a> {
        // SAFETY: `blocks` is at most the `len` of the columns.
        unsafe { Q::block(&self.columns, at) }
    }

    /// Hands out the row and the item of each row visited in a range of blocks,
    /// ascending.
    ///
    /// # Safety
    ///
    /// The range ends at `blocks` or before. The invariants 1 to 3 of the
    /// [module](super) hold: all items only read; or the core is held exclusively, nothing is
    /// asked for twice, and no other item of these blocks is made from it.
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

    /// Passes blocks that nothing is visited in; returns a block from which on there may be
    /// something.
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

    /// Asks for the memory of what is visited a few blocks further on, if so few rows
    /// of a block are that each waits for lines of its own.
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

    /// Goes on from a block, whose last row a run has, through the blocks that the run has
    /// all rows of; returns the last one of them, and the first one after it with the rows
    /// visited there, none if there is no such block.
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

    /// Hands out each run of neighbouring rows visited in a range of blocks, ascending,
    /// with the row that it ends before.
    ///
    /// # Safety
    ///
    /// As of [`items`](Self::items).
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

    /// How far a run goes on that has the last row of a block: to which block, and how
    /// many rows of that one it takes, fewer than all.
    #[inline]
    fn reach(&self, block: Q::Block<'a>, rest: Range<usize>) -> (usize, usize) {
        let (last, at, mut word) = self.pass_whole(block, rest);
        if word & 1 == 0 {
            return (at, 0);
        }
        // SAFETY: something is visited there, so `at` is less than `blocks`.
        let block = unsafe { self.block(at) };
        if !Q::joins(last, block) {
            return (at, 0);
        }
        (at, take_run(&mut word, Q::cuts(block)).1)
    }
}

/// Takes the first run out of the rows left of a block, of which there are some; returns
/// the place it starts at, and how many rows it has, up to the end of the block.
///
/// ```text
/// word      0b…0111_0011      two runs, of 2 and 3 rows: the bits set, up to a clear one
/// cuts      0b…0010_0000      three runs, of 2, 1 and 2 rows: none goes on to a cut
/// sum       0b…0111_0100      the first bit added: its carry goes to where the run ends
/// ```
#[inline]
pub(super) fn take_run(word: &mut u64, cuts: u64) -> (usize, usize) {
    if *word == ALL_ROWS && cuts == 0 {
        *word = 0;
        return (0, ROWS); // known at once, so that the values need not wait
    }
    let place = word.trailing_zeros();
    let first = *word & word.wrapping_neg();
    // A cut at the run's own first row is no end of it.
    let ends = word.wrapping_add(first) | cuts & (first << 1).wrapping_neg();
    let end = ends & ends.wrapping_neg();
    *word &= end.wrapping_neg();
    (place as usize, (ends.trailing_zeros() - place) as usize)
}

/// Rejects to pick one of several entities.
#[cold]
#[track_caller]
pub(super) fn several<C: HasCore>() -> ! {
    panic!(
        "a query of context `{}` has several entities where one was asked for; use `iter` or \
         `for_each`, or narrow it by `with` or `without`",
        C::NAME
    )
}

// Asking for memory before it is needed: what a walk does if values lie so scattered
// that each has to be waited for.
//
// A hint and nothing else: whether it is heeded, and whether the processor has such a
// thing at all, changes no result.

/// Asks for the line of memory at an address, so that it is there when it is read.
#[inline(always)]
pub(super) fn prefetch<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, for which any address will do: nothing is read from it that the
        // program could see, and none faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
