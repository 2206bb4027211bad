//! Collectors in rewinds and restores.
//!
//! Ids that were destroyed or undone are revived then:
//!
//! ```text
//! list      7v2 │ 9v1 │ 7v3       7v3 was created after the mark that is now the present
//! seen      7v2   9v1             alive
//! expected              7v3       in the list already, so not appended when it is revived
//! ```
//!
//! A plain collector holds what it held at the mark, so it expects no ids. One that includes
//! rewinds keeps its contents and continues to collect: during a rewind, all changes undone or
//! redone, so ids can be revived; in a restore, the entities that differ.

use alloc::vec::Vec;

use hashbrown::HashSet;

use super::Collectors;
use super::list::List;
use crate::reactions::handle::HandleWatch;
use crate::storage::heap::heap;
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;

/// The contents of a collector at a checkpoint, kept by marks and snapshots.
pub(crate) struct BufferedIds {
    collector: usize,
    watch: Option<HandleWatch>,
    ids: Vec<UntypedId>,
}

heap!(BufferedIds: ids);

impl Collectors {
    /// Copies the contents of plain collectors that are not empty.
    pub(crate) fn copy_all(&mut self, slots: &Slots) -> Vec<BufferedIds> {
        self.list_all(slots);
        let lists = self.lists.iter().map(List::ids).enumerate();
        let buffered =
            lists.filter(|(index, ids)| !ids.is_empty() && !self.includes_rewinds(*index));
        let buffered = buffered.map(|(collector, ids)| BufferedIds {
            collector,
            watch: self.states[collector].watch.clone(),
            ids: ids.to_vec(),
        });
        buffered.collect()
    }

    /// Lets collectors that include rewinds expect all dead ids in their lists.
    pub(crate) fn expect_destroyed(&mut self, slots: &Slots) {
        for index in 0..self.states.len() {
            if self.includes_rewinds(index) {
                self.record_listed(slots, index, |_| true);
            }
        }
    }

    /// Marks destroyed entities that get their old ids back as seen where they are listed.
    ///
    /// Complexity: linear in what collectors hold.
    pub(crate) fn see_revived(&mut self, revived: &[UntypedId]) {
        let revived: HashSet<_> = revived.iter().map(|id| id.raw()).collect();
        for &index in &self.filled {
            let list = &mut self.lists[index];
            for at in 0..list.ids().len() {
                let id = list.ids()[at];
                if revived.contains(&id.raw()) {
                    list.see(id);
                }
            }
        }
    }

    /// Keeps the first of equal ids in collectors that include rewinds: an entity that was created
    /// again under its old id leaves and comes back in one rewind.
    pub(crate) fn remove_repeated(&mut self) {
        for index in 0..self.states.len() {
            if self.includes_rewinds(index) {
                let mut known = HashSet::new();
                let ids = self.lists[index].ids_mut();
                ids.retain(|id| known.insert(id.raw()));
            }
        }
    }

    /// Restores the contents of plain collectors, and empties those that are not in `buffered`.
    /// Skips collectors that are released, newer or paused. Collectors that include rewinds keep
    /// their contents.
    pub(crate) fn put_back(&mut self, slots: &Slots, buffered: &[BufferedIds]) {
        self.clear_plain();
        for buffered in buffered {
            let state = self.states.get(buffered.collector);
            let state = state.filter(|state| state.watch == buffered.watch);
            if state.is_some_and(|state| state.active && !state.includes_rewinds) {
                let ids = self.lists[buffered.collector].ids_mut();
                ids.extend_from_slice(&buffered.ids);
            }
        }
        for index in 0..self.states.len() {
            self.record_listed(slots, index, |id| slots.is_future(id.raw()));
        }
    }

    /// The active collectors that include rewinds.
    pub(crate) fn including_rewinds(&self) -> impl Iterator<Item = usize> {
        let all = 0..self.states.len();
        all.filter(|&index| {
            let state = &self.states[index];
            state.includes_rewinds && state.active && !self.is_dropped(index)
        })
    }

    /// Marks exactly the living ids of a list as seen, and expects the others for which
    /// `may_be_revived` holds.
    fn record_listed(
        &mut self,
        slots: &Slots,
        index: usize,
        may_be_revived: impl Fn(UntypedId) -> bool,
    ) {
        let list = &self.lists[index];
        if list.ids().is_empty() || list.is_of_slots() {
            return; // a slot stays seen, and its next entities are not collected
        }
        self.forget_all(index);
        let (list, expected) = (&mut self.lists[index], &mut self.states[index].expected);
        for at in 0..list.ids().len() {
            let id = slots.own(list.ids()[at].raw()); // the id may be from another context
            list.ids_mut()[at] = id;
            if slots.get(id).is_some() {
                list.see(id);
            } else if may_be_revived(id) {
                expected.push(id);
            }
        }
        expected.sort_unstable();
        self.record_filled(index);
    }
}
