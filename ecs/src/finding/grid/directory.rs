//! The blocks of a world that is not much larger than its blocks, without hashing.
//!
//! ```text
//! numbers   [ 3  –  0  –  –  1 … ]     by coordinates, between the least and the greatest ones
//! ```

use alloc::vec::Vec;

use crate::storage::heap::{Heap, bytes_of};
use crate::storage::sorted::Items;

/// The number of no block.
const NONE: u32 = u32::MAX;

/// Blocks in order: their coordinates and numbers.
pub(super) type ListedBlocks<'a, const D: usize> = Items<'a, ([i32; D], u32)>;

/// The numbers of all blocks by their coordinates.
pub(super) struct Directory<const D: usize> {
    min: [i32; D],
    lens: [usize; D],
    numbers: Vec<u32>,
}

impl<const D: usize> Heap for Directory<D> {
    bytes_of!(numbers);
}

impl<const D: usize> Directory<D> {
    /// The directory of these blocks, unless they are so far apart that it would be mostly empty. It covers what the
    /// previous one has covered, if it can, so that it is not built again for blocks that come and go.
    pub(super) fn of(blocks: ListedBlocks<'_, D>, previous: Option<Self>) -> Option<Self> {
        let (mut min, mut max) = ([i32::MAX; D], [i32::MIN; D]);
        for (at, _) in blocks.clone() {
            for axis in 0..D {
                min[axis] = min[axis].min(at[axis]);
                max[axis] = max[axis].max(at[axis]);
            }
        }
        for axis in 0..D {
            let margin = (max[axis] - min[axis]) / 8; // for the next blocks of a growing world
            (min[axis], max[axis]) = (min[axis] - margin, max[axis] + margin);
        }
        let larger = previous.and_then(|previous| previous.extended(min, max, blocks.len()));
        let mut directory = larger.or_else(|| Self::between(min, max, blocks.len()))?;
        blocks.for_each(|(at, number)| _ = directory.set(at, Some(*number)));
        Some(directory)
    }

    /// An empty directory from one corner to another one, unless it would be too large for so many blocks.
    fn between(min: [i32; D], max: [i32; D], blocks: usize) -> Option<Self> {
        let lens = core::array::from_fn(|axis| max[axis].abs_diff(min[axis]) as usize + 1);
        let mut lens_left = lens.iter();
        let size = lens_left.try_fold(1, |size: usize, len| size.checked_mul(*len));
        let size = size.filter(|size| *size <= 1024 + 8 * blocks)?;
        let numbers = alloc::vec![NONE; size];
        Some(Self { min, lens, numbers })
    }

    /// An empty directory of what this one and the box between two corners cover.
    fn extended(&self, mut min: [i32; D], mut max: [i32; D], blocks: usize) -> Option<Self> {
        for axis in 0..D {
            let last = self.min[axis] + (self.lens[axis] - 1) as i32;
            (min[axis], max[axis]) = (min[axis].min(self.min[axis]), max[axis].max(last));
        }
        Self::between(min, max, blocks)
    }

    #[inline]
    fn place(&self, at: &[i32; D]) -> Option<usize> {
        let mut place = 0;
        for axis in (0..D).rev() {
            let offset = at[axis].wrapping_sub(self.min[axis]) as u32 as usize; // large if before
            if offset >= self.lens[axis] {
                return None;
            }
            place = place * self.lens[axis] + offset;
        }
        Some(place)
    }

    #[inline]
    pub(super) fn get(&self, at: &[i32; D]) -> Option<u32> {
        let number = self.numbers[self.place(at)?];
        (number != NONE).then_some(number)
    }

    /// Sets the number of a block; returns whether its coordinates are in the directory.
    pub(super) fn set(&mut self, at: &[i32; D], number: Option<u32>) -> bool {
        let place = self.place(at);
        if let Some(place) = place {
            self.numbers[place] = number.unwrap_or(NONE);
        }
        place.is_some()
    }
}
