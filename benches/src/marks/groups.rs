//! A group looked up by its matcher, and one whose handle is kept.

use std::hint::black_box;

use ecs::{Context as _, Group, System};

use crate::types::{A, B, Flag, Game, Position, Velocity, position, velocity};
use crate::workload::{Workload, steady};

/// A system that asks for its group whenever it needs it.
struct LookingUp {
    times: usize,
    members: usize,
}

impl System<Game> for LookingUp {
    fn execute(&mut self, game: &mut Game) {
        for _ in 0..self.times {
            let movers = game.group(Game::all_of::<(Position, Velocity)>().none_of::<Flag>());
            self.members += movers.len(game);
        }
    }
}

/// A system that has the handle.
struct Keeping {
    movers: Group<Game>,
    times: usize,
    members: usize,
}

impl System<Game> for Keeping {
    fn execute(&mut self, game: &mut Game) {
        for _ in 0..self.times {
            self.members += black_box(self.movers).len(game);
        }
    }
}

/// A context with a few groups and one entity that moves.
fn game() -> Game {
    let mut game = Game::new();
    game.create_with((position(0), velocity()));
    game.group(Game::all_of::<Position>());
    game.group(Game::all_of::<(A, B)>());
    game.group(Game::all_of::<(Position, Velocity)>());
    game.group(Game::any_of::<(A, B)>().none_of::<Flag>());
    game
}

pub(super) fn looked_up(items: usize) -> Box<dyn Workload> {
    let system = LookingUp {
        times: items,
        members: 0,
    };
    let run = |(game, system): &mut (Game, LookingUp)| system.execute(game);
    steady((game(), system), run, move |(_, system), runs| {
        assert_eq!(system.members as u64, runs * items as u64);
    })
}

pub(super) fn kept(items: usize) -> Box<dyn Workload> {
    let mut game = game();
    let movers = game.group(Game::all_of::<(Position, Velocity)>().none_of::<Flag>());
    let system = Keeping {
        movers,
        times: items,
        members: 0,
    };
    let run = |(game, system): &mut (Game, Keeping)| system.execute(game);
    steady((game, system), run, move |(_, system), runs| {
        assert_eq!(system.members as u64, runs * items as u64);
    })
}
