//! Unique components: at most one entity of a context has one at a time.
//!
//! Nothing in here runs for other components: every call stands behind `T::UNIQUE`,
//! which is known at compile time.

use super::core::{Core, HasCore};
use crate::storage::registry::{index_of, numbering};
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::EntityId;
use crate::words::signature::ComponentSet;

impl<C: 'static> Core<C> {
    /// The entity that has a unique component.
    #[inline]
    pub(crate) fn owner<T: Component<C>>(&self) -> Option<EntityId<C>> {
        let last = self.owners.last(index_of::<C, T>())?;
        let row = self.slots.get(last)?.row;
        self.columns
            .of::<T>()?
            .contains(row)
            .then_some(last.typed())
    }

    /// Notes the entity that is about to have a component, if that is unique.
    #[inline]
    pub(super) fn note_owner<T: Component<C>>(&mut self, id: EntityId<C>) {
        if T::UNIQUE {
            self.owners.note(index_of::<C, T>(), id.untyped());
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
    context.core().owner::<T>()
}
