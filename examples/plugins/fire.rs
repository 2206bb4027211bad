//! Fire: an ignited entity burns for a while and loses health.

use std::time::Duration;

use ecs::prelude::*;

use crate::world::{Game, GameEntity, GameEntityMut, World};

#[derive(Component, Clone)]
#[component(context = Game)]
pub(crate) struct Health(pub(crate) u32);

/// Burns until this time of the fixed steps.
#[derive(Component, Clone)]
#[component(context = Game)]
pub(crate) struct Burning {
    until: Duration,
}

/// A message that sets an entity on fire.
pub(crate) struct Ignite(pub(crate) EntityId<Game>);

pub(crate) fn plug_in(systems: &mut Systems<World>, world: &mut World) {
    let ignited = world.game.inbox::<Ignite>();
    let fire = Systems::with_name("Fire")
        .on_message(ignited, ignite)
        .named("ignite")
        .add(burn)
        .add(Expire::remove(|world: &World, burning: &Burning| {
            burning.until <= world.steps.elapsed()
        }))
        .add(Expire::destroy(|_: &World, health: &Health| health.0 == 0));
    systems.stage("Rules").push(fire); // as a list, so that it can be switched off as a whole
}

fn ignite(world: &mut World, Ignite(walker): &Ignite) {
    let until = world.steps.elapsed() + Duration::from_millis(700);
    world.game.entity_mut(*walker).add(Burning { until });
}

fn burn(world: &mut World) {
    let mut burning = world.game.query_mut::<&mut Health>().with::<Burning>();
    for health in burning.iter_mut() {
        health.0 = health.0.saturating_sub(1);
    }
}
