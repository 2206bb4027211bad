//! Memory for the blocks of one column: carved from growing slabs, recycled
//! through a stack.
//!
//! Blocks carved one after the other are neighbours in memory. The first slab is
//! one block, each further one as large as all before it, up to a limit; slabs of
//! 2 MiB and more are aligned to that, so that an operating system can back them
//! with huge pages. A slab is returned when the column is dropped.
//!
//! The invariant that queries join blocks by: **a block that starts where another one
//! ends is of the same slab**, and so of the same allocation. Hence a slab ends in a
//! byte that no block has:
//!
//! ```text
//! slab 0 │ block │ block │·│    slab 1 │ block │ …     at best slab 1 starts after the byte,
//!                        ▲ nobody's                   never where the last block ends
//! ```

#![expect(unsafe_code, reason = "owns raw memory, handed out as blocks")]

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::NonNull;

/// A block starts at a cache line.
const CACHE_LINE: usize = 64;
const HUGE_PAGE: usize = 2 << 20;
const LARGEST_SLAB: usize = 32 << 20;
/// What a slab has beyond its blocks.
const NOBODYS: usize = 1;

/// The memory of one column's blocks, all of one layout.
pub(super) struct BlockMemory {
    block: Layout,
    slabs: Vec<(NonNull<u8>, Layout)>,
    free: Vec<NonNull<u8>>,
    /// The uncarved rest of the last slab.
    next: NonNull<u8>,
    left: usize,
    total: usize,
}

impl BlockMemory {
    /// Memory for blocks of `rows` values of layout `value`; allocates nothing yet.
    ///
    /// # Panics
    ///
    /// Panics where a block would be larger than the address space allows.
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

    /// A block that nobody else has; its contents are not initialized.
    pub(super) fn allocate(&mut self) -> NonNull<u8> {
        if self.block.size() == 0 {
            return dangling(self.block);
        }
        if let Some(block) = self.free.pop() {
            return block;
        }
        if self.left == 0 {
            self.add_slab(1);
        }
        self.carve()
    }

    /// Carves the next block from the last slab, which has one left.
    fn carve(&mut self) -> NonNull<u8> {
        let block = self.next;
        self.left -= 1;
        if self.left > 0 {
            // SAFETY: the slab still has `left` ≥ 1 blocks from `next + size` on,
            // so the sum stays inside its allocation.
            self.next = unsafe { block.add(self.block.size()) };
        }
        block
    }

    /// Takes a block back that [`allocate`](Self::allocate) gave and nobody uses.
    pub(super) fn release(&mut self, block: NonNull<u8>) {
        if self.block.size() != 0 {
            self.free.push(block);
        }
    }

    /// Has memory ready for so many blocks, what is missing as one slab.
    pub(super) fn reserve(&mut self, blocks: usize) {
        let missing = blocks.saturating_sub(self.free.len() + self.left);
        if missing == 0 || self.block.size() == 0 {
            return;
        }
        let rest: Vec<_> = core::iter::from_fn(|| (self.left > 0).then(|| self.carve())).collect();
        self.free.extend(rest.into_iter().rev()); // the first one on top
        self.add_slab(missing);
    }

    /// Adds a slab of at least so many blocks.
    fn add_slab(&mut self, least: usize) {
        let (layout, blocks) = self.next_slab(least);
        self.slabs.reserve(1);
        self.free.reserve(self.total + blocks);
        // SAFETY: the layout's size is not zero: at least one block of non-zero size.
        let Some(start) = NonNull::new(unsafe { alloc(layout) }) else {
            handle_alloc_error(layout)
        };
        self.slabs.push((start, layout));
        self.next = start;
        self.left = blocks;
        self.total += blocks;
    }

    /// The layout of the next slab, of at least so many blocks, and their number.
    fn next_slab(&self, least: usize) -> (Layout, usize) {
        let size = self.block.size();
        let most = (LARGEST_SLAB / size).max(1);
        let mut blocks = self.total.clamp(1, most).max(least);
        let mut align = self.block.align();
        if blocks * size >= HUGE_PAGE && size < HUGE_PAGE {
            align = align.max(HUGE_PAGE);
            blocks = ((blocks * size + NOBODYS).next_multiple_of(HUGE_PAGE) - NOBODYS) / size;
        }
        let layout = Layout::from_size_align(blocks * size + NOBODYS, align);
        (layout.expect("a slab of blocks fits into memory"), blocks)
    }
}

impl Drop for BlockMemory {
    fn drop(&mut self) {
        for (start, layout) in self.slabs.drain(..) {
            // SAFETY: allocated by `add_slab` with this very layout, freed once.
            unsafe { dealloc(start.as_ptr(), layout) };
        }
    }
}

/// A well-aligned address for values without a size.
fn dangling(layout: Layout) -> NonNull<u8> {
    let align = core::num::NonZeroUsize::new(layout.align());
    NonNull::without_provenance(align.expect("an alignment is never zero"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_apart_and_reused() {
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
    fn blocks_carved_in_turn_are_neighbours() {
        let mut memory = BlockMemory::new(Layout::new::<[f32; 3]>(), 64);
        let blocks: Vec<_> = (0..64).map(|_| memory.allocate().addr().get()).collect();
        let joined = blocks
            .windows(2)
            .filter(|pair| pair[1] == pair[0] + 768)
            .count();
        assert!(joined >= 56, "{joined}");
    }

    #[test]
    fn blocks_that_touch_are_of_one_slab() {
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
            let (start, layout) = memory.slabs[0];
            assert!(blocks.contains(&start.addr().get()));
            assert_eq!(layout.size() % (size * 64), NOBODYS);
        }
    }
}
