//! Iterators and queries that are leaked: nothing that depends on reports goes wrong in silence.

use std::mem::{forget, swap};

use ecs::prelude::*;
use support::numbers::{A, World};
use support::panic_of;

use super::world;

const LEAKED: &str = "a query of context `World` was leaked after a loop over its `iter_mut()`, so nothing that \
    follows changes has what the loop wrote; drop the query instead of calling `mem::forget`; `reset()` makes the \
    context usable again";

#[test]
fn all_rows_of_recorded_blocks_count_as_visited_if_the_iterator_is_leaked() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    let by_number = world.entity_index(World::all_of::<A>(), |entity| entity.a().0);
    let history = world.record();
    let mark = history.mark(&mut world);
    let mut query = world.query_mut::<&mut A>();
    let mut items = query.iter_mut();
    items.next().unwrap().0 = 1000;
    forget(items);
    drop(query);
    assert_eq!(changed.drain(&mut world), ids[..64]);
    assert_eq!(by_number.single(&world, &1000).unwrap().id(), ids[0]);
    assert_eq!(history.rewind(&mut world, mark), 64);
    assert_eq!(by_number.single(&world, &0).unwrap().id(), ids[0]);
    world.storage().check_invariants();
}

/// Leaks a query of A after a loop.
fn leak(world: &mut World) {
    let mut query = world.query_mut::<&mut A>();
    query.iter_mut().for_each(|a| a.0 += 1000);
    forget(query);
}

#[test]
fn what_depends_on_reports_panics_after_a_query_was_leaked() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    let by_number = world.entity_index(World::all_of::<A>(), |entity| entity.a().0);
    let history = world.record();
    let feed = world.feed::<A>();
    let group = world.group(World::all_of::<A>());
    let mark = history.mark(&mut world);
    leak(&mut world);
    let mut moved = World::new();
    swap(&mut world, &mut moved);
    assert_eq!(moved.entity(ids[1]).a().0, 1001); // the values are right
    let uses: [&mut dyn FnMut(&mut World); 9] = [
        &mut |world| _ = changed.len(world),
        &mut |world| _ = changed.drain(world),
        &mut |world| _ = by_number.contains(world, &1),
        &mut |world| _ = history.len(world),
        &mut |world| _ = history.rewind(world, mark),
        &mut |world| _ = feed.take(world),
        &mut |world| _ = group.len(world),
        &mut |world| _ = world.query_mut::<&mut A>().iter_mut().next(),
        &mut |world| _ = world.query_mut::<&mut A>().drained_from(&changed),
    ];
    for (nth, usage) in uses.into_iter().enumerate() {
        let panic = panic_of(|| usage(&mut moved));
        assert_eq!(panic, LEAKED, "the use {nth}");
    }
    moved.reset();
    assert_eq!((changed.len(&moved), history.len(&moved)), (0, 0));
    let id = moved.create_with(A(5)).id();
    moved.query_mut::<&mut A>().iter_mut().for_each(|a| a.0 = 6);
    assert_eq!(changed.drain(&mut moved), [id]);
    assert_eq!(by_number.single(&moved, &6).unwrap().id(), id);
    moved.storage().check_invariants();
}

#[test]
fn a_leaked_query_changes_nothing_if_nothing_depends_on_its_reports() {
    let (mut world, ids) = world();
    let mut query = world.query_mut::<&mut A>();
    query.iter_mut().for_each(|a| a.0 += 1000);
    forget(query);
    let by_number = world.entity_index(World::all_of::<A>(), |entity| entity.a().0);
    assert_eq!(by_number.single(&world, &1001).unwrap().id(), ids[1]);
}

#[test]
fn a_leaked_box_may_be_written_to() {
    fn run(world: &mut World) {
        let query = Box::leak(Box::new(world.query_mut::<&mut A>()));
        let mut items: Vec<_> = query.iter_mut().collect();
        items[5].0 = 7;
    }
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    run(&mut world);
    assert_eq!(world.entity(ids[5]).a().0, 7);
    assert_eq!(panic_of(|| _ = changed.len(&world)), LEAKED);
}
