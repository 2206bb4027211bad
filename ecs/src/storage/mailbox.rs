//! A list to which any thread can add values, and which is taken as a whole, without a lock.
//!
//! ```text
//! last ─► Letter { value, before } ─► Letter { value, before } ─► null        the latest first
//! ```
//!
//! Invariant for the unsafe code: every pointer in the list comes from [`Box::into_raw`], and is
//! dereferenced only after the list was swapped out of `last`, which makes the taker the only owner
//! of its letters.
#![expect(unsafe_code, reason = "a pointer in the list owns a box")]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ptr;

use crate::words::atomic::AtomicPtr;
use crate::words::atomic::Ordering::{Acquire, Relaxed, Release};

/// A value and a pointer to the one added before it.
struct Letter<T> {
    value: T,
    before: *mut Letter<T>,
}

/// A lock-free list of values from any thread.
pub(crate) struct Mailbox<T: Send> {
    last: AtomicPtr<Letter<T>>,
}

impl<T: Send> Mailbox<T> {
    #[cfg(not(loom))]
    pub(crate) const fn new() -> Self {
        Self {
            last: AtomicPtr::new(ptr::null_mut()),
        }
    }

    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        Self {
            last: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Adds a value. The values of one thread keep their order.
    pub(crate) fn put(&self, value: T) {
        let mut letter = Box::new(Letter {
            value,
            before: self.last.load(Relaxed),
        });
        loop {
            let before = letter.before;
            let pointer = Box::into_raw(letter);
            let Err(now) = self
                .last
                .compare_exchange(before, pointer, Release, Relaxed)
            else {
                return;
            };
            // SAFETY: it comes from `Box::into_raw`, and is in no list, because the exchange
            // failed.
            letter = unsafe { Box::from_raw(pointer) };
            letter.before = now;
        }
    }

    /// Returns whether the list is empty at the moment.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.last.load(Relaxed).is_null()
    }

    /// Removes and returns all values in the order in which they were added.
    pub(crate) fn take(&self) -> Vec<T> {
        let mut values = Vec::new();
        let mut next = self.last.swap(ptr::null_mut(), Acquire);
        while !next.is_null() {
            // SAFETY: the swap took the list out, and each letter is in one list at one position.
            // So it comes from `Box::into_raw`, and this is its only owner.
            let letter = *unsafe { Box::from_raw(next) };
            next = letter.before;
            values.push(letter.value);
        }
        values.reverse();
        values
    }
}

impl<T: Send> Drop for Mailbox<T> {
    fn drop(&mut self) {
        drop(self.take());
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_once_in_their_order() {
        let mailbox = Mailbox::new();
        assert!(mailbox.is_empty() && mailbox.take().is_empty());
        (1..=3).for_each(|value| mailbox.put(value));
        assert!(!mailbox.is_empty());
        assert_eq!(mailbox.take(), [1, 2, 3]);
        mailbox.put(4);
        assert_eq!(mailbox.take(), [4]);
        assert!(mailbox.is_empty());
    }

    #[test]
    fn remaining_values_are_dropped_with_the_list() {
        let value = alloc::sync::Arc::new(());
        let mailbox = Mailbox::new();
        mailbox.put(value.clone());
        mailbox.put(value.clone());
        assert_eq!(alloc::sync::Arc::strong_count(&value), 3);
        drop(mailbox);
        assert_eq!(alloc::sync::Arc::strong_count(&value), 1);
    }

    #[test]
    #[cfg(feature = "std")]
    fn values_of_each_thread_keep_their_order() {
        const EACH: usize = if cfg!(miri) { 50 } else { 5_000 };
        let mailbox = Mailbox::new();
        let mut taken = Vec::new();
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let mailbox = &mailbox;
                scope.spawn(move || (0..EACH).for_each(|nth| mailbox.put((thread, nth))));
            }
            while taken.len() < 3 * EACH {
                taken.extend(mailbox.take());
            }
        });
        for thread in 0..3 {
            let of_thread = taken.iter().filter(|(by, _)| *by == thread);
            assert!(of_thread.map(|(_, nth)| *nth).eq(0..EACH));
        }
    }
}
