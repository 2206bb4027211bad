//! The memory of collectors.

use super::Collectors;
use super::collected_rows::CollectedRows;
use super::list::List;
use crate::reactions::handle::HandleWatch;
use crate::storage::bit_set::BitSet;
use crate::words::heap_size::heap_size;

impl Collectors {
    /// Frees unused memory.
    pub(crate) fn trim(&mut self) {
        self.drop_released_end();
        let states = self.states.iter_mut();
        states.for_each(|state| state.expected.shrink_to_fit());
        self.lists.iter_mut().for_each(List::trim);
        self.rows.iter_mut().for_each(CollectedRows::trim);
        self.drained = BitSet::new();
    }

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

    pub(crate) fn bytes(&self) -> usize {
        let groups = self.states.iter();
        let groups = groups.map(|state| heap_size(&state.groups) + heap_size(&state.expected));
        let handles = self.states.iter().filter_map(|state| state.watch.as_ref());
        let groups = groups.chain(handles.map(HandleWatch::bytes));
        let lists = self.lists.iter().map(List::bytes);
        let rows = self.rows.iter().map(CollectedRows::bytes);
        let inside: usize = groups.chain(lists).chain(rows).sum();
        let lists = heap_size(&self.lists) + heap_size(&self.rows) + self.drained.bytes();
        let tables = heap_size(&self.states) + heap_size(&self.released) + heap_size(&self.filled);
        tables + lists + inside
    }
}
