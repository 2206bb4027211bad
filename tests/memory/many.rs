//! Many of each small thing that a context keeps for its users: each byte is reported, and freed
//! when they have ended. Next to entities they would be too small to be noticed.

use ecs::prelude::*;
use ecs::{Feed, History, RemovedValues};

use super::allocator::allocated;
use super::alone;
use super::kinds::{Kept, Price, Shop, ShopEntityMut, Weight, nothing};

/// The number of each.
const COUNT: usize = 300;

/// The bytes of [`COUNT`] handles of this type, which are in a box in a box.
fn users<T>() -> usize {
    size_of::<Box<[T]>>() + COUNT * size_of::<T>()
}

/// Creates [`COUNT`] handles.
fn handles<T: 'static>(make: impl FnMut() -> T) -> Kept {
    let handles: Box<[T]> = std::iter::repeat_with(make).take(COUNT).collect();
    Box::new(handles)
}

/// The bytes allocated, and the bytes reported.
pub(super) fn held(shop: &Shop) -> [usize; 2] {
    [allocated(), shop.storage().memory().total()]
}

/// All bytes allocated for many of them are reported, and are freed, with their contents, once they
/// have ended.
#[track_caller]
fn check(fill: fn(&mut Shop) -> Kept, users: usize, end: fn(&mut Shop)) {
    let _alone = alone();
    let mut shop = Shop::new();
    let mut round = || {
        end(&mut shop);
        shop.storage_mut().shrink_to_fit();
        let before = held(&shop);
        let kept = fill(&mut shop);
        let full = held(&shop);
        drop(kept);
        end(&mut shop);
        shop.storage_mut().shrink_to_fit();
        (before, full, held(&shop))
    };
    round(); // allocates what is permanent
    let (before, full, after) = round();
    let [counted, reported] = [0, 1].map(|at| full[at] - before[at]);
    assert!(reported >= COUNT * 8, "{reported} bytes");
    assert_eq!(counted - users, reported, "what is allocated is reported");
    assert_eq!(after, before, "what has ended is freed");
}

#[test]
fn collectors_of_one_group() {
    let fill = |shop: &mut Shop| handles(|| shop.collector(Shop::all_of::<Price>().any_change()));
    check(fill, users::<Collector<Shop>>(), |_| ());
}

#[test]
fn collectors_that_have_collected() {
    let fill = |shop: &mut Shop| {
        let all = handles(|| shop.collector(Shop::all_of::<Price>().any_change()));
        shop.create_many((0..1_000).map(Price));
        shop.query_mut::<&mut Price>()
            .for_each(|price| price.0 += 1);
        shop.destroy_all();
        all
    };
    check(fill, users::<Collector<Shop>>(), |_| ());
}

#[test]
fn lists_of_removed_values() {
    let fill = |shop: &mut Shop| handles(|| shop.removed_values::<Price>());
    check(fill, users::<RemovedValues<Shop, Price>>(), |_| ());
}

#[test]
fn inboxes() {
    let fill = |shop: &mut Shop| handles(|| shop.inbox::<u64>());
    check(fill, users::<Inbox<Shop, u64>>(), |_| ());
}

#[test]
fn feeds() {
    let fill = |shop: &mut Shop| handles(|| shop.feed::<Price>());
    let watches = 4 * size_of::<usize>(); // the lists in each handle: of watches and of components
    let components = 4 * size_of::<u32>();
    let lists = COUNT * (watches + components);
    check(fill, users::<Feed<Shop>>() + lists, |_| ());
}

#[test]
fn indexes_by_functions() {
    let fill = |shop: &mut Shop| {
        handles(|| shop.entity_index(Shop::all_of::<Price>(), |entity| entity.price().0))
    };
    check(fill, users::<EntityIndex<Shop, u32>>(), |_| ());
}

#[test]
fn indexes_by_functions_that_hold_something() {
    let fill = |shop: &mut Shop| {
        let more = [7_u32; 4];
        handles(|| shop.entity_index(Shop::all_of::<Price>(), move |it| it.price().0 + more[0]))
    };
    check(fill, users::<EntityIndex<Shop, u32>>(), |_| ());
}

#[test]
fn observers() {
    let fill = |shop: &mut Shop| {
        let group = shop.group(Shop::all_of::<Price>());
        for n in 0..COUNT {
            let mut seen = [n];
            group.on_entered(shop, move |_: &mut Shop, _: &Change<'_, Shop>| seen[0] += 1);
        }
        nothing()
    };
    check(fill, 0, |shop| shop.observers().clear());
}

#[test]
fn observers_of_messages() {
    let fill = |shop: &mut Shop| {
        for n in 0..COUNT {
            let mut seen = [n];
            shop.on_message(move |_: &mut Shop, _: &u16| seen[0] += 1);
        }
        nothing()
    };
    check(fill, 0, |shop| shop.observers().clear());
}

#[test]
fn listeners() {
    let fill = |shop: &mut Shop| {
        for n in 0..COUNT {
            let mut seen = [n];
            shop.events()
                .on_set::<Price>(move |_: ShopEntityMut<'_>| seen[0] += 1);
        }
        nothing()
    };
    check(fill, 0, |shop| shop.events().clear_listeners());
}

#[test]
fn marks() {
    let fill = |shop: &mut Shop| -> Kept {
        let history = shop.record();
        let lost = shop.removed_values::<Weight>();
        let inbox = shop.inbox::<u64>();
        let price = shop.collector(Shop::all_of::<Price>().any_change());
        for n in 0..COUNT as u64 {
            shop.create_with((Price(1), Weight(n))).destroy();
            shop.send(n);
            _ = history.mark(shop);
        }
        Box::new((history, (lost, inbox, price)))
    };
    type Lists = (
        RemovedValues<Shop, Weight>,
        Inbox<Shop, u64>,
        Collector<Shop>,
    );
    check(fill, size_of::<(History<Shop>, Lists)>(), |_| ());
}
