//! Collectors: who gathers the entities that raised certain events.
//!
//! A collector has a list of ids, and for each slot the *round* in which it took its entity in. A
//! round ends when the list is emptied, so that nothing is cleared then:
//!
//! ```text
//! round        7
//! seen[slot]   7 │ 0 │ 6 │ 7      slots 0 and 3 are in the list, slot 2 was before
//! ```
//!
//! What is changed in bulk is collected in bulk: an empty collector keeps such entities
//! as rows, [by words](collected_rows), and lists them when that is no longer enough. So a
//! collector keeps either rows or a list, and `seen` is of those that have a list.
//!
//! Rewinds and restores bring the same ids to life again, of which a list may have some already that
//! are not seen: those are [awaited](travel).

mod buffered;
#[cfg(any(test, feature = "__checks"))]
mod check;
mod collected_rows;
mod drain;
mod handle;
mod holders;
mod list;
mod memory;
mod seek;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

pub(crate) use self::buffered::BufferedIds;
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

/// What a collector waits for.
struct CollectorState {
    groups: Vec<(GroupIndex, EventSet)>,
    active: bool,
    /// Whether it gathers also what a history takes back.
    includes_rewinds: bool,
    /// The handle, if there is one.
    watch: Option<HandleWatch>,
    /// The length from which on its list keeps one entity of each slot, if that is enough: its reader
    /// asks what became of the slots.
    of_slots_from: Option<usize>,
    /// Those in its list who are not seen and may yet come to life, sorted.
    expected: Vec<UntypedId>,
}

impl CollectorState {
    fn awaits(&self, id: UntypedId) -> bool {
        self.expected.binary_search(&id).is_ok()
    }
}

/// All collectors of a context.
pub(crate) struct Collectors {
    states: Vec<CollectorState>,
    /// What each collector holds as a list; empty if it keeps rows.
    lists: Vec<List>,
    rows: Vec<CollectedRows>,
    /// Those that hold anything.
    filled: Vec<usize>,
    /// The released ones, whose numbers are used again.
    released: Vec<usize>,
    /// The rows that a query has been narrowed to last: what was drained for it.
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

    /// Adds a collector; the caller enters it in the groups.
    pub(crate) fn add(
        &mut self,
        groups: Vec<(GroupIndex, EventSet)>,
        includes_rewinds: bool,
    ) -> usize {
        let state = CollectorState {
            groups,
            active: true,
            includes_rewinds,
            watch: None,
            of_slots_from: None,
            expected: Vec::new(),
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

    /// Forgets a collector; the caller has taken it out of the groups.
    pub(crate) fn release(&mut self, index: usize) {
        self.clear(index);
        self.lists[index] = List::new();
        self.rows[index] = CollectedRows::new();
        self.states[index] = CollectorState {
            groups: Vec::new(),
            active: false,
            includes_rewinds: false,
            watch: None,
            of_slots_from: None,
            expected: Vec::new(),
        };
        self.released.push(index);
    }

    /// Makes the handle's part by which a collector is ended when that is dropped.
    pub(crate) fn watch(&mut self, index: usize) -> Watched {
        let watched = Watched::new();
        self.states[index].watch = Some(watched.watch());
        watched
    }

    /// Has a collector hold one entity of a slot, instead of all that have been in it.
    pub(crate) fn collect_slots(&mut self, index: usize) {
        self.states[index].of_slots_from = Some(0);
    }

    fn is_dropped(&self, index: usize) -> bool {
        let watch = &self.states[index].watch;
        watch.as_ref().is_some_and(HandleWatch::is_dropped)
    }

    /// The collectors whose handles have been dropped.
    pub(crate) fn dropped(&self) -> Vec<usize> {
        let all = 0..self.states.len();
        all.filter(|index| self.is_dropped(*index)).collect()
    }

    /// The groups a collector waits for, with their events.
    pub(crate) fn groups(&self, index: usize) -> &[(GroupIndex, EventSet)] {
        &self.states[index].groups
    }

    /// Whether a collector gathers also what a history takes back.
    pub(crate) fn includes_rewinds(&self, index: usize) -> bool {
        self.states[index].includes_rewinds
    }

    /// Whether any collector does.
    pub(crate) fn any_includes_rewinds(&self) -> bool {
        self.states.iter().any(|state| state.includes_rewinds)
    }

    /// Whether a collector gathers at present.
    pub(crate) fn is_active(&self, index: usize) -> bool {
        self.states[index].active
    }

    /// Notes that a collector gathers, or not.
    pub(crate) fn set_active(&mut self, index: usize, active: bool) {
        self.states[index].active = active;
    }

    /// The ids a collector holds, in order of first collection.
    pub(crate) fn ids(&self, slots: &Slots, index: usize) -> &[UntypedId] {
        if self.rows[index].is_empty() {
            self.lists[index].ids()
        } else {
            self.rows[index].ids(slots)
        }
    }

    /// How many ids a collector holds.
    pub(crate) fn buffered(&self, index: usize) -> usize {
        self.lists[index].ids().len() + self.rows[index].len()
    }

    /// Appends an entity to the list of a collector, unless it is there.
    #[inline]
    pub(crate) fn collect(&mut self, slots: &Slots, id: UntypedId, collector: usize) {
        if !self.lists[collector].push_known(id) {
            self.collect_rarely(slots, id, collector);
        }
    }

    /// Does so if it holds nothing yet, keeps rows or awaits some, or has no room.
    #[cold]
    #[inline(never)]
    fn collect_rarely(&mut self, slots: &Slots, id: UntypedId, collector: usize) {
        if self.lists[collector].is_full() {
            if self.is_dropped(collector) {
                self.clear(collector);
            }
            self.keep_one_a_slot(slots, collector);
        }
        self.list_rows(slots, collector);
        self.collect_all([id].into_iter(), collector);
    }

    /// Has one collector take in many entities. It keeps no rows if their slots are free
    /// already ([`list_all`](Self::list_all)).
    pub(crate) fn collect_ids(&mut self, slots: &Slots, ids: &[UntypedId], collector: usize) {
        if self.is_dropped(collector) {
            return self.clear(collector);
        }
        self.list_rows(slots, collector);
        self.keep_one_a_slot(slots, collector);
        self.collect_all(ids.iter().copied(), collector);
    }

    /// Has one collector take in the entities of many rows, all of them alive.
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
            self.keep_one_a_slot(slots, collector);
            self.collect_all(rows.filter_map(|row| slots.id_in(row)), collector);
        }
    }

    fn collect_all(&mut self, ids: impl Iterator<Item = UntypedId>, collector: usize) {
        let (list, state) = (&mut self.lists[collector], &self.states[collector]);
        for id in ids {
            list.push(id, |id| state.awaits(id));
        }
        self.record_filled(collector);
    }

    /// Notes whether a collector holds anything, and whether its list takes entities in without
    /// further ado: it does if it has some already, keeps no rows and awaits nobody.
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

    /// Has one that is of slots, and whose list has become twice as long since the last time, keep one
    /// entity of each: that which is alive, if one is, and those that may yet come. So the list is bounded
    /// by the slots, however long it is not drained.
    fn keep_one_a_slot(&mut self, slots: &Slots, collector: usize) {
        let (state, list) = (&mut self.states[collector], &mut self.lists[collector]);
        let list = list.ids_mut();
        if state.of_slots_from.is_none_or(|from| list.len() < from) {
            return;
        }
        list.sort_unstable_by_key(|id| (id.index(), slots.get(*id).is_none(), id.generation()));
        let mut last = None;
        list.retain(|id| state.awaits(*id) || last.replace(id.index()) != Some(id.index()));
        state.of_slots_from = Some(2 * list.len().max(ROWS));
    }

    /// Has a collector that keeps rows keep a list instead.
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

    /// Has all collectors list what they hold, because rows are about to change hands.
    pub(crate) fn list_all(&mut self, slots: &Slots) {
        for at in 0..self.filled.len() {
            self.list_rows(slots, self.filled[at]);
        }
    }

    /// Whether any holds anything.
    #[inline]
    pub(crate) fn any_is_filled(&self) -> bool {
        !self.filled.is_empty()
    }

    /// Forgets who holds a living entity, so that the next one of its slot is collected
    /// in its own right.
    #[inline]
    pub(crate) fn forget_slot(&mut self, slots: &Slots, id: UntypedId, row: Row) {
        if !self.filled.is_empty() {
            self.forget_in_filled(slots, id, row);
        }
    }

    #[inline(never)] // so that the end of an entity stays short if nobody collects
    fn forget_in_filled(&mut self, slots: &Slots, id: UntypedId, row: Row) {
        for at in 0..self.filled.len() {
            let collector = self.filled[at];
            if self.lists[collector].forget_known(id) {
                continue; // it keeps no rows
            }
            if self.rows[collector].contains(row) {
                self.list_rows(slots, collector);
            }
            self.lists[collector].forget(id);
        }
    }

    /// How many collectors there are.
    pub(crate) fn len(&self) -> usize {
        self.states.len() - self.released.len()
    }

    /// Those that have not ended, by number, with what they follow.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &[(GroupIndex, EventSet)])> + '_ {
        let all = 0..self.states.len();
        let present =
            all.filter(|index| !self.released.contains(index) && !self.is_dropped(*index));
        present.map(|index| (index, self.groups(index)))
    }
}
