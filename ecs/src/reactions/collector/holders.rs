//! Who holds an entity unread.

use alloc::string::String;

use super::Collectors;
use crate::storage::slots::Slots;
use crate::words::entity_id::UntypedId;
use crate::words::limits::COLLECTORS_A_BANK;

impl Collectors {
    /// The collectors that hold anything and whose handles are still there.
    pub(crate) fn unread(&self) -> impl Iterator<Item = usize> {
        let is_empty = |index: usize| self.lists[index].is_empty() && self.rows[index].is_empty();
        let all = 0..self.states.len();
        all.filter(move |&index| !is_empty(index) && !self.is_dropped(index))
    }

    /// The name of the system that reads a collector, if one does.
    pub(crate) fn reader(&self, index: usize) -> Option<String> {
        self.states[index].watch.as_ref()?.reader()
    }

    /// Whether a collector holds a living entity.
    pub(crate) fn holds(&self, slots: &Slots, index: usize, id: UntypedId) -> bool {
        let (bank, bit) = (
            &self.banks[index / COLLECTORS_A_BANK],
            1 << (index % COLLECTORS_A_BANK),
        );
        let word = bank.pending.get(id.index() as usize);
        let has_bit = word.is_some_and(|word| word & bit != 0);
        if bank.apart & bit == 0 {
            return has_bit;
        }
        let is_in_row = self.rows[index].contains(slots.row_of(id));
        has_bit || is_in_row || self.states[index].awaits(id)
    }
}
