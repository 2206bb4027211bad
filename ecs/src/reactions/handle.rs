//! Whether a handle is still there: what gathers changes for it ends with it.
//!
//! It is also by which a place is known to be that of a handle still, and not of another one that was
//! made later.
//!
//! A dropped handle cannot reach its context. So the context watches it, and asks when an answer
//! costs nothing: before a list grows, and when something else of its kind is made.

use alloc::sync::{Arc, Weak};

/// The part of a handle that is watched; clones of the handle share it.
#[derive(Clone)]
pub(crate) struct Watched(Arc<()>);

/// What a context keeps of a handle. Two are equal if they are of one handle; they are not, even if the
/// first handle was dropped before the second was made.
#[derive(Clone, Default)]
pub(crate) struct Watch(Weak<()>);

impl PartialEq for Watch {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

impl Watched {
    pub(crate) fn new() -> Self {
        Self(Arc::new(()))
    }

    pub(crate) fn watch(&self) -> Watch {
        Watch(Arc::downgrade(&self.0))
    }
}

impl Watch {
    /// The bytes held for as long as this is here, the handle being there or not.
    pub(crate) fn bytes(&self) -> usize {
        let is_of_a_handle = !self.0.ptr_eq(&Weak::new());
        usize::from(is_of_a_handle) * 2 * size_of::<usize>() // the counts of an `Arc<()>`
    }

    /// The part of the handle, to be shared by another one, unless it has been dropped.
    pub(crate) fn watched(&self) -> Option<Watched> {
        self.0.upgrade().map(Watched)
    }

    /// Whether the handle has been dropped.
    pub(crate) fn is_dropped(&self) -> bool {
        self.0.strong_count() == 0
    }
}
