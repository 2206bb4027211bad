//! Queries of a list of entities.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use ecs::Query;
use ecs::prelude::*;

use super::world;
use support::game::{ChildOf, Game, Health};
use support::numbers::{self, A, B, Flag, Id, Other, World};

fn numbers(query: Query<'_, World, &A>) -> Vec<u32> {
    query.iter().map(|a| a.0).collect()
}

/// The entities with these numbers.
fn listed(ids: &[Id], numbers: &[usize]) -> Vec<Id> {
    numbers.iter().map(|&number| ids[number]).collect()
}

#[test]
fn matching_entities_are_visited_once_in_the_order_of_the_rows() {
    let (mut world, ids) = world();
    world.destroy(ids[70]);
    let list = listed(&ids, &[130, 4, 70, 5, 130, 4, 199]);
    assert_eq!(numbers(world.query().among(&list)), [4, 5, 130, 199]);
    assert_eq!(world.query::<(&A, &B)>().among(&list).iter().count(), 2);
    let mut seen = Vec::new();
    let query = world.query_mut::<(Id, &mut A)>().among(&list);
    query.for_each(|(id, a)| {
        a.0 += 1_000;
        seen.push(id);
    });
    assert_eq!(seen, listed(&ids, &[4, 5, 130, 199]));
    let written = world.query::<&A>().iter().filter(|a| a.0 >= 1_000);
    assert_eq!(written.count(), 4);
}

#[test]
fn any_collection_of_ids_is_a_list() {
    let (mut world, ids) = world();
    let (a, b) = (ids[9], ids[3]);
    assert_eq!(numbers(world.query().among([a, b])), [3, 9]);
    assert_eq!(numbers(world.query().among(&[a, b][..])), [3, 9]);
    assert_eq!(numbers(world.query().among(vec![a, b])), [3, 9]);
    assert_eq!(numbers(world.query().among([&a])), [9]);
    assert_eq!(numbers(world.query().among(Vec::<Id>::new())), [0; 0]);
    let flagged = World::all_of::<Flag>();
    assert_eq!(numbers(world.query().among(flagged.ids(&world))).len(), 67);

    let changed = world.collector(World::all_of::<A>().updated());
    world.entity_mut(b).replace_a(30);
    let drained = changed.drain(&mut world);
    let query = world.query_mut::<&mut A>().among(drained);
    query.for_each(|a| a.0 += 1);
    assert_eq!(world.entity(b).a(), &A(31));
}

#[test]
fn it_combines_with_all_other_filters() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    let flagged = world.group(World::all_of::<Flag>());
    let list = listed(&ids, &[0, 2, 6, 9, 100, 102]);
    let query = world.query::<&A>().among(&list);
    assert_eq!(numbers(query.clone().with::<B>()), [0, 2, 6, 100, 102]);
    assert_eq!(numbers(query.clone().without::<B>()), [9]);
    assert_eq!(numbers(query.clone().in_group(flagged)), [0, 6, 9, 102]);
    assert_eq!(numbers(query.clone().among(&ids[2..10])), [2, 6, 9]);
    assert_eq!(query.get(ids[2]), Some(&A(2)));
    assert_eq!(query.get(ids[1]), None);

    ids[..7]
        .iter()
        .for_each(|&id| _ = world.entity_mut(id).replace_a(7));
    let query = world.query_mut::<(Id, &mut A)>().among(&list);
    let mut seen = Vec::new();
    let query = query.drained_from(&changed).without::<Other>();
    query.for_each(|(id, _)| seen.push(id));
    assert_eq!(seen, listed(&ids, &[0, 2, 6]));
    let query = world.query_mut::<Id>().drained_from(&changed);
    assert!(query.among(&list[1..]).iter().eq(listed(&ids, &[2, 6])));
    let query = world.query_mut::<&A>().among(&list);
    assert_eq!(query.among(Vec::<Id>::new()).iter().count(), 0);
}

#[test]
fn exactly_the_visited_entities_are_reported() {
    let (mut world, ids) = world();
    let changed = world.collector(World::all_of::<A>().updated());
    let list = listed(&ids, &[150, 20, 21, 150]);
    world
        .query_mut::<(&mut A, &B)>()
        .among(&list)
        .for_each(|(a, _)| a.0 += 1);
    assert_eq!(changed.drain(&mut world), listed(&ids, &[20, 150]));
    world
        .query_mut::<Mut<'_, A>>()
        .among(&list)
        .for_each(|mut a| _ = a.set_if_changed(A(21)));
    assert_eq!(changed.drain(&mut world), listed(&ids, &[150]));
    let query = world.query_mut::<&mut A>().among(&list);
    query.for_each_slice(|all| all.iter_mut().for_each(|a| a.0 = 1));
    assert_eq!(changed.drain(&mut world), listed(&ids, &[20, 21, 150]));
    let query = world.query_mut::<&mut A>().among(&list).untracked();
    query.for_each(|a| a.0 = 2);
    assert!(changed.is_empty(&world));
}

#[test]
fn slices_and_threads_visit_the_same() {
    let (mut world, ids) = numbers::world(20_000);
    let list: Vec<_> = ids[60..70].iter().chain(&ids[13_000..16_000]).collect();
    let (mut sum, mut runs) = (0, 0);
    world
        .query::<&A>()
        .among(list.iter().copied())
        .for_each_slice(|all| {
            sum += all.iter().map(|a| a.0).sum::<u32>();
            runs += 1;
        });
    assert_eq!(sum, (60..70).chain(13_000..16_000).sum::<u32>());
    assert_eq!(runs, 2);
    let total = AtomicU32::new(0);
    let query = world.query::<&A>().among(list.iter().copied());
    query.par_for_each(|a| _ = total.fetch_add(a.0, Relaxed));
    assert_eq!(total.into_inner(), sum);
    let query = world.query_mut::<&mut A>().among(list);
    query.par_for_each_slice(|all| all.iter_mut().for_each(|a| a.0 = 0));
    assert_eq!(
        world.query::<&A>().iter().filter(|a| a.0 == 0).count(),
        3_011
    );
}

#[test]
fn entities_are_found_after_moves() {
    let (mut world, ids) = world();
    world.defragment();
    let list = listed(&ids, &[5, 4, 6]);
    let rows: Vec<_> = world
        .query::<Id>()
        .iter()
        .filter(|id| list.contains(id))
        .collect();
    assert!(world.query::<Id>().among(&list).iter().eq(rows));
}

#[test]
fn sources_of_a_target_are_visited() {
    let mut game = Game::new();
    let [ship, boat] = [(); 2].map(|()| game.create_entity().id());
    let of = |parent| move |n| (ChildOf { parent }, Health(n));
    game.create_many((0..3).map(of(ship)));
    game.create_many((10..12).map(of(boat)));
    let query = game.query_mut::<&mut Health>().related_to::<ChildOf>(boat);
    query.for_each(|health| health.0 += 10);
    let healths = |game: &Game, parent| {
        let children = game
            .query::<&Health>()
            .among(game.entity(parent).children());
        children.iter().map(|health| health.0).collect::<Vec<_>>()
    };
    assert_eq!(healths(&game, ship), [0, 1, 2]);
    assert_eq!(healths(&game, boat), [20, 21]);
    game.destroy(ship);
    let query = game.query_mut::<&Health>().related_to::<ChildOf>(ship);
    assert_eq!(query.iter().count(), 0);
}
