//! Collectors of the entities that raised certain events.
//!
//! A collector has a list of ids and, for each slot, the *round* in which it last collected the
//! slot's entity. Emptying the list starts a new round, so nothing needs to be cleared:
//!
//! ```text
//! round        7
//! seen[slot]   7 │ 0 │ 6 │ 7      slots 0 and 3 are in the list, slot 2 was before
//! ```
//!
//! Bulk changes are collected in bulk: an empty collector keeps such entities as [words of
//! rows](collected_rows), and lists them when that no longer suffices. So a collector has either
//! rows or a list, and `seen` belongs to the list.
//!
//! A feed needs slots instead of entities, so its collectors hold at most one id per slot: a slot stays
//! seen if its entity is destroyed. They are bounded by the number of slots however long they are not
//! read.
//!
//! Rewinds and restores revive ids that may already be in a list without being seen. Those ids are
//! [expected](rewinds).

mod collected_rows;
mod drain;
mod handle;
mod holders;
#[cfg(any(test, feature = "__checks"))]
mod invariants;
mod list;
mod memory;
pub(crate) mod rewinds;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use self::collected_rows::CollectedRows;
pub use self::handle::Collector;
use self::list::List;
use crate::matching::group::GroupIndex;
use crate::matching::matcher::EventSet;
use crate::reactions::handle::{HandleWatch, Watched};
use crate::storage::bit_set::BitSet;
use crate::storage::row_words::RowWord;
use crate::storage::slots::{Row, Slots};
use crate::words::entity_id::UntypedId;
use crate::words::limits::ROWS;
use crate::words::signature::Bits;

/// The subscription of a collector.
#[derive(Default)]
struct CollectorState {
    groups: Vec<(GroupIndex, EventSet)>,
    active: bool,
    /// Whether it also collects what a history undoes and redoes.
    includes_rewinds: bool,
    /// The handle, if there is one.
    watch: Option<HandleWatch>,
    /// Ids in its list that are not seen and may be revived, sorted.
    expected: Vec<UntypedId>,
}

impl CollectorState {
    fn expects(&self, id: UntypedId) -> bool {
        self.expected.binary_search(&id).is_ok()
    }
}

pub(crate) struct Collectors {
    states: Vec<CollectorState>,
    /// The list of each collector; empty if it has rows.
    lists: Vec<List>,
    rows: Vec<CollectedRows>,
    /// The collectors that are not empty.
    filled: Vec<usize>,
    /// Released collectors, whose numbers are reused.
    released: Vec<usize>,
    /// The rows drained for the last query.
    drained: BitSet,
}

impl Collectors {
    pub(crate) const fn new() -> Self {
        Self {
            states: Vec::new(),
            lists: Vec::new(),
            rows: Vec::new(),
            filled: Vec::new(),
            released: Vec::new(),
            drained: BitSet::new(),
        }
    }

    /// Adds a collector; the caller subscribes it to the groups.
    pub(crate) fn add(
        &mut self,
        groups: Vec<(GroupIndex, EventSet)>,
        includes_rewinds: bool,
    ) -> usize {
        let state = CollectorState {
            groups,
            active: true,
            includes_rewinds,
            ..CollectorState::default()
        };
        let Some(index) = self.released.pop() else {
            self.states.push(state);
            self.lists.push(List::new());
            self.rows.push(CollectedRows::new());
            return self.states.len() - 1;
        };
        self.states[index] = state;
        index
    }

    /// Releases a collector; the caller has unsubscribed it from the groups.
    pub(crate) fn release(&mut self, index: usize) {
        self.clear(index);
        self.lists[index] = List::new();
        self.rows[index] = CollectedRows::new();
        self.states[index] = CollectorState::default();
        self.released.push(index);
    }

    /// Creates the watched part of the handle.
    pub(crate) fn watch(&mut self, index: usize) -> Watched {
        let watched = Watched::new();
        self.states[index].watch = Some(watched.watch());
        watched
    }

    /// Lets an empty collector hold one id per slot, of any of the entities that were in it.
    pub(crate) fn collect_slots(&mut self, index: usize) {
        self.lists[index].collect_slots();
    }

    fn is_dropped(&self, index: usize) -> bool {
        let watch = &self.states[index].watch;
        watch.as_ref().is_some_and(HandleWatch::is_dropped)
    }

    pub(crate) fn dropped(&self) -> Vec<usize> {
        let all = 0..self.states.len();
        all.filter(|index| self.is_dropped(*index)).collect()
    }

    /// The groups of a collector, each with its events.
    pub(crate) fn groups(&self, index: usize) -> &[(GroupIndex, EventSet)] {
        &self.states[index].groups
    }

    /// Whether a collector also collects what a history undoes and redoes.
    pub(crate) fn includes_rewinds(&self, index: usize) -> bool {
        self.states[index].includes_rewinds
    }

    pub(crate) fn any_includes_rewinds(&self) -> bool {
        self.states.iter().any(|state| state.includes_rewinds)
    }

    /// Whether a collector is active.
    pub(crate) fn is_active(&self, index: usize) -> bool {
        self.states[index].active
    }

    pub(crate) fn set_active(&mut self, index: usize, active: bool) {
        self.states[index].active = active;
    }

    /// The ids in a collector, in order of first collection.
    pub(crate) fn ids(&self, slots: &Slots, index: usize) -> &[UntypedId] {
        if self.rows[index].is_empty() {
            self.lists[index].ids()
        } else {
            self.rows[index].ids(slots)
        }
    }

    /// The number of ids in a collector.
    pub(crate) fn buffered(&self, index: usize) -> usize {
        self.lists[index].ids().len() + self.rows[index].len()
    }

    /// Appends an entity to the list of a collector, unless it is in it.
    #[inline]
    pub(crate) fn collect(&mut self, slots: &Slots, id: UntypedId, collector: usize) {
        if !self.lists[collector].push_known(id) {
            self.collect_rarely(slots, id, collector);
        }
    }

    /// The slow path: the collector is empty, has rows, expects ids, or its list is full.
    #[cold]
    #[inline(never)]
    fn collect_rarely(&mut self, slots: &Slots, id: UntypedId, collector: usize) {
        if self.lists[collector].is_full() && self.is_dropped(collector) {
            self.clear(collector);
        }
        self.list_rows(slots, collector);
        self.collect_all([id].into_iter(), collector);
    }

    /// Collects many entities. If their slots are free already, no collector may have rows
    /// ([`list_all`](Self::list_all)).
    pub(crate) fn collect_ids(&mut self, slots: &Slots, ids: &[UntypedId], collector: usize) {
        if self.is_dropped(collector) {
            return self.clear(collector);
        }
        self.list_rows(slots, collector);
        self.collect_all(ids.iter().copied(), collector);
    }

    /// Collects the living entities of many rows.
    pub(crate) fn collect_rows(
        &mut self,
        slots: &Slots,
        rows: impl Iterator<Item = RowWord>,
        collector: usize,
    ) {
        if self.is_dropped(collector) {
            return self.clear(collector);
        }
        if self.lists[collector].ids().is_empty() {
            self.rows[collector].add(rows);
            self.record_filled(collector);
        } else {
            let row = |at: usize| move |place| Row((at * ROWS) as u32 + place);
            let rows = rows.flat_map(|(at, bits)| Bits(bits).map(row(at)));
            self.collect_all(rows.filter_map(|row| slots.id_in(row)), collector);
        }
    }

    fn collect_all(&mut self, ids: impl Iterator<Item = UntypedId>, collector: usize) {
        let (list, state) = (&mut self.lists[collector], &self.states[collector]);
        for id in ids {
            list.push(id, |id| state.expects(id));
        }
        self.record_filled(collector);
    }

    /// Updates whether a collector is filled, and whether its list may use the fast path: that is,
    /// if it is not empty, has no rows and expects no ids.
    fn record_filled(&mut self, collector: usize) {
        let (list, rows) = (&mut self.lists[collector], &self.rows[collector]);
        let is_filled = !list.ids().is_empty() || !rows.is_empty();
        let is_known = !list.ids().is_empty() && self.states[collector].expected.is_empty();
        list.set_known(is_known);
        let place = self.filled.iter().position(|&other| other == collector);
        match place {
            None if is_filled => self.filled.push(collector),
            Some(place) if !is_filled => _ = self.filled.swap_remove(place),
            _ => {}
        }
    }

    /// Converts the rows of a collector to a list.
    fn list_rows(&mut self, slots: &Slots, collector: usize) {
        let (rows, list) = (&mut self.rows[collector], &mut self.lists[collector]);
        if rows.is_empty() {
            return;
        }
        rows.list(slots, list.ids_mut());
        rows.clear();
        list.see_all();
        self.record_filled(collector);
    }

    /// Converts all rows to lists, because rows are about to get other entities.
    pub(crate) fn list_all(&mut self, slots: &Slots) {
        for at in 0..self.filled.len() {
            self.list_rows(slots, self.filled[at]);
        }
    }

    /// Whether any collector holds an entity.
    #[inline]
    pub(crate) fn any_is_filled(&self) -> bool {
        !self.filled.is_empty()
    }

    /// Marks a living entity as not collected, so that the next entity of its slot is collected as
    /// well.
    #[inline]
    pub(crate) fn forget_slot(&mut self, slots: &Slots, id: UntypedId, row: Row) {
        if !self.filled.is_empty() {
            self.forget_in_filled(slots, id, row);
        }
    }

    #[inline(never)] // keeps destroys short if no collector holds anything
    fn forget_in_filled(&mut self, slots: &Slots, id: UntypedId, row: Row) {
        for at in 0..self.filled.len() {
            let collector = self.filled[at];
            if self.lists[collector].forget_known(id) {
                continue; // it has no rows
            }
            if self.rows[collector].contains(row) {
                self.list_rows(slots, collector);
            }
            self.lists[collector].forget(id);
        }
    }

    /// The number of collectors.
    pub(crate) fn len(&self) -> usize {
        self.states.len() - self.released.len()
    }

    /// The collectors that are not released or dropped, with their groups and events.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &[(GroupIndex, EventSet)])> + '_ {
        let all = 0..self.states.len();
        let present =
            all.filter(|index| !self.released.contains(index) && !self.is_dropped(*index));
        present.map(|index| (index, self.groups(index)))
    }
}
