//! The memory of collectors.

use super::{CollectorState, Collectors};
use crate::storage::bit_set::BitSet;
use crate::storage::heap::{Heap, bytes_of, heap};

heap!(CollectorState: groups, expected, watch);

impl Heap for Collectors {
    bytes_of!(states, lists, rows, drained, released, filled; each states, lists, rows);

    fn trim(&mut self) {
        self.drop_released_end();
        let states = self.states.iter_mut();
        states.for_each(|state| state.expected.trim());
        self.lists.iter_mut().for_each(Heap::trim);
        self.rows.iter_mut().for_each(Heap::trim);
        self.drained = BitSet::new();
    }
}

impl Collectors {
    /// Drops released collectors at the end of the tables.
    fn drop_released_end(&mut self) {
        self.released.sort_unstable();
        while self
            .released
            .last()
            .is_some_and(|last| last + 1 == self.states.len())
        {
            self.released.pop();
            self.states.pop();
        }
        self.released.reverse(); // the lowest is reused first
        let end = self.states.len();
        self.lists.truncate(end);
        self.rows.truncate(end);
        self.states.shrink_to_fit();
        self.lists.shrink_to_fit();
        self.rows.shrink_to_fit();
        self.filled.shrink_to_fit();
        self.released.shrink_to_fit();
    }
}
