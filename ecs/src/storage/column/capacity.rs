//! The memory use of a column, and reserving and freeing memory.

use super::block::{Backing, Block, Column, ROWS};
use super::block_memory::OutOfMemory;
use crate::storage::heap::Heap;

/// The contents and memory use of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColumnUsage {
    /// The number of values.
    pub(crate) values: usize,
    /// The number of blocks with values.
    pub(crate) blocks: usize,
    /// The bytes of all blocks, used or not, with their bookkeeping.
    pub(crate) bytes: usize,
    /// The bytes of the pool.
    pub(crate) pool: usize,
}

impl Column {
    /// Prepares for values in `rows` empty rows starting at `start`. Missing memory is allocated in
    /// one piece.
    pub(crate) fn reserve(&mut self, start: usize, rows: usize) {
        let end = (start + rows).div_ceil(ROWS);
        let blocks = end - start / ROWS;
        self.reclaim_for(blocks);
        self.backing.memory.provide(blocks);
        if self.blocks.len() < end {
            self.extend_to(end - 1);
        }
    }

    /// Takes back kept memory if there is too little for this many blocks.
    fn reclaim_for(&mut self, blocks: usize) {
        if self.backing.memory.spare() < blocks {
            self.reclaim(usize::MAX);
        }
    }

    /// Reserves space for values in `count` rows starting at `first`. Blocks are adjacent in memory
    /// unless there are free ones.
    pub(crate) fn try_reserve(&mut self, first: usize, count: usize) -> Result<(), OutOfMemory> {
        let end = first.checked_add(count).ok_or(OutOfMemory)?;
        let (start, end) = (first / ROWS, end.div_ceil(ROWS));
        let more = end.saturating_sub(self.blocks.len());
        let capacity = self.blocks.capacity();
        self.blocks.try_reserve(more).map_err(|_| OutOfMemory)?;
        self.reclaim_for(end - start);
        let Backing {
            memory,
            with_memory,
            ..
        } = &mut *self.backing;
        let known = with_memory.capacity();
        let reserved = with_memory.try_reserve(end).map_err(|_| OutOfMemory);
        let reserved = reserved.and_then(|()| memory.reserve(end - start));
        if reserved.is_err() {
            with_memory.shrink_to(known);
            self.blocks.shrink_to(capacity);
        }
        reserved
    }

    /// Frees the memory of empty blocks and unused capacity of lists. Pooled values stay.
    pub(crate) fn trim(&mut self) {
        let end = self.blocks.iter().rposition(|block| block.occupied != 0);
        let end = end.map_or(0, |last| last + 1);
        (end..self.blocks.len()).for_each(|at| self.backing.with_memory.remove(at));
        self.blocks.truncate(end);
        self.pack();
        self.blocks.trim();
        self.backing.pool.trim();
        self.backing.past.trim();
    }

    pub(crate) fn usage(&self) -> ColumnUsage {
        let Backing {
            memory,
            with_memory,
            regions,
            pool,
            ..
        } = &*self.backing;
        let values = self.blocks.iter().map(|block| block.occupied.count_ones());
        ColumnUsage {
            values: values.map(|count| count as usize).sum(),
            blocks: self.occupied_blocks().count(),
            bytes: memory.bytes() + with_memory.bytes() + regions.bytes() + self.blocks.bytes(),
            pool: pool.bytes(),
        }
    }

    pub(crate) fn block_bytes(&self) -> usize {
        self.backing.memory.block_size()
    }

    /// Returns how many blocks with values are not adjacent in memory to the previous one.
    pub(crate) fn breaks(&self) -> usize {
        let size = self.backing.memory.block_size();
        let starts = |block: &Block| block.values.addr().get();
        let next = self.occupied_blocks().skip(1);
        let pairs = self.occupied_blocks().zip(next);
        pairs
            .filter(|(block, next)| starts(block).wrapping_add(size) != starts(next))
            .count()
    }

    pub(super) fn occupied_blocks(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(|block| block.occupied != 0)
    }
}
