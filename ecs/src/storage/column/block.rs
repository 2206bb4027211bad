//! The data of a column, and the invariant of everything in this folder.
//!
//! **Bit `r` of `occupied` is set exactly when place `r` of `values` holds an initialized value of
//! this block.** While any bit is set, `values` points to memory for `ROWS` values, and the places
//! whose bits are set belong to this block only. A bit is set after its value is written, and
//! cleared before its value is moved or dropped, so no panic in between can break the invariant.

#![expect(unsafe_code, reason = "raw blocks are sent and shared between threads")]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ptr::NonNull;

use super::block_memory::BlockMemory;
use super::regions::Regions;
use crate::storage::bit_set::BitSet;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::past::Past;
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;
pub(crate) use crate::words::limits::ROWS;

/// The minimum size in bytes of a large value. Blocks of smaller values never share memory, which
/// their columns know at compile time.
pub(super) const LARGE: usize = 32;

/// Memory for `ROWS` values, and the bits of the initialized ones.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) occupied: u64,
    pub(super) values: NonNull<u8>,
}

impl Block {
    /// The address of a block without memory.
    const NO_MEMORY: NonNull<u8> = {
        let place = core::ptr::without_provenance_mut(usize::MAX);
        NonNull::new(place).expect("the address is not zero")
    };

    pub(super) const EMPTY: Self = Self {
        occupied: 0,
        values: Self::NO_MEMORY,
    };

    /// Returns whether the block has memory. A block of small values can keep it after its last
    /// value was removed.
    #[inline]
    pub(super) fn has_memory(&self) -> bool {
        self.values != Self::NO_MEMORY
    }

    /// Takes the memory from a block without values.
    #[inline]
    pub(super) fn take_memory(&mut self) -> NonNull<u8> {
        core::mem::replace(&mut self.values, Self::NO_MEMORY)
    }
}

/// The values of one component, without their type.
///
/// The size of a cache line, so that the column of a component is found by a shift.
#[repr(align(64))]
pub(crate) struct Column {
    pub(super) blocks: Vec<Block>,
    pub(super) backing: Box<Backing>,
    pub(super) descriptor: &'static ComponentDescriptor,
    /// Whether values are large, so that sparse blocks share memory and empty blocks do not keep
    /// it.
    pub(super) large: bool,
    /// Whether removed values need neither a drop nor a pool.
    pub(super) plain: bool,
}

/// The memory of a column's blocks.
pub(super) struct Backing {
    pub(super) memory: BlockMemory,
    /// The blocks that have memory.
    pub(super) with_memory: BitSet,
    /// The blocks that share memory.
    pub(super) regions: Regions,
    /// The next block to check when kept memory is needed elsewhere.
    pub(super) hand: usize,
    /// The pooled values, if the component is `pooled`.
    pub(super) pool: Option<ValueList>,
    /// The values kept by a history, if there is one.
    pub(super) past: Option<Box<Past>>,
}

// SAFETY: a column owns its values and their memory. The values are `Send + Sync`, or the column stays on one
// thread (1 and 2 in `words/demands.rs`).
unsafe impl Send for Column {}
// SAFETY: as above; `&Column` gives only shared references to values.
unsafe impl Sync for Column {}

impl Column {
    /// Creates an empty column for values of `descriptor`, without memory.
    pub(crate) fn new(descriptor: &'static ComponentDescriptor) -> Self {
        let backing = Backing {
            memory: BlockMemory::new(descriptor.layout, ROWS),
            with_memory: BitSet::default(),
            regions: Regions::default(),
            hand: 0,
            pool: descriptor.pools().then(|| ValueList::new(descriptor)),
            past: None,
        };
        Self {
            blocks: Vec::new(),
            backing: Box::new(backing),
            descriptor,
            large: descriptor.layout.size() >= LARGE,
            plain: !descriptor.needs_drop && !descriptor.pools(),
        }
    }

    /// The memory in bytes of an empty column, except for the column itself.
    pub(crate) const BASE: usize = size_of::<Backing>();

    pub(crate) fn descriptor(&self) -> &'static ComponentDescriptor {
        self.descriptor
    }

    /// Returns the bits of the places of a block that have values.
    #[inline]
    pub(crate) fn occupied(&self, at: usize) -> u64 {
        self.blocks.get(at).map_or(0, |block| block.occupied)
    }
}

#[inline]
pub(super) fn bit(row: Row) -> u64 {
    1 << (row.get() % ROWS)
}
