//! Rows that change together, as words of bits; used by bulk changes for groups and columns.

use alloc::vec::Vec;

use crate::storage::slots::Row;
use crate::words::limits::{ALL_ROWS, ROWS};

/// The position of a word, and its rows as bits.
pub(crate) type RowWord = (usize, u64);

/// Rows as words of bits, in the order in which they were added. A word holds only rows added
/// consecutively in ascending order, so iterating the bits of each word gives the original order.
#[derive(Default)]
pub(crate) struct RowWords {
    words: Vec<RowWord>,
}

impl RowWords {
    /// Returns an adder of rows. Rows can join the last word only if its position in the list is at
    /// least `first`.
    #[inline]
    pub(crate) fn go_on(&mut self, first: usize) -> Adding<'_> {
        let last = if self.words.len() > first {
            self.words.pop()
        } else {
            None
        };
        let word = last.unwrap_or((0, 0));
        Adding { words: self, word }
    }

    #[inline]
    pub(crate) fn push(&mut self, row: Row) {
        self.go_on(0).push(row);
    }

    /// Returns the number of words. Rows added with this as `first` get new words.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn as_slice(&self) -> &[RowWord] {
        &self.words
    }

    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }
}

/// An adder of rows, which holds the current word. See [`RowWords::go_on`].
pub(crate) struct Adding<'a> {
    words: &'a mut RowWords,
    word: RowWord,
}

impl Adding<'_> {
    #[inline]
    pub(crate) fn push(&mut self, row: Row) {
        let (at, place) = (row.get() / ROWS, row.get() % ROWS);
        self.open(at, place);
        self.word.1 |= 1 << place;
    }

    /// Adds `count` rows starting at `start`.
    #[inline]
    pub(crate) fn push_run(&mut self, start: Row, count: usize) {
        if count == 1 {
            self.push(start);
        } else {
            self.push_many(start, count);
        }
    }

    #[inline(never)]
    fn push_many(&mut self, start: Row, count: usize) {
        let (mut row, end) = (start.get(), start.get() + count);
        while row < end {
            let (at, place) = (row / ROWS, row % ROWS);
            let len = (ROWS - place).min(end - row);
            self.open(at, place);
            self.word.1 |= ALL_ROWS >> (ROWS - len) << place;
            row += len;
        }
    }

    /// Ensures that a row can be added to the current word.
    #[inline]
    fn open(&mut self, at: usize, place: usize) {
        if at != self.word.0 || self.word.1 >> place != 0 {
            self.finish();
            self.word = (at, 0);
        }
    }

    #[inline]
    fn finish(&mut self) {
        if self.word.1 != 0 {
            self.words.words.push(self.word);
        }
    }
}

impl Drop for Adding<'_> {
    #[inline]
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(add: impl FnOnce(&mut Adding<'_>)) -> RowWords {
        let mut words = RowWords::default();
        add(&mut words.go_on(0));
        words
    }

    #[test]
    fn rows_added_singly_and_in_runs_are_equal() {
        let run = words(|rows| rows.push_run(Row(60), 140));
        let runs = words(|rows| {
            [(60, 1), (61, 69), (130, 70)]
                .iter()
                .for_each(|&(start, count)| rows.push_run(Row(start), count))
        });
        let each = words(|rows| (60..200).for_each(|row| rows.push(Row(row))));
        let mut one = RowWords::default();
        (60..200).for_each(|row| one.push(Row(row)));
        assert_eq!(
            one.as_slice(),
            [(0, 0xf << 60), (1, u64::MAX), (2, u64::MAX), (3, 0xff)]
        );
        for other in [run, runs, each] {
            assert_eq!(other.as_slice(), one.as_slice());
        }
    }

    #[test]
    fn the_rows_of_a_word_were_added_in_ascending_order() {
        let order = [3, 5, 70, 71, 4, 9, 2, 2];
        let words = words(|rows| order.iter().for_each(|&row| rows.push(Row(row))));
        assert_eq!(
            words.as_slice(),
            [(0, 0x28), (1, 0xc0), (0, 0x210), (0, 4), (0, 4)]
        );
    }

    #[test]
    fn rows_never_join_words_before_the_first() {
        let mut words = RowWords::default();
        words.go_on(0).push(Row(1));
        words.go_on(1).push_run(Row(2), 2);
        assert_eq!((words.len(), words.as_slice()), (2, &[(0, 2), (0, 12)][..]));
    }
}
