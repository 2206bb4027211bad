//! The world of `hecs` in programs of frames.

use std::ops::Range;

use hecs::Entity;

use super::step;
use crate::frames::World;
use crate::types::*;

#[derive(Default)]
struct Frames {
    world: hecs::World,
    ids: Vec<Entity>,
}

/// Returns an empty world.
pub fn world() -> Box<dyn World> {
    Box::new(Frames::default())
}

impl World for Frames {
    fn create(&mut self, numbers: Range<usize>) {
        for number in numbers {
            self.ids
                .push(self.world.spawn((position(number), velocity())));
        }
    }

    fn advance(&mut self) {
        step(&mut self.world, super::Walk::Query);
    }

    fn respawn(&mut self, numbers: &[usize]) {
        for &number in numbers {
            self.world.despawn(self.ids[number]).unwrap();
            self.ids[number] = self.world.spawn((position(number), velocity()));
        }
    }

    fn flag(&mut self, numbers: &[usize], flagged: bool) {
        for &number in numbers {
            match flagged {
                true => self.world.insert_one(self.ids[number], Flag).unwrap(),
                false => _ = self.world.remove_one::<Flag>(self.ids[number]).unwrap(),
            }
        }
    }

    fn read(&self, number: usize) -> (Position, bool) {
        let entity = self.world.entity(self.ids[number]).unwrap();
        (*entity.get::<&Position>().unwrap(), entity.has::<Flag>())
    }
}
