//! A list to which any thread adds values, and which is taken as a whole, without a lock.
//!
//! ```text
//! last ─► Letter { value, before } ─► Letter { value, before } ─► null        the latest first
//! ```
//!
//! The one invariant, on which the unsafe code rests: every pointer in the list comes from
//! [`Box::into_raw`], and nobody follows one before it has swapped the list out of `last`, which
//! makes it the only owner of all letters in it.
#![expect(unsafe_code, reason = "a pointer in the list owns a box")]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ptr;

use crate::words::atomic::AtomicPtr;
use crate::words::atomic::Ordering::{Acquire, Relaxed, Release};

/// A value in a list, and the one that was there before.
struct Letter<T> {
    value: T,
    before: *mut Letter<T>,
}

/// A list of values that have been left for somebody.
pub(crate) struct Mailbox<T: Send> {
    last: AtomicPtr<Letter<T>>,
}

impl<T: Send> Mailbox<T> {
    /// An empty list.
    #[cfg(not(loom))]
    pub(crate) const fn new() -> Self {
        Self {
            last: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// An empty list.
    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        Self {
            last: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Adds a value. What one thread adds after another value comes after it.
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
            // SAFETY: it comes from `Box::into_raw`, and is in no list: the exchange has failed.
            letter = unsafe { Box::from_raw(pointer) };
            letter.before = now;
        }
    }

    /// Whether there is no value at present.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.last.load(Relaxed).is_null()
    }

    /// Takes all values out, in the order in which they were added.
    pub(crate) fn take(&self) -> Vec<T> {
        let mut values = Vec::new();
        let mut next = self.last.swap(ptr::null_mut(), Acquire);
        while !next.is_null() {
            // SAFETY: it was in the list that the swap has taken out, and each letter is in one
            // list at one place: so it comes from `Box::into_raw`, and nobody else has it.
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
    fn a_value_that_nobody_takes_is_dropped_with_the_list() {
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
    fn nothing_is_lost_between_threads_and_each_keeps_its_order() {
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
