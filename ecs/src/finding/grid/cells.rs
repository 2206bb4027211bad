//! The entities of all cells, in blocks.

use alloc::vec::Vec;
use core::cmp::Ordering;

use hashbrown::HashMap;

use super::block::{self, Block, Entry};
use super::directory::Directory;
use crate::storage::heap::{Heap, bytes_of};
use crate::words::entity_id::EntityId;

/// See the [module](super).
pub(super) struct Cells<C, const D: usize> {
    pub(super) size: f32,
    per_size: f32,
    pub(super) len: usize,
    blocks: Vec<Block<C, D>>,
    /// Empty blocks.
    free: Vec<u32>,
    table: HashMap<[i32; D], u32>,
    /// Of all blocks, if they are not far apart.
    directory: Option<Directory<D>>,
    /// The blocks in order, the last coordinate first.
    sorted: Vec<([i32; D], u32)>,
}

impl<C, const D: usize> Heap for Cells<C, D> {
    bytes_of!(blocks, free, table, sorted; each blocks, directory);
}

impl<C, const D: usize> Cells<C, D> {
    pub(super) fn new(size: f32) -> Self {
        Self {
            size,
            per_size: 1.0 / size,
            len: 0,
            blocks: Vec::new(),
            free: Vec::new(),
            table: HashMap::default(),
            directory: None,
            sorted: Vec::new(),
        }
    }

    /// All entries, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry<C, D>> {
        let blocks = self.sorted.iter();
        blocks.flat_map(|(_, block)| &self.blocks[*block as usize].entries)
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.sorted.len()
    }

    /// The block at a place in order, and its coordinates.
    pub(super) fn nth_block(&self, place: usize) -> Option<([i32; D], &Block<C, D>)> {
        let (at, block) = self.sorted.get(place)?;
        Some((*at, &self.blocks[*block as usize]))
    }

    /// Sets the place of an entity that stays in its cell; returns whether it does.
    #[inline]
    pub(super) fn move_within(&mut self, id: EntityId<C>, [old, new]: [&[f32; D]; 2]) -> bool {
        let cell = new.map(|x| self.cell(x));
        if old.map(|x| self.cell(x)) != cell {
            return false;
        }
        let (coordinates, cell) = block::of(cell);
        if let Some(block) = self.number(&coordinates) {
            self.blocks[block as usize].set(cell, id, *new);
        }
        true
    }

    /// The cell of a coordinate. Of two coordinates the greater one has no lesser cell.
    #[inline]
    pub(super) fn cell(&self, x: f32) -> i32 {
        let cell = x * self.per_size;
        let towards_zero = cell as i32; // saturates; not a number is in cell 0
        towards_zero.saturating_sub(i32::from((towards_zero as f32) > cell))
    }

    /// The number of the block with these coordinates.
    #[inline]
    fn number(&self, coordinates: &[i32; D]) -> Option<u32> {
        match &self.directory {
            Some(directory) => directory.get(coordinates),
            None => self.table.get(coordinates).copied(),
        }
    }

    /// The block with these coordinates.
    #[inline]
    pub(super) fn block(&self, coordinates: &[i32; D]) -> Option<&Block<C, D>> {
        let block = self.number(coordinates)?;
        Some(&self.blocks[block as usize])
    }

    pub(super) fn insert(&mut self, entry: Entry<C, D>) {
        let (coordinates, cell) = block::of(entry.at.map(|x| self.cell(x)));
        let known = self.number(&coordinates);
        let block = known.unwrap_or_else(|| self.add_block(coordinates));
        self.blocks[block as usize].insert(cell, entry);
        self.len += 1;
    }

    fn add_block(&mut self, coordinates: [i32; D]) -> u32 {
        let block = self.free.pop().unwrap_or_else(|| {
            self.blocks.push(Block::new());
            (self.blocks.len() - 1) as u32 // fewer than there are entities
        });
        self.table.insert(coordinates, block);
        let place = self.place(&coordinates);
        self.sorted.insert(place, (coordinates, block));
        let is_listed = match &mut self.directory {
            Some(directory) => directory.set(&coordinates, Some(block)),
            None => !self.sorted.len().is_power_of_two(), // not at each block of a sparse world
        };
        if !is_listed {
            self.directory = Directory::of(&self.sorted);
        }
        block
    }

    /// The place of a block in `sorted`.
    pub(super) fn place(&self, coordinates: &[i32; D]) -> usize {
        let is_before = |(other, _): &([i32; D], u32)| in_order(other, coordinates).is_lt();
        self.sorted.partition_point(is_before)
    }

    pub(super) fn remove(&mut self, id: EntityId<C>, at: [f32; D]) {
        let (coordinates, cell) = block::of(at.map(|x| self.cell(x)));
        let Some(block) = self.number(&coordinates) else {
            return;
        };
        let entries = &mut self.blocks[block as usize];
        self.len -= usize::from(entries.remove(cell, id));
        if !entries.entries.is_empty() {
            return;
        }
        if self.free.len() > self.sorted.len() {
            entries.entries = Vec::new();
        }
        self.free.push(block);
        self.table.remove(&coordinates);
        if let Some(directory) = &mut self.directory {
            directory.set(&coordinates, None);
        }
        self.sorted.remove(self.place(&coordinates));
    }
}

/// Compares coordinates of blocks, the last one first.
pub(super) fn in_order<const D: usize>(a: &[i32; D], b: &[i32; D]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}
