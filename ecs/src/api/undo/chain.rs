//! The steps of a stack as a chain of states of the context, in one of which it is at present.
//!
//! ```text
//! base ── step 4 ── step 7 ── step 9        numbers ascend
//!                     ▲
//!                  present: what the context says, which is rewound and restored with it
//! ```
//!
//! A rewind or a restore leads to a state in which some step was the last. All steps in the chain that are not
//! later were done in that state, even if that step itself is discarded by now: when a step is added, those
//! before it are done, and those that are undone are discarded. So the place in the chain is found by a comparison.
//! The steps behind it are discarded then: entities that they mention may not have existed yet, and their ids be
//! given to others. For the same reason each state that is reached has a stamp of its own.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;

use super::ids::CurrentIds;
use super::step::UndoStep;
use crate::reactions::edits::{Reached, next_number};
use crate::state::HasCore;

/// The steps of a stack.
#[derive(Default)]
pub(super) struct Chain {
    pub(super) done: VecDeque<UndoStep>,
    /// Those that can be redone, the next one last.
    pub(super) undone: Vec<UndoStep>,
    /// The number of the step before the first; 0 if there was none.
    base: u64,
    /// The root of the context.
    root: u64,
    /// The stamp of the present state.
    stamp: u64,
    /// The first stamp at which entities had their present ids, and how many had got new ones by then.
    renamed: (u64, u64),
    identity: Arc<()>,
}

impl Chain {
    fn is_empty(&self) -> bool {
        self.done.is_empty() && self.undone.is_empty()
    }

    /// How many steps are done in the present state; `None` if it is that of another context, or one in which
    /// entities had other ids.
    fn place<C: HasCore>(&self, context: &C, ids: &CurrentIds) -> Option<usize> {
        let edits = &context.core().subs.entered.edits;
        let reached = edits.reached(&self.identity);
        if self.is_empty() {
            return Some(0);
        }
        if edits.root() != self.root {
            return None;
        }
        if reached.stamp == self.stamp {
            return Some(self.done.len());
        }
        let steps = self.done.iter().chain(self.undone.iter().rev());
        let done = steps.take_while(|step| step.number <= reached.step);
        let (since, renames) = self.renamed;
        (reached.stamp >= since && renames == ids.renames).then(|| done.count())
    }

    /// The names of the step that is done last in the present state, and of the one that can be redone.
    pub(super) fn names<C: HasCore>(&self, context: &C, ids: &CurrentIds) -> [Option<&str>; 2] {
        let place = self.place(context, ids);
        let mut steps = self.done.iter().chain(self.undone.iter().rev());
        let last = place.and_then(|place| steps.nth(place.checked_sub(1)?));
        let edits = &context.core().subs.entered.edits;
        let is_here = place.is_some() && edits.reached(&self.identity).stamp == self.stamp;
        let next = self.undone.last().filter(|_| is_here);
        [last, next].map(|step| step.map(|step| &*step.name))
    }

    /// Finds out which steps the present state has, and discards those behind it after a rewind; returns whether it can.
    pub(super) fn find<C: HasCore>(&mut self, context: &mut C, ids: &CurrentIds) -> bool {
        let Some(place) = self.place(context, ids) else {
            return false;
        };
        let edits = &context.core().subs.entered.edits;
        let reached = edits.reached(&self.identity);
        if self.is_empty() {
            (self.base, self.root) = (reached.step, edits.root());
        } else if reached.stamp == self.stamp {
            if self.renamed.1 != ids.renames {
                self.renamed = (self.stamp, ids.renames);
            }
            return true;
        }
        self.stamp = reached.stamp;
        let mut undone = mem::take(&mut self.undone);
        while self.done.len() < place {
            self.done.extend(undone.pop());
        }
        let behind = self.done.split_off(place);
        drop((behind, undone)); // user code
        true
    }

    /// The context has just reached the state with the steps that are done.
    pub(super) fn arrive<C: HasCore>(&mut self, context: &mut C) {
        self.stamp = next_number();
        let last = self.done.back();
        let reached = Reached {
            step: last.map_or(self.base, |step| step.number),
            stamp: self.stamp,
        };
        let edits = &mut context.core_mut().subs.entered_mut().edits;
        edits.set_reached(&self.identity, reached);
    }

    /// Adds a step, if it changes anything; returns those that were undone, to be dropped.
    pub(super) fn push<C: HasCore>(
        &mut self,
        context: &mut C,
        mut step: UndoStep,
    ) -> Vec<UndoStep> {
        step.number = next_number();
        self.done.extend((!step.is_empty()).then_some(step));
        self.arrive(context);
        mem::take(&mut self.undone)
    }

    /// Removes the oldest steps beyond a number of them, to be dropped.
    pub(super) fn limit(&mut self, most: usize) -> Vec<UndoStep> {
        let surplus = self.done.len().saturating_sub(most);
        let removed: Vec<_> = self.done.drain(..surplus).collect();
        if let Some(last) = removed.last() {
            self.base = last.number;
        }
        removed
    }
}
