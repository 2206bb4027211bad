//! Which rows a query visits, worked out a block at a time, and the items of those rows.

use alloc::vec::Vec;
use core::ops::Range;

use super::ROWS;
use super::data::QueryData;
use super::narrow::Narrowing;
use crate::column::Blocks;
use crate::entity_id::EntityId;
use crate::row_words::RowWord;
use crate::signature::Bits;
use crate::slots::Row;
use crate::state::Core;

/// The blocks a query walks through.
pub(super) struct Walk<'a, C: 'static, Q: QueryData<C>> {
    columns: Q::Columns<'a>,
    core: &'a Core<C>,
    filters: Filters<'a>,
    /// Sets that rows must be in, by words: the members of a group, the rows drained.
    sets: [Option<&'a [u64]>; 2],
    /// Whether nothing says which rows have entities, but the slots.
    all_rows: bool,
    /// Whether something else than the columns says which rows are visited.
    narrowed: bool,
    /// How many blocks there are to visit; all columns have that many.
    pub(super) blocks: usize,
}

/// Columns whose bits must all be set, and columns whose bits must all be clear, beyond
/// those of the components asked for.
struct Filters<'a> {
    with: Vec<Blocks<'a>>,
    without: Vec<Blocks<'a>>,
}

impl<'a, C: 'static, Q: QueryData<C>> Walk<'a, C, Q> {
    pub(super) fn new(core: &'a Core<C>, narrowing: &Narrowing<C>) -> Self {
        let blocks = |component| {
            core.columns
                .at(component)
                .map_or(Blocks::NONE, |c| c.blocks())
        };
        let filters = Filters {
            with: narrowing.with.iter().map(blocks).collect(),
            without: narrowing.without.iter().map(blocks).collect(),
        };
        let group = narrowing.group;
        let group = group.map(|group| core.groups.members(group.index).words());
        let sets = [group, narrowing.drained.then(|| core.collectors.drained())];
        let in_sets = sets.iter().any(Option::is_some);
        let columns = Q::columns(core);
        let rows = core.slots.rows().div_ceil(ROWS).min(Q::len(&columns));
        let lens = filters.with.iter().map(|blocks| blocks.len());
        let lens = lens.chain(sets.iter().flatten().map(|rows| rows.len()));
        let all_rows = !Q::BOUNDED && filters.with.is_empty() && !in_sets;
        let filtered = !filters.with.is_empty() || !filters.without.is_empty();
        Self {
            blocks: lens.fold(rows, usize::min),
            all_rows,
            narrowed: all_rows || filtered || in_sets,
            columns,
            core,
            filters,
            sets,
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
        if self.narrowed {
            self.narrow(word, at)
        } else {
            word
        }
    }

    /// Clears the bits of rows that are not visited.
    #[inline(never)] // the plain walk is much tighter without it
    fn narrow(&self, mut word: u64, at: usize) -> u64 {
        if self.all_rows {
            word &= self.alive(at);
        }
        for blocks in &self.filters.with {
            word &= blocks.occupied(at);
        }
        for blocks in &self.filters.without {
            word &= !blocks.occupied(at);
        }
        for rows in self.sets.iter().flatten() {
            word &= rows[at];
        }
        word
    }

    #[cold]
    fn alive(&self, at: usize) -> u64 {
        let row = |place: u32| Row((at * ROWS) as u32 + place);
        let alive = (0..64).filter(|place| self.core.slots.id_in::<C>(row(*place)).is_some());
        alive.fold(0, |word, place| word | 1 << place)
    }

    /// The row of a living entity.
    #[inline]
    pub(super) fn row(&self, id: EntityId<C>) -> Option<Row> {
        Some(self.core.slots.get(id)?.row)
    }

    /// All rows that are visited.
    pub(super) fn rows(&self) -> Vec<RowWord> {
        // SAFETY: `at` is less than `blocks`.
        let words = (0..self.blocks).map(|at| (at, unsafe { self.word(at) }));
        words.filter(|(_, word)| *word != 0).collect()
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
    /// [module](super) hold: the core is held exclusively, nothing is asked for twice,
    /// and no other item of these blocks is made from it.
    #[inline]
    pub(super) unsafe fn items(
        &self,
        range: Range<usize>,
        mut each: impl FnMut(usize, Q::Item<'a>),
    ) {
        for at in range {
            // SAFETY: `at` is in the range, and so less than `blocks`.
            let word = unsafe { self.word(at) };
            if word == 0 {
                continue;
            }
            // SAFETY: as above.
            let block = unsafe { self.block(at) };
            if word == u64::MAX {
                for place in 0..ROWS {
                    // SAFETY: every bit of `word` is set (4); each row once (3); the rest
                    // is the caller's promise.
                    each(at * ROWS + place, unsafe { Q::item(block, place) });
                }
            } else {
                for place in Bits(word).map(|place| place as usize) {
                    // SAFETY: the bit of `place` is set (4); the rest as above.
                    each(at * ROWS + place, unsafe { Q::item(block, place) });
                }
            }
        }
    }

    /// The runs of neighbouring rows visited in a range of blocks, ascending.
    ///
    /// # Safety
    ///
    /// As of [`items`](Self::items).
    #[inline]
    pub(super) unsafe fn runs(&self, range: Range<usize>) -> Runs<'_, 'a, C, Q> {
        Runs {
            walk: self,
            next: range.start,
            end: range.end,
            word: 0,
            cuts: 0,
            block: None,
        }
    }
}

/// The runs of neighbouring rows that a query visits.
///
/// ```text
/// word      0b…0111_0011      two runs, of 2 and 3 rows: the bits set, up to a clear one
/// cuts      0b…0010_0000      three runs, of 2, 1 and 2 rows: none goes on to a cut
/// ```
///
/// A run that reaches the end of its block goes on in the next one as far as that one's
/// rows are visited too and its values are neighbours in memory.
///
/// Made where the promises of [`Walk::items`] hold. Each run takes its rows out of what
/// is left, so runs do not overlap.
pub(super) struct Runs<'w, 'a, C: 'static, Q: QueryData<C>> {
    walk: &'w Walk<'a, C, Q>,
    /// The first block that has not been looked at, and the last one after that.
    next: usize,
    end: usize,
    /// What is left of the block under way: its rows, its cuts, itself.
    word: u64,
    cuts: u64,
    block: Option<Q::Block<'a>>,
}

impl<'a, C: 'static, Q: QueryData<C>> Runs<'_, 'a, C, Q> {
    /// Goes on to the next block, if there is one.
    #[inline]
    fn advance(&mut self) -> Option<Q::Block<'a>> {
        if self.next >= self.end {
            self.word = 0;
            return None;
        }
        // SAFETY: the range ends at the walk's `blocks` or before.
        let (word, block) = unsafe { (self.walk.word(self.next), self.walk.block(self.next)) };
        (self.word, self.cuts, self.block) = (word, Q::cuts(block), Some(block));
        self.next += 1;
        self.block
    }

    /// Goes on through the blocks that a run has all rows of, from the last row of the
    /// block under way on; gives the last one of them.
    ///
    /// By itself, so that what it needs fits into registers: this is all that a long run
    /// costs beyond its values.
    #[inline(never)]
    fn pass_whole(&mut self, mut last: Q::Block<'a>) -> Q::Block<'a> {
        while self.next < self.end {
            // SAFETY: the range ends at the walk's `blocks` or before.
            let (word, block) = unsafe { (self.walk.word(self.next), self.walk.block(self.next)) };
            if word != u64::MAX || Q::cuts(block) != 0 || !Q::joins(last, block) {
                break;
            }
            last = block;
            self.next += 1;
        }
        last
    }

    /// Takes the rows of a run that starts at `place` out of the block under way; gives
    /// their number.
    #[inline]
    fn take(&mut self, place: u32) -> u32 {
        let set = (!(self.word >> place)).trailing_zeros().min(64 - place);
        // A cut at the run's own first row is no end of it.
        let uncut = 1 + (self.cuts >> place >> 1).trailing_zeros();
        let len = set.min(uncut);
        self.word &= u64::MAX.checked_shl(place + len).unwrap_or(0);
        len
    }
}

impl<'a, C: 'static, Q: QueryData<C>> Iterator for Runs<'_, 'a, C, Q> {
    type Item = Q::Slice<'a>;

    #[inline]
    fn next(&mut self) -> Option<Q::Slice<'a>> {
        while self.word == 0 {
            self.advance()?;
        }
        let (first, place) = (self.block?, self.word.trailing_zeros());
        let mut len = self.take(place) as usize;
        if place as usize + len == ROWS {
            let start = self.next;
            let last = self.pass_whole(first);
            len += (self.next - start) * ROWS;
            if let Some(block) = self.advance()
                && self.word & 1 != 0
                && Q::joins(last, block)
            {
                len += self.take(0) as usize;
            }
        }
        // SAFETY: the bits of all these rows were set (4) and have been cleared now, so
        // each row is in one run (3); none after the first was cut off, and each block
        // after the first joins the one before (5); the rest is the promise that was made
        // when `self` was.
        Some(unsafe { Q::slice(first, place as usize, len) })
    }
}
