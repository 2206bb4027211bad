//! The memory behind blocks: [`claim`](Column::claim) puts it there, and
//! [`release`](Column::release) takes it back. Nothing above them knows whose it is.
//!
//! The value of a row is at place `row % ROWS` of its block's memory, always. So blocks of
//! which different places are occupied can have the same memory, a *region*:
//!
//! ```text
//! block  3   occupied 0b…0100_0001 ─┐
//! block  9   occupied 0b…0000_0100 ─┼─► region   taken 0b…0101_0111   values ─► [T; 64]
//! block 12   occupied 0b…0001_0010 ─┘
//! ```
//!
//! Blocks of large values share regions as long as they have few: a thousand entities with 64
//! bytes each take little more than 64 kB, whatever rows they have. Blocks of small values have
//! memory of their own, and keep it when their last value goes, until another block needs it.
//!
//! The invariants:
//!
//! 1. **No place of a region is given to two blocks** (`regions.rs`), and a block that shares
//!    has values at places only that it has claimed. So occupied places are different memory
//!    for different rows, as in memory of its own.
//! 2. A block that shares has values, and few. A block of large values that has none has no
//!    memory.
//! 3. Values move, bit by bit, by functions that hold the column exclusively, so while
//!    nobody has a reference to them.
//!
//! A block never takes more memory by sharing: a region is used by at least one block, and a
//! block uses at most one.

#![expect(unsafe_code, reason = "moves values between raw blocks")]

use alloc::vec::Vec;
use core::ptr::NonNull;

use super::block::{Backing, Block, Column, ROWS};
use super::pieces::copy_places;
use super::regions::Regions;

/// How many values a block that shares has at most: with more of them, places that are
/// all free in one region are hard to find. With 8, adding to and removing from a random
/// tenth of the rows takes half as long again, and a hundredth takes no less memory.
const FEW: u32 = if ROWS == 64 { 4 } else { 2 };

/// A block after one with so many values will have many, too.
const MANY: u32 = ROWS as u32 / 2;

/// How many blocks are looked at for memory that they have kept, before there is more. So
/// one block in a hundred keeps memory that others need, and hardly more.
const LOOKS: usize = 256;

impl Column {
    /// A block with memory at some places; they are the block's from now on. The caller puts
    /// values there at once and sets their bits, or says by [`release`](Self::release) at
    /// which places it has not.
    ///
    /// # Panics
    ///
    /// Panics if one of the places has a value, which would be written over.
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

    /// Clears the bits of places whose values are moved out or dropped by the caller, or were
    /// never put there, and takes back the memory behind them as far as it is not kept.
    #[inline]
    pub(super) fn release(&mut self, at: usize, bits: u64) {
        let block = &mut self.blocks[at];
        block.occupied &= !bits;
        if self.large && (block.occupied == 0 || self.shares(at)) {
            self.take_back(at, bits);
        }
    }

    /// A block with memory of its own, whatever is in it.
    pub(super) fn claim_whole(&mut self, at: usize) -> &mut Block {
        self.give_own(at);
        &mut self.blocks[at]
    }

    /// Whether a block shares its memory.
    #[inline]
    pub(super) fn shares(&self, at: usize) -> bool {
        self.backing.regions.contains(at)
    }

    /// Puts memory behind some places of a block, if it has none yet or shares it.
    #[inline(never)]
    fn prepare(&mut self, at: usize, bits: u64) {
        if self.large && (bits.count_ones() <= FEW || self.shares(at)) {
            self.prepare_few(at, bits);
        } else {
            self.open(at);
        }
    }

    /// Does so for a block that may share, or shares already.
    #[cold]
    #[inline(never)]
    fn prepare_few(&mut self, at: usize, bits: u64) {
        if self.is_to_share(at, self.occupied(at) | bits) {
            self.share(at, bits);
        } else {
            self.give_own(at);
        }
    }

    /// Gives a block memory of its own if it has none, or shares what it has.
    fn give_own(&mut self, at: usize) {
        if self.large && self.shares(at) {
            self.unshare(at);
        } else if !self.blocks.get(at).is_some_and(Block::has_memory) {
            self.open(at);
        }
    }

    /// Gives a block places of a region that all its values fit into.
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

    /// Takes memory back when bits of a block have been cleared: these places of a region, or
    /// all of its own if no bit is set any more.
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

    /// Puts memory of its own behind a block that has none.
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

    /// Memory for a block if none is spare: what another block has kept, or more.
    #[cold]
    #[inline(never)]
    fn find_memory(&mut self) -> NonNull<u8> {
        self.reclaim(LOOKS);
        self.backing.memory.allocate()
    }

    /// Takes the memory back that some blocks without values have kept, those that come next.
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

    /// Gives a block that shares memory of its own.
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
            return; // nobody else was there
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

    /// Whether a block shares that has, or gets, values at these places.
    fn is_to_share(&self, at: usize, bits: u64) -> bool {
        let follows_many = || {
            let before = at.checked_sub(1).map(|before| self.blocks.get(before));
            before
                .is_none_or(|block| block.is_some_and(|block| block.occupied.count_ones() >= MANY))
        };
        bits.count_ones() <= FEW && (self.shares(at) || !follows_many())
    }

    /// Moves the values of a block to memory that it has been given at the same places.
    fn move_values(&mut self, at: usize, to: NonNull<u8>) {
        let block = &mut self.blocks[at];
        // SAFETY: values of `descriptor` are where bits are set. They go to other memory with
        // room for `ROWS` of them, to places that are this block's and hold nothing yet; so
        // nobody else's value is there (1). From now on they are looked for there, so
        // each is moved once.
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

    /// Moves all values to fresh memory of just the blocks that it takes, if there is
    /// more, and has those that are sparse share it. Rows stay.
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

    /// Which blocks would share what, and how many would not.
    ///
    /// Never more regions than now: blocks that share one now are tried one after the
    /// other, and of these a new one has room for all that it comes to.
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
            // SAFETY: values of `descriptor` are where bits are set. They go to memory of `fresh`, to
            // places that it has for this block alone (1); the bits are cleared here and set
            // there right after, so each is moved once.
            unsafe { copy_places(values, to, occupied, self.descriptor.layout.size()) };
            self.blocks[at].occupied = 0;
            fresh.blocks[at].occupied = occupied;
        }
        self.take_memory_of(fresh);
    }

    /// An empty column with as many blocks, some of which are to share regions, and so many pieces of
    /// memory.
    pub(super) fn with_memory_for(&self, regions: Regions, pieces: usize) -> Self {
        let mut fresh = Self::new(self.descriptor);
        fresh.blocks.resize(self.blocks.len(), Block::EMPTY);
        fresh.backing.regions = regions;
        // If memory has no piece so large, it comes in pieces.
        let _ = fresh.backing.memory.reserve(pieces);
        fresh
    }

    /// The memory of a block that has none yet, or of the region that it is to share.
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

    /// Takes the blocks of another column of the same component, which has all the values.
    pub(super) fn take_memory_of(&mut self, mut other: Self) {
        core::mem::swap(&mut self.blocks, &mut other.blocks);
        core::mem::swap(&mut self.backing, &mut other.backing);
        // What is kept beside the values is no matter of their memory.
        self.backing.past = other.backing.past.take();
        self.backing.pool = other.backing.pool.take();
    }

    /// The bytes of the memory behind blocks.
    pub(super) fn backing_bytes(&self) -> usize {
        let Backing {
            memory,
            with_memory,
            regions,
            ..
        } = &*self.backing;
        memory.bytes() + with_memory.bytes() + regions.bytes()
    }
}
