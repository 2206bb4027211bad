//! Concluding a stored change: it is propagated, then those who follow it are notified, and at
//! last the value that was there before is dropped or put on its pool stack.

use alloc::boxed::Box;
use core::any::Any;
use core::mem;

use super::core::{Core, HasCore};
use super::dispatch::{notify_queued, propagate_and_notify};
use super::index::settle;
use super::store::Stored;
use crate::matching::effects::EffectsIndex;
use crate::reactions::history::Kind;
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

    /// Hands the change of an entity over to the history, with the value.
    fn record(self, core: &mut Core<C>, id: EntityId<C>);

    /// Records the change of an entity, with a clone of the value.
    fn record_clone(&self, core: &mut Core<C>, id: EntityId<C>);
}

/// There was no value: the component has been added.
pub(super) struct Added(ComponentIndex);

/// The value has gone to make place, for another one if it was replaced: it goes to the pool stack
/// or is dropped.
pub(super) struct Gone<T, const REPLACED: bool>(T);

/// A copy of the value, if it is to be lent.
pub(super) struct Copied<T>(pub(super) Option<T>);

/// The value is the caller's from now on.
pub(super) struct Taken<'a> {
    pub(super) component: ComponentIndex,
    pub(super) value: &'a AnyValue,
}

/// The value of a component that is known by its index: still in its row if nobody follows.
pub(super) struct Untyped {
    pub(super) component: ComponentIndex,
    pub(super) row: Row,
    pub(super) value: Option<Box<AnyValue>>,
}

impl<T> Gone<T, false> {
    /// A value that has been removed.
    #[inline]
    pub(super) fn removed(value: T) -> Self {
        Self(value)
    }
}

impl<T> Gone<T, true> {
    /// A value that has been replaced.
    #[inline]
    pub(super) fn replaced(value: T) -> Self {
        Self(value)
    }
}

impl<T, const REPLACED: bool> Gone<T, REPLACED> {
    const KIND: Kind = match REPLACED {
        true => Kind::Replaced,
        false => Kind::Removed,
    };
}

impl<C: HasCore> Previous<C> for Added {
    fn lend(&self) -> Option<&dyn Any> {
        None
    }

    fn retire(self, _: &mut Core<C>) {}

    fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>) {
        (None, None)
    }

    fn record(self, core: &mut Core<C>, id: EntityId<C>) {
        self.record_clone(core, id);
    }

    fn record_clone(&self, core: &mut Core<C>, id: EntityId<C>) {
        core.record_added(id, self.0);
    }
}

impl<C: HasCore, T: Component<C>, const REPLACED: bool> Previous<C> for Gone<T, REPLACED> {
    fn lend(&self) -> Option<&dyn Any> {
        Some(&self.0)
    }

    #[inline]
    fn retire(self, core: &mut Core<C>) {
        if T::POOLED {
            core.columns.recycle([self.0]);
        }
    }

    fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>) {
        (Some(index_of::<C, T>()), Some(Box::new(self.0)))
    }

    #[inline]
    fn record(self, core: &mut Core<C>, id: EntityId<C>) {
        core.record_value(Self::KIND, id, self.0);
    }

    fn record_clone(&self, core: &mut Core<C>, id: EntityId<C>) {
        core.record_clone(Self::KIND, id, index_of::<C, T>(), &self.0);
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

    fn record(self, core: &mut Core<C>, id: EntityId<C>) {
        if let Some(copy) = self.0 {
            core.record_value(Kind::Replaced, id, copy);
        }
    }

    fn record_clone(&self, core: &mut Core<C>, id: EntityId<C>) {
        if let Some(copy) = &self.0 {
            core.record_clone(Kind::Replaced, id, index_of::<C, T>(), copy);
        }
    }
}

impl<C: HasCore> Previous<C> for Taken<'_> {
    fn lend(&self) -> Option<&dyn Any> {
        Some(self.value)
    }

    fn retire(self, _: &mut Core<C>) {}

    fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>) {
        (None, None)
    }

    fn record(self, core: &mut Core<C>, id: EntityId<C>) {
        self.record_clone(core, id);
    }

    fn record_clone(&self, core: &mut Core<C>, id: EntityId<C>) {
        core.record_clone(Kind::Removed, id, self.component, self.value);
    }
}

impl<C: HasCore> Previous<C> for Untyped {
    fn lend(&self) -> Option<&dyn Any> {
        self.value.as_deref().map(|value| value as &dyn Any)
    }

    fn retire(self, core: &mut Core<C>) {
        match self.value {
            Some(value) => core.columns.recycle_boxed(self.component, value),
            None => core.columns.drop_left(&[self.component], self.row),
        }
    }

    fn keep(self) -> (Option<ComponentIndex>, Option<Box<AnyValue>>) {
        (Some(self.component), self.value)
    }

    fn record(self, core: &mut Core<C>, id: EntityId<C>) {
        if let Some(value) = self.value {
            core.record_boxed(Kind::Removed, id, self.component, value);
        }
    }

    fn record_clone(&self, core: &mut Core<C>, id: EntityId<C>) {
        if let Some(value) = &self.value {
            core.record_clone(Kind::Removed, id, self.component, &**value);
        }
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

/// Concludes that a component has been added.
#[inline]
pub(super) fn conclude_added<C: HasCore, T: Component<C>>(context: &mut C, stored: Stored<C>) {
    if stored.effects.is_followed() {
        conclude_followed(context, stored, Added(index_of::<C, T>()));
    } else {
        spread(context.core_mut(), stored);
    }
}

/// Concludes that a component has been taken, whose value is the caller's. Like the one before: what
/// is followed is made there alone, and a closure for it would be compiled for each caller.
#[inline]
pub(super) fn conclude_taken<C: HasCore, T: Component<C>>(
    context: &mut C,
    stored: Stored<C>,
    value: &T,
) {
    if stored.effects.is_followed() {
        let component = index_of::<C, T>();
        conclude_followed(context, stored, Taken { component, value });
    } else {
        spread(context.core_mut(), stored);
    }
}

/// Concludes a change that no observer, no entity index and no history follows.
#[inline]
pub(super) fn conclude_unfollowed<C: HasCore, P: Previous<C>>(
    context: &mut C,
    stored: Stored<C>,
    previous: P,
) {
    let core = context.core_mut();
    spread(core, stored);
    previous.retire(core);
}

/// Has collectors follow, if any do.
#[inline]
fn spread<C: 'static>(core: &mut Core<C>, Stored { id, effects, .. }: Stored<C>) {
    if effects != EffectsIndex::NONE {
        core.spread(id, effects);
    }
}

/// Concludes a change that observers, entity indexes or a history follow.
#[inline]
pub(super) fn conclude_followed<C: HasCore, P: Previous<C>>(
    context: &mut C,
    Stored { id, row, effects }: Stored<C>,
    previous: P,
) {
    conclude_outlined(context, id, row, effects, previous);
}

/// Concludes a change that nobody but a history follows: it is handed the previous value.
#[inline(never)] // so that `conclude_outlined` is a jump to one of three, and saves no registers
fn conclude_recorded<C: HasCore, P: Previous<C>>(context: &mut C, id: EntityId<C>, previous: P) {
    previous.record(context.core_mut(), id);
}

/// Concludes a change that others follow beside a history, which gets a clone of what they are
/// lent, or the value itself if they are groups and collectors alone.
#[inline(never)] // as `conclude_recorded`
fn conclude_shared<C: HasCore, P: Previous<C>>(
    context: &mut C,
    id: EntityId<C>,
    row: Row,
    effects: EffectsIndex,
    previous: P,
) {
    let core = context.core_mut();
    if effects.is_only_recorded() {
        core.spread(id, effects);
        return previous.record(core, id);
    }
    let stored = Stored { id, row, effects };
    let whole = Whole { core, stored };
    previous.record_clone(whole.core, id);
    mem::forget(whole);
    conclude_told(context, id, row, effects, previous);
}

/// A change that groups and indexes have not followed yet. They do when a clone panics.
struct Whole<'a, C: 'static> {
    core: &'a mut Core<C>,
    stored: Stored<C>,
}

impl<C: 'static> Drop for Whole<'_, C> {
    fn drop(&mut self) {
        let Stored { id, effects, .. } = self.stored;
        self.core.follow_panicked(id, effects);
    }
}

#[inline(never)] // so that changes nobody follows stay short
fn conclude_outlined<C: HasCore, P: Previous<C>>(
    context: &mut C,
    id: EntityId<C>,
    row: Row,
    effects: EffectsIndex,
    previous: P,
) {
    if effects.is_only_recorded() && !effects.spreads() {
        conclude_recorded(context, id, previous);
    } else if effects.is_recorded() {
        conclude_shared(context, id, row, effects, previous);
    } else {
        conclude_told(context, id, row, effects, previous);
    }
}

/// Concludes a change that observers or entity indexes follow.
#[inline(never)] // as `conclude_recorded`
fn conclude_told<C: HasCore, P: Previous<C>>(
    context: &mut C,
    id: EntityId<C>,
    row: Row,
    effects: EffectsIndex,
    previous: P,
) {
    if propagate_and_notify(context, id, effects, previous.lend()) {
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
    for Stored { id, effects, .. } in &stored {
        if core.apply(*id, *effects).is_some() {
            core.prepare_indexes(*id, *effects);
        }
    }
    core.while_unsettled(|core| {
        for (Stored { id, .. }, previous) in stored.iter().zip(&previous) {
            previous.record_clone(core, *id);
        }
    });
    for Stored { id, effects, .. } in &stored {
        settle(context, *id, *effects);
    }
    for (stored, previous) in stored.into_iter().zip(previous) {
        queue(context, stored, previous);
    }
    notify_queued(context);
}
