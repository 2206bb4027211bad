//! Updating entity indexes after a change.
//!
//! 1. With collectors, before any user code: an entity that has left the group is removed from its
//!    buckets, one that has entered or changed is marked dirty ([`prepare_indexes`]).
//!    Links of relations, whose keys need no user code, are changed immediately.
//! 2. Then, when all state is final, user code: the keys of dirty entities are computed, the
//!    entities are added to the buckets, and keys without entities are dropped
//!    ([`flush`](super::reindex::flush)).
//! 3. Then observers.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::{Any, TypeId};

use super::core::{Core, HasCore};
use super::groups::{add_group, forget_effects};
use super::keys::check_keys;
#[cfg(any(test, feature = "__checks"))]
use super::reindex::check_members;
use super::reindex::{flush_batch, reading_only, reindex};
use super::rejection::{FieldFunctions, functions_of};
use crate::matching::effects::EffectsIndex;
use crate::matching::group::{GroupIndex, IndexNumber};
use crate::matching::matcher::{GroupEvent, Matcher};
use crate::reactions::entity_index::{
    AnyIndex, Buckets, Dirty, IndexState, Indexed, Kept, KeyIndex, KeysOf, Refresh, Reindex,
    Structure, Structured,
};
use crate::reactions::handle::Watched;
use crate::reactions::subscribers::Subscribers;
use crate::storage::registry::index_of;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::entity_id::{AnyContext, UntypedId};
use crate::words::field_index::{FieldIndex, IndexKind, IndexedField};
use crate::world::World;

impl<C: HasCore> Core<C> {
    /// Creates a core without entities.
    #[expect(clippy::new_without_default, reason = "called by generated code alone")]
    pub fn new() -> Self {
        let mut core = Self::without_indexes();
        install_indexes(&mut core.world, &mut core.subs);
        core
    }
}

/// Removes entities from the buckets of indexes, or marks them dirty.
pub(super) fn prepare_indexes(
    world: &World,
    subs: &mut Subscribers,
    ids: &[UntypedId],
    effects: EffectsIndex,
) {
    let updates = world.graph.effects().indexed(effects);
    subs.indexes.prepare(ids, updates);
    if subs.indexes.any_relation() {
        let values = (&world.columns, &world.slots);
        for &id in ids {
            subs.refreshes
                .relink(&mut subs.indexes, (id, updates), values);
        }
    }
}

/// Creates the indexes of components that were numbered since the last call.
pub(crate) fn install_indexes(world: &mut World, subs: &mut Subscribers) {
    for descriptor in world
        .columns
        .numbering()
        .late_descriptors(subs.indexes.components)
    {
        subs.indexes.components += 1;
        for field in descriptor.indexes {
            if let Some(functions) = functions_of(world, field) {
                (functions.install)(world, subs);
            }
        }
    }
}

/// Creates the indexes of a component, and of those numbered before it, if they are missing.
pub(super) fn install_indexes_of(
    world: &mut World,
    subs: &mut Subscribers,
    component: RawComponentIndex,
) {
    let has_indexes = !world.columns.describe(component).indexes.is_empty();
    if has_indexes && subs.indexes.components <= component.get() {
        install_indexes(world, subs);
    }
}

/// The group of the entities that have a component.
pub(super) fn owners_of(
    world: &mut World,
    subs: &mut Subscribers,
    component: RawComponentIndex,
) -> GroupIndex {
    let matcher = Matcher::<AnyContext>::all_of_index(component);
    let known = world.groups.find(matcher.condition());
    known.unwrap_or_else(|| add_group(world, subs, matcher.into_condition()))
}

/// Activates a new index.
pub(super) fn start_index(
    world: &mut World,
    subs: &mut Subscribers,
    number: IndexNumber,
    refresh: Refresh,
) {
    subs.refreshes.add(number, refresh);
    set_index_active(world, subs, number, true);
}

/// Sets whether an index is updated with its group.
pub(super) fn set_index_active(
    world: &mut World,
    subs: &mut Subscribers,
    number: IndexNumber,
    active: bool,
) {
    let Some(state) = subs.indexes.state_mut(number) else {
        return;
    };
    state.active = active;
    let group = state.group;
    for event in GroupEvent::ALL {
        world
            .groups
            .change_watch(group, event, |watch| watch.set_index(number, active));
        forget_effects(world, subs, group, event);
    }
}

/// The ids of all members of an index's group, in the order of their rows.
pub(crate) fn members_of_index(
    world: &World,
    subs: &Subscribers,
    number: IndexNumber,
) -> Vec<UntypedId> {
    let state = subs.indexes.state(number);
    state.map_or(Vec::new(), |state| world.member_ids(state.group))
}

/// Marks all members of an index's group as dirty. Runs no user code.
fn record_members(world: &World, subs: &mut Subscribers, number: IndexNumber) {
    let Some(state) = subs.indexes.state(number) else {
        return;
    };
    let (members, is_relation) = (world.member_ids(state.group), state.is_relation());
    if is_relation {
        return link_all(world, subs, number, &members);
    }
    if let Some(state) = subs.indexes.state_mut(number) {
        state.index.mark_batch_dirty(&mut members.into_iter());
    }
}

/// Empties an index and marks all members of its group as dirty; returns the previous contents,
/// to be dropped. Runs no user code.
pub(crate) fn restart(
    world: &World,
    subs: &mut Subscribers,
    number: IndexNumber,
) -> Option<Box<dyn Any>> {
    let emptied = subs.indexes.state_mut(number)?.index.empty();
    record_members(world, subs, number);
    Some(emptied)
}

/// Links all these members of a relation to their targets.
pub(crate) fn link_all(
    world: &World,
    subs: &mut Subscribers,
    number: IndexNumber,
    ids: &[UntypedId],
) {
    let updates = [(number, GroupEvent::Entered)];
    for &id in ids {
        let values = (&world.columns, &world.slots);
        subs.refreshes
            .relink(&mut subs.indexes, (id, &updates), values);
    }
}

/// Creates an index of the members of a group by a key function. If that panics, nothing has
/// changed.
pub(crate) fn add_index<C: HasCore, T: Structure>(
    context: &mut C,
    group: GroupIndex,
    keys_of: Box<dyn KeysOf<C, T>>,
    structure: T,
) -> (IndexNumber, Watched) {
    let mut index = KeyIndex::<C, T>::new(keys_of, structure);
    let mut changed = index.start_update(&mut Dirty::Many(&[]));
    index.mark_batch_dirty(&mut context.core().world.member_ids(group).into_iter());
    reading_only(
        context,
        |_| Some(group),
        |context| {
            index.changed(context, Dirty::Many(&[]), &mut changed);
        },
    );
    index.update(Dirty::Many(&[]), &mut changed);
    index.settle();
    let watched = index.watch();
    let state = IndexState::new(group, index);
    let refresh = Refresh::by_keys(Reindex {
        update: |context, number, dirty| reindex::<C, C, T>(context, (number, dirty), |it| it),
        #[cfg(any(test, feature = "__checks"))]
        check: |context, number, ids| check_members::<C, C, T>(context, number, ids, |it| it),
    });
    let core = context.core_mut();
    let number = core.subs.indexes.add(state);
    start_index(&mut core.world, &mut core.subs, number, refresh);
    (number, watched)
}

/// Computes the keys of all members of an index's group again.
pub(crate) fn refresh_index<C: HasCore>(context: &mut C, number: IndexNumber) {
    let core = context.core_mut();
    record_members(&core.world, &mut core.subs, number);
    flush_batch(context, number);
}

/// Activates an index again, and adds all present members of its group.
pub(crate) fn activate_index<C: HasCore>(context: &mut C, number: IndexNumber) {
    let core = context.core_mut();
    if core
        .subs
        .indexes
        .state(number)
        .is_none_or(|state| state.active)
    {
        return;
    }
    set_index_active(&mut core.world, &mut core.subs, number, true);
    record_members(&core.world, &mut core.subs, number);
    flush_batch(context, number);
}

/// Deactivates and empties an index.
pub(crate) fn deactivate_index<C: HasCore>(context: &mut C, number: IndexNumber) {
    let core = context.core_mut();
    set_index_active(&mut core.world, &mut core.subs, number, false);
    let emptied = core.subs.indexes.state_mut(number);
    let emptied = emptied.map(|state| state.index.empty());
    drop(emptied); // dropping keys is user code
}

/// Describes the `FIELD`-th indexed field of component `T`.
#[doc(hidden)]
pub const fn field_index<C, T, const FIELD: usize>() -> FieldIndex<T>
where
    C: HasCore,
    T: Component<C> + Indexed<FIELD>,
{
    FieldIndex::new(IndexedField {
        kind: match T::PRIMARY {
            true => IndexKind::Primary,
            false => IndexKind::Plain,
        },
        functions: const {
            &FieldFunctions {
                context: TypeId::of::<C>,
                install: install::<C, T, FIELD>,
                check: check_keys::<C, T, FIELD>,
                map_target: None,
            }
        },
    })
}

/// Describes the `FIELD`-th index of component `T`, which is a structure.
#[doc(hidden)]
pub const fn structure_index<C, T, const FIELD: usize>() -> FieldIndex<T>
where
    C: HasCore,
    T: Component<C> + Structured<C, FIELD>,
{
    FieldIndex::new(IndexedField {
        kind: IndexKind::Plain,
        functions: const {
            &FieldFunctions {
                context: TypeId::of::<C>,
                install: install_structure::<C, T, FIELD>,
                check: |_, _, _, _| Ok(()),
                map_target: None,
            }
        },
    })
}

/// Creates the index of a field, for the group of the component's owners.
fn install<C, T, const FIELD: usize>(world: &mut World, subs: &mut Subscribers)
where
    C: HasCore,
    T: Component<C> + Indexed<FIELD>,
{
    let keys = |value: &T, each: Each<'_, T::Key>| value.keys(&mut |key| each(key.clone()));
    install_as::<C, T, Buckets<T::Key>>(world, subs, Buckets::default(), keys);
}

/// Creates a structure of a component.
fn install_structure<C, T, const FIELD: usize>(world: &mut World, subs: &mut Subscribers)
where
    C: HasCore,
    T: Component<C> + Structured<C, FIELD>,
{
    let mut kept = Kept::new(T::structure());
    kept.settle();
    install_as::<C, T, Kept<C, T::Structure>>(world, subs, kept, |value, each| each(value.key()));
}

type Each<'a, K> = &'a mut dyn FnMut(K);

/// Creates an index of the values of a component.
fn install_as<C: HasCore, T: Component<C>, S: Structure>(
    world: &mut World,
    subs: &mut Subscribers,
    structure: S,
    keys: impl Fn(&T, Each<'_, S::Key>) + Send + Sync + 'static,
) {
    let component = index_of::<C, T>();
    let group = owners_of(world, subs, component);
    let keys_of = move |world: &World, id: UntypedId, each: Each<'_, S::Key>| {
        if let Some(value) = value_of::<C, T>(world, id) {
            keys(value, each);
        }
    };
    let index = KeyIndex::new(Box::new(keys_of), structure);
    let number = subs.indexes.add_field(IndexState::new(group, index));
    let refresh = Refresh::by_keys(Reindex {
        update: |context, number, dirty| {
            reindex::<C, _, S>(context, (number, dirty), world_of);
        },
        #[cfg(any(test, feature = "__checks"))]
        check: |context, number, ids| {
            check_members::<C, _, S>(context, number, ids, world_of);
        },
    });
    start_index(world, subs, number, refresh);
    subs.indexes.assign(component, number);
}

fn world_of<C: HasCore>(context: &C) -> &World {
    &context.core().world
}

/// The component of an entity, if it is alive and has it.
pub(super) fn value_of<C: HasCore, T: Component<C>>(world: &World, id: UntypedId) -> Option<&T> {
    let row = world.slots.get(id)?.row;
    world.columns.at(index_of::<C, T>())?.typed()?.get(row)
}
