//! The steps of the links of a relation, recorded so that a rewind of its context can undo them: the order of
//! sources cannot be reconstructed from the entities.
//!
//! Each relation has its own journal with its own positions, which the marks of the history store.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::mem;

use crate::storage::heap::heap;
use crate::storage::past::Direction;
use crate::words::entity_id::UntypedId;

/// The steps of links: those to undo, and those to redo.
pub(super) struct IndexJournal<S> {
    recording: bool,
    undo: VecDeque<S>,
    redo: Vec<S>,
    /// The position before the first step.
    first: u64,
}

heap!(IndexJournal<S>: undo, redo);

impl<S> IndexJournal<S> {
    pub(super) const fn new() -> Self {
        Self {
            recording: false,
            undo: VecDeque::new(),
            redo: Vec::new(),
            first: 0,
        }
    }

    /// A journal that continues after this one: it reaches none of this one's positions.
    pub(super) fn after(&self) -> Self {
        Self {
            recording: self.recording,
            first: self.position() + self.redo.len() as u64 + 1,
            ..Self::new()
        }
    }

    #[inline]
    pub(super) fn is_recording(&self) -> bool {
        self.recording
    }

    /// Discards all steps and returns them. Earlier positions can no longer be reached.
    pub(super) fn restart(&mut self, recording: bool) -> impl Iterator<Item = S> + use<S> {
        self.first = self.position() + self.redo.len() as u64 + 1;
        self.recording = recording;
        let steps = mem::take(&mut self.undo).into_iter();
        steps.chain(mem::take(&mut self.redo))
    }

    /// Adds a step; returns the steps to redo, which are discarded.
    pub(super) fn push(&mut self, step: S) -> Vec<S> {
        self.undo.push_back(step);
        mem::take(&mut self.redo)
    }

    /// The current position.
    pub(super) fn position(&self) -> u64 {
        self.first + self.undo.len() as u64
    }

    pub(super) fn reaches(&self, position: u64) -> bool {
        let last = self.position() + self.redo.len() as u64;
        (self.first..=last).contains(&position)
    }

    /// The next step on the way to a position. The caller must [`put`](Self::put) its opposite.
    pub(super) fn next(&mut self, position: u64) -> Option<(Direction, S)> {
        if position < self.position() {
            return Some((Direction::Back, self.undo.pop_back()?));
        }
        let step = (position > self.position()).then(|| self.redo.pop())?;
        Some((Direction::Forward, step?))
    }

    /// Adds the opposite of a step that was undone or redone.
    pub(super) fn put(&mut self, direction: Direction, step: S) {
        match direction {
            Direction::Back => self.redo.push(step),
            Direction::Forward => self.undo.push_back(step),
        }
    }

    /// Forgets the steps before a position; returns them.
    pub(super) fn forget_before(&mut self, position: u64) -> Vec<S> {
        let count = position.saturating_sub(self.first) as usize;
        let count = count.min(self.undo.len());
        self.first += count as u64;
        self.undo.drain(..count).collect()
    }
}

/// The links of a relation: each target with its sources, in order.
pub(crate) struct LinksCopy(pub(super) Vec<(UntypedId, Vec<UntypedId>)>);

impl LinksCopy {
    /// The sources, in order.
    pub(crate) fn sources(&self) -> impl Iterator<Item = UntypedId> + '_ {
        self.0.iter().flat_map(|(_, sources)| sources).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A journal with one step to undo and one to redo, and the positions that it reaches.
    fn journal_with_redo() -> (IndexJournal<u8>, [u64; 3]) {
        let mut journal = IndexJournal::new();
        _ = journal.restart(true);
        let start = journal.position();
        assert!(journal.push(1).is_empty() && journal.push(2).is_empty());
        let (direction, step) = journal.next(start + 1).unwrap();
        assert_eq!((direction, step), (Direction::Back, 2));
        journal.put(direction, step);
        assert_eq!(journal.position(), start + 1);
        (journal, [start, start + 1, start + 2])
    }

    #[test]
    fn a_journal_reaches_undo_and_redo() {
        let (journal, positions) = journal_with_redo();
        assert!(positions.iter().all(|&position| journal.reaches(position)));
        assert!(!journal.reaches(positions[0] - 1) && !journal.reaches(positions[2] + 1));
    }

    #[test]
    fn a_restarted_journal_reaches_no_earlier_position() {
        let (mut journal, positions) = journal_with_redo();
        assert!(journal.restart(true).eq([1, 2]));
        assert!(journal.is_recording() && journal.reaches(journal.position()));
        assert!(!positions.iter().any(|&position| journal.reaches(position)));
    }

    #[test]
    fn a_journal_after_another_one_reaches_none_of_its_positions() {
        let (before, positions) = journal_with_redo();
        let journal = before.after();
        assert!(journal.is_recording() && journal.reaches(journal.position()));
        assert!(!positions.iter().any(|&position| journal.reaches(position)));
    }

    #[test]
    fn a_new_step_replaces_undone_ones() {
        let (mut journal, positions) = journal_with_redo();
        assert_eq!(journal.push(3), [2]);
        assert_eq!(journal.position(), positions[2]);
        assert_eq!(journal.next(positions[0]), Some((Direction::Back, 3)));
    }

    #[test]
    fn forgotten_steps_are_not_reached() {
        let (mut journal, [start, now, last]) = journal_with_redo();
        assert_eq!(journal.forget_before(now), [1]);
        assert!(!journal.reaches(start) && journal.reaches(now) && journal.reaches(last));
        assert!(journal.forget_before(last).is_empty(), "it is ahead");
    }
}
