//! Entity indexes in a snapshot. Links of relations are restored as they were; all other indexes compute their keys
//! again when state is final, because keys need not be `Clone`.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::mem;

use crate::matching::group::IndexNumber;
use crate::reactions::entity_index::{LinksCopy, Refresh};
use crate::reactions::subscribers::Subscribers;
use crate::state::core::HasCore;
use crate::state::entity_indexes::{link_all, members_of_index, restart};
use crate::state::reindex::flush_batch;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::signature::RawComponentSet;
use crate::world::World;

/// The links of a relation component.
pub(crate) type RelationCopy = (RawComponentIndex, LinksCopy);

/// Copies the links of relations, except those of excluded components.
pub(super) fn copy_links(subs: &Subscribers, excluded: &RawComponentSet) -> Vec<RelationCopy> {
    let links = subs.indexes.relations();
    let links = links.filter(|links| !excluded.contains(links.component));
    links
        .map(|links| (links.component, links.copied()))
        .collect()
}

/// Restores the links of all relations. If the context is the same, sources in relations of excluded components
/// keep their order. Runs no user code.
pub(super) fn restore_links(
    world: &World,
    subs: &mut Subscribers,
    copies: &[RelationCopy],
    are_same: bool,
) {
    let active: Vec<_> = subs.indexes.active().map(|(number, _)| number).collect();
    for number in active {
        if let Some(component) = subs.indexes.links(number).map(|links| links.component) {
            let copy = copies.iter().find(|(other, _)| *other == component);
            relink(world, subs, number, copy, are_same);
        }
    }
}

/// Empties all active indexes by keys. Returns them, oldest first, and the previous contents, to be dropped. Runs
/// no user code.
pub(super) fn refill_indexes(
    world: &World,
    subs: &mut Subscribers,
) -> (Vec<IndexNumber>, Vec<Box<dyn Any>>) {
    let active = subs.indexes.active().map(|(number, _)| number);
    let by_keys =
        active.filter(|&number| matches!(subs.refreshes.get(number), Some(Refresh::Keys(..))));
    let mut to_fill: Vec<_> = by_keys.collect();
    let emptied = to_fill
        .iter()
        .filter_map(|&number| restart(world, subs, number));
    let emptied = emptied.collect();
    subs.indexes.sort_by_age(&mut to_fill, |&number| number);
    (to_fill, emptied)
}

/// Restores the links of a relation, or links the present members of its group: if the context is the same, first
/// those that are linked, in their order.
fn relink(
    world: &World,
    subs: &mut Subscribers,
    number: IndexNumber,
    copy: Option<&RelationCopy>,
    are_same: bool,
) {
    let Some(links) = subs.indexes.links_mut(number) else {
        return;
    };
    if let Some((_, copy)) = copy {
        return links.restore(copy);
    }
    let present = are_same.then(|| links.copied());
    let ids = ids_in_order(world, subs, number, present.as_ref());
    if let Some(state) = subs.indexes.state_mut(number) {
        drop(state.index.empty()); // no user code
    }
    link_all(world, subs, number, &ids);
}

/// The members of an index's group: first those in the copy, in its order.
fn ids_in_order(
    world: &World,
    subs: &Subscribers,
    number: IndexNumber,
    copy: Option<&LinksCopy>,
) -> Vec<UntypedId> {
    let Some(state) = subs.indexes.state(number) else {
        return Vec::new();
    };
    let is_member = |id: &UntypedId| world.is_member(state.group, *id);
    let in_copy = copy.into_iter().flat_map(LinksCopy::sources);
    let others = members_of_index(world, subs, number);
    let mut listed = alloc::vec![false; world.slots.rows()];
    let is_new = |id: &UntypedId| !mem::replace(&mut listed[id.index() as usize], true);
    in_copy
        .filter(is_member)
        .chain(others)
        .filter(is_new)
        .collect()
}

/// Computes the keys of all members of these indexes: user code.
pub(super) fn fill<C: HasCore>(context: &mut C, indexes: Vec<IndexNumber>) {
    for number in indexes {
        flush_batch(context, number);
    }
}
