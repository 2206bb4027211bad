//! Long-lived handles and lists: each byte they hold is reported at every step, and once they are
//! read and emptied, `shrink_to_fit` shrinks them to their initial size.

use ecs::prelude::*;
use ecs::{Feed, History, Messages, RemovedValues};

use super::allocator::allocated;
use super::alone;
use super::kinds::{Price, Shelf, Shop, Weight};
use super::many::held;

/// The number of entities, messages or handles created and removed.
pub(super) const COUNT: usize = 300;

/// A step of work with long-lived things; the number is how often it repeats.
pub(super) type Step<T> = fn(&mut Shop, &mut T, usize);

/// The bytes allocated and not reported: they belong to the user.
fn users(shop: &Shop) -> usize {
    let [allocated, reported] = held(shop);
    allocated - reported
}

/// Takes the steps with these things; each byte is reported after each step.
#[track_caller]
pub(super) fn walk<T>(shop: &mut Shop, things: &mut T, steps: &[Step<T>], count: usize) {
    let before = users(shop);
    for (n, step) in steps.iter().enumerate() {
        step(shop, things, count);
        assert_eq!(users(shop), before, "not reported after step {n}");
    }
    shop.storage_mut().shrink_to_fit();
}

/// Checks that the result of `make` holds no more after many repetitions of these steps than after
/// few.
#[track_caller]
pub(super) fn check<T>(make: impl FnOnce(&mut Shop) -> T, steps: &[Step<T>]) {
    let _alone = alone();
    let mut shop = Shop::new();
    create(&mut shop, 2 * COUNT); // slots stay
    shop.destroy_all();
    let mut things = make(&mut shop);
    walk(&mut shop, &mut things, steps, 2);
    let new = held(&shop);
    walk(&mut shop, &mut things, steps, COUNT);
    assert_eq!(held(&shop), new, "what it holds after many and after few");
}

/// Checks that after `fill` the result of `make` holds `bytes` more than when it was new, without
/// spare capacity.
#[track_caller]
fn check_full<T>(make: fn(&mut Shop) -> T, fill: Step<T>, empty: Step<T>, bytes: usize) {
    let _alone = alone();
    let mut shop = Shop::new();
    let mut things = make(&mut shop);
    walk(&mut shop, &mut things, &[fill, empty], COUNT);
    let new = held(&shop);
    fill(&mut shop, &mut things, COUNT);
    shop.storage_mut().shrink_to_fit();
    assert_eq!(held(&shop), new.map(|held| held + bytes));
}

pub(super) fn create(shop: &mut Shop, count: usize) {
    shop.create_many((0..count as u32).map(Price));
}

pub(super) fn reprice(shop: &mut Shop) {
    let query = shop.query_mut::<&mut Price>();
    query.for_each(|price| price.0 += 1);
}

fn changed(shop: &mut Shop) -> Collector<Shop> {
    shop.collector(Shop::all_of::<Price>().any_change())
}

/// A list with the first of many, and capacity for the others.
fn with_room<T>(first: T) -> Vec<T> {
    let mut all = Vec::with_capacity(COUNT);
    all.push(first);
    all
}

/// Checks that the first of many handles stays usable.
#[track_caller]
fn check_one_of_many<T>(make: fn(&mut Shop) -> T) {
    check::<(fn(&mut Shop) -> T, Vec<T>)>(
        |shop| {
            let first = make(shop);
            (make, with_room(first))
        },
        &[|shop, (make, all), count| {
            all.resize_with(count, || make(shop));
            all.truncate(1);
        }],
    );
}

/// Every byte of a new context is reported.
#[test]
fn a_context_without_anything() {
    let _alone = alone();
    drop(Shop::new()); // allocates what a program allocates once
    let before = allocated();
    let shop = Shop::new();
    assert_eq!(allocated() - before, shop.storage().memory().total());
}

#[test]
fn a_collector_that_has_been_released() {
    let _alone = alone();
    let mut shop = Shop::new();
    let (first, second) = (changed(&mut shop), changed(&mut shop));
    for n in 0..COUNT as u32 {
        shop.create_with(Price(n)); // kept as a list
    }
    first.clear(&mut shop);
    reprice(&mut shop); // kept as rows
    let before = shop.storage().memory().collectors;
    first.release(&mut shop);
    let given_back = before - shop.storage().memory().collectors;
    let list = COUNT * size_of::<EntityId<Shop>>();
    let rows = COUNT.div_ceil(64) * size_of::<u64>();
    assert!(given_back >= list + rows, "{given_back} bytes");
    second.clear(&mut shop);
}

#[test]
fn the_rows_that_a_query_has_drained() {
    let _alone = alone();
    let mut shop = Shop::new();
    let changed = changed(&mut shop);
    create(&mut shop, COUNT);
    changed.clear(&mut shop);
    shop.storage_mut().shrink_to_fit();
    let before = held(&shop);
    reprice(&mut shop);
    drop(shop.query_mut::<&Price>().drained_from(&changed));
    assert!(held(&shop) > before);
    shop.storage_mut().shrink_to_fit();
    assert_eq!(held(&shop), before);
}

#[test]
fn a_collector_that_a_query_drains() {
    check::<Collector<Shop>>(
        changed,
        &[
            |shop, _, count| create(shop, count),
            |shop, changed, _| drop(shop.query_mut::<&Price>().drained_from(changed)),
            |shop, _, _| reprice(shop),
            |shop, changed, _| drop(shop.query_mut::<&Price>().drained_from(changed)),
            |shop, _, _| shop.destroy_all(),
            |shop, changed, _| changed.clear(shop),
        ],
    );
}

#[test]
fn one_collector_of_many_that_stays() {
    check::<Vec<Collector<Shop>>>(
        |shop| with_room(changed(shop)),
        &[
            |shop, all, count| all.resize_with(count, || changed(shop)),
            |shop, all, count| {
                create(shop, count);
                all.truncate(1);
            },
            |shop, _, _| shop.storage_mut().shrink_to_fit(),
            |shop, all, _| {
                shop.destroy_all();
                all[0].clear(shop);
            },
        ],
    );
}

/// A new collector uses the first free slot, so that few slots are left when others are dropped.
#[test]
fn free_slots_between_collectors() {
    check::<Vec<Collector<Shop>>>(
        |shop| with_room(changed(shop)),
        &[
            |shop, all, count| all.resize_with(count, || changed(shop)),
            |shop, all, count| {
                all.drain(1..count - 1);
                shop.storage_mut().shrink_to_fit();
            },
            |shop, all, _| {
                let second = changed(shop);
                all[1] = second; // the last slot is free
                shop.storage_mut().shrink_to_fit();
                let reported = shop.storage().memory().collectors;
                assert!(reported < 1_000, "{reported} bytes for two collectors");
            },
            |_, all, _| all.truncate(1),
        ],
    );
}

#[test]
fn listeners_of_entities_that_have_ended() {
    check(
        |shop| {
            shop.events().warn_of_undelivered(false);
            shop.events().clear_listeners();
            shop.events().on_set::<Price>(|_| ()); // because an emptied map keeps a node
        },
        &[
            |shop, (), count| {
                for n in 0..count.min(10) {
                    let mut seen = [n]; // few enough for the exact size of their map
                    shop.create_with(Price(1))
                        .on_set::<Weight>(move |_| seen[0] += 1);
                }
            },
            |shop, (), _| shop.destroy_all(),
            |shop, (), _| _ = shop.events().deliver(),
        ],
    );
}

#[test]
fn observers_of_several_kinds() {
    check(
        |shop| _ = shop.group(Shop::all_of::<Price>()),
        &[
            |shop, (), _| {
                shop.on_message(|_: &mut Shop, _: &u8| ());
                shop.on_message(|_: &mut Shop, _: &u16| ());
                shop.on_message(|_: &mut Shop, _: &u32| ());
            },
            |shop, (), _| shop.observers().clear(),
        ],
    );
}

#[test]
fn inboxes_that_are_read() {
    check::<[Inbox<Shop, u64>; 3]>(
        |shop| [(); 3].map(|()| shop.inbox::<u64>()),
        &[
            |shop, _, count| (0..count as u64).for_each(|n| shop.send(n)),
            |shop, inboxes, _| drop(inboxes[0].drain(shop)),
            |shop, _, count| (0..count as u64).for_each(|n| shop.send(n)),
            |shop, inboxes, _| inboxes.iter().for_each(|inbox| drop(inbox.drain(shop))),
        ],
    );
}

#[test]
fn an_inbox_that_reuses_the_memory_of_its_messages() {
    check::<([Inbox<Shop, u64>; 2], Messages<u64>)>(
        |shop| ([(); 2].map(|()| shop.inbox::<u64>()), Messages::new()),
        &[|shop, (inboxes, read), count| {
            for n in 0..count as u64 {
                shop.send(n);
                drop(inboxes[0].drain(shop));
            }
            inboxes[1].drain_into(shop, read); // the user now has the list of batches
            read.clear();
            inboxes[1].drain_into(shop, read); // and now the inbox again
        }],
    );
}

#[test]
fn one_collector_of_many() {
    check_one_of_many(changed);
}

#[test]
fn one_inbox_of_many() {
    check_one_of_many(|shop| shop.inbox::<u64>());
}

#[test]
fn one_feed_of_many() {
    check_one_of_many(|shop| shop.feed::<Price>());
}

#[test]
fn one_list_of_removed_values_of_many() {
    check_one_of_many(|shop| shop.removed_values::<Price>());
}

#[test]
fn one_index_of_many() {
    let index = |shop: &mut Shop| shop.entity_index(Shop::all_of::<Price>(), |e| e.price().0);
    check_one_of_many(index);
}

/// One entity keeps its listener, the others are created and destroyed.
#[test]
fn one_listener_of_many() {
    check(
        |shop| _ = shop.create_with(Price(1)).on_set::<Weight>(|_| ()),
        &[|shop, (), count| {
            let ids = shop.create_many((0..count as u32).map(Price));
            for &id in &ids {
                shop.entity_mut(id).on_set::<Weight>(|_| ());
            }
            shop.many(&ids).destroy();
            shop.events().deliver();
        }],
    );
}

#[test]
fn a_history_that_is_forgotten() {
    check::<(History<Shop>, EntityId<Shop>)>(
        |shop| (shop.record(), shop.create_with(Price(0)).id()),
        &[|shop, (history, id), count| {
            for _ in 0..count {
                shop.entity_mut(*id).update_price(|price| price.0 += 1);
                history.mark(shop);
            }
            let last = history.mark(shop);
            history.forget_before(shop, last);
        }],
    );
}

#[test]
fn changes_after_a_dropped_history() {
    let _alone = alone();
    let mut shop = Shop::new();
    let id = shop.create_with((Price(0), Shelf(0))).id();
    drop(shop.record());
    let round = |shop: &mut Shop| {
        for n in 0..COUNT as u32 {
            shop.entity_mut(id).replace_shelf(n).replace_price(n);
        }
        allocated()
    };
    let first = round(&mut shop);
    assert_eq!(round(&mut shop), first);
}

#[test]
fn a_feed_of_entities_that_have_ended() {
    check::<Feed<Shop>>(
        |shop| shop.feed::<Price>(),
        &[
            |shop, _, count| create(shop, count),
            |shop, feed, _| drop(feed.take(shop)),
            |shop, _, _| shop.destroy_all(),
            |shop, feed, _| drop(feed.take(shop)),
        ],
    );
}

#[test]
fn unread_removed_values_have_no_spare_capacity() {
    check_full::<RemovedValues<Shop, Price>>(
        |shop| shop.removed_values::<Price>(),
        |shop, _, count| {
            create(shop, count);
            shop.destroy_all();
        },
        |shop, lost, _| lost.clear(shop),
        COUNT * size_of::<(EntityId<Shop>, Price)>(),
    );
}

#[test]
fn unread_messages_have_no_spare_capacity() {
    check_full::<Inbox<Shop, u64>>(
        |shop| shop.inbox::<u64>(),
        |shop, _, count| (0..count as u64).for_each(|n| shop.send(n)),
        |shop, inbox, _| drop(inbox.drain(shop)),
        COUNT * size_of::<u64>(),
    );
}

#[test]
fn unread_changes_of_a_feed_have_no_spare_capacity() {
    const NODE: usize = 16; // of the list of changes, in bytes
    check_full::<[Feed<Shop>; 2]>(
        |shop| {
            create(shop, COUNT);
            [(); 2].map(|()| shop.feed::<Price>())
        },
        |shop, feeds, _| {
            reprice(shop);
            drop(feeds[0].take(shop));
        },
        |shop, feeds, _| feeds.iter().for_each(|feed| drop(feed.take(shop))),
        COUNT * NODE,
    );
}
