//! Queueing notifications for the dispatch, in the order of changes.

use alloc::boxed::Box;

use super::core::Registries;
use crate::matching::effects::EffectsIndex;
use crate::reactions::queue::{QueuedChange, Step};
use crate::reactions::subscription::Subject;
use crate::storage::descriptor::AnyValue;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

/// Sets the number of notifications in one call that counts as an endless chain.
pub(crate) fn limit_notifications(core: &mut Registries, limit: usize) {
    core.queue.limit = limit;
}

impl Registries {
    /// The number of a new change; observers that subscribe later are not notified of it.
    #[inline]
    pub(super) fn next_change(&mut self) -> u64 {
        self.queue.changes += 1;
        self.queue.changes
    }

    /// Queues a change: the steps queued after it belong to it. Its previous value is pooled for
    /// `recycle_to` afterwards, or dropped.
    pub(super) fn queue_change(
        &mut self,
        entity: UntypedId,
        recycle_to: Option<RawComponentIndex>,
        previous: Option<Box<AnyValue>>,
    ) {
        let number = self.next_change();
        let change = QueuedChange {
            number,
            entity,
            previous,
            recycle_to,
        };
        self.queue.steps.push_back(Step::Change(change));
    }

    /// Queues a step for each group whose observers are notified of these effects.
    pub(super) fn queue_effects(&mut self, effects: EffectsIndex) {
        let table = self.graph.effects();
        self.queue.push_groups(table, table.to_notify(effects));
    }

    /// Queues a step for each observed group that a destroyed entity leaves through `component`.
    pub(super) fn queue_effects_of(
        &mut self,
        effects: EffectsIndex,
        component: Option<RawComponentIndex>,
    ) {
        let table = self.graph.effects();
        self.queue.push_groups_of(table, effects, component);
    }

    /// Queues a step for observers of created or destroyed entities.
    pub(super) fn queue_entity(&mut self, subject: Subject) {
        if !self.observers.is_empty(subject) {
            self.queue.steps.push_back(Step::Entity(subject));
        }
    }
}
