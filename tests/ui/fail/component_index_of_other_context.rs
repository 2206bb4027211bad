//! Indices, sets and descriptions of components are typed by their context.

use ecs::prelude::*;

#[ecs::context]
struct Game;

#[ecs::context]
struct Input;

#[derive(Component)]
#[component(context(Game, Input))]
struct Owner(u8);

fn main() {
    let (game, mut input) = (Game::new(), Input::new());
    let id = input.create_with(Owner(1)).id();
    let owner = game.components().index_of::<Owner>();
    input.entity(id).dynamic().has(owner);
    input.components().value(owner, &Owner(1));
    let _ = Matcher::<Input>::default().all_of_indices([owner]);
    Input::all_of::<Owner>().matches(Game::all_of::<Owner>().all());
    let _: Option<&ecs::ComponentInfo<Input>> = game.components().find("Owner");
}
