//! A world without its derive.

use ecs::prelude::*;

#[ecs::context]
pub struct Game;

#[ecs::context]
pub struct Input;

#[derive(Component)]
struct Position(f32);

struct World {
    game: Game,
    input: Input,
}

struct Announce;

impl ReactiveSystem<World> for Announce {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Position>().entered()
    }

    fn react(&mut self, world: &mut World, entities: &[EntityId<Game>]) {
        let _ = (world.input.len(), entities);
    }
}

fn main() {
    let (game, input) = (Game::new(), Input::new());
    let mut world = World { game, input };
    let systems = Systems::new().add_reactive(&mut world, Announce);
    systems.add(ecs::EventSystems::<Game>::new()).execute(&mut world);
}
