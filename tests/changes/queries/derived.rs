//! Structs as query items, by `#[derive(QueryData)]`.

use ecs::prelude::*;
use ecs::{ReadOnlyQueryData, View};

use super::world;
use support::numbers::{self, A, B, Flag, Id, World, WorldEntity, WorldEntityMut};

/// Moving entities.
#[derive(QueryData)]
struct Mover<'a> {
    a: &'a mut A,
    b: Option<&'a B>,
    id: Id,
}

#[derive(Clone, Copy, Debug, PartialEq, QueryData)]
struct Both<'a>(&'a A, &'a B);

#[test]
fn a_struct_is_passed_like_the_tuple_of_its_fields() {
    let (mut world, ids) = world();
    let of_a = world.collector(World::all_of::<A>().updated());
    let query = world.query_mut::<Mover<'_>>().with::<Flag>();
    query.for_each(|mover| mover.a.0 += mover.b.map_or(0, |b| b.0));
    assert_eq!(of_a.drain(&mut world).len(), 67);
    assert_eq!(world.entity(ids[6]).a(), &A(66));
    assert_eq!(world.entity(ids[3]).a(), &A(3));
    world
        .query_mut::<Mover<'_>>()
        .among([ids[3]])
        .for_each(|m: Mover<'_>| m.a.0 = m.id.index());
    assert_eq!(of_a.drain(&mut world), [ids[3]]);
    let added = world
        .query_mut::<Mover<'_>>()
        .get(ids[4], |m| m.a.0 + m.b.unwrap().0);
    assert_eq!(added, Some(44));
}

#[test]
fn read_only_items_can_be_read() {
    let (world, ids) = world();
    let query = world.query::<Both<'_>>();
    assert_eq!(query.get(ids[4]), Some(Both(&A(4), &B(40))));
    let kept: Vec<Both<'_>> = query.iter().collect();
    assert_eq!(kept.len(), 100);
    let mut sum = 0;
    query.for_each_slice(|(a, b)| sum += a.len() + b.len());
    assert_eq!(sum, 200);
}

/// More fields than a tuple can have, nested.
#[derive(QueryData)]
struct Many<'a> {
    both: Both<'a>,
    mover: (Id, Option<&'a Flag>),
    others: View<'a, World, Flag>,
    f3: Id,
    f4: Id,
    f5: Id,
    f6: Id,
    f7: Id,
    f8: Id,
    f9: Id,
    f10: Id,
    f11: Id,
    f12: Option<&'a B>,
    f13: Id,
}

#[test]
fn structs_nest_and_have_any_number_of_fields() {
    let (mut world, ids) = world();
    let many = world.query::<Many<'_>>().get(ids[6]).unwrap();
    let all = [many.f3, many.f4, many.f5, many.f6, many.f7, many.f8];
    assert_eq!(all, [ids[6]; 6]);
    let all = [many.f9, many.f10, many.f11, many.f13, many.mover.0];
    assert_eq!(all, [ids[6]; 5]);
    assert_eq!((many.both, many.f12), (Both(&A(6), &B(60)), Some(&B(60))));
    assert!(many.others.contains(ids[3]) && many.mover.1.is_some());
    let query = world.query_mut::<(Many<'_>, Id)>();
    query.for_each(|(many, id)| assert_eq!(many.f13, id));
}

/// Has a parameter.
#[derive(QueryData)]
struct Value<'a, T: Component<World>> {
    value: Mut<'a, T>,
    id: Id,
}

/// Borrows nothing.
#[derive(Debug, PartialEq, QueryData)]
struct Only {
    id: Id,
}

#[test]
fn parameters_are_allowed_without_a_lifetime() {
    let (mut world, ids) = world();
    let of_b = world.collector(World::all_of::<B>().updated());
    world.query_mut::<Value<'_, B>>().for_each(|mut it| {
        if it.id == ids[8] {
            it.value.0 = 1;
        }
    });
    assert_eq!(of_b.drain(&mut world), [ids[8]]);
    let only = world.query::<Only>().among([ids[9]]);
    assert_eq!(only.single(), Some(Only { id: ids[9] }));
}

/// A component in two contexts, queried in both.
#[derive(Clone, Component)]
#[component(context(World, support::game::Game), extension, name = "shared_by_two")]
struct Shared(u32);

#[derive(QueryData)]
struct Sharing<'a> {
    shared: &'a mut Shared,
}

#[test]
fn a_struct_is_a_bundle_for_each_context_of_its_fields() {
    let (mut world, _) = numbers::world(1);
    let mut game = support::game::Game::new();
    world.create_with(Shared(1));
    game.create_with(Shared(2));
    world
        .query_mut::<Sharing<'_>>()
        .for_each(|it| it.shared.0 += 10);
    game.query_mut::<Sharing<'_>>()
        .for_each(|it: Sharing<'_>| it.shared.0 += 20);
    assert_eq!(world.query::<&Shared>().single().map(|it| it.0), Some(11));
    assert_eq!(game.query::<&Shared>().single().map(|it| it.0), Some(22));
}

/// Accepts read-only query data.
fn count<Q: ReadOnlyQueryData<World>>(world: &World) -> usize {
    world.query::<Q>().iter().count()
}

#[test]
fn it_is_accepted_as_a_term_everywhere() {
    let (world, _) = world();
    assert_eq!(count::<Both<'_>>(&world), 100);
    assert_eq!(count::<(Both<'_>, &Flag)>(&world), 34);
}
