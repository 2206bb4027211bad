//! Undo and redo of buckets, step by step.

use alloc::vec::Vec;
use core::hash::Hash;
use core::mem;

use super::{BucketStep, Buckets, Member, Positions, fitting};
use crate::storage::past::Direction;
use crate::words::entity_id::UntypedId;

impl<K: Hash + Eq> Buckets<K> {
    /// Starts or stops recording. Unused keys go to `pending_drops`.
    pub(crate) fn set_recording(&mut self, recording: bool, pending_drops: &mut Vec<K>) {
        let steps = self.journal.restart(recording);
        pending_drops.extend(steps.filter_map(BucketStep::into_key));
    }

    /// Empty buckets, whose journal continues after that of these.
    pub(crate) fn emptied(&self) -> Self {
        Self {
            journal: self.journal.after(),
            ..Self::new()
        }
    }

    /// The current position in the journal.
    pub(crate) fn position(&self) -> u64 {
        self.journal.position()
    }

    /// Forgets the steps before a position.
    pub(crate) fn forget_before(&mut self, position: u64, pending_drops: &mut Vec<K>) {
        let steps = self.journal.forget_before(position).into_iter();
        pending_drops.extend(steps.filter_map(BucketStep::into_key));
    }

    /// Undoes or redoes steps until a position; returns whether it can be reached.
    pub(crate) fn seek(&mut self, position: u64) -> bool {
        if !self.journal.reaches(position) {
            return false;
        }
        while let Some((direction, step)) = self.journal.next(position) {
            let opposite = match direction {
                Direction::Back => self.take_back(step),
                Direction::Forward => self.take_again(step),
            };
            self.journal.put(direction, opposite);
        }
        true
    }

    /// Undoes a step; returns the step to redo.
    fn take_back(&mut self, step: BucketStep<K>) -> BucketStep<K> {
        match step {
            BucketStep::PutIn(id, _) => {
                let positions = self.positions_mut(id);
                let positions = positions.map(mem::take).unwrap_or_default();
                for position in positions.as_slice().iter().rev() {
                    self.buckets[position.bucket as usize].members.pop();
                }
                BucketStep::PutIn(id, positions)
            }
            BucketStep::TakenOut(id, positions) => {
                self.put_where_it_was(id, positions);
                BucketStep::TakenOut(id, Positions::None)
            }
            BucketStep::Made { bucket, is_new, .. } => {
                let key = self.take_key(bucket);
                match is_new {
                    true => _ = self.buckets.pop(),
                    false => self.free.push(bucket),
                }
                BucketStep::Made {
                    bucket,
                    is_new,
                    key,
                }
            }
            BucketStep::Freed { bucket, key } => {
                self.free.pop();
                if let Some((hash, key)) = key {
                    self.give_key(bucket, hash, key);
                }
                BucketStep::Freed { bucket, key: None }
            }
        }
    }

    /// Redoes a step; returns the step to undo.
    fn take_again(&mut self, step: BucketStep<K>) -> BucketStep<K> {
        match step {
            BucketStep::PutIn(id, positions) => {
                for (nth, position) in (0..).zip(positions.as_slice()) {
                    let members = &mut self.buckets[position.bucket as usize].members;
                    members.push(Member { id, nth });
                }
                self.set_positions(id, positions);
                BucketStep::PutIn(id, Positions::None)
            }
            BucketStep::TakenOut(id, _) => BucketStep::TakenOut(id, self.take_members(id)),
            BucketStep::Made {
                bucket,
                is_new,
                key,
            } => {
                if let Some((hash, key)) = key {
                    self.open_bucket(hash, key);
                }
                let key = None;
                BucketStep::Made {
                    bucket,
                    is_new,
                    key,
                }
            }
            BucketStep::Freed { bucket, .. } => {
                let key = self.take_key(bucket);
                self.free.push(bucket);
                BucketStep::Freed { bucket, key }
            }
        }
    }

    /// Puts an entity back to its old positions, which the last members had taken.
    fn put_where_it_was(&mut self, id: UntypedId, positions: Positions) {
        for (nth, position) in positions.as_slice().iter().enumerate().rev() {
            let nth = fitting(nth);
            let members = &mut self.buckets[position.bucket as usize].members;
            members.push(Member { id, nth });
            let last = members.len() - 1;
            members.swap(position.member as usize, last);
            let moved = &self.buckets[position.bucket as usize].members[last];
            let (moved, of_moved) = (moved.id, moved.nth);
            if last != position.member as usize
                && let Some(positions) = self.positions_mut(moved)
            {
                positions.as_mut_slice()[of_moved as usize].member = fitting(last);
            }
        }
        self.set_positions(id, positions);
    }
}
