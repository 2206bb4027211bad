//! Concluding a stored change: it is propagated, then those who follow it are notified, and at
//! last the value that was there before is dropped or put on its pool stack.

use core::mem;

use super::admit::Stored;
use super::core::{HasCore, Registries};
use super::dispatch::{notify_queued, propagate_and_notify};
use super::index::settle;
use super::previous::Previous;
use crate::matching::effects::EffectsIndex;
use crate::words::entity_id::UntypedId;

/// Concludes a change.
pub(super) fn conclude<C: HasCore>(context: &mut C, stored: Stored, previous: Previous<'_>) {
    if stored.effects.is_followed() {
        conclude_followed(context, stored.id, stored.effects, previous);
    } else {
        let core = context.core_mut();
        spread(core, stored);
        previous.retire(core);
    }
}

/// Has collectors follow, if any do.
#[inline]
pub(super) fn spread(core: &mut Registries, Stored { id, effects, .. }: Stored) {
    if effects != EffectsIndex::NONE {
        core.spread(id, effects);
    }
}

/// Concludes a change that observers, entity indexes or a history follow.
#[inline(never)] // so that changes nobody follows stay short
pub(super) fn conclude_followed<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
    previous: Previous<'_>,
) {
    if effects.is_recorded() {
        conclude_recorded(context, id, effects, previous);
    } else {
        conclude_told(context, id, effects, previous);
    }
}

/// Concludes a change that a history follows: it gets the previous value if nobody is to be lent it,
/// else a clone.
fn conclude_recorded<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
    previous: Previous<'_>,
) {
    let core = context.core_mut();
    if effects.is_only_recorded() {
        if effects.spreads() {
            core.spread(id, effects);
        }
        return previous.record(core, id);
    }
    let whole = Whole { core, id, effects };
    previous.record_clone(whole.core, id);
    mem::forget(whole);
    conclude_told(context, id, effects, previous);
}

/// A change that collectors and indexes have not followed yet. They do when a clone panics.
struct Whole<'a> {
    core: &'a mut Registries,
    id: UntypedId,
    effects: EffectsIndex,
}

impl Drop for Whole<'_> {
    fn drop(&mut self) {
        self.core.follow_panicked(self.id, self.effects);
    }
}

/// Concludes a change that observers or entity indexes follow.
fn conclude_told<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
    previous: Previous<'_>,
) {
    if propagate_and_notify(context, id, effects, previous.lend()) {
        queue(context, id, effects, previous);
    } else {
        previous.retire(context.core_mut());
    }
}

/// Leaves the notification to the call that is notifying already.
#[cold]
#[inline(never)]
pub(super) fn queue<C: HasCore>(
    context: &mut C,
    id: UntypedId,
    effects: EffectsIndex,
    previous: Previous<'_>,
) {
    let core = context.core_mut();
    let (recycle_to, previous) = previous.keep();
    core.queue_change(id, recycle_to, previous);
    core.queue_effects(effects);
}

/// Concludes several changes, of which observers are notified when all have been propagated.
pub(super) fn conclude_all<C: HasCore, const N: usize>(
    context: &mut C,
    stored: [Stored; N],
    previous: [Previous<'_>; N],
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
        queue(context, stored.id, stored.effects, previous);
    }
    notify_queued(context);
}
