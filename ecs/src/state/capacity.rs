//! Reserving memory, and freeing unused memory.

use alloc::vec::Vec;
use core::fmt::{Arguments, Display};

use super::core::{Core, HasCore, Registries};
use super::dropped::end_dropped;
use crate::words::component::{Component, RawComponentIndex};
use crate::words::printed::from_fn;

impl<C: HasCore> Core<C> {
    /// Creates an empty core with capacity for some entities.
    #[track_caller]
    pub fn with_capacity(entities: usize) -> Self {
        let mut core = Self::new();
        reserve_entities(&mut core, entities);
        core
    }
}

impl Registries {
    /// Frees unused memory.
    fn trim(&mut self) {
        self.columns.trim();
        self.slots.trim();
        self.give_back_signatures();
        self.groups.trim();
        for collector in self.feeds.needless() {
            self.collectors.clear(collector);
        }
        self.collectors.trim();
        self.removed.trim();
        self.messages.trim();
        self.indexes.trim();
        self.refreshes.trim(self.indexes.numbers().count());
        self.observers.trim();
        self.events.trim();
        self.feeds.trim();
        self.queue.trim();
        if let Some(recording) = self.history.as_deref_mut() {
            recording.trim();
        }
        self.scratch.shrink_to_fit();
        self.spare_written = Vec::new();
    }
}

/// Frees unused memory, and cleans up after dropped handles.
pub(crate) fn shrink_to_fit<C: HasCore>(context: &mut C) {
    end_dropped(context);
    context.core_mut().trim();
}

/// Drops the pooled values of a component.
pub(crate) fn clear_pool(core: &mut Registries, component: RawComponentIndex) {
    drop(core.columns.take_pool(component));
}

/// Drops all pooled values.
pub(crate) fn clear_pools(core: &mut Registries) {
    core.columns.clear_pools();
}

/// Reserves memory for more entities.
#[track_caller]
pub(crate) fn reserve_entities<C: HasCore>(core: &mut Core<C>, entities: usize) {
    check_number(core, entities, &"entities");
    if core.slots.try_reserve(entities).is_err() {
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
    let first = core.slots.rows();
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
    if !core.slots.can_hold(more) {
        let alive = core.slots.len();
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
