//! The blocks of a column as seen by queries: which rows have a value, and where the values are, as
//! bits and raw pointers. The query must know how it may use a pointer.

#![expect(
    unsafe_code,
    reason = "looks blocks up without checks, from any thread"
)]

use super::block::{Block, Column};
use crate::storage::bit_set::BitSet;

/// The blocks of a column, borrowed for iteration.
#[derive(Clone, Copy)]
pub struct Blocks<'a> {
    blocks: &'a [Block],
}

impl<'a> Blocks<'a> {
    pub(crate) const NONE: Self = Self { blocks: &[] };

    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the bits of the rows of a block that have a value.
    #[inline]
    pub(crate) fn occupied(&self, at: usize) -> u64 {
        self.blocks.get(at).map_or(0, |block| block.occupied)
    }

    /// Returns a pointer to the values of a block; meaningless if no bit is set.
    ///
    /// The pointer is valid for the whole slab: if another block starts where this one ends, for
    /// that block too.
    #[inline]
    pub(crate) fn values(&self, at: usize) -> *mut u8 {
        self.blocks
            .get(at)
            .map_or(core::ptr::null_mut(), |block| block.values.as_ptr())
    }

    /// Like [`occupied`](Self::occupied), without a bounds check.
    ///
    /// # Safety
    ///
    /// `at` must be less than [`len`](Self::len).
    #[inline]
    pub(crate) unsafe fn occupied_unchecked(&self, at: usize) -> u64 {
        // SAFETY: guaranteed by the caller.
        unsafe { self.blocks.get_unchecked(at) }.occupied
    }

    /// Like [`values`](Self::values), without a bounds check.
    ///
    /// # Safety
    ///
    /// `at` must be less than [`len`](Self::len).
    #[inline]
    pub(crate) unsafe fn values_unchecked(&self, at: usize) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        unsafe { self.blocks.get_unchecked(at) }.values.as_ptr()
    }
}

impl Column {
    pub(crate) fn blocks(&self) -> Blocks<'_> {
        Blocks {
            blocks: &self.blocks,
        }
    }

    /// Iterates over the bits of up to 64 blocks, starting at block `word * 64`.
    #[inline]
    pub(crate) fn occupied_words(&self, word: usize) -> impl Iterator<Item = u64> + '_ {
        let blocks = self.blocks.get(word * 64..).unwrap_or_default();
        blocks.iter().take(64).map(|block| block.occupied)
    }

    /// Returns the blocks that have memory. All blocks with values are among them.
    #[inline]
    pub(crate) fn with_memory(&self) -> &BitSet {
        &self.backing.with_memory
    }
}

// SAFETY: gives only bits and raw pointers, which are useless without further guarantees; the
// column is borrowed, so neither is written meanwhile.
unsafe impl Send for Blocks<'_> {}
// SAFETY: a shared reference can do no more than a copy, which is `Send`.
unsafe impl Sync for Blocks<'_> {}
