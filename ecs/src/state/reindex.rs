//! Computing the keys of changed entities: user code, which runs when all state is final.
//!
//! A panic leaves entities dirty, and lookups compute their keys. They are set apart from the buckets
//! (`set_dirty_apart`), so that a copy of the index can contain them, too.

use core::hash::Hash;
use core::mem;

use super::core::HasCore;
use crate::matching::effects::EffectsIndex;
use crate::matching::group::IndexNumber;
use crate::matching::matcher::GroupEvent;
use crate::reactions::subscribers::Subscribers;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// Computes the keys of a changed entity in all indexes concerned.
///
/// All state must be final: key functions, and `Clone`, `Hash`, `Eq` and `Drop` of keys run here.
#[inline]
pub(super) fn flush<C: HasCore>(context: &mut C, id: UntypedId, effects: EffectsIndex) {
    if effects.is_indexed() {
        flush_indexed(context, id, effects);
    }
}

#[inline(never)] // keeps changes without indexes short
fn flush_indexed<C: HasCore>(context: &mut C, id: UntypedId, effects: EffectsIndex) {
    let mut place = 0;
    // Nothing in this loop changes a group, so the effects stay valid.
    while let Some(&(number, event)) = indexed(&context.core().world, effects).get(place) {
        match event {
            GroupEvent::Left => drop_pending(context, number),
            GroupEvent::Entered | GroupEvent::Updated => reindex_in(context, number, id),
        }
        place += 1;
    }
}

fn indexed(world: &World, effects: EffectsIndex) -> &[(IndexNumber, GroupEvent)] {
    world.graph.effects().indexed(effects)
}

pub(crate) fn drop_pending<C: HasCore>(context: &mut C, number: IndexNumber) {
    let core = context.core_mut();
    guard_dirty(&mut core.world, &mut core.subs, |_, subs| {
        if let Some(state) = subs.indexes.state_mut(number) {
            state.index.drop_pending();
        }
    });
}

pub(crate) fn reindex_in<C: HasCore>(context: &mut C, number: IndexNumber, id: UntypedId) {
    if let Some(reindex) = context.core().reindex(number) {
        (reindex.one)(context, number, id);
    }
}

/// Drops the keys left over by destroyed entities.
#[cold]
pub(super) fn drop_all_pending<C: HasCore>(context: &mut C) {
    for number in context.core().subs.indexes.numbers().rev() {
        drop_pending(context, number);
    }
}

/// A running key function. If it panics, dirty entities are set apart.
struct Asking<'a, C: HasCore> {
    context: &'a mut C,
    number: IndexNumber,
}

impl<'a, C: HasCore> Asking<'a, C> {
    fn start(context: &'a mut C, number: IndexNumber) -> Self {
        let mut asking = Self { context, number };
        asking.set(true);
        asking
    }

    fn end(mut self) {
        self.set(false);
        mem::forget(self);
    }

    fn set(&mut self, under_way: bool) {
        if let Some(state) = self.context.core_mut().subs.indexes.state_mut(self.number) {
            state.index.set_asking(under_way);
        }
    }
}

impl<C: HasCore> Drop for Asking<'_, C> {
    fn drop(&mut self) {
        self.set(false);
        self.context.core_mut().subs.indexes.set_dirty_apart();
    }
}

/// Computes the keys of an entity in an index; they are made from what `source` returns.
pub(super) fn reindex<C: HasCore, S: ?Sized + 'static, K>(
    context: &mut C,
    number: IndexNumber,
    id: UntypedId,
    source: fn(&C) -> &S,
) where
    K: Hash + Eq + Send + Sync + 'static,
{
    let Some(index) = context.core_mut().subs.indexes.get_mut::<S, K>(number) else {
        return;
    };
    let mut new_keys = index.scratch();
    let asking = Asking::start(context, number);
    if let Some(index) = asking.context.core().subs.indexes.get::<S, K>(number) {
        index.want(source(asking.context), id, &mut new_keys);
    }
    asking.end();
    if let Some(index) = context.core_mut().subs.indexes.get_mut::<S, K>(number) {
        index.insert(id, new_keys);
    }
    drop_pending(context, number);
}

/// Computes the keys of a batch, like [`reindex`].
pub(super) fn reindex_batch<C: HasCore, S: ?Sized + 'static, K>(
    context: &mut C,
    number: IndexNumber,
    source: fn(&C) -> &S,
) where
    K: Hash + Eq + Send + Sync + 'static,
{
    let asking = Asking::start(context, number);
    let Some(index) = asking.context.core().subs.indexes.get::<S, K>(number) else {
        return;
    };
    let changed = index.changed_in_batch(source(asking.context));
    asking.end();
    if let Some(index) = context.core_mut().subs.indexes.get_mut::<S, K>(number) {
        index.end_batch(&changed);
    }
    for id in changed {
        reindex::<C, S, K>(context, number, id, source);
    }
}

/// Panics if an index disagrees with the keys of one of these entities.
#[cfg(any(test, feature = "__checks"))]
pub(super) fn check_members<C: HasCore, S: ?Sized + 'static, K>(
    context: &C,
    number: IndexNumber,
    members: &[UntypedId],
    source: fn(&C) -> &S,
) where
    K: Hash + Eq + Send + Sync + 'static,
{
    if let Some(index) = context.core().subs.indexes.get::<S, K>(number) {
        index.check_keys(source(context), members);
    }
}

/// Flushes the dirty batch of each index, in order of creation.
pub(super) fn flush_batches<C: HasCore>(context: &mut C) {
    let mut next = context.core().subs.indexes.oldest();
    while let Some(number) = next {
        flush_batch(context, number);
        next = context.core().subs.indexes.next_younger(number);
    }
}

pub(crate) fn flush_batch<C: HasCore>(context: &mut C, number: IndexNumber) {
    if let Some(reindex) = context.core().reindex(number) {
        (reindex.batch)(context, number);
    }
}

/// Runs user code while indexes have dirty entities. If it panics, they are set apart.
#[inline]
pub(super) fn guard_dirty<R>(
    world: &mut World,
    subs: &mut Subscribers,
    act: impl FnOnce(&mut World, &mut Subscribers) -> R,
) -> R {
    struct Guard<'a>(&'a mut Subscribers);
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            self.0.indexes.set_dirty_apart();
        }
    }
    let guard = Guard(subs);
    let result = act(world, &mut *guard.0);
    mem::forget(guard);
    result
}
