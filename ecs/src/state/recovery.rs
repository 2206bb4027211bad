//! Putting in order what a dispatch leaves behind: gaps of observers that have ended, what a
//! panic has left in the queue, and all that it could not reach if its context was moved away.

use alloc::vec::Vec;
use core::mem;

use super::core::{Core, HasCore};
use super::running::Left;
use crate::reactions::notification::Observer;
use crate::storage::flag::Flag;

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
