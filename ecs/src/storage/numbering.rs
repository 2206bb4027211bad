//! Numbers assigned to things at first use, by any thread and without a lock.
//!
//! ```text
//! Numberings ─► Numbering of Game ─► Numbering of Input ─► …        one per owner
//!                ├ linked: known from the start
//!                └ late:   Entry ─► Entry ─► …                      appended at first use
//! ```
//!
//! Both chains only grow, each time by one atomic write, so a number never changes.

use alloc::vec::Vec;
use core::any::TypeId;

use crate::storage::chain::Chain;
use crate::words::atomic::{Ordering, fence};

/// The numberings of all owners.
pub(crate) struct Numberings<T: 'static> {
    of_owners: Chain<Numbering<T>>,
}

/// The numbered things of one owner.
pub(crate) struct Numbering<T: 'static> {
    owner: TypeId,
    linked: Vec<T>,
    late: Chain<T>,
}

impl<T: Copy + PartialEq> Numberings<T> {
    #[cfg(not(loom))]
    pub(crate) const fn new() -> Self {
        Self {
            of_owners: Chain::new(),
        }
    }

    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        Self {
            of_owners: Chain::new(),
        }
    }

    /// Returns the numbering of an owner. The first call creates it with the linked things.
    pub(crate) fn of(&self, owner: TypeId, linked: impl Fn() -> Vec<T>) -> &Numbering<T> {
        // A thread that has read a number from a cell finds the thing here: the number was stored
        // with release order after the thing was added.
        fence(Ordering::Acquire);
        let make = || Numbering {
            owner,
            linked: linked(),
            late: Chain::new(),
        };
        let is_wanted = |numbering: &Numbering<T>| numbering.owner == owner;
        self.of_owners.find_or_append(is_wanted, make).1
    }
}

impl<T: Copy + PartialEq> Numbering<T> {
    /// Returns the number of a thing, and assigns one if it has none.
    pub(crate) fn number(&self, thing: T) -> usize {
        let linked = self.linked.iter().position(|known| *known == thing);
        linked.unwrap_or_else(|| {
            let late = self.late.find_or_append(|late| *late == thing, || thing);
            self.linked.len() + late.0
        })
    }

    /// Iterates over the things in order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.linked.iter().copied().chain(self.late.iter().copied())
    }
}
