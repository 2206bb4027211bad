//! Changing one component of many entities in place.

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::add::RejectedEntity;
use super::replace::replace_each;
use crate::state::core::{Core, HasCore};
use crate::state::propagate::apply_to_updated;
use crate::state::rejection::Rejection;
use crate::state::rejection::rejected;
use crate::state::runs::Runs;
use crate::state::update::{copy_to_check, update};
use crate::state::validate::OccupiedMany;
use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::field_index::are_checked;
use crate::world::World;

/// Changes a component of many entities in place; twice, for an entity that is in the list twice.
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
    let core = context.core_mut();
    let runs = runs_of_updates(
        &mut core.world,
        EntityId::untyped_all(ids),
        index_of::<C, T>(),
    )?;
    if const { are_checked(T::INDEXES) } && T::CLONE.is_some() {
        return update_copies(context, ids, change);
    }
    if runs.runs.iter().any(|run| run.effects.is_observed()) {
        let mut update_one = |&id| update(context, id, |value| change(id, value));
        return ids
            .iter()
            .try_for_each(|id| update_one(id).map_err(|rejection| (id.untyped(), rejection)));
    }
    let mut updates = Updates {
        core,
        ids,
        runs,
        done: 0,
    };
    for &id in ids {
        updates.change(id, &mut change);
    }
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
    replace_each(context, ids, copies)
}

/// Updates under way without observers. On drop, also by a panic, collectors are updated for those
/// made.
struct Updates<'a, C: 'static> {
    core: &'a mut Core<C>,
    ids: &'a [EntityId<C>],
    runs: Runs,
    done: usize,
}

impl<C: HasCore> Updates<'_, C> {
    #[inline]
    fn change<T: Component<C>>(
        &mut self,
        id: EntityId<C>,
        change: &mut impl FnMut(EntityId<C>, &mut T),
    ) {
        self.done += 1; // counts even if `change` panics
        if let Some(value) = OccupiedMany::of(self.core).get_mut(id) {
            change(id, value);
        }
    }
}

impl<C: 'static> Drop for Updates<'_, C> {
    fn drop(&mut self) {
        for (effects, places, _) in self.runs.iter(self.ids.len()) {
            let places = places.start.min(self.done)..places.end.min(self.done);
            apply_to_updated(
                &self.core.world,
                &mut self.core.subs,
                EntityId::untyped_all(&self.ids[places]),
                effects,
            );
        }
    }
}

/// The effects of updating a component of many entities; an error if one lacks it.
fn runs_of_updates(
    world: &mut World,
    ids: &[UntypedId],
    component: RawComponentIndex,
) -> Result<Runs, (UntypedId, Rejection)> {
    let mut runs = Runs::default();
    let mut done = 0;
    while let Some(&id) = ids.get(done) {
        let node = world.slots.get(id).ok_or((id, Rejection::Dead))?.node;
        if !world.graph.components(node).contains(component) {
            return Err((id, Rejection::Absent));
        }
        let effects = world.graph.update(node, component, &world.groups);
        runs.start(done, effects);
        done += world.slots.count_in(&ids[done..], node);
    }
    Ok(runs)
}
