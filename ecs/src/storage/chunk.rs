//! Values of one component with their owners; used by templates, saves and deltas.

use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::value_list::ValueList;
use crate::words::component::RawComponentIndex;

/// Values of one component. `O` lists their owners, in the same order.
pub(crate) struct Chunk<O = ()> {
    pub(crate) component: RawComponentIndex,
    pub(crate) owners: O,
    pub(crate) values: ValueList,
}

impl<O: Default> Chunk<O> {
    pub(crate) fn new(
        component: RawComponentIndex,
        descriptor: &'static ComponentDescriptor,
    ) -> Self {
        Self {
            component,
            owners: O::default(),
            values: ValueList::new(descriptor),
        }
    }

    /// Creates a chunk with a clone of a value, or `None` if it cannot be cloned.
    pub(crate) fn of_clone(
        component: RawComponentIndex,
        descriptor: &'static ComponentDescriptor,
        value: &AnyValue,
    ) -> Option<Self> {
        let mut chunk = Self::new(component, descriptor);
        chunk.values.reserve(1);
        chunk.values.push_clone(value).then_some(chunk)
    }
}

impl<O> Chunk<O> {
    /// Returns whether all values are known to be identical to those of a chunk of the same component.
    pub(crate) fn is_identical(&self, other: &Self) -> bool {
        let pairs = self.values.iter().zip(other.values.iter());
        let is_same = |(one, another)| !self.descriptor().may_differ(one, another);
        self.values.len() == other.values.len() && { pairs }.all(is_same)
    }

    pub(crate) fn descriptor(&self) -> &'static ComponentDescriptor {
        self.values.descriptor()
    }
}

/// Clones the values; omits those that cannot be cloned.
impl<O: Clone> Clone for Chunk<O> {
    fn clone(&self) -> Self {
        let mut values = ValueList::new(self.descriptor());
        values.reserve(self.values.len());
        for value in self.values.iter() {
            values.push_clone(value);
        }
        Self {
            component: self.component,
            owners: self.owners.clone(),
            values,
        }
    }
}
