//! Components excluded from a snapshot: a surviving entity keeps its present value, moved to its
//! new row; others have none.

use alloc::boxed::Box;
use alloc::vec::Vec;

use hashbrown::HashMap;

use super::taken::{Bookkeeping, EntityData, shares_ids};
use crate::reactions::entity_index::Refresh;
use crate::reactions::subscribers::Subscribers;
use crate::records::history::excluded::remove_excluded;
use crate::state::relation::may_point_to;
use crate::storage::descriptor::AnyValue;
use crate::storage::slots::{NodeIndex, Slot};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
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
pub(super) type Changed = Vec<(UntypedId, RawComponentSet)>;

/// Moves the values of excluded components to their new rows. Returns the entities whose
/// components differ from those at the snapshot.
pub(super) fn keep_excluded(
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
pub(super) fn change_nodes(world: &mut World, changed: &Changed) {
    for (id, components) in changed {
        let node = world.graph.node(components.clone(), &world.groups);
        world.slots.set_node(*id, node);
    }
}

/// Removes excluded relations whose target does not exist: its id may be given to another
/// entity. Returns the values, to be dropped. Runs no user code.
pub(super) fn remove_dangling_links(
    world: &mut World,
    subs: &mut Subscribers,
    excluded: &RawComponentSet,
) -> Vec<Box<AnyValue>> {
    let lost = dangling_links(world, subs, excluded).into_iter();
    lost.filter_map(|(id, component)| remove_excluded(world, subs, id, component, false))
        .collect()
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
