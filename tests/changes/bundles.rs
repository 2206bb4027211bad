//! Structs as bundles: they behave like the tuple of their fields.

use ecs::prelude::*;

/// Has components in common with [`Replay`].
#[ecs::context]
pub(crate) struct Game;

/// Accepts the same bundles.
#[ecs::context]
pub(crate) struct Replay;

#[derive(Component, Debug, Clone, Copy, PartialEq)]
#[component(context(Game, Replay))]
pub(crate) struct Position(pub(crate) i32);

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context(Game, Replay))]
pub(crate) struct Name(pub(crate) String);

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Frozen;

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game)]
pub(crate) struct Tag(#[component(primary_index)] pub(crate) u32);

#[derive(Bundle, Clone)]
struct Hero {
    position: Position,
    name: Name,
}

#[derive(Bundle)]
struct Statue(Hero, Frozen);

#[derive(Bundle)]
struct Tagged<B> {
    tag: Tag,
    what: B,
}

fn hero(at: i32) -> Hero {
    Hero {
        position: Position(at),
        name: Name(format!("hero {at}")),
    }
}

#[test]
fn an_entity_gets_the_values_of_all_fields() {
    let mut game = Game::new();
    let entity = game.create_with(hero(3));
    assert_eq!(entity.position(), &Position(3));
    assert_eq!(entity.name(), &Name("hero 3".into()));
    assert_eq!(entity.component_indices().len(), 2);
}

#[test]
fn a_bundle_is_created_as_one_change() {
    let mut game = Game::new();
    let part = game.group(Game::all_of::<Position>().none_of::<Name>());
    let whole = game.group(Game::all_of::<Hero>());
    let parts = game.collector(part.matcher(&game).entered());
    let id = game.create_with(hero(0)).id();
    assert_eq!(parts.len(&game), 0);
    assert_eq!(whole.ids(&game), [id]);
}

#[test]
fn bundles_are_made_of_bundles() {
    let mut game = Game::new();
    let id = game.create_with((Statue(hero(1), Frozen), Tag(7))).id();
    assert_eq!(game.group(Game::all_of::<(Statue, Tag)>()).ids(&game), [id]);
    assert!(game.entity(id).is_frozen());
}

#[test]
fn a_bundle_can_be_generic() {
    let mut game = Game::new();
    let tagged = |tag, what| Tagged {
        tag: Tag(tag),
        what,
    };
    let id = game.create_with(tagged(1, (Frozen, Position(2)))).id();
    assert_eq!(game.entity_with_tag(&1).unwrap().id(), id);
    assert!(game.entity(id).is_frozen());
}

#[derive(Bundle)]
struct Guest {
    name: Name,
    place: Option<Position>,
    extras: (Option<Frozen>, Option<Tagged<()>>),
}

fn guest(at: Option<i32>, is_frozen: bool) -> Guest {
    Guest {
        name: Name("guest".into()),
        place: at.map(Position),
        extras: (is_frozen.then_some(Frozen), None),
    }
}

#[test]
fn an_option_adds_its_component() {
    let mut game = Game::new();
    let seated = game.group(Game::all_of::<(Name, Position)>().none_of::<Frozen>());
    let first = game.create_with(guest(Some(1), false)).id();
    let second = game.create_with(guest(None, true)).id();
    assert_eq!(seated.ids(&game), [first]);
    assert_eq!(game.entity(second).component_indices().len(), 2);
    assert!(game.create_with(None::<Hero>).is_empty());
}

#[test]
fn each_of_many_has_its_own_options() {
    let mut game = Game::new();
    let group = game.group(Game::all_of::<Position>());
    let ids = game.create_many((0..200).map(|at| guest((at % 3 == 0).then_some(at), at % 2 == 0)));
    let thirds: Vec<_> = ids.iter().copied().step_by(3).collect();
    assert_eq!(group.ids(&game), thirds);
    let frozen = |&id: &EntityId<Game>| game.entity(id).is_frozen();
    assert!(ids.iter().step_by(2).all(frozen));
    assert!(!ids[1..].iter().step_by(2).any(frozen));
    assert_eq!(game.entity(ids[198]).get_position(), Some(&Position(198)));
}

#[test]
fn it_is_a_bundle_of_every_context_that_its_fields_are_of() {
    let mut replay = Replay::new();
    assert_eq!(replay.create_with(hero(5)).position(), &Position(5));
}

#[test]
fn many_are_created_as_many_tuples_are() {
    let (mut game, mut same) = (Game::new(), Game::new());
    let group = game.group(Game::all_of::<Hero>());
    same.group(Game::all_of::<(Position, Name)>());
    let ids = game.create_many((0..1000).map(hero));
    let tuples = (0..1000).map(|at| (hero(at).position, hero(at).name));
    same.create_many(tuples);
    assert_eq!(group.ids(&game), ids);
    let values = |game: &Game| -> Vec<_> {
        let entities = game.entities();
        entities
            .map(|entity| (*entity.position(), entity.name().clone()))
            .collect()
    };
    assert_eq!(values(&game), values(&same));
    assert_eq!(values(&game).len(), 1000);
}

#[test]
#[should_panic(expected = "has component `Position` twice")]
fn a_duplicate_component_is_rejected() {
    Game::new().create_with((hero(0), Position(1)));
}

mod many_fields {
    use super::*;

    macro_rules! bundle_of {
        ($($name:ident)*) => {
            $(
                #[derive(Component)]
                #[component(context = Game)]
                pub(super) struct $name;
            )*

            #[derive(Bundle)]
            struct All($($name),*);

            fn all() -> All {
                All($($name),*)
            }
        };
    }

    bundle_of!(
        F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24 F25 F26
    );

    #[test]
    fn a_struct_can_have_more_fields_than_a_tuple() {
        let mut game = Game::new();
        assert_eq!(game.create_with(all()).component_indices().len(), 26);
        let ids = game.create_many((0..100).map(|_| all()));
        assert!(ids.iter().all(|&id| game.entity(id).has_all::<All>()));
    }
}
