//! Reserving memory, and freeing unused memory.

use alloc::vec::Vec;
use core::fmt::{Arguments, Display};

use super::core::{Core, HasCore};
use super::dropped::end_dropped;
use super::groups::give_back_signatures;
use crate::reactions::subscribers::Subscribers;
use crate::storage::heap::Heap;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::printed::from_fn;
use crate::world::World;

impl<C: HasCore> Core<C> {
    /// Creates an empty core with capacity for some entities.
    #[track_caller]
    pub fn with_capacity(entities: usize) -> Self {
        let mut core = Self::new();
        reserve_entities(&mut core, entities);
        core
    }
}

/// Frees unused memory.
fn trim(world: &mut World, subs: &mut Subscribers) {
    world.columns.trim();
    world.slots.trim();
    give_back_signatures(world, subs);
    world.groups.trim();
    for collector in subs.feeds.needless() {
        subs.collectors.clear(collector);
    }
    subs.collectors.trim();
    subs.removed.trim();
    subs.messages.trim();
    subs.indexes.trim();
    subs.refreshes.truncate(subs.indexes.numbers().count());
    subs.refreshes.trim();
    subs.observers.trim();
    subs.events.trim();
    subs.feeds.trim();
    subs.queue.trim();
    subs.history.trim();
    subs.scratch.trim();
    subs.spare_written = Vec::new();
}

/// Frees unused memory, and cleans up after dropped handles.
pub(crate) fn shrink_to_fit<C: HasCore>(context: &mut C) {
    end_dropped(context);
    let core = context.core_mut();
    trim(&mut core.world, &mut core.subs);
}

/// Drops the pooled values of a component.
pub(crate) fn clear_pool(world: &mut World, component: RawComponentIndex) {
    drop(world.columns.take_pool(component));
}

/// Drops all pooled values.
pub(crate) fn clear_pools(world: &mut World) {
    world.columns.clear_pools();
}

/// Reserves memory for more entities.
#[track_caller]
pub(crate) fn reserve_entities<C: HasCore>(core: &mut Core<C>, entities: usize) {
    check_number(core, entities, &"entities");
    if core.world.slots.try_reserve(entities).is_err() {
        reject::<C>(
            entities,
            &"entities",
            format_args!("memory has no room for them"),
        );
    }
}

/// Reserves memory for more values of a component.
#[track_caller]
pub(crate) fn reserve<C: HasCore, T: Component<C>>(core: &mut Core<C>, values: usize) {
    let what = from_fn(|f| write!(f, "values of component `{}`", T::NAMES.component));
    check_number(core, values, &what);
    let first = core.world.slots.rows();
    if !core.typed_mut().try_reserve::<T>(first, values) {
        let size = size_of::<T>();
        reject::<C>(
            values,
            &what,
            format_args!("memory has no room for them, {size} bytes each"),
        );
    }
}

/// Rejects more entities than a context can have.
#[track_caller]
fn check_number<C: HasCore>(core: &Core<C>, more: usize, what: &dyn Display) {
    if !core.world.slots.can_hold(more) {
        let alive = core.world.slots.len();
        reject::<C>(
            more,
            what,
            format_args!("a context holds at most 2^32 entities, and it has {alive}"),
        );
    }
}

#[cold]
#[track_caller]
fn reject<C: HasCore>(more: usize, what: &dyn Display, why: Arguments<'_>) -> ! {
    panic!(
        "cannot reserve room for {more} {what} in context `{}`: {why}; reserve what the program \
         is going to create, the rest grows as it is needed",
        C::NAME
    )
}
