//! Key functions that look into their own index: found out before the stack overflows.
//!
//! A lookup that asks entities for their keys notes its index for its thread. If the key function
//! looks into that index again, this lookup finds the note of the one it is inside of. Other
//! threads, however many, have notes of their own. Without the standard library there is no knowing
//! the thread, so lookups are counted.

use self::under_way::UnderWay;

/// Whether the key function of an index looks into that index.
#[derive(Default)]
pub(super) struct Circle {
    under_way: UnderWay,
}

/// A lookup that asks entities for their keys. It ends when this is dropped, also by a panic.
pub(super) struct KeyLookup<'a>(&'a UnderWay);

impl Circle {
    /// Begins a lookup, unless it is inside of another one.
    pub(super) fn ask(&self) -> Option<KeyLookup<'_>> {
        let is_first = self.under_way.begin();
        is_first.then(|| KeyLookup(&self.under_way)) // not `then_some`: it would be dropped
    }
}

impl Drop for KeyLookup<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(feature = "std")]
mod under_way {
    use std::cell::RefCell;
    use std::vec::Vec;

    std::thread_local! {
        /// The indexes that lookups of this thread are asking for keys, one inside the other.
        static ASKED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    }

    /// The lookups of one index, told from those of others by where this lies: it stays there
    /// while an index is borrowed.
    #[derive(Default)]
    pub(super) struct UnderWay(#[expect(dead_code, reason = "takes an address of its own")] u8);

    impl UnderWay {
        fn address(&self) -> usize {
            core::ptr::from_ref(self).addr()
        }

        /// Begins a lookup; false if one of this thread is under way. Without notes, as a thread
        /// ends, each counts as the first.
        pub(super) fn begin(&self) -> bool {
            let note = |asked: &RefCell<Vec<usize>>| {
                let mut asked = asked.borrow_mut();
                let is_first = !asked.contains(&self.address());
                if is_first {
                    asked.push(self.address());
                }
                is_first
            };
            ASKED.try_with(note).unwrap_or(true)
        }

        /// Ends the lookup that began last.
        pub(super) fn end(&self) {
            let forget = |asked: &RefCell<Vec<usize>>| _ = asked.borrow_mut().pop();
            ASKED.try_with(forget).unwrap_or_default();
        }
    }
}

#[cfg(not(feature = "std"))]
mod under_way {
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// More lookups than this at once are one inside the other.
    const MOST: usize = 200;

    /// How many lookups of one index are under way.
    #[derive(Default)]
    pub(super) struct UnderWay(AtomicUsize);

    impl UnderWay {
        /// Begins a lookup; false if there are too many.
        pub(super) fn begin(&self) -> bool {
            let is_one_too_many = self.0.fetch_add(1, Relaxed) >= MOST;
            if is_one_too_many {
                self.end();
            }
            !is_one_too_many
        }

        pub(super) fn end(&self) {
            self.0.fetch_sub(1, Relaxed);
        }
    }
}
