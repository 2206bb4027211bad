//! Which blocks of a column have memory: a bit for each, and a summary of one bit for each word
//! that has any. So whoever looks for the few values of a sparse column passes the other blocks
//! by 64 at a time, and 4096 where there are none at all.
//!
//! ```text
//! summary   1            0            1        …    one bit a word
//! words     0b…0110      0            0b…1000  …    one bit a block
//! ```

use alloc::vec::Vec;

use super::slab::OutOfMemory;
use crate::words::heap_size::heap_size;

/// A set of blocks by their position.
#[derive(Default)]
pub(crate) struct BlockSet {
    words: Vec<u64>,
    summary: Vec<u64>,
}

impl BlockSet {
    /// Puts a block in.
    #[inline]
    pub(super) fn insert(&mut self, at: usize) {
        match self.words.get_mut(at / 64) {
            Some(bits) if *bits != 0 => *bits |= 1 << (at % 64),
            _ => self.insert_first(at),
        }
    }

    /// Puts the first block of a word in.
    #[inline(never)]
    fn insert_first(&mut self, at: usize) {
        let word = at / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
            self.summary.resize(word / 64 + 1, 0);
        }
        self.words[word] |= 1 << (at % 64);
        self.summary[word / 64] |= 1 << (word % 64);
    }

    /// Makes room for the first `blocks` blocks.
    pub(super) fn try_reserve(&mut self, blocks: usize) -> Result<(), OutOfMemory> {
        let words = blocks.div_ceil(64);
        let (more, summary) = (words.saturating_sub(self.words.len()), words.div_ceil(64));
        let more_summary = summary.saturating_sub(self.summary.len());
        let reserved = self.words.try_reserve(more);
        let reserved = reserved.and_then(|()| self.summary.try_reserve(more_summary));
        reserved.map_err(|_| OutOfMemory)
    }

    /// How many words of blocks, and of the summary, there is room for.
    pub(super) fn capacity(&self) -> [usize; 2] {
        [self.words.capacity(), self.summary.capacity()]
    }

    /// Gives up room beyond these words.
    pub(super) fn shrink_to(&mut self, [words, summary]: [usize; 2]) {
        self.words.shrink_to(words);
        self.summary.shrink_to(summary);
    }

    /// Takes a block out.
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

    /// A word of the blocks, as bits.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> u64 {
        self.words.get(at).copied().unwrap_or(0)
    }

    /// A word of the summary: which of 64 words have any block.
    #[inline]
    pub(crate) fn summary(&self, at: usize) -> u64 {
        self.summary.get(at).copied().unwrap_or(0)
    }

    /// Gives up the room beyond the last block.
    pub(super) fn trim(&mut self) {
        let end = self.words.iter().rposition(|&word| word != 0);
        self.words.truncate(end.map_or(0, |last| last + 1));
        self.words.shrink_to_fit();
        self.summary.truncate(self.words.len().div_ceil(64));
        self.summary.shrink_to_fit();
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        heap_size(&self.words) + heap_size(&self.summary)
    }

    /// Panics if it is another set than that of the blocks that have memory, by their position.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self, has_memory: impl Fn(usize) -> bool, blocks: usize) {
        for at in 0..blocks.max(self.words.len() * 64) {
            let is_in = self.word(at / 64) >> (at % 64) & 1 != 0;
            assert_eq!(is_in, has_memory(at), "block set: block {at}");
        }
        for at in 0..self.words.len() {
            let is_noted = self.summary(at / 64) >> (at % 64) & 1 != 0;
            let is_there = self.words[at] != 0;
            assert_eq!(is_noted, is_there, "block set: the summary of word {at}");
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_block_set_is_a_set() {
        let (mut set, mut model) = (BlockSet::default(), BTreeSet::new());
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
            }
        }
        (70..9_000).for_each(|at| set.remove(at));
        set.trim();
        assert_eq!(set.bytes(), 3 * size_of::<u64>());
        (0..70).for_each(|at| set.remove(at));
        set.trim();
        assert_eq!(set.bytes(), 0);
    }
}
