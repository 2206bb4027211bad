//! A component that a query writes to appears once, and is not viewed.

use ecs::{View, prelude::*};

#[ecs::context]
pub struct Game;

#[derive(Component)]
#[component(context = Game)]
struct Position(f32);

#[derive(Component)]
#[component(context = Game)]
struct Velocity(f32);

fn main() {
    let mut game = Game::new();
    game.query_mut::<(&Position, (&mut Velocity, View<'_, Game, Position>))>().for_each(|_| {});
    game.query_mut::<(&mut Position, View<'_, Game, Position>)>().for_each(|_| {});
    game.query_mut::<(&Velocity, (&Position, Option<Mut<'_, Velocity>>))>().for_each(|_| {});
}
