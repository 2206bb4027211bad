//! The blocks of a column as queries see them: which rows have a value, and where the
//! values are, as bits and raw pointers. What may be done with a pointer is for the
//! query to know.

#![expect(
    unsafe_code,
    reason = "looks blocks up without checks, from any thread"
)]

use super::block::{Block, Column};
use crate::storage::bit_set::BitSet;

/// The blocks of a column, for looking through them one after the other.
#[derive(Clone, Copy)]
pub struct Blocks<'a> {
    blocks: &'a [Block],
}

impl<'a> Blocks<'a> {
    /// No blocks at all.
    pub(crate) const NONE: Self = Self { blocks: &[] };

    /// How many blocks there are.
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Which rows of a block have a value, as bits.
    #[inline]
    pub(crate) fn occupied(&self, at: usize) -> u64 {
        self.blocks.get(at).map_or(0, |block| block.occupied)
    }

    /// Where the values of a block are; of no use if no bit is set.
    ///
    /// The pointer is good for the whole slab that the block is of: where the next block
    /// of another index starts right after this one, for that block too.
    #[inline]
    pub(crate) fn values(&self, at: usize) -> *mut u8 {
        self.blocks
            .get(at)
            .map_or(core::ptr::null_mut(), |block| block.values.as_ptr())
    }

    /// Which rows of a block have a value, unchecked.
    ///
    /// # Safety
    ///
    /// `at` is less than [`len`](Self::len).
    #[inline]
    pub(crate) unsafe fn occupied_unchecked(&self, at: usize) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { self.blocks.get_unchecked(at) }.occupied
    }

    /// Where the values of a block are, unchecked.
    ///
    /// # Safety
    ///
    /// `at` is less than [`len`](Self::len).
    #[inline]
    pub(crate) unsafe fn values_unchecked(&self, at: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { self.blocks.get_unchecked(at) }.values.as_ptr()
    }
}

impl Column {
    /// The blocks, for looking through them.
    pub(crate) fn blocks(&self) -> Blocks<'_> {
        Blocks {
            blocks: &self.blocks,
        }
    }

    /// Which rows have a value in the 64 blocks from a multiple of 64 on, as far as there are blocks.
    #[inline]
    pub(crate) fn occupied_words(&self, word: usize) -> impl Iterator<Item = u64> + '_ {
        let blocks = self.blocks.get(word * 64..).unwrap_or_default();
        blocks.iter().take(64).map(|block| block.occupied)
    }

    /// Which blocks have memory, so that all that have values are among them.
    #[inline]
    pub(crate) fn with_memory(&self) -> &BitSet {
        &self.backing.with_memory
    }
}

// SAFETY: reads bits and hands out raw pointers, which are of no use without a promise
// of their own; the column is borrowed, so nobody writes either meanwhile.
unsafe impl Send for Blocks<'_> {}
// SAFETY: shared, it does no more than a copy of it would, which may be sent.
unsafe impl Sync for Blocks<'_> {}
