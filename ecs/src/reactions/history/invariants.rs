//! Invariants of a history, for tests.

use super::Recording;
use crate::words::component::RawComponentIndex;
use alloc::collections::BTreeMap;

impl Recording {
    /// Panics if marks are out of order, or the number of values kept by a column differs from that
    /// of its entries.
    pub(crate) fn check_invariants(&self, kept: impl Fn(RawComponentIndex) -> usize) {
        let checkpoints = self
            .checkpoints
            .iter()
            .map(|checkpoint| (checkpoint.at, checkpoint.mark));
        assert!(checkpoints.is_sorted(), "history: the order of marks");
        let end = self.now() + self.entries.redo() as u64;
        let reached = self.entries.first()..=end;
        let all = self
            .checkpoints
            .iter()
            .map(|checkpoint| checkpoint.at.entry);
        let mut all = all.chain(self.sums.iter().map(|sum| sum.0));
        assert!(
            all.all(|at| reached.contains(&at)),
            "history: a mark beyond it"
        );
        assert!(
            self.sums.iter().is_sorted_by(|a, b| a.0 < b.0),
            "history: sums"
        );
        let mut entries = BTreeMap::new();
        for entry in self.undo().iter().filter(|it| it.kind.keeps_value()) {
            *entries.entry(entry.component).or_insert(0) += 1;
        }
        for (component, count) in entries {
            assert_eq!(kept(component), count, "history: values of {component:?}");
        }
    }
}
