//! A crate that knows this library by another name.

mod reexported {
    pub use ::ecs as renamed;
}

mod ecs {}

use reexported::renamed::prelude::*;

#[reexported::renamed::context(crate = "crate::reexported::renamed")]
struct Game;

#[derive(Component, Default)]
#[component(crate = "reexported::renamed", pooled)]
struct Health(u8);

#[derive(Component)]
#[component(crate = "crate::reexported::renamed", extension)]
struct Flag;

#[derive(Contexts)]
#[contexts(crate = "reexported::renamed")]
struct World {
    game: Game,
}

fn main() {
    let mut world = World { game: Game::new() };
    HasContext::<Game>::context_mut(&mut world).create_entity();
    assert_eq!(world.game.len(), 1);

    let mut game = Game::new();
    let mut entity = game.create_entity();
    assert!(entity.add_health(1).set_flag(true).is_flag());
}
