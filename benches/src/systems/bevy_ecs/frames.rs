//! The world of `bevy_ecs` in programs of frames.

use std::ops::Range;

use bevy_ecs::prelude::Entity;

use super::Moving;
use crate::frames::World;
use crate::types::*;

struct Frames {
    world: bevy_ecs::world::World,
    moving: Moving,
    ids: Vec<Entity>,
}

/// Returns an empty world.
pub fn world() -> Box<dyn World> {
    let mut world = bevy_ecs::world::World::new();
    Box::new(Frames {
        moving: world.query(),
        world,
        ids: Vec::new(),
    })
}

impl World for Frames {
    fn create(&mut self, numbers: Range<usize>) {
        for number in numbers {
            let entity = self.world.spawn((position(number), velocity()));
            self.ids.push(entity.id());
        }
    }

    fn advance(&mut self) {
        for (mut position, velocity) in self.moving.iter_mut(&mut self.world) {
            advance(&mut position, velocity);
        }
    }

    fn respawn(&mut self, numbers: &[usize]) {
        for &number in numbers {
            assert!(self.world.despawn(self.ids[number]));
            let entity = self.world.spawn((position(number), velocity()));
            self.ids[number] = entity.id();
        }
    }

    fn flag(&mut self, numbers: &[usize], flagged: bool) {
        for &number in numbers {
            let mut entity = self.world.entity_mut(self.ids[number]);
            match flagged {
                true => entity.insert(Flag),
                false => entity.remove::<Flag>(),
            };
        }
    }

    fn read(&self, number: usize) -> (Position, bool) {
        let entity = self.world.entity(self.ids[number]);
        (
            *entity.get::<Position>().unwrap(),
            entity.contains::<Flag>(),
        )
    }

    /// Forgets the changes of the frame, as a schedule does.
    fn end(&mut self) {
        self.world.clear_trackers();
    }
}
