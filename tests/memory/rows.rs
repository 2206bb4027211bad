//! Moved rows, and blocks of rows that share memory: their lists have no spare capacity, and their
//! contents stay.

use ecs::prelude::*;

use super::allocator::allocated;
use super::alone;
use super::kinds::{Picture, Price, Shop, Sold};
use super::used::{COUNT, create};

/// Moved rows and later rows take the same number of bytes per slot.
#[test]
fn the_order_of_rows_has_no_spare_capacity() {
    let _alone = alone();
    let of_each = |more: usize| {
        let mut shop = Shop::new();
        for count in [COUNT, more] {
            interleave(&mut shop, count);
            shop.storage_mut().defragment_for(2);
        }
        shop.storage_mut().shrink_to_fit();
        shop.storage().memory().entities as f64 / shop.len() as f64
    };
    assert_eq!(of_each(8), of_each(COUNT));
}

/// Creates entities of two signatures in turn.
fn interleave(shop: &mut Shop, count: usize) {
    for n in 0..count as u32 {
        shop.create_with(Price(n)).set_sold(n % 2 == 0);
    }
}

/// Afterwards, the rows of a collector belong to other entities.
#[test]
fn defragmenting_leaves_collectors_the_entities_they_have() {
    let _alone = alone();
    let mut shop = Shop::new();
    let changed = shop.collector(Shop::all_of::<Price>().updated());
    interleave(&mut shop, COUNT);
    let sold: Vec<_> = shop
        .query::<EntityId<Shop>>()
        .with::<Sold>()
        .iter()
        .collect();
    changed.clear(&mut shop);
    shop.query_mut::<(&mut Price, &Sold)>()
        .for_each(|(price, _)| price.0 += 1);
    shop.defragment();
    let mut found = changed.drain(&mut shop);
    found.sort_by_key(|id| id.index());
    assert_eq!(found, sold);
}

/// Adds large values to the entities in some rows of a shop.
fn illustrate(shop: &mut Shop, rows: impl IntoIterator<Item = usize>) {
    let ids: Vec<_> = shop.entities().map(|entity| entity.id()).collect();
    for row in rows {
        shop.entity_mut(ids[row]).add(Picture([0; 32]));
    }
}

/// The number of rows of a block.
const ROWS: usize = 64;

/// Blocks with one large value each, at different places, share the memory of one block: the list
/// of these blocks has no spare capacity.
#[test]
fn blocks_that_share_memory_have_no_spare_capacity() {
    let _alone = alone();
    let of = |backwards: bool| {
        let mut shop = Shop::new();
        let before = allocated();
        create(&mut shop, 21 * ROWS);
        let blocks = (0..21).map(|nth| if backwards { 20 - nth } else { nth });
        illustrate(&mut shop, blocks.map(|at| at * ROWS + at));
        shop.storage_mut().shrink_to_fit();
        allocated() - before
    };
    assert_eq!(of(false), of(true));
}

/// Four blocks fit into the memory of two if the blocks that share memory stay together; packed in
/// the order of their rows they would take three.
#[test]
fn packed_blocks_that_share_memory_take_no_more() {
    let _alone = alone();
    let mut shop = Shop::new();
    create(&mut shop, 12 * ROWS);
    let at = |block: usize, place: usize| block * ROWS + place;
    let together = [at(1, 2), at(3, 1), at(3, 6)];
    let others = [at(2, 1), at(4, 2), at(4, 6)];
    illustrate(&mut shop, together.into_iter().chain(others));
    illustrate(&mut shop, at(8, 0)..at(12, 0));
    let full: Vec<_> = shop
        .entities()
        .skip(at(8, 0))
        .map(|entity| entity.id())
        .collect();
    shop.many(&full).remove::<Picture>();
    shop.storage_mut().shrink_to_fit();
    let memory = shop.storage().memory();
    let pictures = memory
        .components()
        .iter()
        .find(|one| one.name() == "Picture");
    let blocks = pictures.expect("it has values").bytes / (ROWS * size_of::<Picture>());
    assert_eq!(blocks, 2);
}
