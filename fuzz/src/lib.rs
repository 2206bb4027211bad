//! What the fuzz targets share: a game with every kind of component, and what must hold of one that
//! was loaded from bytes that anybody may have written.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// The context.
#[ecs::context]
pub struct Game;

/// A number with a point.
#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Position {
    x: f32,
    y: f32,
}

/// Text on a pool stack.
#[derive(Component, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[component(context = Game, pooled)]
pub struct Name(String);

/// A flag.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
pub struct Frozen;

/// One at most.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, unique)]
pub struct Score(u32);

/// A key that no two entities have.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Seat(#[component(primary_index)] u32);

/// A key that many may have.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Tag(#[component(index)] pub String);

/// A hierarchy.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct ChildOf {
    #[component(relation(reverse = children, acyclic, ordered))]
    parent: EntityId<Game>,
}

/// Ids inside of other things.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub struct Mind {
    targets: Vec<EntityId<Game>>,
    home: Option<EntityId<Game>>,
}

/// What must hold of a game, however it came to be: it can be saved and loaded again, and be played
/// with.
pub fn check(mut game: Game) {
    let saved = serde_json::to_string(&game.save()).expect("a game can be saved");
    let from = &mut serde_json::Deserializer::from_str(&saved);
    let again = Game::load(from).expect("what was saved can be loaded");
    assert_eq!(game.len(), again.len());
    let parents = game.query::<&ChildOf>();
    assert!(parents.iter().all(|child| game.contains(child.parent)));
    let ids: Vec<_> = game.entities().map(|entity| entity.id()).collect();
    assert_eq!(game.group(Game::all_of::<()>()).len(&game), ids.len());
    let new = game.create_with((Position { x: 0.0, y: 0.0 }, Frozen)).id();
    assert!(!ids.contains(&new));
    game.destroy_all();
    assert!(game.is_empty());
}

/// Merges into a game that is not empty; nothing has changed if that is refused.
pub fn check_merge<E>(merge: impl FnOnce(&mut Game) -> Result<Vec<EntityId<Game>>, E>) {
    let mut game = Game::new();
    game.create_with((Frozen, Seat(7), Tag("there".to_owned())));
    let before = serde_json::to_string(&game.save()).expect("a game can be saved");
    match merge(&mut game) {
        Ok(ids) => {
            assert_eq!(game.len(), ids.len() + 1);
            check(game);
        }
        Err(_) => {
            let after = serde_json::to_string(&game.save()).expect("a game can be saved");
            assert_eq!(before, after);
        }
    }
}
