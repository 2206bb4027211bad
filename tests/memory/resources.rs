//! The cost of long runs (F35): memory is bounded, and time grows linearly with the work. Growth is
//! measured as a ratio: four times the work may take at most [`MOST`] times as long.
//!
//! `ECS_TEST_RESOURCES=50` does fifty times the work of an ordinary run: ten million entities,
//! 100,000 signatures, 10,000 groups, chains of a million. This takes about two minutes without
//! optimizations.

use std::env;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use ecs::prelude::*;

use support::time_of;
use wide::{Part, Picked, Wide, pick};

use super::allocator::allocated;
use super::signatures::Random;
use super::{ALLOCATOR, alone};

/// Has few components, because thousands of such contexts exist at once.
#[ecs::context]
struct Room;

#[derive(Component, Clone)]
#[component(context = Room)]
struct Guest(u32);

#[derive(Component, Clone)]
#[component(context = Room)]
struct Seat(#[component(index)] u32);

#[derive(Component, Default)]
#[component(context = Room, pooled)]
struct Bag(u64);

type Id = EntityId<Room>;

/// Four times the work takes four times as long, or sixteen times if it is quadratic.
const MOST: u32 = 9;

/// The number of measurements before the time counts as quadratic.
const TURNS: u32 = 8;

/// A count, multiplied by `ECS_TEST_RESOURCES` if it is set.
pub(super) fn scaled(count: u32) -> u32 {
    let times = env::var("ECS_TEST_RESOURCES").ok();
    count * times.map_or(1, |times| times.parse().expect("a number"))
}

/// Checks that four times the work takes at most [`MOST`] times as long, by the shortest of up to
/// [`TURNS`] measurements, because other programs can only make them longer.
#[track_caller]
pub(super) fn assert_linear(count: u32, mut act: impl FnMut(u32)) {
    let (mut few, mut many) = (Duration::MAX, Duration::MAX);
    let mut is_linear = || {
        few = few.min(shortest(|| act(count)));
        many = many.min(shortest(|| act(4 * count)));
        many < MOST * few + Duration::from_millis(5)
    };
    assert!(
        (0..TURNS).any(|_| is_linear()),
        "{few:?} for {count}, {many:?} for four times as many"
    );
}

/// The time of a second run, which reuses the memory of the first.
fn shortest(mut act: impl FnMut()) -> Duration {
    (0..3).map(|_| time_of(&mut act)).min().unwrap_or_default()
}

/// Checks that memory does not grow: about the same number of bytes is allocated after the first
/// and the last round.
#[track_caller]
fn assert_bounded(rounds: u32, mut round: impl FnMut(u32)) {
    let first = rounds.div_ceil(10);
    (0..first).for_each(&mut round);
    let before = ALLOCATOR.allocated();
    (first..rounds).for_each(&mut round);
    let after = ALLOCATOR.allocated();
    assert!(
        after <= before + before / 10 + 4096,
        "{before} bytes, then {after}"
    );
}

#[test]
fn entities_created_and_destroyed() {
    let _alone = alone();
    let mut room = Room::new();
    let group = room.group(Room::all_of::<Guest>());
    assert_bounded(scaled(2_000), |round| {
        let ids: Vec<Id> = (0..100)
            .map(|n| room.create_with((Guest(n), Seat(n))).id())
            .collect();
        match round % 2 {
            0 => ids.into_iter().for_each(|id| room.destroy(id)),
            _ => assert_eq!(group.destroy_all(&mut room), 100),
        }
    });
    assert!(room.is_empty());
}

#[test]
fn signatures_of_random_sets() {
    let _alone = alone();
    drop(Wide::new());
    let (mut wide, mut random, mut ids) = (Wide::new(), Random(7), Vec::new());
    wide.group(Wide::all_of::<(Part<0, 1>, Part<0, 2>)>());
    assert_bounded(scaled(2_000), |_| {
        let count = 1 + random.below(20);
        ids.push(wide.create_with(Picked(random.parts(count))).id());
        if ids.len() > 100 {
            wide.destroy(ids.swap_remove(random.below(100)));
        }
    });
    wide.destroy_all();
    wide.storage_mut().shrink_to_fit();
    let memory = wide.storage().memory();
    assert!(memory.graph < 100_000, "{memory}");
}

/// Creates this many groups, each of the entities that lack three parts.
fn make_groups(wide: &mut Wide, count: u32) {
    let mut random = Random(3);
    while Group::all(wide).len() < count as usize {
        pick(&random.parts(3));
        wide.group(Wide::none_of::<Picked>());
    }
    pick(&[]);
}

#[test]
fn groups_without_number() {
    let _alone = alone();
    drop(Wide::new());
    let before = allocated();
    let mut wide = Wide::new();
    let count = scaled(200);
    let mut random = Random(5);
    for _ in 0..100 {
        wide.create_with(Picked(random.parts(5)));
    }
    make_groups(&mut wide, count);
    let each = (allocated() - before) as u32 / count;
    assert!(each < 8_000, "{each} bytes for each group");
    wide.destroy_all();
    wide.storage_mut().shrink_to_fit();
}

#[test]
fn changes_cost_the_same_with_any_groups() {
    let _alone = alone();
    let time = |groups: u32| {
        let mut wide = Wide::new();
        make_groups(&mut wide, groups);
        let id = wide.create_with(Picked(vec![1])).id();
        let mut change = || {
            for _ in 0..1_000 {
                wide.entity_mut(id).replace(Part::<0, 1>(1));
            }
        };
        (0..5)
            .map(|_| time_of(&mut change))
            .min()
            .unwrap_or_default()
    };
    let (few, many) = (time(10), time(scaled(200)));
    assert!(
        many < 3 * few + Duration::from_millis(1),
        "{few:?}, {many:?}"
    );
}

#[test]
fn collectors_by_the_thousand() {
    let _alone = alone();
    drop(Room::new());
    let mut room = Room::new();
    room.create_with(Guest(0));
    let before = allocated();
    for _ in 0..3 {
        let collector = |_| room.collector(Room::all_of::<Guest>().any_change());
        let collectors: Vec<_> = (0..1_000).map(collector).collect();
        room.create_many((1..20).map(Guest));
        assert!(
            collectors
                .iter()
                .all(|collector| collector.len(&room) == 19)
        );
        drop(collectors);
        room.destroy_all();
        room.create_with(Guest(0));
    }
    room.storage_mut().shrink_to_fit();
    let left = allocated().saturating_sub(before);
    assert!(left < 8_192, "{left} bytes\n{}", room.storage().memory());
}

#[test]
fn many_collectors_are_made_in_linear_time() {
    let _alone = alone();
    assert_linear(scaled(500), |count| {
        let mut room = Room::new();
        let collector = |_| room.collector(Room::all_of::<Guest>().any_change());
        let collectors: Vec<_> = (0..count).map(collector).collect();
        assert!(collectors[0].is_empty(&room));
    });
}

/// Creates many handles, drops them, and lets the context notice.
fn make_and_drop<T>(count: u32, make: fn(&mut Room) -> T) {
    let mut room = Room::new();
    let all: Vec<T> = (0..count).map(|_| make(&mut room)).collect();
    drop(all);
    room.storage_mut().shrink_to_fit();
}

fn names(room: &mut Room) -> EntityIndex<Room, u32> {
    room.entity_index(Room::all_of::<Guest>(), |entity| entity.guest().0)
}

#[test]
fn handles_without_number() {
    let _alone = alone();
    let count = scaled(4_000);
    assert_linear(count, |count| make_and_drop(count, Room::inbox::<u8>));
    assert_linear(count, |count| {
        make_and_drop(count, Room::removed_values::<Guest>)
    });
    assert_linear(count, |count| make_and_drop(count, names));
}

/// There is always one of them: the new one is created before the old one is dropped.
#[test]
fn handles_that_take_turns() {
    let _alone = alone();
    let mut room = Room::new();
    let mut handles = (room.inbox::<u8>(), room.feed::<Guest>());
    let mut others = (room.removed_values::<Guest>(), names(&mut room));
    assert_bounded(scaled(4_000), |_| {
        handles = (room.inbox(), room.feed::<Guest>());
        others = (room.removed_values(), names(&mut room));
    });
    assert!(handles.0.is_empty(&room) && others.0.is_empty(&room));
}

/// F17: an observer that makes the change it is notified of: neither the stack nor the queue grows.
#[test]
fn a_chain_of_reactions() {
    let _alone = alone();
    let (mut room, count) = (Room::new(), scaled(20_000));
    let group = room.group(Room::all_of::<Guest>());
    let largest = Arc::new(AtomicU32::new(0));
    let seen = largest.clone();
    room.observers().set_notification_limit(count as usize + 10);
    group.on_updated(
        &mut room,
        move |room: &mut Room, change: &Change<'_, Room>| {
            let guest = room.entity(change.entity()).guest().0;
            if guest % 1_000 == 0 {
                let bytes = room.storage().memory().observers;
                seen.fetch_max(bytes as u32, Relaxed);
            }
            if guest < count {
                room.entity_mut(change.entity()).replace(Guest(guest + 1));
            }
        },
    );
    let id = room.create_with(Guest(0)).id();
    room.entity_mut(id).replace(Guest(1));
    assert_eq!(room.entity(id).guest().0, count);
    let largest = largest.load(Relaxed);
    assert!((1..8_000).contains(&largest), "{largest} bytes");
}

#[test]
fn keys_of_indexes_added_and_removed() {
    let _alone = alone();
    let mut room = Room::new();
    let names = room.entity_index(Room::all_of::<Seat>(), |e| e.seat().0.to_string());
    let ids: Vec<Id> = (0..100).map(|n| room.create_with(Seat(n)).id()).collect();
    assert_bounded(scaled(400), |round| {
        for (nth, &id) in (0..).zip(&ids) {
            room.entity_mut(id).replace(Seat(round * 100 + nth));
        }
    });
    assert_eq!(names.keys(&room).count(), 100);
}

#[test]
fn a_pool_holds_no_more_than_entities_could_take() {
    let _alone = alone();
    let mut room = Room::new();
    let id = room.create_with(Bag(0)).id();
    assert_bounded(scaled(200), |round| {
        for n in 0..1_000 {
            room.entity_mut(id).replace(Bag(u64::from(round + n)));
        }
        room.entity_mut(id).remove::<Bag>().add(Bag(0));
        room.many(&[id]).replace_with(|_| Bag(1));
    });
    assert!(room.storage().pooled::<Bag>() <= 64);
    let more: Vec<Id> = (0..1_000).map(|n| room.create_with(Bag(n)).id()).collect();
    more.into_iter().for_each(|id| room.destroy(id));
    let kept = room.storage().pooled::<Bag>();
    assert!((1_000..1_100).contains(&kept), "{kept}");
}

#[test]
fn contexts_that_exist_at_once() {
    let _alone = alone();
    let mut rooms = Vec::new();
    assert_linear(scaled(400), |count| {
        rooms.clear();
        rooms.extend((0..count).map(|n| {
            let mut room = Room::new();
            room.create_with((Guest(n), Seat(n)));
            room
        }));
    });
    assert!(rooms.iter().all(|room| room.len() == 1));
}

#[test]
fn contexts_created_and_dropped() {
    let _alone = alone();
    assert_bounded(scaled(500), |n| {
        let mut room = Room::new();
        room.create_with((Guest(n), Seat(n)));
    });
}

#[test]
fn observers_added_and_removed() {
    let _alone = alone();
    assert_linear(scaled(2_000), |count| {
        let mut room = Room::new();
        let group = room.group(Room::all_of::<Guest>());
        for order in 0..3 {
            let observe = |_| group.on_entered(&mut room, |_, _| ());
            let mut all: Vec<_> = (0..count).map(observe).collect();
            match order {
                0 => all.reverse(),
                1 => all.sort_by_key(|it| format!("{it:?}").bytes().rev().collect::<Vec<_>>()),
                _ => {}
            }
            assert!(
                all.into_iter()
                    .all(|subscription| room.unsubscribe(subscription))
            );
        }
    });
}

#[test]
fn listeners_of_entities_created_and_destroyed() {
    let _alone = alone();
    assert_linear(scaled(1_000), |count| {
        let mut room = Room::new();
        room.events().warn_of_undelivered(false);
        let ids: Vec<Id> = room.create_many((0..count).map(Guest));
        for &id in &ids {
            room.entity_mut(id).on_set::<Guest>(|_| ());
        }
        room.destroy_all();
        room.events().deliver();
        assert_eq!(room.events().listeners(), 0);
    });
}

/// However many entities were observed at once.
#[test]
fn observers_of_destroyed_entities_leave_no_memory() {
    let _alone = alone();
    let mut room = Room::new();
    room.group(Room::all_of::<Guest>());
    for (round, count) in [1, scaled(2_000), 1].into_iter().enumerate() {
        let ids: Vec<Id> = room.create_many((0..count).map(Guest));
        for &id in &ids {
            room.entity_mut(id).on_set::<Guest>(|_| ());
            room.entity_mut(id).on_change(|_, _| ());
        }
        match round {
            0 => room.many(&ids).destroy(),
            _ => ids.iter().for_each(|&id| room.destroy(id)),
        }
        room.events().deliver();
        let memory = room.storage().memory();
        assert!(memory.observers < 3_000, "{memory}");
    }
}

/// F44: components with the same path, in blocks of one function.
#[test]
fn components_of_one_path_are_numbered_in_one_order() {
    #[ecs::context]
    struct Hall;
    macro_rules! blocks {
        ($($number:literal $name:literal)*) => {
            $({
                #[derive(Component)]
                #[component(context = Hall, name = $name)]
                struct Chair([u8; $number]);
                assert_eq!(Chair([1; $number]).0.len(), $number);
            })*
        };
    }
    blocks! { 1 "a" 2 "b" 3 "c" 4 "d" 5 "e" 6 "f" 7 "g" 8 "h" }
    let hall = Hall::new();
    let chairs = hall.components();
    let order: Vec<_> = chairs.iter().map(|info| info.type_id()).collect();
    assert_eq!(order.len(), 8);
    assert!(order.is_sorted(), "{order:?}");
}
