//! Detects whether a handle has been dropped, so that the collection of changes for it ends. Also
//! distinguishes a handle from a later one with the same index.
//!
//! A dropped handle cannot reach its context. So the context watches it, and checks when that is
//! cheap: before a list grows, and when another handle of the same kind is created.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::{Arc, Weak};

use once_cell::race::OnceBox;

use crate::storage::heap::Heap;

/// The name of the system that reads a handle, if any.
type ReaderName = OnceBox<String>;

/// The watched part of a handle, shared by its clones.
#[derive(Clone)]
pub(crate) struct Watched(Arc<ReaderName>);

/// The context's side of a handle. Two are equal only if they watch the same handle, even if the
/// first handle was dropped before the second was created.
#[derive(Clone, Default)]
pub(crate) struct HandleWatch(Weak<ReaderName>);

impl PartialEq for HandleWatch {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

impl Watched {
    pub(crate) fn new() -> Self {
        Self(Arc::new(ReaderName::new()))
    }

    pub(crate) fn watch(&self) -> HandleWatch {
        HandleWatch(Arc::downgrade(&self.0))
    }

    /// Sets the name of the system that reads the handle. Only the first call has an effect.
    pub(crate) fn set_reader(&self, system: &str) {
        _ = self.0.set(Box::new(String::from(system)));
    }
}

impl Heap for HandleWatch {
    /// What is allocated while this exists, whether or not the handle does.
    fn bytes(&self) -> usize {
        let is_of_a_handle = !self.0.ptr_eq(&Weak::new());
        let counts = 2 * size_of::<usize>();
        usize::from(is_of_a_handle) * (counts + size_of::<ReaderName>())
    }
}

impl HandleWatch {
    /// The name of the system that reads the handle, if the handle exists and a system reads it.
    pub(crate) fn reader(&self) -> Option<String> {
        self.0.upgrade()?.get().cloned()
    }

    /// The part of the handle to share with another one, unless it has been dropped.
    pub(crate) fn watched(&self) -> Option<Watched> {
        self.0.upgrade().map(Watched)
    }

    pub(crate) fn is_dropped(&self) -> bool {
        self.0.strong_count() == 0
    }
}
