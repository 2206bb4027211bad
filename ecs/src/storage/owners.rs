//! Which entity had each unique component last.
//!
//! A note, not a book: it is written when a unique component is added, and never taken
//! back. Whoever reads it asks whether that entity is alive and still has the component
//! ([`Registries::owner`](crate::state::Registries::owner)); so removing and destroying cost nothing
//! for it, and nothing that fails half-way can make it wrong.
//!
//! The invariant: if any entity has a unique component, it is the one noted. Every add
//! is rejected while the one noted has it, and notes the new one.

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

    /// The entity that had the component last.
    #[inline]
    pub(crate) fn last(&self, component: RawComponentIndex) -> Option<UntypedId> {
        *self.last.get(component.get())?
    }

    /// Notes the entity that is about to have the component.
    #[inline]
    pub(crate) fn record(&mut self, component: RawComponentIndex, owner: UntypedId) {
        if component.get() >= self.last.len() {
            self.last.resize(component.get() + 1, None);
        }
        self.last[component.get()] = Some(owner);
    }

    /// A copy of all notes.
    pub(crate) fn copied(&self) -> Self {
        let last = self.last.clone();
        Self { last }
    }

    /// Has the notes of a copy, but for components that are left out.
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
