//! The last known owner of each unique component.
//!
//! An entry is written when a unique component is added, and never removed. A reader checks that
//! the entity is alive and still has the component
//! ([`World::owner`](crate::world::World::owner)). So removing and destroying need no
//! update, and an interrupted change cannot make an entry wrong.
//!
//! Invariant: if an entity has a unique component, it is the recorded owner. Adding is rejected
//! while the recorded owner has the component, and records the new one.

use alloc::vec::Vec;

use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::signature::RawComponentSet;

/// The last owner of each unique component, by index.
pub(crate) struct Owners {
    last: Vec<Option<UntypedId>>,
}

impl Owners {
    pub(crate) const fn new() -> Self {
        Self { last: Vec::new() }
    }

    /// Returns the entity that was last recorded for the component.
    #[inline]
    pub(crate) fn last(&self, component: RawComponentIndex) -> Option<UntypedId> {
        *self.last.get(component.get())?
    }

    /// Records the entity that is about to get the component.
    #[inline]
    pub(crate) fn record(&mut self, component: RawComponentIndex, owner: UntypedId) {
        if component.get() >= self.last.len() {
            self.last.resize(component.get() + 1, None);
        }
        self.last[component.get()] = Some(owner);
    }

    /// Returns a copy of all entries.
    pub(crate) fn copied(&self) -> Self {
        let last = self.last.clone();
        Self { last }
    }

    /// Restores the entries of a copy, except those of excluded components.
    pub(crate) fn put_back(&mut self, copy: &Self, excluded: &RawComponentSet) {
        let components = self.last.len().max(copy.last.len());
        for component in (0..components).map(RawComponentIndex::at) {
            if !excluded.contains(component) {
                self.set(component, copy.last(component));
            }
        }
    }

    fn set(&mut self, component: RawComponentIndex, owner: Option<UntypedId>) {
        match owner {
            Some(owner) => self.record(component, owner),
            None => self
                .last
                .get_mut(component.get())
                .into_iter()
                .for_each(|last| *last = None),
        }
    }
}
