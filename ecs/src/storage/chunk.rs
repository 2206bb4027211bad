//! Values of one component and who has them: what templates, saves and deltas are made of.

use crate::storage::descriptor::{AnyValue, ComponentDescriptor};
use crate::storage::value_list::ValueList;
use crate::words::component::RawComponentIndex;

/// Values of one component. The owners, in the order of the values, are told in the way of the one who
/// keeps them.
pub(crate) struct Chunk<O = ()> {
    pub(crate) component: RawComponentIndex,
    pub(crate) owners: O,
    pub(crate) values: ValueList,
}

impl<O: Default> Chunk<O> {
    /// One without values.
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

    /// One with a clone of a value; none if that cannot be cloned.
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
    /// What the component is.
    pub(crate) fn descriptor(&self) -> &'static ComponentDescriptor {
        self.values.descriptor()
    }
}

/// With clones of the values; without those that cannot be cloned.
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
