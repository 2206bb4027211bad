//! Components that an entity can have several of.

mod accessors;
mod ends;
mod pairs;
mod random;
mod records;

use ecs::prelude::*;
use ecs::{EntryOf, ErrorKind};
use serde::{Deserialize, Serialize};

/// Saves its components, which have inherent accessors.
#[ecs::context]
pub struct Game;

type Id = EntityId<Game>;

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Name(#[component(into)] String);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, many)]
struct Mesh {
    #[component(into)]
    file: String,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Likes {
    #[component(relation(many, reverse = liked_by))]
    whom: Id,
    amount: u32,
}

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Mourns(#[component(relation(many, reverse = mourned_by, on_target_destroyed = keep))] Id);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Guards(
    #[component(relation(many, ordered, reverse = guarded_by, on_target_destroyed = reject))] Id,
);

/// A list of links, several of which can have the same target.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, many)]
struct Visits {
    #[component(relation(reverse = visited_by))]
    place: Id,
    day: u32,
}

/// An id outside of any relation.
#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
struct Favorite(Id);

fn named(game: &mut Game, name: &str) -> Id {
    game.create_entity().add_name(name).id()
}

/// The files of an entity's meshes.
fn files(game: &Game, id: Id) -> Vec<&str> {
    let all = game.entity(id).all_mesh();
    all.map(|(_, mesh)| mesh.file.as_str()).collect()
}

/// Whom an entity likes, and how much.
fn liked(game: &Game, id: Id) -> Vec<(Id, u32)> {
    let all = game.entity(id).all_likes();
    all.map(|(_, likes)| (likes.whom, likes.amount)).collect()
}

/// An entity with two meshes, that likes two others.
fn hero(game: &mut Game) -> (Id, [Id; 2]) {
    let others = ["Ann", "Bob"].map(|name| named(game, name));
    let mut hero = game.create_entity();
    hero.add_mesh("body");
    hero.add_mesh("hat");
    hero.add_likes(others[0], 3).add_likes(others[1], 5);
    (hero.id(), others)
}
