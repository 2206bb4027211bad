//! A cell in which one thread leaves a value for another one to take, without a lock.
//!
//! The one invariant, on which the one block of unsafe code rests: a pointer in the cell comes
//! from [`Box::into_raw`], and whoever swaps it out of the cell is its only owner.
#![expect(unsafe_code, reason = "a pointer in the cell owns a box")]

use alloc::boxed::Box;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

/// A cell that is empty or owns a value.
pub(crate) struct Mailbox<T: Send>(AtomicPtr<T>);

impl<T: Send> Mailbox<T> {
    /// An empty cell.
    pub(crate) const fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// Leaves a value; returns the one that was there.
    pub(crate) fn put(&self, value: Box<T>) -> Option<Box<T>> {
        self.swap(Box::into_raw(value))
    }

    /// Whether there is no value at present.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed).is_null()
    }

    /// Takes the value out, if there is one.
    pub(crate) fn take(&self) -> Option<Box<T>> {
        self.swap(ptr::null_mut())
    }

    fn swap(&self, pointer: *mut T) -> Option<Box<T>> {
        let before = self.0.swap(pointer, Ordering::AcqRel);
        if before.is_null() {
            return None;
        }
        // SAFETY: it came from `Box::into_raw`, and this swap has taken it out of the cell.
        Some(unsafe { Box::from_raw(before) })
    }
}

impl<T: Send> Drop for Mailbox<T> {
    fn drop(&mut self) {
        drop(self.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_taken_once() {
        let mailbox = Mailbox::new();
        assert!(mailbox.put(Box::new(1)).is_none());
        assert_eq!(mailbox.put(Box::new(2)).as_deref(), Some(&1));
        assert_eq!(mailbox.take().as_deref(), Some(&2));
        assert!(mailbox.take().is_none());
    }

    #[test]
    fn a_value_that_nobody_takes_is_dropped_with_the_cell() {
        let value = alloc::sync::Arc::new(());
        let mailbox = Mailbox::new();
        mailbox.put(Box::new(value.clone()));
        drop(mailbox);
        assert_eq!(alloc::sync::Arc::strong_count(&value), 1);
    }
}
