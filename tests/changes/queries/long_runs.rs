//! `for_each` across blocks: gaps, blocks that are not adjacent in memory, optional values, empty
//! ranges.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;

use support::numbers::{A, Aligned, Name, World, world};

fn name(number: u32) -> Name {
    Name(number.to_string())
}

/// The values visited by `for_each`, after a check that `iter` visits the same.
fn visited(world: &mut World) -> Vec<u32> {
    let mut seen = Vec::new();
    let query = world.query::<(EntityId<World>, &A)>();
    query.for_each(|(id, a)| seen.push((id, a.0)));
    let items = world.query::<(EntityId<World>, &A)>().iter();
    assert!(items.map(|(id, a)| (id, a.0)).eq(seen.iter().copied()));
    seen.into_iter().map(|(_, number)| number).collect()
}

#[test]
fn holes_at_any_place_end_a_run_and_nothing_else() {
    for hole in [0, 1, 63, 64, 65, 127, 128, 640, 700, 958, 959] {
        let (mut world, ids) = world(960);
        world.destroy(ids[hole as usize]);
        let expected: Vec<_> = (0..960).filter(|&number| number != hole).collect();
        assert_eq!(visited(&mut world), expected);
        world.query_mut::<&mut A>().for_each(|a| a.0 += 1_000);
        let written: Vec<_> = expected.iter().map(|number| number + 1_000).collect();
        assert_eq!(visited(&mut world), written);
    }
}

#[test]
fn blocks_in_any_order_in_memory_are_visited_in_that_of_the_rows() {
    let (mut world, ids) = world(1_280);
    // The blocks of `Name` are allocated in this order, some of them adjacent.
    for block in [
        7, 3, 4, 5, 0, 19, 1, 2, 6, 18, 17, 8, 9, 10, 16, 11, 12, 13, 15, 14,
    ] {
        for &id in &ids[block * 64..][..64] {
            world.entity_mut(id).add_name(name(id.index()));
        }
    }
    let mut next = 0;
    world
        .query_mut::<(&mut A, &mut Name)>()
        .for_each(|(a, name)| {
            assert_eq!((a.0, name.0.as_str()), (next, next.to_string().as_str()));
            name.0.push('!');
            a.0 += 1;
            next += 1;
        });
    assert_eq!(next, 1_280);
    for (number, &id) in (0..).zip(&ids) {
        assert_eq!(world.entity(id).a(), &A(number + 1));
        assert_eq!(world.entity(id).name(), &Name(format!("{number}!")));
    }
}

#[test]
fn optional_components_may_start_and_end_anywhere() {
    for named in [64..192, 0..64, 100..1_000, 63..65, 512..1_024, 1..1_023] {
        let (mut world, ids) = world(1_024);
        for &id in &ids[named.clone()] {
            world.entity_mut(id).add_name(name(id.index()));
        }
        let mut next = 0;
        let query = world.query_mut::<(&A, Option<&mut Name>)>();
        query.for_each(|(a, optional)| {
            assert_eq!(a.0, next);
            let there = named.contains(&(next as usize));
            assert_eq!(optional.as_deref(), there.then(|| name(next)).as_ref());
            optional.into_iter().for_each(|name| name.0.push('?'));
            next += 1;
        });
        assert_eq!(next, 1_024);
        let names = world.query::<&Name>().iter();
        assert!(
            names
                .map(|name| name.0.clone())
                .eq(named.map(|n| format!("{n}?")))
        );
    }
}

#[test]
fn values_of_no_size_are_visited_once_each() {
    let (mut world, ids) = world(500);
    for &id in &ids[..400] {
        world.entity_mut(id).add_aligned();
    }
    let mut count = 0;
    world
        .query_mut::<(&A, &mut Aligned)>()
        .for_each(|(a, aligned)| {
            assert_eq!(a.0, count);
            assert_eq!(core::ptr::from_mut(aligned).addr() % 128, 0);
            count += 1;
        });
    assert_eq!(count, 400);
    let mut slices = 0;
    let query = world.query::<&Aligned>();
    query.for_each_slice(|aligned| slices += aligned.len());
    assert_eq!(slices, 400);
}

#[test]
fn empty_ranges_are_skipped() {
    for gap in 0..12 {
        let (mut world, ids) = world(64 * (gap + 3));
        let kept = [5, 64 * (gap + 1), 64 * (gap + 1) + 9, 64 * (gap + 2) + 63];
        for &id in &ids {
            if kept.contains(&id.index()) {
                world.entity_mut(id).add_name(name(id.index()));
            }
        }
        let mut seen = Vec::new();
        let query = world.query::<(&A, &Name)>();
        query.for_each(|(a, _)| seen.push(a.0));
        assert_eq!(seen, kept);
        let mut runs = Vec::new();
        let query = world.query::<(&A, &Name)>();
        query.for_each_slice(|(a, _)| runs.extend(a.iter().map(|a| a.0)));
        assert_eq!(runs, kept);
    }
}

#[test]
fn few_scattered_values_give_slices_of_one_or_two() {
    let (mut world, ids) = world(6_400);
    for &id in ids.iter().filter(|id| id.index() % 10 < 2) {
        world.entity_mut(id).add_name(name(id.index()));
    }
    let mut next = 0;
    let query = world.query_mut::<(&mut A, &Name)>();
    query.for_each_slice(|(values, names)| {
        assert_eq!((values.len(), names.len()), (2, 2));
        for (a, found) in values.iter_mut().zip(names) {
            assert_eq!((a.0, found), (next, &name(next)));
            a.0 = 0;
            next += if next % 10 == 0 { 1 } else { 9 };
        }
    });
    assert_eq!(next, 6_400);
    let zero = world.query::<&A>().iter().filter(|a| a.0 == 0).count();
    assert_eq!(zero, 1_280);
}

#[test]
fn a_panic_within_a_long_run_leaves_the_rows_reached_updated_and_no_others() {
    for limit in [0, 63, 64, 65, 300, 639, 640, 959] {
        let (mut world, ids) = world(960);
        let changed = world.collector(World::all_of::<A>().updated());
        let update = AssertUnwindSafe(|| {
            world.query_mut::<&mut A>().for_each(|a| {
                assert!(a.0 != limit);
                a.0 += 1_000;
            });
        });
        assert!(catch_unwind(update).is_err());
        assert_eq!(changed.drain(&mut world), ids[..=limit as usize]);
        let expected = (0..960).map(|n| if n < limit { n + 1_000 } else { n });
        assert!(visited(&mut world).into_iter().eq(expected));
    }
}

#[test]
fn a_panic_in_a_long_run_keeps_writes_and_drops_all_once() {
    let (mut world, ids) = world(700);
    for &id in &ids {
        world.entity_mut(id).add_name(name(id.index()));
    }
    let write = AssertUnwindSafe(|| {
        world.query_mut::<(&mut Name, &A)>().for_each(|(name, a)| {
            name.0.push('!');
            assert!(a.0 != 333);
        });
    });
    assert!(catch_unwind(write).is_err());
    let written = |name: &&Name| name.0.ends_with('!');
    assert_eq!(world.query::<&Name>().iter().filter(written).count(), 334);
}
