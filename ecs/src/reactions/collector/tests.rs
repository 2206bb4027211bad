//! Tests of collectors alone: by hand, and by random operations compared with naive lists.

use alloc::vec::Vec;

use super::*;
use crate::matching::group::Groups;
use crate::storage::heap::Heap;
use crate::storage::slots::EMPTY_NODE;
use crate::words::limits::ROWS;

fn id(index: u64, generation: u64) -> UntypedId {
    UntypedId::from_bits(generation << 32 | index).unwrap()
}

#[test]
fn an_entity_is_buffered_once_until_drained() {
    let (mut collectors, slots) = (Collectors::new(), Slots::new("Game", 0));
    let collector = collectors.add(Vec::new(), false);
    for _ in 0..3 {
        collectors.collect(&slots, id(70, 1), collector);
    }
    let mut ids = Vec::new();
    collectors.drain_into(&slots, collector, &mut ids);
    assert_eq!(ids, [id(70, 1)]);
    collectors.collect(&slots, id(70, 1), collector);
    assert_eq!(collectors.ids(&slots, collector), [id(70, 1)]);
}

#[test]
fn the_next_entity_of_a_slot_is_collected_too() {
    let (mut collectors, slots) = (Collectors::new(), Slots::new("Game", 0));
    let collector = collectors.add(Vec::new(), false);
    collectors.collect(&slots, id(0, 1), collector);
    collectors.forget_slot(&slots, id(0, 1), Row(0));
    collectors.collect(&slots, id(0, 2), collector);
    assert_eq!(collectors.ids(&slots, collector), [id(0, 1), id(0, 2)]);
}

/// What a feed that is not read costs: no more than one id for each slot, at any time.
#[test]
fn a_collector_of_slots_never_holds_more_than_one_entity_of_a_slot() {
    let (mut collectors, mut slots) = (Collectors::new(), Slots::new("Game", 0));
    let collector = collectors.add(Vec::new(), true);
    collectors.collect_slots(collector);
    let mut ids: Vec<UntypedId> = (0..60).map(|_| slots.create(EMPTY_NODE).0).collect();
    collectors.collect_rows(&slots, [(0, 0b101)].into_iter(), collector);
    for frame in 0..5 {
        for id in &mut ids {
            collectors.forget_slot(&slots, *id, slots.row_of(*id));
            slots.destroy(*id);
            *id = slots.create(EMPTY_NODE).0;
            collectors.collect(&slots, *id, collector);
        }
        collectors.collect_ids(&slots, &ids, collector);
        assert_eq!(collectors.buffered(collector), ids.len(), "frame {frame}");
        collectors.check_invariants(&slots, &Groups::new());
    }
    let mut held = Vec::new();
    collectors.drain_into(&slots, collector, &mut held);
    held.sort_unstable_by_key(|id| id.index());
    assert!(held.iter().map(|id| id.index()).eq(0..60));
    collectors.collect(&slots, ids[7], collector);
    assert_eq!(collectors.ids(&slots, collector), [ids[7]]);
}

#[test]
fn a_collector_with_a_reused_number_is_empty() {
    let (mut collectors, slots) = (Collectors::new(), Slots::new("Game", 0));
    let [_, last] = [(); 2].map(|()| collectors.add(Vec::new(), false));
    collectors.collect(&slots, id(3, 1), last);
    assert_eq!(collectors.ids(&slots, last), [id(3, 1)]);
    collectors.release(last);
    assert_eq!(collectors.add(Vec::new(), false), last);
    assert!(collectors.ids(&slots, last).is_empty());
}

#[test]
fn a_released_collector_keeps_no_memory() {
    let (mut collectors, mut slots) = (Collectors::new(), Slots::new("Game", 0));
    let ids: Vec<UntypedId> = (0..60).map(|_| slots.create(EMPTY_NODE).0).collect();
    let listing = collectors.add(Vec::new(), false);
    let by_rows = collectors.add(Vec::new(), false);
    collectors.collect_ids(&slots, &ids, listing);
    collectors.collect_rows(&slots, [(0, (1 << 60) - 1)].into_iter(), by_rows);
    let both = collectors.bytes();
    collectors.release(listing);
    let one = collectors.bytes();
    assert!(one + 60 * size_of::<UntypedId>() <= both);
    collectors.release(by_rows);
    assert!(collectors.bytes() + size_of::<u64>() <= one);
}

#[test]
fn memory_of_released_collectors_is_freed() {
    let (mut collectors, mut slots) = (Collectors::new(), Slots::new("Game", 0));
    let ids: Vec<UntypedId> = (0..60).map(|_| slots.create(EMPTY_NODE).0).collect();
    let all: Vec<_> = (0..50).map(|_| collectors.add(Vec::new(), false)).collect();
    for &collector in &all {
        collectors.collect_ids(&slots, &ids, collector);
    }
    all.into_iter()
        .for_each(|collector| collectors.release(collector));
    collectors.trim();
    assert_eq!(collectors.bytes(), 0);
}

/// Some collectors, and their expected contents.
struct Both {
    slots: Slots,
    alive: Vec<UntypedId>,
    collectors: Collectors,
    lists: Vec<Vec<UntypedId>>,
    seed: u64,
}

impl Both {
    fn new() -> Self {
        let mut slots = Slots::new("Game", 0);
        let alive = (0..60).map(|_| slots.create(EMPTY_NODE).0).collect();
        let mut collectors = Collectors::new();
        (0..20).for_each(|_| _ = collectors.add(Vec::new(), false));
        let lists = alloc::vec![Vec::new(); 20];
        Self {
            slots,
            alive,
            collectors,
            lists,
            seed: 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// A random number below a bound.
    fn pick(&mut self, bound: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 33) as usize % bound
    }

    /// A random collector: mostly one of a few, so that they accumulate operations.
    fn collector(&mut self) -> usize {
        let few = [0, 1, 7, 8];
        match self.pick(3) {
            0 => self.pick(self.lists.len()),
            _ => few[self.pick(few.len())],
        }
    }

    fn record(&mut self, collector: usize, id: UntypedId) {
        let list = &mut self.lists[collector];
        if !list.contains(&id) {
            list.push(id);
        }
    }

    /// Collects one entity in a random set of collectors.
    fn collect(&mut self) {
        let at = self.pick(self.alive.len());
        let id = self.alive[at];
        for _ in 0..self.pick(4) {
            let collector = self.collector();
            self.collectors.collect(&self.slots, id, collector);
            self.record(collector, id);
        }
    }

    /// Collects consecutive rows in one collector.
    fn collect_rows(&mut self) {
        let (start, collector) = (self.pick(45), self.collector());
        let rows = (start..start + self.pick(15)).map(|row| Row(row as u32));
        let rows: Vec<_> = rows
            .filter(|row| self.slots.id_in::<()>(*row).is_some())
            .collect();
        for &row in &rows {
            let id = self.slots.id_in(row).expect("the row has an entity");
            self.record(collector, id);
        }
        let words = rows
            .iter()
            .map(|row| (row.get() / ROWS, 1 << (row.get() % ROWS)));
        self.collectors.collect_rows(&self.slots, words, collector);
    }

    fn collect_ids(&mut self) {
        let (start, collector) = (self.pick(40), self.collector());
        let ids = self.alive[start..start + 20].to_vec();
        self.collectors.collect_ids(&self.slots, &ids, collector);
        ids.iter().for_each(|&id| self.record(collector, id));
    }

    /// Destroys an entity and reuses its slot.
    fn end(&mut self) {
        let at = self.pick(self.alive.len());
        let id = self.alive[at];
        self.collectors
            .forget_slot(&self.slots, id, self.slots.row_of(id));
        self.slots.destroy(id);
        self.alive[at] = self.slots.create(EMPTY_NODE).0;
    }

    fn drain(&mut self) {
        let (collector, mut ids) = (self.collector(), Vec::new());
        self.collectors.drain_into(&self.slots, collector, &mut ids);
        assert_eq!(ids, core::mem::take(&mut self.lists[collector]));
    }

    fn drain_rows(&mut self) {
        let collector = self.collector();
        let mut rows = BitSet::new();
        self.collectors
            .drain_rows(&self.slots, collector, &mut rows);
        let alive = core::mem::take(&mut self.lists[collector]);
        let alive = alive.iter().filter_map(|&id| self.slots.get(id));
        let mut expected: Vec<_> = alive.map(|slot| slot.row).collect();
        expected.sort_unstable();
        let words = (0..rows.len()).map(|at| (at as u32, rows.word(at)));
        let rows =
            words.flat_map(|(at, word)| Bits(word).map(move |bit| Row(at * ROWS as u32 + bit)));
        assert!(rows.eq(expected));
    }

    /// Replaces a collector by another one.
    fn renew(&mut self) {
        let collector = self.collector();
        self.collectors.release(collector);
        assert_eq!(self.collectors.add(Vec::new(), false), collector);
        self.lists[collector].clear();
    }

    fn step(&mut self) {
        match self.pick(24) {
            0..8 => self.collect(),
            8..12 => self.collect_rows(),
            12..14 => self.collect_ids(),
            14..18 => self.end(),
            18 | 19 => self.drain(),
            20 | 21 => self.drain_rows(),
            22 => self.renew(),
            _ => self.collectors.list_all(&self.slots),
        }
    }

    fn check(&self) {
        for (collector, list) in self.lists.iter().enumerate() {
            assert_eq!(self.collectors.buffered(collector), list.len());
            assert_eq!(self.collectors.ids(&self.slots, collector), list);
            for &id in &self.alive {
                let holds = self.collectors.holds(&self.slots, collector, id);
                assert_eq!(holds, list.contains(&id));
            }
        }
        let unread = (0..self.lists.len()).filter(|&at| !self.lists[at].is_empty());
        assert!(self.collectors.unread().eq(unread));
    }
}

#[test]
#[cfg(not(ecs_small_limits))] // under which slots have too few generations
fn collectors_hold_what_lists_would_whatever_is_done() {
    let mut both = Both::new();
    for step in 0..if cfg!(miri) { 50 } else { 2_000 } {
        both.step();
        if step % 5 == 0 {
            both.check();
        }
    }
}

#[test]
fn collectors_restore_a_copy() {
    let mut both = Both::new();
    for _ in 0..if cfg!(miri) { 1 } else { 10 } {
        (0..100).for_each(|_| both.step());
        let (buffered, lists) = (both.collectors.copy_all(&both.slots), both.lists.clone());
        (0..20).for_each(|_| both.step());
        both.collectors.put_back(&both.slots, &buffered);
        both.lists = lists;
        both.check();
        (0..20).for_each(|_| both.collect());
        both.check();
    }
}

#[test]
fn restoring_skips_paused_collectors_and_those_with_rewinds() {
    let (mut collectors, mut slots) = (Collectors::new(), Slots::new("Game", 0));
    let ids: Vec<UntypedId> = (0..3).map(|_| slots.create(EMPTY_NODE).0).collect();
    let (plain, following) = (
        collectors.add(Vec::new(), false),
        collectors.add(Vec::new(), true),
    );
    let paused = collectors.add(Vec::new(), false);
    assert!(collectors.any_includes_rewinds() && !collectors.any_is_filled());
    for one in [plain, following, paused] {
        collectors.collect(&slots, ids[0], one);
    }
    assert!(collectors.any_is_filled());
    let buffered = collectors.copy_all(&slots);
    collectors.clear(paused);
    collectors.set_active(paused, false);
    for one in [plain, following] {
        collectors.collect(&slots, ids[1], one);
    }
    collectors.put_back(&slots, &buffered);
    assert_eq!(collectors.ids(&slots, plain), [ids[0]]);
    assert_eq!(collectors.ids(&slots, following), [ids[0], ids[1]]);
    assert!(collectors.ids(&slots, paused).is_empty());
}

#[test]
fn expected_entities_are_buffered_once_when_revived() {
    let (mut collectors, mut slots) = (Collectors::new(), Slots::new("Game", 0));
    let ids: Vec<UntypedId> = (0..3).map(|_| slots.create(EMPTY_NODE).0).collect();
    let following = collectors.add(Vec::new(), true);
    let holds = |collectors: &Collectors, slots: &Slots, ids: &[UntypedId]| {
        let holds = ids.iter().map(|&id| collectors.holds(slots, following, id));
        holds.collect::<Vec<_>>()
    };
    collectors.collect_ids(&slots, &ids[..2], following);
    collectors.forget_slot(&slots, ids[0], Row(0));
    slots.destroy(ids[0]);
    collectors.expect_destroyed(&slots);
    assert_eq!(holds(&collectors, &slots, &ids[1..]), [true, false]);
    slots.revive(ids[0], EMPTY_NODE);
    assert_eq!(holds(&collectors, &slots, &ids), [true, true, false]);
}

#[test]
fn trailing_released_collectors_are_dropped() {
    let mut collectors = Collectors::new();
    let all: Vec<_> = (0..96).map(|_| collectors.add(Vec::new(), false)).collect();
    let full = collectors.bytes();
    let kept = 32;
    for at in all
        .into_iter()
        .rev()
        .filter(|at| *at != kept && *at != 3 && *at != 5)
    {
        collectors.release(at);
    }
    assert_eq!(collectors.len(), 3);
    assert!(collectors.all().map(|(at, _)| at).eq([3, 5, kept]));
    drop(collectors.watch(5));
    assert!(collectors.all().map(|(at, _)| at).eq([3, kept]));
    collectors.trim();
    assert_eq!(collectors.states.len(), kept + 1);
    assert!(collectors.bytes() < full / 2);
    let next = [(); 3].map(|()| collectors.add(Vec::new(), false));
    assert_eq!(next, [0, 1, 2], "the first ones are used again first");
}
