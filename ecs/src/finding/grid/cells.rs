//! The entities of all cells, in blocks.

use alloc::vec::Vec;
use core::cmp::Ordering;

use hashbrown::HashMap;

use super::block::{self, Block, CELLS};
use super::directory::{Directory, ListedBlocks};
use crate::storage::heap::{Heap, bytes_of};
use crate::storage::sorted::{Place, Sorted};
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
    sorted: Sorted<([i32; D], u32)>,
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
            sorted: Sorted::default(),
        }
    }

    /// All entities, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (EntityId<C>, [f32; D])> {
        let blocks = self.sorted.iter();
        blocks
            .flat_map(|(_, number)| self.nth(*number).row(0, CELLS - 1))
            .map(|(id, at)| (*id, *at))
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.sorted.len()
    }

    /// The blocks from one to another one in order, also those outside of the box between them.
    pub(super) fn blocks_between(&self, first: &[i32; D], last: &[i32; D]) -> ListedBlocks<'_, D> {
        let start = self.place(first).unwrap_or_else(|place| place);
        let after = self
            .sorted
            .find(|(other, _)| in_order(other, last).then(Ordering::Less));
        self.sorted
            .between(start, after.unwrap_or_else(|place| place))
    }

    /// The block with this number.
    #[inline]
    pub(super) fn nth(&self, number: u32) -> &Block<C, D> {
        &self.blocks[number as usize]
    }

    /// Sets the place of an entity that stays in its block; returns whether it does.
    #[inline]
    pub(super) fn move_within(&mut self, id: EntityId<C>, [old, new]: [&[f32; D]; 2]) -> bool {
        let cells = [old, new].map(|at| block::of(at.map(|x| self.cell(x))));
        let [(block, from), (coordinates, to)] = cells;
        if block != coordinates {
            return false;
        }
        if let Some(block) = self.number(&block) {
            self.blocks[block as usize].set([from, to], id, *new);
        }
        true
    }

    /// The cell of a coordinate. Of two coordinates the greater one has no lesser cell. The last cells have all that is
    /// beyond, and what is not a number.
    #[inline]
    pub(super) fn cell(&self, x: f32) -> i32 {
        /// The floats above have a distance of one, so adding it rounds to a whole number.
        const BIAS: f32 = (1 << 23) as f32 * 1.5;
        const MOST: f32 = (1 << 22) as f32 - 1.0;
        let cell = x * self.per_size;
        let cell = if cell > -MOST { cell } else { -MOST }; // also if it is not a number
        let cell = if cell < MOST { cell } else { MOST };
        (cell + BIAS).to_bits() as i32 - BIAS.to_bits() as i32
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
        Some(self.nth(self.number(coordinates)?))
    }

    pub(super) fn insert(&mut self, id: EntityId<C>, at: [f32; D]) {
        let (coordinates, cell) = block::of(at.map(|x| self.cell(x)));
        let known = self.number(&coordinates);
        let block = known.unwrap_or_else(|| self.add_block(coordinates));
        self.blocks[block as usize].insert(cell, id, at);
        self.len += 1;
    }

    fn add_block(&mut self, coordinates: [i32; D]) -> u32 {
        let block = self.free.pop().unwrap_or_else(|| {
            self.blocks.push(Block::new());
            (self.blocks.len() - 1) as u32 // fewer than there are entities
        });
        self.table.insert(coordinates, block);
        let place = self.place(&coordinates).unwrap_or_else(|place| place);
        self.sorted.insert(place, (coordinates, block));
        let is_listed = match &mut self.directory {
            Some(directory) => directory.set(&coordinates, Some(block)),
            None => !self.sorted.len().is_power_of_two(), // not at each block of a sparse world
        };
        if !is_listed {
            self.directory = Directory::of(self.sorted.iter(), self.directory.take());
        }
        block
    }

    /// The place of a block in `sorted`.
    fn place(&self, coordinates: &[i32; D]) -> Result<Place, Place> {
        self.sorted.find(|(other, _)| in_order(other, coordinates))
    }

    pub(super) fn remove(&mut self, id: EntityId<C>, at: [f32; D]) {
        let (coordinates, cell) = block::of(at.map(|x| self.cell(x)));
        let Some(block) = self.number(&coordinates) else {
            return;
        };
        let entries = &mut self.blocks[block as usize];
        self.len -= usize::from(entries.remove(cell, id));
        if !entries.is_empty() {
            return;
        }
        if self.free.len() > self.sorted.len() {
            *entries = Block::new();
        }
        self.free.push(block);
        self.table.remove(&coordinates);
        if let Some(directory) = &mut self.directory {
            directory.set(&coordinates, None);
        }
        self.place(&coordinates)
            .map(|place| self.sorted.remove(place))
            .ok();
    }
}

/// Compares coordinates of blocks, the last one first.
fn in_order<const D: usize>(a: &[i32; D], b: &[i32; D]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}
