//! A list that any thread can read and append to without a lock. It only grows, each time by one
//! atomic write at its end.

use alloc::boxed::Box;

use crate::words::atomic::OnceBox;

/// An append-only list.
pub(crate) struct Chain<T: 'static> {
    first: OnceBox<ChainLink<T>>,
}

struct ChainLink<T: 'static> {
    value: T,
    next: OnceBox<ChainLink<T>>,
}

impl<T> Chain<T> {
    #[cfg(not(loom))]
    pub(crate) const fn new() -> Self {
        Self {
            first: OnceBox::new(),
        }
    }

    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        Self {
            first: OnceBox::new(),
        }
    }

    /// Returns the first value that `wanted` accepts, and its position. Appends `make()` if there
    /// is none. If two threads append at the same time, the one that loses continues the search at
    /// the winner's value.
    pub(crate) fn find_or_append(
        &self,
        wanted: impl Fn(&T) -> bool,
        make: impl Fn() -> T,
    ) -> (usize, &T) {
        let mut place = &self.first;
        let mut position = 0;
        loop {
            let link = place.get_or_init(|| {
                Box::new(ChainLink {
                    value: make(),
                    next: OnceBox::new(),
                })
            });
            if wanted(&link.value) {
                return (position, &link.value);
            }
            place = &link.next;
            position += 1;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        core::iter::successors(self.first.get(), |link| link.next.get()).map(|link| &link.value)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_chain_keeps_order_and_holds_each_value_once() {
        let chain = Chain::new();
        for value in [3, 1, 3, 2, 1] {
            chain.find_or_append(|&known| known == value, || value);
        }
        assert_eq!(chain.iter().copied().collect::<Vec<_>>(), [3, 1, 2]);
        assert_eq!(chain.find_or_append(|&known| known == 2, || 2).0, 2);
    }

    #[test]
    #[cfg(feature = "std")]
    fn concurrent_appends_agree_on_the_order() {
        static CHAIN: Chain<usize> = Chain::new();
        let seen: Vec<_> = std::thread::scope(|scope| {
            let start = |first: usize| {
                scope.spawn(move || {
                    (0..100)
                        .map(|n| (n + first) % 100)
                        .map(|n| (n, CHAIN.find_or_append(|&known| known == n, || n).0))
                        .collect::<Vec<_>>()
                })
            };
            let threads: Vec<_> = [0, 50].map(start).into();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .collect()
        });
        let order: Vec<_> = CHAIN.iter().copied().collect();
        assert_eq!(order.len(), 100);
        assert!(
            seen.iter()
                .all(|&(value, position)| order[position] == value)
        );
    }
}
