//! Unique components: at most one entity of a context has one at a time.

use super::core::{Core, HasCore};
use crate::storage::registry::{index_of, numbering};
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::EntityId;
use crate::words::signature::ComponentSet;

impl<C: 'static> Core<C> {
    /// The entity that has a unique component.
    #[inline]
    pub(crate) fn owner(&self, component: ComponentIndex) -> Option<EntityId<C>> {
        let last = self.owners.last(component)?;
        let row = self.slots.get(last)?.row;
        let column = self.columns.at(component)?;
        column.contains(row).then_some(last.typed())
    }

    /// Notes the entity that is about to have a component, if that is unique.
    pub(super) fn note_owner(&mut self, component: ComponentIndex, id: EntityId<C>) {
        if self.columns.describe(component).unique {
            self.owners.note(component, id.untyped());
        }
    }

    /// Whether some component of a set is unique.
    pub(super) fn any_is_unique(&self, components: &ComponentSet) -> bool {
        let descriptors = (0..)
            .map(ComponentIndex::new)
            .zip(numbering::<C>().descriptors());
        descriptors
            .filter(|(_, descriptor)| descriptor.unique)
            .any(|(index, _)| components.contains(index))
    }
}

/// The entity that has a unique component; no entity if it is not unique.
#[inline]
pub(crate) fn owner_of<C: HasCore, T: Component<C>>(context: &C) -> Option<EntityId<C>> {
    context.core().owner(index_of::<C, T>())
}
