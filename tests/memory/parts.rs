//! Small parts of a context: lists that are reused, and data about keys, signatures and effects.
//! Each byte of them is reported at every step, and `shrink_to_fit` frees the rest of them.

use ecs::Feed;
use ecs::prelude::*;
use wide::{PARTS, Picked, Wide, part};

use super::allocator::allocated;
use super::alone;
use super::kinds::{Inside, Price, Shelf, Shop, Sold, Tags, Weight};
use super::many::held;
use super::used::{COUNT, Step, check, create, reprice, walk};

/// Checks that the result of `make` holds as much after these steps as when it was new; everything
/// else that is permanent is allocated before.
#[track_caller]
fn check_new<T>(make: fn(&mut Shop) -> T, steps: &[Step<T>]) {
    let _alone = alone();
    let mut shop = Shop::new();
    let chest = shop.create_entity().id();
    for n in 0..2 * COUNT as u32 {
        let values = (Price(n), Weight(0), Shelf(n), Tags([n; 3]), Inside(chest));
        shop.create_with(values);
    }
    shop.reset(); // slots stay, and are reused in ascending order
    let mut things = make(&mut shop);
    shop.storage_mut().shrink_to_fit();
    let new = held(&shop);
    walk(&mut shop, &mut things, steps, COUNT);
    assert_eq!(held(&shop), new, "what it holds after much and when new");
}

pub(super) fn by_price(shop: &mut Shop) -> EntityIndex<Shop, u32> {
    shop.entity_index(Shop::all_of::<Price>(), |entity| entity.price().0)
}

#[test]
fn an_index_by_a_function_that_is_looked_up() {
    check_new::<EntityIndex<Shop, u32>>(
        by_price,
        &[
            |shop, _, count| create(shop, count),
            |shop, index, _| _ = index.get(shop, &3).count(),
            |shop, _, _| reprice(shop),
            |shop, index, _| _ = index.get(shop, &3).count(),
            |shop, _, _| shop.destroy_all(),
        ],
    );
}

#[test]
fn keys_that_are_no_longer_used() {
    check_new::<()>(
        |_| (),
        &[
            |shop, (), count| {
                for n in 0..count as u32 {
                    shop.create_with((Shelf(n), Tags([n, n + 1, n + 2])));
                }
            },
            |shop, (), _| shop.destroy_all(),
        ],
    );
}

#[test]
fn a_key_that_many_have_shared() {
    check::<()>(
        |shop| _ = shop.create_with(Shelf(7)),
        &[|shop, (), count| {
            let ids = shop.create_many((0..count).map(|_| Shelf(7)));
            shop.many(&ids).destroy();
        }],
    );
}

#[test]
fn a_target_that_had_many_sources() {
    check::<EntityId<Shop>>(
        |shop| {
            let chest = shop.create_entity().id();
            shop.create_with(Inside(chest));
            chest
        },
        &[|shop, chest, count| {
            let ids = shop.create_many((0..count).map(|_| Inside(*chest)));
            shop.many(&ids).destroy();
        }],
    );
}

#[test]
fn a_feed_that_has_sent_later_slots() {
    check_new::<Feed<Shop>>(
        |shop| {
            shop.create_with(Price(0));
            let feed = shop.feed::<Price>();
            drop(feed.take(shop));
            feed
        },
        &[
            |shop, feed, count| {
                let ids = shop.create_many((0..count as u32).map(Price));
                drop(feed.take(shop));
                shop.many(&ids).destroy();
            },
            |shop, feed, _| drop(feed.take(shop)),
        ],
    );
}

#[test]
fn bundles_added_to_entities() {
    check_new::<()>(
        |_| (),
        &[
            |shop, (), _| _ = shop.create_entity().insert((Price(1), Weight(2))),
            |shop, (), _| shop.destroy_all(),
        ],
    );
}

#[test]
fn effects_that_observers_and_indexes_follow() {
    check_new::<EntityIndex<Shop, u32>>(
        |shop| {
            let group = shop.group(Shop::all_of::<Price>());
            group.on_entered(shop, |_, _| ());
            by_price(shop)
        },
        &[
            |shop, _, count| create(shop, count),
            |shop, _, _| shop.destroy_all(),
        ],
    );
}

/// The first of several signatures is removed, so that its number is free.
#[test]
fn signatures_whose_numbers_are_free() {
    check_new::<()>(
        |_| (),
        &[
            |shop, (), _| {
                let first = shop.create_with(Price(0)).id();
                shop.create_with((Price(0), Weight(0)));
                shop.destroy(first);
                shop.storage_mut().shrink_to_fit();
            },
            |shop, (), _| shop.destroy_all(),
        ],
    );
}

#[test]
fn groups_whose_updates_were_collected() {
    check_new::<()>(
        |shop| _ = shop.collector(Shop::all_of::<Price>().entered()),
        &[|shop, (), _| {
            drop(shop.collector(Shop::all_of::<Price>().any_change()));
            drop(shop.collector(Shop::all_of::<Price>().entered()));
        }],
    );
}

/// Edges of a signature with a high number.
#[test]
fn edges_that_are_far() {
    let _alone = alone();
    let mut wide = Wide::new();
    for n in 0..1_200 {
        let mut parts = vec![n % PARTS, (n + 1 + n / PARTS) % PARTS];
        parts.sort_unstable();
        wide.create_with(Picked(parts));
    }
    let id = wide.create_with(Picked(vec![0, 1, 2])).id();
    let held = |wide: &Wide| allocated() - wide.storage().memory().total();
    let before = held(&wide);
    (part(9).toggle)(&mut wide, id, 0);
    assert_eq!(held(&wide), before);
}

/// Effects of the first index of a context.
#[test]
fn effects_that_an_index_follows() {
    let _alone = alone();
    let mut shop = Shop::new();
    create(&mut shop, COUNT);
    shop.reset();
    let _index = by_price(&mut shop);
    shop.storage_mut().shrink_to_fit();
    let new = held(&shop);
    create(&mut shop, COUNT);
    let ids: Vec<_> = shop.entities().map(|entity| entity.id()).collect();
    ids.iter()
        .for_each(|&id| _ = shop.entity_mut(id).replace_price(1));
    drop(ids);
    shop.reset();
    shop.storage_mut().shrink_to_fit();
    assert_eq!(held(&shop), new);
}

/// Creates an entity with each of this many sets of components.
fn with_each_set(shop: &mut Shop, sets: usize) {
    for set in 0..sets as u32 {
        let mut entity = shop.create_with(Price(set));
        entity.set_sold(set & 1 != 0);
        for at in [2, 4, 8].into_iter().filter(|at| set & at != 0) {
            match at {
                2 => _ = entity.add(Weight(0)),
                4 => _ = entity.add(Tags([set; 3])),
                _ => _ = entity.add(Shelf(set)),
            }
        }
    }
}

#[test]
fn signatures_that_are_no_longer_used() {
    check_new::<()>(
        |shop| {
            shop.create_with(Sold);
            shop.reset();
        },
        &[
            |shop, (), _| with_each_set(shop, 16),
            |shop, (), _| shop.destroy_all(),
        ],
    );
}
