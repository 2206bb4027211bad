//! The memory of blocks: [`claim`](Column::claim) provides it, and [`release`](Column::release)
//! takes it back. Callers do not know whether it is shared.
//!
//! The value of a row is always at place `row % ROWS` of its block's memory. So blocks with
//! different occupied places can use the same memory, a *region*:
//!
//! ```text
//! block  3   occupied 0b…0100_0001 ─┐
//! block  9   occupied 0b…0000_0100 ─┼─► region   taken 0b…0101_0111   values ─► [T; 64]
//! block 12   occupied 0b…0001_0010 ─┘
//! ```
//!
//! Blocks of large values share regions while they have few values: a thousand entities with 64
//! bytes each take little more than 64 kB, whatever their rows. Blocks of small values do not
//! share, and keep their memory when they become empty, until another block needs it.
//!
//! Invariants:
//!
//! 1. **No place of a region belongs to two blocks** (`regions.rs`), and a block that shares has
//!    values only at places that it has claimed. So occupied places of different rows are always
//!    different memory.
//! 2. A block that shares has at least one value, and few. An empty block of large values has no
//!    memory.
//! 3. Values are moved, with their bits, only by functions that borrow the column mutably, so there
//!    are no references to them.
//!
//! Sharing never uses more memory: each region is used by at least one block, and each block uses
//! at most one.

#![expect(unsafe_code, reason = "moves values between raw blocks")]

use alloc::vec::Vec;
use core::ptr::NonNull;

use super::block::{Backing, Block, Column, ROWS};
use super::pieces::copy_places;
use super::regions::Regions;
use crate::storage::heap::Heap;

/// The maximum number of values of a block that shares. With more, it is hard to find a region with
/// all places free: with 8, adding to and removing from a random tenth of the rows takes 1.5 times
/// as long, and a random hundredth uses no less memory.
const FEW: u32 = if ROWS == 64 { 4 } else { 2 };

/// A block is expected to get many values if the previous block has this many.
const MANY: u32 = ROWS as u32 / 2;

/// How many blocks are searched for kept memory before more is allocated. So at most about one
/// block in a hundred keeps memory that others need.
const LOOKS: usize = 256;

impl Column {
    /// Returns a block with memory at some places, which belong to it from now on. The caller must
    /// immediately write the values and set their bits, or return unused places by
    /// [`release`](Self::release).
    ///
    /// # Panics
    ///
    /// Panics if one of the places already has a value.
    #[inline]
    pub(super) fn claim(&mut self, at: usize, bits: u64) -> &mut Block {
        assert!(
            self.occupied(at) & bits == 0,
            "a value is put where none is"
        );
        let has_memory = self.blocks.get(at).is_some_and(Block::has_memory);
        if !has_memory || self.large && self.shares(at) {
            self.prepare(at, bits);
        }
        &mut self.blocks[at]
    }

    /// Clears the bits of places whose values the caller moves, drops, or never wrote, and takes
    /// back their memory unless it is kept.
    #[inline]
    pub(super) fn release(&mut self, at: usize, bits: u64) {
        let block = &mut self.blocks[at];
        block.occupied &= !bits;
        if self.large && (block.occupied == 0 || self.shares(at)) {
            self.take_back(at, bits);
        }
    }

    /// Returns a block with unshared memory.
    pub(super) fn claim_whole(&mut self, at: usize) -> &mut Block {
        self.give_own(at);
        &mut self.blocks[at]
    }

    /// Returns whether a block shares its memory.
    #[inline]
    pub(super) fn shares(&self, at: usize) -> bool {
        self.backing.regions.contains(at)
    }

    /// Provides memory at some places of a block that has none or shares it.
    #[inline(never)]
    fn prepare(&mut self, at: usize, bits: u64) {
        if self.large && (bits.count_ones() <= FEW || self.shares(at)) {
            self.prepare_few(at, bits);
        } else {
            self.open(at);
        }
    }

    /// Like `prepare`, for a block that may share or already shares.
    #[cold]
    #[inline(never)]
    fn prepare_few(&mut self, at: usize, bits: u64) {
        if self.is_to_share(at, self.occupied(at) | bits) {
            self.share(at, bits);
        } else {
            self.give_own(at);
        }
    }

    /// Gives a block unshared memory, if it has none or shares.
    fn give_own(&mut self, at: usize) {
        if self.large && self.shares(at) {
            self.unshare(at);
        } else if !self.blocks.get(at).is_some_and(Block::has_memory) {
            self.open(at);
        }
    }

    /// Assigns places of a region that fits all values of a block.
    fn share(&mut self, at: usize, bits: u64) {
        self.extend_to(at);
        let occupied = self.blocks[at].occupied;
        let Backing {
            memory, regions, ..
        } = &mut *self.backing;
        if regions.take(at, bits) {
            return;
        }
        let before = regions.leave(at);
        let values = regions.join(at, occupied | bits);
        let values = *values.get_or_insert_with(|| memory.allocate());
        self.move_values(at, values);
        self.backing.with_memory.insert(at);
        if let Some(region) = before {
            self.clear_places(region, occupied);
        }
    }

    /// Takes back memory after bits of a block were cleared: these places of a region, or all of an
    /// unshared block if it is empty.
    #[cold]
    #[inline(never)]
    fn take_back(&mut self, at: usize, bits: u64) {
        let Backing {
            memory,
            with_memory,
            regions,
            ..
        } = &mut *self.backing;
        let block = &mut self.blocks[at];
        if block.occupied != 0 {
            if let Some(region) = regions.of(at) {
                self.clear_places(region, bits);
            }
        } else if block.has_memory() {
            let values = block.take_memory();
            with_memory.remove(at);
            match regions.leave(at) {
                Some(region) => self.clear_places(region, bits),
                None => memory.release(values),
            }
        }
    }

    /// Gives unshared memory to a block without memory.
    #[inline(always)] // into `prepare`, which does nothing else
    fn open(&mut self, at: usize) {
        let values = match self.backing.memory.take_spare() {
            Some(values) => values,
            None => self.find_memory(),
        };
        self.extend_to(at);
        self.blocks[at].values = values;
        self.backing.with_memory.insert(at);
    }

    /// Returns memory for a block if none is spare: kept by another block, or new.
    #[cold]
    #[inline(never)]
    fn find_memory(&mut self) -> NonNull<u8> {
        self.reclaim(LOOKS);
        self.backing.memory.allocate()
    }

    /// Takes back the memory kept by the next few empty blocks.
    pub(super) fn reclaim(&mut self, looks: usize) {
        let blocks = self.blocks.len();
        let looks = if self.large { 0 } else { looks.min(blocks) };
        for _ in 0..looks {
            let at = self.backing.hand % blocks;
            self.backing.hand = at + 1;
            let block = &mut self.blocks[at];
            if block.occupied == 0 && block.has_memory() {
                self.backing.memory.release(block.take_memory());
                self.backing.with_memory.remove(at);
            }
        }
    }

    /// Gives unshared memory to a block that shares.
    #[cold]
    #[inline(never)]
    fn unshare(&mut self, at: usize) {
        let occupied = self.blocks[at].occupied;
        let Backing {
            memory, regions, ..
        } = &mut *self.backing;
        let Some(region) = regions.leave(at) else {
            return;
        };
        if regions.hand_over(region, occupied) {
            return; // no other block used it
        }
        let values = memory.allocate();
        self.move_values(at, values);
        self.clear_places(region, occupied);
    }

    #[inline]
    pub(super) fn extend_to(&mut self, at: usize) {
        if at >= self.blocks.len() {
            self.blocks.resize(at + 1, Block::EMPTY);
        }
    }

    /// Returns whether a block with values at these places should share.
    fn is_to_share(&self, at: usize, bits: u64) -> bool {
        let follows_many = || {
            let before = at.checked_sub(1).map(|before| self.blocks.get(before));
            before
                .is_none_or(|block| block.is_some_and(|block| block.occupied.count_ones() >= MANY))
        };
        bits.count_ones() <= FEW && (self.shares(at) || !follows_many())
    }

    /// Moves the values of a block to the same places of other memory.
    fn move_values(&mut self, at: usize, to: NonNull<u8>) {
        let block = &mut self.blocks[at];
        // SAFETY: the places whose bits are set have values of `descriptor`. They are moved to
        // other memory for `ROWS` of them, to places that belong to this block and are empty, so no
        // value of another block is overwritten (1). The block then points to that memory, so each
        // value is moved once.
        unsafe {
            copy_places(
                block.values,
                to,
                block.occupied,
                self.descriptor.layout.size(),
            )
        };
        block.values = to;
    }

    fn clear_places(&mut self, region: usize, bits: u64) {
        let Backing {
            memory, regions, ..
        } = &mut *self.backing;
        if let Some(values) = regions.clear(region, bits) {
            memory.release(values);
        }
    }

    /// Moves all values to new memory of minimal size, if there is more, and lets sparse blocks
    /// share. Rows do not change.
    pub(crate) fn pack(&mut self) {
        let (regions, own) = self.packed();
        let pieces = own + regions.len();
        if pieces < self.backing.memory.total() {
            self.move_to_fresh(regions, pieces);
        } else {
            self.backing.regions.trim();
        }
        self.backing.with_memory.trim();
    }

    /// Returns which blocks would share regions, and how many would not share.
    ///
    /// Never more regions than now: blocks that currently share a region are tried consecutively,
    /// and a new region has space for all of them.
    pub(super) fn packed(&self) -> (Regions, usize) {
        let is_sparse = |&at: &usize| self.large && self.is_to_share(at, self.blocks[at].occupied);
        let blocks = (0..self.blocks.len()).filter(|&at| self.occupied(at) != 0);
        let mut sparse: Vec<_> = blocks.clone().filter(is_sparse).collect();
        sparse.sort_by_key(|&at| self.backing.regions.of(at));
        let mut regions = Regions::default();
        for &at in &sparse {
            regions.join(at, self.blocks[at].occupied);
        }
        regions.trim();
        (regions, blocks.count() - sparse.len())
    }

    fn move_to_fresh(&mut self, regions: Regions, pieces: usize) {
        let mut fresh = self.with_memory_for(regions, pieces);
        for at in 0..self.blocks.len() {
            let Block { occupied, values } = self.blocks[at];
            if occupied == 0 {
                continue;
            }
            let to = fresh.allocate_for(at);
            // SAFETY: the places whose bits are set have values of `descriptor`. They are moved to
            // memory of `fresh`, to places that belong to this block only (1); the bits are cleared
            // here and set there immediately, so each value is moved once.
            unsafe { copy_places(values, to, occupied, self.descriptor.layout.size()) };
            self.blocks[at].occupied = 0;
            fresh.blocks[at].occupied = occupied;
        }
        self.take_memory_of(fresh);
    }

    /// Returns an empty column with as many blocks, these regions, and memory for this many pieces.
    pub(super) fn with_memory_for(&self, regions: Regions, pieces: usize) -> Self {
        let mut fresh = Self::new(self.descriptor);
        fresh.blocks.resize(self.blocks.len(), Block::EMPTY);
        fresh.backing.regions = regions;
        // If one allocation of this size fails, memory comes in smaller pieces.
        let _ = fresh.backing.memory.reserve(pieces);
        fresh
    }

    /// Assigns memory to a block that has none: that of its region, or unshared.
    pub(super) fn allocate_for(&mut self, at: usize) -> NonNull<u8> {
        let Backing {
            memory,
            with_memory,
            regions,
            ..
        } = &mut *self.backing;
        let values = match regions.values_of(at) {
            Some(values) => *values.get_or_insert_with(|| memory.allocate()),
            None => memory.allocate(),
        };
        with_memory.insert(at);
        self.blocks[at].values = values;
        values
    }

    /// Takes over the blocks of another column of the same component, which now has all values.
    pub(super) fn take_memory_of(&mut self, mut other: Self) {
        core::mem::swap(&mut self.blocks, &mut other.blocks);
        core::mem::swap(&mut self.backing, &mut other.backing);
        // The past and the pool are independent of the blocks' memory.
        self.backing.past = other.backing.past.take();
        self.backing.pool = other.backing.pool.take();
    }
}
