//! Memory and invariants of the queue.

use super::{DispatchTurn, PendingDestroys, Queue, Step};
use crate::storage::heap::{Heap, heap};

heap!(Queue: steps, pending, gaps, turn; each steps);
heap!(PendingDestroys: order, ids);

impl Heap for Step {
    /// The size of the pending value.
    fn bytes(&self) -> usize {
        match self {
            Self::Change(change) => change.previous.as_deref().map_or(0, size_of_val),
            Self::Message(queued) => size_of_val(&*queued.message),
            _ => 0,
        }
    }
}

impl Heap for DispatchTurn {
    fn bytes(&self) -> usize {
        Self::BYTES
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
