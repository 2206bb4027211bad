//! The collectors that hold an entity.

use alloc::string::String;

use super::Collectors;
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;

impl Collectors {
    /// The collectors that are not empty and whose handles exist, ascending.
    pub(crate) fn unread(&self) -> impl Iterator<Item = usize> {
        let mut filled = self.filled.clone();
        filled.sort_unstable();
        filled.into_iter().filter(|&index| !self.is_dropped(index))
    }

    /// The name of the system that reads a collector, if any.
    pub(crate) fn reader(&self, index: usize) -> Option<String> {
        self.states[index].watch.as_ref()?.reader()
    }

    pub(crate) fn holds(&self, slots: &Slots, index: usize, id: UntypedId) -> bool {
        let has_seen = self.lists[index].has_seen(id.index());
        let is_in_row = self.rows[index].contains(slots.row_of(id));
        has_seen || is_in_row || self.states[index].expects(id)
    }
}
