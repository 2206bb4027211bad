//! Loom's atomics instead of those of `core`, and a cell of `once_cell` built with them.

pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence};

/// Does what `once_cell::race::OnceBox` does, with the same orderings.
pub(crate) struct OnceBox<T> {
    inner: AtomicPtr<T>,
}

impl<T> OnceBox<T> {
    pub(crate) fn new() -> Self {
        Self {
            inner: AtomicPtr::new(core::ptr::null_mut()),
        }
    }

    pub(crate) fn get(&self) -> Option<&T> {
        let value = self.inner.load(Ordering::Acquire);
        // SAFETY: the pointer comes from a box that is freed with the cell, and was written before.
        unsafe { value.as_ref() }
    }

    pub(crate) fn get_or_init(&self, make: impl FnOnce() -> Box<T>) -> &T {
        if let Some(value) = self.get() {
            return value;
        }
        let made = Box::into_raw(make());
        let null = core::ptr::null_mut();
        let swap = self
            .inner
            .compare_exchange(null, made, Ordering::Release, Ordering::Acquire);
        if swap.is_err() {
            // SAFETY: the pointer comes from a box, and is not in the cell since the swap has failed.
            drop(unsafe { Box::from_raw(made) });
        }
        // SAFETY: as in `get`.
        unsafe { &*swap.map_or_else(|other| other, |_| made) }
    }
}

impl<T> Drop for OnceBox<T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return; // the model has failed, and loom cannot be used any more
        }
        let value = self.inner.load(Ordering::Relaxed);
        if !value.is_null() {
            // SAFETY: the pointer comes from a box, and the cell is borrowed exclusively.
            drop(unsafe { Box::from_raw(value) });
        }
    }
}
