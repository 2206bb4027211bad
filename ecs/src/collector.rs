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
//! collectors make a bank; further collectors open further banks.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::entity_id::EntityId;
use crate::group::GroupIndex;
use crate::matcher::EventSet;
use crate::room::bytes_of;
use crate::signature::Bits;

/// Gathers the entities that raised certain events, once each, until drained.
///
/// Made by [`Context::collector`](crate::Context::collector) from a
/// [`Trigger`](crate::Trigger). It gathers from then on: entities that are in a
/// group already are not collected. It keeps dead ids too. Collectors are
/// independent of one another.
///
/// A handle of the context that made it; every method is given that context again
/// and panics where it is handed another one. A collector that is dropped without
/// [`release`](Collector::release) goes on gathering, each entity once.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # #[ecs::context] pub struct Game;
/// # #[derive(Component)] #[component(context = Game)] struct Position(f32);
/// let mut game = Game::new();
/// let moved = game.collector(Matcher::all_of::<Position>().added());
/// let id = game.create_entity().add_position(1.0).replace_position(2.0).id();
/// assert_eq!(moved.drain(&mut game), [id]);
/// assert!(moved.is_empty(&game));
/// ```
#[must_use = "a collector that is not drained only takes up memory"]
pub struct Collector<C> {
    pub(crate) instance: u32,
    pub(crate) index: usize,
    context: PhantomData<fn() -> C>,
}

impl<C> Collector<C> {
    pub(crate) fn new(instance: u32, index: usize) -> Self {
        Self {
            instance,
            index,
            context: PhantomData,
        }
    }
}

impl<C> fmt::Debug for Collector<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Collector({})", self.index)
    }
}

/// What a collector waits for.
struct Entry {
    parts: Vec<(GroupIndex, EventSet)>,
    active: bool,
}

/// All collectors of a context.
pub(crate) struct Collectors<C> {
    entries: Vec<Entry>,
    /// What each collector holds.
    lists: Vec<Vec<EntityId<C>>>,
    /// The released ones, whose bits are used again.
    released: Vec<usize>,
    /// For each 32 collectors a word for each slot.
    banks: Vec<Vec<u32>>,
}

impl<C> Collectors<C> {
    pub(crate) const fn new() -> Self {
        Self {
            entries: Vec::new(),
            lists: Vec::new(),
            released: Vec::new(),
            banks: Vec::new(),
        }
    }

    /// Adds a collector; the caller marks it in the groups.
    pub(crate) fn add(&mut self, parts: Vec<(GroupIndex, EventSet)>) -> usize {
        let entry = Entry {
            parts,
            active: true,
        };
        let Some(index) = self.released.pop() else {
            self.entries.push(entry);
            self.lists.push(Vec::new());
            self.banks
                .resize_with(self.entries.len().div_ceil(32), Vec::new);
            return self.entries.len() - 1;
        };
        self.entries[index] = entry;
        index
    }

    /// Forgets a collector; the caller has unmarked it in the groups.
    pub(crate) fn release(&mut self, index: usize) {
        self.clear(index);
        self.lists[index] = Vec::new();
        self.entries[index] = Entry {
            parts: Vec::new(),
            active: false,
        };
        self.released.push(index);
    }

    /// The groups a collector waits for, with their events.
    pub(crate) fn parts(&self, index: usize) -> &[(GroupIndex, EventSet)] {
        &self.entries[index].parts
    }

    /// Whether a collector gathers at present.
    pub(crate) fn is_active(&self, index: usize) -> bool {
        self.entries[index].active
    }

    /// Notes that a collector gathers, or not.
    pub(crate) fn set_active(&mut self, index: usize, active: bool) {
        self.entries[index].active = active;
    }

    /// The ids a collector holds, in order of first collection.
    pub(crate) fn ids(&self, index: usize) -> &[EntityId<C>] {
        &self.lists[index]
    }

    /// Appends an entity to the lists of those of the first 32 collectors that are
    /// concerned and do not hold it yet.
    #[inline]
    pub(crate) fn collect(&mut self, id: EntityId<C>, concerned: u32) {
        self.collect_in(0, concerned, id);
    }

    /// The same for further collectors, as words with their position.
    #[cold]
    pub(crate) fn collect_more(&mut self, id: EntityId<C>, words: &[(u32, u32)]) {
        for &(bank, concerned) in words {
            self.collect_in(bank as usize, concerned, id);
        }
    }

    /// The same for many entities at once, collector by collector.
    pub(crate) fn collect_run(&mut self, ids: &[EntityId<C>], first: u32, more: &[(u32, u32)]) {
        for (bank, concerned) in [(0, first)].into_iter().chain(more.iter().copied()) {
            for bit in Bits(u64::from(concerned)) {
                self.collect_all(ids, bank as usize * 32 + bit as usize);
            }
        }
    }

    fn collect_all(&mut self, ids: &[EntityId<C>], collector: usize) {
        let (words, bit) = (&mut self.banks[collector / 32], 1 << (collector % 32));
        let list = &mut self.lists[collector];
        for &id in ids {
            let slot = id.index() as usize;
            if slot >= words.len() {
                grow(words, slot);
            }
            if words[slot] & bit == 0 {
                words[slot] |= bit;
                list.push(id);
            }
        }
    }

    #[inline(always)] // called where it counts, and much shorter without the call
    fn collect_in(&mut self, bank: usize, concerned: u32, id: EntityId<C>) {
        let slot = id.index() as usize;
        let words = &mut self.banks[bank];
        if slot >= words.len() {
            grow(words, slot);
        }
        let mut fresh = concerned & !words[slot];
        words[slot] |= fresh;
        while fresh != 0 {
            self.lists[bank * 32 + fresh.trailing_zeros() as usize].push(id);
            fresh &= fresh - 1;
        }
    }

    /// Forgets who holds the entity of a slot, so that the next entity there is
    /// collected in its own right.
    #[inline]
    pub(crate) fn forget_slot(&mut self, id: EntityId<C>) {
        for words in &mut self.banks {
            if let Some(word) = words.get_mut(id.index() as usize) {
                *word = 0;
            }
        }
    }

    /// Empties a collector.
    pub(crate) fn clear(&mut self, index: usize) {
        self.unmark(index);
        self.lists[index].clear();
    }

    /// Empties every collector.
    pub(crate) fn clear_all(&mut self) {
        for index in 0..self.entries.len() {
            self.clear(index);
        }
    }

    /// Empties a collector into `ids`, which is emptied first; the two lists change
    /// places, so that none is allocated.
    pub(crate) fn drain_into(&mut self, index: usize, ids: &mut Vec<EntityId<C>>) {
        self.unmark(index);
        ids.clear();
        core::mem::swap(ids, &mut self.lists[index]);
    }

    /// Clears the collector's bit for all it holds. An old and a new entity of one
    /// slot are both in the list, so the bit goes whatever the generation.
    fn unmark(&mut self, index: usize) {
        let (words, bit) = (&mut self.banks[index / 32], 1 << (index % 32));
        for id in &self.lists[index] {
            words[id.index() as usize] &= !bit;
        }
    }

    /// Gives up the room that nothing is in.
    pub(crate) fn trim(&mut self) {
        if self.lists.iter().all(Vec::is_empty) {
            self.banks.iter_mut().for_each(Vec::clear); // nobody is held
        }
        self.banks.iter_mut().for_each(Vec::shrink_to_fit);
        self.lists.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let parts = self.entries.iter().map(|entry| bytes_of(&entry.parts));
        let lists = self.lists.iter().map(bytes_of);
        let banks = self.banks.iter().map(bytes_of);
        let inside: usize = parts.chain(lists).chain(banks).sum();
        let lists = bytes_of(&self.lists) + bytes_of(&self.released) + bytes_of(&self.banks);
        bytes_of(&self.entries) + lists + inside
    }

    /// How many collectors there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.released.len()
    }
}

#[cold]
#[inline(never)]
fn grow(words: &mut Vec<u32>, slot: usize) {
    words.resize((slot + 1).next_power_of_two(), 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(index: u64, generation: u64) -> EntityId<()> {
        EntityId::from_bits(generation << 32 | index).unwrap()
    }

    #[test]
    fn an_entity_is_held_once_until_drained() {
        let mut collectors = Collectors::new();
        let collector = collectors.add(Vec::new());
        for _ in 0..3 {
            collectors.collect(id(70, 1), 1);
        }
        let mut ids = Vec::new();
        collectors.drain_into(collector, &mut ids);
        assert_eq!(ids, [id(70, 1)]);
        collectors.collect(id(70, 1), 1);
        assert_eq!(collectors.ids(collector), [id(70, 1)]);
    }

    #[test]
    fn the_next_entity_of_a_slot_is_collected_too() {
        let mut collectors = Collectors::new();
        let collector = collectors.add(Vec::new());
        collectors.collect(id(0, 1), 1);
        collectors.forget_slot(id(0, 1));
        collectors.collect(id(0, 2), 1);
        assert_eq!(collectors.ids(collector), [id(0, 1), id(0, 2)]);
    }

    #[test]
    fn collectors_beyond_the_first_bank_work_alike() {
        let mut collectors = Collectors::new();
        let last = (0..70).map(|_| collectors.add(Vec::new())).last().unwrap();
        collectors.collect_more(id(3, 1), &[(2, 1 << (last % 32))]);
        assert_eq!(collectors.ids(last), [id(3, 1)]);
        collectors.release(last);
        assert_eq!(collectors.add(Vec::new()), last);
        assert!(collectors.ids(last).is_empty());
    }
}
