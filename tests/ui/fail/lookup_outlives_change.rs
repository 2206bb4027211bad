//! Results of lookups, queries, relations and closures cannot be kept while the context changes, or
//! beyond the call (F40).

use std::any::Any;

use ecs::prelude::*;
use ecs::{EntityIndex, Mut, View};

#[ecs::context]
struct Game;

#[derive(Component, Clone)]
struct Position {
    x: f32,
}

#[derive(Component)]
struct Team(#[component(index)] u8);

#[derive(Component)]
#[component(unique)]
struct Score(u32);

#[derive(Component, Clone)]
struct ChildOf {
    #[component(relation(reverse = children, acyclic))]
    parent: EntityId<Game>,
}

fn a_view(game: &mut Game, id: EntityId<Game>) -> f32 {
    let positions: View<'_, Game, Position> = game.view();
    game.entity_mut(id).remove_position();
    positions.get(id).map_or(0.0, |position| position.x)
}

fn a_value_of_a_view(game: &mut Game, id: EntityId<Game>) -> f32 {
    let position = game.view::<Position>().get(id);
    game.entity_mut(id).remove_position();
    position.map_or(0.0, |position| position.x)
}

fn an_item_of_a_query(game: &mut Game, id: EntityId<Game>) -> f32 {
    let position = game.query::<&Position>().iter().next();
    game.destroy(id);
    position.map_or(0.0, |position| position.x)
}

fn entities_of_a_key(game: &mut Game, id: EntityId<Game>) -> usize {
    let team = game.entities_with_team(&1);
    game.destroy(id);
    team.len()
}

fn entities_of_an_index(game: &mut Game, index: &EntityIndex<Game, u8>) {
    for entity in index.get(game, &1) {
        game.destroy(entity.id());
    }
}

fn a_unique_value(game: &mut Game) -> u32 {
    let score = game.score();
    game.set_score(1);
    score.0
}

fn the_entity_of_a_unique_value(game: &mut Game) -> bool {
    let entity = game.score_entity();
    game.remove_score();
    entity.is_some_and(|entity| entity.has_position())
}

fn children(game: &mut Game, id: EntityId<Game>) -> usize {
    let children = game.entity(id).children();
    game.destroy(id);
    children.len()
}

fn ancestors(game: &mut Game, id: EntityId<Game>) -> usize {
    let ancestors = game.entity(id).related::<ChildOf>().ancestors();
    game.entity_mut(id).remove_child_of();
    ancestors.count()
}

fn a_dynamic_value(game: &mut Game, id: EntityId<Game>) -> bool {
    let index = game.components().index_of::<Position>();
    let position: Option<&dyn Any> = game.entity(id).dynamic().get(index);
    game.entity_mut(id).remove_position();
    position.is_some()
}

fn a_previous_value(game: &mut Game, group: &Group<Game>) {
    let mut kept: Vec<Option<&'static Position>> = Vec::new();
    let _ = group.on_updated(game, move |_, change| kept.push(change.previous::<Position>()));
}

fn an_item_that_tracks_changes(game: &mut Game) {
    let mut kept: Vec<Mut<'_, Position>> = Vec::new();
    game.query_mut::<Mut<'_, Position>>().for_each(|position| kept.push(position));
}

fn the_value_that_a_closure_changes(game: &mut Game, id: EntityId<Game>) {
    let mut kept: Option<&mut Position> = None;
    game.entity_mut(id).update_with::<Position, _>(|position, _| kept = Some(position));
}

fn the_context_that_a_closure_reads(game: &mut Game, id: EntityId<Game>) {
    let mut kept: Option<&Game> = None;
    game.entity_mut(id).update_with::<Position, _>(|_, game| kept = Some(game));
}

fn main() {}
