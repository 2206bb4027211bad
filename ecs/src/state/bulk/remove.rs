//! Removing one component from many entities.

use alloc::vec::Vec;

use super::add::RejectedEntity;
use super::plan::check_edge;
use crate::state::commit::commit_runs;
use crate::state::commit::previous::Previous;
use crate::state::core::HasCore;
use crate::state::dispatch::together;
use crate::state::rejection::rejected;
use crate::state::validate::edge::{Edge, EdgeKind};
use crate::state::write::remove;
use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex, is_of_entries};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};

/// Removes a component from many entities.
pub(crate) fn remove_many<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> Result<(), Error> {
    let removed = match const { is_of_entries::<C, T>() } {
        true => remove_entries::<C, T>(context, ids),
        false => remove_all::<C, T>(context, ids),
    };
    removed.map_err(|(id, rejection)| {
        let core = context.core();
        rejected(&core.world, rejection, id, T::NAMES, Operation::Remove)
    })
}

/// Destroys entries, which are nothing without it.
fn remove_entries<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> Result<(), RejectedEntity> {
    let (untyped, component) = (EntityId::untyped_all(ids), index_of::<C, T>());
    check_edge(&context.core().world, untyped, component, EdgeKind::Remove)?;
    together(context, |context| {
        let mut each = ids.iter();
        each.try_for_each(|&id| remove::<C, T>(context, id).map_err(|it| (id.untyped(), it)))
    })
}

/// Removes it from all of them at once.
fn remove_all<C: HasCore, T: Component<C>>(
    context: &mut C,
    ids: &[EntityId<C>],
) -> Result<(), RejectedEntity> {
    let (mut edge, column) = context.core_mut().edge::<T>(EdgeKind::Remove);
    edge.traverse(ids)?;
    let runs = edge.runs;
    let mut values: Vec<T> = Vec::new();
    if !runs.are_observed() {
        let rows = runs.rows.as_slice();
        match T::POOLED || core::mem::needs_drop::<T>() {
            true => values = column.take_all(rows),
            false => column.forget(rows),
        }
    }
    let (untyped, component) = (EntityId::untyped_all(ids), index_of::<C, T>());
    commit_runs(context, untyped, &runs, || Previous::left(component));
    for value in values {
        context.core_mut().typed_mut().recycle(value);
    }
    Ok(())
}

/// Removes the component with this index from each entity that has it. No entity is in the list
/// twice.
pub(crate) fn remove_from<C: HasCore>(
    context: &mut C,
    ids: &[EntityId<C>],
    component: RawComponentIndex,
) {
    let core = context.core_mut();
    let has = |id: &&UntypedId| {
        let slot = core.world.slots.get(**id);
        slot.is_some_and(|slot| core.world.components(slot.node).contains(component))
    };
    let ids = EntityId::untyped_all(ids).iter().filter(has).copied();
    let ids: Vec<UntypedId> = ids.collect();
    let mut edge = Edge::of(&mut core.world, &core.subs, component, EdgeKind::Remove);
    let traversed = edge.traverse(&ids);
    debug_assert!(traversed.is_ok(), "all have it, and none is there twice");
    let runs = edge.runs;
    commit_runs(context, &ids, &runs, || Previous::left(component));
    // Without entities, the component may have no column yet.
    if !runs.are_observed() && !ids.is_empty() {
        let world = &mut context.core_mut().world;
        Previous::left(component).retire(world, &ids);
    }
}
