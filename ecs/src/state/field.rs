//! What is done with an indexed field, of whatever component: kept with the component as something
//! that this layer alone knows the type of.

use core::any::TypeId;

use super::core::Registries;
use super::refusal::{Refusal, Turn};
use crate::storage::descriptor::AnyValue;
use crate::words::entity_id::UntypedId;
use crate::words::field_index::IndexedField;

/// What is done with an indexed field, of whatever component.
pub(super) struct FieldFunctions {
    /// The type of the context that the functions are for.
    pub(super) context: TypeId,
    /// Makes the index.
    pub(super) install: fn(&mut Registries),
    /// Checks values before they are stored.
    pub(super) check: Check,
    /// Has a copy of a value refer to another target, if the field is that of a relation.
    pub(super) map_target: Option<MapField>,
}

/// Checks values for entities: what a component with a primary index or a relation has in its
/// [`IndexedField`](crate::words::field_index::IndexedField).
pub(super) type Check = fn(&Registries, &[(UntypedId, &AnyValue)], Turn) -> Result<(), Refusal>;

/// Which entity a copy leads to, if the original leads to this one.
pub(crate) type MapTarget<'m> = &'m dyn Fn(UntypedId) -> UntypedId;

/// Has a copy of a value lead where the map says.
pub(super) type MapField = fn(&mut AnyValue, MapTarget<'_>);

impl Registries {
    /// The functions of an indexed field; none of one that was declared for another context.
    pub(super) fn functions_of(&self, field: &IndexedField) -> Option<&'static FieldFunctions> {
        let functions = field.functions.downcast_ref::<FieldFunctions>()?;
        (functions.context == self.columns.context()).then_some(functions)
    }
}
