//! The entities of an index whose buckets may be out of date.

use alloc::vec::Vec;

use crate::words::entity_id::EntityId;

/// A list of entities, each once, of which any is found by its slot.
pub(super) struct DirtySet<C> {
    ids: Vec<EntityId<C>>,
    /// By slot, the place in the list plus one; 0 for those that are not in it.
    places: Vec<u32>,
}

impl<C> DirtySet<C> {
    pub(super) fn ids(&self) -> &[EntityId<C>] {
        &self.ids
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub(super) fn contains(&self, id: EntityId<C>) -> bool {
        self.place(id).is_some()
    }

    pub(super) fn insert(&mut self, id: EntityId<C>) {
        if self.contains(id) {
            return;
        }
        let slot = id.index() as usize;
        if slot >= self.places.len() {
            self.places.resize(slot + 1, 0);
        }
        self.ids.push(id);
        self.places[slot] = self.ids.len() as u32; // no more than there are slots
    }

    /// Takes an entity out; the last one takes its place.
    pub(super) fn remove(&mut self, id: EntityId<C>) {
        let Some(place) = self.place(id) else {
            return;
        };
        self.ids.swap_remove(place);
        self.places[id.index() as usize] = 0;
        if let Some(moved) = self.ids.get(place) {
            self.places[moved.index() as usize] = place as u32 + 1;
        }
    }

    fn place(&self, id: EntityId<C>) -> Option<usize> {
        let place = *self.places.get(id.index() as usize)?;
        (place as usize).checked_sub(1)
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C> Default for DirtySet<C> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            places: Vec::new(),
        }
    }
}
