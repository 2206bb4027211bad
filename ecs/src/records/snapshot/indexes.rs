//! Entity indexes in a snapshot. After a restore, their keys are computed again when state is
//! final, because keys need not be `Clone`; links of relations are restored as they were.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use hashbrown::HashSet;

use crate::matching::group::IndexNumber;
use crate::reactions::entity_index::IndexCopy;
use crate::reactions::subscribers::Subscribers;
use crate::state::core::HasCore;
use crate::state::entity_indexes::link_all;
use crate::state::reindex::reindex_in;
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::signature::RawComponentSet;
use crate::world::World;

/// Identifies an index; the index of a field is the same in every context of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexName {
    OfField(RawComponentIndex, usize),
    /// An index with a handle, of the context with this number.
    OfHandle(u64, IndexNumber),
}

/// An index to fill, and the entities whose keys are to be computed, in order.
pub(super) struct Filling {
    number: IndexNumber,
    name: IndexName,
    ids: Vec<UntypedId>,
}

/// The present contents of the index of a field, whose component is excluded.
fn present_order(subs: &Subscribers, name: IndexName, number: IndexNumber) -> Option<IndexCopy> {
    let is_of_field = matches!(name, IndexName::OfField(..));
    let state = subs.indexes.state(number).filter(|_| is_of_field)?;
    Some(state.index.copy())
}

/// Copies the active indexes, except those of excluded components.
pub(super) fn copy_indexes(
    world: &World,
    subs: &Subscribers,
    excluded: &RawComponentSet,
) -> Vec<(IndexName, IndexCopy)> {
    let is_excluded = |name: IndexName| match name {
        IndexName::OfField(component, _) => excluded.contains(component),
        IndexName::OfHandle(..) => false,
    };
    let indexes = active_indexes(world, subs).into_iter();
    let indexes = indexes.filter(|(name, _)| !is_excluded(*name));
    let copy = |number| Some(subs.indexes.state(number)?.index.copy());
    indexes
        .filter_map(|(name, number)| Some((name, copy(number)?)))
        .collect()
}

/// The names and numbers of the active indexes.
fn active_indexes(world: &World, subs: &Subscribers) -> Vec<(IndexName, IndexNumber)> {
    let numbers = subs.indexes.numbers();
    let mut names: Vec<_> = numbers
        .map(|number| IndexName::OfHandle(world.instance, number))
        .collect();
    let components = (0..).map(RawComponentIndex::at);
    for (component, descriptor) in components.zip(world.columns.numbering().descriptors()) {
        let fields = 0..descriptor.indexes.len();
        for field in fields {
            if let Some(number) = subs.indexes.of_field(component, field) {
                names[number.get()] = IndexName::OfField(component, field);
            }
        }
    }
    let all = names.into_iter().zip((0..).map(IndexNumber));
    let is_active = |number| subs.indexes.state(number).is_some_and(|state| state.active);
    all.filter(|(_, number)| is_active(*number)).collect()
}

/// Empties all active indexes, and fills those of relations. If the context is the same,
/// indexes of excluded components keep their order. Returns how to fill the others, and the
/// previous contents, to be dropped. Runs no user code.
pub(super) fn refill_indexes(
    world: &World,
    subs: &mut Subscribers,
    copies: &[(IndexName, IndexCopy)],
    are_same: bool,
) -> (Vec<Filling>, Vec<Box<dyn Any>>) {
    let (mut fillings, mut emptied) = (Vec::new(), Vec::new());
    for (name, number) in active_indexes(world, subs) {
        let copy = copy_of(copies, name);
        let is_kept = are_same && copy.is_none();
        let present = is_kept.then(|| present_order(subs, name, number));
        let ids = ids_in_order(world, subs, number, copy.or(present.flatten().as_ref()));
        let Some(state) = subs.indexes.state_mut(number) else {
            continue;
        };
        emptied.push(state.index.empty());
        match (state.is_relation(), copy) {
            (true, Some(copy)) => state.index.arrange(copy),
            (true, None) => link_all(world, subs, number, &ids),
            (false, _) => {
                ids.iter().for_each(|&id| state.index.mark_dirty(id));
                let ids = without_dirty(ids, copy);
                fillings.push(Filling { number, name, ids });
            }
        }
    }
    subs.indexes.sort_by_age(&mut fillings, |it| it.number);
    (fillings, emptied)
}

/// The members of an index's group: first those in the copy, in its order.
fn ids_in_order(
    world: &World,
    subs: &Subscribers,
    number: IndexNumber,
    copy: Option<&IndexCopy>,
) -> Vec<UntypedId> {
    let Some(state) = subs.indexes.state(number) else {
        return Vec::new();
    };
    let is_member = |id: &UntypedId| world.is_member(state.group, *id);
    let in_copy = copy.into_iter().flat_map(|copy| copy.ids());
    let others = world.member_ids(state.group);
    let mut listed = alloc::vec![false; world.slots.rows()];
    let is_new = |id: &UntypedId| !core::mem::replace(&mut listed[id.index() as usize], true);
    in_copy
        .filter(is_member)
        .chain(others)
        .filter(is_new)
        .collect()
}

fn copy_of(copies: &[(IndexName, IndexCopy)], name: IndexName) -> Option<&IndexCopy> {
    let copy = copies.iter().find(|(other, _)| *other == name);
    copy.map(|(_, copy)| copy)
}

/// Removes the entities that were dirty when the copy was made: they stay dirty.
fn without_dirty(mut ids: Vec<UntypedId>, copy: Option<&IndexCopy>) -> Vec<UntypedId> {
    let dirty: HashSet<_> = copy.iter().flat_map(|copy| copy.dirty()).collect();
    if !dirty.is_empty() {
        ids.retain(|id| !dirty.contains(&id));
    }
    ids
}

/// Computes keys, then sorts the entities of each key as in the copy: user code.
pub(super) fn fill<C: HasCore>(
    context: &mut C,
    fillings: Vec<Filling>,
    copies: &[(IndexName, IndexCopy)],
) {
    for Filling { number, name, ids } in fillings {
        for id in ids {
            reindex_in(context, number, id);
        }
        let state = context.core_mut().subs.indexes.state_mut(number);
        if let (Some(state), Some(copy)) = (state, copy_of(copies, name)) {
            state.index.arrange(copy);
        }
    }
}
