//! The members of a group, computed from the occupancy bits of the columns and not stored.
//!
//! ```text
//! all-of    0b…1101_1111    AND of the rows that have the components
//! any-of    0b…0111_0110    AND; of each set, the OR of its components
//! none-of   0b…0000_0100    AND NOT
//! members   0b…0101_0010    64 rows at a time
//! ```
//!
//! Blocks in which a component has no memory are skipped
//! ([`BitSet`]), so the cost depends on the rarest component.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::borrow::Borrow;

use crate::matching::matcher::Condition;
use crate::storage::bit_set::BitSet;
use crate::storage::column::Column;
use crate::storage::heap::heap;
use crate::storage::row_words::RowWord;
use crate::storage::slots::{Row, Slots};
use crate::words::component::RawComponentIndex;
use crate::words::limits::{ALL_ROWS, ROWS};
use crate::words::signature::Bits;

#[derive(Clone)]
pub(crate) struct Terms {
    /// Required components with mask 0, and excluded ones with all ones: the bits are XORed with
    /// it.
    each: Box<[(RawComponentIndex, u64)]>,
    any: Box<[Box<[RawComponentIndex]>]>,
    /// The rows, by block, that have the flags of terms, which are evaluated because the context does
    /// not keep them; XORed with the mask.
    evaluated: Box<[(Box<[u64]>, u64)]>,
    /// Whether no component is required, so the slots must tell which rows are alive.
    is_open: bool,
}

heap!(Terms: each, any, evaluated; each any);

impl Terms {
    pub(super) fn of(condition: &Condition) -> Self {
        let all = condition.all().iter().map(|component| (component, 0));
        let none = condition.none().iter();
        let none = none.map(|component| (component, u64::MAX));
        let any = condition.any().iter();
        Self {
            each: all.chain(none).collect(),
            any: any.map(|any| any.iter().collect()).collect(),
            evaluated: Box::default(),
            is_open: condition.all().is_empty() && condition.any().is_empty(),
        }
    }
}

/// The rows that match a condition. `T` is the terms, owned or borrowed from a group.
#[derive(Clone, Copy)]
pub(crate) struct Members<'a, T = &'a Terms> {
    terms: T,
    columns: &'a [Column],
    slots: &'a Slots,
}

impl<'a> Members<'a, Terms> {
    /// The rows of a condition without a group.
    pub(crate) fn of(condition: &Condition, columns: &'a [Column], slots: &'a Slots) -> Self {
        Self::new(Terms::of(condition), columns, slots)
    }

    /// Replaces flags that the context does not keep by the rows that have them, a word per block.
    pub(crate) fn with_evaluated(mut self, flags: Vec<(RawComponentIndex, Box<[u64]>)>) -> Self {
        let mut evaluated = Vec::with_capacity(flags.len());
        for (flag, rows) in flags {
            let term = self
                .terms
                .each
                .iter()
                .find(|(component, _)| *component == flag);
            evaluated.extend(term.map(|(_, flip)| (rows, *flip)));
            let is_other = |(component, _): &(RawComponentIndex, u64)| *component != flag;
            self.terms.each = self.terms.each.iter().copied().filter(is_other).collect();
        }
        self.terms.is_open |=
            self.terms.any.is_empty() && self.terms.each.iter().all(|it| it.1 != 0);
        self.terms.evaluated = evaluated.into_boxed_slice();
        self
    }

    /// The same, if the caller already knows which rows have entities.
    pub(crate) fn of_alive_rows(mut self) -> Self {
        self.terms.is_open = false;
        self
    }
}

impl<'a, T: Borrow<Terms>> Members<'a, T> {
    pub(super) fn new(terms: T, columns: &'a [Column], slots: &'a Slots) -> Self {
        Self {
            terms,
            columns,
            slots,
        }
    }

    /// An upper bound: no row of this block or of later ones matches.
    pub(crate) fn end(&self) -> usize {
        let terms = self.terms.borrow().each.iter();
        let all = terms.filter(|(_, flip)| *flip == 0);
        let lens = all.map(|&(component, _)| {
            let column = self.columns.get(component.get());
            column.map_or(0, |column| column.blocks().len())
        });
        lens.fold(self.slots.rows().div_ceil(ROWS), usize::min)
    }

    /// The first block at or after `at` that may have matching rows.
    pub(crate) fn next(&self, at: usize) -> usize {
        let terms = self.terms.borrow().each.iter();
        let mut all = terms.filter(|(_, flip)| *flip == 0);
        all.try_fold(at, |at, (component, _)| {
            let column = self.columns.get(component.get())?;
            Some(column.with_memory().next(at))
        })
        .unwrap_or(usize::MAX)
    }

    /// The rows of a block that match, as bits.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> u64 {
        let terms = self.terms.borrow();
        let mut rows = match terms.is_open {
            true => self.slots.alive(at),
            false => ALL_ROWS,
        };
        for &(component, flip) in &terms.each {
            rows &= self.occupied(component, at) ^ flip;
        }
        for (evaluated, flip) in &terms.evaluated {
            rows &= evaluated.get(at).copied().unwrap_or(0) ^ flip;
        }
        for any in &terms.any {
            let words = any.iter().map(|one| self.occupied(*one, at));
            rows &= words.fold(0, |some, word| some | word);
        }
        rows
    }

    #[inline]
    fn occupied(&self, component: RawComponentIndex, at: usize) -> u64 {
        let column = self.columns.get(component.get());
        column.map_or(0, |column| column.occupied(at))
    }
}

impl<'a> Members<'a> {
    /// The blocks, or words of blocks, that may have matching rows. `of` reads a word of the set of
    /// blocks with memory.
    fn blocks(&self, of: impl Fn(&BitSet) -> u64) -> u64 {
        let of = |component: RawComponentIndex| {
            let column = self.columns.get(component.get());
            column.map_or(0, |column| of(column.with_memory()))
        };
        let mut blocks = u64::MAX;
        for &(component, flip) in &self.terms.each {
            blocks &= of(component) | flip;
        }
        for any in &self.terms.any {
            blocks &= any.iter().fold(0, |some, one| some | of(*one));
        }
        blocks
    }

    /// The number of entities that match.
    pub(crate) fn len(&self) -> usize {
        let (mut words, mut len) = (self.words(), 0);
        while words.advance() {
            len += self.count(words.word, Bits(words.blocks.0));
        }
        len
    }

    /// The number of matches in some blocks of a word. With many blocks it visits all 64, column by
    /// column, which takes a third of the time per block.
    fn count(&self, word: usize, blocks: Bits) -> usize {
        const MANY: u32 = 16;
        let Terms {
            each,
            any,
            is_open,
            evaluated,
        } = self.terms;
        if *is_open || !any.is_empty() || !evaluated.is_empty() || blocks.0.count_ones() < MANY {
            let rows = blocks.map(|block| self.word(word * 64 + block as usize));
            return rows.map(|rows| rows.count_ones() as usize).sum();
        }
        let mut matching = [ALL_ROWS; 64];
        for &(component, flip) in each {
            let mut left = matching.iter_mut();
            if let Some(column) = self.columns.get(component.get()) {
                for (occupied, rows) in column.occupied_words(word).zip(&mut left) {
                    *rows &= occupied ^ flip;
                }
            }
            left.for_each(|rows| *rows &= flip);
        }
        matching.iter().map(|rows| rows.count_ones() as usize).sum()
    }

    /// The blocks with matching rows, ascending, and these rows as bits.
    pub(crate) fn words(self) -> Words<'a> {
        Words {
            members: self,
            next: 0,
            words: Bits(0),
            word: 0,
            blocks: Bits(0),
        }
    }

    /// The rows, ascending.
    #[inline]
    pub(crate) fn iter(self) -> Rows<'a> {
        Rows {
            words: self.words(),
            at: 0,
            rows: Bits(0),
        }
    }
}

/// The blocks with matching rows. Returned by [`Members::words`].
#[derive(Clone)]
pub(crate) struct Words<'a> {
    members: Members<'a>,
    /// The word of the summaries to read next.
    next: usize,
    /// The remaining words of blocks of the previous one.
    words: Bits,
    /// The current word of blocks.
    word: usize,
    /// The remaining blocks of that word.
    blocks: Bits,
}

impl Words<'_> {
    /// Moves to the next word of blocks that may have rows; returns whether there is one.
    fn advance(&mut self) -> bool {
        while self.words.0 == 0 {
            if !self.advance_summary() {
                return false;
            }
        }
        if let Some(word) = self.words.next() {
            self.word = (self.next - 1) * 64 + word as usize;
            self.blocks = Bits(self.members.blocks(|set| set.word(self.word)));
        }
        true
    }

    /// Moves to the next summary; returns whether there is one.
    fn advance_summary(&mut self) -> bool {
        let Self { members, next, .. } = *self;
        let blocks = members.slots.rows().div_ceil(ROWS);
        if next * 64 * 64 >= blocks {
            return false;
        }
        let first = |all: usize, at: usize| u64::MAX >> 64_usize.saturating_sub(all - at * 64);
        self.next += 1;
        self.words = Bits(match members.terms.is_open {
            true => first(blocks.div_ceil(64), next),
            false => members.blocks(|set| set.summary(next)),
        });
        true
    }
}

impl Iterator for Words<'_> {
    type Item = RowWord;

    fn next(&mut self) -> Option<RowWord> {
        loop {
            for block in self.blocks.by_ref() {
                let at = self.word * 64 + block as usize;
                let rows = self.members.word(at);
                if rows != 0 {
                    return Some((at, rows));
                }
            }
            if !self.advance() {
                return None;
            }
        }
    }
}

/// The matching rows, ascending. Returned by [`Members::iter`].
#[derive(Clone)]
pub(crate) struct Rows<'a> {
    words: Words<'a>,
    at: usize,
    rows: Bits,
}

impl Iterator for Rows<'_> {
    type Item = Row;

    #[inline]
    fn next(&mut self) -> Option<Row> {
        if self.rows.0 == 0 {
            let (at, rows) = self.words.next()?;
            (self.at, self.rows) = (at, Bits(rows));
        }
        let place = self.rows.next()?;
        Some(Row((self.at * ROWS) as u32 + place))
    }

    /// Counts the remaining rows.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let words = self.words.clone().map(|(_, rows)| rows);
        let words = words.chain([self.rows.0]);
        let left = words.map(|rows| rows.count_ones() as usize).sum();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Rows<'_> {}
