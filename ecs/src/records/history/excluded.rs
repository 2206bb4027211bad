//! Updating indexes, and links of excluded components. Nothing is recorded for them,
//! because they depend on present values only. So they are not rewound: they are updated for the entities that the
//! rewind changed, as for any other change.
//!
//! An entity must not refer to one whose creation was undone, because its id may be given to
//! another entity. So it loses the relation, whatever its rule for destroyed targets.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::matching::effects::EffectsIndex;
use crate::matching::group::IndexNumber;
use crate::reactions::subscribers::Subscribers;
use crate::state::entity_indexes::{link_all, members_of_index};
use crate::state::relation::may_point_to;
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::Slot;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::relation::OnTargetDestroyed;
use crate::world::World;

/// Moves an entity to the node with, or without, the component; if `is_observed`, collectors
/// that include rewinds collect it.
pub(super) fn toggle_component(
    world: &mut World,
    subs: &mut Subscribers,
    id: UntypedId,
    component: RawComponentIndex,
    is_observed: bool,
) {
    let Some(Slot { node, .. }) = world.slots.get(id) else {
        return;
    };
    let (target, effects) = world.graph.edge(node, component, &world.groups);
    world.slots.set_node(id, target);
    if is_observed {
        collect(world, subs, id, effects);
    }
}

/// Removes an excluded component from an entity; returns the value.
pub(crate) fn remove_excluded(
    world: &mut World,
    subs: &mut Subscribers,
    id: UntypedId,
    component: RawComponentIndex,
    is_observed: bool,
) -> Option<Box<AnyValue>> {
    toggle_component(world, subs, id, component, is_observed);
    let row = world.slots.row_of(id);
    world.columns.take_left(component, row)
}

/// Collects an entity for the collectors that include rewinds.
pub(super) fn collect(world: &World, subs: &mut Subscribers, id: UntypedId, effects: EffectsIndex) {
    let concerned = world.graph.effects().collectors(effects);
    let following = concerned.filter(|&collector| subs.collectors.includes_rewinds(collector));
    let following: Vec<_> = following.collect();
    for collector in following {
        subs.collectors.collect_ids(&world.slots, &[id], collector);
    }
}

/// Updates indexes, and links of excluded components, for the changed entities; if `is_observed`,
/// collectors collect the entities that lose a relation. Returns values to be dropped, of relations whose targets no
/// longer exist. Runs no user code; then, the batches of indexes are to be flushed.
pub(super) fn update_unrecorded(
    world: &mut World,
    subs: &mut Subscribers,
    changed: &mut Vec<UntypedId>,
    is_observed: bool,
) -> Vec<Box<AnyValue>> {
    sort_and_dedup(changed);
    let mut values = Vec::new();
    each_unrecorded(world, subs, |world, subs, number| {
        if subs.indexes.links(number).is_none() {
            return;
        }
        unlink_sources(world, subs, number, changed);
        for (id, component) in unlink_targets(world, subs, number, changed) {
            values.extend(remove_excluded(world, subs, id, component, is_observed));
            changed.push(id);
        }
        link_again(world, subs, number, changed);
    });
    sort_and_dedup(changed);
    each_unrecorded(world, subs, |world, subs, number| {
        mark_changed(world, subs, number, changed);
    });
    values
}

/// Calls `update` with each index that is not recorded, oldest first.
fn each_unrecorded(
    world: &mut World,
    subs: &mut Subscribers,
    mut update: impl FnMut(&mut World, &mut Subscribers, IndexNumber),
) {
    let mut next = subs.indexes.oldest();
    while let Some(number) = next {
        next = subs.indexes.next_younger(number);
        if subs.indexes.is_unrecorded(number) {
            update(world, subs, number);
        }
    }
}

/// Whether an entity is alive and in the group of an index.
fn is_indexed_in(world: &World, subs: &Subscribers, number: IndexNumber, id: UntypedId) -> bool {
    let state = subs.indexes.state(number);
    state.is_some_and(|state| world.is_member(state.group, id))
}

/// Unlinks entities that no longer have the component.
fn unlink_sources(
    world: &World,
    subs: &mut Subscribers,
    number: IndexNumber,
    changed: &[UntypedId],
) {
    for &id in changed {
        if !is_indexed_in(world, subs, number, id) {
            subs.indexes.relink(number, id, None);
        }
    }
}

/// Unlinks the sources of targets that no longer exist. Returns those that lose the component.
fn unlink_targets(
    world: &World,
    subs: &mut Subscribers,
    number: IndexNumber,
    changed: &[UntypedId],
) -> Vec<(UntypedId, RawComponentIndex)> {
    let mut lost = Vec::new();
    for &target in changed {
        for source in sources_of_destroyed(world, subs, number, target) {
            subs.indexes.relink(number, source, None);
            let links = subs.indexes.links(number);
            let links = links.filter(|links| !may_point_to(world, links, target));
            lost.extend(links.map(|links| (source, links.component)));
        }
    }
    lost
}

/// The sources that refer to a dead entity. Its slot may have been reused by another entity.
fn sources_of_destroyed(
    world: &World,
    subs: &Subscribers,
    number: IndexNumber,
    target: UntypedId,
) -> Vec<UntypedId> {
    let Some(links) = subs.indexes.links(number) else {
        return Vec::new();
    };
    if world.slots.get(target).is_some() {
        return Vec::new();
    }
    let points_to_it = |source: &UntypedId| links.target(*source) == Some(target);
    links.each_source(target).filter(points_to_it).collect()
}

/// Links entities that kept the component to targets that were revived.
fn link_again(world: &World, subs: &mut Subscribers, number: IndexNumber, changed: &[UntypedId]) {
    let Some(links) = subs.indexes.links(number) else {
        return;
    };
    let is_kept = links.on_target_destroyed == OnTargetDestroyed::Keep;
    if is_kept && changed.iter().any(|&id| world.slots.get(id).is_some()) {
        let members = members_of_index(world, subs, number);
        link_all(world, subs, number, &members);
    }
}

/// Marks the members of an index's group among the changed entities as dirty, and removes the
/// others.
fn mark_changed(world: &World, subs: &mut Subscribers, number: IndexNumber, changed: &[UntypedId]) {
    let Some(state) = subs.indexes.state_mut(number) else {
        return;
    };
    let group = state.group;
    let (members, others) = [true, false]
        .map(|is_in| {
            let ids = changed.iter().copied();
            ids.filter(move |id| world.is_member(group, *id) == is_in)
        })
        .into();
    others.for_each(|id| state.index.leave(id));
    state.index.mark_batch_dirty(&mut { members });
}

/// Sorts ids by slot and removes duplicates.
fn sort_and_dedup(ids: &mut Vec<UntypedId>) {
    ids.sort_unstable_by_key(|id| (id.index(), id.generation()));
    ids.dedup();
}
