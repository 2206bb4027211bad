//! Saving and loading: components, ids, formats, and rejections.

mod continuing;
mod exact;
mod formats;
mod hostile;
mod kinds;
mod late;
mod merging;
mod panics;
mod parts;
mod pending;
mod rejections;
mod reloading;
mod rewound;
mod shapes;
mod templates;
mod unknown;
mod versions;

use std::collections::{BTreeMap, HashMap};

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// Has saved components; these tests fix the format of each kind.
#[ecs::context]
struct Game;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, pooled, by_value)]
#[derive(Default)]
struct Name(String);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Frozen;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, unique)]
struct Score(u32);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Seat {
    #[component(primary_index)]
    number: u32,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Tag(#[component(index)] String);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct ChildOf {
    #[component(relation(reverse = children, acyclic, ordered))]
    parent: Id,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Follows {
    #[component(relation(on_target_destroyed = keep))]
    leader: Id,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ecs::MapIds)]
enum Order {
    Wait,
    Attack(Id),
    Escort { who: Id, until: Option<Id> },
}

/// Contains ids in every possible place.
#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(context = Game, by_value)]
struct Mind {
    targets: Vec<Id>,
    home: Option<Id>,
    orders: Vec<Order>,
    opinions: HashMap<Id, i8>,
    ranks: BTreeMap<u8, (Id, [Id; 2])>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Health;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Mana;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, instances(Stat<Health> as health_stat, Stat<Mana> as mana_stat))]
struct Stat<T> {
    value: i64,
    kind: T,
}

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, transient)]
struct Sprite(usize);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, requires(Position = Position { x: 0.0, y: 0.0 }))]
struct Velocity(f32);

type Id = EntityId<Game>;

/// The visible state of a game, entity by entity.
fn picture(game: &Game) -> Vec<String> {
    let entities = game.entities();
    entities.map(|entity| format!("{entity:?}")).collect()
}

fn json(game: &Game) -> String {
    serde_json::to_string(&game.save()).unwrap()
}

fn from_json(text: &str) -> Result<Game, String> {
    let from = &mut serde_json::Deserializer::from_str(text);
    let game = Game::load(&mut *from).map_err(|error| error.to_string())?;
    from.end().map_err(|error| error.to_string())?;
    Ok(game)
}

fn merge_json(game: &mut Game, text: &str) -> Result<Vec<Id>, String> {
    let merged = game.merge(&mut serde_json::Deserializer::from_str(text));
    merged.map_err(|error| error.to_string())
}

fn bytes(game: &Game) -> Vec<u8> {
    postcard::to_stdvec(&game.save()).unwrap()
}

fn from_bytes(bytes: &[u8]) -> Result<Game, String> {
    let game = Game::load(&mut postcard::Deserializer::from_bytes(bytes));
    game.map_err(|error| error.to_string())
}

/// A game with every kind of component, and a gap in its ids.
fn world() -> Game {
    let mut game = Game::new();
    let root = game
        .create_with((Position { x: 1.5, y: -0.0 }, Name("röot".into())))
        .id();
    let gone = game.create_with(Frozen).id();
    let a = game
        .create_with((ChildOf { parent: root }, Frozen, Seat { number: 7 }))
        .id();
    let b = game
        .create_with((ChildOf { parent: root }, Tag("x".into()), Sprite(3)))
        .id();
    let c = game
        .create_with((
            Tag("x".into()),
            Seat { number: 8 },
            Follows { leader: gone },
        ))
        .id();
    game.destroy(gone);
    game.entity_mut(c)
        .add_velocity(3.0)
        .add_health_stat(-5, Health)
        .add_mana_stat(6, Mana);
    game.set_score(11);
    game.entity_mut(b).add_mind(Mind {
        targets: vec![a, c, a],
        home: Some(root),
        orders: vec![
            Order::Wait,
            Order::Attack(c),
            Order::Escort {
                who: a,
                until: None,
            },
            Order::Escort {
                who: a,
                until: Some(b),
            },
        ],
        opinions: HashMap::from([(a, -3)]),
        ranks: BTreeMap::from([(1, (a, [b, c]))]),
        name: "0v1".into(),
    });
    // The children are not in the order of their ids.
    game.entity_mut(a).remove_child_of();
    game.entity_mut(a).add_child_of(root);
    game
}

/// Makes the same changes in two loaded games, and checks that they stay equal.
fn go_on_alike(game: &mut Game, other: &mut Game) {
    let step = |game: &mut Game| -> Vec<Id> {
        let first = game.entities().next().map(|entity| entity.id());
        let mut ids = game.create_many((0..5).map(|n| Name(n.to_string())));
        game.destroy(ids[1]);
        ids.extend(first.filter(|&id| game.get_entity(id).is_some()));
        ids.push(game.create_with(Frozen).id());
        ids
    };
    for _ in 0..3 {
        assert_eq!(step(game), step(other));
        assert_eq!(json(game), json(other));
    }
    let walk = |game: &Game| -> Vec<Id> { game.query::<Id>().iter().collect() };
    assert_eq!(walk(game), walk(other));
}

#[test]
fn flags_and_values_are_listed_by_id_and_name() {
    let mut game = Game::new();
    game.create_with((Position { x: 1.0, y: 2.0 }, Frozen));
    let expected = r#"{"format":1,"context":"Game","entities":{"0v1":{"Frozen":{},"Position":{"x":1.0,"y":2.0}}}}"#;
    assert_eq!(json(&game), expected);
}

#[test]
fn rows_are_saved_only_where_they_are_not_those_of_the_indices() {
    let mut game = Game::new();
    let ids = game.create_many([(); 3].map(|()| Frozen));
    game.entity_mut(ids[2]).remove_frozen();
    game.defragment();
    assert!(json(&game).contains(r#""rows":[2,0,1]"#), "{}", json(&game));
    game.entity_mut(ids[2]).add_frozen();
    game.many(&ids[..2]).remove::<Frozen>();
    game.defragment();
    assert!(!json(&game).contains("rows"), "{}", json(&game));
}

#[test]
fn rows_moved_back_to_their_indices_are_not_saved() {
    let mut game = Game::new();
    let ids = game.create_many([(); 3].map(|()| Frozen));
    game.entity_mut(ids[2]).remove_frozen();
    while game.storage_mut().defragment_for(1) {}
    assert!(json(&game).contains(r#""rows":[2,1,0]"#), "{}", json(&game));
    game.entity_mut(ids[2]).add_frozen();
    game.many(&ids[..2]).remove::<Frozen>();
    while game.storage_mut().defragment_for(1) {}
    assert!(!json(&game).contains("rows"), "{}", json(&game));
}

#[test]
fn a_loaded_game_is_the_saved_one() {
    let game = world();
    for loaded in [
        from_json(&json(&game)).unwrap(),
        from_bytes(&bytes(&game)).unwrap(),
    ] {
        let without_sprite =
            |text: &String| text.replace("Sprite(3), ", "").replace(", Sprite(3)", "");
        let expected: Vec<_> = picture(&game).iter().map(without_sprite).collect();
        assert_eq!(picture(&loaded), expected);
        assert_eq!(json(&loaded), json(&game));
        assert_eq!(bytes(&loaded), bytes(&game));
    }
}
