//! The numbers of things that become known one by one, by any thread, without a lock.
//!
//! ```text
//! Numberings ─► Numbering of Game ─► Numbering of Input ─► …        one per owner
//!                ├ linked: known from the start
//!                └ late:   Entry ─► Entry ─► …                      appended at first use
//! ```
//!
//! Both chains only ever grow, by one atomic write, so a number once given never changes.

use alloc::vec::Vec;
use core::any::TypeId;

use crate::storage::chain::Chain;
use crate::words::atomic::{Ordering, fence};

/// The numberings of all owners.
pub(crate) struct Numberings<T: 'static> {
    of_owners: Chain<Numbering<T>>,
}

/// The numbers of the things of one owner.
pub(crate) struct Numbering<T: 'static> {
    owner: TypeId,
    linked: Vec<T>,
    late: Chain<T>,
}

impl<T: Copy + PartialEq> Numberings<T> {
    /// None yet.
    #[cfg(not(loom))]
    pub(crate) const fn new() -> Self {
        Self {
            of_owners: Chain::new(),
        }
    }

    /// None yet.
    #[cfg(loom)]
    pub(crate) fn new() -> Self {
        Self {
            of_owners: Chain::new(),
        }
    }

    /// The numbering of an owner, made at the first call of what is known from the start.
    pub(crate) fn of(&self, owner: TypeId, linked: impl Fn() -> Vec<T>) -> &Numbering<T> {
        // Whoever has read a number that another thread has noted finds the thing here: it was
        // noted, by a release store, after the thing had been numbered.
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
    /// The number of a thing, which is given one if it has none yet.
    pub(crate) fn number(&self, thing: T) -> usize {
        let linked = self.linked.iter().position(|known| *known == thing);
        linked.unwrap_or_else(|| {
            let late = self.late.find_or_append(|late| *late == thing, || thing);
            self.linked.len() + late.0
        })
    }

    /// The things in order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.linked.iter().copied().chain(self.late.iter().copied())
    }
}
