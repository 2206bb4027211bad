//! The entries of a range of cells, in order.

use core::ops::RangeInclusive;

use super::block::{self, Block, Entry};
use super::cells::{Cells, in_order};

/// The entries of all cells between two corners.
pub(super) struct Search<'a, C, const D: usize> {
    cells: &'a Cells<C, D>,
    /// The corners, as cells.
    min: [i32; D],
    max: [i32; D],
    blocks: Blocks<D>,
    rows: Option<Rows<'a, C, D>>,
    entries: core::slice::Iter<'a, Entry<C, D>>,
}

/// How the blocks of a range are found.
#[derive(Clone)]
enum Blocks<const D: usize> {
    /// By their coordinates: the next one.
    Each(Option<[i32; D]>),
    /// Among all that are there: the place of the next one.
    Listed(usize),
}

/// The rows of cells in a block that are in the range.
struct Rows<'a, C, const D: usize> {
    block: &'a Block<C, D>,
    /// The cells in the range along each axis.
    min: [usize; D],
    max: [usize; D],
    next: Option<[usize; D]>,
}

impl<C, const D: usize> Clone for Rows<'_, C, D> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<C, const D: usize> Clone for Search<'_, C, D> {
    fn clone(&self) -> Self {
        Self {
            blocks: self.blocks.clone(),
            rows: self.rows.clone(),
            entries: self.entries.clone(),
            ..*self
        }
    }
}

impl<'a, C, const D: usize> Search<'a, C, D> {
    /// Searches from the cell of one place to that of another one.
    pub(super) fn new(cells: &'a Cells<C, D>, min: [f32; D], max: [f32; D]) -> Self {
        let [min, max] = [min, max].map(|place| place.map(|x| cells.cell(x)));
        let [first, last] = [min, max].map(|cell| block::of(cell).0);
        let lens = (0..D).map(|axis| (i64::from(last[axis]) - i64::from(first[axis]) + 1).max(0));
        let count = lens.fold(1, |count: u64, len| count.saturating_mul(len as u64));
        let blocks = match count {
            0 => Blocks::Each(None),
            _ if count / 4 < cells.blocks() as u64 => Blocks::Each(Some(first)),
            _ => Blocks::Listed(cells.place(&first)),
        };
        Self {
            cells,
            min,
            max,
            blocks,
            rows: None,
            entries: [].iter(),
        }
    }

    /// The next block of the range, and its coordinates.
    fn next_block(&mut self) -> Option<([i32; D], &'a Block<C, D>)> {
        let [first, last] = [self.min, self.max].map(|cell| block::of(cell).0);
        loop {
            match &mut self.blocks {
                Blocks::Each(next) => {
                    let at = (*next)?;
                    *next = successor(at, |axis| first[axis]..=last[axis], 0);
                    if let Some(block) = self.cells.block(&at) {
                        return Some((at, block));
                    }
                }
                Blocks::Listed(next) => {
                    let (at, block) = self.cells.nth_block(*next)?;
                    *next += 1;
                    if in_order(&at, &last).is_gt() {
                        return None;
                    }
                    if (0..D).all(|axis| (first[axis]..=last[axis]).contains(&at[axis])) {
                        return Some((at, block));
                    }
                }
            }
        }
    }

    /// The rows of a block that are in the range.
    fn rows(&self, at: [i32; D], block: &'a Block<C, D>) -> Rows<'a, C, D> {
        let bits = block::bits(D);
        let most = (1 << bits) - 1;
        let inside = |cell: i32, axis: usize| {
            let from_start = i64::from(cell) - (i64::from(at[axis]) << bits);
            from_start.clamp(0, most) as usize
        };
        let min = core::array::from_fn(|axis| inside(self.min[axis], axis));
        let max = core::array::from_fn(|axis| inside(self.max[axis], axis));
        let next = Some(min);
        Rows {
            block,
            min,
            max,
            next,
        }
    }
}

impl<'a, C, const D: usize> Iterator for Rows<'a, C, D> {
    type Item = &'a [Entry<C, D>];

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.next?;
        let mut last = first;
        last[0] = self.max[0];
        self.next = successor(first, |axis| self.min[axis]..=self.max[axis], 1);
        let starts = &self.block.starts;
        let [start, end] = [
            starts[block::number(first)],
            starts[block::number(last) + 1],
        ];
        Some(&self.block.entries[start as usize..end as usize])
    }
}

/// The next coordinates in a range along each axis, of which the first `fixed` stay as they are.
fn successor<T: Copy + PartialOrd + core::ops::Add<Output = T> + From<bool>, const D: usize>(
    mut at: [T; D],
    range: impl Fn(usize) -> RangeInclusive<T>,
    fixed: usize,
) -> Option<[T; D]> {
    for axis in fixed..D {
        let range = range(axis);
        if at[axis] < *range.end() {
            at[axis] = at[axis] + T::from(true);
            return Some(at);
        }
        at[axis] = *range.start();
    }
    None
}

impl<'a, C, const D: usize> Iterator for Search<'a, C, D> {
    type Item = &'a Entry<C, D>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.entries.next() {
                return Some(entry);
            }
            if let Some(row) = self.rows.as_mut().and_then(Iterator::next) {
                self.entries = row.iter();
                continue;
            }
            let (at, block) = self.next_block()?;
            self.rows = Some(self.rows(at, block));
        }
    }

    /// Nested loops, which are faster than calls of `next`.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(mut self, init: B, mut take: F) -> B {
        let rest = core::mem::replace(&mut self.entries, [].iter());
        let mut result = rest.fold(init, &mut take);
        let mut rows = self.rows.take();
        loop {
            for row in rows.into_iter().flatten() {
                result = row.iter().fold(result, &mut take);
            }
            let Some((at, block)) = self.next_block() else {
                return result;
            };
            rows = Some(self.rows(at, block));
        }
    }
}
