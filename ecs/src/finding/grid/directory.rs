//! The blocks of a world that is not much larger than its blocks, without hashing.
//!
//! ```text
//! numbers   [ 3  –  0  –  –  1 … ]     by coordinates, between the least and the greatest ones
//! ```

use alloc::vec::Vec;

use crate::storage::heap::{Heap, bytes_of};

/// The number of no block.
const NONE: u32 = u32::MAX;

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
    /// The directory of these blocks, unless they are so far apart that it would be mostly empty.
    pub(super) fn of(blocks: &[([i32; D], u32)]) -> Option<Self> {
        let (mut min, mut max) = (blocks.first()?.0, blocks.first()?.0);
        for (at, _) in blocks {
            for axis in 0..D {
                min[axis] = min[axis].min(at[axis]);
                max[axis] = max[axis].max(at[axis]);
            }
        }
        let lens = core::array::from_fn(|axis| max[axis].abs_diff(min[axis]) as usize + 1);
        let size = lens
            .iter()
            .try_fold(1, |size: usize, len| size.checked_mul(*len));
        let size = size.filter(|size| *size <= 1024 + 8 * blocks.len())?;
        let mut directory = Self {
            min,
            lens,
            numbers: alloc::vec![NONE; size],
        };
        blocks
            .iter()
            .for_each(|(at, number)| _ = directory.set(at, Some(*number)));
        Some(directory)
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
