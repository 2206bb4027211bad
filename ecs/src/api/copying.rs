//! Copying the components of an entity to a new or an existing one.
//!
//! Everything is validated first, then all values are cloned, which is user code, then the copies
//! are stored by the ordinary methods. So a rejected copy has changed nothing, nor has a `clone`
//! that panics.

mod options;

use alloc::vec;
use alloc::vec::Vec;

use hashbrown::{HashMap, HashSet};

pub use self::options::{CloneOptions, OnConflict};
use super::create;
use crate::state::{self, BundleWriter, Core, HasCore, PendingEntities, Present, entries};
use crate::storage::chunk::Chunk;
use crate::storage::descriptor::ComponentDescriptor;
use crate::storage::slots::{Row, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::{EntityId, UntypedId};
use crate::words::error::{Error, Operation};
use crate::words::map_ids::IdMap;

/// A component of an entity, to be copied.
pub(crate) type Chosen = (RawComponentIndex, &'static ComponentDescriptor);

/// The slot of the source or the target of a copy.
pub(crate) fn alive<C: HasCore>(core: &Core<C>, id: EntityId<C>) -> Result<Slot, Error> {
    core.world.slots().get(id).ok_or_else(|| dead(id))
}

fn dead<C: HasCore>(id: EntityId<C>) -> Error {
    Error::not_alive(id.raw(), C::NAME, Operation::Copy)
}

/// The components to copy from an entity without descendants, in ascending order of index; an error
/// if one cannot be copied.
pub(crate) fn choose<C: HasCore>(
    core: &Core<C>,
    id: EntityId<C>,
    slot: Slot,
    copying: &CloneOptions<C>,
) -> Result<Vec<Chosen>, Error> {
    match copying.descendants {
        None => choose_by(core, (id, slot), None, &|component| {
            copying.chooses(component)
        }),
        Some(_) => Err(Error::descendants_not_copied(id.raw(), C::NAME)),
    }
}

/// The selected components. Those that only one entity can have are excluded; in a tree copied
/// along a relation they are rejected, except that relation itself.
fn choose_by<C: HasCore>(
    core: &Core<C>,
    (id, slot): (EntityId<C>, Slot),
    relation: Option<RawComponentIndex>,
    chooses: &dyn Fn(RawComponentIndex) -> bool,
) -> Result<Vec<Chosen>, Error> {
    let signature = core.world.components(slot.node).iter();
    let own = signature.filter(|&component| !core.world.groups().flags().contains(component));
    let mut chosen = Vec::new();
    for component in own.filter(|&component| chooses(component)) {
        let descriptor = core.world.describe(component);
        if descriptor.unique || descriptor.keyed {
            if relation.is_some_and(|relation| relation != component) {
                return Err(Error::only_once(id.raw(), descriptor.names));
            }
        } else if descriptor.is_clone {
            chosen.push((component, descriptor));
        } else {
            return Err(Error::not_clone(id.raw(), descriptor.names));
        }
    }
    Ok(chosen)
}

/// Creates an entity with clones of the components of another one, in one change.
pub(crate) fn clone_entity<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    copying: &CloneOptions<C>,
) -> Result<EntityId<C>, Error> {
    if let Some(plan) = plan_tree(context, id, copying)? {
        return clone_tree(context, plan, copying.is_tree());
    }
    let core = context.core();
    let slot = alive(core, id)?;
    let chosen = choose(core, id, slot, copying)?;
    create::try_by(context, |writer| copy_all(writer, slot, chosen, |_| None))
}

/// An entity of a tree that is copied, with the components to copy.
pub(crate) type TreePart<C> = (EntityId<C>, Slot, Vec<Chosen>);

/// The parts of a tree to copy, targets first; `None` if a single entity is copied.
pub(crate) fn plan_tree<C: HasCore>(
    context: &C,
    top: EntityId<C>,
    copying: &CloneOptions<C>,
) -> Result<Option<Vec<TreePart<C>>>, Error> {
    let core = context.core();
    let slot = alive(core, top)?;
    let relation = copying.descendants.map(|below| below.relation);
    if relation.is_none()
        && entries(&core.world, &core.subs, top.untyped())
            .next()
            .is_none()
    {
        return Ok(None);
    }
    let of_top = choose_by(core, (top, slot), relation, &|component| {
        copying.chooses(component)
    })?;
    let mut plan = vec![(top, slot, of_top)];
    let descendants = copying.descendants.iter();
    for id in descendants.flat_map(|below| (below.find)(context, top)) {
        let slot = alive(core, id)?;
        let chosen = choose_by(core, (id, slot), relation, &|component| {
            copying.chooses_below(component)
        })?;
        check_below(id, copying, &chosen)?;
        plan.push((id, slot, chosen));
    }
    add_entries(core, copying, &mut plan)?;
    Ok(Some(plan))
}

/// Adds the entries of all entities of a plan whose component is selected, and the entries of these.
fn add_entries<C: HasCore>(
    core: &Core<C>,
    copying: &CloneOptions<C>,
    plan: &mut Vec<TreePart<C>>,
) -> Result<(), Error> {
    let relation = copying.descendants.map(|below| below.relation);
    let mut planned: HashSet<_> = plan.iter().map(|(id, ..)| *id).collect();
    let mut at = 0;
    while let Some(&(owner, ..)) = plan.get(at) {
        for (id, to_owner) in entries(&core.world, &core.subs, owner.untyped()) {
            let id = id.typed();
            if !planned.insert(id) {
                continue;
            }
            let slot = alive(core, id)?;
            let chosen = choose_by(core, (id, slot), relation, &|component| {
                copying.chooses(component) || component == to_owner
            })?;
            let of = core.world.describe(to_owner).entry_of();
            if chosen.iter().any(|(_, it)| Some((it.type_id)()) == of) {
                plan.push((id, slot, chosen));
            }
        }
        at += 1;
    }
    Ok(())
}

/// Creates clones of the entities of a plan, in one change. If the top is cloned without
/// descendants, ids of it are not mapped in values, as if it had no entries.
fn clone_tree<C: HasCore>(
    context: &mut C,
    plan: Vec<TreePart<C>>,
    is_tree: bool,
) -> Result<EntityId<C>, Error> {
    let originals: Vec<_> = plan.iter().map(|(id, ..)| id.untyped()).collect();
    let mut pending = PendingEntities::reserve(context, plan.len())?;
    let (copy, made) = (pending.reserved()[0], pending.reserved());
    let orders = pending.orders_of_copies(&originals);
    let copies: HashMap<_, _> = originals
        .iter()
        .map(|id| id.raw())
        .zip(made.iter().map(|id| id.untyped()))
        .collect();
    let map = |id: UntypedId| copies.get(&id.raw()).copied().unwrap_or(id);
    let top = originals.first().copied();
    let map_others = |id: UntypedId| match top == Some(id) && !is_tree {
        true => id,
        false => map(id),
    };
    let [to_owners, others] = [IdMap::of::<C>(&map), IdMap::of::<C>(&map_others)];
    for (_, slot, chosen) in plan {
        pending.make_reserved(|writer| {
            copy_all(writer, slot, chosen, |it| match it.entry_of() {
                Some(_) => Some(&to_owners),
                None => Some(&others),
            });
        })?;
    }
    pending.check()?.arrive(&orders);
    Ok(copy)
}

/// Rejects a descendant whose copy would not belong to the tree.
fn check_below<C: HasCore>(
    id: EntityId<C>,
    copying: &CloneOptions<C>,
    chosen: &[Chosen],
) -> Result<(), Error> {
    let relation = copying.descendants.as_ref().map(|below| below.relation);
    match chosen
        .iter()
        .any(|(component, _)| Some(*component) == relation)
    {
        true => Ok(()),
        false => Err(Error::descendants_not_copied(id.raw(), C::NAME)),
    }
}

/// Passes clones of an entity's components to the writer of a new one, with the ids inside mapped
/// if there is a map for the component.
fn copy_all<'m, C: HasCore>(
    writer: &mut BundleWriter<'_, C>,
    slot: Slot,
    chosen: Vec<Chosen>,
    map: impl Fn(&ComponentDescriptor) -> Option<&'m IdMap<'m>>,
) {
    for (component, descriptor) in chosen {
        writer.copy(component, slot.row, map(descriptor));
    }
}

/// Copies components of an entity to another one, in one change.
pub(crate) fn copy_to<C: HasCore>(
    context: &mut C,
    from: EntityId<C>,
    to: EntityId<C>,
    copying: &CloneOptions<C>,
) -> Result<(), Error> {
    let core = context.core();
    let slot = alive(core, from)?;
    let mut chosen = choose(core, from, slot, copying)?;
    if plan_tree(context, from, copying)?.is_some_and(|plan| plan.len() > 1) {
        return Err(Error::descendants_not_copied(from.raw(), C::NAME));
    }
    validate(core, to, copying.existing, &mut chosen)?;
    let values = clones(core, slot.row, &chosen);
    put_in_place(context, to, values)
}

/// Clones of the values in a row, to be stored in an entity.
pub(crate) fn clones<C: HasCore>(core: &Core<C>, row: Row, chosen: &[Chosen]) -> Vec<Chunk> {
    let clone = |&(component, descriptor): &Chosen| {
        let value = core.world.value_in(row, component)?;
        Chunk::of_clone(component, descriptor, value)
    };
    chosen.iter().filter_map(clone).collect()
}

/// Handles components that the target already has, as `existing` says: rejects the copy or excludes
/// them.
pub(crate) fn validate<C: HasCore>(
    core: &Core<C>,
    to: EntityId<C>,
    existing: OnConflict,
    chosen: &mut Vec<Chosen>,
) -> Result<(), Error> {
    let slot = alive(core, to)?;
    let signature = core.world.components(slot.node);
    let there = |&(component, _): &Chosen| signature.contains(component);
    match (existing, chosen.iter().copied().find(there)) {
        (OnConflict::Reject, Some((_, descriptor))) => Err(core
            .world
            .named(Error::already_has(to.raw(), descriptor.names))),
        (OnConflict::Keep, Some(_)) => {
            chosen.retain(|chosen| !there(chosen));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Adds or replaces components, in one change. Present components may be replaced: they were
/// validated, or have been added since the call began.
pub(crate) fn put_in_place<C: HasCore>(
    context: &mut C,
    id: EntityId<C>,
    mut values: Vec<Chunk>,
) -> Result<(), Error> {
    state::insert(context, id, Present::Replace, |writer| {
        for chunk in &mut values {
            if let Some(value) = chunk.values.pop() {
                writer.put_moved(chunk.component, value);
            }
        }
    })
}
