//! Admitting the values of a component that a save has, for many entities at once: all are checked
//! before one of them is stored.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::state::core::{Core, HasCore};
use crate::state::refusal::Turn;
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::Row;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::{Error, Operation};
use crate::words::field_index::are_checked;

/// Whether entities can have values, which they get all at once.
type Check<C> = fn(&mut Core<C>, &[EntityId<C>], &AnyValue) -> Result<(), Error>;

/// A list of values of one component, by functions that know its type.
pub(crate) struct LoadedValues<C: 'static> {
    /// An empty list.
    pub(crate) empty: fn() -> Box<AnyValue>,
    pub(crate) check: Check<C>,
    /// Stores the values in the rows of the entities, which have none.
    pub(crate) store: fn(&mut Core<C>, &[EntityId<C>], Box<AnyValue>),
}

impl<C: HasCore> LoadedValues<C> {
    pub(crate) const fn of<T: Component<C>>() -> Self {
        Self {
            empty: || Box::new(Vec::<T>::new()),
            check: check::<C, T>,
            store: store::<C, T>,
        }
    }
}

fn check<C: HasCore, T: Component<C>>(
    core: &mut Core<C>,
    ids: &[EntityId<C>],
    values: &AnyValue,
) -> Result<(), Error> {
    let Some(values) = values.downcast_ref::<Vec<T>>() else {
        return Ok(()); // there are none of this type
    };
    let owner = core.check_one_owner::<T>(ids);
    let refused = owner.and_then(|()| {
        let pairs: Vec<_> = match are_checked(T::INDEXES) {
            true => ids.iter().copied().zip(values).collect(),
            false => Vec::new(),
        };
        let checked = core.check_values(&pairs, Turn::Loaded);
        checked.map_err(|refusal| (ids[0], refusal)) // which says itself which entity it is
    });
    refused.map_err(|(id, refusal)| refusal.error::<C, T>(id, Operation::Add))
}

fn store<C: HasCore, T: Component<C>>(
    core: &mut Core<C>,
    ids: &[EntityId<C>],
    values: Box<AnyValue>,
) {
    let Ok(values) = values.downcast::<Vec<T>>() else {
        return;
    };
    if T::UNIQUE
        && let Some(&owner) = ids.first()
    {
        core.note_owner::<T>(owner);
    }
    let slots = &core.slots;
    let column = core.columns.columns.of_mut::<T>();
    let mut rows = ids.iter().map(|&id| slots.row_of(id));
    if let Some(start) = first_of_run(rows.clone())
        && ids.len() == values.len()
    {
        return column.fill(start, *values);
    }
    for value in *values {
        let Some(row) = rows.next() else { break };
        // No entity is listed twice, so the row has none, and nothing is dropped in here.
        if let Err(second) = column.insert(row, value) {
            core::mem::forget(second);
        }
    }
}

/// The first of some rows, if they follow one another.
fn first_of_run(mut rows: impl Iterator<Item = Row>) -> Option<Row> {
    let first = rows.next()?;
    let mut next = (first.0..).skip(1);
    rows.all(|row| next.next() == Some(row.0)).then_some(first)
}
