//! `get_many`: several entities at once, all of them reported.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;

use super::{A, B, Flag, World, world};

#[test]
fn several_entities_are_passed_at_once_in_the_order_asked_for() {
    let (mut world, ids) = world();
    let of_a = world.collector(World::all_of::<A>().updated());
    let three = [ids[130], ids[2], ids[129]];
    let sum = world
        .query_mut::<(&mut A, EntityId<World>)>()
        .get_many(three, |[x, y, z]| {
            assert_eq!([x.1, y.1, z.1], three);
            std::mem::swap(x.0, y.0);
            z.0.0 += x.0.0;
            z.0.0
        });
    assert_eq!(sum.unwrap(), 131);
    assert_eq!(
        [130, 2, 129].map(|n| world.entity(ids[n]).a().0),
        [2, 130, 131]
    );
    assert_eq!(of_a.drain(&mut world), [ids[2], ids[129], ids[130]]);
}

#[test]
fn observers_are_notified_of_each_when_all_is_final() {
    let (mut world, ids) = world();
    let (a, b) = (ids[3], ids[1]);
    let log = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let group = world.group(World::all_of::<A>());
    let seen = log.clone();
    group.on_updated(&mut world, move |world, change| {
        let previous = change.previous::<A>().map(|a| a.0);
        let now = [a, b].map(|id| world.entity(id).a().0);
        seen.lock().unwrap().push((change.entity(), previous, now));
    });
    let swapped = world
        .query_mut::<&mut A>()
        .get_many([a, b], |[a, b]| std::mem::swap(a, b));
    assert!(swapped.is_ok());
    let expected = [(b, Some(1), [1, 3]), (a, Some(3), [1, 3])];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[test]
fn the_same_entity_twice_is_an_error_and_nothing_is_called() {
    let (mut world, ids) = world();
    let rejected: Result<(), _> = world
        .query_mut::<&mut A>()
        .get_many([ids[1], ids[2], ids[1]], |_| unreachable!());
    let rejected = rejected.unwrap_err();
    assert_eq!(rejected.kind(), ErrorKind::RepeatedEntity);
    assert_eq!(
        rejected.to_string(),
        format!(
            "cannot access entity {} of context `World`: it is given twice, and would be borrowed \
             exclusively twice; give different entities",
            ids[1]
        )
    );
}

#[test]
fn dead_entities_and_non_matching_ones_have_different_errors() {
    let (mut world, ids) = world();
    let without = world.create_with(B(1)).id();
    let dead = world.create_entity().id();
    world.destroy(dead);
    let of_a = world.collector(World::all_of::<A>().updated());
    let kind = |world: &mut World, id| {
        let query = world.query_mut::<&mut A>();
        let rejected = query.get_many([ids[1], id], |_| unreachable!());
        let rejected: Result<(), _> = rejected;
        rejected.unwrap_err().kind()
    };
    assert_eq!(kind(&mut world, dead), ErrorKind::NotAlive);
    assert_eq!(kind(&mut world, without), ErrorKind::DoesNotMatch);
    let narrowed = world.query_mut::<&mut A>().with::<Flag>();
    let rejected: Result<(), _> = narrowed.get_many([without], |_| unreachable!());
    assert!(rejected.is_err());
    assert!(of_a.is_empty(&world));
}

#[test]
fn after_a_panic_the_entities_count_as_updated() {
    let (mut world, ids) = world();
    let of_a = world.collector(World::all_of::<A>().updated());
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let query = world.query_mut::<&mut A>();
        let _: Result<(), _> = query.get_many([ids[5], ids[4]], |[a, _]| {
            a.0 = 500;
            panic!("half-way");
        });
    }));
    assert!(panicked.is_err());
    assert_eq!(of_a.drain(&mut world), [ids[4], ids[5]]);
    assert_eq!(world.entity(ids[5]).a(), &A(500));
}

#[test]
fn an_empty_list_is_allowed() {
    let (mut world, _) = world();
    let nothing = world.query_mut::<&mut A>().get_many([], |[]| 7);
    assert_eq!(nothing.unwrap(), 7);
}
