//! Zombies, which come from all sides at a growing rate.

use std::time::Duration;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::building::Wall;
use crate::combat::Health;
use crate::movement::{HEIGHT, Position, Velocity, WIDTH};
use crate::world::{Game, GameEntity, GameEntityMut, World};

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, requires(Health = Health(2), Velocity))]
pub(crate) struct Zombie;

/// When and where the next zombie appears. The random number is stored here so that it is saved.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, unique)]
pub(crate) struct Waves {
    timer: Timer,
    random: u64,
}

impl Waves {
    pub(crate) fn new(seed: u64) -> Self {
        let timer = Timer::repeating(Duration::from_millis(600));
        Self {
            timer,
            random: seed,
        }
    }

    /// Returns a number from 0 to 1.
    fn next(&mut self) -> f32 {
        let random = self.random.wrapping_mul(6_364_136_223_846_793_005);
        self.random = random.wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 40) as f32 / (1u64 << 24) as f32
    }
}

pub(crate) fn plug_in(systems: &mut Systems<World>) {
    systems.stage("Spawn").push(spawn).push(chase);
}

fn spawn(World { game, .. }: &mut World) {
    let elapsed = game.clock().0.timestep();
    let at = game.update_waves(|waves| {
        waves.timer.tick(elapsed);
        waves.timer.just_finished().then(|| {
            let along = waves.next();
            match waves.next() < 0.5 {
                true => (along * WIDTH, 0.0),
                false => (0.0, along * HEIGHT),
            }
        })
    });
    if let Some((x, y)) = at {
        game.create_with((Zombie, Position { x, y }));
    }
}

/// Steers zombies toward the player. Walls slow them down.
fn chase(World { game, .. }: &mut World) {
    let Some(player) = game.player_entity() else {
        return;
    };
    let target = *player.position();
    let walls: Vec<_> = game
        .query::<&Position>()
        .with::<Wall>()
        .iter()
        .copied()
        .collect();
    let mut zombies = game
        .query_mut::<(&Position, &mut Velocity)>()
        .with::<Zombie>();
    for (position, velocity) in zombies.iter_mut() {
        let is_hindered = walls.iter().any(|wall| wall.distance(*position) < 5.0);
        *velocity = position.towards(target, if is_hindered { 2.0 } else { 9.0 });
    }
}
