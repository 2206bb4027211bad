//! What collectors hold when the entities become those of another moment.
//!
//! An id that has ended, or was taken back, comes to life again then:
//!
//! ```text
//! list     7v2 │ 9v1 │ 7v3       7v3 was created after the moment that has become the present
//! seen     7v2   9v1             who lives
//! awaited              7v3       whoever gets this id is in the list already, and is not appended
//! ```
//!
//! A plain collector holds what it held at that moment, so nobody is ahead of it. One that follows
//! rewinds keeps what it holds and goes on gathering: on the way in a rewind, where also those come back
//! who have ended; in a restore those that differ.

use alloc::vec::Vec;

use super::list::List;
use super::{BufferedIds, Collectors};
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;

impl Collectors {
    /// Copies what collectors hold: of those that hold anything.
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

    /// Has those that follow rewinds await all in their lists who have ended.
    pub(crate) fn expect_destroyed(&mut self, slots: &Slots) {
        for index in 0..self.states.len() {
            if self.includes_rewinds(index) {
                self.record_listed(slots, index, |_| true);
            }
        }
    }

    /// Has collectors hold these entities and no others; those that have ended meanwhile, were
    /// made later, or are paused, hold none. Those that follow rewinds hold what they have gathered.
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
            self.record_listed(slots, index, |id| slots.is_to_come(id.raw()));
        }
    }

    /// The collectors that gather, and follow rewinds.
    pub(crate) fn including_rewinds(&self) -> impl Iterator<Item = usize> {
        let all = 0..self.states.len();
        all.filter(|&index| {
            let state = &self.states[index];
            state.includes_rewinds && state.active && !self.is_dropped(index)
        })
    }

    /// Has a collector have seen those in its list who live and nobody else, and await the others
    /// `who_may_come`.
    fn record_listed(
        &mut self,
        slots: &Slots,
        index: usize,
        who_may_come: impl Fn(UntypedId) -> bool,
    ) {
        if self.lists[index].ids().is_empty() {
            return;
        }
        self.forget_all(index);
        let (list, expected) = (&mut self.lists[index], &mut self.states[index].expected);
        for at in 0..list.ids().len() {
            let id = slots.own(list.ids()[at].raw()); // it may be one of another context by now
            list.ids_mut()[at] = id;
            if slots.get(id).is_some() {
                list.see(id);
            } else if who_may_come(id) {
                expected.push(id);
            }
        }
        expected.sort_unstable();
        self.record_filled(index);
    }
}
