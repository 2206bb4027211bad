//! How much memory a column holds, and holding more or less of it.

use super::block::{Backing, Block, Column, ROWS};
use super::slab::OutOfMemory;
use crate::storage::value_list::ValueList;
use crate::words::heap_size::heap_size;

/// What a column has and what it holds for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColumnUsage {
    /// How many values there are.
    pub(crate) values: usize,
    /// How many blocks have values.
    pub(crate) blocks: usize,
    /// The bytes of all blocks, used or not, with what leads to them.
    pub(crate) bytes: usize,
    /// The bytes of the pool stack.
    pub(crate) pool: usize,
}

impl Column {
    /// Prepares for values in `rows` rows from the row `start` on, none of which has one: with
    /// one piece of memory, if there is too little.
    pub(crate) fn reserve(&mut self, start: usize, rows: usize) {
        let end = (start + rows).div_ceil(ROWS);
        let blocks = end - start / ROWS;
        self.reclaim_for(blocks);
        self.backing.memory.provide(blocks);
        if self.blocks.len() < end {
            self.extend_to(end - 1);
        }
    }

    /// Takes kept memory back if there is too little for so many blocks.
    fn reclaim_for(&mut self, blocks: usize) {
        if self.backing.memory.spare() < blocks {
            self.reclaim(usize::MAX);
        }
    }

    /// Makes room for a value in each of `count` rows from `first` on: blocks that are
    /// neighbours in memory, unless there are free ones.
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

    /// Returns the memory of blocks that no value is in, and spare room in lists. Pooled
    /// values stay.
    pub(crate) fn trim(&mut self) {
        let end = self.blocks.iter().rposition(|block| block.occupied != 0);
        let end = end.map_or(0, |last| last + 1);
        (end..self.blocks.len()).for_each(|at| self.backing.with_memory.remove(at));
        self.blocks.truncate(end);
        self.pack();
        self.blocks.shrink_to_fit();
        if let Some(pool) = &mut self.backing.pool {
            pool.shrink_to_fit();
        }
        self.trim_past();
    }

    /// What the column has and holds.
    pub(crate) fn usage(&self) -> ColumnUsage {
        let values = self.blocks.iter().map(|block| block.occupied.count_ones());
        ColumnUsage {
            values: values.map(|count| count as usize).sum(),
            blocks: self.occupied_blocks().count(),
            bytes: self.backing_bytes() + heap_size(&self.blocks),
            pool: self.backing.pool.as_ref().map_or(0, ValueList::bytes),
        }
    }

    /// The bytes of a block.
    pub(crate) fn block_bytes(&self) -> usize {
        self.backing.memory.block_size()
    }

    /// How often a block with values is not the neighbour, in memory, of the one before.
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
