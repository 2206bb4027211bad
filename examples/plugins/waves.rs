//! Spawns walkers one after the other; every second one is on fire.

use std::time::Duration;

use ecs::prelude::*;

use crate::fire::{Health, Ignite};
use crate::movement::{Position, Velocity};
use crate::world::World;

/// Spawns a walker whenever its timer finishes.
struct Waves {
    timer: Timer,
    spawned: i32,
}

impl System<World> for Waves {
    fn execute(&mut self, World { game, steps, .. }: &mut World) {
        self.timer.tick(steps.timestep());
        for _ in 0..self.timer.times_finished_this_tick() {
            let position = Position { now: 0, before: 0 };
            let velocity = Velocity(300 + 100 * (self.spawned % 3));
            let health = Health(if self.spawned % 4 == 3 { 20 } else { 60 });
            let walker = game.create_with((position, velocity, health)).id();
            if self.spawned % 2 == 1 {
                game.send(Ignite(walker));
            }
            self.spawned += 1;
        }
    }
}

pub(crate) fn plug_in(systems: &mut Systems<World>) {
    let timer = Timer::repeating(Duration::from_millis(400));
    systems.stage("Spawn").push(Waves { timer, spawned: 0 });
}
