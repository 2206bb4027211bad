//! The memory of a history: each byte is reported, including what was undone, cut off or forgotten,
//! and `shrink_to_fit` leaves no spare capacity.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use ecs::prelude::*;
use ecs::{History, Mark};
use wide::{EDGES, PARTS, Wide, part};

use super::allocator::{allocated, rejecting};
use super::alone;
use super::kinds::{Price, Shelf, Shop, ShopEntity, ShopEntityMut, Weight};
use super::many::held;
use super::parts::by_price;
use super::used::{COUNT, Step, check, create, reprice, walk};

/// A value with a drop, but without its own memory.
#[derive(Component, Clone)]
#[component(context = Shop)]
struct Shared(Arc<()>);

/// A history with a mark, and an entity that it concerns.
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
fn a_history_that_undoes_and_redoes() {
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
fn checksums_that_a_history_has_recorded() {
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

/// An entity that a rewind removed stays in the list of a collector with rewinds, because it may
/// come back.
#[test]
fn a_collector_with_rewinds_that_expects_undone_entities() {
    check::<(Recorded, Collector<Shop>)>(
        |shop| {
            let trigger = Shop::all_of::<Price>().any_change().with_rewinds();
            let collector = shop.collector(trigger);
            (recorded(shop), collector)
        },
        &[
            |shop, _, count| create(shop, count),
            |shop, ((history, mark, _), _), _| _ = history.rewind(shop, *mark),
            |shop, _, _| shop.storage_mut().shrink_to_fit(),
            |shop, (_, collector), _| collector.clear(shop),
            |shop, ((_, _, id), _), _| _ = shop.entity_mut(*id).replace_price(1),
            |shop, ((history, mark, _), collector), _| {
                collector.clear(shop);
                *mark = history.mark(shop);
                history.forget_before(shop, *mark);
            },
        ],
    );
}

/// A history, and an index that it records.
type Indexed = (History<Shop>, EntityIndex<Shop, u32>);

/// Buckets stay while recorded steps refer to them, so more memory is held afterwards.
#[test]
fn marks_while_an_index_has_pending_keys() {
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

/// A repeated rewind needs no new memory. (If this test fails, the process aborts for lack of
/// memory.)
#[test]
fn a_repeated_rewind_allocates_nothing() {
    let _alone = alone();
    let mut shop = Shop::new();
    let mut things = recorded(&mut shop);
    restock(&mut shop, &mut things, COUNT);
    let (history, start, _) = things;
    let end = history.mark(&mut shop);
    history.rewind(&mut shop, start);
    history.forward(&mut shop, end);
    let (steps, was_any) = rejecting(1, || history.rewind(&mut shop, start));
    assert_eq!((steps, was_any), (2 * COUNT, false));
}

/// A few of many entries, which stay for a while.
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

/// A change cuts off the values for redo, and the next mark drops them.
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

/// The memory of a history after values of a component were undone and cut off.
fn held_when_cut<T: Component<Shop> + Clone>(value: T) -> usize {
    let mut shop = Shop::new();
    let id = shop.create_with(Price(0)).id();
    shop.entity_mut(id).add(value);
    let history = shop.record();
    let mark = history.mark(&mut shop);
    (0..COUNT).for_each(|_| shop.entity_mut(id).update(|_: &mut T| ()));
    history.rewind(&mut shop, mark);
    shop.entity_mut(id).replace_price(1);
    shop.storage_mut().shrink_to_fit();
    shop.storage().memory().history
}

/// Values without a drop are not kept for dropping.
#[test]
fn cut_off_values_have_no_spare_capacity() {
    let _alone = alone();
    const LIST: usize = 128; // at most
    let more = held_when_cut(Shared(Arc::new(()))) - held_when_cut(Weight(0));
    let values = COUNT * size_of::<Shared>();
    assert!((values..values + LIST).contains(&more), "{more} bytes");
}

/// Runs `act`, which panics. Nothing is printed, because printing the location of a panic
/// allocates.
#[track_caller]
fn quietly_fails(act: impl FnOnce()) {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let fails = panic::catch_unwind(AssertUnwindSafe(act));
    panic::set_hook(hook);
    assert!(fails.is_err());
}

/// A key function that panics leaves a batch of entities with pending keys.
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
            quietly_fails(|| reprice(shop));
            FAILS.set(false);
        },
        |shop, (history, _), _| _ = history.mark(shop),
        |shop, _, _| reprice(shop),
    ];
    walk(&mut shop, &mut things, &steps, COUNT);
}

/// A listener that panics leaves the other entities of its event to the next delivery.
#[test]
fn marks_while_events_are_pending_after_a_panic() {
    let _alone = alone();
    let mut shop = Shop::new();
    shop.events().on_set::<Price>(|_| panic!("on purpose"));
    let mut history = shop.record();
    let steps: [Step<History<Shop>>; 4] = [
        |shop, _, count| create(shop, count),
        |shop, _, _| quietly_fails(|| _ = shop.events().deliver()),
        |shop, history, _| _ = history.mark(shop),
        |shop, history, count| (0..count).for_each(|_| _ = history.mark(shop)),
    ];
    walk(&mut shop, &mut history, &steps, COUNT);
    assert_eq!(shop.events().undelivered(), COUNT - 1);
}

/// More components than a set stores inline.
#[test]
fn components_excluded_from_a_history() {
    let _alone = alone();
    (0..PARTS).for_each(|number| _ = (part(number).index)());
    let mut wide = Wide::new();
    let users = |wide: &Wide| allocated() - wide.storage().memory().total();
    let before = users(&wide);
    let others = (0..PARTS).filter(|number| !EDGES.contains(number));
    let builder = others.fold(History::builder(), |all, one| (part(one).not_recorded)(all));
    let history = builder.record(&mut wide);
    assert_eq!(users(&wide), before);
    history.release(&mut wide);
    assert_eq!(users(&wide), before);
}

#[test]
fn an_undo_stack_with_one_step_stays_small_however_often_entities_get_new_ids() {
    let mut shop = Shop::new();
    let mut edits = UndoStack::<Shop>::only::<Price>().at_most(1);
    let mut after = [0; 2];
    for (at, rounds) in [(0, 500), (1, 5_000)] {
        for n in 0..rounds {
            edits.step(&mut shop, "Price", |shop| _ = shop.create_with(Price(n)));
            edits.undo(&mut shop);
            let other = shop.create_with(Weight(1)).id(); // takes the slot
            edits.redo(&mut shop);
            shop.destroy(other);
            let all: Vec<_> = shop.entities().map(|it| it.id()).collect();
            all.into_iter().for_each(|id| shop.destroy(id));
        }
        after[at] = allocated();
    }
    assert!(after[1] < after[0] + 20_000, "{after:?}");
}
