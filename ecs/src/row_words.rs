//! Rows that are changed together, as words of bits: how bulk changes hand rows to
//! groups and columns.

use alloc::vec::Vec;

use crate::slots::Row;

/// Rows of one word as bits, after the position of the word.
pub(crate) type RowWord = (usize, u64);

/// Rows as words of bits: neighbours in a word that come one after the other are one.
#[derive(Default)]
pub(crate) struct RowWords {
    words: Vec<RowWord>,
}

impl RowWords {
    /// Adds a row; one that is added again goes away.
    #[inline]
    pub(crate) fn push(&mut self, row: Row) {
        let (at, bit) = (row.get() / 64, 1 << (row.get() % 64));
        match self.words.last_mut() {
            Some((last, bits)) if *last == at => *bits ^= bit,
            _ => self.words.push((at, bit)),
        }
    }

    /// Starts words of their own for the rows that follow, after one that no row falls
    /// into. Gives the place of the first.
    pub(crate) fn cut(&mut self) -> usize {
        self.words.push((usize::MAX, 0));
        self.words.len()
    }

    /// A way to add many rows that keeps the word under way at hand.
    #[inline]
    pub(crate) fn adding(&mut self) -> Adding<'_> {
        let word = (usize::MAX, 0);
        Adding { words: self, word }
    }

    /// The words, those of cuts included.
    pub(crate) fn as_slice(&self) -> &[RowWord] {
        &self.words
    }

    /// Adds `count` rows from `start` on, all behind those added before.
    pub(crate) fn push_run(&mut self, start: Row, count: usize) {
        let (mut row, end) = (start.get(), start.get() + count);
        while row < end {
            let (at, from) = (row / 64, row % 64);
            let len = (64 - from).min(end - row);
            self.words.push((at, u64::MAX >> (64 - len) << from));
            row += len;
        }
    }

    /// Forgets all rows.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }
}

/// Rows that are being added. See [`RowWords::adding`].
pub(crate) struct Adding<'a> {
    words: &'a mut RowWords,
    word: RowWord,
}

impl Adding<'_> {
    /// Adds a row; one that is added again goes away.
    #[inline]
    pub(crate) fn push(&mut self, row: Row) {
        let (at, bit) = (row.get() / 64, 1 << (row.get() % 64));
        if at == self.word.0 {
            self.word.1 ^= bit;
        } else {
            self.finish();
            self.word = (at, bit);
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

    #[test]
    fn rows_are_the_same_however_they_are_added() {
        let (mut one, mut run, mut adding) = (
            RowWords::default(),
            RowWords::default(),
            RowWords::default(),
        );
        run.push_run(Row(60), 140);
        let mut add = adding.adding();
        for row in 60..200 {
            one.push(Row(row));
            add.push(Row(row));
        }
        drop(add);
        assert_eq!(
            one.as_slice(),
            [(0, 0xf << 60), (1, u64::MAX), (2, u64::MAX), (3, 0xff)]
        );
        assert_eq!(
            (run.as_slice(), adding.as_slice()),
            (one.as_slice(), one.as_slice())
        );
    }

    #[test]
    fn rows_on_both_sides_of_a_cut_share_no_word() {
        let mut words = RowWords::default();
        words.push(Row(1));
        let place = words.cut();
        words.push(Row(1));
        assert_eq!(
            (&words.as_slice()[..1], &words.as_slice()[place..]),
            (&[(0, 2)][..], &[(0, 2)][..])
        );
    }
}
