//! Required components: what comes with a component to an entity that lacks it.

mod changes;
mod many;
mod rules;

use ecs::prelude::*;

use support::panic_of;

#[ecs::context]
struct Game;

#[ecs::context]
struct Input;

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game, requires(Velocity, Health = Health::full()))]
struct Player(u8);

#[derive(Component, Debug, Clone, Default, PartialEq)]
#[component(context = Game)]
struct Velocity {
    dx: i32,
    dy: i32,
}

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game)]
struct Health(u32);

impl Health {
    fn full() -> Self {
        Self(100)
    }
}

/// Requires what itself requires, and of that a value of its own.
#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game, requires(Player = Player(7), Health = Health(500), Visible))]
struct Boss;

#[derive(Component, Clone, Copy)]
#[component(context = Game)]
struct Visible; // a flag needs no `Default`

/// Two that require each other.
#[derive(Component, Clone, Default)]
#[component(context(Game, Input), requires(Right))]
struct Left(u8);

#[derive(Component, Clone, Default)]
#[component(context(Game, Input), requires(Left = Left(9)))]
struct Right(u8);

/// Requires one of two that require each other.
#[derive(Component)]
#[component(context = Game, requires(Left))]
struct Both;

#[derive(Component)]
#[component(context = Game, unique, requires(Volume))]
struct Music;

#[derive(Component, Default)]
#[component(context = Game)]
struct Volume(u8);

/// What an entity has of a player, in short.
fn player(game: &Game, id: EntityId<Game>) -> (u8, (i32, i32), u32) {
    let entity = game.entity(id);
    let velocity = entity.velocity();
    (
        entity.player().0,
        (velocity.dx, velocity.dy),
        entity.health().0,
    )
}
