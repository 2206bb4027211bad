//! Concluding a stored change: it is propagated, then those who follow it are notified, and at
//! last the value that was there before is dropped or put on its pool stack.

use alloc::boxed::Box;
use core::any::Any;

use super::core::{Core, HasCore};
use super::dispatch::{notify_queued, propagate_and_notify};
use super::index::settle;
use super::store::Stored;
use crate::matching::effects::EffectsIndex;
use crate::storage::descriptor::AnyValue;
use crate::storage::registry::index_of;
use crate::storage::slots::Row;
use crate::words::component::{Component, ComponentIndex};
use crate::words::entity_id::EntityId;

/// The value before a change: lent to observers, then retired.
pub(super) trait Previous<C: HasCore>: Sized {
    /// The value, as observers are lent it.
    fn lend(&self) -> Option<&dyn Any>;

    /// Puts the value where it belongs when everybody has seen it.
    fn retire(self, core: &mut Core<C>);

    /// The value for observers who are notified later, with the component on whose pool stack
    /// it is put then.
    fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>);
}

/// There was no value, or nobody can be lent it.
pub(super) struct Nothing;

/// The value has been removed or replaced: it goes to the pool stack or is dropped.
pub(super) struct Removed<T>(pub(super) T);

/// A copy of the value, if it is to be lent.
pub(super) struct Copied<T>(pub(super) Option<T>);

/// The value is the caller's from now on.
pub(super) struct Taken<'a, T>(pub(super) &'a T);

/// The value of a component that is known by its index: still in its row if nobody follows.
pub(super) struct Untyped {
    pub(super) component: ComponentIndex,
    pub(super) row: Row,
    pub(super) value: Option<Box<AnyValue>>,
}

impl<C: HasCore> Previous<C> for Nothing {
    fn lend(&self) -> Option<&dyn Any> {
        None
    }

    fn retire(self, _: &mut Core<C>) {}

    fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>) {
        (None, None)
    }
}

impl<C: HasCore, T: Component<C>> Previous<C> for Removed<T> {
    fn lend(&self) -> Option<&dyn Any> {
        Some(&self.0)
    }

    #[inline]
    fn retire(self, core: &mut Core<C>) {
        if T::POOLED {
            core.columns.pool::<T>().push(self.0);
        }
    }

    fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>) {
        (Some(index_of::<C, T>()), Some(Box::new(self.0)))
    }
}

impl<C: HasCore, T: Component<C>> Previous<C> for Copied<T> {
    fn lend(&self) -> Option<&dyn Any> {
        self.0.as_ref().map(|copy| copy as &dyn Any)
    }

    fn retire(self, _: &mut Core<C>) {}

    fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>) {
        (None, self.0.map(|copy| Box::new(copy) as Box<AnyValue>))
    }
}

impl<C: HasCore, T: Component<C>> Previous<C> for Taken<'_, T> {
    fn lend(&self) -> Option<&dyn Any> {
        Some(self.0)
    }

    fn retire(self, _: &mut Core<C>) {}

    fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>) {
        (None, None)
    }
}

impl<C: HasCore> Previous<C> for Untyped {
    fn lend(&self) -> Option<&dyn Any> {
        self.value.as_deref().map(|value| value as &dyn Any)
    }

    fn retire(self, core: &mut Core<C>) {
        match self.value {
            Some(value) => core.columns.recycle(self.component, value),
            None => core.columns.drop_left(&[self.component], self.row),
        }
    }

    fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>) {
        (Some(self.component), self.value)
    }
}

/// Concludes a change. All that is left to do is one call at the end, if anybody is concerned.
#[inline]
pub(super) fn conclude<C: HasCore, P: Previous<C>>(
    context: &mut C,
    stored: Stored<C>,
    previous: P,
) {
    if stored.effects.is_followed() {
        conclude_followed(context, stored, previous);
    } else {
        conclude_unfollowed(context, stored, previous);
    }
}

/// Concludes a change that no observer and no entity index follows.
#[inline]
pub(super) fn conclude_unfollowed<C: HasCore, P: Previous<C>>(
    context: &mut C,
    stored: Stored<C>,
    previous: P,
) {
    let core = context.core_mut();
    if stored.effects != EffectsIndex::NONE {
        core.spread(stored.id, stored.row, stored.effects);
    }
    previous.retire(core);
}

/// Concludes a change that observers or entity indexes follow.
#[inline]
pub(super) fn conclude_followed<C: HasCore, P: Previous<C>>(
    context: &mut C,
    Stored { id, row, effects }: Stored<C>,
    previous: P,
) {
    conclude_outlined(context, id, row, effects, previous);
}

#[inline(never)] // so that changes nobody follows stay short
fn conclude_outlined<C: HasCore, P: Previous<C>>(
    context: &mut C,
    id: EntityId<C>,
    row: Row,
    effects: EffectsIndex,
    previous: P,
) {
    if propagate_and_notify(context, id, row, effects, previous.lend()) {
        queue(context, Stored { id, row, effects }, previous);
    } else {
        previous.retire(context.core_mut());
    }
}

/// Leaves the notification to the call that is notifying already.
#[cold]
#[inline(never)]
fn queue<C: HasCore, P: Previous<C>>(context: &mut C, stored: Stored<C>, previous: P) {
    let core = context.core_mut();
    let (recycle_to, previous) = previous.keep();
    core.queue_change(stored.id, recycle_to, previous);
    core.queue_effects(stored.effects);
}

/// Concludes several changes, of which observers are notified when all have been propagated.
pub(super) fn conclude_all<C: HasCore, P: Previous<C>, const N: usize>(
    context: &mut C,
    stored: [Stored<C>; N],
    previous: [P; N],
) {
    let core = context.core_mut();
    for Stored { id, row, effects } in &stored {
        if core.apply(*id, *row, *effects).is_some() {
            core.prepare_indexes(*id, *effects);
        }
    }
    for Stored { id, effects, .. } in &stored {
        settle(context, *id, *effects);
    }
    for (stored, previous) in stored.into_iter().zip(previous) {
        queue(context, stored, previous);
    }
    notify_queued(context);
}
