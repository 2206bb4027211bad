//! Memory behind blocks: of their own, or shared with other blocks of the column.
//!
//! The value of a row is at place `row % 64` of its block's memory, always. So blocks of
//! which different places are occupied can have the same memory, a *region*:
//!
//! ```text
//! block  3   occupied 0b…0100_0001 ─┐
//! block  9   occupied 0b…0000_0100 ─┼─► region   taken 0b…0101_0111   values ─► [T; 64]
//! block 12   occupied 0b…0001_0010 ─┘
//! ```
//!
//! Blocks of large components do, as long as they have few values: a thousand entities
//! with 64 bytes each take little more than 64 kB, whatever rows they have. Who reads
//! need not know, because a block has its own bits; who puts values in or takes them out
//! goes by [`Column::room_for`] and [`Column::let_go`].
//!
//! The invariants:
//!
//! 1. **No place of a region is given to two blocks** (`sharing/regions.rs`), and a block
//!    that shares has values at places only that it has been given. So occupied places
//!    are different memory for different rows, as in memory of its own.
//! 2. A block that shares has values, and few; the others have memory of their own as
//!    long as they have values.
//! 3. Values move, bit by bit, by functions that hold the column exclusively, so while
//!    nobody has a reference to them.
//!
//! A block never takes more memory so: a region is used by at least one block, and a
//! block uses at most one.

#![expect(unsafe_code, reason = "moves values between raw blocks")]

mod regions;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ptr::NonNull;

pub(super) use self::regions::Regions;
use super::relocate::copy_places;
use super::{Block, Column};

/// From how many bytes on a value is large: blocks of smaller ones never share, and
/// their columns know so when they are compiled.
pub(super) const LARGE: usize = 32;

/// How many values a block that shares has at most: with more of them, places that are
/// all free in one region are hard to find. With 8, adding to and removing from a random
/// tenth of the rows takes half as long again, and a hundredth takes no less memory.
const FEW: u32 = 4;

/// A block after one with so many values will have many, too.
const MANY: u32 = 32;

impl Column {
    /// Whether a block shares its memory.
    #[inline]
    pub(super) fn shares(&self, at: usize) -> bool {
        let regions = self.regions.as_ref();
        regions.is_some_and(|regions| regions.contains(at))
    }

    /// A block with memory at some places without values; they are the block's from now
    /// on. The caller puts values in at once, or says by [`let_go`](Self::let_go) at
    /// which it has not.
    #[inline]
    pub(super) fn room_for(&mut self, at: usize, bits: u64) -> &mut Block {
        if !self.has_values(at) || self.shares(at) {
            self.make_room(at, bits);
        }
        &mut self.blocks[at]
    }

    /// A block with memory of its own; the same is to be said of it.
    #[inline]
    pub(super) fn own(&mut self, at: usize) -> &mut Block {
        if !self.has_values(at) {
            self.open(at);
        } else if self.shares(at) {
            self.part(at);
        }
        &mut self.blocks[at]
    }

    /// Takes memory back when bits of a block have been cleared, or not been set: these
    /// places of a region, or all of its own where no bit is set any more.
    #[cold]
    #[inline(never)]
    pub(super) fn let_go(&mut self, at: usize, bits: u64) {
        let Block { occupied, values } = self.blocks[at];
        let region = self.regions.as_mut().and_then(|regions| match occupied {
            0 => regions.leave(at),
            _ => regions.of(at),
        });
        match region {
            Some(region) => self.clear_places(region, bits),
            None if occupied == 0 => self.memory.release(values),
            None => {}
        }
    }

    #[inline]
    fn has_values(&self, at: usize) -> bool {
        self.blocks.get(at).is_some_and(|block| block.occupied != 0)
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, at: usize, bits: u64) {
        let occupied = self.blocks.get(at).map_or(0, |block| block.occupied);
        if !self.is_to_share(at, occupied | bits) {
            self.own(at);
            return;
        }
        self.extend_to(at);
        self.lets_be = false;
        let regions = self.regions.get_or_insert_with(Box::default);
        if regions.take(at, bits) {
            return;
        }
        let before = regions.leave(at);
        let values = regions.join(at, occupied | bits);
        let values = *values.get_or_insert_with(|| self.memory.allocate());
        self.move_values(at, values);
        if let Some(region) = before {
            self.clear_places(region, occupied);
        }
    }

    /// Puts memory behind a block that has no values.
    #[cold]
    #[inline(never)]
    fn open(&mut self, at: usize) {
        debug_assert!(!self.shares(at));
        self.extend_to(at);
        self.blocks[at].values = self.memory.allocate();
    }

    /// Gives a block that shares memory of its own.
    #[cold]
    #[inline(never)]
    fn part(&mut self, at: usize) {
        let occupied = self.blocks[at].occupied;
        let Some(regions) = &mut self.regions else {
            return;
        };
        let Some(region) = regions.leave(at) else {
            return;
        };
        if regions.hand_over(region, occupied) {
            return; // nobody else was there
        }
        let values = self.memory.allocate();
        self.move_values(at, values);
        self.clear_places(region, occupied);
    }

    fn extend_to(&mut self, at: usize) {
        if at >= self.blocks.len() {
            self.blocks.resize_with(at + 1, || Block::EMPTY);
        }
    }

    /// Whether a block shares that has, or gets, values at these places.
    fn is_to_share(&self, at: usize, bits: u64) -> bool {
        let follows_many = || {
            let before = at.checked_sub(1).map(|before| self.blocks.get(before));
            before
                .is_none_or(|block| block.is_some_and(|block| block.occupied.count_ones() >= MANY))
        };
        self.kind.layout.size() >= LARGE
            && bits.count_ones() <= FEW
            && (self.shares(at) || !follows_many())
    }

    /// Moves the values of a block to memory that it has been given at the same places.
    fn move_values(&mut self, at: usize, to: NonNull<u8>) {
        let block = &mut self.blocks[at];
        // SAFETY: values of `kind` are where bits are set. They go to other memory with
        // room for 64 of them, to places that are this block's and hold nothing yet; so
        // nobody else's value is there (1). From now on they are looked for there, so
        // each is moved once.
        unsafe { copy_places(block.values, to, block.occupied, self.kind.layout.size()) };
        block.values = to;
    }

    fn clear_places(&mut self, region: usize, bits: u64) {
        let regions = self.regions.as_mut();
        if let Some(values) = regions.and_then(|regions| regions.clear(region, bits)) {
            self.memory.release(values);
        }
    }

    /// Moves all values to fresh memory of just the blocks that it takes, where there is
    /// more, and has those that are sparse share it. Rows stay.
    pub(super) fn pack(&mut self) {
        let (regions, own) = self.packed();
        let pieces = own + regions.len();
        if pieces < self.memory.total() {
            self.move_house(regions, pieces);
        } else if let Some(regions) = &mut self.regions {
            regions.trim();
        }
    }

    /// Which blocks would share what, and how many would not.
    ///
    /// Never more regions than now: blocks that share one now are tried one after the
    /// other, and of these a new one has room for all that it comes to.
    fn packed(&self) -> (Regions, usize) {
        let is_sparse = |&at: &usize| self.is_to_share(at, self.blocks[at].occupied);
        let blocks = (0..self.blocks.len()).filter(|&at| self.has_values(at));
        let mut sparse: Vec<_> = blocks.clone().filter(is_sparse).collect();
        sparse.sort_by_key(|&at| self.regions.as_ref().and_then(|regions| regions.of(at)));
        let mut regions = Regions::default();
        for &at in &sparse {
            regions.join(at, self.blocks[at].occupied);
        }
        regions.trim();
        (regions, blocks.count() - sparse.len())
    }

    fn move_house(&mut self, regions: Regions, pieces: usize) {
        let mut fresh = Self::new(self.kind);
        // Where memory has no piece so large, it comes in pieces.
        let _ = fresh.memory.reserve(pieces);
        fresh.blocks.resize_with(self.blocks.len(), || Block::EMPTY);
        fresh.regions = (regions.len() > 0).then(|| Box::new(regions));
        for at in 0..self.blocks.len() {
            let Block { occupied, values } = self.blocks[at];
            if occupied == 0 {
                continue;
            }
            let regions = fresh.regions.as_mut();
            let place = match regions.and_then(|regions| regions.values_of(at)) {
                Some(values) => *values.get_or_insert_with(|| fresh.memory.allocate()),
                None => fresh.memory.allocate(),
            };
            // SAFETY: as in `move_values`; the memory is that of `fresh`, which has the
            // values from here on: the bits are cleared and set right after.
            unsafe { copy_places(values, place, occupied, self.kind.layout.size()) };
            self.blocks[at].occupied = 0;
            fresh.blocks[at] = Block {
                occupied,
                values: place,
            };
            self.let_go(at, occupied);
        }
        self.take_memory_of(fresh);
    }

    /// Takes the blocks of another column of the same kind, which gets those that were
    /// there, without values.
    pub(super) fn take_memory_of(&mut self, mut other: Self) {
        core::mem::swap(&mut self.blocks, &mut other.blocks);
        core::mem::swap(&mut self.memory, &mut other.memory);
        core::mem::swap(&mut self.regions, &mut other.regions);
        self.lets_be = self.plain && self.regions.is_none();
    }
}
