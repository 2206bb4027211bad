//! The entities of an index whose buckets may be out of date.
//!
//! ```text
//! ids    [a, b, …]     positions: slot ─► place      without duplicates, found by slot
//! batch  [c, d, e, …]                                changed and checked together
//! ```
//!
//! Few entities are found without positions, because nearly always there is one.
//!
//! A batch is a plain list, because it is nearly always processed before it is searched. It consists of the runs
//! of one commit; a change of one entity, or a panic, merges it into the others.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::mem;

use hashbrown::HashMap;

use crate::storage::heap::{Heap, bytes_of};
use crate::words::entity_id::UntypedId;

/// The most entities that are searched one by one.
const FEW: usize = 16;

/// A list of entities, searchable by slot, and a batch of more.
#[derive(Default)]
pub(super) struct DirtySet {
    ids: Vec<UntypedId>,
    /// The places by slot, or empty while there are few entities.
    positions: HashMap<u32, u32>,
    batch: Vec<UntypedId>,
    /// Whether the batch may have an entity twice.
    may_repeat: bool,
}

impl Heap for DirtySet {
    bytes_of!(ids, positions, batch);

    fn trim(&mut self) {
        self.ids.trim();
        self.positions.trim();
        self.batch.trim();
    }
}

impl DirtySet {
    /// All entities, without duplicates unless the batch has some.
    pub(super) fn ids(&self) -> impl Iterator<Item = UntypedId> + '_ {
        let of_batch = self.batch.iter().copied();
        let of_batch = of_batch.filter(|id| !self.is_listed(*id));
        self.ids.iter().copied().chain(of_batch)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.batch.is_empty()
    }

    /// Whether an entity is dirty and not in the batch.
    pub(super) fn is_listed(&self, id: UntypedId) -> bool {
        self.position(id).is_some()
    }

    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn contains(&self, id: UntypedId) -> bool {
        self.is_listed(id) || self.batch.contains(&id)
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

    /// Adds entities that will be checked together, with those that have been added since the last check.
    pub(super) fn insert_batch(&mut self, batch: impl IntoIterator<Item = UntypedId>) {
        self.may_repeat = !self.batch.is_empty();
        self.batch.extend(batch);
    }

    /// Removes duplicates from the batch, which is about to be checked.
    pub(super) fn dedup_batch(&mut self) {
        if mem::take(&mut self.may_repeat) {
            self.batch.sort_unstable_by_key(|id| id.index());
            self.batch.dedup();
        }
    }

    /// Makes one batch of all entities.
    pub(super) fn gather(&mut self) {
        if !self.ids.is_empty() {
            self.dissolve_batch();
            mem::swap(&mut self.ids, &mut self.batch);
            self.positions.clear();
        }
    }

    /// The entities that will be checked together.
    pub(super) fn batch(&self) -> &[UntypedId] {
        &self.batch
    }

    /// The batch, and the listed entities among these, without duplicates. `None` if nothing is listed: then it is the batch.
    pub(super) fn batch_and_listed(&self, ids: &[UntypedId]) -> Option<Vec<UntypedId>> {
        if self.ids.is_empty() {
            return None;
        }
        let listed = ids.iter().copied().filter(|id| self.is_listed(*id));
        let mut both: Vec<_> = self.batch.iter().copied().chain(listed).collect();
        both.sort_unstable_by_key(|id| id.index());
        both.dedup();
        Some(both)
    }

    /// Removes entities that are not in a batch.
    pub(super) fn remove_all(&mut self, ids: &[UntypedId]) {
        if !self.ids.is_empty() {
            ids.iter().for_each(|id| self.take_out(*id));
        }
    }

    /// Removes the batch, which has been checked.
    pub(super) fn end_batch(&mut self) {
        let mut batch = mem::take(&mut self.batch);
        self.remove_all(&batch);
        batch.clear();
        self.batch = batch;
    }

    /// Panics if list and positions disagree.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn check_invariants(&self) {
        let recorded = self.positions.len();
        let is_complete = recorded == self.ids.len() || recorded == 0 && self.ids.len() <= FEW;
        assert!(is_complete, "dirty set: how many there are");
        for (at, id) in self.ids.iter().enumerate() {
            assert_eq!(self.position(*id), Some(at), "dirty set: the place of {id}");
        }
    }

    /// Merges the batch into the other entities.
    #[inline]
    pub(super) fn dissolve_batch(&mut self) {
        if !self.batch.is_empty() {
            self.join_batch();
        }
    }

    #[cold]
    fn join_batch(&mut self) {
        self.may_repeat = false;
        let mut batch = mem::take(&mut self.batch);
        batch.drain(..).for_each(|id| self.add(id));
        self.batch = batch;
    }

    fn add(&mut self, id: UntypedId) {
        if self.position(id).is_some() {
            return;
        }
        self.ids.push(id);
        if self.ids.len() > FEW || !self.positions.is_empty() {
            self.record_places();
        }
    }

    /// Records the places of entities that have none yet, which are the last ones or all.
    fn record_places(&mut self) {
        let first = self.positions.len();
        let slots = self.ids[first..].iter().map(|id| id.index());
        self.positions.extend(slots.zip(first as u32..));
    }

    fn take_out(&mut self, id: UntypedId) {
        let Some(position) = self.position(id) else {
            return;
        };
        self.ids.swap_remove(position);
        if self.positions.remove(&id.index()).is_some()
            && let Some(moved) = self.ids.get(position)
        {
            self.positions.insert(moved.index(), position as u32);
        }
    }

    fn position(&self, id: UntypedId) -> Option<usize> {
        match self.positions.is_empty() {
            true => self.ids.iter().position(|it| it.index() == id.index()),
            false => {
                let place = self.positions.get(&id.index());
                place.map(|&place| place as usize)
            }
        }
    }
}
