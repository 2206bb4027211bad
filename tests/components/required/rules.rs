//! Required components: removing, observers, panics.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

#[test]
fn required_components_can_be_removed_until_the_component_is_added_again() {
    let mut game = Game::new();
    let id = game.create_with(Player(1)).remove_health().id();
    assert!(!game.entity(id).has_health());
    game.entity_mut(id)
        .replace_player(2)
        .update_player(|p| p.0 += 1);
    game.entity_mut(id).insert(Player(4));
    game.many(&[id]).replace_with(|_| Player(5));
    assert!(!game.entity(id).has_health(), "the player was there");
    game.entity_mut(id).remove_player().add_player(6);
    assert_eq!(player(&game, id), (6, (0, 0), 100));
}

#[test]
fn a_removed_component_leaves_its_required_components() {
    let mut game = Game::new();
    let id = game.create_with(Player(1)).remove_player().id();
    assert!(game.entity(id).has_all::<(Health, Velocity)>());
}

#[test]
fn groups_are_entered_once_and_with_no_component_alone() {
    let mut game = Game::new();
    let healthy = game.group(Game::all_of::<Health>());
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    healthy.on_entered(&mut game, {
        let seen = seen.clone();
        move |_, change| seen.lock().unwrap().push(change.component())
    });
    game.create_entity().add_player(1);
    game.create_entity().add_velocity(1, 1).add_player(1);
    assert_eq!(*seen.lock().unwrap(), [None, None]);
}

#[test]
fn a_rejected_add_computes_no_value() {
    let mut game = Game::new();
    let id = game.create_with(Player(1)).remove_health().id();
    assert!(game.entity_mut(id).try_add_player(2).is_err());
    assert!(!game.entity(id).has_health());
    game.destroy(id);
    let dead = game.try_entity_mut(id).map(drop).unwrap_err();
    assert_eq!(dead.kind(), ErrorKind::NotAlive);
}

static MADE: AtomicUsize = AtomicUsize::new(0);

#[derive(Component)]
#[component(context = Input, extension, requires(Plain, Fragile = Fragile::new()))]
struct Careless(Vec<u8>);

#[derive(Component, Default)]
#[component(context = Input, extension)]
struct Plain(Vec<u8>);

#[derive(Component, Debug, PartialEq)]
#[component(context = Input, extension)]
struct Fragile(usize);

impl Fragile {
    fn new() -> Self {
        match MADE.fetch_add(1, Ordering::Relaxed) {
            made if made % 2 == 1 => panic!("the second value fails"),
            made => Self(made),
        }
    }
}

/// Every second value fails: this is a single test, so that no other test counts in between.
#[test]
fn a_value_that_panics_leaves_everything_as_it_was() {
    type Way = fn(&mut Input, EntityId<Input>);
    let ways: [Way; 4] = [
        |input, id| _ = input.entity_mut(id).add_careless(vec![1]),
        |input, id| _ = input.entity_mut(id).insert(Careless(vec![1])),
        |input, _| _ = input.create_with(Careless(vec![1])),
        |input, id| input.many(&[id]).add_with(|_| Careless(vec![1])),
    ];
    for way in ways {
        let mut input = Input::new();
        let careless = input.group(Input::all_of::<Careless>());
        let plain = input.group(Input::all_of::<Plain>());
        let first = input.create_with(Careless(vec![2])).id();
        assert!(input.entity(first).has_fragile());
        let id = input.create_entity().id();
        assert_eq!(panic_of(|| way(&mut input, id)), "the second value fails");
        assert!(input.entity(id).is_empty());
        assert_eq!(
            (input.len(), careless.len(&input), plain.len(&input)),
            (2, 1, 1)
        );
        way(&mut input, id);
        assert_eq!((careless.len(&input), plain.len(&input)), (2, 2));
        assert_eq!(
            panic_of(|| input.create_with(Careless(vec![])).id()),
            "the second value fails"
        );
    }
}

/// Nothing of a rejected or panicked bundle is added by the next one.
#[test]
fn requirements_of_a_failed_bundle_are_discarded() {
    let mut game = Game::new();
    let twice = panic_of(|| game.create_with((Player(1), Health(1), Health(2))).id());
    assert!(twice.contains("`Health` twice"), "{twice}");
    let id = game.create_with(Some(Velocity { dx: 1, dy: 1 })).id();
    assert_eq!(game.entity(id).component_indices().len(), 1);
}

/// A component for each name, each of which requires the next.
macro_rules! chain {
    ($name:ident $next:ident $($rest:ident)*) => {
        #[derive(Component, Default)]
        #[component(context = Input, extension, requires($next))]
        struct $name(u8);

        chain!($next $($rest)*);
    };
    ($name:ident) => {
        #[derive(Component, Default)]
        #[component(context = Input, extension)]
        struct $name(u8);
    };
}

chain!(Link1 Link2 Link3 Link4 Link5 Link6 Link7 Link8 Link9 Link10
    Link11 Link12 Link13 Link14 Link15 Link16 Link17 Link18 Link19 Link20);

#[test]
fn a_long_chain_is_added_completely() {
    let mut input = Input::new();
    let mut entity = input.create_entity();
    entity.add(Link1(1));
    assert_eq!(entity.component_indices().len(), 20);
    entity.remove::<Link20>().remove::<Link1>().add(Link1(2));
    assert_eq!(entity.component_indices().len(), 20);
}

#[test]
fn a_satisfied_cycle_of_requirements_is_visited_once() {
    let mut game = Game::new();
    let id = game.create_with(Left(1)).id();
    game.entity_mut(id).add(Both);
    assert!(game.entity(id).has::<Both>() && game.entity(id).has::<Right>());
    assert_eq!(game.entity(id).get::<Left>().map(|left| left.0), Some(1));
    let spares = game.storage().reusable_entities();
    assert_eq!(
        spares, 0,
        "nothing is made apart for it, since nothing is missing"
    );
}
