//! Admitting the values of a component that a save has, for many entities at once: all are checked
//! before one of them is stored.

use alloc::vec::Vec;

use crate::state::core::Registries;
use crate::state::refusal::Turn;
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::error::{Error, Operation};

/// Refuses values if entities cannot have them all at once.
pub(crate) fn check_loaded(
    core: &mut Registries,
    component: ComponentIndex,
    ids: &[UntypedId],
    values: &ValueList,
) -> Result<(), Error> {
    let descriptor = values.descriptor();
    let refused = core.check_one_owner(ids, component).and_then(|()| {
        let pairs: Vec<_> = match descriptor.checked {
            true => ids.iter().copied().zip(values.iter()).collect(),
            false => Vec::new(),
        };
        let checked = core.check_values(component, &pairs, Turn::Loaded);
        checked.map_err(|refusal| (ids[0], refusal)) // which says itself which entity it is
    });
    refused.map_err(|(id, refusal)| refusal.error(id, descriptor.names, Operation::Add))
}

/// Stores the values in the rows of entities, which have none, with the first of the entities. No
/// row is listed twice.
pub(crate) fn store_loaded(
    core: &mut Registries,
    (rows, owner): (&[Row], Option<UntypedId>),
    component: ComponentIndex,
    values: ValueList,
) {
    if values.descriptor().unique
        && let Some(owner) = owner
    {
        core.owners.note(component, owner);
    }
    if let Some(column) = core.columns.at_mut(component) {
        column.load(rows, values);
    }
}
