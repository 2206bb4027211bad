//! Tests of dirty sets alone.

use alloc::vec;
use alloc::vec::Vec;

use super::*;

fn id(index: u64) -> UntypedId {
    UntypedId::from_bits(1 << 32 | index).unwrap()
}

fn all(set: &DirtySet) -> Vec<u32> {
    set.check_invariants();
    let mut all: Vec<_> = set.ids().map(UntypedId::index).collect();
    all.sort();
    all
}

#[test]
fn an_entity_in_list_and_batch_counts_once() {
    let mut set = DirtySet::default();
    set.insert(id(1));
    set.insert_batch(vec![id(1), id(2)]);
    assert_eq!(all(&set), [1, 2]);
    assert!(set.contains(id(2)) && !set.contains(id(3)));
}

#[test]
fn a_change_merges_the_batch() {
    let mut set = DirtySet::default();
    set.insert_batch(vec![id(1), id(2)]);
    set.insert(id(3));
    assert!(set.batch().is_empty());
    assert_eq!(all(&set), [1, 2, 3]);
    set.insert_batch(vec![id(4), id(5)]);
    set.remove(id(5));
    assert!(set.batch().is_empty());
    assert_eq!(all(&set), [1, 2, 3, 4]);
}

#[test]
fn several_runs_are_one_batch_without_duplicates() {
    let mut set = DirtySet::default();
    set.insert_batch(vec![id(3), id(1)]);
    set.dedup_batch();
    assert_eq!(set.batch(), [id(3), id(1)], "one run stays in order");
    set.insert_batch(vec![id(2), id(3)]);
    set.dedup_batch();
    assert_eq!(set.batch(), [id(1), id(2), id(3)]);
    set.end_batch();
    assert!(set.is_empty());
}

#[test]
fn ending_a_batch_keeps_the_other_entities() {
    let mut set = DirtySet::default();
    for index in [1, 2, 3] {
        set.insert(id(index));
    }
    set.insert_batch(vec![id(1), id(4), id(5)]);
    set.end_batch();
    assert_eq!(all(&set), [2, 3]);
    let mut set = DirtySet::default();
    set.insert_batch(vec![id(1)]);
    set.end_batch();
    assert!(set.is_empty());
}

/// The batch was left by a panic.
#[test]
fn unused_memory_of_a_batch_is_freed() {
    let mut set = DirtySet::default();
    let mut batch = Vec::with_capacity(8);
    batch.push(id(1));
    set.insert_batch(batch);
    set.trim();
    assert_eq!((all(&set), set.bytes()), (vec![1], size_of::<UntypedId>()));
}

#[test]
fn many_entities_are_found_after_others_were_removed() {
    let mut set = DirtySet::default();
    (0..100).for_each(|index| set.insert(id(index)));
    assert_eq!(all(&set), Vec::from_iter(0..100));
    (0..90).for_each(|index| set.remove(id(index)));
    (200..203).for_each(|index| set.insert(id(index)));
    assert_eq!(all(&set), Vec::from_iter((90..100).chain(200..203)));
}
