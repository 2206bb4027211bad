//! The world of `flecs_ecs` in programs of frames.

use std::ops::Range;

use flecs_ecs::prelude::*;

use super::stored::{Flag, Position, Velocity};
use super::{Moving, advance_tables, empty, moving};
use crate::frames;
use crate::types::{self, position, velocity};

struct Frames {
    moving: Moving,
    world: World,
    ids: Vec<Entity>,
}

/// Returns an empty world.
pub fn world() -> Box<dyn frames::World> {
    let world = empty();
    Box::new(Frames {
        moving: moving(&world),
        world,
        ids: Vec::new(),
    })
}

impl Frames {
    /// Creates a batch of one, which goes directly to the table of its components.
    fn spawn(&self, number: usize) -> Entity {
        self.world
            .entity_bulk(1)
            .set(&[Position(position(number))])
            .set(&[Velocity(velocity())])
            .build()[0]
    }
}

impl frames::World for Frames {
    fn create(&mut self, numbers: Range<usize>) {
        for number in numbers {
            self.ids.push(self.spawn(number));
        }
    }

    fn advance(&mut self) {
        advance_tables(&self.moving, types::advance_all);
    }

    fn respawn(&mut self, numbers: &[usize]) {
        for &number in numbers {
            self.ids[number].entity_view(&self.world).destruct();
            self.ids[number] = self.spawn(number);
        }
    }

    fn flag(&mut self, numbers: &[usize], flagged: bool) {
        for &number in numbers {
            let entity = self.ids[number].entity_view(&self.world);
            match flagged {
                true => entity.add(Flag::id()),
                false => entity.remove(Flag::id()),
            };
        }
    }

    fn read(&self, number: usize) -> (types::Position, bool) {
        let entity = self.ids[number].entity_view(&self.world);
        (entity.cloned::<&Position>().0, entity.has(Flag::id()))
    }
}
