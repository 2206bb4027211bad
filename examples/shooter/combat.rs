//! Weapons, bullets and hits.

use std::time::Duration;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::movement::{Position, Velocity};
use crate::waves::Zombie;
use crate::world::{Game, GameEntity, GameEntityMut, Phase, World};

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Health(pub(crate) u32);

/// The player, the target of the zombies.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, unique, requires(Velocity, Health = Health(5)))]
pub(crate) struct Player;

/// Fires at the nearest zombie.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Weapon {
    pub(crate) cooldown: Timer,
    pub(crate) range: f32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Bullet;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game)]
pub(crate) struct Lifetime(Timer);

#[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[component(context = Game, unique)]
pub(crate) struct Score(pub(crate) u32);

pub(crate) fn plug_in(systems: &mut Systems<World>) {
    systems.stage("Spawn").push(shoot);
    let hits = systems.stage("Hit");
    hits.push(hit).push(bite).push(age);
    hits.push(Expire::destroy(|_: &World, life: &Lifetime| {
        life.0.is_finished()
    }));
}

fn shoot(world: &mut World) {
    let mut ready = Vec::new();
    let elapsed = world.game.clock().0.timestep();
    for (position, weapon) in world
        .game
        .query_mut::<(&Position, &mut Weapon)>()
        .iter_mut()
    {
        if weapon.cooldown.tick(elapsed).just_finished() {
            ready.push((*position, weapon.range));
        }
    }
    let mut buffer = CommandBuffer::new();
    for (from, range) in ready {
        let distance = |(_, position): &(_, Position)| from.distance(*position);
        let nearest =
            zombies(&world.game, from, range).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        if let Some((_, target)) = nearest {
            let life = Lifetime(Timer::once(Duration::from_secs(2)));
            buffer.create((Bullet, from, from.towards(target, 60.0), life));
        }
    }
    buffer.apply(&mut world.game);
}

/// The zombies that are near a position.
fn zombies(
    game: &Game,
    Position { x, y }: Position,
    distance: f32,
) -> impl Iterator<Item = (EntityId<Game>, Position)> {
    let near = game.entities_by_position().within([x, y], distance);
    near.filter(|(id, _)| game.entity(*id).has::<Zombie>())
        .map(|(id, [x, y])| (id, Position { x, y }))
}

fn hit(World { game, .. }: &mut World) {
    let mut hits = Vec::new();
    let bullets = game.query::<(EntityId<Game>, &Position)>().with::<Bullet>();
    for (bullet, at) in &bullets {
        let hit = zombies(game, *at, 2.5).next();
        hits.extend(hit.map(|(zombie, _)| (bullet, zombie)));
    }
    for (bullet, zombie) in hits {
        game.destroy(bullet);
        let Some(mut zombie) = game.get_entity_mut(zombie) else {
            continue; // another bullet has killed it
        };
        let left = zombie.update_health(|health| {
            health.0 -= 1;
            health.0
        });
        if left == 0 {
            zombie.destroy();
            game.update_score(|score| score.0 += 1);
        }
    }
}

fn bite(World { game, .. }: &mut World) {
    let Some(player) = game.player_entity() else {
        return;
    };
    let at = *player.position();
    let biting: Vec<_> = zombies(game, at, 3.0).map(|(zombie, _)| zombie).collect();
    for zombie in biting {
        game.destroy(zombie);
        let left = game.player_entity_mut().map(|mut player| {
            player.update_health(|health| {
                health.0 = health.0.saturating_sub(1);
                health.0
            })
        });
        if left == Some(0) {
            game.set_phase(Phase::Over);
        }
    }
}

fn age(World { game, .. }: &mut World) {
    let elapsed = game.clock().0.timestep();
    for life in game.query_mut::<&mut Lifetime>().iter_mut() {
        life.0.tick(elapsed);
    }
}
