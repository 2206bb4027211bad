//! Movement of entities with a velocity, for any world that has the context `Game`.

use ecs::prelude::*;

use crate::world::{Game, GameEntity, GameEntityMut};

/// The position in thousandths of a column, and that of the previous step, for the view.
#[derive(Component, Clone)]
#[component(context = Game)]
pub(crate) struct Position {
    pub(crate) now: i32,
    pub(crate) before: i32,
}

/// Thousandths of a column per step.
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
