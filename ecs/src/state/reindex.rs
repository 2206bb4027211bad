//! Computing the keys of changed entities: user code, which runs when all state is final.
//!
//! A panic leaves entities dirty, and lookups compute their keys. They are removed from the structure
//! (`set_dirty_apart`).

use core::mem;

#[cfg(debug_assertions)]
use super::core::Core;
use super::core::HasCore;
use crate::matching::effects::EffectsIndex;
use crate::matching::group::{GroupIndex, IndexNumber};
#[cfg(debug_assertions)]
use crate::matching::matcher::Condition;
use crate::matching::matcher::GroupEvent;
use crate::reactions::entity_index::{Dirty, Structure};
use crate::reactions::subscribers::Subscribers;
use crate::words::entity_id::UntypedId;
use crate::world::World;

/// Computes the keys of changed entities in all indexes concerned.
///
/// All state must be final: key functions, and `Clone`, `Hash`, `Eq` and `Drop` of keys run here.
#[inline]
pub(super) fn flush<C: HasCore>(context: &mut C, ids: &[UntypedId], effects: EffectsIndex) {
    if effects.is_indexed() {
        flush_indexed(context, ids, effects);
    }
}

#[inline(never)] // keeps changes without indexes short
fn flush_indexed<C: HasCore>(context: &mut C, ids: &[UntypedId], effects: EffectsIndex) {
    let mut place = 0;
    // Nothing in this loop changes a group, so the effects stay valid.
    while let Some(&(number, event)) = indexed(&context.core().world, effects).get(place) {
        match event {
            GroupEvent::Left => settle(context, number),
            GroupEvent::Entered | GroupEvent::Updated => reindex_in(context, number, ids),
        }
        place += 1;
    }
}

fn indexed(world: &World, effects: EffectsIndex) -> &[(IndexNumber, GroupEvent)] {
    world.graph.effects().indexed(effects)
}

/// Drops the keys left over by changes, and tells structures of users of the changes.
pub(crate) fn settle<C: HasCore>(context: &mut C, number: IndexNumber) {
    let core = context.core_mut();
    guard_dirty(&mut core.world, &mut core.subs, |_, subs| {
        if let Some(state) = subs.indexes.state_mut(number) {
            state.index.settle();
        }
    });
}

/// Computes the keys of entities that were marked dirty.
pub(crate) fn reindex_in<C: HasCore>(context: &mut C, number: IndexNumber, ids: &[UntypedId]) {
    if let Some(reindex) = context.core().reindex(number) {
        let dirty = match ids {
            [id] => Dirty::One(*id),
            _ => Dirty::Many(ids),
        };
        (reindex.update)(context, number, dirty);
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
        self.context.core_mut().subs.indexes.set_dirty_apart();
        self.set(false); // so the next change does not ask again
    }
}

/// Runs a key function. In builds with debug assertions, it panics if it reads a component that the matcher of its
/// group does not name.
#[inline]
pub(super) fn reading_only<C: HasCore>(
    context: &mut C,
    _group: impl FnOnce(&Subscribers) -> Option<GroupIndex>,
    ask: impl FnOnce(&C),
) {
    #[cfg(debug_assertions)]
    let reading = {
        let Core { world, subs, .. } = context.core_mut();
        let condition = _group(subs).map(|group| &world.groups.get(group).condition);
        let named = condition.map(Condition::components);
        world.columns.restrict_reads(named);
        Restricted(context)
    };
    #[cfg(debug_assertions)]
    let context = &*reading.0;
    ask(context);
}

/// Components that a key function must not read, until it is dropped.
#[cfg(debug_assertions)]
struct Restricted<'a, C: HasCore>(&'a mut C);

#[cfg(debug_assertions)]
impl<C: HasCore> Drop for Restricted<'_, C> {
    fn drop(&mut self) {
        self.0.core_mut().world.columns.restrict_reads(None);
    }
}

/// Computes the keys of dirty entities from what `source` returns, and moves those whose keys have changed.
pub(super) fn reindex<C: HasCore, S: ?Sized + 'static, T: Structure>(
    context: &mut C,
    (number, mut dirty): (IndexNumber, Dirty<'_>),
    source: fn(&C) -> &S,
) {
    let Some(index) = context.core_mut().subs.indexes.get_mut::<S, T>(number) else {
        return;
    };
    if index.is_taken() {
        return;
    }
    let mut changed = index.start_update(&mut dirty);
    let asking = Asking::start(context, number);
    let group = |subs: &Subscribers| Some(subs.indexes.state(number)?.group);
    reading_only(asking.context, group, |context| {
        if let Some(index) = context.core().subs.indexes.get::<S, T>(number) {
            index.changed(source(context), dirty, &mut changed);
        }
    });
    if let Some(index) = asking
        .context
        .core_mut()
        .subs
        .indexes
        .get_mut::<S, T>(number)
    {
        index.update(dirty, &mut changed);
        index.keep_scratch(changed);
    }
    asking.end();
    settle(context, number);
}

/// Panics if an index disagrees with the keys of one of these entities.
#[cfg(any(test, feature = "__checks"))]
pub(super) fn check_members<C: HasCore, S: ?Sized + 'static, T: Structure>(
    context: &C,
    number: IndexNumber,
    members: &[UntypedId],
    source: fn(&C) -> &S,
) {
    if let Some(index) = context.core().subs.indexes.get::<S, T>(number) {
        index.check_keys(source(context), members);
    }
}

/// Flushes the dirty batch of each index, in order of creation.
pub(crate) fn flush_batches<C: HasCore>(context: &mut C) {
    let mut next = context.core().subs.indexes.oldest();
    while let Some(number) = next {
        flush_batch(context, number);
        next = context.core().subs.indexes.next_younger(number);
    }
}

pub(crate) fn flush_batch<C: HasCore>(context: &mut C, number: IndexNumber) {
    reindex_in(context, number, &[]);
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
