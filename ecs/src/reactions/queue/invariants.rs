//! Invariants of the queue, for tests.

use super::Queue;

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
