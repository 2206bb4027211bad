//! The cell that caches a component's index.

use core::marker::PhantomData;

use super::index::RawComponentIndex;
use crate::words::atomic::{AtomicUsize, Ordering};

/// Caches a component's dense index, so that an accessor gets it with one load.
///
/// The cell is typed by context and component, and only the registry fills it. So its index is
/// right, whichever cell an implementation of [`Component::cell`] returns.
#[doc(hidden)]
#[repr(transparent)]
pub struct IndexCell<C, T> {
    number: NumberCell,
    /// Invariant in `T`, so that a type and its subtype (`for<'a> fn(&'a u8)` and
    /// `fn(&'static u8)`) have separate cells.
    marker: PhantomData<Invariant<(C, T)>>,
}

type Invariant<T> = fn(T) -> T;

/// The number in a cell: [`UNKNOWN`] until first use.
pub(crate) struct NumberCell(AtomicUsize);

/// No component has this index.
const UNKNOWN: usize = usize::MAX;

impl<C, T> IndexCell<C, T> {
    /// Creates an empty cell.
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

    /// Creates an empty cell.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self {
            number: NumberCell(AtomicUsize::new(UNKNOWN)),
            marker: PhantomData,
        }
    }

    /// Returns the number. Only the registry, which tells types apart, may fill it.
    #[inline]
    pub(crate) fn number(&self) -> &NumberCell {
        &self.number
    }
}

impl NumberCell {
    /// Returns the index, if the cell has been filled.
    #[inline]
    pub(crate) fn known(&self) -> Option<RawComponentIndex> {
        let index = self.raw();
        (index != UNKNOWN).then_some(RawComponentIndex::at(index)) // it was an index
    }

    /// Returns the index as a number, or one that no component has, so that a caller can look up
    /// the column without checking first.
    #[inline]
    pub(crate) fn raw(&self) -> usize {
        // Relaxed, so that the compiler can reuse earlier reads. The number alone publishes no
        // other memory; using it as an index into the numbering needs a fence
        // (`storage/numbering.rs`).
        self.0.load(Ordering::Relaxed)
    }

    /// Fills the cell. All threads store the same index.
    pub(crate) fn fill(&self, index: RawComponentIndex) {
        self.0.store(index.get(), Ordering::Release);
    }
}
