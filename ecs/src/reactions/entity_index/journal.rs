//! What an index has done, step by step, so that a rewind of its context can take it back: the order
//! of the entities of a key is one that no look at the entities could tell.
//!
//! A journal is of one index, and has positions of its own, which the marks of the history note.

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::mem;

use crate::storage::past::Direction;
use crate::words::entity_id::UntypedId;

/// The steps of an index: those behind the present, and those that have been taken back.
pub(super) struct IndexJournal<S> {
    recording: bool,
    undo: VecDeque<S>,
    redo: Vec<S>,
    /// The position before the first step.
    first: u64,
}

impl<S> IndexJournal<S> {
    pub(super) const fn new() -> Self {
        Self {
            recording: false,
            undo: VecDeque::new(),
            redo: Vec::new(),
            first: 0,
        }
    }

    /// A journal of what comes after this one: none of its positions is reached.
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

    /// Begins anew: no position of before is reached any more. Returns the steps of before.
    pub(super) fn restart(&mut self, recording: bool) -> impl Iterator<Item = S> + use<S> {
        self.first = self.position() + self.redo.len() as u64 + 1;
        self.recording = recording;
        let steps = mem::take(&mut self.undo).into_iter();
        steps.chain(mem::take(&mut self.redo))
    }

    /// Adds a step; returns those ahead, which cannot be taken again.
    pub(super) fn push(&mut self, step: S) -> Vec<S> {
        self.undo.push_back(step);
        mem::take(&mut self.redo)
    }

    /// Where the present is.
    pub(super) fn position(&self) -> u64 {
        self.first + self.undo.len() as u64
    }

    /// Whether a position can be gone to.
    pub(super) fn reaches(&self, position: u64) -> bool {
        let last = self.position() + self.redo.len() as u64;
        (self.first..=last).contains(&position)
    }

    /// The next step on the way to a position. Its opposite is to be [`put`](Self::put) back.
    pub(super) fn next(&mut self, position: u64) -> Option<(Direction, S)> {
        if position < self.position() {
            return Some((Direction::Back, self.undo.pop_back()?));
        }
        let step = (position > self.position()).then(|| self.redo.pop())?;
        Some((Direction::Forward, step?))
    }

    /// Puts the opposite of a step that was taken back, or again.
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

    /// Gives up the room in which no step is.
    pub(super) fn trim(&mut self) {
        self.undo.shrink_to_fit();
        self.redo.shrink_to_fit();
    }

    /// The bytes held, but for what steps have put elsewhere.
    pub(super) fn bytes(&self) -> usize {
        (self.undo.capacity() + self.redo.capacity()) * size_of::<S>()
    }
}

/// What an index held.
pub(crate) enum IndexCopy {
    Buckets(BucketsCopy),
    Links(LinksCopy),
}

/// The buckets of an index: by number, the members of each, with which of their keys it is.
pub(crate) struct BucketsCopy {
    pub(super) buckets: Vec<Vec<(UntypedId, u32)>>,
    /// The numbers of those that are empty, in the order in which they were freed.
    pub(super) free: Vec<u32>,
    /// Those who are in no bucket, behind a panic: they are to be asked for their keys.
    pub(super) dirty: Vec<UntypedId>,
}

/// The links of a relation: for each target that has any, its sources.
pub(crate) struct LinksCopy {
    pub(super) lists: Vec<(UntypedId, Vec<UntypedId>)>,
}

impl IndexCopy {
    /// The entities that whoever looks a key up asks for theirs.
    pub(crate) fn dirty(&self) -> &[UntypedId] {
        match self {
            Self::Buckets(copy) => &copy.dirty,
            Self::Links(_) => &[],
        }
    }

    /// The entities in the order in which they stand, each with each of its keys, or with its target.
    pub(crate) fn ids(&self) -> impl Iterator<Item = UntypedId> + '_ {
        let (buckets, lists) = match self {
            Self::Buckets(copy) => (copy.buckets.as_slice(), &[][..]),
            Self::Links(copy) => (&[][..], copy.lists.as_slice()),
        };
        let keyed = buckets.iter().flatten().map(|(id, _)| *id);
        keyed.chain(lists.iter().flat_map(|(_, sources)| sources).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A journal with a step behind and one ahead, and the positions that it reaches.
    fn travelled() -> (IndexJournal<u8>, [u64; 3]) {
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
    fn a_journal_reaches_what_is_behind_and_ahead() {
        let (journal, positions) = travelled();
        assert!(positions.iter().all(|&position| journal.reaches(position)));
        assert!(!journal.reaches(positions[0] - 1) && !journal.reaches(positions[2] + 1));
    }

    #[test]
    fn a_journal_that_begins_anew_reaches_no_position_of_before() {
        let (mut journal, positions) = travelled();
        assert!(journal.restart(true).eq([1, 2]));
        assert!(journal.is_recording() && journal.reaches(journal.position()));
        assert!(!positions.iter().any(|&position| journal.reaches(position)));
    }

    #[test]
    fn a_journal_after_another_one_reaches_none_of_its_positions() {
        let (before, positions) = travelled();
        let journal = before.after();
        assert!(journal.is_recording() && journal.reaches(journal.position()));
        assert!(!positions.iter().any(|&position| journal.reaches(position)));
    }

    #[test]
    fn a_step_behind_another_one_that_was_taken_back_replaces_it() {
        let (mut journal, positions) = travelled();
        assert_eq!(journal.push(3), [2]);
        assert_eq!(journal.position(), positions[2]);
        assert_eq!(journal.next(positions[0]), Some((Direction::Back, 3)));
    }

    #[test]
    fn what_is_forgotten_is_not_reached() {
        let (mut journal, [start, now, last]) = travelled();
        assert_eq!(journal.forget_before(now), [1]);
        assert!(!journal.reaches(start) && journal.reaches(now) && journal.reaches(last));
        assert!(journal.forget_before(last).is_empty(), "it is ahead");
    }
}
