//! The entities of a range of cells, in order.

use super::block::{self, Block, CELLS, Entries};
use super::cells::Cells;
use super::directory::ListedBlocks;
use crate::words::entity_id::EntityId;

/// The entities of all cells between two corners.
pub(super) struct Search<'a, C, const D: usize> {
    cells: &'a Cells<C, D>,
    range: Range<D>,
    blocks: Blocks<'a, D>,
    /// What is left of the current block.
    row: Entries<'a, C, D>,
}

/// A range of cells, as blocks and cells in them.
#[derive(Clone, Copy)]
struct Range<const D: usize> {
    first: [i32; D],
    start: usize,
    last: [i32; D],
    end: usize,
}

/// How the blocks of a range are found.
#[derive(Clone)]
enum Blocks<'a, const D: usize> {
    /// By their coordinates: the next one.
    Each(Option<[i32; D]>),
    /// Among all that are there: the rest of them, and others.
    Listed(ListedBlocks<'a, D>),
}

impl<C, const D: usize> Clone for Search<'_, C, D> {
    fn clone(&self) -> Self {
        Self {
            blocks: self.blocks.clone(),
            row: self.row.clone(),
            ..*self
        }
    }
}

impl<'a, C, const D: usize> Search<'a, C, D> {
    /// Searches from the cell of one place to that of another one.
    #[inline]
    pub(super) fn new(cells: &'a Cells<C, D>, min: [f32; D], max: [f32; D]) -> Self {
        let [min, max] = [min, max].map(|place| place.map(|x| cells.cell(x)));
        let is_empty = (0..D).any(|axis| min[axis] > max[axis]);
        let [(first, start), (last, end)] = [min, max].map(block::of);
        let range = Range {
            first,
            start,
            last,
            end,
        };
        let blocks = match range.blocks() {
            _ if is_empty => Blocks::Each(None),
            count if count / 4 < cells.blocks() as u64 => Blocks::Each(Some(first)),
            _ => Blocks::Listed(cells.blocks_between(&first, &last)),
        };
        let row = [].iter().zip(&[]);
        Self {
            cells,
            range,
            blocks,
            row,
        }
    }

    /// The entities of the next block that are in the range.
    #[inline]
    fn next_row(&mut self) -> Option<Entries<'a, C, D>> {
        match &mut self.blocks {
            Blocks::Each(next) => loop {
                let at = (*next)?;
                *next = self.range.successor(at);
                if let Some(block) = self.cells.block(&at) {
                    return Some(self.range.row(&at, block));
                }
            },
            Blocks::Listed(blocks) => {
                let (at, number) = blocks.find(|(at, _)| self.range.contains(at))?;
                Some(self.range.row(at, self.cells.nth(*number)))
            }
        }
    }
}

impl<const D: usize> Range<D> {
    /// The number of blocks that it touches.
    #[inline]
    fn blocks(&self) -> u64 {
        let len = |axis: usize| i64::from(self.last[axis]) - i64::from(self.first[axis]) + 1;
        (0..D).fold(1, |count: u64, axis| {
            count.saturating_mul(len(axis).max(0) as u64)
        })
    }

    fn contains(&self, at: &[i32; D]) -> bool {
        (0..D).all(|axis| (self.first[axis]..=self.last[axis]).contains(&at[axis]))
    }

    /// The next block, the first axis first.
    #[inline]
    fn successor(&self, mut at: [i32; D]) -> Option<[i32; D]> {
        for axis in 0..D {
            if at[axis] < self.last[axis] {
                at[axis] += 1;
                return Some(at);
            }
            at[axis] = self.first[axis];
        }
        None
    }

    /// The entities of a block that are in the range.
    #[inline]
    fn row<'a, C>(&self, at: &[i32; D], block: &'a Block<C, D>) -> Entries<'a, C, D> {
        let start = if at[0] == self.first[0] {
            self.start
        } else {
            0
        };
        let end = if at[0] == self.last[0] {
            self.end
        } else {
            CELLS - 1
        };
        block.row(start, end)
    }
}

impl<'a, C, const D: usize> Iterator for Search<'a, C, D> {
    type Item = (&'a EntityId<C>, &'a [f32; D]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.row.next() {
                return Some(entry);
            }
            self.row = self.next_row()?;
        }
    }

    /// Nested loops, which are faster than calls of `next`.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, mut take: F) -> B {
        let Self {
            cells,
            range,
            blocks,
            row,
        } = self;
        let mut result = row.fold(init, &mut take);
        match blocks {
            Blocks::Each(mut next) => {
                while let Some(at) = next {
                    next = range.successor(at);
                    if let Some(block) = cells.block(&at) {
                        result = range.row(&at, block).fold(result, &mut take);
                    }
                }
            }
            Blocks::Listed(blocks) => {
                for (at, number) in blocks.filter(|(at, _)| range.contains(at)) {
                    result = range.row(at, cells.nth(*number)).fold(result, &mut take);
                }
            }
        }
        result
    }
}
