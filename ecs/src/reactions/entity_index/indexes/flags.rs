//! The flags of terms that a context keeps up to date.

use alloc::vec::Vec;

use super::Indexes;
use crate::matching::group::IndexNumber;
use crate::reactions::entity_index::flags::{ChangedMembers, Flag};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

impl Indexes {
    /// Whether the flag of a term is kept up to date.
    pub(crate) fn has_flag(&self, component: RawComponentIndex) -> bool {
        self.flags.iter().any(|flag| flag.component == component)
    }

    /// Keeps the flag of a term up to date from now on.
    pub(crate) fn keep_flag(&mut self, flag: Flag) {
        self.change_relations(|links| {
            if links.component == flag.relation {
                links.watch_changed();
            }
        });
        self.flags.push(flag);
    }

    pub(crate) fn changed_members(&self, number: IndexNumber) -> Option<&ChangedMembers> {
        self.state(number)?.index.get()
    }

    pub(crate) fn take_changed_members(&mut self, number: IndexNumber) -> Vec<UntypedId> {
        let state = self.state_mut(number);
        let changed = state.and_then(|state| state.index.get_mut::<ChangedMembers>());
        changed.map_or(Vec::new(), ChangedMembers::take)
    }
}
