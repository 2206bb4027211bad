//! The entities of an index whose buckets may be out of date.

use alloc::vec::Vec;

use crate::words::entity_id::EntityId;

/// A list of entities, each once, of which any is found by its slot.
pub(super) struct DirtySet<C> {
    ids: Vec<EntityId<C>>,
    /// By slot, the position in the list plus one; 0 for those that are not in it.
    positions: Vec<u32>,
}

impl<C> DirtySet<C> {
    pub(super) fn ids(&self) -> &[EntityId<C>] {
        &self.ids
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub(super) fn contains(&self, id: EntityId<C>) -> bool {
        self.position(id).is_some()
    }

    pub(super) fn insert(&mut self, id: EntityId<C>) {
        if self.contains(id) {
            return;
        }
        let slot = id.index() as usize;
        if slot >= self.positions.len() {
            self.positions.resize(slot + 1, 0);
        }
        self.ids.push(id);
        self.positions[slot] = self.ids.len() as u32; // no more than there are slots
    }

    /// Takes an entity out; the last one takes its place.
    pub(super) fn remove(&mut self, id: EntityId<C>) {
        let Some(position) = self.position(id) else {
            return;
        };
        self.ids.swap_remove(position);
        self.positions[id.index() as usize] = 0;
        if let Some(moved) = self.ids.get(position) {
            self.positions[moved.index() as usize] = position as u32 + 1;
        }
    }

    fn position(&self, id: EntityId<C>) -> Option<usize> {
        let position = *self.positions.get(id.index() as usize)?;
        (position as usize).checked_sub(1)
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C> Default for DirtySet<C> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            positions: Vec::new(),
        }
    }
}
