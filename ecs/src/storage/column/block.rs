//! The data of a column, and the invariant that everything in this folder rests on.
//!
//! **Bit `r` of `occupied` is set exactly when place `r` of `values` holds an initialized
//! value of this block.** As long as any bit is set, `values` is memory for `ROWS` values, and
//! the places whose bits are set are this block's alone. A bit is set after its value has
//! been written and cleared before its value is moved out or dropped, so no panic in
//! between can break it.

#![expect(unsafe_code, reason = "raw blocks are sent and shared between threads")]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::num::NonZeroUsize;
use core::ptr::NonNull;

use super::regions::Regions;
use super::slab::BlockMemory;
use crate::storage::bit_set::BitSet;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::past::Past;
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;
pub(crate) use crate::words::limits::ROWS;

/// The size in bytes from which on a value is large: blocks of smaller values never share
/// memory, and their columns know so when they are compiled.
pub(super) const LARGE: usize = 32;

/// Memory for `ROWS` values and which of them are there.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub(super) occupied: u64,
    pub(super) values: NonNull<u8>,
}

impl Block {
    /// The address of a block that has no memory.
    const NO_MEMORY: NonNull<u8> = NonNull::without_provenance(NonZeroUsize::MAX);

    pub(super) const EMPTY: Self = Self {
        occupied: 0,
        values: Self::NO_MEMORY,
    };

    /// Whether there is memory behind the block. A block of small values may have kept it
    /// when its last value went.
    #[inline]
    pub(super) fn has_memory(&self) -> bool {
        self.values != Self::NO_MEMORY
    }

    /// Takes away the memory behind a block without values.
    #[inline]
    pub(super) fn take_memory(&mut self) -> NonNull<u8> {
        core::mem::replace(&mut self.values, Self::NO_MEMORY)
    }
}

/// The values of one component, their type known at run time alone.
///
/// As large as a cache line, so that the column of a component is found by a shift.
#[repr(align(64))]
pub(crate) struct Column {
    pub(super) blocks: Vec<Block>,
    pub(super) backing: Box<Backing>,
    pub(super) descriptor: &'static ComponentDescriptor,
    /// Whether values are so large that their blocks may share memory, and do not keep it.
    pub(super) large: bool,
    /// Whether nothing is to be done with a value that goes: no drop, no pool.
    pub(super) plain: bool,
}

/// The memory that blocks have or get.
pub(super) struct Backing {
    pub(super) memory: BlockMemory,
    /// Which blocks have memory.
    pub(super) with_memory: BitSet,
    /// Which blocks share it.
    pub(super) regions: Regions,
    /// The block that is looked at next when kept memory is needed elsewhere.
    pub(super) hand: usize,
    /// The values that wait to be used again, if the component is `pooled`.
    pub(super) pool: Option<ValueList>,
    /// The values that a history keeps, once there is one.
    pub(super) past: Option<Box<Past>>,
}

// SAFETY: a column owns its values, and a component is `Send + Sync` (bounds of
// the trait); the raw pointers lead to memory that this column alone owns.
unsafe impl Send for Column {}
// SAFETY: `&Column` gives out shared references to values alone, and they are `Sync`.
unsafe impl Sync for Column {}

impl Column {
    /// An empty column for values of `descriptor`, without memory for any.
    pub(crate) fn new(descriptor: &'static ComponentDescriptor) -> Self {
        let backing = Backing {
            memory: BlockMemory::new(descriptor.layout, ROWS),
            with_memory: BitSet::default(),
            regions: Regions::default(),
            hand: 0,
            pool: descriptor.pooled.then(|| ValueList::new(descriptor)),
            past: None,
        };
        Self {
            blocks: Vec::new(),
            backing: Box::new(backing),
            descriptor,
            large: descriptor.layout.size() >= LARGE,
            plain: !descriptor.needs_drop && !descriptor.pooled,
        }
    }

    /// The bytes of a column that has no values, beside the column itself.
    pub(crate) const BASE: usize = size_of::<Backing>();

    /// The type of the values.
    pub(crate) fn descriptor(&self) -> &'static ComponentDescriptor {
        self.descriptor
    }

    /// Which places of a block have values, as bits.
    #[inline]
    pub(crate) fn occupied(&self, at: usize) -> u64 {
        self.blocks.get(at).map_or(0, |block| block.occupied)
    }
}

/// The bit of a row in its block.
#[inline]
pub(super) fn bit(row: Row) -> u64 {
    1 << (row.get() % ROWS)
}
