//! The systems that made the entries of a history, and what had woken them.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::words::actor::{Wake, changes, with_current, with_wake};

/// The systems that have changed something, and the current one.
#[derive(Default)]
pub(super) struct Actors {
    names: Vec<Box<str>>,
    /// The current system at the last check.
    current: u16,
    seen: u64,
    /// What had woken the current system, each from an entry number on.
    wakes: VecDeque<(u64, Option<Wake>)>,
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
            with_wake(|wake| self.record_wake(now, wake));
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
        let known = self.names.iter().position(|known| **known == *name);
        let place = known.unwrap_or_else(|| {
            self.names.push(name.to_owned().into_boxed_str());
            self.names.len() - 1
        });
        u16::try_from(place + 1).unwrap_or(0)
    }

    /// Records what has woken the system that makes the next entry.
    fn record_wake(&mut self, now: u64, wake: Option<&Wake>) {
        let last = self.wakes.back().and_then(|(_, last)| last.as_ref());
        if last != wake {
            self.wakes.push_back((now, wake.cloned()));
        }
    }

    /// What had woken the system that made an entry.
    pub(super) fn wake(&self, entry: u64) -> Option<&Wake> {
        let undo = self.wakes.partition_point(|(from, _)| *from <= entry);
        self.wakes.get(undo.checked_sub(1)?)?.1.as_ref()
    }

    /// Forgets the entries from this one on, whose numbers will be reused.
    pub(super) fn cut(&mut self, from: u64) {
        let kept = self.wakes.partition_point(|(at, _)| *at < from);
        self.wakes.truncate(kept);
        self.seen = u64::MAX; // the next entry records its system
    }

    /// Forgets what concerns only entries before this one.
    pub(super) fn forget_before(&mut self, first: u64) {
        let undo = self.wakes.partition_point(|(from, _)| *from <= first);
        self.wakes.drain(..undo.saturating_sub(1));
    }

    pub(super) fn bytes(&self) -> usize {
        self.wakes.capacity() * size_of::<(u64, Option<Wake>)>()
    }

    pub(super) fn trim(&mut self) {
        self.wakes.shrink_to_fit();
    }
}
