//! Unit tests of columns: which block has which place, and memory use.

use alloc::vec::Vec;

use super::block::Block;
use super::{ColumnOf, ROWS, Relocation};
use crate::storage::heap::Heap;
use crate::storage::moved::ValueSlot;
use crate::storage::past::Direction;
use crate::storage::slots::Row;
use crate::storage::value_list::ValueList;
use crate::words::component::{Component, ComponentNames, Components, IndexCell, typed};

const NAMES: &ComponentNames = &ComponentNames {
    context: "Game",
    component: "Value",
    accessor: "value",
};

/// A component of this size in bytes; pooled if the size is eight.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Value<const SIZE: usize>([u8; SIZE]);

impl<const SIZE: usize> Components<()> for Value<SIZE> {
    fn visit(_: &mut dyn FnMut(typed::ComponentIndex<()>)) {}
}

impl<const SIZE: usize> Component<()> for Value<SIZE> {
    const NAMES: &'static ComponentNames = NAMES;
    const POOLED: bool = SIZE == 8;

    fn cell() -> &'static IndexCell<(), Self> {
        unreachable!("nothing asks for its index")
    }
}

/// Returns a column with values in some rows; each value is the row's number.
fn column<const SIZE: usize>(rows: impl IntoIterator<Item = u32>) -> ColumnOf<Value<SIZE>> {
    let mut column = ColumnOf::new();
    for row in rows {
        insert(&mut column, Row(row), Value([row as u8; SIZE]));
    }
    column
}

fn insert<const SIZE: usize>(column: &mut ColumnOf<Value<SIZE>>, row: Row, value: Value<SIZE>) {
    let descriptor = column.column.descriptor();
    assert!(
        column
            .column
            .put(row, ValueSlot::of(value).moved(descriptor))
    );
}

/// Rows in several blocks, each at a different place.
fn scattered() -> impl Iterator<Item = u32> {
    (1..9).map(|block| block * ROWS as u32 + block)
}

/// The number of blocks of memory, and how many of them are unused.
fn memory<T>(column: &ColumnOf<T>) -> (usize, usize) {
    let memory = &column.column.backing.memory;
    (memory.total(), memory.spare())
}

#[test]
fn sparse_blocks_share_memory_from_32_bytes_a_value_on() {
    assert_eq!(memory(&column::<31>(scattered())).0, 8);
    assert_eq!(memory(&column::<32>(scattered())).0, 1);
}

#[test]
fn a_shared_place_is_released_with_its_value() {
    let mut column = column::<64>(scattered());
    for row in scattered().map(Row) {
        if !column.column.discard_plain(row) {
            column.column.discard(row);
        }
    }
    assert_eq!(memory(&column), (1, 1));
}

#[test]
fn discarding_an_empty_row_releases_nothing() {
    let mut column = column::<64>([64, 129]);
    column.column.discard(Row(65)); // occupied by the other block
    column.column.discard(Row(1_000));
    insert(&mut column, Row(193), Value([1; 64]));
    assert_eq!(column.get(Row(129)), Some(&Value([129; 64])));
}

#[test]
fn kept_memory_is_reused_before_allocating() {
    let rows: Vec<_> = (0..640).map(Row).collect();
    let mut column = column::<4>(0..640);
    let before = memory(&column).0;
    assert!(column.column.forget_rows(&rows) && memory(&column).1 < 10);
    column.column.reserve(640, 640);
    assert_eq!(memory(&column), (before, before));
    column.column.try_reserve(1_280, 640).unwrap();
    assert_eq!(memory(&column), (before, before));
}

#[test]
fn kept_memory_is_reused_for_reserved_rows() {
    let rows: Vec<_> = (0..640).map(Row).collect();
    let mut column = column::<4>(0..640);
    let before = memory(&column).0;
    column.column.forget_rows(&rows);
    column.column.try_reserve(640, 640).unwrap();
    assert_eq!(memory(&column), (before, before));
}

#[test]
fn kept_memory_stays_while_enough_is_spare() {
    let rows: Vec<_> = (0..640).map(Row).collect();
    let mut column = column::<4>(0..640);
    column.column.forget_rows(&rows);
    let before = memory(&column);
    assert!((1..10).contains(&before.1));
    column.column.try_reserve(640, 64).unwrap();
    assert_eq!(memory(&column), before);
}

#[test]
fn reserving_allocates_only_for_the_given_rows() {
    let mut reserved = ColumnOf::<Value<4>>::new();
    reserved.column.reserve(6_400, 64);
    assert_eq!(memory(&reserved), (1, 1));
    let mut reserved = ColumnOf::<Value<4>>::new();
    reserved.column.try_reserve(6_400, 64).unwrap();
    assert_eq!(memory(&reserved), (1, 1));
}

#[test]
fn the_list_of_blocks_and_the_pool_count_as_memory() {
    let mut column = ColumnOf::<Value<0>>::new();
    let empty = column.column.usage();
    column.column.reserve(0, 64_000);
    assert!(column.column.usage().bytes >= empty.bytes + 1_000 * size_of::<Block>());
    let mut column = column_of_pool(100);
    let full = column.column.usage().pool;
    (0..90).for_each(|_| _ = column.take_pooled());
    assert_eq!(column.column.usage().pool, full);
    column.column.trim();
    assert_eq!(column.column.usage().pool, 10 * 8);
    assert!(full >= 100 * 8);
}

/// Returns an empty column with `count` pooled values.
fn column_of_pool(count: usize) -> ColumnOf<Value<8>> {
    let mut column = ColumnOf::new();
    column.column.reserve(0, count);
    (0..count).for_each(|_| column.recycle(Value([0; 8])));
    column
}

/// Takes the values in rows out of a column; returns them as numbers.
fn taken<const SIZE: usize>(column: &mut ColumnOf<Value<SIZE>>, rows: &[u32]) -> Vec<u8> {
    let rows: Vec<_> = rows.iter().copied().map(Row).collect();
    let mut values = ValueList::new(column.column.descriptor());
    column.column.take_rows(&rows, &mut values);
    assert!(rows.iter().all(|&row| !column.contains(row)));
    let values = values.as_slice::<Value<SIZE>>().unwrap();
    values.iter().map(|value| value.0[0]).collect()
}

#[test]
fn values_are_taken_out_in_the_order_of_rows() {
    let mut dense = column::<8>((0..200).filter(|row| row % 50 != 7));
    let rows: Vec<u32> = [199, 3, 2].into_iter().chain(4..130).collect();
    let expected = rows.iter().filter(|&row| row % 50 != 7);
    let expected: Vec<_> = expected.map(|&row| row as u8).collect();
    assert_eq!(taken(&mut dense, &rows), expected);
    assert_eq!(taken(&mut dense, &rows), []);
    assert!(dense.contains(Row(0)) && dense.contains(Row(198)));

    let mut sparse = column::<64>(scattered());
    let rows: Vec<u32> = scattered().collect();
    assert_eq!(taken(&mut sparse, &rows[..4]).len(), 4);
    assert_eq!(taken(&mut sparse, &[1_000_000, rows[7]]), [rows[7] as u8]);
    sparse.column.check_invariants();
}

#[test]
fn values_in_rows_are_kept_in_order() {
    let mut column = column::<8>(0..70);
    let rows: Vec<_> = (10..70).chain(0..5).map(Row).collect();
    column.column.keep_rows(&rows[..1]);
    column.column.keep_rows(&rows[1..]);
    assert_eq!(column.column.past().unwrap().len(), 65);
    column.column.put_from_past(Row(90), Direction::Back);
    assert_eq!(column.get(Row(90)), Some(&Value([4; 8])));
}

#[test]
fn an_empty_past_releases_the_place() {
    let mut column = ColumnOf::<Value<64>>::new();
    column.column.put_from_past(Row(70), Direction::Back);
    assert!(!column.contains(Row(70)));
    assert_eq!(memory(&column), (1, 1));
}

#[test]
fn trim_frees_the_capacity_of_the_past() {
    let mut column = ColumnOf::<Value<8>>::new();
    let descriptor = column.column.descriptor();
    let keep = |number| {
        let mut value = ValueSlot::of(Value([number; 8]));
        column.column.keep(value.moved(descriptor));
    };
    (0..100).for_each(keep);
    let full = column.column.past().unwrap().bytes();
    drop(column.column.forget_past(90));
    assert_eq!(column.column.past().unwrap().len(), 10);
    column.column.trim();
    assert!(column.column.past().unwrap().bytes() <= full - 90 * 8);
}

#[test]
#[cfg(feature = "serde")]
#[should_panic(expected = "the values are of the column's type")]
fn values_of_another_component_are_not_loaded() {
    let mut values = ValueList::new(ColumnOf::<Value<4>>::new().column.descriptor());
    let descriptor = values.descriptor();
    values.push_moved(ValueSlot::of(Value([1; 4])).moved(descriptor));
    ColumnOf::<Value<8>>::new().column.load(&[Row(0)], values);
}

#[test]
#[cfg(feature = "serde")]
#[should_panic(expected = "a value is put where none is")]
fn values_are_not_loaded_into_occupied_rows() {
    let mut column = column::<4>([3]);
    let mut values = ValueList::new(column.column.descriptor());
    let descriptor = values.descriptor();
    let mut push = |number| values.push_moved(ValueSlot::of(Value([number; 4])).moved(descriptor));
    (0..2).for_each(&mut push);
    column.column.load(&[Row(2), Row(3)], values);
}

fn run(from: u32, to: u32, len: u32) -> Relocation {
    let (from, to) = (Row(from), Row(to));
    Relocation { from, to, len }
}

#[test]
fn relocating_joins_blocks_even_if_no_row_changes() {
    let mut column = column::<4>([70, 3]);
    assert_eq!(column.column.breaks(), 1);
    column.column.relocate(&[run(0, 0, 128)], 2);
    assert_eq!(column.column.breaks(), 0);
    assert_eq!(column.get(Row(70)), Some(&Value([70; 4])));
}

#[test]
fn relocating_does_nothing_if_blocks_are_adjacent() {
    let mut column = ColumnOf::<Value<4>>::new();
    column.column.reserve(0, 128);
    for row in [3, 70] {
        insert(&mut column, Row(row), Value([row as u8; 4]));
    }
    let place = |column: &ColumnOf<Value<4>>| core::ptr::from_ref(column.get(Row(3)).unwrap());
    let before = place(&column);
    for runs in [
        &[run(0, 0, 128)][..],
        &[run(0, 0, 128), run(200, 128, 70)], // rows without values
    ] {
        column.column.relocate(runs, 4);
        assert_eq!(place(&column), before);
    }
    column.column.relocate(&[run(3, 0, 1), run(70, 1, 1)], 1);
    assert_eq!(column.get(Row(1)), Some(&Value([70; 4])));
}

#[test]
fn discarding_the_last_large_value_frees_the_block() {
    let mut column = column::<64>(0..64);
    assert!(!column.column.shares(0));
    (0..64).for_each(|row| column.column.discard(Row(row)));
    assert_eq!(memory(&column), (1, 1));
}

#[test]
fn a_block_shares_with_up_to_four_values() {
    let mut column = ColumnOf::<Value<64>>::new();
    let value = |key| Value([key; 64]);
    column.insert_all(&[(1, 0b1111), (2, 0b1111_0000)], &[1; 8], value);
    assert_eq!(memory(&column), (1, 0));
    insert(&mut column, Row(64 + 30), value(5));
    assert!(!column.column.shares(1) && column.column.shares(2));
    assert_eq!(memory(&column).0 - memory(&column).1, 2);
    (4..8).for_each(|place| column.column.discard(Row(128 + place)));
    assert_eq!(column.column.backing.regions.len(), 0);
}

#[test]
fn a_block_changes_regions_if_a_place_is_taken() {
    let mut column = column::<64>([64, 128 + 9]);
    insert(&mut column, Row(64 + 9), Value([1; 64])); // taken by block 2
    assert!(column.column.shares(1) && column.column.backing.regions.len() == 2);
    for row in [64, 64 + 9, 128 + 9] {
        column.column.discard(Row(row));
    }
    assert_eq!(column.column.backing.regions.len(), 0);
    let (total, spare) = memory(&column);
    assert_eq!(total, spare);
}

#[test]
fn a_block_reuses_memory_kept_by_others() {
    let rows: Vec<_> = (0..640).map(Row).collect();
    let mut column = column::<4>(0..640);
    let before = memory(&column).0;
    column.column.forget_rows(&rows);
    for block in 10..20 {
        insert(&mut column, Row(block * 64), Value([1; 4]));
    }
    assert_eq!(memory(&column), (before, before - 10));
}

#[test]
fn a_block_after_a_half_full_one_does_not_start_sharing() {
    let mut column = column::<64>((64..64 + 31).chain([128]));
    assert!(column.column.shares(2));
    insert(&mut column, Row(64 + 31), Value([1; 64]));
    insert(&mut column, Row(128 + 1), Value([1; 64]));
    assert!(column.column.shares(2), "who shares goes on");
    (0..2).for_each(|place| column.column.discard(Row(128 + place)));
    insert(&mut column, Row(128), Value([1; 64]));
    assert!(!column.column.shares(2));
}

#[test]
fn trim_does_not_share_small_or_full_blocks() {
    let mut small = column::<4>(scattered().chain(1_000..1_200));
    small
        .column
        .forget_rows(&(1_000..1_200).map(Row).collect::<Vec<_>>());
    small.column.trim();
    assert!((0..9).all(|at| !small.column.shares(at)));
    assert_eq!(memory(&small), (8, 0));
    let mut large = column::<64>((64..192).chain(1_000..1_200));
    (1_000..1_200).for_each(|row| large.column.discard(Row(row)));
    large.column.trim();
    assert!(!large.column.shares(1) && !large.column.shares(2));
}

#[test]
fn the_bookkeeping_of_regions_counts_as_memory() {
    let column = column::<64>(scattered());
    let backing = &column.column.backing;
    let (regions, memory) = (backing.regions.bytes(), backing.memory.bytes());
    let with_memory = backing.with_memory.bytes();
    let blocks = column.column.blocks.capacity() * size_of::<Block>();
    assert!(regions > 0 && with_memory > 0);
    let known = with_memory + regions + blocks;
    assert_eq!(column.column.usage().bytes, memory + known);
}

#[test]
#[cfg(feature = "std")]
fn a_panic_while_inserting_keeps_the_previous_values() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let mut column = ColumnOf::<Value<64>>::new();
    let value = |key: u8| {
        assert!(key < 2, "on purpose");
        Value([key; 64])
    };
    let insert = || column.insert_all(&[(1, 0b1111)], &[0, 1, 2, 3], value);
    assert!(catch_unwind(AssertUnwindSafe(insert)).is_err());
    assert_eq!(column.column.occupied(1), 0b0011);
    (64..66).for_each(|row| column.column.discard(Row(row)));
    assert_eq!(column.column.backing.regions.len(), 0);
}

#[test]
fn removing_the_last_large_value_frees_the_block() {
    let mut column = column::<64>(0..64);
    for row in (0..64).map(Row) {
        let removed = column.remove_beside(row).or_else(|| column.remove(row));
        assert_eq!(removed, Some(Value([row.0 as u8; 64])));
    }
    assert_eq!(memory(&column), (1, 1));
}
