//! Memory and invariants: what a history holds, what it can give up, and what must hold
//! between two changes.

#[cfg(any(test, feature = "__checks"))]
use alloc::collections::BTreeMap;

use super::{Moment, Recording};
#[cfg(any(test, feature = "__checks"))]
use crate::words::component::ComponentIndex;
use crate::words::heap_size::heap_size;

impl Recording {
    /// Gives up the room in which nothing is.
    pub(crate) fn trim(&mut self) {
        self.entries.trim();
        self.moments.shrink_to_fit();
        self.sums.shrink_to_fit();
        self.actors.trim();
    }

    /// The bytes held, but for what values and marks hold elsewhere.
    pub(crate) fn bytes(&self) -> usize {
        let held = self.moments.iter();
        let held = held.map(|moment| moment.held.bytes() + heap_size(&moment.detour));
        size_of::<Self>()
            + self.left_out.bytes()
            + self.watch.bytes()
            + self.entries.bytes()
            + self.actors.bytes()
            + self.sums.capacity() * size_of::<(u64, u64)>()
            + self.moments.capacity() * size_of::<Moment>()
            + held.sum::<usize>()
    }
}

#[cfg(any(test, feature = "__checks"))]
impl Recording {
    /// Panics if marks are out of order, or the columns keep other numbers of values than there are
    /// entries, by component.
    pub(crate) fn check_invariants(&self, kept: impl Fn(ComponentIndex) -> usize) {
        let moments = self.moments.iter().map(|moment| (moment.at, moment.mark));
        assert!(moments.is_sorted(), "history: the order of marks");
        let end = self.now() + self.entries.ahead() as u64;
        let reached = self.entries.first()..=end;
        let all = self.moments.iter().map(|moment| moment.at.entry);
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
        for entry in self.behind().iter().filter(|it| it.kind.keeps_value()) {
            *entries.entry(entry.component).or_insert(0) += 1;
        }
        for (component, count) in entries {
            assert_eq!(kept(component), count, "history: values of {component:?}");
        }
    }
}
