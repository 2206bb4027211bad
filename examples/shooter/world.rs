//! The context, the world, the player's commands and the stages, which all plug-ins share.

use std::time::Duration;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[ecs::context]
pub(crate) struct Game;

/// The phase of the program.
#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, unique, state)]
pub(crate) enum Phase {
    Menu,
    Playing,
    Paused,
    Over,
}

/// The clock of the game. As a component, it is saved with the rest.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, unique)]
pub(crate) struct Clock(pub(crate) FixedSteps);

/// A command of the player.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Command {
    Start,
    Pause,
    Resume,
    /// Moves in this direction from now on.
    Steer(f32, f32),
    Build(f32, f32),
    Undo,
    Redo,
    Leave,
}

#[derive(Contexts)]
pub(crate) struct World {
    pub(crate) game: Game,
    #[contexts(skip)]
    pub(crate) edits: UndoStack<Game>,
    #[contexts(skip)]
    pub(crate) picture: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let mut game = Game::new();
        game.set_phase(Phase::Menu);
        game.set_clock(FixedSteps::per_second(50));
        Self {
            game,
            edits: UndoStack::only::<crate::building::Edited>().at_most(100),
            picture: String::new(),
        }
    }

    /// Runs a frame.
    pub(crate) fn frame(
        &mut self,
        systems: &mut Systems<Self>,
        elapsed: Duration,
        commands: &[Command],
    ) {
        for &command in commands {
            self.game.send(command);
        }
        if self.game.phase() == &Phase::Playing {
            self.game.update_clock(|clock| clock.0.advance(elapsed));
        }
        systems.execute(self);
        systems.cleanup(self);
    }
}

/// Returns the length of a step in seconds.
pub(crate) fn step(game: &Game) -> f32 {
    game.clock().0.timestep().as_secs_f32()
}

/// Creates the stages of a frame, in order. Those inside `Steps` run at a fixed rate.
pub(crate) fn stages() -> Systems<World> {
    let steps = Systems::with_name("Steps")
        .add(Systems::with_name("Spawn"))
        .add(Systems::with_name("Move"))
        .add(Systems::with_name("Hit"))
        .repeat_while(|world: &mut World| world.game.update_clock(|clock| clock.0.take_step()));
    Systems::new()
        .add(Systems::with_name("Input"))
        .add(steps)
        .add(Systems::with_name("View"))
}
