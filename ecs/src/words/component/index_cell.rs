//! Where a component's index is kept once it is known.

use core::any::Any;
use core::marker::PhantomData;

use super::index::ComponentIndex;
use crate::words::atomic::{AtomicUsize, Ordering};

/// Where a component's dense index is kept once it is known, so that an
/// accessor reads it with one load.
///
/// Typed by context and component, and filled by the registry alone: whatever
/// cell an implementation of [`Component::cell`] hands out, the index read from
/// it is the right one.
#[doc(hidden)]
pub struct IndexCell<C, T> {
    /// The index; [`UNKNOWN`] until first use.
    filled: AtomicUsize,
    /// What can be done with `T` by its index: a value of a higher layer, which alone knows its
    /// type; `new`, which makes it, is there, too.
    vtable: &'static (dyn Any + Send + Sync),
    /// Invariant in `T`: of two types of which one is a subtype of the other
    /// (`for<'a> fn(&'a u8)` and `fn(&'static u8)`) each has its own cell.
    marker: PhantomData<Invariant<(C, T)>>,
}

type Invariant<T> = fn(T) -> T;

/// No component has this index.
const UNKNOWN: usize = usize::MAX;

impl<C, T> IndexCell<C, T> {
    /// An empty cell of a component with this vtable.
    #[cfg(not(loom))]
    pub(crate) const fn with_vtable(vtable: &'static (dyn Any + Send + Sync)) -> Self {
        Self {
            filled: AtomicUsize::new(UNKNOWN),
            vtable,
            marker: PhantomData,
        }
    }

    /// An empty cell of a component with this vtable.
    #[cfg(loom)]
    pub(crate) fn with_vtable(vtable: &'static (dyn Any + Send + Sync)) -> Self {
        Self {
            filled: AtomicUsize::new(UNKNOWN),
            vtable,
            marker: PhantomData,
        }
    }

    /// What can be done with `T` by its index.
    pub(crate) fn vtable(&self) -> &'static (dyn Any + Send + Sync) {
        self.vtable
    }

    /// The index, if the cell has it by now.
    #[inline]
    pub(crate) fn known(&self) -> Option<ComponentIndex> {
        let index = self.raw();
        (index != UNKNOWN).then_some(ComponentIndex::at(index)) // came from an index
    }

    /// The index as a number, or one that no component has: so whoever looks whether there is
    /// a column with it need not look here first.
    #[inline]
    pub(crate) fn raw(&self) -> usize {
        // Relaxed, so that what was read before stays known to the compiler. The number says
        // nothing of other memory; who follows it to the numbering does so behind a fence
        // (`storage/numbering.rs`).
        self.filled.load(Ordering::Relaxed)
    }

    /// The index, from `number` at the first call.
    #[inline]
    pub(crate) fn get_or_fill(&self, number: fn() -> ComponentIndex) -> ComponentIndex {
        match self.known() {
            Some(known) => known,
            None => self.fill(number),
        }
    }

    #[cold]
    #[inline(never)]
    fn fill(&self, number: fn() -> ComponentIndex) -> ComponentIndex {
        let index = number();
        self.filled.store(index.get(), Ordering::Release); // the same by every thread
        index
    }
}
