//! Required components, which are added together with a component if missing.

mod changes;
mod many;
mod rules;

use ecs::prelude::*;

use support::game::{
    Game, GameEntity, GameEntityMut, Health, Id, Input, InputEntity, InputEntityMut,
};
use support::panic_of;

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game, extension, requires(Velocity, Health = full()))]
struct Player(u8);

#[derive(Component, Debug, Clone, Default, PartialEq)]
#[component(context = Game, extension)]
struct Velocity {
    dx: i32,
    dy: i32,
}

fn full() -> Health {
    Health(100)
}

/// Requires a component with its own requirements, and overrides a value of these.
#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game, extension, requires(Player = Player(7), Health = Health(500), Visible))]
struct Boss;

#[derive(Component, Clone, Copy)]
#[component(context = Game, extension)]
struct Visible; // a flag needs no `Default`

/// Two components that require each other.
#[derive(Component, Clone, Default)]
#[component(context(Game, Input), extension, requires(Right))]
struct Left(u8);

#[derive(Component, Clone, Default)]
#[component(context(Game, Input), extension, requires(Left = Left(9)))]
struct Right(u8);

/// Requires one of the two that require each other.
#[derive(Component)]
#[component(context = Game, extension, requires(Left))]
struct Both;

#[derive(Component)]
#[component(context = Game, extension, unique, requires(Volume))]
struct Music;

#[derive(Component, Default)]
#[component(context = Game, extension)]
struct Volume(u8);

/// The components of a player, in short.
fn player(game: &Game, id: Id) -> (u8, (i32, i32), u32) {
    let entity = game.entity(id);
    let velocity = entity.velocity();
    (
        entity.player().0,
        (velocity.dx, velocity.dy),
        entity.health().0,
    )
}
