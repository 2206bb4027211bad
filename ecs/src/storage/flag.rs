//! Whether a context is delivering, told by a flag that both the context and the
//! delivery reach, wherever the context is moved meanwhile: an observer may put
//! another context in the place of its own.
//!
//! Flags are taken from a list that grows with the number of contexts that are there
//! at once, and used again.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::storage::chain::Chain;

static FLAGS: Chain<Flag> = Chain::new();

/// A flag in the list.
pub(crate) struct Flag {
    taken: AtomicBool,
    raised: AtomicBool,
}

impl Flag {
    const fn new() -> Self {
        Self {
            taken: AtomicBool::new(false),
            raised: AtomicBool::new(false),
        }
    }

    /// Raises or lowers the flag. Only one thread at a time does so, that which has
    /// the context or runs its delivery; hence no ordering is asked for.
    #[inline]
    pub(crate) fn raise(&self, raised: bool) {
        self.raised.store(raised, Relaxed);
    }

    /// Whether the flag is raised.
    #[inline]
    pub(crate) fn is_raised(&self) -> bool {
        self.raised.load(Relaxed)
    }
}

/// The flag of one context, given back when that is dropped.
pub(crate) struct OwnFlag(&'static Flag);

impl OwnFlag {
    /// Takes a flag that nobody has.
    pub(crate) fn take() -> Self {
        let free = |flag: &Flag| {
            flag.taken
                .compare_exchange(false, true, Relaxed, Relaxed)
                .is_ok()
        };
        Self(FLAGS.find_or_append(free, Flag::new).1)
    }

    /// The flag, for a delivery that may outlive the context.
    #[inline]
    pub(crate) fn get(&self) -> &'static Flag {
        self.0
    }
}

impl Drop for OwnFlag {
    fn drop(&mut self) {
        // A flag that is raised is still in the hands of a delivery: nobody else may
        // have it, ever.
        if !self.0.is_raised() {
            self.0.taken.store(false, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_in_the_hands_of_a_delivery_is_not_used_again() {
        let (first, second) = (OwnFlag::take(), OwnFlag::take());
        assert!(!core::ptr::eq(first.get(), second.get()));
        let delivery = first.get();
        delivery.raise(true);
        drop(first);
        let third = OwnFlag::take();
        assert!(!core::ptr::eq(third.get(), delivery) && !third.get().is_raised());
        delivery.raise(false);
    }
}
