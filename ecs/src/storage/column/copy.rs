//! Copies of columns: all values cloned to the same rows, in separate memory.
//!
//! Blocks that do not share memory are allocated in order from one piece, so that queries can join
//! the blocks of a copy.

#![expect(unsafe_code, reason = "clones values between raw blocks")]

use core::mem;

use super::block::{Block, Column};
use super::relocate::Relocation;
use crate::storage::row_words::RowWord;
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;

impl Column {
    /// Clones all values, or returns `None` if they cannot be cloned. If a `clone` panics, the
    /// clones made so far are dropped.
    pub(crate) fn copied(&self) -> Option<Self> {
        let clone = self.descriptor.clone_values?;
        let (regions, own) = self.packed();
        let pieces = own + regions.len();
        let mut copy = self.with_memory_for(regions, pieces);
        for (at, block) in self.blocks.iter().enumerate() {
            let Block { occupied, values } = *block;
            if occupied == 0 {
                continue;
            }
            let to = copy.allocate_for(at);
            let written = &mut copy.blocks[at].occupied;
            // SAFETY: both columns hold values of `descriptor`. The places whose bits are set have
            // values, and are cloned to memory for `ROWS` of them, to places that belong to this
            // block of `copy` only. A bit of `copy` is set after its value is written.
            unsafe { clone(values.as_ptr(), to.as_ptr(), occupied, written) };
        }
        Some(copy)
    }

    /// Appends clones of the values in the rows of a word to a list, in order.
    pub(crate) fn clone_word(&self, (at, bits): RowWord, to: &mut ValueList) {
        let Some(block) = self.blocks.get(at) else {
            return;
        };
        assert!(
            to.descriptor() == self.descriptor,
            "the list is for the values"
        );
        let mut left = block.occupied & bits;
        while left != 0 {
            let start = left.trailing_zeros();
            let len = (left >> start).trailing_ones();
            // SAFETY: the bits of `len` places from `start` are set, so they have initialized
            // values of the column's type, which is that of the list; the list has other memory.
            unsafe {
                let first = start as usize * self.descriptor.layout.size();
                to.push_clones(block.values.add(first), len);
            }
            left &= u64::MAX.checked_shl(start + len).unwrap_or(0);
        }
    }

    /// Swaps all values with those of another column of the same component, except for the pool.
    /// Neither may have a history.
    pub(crate) fn swap_values(&mut self, other: &mut Self) {
        mem::swap(&mut self.blocks, &mut other.blocks);
        mem::swap(&mut self.backing, &mut other.backing);
        mem::swap(&mut self.backing.pool, &mut other.backing.pool);
        debug_assert!(self.backing.past.is_none() && other.backing.past.is_none());
    }

    /// Moves the value in a row to an empty row of another column of the same component.
    pub(crate) fn hand_over(&mut self, from: Row, to: Row, other: &mut Self) {
        let len = 1;
        self.move_piece(Relocation { from, to, len }, other);
    }
}
