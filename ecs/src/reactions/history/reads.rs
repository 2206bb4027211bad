//! The entries by entity and component, for reads in the past: the first entry after a mark says what
//! the entity had then.
//!
//! ```text
//! Position of 3v1  [ entry 4: value 0 │ entry 9: value 2 │ entry 12: value 3 ]
//!                                ▲ mark at entry 7: value 2
//! ```
//!
//! The index exists only while there are such reads. The first one asks for it, the next mark builds it,
//! and each further mark adds the entries since the one before. It goes after many marks without a read.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use hashbrown::HashMap;

use super::entries::{Entry, Kind};
use crate::storage::heap::{Heap, bytes_of};
use crate::words::atomic::{AtomicUsize, Ordering};
use crate::words::component::RawComponentIndex;
use crate::words::entity_id::UntypedId;

/// The number of marks without a read after which the index goes.
const MOST_IDLE: u32 = 256;

/// An entity, and a component or `u32::MAX` for the whole entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(UntypedId, u32);

impl Key {
    /// A component of an entity.
    pub(crate) fn of(id: UntypedId, component: RawComponentIndex) -> Self {
        Self(id, component.get() as u32) // fewer than 2^32
    }

    /// Whether an entity exists.
    pub(crate) fn whole(id: UntypedId) -> Self {
        Self(id, u32::MAX)
    }

    fn of_entry(entry: &Entry) -> Self {
        match entry.kind.is_whole() {
            true => Self::whole(entry.id),
            false => Self::of(entry.id, entry.component),
        }
    }
}

/// What there was before a change: nothing, or the entity, or this one of the values that the column
/// keeps for undo, oldest first.
pub(crate) type Before = Option<usize>;

/// An entry of a key.
struct Change {
    entry: u64,
    /// Whether there was the entity or a value before, the latter with this number.
    before: Option<u64>,
}

/// The entries before `end`, by key.
#[derive(Default)]
struct Index {
    changes: HashMap<Key, VecDeque<Change>>,
    /// How many values of each component the entries have, forgotten ones included.
    values: Vec<u64>,
    /// How many of these values are forgotten.
    forgotten: Vec<u64>,
    end: u64,
}

impl Heap for Index {
    fn bytes(&self) -> usize {
        let lists: usize = self.changes.values().map(Heap::bytes).sum();
        self.changes.bytes() + lists + self.values.bytes() + self.forgotten.bytes()
    }

    fn trim(&mut self) {
        self.changes.values_mut().for_each(Heap::trim);
        self.changes.trim();
    }
}

impl Index {
    fn push(&mut self, entry: &Entry) {
        let before = match entry.kind {
            kind if kind.keeps_value() => {
                let count = count_of(&mut self.values, entry);
                *count += 1;
                Some(*count - 1)
            }
            Kind::Destroyed => Some(0),
            _ => None,
        };
        let changes = self.changes.entry(Key::of_entry(entry)).or_default();
        let entry = self.end;
        changes.push_back(Change { entry, before });
        self.end += 1;
    }

    /// Removes the last entry.
    fn pop(&mut self, entry: &Entry) {
        self.end -= 1;
        if entry.kind.keeps_value() {
            *count_of(&mut self.values, entry) -= 1;
        }
        self.remove(entry, |changes| _ = changes.pop_back());
    }

    /// Removes the first entry.
    fn forget(&mut self, entry: &Entry) {
        if entry.kind.keeps_value() {
            *count_of(&mut self.forgotten, entry) += 1;
        }
        self.remove(entry, |changes| _ = changes.pop_front());
    }

    fn remove(&mut self, entry: &Entry, take: impl FnOnce(&mut VecDeque<Change>)) {
        let key = Key::of_entry(entry);
        if let Some(changes) = self.changes.get_mut(&key) {
            take(changes);
            if changes.is_empty() {
                self.changes.remove(&key);
            }
        }
    }

    /// The first change of a key from an entry on.
    fn first(&self, key: Key, from: u64) -> Option<Before> {
        let changes = self.changes.get(&key)?;
        let place = changes.partition_point(|change| change.entry < from);
        let before = changes.get(place)?.before;
        let forgotten = self.forgotten.get(key.1 as usize).copied().unwrap_or(0);
        Some(before.map(|value| value.saturating_sub(forgotten) as usize))
    }
}

fn count_of<'a>(counts: &'a mut Vec<u64>, entry: &Entry) -> &'a mut u64 {
    let at = entry.component.get();
    if at >= counts.len() {
        counts.resize(at + 1, 0);
    }
    &mut counts[at]
}

/// The index, while there are reads in the past.
#[derive(Default)]
pub(super) struct Reads {
    index: Option<Index>,
    /// Whether there was a read since the last mark.
    is_read: AtomicUsize,
    /// The number of marks since.
    idle: u32,
}

impl Heap for Reads {
    bytes_of!(index);

    fn trim(&mut self) {
        self.index.trim();
    }
}

impl Reads {
    /// Asks for the index.
    pub(super) fn record(&self) {
        if self.is_read.load(Ordering::Relaxed) == 0 {
            self.is_read.store(1, Ordering::Relaxed);
        }
    }

    /// Adds the entries up to a mark, if there was a read. `undo` are all entries, from number `first`.
    pub(super) fn mark(&mut self, first: u64, undo: &[Entry]) {
        let is_read = self.is_read.swap(0, Ordering::Relaxed) != 0;
        self.idle = if is_read { 0 } else { self.idle + 1 };
        if self.index.is_none() && !is_read {
            self.idle = 0;
            return;
        }
        if self.idle > MOST_IDLE {
            return self.clear();
        }
        let index = self.index.get_or_insert_with(|| Index {
            end: first,
            ..Index::default()
        });
        let new = (index.end - first) as usize;
        undo[new..].iter().for_each(|entry| index.push(entry));
    }

    /// Notices that the last entry, with this number, was undone.
    #[inline]
    pub(super) fn undo(&mut self, number: u64, entry: &Entry) {
        if let Some(index) = &mut self.index
            && number < index.end
        {
            index.pop(entry);
        }
    }

    /// Notices that the oldest entries will be forgotten.
    pub(super) fn forget(&mut self, first: u64, entries: &[Entry]) {
        let Some(index) = &mut self.index else {
            return;
        };
        match first + entries.len() as u64 > index.end {
            true => self.index = None, // the next mark builds it again
            false => entries.iter().for_each(|entry| index.forget(entry)),
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        (self.index, self.idle) = (None, 0);
    }

    /// The first change of a key from an entry on, among the entries of the index.
    #[inline]
    pub(super) fn first(&self, key: Key, from: u64) -> Option<Before> {
        self.index.as_ref()?.first(key, from)
    }

    /// The number of the first entry that is not in the index.
    pub(super) fn end(&self) -> Option<u64> {
        Some(self.index.as_ref()?.end)
    }
}

/// The first change of each key among the last entries. `kept` is the number of values that a
/// component keeps for undo.
pub(super) fn first_changes(
    last: &[Entry],
    kept: impl Fn(RawComponentIndex) -> usize,
) -> HashMap<Key, Before> {
    let (mut changes, mut passed) = (HashMap::new(), Vec::new());
    for entry in last.iter().rev() {
        let before = match entry.kind {
            kind if kind.keeps_value() => {
                let count = count_of(&mut passed, entry);
                *count += 1;
                kept(entry.component).checked_sub(*count as usize)
            }
            Kind::Destroyed => Some(0),
            _ => None,
        };
        changes.insert(Key::of_entry(entry), before); // instead of that of a later entry
    }
    changes
}
