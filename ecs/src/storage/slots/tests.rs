//! Unit tests of slots.

use super::*;
use crate::storage::heap::Heap;
use crate::words::entity_id::UntypedId;
use crate::words::error::ErrorKind;

fn create(slots: &mut Slots) -> EntityId<()> {
    slots.create(EMPTY_NODE).0
}

#[test]
fn reclaimed_ids_are_taken_from_anywhere_on_the_stack_and_given_back_exactly() {
    let mut slots = Slots::new("Game", 0);
    let ids: Vec<UntypedId> = (0..6).map(|_| slots.create(EMPTY_NODE).0).collect();
    for &id in &ids[..5] {
        slots.destroy(id);
    }
    let later: UntypedId = slots.create(EMPTY_NODE).0; // in the slot of `ids[4]`
    let free = slots.free.clone();
    assert_eq!(
        slots.reclaim_all(&ids[4..]),
        [None, None],
        "one is taken, one alive"
    );
    let places = slots.reclaim_all(&[ids[1], ids[4], ids[3]]);
    assert!(places[0].is_some() && places[1].is_none() && places[2].is_some());
    assert!(slots.is_alive(ids[1]) && slots.is_alive(ids[3]));
    slots.check_invariants();
    slots.revert_reclaim(ids[3], places[2].unwrap());
    slots.revert_reclaim(ids[1], places[0].unwrap());
    assert_eq!(slots.free.all(), free.all());

    slots.destroy(later);
    assert_eq!(slots.reclaim_all(&ids[4..5]), [Some(4)]);
    assert!(!slots.is_future(later.raw()), "its id is not given again");
    slots.check_invariants();
    slots.destroy(ids[4]);
    let next: UntypedId = slots.create(EMPTY_NODE).0;
    assert_eq!(next.index(), later.index());
    assert_eq!(next.generation(), later.generation() + 1);
    slots.check_invariants();
}

#[test]
fn slots_are_reused_last_in_first_out_with_a_new_generation() {
    let mut slots = Slots::new("Game", 0);
    let (a, b) = (create(&mut slots), create(&mut slots));
    slots.destroy(a);
    slots.destroy(b);
    let (c, d) = (create(&mut slots), create(&mut slots));
    assert_eq!((c.index(), c.generation()), (1, 2));
    assert_eq!((d.index(), d.generation()), (0, 2));
    assert!(slots.get(a).is_none() && slots.get(b).is_none());
    assert_eq!((slots.len(), slots.free_len()), (2, 0));
}

/// F10: a slot reaches its last generation.
#[test]
fn a_slot_whose_generations_are_used_up_is_retired() {
    let mut slots = Slots::new("Game", 0);
    let first = create(&mut slots);
    slots.destroy(first);
    slots.slots[0].generation = LAST_GENERATION | FREE;
    let last = create(&mut slots);
    assert_eq!((last.index(), last.generation()), (0, LAST_GENERATION));
    slots.destroy(last);
    assert_eq!(slots.free_len(), 0);
    assert_eq!(create(&mut slots).index(), 1);
    assert!(slots.get(first).is_none() && slots.get(last).is_none());
    assert_eq!(slots.iter().count(), 1);
}

/// F32: creates one entity more than the maximum.
#[test]
fn a_full_context_rejects_and_goes_on() {
    let mut slots = Slots::new("Game", 0);
    let ids: Vec<_> = (0..MOST).map(|_| create(&mut slots)).collect();
    assert!(slots.can_hold(0) && !slots.can_hold(1));
    let one_more = || create(&mut slots);
    let rejected = std::panic::catch_unwind(std::panic::AssertUnwindSafe(one_more));
    let reported = *rejected.unwrap_err().downcast::<String>().unwrap();
    assert!(
        reported.contains("there would be more than 64 slots"),
        "{reported}"
    );
    assert_eq!(slots.len(), 64);
    assert_eq!((slots.new_rows(0), slots.new_rows(0).len()), (64..64, 0));
    assert!(slots.check_capacity(0).is_ok());
    let rejected = slots.check_capacity(1).unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::TooManyEntities);
    assert_eq!(
        rejected.to_string(),
        "cannot create an entity of context `Game`: there would be more than 64 slots, the most that a context can have; destroy some entities first, so that their slots are used again"
    );
    for many in [1, usize::MAX] {
        assert!(std::panic::catch_unwind(|| slots.new_rows(many)).is_err());
    }
    slots.destroy(ids[5]);
    assert!(slots.can_hold(1) && !slots.can_hold(2));
    assert_eq!((create(&mut slots).index(), slots.len()), (5, 64));
    assert!(!slots.can_hold(usize::MAX));
}

/// F10, F28: the last generations of a slot.
#[test]
fn a_slot_near_the_end_of_its_generations_goes_on_to_the_last() {
    let mut slots = Slots::new("Game", 0);
    let first = create(&mut slots);
    slots.destroy(first);
    slots.slots[0].generation = (LAST_GENERATION - 3) | FREE;
    let mut ids = alloc::vec![first];
    for generation in LAST_GENERATION - 3..=LAST_GENERATION {
        let id = create(&mut slots);
        assert_eq!((id.index(), id.generation()), (0, generation));
        assert!(ids.iter().all(|&old| slots.get(old).is_none()));
        slots.destroy(id);
        ids.push(id);
    }
    assert_eq!(create(&mut slots).index(), 1);
}

#[test]
fn no_forged_id_names_a_free_slot() {
    let mut slots = Slots::new("Game", 0);
    let id = create(&mut slots);
    slots.destroy(id);
    for generation in 1..=5u64 {
        let forged = EntityId::<()>::from_bits(generation << 32).unwrap();
        assert!(slots.get(forged).is_none());
    }
}

#[test]
fn rows_map_only_to_entities_that_are_alive() {
    let mut slots = Slots::new("Game", 0);
    let (id, row) = slots.create::<()>(EMPTY_NODE);
    assert_eq!(slots.id_in(row), Some(id));
    slots.destroy(id);
    assert_eq!(slots.id_in::<()>(row), None);
    assert_eq!(slots.id_in::<()>(Row(99)), None);
}

#[test]
fn a_moved_slot_keeps_its_row_when_reused() {
    let mut slots = Slots::new("Game", 0);
    let ids: Vec<_> = (0..4).map(|_| create(&mut slots)).collect();
    assert_eq!(slots.bytes(), 8 * slots.slots.capacity());
    slots.prepare_swaps();
    slots.swap(Row(0), Row(3));
    let (later, row) = slots.create::<()>(EMPTY_NODE);
    assert_eq!(
        (later.index(), row, slots.row_of(later)),
        (4, Row(4), Row(4))
    );
    assert_eq!(slots.get(ids[0]).unwrap().row, Row(3));
    assert_eq!(slots.get_mut(ids[3]).unwrap().0, Row(0));
    assert_eq!(slots.slice().row(ids[0]), Some(Row(3)));
    assert_eq!(slots.id_in(Row(3)), Some(ids[0]));
    assert_eq!(slots.id_in(Row(4)), Some(later));
    let mut rows = Vec::new();
    assert_eq!(slots.destroy_run(&ids, EMPTY_NODE, &mut rows), 4);
    assert_eq!(rows, [3, 1, 2, 0].map(Row));
    assert_eq!(slots.id_in::<()>(Row(3)), None);
    assert_eq!(slots.create::<()>(EMPTY_NODE).1, Row(0));
}

#[test]
fn a_retired_slot_takes_part_in_moves() {
    let mut slots = Slots::new("Game", 0);
    let ids = [create(&mut slots), create(&mut slots)];
    slots.slots[0].generation = LAST_GENERATION;
    let last = slots.id_in::<()>(Row(0)).unwrap();
    slots.destroy(last);
    slots.reorder([(Row(1), Row(0), 1), (Row(0), Row(1), 1)].into_iter());
    assert_eq!(slots.row_of(ids[1]), Row(0));
    assert_eq!(
        (slots.node_in(Row(0)), slots.node_in(Row(1))),
        (Some(EMPTY_NODE), None)
    );
    assert_eq!((slots.rows(), slots.free_len()), (2, 0));
    assert_eq!(
        slots.next_from(0).map(|(id, slot)| (id, slot.row)),
        Some((ids[1], Row(0)))
    );
}

#[test]
fn try_reserve_reserves_only_missing_slots() {
    let mut slots = Slots::new("Game", 0);
    let ids: Vec<_> = (0..3).map(|_| create(&mut slots)).collect();
    slots.destroy(ids[1]);
    slots.trim();
    slots.try_reserve(11).unwrap();
    assert_eq!(slots.slots.capacity(), 13);
    let room = slots.bytes();
    (0..11).for_each(|_| _ = create(&mut slots));
    assert_eq!((slots.bytes(), slots.len()), (room, 13));
    assert!(slots.try_reserve(usize::MAX).is_err());
    assert_eq!((slots.bytes(), slots.len()), (room, 13));
}

#[test]
fn destroying_a_run_retires_slots_without_generations() {
    let mut slots = Slots::new("Game", 0);
    let ids: Vec<_> = (0..3).map(|_| create(&mut slots)).collect();
    slots.slots[1].generation = LAST_GENERATION;
    let last = slots.id_in::<()>(Row(1)).unwrap();
    let (all, mut rows) = ([ids[0], last, ids[2]], Vec::new());
    assert_eq!(slots.destroy_run(&all, EMPTY_NODE, &mut rows), 3);
    assert_eq!((slots.len(), slots.free_len(), rows.len()), (0, 2, 3));
    let later: Vec<_> = (0..3).map(|_| create(&mut slots).index()).collect();
    assert_eq!(later, [2, 0, 3]);
    assert!(slots.get(last).is_none() && slots.get(ids[1]).is_none());
}

#[test]
fn future_ids_are_recognized() {
    let (mut slots, mut later) = (Slots::new("Game", 0), Slots::new("Game", 0));
    let id = |slots: &Slots, index, generation| slots.id::<()>(index, generation).raw();
    let first = create(&mut slots);
    assert!(!slots.is_future(first.raw()) && later.is_future(first.raw()));
    assert!(slots.is_future(id(&slots, 0, 2)) && slots.is_future(id(&slots, 1, 1)));
    slots.destroy(first);
    assert!(!slots.is_future(first.raw()) && slots.is_future(id(&slots, 0, 2)));
    let second = create(&mut slots);
    slots.give_back(second);
    assert!(slots.is_future(second.raw()) && !slots.is_future(first.raw()));
    later.slots.push(Record {
        generation: FREE,
        node: EMPTY_NODE,
    });
    assert!(!later.is_future(second.raw()), "the slot is retired");
}

#[test]
fn destroying_a_run_equals_single_destroys() {
    let (mut slots, mut rows) = (Slots::new("Game", 0), Vec::new());
    let ids = [(); 4].map(|()| create(&mut slots));
    assert_eq!(slots.count_in(&ids, EMPTY_NODE), 4);
    slots.destroy(ids[2]);
    let next = create(&mut slots);
    assert_eq!(
        slots.count_in(&ids, EMPTY_NODE),
        2,
        "the third is another one"
    );
    assert_eq!(slots.destroy_run(&ids, EMPTY_NODE, &mut rows), 2);
    assert_eq!((rows, slots.len()), (alloc::vec![Row(0), Row(1)], 2));
    let again = [(); 2].map(|()| create(&mut slots));
    assert_eq!(
        again.map(|id| (id.index(), id.generation())),
        [(1, 2), (0, 2)]
    );
    assert!(slots.get(ids[0]).is_none() && slots.get(next).is_some());
}

#[test]
fn giving_back_an_entity_removes_its_new_slot() {
    let mut slots = Slots::new("Game", 0);
    let first = create(&mut slots);
    slots.destroy(first);
    let [again, new] = [(); 2].map(|()| create(&mut slots));
    slots.give_back(new);
    slots.give_back(again);
    assert_eq!((slots.rows(), slots.free_len(), slots.len()), (1, 1, 0));
    assert_eq!([(); 2].map(|()| create(&mut slots)), [again, new]);
}

/// The slot got a row when slots were moved, and another one was added after it.
#[test]
fn giving_back_keeps_slots_that_are_not_last() {
    let mut slots = Slots::new("Game", 0);
    let ids = [(); 3].map(|()| create(&mut slots));
    slots.prepare_swaps();
    slots.swap(Row(0), Row(1));
    slots.give_back(ids[2]);
    slots.check_invariants();
    assert_eq!((slots.rows(), slots.free_len(), slots.len()), (2, 0, 2));
    slots.give_back(ids[1]); // its row is the index of another slot
    slots.check_invariants();
    assert_eq!((slots.rows(), slots.free_len(), slots.len()), (2, 1, 1));
    assert_eq!(create(&mut slots), ids[1]);
    slots.give_back(ids[0]);
    slots.check_invariants();
    assert_eq!((slots.rows(), slots.free_len(), slots.len()), (2, 1, 1));
    assert!(slots.is_alive(ids[1]) && !slots.is_alive(ids[0]));
}

#[test]
fn entities_revived_in_the_opposite_order_leave_no_trace() {
    let mut slots = Slots::new("Game", 0);
    let ids = [(); 4].map(|()| create(&mut slots));
    slots.destroy(ids[2]);
    slots.slots[3].generation = LAST_GENERATION;
    let last = slots.id_in(Row(3)).unwrap();
    let destroyed = [ids[1], last, ids[0]];
    destroyed.iter().for_each(|&id| slots.destroy(id));
    slots.check_invariants();
    for &id in destroyed.iter().rev() {
        assert_eq!(slots.revive(id, EMPTY_NODE), Row(id.index()));
        slots.check_invariants();
    }
    assert_eq!((slots.len(), slots.free.all()), (3, &[2][..]));
}

fn panics(act: impl FnOnce()) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(act)).is_err()
}

#[test]
fn entities_revived_in_another_order_are_noticed() {
    let mut slots = Slots::new("Game", 0);
    let ids = [(); 2].map(|()| create(&mut slots));
    ids.iter().for_each(|&id| slots.destroy(id));
    assert!(
        panics(|| _ = slots.revive(ids[0], EMPTY_NODE)),
        "not the last"
    );
    let mut slots = Slots::new("Game", 0);
    let ids = [(); 3].map(|()| create(&mut slots));
    ids.iter().rev().for_each(|&id| slots.give_back(id));
    assert!(
        panics(|| _ = slots.revive(ids[1], EMPTY_NODE)),
        "not the next"
    );
    assert!(panics(|| slots.give_back(ids[0])), "not alive");
}

/// What a revived entity was that stayed on the stack.
#[test]
fn the_free_slots_are_compared_with_the_living() {
    let mut slots = Slots::new("Game", 0);
    let ids = [(); 2].map(|()| create(&mut slots));
    ids.iter().for_each(|&id| slots.destroy(id));
    let (mut revived, mut lost) = (slots.clone(), slots.clone());
    slots.check_invariants();
    revived.slots[0].generation = 1;
    assert!(panics(|| revived.check_invariants()));
    lost.free.newest().remove(0);
    assert!(panics(|| lost.check_invariants()));
    slots.free.newest()[0] = slots.free.all()[1];
    assert!(panics(|| slots.check_invariants()));
}

#[test]
fn unseen_entities_are_given_back_with_their_slots() {
    let mut slots = Slots::new("Game", 0);
    let first = create(&mut slots);
    slots.destroy(first);
    let ids = [(); 3].map(|()| create(&mut slots));
    assert_eq!((slots.rows(), slots.len()), (3, 3));
    ids.iter().rev().for_each(|&id| slots.give_back(id));
    assert_eq!((slots.rows(), slots.len(), slots.free_len()), (1, 0, 1));
    assert_eq!(create(&mut slots), ids[0]);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "was looked up in")]
fn get_mut_rejects_ids_of_other_slots() {
    let (mut slots, mut others) = (Slots::new("Game", 0), Slots::new("Game", 0));
    create(&mut slots);
    let wrong_context = create(&mut others);
    slots.get_mut(wrong_context);
}

#[test]
fn all_lists_count_as_memory() {
    let mut slots = Slots::new("Game", 0);
    let ids = [(); 20].map(|()| create(&mut slots));
    for id in ids {
        slots.destroy(id);
    }
    slots.prepare_swaps();
    let lists = slots.slots.capacity() * size_of::<Record>() + slots.free.newest().capacity() * 4;
    assert!(slots.order.bytes() >= 20 * 8);
    assert_eq!(slots.bytes(), lists + slots.order.bytes());
    slots.trim();
    assert_eq!(slots.bytes(), 20 * (size_of::<Record>() + 4 + 8));
}

#[test]
fn reserving_does_not_raise_the_limit() {
    let mut slots = Slots::new("Game", 0);
    slots.reserve(2 * MOST as usize);
    (0..MOST).for_each(|_| _ = create(&mut slots));
    assert!(
        std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| create(&mut slots))).is_err()
    );
}

#[test]
#[cfg(feature = "serde")]
fn restoring_enforces_the_maximum_number_of_slots() {
    use crate::storage::slots::saved::{SavedSlot, SavedSlots};
    let restored = |count| {
        let saved = SavedSlots {
            slots: alloc::vec![SavedSlot::Alive(1); count],
            free: Vec::new(),
            rows: None,
            progress: Vec::new(),
            skips: alloc::vec![],
        };
        Slots::restore(saved, "Game", 0)
    };
    assert_eq!(restored(MOST as usize).map(|slots| slots.len()), Ok(64));
    assert!(restored(MOST as usize + 1).is_err());
}
