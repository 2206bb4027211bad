//! Destroyed entities that have listeners of their own. The next delivery of events notifies these
//! listeners, then removes them.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{ObserverList, ObserverRegistry};
use crate::reactions::subscription::{Audience, Subject};
use crate::words::entity_id::RawEntityId;

impl ObserverRegistry {
    /// Records that an entity was destroyed. Its listeners stay until
    /// [`take_destroyed`](Self::take_destroyed), so that they can be notified.
    #[inline]
    pub(crate) fn record_destroy(&mut self, id: RawEntityId) {
        if self.own > 0 {
            self.record_destroy_of_observed(id);
        }
    }

    #[cold]
    fn record_destroy_of_observed(&mut self, id: RawEntityId) {
        if self.has_own(id) {
            if self.destroyed.len() == self.destroyed.capacity() {
                self.forget_unobserved();
            }
            self.destroyed.push(id);
        }
    }

    /// Whether an entity has listeners or observers of its own.
    fn has_own(&self, id: RawEntityId) -> bool {
        let mut subjects = events_of(&self.audiences, &[id]).into_iter();
        subjects.any(|subject| self.count(subject) > 0)
    }

    /// Forgets all destroyed entities, because none has listeners.
    pub(super) fn forget_destroyed(&mut self) {
        (self.destroyed, self.destroyed_before) = (Vec::new(), 0);
    }

    /// Forgets destroyed entities whose listeners have been removed, so that those which no delivery
    /// takes do not accumulate. Makes room for as many as stay, so that this takes constant time for
    /// each destroyed entity.
    fn forget_unobserved(&mut self) {
        let mut destroyed = core::mem::take(&mut self.destroyed);
        let (mut place, mut before) = (0, self.destroyed_before);
        destroyed.retain(|&id| {
            let is_observed = self.has_own(id);
            before -= usize::from(!is_observed && place < self.destroyed_before);
            place += 1;
            is_observed
        });
        destroyed.reserve(destroyed.len().max(4));
        (self.destroyed, self.destroyed_before) = (destroyed, before);
    }

    /// Marks the start of a delivery of events, which notifies the listeners of the entities
    /// destroyed so far.
    pub(crate) fn begin_delivery(&mut self) {
        self.destroyed_before = self.destroyed.len();
    }

    /// Takes the subjects of destroyed entities with matching ids. No delivery may be in progress.
    pub(crate) fn take_destroyed_if(
        &mut self,
        mut matches: impl FnMut(RawEntityId) -> bool,
    ) -> Vec<Subject> {
        let mut matching = Vec::new();
        for id in core::mem::take(&mut self.destroyed) {
            match matches(id) {
                true => matching.push(id),
                false => self.destroyed.push(id),
            }
        }
        events_of(&self.audiences, &matching)
    }

    /// Takes the subjects of entities that were destroyed before the delivery started, except
    /// observers of all changes: those are removed when they are notified of the destroy, which may
    /// still be queued.
    pub(crate) fn take_destroyed_before(&mut self) -> Vec<Subject> {
        let destroyed: Vec<_> = self.destroyed.drain(..self.destroyed_before).collect();
        let mut subjects = events_of(&self.audiences, &destroyed);
        subjects.retain(|subject| !subject.is_changes());
        let is_observed = |id: &RawEntityId| !self.is_empty(Subject::changes(Some(*id)));
        let observed: Vec<_> = destroyed.into_iter().filter(is_observed).collect();
        self.destroyed.extend(observed);
        self.destroyed_before = 0;
        subjects
    }

    /// Takes the subjects of all destroyed entities, with the same exception.
    pub(crate) fn take_listeners_of_destroyed(&mut self) -> Vec<Subject> {
        self.begin_delivery();
        self.take_destroyed_before()
    }

    /// Takes the subjects of all destroyed entities.
    pub(crate) fn take_destroyed(&mut self) -> Vec<Subject> {
        self.destroyed_before = 0;
        let destroyed = core::mem::take(&mut self.destroyed);
        events_of(&self.audiences, &destroyed)
    }
}

/// The subjects of these entities.
fn events_of(audiences: &BTreeMap<Audience, ObserverList>, ids: &[RawEntityId]) -> Vec<Subject> {
    let of_one = |&id: &RawEntityId| {
        let first = Audience {
            entity: Some(id),
            event: None, // the first one
        };
        let own = audiences.range(first..).map(|(audience, _)| *audience);
        own.take_while(move |audience| audience.entity == Some(id))
    };
    let all = ids.iter().flat_map(of_one);
    all.map(Subject::Event).collect()
}
