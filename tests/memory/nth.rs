//! Each allocation in turn is rejected, by itself and once (F34): the first, the second, and so on
//! until a program needs no more. What is asked for in advance is rejected and has changed nothing;
//! elsewhere the program ends by `abort`, or does without and goes on whole.
//!
//! Each case is a process of its own, for most of them do not end well.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{self, Command, Output, exit};

use ecs::prelude::*;

use super::allocator::rejecting;
use super::kinds::{Inside, Note, Picture, Price, Shelf, Shop, ShopEntity, Sold, Tags, Weight};
use super::resources::scaled;
use super::{alone, has_aborted};

type Id = EntityId<Shop>;

/// Which allocation is to be rejected.
const NTH: &str = "ECS_TEST_NTH_ALLOCATION";

/// How a process ends in which there were not as many allocations.
const WENT_THROUGH: i32 = 77;

/// What has become of a process.
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

/// Which allocation this process is to be rejected, if it is one of those that are.
fn nth() -> Option<usize> {
    let said = env::var(NTH).ok()?;
    Some(said.parse().unwrap())
}

/// Runs a test of this module in processes of its own, in each of which an allocation is rejected,
/// from the first on in these steps, until one has needed no more; returns how the others have
/// ended.
fn reject(test: &str, first: usize, step: usize) -> Vec<End> {
    let run = |nth: usize| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", &format!("nth::{test}")]);
        command.env(NTH, nth.to_string()).env("RUST_BACKTRACE", "0");
        End::of(&command.output().unwrap(), nth)
    };
    let ends = (first..).step_by(step).map(run);
    ends.take_while(|end| *end != End::WentThrough).collect()
}

/// Two entities of which each value is known.
fn small_shop() -> (Shop, [Id; 2]) {
    let mut shop = Shop::new();
    shop.group(Shop::all_of::<Price>());
    let ids = [0, 1].map(|n| shop.create_with((Price(n), Shelf(n))).id());
    (shop, ids)
}

/// All that there is to be seen of them.
fn picture(shop: &Shop) -> Vec<(Id, u32, u32)> {
    let picture = |it: ShopEntity<'_>| (it.id(), it.price().0, it.shelf().0);
    shop.entities().map(picture).collect()
}

/// What makes room in advance.
const RESERVE: [fn(&mut Shop); 6] = [
    |shop| shop.storage_mut().reserve_entities(10_000),
    |shop| shop.storage_mut().reserve::<Price>(10_000),
    |shop| shop.storage_mut().reserve::<Picture>(1_000),
    |shop| shop.storage_mut().reserve::<Note>(1_000),
    |shop| shop.storage_mut().reserve::<Shelf>(1),
    |shop| shop.storage_mut().reserve::<Sold>(1_000_000),
];

/// Has one allocation of a reservation rejected; returns whether it needed as many.
fn reserve_without(nth: usize, reserve: fn(&mut Shop)) -> bool {
    let (mut shop, ids) = small_shop();
    let before = (picture(&shop), shop.storage().memory());
    let attempt = || catch_unwind(AssertUnwindSafe(|| reserve(&mut shop)));
    let (result, is_rejected) = rejecting(nth, attempt);
    assert_eq!(result.is_err(), is_rejected, "number {nth} was rejected");
    if let Err(panic) = result {
        let notified = panic.downcast::<String>().unwrap();
        assert!(
            notified.contains("memory has no room for them"),
            "{notified}"
        );
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

/// F34: whichever allocation of a reservation fails, it is rejected with a message, nothing has
/// changed, and the same reservation succeeds afterwards.
#[test]
fn a_reservation_is_rejected_whichever_allocation_fails() {
    let _alone = alone();
    if let Some(nth) = nth() {
        let rejected = RESERVE.map(|reserve| reserve_without(nth, reserve));
        exit(if rejected.contains(&true) {
            0
        } else {
            WENT_THROUGH
        });
    }
    let ends = reject("a_reservation_is_rejected_whichever_allocation_fails", 1, 1);
    assert!(ends.iter().all(|end| *end == End::WentOn), "{ends:?}");
    assert!(ends.len() >= 4, "{ends:?}");
}

/// Follows a shop in every way.
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

/// F34: whichever allocation fails, the program ends at once as a program does that has no memory
/// left, with a message and `abort`; or it has no need of it, and goes on as if nothing had been.
/// Each run tries another tenth of the allocations, and all of them where `ECS_TEST_RESOURCES` is
/// 10 or more.
#[test]
fn a_program_ends_by_abort_or_goes_on_whole_whichever_allocation_fails() {
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
    let test = "a_program_ends_by_abort_or_goes_on_whole_whichever_allocation_fails";
    let ends = reject(test, first, step);
    let aborted = ends.iter().filter(|end| **end == End::Aborted).count();
    assert!(aborted > 50 && aborted < ends.len(), "{ends:?}");
}
