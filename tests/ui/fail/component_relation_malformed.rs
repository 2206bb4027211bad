//! Malformed arguments of `relation`.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[derive(Component, Clone)]
#[component(context = Game)]
struct WithValue(#[component(relation = true)] EntityId<Game>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Unknown(#[component(relation(cascade))] EntityId<Game>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct ReverseWithoutName(#[component(relation(reverse))] EntityId<Game>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct ReverseInQuotes(#[component(relation(reverse = "children"))] EntityId<Game>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct UnknownPolicy(#[component(relation(on_target_destroyed = cascade))] EntityId<Game>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct WordsWithValues(#[component(relation(acyclic = true, ordered()))] EntityId<Game>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Twice(#[component(relation(acyclic, acyclic), relation)] EntityId<Game>);

#[derive(Component, Clone)]
#[component(context = Game, relation)]
struct OnTheType(EntityId<Game>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Hidden(#[component(relation(reverse = has))] EntityId<Game>);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Two(
    #[component(relation)] EntityId<Game>,
    #[component(relation)] EntityId<Game>,
);

#[ecs::context]
pub struct Input;

#[derive(Component, Clone)]
#[component(context(Game, Input))]
struct OfTwo(#[component(relation)] EntityId<Game>);

fn main() {}
