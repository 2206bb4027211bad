//! Things that are lent for a while, by any thread and without a lock, and used again: to take one
//! costs the same however many are lent.
//!
//! ```text
//! parts   0: [0]   1: [1 2]   2: [3 4 5 6]   3: [7 …     each as large as all before it, and one more
//! top     (turn, place + 1) ─► 5 ─► 2 ─► none            those that are free, by their place
//! ```
//!
//! Each change of `top` takes the next turn: so a thread that has read which place comes behind the
//! first, and was overtaken by others, finds that out, even if the same place is the first again.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU32, AtomicU64};

use once_cell::race::OnceBox;

use crate::words::limits::FIRST_ROUND;

/// As many parts as have room for all places.
const PARTS: usize = 32;

/// Things of which each is lent to one at a time.
pub(crate) struct Reserve<T: 'static> {
    parts: [OnceBox<Vec<Shelf<T>>>; PARTS],
    /// How many places have been used so far.
    used: AtomicU32,
    /// The turn in the upper half, the first free place plus one in the lower half.
    top: AtomicU64,
}

/// A place, with what is lent once that has been made.
struct Shelf<T: 'static> {
    item: OnceBox<T>,
    /// The free place below this one, plus one.
    below: AtomicU32,
}

impl<T> Reserve<T> {
    /// Nothing yet.
    pub(crate) const fn new() -> Self {
        Self {
            parts: [const { OnceBox::new() }; PARTS],
            used: AtomicU32::new(0),
            top: AtomicU64::new((FIRST_ROUND as u64) << 32),
        }
    }

    /// Lends what is free; what is made for a place, if nothing is.
    pub(crate) fn take(&self, make: impl FnOnce(u32) -> T) -> &T {
        let place = self.pop().unwrap_or_else(|| self.next_place());
        let shelf = self.shelf(place);
        shelf.item.get_or_init(|| Box::new(make(place)))
    }

    /// Takes back what was lent at a place.
    pub(crate) fn give_back(&self, place: u32) {
        let shelf = self.shelf(place);
        self.change_top(|first| {
            shelf.below.store(first, Relaxed);
            Some(place + 1)
        });
    }

    /// Takes the first free place.
    fn pop(&self) -> Option<u32> {
        self.change_top(|first| Some(self.shelf(first.checked_sub(1)?).below.load(Relaxed)))?
            .checked_sub(1)
    }

    /// Puts another place first; returns the one before.
    fn change_top(&self, change: impl Fn(u32) -> Option<u32>) -> Option<u32> {
        let next = |top: u64| {
            let turn = (top >> 32).wrapping_add(1);
            Some(turn << 32 | u64::from(change(top as u32)?))
        };
        let before = self.top.fetch_update(Release, Acquire, next);
        before.ok().map(|before| before as u32)
    }

    /// A place that has not been used.
    fn next_place(&self) -> u32 {
        let next = |used: u32| (used < u32::MAX - 1).then_some(used + 1);
        let place = self.used.fetch_update(Relaxed, Relaxed, next);
        place.expect("fewer than 2^32 contexts at once")
    }

    fn shelf(&self, place: u32) -> &Shelf<T> {
        let part = (place + 1).ilog2();
        let size = 1_u32 << part;
        let first = size - 1; // all parts before it have so many places
        let made = || Box::new((0..size).map(|_| Shelf::new()).collect());
        &self.parts[part as usize].get_or_init(made)[(place - first) as usize]
    }
}

impl<T> Shelf<T> {
    const fn new() -> Self {
        Self {
            item: OnceBox::new(),
            below: AtomicU32::new(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_free_is_lent_again_the_latest_first() {
        let reserve = Reserve::new();
        let taken: Vec<u32> = (0..10).map(|_| *reserve.take(|place| place)).collect();
        assert_eq!(taken, (0..10).collect::<Vec<_>>());
        for place in [3, 7] {
            reserve.give_back(place);
        }
        assert_eq!([0; 3].map(|_| *reserve.take(|place| place)), [7, 3, 10]);
    }

    #[test]
    #[cfg(feature = "std")]
    fn no_two_threads_have_the_same_at_once() {
        static RESERVE: Reserve<(u32, AtomicU32)> = Reserve::new();
        let work = || {
            for _ in 0..if cfg!(miri) { 20 } else { 20_000 } {
                let lent = [(); 3].map(|()| RESERVE.take(|place| (place, AtomicU32::new(0))));
                for (place, holders) in lent {
                    assert_eq!(holders.fetch_add(1, Relaxed), 0, "place {place}");
                }
                for (place, holders) in lent {
                    holders.fetch_sub(1, Relaxed);
                    RESERVE.give_back(*place);
                }
            }
        };
        std::thread::scope(|scope| [(); 4].map(|()| scope.spawn(work)).map(drop));
        assert!(RESERVE.used.load(Relaxed) <= 12);
    }
}
