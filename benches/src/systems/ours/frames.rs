//! Our world in programs of frames: a list of systems tidies it at the end of each frame, as in a game.

use std::ops::Range;

use ecs::{Context as _, Systems};

use super::{Calls, Entity, step};
use crate::frames::World;
use crate::types::*;

struct Frames {
    game: Game,
    systems: Systems<Game>,
    ids: Vec<Entity>,
}

/// Returns an empty world.
pub fn world() -> Box<dyn World> {
    Box::new(Frames {
        game: Game::new(),
        systems: Systems::new(),
        ids: Vec::new(),
    })
}

impl World for Frames {
    fn create(&mut self, numbers: Range<usize>) {
        for number in numbers {
            let entity = self.game.create_with((position(number), velocity()));
            self.ids.push(entity.id());
        }
    }

    fn advance(&mut self) {
        step(&mut self.game, Calls::OneByOne);
    }

    fn respawn(&mut self, numbers: &[usize]) {
        for &number in numbers {
            self.game.destroy(self.ids[number]);
            let entity = self.game.create_with((position(number), velocity()));
            self.ids[number] = entity.id();
        }
    }

    fn flag(&mut self, numbers: &[usize], flagged: bool) {
        for &number in numbers {
            self.game.entity_mut(self.ids[number]).set_flag(flagged);
        }
    }

    fn read(&self, number: usize) -> (Position, bool) {
        let entity = self.game.entity(self.ids[number]);
        (*entity.position(), entity.is_flag())
    }

    fn end(&mut self) {
        self.systems.cleanup(&mut self.game);
    }
}
