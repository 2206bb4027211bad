//! Rejecting untracked writes.

use super::core::{Core, HasCore};
use super::dropped::end_dropped;
use super::recording::is_recorded;
use crate::reactions::subscribers::Subscribers;
use crate::storage::registry::{index_of, numbering};
use crate::words::component::{Component, RawComponentIndex};
use crate::world::World;

/// What depends on updates of a component, in words.
fn subscriber(subs: &Subscribers, component: RawComponentIndex) -> &'static str {
    if is_recorded(subs, component) {
        "a history"
    } else if subs.feeds.follow(component) {
        "a feed"
    } else {
        "an entity index"
    }
}

/// Whether an entity index depends on updates of a component.
///
/// Complexity: linear in the entity indexes.
#[inline]
pub(super) fn is_indexed(world: &World, subs: &Subscribers, component: RawComponentIndex) -> bool {
    !subs.indexes.is_empty() && is_observed_by_index(world, subs, component)
}

/// Whether an entity index, a history or a feed depends on updates of a component.
#[inline]
pub(crate) fn relies_on_reports(
    world: &World,
    subs: &Subscribers,
    component: RawComponentIndex,
) -> bool {
    is_indexed(world, subs, component)
        || is_recorded(subs, component)
        || subs.feeds.follow(component)
}

/// Whether observers of groups, entity indexes or a history may depend on a change.
pub(crate) fn may_be_observed(subs: &Subscribers) -> bool {
    subs.observers.any_of_groups() || !subs.indexes.is_empty() || subs.history.is_some()
}

/// Whether anything depends on updates of any component.
#[inline]
pub(crate) fn are_any_updates_observed(world: &World, subs: &Subscribers) -> bool {
    world.groups.any_updates_observed() || subs.history.is_some()
}

/// Whether the subscribers of a group or a history depend on updates of a component.
pub(crate) fn are_updates_observed(
    world: &World,
    subs: &Subscribers,
    component: RawComponentIndex,
) -> bool {
    world.groups.are_updates_observed(component) || is_recorded(subs, component)
}

#[inline(never)]
fn is_observed_by_index(world: &World, subs: &Subscribers, component: RawComponentIndex) -> bool {
    let mut groups = subs.indexes.observed_groups();
    groups.any(|group| world.groups.get(group).condition.watches(component))
}

/// Rejects untracked writes to component `T` if an entity index, a history or a feed depends on its
/// updates.
#[inline]
#[track_caller]
pub(crate) fn check_untracked<C: HasCore, T: Component<C>>(context: &mut C) {
    let component = index_of::<C, T>();
    let is_relied_on = |core: &Core<C>| {
        !T::INDEXES.is_empty() || relies_on_reports(&core.world, &core.subs, component)
    };
    if is_relied_on(context.core()) {
        reject_untracked(context, |core| is_relied_on(core).then_some(component));
    }
}

/// Rejects untracked writes to the component that `relied_on` finds, unless the handles that
/// depended on it were dropped.
#[cold]
#[track_caller]
pub(crate) fn reject_untracked<C: HasCore>(
    context: &mut C,
    relied_on: impl FnOnce(&Core<C>) -> Option<RawComponentIndex>,
) {
    end_dropped(context);
    let core = context.core();
    let Some(component) = relied_on(core) else {
        return;
    };
    let name = numbering::<C>().name(component);
    let subscriber = subscriber(&core.subs, component);
    panic!(
        "component `{name}` of context `{}` cannot be written to untracked: {subscriber} follows it \
         and would go wrong; write to it by `query_mut`, `update_..` or `replace_..`, which report \
         what they change",
        C::NAME
    )
}
