//! The entities of a range of cells, in order.

use super::block::{self, Block, CELLS, Entries};
use super::cells::Cells;
use super::directory::ListedBlocks;
use crate::words::entity_id::EntityId;

/// The entities of all cells between two corners whose places pass a test.
pub(super) struct Search<'a, C, F, const D: usize> {
    rows: Rows<'a, C, D>,
    test: F,
    /// What is left of the current row.
    row: Entries<'a, C, D>,
}

/// The entities of all cells between two corners, by block.
pub(super) struct Rows<'a, C, const D: usize> {
    cells: &'a Cells<C, D>,
    range: Range<D>,
    blocks: Blocks<'a, D>,
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

impl<C, F: Clone, const D: usize> Clone for Search<'_, C, F, D> {
    fn clone(&self) -> Self {
        Self {
            rows: self.rows.clone(),
            test: self.test.clone(),
            row: self.row.clone(),
        }
    }
}

impl<C, const D: usize> Clone for Rows<'_, C, D> {
    fn clone(&self) -> Self {
        Self {
            blocks: self.blocks.clone(),
            ..*self
        }
    }
}

impl<'a, C, F: Fn(&[f32; D]) -> bool, const D: usize> Search<'a, C, F, D> {
    /// Searches from the cell of one place to that of another one.
    #[inline]
    pub(super) fn new(cells: &'a Cells<C, D>, corners: [[f32; D]; 2], test: F) -> Self {
        Self {
            rows: Rows::new(cells, corners),
            test,
            row: [].iter().zip(&[]),
        }
    }
}

impl<'a, C, const D: usize> Rows<'a, C, D> {
    #[inline]
    fn new(cells: &'a Cells<C, D>, corners: [[f32; D]; 2]) -> Self {
        let [min, max] = corners.map(|place| place.map(|x| cells.cell(x)));
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
        Self {
            cells,
            range,
            blocks,
        }
    }
}

impl<'a, C, const D: usize> Iterator for Rows<'a, C, D> {
    type Item = Entries<'a, C, D>;

    #[inline(always)]
    fn next(&mut self) -> Option<Entries<'a, C, D>> {
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

impl<C, F: Fn(&[f32; D]) -> bool, const D: usize> Iterator for Search<'_, C, F, D> {
    type Item = (EntityId<C>, [f32; D]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((id, at)) = self.row.find(|(_, at)| (self.test)(at)) {
                return Some((*id, *at));
            }
            self.row = self.rows.next()?;
        }
    }

    /// Collects some entities without branches that depend on the data, and then takes these.
    #[inline]
    fn fold<B, G: FnMut(B, Self::Item) -> B>(self, init: B, mut take: G) -> B {
        const SOME: usize = 16;
        let Self {
            mut rows,
            test,
            row,
        } = self;
        let (mut found, mut len) = ([None; SOME], 0);
        let (mut result, mut next) = (init, Some(row));
        while let Some(row) = next {
            for entry in row {
                found[len] = Some(entry);
                len += usize::from(test(entry.1));
                if len == SOME {
                    let all = found.iter().flatten();
                    result = all.fold(result, |result, (id, at)| take(result, (**id, **at)));
                    len = 0;
                }
            }
            next = rows.next();
        }
        let all = found[..len].iter().flatten();
        all.fold(result, |result, (id, at)| take(result, (**id, **at)))
    }
}
