//! The members of a group: a set of rows as bits, with a summary of one bit for
//! each word that has any, and a count.
//!
//! ```text
//! summary   1            0            1        …    one bit a word
//! words     0b…0110      0            0b…1000  …    one bit a row
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use crate::storage::row_words::RowWord;
use crate::storage::slots::Row;
use crate::words::heap_size::heap_size;
use crate::words::limits::{ALL_ROWS, ROWS};
use crate::words::signature::Bits;

/// Which way a row is flipped, as what it adds to the number of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i8)]
pub(crate) enum Flip {
    In = 1,
    Out = -1,
}

/// A set of rows.
#[derive(Clone, Default)]
pub(crate) struct RowSet {
    words: Vec<u64>,
    summary: Vec<u64>,
    len: usize,
}

impl RowSet {
    /// Puts a row in that is not in, or takes one out that is.
    #[inline]
    pub(crate) fn flip(&mut self, row: Row) {
        let (at, bit) = (row.get() / ROWS, 1 << (row.get() % ROWS));
        let Some(word) = self.words.get_mut(at) else {
            return self.grow_and_flip(row);
        };
        let before = *word;
        *word ^= bit;
        if before == 0 || before == bit {
            self.summary[at / 64] ^= 1 << (at % 64);
        }
        self.len = if before & bit == 0 {
            self.len + 1
        } else {
            self.len - 1
        };
    }

    /// Puts a row in or takes it out, as it is known to be needed, if there is room for it;
    /// returns whether there is.
    ///
    /// A word becomes empty, or is so no longer, if no other bit was set in it.
    #[inline]
    pub(crate) fn flip_known(&mut self, row: Row, way: Flip) -> bool {
        let (at, bit) = (row.get() / ROWS, 1 << (row.get() % ROWS));
        let Some(word) = self.words.get_mut(at) else {
            return false;
        };
        let before = *word;
        debug_assert_eq!(before & bit == 0, way == Flip::In);
        *word = before ^ bit;
        self.len = self.len.wrapping_add_signed(way as isize);
        if before & !bit == 0 {
            self.summary[at / 64] ^= 1 << (at % 64);
        }
        true
    }

    /// Puts a row in or takes it out, as it is known to be needed, if there are other rows in
    /// its word; returns whether there are.
    #[inline]
    pub(crate) fn flip_beside(&mut self, row: Row, way: Flip) -> bool {
        let (at, bit) = (row.get() / ROWS, 1 << (row.get() % ROWS));
        let Some(word) = self.words.get_mut(at) else {
            return false;
        };
        if *word & !bit == 0 {
            return false;
        }
        debug_assert_eq!(*word & bit == 0, way == Flip::In);
        *word ^= bit;
        self.len = self.len.wrapping_add_signed(way as isize);
        true
    }

    /// Flips many rows at once, given as words of bits with their positions.
    pub(crate) fn flip_words(&mut self, words: &[RowWord]) {
        for &(at, bits) in words {
            if at >= self.words.len() {
                self.grow(at);
            }
            let before = self.words[at];
            let after = before ^ bits;
            self.words[at] = after;
            if (before == 0) != (after == 0) {
                self.summary[at / 64] ^= 1 << (at % 64);
            }
            self.len += after.count_ones() as usize;
            self.len -= before.count_ones() as usize;
        }
    }

    /// Takes all rows out.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.summary.clear();
        self.len = 0;
    }

    /// Puts rows in, none of which is in.
    pub(crate) fn insert_all(&mut self, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        let last = (rows.end - 1) / ROWS;
        if last >= self.words.len() {
            self.grow(last);
        }
        for at in rows.start / ROWS..=last {
            let from = rows.start.saturating_sub(at * ROWS);
            let beyond = ROWS - (rows.end - at * ROWS).min(ROWS);
            let bits = (u64::MAX << from) & (ALL_ROWS >> beyond);
            debug_assert!(self.words[at] & bits == 0);
            self.words[at] |= bits;
            self.summary[at / 64] |= 1 << (at % 64);
        }
        self.len += rows.len();
    }

    /// Gives up the room beyond the last row that is in.
    pub(crate) fn trim(&mut self) {
        let end = self.words.iter().rposition(|&word| word != 0);
        self.words.truncate(end.map_or(0, |last| last + 1));
        self.words.shrink_to_fit();
        self.summary.truncate(self.words.len().div_ceil(64));
        self.summary.shrink_to_fit();
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        heap_size(&self.words) + heap_size(&self.summary)
    }

    fn grow(&mut self, at: usize) {
        self.words.resize((at + 1).next_power_of_two(), 0);
        self.summary.resize(self.words.len().div_ceil(64), 0);
    }

    /// Makes room for a row.
    pub(crate) fn make_room(&mut self, row: Row) {
        if row.get() / ROWS >= self.words.len() {
            self.grow(row.get() / ROWS);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_and_flip(&mut self, row: Row) {
        self.grow(row.get() / ROWS);
        self.flip(row);
    }

    /// Whether the row is in.
    #[inline]
    pub(crate) fn contains(&self, row: Row) -> bool {
        self.words
            .get(row.get() / ROWS)
            .is_some_and(|word| word >> (row.get() % ROWS) & 1 != 0)
    }

    /// How many rows are in.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The rows as bits, 64 to a word.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Panics if the summary and the count are not those of the rows.
    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn check_invariants(&self) {
        let count: usize = self.words.iter().map(|it| it.count_ones() as usize).sum();
        assert_eq!(self.len, count, "row set: how many rows there are");
        let covered = self.words.len().div_ceil(64);
        assert_eq!(self.summary.len(), covered, "row set: the summary's length");
        for at in 0..covered * 64 {
            let is_noted = self.summary[at / 64] >> (at % 64) & 1 != 0;
            let is_there = self.words.get(at).is_some_and(|&word| word != 0);
            assert_eq!(is_noted, is_there, "row set: the summary of word {at}");
        }
    }

    /// The rows in ascending order.
    #[inline]
    pub(crate) fn iter(&self) -> Rows<'_> {
        let first = self.summary.first().map_or(Bits(0), |&word| Bits(word));
        Rows {
            set: self,
            summary_at: 0,
            summary: first,
            word_at: 0,
            word: Bits(0),
            left: self.len,
        }
    }
}

/// The rows of a set, ascending.
#[derive(Clone)]
pub(crate) struct Rows<'a> {
    set: &'a RowSet,
    summary_at: usize,
    summary: Bits,
    word_at: usize,
    word: Bits,
    left: usize,
}

impl Iterator for Rows<'_> {
    type Item = Row;

    #[inline]
    fn next(&mut self) -> Option<Row> {
        loop {
            if let Some(bit) = self.word.next() {
                self.left -= 1;
                return Some(Row((self.word_at * ROWS) as u32 + bit));
            }
            while self.summary.0 == 0 {
                self.summary_at += 1;
                self.summary = Bits(*self.set.summary.get(self.summary_at)?);
            }
            let bit = self.summary.next()?;
            self.word_at = self.summary_at * 64 + bit as usize;
            self.word = Bits(self.set.words[self.word_at]);
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Rows<'_> {}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::storage::row_words::RowWords;

    #[test]
    fn a_row_set_is_a_set() {
        let (mut set, mut model) = (RowSet::default(), BTreeSet::new());
        let mut state = 7u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let row = (state >> 8) % 9_000;
            if !model.remove(&row) {
                model.insert(row);
            }
            set.flip(Row(row));
            assert_eq!(set.contains(Row(row)), model.contains(&row));
        }
        assert_eq!(set.len(), model.len());
        assert_eq!(set.iter().len(), model.len());
        assert!(set.iter().map(|row| row.0).eq(model.iter().copied()));
    }

    #[test]
    fn flipping_words_is_flipping_their_rows() {
        let (mut by_words, mut by_rows) = (RowSet::default(), RowSet::default());
        let mut words = RowWords::default();
        for row in [3, 4, 70, 5, 9_000, 9_001, 3, 64] {
            words.push(Row(row));
            by_rows.flip(Row(row));
        }
        by_words.flip_words(words.as_slice());
        assert_eq!(by_words.len(), 6);
        assert!(by_words.iter().eq(by_rows.iter()));
    }

    #[test]
    fn a_new_set_is_empty() {
        let set = RowSet::default();
        assert!(!set.contains(Row(0)));
        assert_eq!(set.iter().next(), None);
    }
    #[test]
    fn rows_that_are_left_are_counted() {
        let mut set = RowSet::default();
        [3, 70, 9_000].iter().for_each(|&row| set.flip(Row(row)));
        let mut rows = set.iter();
        for left in [2, 1, 0] {
            rows.next();
            assert_eq!(rows.len(), left);
        }
    }

    #[test]
    fn there_is_memory_up_to_the_last_row_and_none_for_an_empty_set() {
        let mut set = RowSet::default();
        [3, 90_000].iter().for_each(|&row| set.flip(Row(row)));
        let words = set.words.capacity() * 8 + set.summary.capacity() * 8;
        assert_eq!(set.bytes(), words);
        set.flip(Row(90_000));
        set.trim();
        assert_eq!(set.bytes(), 2 * 8);
        assert!(set.contains(Row(3)) && !set.contains(Row(90_000)));
        set.flip(Row(3));
        set.trim();
        assert_eq!(set.bytes(), 0);
    }
}
