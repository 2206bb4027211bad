//! The systems that made the entries of a history, and why they ran.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

use hashbrown::HashMap;

use crate::reactions::actor::{Cause, changes, with_cause, with_current};
use crate::storage::heap::Heap;

/// The systems that have changed something, and the current one.
#[derive(Default)]
pub(super) struct Actors {
    names: Vec<Box<str>>,
    /// The number of each name.
    numbers: HashMap<Box<str>, u16>,
    /// The current system at the last check.
    current: u16,
    seen: u64,
    /// Why the current system ran, each from an entry number on.
    causes: VecDeque<(u64, Option<Cause>)>,
}

impl Heap for Actors {
    fn bytes(&self) -> usize {
        let letters: usize = self.names.iter().map(|name| name.len()).sum();
        self.names.bytes() + self.numbers.bytes() + 2 * letters + self.causes.bytes()
    }

    fn trim(&mut self) {
        self.causes.trim();
    }
}

impl Actors {
    /// The number of the current system, if it has not changed since the last check.
    #[inline]
    pub(super) fn known(&self) -> Option<u16> {
        (changes() == self.seen).then_some(self.current)
    }

    /// The number of the current system, which is about to make the entry with number `now`; 0 if
    /// unknown.
    pub(super) fn current(&mut self, now: u64) -> u16 {
        let changes = changes();
        if changes != self.seen {
            self.seen = changes;
            self.current = with_current(|name| name.map_or(0, |name| self.number(name)));
            with_cause(|cause| self.record_cause(now, cause));
        }
        self.current
    }

    pub(super) fn name(&self, number: u16) -> Option<&str> {
        let place = usize::from(number).checked_sub(1)?;
        self.names.get(place).map(|name| &**name)
    }

    #[cold]
    #[inline(never)]
    fn number(&mut self, name: &str) -> u16 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let Ok(number) = u16::try_from(self.names.len() + 1) else {
            return 0;
        };
        let name: Box<str> = name.into();
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    /// Records why the system that makes the next entry runs.
    fn record_cause(&mut self, now: u64, cause: Option<&Cause>) {
        let last = self.causes.back().and_then(|(_, last)| last.as_ref());
        if last != cause {
            self.causes.push_back((now, cause.cloned()));
        }
    }

    /// Why the system that made an entry ran.
    pub(super) fn cause(&self, entry: u64) -> Option<&Cause> {
        let until = self.causes.partition_point(|(from, _)| *from <= entry);
        self.causes.get(until.checked_sub(1)?)?.1.as_ref()
    }

    /// Forgets the entries from this one on, whose numbers will be reused.
    pub(super) fn cut(&mut self, from: u64) {
        let kept = self.causes.partition_point(|(at, _)| *at < from);
        self.causes.truncate(kept);
        self.seen = u64::MAX; // the next entry records its system
    }

    /// Forgets what concerns only entries before this one.
    pub(super) fn forget_before(&mut self, first: u64) {
        let until = self.causes.partition_point(|(from, _)| *from <= first);
        self.causes.drain(..until.saturating_sub(1));
    }
}
