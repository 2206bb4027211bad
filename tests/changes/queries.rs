//! Queries: visited rows, their order, and rejections.

mod alike;
mod among;
mod derived;
mod long_runs;

use ecs::prelude::*;

use support::numbers::{self, A, B, Flag, Id, World};
use support::panic_of;

/// 200 entities with A; every second also has B, every third the flag.
fn world() -> (World, Vec<Id>) {
    let (mut world, ids) = numbers::world(200);
    for &id in &ids {
        let n = id.index();
        let mut entity = world.entity_mut(id);
        if n % 2 == 0 {
            entity.add_b(n * 10);
        }
        if n % 3 == 0 {
            entity.add_flag();
        }
    }
    (world, ids)
}

#[test]
fn a_query_visits_entities_with_all_components_in_ascending_order() {
    let (world, _) = world();
    let mut seen = Vec::new();
    world
        .query::<(&A, &B)>()
        .for_each(|(a, b)| seen.push((a.0, b.0)));
    let expected: Vec<_> = (0..200)
        .filter(|n| n % 2 == 0)
        .map(|n| (n, n * 10))
        .collect();
    assert_eq!(seen, expected);
    let iterated: Vec<_> = world
        .query::<(&A, &B)>()
        .iter()
        .map(|(a, b)| (a.0, b.0))
        .collect();
    assert_eq!(iterated, expected);
}

#[test]
fn with_without_and_groups_narrow_a_query() {
    let (mut world, _) = world();
    let flagged = world.group(World::all_of::<Flag>().none_of::<B>());
    let numbers = |query: ecs::Query<'_, World, &A>| query.iter().map(|a| a.0).collect::<Vec<_>>();
    let expect = |wanted: fn(&u32) -> bool| (0..200).filter(wanted).collect::<Vec<_>>();
    assert_eq!(
        numbers(world.query().with::<Flag>()),
        expect(|n| n % 3 == 0)
    );
    assert_eq!(
        numbers(world.query().without::<(B, Flag)>()),
        expect(|n| n % 2 != 0 && n % 3 != 0)
    );
    assert_eq!(
        numbers(world.query().in_group(flagged)),
        expect(|n| n % 3 == 0 && n % 2 != 0)
    );
}

#[test]
fn any_of_and_matchers_narrow_a_query() {
    let (mut world, ids) = world();
    world.destroy(ids[6]);
    let bare = world.create_entity().id();
    let numbers = |query: ecs::Query<'_, World, &A>| query.iter().map(|a| a.0).collect::<Vec<_>>();
    let expect = |wanted: fn(&u32) -> bool| {
        let alive = (0..200).filter(|&n| n != 6);
        alive.filter(wanted).collect::<Vec<_>>()
    };
    let either = || world.query().any_of::<(B, Flag)>();
    assert_eq!(numbers(either()), expect(|n| n % 2 == 0 || n % 3 == 0));
    assert_eq!(numbers(either().any_of::<Flag>()), expect(|n| n % 3 == 0));
    let matcher = World::any_of::<(B, Flag)>().none_of::<B>();
    assert_eq!(
        numbers(world.query().with::<Flag>().matching(matcher.clone())),
        expect(|n| n % 3 == 0 && n % 2 != 0)
    );
    let all = world
        .query::<Id>()
        .without::<A>()
        .matching(World::none_of::<Flag>());
    assert_eq!(all.single(), Some(bare));

    let updated = world.collector(World::all_of::<A>().updated());
    let query = world.query_mut::<&mut A>().any_of::<B>().matching(matcher);
    query.for_each(|_| unreachable!());
    let query = world.query_mut::<&mut A>().any_of::<(B, Flag)>();
    query.for_each(|a| a.0 += 0);
    assert_eq!(
        updated.len(&world),
        expect(|n| n % 2 == 0 || n % 3 == 0).len()
    );
}

#[test]
fn queries_of_options_and_ids_visit_every_entity() {
    let (mut world, ids) = world();
    world.destroy(ids[1]);
    world.create_entity(); // reuses the slot, without components
    let all = world.query_mut::<(EntityId<World>, Option<&A>, Option<&mut B>)>();
    for (id, a, b) in all.untracked() {
        let n = id.index();
        assert_eq!(a.map(|a| a.0), (n != 1).then_some(n));
        assert_eq!(b.map(|b| b.0), (n % 2 == 0).then_some(n * 10));
    }
    assert_eq!(world.query::<EntityId<World>>().iter().count(), 200);
}

#[test]
fn untracked_writes_stay_and_are_not_reported() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().any_change());
    let query = world.query_mut::<&mut A>().without::<Flag>();
    query.untracked().for_each(|a| a.0 += 1_000);
    assert_eq!(world.entity(ids[1]).a(), &A(1_001));
    assert_eq!(world.entity(ids[3]).a(), &A(3));
    assert!(changed.is_empty(&world));
}

#[test]
fn queries_that_read_nest_and_are_shared_between_threads() {
    let (world, ids) = world();
    let all = world.query::<(EntityId<World>, &A)>();
    let narrow = all.clone().with::<Flag>();
    let pairs = all
        .iter()
        .map(|(_, a)| narrow.iter().filter(|(_, b)| b.0 < a.0).count());
    let sum: usize = pairs.sum();
    let counted = std::thread::scope(|scope| {
        let count = || (&all).into_iter().count() + narrow.iter().count();
        let threads = [0; 3].map(|_| scope.spawn(count));
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(counted, [200 + 67; 3]);
    let flagged = ids
        .iter()
        .map(|&id| usize::from(world.entity(id).is_flag()));
    let before: Vec<_> = flagged.collect();
    let expected = (0..200)
        .map(|n| before[..n].iter().sum::<usize>())
        .sum::<usize>();
    assert_eq!(sum, expected);
}

#[test]
fn get_and_single_find_one() {
    let (mut world, ids) = world();
    assert_eq!(world.query::<(&A, &B)>().get(ids[4]), Some((&A(4), &B(40))));
    assert_eq!(world.query::<(&A, &B)>().get(ids[5]), None);
    assert_eq!(world.query::<&A>().with::<Flag>().get(ids[4]), None);
    world.destroy(ids[4]);
    assert_eq!(world.query::<&A>().get(ids[4]), None);
    let mut small = World::new();
    assert!(small.query::<&A>().single().is_none());
    small.create_with(A(1));
    assert_eq!(small.query::<&A>().single(), Some(&A(1)));
    small.create_with(A(2));
    let text = panic_of(|| _ = small.query::<&A>().single());
    assert!(
        text.contains("several entities where one was asked for"),
        "{text}"
    );
}

#[test]
fn a_group_of_another_context_is_rejected() {
    let (world, _) = world();
    let foreign = World::new().group(World::all_of::<A>());
    let text = panic_of(|| drop(world.query::<&A>().in_group(foreign)));
    assert!(
        text.contains("this group belongs to another `World`"),
        "{text}"
    );
}

#[test]
fn a_query_of_an_empty_world_visits_nothing() {
    let mut world = World::new();
    assert_eq!(
        world
            .query::<(EntityId<World>, Option<&A>)>()
            .iter()
            .count(),
        0
    );
    world
        .query_mut::<(&A, &mut B)>()
        .for_each(|_| unreachable!());
}

#[test]
fn a_view_reads_many_by_id() {
    let (mut world, ids) = world();
    world.destroy(ids[0]);
    world.defragment();
    let view = world.view::<B>();
    let found: Vec<_> = ids
        .iter()
        .filter_map(|&id| view.get(id))
        .map(|b| b.0)
        .collect();
    assert_eq!(
        found,
        (1..200)
            .filter(|n| n % 2 == 0)
            .map(|n| n * 10)
            .collect::<Vec<_>>()
    );
    assert!(view.contains(ids[2]) && !view.contains(ids[0]));
}

#[test]
fn a_view_finds_nothing_beyond_the_last_value() {
    let mut world = World::new();
    let mut ids = world.create_many((0..200).map(A));
    assert!(ids.iter().all(|&id| world.view::<B>().get(id).is_none()));
    let found = |world: &World, ids: &[Id]| -> Vec<u32> {
        let view = world.view::<B>();
        ids.iter().filter_map(|&id| Some(view.get(id)?.0)).collect()
    };
    world.entity_mut(ids[63]).add_b(63);
    assert_eq!(found(&world, &ids), [63]);
    world.entity_mut(ids[64]).add_b(64);
    ids.push(world.create_entity().id());
    assert_eq!(found(&world, &ids), [63, 64]);
    ids.iter().step_by(2).for_each(|&id| world.destroy(id));
    world.defragment();
    assert_eq!(found(&world, &ids), [63]);
}
