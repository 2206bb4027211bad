//! The steps of a stack as a chain of states of the context, in one of which it is at present.
//!
//! ```text
//! base ── step ── step ── step        each has a number, and so has the state before the first
//!                   ▲
//!                present: what the context says, which is rewound and restored with it
//! ```
//!
//! The place is found again after a rewind or restore to a state in the chain. The steps behind it
//! are discarded then: entities that they mention may not have existed yet, and their ids be given to others.
//! For the same reason each undo and redo gives the resulting state a new number.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::mem;

use super::ids::CurrentIds;
use super::step::UndoStep;
use crate::reactions::edits::next_number;
use crate::state::HasCore;

/// The steps of a stack.
#[derive(Default)]
pub(super) struct Chain {
    pub(super) done: VecDeque<UndoStep>,
    /// Those that can be redone, the next one last.
    pub(super) undone: Vec<UndoStep>,
    /// The number of the state before the first step.
    base: u64,
    /// How many entities had got new ids when the numbers were given.
    renames: u64,
    identity: Arc<()>,
}

impl Chain {
    pub(super) fn is_empty(&self) -> bool {
        self.done.is_empty() && self.undone.is_empty()
    }

    /// Finds out which steps the present state has, and discards those behind it after a rewind; returns whether it can.
    pub(super) fn find<C: HasCore>(&mut self, context: &mut C, ids: &CurrentIds) -> bool {
        let present = context.core().subs.entered.edits.last_of(&self.identity);
        if self.is_empty() {
            (self.base, self.renames) = (present, ids.renames);
            return true;
        }
        let is_here = present == *self.present();
        if self.renames != ids.renames {
            if is_here {
                self.renumber(context, ids);
            }
            return is_here;
        }
        let steps = self.done.iter().chain(self.undone.iter().rev());
        let mut states = [self.base].into_iter().chain(steps.map(|step| step.number));
        let Some(place) = states
            .position(|number| number == present)
            .filter(|_| !is_here)
        else {
            return is_here;
        };
        let mut undone = mem::take(&mut self.undone);
        while self.done.len() < place {
            self.done.extend(undone.pop());
        }
        let behind = self.done.split_off(place);
        drop((behind, undone)); // user code
        true
    }

    /// The number of the state with the steps that are done.
    fn present(&mut self) -> &mut u64 {
        let last = self.done.back_mut();
        last.map_or(&mut self.base, |step| &mut step.number)
    }

    /// The context has just reached the state with the steps that are done.
    pub(super) fn arrive<C: HasCore>(&mut self, context: &mut C) {
        let number = next_number();
        *self.present() = number;
        let edits = &mut context.core_mut().subs.entered_mut().edits;
        edits.set_last(&self.identity, number);
    }

    /// Gives all states new numbers, since entities have new ids now.
    fn renumber<C: HasCore>(&mut self, context: &mut C, ids: &CurrentIds) {
        self.base = next_number();
        let steps = self.done.iter_mut().chain(&mut self.undone);
        steps.for_each(|step| step.number = next_number());
        self.renames = ids.renames;
        self.arrive(context);
    }

    /// Adds a step, if it changes anything; returns those that were undone, to be dropped.
    pub(super) fn push<C: HasCore>(&mut self, context: &mut C, step: UndoStep) -> Vec<UndoStep> {
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
