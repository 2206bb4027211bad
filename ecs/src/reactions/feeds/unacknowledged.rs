//! Deltas that a receiver may have got or not.
//!
//! ```text
//! base 4 ─► taken 5, 6, 7       the receiver has 4, and perhaps some of the others, in any order
//! acknowledge 6 ─► taken 7      the next delta has what changed since 6
//! ```
//!
//! Each taken delta keeps what the feed had sent before it for the slots for which it sent something
//! else. So what was sent until any of them is known.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::sent::SentSlot;
use crate::storage::heap::heap;

/// The maximum number of deltas that are kept.
const MOST: usize = 256;

struct Taken {
    number: u64,
    /// The stamp up to which its changes were read.
    stamp: u64,
    before: Vec<(u32, SentSlot)>,
}

#[derive(Default)]
pub(crate) struct Unacknowledged {
    /// Whether the receiver acknowledges deltas.
    is_used: bool,
    /// The number of the latest acknowledged delta; `None` if deltas contain everything.
    base: Option<u64>,
    /// Those since, with consecutive numbers.
    taken: VecDeque<Taken>,
}

heap!(Taken: before);
heap!(Unacknowledged: taken; each taken);

impl Unacknowledged {
    pub(crate) fn is_used(&self) -> bool {
        self.is_used
    }

    /// Starts to keep deltas.
    pub(crate) fn begin(&mut self, base: Option<u64>) {
        (self.is_used, self.base) = (true, base);
    }

    /// The delta since which the next one has changes, if the receiver acknowledges deltas.
    pub(crate) fn base(&self) -> Option<u64> {
        self.base
    }

    /// Whether the receiver has acknowledged nothing since the last delta with everything.
    pub(crate) fn needs_everything(&self) -> bool {
        self.is_used && self.base.is_none()
    }

    /// Forgets what the receiver has.
    pub(crate) fn forget(&mut self) {
        self.base = None;
        self.taken.clear();
    }

    /// Keeps a delta, and forgets the oldest one if there are too many. Returns the earliest stamp
    /// that a later delta can start from, unless it is that of the base.
    pub(crate) fn push(
        &mut self,
        number: u64,
        stamp: u64,
        before: Vec<(u32, SentSlot)>,
    ) -> Option<u64> {
        self.taken.push_back(Taken {
            number,
            stamp,
            before,
        });
        if self.taken.len() > MOST {
            self.taken.pop_front();
            self.base = None;
        }
        match self.base {
            Some(_) => None,
            None => self.taken.front().map(|oldest| oldest.stamp),
        }
    }

    /// Makes a kept delta the base, and returns its stamp. Other numbers are ignored.
    pub(crate) fn acknowledge(&mut self, number: u64) -> Option<u64> {
        let at = self.taken.iter().position(|it| it.number == number)?;
        let base = self.taken.drain(..=at).next_back()?;
        self.base = Some(number);
        Some(base.stamp)
    }

    /// What was sent for slots at the base or later, other than now; by slot.
    pub(crate) fn before(&self) -> Vec<(u32, SentSlot)> {
        let taken = self.taken.iter();
        let mut before: Vec<_> = taken.flat_map(|it| it.before.iter().copied()).collect();
        before.sort_by_key(|&(slot, _)| slot);
        before
    }
}
