//! Ids, groups and matchers are typed by their context.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[ecs::context]
struct Input;

#[derive(Component)]
#[component(context(Game, Input))]
struct Owner(u8);

fn main() {
    let (mut game, mut input) = (Game::new(), Input::new());
    let id = game.create_entity().id();
    input.entity(id);
    input.destroy(id);
    let group = game.group(Game::all_of::<Owner>());
    group.len(&input);
    let matcher: Matcher<Game> = Game::all_of::<Owner>();
    input.group(matcher);
    input.query::<&Owner>().among(&[id]);
    input.query_mut::<&mut Owner>().among(id);
}
