//! Components that a history or a snapshot excludes. A surviving entity keeps its present value: in
//! a rewind the value stays where it is, in a restore it is moved to its new row. Revived entities
//! have none.
//!
//! Links of such components are not rewound: they are updated for the changed entities, as indexes
//! are, and as for any other change. An entity must not refer to one whose creation was
//! undone, because its id may be given to another entity. So it loses the relation, whatever its
//! rule for destroyed targets.

use alloc::boxed::Box;
use alloc::vec::Vec;

use hashbrown::HashMap;

use super::snapshot::taken::{Bookkeeping, EntityData, shares_ids};
use crate::matching::effects::EffectsIndex;
use crate::matching::group::IndexNumber;
use crate::reactions::entity_index::Refresh;
use crate::reactions::subscribers::Subscribers;
use crate::state::commit::commit_rewound;
use crate::state::entity_indexes::{link_all, members_of_index};
use crate::state::relation::may_point_to;
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::{NodeIndex, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::relation::OnTargetDestroyed;
use crate::words::signature::RawComponentSet;
use crate::world::World;

/// What happens to entities that were in one node and are in another one now.
struct NodeChange {
    /// The excluded components that they keep.
    kept: Vec<RawComponentIndex>,
    /// Their new set of components, if it differs from that at the snapshot.
    components: Option<RawComponentSet>,
}

/// Entities whose components differ from those at the snapshot.
pub(crate) type Changed = Vec<(UntypedId, RawComponentSet)>;

/// Moves the values of excluded components to their new rows. Returns the entities whose
/// components differ from those at the snapshot.
pub(crate) fn keep_excluded(
    world: &mut World,
    entities: &mut EntityData,
    bookkeeping: &Bookkeeping,
) -> Changed {
    let mut changed = Vec::new();
    if bookkeeping.excluded.is_empty() {
        return changed;
    }
    let mut node_changes = HashMap::new();
    for (id, then) in entities.slots.iter() {
        let now = slot_now(world, id, bookkeeping);
        let nodes = (then.node, now.map(|slot| slot.node));
        let node_change = node_changes
            .entry(nodes)
            .or_insert_with(|| node_change(world, nodes, bookkeeping));
        for &component in &node_change.kept {
            if let Some(now) = now {
                let rows = (now.row, then.row);
                world
                    .columns
                    .hand_over(component, rows, &mut entities.columns);
            }
        }
        if let Some(components) = &node_change.components {
            changed.push((id, components.clone()));
        }
    }
    changed
}

/// The present slot of an entity that has survived.
fn slot_now(world: &World, id: UntypedId, bookkeeping: &Bookkeeping) -> Option<Slot> {
    match shares_ids(world, bookkeeping) {
        true => world.slots.get(id),
        false => None,
    }
}

fn node_change(
    world: &World,
    (then, now): (NodeIndex, Option<NodeIndex>),
    bookkeeping: &Bookkeeping,
) -> NodeChange {
    let is_excluded = |component: &RawComponentIndex| bookkeeping.excluded.contains(*component);
    let now = now
        .into_iter()
        .flat_map(|node| world.graph.component_list(node));
    let kept: Vec<_> = now.copied().filter(is_excluded).collect();
    let before = bookkeeping.signatures.components(then);
    let others = before.iter().filter(|component| !is_excluded(component));
    let components: RawComponentSet = others.chain(kept.iter().copied()).collect();
    NodeChange {
        kept,
        components: (components != *before).then_some(components),
    }
}

/// Moves entities to the nodes of their components.
pub(crate) fn change_nodes(world: &mut World, changed: &Changed) {
    for (id, components) in changed {
        let node = world.graph.node(components.clone(), &world.groups);
        world.slots.set_node(*id, node);
    }
}

/// Moves a living entity to the node with, or without, the component; returns the effects.
pub(super) fn toggle_component(
    world: &mut World,
    id: UntypedId,
    component: RawComponentIndex,
) -> EffectsIndex {
    let node = world.slots.get(id).map(|slot| slot.node);
    let node = node.expect("an entity that changes is alive");
    let (target, effects) = world.graph.edge(node, component, &world.groups);
    world.slots.set_node(id, target);
    effects
}

/// Updates links of components that a history excludes, for the entities that a rewind has changed. Returns
/// values to be dropped, of relations whose targets no longer exist. Runs no user code.
pub(super) fn update_unrecorded(
    world: &mut World,
    subs: &mut Subscribers,
    changed: &mut Vec<UntypedId>,
) -> Vec<Box<AnyValue>> {
    sort_and_dedup(changed);
    let mut values = Vec::new();
    each_unrecorded(world, subs, |world, subs, number| {
        if subs.indexes.links(number).is_none() {
            return;
        }
        unlink_sources(world, subs, number, changed);
        for (id, component) in unlink_targets(world, subs, number, changed) {
            let effects = toggle_component(world, id, component);
            commit_rewound(world, subs, &[id], effects);
            values.extend(take_value(world, id, component));
            changed.push(id);
        }
        link_again(world, subs, number, changed);
    });
    sort_and_dedup(changed);
    mark(world, subs, false, changed);
    values
}

/// Adds the entities that a rewind has changed, ascending, to the batches of indexes that are not recorded, which
/// are to be flushed then. Flags are final: a change of a single entity dissolves a batch.
pub(super) fn mark_unrecorded(world: &mut World, subs: &mut Subscribers, changed: &[UntypedId]) {
    mark(world, subs, true, changed);
}

/// Marks changed entities in indexes of values, or in those on which flags depend.
fn mark(world: &mut World, subs: &mut Subscribers, of_values: bool, changed: &[UntypedId]) {
    each_unrecorded(world, subs, |world, subs, number| {
        let state = subs.indexes.state(number);
        if state.is_some_and(|state| state.index.follows_values() == of_values) {
            mark_changed(world, subs, number, changed);
        }
    });
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

/// Removes relations that a snapshot excludes, if their target does not exist: its id may be given
/// to another entity. Returns the values, to be dropped. Runs no user code.
pub(super) fn remove_dangling_links(
    world: &mut World,
    subs: &Subscribers,
    excluded: &RawComponentSet,
) -> Vec<Box<AnyValue>> {
    let lost = dangling_links(world, subs, excluded).into_iter();
    lost.filter_map(|(id, component)| {
        toggle_component(world, id, component);
        take_value(world, id, component)
    })
    .collect()
}

fn take_value(
    world: &mut World,
    id: UntypedId,
    component: RawComponentIndex,
) -> Option<Box<AnyValue>> {
    let row = world.slots.row_of(id);
    world.columns.take_left(component, row)
}

/// The entities with an excluded relation whose target does not exist, with the component.
fn dangling_links(
    world: &World,
    subs: &Subscribers,
    excluded: &RawComponentSet,
) -> Vec<(UntypedId, RawComponentIndex)> {
    let mut found = Vec::new();
    let active = subs.indexes.active().map(|(number, _)| number);
    for (number, links) in active.filter_map(|it| Some((it, subs.indexes.links(it)?))) {
        let refresh = subs.refreshes.get(number);
        if let (true, Some(Refresh::Links(target_of))) =
            (excluded.contains(links.component), refresh)
        {
            let points_to_none = |id: &UntypedId| {
                let target = target_of(&world.columns, &world.slots, *id);
                target.is_some_and(|target| !may_point_to(world, links, target))
            };
            let ids = world.slots.iter().map(|(id, _)| id).filter(points_to_none);
            found.extend(ids.map(|id| (id, links.component)));
        }
    }
    found
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
