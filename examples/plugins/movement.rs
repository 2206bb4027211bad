//! Whatever has a velocity moves, for any world that has a game.

use ecs::prelude::*;

use crate::world::{Game, GameEntity, GameEntityMut};

/// Where something is, in thousandths of a column, and where it was a step ago, for the view.
#[derive(Component, Clone)]
#[component(context = Game)]
pub(crate) struct Position {
    pub(crate) now: i32,
    pub(crate) before: i32,
}

/// In thousandths of a column for each step.
#[derive(Component, Clone)]
#[component(context = Game)]
pub(crate) struct Velocity(pub(crate) i32);

pub(crate) fn plug_in<W: HasContext<Game> + 'static>(systems: &mut Systems<W>) {
    systems.stage("Rules").push(walk::<W>);
}

fn walk<W: HasContext<Game>>(world: &mut W) {
    let moving = world
        .context_mut()
        .query_mut::<(&mut Position, &Velocity)>();
    moving.for_each(|(position, velocity)| {
        position.before = position.now;
        position.now += velocity.0;
    });
}
