//! Where a component's index is kept once it is known.

use core::marker::PhantomData;

use super::index::RawComponentIndex;
use crate::words::atomic::{AtomicUsize, Ordering};

/// Where a component's dense index is kept once it is known, so that an
/// accessor reads it with one load.
///
/// Typed by context and component, and filled by the registry alone: whatever
/// cell an implementation of [`Component::cell`] hands out, the index read from
/// it is the right one.
#[doc(hidden)]
#[repr(transparent)]
pub struct IndexCell<C, T> {
    number: NumberCell,
    /// Invariant in `T`: of two types of which one is a subtype of the other
    /// (`for<'a> fn(&'a u8)` and `fn(&'static u8)`) each has its own cell.
    marker: PhantomData<Invariant<(C, T)>>,
}

type Invariant<T> = fn(T) -> T;

/// The number in a cell, [`UNKNOWN`] until first use.
pub(crate) struct NumberCell(AtomicUsize);

/// No component has this index.
const UNKNOWN: usize = usize::MAX;

impl<C, T> IndexCell<C, T> {
    /// An empty cell.
    #[cfg(not(loom))]
    #[expect(
        clippy::new_without_default,
        reason = "made in statics by the derive alone"
    )]
    pub const fn new() -> Self {
        Self {
            number: NumberCell(AtomicUsize::new(UNKNOWN)),
            marker: PhantomData,
        }
    }

    /// An empty cell.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self {
            number: NumberCell(AtomicUsize::new(UNKNOWN)),
            marker: PhantomData,
        }
    }

    /// The number in it. Only the registry, which tells the types apart, may fill it.
    #[inline]
    pub(crate) fn number(&self) -> &NumberCell {
        &self.number
    }
}

impl NumberCell {
    /// The index, if the cell has it by now.
    #[inline]
    pub(crate) fn known(&self) -> Option<RawComponentIndex> {
        let index = self.raw();
        (index != UNKNOWN).then_some(RawComponentIndex::at(index)) // came from an index
    }

    /// The index as a number, or one that no component has: so whoever looks whether there is
    /// a column with it need not look here first.
    #[inline]
    pub(crate) fn raw(&self) -> usize {
        // Relaxed, so that what was read before stays known to the compiler. The number says
        // nothing of other memory; who follows it to the numbering does so behind a fence
        // (`storage/numbering.rs`).
        self.0.load(Ordering::Relaxed)
    }

    /// Fills the cell, in each thread with the same index.
    pub(crate) fn fill(&self, index: RawComponentIndex) {
        self.0.store(index.get(), Ordering::Release);
    }
}
