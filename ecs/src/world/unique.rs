//! The owners of unique components.

use super::data::World;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::signature::RawComponentSet;

impl World {
    /// The entity that owns a unique component.
    #[inline]
    pub(crate) fn owner(&self, component: RawComponentIndex) -> Option<UntypedId> {
        let last = self.owners.last(component)?;
        let row = self.slots.get(last)?.row;
        let column = self.columns.at(component)?;
        column.contains(row).then_some(last)
    }

    /// Records the entity that is about to get a component, if it is unique.
    pub(crate) fn record_owner(&mut self, component: RawComponentIndex, id: UntypedId) {
        if self.columns.describe(component).unique {
            self.owners.record(component, id);
        }
    }

    /// Whether any component of a set is unique.
    pub(crate) fn any_is_unique(&self, components: &RawComponentSet) -> bool {
        let descriptors = (0..)
            .map(RawComponentIndex::new)
            .zip(self.columns.numbering().descriptors());
        descriptors
            .filter(|(_, descriptor)| descriptor.unique)
            .any(|(index, _)| components.contains(index))
    }
}
