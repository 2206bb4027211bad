//! Memory and invariants of the queue.

use super::{DispatchTurn, PendingDestroys, Queue, Step};
use crate::words::entity_id::RawEntityId;
use crate::words::heap_size::heap_size;

impl Step {
    /// The size of the pending value.
    fn bytes(&self) -> usize {
        match self {
            Self::Change(change) => change.previous.as_deref().map_or(0, size_of_val),
            Self::Message(queued) => size_of_val(&*queued.message),
            _ => 0,
        }
    }
}

impl PendingDestroys {
    fn trim(&mut self) {
        self.order.shrink_to_fit();
        self.ids.shrink_to_fit();
    }

    fn bytes(&self) -> usize {
        self.order.capacity() * size_of::<RawEntityId>() + self.ids.allocation_size()
    }
}

impl Queue {
    /// The bytes held, excluding heap memory of pending values.
    pub(crate) fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<Step>()
            + self.steps.iter().map(Step::bytes).sum::<usize>()
            + self.pending.bytes()
            + heap_size(&self.gaps)
            + DispatchTurn::BYTES
    }

    /// Frees unused memory.
    pub(crate) fn trim(&mut self) {
        self.steps.shrink_to_fit();
        self.pending.trim();
        self.gaps.shrink_to_fit();
    }
}

#[cfg(any(test, feature = "__checks"))]
impl Queue {
    /// Panics if anything is pending outside a dispatch.
    pub(crate) fn check_invariants(&self) {
        assert!(
            self.steps.is_empty(),
            "queue: {} steps wait",
            self.steps.len()
        );
        assert!(
            self.destroying.is_none(),
            "queue: an entity is about to end"
        );
        assert!(self.pending.order.is_empty(), "queue: entities are to end");
        assert!(self.gaps.is_empty() && !self.untidy, "queue: gaps are open");
    }
}
