//! What must be known about a list of entities before any of them changes: which are rejected.

use alloc::vec::Vec;

use hashbrown::HashSet;

use crate::state::core::Core;
use crate::state::rejection::{Rejection, Turn};
use crate::state::validate::edge::EdgeKind;
use crate::state::validate::{check_owner, check_vacant, check_values};
use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::demands::view_any;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::field_index::are_checked;
use crate::world::World;

/// Rejects the first entity that cannot get, or lose, a component, also because it is repeated.
pub(super) fn check_edge(
    world: &World,
    ids: &[UntypedId],
    component: RawComponentIndex,
    edge: EdgeKind,
) -> Result<(), (UntypedId, Rejection)> {
    let repeated = first_repeated(ids);
    for (place, &id) in ids.iter().enumerate() {
        let slot = world.slots.get(id).ok_or((id, Rejection::Dead))?;
        let is_changed = repeated == Some(place);
        let has = world.graph.components(slot.node).contains(component);
        match edge {
            EdgeKind::Add if has || is_changed => return Err((id, Rejection::Present)),
            EdgeKind::Remove if !has || is_changed => return Err((id, Rejection::Absent)),
            _ => {}
        }
    }
    Ok(())
}

/// Rejects a list unless it is a single entity that can get a unique component.
pub(super) fn check_new_owner(
    world: &World,
    ids: &[UntypedId],
    component: RawComponentIndex,
) -> Result<(), (UntypedId, Rejection)> {
    if world.columns.describe(component).unique
        && let Some(&first) = ids.first()
    {
        let checked = check_vacant(world, first, component);
        checked.map_err(|rejection| (first, rejection))?;
        check_edge(world, &ids[..ids.len().min(2)], component, EdgeKind::Add)?;
    }
    check_one_owner(world, ids, component)
}

/// Rejects a list for a unique component if another entity has it, or if there are several
/// entities.
pub(crate) fn check_one_owner(
    world: &World,
    ids: &[UntypedId],
    component: RawComponentIndex,
) -> Result<(), (UntypedId, Rejection)> {
    if !world.columns.describe(component).unique {
        return Ok(());
    }
    let Some((&first, others)) = ids.split_first() else {
        return Ok(());
    };
    let checked = check_owner(world, Some(first), component);
    checked.map_err(|rejection| (first, rejection))?;
    match others.iter().find(|&&id| id != first) {
        Some(&second) => Err((second, Rejection::Owned(first.raw()))),
        None => Ok(()),
    }
}

impl<C: 'static> Core<C> {
    /// Rejects values with keys of a primary index that would not be free at that point, or with
    /// targets that would be invalid then.
    pub(super) fn check_values_of<T: Component<C>>(
        &mut self,
        ids: &[EntityId<C>],
        values: &[T],
    ) -> Result<(), (UntypedId, Rejection)> {
        if const { !are_checked(T::INDEXES) } {
            return Ok(());
        }
        let values = values.iter().map(|value| view_any::<C, T>(value));
        let pairs: Vec<_> = ids.iter().map(|id| id.untyped()).zip(values).collect();
        let checked = check_values(
            &mut self.world,
            &mut self.subs,
            index_of::<C, T>(),
            &pairs,
            Turn::OneByOne,
        );
        checked.map_err(|rejection| (ids[0].untyped(), rejection)) // it has the right entity
    }
}

/// The position of the first repeated entity of a list.
pub(crate) fn first_repeated<C>(ids: &[EntityId<C>]) -> Option<usize> {
    if ids.is_sorted_by(|a, b| a.index() < b.index()) {
        return None;
    }
    let mut seen = HashSet::with_capacity(ids.len());
    ids.iter().position(|id| !seen.insert(id.raw()))
}
