//! For each kind of content of a context: its reported memory equals the allocator's count, and
//! `shrink_to_fit` frees it once it is gone.

use std::any::Any;

use ecs::prelude::*;
use ecs::{History, Messages};

use super::allocator::allocated;
use super::alone;

/// Has components of known sizes, so that expected totals can be computed.
#[ecs::context]
pub(super) struct Shop;

#[derive(Component, Clone)]
#[component(context = Shop)]
pub(super) struct Price(pub(super) u32);

#[derive(Component, Clone)]
#[component(context = Shop)]
pub(super) struct Weight(pub(super) u64);

#[derive(Component, Clone)]
#[component(context = Shop)]
pub(super) struct Shelf(#[component(index)] pub(super) u32);

#[derive(Component, Clone)]
#[component(context = Shop)]
struct Label(#[component(index)] u32);

#[derive(Component, Clone)]
#[component(context = Shop)]
pub(super) struct Tags(#[component(index(each))] pub(super) [u32; 3]);

#[derive(Component, Clone)]
#[component(context = Shop)]
pub(super) struct Inside(#[component(relation(reverse = content))] pub(super) EntityId<Shop>);

#[derive(Component, Clone)]
#[component(context = Shop)]
pub(super) struct Picture(pub(super) [u64; 32]);

#[derive(Component, Clone, Default)]
#[component(context = Shop, pooled)]
pub(super) struct Note(pub(super) u64);

#[derive(Component, Clone)]
#[component(context = Shop)]
pub(super) struct Sold;

/// The number of each kind.
const COUNT: u32 = 25_000;

/// The reported size may be wrong by this part of the counted one, because the size of trees is
/// estimated, and by this many bytes in addition.
const PART: f64 = 0.002;
const SLACK: f64 = 128.0;

/// The bytes that may be left besides the slots: groups and their tables are permanent.
const LEFT: usize = 2048;

/// Handles that the user holds, to be dropped.
pub(super) type Kept = Box<dyn Any>;

/// Compares the reported memory of a shop with the bytes allocated beyond `outside`.
#[track_caller]
fn assert_honest(shop: &Shop, outside: usize, what: &str) {
    let counted = (allocated() - outside) as f64;
    let memory = shop.storage().memory();
    let off = (memory.total() as f64 - counted).abs();
    let may_be = counted * PART + SLACK;
    assert!(
        off <= may_be,
        "{what}: counted {counted}, reported {memory}"
    );
}

/// The reported size of a shop is right when it is full and when it is empty again; an empty shop
/// holds its slots and little else.
#[track_caller]
fn check(fill: fn(&mut Shop) -> Kept) {
    let _alone = alone();
    drop(Shop::new()); // allocates what a program allocates once
    let before = allocated();
    let mut shop = Shop::new();
    let empty = allocated();
    let kept = fill(&mut shop);
    assert_honest(&shop, before + size_of_val(&*kept), "full");
    drop(kept);
    clear(&mut shop);
    assert_honest(&shop, before, "emptied");
    let left = allocated().saturating_sub(empty);
    let memory = shop.storage().memory();
    assert!(
        memory.entities <= shop.storage().reusable_entities() * 20,
        "{memory}"
    );
    assert!(
        left <= memory.entities + LEFT,
        "{left} bytes are left\n{memory}"
    );
}

/// Removes everything from a shop.
fn clear(shop: &mut Shop) {
    shop.destroy_all();
    shop.observers().clear();
    shop.events().clear_listeners();
    shop.storage_mut().clear_pools();
    shop.storage_mut().shrink_to_fit();
}

/// The result of a fill that creates no handles.
pub(super) fn nothing() -> Kept {
    Box::new(())
}

/// Creates [`COUNT`] entities with a price, and calls `act` for each.
fn each_entity(shop: &mut Shop, mut act: impl FnMut(&mut Shop, EntityId<Shop>, u32)) {
    for n in 0..COUNT {
        let id = shop.create_with(Price(n)).id();
        act(shop, id, n);
    }
}

#[test]
fn entities_with_values() {
    check(|shop| {
        each_entity(shop, |shop, id, n| {
            shop.entity_mut(id).add(Weight(n.into()));
        });
        nothing()
    });
}

#[test]
fn entities_under_a_key_each() {
    check(|shop| {
        each_entity(shop, |shop, id, n| _ = shop.entity_mut(id).add(Shelf(n)));
        nothing()
    });
}

#[test]
fn entities_under_few_keys() {
    check(|shop| {
        each_entity(shop, |shop, id, n| {
            _ = shop.entity_mut(id).add(Label(n % 10))
        });
        nothing()
    });
}

#[test]
fn entities_under_three_keys_each() {
    check(|shop| {
        each_entity(shop, |shop, id, n| {
            shop.entity_mut(id)
                .add(Tags([n, n / 2 + COUNT, n / 3 + 2 * COUNT]));
        });
        nothing()
    });
}

#[test]
fn keys_that_change_constantly() {
    check(|shop| {
        let id = shop.create_with(Shelf(0)).id();
        for n in 0..COUNT {
            shop.entity_mut(id).replace(Shelf(n));
        }
        nothing()
    });
}

#[test]
fn an_index_by_a_function() {
    check(|shop| {
        let index = shop.entity_index(Shop::all_of::<Price>(), |e| u64::from(e.price().0 / 3));
        each_entity(shop, |_, _, _| ());
        Box::new(index)
    });
}

#[test]
fn links_of_a_relation() {
    check(|shop| {
        let mut last = shop.create_entity().id();
        each_entity(shop, |shop, id, n| {
            shop.entity_mut(id).add(Inside(last));
            if n % 4 == 0 {
                last = id;
            }
        });
        nothing()
    });
}

#[test]
fn observers_of_a_group() {
    check(|shop| {
        let group = shop.group(Shop::all_of::<Price>());
        for n in 0..u64::from(COUNT) {
            let mut seen = [n; 3];
            group.on_entered(shop, move |_: &mut Shop, _: &Change<'_, Shop>| seen[0] += 1);
        }
        nothing()
    });
}

#[test]
fn a_listener_of_each_entity() {
    check(|shop| {
        shop.events().warn_of_undelivered(false);
        each_entity(shop, |shop, id, n| {
            let mut seen = [u64::from(n); 2];
            shop.entity_mut(id).on_set::<Weight>(move |_| seen[0] += 1);
        });
        nothing()
    });
}

#[test]
fn events_that_wait() {
    check(|shop| {
        shop.events().warn_of_undelivered(false);
        shop.events().on_set::<Price>(|_| ());
        shop.events().on_removed::<Weight>(|_| ());
        each_entity(shop, |shop, id, n| {
            shop.entity_mut(id).add(Weight(n.into())).remove::<Weight>();
        });
        nothing()
    });
}

#[test]
fn events_that_wait_within_a_delivery() {
    check(|shop| {
        shop.events().on_set::<Price>(|mut entity| {
            assert!(entity.price().0 < COUNT / 2, "on purpose");
            entity.set_sold(true);
        });
        each_entity(shop, |_, _, _| ());
        let deliver = std::panic::AssertUnwindSafe(|| shop.events().deliver());
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        assert!(std::panic::catch_unwind(deliver).is_err());
        std::panic::set_hook(hook);
        nothing()
    });
}

#[test]
fn a_history() {
    check(|shop| {
        let history = shop.record();
        let id = shop.create_with((Price(0), Shelf(0))).id();
        for n in 0..COUNT {
            shop.entity_mut(id).replace(Price(n));
            if n % 100 == 0 {
                history.mark(shop);
                shop.entity_mut(id).replace(Shelf(n));
            }
        }
        Box::new(history)
    });
}

#[test]
fn a_history_that_was_rewound_and_forgotten_in_part() {
    check(|shop| {
        let history: History<Shop> = shop.record();
        let chest = shop.create_entity().id();
        let mut marks = Vec::new();
        each_entity(shop, |shop, id, n| {
            shop.entity_mut(id).add(Inside(chest));
            if n % (COUNT / 10) == 0 {
                marks.push(history.mark(shop));
            }
        });
        history.rewind(shop, marks[6]);
        history.forget_before(shop, marks[3]);
        Box::new(history)
    });
}

/// Such values are boxed while observers are notified; a history keeps the values without boxes.
#[test]
fn a_history_of_values_that_observers_were_shown() {
    check(|shop| {
        let pictures = shop.group(Shop::all_of::<Picture>());
        pictures.on_left(shop, |_, _| ());
        let history = shop.record();
        for _ in 0..COUNT / 10 {
            let id = shop.create_with(Picture([1; 32])).id();
            shop.destroy(id);
        }
        Box::new(history)
    });
}

#[test]
fn contents_of_the_marks_of_a_history() {
    check(|shop| {
        let history = shop.record();
        let lost = shop.removed_values::<Weight>();
        let seen = shop.collector(Shop::all_of::<Weight>().entered());
        let mut entity = shop.create_entity();
        for n in 0..u64::from(COUNT) / 10 {
            entity.add(Weight(n)).remove::<Weight>();
        }
        (0..20).for_each(|_| _ = history.mark(shop));
        lost.clear(shop);
        Box::new((history, lost, seen))
    });
}

#[test]
fn messages_for_one_inbox() {
    check(|shop| {
        let inbox = shop.inbox::<u64>();
        (0..u64::from(COUNT)).for_each(|n| shop.send(n));
        Box::new(inbox)
    });
}

#[test]
fn messages_that_inboxes_share() {
    check(|shop| {
        let inboxes = [(); 5].map(|()| shop.inbox::<u64>());
        let mut read = Messages::new();
        for n in 0..u64::from(COUNT) {
            shop.send(n);
            if n % 100 == 0 {
                inboxes[0].drain_into(shop, &mut read);
                read.clear();
            }
        }
        Box::new(inboxes)
    });
}

#[test]
fn feeds() {
    check(|shop| {
        let feeds = [(); 3].map(|()| shop.feed::<(Price, Weight)>());
        each_entity(shop, |shop, id, n| {
            shop.entity_mut(id).add(Weight(n.into()));
        });
        feeds.iter().for_each(|feed| drop(feed.take(shop)));
        shop.query_mut::<&mut Price>()
            .for_each(|price| price.0 += 1);
        Box::new(feeds)
    });
}

#[test]
fn collectors() {
    check(|shop| {
        let made = |shop: &mut Shop| shop.collector(Shop::all_of::<Price>().any_change());
        let collectors: [Collector<Shop>; 40] = [(); 40].map(|()| made(shop));
        each_entity(shop, |shop, id, n| {
            shop.entity_mut(id).replace(Price(n + 1));
        });
        shop.query_mut::<&mut Price>()
            .for_each(|price| price.0 += 1);
        Box::new(collectors)
    });
}

#[test]
fn values_that_entities_have_lost() {
    check(|shop| {
        let lost = shop.removed_values::<Weight>();
        each_entity(shop, |shop, id, n| {
            shop.entity_mut(id).add(Weight(n.into())).remove::<Weight>();
        });
        Box::new(lost)
    });
}

#[test]
fn sparse_blocks() {
    check(|shop| {
        each_entity(shop, |shop, id, n| {
            if n % 50 == 7 {
                shop.entity_mut(id).add(Picture([n.into(); 32]));
            }
        });
        nothing()
    });
}

#[test]
fn pools() {
    check(|shop| {
        each_entity(shop, |shop, id, n| {
            _ = shop.entity_mut(id).add(Note(n.into()))
        });
        shop.destroy_all();
        nothing()
    });
}

#[test]
fn members_of_many_groups() {
    check(|shop| {
        shop.group(Shop::all_of::<(Price, Sold)>());
        shop.group(Shop::all_of::<Price>().none_of::<Sold>());
        shop.group(Shop::any_of::<(Price, Weight, Picture)>());
        each_entity(shop, |shop, id, n| {
            _ = shop.entity_mut(id).set_sold(n % 3 == 0)
        });
        nothing()
    });
}

#[test]
fn entities_half_moved_together() {
    check(|shop| {
        each_entity(shop, |shop, id, n| {
            _ = shop.entity_mut(id).set_sold(n % 3 == 0)
        });
        assert!(
            shop.storage_mut().defragment_for(100),
            "there is more to do"
        );
        nothing()
    });
}

/// Pending notifications with previous values, while observers run.
#[test]
fn notifications_that_wait() {
    let _alone = alone();
    for is_measured in [false, true] {
        let mut shop = Shop::new();
        let group = shop.group(Shop::all_of::<Sold>());
        let pictures = shop.group(Shop::all_of::<Picture>());
        pictures.on_left(&mut shop, |_, _| ());
        let before = allocated() - shop.storage().memory().total();
        group.on_entered(&mut shop, move |shop: &mut Shop, _: &Change<'_, Shop>| {
            let mut entity = shop.create_entity();
            for n in 0..1_000 {
                entity.add(Picture([n; 32])).remove::<Picture>();
            }
            if is_measured {
                assert_honest(shop, before, "within an observer");
            }
        });
        shop.create_with(Sold);
        shop.storage_mut().shrink_to_fit();
        assert_honest(&shop, before, "after it");
    }
}

/// A snapshot belongs to the user, so its memory is not reported as that of the context.
#[test]
fn a_snapshot_is_not_memory_of_the_context() {
    let _alone = alone();
    let mut shop = Shop::new();
    each_entity(&mut shop, |shop, id, n| {
        _ = shop.entity_mut(id).add(Shelf(n))
    });
    let (reported, before) = (shop.storage().memory(), allocated());
    let snapshot = shop.snapshot();
    assert!(allocated() > before + COUNT as usize * 8);
    assert_eq!(shop.storage().memory(), reported);
    drop(snapshot);
    assert_eq!(allocated(), before);
}

/// Live handles, listeners and groups keep no memory for what was already read or notified.
#[test]
fn memory_of_read_items_is_freed_though_the_handle_stays() {
    let _alone = alone();
    let mut shop = Shop::new();
    let (feed, inbox) = (shop.feed::<Price>(), shop.inbox::<u64>());
    let (lost, changed) = (
        shop.removed_values::<Price>(),
        shop.collector(Shop::all_of::<Price>().any_change()),
    );
    shop.events().on_removed::<Price>(|_| ());
    let group = shop.group(Shop::all_of::<Price>());
    group.on_updated(&mut shop, |_, _| ());
    shop.observers().on_created(|shop, id| {
        if shop.len() == COUNT as usize {
            (0..COUNT).for_each(|n| _ = shop.entity_mut(id).replace(Price(n)));
        }
    });
    shop.storage_mut().shrink_to_fit();
    let before = allocated();
    each_entity(&mut shop, |shop, _, n| shop.send(u64::from(n)));
    shop.destroy_all();
    drop((feed.take(&mut shop), inbox.drain(&mut shop)));
    lost.clear(&mut shop);
    changed.clear(&mut shop);
    shop.events().deliver();
    shop.storage_mut().shrink_to_fit();
    let memory = shop.storage().memory();
    let slots = memory.entities;
    let left = allocated() - before;
    assert!(left <= slots + LEFT, "{left} bytes are left\n{memory}");
}

/// The bytes that a call allocates, which must equal the reported ones.
#[track_caller]
fn growth(shop: &mut Shop, act: impl FnOnce(&mut Shop)) -> isize {
    let held = |shop: &Shop| [allocated(), shop.storage().memory().total()];
    let before = held(shop);
    act(shop);
    let after = held(shop);
    let [counted, reported] = [0, 1].map(|at| after[at] as isize - before[at] as isize);
    let is_honest = (counted - reported).abs() < 64;
    assert!(is_honest, "counted {counted}, reported {reported}");
    counted
}

/// Measured separately, because it is small compared with the entities.
#[test]
fn rows_that_a_collector_got_in_bulk() {
    let _alone = alone();
    let mut shop = Shop::new();
    shop.create_many((0..COUNT).map(Price));
    let collector = shop.collector(Shop::all_of::<Price>().updated());
    let reprice = |shop: &mut Shop| {
        let query = shop.query_mut::<&mut Price>();
        query.for_each(|price| price.0 += 1);
    };
    let give_back = |shop: &mut Shop| {
        collector.clear(shop);
        shop.storage_mut().shrink_to_fit();
    };
    reprice(&mut shop); // allocates what is allocated once, for any report
    give_back(&mut shop);

    let rows = growth(&mut shop, reprice);
    let ids = growth(&mut shop, |shop| _ = collector.ids(shop));
    assert!(rows > 4_000 && ids > 100_000, "{rows} and {ids} bytes");
    let given_back = -growth(&mut shop, give_back);
    assert!(
        (rows + ids - given_back).abs() < 64,
        "{given_back} of {rows} and {ids} bytes are given back"
    );
}
