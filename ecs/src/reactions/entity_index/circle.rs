//! Detects key functions that use their own index, before the stack overflows.
//!
//! A lookup that computes keys records its index for its thread. If the key function uses that
//! index again, the nested lookup finds the record. Other threads have their own records. Without
//! the standard library the thread is unknown, so lookups are counted.

use self::under_way::UnderWay;

/// Detects whether the key function of an index uses that index.
#[derive(Default)]
pub(super) struct Circle {
    under_way: UnderWay,
}

/// A lookup that computes keys. Ends when dropped, also during a panic.
pub(super) struct KeyLookup<'a>(&'a UnderWay);

impl Circle {
    /// Starts a lookup, unless it is nested in another one.
    pub(super) fn ask(&self) -> Option<KeyLookup<'_>> {
        let is_first = self.under_way.begin();
        is_first.then(|| KeyLookup(&self.under_way)) // not `then_some`, which would drop it
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
        /// The indexes whose keys lookups of this thread are computing, innermost last.
        static ASKED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    }

    /// The lookups of one index, identified by its address, which does not change while the index
    /// is borrowed.
    #[derive(Default)]
    pub(super) struct UnderWay(#[expect(dead_code, reason = "takes an address of its own")] u8);

    impl UnderWay {
        fn address(&self) -> usize {
            core::ptr::from_ref(self).addr()
        }

        /// Starts a lookup; `false` if this thread already has one in progress. While a thread
        /// exits, when there are no records, each lookup counts as the first.
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

        /// Ends the lookup that started last.
        pub(super) fn end(&self) {
            let forget = |asked: &RefCell<Vec<usize>>| _ = asked.borrow_mut().pop();
            ASKED.try_with(forget).unwrap_or_default();
        }
    }
}

#[cfg(not(feature = "std"))]
mod under_way {
    use crate::words::atomic::{AtomicUsize, Ordering::Relaxed};

    /// More simultaneous lookups than this are considered nested.
    const MOST: usize = 200;

    /// The number of lookups of one index in progress.
    #[derive(Default)]
    pub(super) struct UnderWay(AtomicUsize);

    impl UnderWay {
        /// Starts a lookup; `false` if there are too many.
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
