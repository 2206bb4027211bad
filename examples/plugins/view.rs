//! The view: draws one line per frame, interpolated between the steps.

use ecs::prelude::*;

use crate::fire::Burning;
use crate::movement::Position;
use crate::world::World;

const COLUMNS: usize = 60;

pub(crate) fn plug_in(systems: &mut Systems<World>) {
    systems.stage("View").push(draw);
}

fn draw(world: &mut World) {
    let mut line = vec!['.'; COLUMNS];
    for (position, burning) in world.game.query::<(&Position, Option<&Burning>)>() {
        let column = between(position, world.steps.fraction());
        if let Some(place) = line.get_mut(column) {
            *place = if burning.is_some() { '*' } else { 'o' };
        }
    }
    world.screen = line.into_iter().collect();
}

/// Returns the interpolated column between two steps.
fn between(position: &Position, fraction: f32) -> usize {
    let (before, now) = (position.before as f32, position.now as f32);
    let at = before + (now - before) * fraction;
    (at / 1000.0) as usize
}
