//! Movement, also of attached entities.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::world::{Game, GameEntity, GameEntityMut, World, step};

pub(crate) const WIDTH: f32 = 160.0;
pub(crate) const HEIGHT: f32 = 90.0;

#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, index(grid = 8.0))]
pub(crate) struct Position {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

impl Position {
    pub(crate) fn distance(self, other: Self) -> f32 {
        let (x, y) = (other.x - self.x, other.y - self.y);
        (x * x + y * y).sqrt()
    }

    /// Returns the velocity toward another position.
    pub(crate) fn towards(self, other: Self, speed: f32) -> Velocity {
        let by = speed / self.distance(other).max(0.001);
        Velocity {
            dx: (other.x - self.x) * by,
            dy: (other.y - self.y) * by,
        }
    }
}

#[derive(Component, Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Velocity {
    pub(crate) dx: f32,
    pub(crate) dy: f32,
}

/// The carrier of an attached entity, which is destroyed with it.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct AttachedTo {
    #[component(relation(reverse = attachments, on_target_destroyed = destroy, acyclic))]
    pub(crate) carrier: EntityId<Game>,
}

/// The position relative to the carrier.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Offset {
    dx: f32,
    dy: f32,
}

/// The components of a weapon or shield attached to its carrier.
pub(crate) fn attached(carrier: EntityId<Game>, dx: f32, dy: f32) -> impl Bundle<Game> + use<> {
    let position = Position { x: 0.0, y: 0.0 };
    (AttachedTo { carrier }, Offset { dx, dy }, position)
}

pub(crate) fn plug_in(systems: &mut Systems<World>) {
    systems.stage("Move").push(walk).push(follow);
}

fn walk(world: &mut World) {
    let dt = step(&world.game);
    let moving = world.game.query_mut::<(&mut Position, &Velocity)>();
    moving.for_each(|(position, velocity)| {
        position.x = (position.x + velocity.dx * dt).clamp(0.0, WIDTH);
        position.y = (position.y + velocity.dy * dt).clamp(0.0, HEIGHT);
    });
}

fn follow(world: &mut World) {
    let mut buffer = CommandBuffer::new();
    let attached = world.game.query::<(EntityId<Game>, &AttachedTo, &Offset)>();
    for (id, AttachedTo { carrier }, offset) in &attached {
        let carrier = world.game.entity(*carrier).position();
        let (x, y) = (carrier.x + offset.dx, carrier.y + offset.dy);
        buffer.replace(id, Position { x, y });
    }
    buffer.apply(&mut world.game);
}
