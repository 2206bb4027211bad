//! Each single allocation fails in turn (F34): the first, the second, and so on until a program
//! needs no more. A reservation returns an error and changes nothing; elsewhere the program aborts,
//! or continues correctly without the memory.
//!
//! Each case runs in a separate process, because most of them abort.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{self, Output, exit};

use ecs::prelude::*;
use support::this_program;

use super::allocator::rejecting;
use super::kinds::{Inside, Note, Picture, Price, Shelf, Shop, ShopEntity, Sold, Tags, Weight};
use super::resources::scaled;
use super::{alone, has_aborted};

type Id = EntityId<Shop>;

/// The variable with the number of the failing allocation.
const NTH: &str = "ECS_TEST_NTH_ALLOCATION";

/// The exit code of a process that made fewer allocations.
const WENT_THROUGH: i32 = 77;

/// How a process ended.
#[derive(Debug, PartialEq)]
enum End {
    Aborted,
    WentOn,
    WentThrough,
}

impl End {
    fn of(output: &Output, nth: usize) -> Self {
        match output.status.code() {
            Some(0) => Self::WentOn,
            Some(WENT_THROUGH) => Self::WentThrough,
            _ if has_aborted(output) => Self::Aborted,
            _ => panic!("without allocation number {nth}: {output:?}"),
        }
    }
}

/// The number of the failing allocation, if this process has one.
fn nth() -> Option<usize> {
    let said = env::var(NTH).ok()?;
    Some(said.parse().unwrap())
}

/// Runs a test of this module in processes with one failing allocation each, starting at `first` in
/// steps of `step`, until a process needs fewer; returns how the others ended.
fn reject(test: &str, first: usize, step: usize) -> Vec<End> {
    let run = |nth: usize| {
        let mut command = this_program();
        command.args(["--exact", &format!("nth::{test}")]);
        command.env(NTH, nth.to_string()).env("RUST_BACKTRACE", "0");
        End::of(&command.output().unwrap(), nth)
    };
    let ends = (first..).step_by(step).map(run);
    ends.take_while(|end| *end != End::WentThrough).collect()
}

/// Two entities with known values.
fn small_shop() -> (Shop, [Id; 2]) {
    let mut shop = Shop::new();
    shop.group(Shop::all_of::<Price>());
    let ids = [0, 1].map(|n| shop.create_with((Price(n), Shelf(n))).id());
    (shop, ids)
}

/// The visible state of both.
fn picture(shop: &Shop) -> Vec<(Id, u32, u32)> {
    let picture = |it: ShopEntity<'_>| (it.id(), it.price().0, it.shelf().0);
    shop.entities().map(picture).collect()
}

/// The calls that reserve memory.
const RESERVE: [fn(&mut Shop); 6] = [
    |shop| shop.storage_mut().reserve_entities(10_000),
    |shop| shop.storage_mut().reserve::<Price>(10_000),
    |shop| shop.storage_mut().reserve::<Picture>(1_000),
    |shop| shop.storage_mut().reserve::<Note>(1_000),
    |shop| shop.storage_mut().reserve::<Shelf>(1),
    |shop| shop.storage_mut().reserve::<Sold>(1_000_000),
];

/// Makes one allocation of a reservation fail; returns whether it needed that many.
fn reserve_without(nth: usize, reserve: fn(&mut Shop)) -> bool {
    let (mut shop, ids) = small_shop();
    let before = (picture(&shop), shop.storage().memory());
    let attempt = || catch_unwind(AssertUnwindSafe(|| reserve(&mut shop)));
    let (result, is_rejected) = rejecting(nth, attempt);
    assert_eq!(result.is_err(), is_rejected, "number {nth} was rejected");
    if let Err(panic) = result {
        let message = panic.downcast::<String>().unwrap();
        assert!(message.contains("memory has no room for them"), "{message}");
        assert_eq!((picture(&shop), shop.storage().memory()), before);
    }
    shop.storage().check_invariants();
    reserve(&mut shop);
    shop.entity_mut(ids[0])
        .replace(Price(7))
        .add(Picture([1; 32]));
    shop.create_many((0..100).map(Price));
    shop.storage().check_invariants();
    assert_eq!((shop.len(), shop.entity(ids[0]).price().0), (102, 7));
    is_rejected
}

/// F34: if any allocation of a reservation fails, it is rejected with a message, nothing changes,
/// and the same reservation succeeds afterwards.
#[test]
fn a_reservation_is_rejected_if_any_allocation_fails() {
    let _alone = alone();
    if let Some(nth) = nth() {
        let rejected = RESERVE.map(|reserve| reserve_without(nth, reserve));
        exit(if rejected.contains(&true) {
            0
        } else {
            WENT_THROUGH
        });
    }
    let ends = reject("a_reservation_is_rejected_if_any_allocation_fails", 1, 1);
    assert!(ends.iter().all(|end| *end == End::WentOn), "{ends:?}");
    assert!(ends.len() >= 4, "{ends:?}");
}

/// A shop with every kind of subscriber.
fn followed() -> (Shop, Vec<Box<dyn std::any::Any>>) {
    let mut shop = Shop::new();
    let priced = shop.group(Shop::all_of::<(Price, Weight)>().none_of::<Sold>());
    priced.on_entered(&mut shop, |shop, change| {
        let id = change.entity();
        shop.entity_mut(id).add(Note(1));
    });
    priced.on_left(&mut shop, |shop, _| _ = shop.create_with(Picture([1; 32])));
    shop.events()
        .on_set::<Price>(|mut entity| _ = entity.set_sold(true));
    let by_price = shop.entity_index(Shop::all_of::<Price>(), |it| u64::from(it.price().0 / 3));
    let kept: Vec<Box<dyn std::any::Any>> = vec![
        Box::new(by_price),
        Box::new(shop.collector(Shop::all_of::<Price>().any_change())),
        Box::new(shop.removed_values::<Weight>()),
        Box::new(shop.inbox::<u64>()),
    ];
    (shop, kept)
}

/// Creates, changes and destroys entities in various ways.
fn trade(shop: &mut Shop) {
    let feed = shop.feed::<(Price, Weight)>();
    let chest = shop.create_entity().id();
    for n in 0..4 {
        let bundle = (Price(n), Weight(n.into()), Shelf(n / 2));
        let id = shop.create_with(bundle).id();
        shop.entity_mut(id)
            .add(Inside(chest))
            .add(Tags([n, n + 1, 50]));
        shop.send(u64::from(n));
    }
    shop.events().deliver();
    let ids = shop.create_many((0..66).map(|n| (Price(n), Picture([n.into(); 32]))));
    ids.iter().step_by(20).for_each(|id| shop.destroy(*id));
    let prices = shop.query_mut::<&mut Price>();
    prices.for_each(|price| price.0 += 1);
    drop((shop.snapshot(), feed.take(shop)));
    feed.release(shop);
    shop.destroy(chest);
    shop.storage_mut().shrink_to_fit();
}

/// Does something of each kind, after which no entity is left.
fn do_everything(shop: &mut Shop) {
    trade(shop);
    shop.defragment();
    shop.destroy_all();
    let history = shop.record();
    let start = history.mark(shop);
    trade(shop);
    history.rewind(shop, start);
    history.release(shop);
}

/// F34: if any allocation fails, the program either ends at once with a message and `abort`, or
/// does not need the memory and continues unaffected. Each run tries another tenth of the
/// allocations, or all of them if `ECS_TEST_RESOURCES` is 10 or more.
#[test]
fn a_program_aborts_or_continues_if_any_allocation_fails() {
    let _alone = alone();
    if let Some(nth) = nth() {
        let (mut shop, _kept) = followed();
        let ((), is_rejected) = rejecting(nth, || do_everything(&mut shop));
        shop.storage().check_invariants();
        assert!(shop.is_empty(), "{shop:?}");
        exit(if is_rejected { 0 } else { WENT_THROUGH });
    }
    let step = 10 / scaled(1).min(10) as usize;
    let first = 1 + process::id() as usize % step;
    let test = "a_program_aborts_or_continues_if_any_allocation_fails";
    let ends = reject(test, first, step);
    let aborted = ends.iter().filter(|end| **end == End::Aborted).count();
    assert!(aborted > 50 && aborted < ends.len(), "{ends:?}");
}
