//! Collectors: who gathers the entities that raised certain events.
//!
//! Each collector owns one bit, and each entity slot a word in which the bits of
//! the collectors that hold the entity already are set:
//!
//! ```text
//! change ─► collectors concerned 0b0110
//! pending[slot]                  0b0010    collector 1 has it already
//! fresh = concerned & !pending   0b0100    append the id to the list of collector 2
//! ```
//!
//! One OR however many collectors there are, and no duplicates. The words of 32
//! collectors ([`COLLECTORS_A_BANK`]) make a bank; further collectors open further banks.
//!
//! What is changed in bulk is collected in bulk: an empty collector keeps such entities
//! as rows, [by words](collected_rows), and lists them when that is no longer enough. So a
//! collector keeps either rows or a list, and `pending` is of those that have a list.
//!
//! Rewinds and restores bring the same ids to life again, of which a list may have some already that
//! have no bit: those are [awaited](travel).

#[cfg(any(test, feature = "__checks"))]
mod check;
mod collected_rows;
mod drain;
mod handle;
mod held;
mod holders;
mod memory;
#[cfg(test)]
mod tests;
mod travel;

use alloc::vec::Vec;

use self::collected_rows::CollectedRows;
pub use self::handle::Collector;
pub(crate) use self::held::HeldIds;
use crate::matching::group::GroupIndex;
use crate::matching::matcher::EventSet;
use crate::reactions::handle::{Watch, Watched};
use crate::storage::row_words::RowWord;
use crate::storage::slots::{Row, Slots};
use crate::words::entity_id::UntypedId;
use crate::words::limits::{COLLECTORS_A_BANK, ROWS};
use crate::words::signature::Bits;

/// What a collector waits for.
struct CollectorState {
    groups: Vec<(GroupIndex, EventSet)>,
    active: bool,
    /// Whether it gathers also what a history takes back.
    follows_rewinds: bool,
    /// The handle, if there is one.
    watch: Option<Watch>,
    /// The length from which on its list keeps one entity of each slot, if that is enough: its reader
    /// asks what became of the slots.
    of_slots_from: Option<usize>,
    /// Those in its list who have no bit and may yet come to life, sorted.
    awaited: Vec<UntypedId>,
}

impl CollectorState {
    fn awaits(&self, id: UntypedId) -> bool {
        self.awaited.binary_search(&id).is_ok()
    }
}

/// The collectors of one bank: a bit for each.
#[derive(Default)]
struct Bank {
    /// For each slot who has it in the list.
    pending: Vec<u32>,
    /// Who keeps rows, or awaits some.
    apart: u32,
}

/// All collectors of a context.
pub(crate) struct Collectors {
    states: Vec<CollectorState>,
    /// What each collector holds as a list; empty if it keeps rows.
    lists: Vec<Vec<UntypedId>>,
    rows: Vec<CollectedRows>,
    /// The released ones, whose bits are used again.
    released: Vec<usize>,
    banks: Vec<Bank>,
    /// The rows that were drained last for a query.
    drained: Vec<u64>,
}

impl Collectors {
    pub(crate) const fn new() -> Self {
        Self {
            states: Vec::new(),
            lists: Vec::new(),
            rows: Vec::new(),
            released: Vec::new(),
            banks: Vec::new(),
            drained: Vec::new(),
        }
    }

    /// Adds a collector; the caller enters it in the groups.
    pub(crate) fn add(
        &mut self,
        groups: Vec<(GroupIndex, EventSet)>,
        follows_rewinds: bool,
    ) -> usize {
        let state = CollectorState {
            groups,
            active: true,
            follows_rewinds,
            watch: None,
            of_slots_from: None,
            awaited: Vec::new(),
        };
        let Some(index) = self.released.pop() else {
            self.states.push(state);
            self.lists.push(Vec::new());
            self.rows.push(CollectedRows::new());
            self.banks
                .resize_with(self.states.len().div_ceil(COLLECTORS_A_BANK), Bank::default);
            return self.states.len() - 1;
        };
        self.states[index] = state;
        index
    }

    /// Forgets a collector; the caller has taken it out of the groups.
    pub(crate) fn release(&mut self, index: usize) {
        self.clear(index);
        self.lists[index] = Vec::new();
        self.rows[index] = CollectedRows::new();
        self.states[index] = CollectorState {
            groups: Vec::new(),
            active: false,
            follows_rewinds: false,
            watch: None,
            of_slots_from: None,
            awaited: Vec::new(),
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
    pub(crate) fn gather_slots(&mut self, index: usize) {
        self.states[index].of_slots_from = Some(0);
    }

    fn is_dropped(&self, index: usize) -> bool {
        let watch = &self.states[index].watch;
        watch.as_ref().is_some_and(Watch::is_dropped)
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
    pub(crate) fn follows_rewinds(&self, index: usize) -> bool {
        self.states[index].follows_rewinds
    }

    /// Whether any collector does.
    pub(crate) fn any_follows_rewinds(&self) -> bool {
        self.states.iter().any(|state| state.follows_rewinds)
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
            &self.lists[index]
        } else {
            self.rows[index].ids(slots)
        }
    }

    /// How many ids a collector holds.
    pub(crate) fn held(&self, index: usize) -> usize {
        self.lists[index].len() + self.rows[index].len()
    }

    /// Appends an entity to the lists of those of the first 32 collectors that are
    /// concerned and do not hold it yet.
    #[inline]
    pub(crate) fn collect(&mut self, slots: &Slots, id: UntypedId, concerned: u32) {
        let bank = self.banks.first_mut();
        let bank = bank.filter(|bank| bank.apart & concerned == 0);
        let Some(word) = bank.and_then(|bank| bank.pending.get_mut(id.index() as usize)) else {
            return self.collect_in(slots, 0, concerned, id);
        };
        let mut fresh = concerned & !*word;
        *word |= fresh;
        while fresh != 0 {
            let list = &mut self.lists[fresh.trailing_zeros() as usize];
            if list.len() == list.capacity() {
                return self.push_all(slots, 0, fresh, id);
            }
            list.push(id);
            fresh &= fresh - 1;
        }
    }

    /// Appends an entity to the lists of further collectors, as words with their position.
    #[cold]
    pub(crate) fn collect_more(&mut self, slots: &Slots, id: UntypedId, words: &[(u32, u32)]) {
        for &(bank, concerned) in words {
            self.collect_in(slots, bank as usize, concerned, id);
        }
    }

    /// Has one collector take in many entities. It keeps no rows if their slots are free
    /// already ([`list_all`](Self::list_all)).
    pub(crate) fn collect_ids(&mut self, slots: &Slots, ids: &[UntypedId], collector: usize) {
        if self.is_dropped(collector) {
            return self.clear(collector);
        }
        self.list_rows(
            slots,
            collector / COLLECTORS_A_BANK,
            1 << (collector % COLLECTORS_A_BANK),
        );
        self.collect_all(slots, ids.iter().copied(), collector);
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
        if self.lists[collector].is_empty() {
            let collected = &mut self.rows[collector];
            collected.add(rows);
            if !collected.is_empty() {
                self.banks[collector / COLLECTORS_A_BANK].apart |=
                    1 << (collector % COLLECTORS_A_BANK);
            }
        } else {
            let row = |at: usize| move |place| Row((at * ROWS) as u32 + place);
            let rows = rows.flat_map(|(at, bits)| Bits(bits).map(row(at)));
            self.collect_all(slots, rows.filter_map(|row| slots.id_in(row)), collector);
        }
    }

    fn collect_all(
        &mut self,
        slots: &Slots,
        ids: impl Iterator<Item = UntypedId>,
        collector: usize,
    ) {
        self.keep_one_a_slot(slots, collector);
        let (bank, bit) = (
            &mut self.banks[collector / COLLECTORS_A_BANK],
            1 << (collector % COLLECTORS_A_BANK),
        );
        let (words, list) = (&mut bank.pending, &mut self.lists[collector]);
        let state = &self.states[collector];
        for id in ids {
            let word = pending(words, id);
            if *word & bit == 0 {
                *word |= bit;
                if !state.awaits(id) {
                    list.push(id);
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn collect_in(&mut self, slots: &Slots, bank: usize, concerned: u32, id: UntypedId) {
        if self.banks[bank].apart & concerned != 0 {
            self.list_rows(slots, bank, concerned);
        }
        let word = pending(&mut self.banks[bank].pending, id);
        let fresh = concerned & !*word;
        *word |= fresh;
        self.push_all(slots, bank, fresh, id);
    }

    #[cold]
    #[inline(never)]
    fn push_all(&mut self, slots: &Slots, bank: usize, fresh: u32, id: UntypedId) {
        for bit in Bits(u64::from(fresh)) {
            let collector = bank * COLLECTORS_A_BANK + bit as usize;
            let list = &self.lists[collector];
            if list.len() == list.capacity() {
                if self.is_dropped(collector) {
                    self.clear(collector);
                    *pending(&mut self.banks[bank].pending, id) |= 1 << bit;
                }
                self.keep_one_a_slot(slots, collector);
            }
            if !self.states[collector].awaits(id) {
                self.lists[collector].push(id);
            }
        }
    }

    /// Has one that is of slots, and whose list has become twice as long since the last time, keep one
    /// entity of each: that which is alive, if one is, and those that may yet come. So the list is bounded
    /// by the slots, however long it is not drained.
    fn keep_one_a_slot(&mut self, slots: &Slots, collector: usize) {
        let (state, list) = (&mut self.states[collector], &mut self.lists[collector]);
        if state.of_slots_from.is_none_or(|from| list.len() < from) {
            return;
        }
        list.sort_unstable_by_key(|id| (id.index(), slots.get(*id).is_none(), id.generation()));
        let mut last = None;
        list.retain(|id| state.awaits(*id) || last.replace(id.index()) != Some(id.index()));
        state.of_slots_from = Some(2 * list.len().max(ROWS));
    }

    /// Has those of these collectors of a bank that keep rows keep a list instead.
    #[cold]
    #[inline(never)]
    fn list_rows(&mut self, slots: &Slots, bank: usize, concerned: u32) {
        for bit in Bits(u64::from(self.banks[bank].apart & concerned)) {
            let collector = bank * COLLECTORS_A_BANK + bit as usize;
            let (rows, list) = (&mut self.rows[collector], &mut self.lists[collector]);
            if rows.is_empty() {
                continue; // it has a list, and awaits some
            }
            rows.list(slots, list);
            rows.clear();
            let bank = &mut self.banks[bank];
            bank.apart &= !(1 << bit);
            for id in list {
                *pending(&mut bank.pending, *id) |= 1 << bit;
            }
        }
    }

    /// Has all collectors list what they hold, because rows are about to change hands.
    pub(crate) fn list_all(&mut self, slots: &Slots) {
        for bank in 0..self.banks.len() {
            if self.banks[bank].apart != 0 {
                self.list_rows(slots, bank, u32::MAX);
            }
        }
    }

    /// Whether there is any, or has been.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        !self.banks.is_empty()
    }

    /// Forgets who holds a living entity, so that the next one of its slot is collected
    /// in its own right.
    #[inline]
    pub(crate) fn forget_slot(&mut self, slots: &Slots, id: UntypedId, row: Row) {
        if !self.banks.is_empty() {
            self.forget_in_banks(slots, id, row);
        }
    }

    #[inline(never)] // so that the end of an entity stays short if nobody collects
    fn forget_in_banks(&mut self, slots: &Slots, id: UntypedId, row: Row) {
        for bank in 0..self.banks.len() {
            if self.banks[bank].apart != 0 {
                self.list_holders(slots, bank, row);
            }
            if let Some(word) = self.banks[bank].pending.get_mut(id.index() as usize) {
                *word = 0;
            }
        }
    }

    /// Has those collectors of a bank that keep a row list what they hold.
    #[cold]
    #[inline(never)]
    fn list_holders(&mut self, slots: &Slots, bank: usize, row: Row) {
        for bit in Bits(u64::from(self.banks[bank].apart)) {
            if self.rows[bank * COLLECTORS_A_BANK + bit as usize].contains(row) {
                self.list_rows(slots, bank, 1 << bit);
            }
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

/// The word of an entity's slot.
#[inline(always)] // called where it counts, and much shorter without the call
fn pending(words: &mut Vec<u32>, id: UntypedId) -> &mut u32 {
    let slot = id.index() as usize;
    if slot >= words.len() {
        grow(words, slot);
    }
    &mut words[slot]
}

#[cold]
#[inline(never)]
fn grow(words: &mut Vec<u32>, slot: usize) {
    words.resize((slot + 1).next_power_of_two(), 0);
}
