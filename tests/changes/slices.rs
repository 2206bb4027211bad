//! Slices of queries: the limits of runs, which have the rows of `for_each` in the same order.

use ecs::prelude::*;
use ecs::{Ids, View};

use support::numbers::{A, Aligned, Flag, Id, Name, World, world};

/// The lengths of the runs of A.
fn lengths(world: &mut World) -> Vec<usize> {
    let mut lengths = Vec::new();
    let query = world.query::<&A>();
    query.for_each_slice(|values| lengths.push(values.len()));
    lengths
}

#[test]
fn entities_created_together_are_in_few_runs() {
    let (mut world, _) = world(100_000);
    let lengths = lengths(&mut world);
    assert_eq!(lengths.iter().sum::<usize>(), 100_000);
    // At most one run per slab, and slabs double: 1,563 blocks are in 12.
    assert!(lengths.len() <= 12, "{lengths:?}");
}

#[test]
fn runs_end_where_a_row_is_not_visited() {
    let (mut world, ids) = world(64);
    for place in [0, 10, 11, 40, 63] {
        world.destroy(ids[place]);
    }
    assert_eq!(lengths(&mut world), [9, 28, 22]);
    world.destroy(ids[62]);
    world.destroy(ids[20]);
    assert_eq!(lengths(&mut world), [9, 8, 19, 21]);
}

#[test]
fn runs_are_joined_over_the_borders_of_blocks() {
    let (mut world, ids) = world(1_024);
    // The third slab has blocks 2 and 3, the next one blocks 4 to 7, and so on.
    for &id in ids[..520].iter().chain(&ids[530..700]).chain(&ids[800..]) {
        world.destroy(id);
    }
    assert_eq!(lengths(&mut world), [10, 100]);
    let mut values = Vec::new();
    world
        .query::<&A>()
        .for_each_slice(|slice| values.extend(slice.iter().map(|a| a.0)));
    assert!(values.into_iter().eq((520..530).chain(700..800)));
}

#[test]
fn defragment_makes_runs_long_again() {
    let (mut world, ids) = world(4_096);
    for id in ids.iter().step_by(2) {
        world.destroy(*id);
    }
    assert_eq!(lengths(&mut world).len(), 2_048);
    world.defragment();
    let lengths = lengths(&mut world);
    assert_eq!(lengths.iter().sum::<usize>(), 2_048);
    assert!(lengths.len() <= 7, "{lengths:?}");
}

#[test]
fn writes_to_slices_stay() {
    let (mut world, ids) = world(500);
    for &id in &ids[100..400] {
        world.entity_mut(id).add_name(Name(id.index().to_string()));
    }
    world
        .query_mut::<(&mut A, &mut Name)>()
        .for_each_slice(|(values, names)| {
            assert_eq!(values.len(), names.len());
            for (a, name) in values.iter_mut().zip(names) {
                a.0 += 1_000;
                name.0.push('!');
            }
        });
    for (number, &id) in (0..).zip(&ids) {
        let inside = (100..400).contains(&number);
        assert_eq!(
            world.entity(id).a().0,
            number + if inside { 1_000 } else { 0 }
        );
        let name = inside.then(|| Name(format!("{number}!")));
        assert_eq!(world.entity(id).get_name(), name.as_ref());
    }
}

#[test]
fn an_optional_slice_covers_a_whole_run_or_nothing() {
    let (mut world, ids) = world(130);
    for &id in &ids[60..70] {
        world.entity_mut(id).add_name(Name(String::from("x")));
    }
    world.entity_mut(ids[129]).add_name(Name(String::new()));
    let mut runs = Vec::new();
    world
        .query_mut::<(&A, Option<&Name>, Option<&mut Flag>)>()
        .for_each_slice(|(values, names, flags)| {
            assert!(flags.is_none());
            assert!(names.is_none_or(|names| names.len() == values.len()));
            runs.push((values[0].0, values.len(), names.is_some()));
        });
    assert!(runs.contains(&(0, 60, false)) && runs.contains(&(129, 1, true)));
    let names: usize = runs.iter().filter(|run| run.2).map(|run| run.1).sum();
    assert_eq!((names, runs.iter().map(|run| run.1).sum()), (11, 130));
}

#[test]
fn ids_of_a_run_name_its_rows() {
    let (mut world, ids) = world(300);
    world.destroy(ids[7]);
    let mut seen = Vec::new();
    world
        .query::<(EntityId<World>, &A)>()
        .for_each_slice(|(ids, values): (Ids<'_, World>, _)| {
            assert_eq!((ids.len(), ids.is_empty()), (values.len(), false));
            assert_eq!(ids.iter().len(), values.len());
            assert_eq!(ids.get(ids.len()), None);
            assert_eq!(ids.get(ids.len() - 1), ids.clone().iter().last());
            for (id, a) in ids.iter().zip(values) {
                assert_eq!(id.index(), a.0);
                seen.push(id);
            }
        });
    let expected = ids.iter().copied().filter(|&id| id != ids[7]);
    assert!(seen.into_iter().eq(expected));
}

#[test]
fn queries_of_ids_visit_every_living_entity() {
    let (mut world, ids) = world(200);
    world.destroy(ids[100]);
    let mut runs = Vec::new();
    world
        .query::<EntityId<World>>()
        .for_each_slice(|ids| runs.push(ids.len()));
    assert_eq!(runs, [100, 99]);
    assert_eq!(
        format!("{:?}", first_ids(&mut world)),
        "[0v1, 1v1]",
        "ids print as a list"
    );
}

fn first_ids(world: &mut World) -> Vec<Id> {
    let mut first = Vec::new();
    world.query::<EntityId<World>>().for_each_slice(|ids| {
        assert!(format!("{ids:?}").starts_with('['));
        first.extend(ids.iter().take(2 - first.len()));
    });
    first
}

#[test]
fn components_of_no_size_give_slices_of_any_length() {
    let (mut world, ids) = world(1_000);
    for &id in &ids {
        world.entity_mut(id).add_flag().add_aligned();
    }
    let mut lengths = Vec::new();
    world
        .query_mut::<(&mut Flag, &Aligned, Option<&Aligned>)>()
        .for_each_slice(|(flags, aligned, also)| {
            assert_eq!(also.map(<[_]>::len), Some(aligned.len()));
            assert_eq!(aligned.as_ptr().addr() % 128, 0);
            lengths.push((flags.len(), aligned.len()));
        });
    assert_eq!(lengths, [(1_000, 1_000)]);
}

#[test]
fn filters_and_groups_narrow_slices() {
    let (mut world, ids) = world(200);
    for &id in &ids[50..150] {
        world.entity_mut(id).add_flag();
    }
    let flagged = world.group(World::all_of::<Flag>());
    let count = |query: ecs::Query<'_, World, &A>| {
        let mut ends = Vec::new();
        query.for_each_slice(|slice| ends.extend([slice[0].0, slice[slice.len() - 1].0]));
        (ends.first().copied(), ends.last().copied())
    };
    assert_eq!(count(world.query().with::<Flag>()), (Some(50), Some(149)));
    assert_eq!(
        count(world.query().in_group(flagged)),
        (Some(50), Some(149))
    );
    assert_eq!(count(world.query().without::<Flag>()), (Some(0), Some(199)));
    assert_eq!(count(world.query().with::<Aligned>()), (None, None));
}

#[test]
fn a_view_next_to_a_query_reads_other_entities() {
    let (mut world, ids) = world(100);
    for (number, &id) in ids.iter().enumerate() {
        world.entity_mut(id).add_name(Name(number.to_string()));
    }
    // Each gets the length of the name of the entity at the other end.
    let mirror = ids.clone();
    world
        .query_mut::<(EntityId<World>, &mut A, View<'_, World, Name>)>()
        .for_each(|(id, a, names)| {
            let other = mirror[99 - id.index() as usize];
            a.0 = names.get(other).unwrap().0.len() as u32;
        });
    let short = world.query::<&A>().iter().filter(|a| a.0 == 1).count();
    assert_eq!(short, 10);
    let mut runs = 0;
    world
        .query::<(View<'_, World, A>, View<'_, World, A>, &A)>()
        .for_each_slice(|(view, _, values)| {
            assert!(view.contains(ids[0]) && !values.is_empty());
            runs += 1;
        });
    assert!(runs > 0);
    assert_eq!(world.query::<View<'_, World, A>>().iter().count(), 100);
}

#[test]
fn a_query_that_matches_nothing_gives_no_slice() {
    let mut world = World::new();
    let query = world.query::<(&A, Option<&Name>)>();
    query.for_each_slice(|_| unreachable!());
    world.create_entity();
    world
        .query_mut::<(&mut A, EntityId<World>)>()
        .for_each_slice(|_| unreachable!());
}
