//! The entities of an index whose buckets may be out of date.
//!
//! ```text
//! ids    [a, b, …]     positions[slot] = place + 1      without duplicates, found by slot
//! batch  [c, d, e, …]                                   changed and checked together
//! ```
//!
//! A batch is a plain list, because it is nearly always processed before it is searched. If a panic
//! leaves one, the next change merges it into the others.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::mem;

use crate::storage::heap::{Heap, bytes_of};
use crate::words::entity_id::UntypedId;

/// A list of entities, searchable by slot, and a batch of more.
#[derive(Default)]
pub(super) struct DirtySet {
    ids: Vec<UntypedId>,
    /// By slot: the position in the list plus one, or 0.
    positions: Vec<u32>,
    batch: Vec<UntypedId>,
}

impl Heap for DirtySet {
    bytes_of!(ids, positions, batch);

    fn trim(&mut self) {
        if self.ids.is_empty() {
            self.positions = Vec::new();
        }
        self.ids.trim();
        self.batch.trim();
    }
}

impl DirtySet {
    /// All entities, without duplicates unless the batch has some.
    pub(super) fn ids(&self) -> impl Iterator<Item = UntypedId> + '_ {
        let of_batch = self.batch.iter().copied();
        let of_batch = of_batch.filter(|id| self.position(*id).is_none());
        self.ids.iter().copied().chain(of_batch)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.batch.is_empty()
    }

    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn contains(&self, id: UntypedId) -> bool {
        self.position(id).is_some() || self.batch.contains(&id)
    }

    pub(super) fn insert(&mut self, id: UntypedId) {
        self.dissolve_batch();
        self.add(id);
    }

    /// Removes an entity; the last one takes its place.
    pub(super) fn remove(&mut self, id: UntypedId) {
        self.dissolve_batch();
        self.take_out(id);
    }

    /// Adds entities that will be checked together.
    pub(super) fn insert_batch(&mut self, batch: impl IntoIterator<Item = UntypedId>) {
        self.dissolve_batch();
        self.batch.extend(batch);
    }

    /// Makes one batch of all entities.
    pub(super) fn gather(&mut self) {
        if !self.ids.is_empty() {
            self.dissolve_batch();
            mem::swap(&mut self.ids, &mut self.batch);
            for id in &self.batch {
                self.positions[id.index() as usize] = 0;
            }
        }
    }

    /// The entities that will be checked together.
    pub(super) fn batch(&self) -> &[UntypedId] {
        &self.batch
    }

    /// Removes the batch, which has been checked.
    pub(super) fn end_batch(&mut self) {
        let mut batch = mem::take(&mut self.batch);
        if !self.ids.is_empty() {
            batch.iter().for_each(|id| self.take_out(*id));
        }
        batch.clear();
        self.batch = batch;
    }

    /// Panics if list and positions disagree.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self) {
        let recorded = self.positions.iter().filter(|&&position| position != 0);
        assert_eq!(
            recorded.count(),
            self.ids.len(),
            "dirty set: how many there are"
        );
        for (at, id) in self.ids.iter().enumerate() {
            assert_eq!(self.position(*id), Some(at), "dirty set: the place of {id}");
        }
    }

    #[inline]
    fn dissolve_batch(&mut self) {
        if !self.batch.is_empty() {
            self.join_batch();
        }
    }

    #[cold]
    fn join_batch(&mut self) {
        let mut batch = mem::take(&mut self.batch);
        batch.drain(..).for_each(|id| self.add(id));
        self.batch = batch;
    }

    fn add(&mut self, id: UntypedId) {
        if self.position(id).is_some() {
            return;
        }
        let slot = id.index() as usize;
        if slot >= self.positions.len() {
            self.positions.resize(slot + 1, 0);
        }
        self.ids.push(id);
        self.positions[slot] = self.ids.len() as u32; // at most the number of slots
    }

    fn take_out(&mut self, id: UntypedId) {
        let Some(position) = self.position(id) else {
            return;
        };
        self.ids.swap_remove(position);
        self.positions[id.index() as usize] = 0;
        if let Some(moved) = self.ids.get(position) {
            self.positions[moved.index() as usize] = position as u32 + 1;
        }
    }

    fn position(&self, id: UntypedId) -> Option<usize> {
        let position = *self.positions.get(id.index() as usize)?;
        (position as usize).checked_sub(1)
    }
}
