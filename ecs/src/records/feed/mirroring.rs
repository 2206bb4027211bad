//! The changes of a mirror: many values of a component at once, and many changes before the first
//! notification.

use alloc::vec::Vec;

use crate::reactions::subscribers::Subscribers;
use crate::state::core::HasCore;
use crate::state::rejection::{Rejection, Turn, rejected};
use crate::state::untyped::remove_at;
use crate::state::validate::{check_value, check_values};
use crate::state::write::replace_moved;
use crate::storage::value_list::ValueList;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::world::World;

/// Adds or replaces a component of living entities. If keys or targets are swapped between them,
/// the component is removed first.
pub(crate) fn set_mirrored<C: HasCore>(
    context: &mut C,
    component: RawComponentIndex,
    ids: &[Option<EntityId<C>>],
    values: &mut ValueList,
) -> Result<(), Error> {
    let descriptor = values.descriptor();
    if descriptor.checked {
        remove_conflicting(context, component, ids, values);
    }
    for &id in ids {
        let alive = id.filter(|&id| context.core().world.is_alive(id));
        if let (Some(value), Some(id)) = (values.pop_first(), alive)
            && let Err(rejection) = replace_moved(context, id.untyped(), component, value)
        {
            let core = context.core();
            return Err(rejected(
                &core.world,
                rejection,
                id,
                descriptor.names,
                Operation::Replace,
            ));
        }
    }
    Ok(())
}

/// Removes the component from entities if the values cannot be set one after the other.
fn remove_conflicting<C: HasCore>(
    context: &mut C,
    component: RawComponentIndex,
    ids: &[Option<EntityId<C>>],
    values: &ValueList,
) {
    let core = context.core_mut();
    let pairs = ids.iter().zip(values.iter());
    let pairs = pairs.filter_map(|(id, value)| Some(((*id)?.untyped(), value)));
    let pairs = pairs.filter(|(id, _)| core.world.slots.get(*id).is_some());
    let pairs: Vec<_> = pairs.collect();
    let checked = check_values(
        &mut core.world,
        &mut core.subs,
        component,
        &pairs,
        Turn::OneByOne,
    );
    if checked.is_err() {
        for id in ids.iter().flatten() {
            let _ = remove_at(context, id.untyped(), component); // it may lack the component
        }
    }
}

/// Rejects values for entities, which may not exist yet, if they conflict with an entity that keeps
/// its value: the owner of a unique component or of a key.
pub(crate) fn check_mirrored(
    world: &mut World,
    subs: &mut Subscribers,
    component: RawComponentIndex,
    ids: &[UntypedId],
    values: &ValueList,
    keeps: &dyn Fn(UntypedId) -> bool,
) -> Result<(), Error> {
    let descriptor = values.descriptor();
    for (&id, value) in ids.iter().zip(values.iter()) {
        let owner = world.owner(component).filter(|_| descriptor.unique);
        let rejection = if let Some(owner) = owner
            && owner != id
            && keeps(owner)
        {
            Rejection::Owned(owner.raw())
        // A relation is not checked yet: its targets are still ids of the origin.
        } else if descriptor.keyed
            && !descriptor.relation
            && let Err(Rejection::Taken(taken)) = check_value(world, subs, id, component, value)
            && let Some(owner) = world.slots.alive_in(taken.owner.index())
            && keeps(owner.0)
        {
            Rejection::Taken(taken)
        } else {
            continue;
        };
        let names = descriptor.names;
        return Err(rejected(world, rejection, id, names, Operation::Add));
    }
    Ok(())
}
