//! Parts of what a context keeps that are small beside the rest: lists that wait to be used again, what is
//! ahead after a rewind, effects that are known. Each byte of them is told at every step, and
//! `shrink_to_fit` gives back what is left of them.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use ecs::prelude::*;
use ecs::{Feed, History, Mark, Subscription};
use wide::{PARTS, Picked, Wide, part};

use super::allocator::allocated;
use super::alone;
use super::kinds::{
    Inside, Note, Picture, Price, Shelf, Shop, ShopEntity, ShopEntityMut, Sold, Tags, Weight,
};
use super::many::held;
use super::used::{COUNT, Step, check, create, reprice, walk};

/// A value that is dropped by code, and holds no memory of its own.
#[derive(Component, Clone)]
#[component(context = Shop)]
struct Shared(Arc<()>);

/// What `make` makes holds as much after these steps as when it was new: all else that lasts is there by
/// then.
#[track_caller]
fn check_new<T>(make: fn(&mut Shop) -> T, steps: &[Step<T>]) {
    let _alone = alone();
    let mut shop = Shop::new();
    let chest = shop.create_entity().id();
    for n in 0..2 * COUNT as u32 {
        let values = (Price(n), Weight(0), Shelf(n), Tags([n; 3]), Inside(chest));
        shop.create_with(values);
    }
    shop.reset(); // slots stay, and are taken in ascending order
    let mut things = make(&mut shop);
    shop.storage_mut().shrink_to_fit();
    let new = held(&shop);
    walk(&mut shop, &mut things, steps, COUNT);
    assert_eq!(held(&shop), new, "what it holds after much and when new");
}

fn by_price(shop: &mut Shop) -> EntityIndex<Shop, u32> {
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
fn keys_that_nobody_has_any_more() {
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
fn a_target_that_many_have_led_to() {
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
fn a_feed_that_has_told_of_later_slots() {
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

/// The first signature ends between others, so that its number is free.
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

/// Of a part of an entity with a signature that is numbered late.
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

/// A history with a mark, and one thing that it is about.
type Recorded = (History<Shop>, Mark<Shop>, EntityId<Shop>);

fn recorded(shop: &mut Shop) -> Recorded {
    let id = shop.create_with((Price(0), Shelf(0))).id();
    let history = shop.record();
    let mark = history.mark(shop);
    (history, mark, id)
}

fn restock(shop: &mut Shop, (_, _, id): &mut Recorded, count: usize) {
    for n in 0..count as u32 {
        shop.entity_mut(*id).replace_shelf(n).replace_price(n);
    }
}

#[test]
fn a_history_that_goes_back_and_forward() {
    check::<Recorded>(
        recorded,
        &[
            restock,
            |shop, (history, mark, _), _| {
                let last = history.mark(shop);
                history.rewind(shop, *mark);
                history.forward(shop, last);
                *mark = last;
            },
            |shop, (history, mark, _), _| history.forget_before(shop, *mark),
        ],
    );
}

#[test]
fn checksums_that_a_history_has_noted() {
    check::<(History<Shop>, EntityId<Shop>)>(
        |shop| (shop.record(), shop.create_with(Price(0)).id()),
        &[
            |shop, (history, id), count| {
                for n in 0..count as u32 {
                    shop.entity_mut(*id).replace_price(n);
                    history.checksum(shop);
                }
            },
            |shop, (history, _), _| {
                let last = history.mark(shop);
                history.forget_before(shop, last);
            },
        ],
    );
}

/// A history, and an index that it follows.
type Indexed = (History<Shop>, EntityIndex<Shop, u32>);

/// Buckets stay while steps are recorded that are about them, so it holds more afterwards.
#[test]
fn marks_while_an_index_is_to_be_looked_up() {
    let _alone = alone();
    let mut shop = Shop::new();
    let mut things = (shop.record(), by_price(&mut shop));
    let steps: [Step<Indexed>; 5] = [
        |shop, _, count| create(shop, count),
        |shop, (history, _), _| _ = history.mark(shop),
        |shop, (_, index), _| _ = index.get(shop, &3).count(),
        |shop, _, _| reprice(shop),
        |shop, (history, _), _| _ = history.mark(shop),
    ];
    walk(&mut shop, &mut things, &steps, COUNT);
}

/// Few of many entries, which stay for a while.
#[test]
fn entries_that_a_history_has_forgotten() {
    const ENTRY: usize = 12; // at least
    let _alone = alone();
    let mut shop = Shop::new();
    let (history, _, id) = recorded(&mut shop);
    let reprice = |shop: &mut Shop, price: u32, count: usize| {
        (0..count).for_each(|_| _ = shop.entity_mut(id).replace_price(price));
        history.mark(shop)
    };
    let mark = reprice(&mut shop, 7, COUNT);
    reprice(&mut shop, 9, 4 * COUNT);
    shop.storage_mut().shrink_to_fit();
    let [before, _] = held(&shop);
    history.forget_before(&mut shop, mark);
    shop.storage_mut().shrink_to_fit();
    let given_back = before - held(&shop)[0];
    assert!(given_back >= COUNT * (ENTRY + size_of::<Price>()));
    shop.entity_mut(id).replace_price(8);
    history.rewind(&mut shop, mark);
    assert_eq!(shop.entity(id).price().0, 7);
    let last = history.mark(&mut shop);
    assert_eq!(history.rewind(&mut shop, last), 0);
}

/// What could be done again is cut off by a change, and dropped by the next mark.
#[test]
fn values_that_are_cut_off() {
    check::<(History<Shop>, EntityId<Shop>)>(
        |shop| {
            let shared = Shared(Arc::new(()));
            (shop.record(), shop.create_with((Price(0), shared)).id())
        },
        &[
            |shop, (history, id), count| {
                let mark = history.mark(shop);
                for _ in 0..count {
                    shop.entity_mut(*id)
                        .update(|shared: &mut Shared| _ = Arc::strong_count(&shared.0));
                }
                history.rewind(shop, mark);
            },
            |shop, (_, id), _| _ = shop.entity_mut(*id).replace_price(1),
            |shop, (history, _), _| {
                shop.storage_mut().shrink_to_fit();
                let last = history.mark(shop);
                history.forget_before(shop, last);
            },
        ],
    );
}

/// What a history holds after values of a component have been undone and cut off.
fn held_when_cut<T: Component<Shop> + Clone>(value: T) -> usize {
    let mut shop = Shop::new();
    let id = shop.create_with(Price(0)).id();
    shop.entity_mut(id).add(value);
    let history = shop.record();
    let mark = history.mark(&mut shop);
    (0..COUNT).for_each(|_| _ = shop.entity_mut(id).update(|_: &mut T| ()));
    history.rewind(&mut shop, mark);
    shop.storage_mut().shrink_to_fit();
    shop.entity_mut(id).replace_price(1);
    shop.storage_mut().shrink_to_fit();
    shop.storage().memory().history
}

/// Plain values need not be dropped, and are not kept for that.
#[test]
fn values_that_are_cut_off_take_no_spare_room() {
    let _alone = alone();
    const LIST: usize = 128; // at most
    let more = held_when_cut(Shared(Arc::new(()))) - held_when_cut(Weight(0));
    let values = COUNT * size_of::<Shared>();
    assert!((values..values + LIST).contains(&more), "{more} bytes");
}

/// Those who end are told first, and ask for the end of another one each.
#[test]
fn ends_that_wait() {
    thread_local!(static FIRST: Cell<bool> = const { Cell::new(true) });
    check::<()>(
        |shop| {
            shop.observers().on_will_be_destroyed(|shop, _| {
                if FIRST.replace(false) {
                    shop.destroy_all();
                }
            });
        },
        &[
            |shop, (), count| create(shop, count),
            |shop, (), _| {
                FIRST.set(true);
                let first = shop.entities().next().map(|entity| entity.id());
                shop.destroy(first.expect("one"));
            },
            |shop, (), _| shop.destroy_all(),
        ],
    );
}

/// What is allocated and told more by `act`, which is one and the same.
#[track_caller]
fn assert_told(shop: &mut Shop, act: impl FnOnce(&mut Shop)) {
    let before = held(shop);
    act(shop);
    let after = held(shop);
    let [counted, told] = [0, 1].map(|at| after[at].wrapping_sub(before[at]) as isize);
    assert_eq!(counted, told);
}

#[test]
fn changes_that_wait_to_be_told() {
    let _alone = alone();
    let mut shop = Shop::new();
    let group = shop.group(Shop::all_of::<Price>());
    let id = shop.create_with(Price(1)).id();
    group.on_updated(&mut shop, |_, _| ());
    group.on_updated(&mut shop, |_, _| ());
    shop.on_message(move |shop: &mut Shop, _: &u8| {
        for n in 0..COUNT as u32 {
            assert_told(shop, |shop| _ = shop.entity_mut(id).replace_price(n));
        }
    });
    shop.send(1_u8);
}

#[test]
fn gaps_of_observers_that_have_ended() {
    let _alone = alone();
    let mut shop = Shop::new();
    let mut last: Option<Subscription> = None;
    let (hand, take) = std::sync::mpsc::channel::<Subscription>();
    let take = std::sync::Mutex::new(take);
    shop.on_message(move |shop: &mut Shop, _: &u8| {
        let other = take.lock().expect("one").recv().expect("one");
        assert_told(shop, |shop| _ = shop.unsubscribe(other));
    });
    last.replace(shop.on_message(|_: &mut Shop, _: &u8| ()));
    hand.send(last.take().expect("one")).expect("one");
    shop.send(1_u8);
}

/// Rows that have been moved, and rows that came later: as many bytes for each slot.
#[test]
fn the_order_of_rows_takes_no_spare_room() {
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

/// Entities of two signatures in turns.
fn interleave(shop: &mut Shop, count: usize) {
    for n in 0..count as u32 {
        shop.create_with(Price(n)).set_sold(n % 2 == 0);
    }
}

/// The list of the other one is numbered anew.
#[test]
fn a_listener_goes_on_when_an_earlier_one_was_given_back() {
    let _alone = alone();
    let mut shop = Shop::new();
    let ids = [1, 2].map(|n| shop.create_with(Price(n)).id());
    let heard = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    for id in ids {
        let heard = heard.clone();
        shop.entity_mut(id).on_set::<Weight>(move |_| {
            heard.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
    }
    shop.destroy(ids[0]);
    shop.events().deliver();
    shop.storage_mut().shrink_to_fit();
    shop.entity_mut(ids[1]).add(Weight(1));
    shop.events().deliver();
    assert_eq!(heard.load(std::sync::atomic::Ordering::Relaxed), 1);
}

/// Of so many that a word has no room for the last one.
#[test]
fn the_last_of_many_collectors_collects_updates() {
    let _alone = alone();
    let mut shop = Shop::new();
    let others: Vec<_> = (0..64)
        .map(|_| shop.collector(Shop::all_of::<Weight>().entered()))
        .collect();
    let last = shop.collector(Shop::all_of::<Price>().updated());
    let _history = shop.record(); // which follows, too
    let id = shop.create_with(Price(1)).id();
    shop.entity_mut(id).replace_price(2);
    assert_eq!(last.len(&shop), 1);
    assert!(others.iter().all(|other| other.is_empty(&shop)));
}

/// Of an index that is the first one of its context.
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

/// An entity with each of so many sets of components.
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
fn signatures_that_nobody_has_any_more() {
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

/// A key function that panics leaves a batch of entities to be asked again.
#[test]
fn a_batch_that_a_panic_has_left() {
    thread_local!(static FAILS: Cell<bool> = const { Cell::new(false) });
    let _alone = alone();
    let mut shop = Shop::new();
    let index = shop.entity_index(Shop::all_of::<Price>(), |entity| {
        assert!(!FAILS.get(), "on purpose");
        entity.price().0
    });
    let mut things = (shop.record(), index);
    let steps: [Step<Indexed>; 4] = [
        |shop, _, count| create(shop, count),
        |shop, _, _| {
            FAILS.set(true);
            let hook = panic::take_hook();
            panic::set_hook(Box::new(|_| ()));
            let fails = panic::catch_unwind(AssertUnwindSafe(|| reprice(shop)));
            panic::set_hook(hook);
            FAILS.set(false);
            assert!(fails.is_err());
        },
        |shop, (history, _), _| _ = history.mark(shop),
        |shop, _, _| reprice(shop),
    ];
    walk(&mut shop, &mut things, &steps, COUNT);
}

/// The rows that a collector has are those of other entities afterwards.
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

/// A value that waited until observers had been told.
#[test]
fn a_value_that_was_replaced_while_others_are_told_is_pooled() {
    let _alone = alone();
    let mut shop = Shop::new();
    let notes = shop.group(Shop::all_of::<Note>());
    notes.on_updated(&mut shop, |_, _| ());
    let id = shop.create_with(Note(1)).id();
    shop.on_message(move |shop: &mut Shop, _: &u8| _ = shop.entity_mut(id).replace(Note(2)));
    shop.send(1_u8);
    assert_eq!(shop.storage().pooled::<Note>(), 1);
}

/// Gives entities of a shop, by row, large values.
fn illustrate(shop: &mut Shop, rows: impl IntoIterator<Item = usize>) {
    let ids: Vec<_> = shop.entities().map(|entity| entity.id()).collect();
    for row in rows {
        shop.entity_mut(ids[row]).add(Picture([0; 32]));
    }
}

/// How many rows share a block of memory.
const ROWS: usize = 64;

/// Large values of which each block of rows has one, each at another place, share the memory of one block.
#[test]
fn blocks_that_share_memory_take_no_spare_room_for_that() {
    let _alone = alone();
    let of = |first: usize| {
        let mut shop = Shop::new();
        let before = allocated();
        create(&mut shop, 21 * ROWS);
        illustrate(&mut shop, (0..first).map(|at| at * ROWS + at));
        shop.storage_mut().shrink_to_fit();
        illustrate(&mut shop, (first..21).map(|at| at * ROWS + at));
        shop.storage_mut().shrink_to_fit();
        allocated() - before
    };
    assert_eq!(of(20), of(21));
}

/// Four blocks fit into the memory of two, if those go together that are together; in the order of their
/// rows they would take three.
#[test]
fn blocks_that_share_memory_take_no_more_of_it_when_packed() {
    let _alone = alone();
    let mut shop = Shop::new();
    create(&mut shop, 12 * ROWS);
    let at = |block: usize, place: usize| block * ROWS + place;
    let together = [at(1, 2), at(3, 1), at(3, 6)];
    let others = [at(2, 1), at(4, 2), at(4, 6)];
    illustrate(&mut shop, together.into_iter().chain(others));
    illustrate(&mut shop, at(8, 0)..at(12, 0));
    let full: Vec<_> = shop.entities().skip(at(8, 0)).map(|entity| entity.id()).collect();
    shop.many(&full).remove::<Picture>();
    shop.storage_mut().shrink_to_fit();
    let memory = shop.storage().memory();
    let pictures = memory.components().iter().find(|one| one.name() == "Picture");
    let blocks = pictures.expect("it has values").bytes / (ROWS * size_of::<Picture>());
    assert_eq!(blocks, 2);
}
