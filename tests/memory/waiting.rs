//! Pending notifications and their receivers: each byte is reported at every step, and saving
//! memory loses no notification.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use ecs::Subscription;
use ecs::prelude::*;

use super::alone;
use super::kinds::{Note, Price, Shop, Weight};
use super::many::held;
use super::used::{COUNT, check, create};

/// The observer of each destroyed entity requests the destroy of another one.
#[test]
fn pending_destroys() {
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

/// All bytes allocated by `act` are reported.
#[track_caller]
fn assert_reported(shop: &mut Shop, act: impl FnOnce(&mut Shop)) {
    let before = held(shop);
    act(shop);
    let after = held(shop);
    let [counted, reported] = [0, 1].map(|at| after[at].wrapping_sub(before[at]) as isize);
    assert_eq!(counted, reported);
}

#[test]
fn changes_with_pending_notifications() {
    let _alone = alone();
    let mut shop = Shop::new();
    let group = shop.group(Shop::all_of::<Price>());
    let id = shop.create_with(Price(1)).id();
    group.on_updated(&mut shop, |_, _| ());
    group.on_updated(&mut shop, |_, _| ());
    shop.on_message(move |shop: &mut Shop, _: &u8| {
        for n in 0..COUNT as u32 {
            assert_reported(shop, |shop| _ = shop.entity_mut(id).replace_price(n));
        }
    });
    shop.send(1_u8);
}

#[test]
fn gaps_of_removed_observers() {
    let _alone = alone();
    let mut shop = Shop::new();
    let (hand, take) = channel::<Subscription>();
    let take = Mutex::new(take);
    shop.on_message(move |shop: &mut Shop, _: &u8| {
        let other = take.lock().expect("one").recv().expect("one");
        assert_reported(shop, |shop| _ = shop.unsubscribe(other));
    });
    let last = shop.on_message(|_: &mut Shop, _: &u8| ());
    hand.send(last).expect("it is expected");
    shop.send(1_u8);
}

/// The list of the other listener gets a new number.
#[test]
fn a_listener_stays_when_an_earlier_list_is_freed() {
    let _alone = alone();
    let mut shop = Shop::new();
    let ids = [1, 2].map(|n| shop.create_with(Price(n)).id());
    let heard = Arc::new(AtomicUsize::new(0));
    for id in ids {
        let heard = heard.clone();
        shop.entity_mut(id).on_set::<Weight>(move |_| {
            heard.fetch_add(1, Ordering::Relaxed);
        });
    }
    shop.destroy(ids[0]);
    shop.events().deliver();
    shop.storage_mut().shrink_to_fit();
    shop.entity_mut(ids[1]).add(Weight(1));
    shop.events().deliver();
    assert_eq!(heard.load(Ordering::Relaxed), 1);
}

/// The last of more collectors than a word has bits.
#[test]
fn the_last_of_many_collectors_collects_updates() {
    let _alone = alone();
    let mut shop = Shop::new();
    let others: Vec<_> = (0..64)
        .map(|_| shop.collector(Shop::all_of::<Weight>().entered()))
        .collect();
    let last = shop.collector(Shop::all_of::<Price>().updated());
    let _history = shop.record(); // which records, too
    let id = shop.create_with(Price(1)).id();
    shop.entity_mut(id).replace_price(2);
    assert_eq!(last.len(&shop), 1);
    assert!(others.iter().all(|other| other.is_empty(&shop)));
}

/// A value that waited until observers were notified.
#[test]
fn a_value_that_was_replaced_while_others_are_notified_is_pooled() {
    let _alone = alone();
    let mut shop = Shop::new();
    let notes = shop.group(Shop::all_of::<Note>());
    notes.on_updated(&mut shop, |_, _| ());
    let id = shop.create_with(Note(1)).id();
    shop.on_message(move |shop: &mut Shop, _: &u8| _ = shop.entity_mut(id).replace(Note(2)));
    shop.send(1_u8);
    assert_eq!(shop.storage().pooled::<Note>(), 1);
}
