//! The context, the world and the stages of a frame, which all plug-ins share.

use ecs::prelude::*;

#[ecs::context]
pub(crate) struct Game;

#[derive(Contexts)]
pub(crate) struct World {
    pub(crate) game: Game,
    #[contexts(skip)]
    pub(crate) steps: FixedSteps,
    #[contexts(skip)]
    pub(crate) screen: String,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            game: Game::new(),
            steps: FixedSteps::per_second(50),
            screen: String::new(),
        }
    }
}

/// Creates the stages, in order.
pub(crate) fn stages() -> Systems<World> {
    let steps = Systems::with_name("Steps")
        .add(Systems::with_name("Spawn"))
        .add(Systems::with_name("Rules"))
        .repeat_while(|world: &mut World| world.steps.take_step());
    Systems::new().add(steps).add(Systems::with_name("View"))
}
