//! A set of rows or blocks: one bit per member, and a summary with one bit per non-empty word. So
//! sparse members are found 64 at a time, and 4096 empty positions are skipped at once.
//!
//! ```text
//! summary   1            0            1        …    one bit per word
//! words     0b…0110      0            0b…1000  …    one bit per member
//! ```

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::mem;

use crate::storage::heap::{Heap, bytes_of, trim_end};
use crate::words::signature::Bits;

/// A set of numbers.
#[derive(Default)]
pub(crate) struct BitSet {
    words: Vec<u64>,
    summary: Vec<u64>,
}

impl Heap for BitSet {
    bytes_of!(words, summary);

    fn trim(&mut self) {
        trim_end(&mut self.words, |&word| word != 0);
        self.summary.truncate(self.words.len().div_ceil(64));
        self.summary.trim();
    }
}

impl BitSet {
    pub(crate) const fn new() -> Self {
        Self {
            words: Vec::new(),
            summary: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn insert(&mut self, at: usize) {
        match self.words.get_mut(at / 64) {
            Some(bits) if *bits != 0 => *bits |= 1 << (at % 64),
            _ => self.insert_first(at),
        }
    }

    /// Adds the first member of a word.
    #[inline(never)]
    fn insert_first(&mut self, at: usize) {
        self.insert_word(at / 64, 1 << (at % 64));
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, words: usize) {
        self.words.resize(words, 0);
        self.summary.resize(words.div_ceil(64), 0);
    }

    /// Adds the members of a word. Returns the bits of those that are new.
    #[inline]
    pub(crate) fn insert_word(&mut self, word: usize, bits: u64) -> u64 {
        if bits == 0 {
            return 0;
        }
        if word >= self.words.len() {
            self.grow(word + 1);
        }
        let known = &mut self.words[word];
        let fresh = bits & !*known;
        *known |= bits;
        self.summary[word / 64] |= 1 << (word % 64);
        fresh
    }

    /// Reserves capacity for members below `members`.
    pub(super) fn try_reserve(&mut self, members: usize) -> Result<(), TryReserveError> {
        let words = members.div_ceil(64);
        let (more, summary) = (words.saturating_sub(self.words.len()), words.div_ceil(64));
        let more_summary = summary.saturating_sub(self.summary.len());
        self.words.try_reserve(more)?;
        self.summary.try_reserve(more_summary)
    }

    /// Returns the capacity of the words and of the summary.
    pub(super) fn capacity(&self) -> [usize; 2] {
        [self.words.capacity(), self.summary.capacity()]
    }

    /// Shrinks the capacities of the words and of the summary.
    pub(super) fn shrink_to(&mut self, [words, summary]: [usize; 2]) {
        self.words.shrink_to(words);
        self.summary.shrink_to(summary);
    }

    #[inline]
    pub(super) fn remove(&mut self, at: usize) {
        let word = at / 64;
        let Some(bits) = self.words.get_mut(word) else {
            return;
        };
        *bits &= !(1 << (at % 64));
        if *bits == 0 {
            self.summary[word / 64] &= !(1 << (word % 64));
        }
    }

    /// Keeps the members whose bits are set in the word returned by `keep`.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize) -> u64) {
        for (nth, summary) in self.summary.iter_mut().enumerate() {
            for place in Bits(*summary) {
                let at = nth * 64 + place as usize;
                self.words[at] &= keep(at);
                if self.words[at] == 0 {
                    *summary &= !(1 << place);
                }
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        for (words, summary) in self.words.chunks_mut(64).zip(&mut self.summary) {
            if mem::take(summary) != 0 {
                words.fill(0);
            }
        }
    }

    /// Returns the first non-empty word at or after `from`, or the number of words if there is
    /// none.
    pub(crate) fn next_word(&self, from: usize) -> usize {
        let (first, mut unseen) = (from / 64, u64::MAX << (from % 64));
        for (nth, summary) in self.summary.iter().enumerate().skip(first) {
            if summary & unseen != 0 {
                return nth * 64 + (summary & unseen).trailing_zeros() as usize;
            }
            unseen = u64::MAX;
        }
        self.len()
    }

    /// Returns the first member at or after `from`, or a number beyond the words if there is none.
    pub(crate) fn next(&self, from: usize) -> usize {
        let rest = self.word(from / 64) & u64::MAX << (from % 64);
        if rest != 0 {
            return from / 64 * 64 + rest.trailing_zeros() as usize;
        }
        let word = self.next_word(from / 64 + 1);
        word * 64 + self.word(word).trailing_zeros() as usize
    }

    /// Returns the number of words. No member is beyond them.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    #[inline]
    pub(crate) fn word(&self, at: usize) -> u64 {
        self.words.get(at).copied().unwrap_or(0)
    }

    /// Returns a word of the summary: which of 64 words are not empty.
    #[inline]
    pub(crate) fn summary(&self, at: usize) -> u64 {
        self.summary.get(at).copied().unwrap_or(0)
    }

    /// Panics unless the set contains exactly the numbers below `end` accepted by `is_expected`.
    #[cfg(any(test, feature = "__checks"))]
    pub(crate) fn check_invariants(&self, is_expected: impl Fn(usize) -> bool, end: usize) {
        for at in 0..end.max(self.words.len() * 64) {
            let is_in = self.word(at / 64) >> (at % 64) & 1 != 0;
            assert_eq!(is_in, is_expected(at), "bit set: number {at}");
        }
        for at in 0..self.words.len() {
            let is_recorded = self.summary(at / 64) >> (at % 64) & 1 != 0;
            let is_there = self.words[at] != 0;
            assert_eq!(is_recorded, is_there, "bit set: the summary of word {at}");
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_bit_set_is_a_set() {
        let (mut set, mut model) = (BitSet::default(), BTreeSet::new());
        let mut state = 7u32;
        for step in 0..5_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (state >> 8) as usize % 9_000;
            if model.remove(&at) {
                set.remove(at);
            } else {
                model.insert(at);
                set.insert(at);
            }
            if step % 500 == 0 {
                set.check_invariants(|at| model.contains(&at), 9_000);
                let (from, len) = (step % 9_000 / 64, set.len());
                let next = model.range(from * 64..).next().map_or(len, |at| at / 64);
                assert_eq!(set.next_word(from), next);
                let next = model.range(step..).next();
                let found = Some(set.next(step)).filter(|at| *at < len * 64);
                assert_eq!(found, next.copied());
            }
        }
        model.retain(|at| at % 64 < 9);
        set.retain(|_| 0x1ff);
        let fresh = [136, 137].map(|at| u64::from(model.insert(at)) << (at % 64));
        assert_eq!(set.insert_word(2, 0x300), fresh[0] | fresh[1]);
        set.check_invariants(|at| model.contains(&at), 9_000);
        (70..9_000).for_each(|at| set.remove(at));
        set.trim();
        assert_eq!(set.bytes(), 3 * size_of::<u64>());
        (0..70).for_each(|at| set.remove(at));
        set.trim();
        assert_eq!(set.bytes(), 0);
    }
}
