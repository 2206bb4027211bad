//! Memory for the blocks of one column: carved from growing slabs, recycled through a stack.
//!
//! Blocks carved consecutively are adjacent in memory. The first slab has one block, and each
//! further one is as large as all previous ones together, up to a limit; a reservation is one slab.
//! Slabs of 2 MiB and more are aligned to 2 MiB, so that an operating system can use huge pages.
//! Slabs are freed when the column is dropped or has moved its values to other memory.
//!
//! ```text
//! total = blocks in use + free.len() + left      left: the uncarved rest of the last slab
//! ```
//!
//! Invariant that lets queries join blocks: **a block that starts where another one ends is in the
//! same slab**, and so in the same allocation. Hence a slab ends in a byte that belongs to no
//! block:
//!
//! ```text
//! slab 0 │ block │ block │·│    slab 1 │ block │ …     slab 1 starts after the unused byte,
//!                         ▲ unused                     never where the last block ends
//! ```

#![expect(unsafe_code, reason = "owns raw memory, handed out as blocks")]

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::NonNull;

use crate::storage::heap::Heap;
use crate::storage::moved::dangling;

/// Blocks start at a cache line.
const CACHE_LINE: usize = 64;
const HUGE_PAGE: usize = 2 << 20;
const LARGEST_SLAB: usize = 32 << 20;
/// An alignment that every allocation has.
const USUAL: usize = 8;
/// The unused bytes at the end of a slab.
const GUARD: usize = 1;

/// The start of a slab and its layout.
type BlockSlab = (NonNull<u8>, Layout);

/// Memory cannot be allocated: the allocator failed, or the size exceeds the address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfMemory;

/// The memory of one column's blocks, all of one layout.
pub(super) struct BlockMemory {
    block: Layout,
    slabs: Vec<BlockSlab>,
    free: Vec<NonNull<u8>>,
    /// The uncarved rest of the last slab.
    next: NonNull<u8>,
    left: usize,
    total: usize,
}

impl BlockMemory {
    /// Creates memory for blocks of `rows` values of layout `value`. Does not allocate.
    ///
    /// # Panics
    ///
    /// Panics if a block exceeds the address space.
    pub(super) fn new(value: Layout, rows: usize) -> Self {
        let bytes = value
            .size()
            .checked_mul(rows)
            .expect("a block of values fits into memory");
        let align = if bytes == 0 {
            value.align()
        } else {
            value.align().max(CACHE_LINE)
        };
        let block =
            Layout::from_size_align(bytes, align).expect("a block of values fits into memory");
        let next = dangling(block);
        Self {
            block,
            slabs: Vec::new(),
            free: Vec::new(),
            next,
            left: 0,
            total: 0,
        }
    }

    /// Returns an unused block. Its contents are uninitialized.
    pub(super) fn allocate(&mut self) -> NonNull<u8> {
        if let Some(block) = self.take_spare() {
            return block;
        }
        self.grow(1);
        self.carve()
    }

    /// Returns an unused block if that needs no new slab. Its contents are uninitialized.
    #[inline]
    pub(super) fn take_spare(&mut self) -> Option<NonNull<u8>> {
        if let Some(block) = self.free.pop() {
            Some(block)
        } else if self.left > 0 {
            Some(self.carve())
        } else {
            (self.block.size() == 0).then(|| dangling(self.block))
        }
    }

    /// Carves the next block from the last slab, which must have one left.
    fn carve(&mut self) -> NonNull<u8> {
        let block = self.next;
        self.left -= 1;
        if self.left > 0 {
            // SAFETY: the slab still has `left` ≥ 1 blocks from `next + size`, so the sum is inside
            // its allocation.
            self.next = unsafe { block.add(self.block.size()) };
        }
        block
    }

    /// Takes back a block returned by [`allocate`](Self::allocate) that is no longer used.
    pub(super) fn release(&mut self, block: NonNull<u8>) {
        if self.block.size() != 0 {
            self.free.push(block);
        }
    }

    /// Ensures that the next `blocks` allocations need no new slab; allocates at most one. On error
    /// nothing has changed.
    pub(super) fn reserve(&mut self, blocks: usize) -> Result<(), OutOfMemory> {
        match blocks.checked_sub(self.spare()) {
            None | Some(0) => Ok(()),
            Some(_) if self.block.size() == 0 => Ok(()),
            Some(missing) => self.add_slab(missing),
        }
    }

    /// Returns the number of unused blocks.
    pub(super) fn spare(&self) -> usize {
        self.free.len() + self.left
    }

    /// Returns the number of blocks, used or not.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// Returns the number of blocks in use.
    #[cfg(test)]
    fn in_use(&self) -> usize {
        self.total - self.spare()
    }

    /// Panics if a used block is not from these slabs, or is also free, or if blocks are missing.
    /// `used` has each used block once.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self, used: &[NonNull<u8>]) {
        if self.block.size() == 0 {
            return;
        }
        let rest = (0..self.left).map(|at| self.next.addr().get() + at * self.block.size());
        let free = self.free.iter().chain(used).map(|block| block.addr().get());
        let mut blocks: Vec<_> = free.chain(rest).collect();
        blocks.sort_unstable();
        let all = self.slabs.iter().flat_map(|&(slab, layout)| {
            let first = self.first_block(slab).addr().get();
            let room = slab.addr().get() + layout.size() - GUARD - first;
            (0..room / self.block.size()).map(move |at| first + at * self.block.size())
        });
        let is_of_a_slab = |block: &usize| all.clone().any(|other| other == *block);
        assert!(blocks.iter().all(is_of_a_slab), "slabs: a block of none");
        assert!(
            blocks.is_sorted_by(|a, b| a < b),
            "slabs: a block appears twice"
        );
        assert_eq!(blocks.len(), self.total, "slabs: a block is lost");
    }

    pub(super) fn block_size(&self) -> usize {
        self.block.size()
    }

    /// Ensures that the next `blocks` allocations need no new slab, as part of growing: the slab
    /// can be larger. Aborts if memory cannot be allocated.
    pub(super) fn provide(&mut self, blocks: usize) {
        let missing = blocks.saturating_sub(self.spare());
        if missing > 0 && self.block.size() > 0 {
            self.grow(missing);
        }
    }

    /// Adds the next slab of the growth sequence with at least `least` blocks, or with just as many
    /// if it cannot be larger.
    #[cold]
    fn grow(&mut self, least: usize) {
        let size = self.block.size();
        let most = (LARGEST_SLAB / size).max(1);
        let mut blocks = self.total.clamp(1, most).max(least);
        let bytes = blocks.saturating_mul(size).saturating_add(GUARD);
        if bytes >= HUGE_PAGE {
            let whole = bytes.checked_next_multiple_of(HUGE_PAGE).unwrap_or(bytes);
            blocks = (whole - GUARD) / size;
        }
        if self.add_slab(blocks).is_err() && self.add_slab(least).is_err() {
            handle_alloc_error(self.block)
        }
    }

    /// Adds a slab of `blocks`, at least one.
    fn add_slab(&mut self, blocks: usize) -> Result<(), OutOfMemory> {
        let layout = self.slab(blocks).ok_or(OutOfMemory)?;
        let room = (self.slabs.capacity(), self.free.capacity());
        let Some(start) = self.allocate_slab(layout, blocks) else {
            self.slabs.shrink_to(room.0);
            self.free.shrink_to(room.1);
            return Err(OutOfMemory);
        };
        self.carve_rest();
        self.slabs.push((start, layout));
        self.next = self.first_block(start);
        self.left = blocks;
        self.total += blocks;
        Ok(())
    }

    /// Reserves space in the lists for a slab and its blocks, so that none is needed later, and
    /// allocates the slab.
    fn allocate_slab(&mut self, layout: Layout, blocks: usize) -> Option<NonNull<u8>> {
        self.slabs.try_reserve(1).ok()?;
        let more = (self.total - self.free.len()).checked_add(blocks)?;
        self.free.try_reserve_exact(more).ok()?;
        // SAFETY: the layout's size is not zero: at least one block of non-zero size.
        NonNull::new(unsafe { alloc(layout) })
    }

    /// Returns the layout of a slab.
    ///
    /// Slabs of blocks aligned to cache lines are aligned manually: an allocator may split memory
    /// for an aligned request, and then cannot reuse it for the same request, but takes new pages.
    fn slab(&self, blocks: usize) -> Option<Layout> {
        let bytes = blocks.checked_mul(self.block.size())?.checked_add(GUARD)?;
        if bytes >= HUGE_PAGE && self.block.size() < HUGE_PAGE {
            return Layout::from_size_align(bytes, HUGE_PAGE.max(self.block.align())).ok();
        }
        let align = self.block.align();
        if align > CACHE_LINE {
            return Layout::from_size_align(bytes, align).ok();
        }
        Layout::from_size_align(bytes.checked_add(align - USUAL)?, USUAL).ok()
    }

    /// Returns the first block of a slab.
    fn first_block(&self, slab: NonNull<u8>) -> NonNull<u8> {
        let to_go = slab.addr().get().wrapping_neg() % self.block.align();
        // SAFETY: a slab that is not aligned like its blocks has spare bytes for that (`slab`).
        unsafe { slab.add(to_go) }
    }

    /// Moves the uncarved rest of the last slab to the stack, its first block on top, because a new
    /// slab replaces it.
    fn carve_rest(&mut self) {
        for at in (0..self.left).rev() {
            // SAFETY: the slab still has `left` blocks from `next`.
            self.free
                .push(unsafe { self.next.add(at * self.block.size()) });
        }
    }
}

impl Drop for BlockMemory {
    fn drop(&mut self) {
        for (start, layout) in self.slabs.drain(..) {
            // SAFETY: allocated by `add_slab` with this layout, and freed once.
            unsafe { dealloc(start.as_ptr(), layout) };
        }
    }
}

impl Heap for BlockMemory {
    fn bytes(&self) -> usize {
        let slabs: usize = self.slabs.iter().map(|(_, layout)| layout.size()).sum();
        slabs + self.slabs.bytes() + self.free.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_disjoint_and_reused() {
        for (size, align) in [(1, 1), (12, 4), (4096, 4096), (65_536, 8)] {
            let value = Layout::from_size_align(size, align).unwrap();
            let mut memory = BlockMemory::new(value, 64);
            let mut blocks: Vec<_> = (0..40).map(|_| memory.allocate()).collect();
            assert!(
                blocks
                    .iter()
                    .all(|block| block.addr().get() % align.max(64) == 0)
            );
            blocks.sort_unstable();
            assert!(
                blocks
                    .windows(2)
                    .all(|pair| pair[1].addr().get() - pair[0].addr().get() >= size * 64)
            );
            let last = blocks[7];
            memory.release(last);
            assert_eq!(memory.allocate(), last);
        }
    }

    #[test]
    fn values_without_a_size_take_no_memory() {
        let value = Layout::from_size_align(0, 4096).unwrap();
        let mut memory = BlockMemory::new(value, 64);
        assert_eq!(memory.allocate().addr().get() % 4096, 0);
        assert!(memory.slabs.is_empty());
    }

    #[test]
    fn a_reservation_is_one_slab_of_adjacent_blocks() {
        let mut memory = BlockMemory::new(Layout::new::<[f32; 3]>(), 64);
        (0..5).for_each(|_| _ = memory.allocate());
        memory.reserve(100).unwrap();
        let slabs = memory.slabs.len();
        let mut blocks: Vec<_> = (0..100).map(|_| memory.allocate().addr().get()).collect();
        assert_eq!((memory.slabs.len(), memory.in_use()), (slabs, 105));
        let rest: Vec<_> = blocks.drain(..3).collect(); // from the previous slab
        assert!(rest.windows(2).all(|pair| pair[1] == pair[0] + 768));
        assert!(blocks.windows(2).all(|pair| pair[1] == pair[0] + 768));
    }

    #[test]
    fn a_failed_reservation_changes_nothing() {
        let mut memory = BlockMemory::new(Layout::new::<[u64; 2]>(), 64);
        let first = memory.allocate();
        memory.slabs.shrink_to_fit(); // the next slab needs space in the list
        let (bytes, most) = (memory.bytes(), isize::MAX as usize);
        let room = match 1_usize.checked_shl(37) {
            Some(room) if !cfg!(miri) => room, // more than any machine has
            _ => most,                         // Miri would try to get the memory
        };
        for blocks in [usize::MAX, most, most / 1024, room] {
            assert_eq!(memory.reserve(blocks), Err(OutOfMemory));
        }
        assert_eq!((memory.total, memory.in_use()), (1, 1));
        assert_eq!(memory.bytes(), bytes);
        memory.release(first);
        assert_eq!(memory.allocate(), first);
        let mut flags = BlockMemory::new(Layout::new::<()>(), 64);
        assert_eq!(flags.reserve(usize::MAX), Ok(()));
    }

    #[test]
    fn consecutive_blocks_are_adjacent() {
        let mut memory = BlockMemory::new(Layout::new::<[f32; 3]>(), 64);
        let blocks: Vec<_> = (0..64).map(|_| memory.allocate().addr().get()).collect();
        let joined = blocks
            .windows(2)
            .filter(|pair| pair[1] == pair[0] + 768)
            .count();
        assert!(joined >= 56, "{joined}");
    }

    #[test]
    fn adjacent_blocks_are_in_one_slab() {
        for size in [1, 12, 256, 4096, 65_536] {
            let value = Layout::from_size_align(size, 1).unwrap();
            let mut memory = BlockMemory::new(value, 64);
            let mut blocks: Vec<_> = (0..300).map(|_| memory.allocate().addr().get()).collect();
            blocks.sort_unstable();
            let slab_of = |address: usize| {
                let contains = |(start, layout): &(NonNull<u8>, Layout)| {
                    (start.addr().get()..start.addr().get() + layout.size()).contains(&address)
                };
                memory.slabs.iter().position(contains)
            };
            for pair in blocks.windows(2) {
                let touch = pair[1] == pair[0] + size * 64;
                assert_eq!(touch, slab_of(pair[0]) == slab_of(pair[1]));
            }
            for &(start, layout) in &memory.slabs {
                let first = memory.first_block(start).addr().get();
                let end = start.addr().get() + layout.size();
                let last = blocks.iter().rev().find(|&&block| block < end).unwrap();
                assert!(blocks.contains(&first));
                assert!(last + size * 64 < end, "a byte at the end is unused");
            }
        }
    }

    #[test]
    fn large_slabs_fill_whole_pages_and_are_bounded() {
        for size in [1_000, 4_096, 65_536, 100_000] {
            let value = Layout::from_size_align(size, 8).unwrap();
            let (mut memory, block) = (BlockMemory::new(value, 64), size * 64);
            while memory.total * block < 4 * LARGEST_SLAB {
                memory.allocate();
            }
            assert!(memory.slabs.len() < 30, "they double until then");
            let slabs = memory.slabs.iter().map(|(_, layout)| layout.size());
            for slab in slabs.filter(|&slab| slab >= HUGE_PAGE) {
                assert!(slab <= LARGEST_SLAB + block.max(HUGE_PAGE));
                let rest = slab.next_multiple_of(HUGE_PAGE) - slab;
                assert!(rest < block, "{slab}: another block has room in {rest}");
            }
        }
    }

    #[test]
    fn slabs_and_lists_count_as_memory() {
        let mut memory = BlockMemory::new(Layout::new::<[f32; 3]>(), 64);
        let blocks: Vec<_> = (0..100).map(|_| memory.allocate()).collect();
        blocks.iter().for_each(|&block| memory.release(block));
        memory.reserve(1_000).unwrap();
        let slabs: usize = memory.slabs.iter().map(|(_, layout)| layout.size()).sum();
        let lists = memory.slabs.capacity() * size_of::<BlockSlab>()
            + memory.free.capacity() * size_of::<usize>();
        assert_eq!(memory.bytes(), slabs + lists);
        assert_eq!(memory.free.capacity(), memory.total);
    }
}
