//! Values whose type is known only by the index of their component, which tools show, and read from
//! files or networks.

use core::any::Any;
use core::fmt;

#[cfg(feature = "serde")]
use alloc::boxed::Box;

#[cfg(feature = "serde")]
use serde::de::{Deserializer, Error as _};
#[cfg(feature = "serde")]
use serde::ser::{Error as _, Serialize, Serializer};

#[cfg(feature = "serde")]
use crate::formats::source::Format;
use crate::state::HasCore;
#[cfg(feature = "serde")]
use crate::storage::descriptor::AnyValue;
use crate::storage::descriptor::ComponentDescriptor;
#[cfg(feature = "serde")]
use crate::storage::moved::Moved;
#[cfg(feature = "serde")]
use crate::storage::value_list::ValueList;
use crate::words::demands::Holds;

/// A value of a component whose type is known only by index, for display in tools.
///
/// `Debug` prints the value itself, or the name of the type if that has no `Debug`. With the
/// feature `serde` any format can serialize it, if values of the component can be serialized (see
/// `ComponentList::can_be_written`); otherwise serializing is an error.
///
/// Created by [`ComponentList::value`](crate::ComponentList::value) from the result of
/// [`DynEntity::get`](crate::DynEntity::get), [`Change::previous_any`](crate::Change::previous_any)
/// or [`Recorded::previous_any`](crate::Recorded::previous_any).
pub struct DynValue<'a, C: 'static> {
    descriptor: &'static ComponentDescriptor,
    _holds: Holds<C>,
    value: &'a dyn Any,
}

impl<'a, C: HasCore> DynValue<'a, C> {
    pub(super) fn new(
        descriptor: &'static ComponentDescriptor,
        value: &'a dyn Any,
    ) -> Option<Self> {
        descriptor.is_of(value).then_some(Self {
            descriptor,
            _holds: Holds::NEW,
            value,
        })
    }
}

#[cfg(feature = "serde")]
impl<C: HasCore> Serialize for DynValue<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.descriptor.serialize(self.value) {
            Some(value) => erased_serde::serialize(value, serializer),
            None => Err(S::Error::custom(cannot(self.descriptor, "written"))),
        }
    }
}

impl<C> Clone for DynValue<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for DynValue<'_, C> {}

impl<C> fmt::Debug for DynValue<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.descriptor.debug(self.value, f)
    }
}

/// Deserializes a value of the component.
#[cfg(feature = "serde")]
pub(super) fn read<'de, D: Deserializer<'de>>(
    descriptor: &'static ComponentDescriptor,
    deserializer: D,
) -> Result<Box<AnyValue>, D::Error> {
    let saving = &descriptor.saving;
    if !saving.is_saved() {
        return Err(D::Error::custom(cannot(descriptor, "read")));
    }
    let mut list = ValueList::new(descriptor);
    let read = list.read(saving.version, &mut Format::new(deserializer));
    read.map_err(D::Error::custom)?;
    let value = list.pop().map(Moved::into_box);
    value.ok_or_else(|| D::Error::custom(cannot(descriptor, "read")))
}

#[cfg(feature = "serde")]
fn cannot(descriptor: &ComponentDescriptor, what: &str) -> alloc::string::String {
    alloc::format!(
        "component `{}` cannot be {what}: its type is not both `Serialize` and `DeserializeOwned`, or \
         it is `transient`",
        descriptor.names.component
    )
}
