//! The entries of a history: what changed, change by change.
//!
//! ```text
//! behind  [ forgotten │ added Position to 3v1 │ replaced Health of 3v1 │ … ]
//!           dropped     ▲ first                              the present ─► ▲
//!           in bulk
//! ahead   [ ended 7v2 │ … ]     undone, and can be done again: the last one first
//! ```

use alloc::vec::Vec;

use super::exchanges::Exchanges;
use crate::storage::past::Direction;
use crate::storage::slots::Row;
use crate::words::component::ComponentIndex;
use crate::words::entity_id::UntypedId;
use crate::words::heap_size::heap_size;

/// What one entry says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An entity came to life.
    Created,
    /// The entity of the next entry of another kind came to life with this component.
    CreatedWith,
    /// An entity ended.
    Ended,
    /// The entity of the next entry of another kind ended with this component.
    EndedWith,
    Added,
    Removed,
    /// It got another value, or its value was changed in place.
    Replaced,
}

impl Kind {
    /// Whether the value before was kept when it was recorded.
    pub(crate) fn keeps_value(self) -> bool {
        matches!(self, Self::EndedWith | Self::Removed | Self::Replaced)
    }
}

/// One change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) id: UntypedId,
    /// The component; of no meaning if the whole entity is concerned.
    pub(crate) component: ComponentIndex,
    pub(crate) kind: Kind,
    /// The number of the system that did it; 0 if that is not known.
    pub(super) by: u16,
}

impl Entry {
    /// An entry of a component.
    #[inline]
    pub(crate) fn of(kind: Kind, id: UntypedId, component: ComponentIndex) -> Self {
        let by = 0; // until it is appended
        Self {
            id,
            component,
            kind,
            by,
        }
    }

    /// An entry of a whole entity.
    pub(crate) fn whole(kind: Kind, id: UntypedId) -> Self {
        Self::of(kind, id, ComponentIndex::at(0))
    }
}

/// A moment between two steps: the numbers of those that come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(super) entry: u64,
    pub(super) exchange: u64,
}

/// What is undone, or done again, at once.
pub(crate) enum HistoryStep {
    Entry(Entry),
    /// These rows change places.
    Exchange([Row; 2]),
}

/// Two stacks of entries, with the present between them.
#[derive(Default)]
pub(super) struct Entries {
    behind: Vec<Entry>,
    ahead: Vec<Entry>,
    exchanges: Exchanges,
    /// How many of those behind are forgotten, but still there.
    forgotten: usize,
    /// The number of the first entry that is not forgotten.
    first: u64,
}

impl Entries {
    /// Whether there is no room for another entry, or some are ahead.
    #[inline]
    pub(super) fn is_full_or_has_future(&self) -> bool {
        self.behind.len() == self.behind.capacity() || self.has_future()
    }

    /// Whether something is ahead.
    #[inline]
    pub(super) fn has_future(&self) -> bool {
        !self.ahead.is_empty() || self.exchanges.has_future()
    }

    /// Appends an entry.
    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.behind.push(entry);
    }

    /// Appends that two rows change places. What is ahead stays.
    pub(super) fn push_exchange(&mut self, rows: [Row; 2]) {
        match self.has_future() {
            true => self.exchanges.push_detour(rows),
            false => self.exchanges.push(self.now(), rows),
        }
    }

    /// The rows that have changed places while something was ahead.
    pub(super) fn detour(&self) -> &[[Row; 2]] {
        self.exchanges.detour()
    }

    /// The present.
    pub(super) fn point(&self) -> Point {
        Point {
            entry: self.now(),
            exchange: self.exchanges.now(),
        }
    }

    /// The number of the first entry.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The number of the entry that comes next.
    pub(super) fn now(&self) -> u64 {
        self.first + self.behind().len() as u64
    }

    /// The entries behind the present, the first one first.
    pub(super) fn behind(&self) -> &[Entry] {
        &self.behind[self.forgotten..]
    }

    /// How many entries are ahead.
    #[cfg(any(test, feature = "__checks"))]
    pub(super) fn ahead(&self) -> usize {
        self.ahead.len()
    }

    /// Takes a step on the way to a moment: returns what is to be undone, or done again.
    pub(super) fn step(&mut self, to: Point, direction: Direction) -> Option<HistoryStep> {
        if let Some(rows) = self.exchanges.step_off_detour() {
            return Some(HistoryStep::Exchange(rows));
        }
        let now = self.now();
        let exchanged = match direction {
            Direction::Back => self.exchanges.step_back(to.exchange, now),
            Direction::Forward => self.exchanges.step_forward(to.exchange, now),
        };
        if let Some(rows) = exchanged {
            return Some(HistoryStep::Exchange(rows));
        }
        let (from, onto) = match direction {
            Direction::Back if now > to.entry => (&mut self.behind, &mut self.ahead),
            Direction::Forward if now < to.entry => (&mut self.ahead, &mut self.behind),
            _ => return None,
        };
        let entry = from.pop()?;
        onto.push(entry);
        Some(HistoryStep::Entry(entry))
    }

    /// Forgets what is ahead.
    pub(super) fn cut(&mut self) {
        self.ahead.clear();
        self.exchanges.cut(self.now());
    }

    /// Forgets what came before a moment. Entries are moved out of the way when they are most of what
    /// is there.
    pub(super) fn forget_before(&mut self, point: Point) {
        let count = point.entry.min(self.now()) - self.first;
        self.forgotten += count as usize;
        self.first += count;
        if self.forgotten > self.behind.len() / 2 {
            self.behind.drain(..self.forgotten);
            self.forgotten = 0;
        }
        self.exchanges.forget_before(point.exchange);
    }

    /// Forgets all entries.
    pub(super) fn clear(&mut self) {
        self.cut();
        self.forget_before(self.point());
    }

    /// Forgets all entries and gives up their room.
    pub(super) fn end(&mut self) {
        let first = self.now();
        let mut exchanges = core::mem::take(&mut self.exchanges);
        exchanges.end();
        *self = Self {
            first,
            exchanges,
            ..Self::default()
        };
    }

    /// Gives up the room in which nothing is.
    pub(super) fn trim(&mut self) {
        self.behind.drain(..self.forgotten);
        self.forgotten = 0;
        self.behind.shrink_to_fit();
        self.ahead.shrink_to_fit();
        self.exchanges.trim();
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        heap_size(&self.behind) + heap_size(&self.ahead) + self.exchanges.bytes()
    }
}
