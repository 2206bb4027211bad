//! Which blocks share which region of memory, and which places of it are taken. Only bits and
//! numbers; `sharing.rs` moves the values.
//!
//! Invariants:
//!
//! 1. `taken` of a region has the places that its blocks have requested, each by one block; so
//!    places given out are free, and two blocks never have the same place.
//! 2. A region is free, and has no memory, exactly when none of its places are taken.

use alloc::vec::Vec;
use core::ptr::NonNull;

use crate::storage::heap::{Heap, bytes_of, trim_end};
use crate::words::limits::{ALL_ROWS, ROWS};

/// The maximum number of regions tried for a block before it gets a new one.
const OPEN: usize = 16;

/// The maximum number of taken places of a region that is tried again.
const HALF: u32 = ROWS as u32 / 2;

/// Memory for `ROWS` values, shared by blocks.
#[derive(Default)]
struct Region {
    /// The memory; `None` if not yet allocated.
    values: Option<NonNull<u8>>,
    taken: u64,
}

/// Which blocks of a column share memory.
#[derive(Default)]
pub(super) struct Regions {
    /// For each block its region plus 1, or 0 if it does not share.
    of: Vec<u32>,
    regions: Vec<Region>,
    /// The regions tried for new blocks, in this order.
    open: Vec<u32>,
    /// The unused regions.
    free: Vec<u32>,
}

impl Heap for Regions {
    bytes_of!(of, regions, open, free);

    fn trim(&mut self) {
        trim_end(&mut self.of, |&number| number != 0);
        self.regions.trim();
    }
}

impl Regions {
    /// Returns whether a block shares its memory.
    #[inline]
    pub(super) fn contains(&self, at: usize) -> bool {
        self.of.get(at).is_some_and(|&number| number != 0)
    }

    pub(super) fn of(&self, at: usize) -> Option<usize> {
        let number = *self.of.get(at)? as usize;
        number.checked_sub(1)
    }

    /// Assigns a region with these places free to a block that does not share. Returns the region's
    /// memory, which the caller must set if the region is new.
    pub(super) fn join(&mut self, at: usize, bits: u64) -> &mut Option<NonNull<u8>> {
        let fits = |&&number: &&u32| self.regions[number as usize].taken & bits == 0;
        let number = match self.open.iter().find(fits) {
            Some(&number) => number,
            None => self.start(),
        };
        if self.of.len() <= at {
            self.of.resize(at + 1, 0);
        }
        self.of[at] = number + 1;
        self.record_taken(number, bits);
        &mut self.regions[number as usize].values
    }

    /// Takes more places of a block's region. Returns `false` if there is no region or the places
    /// are taken.
    pub(super) fn take(&mut self, at: usize, bits: u64) -> bool {
        let Some(region) = self.of(at) else {
            return false;
        };
        let are_free = self.regions[region].taken & bits == 0;
        if are_free {
            self.record_taken(region as u32, bits);
        }
        are_free
    }

    /// Marks places of a region as taken. A full region is no longer tried.
    fn record_taken(&mut self, number: u32, bits: u64) {
        let taken = &mut self.regions[number as usize].taken;
        *taken |= bits;
        if *taken == ALL_ROWS {
            self.open.retain(|&other| other != number);
        }
    }

    /// Detaches a block from its region. Its places stay taken.
    pub(super) fn leave(&mut self, at: usize) -> Option<usize> {
        let region = self.of(at)?;
        self.of[at] = 0;
        Some(region)
    }

    /// Marks places of a region as free. Returns its memory if all are.
    pub(super) fn clear(&mut self, region: usize, bits: u64) -> Option<NonNull<u8>> {
        let number = region as u32;
        let region = &mut self.regions[region];
        let before = region.taken.count_ones();
        region.taken &= !bits;
        let taken = region.taken.count_ones();
        if taken == 0 {
            return self.end(number);
        }
        // Only when the count falls below a power of two, so that two regions do not alternate.
        let is_halved = taken <= HALF && taken.ilog2() < before.ilog2();
        if is_halved && !self.open.contains(&number) {
            self.try_again(number);
        }
        None
    }

    /// Frees a region if only these places are taken. The caller keeps its memory.
    pub(super) fn hand_over(&mut self, region: usize, bits: u64) -> bool {
        let is_all = self.regions[region].taken == bits;
        if is_all {
            self.end(region as u32);
        }
        is_all
    }

    /// Returns the memory of a block's region, to be set if the region is new.
    pub(super) fn values_of(&mut self, at: usize) -> Option<&mut Option<NonNull<u8>>> {
        let region = self.of(at)?;
        Some(&mut self.regions[region].values)
    }

    pub(super) fn len(&self) -> usize {
        self.regions.len() - self.free.len()
    }

    /// Panics unless the taken places of each region are those of its blocks with these bits, and
    /// the lists of regions are consistent. Calls `each` with each sharing block and its memory.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(
        &self,
        occupied: impl Fn(usize) -> u64,
        mut each: impl FnMut(usize, Option<NonNull<u8>>),
    ) {
        let mut taken = alloc::vec![0; self.regions.len()];
        for at in 0..self.of.len() {
            if let Some(region) = self.of(at) {
                assert_eq!(
                    taken[region] & occupied(at),
                    0,
                    "regions: a place of two blocks"
                );
                taken[region] |= occupied(at);
                each(at, self.regions[region].values);
            }
        }
        for (number, (region, taken)) in (0..).zip(self.regions.iter().zip(taken)) {
            assert_eq!(region.taken, taken, "regions: what is taken of {number}");
            let is_free = taken == 0;
            assert_eq!(
                is_free,
                region.values.is_none(),
                "regions: memory of {number}"
            );
            let free = self.free.iter().filter(|&&other| other == number).count();
            assert_eq!(
                free,
                usize::from(is_free),
                "regions: whether {number} is free"
            );
            let open = self.open.iter().filter(|&&other| other == number).count();
            let most = usize::from(!is_free && taken != ALL_ROWS);
            assert!(open <= most, "regions: {number} is tried {open} times");
        }
        assert!(self.open.len() <= OPEN, "regions: too many are tried");
    }

    /// Returns a region without taken places.
    fn start(&mut self) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.regions.push(Region::default());
            self.regions.len() as u32 - 1
        });
        self.try_again(number);
        number
    }

    /// Adds a region to those tried; replaces the fullest one if there are too many.
    fn try_again(&mut self, number: u32) {
        if self.open.len() == OPEN {
            let taken = |&at: &usize| self.regions[self.open[at] as usize].taken.count_ones();
            let fullest = (0..OPEN).max_by_key(taken);
            fullest.map(|at| self.open.remove(at));
        }
        self.open.push(number);
    }

    /// Frees the number of a region. Returns its memory.
    fn end(&mut self, number: u32) -> Option<NonNull<u8>> {
        self.open.retain(|&other| other != number);
        self.free.push(number);
        core::mem::take(&mut self.regions[number as usize]).values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns random but reproducible bits for each block.
    fn scattered(blocks: usize, bits: u32) -> impl Iterator<Item = (usize, u64)> {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            1 << (seed >> 58)
        };
        (0..blocks).map(move |at| (at, (0..bits).fold(0, |word, _| word | next())))
    }

    #[test]
    fn no_two_blocks_have_the_same_place_of_a_region() {
        let mut regions = Regions::default();
        let blocks: Vec<_> = scattered(2000, 3).collect();
        for &(at, bits) in &blocks {
            regions.join(at, bits);
        }
        for step in [3, 2, 1] {
            let mut taken = alloc::vec![0; regions.regions.len()];
            for (at, bits) in &blocks {
                if let Some(region) = regions.of(*at) {
                    assert_eq!(taken[region] & bits, 0);
                    taken[region] |= bits;
                }
            }
            let reported: Vec<_> = regions.regions.iter().map(|region| region.taken).collect();
            assert_eq!(reported, taken);
            assert_eq!(
                regions.len(),
                taken.iter().filter(|&&bits| bits != 0).count()
            );
            for &(at, bits) in blocks.iter().step_by(step) {
                if let Some(region) = regions.leave(at) {
                    regions.clear(region, bits);
                }
            }
        }
        assert_eq!((regions.len(), regions.open.len()), (0, 0));
    }

    #[test]
    fn regions_are_filled_well() {
        let mut regions = Regions::default();
        for (at, bits) in scattered(10_000, 1) {
            regions.join(at, bits);
        }
        assert!(regions.len() < 10_000 / 64 * 3 / 2, "{}", regions.len());
    }

    #[test]
    fn a_region_is_free_when_its_last_place_is() {
        let mut regions = Regions::default();
        let memory = Some(NonNull::dangling());
        *regions.join(5, 0b011) = memory;
        assert_eq!(*regions.join(9, 0b100), memory);
        assert!(regions.take(9, 0b1000) && !regions.take(9, 0b0001) && !regions.take(7, 1));
        assert_eq!(regions.clear(0, 0b011), None);
        assert!(!regions.hand_over(0, 0b100));
        assert_eq!(regions.clear(0, 0b1100), memory);
        assert_eq!(regions.len(), 0);
        assert_eq!(*regions.join(7, 1), None);
        assert!(regions.hand_over(0, 1));
        assert_eq!(regions.len(), 0);
    }

    /// Returns a region filled by 16 blocks with four places each, which is no longer tried.
    fn full() -> Regions {
        let mut regions = Regions::default();
        (0..16).for_each(|at| _ = regions.join(at, 0b1111 << (at * 4)));
        assert_eq!((regions.len(), regions.open.len()), (1, 0));
        regions
    }

    #[test]
    fn a_region_is_tried_again_when_half_of_it_is_free() {
        for (cleared, tried) in [
            (&[1][..], &[false][..]),
            (&[32], &[true]),
            (&[31, 1, 1], &[false, false, true]),
            (&[33, 1], &[true, true]),
        ] {
            let (mut regions, mut from) = (full(), 0);
            for (&count, &tried) in cleared.iter().zip(tried) {
                let bits = u64::MAX >> (64 - count) << from;
                assert_eq!(regions.clear(0, bits), None);
                assert_eq!(regions.open, &[0][..usize::from(tried)]);
                from += count;
            }
        }
    }

    #[test]
    fn a_region_filled_step_by_step_is_no_longer_tried() {
        let mut regions = Regions::default();
        regions.join(0, u64::MAX >> 1);
        assert_eq!(regions.open, [0]);
        assert!(regions.take(0, 1 << 63));
        assert!(regions.open.is_empty());
    }

    #[test]
    fn a_region_is_not_listed_twice() {
        let mut regions = full();
        regions.clear(0, u64::MAX >> 32);
        regions.clear(0, 0xff << 32 | 0xff << 40 | 0xff << 48);
        assert_eq!(regions.open, [0]);
        regions.join(20, 1);
        assert_eq!(regions.of(20), Some(0));
    }

    #[test]
    fn a_new_region_replaces_the_fullest_one() {
        let mut regions = Regions::default();
        for at in 0..OPEN {
            let bits = if at == 5 { 0b11 } else { 0b1 };
            regions.join(at, bits);
        }
        assert_eq!(regions.open.len(), OPEN);
        regions.join(OPEN, 0b1);
        assert_eq!(regions.open.len(), OPEN);
        assert!(!regions.open.contains(&5) && regions.open.contains(&(OPEN as u32)));
    }

    #[test]
    fn all_lists_count_as_memory_and_are_trimmed() {
        let mut regions = full();
        (16..40).for_each(|at| _ = regions.join(at, 1));
        (16..40).for_each(|at| {
            let region = regions.leave(at).unwrap();
            regions.clear(region, 1);
        });
        let lists = [&regions.of, &regions.open, &regions.free];
        let numbers: usize = lists.iter().map(|list| list.capacity() * 4).sum();
        let regions_bytes = regions.regions.capacity() * size_of::<Region>();
        assert!(lists.iter().all(|list| list.capacity() > 0));
        assert_eq!(regions.bytes(), numbers + regions_bytes);
        regions.trim();
        assert_eq!((regions.of.len(), regions.of.capacity()), (16, 16));
        assert_eq!(regions.regions.capacity(), regions.regions.len());
    }
}
