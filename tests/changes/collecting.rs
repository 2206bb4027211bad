//! Queries over the entities of collectors, and many collectors at once.

use ecs::prelude::*;

use support::Notes;
use support::numbers::{A, Flag, Id, World};

fn world(count: u32) -> (World, Vec<Id>, Collector<World>) {
    let mut world = World::new();
    let ids = world.create_many((0..count).map(A));
    let updated = world.collector(World::all_of::<A>().updated());
    (world, ids, updated)
}

#[test]
fn several_collectors_narrow_a_query_to_their_intersection() {
    let (mut world, ids, updated) = world(200);
    let flagged = world.collector(World::all_of::<Flag>().entered());
    world.query_mut::<&mut A>().for_each(|_| {});
    world.many(&ids[60..70]).add_with(|_| Flag);
    let both = world
        .query_mut::<(Id, &A)>()
        .drained_from(&updated)
        .drained_from(&flagged);
    assert!(
        both.iter()
            .map(|(id, _)| id)
            .eq(ids[60..70].iter().copied())
    );
    assert!(updated.is_empty(&world) && flagged.is_empty(&world));
    let none = world.query_mut::<Id>().drained_from(&updated);
    assert_eq!(none.iter().count(), 0);
}

#[test]
fn an_unused_query_empties_the_collector() {
    let (mut world, _, updated) = world(3);
    world.query_mut::<&mut A>().for_each(|_| {});
    drop(world.query_mut::<&A>().drained_from(&updated));
    assert!(updated.is_empty(&world));
    assert_eq!(world.query::<&A>().iter().count(), 3);
}

#[test]
fn writes_of_a_query_over_changed_entities_are_collected_again() {
    let (mut world, ids, updated) = world(100);
    world.entity_mut(ids[5]).update_a(|a| a.0 = 0);
    let query = world.query_mut::<&mut A>().drained_from(&updated);
    query.for_each(|a| a.0 += 1);
    assert_eq!(updated.drain(&mut world), [ids[5]]);
    assert_eq!(world.entity(ids[5]).a().0, 1);
}

#[test]
#[should_panic = "this collector belongs to another `World`"]
fn a_collector_of_another_context_is_rejected() {
    let (_other, _, foreign) = world(1);
    let (mut world, ..) = world(1);
    drop(world.query_mut::<&A>().drained_from(&foreign));
}

#[test]
fn overlapping_collectors_narrow_a_query_to_their_intersection() {
    let (mut world, ids, updated) = world(200);
    let flagged = world.collector(World::all_of::<Flag>().entered());
    for turn in [false, true] {
        world.many(&ids[20..150]).add_with(|_| Flag);
        let first = world.many(&ids[..90]);
        first.update::<A>(|_, a| a.0 += 1);
        let (one, other) = if turn {
            (&updated, &flagged)
        } else {
            (&flagged, &updated)
        };
        let query = world.query_mut::<(Id, &A)>();
        let both = query.drained_from(one).drained_from(other);
        let found: Vec<_> = both.iter().map(|(id, _)| id).collect();
        assert_eq!(found, ids[20..90]);
        assert!(updated.is_empty(&world) && flagged.is_empty(&world));
        world.many(&ids[20..150]).remove::<Flag>();
    }
}

#[test]
fn all_collectors_of_updates_collect_next_to_an_observer() {
    let (mut world, ids, _) = world(3);
    let collectors: Vec<_> = (0..70)
        .map(|_| world.collector(World::all_of::<A>().updated()))
        .collect();
    let notified = Notes::default();
    let notes = notified.clone();
    let group = world.group(World::all_of::<A>());
    group.on_updated(
        &mut world,
        move |_: &mut World, change: &Change<'_, World>| {
            notes.push(change.entity());
        },
    );
    let replace: fn(&mut World, Id) = |world, id| _ = world.entity_mut(id).replace_a(7);
    let update: fn(&mut World, Id) = |world, id| world.entity_mut(id).update_a(|a| a.0 = 8);
    let walk: fn(&mut World, Id) = |world, _| world.query_mut::<&mut A>().for_each(|a| a.0 = 9);
    for (way, expected) in [
        (replace, &ids[1..2]),
        (update, &ids[1..2]),
        (walk, &ids[..]),
    ] {
        way(&mut world, ids[1]);
        assert_eq!(notified.take(), expected);
        for (at, collector) in collectors.iter().enumerate() {
            assert_eq!(collector.drain(&mut world), expected, "collector {at}");
        }
    }
}

#[test]
fn a_collector_alone_collects_the_next_entity_of_a_slot() {
    let end_one: fn(&mut World, Id) = World::destroy;
    let end_many: fn(&mut World, Id) = |world, id| world.many(&[id]).destroy();
    for end in [end_one, end_many] {
        let mut world = World::new();
        let entered = world.collector(World::all_of::<A>().entered());
        let empty = world.create_entity().id();
        end(&mut world, empty); // the effects of such a destroy are now cached
        let first = world.create_with(A(1)).remove_a().id();
        end(&mut world, first); // no group is notified
        let next = world.create_with(A(2)).id();
        assert_eq!(next.index(), first.index());
        assert!(entered.ids(&world).contains(&next));
    }
}
