//! Whether a handle is still there: what gathers changes for it ends with it.
//!
//! It is also by which a place is known to be that of a handle still, and not of another one that was
//! made later.
//!
//! A dropped handle cannot reach its context. So the context watches it, and asks when an answer
//! costs nothing: before a list grows, and when something else of its kind is made.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::{Arc, Weak};

use once_cell::race::OnceBox;

/// The name of the system that reads a handle, if it is one of a system.
type ReaderName = OnceBox<String>;

/// The part of a handle that is watched; clones of the handle share it.
#[derive(Clone)]
pub(crate) struct Watched(Arc<ReaderName>);

/// What a context keeps of a handle. Two are equal if they are of one handle; they are not, even if the
/// first handle was dropped before the second was made.
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

    /// Notes the name of the system that reads the handle. The first name stays.
    pub(crate) fn set_reader(&self, system: &str) {
        _ = self.0.set(Box::new(String::from(system)));
    }
}

impl HandleWatch {
    /// The bytes held for as long as this is here, the handle being there or not.
    pub(crate) fn bytes(&self) -> usize {
        let is_of_a_handle = !self.0.ptr_eq(&Weak::new());
        let counts = 2 * size_of::<usize>();
        usize::from(is_of_a_handle) * (counts + size_of::<ReaderName>())
    }

    /// The name of the system that reads the handle, if it is there and one of a system.
    pub(crate) fn reader(&self) -> Option<String> {
        self.0.upgrade()?.get().cloned()
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
