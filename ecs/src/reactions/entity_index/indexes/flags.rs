//! The flags of terms that a context keeps up to date.

use alloc::vec::Vec;
use core::any::Any;

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
        let index: &dyn Any = &*self.state(number)?.index;
        index.downcast_ref()
    }

    pub(crate) fn take_changed_members(&mut self, number: IndexNumber) -> Vec<UntypedId> {
        let index = self.state_mut(number);
        let index: Option<&mut dyn Any> = index.map(|state| &mut *state.index as _);
        let changed = index.and_then(|index| index.downcast_mut::<ChangedMembers>());
        changed.map_or(Vec::new(), ChangedMembers::take)
    }
}
