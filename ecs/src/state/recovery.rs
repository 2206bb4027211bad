//! Putting in order what a dispatch leaves behind: gaps of observers that have ended, what a
//! panic has left in the queue, and all that it could not reach if its context was moved away. And
//! what a panic leaves behind in the middle of a change: entities that indexes have not asked for keys.

use alloc::vec::Vec;
use core::mem;

use super::core::{Core, HasCore};
use super::running::Left;
use crate::matching::effects::EffectsIndex;
use crate::reactions::notification::Observer;
use crate::storage::flag::Flag;
use crate::storage::slots::Row;
use crate::words::entity_id::EntityId;

impl<C: HasCore> Core<C> {
    /// Whether a dispatch is under way, so that notifications have to be queued.
    #[inline]
    pub(crate) fn is_dispatching(&mut self) -> bool {
        !self.queue.flag.is_idle() && !self.recover()
    }

    /// Puts in order what a dispatch has left that the context was moved away from;
    /// returns whether there was one.
    #[cold]
    #[inline(never)]
    pub(crate) fn recover(&mut self) -> bool {
        let is_abandoned = self.queue.flag.is_abandoned();
        if is_abandoned {
            self.queue.flag.get().lower();
            self.clean_up();
        }
        is_abandoned
    }

    /// Ends a dispatch that has its context.
    #[inline]
    pub(super) fn end_dispatch(&mut self, flag: &Flag) {
        flag.lower();
        if !self.queue.is_quiet() || flag.has_left() {
            self.clean_up();
        }
    }

    /// Puts observers back that were left by a dispatch or a delivery that lacked the context, closes
    /// the gaps that ended ones have left, and forgets what a panic has left in the queue.
    #[cold]
    #[inline(never)]
    fn clean_up(&mut self) {
        let left = self.put_left_back();
        self.events.delivering = false; // none outlives the dispatch that it is part of
        self.queue.untidy = false;
        self.queue.destroying = None;
        self.queue.pending.clear();
        drop(self.indexes.watched_ends());
        for subject in mem::take(&mut self.queue.gaps) {
            self.observers.compact(subject);
        }
        let steps = (!self.queue.steps.is_empty()).then(|| mem::take(&mut self.queue.steps));
        drop((left, steps)); // user code
    }

    /// Returns those that have been ended meanwhile.
    fn put_left_back(&mut self) -> Vec<Observer<C>> {
        let mut ended = Vec::new();
        for left in self.queue.flag.take_left() {
            if let Ok(left) = left.downcast::<Left<C>>()
                && let Some(observer) = left.put_back(self)
            {
                ended.push(observer);
            }
        }
        ended
    }
}

impl<C: 'static> Core<C> {
    /// Has groups, collectors and indexes follow a change whose conclusion a panic has ended. Runs no
    /// user code.
    #[cold]
    pub(super) fn follow_panicked(&mut self, id: EntityId<C>, row: Row, effects: EffectsIndex) {
        self.apply(id, row, effects);
        self.prepare_indexes(id, effects);
        self.indexes.set_dirty_apart();
    }

    /// Runs user code while indexes have dirty entities. If it panics they are set apart.
    #[inline]
    pub(super) fn while_unsettled<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        struct Unsettled<'a, C: 'static>(&'a mut Core<C>);
        impl<C: 'static> Drop for Unsettled<'_, C> {
            fn drop(&mut self) {
                self.0.indexes.set_dirty_apart();
            }
        }
        let unsettled = Unsettled(self);
        let result = act(&mut *unsettled.0);
        mem::forget(unsettled);
        result
    }
}
