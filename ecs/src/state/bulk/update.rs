//! Changing one component of many entities in place.

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::add::RejectedEntity;
use super::replace::replace_all;
use crate::state::core::HasCore;
use crate::state::query_update::{QueryUpdate, Visit, Written};
use crate::state::rejection::{Rejection, rejected};
use crate::state::untracked::are_updates_observed;
use crate::state::update::copy_to_check;
use crate::state::validate::OccupiedMany;
use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::field_index::are_checked;
use crate::world::World;

/// Changes a component of many entities in place; twice, for an entity that is in the list twice,
/// which is reported once.
pub(crate) fn update_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    change: impl FnMut(EntityId<C>, &mut T),
) -> Result<(), Error> {
    let updated = update_all(context, ids, change);
    updated.map_err(|(id, rejection)| {
        let core = context.core();
        rejected(&core.world, rejection, id, T::NAMES, Operation::Update)
    })
}

fn update_all<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    mut change: impl FnMut(EntityId<C>, &mut T),
) -> Result<(), RejectedEntity> {
    let component = index_of::<C, T>();
    check_updated(&context.core().world, EntityId::untyped_all(ids), component)?;
    if const { are_checked(T::INDEXES) } && T::CLONE.is_some() {
        return update_copies(context, ids, change);
    }
    let core = context.core();
    let is_observed = are_updates_observed(&core.world, &core.subs, component);
    let mut update = QueryUpdate::new(context);
    if is_observed {
        update.begin_one_by_one(Written::of::<C, T>());
    }
    let Visit {
        context,
        mut recorder,
        ..
    } = update.visit();
    let core = context.core_mut();
    for &id in ids {
        if let Some(recorder) = &mut recorder {
            let row = core.world.slots.row_of(id);
            recorder.record(&core.world, row); // may clone the value
        }
        if let Some(value) = OccupiedMany::of(core).get_mut(id) {
            change(id, value);
        }
    }
    update.finish();
    Ok(())
}

/// Changes copies, which replace the values if all keys are free.
fn update_copies<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
    mut change: impl FnMut(EntityId<C>, &mut T),
) -> Result<(), RejectedEntity> {
    let mut copies: Vec<T> = Vec::with_capacity(ids.len());
    let mut places = HashMap::with_capacity(ids.len());
    for (place, &id) in ids.iter().enumerate() {
        let copy = match (places.insert(id.raw(), place), T::CLONE) {
            (Some(before), Some(clone)) => Some(clone(&copies[before])),
            _ => copy_to_check::<C, T>(context, id),
        };
        let mut copy = copy.ok_or((id.untyped(), Rejection::Absent))?;
        change(id, &mut copy);
        copies.push(copy);
    }
    context.core_mut().check_values_of(ids, &copies)?;
    replace_all(context, ids, copies)
}

/// Rejects the first entity that is dead or lacks a component.
fn check_updated(
    world: &World,
    ids: &[UntypedId],
    component: RawComponentIndex,
) -> Result<(), RejectedEntity> {
    let mut done = 0;
    while let Some(&id) = ids.get(done) {
        let node = world.slots.get(id).ok_or((id, Rejection::Dead))?.node;
        if !world.graph.components(node).contains(component) {
            return Err((id, Rejection::Absent));
        }
        done += world.slots.count_in(&ids[done..], node);
    }
    Ok(())
}
