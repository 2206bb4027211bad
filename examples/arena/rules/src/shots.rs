//! Shots in flight, what they hit, and who dies of it.

use ecs::prelude::*;

use crate::map::Walls;
use crate::pilots::{Bodies, RADIUS};
use crate::{Arena, Blast, Kill, Life, Position, Shot, TICKS, Weapon};

/// How far a rocket hits.
const REACH: i32 = 110 * 8;
/// Into how many parts the way of a tick is divided, so that no shot passes through a body.
const PARTS: i32 = 4;
/// How long a line is in the list of who has hit whom.
const LISTED: u16 = 5 * TICKS as u16;

/// A shot has hit someone: a message.
pub(crate) struct Hit {
    body: EntityId<Arena>,
    by: u64,
    weapon: Weapon,
    damage: u8,
}

impl Shot {
    /// The places where it is within a tick, one after the other, up to a wall.
    fn way<'w>(&self, from: Position, walls: &'w Walls) -> impl Iterator<Item = Place> + 'w {
        let (dx, dy) = (i32::from(self.dx), i32::from(self.dy));
        let mut is_over = false;
        (1..=PARTS).map_while(move |part| {
            let at = from.plus(dx * part / PARTS, dy * part / PARTS);
            let before = is_over;
            is_over |= walls.has(at);
            let place = if is_over {
                Place::Wall(at)
            } else {
                Place::Free(at)
            };
            (!before).then_some(place)
        })
    }
}

/// Where a shot is.
enum Place {
    Free(Position),
    Wall(Position),
}

impl Arena {
    /// Moves the shots of a player by a tick. Clients predict with it: walls stop them, bodies do not.
    pub fn fly(&mut self, player: u64) {
        let mut moves = Vec::new();
        for (id, from, shot) in self.query::<(EntityId<Arena>, &Position, &Shot)>() {
            if shot.owner == player {
                moves.push((id, shot.way(*from, self.walls()).last()));
            }
        }
        for (id, place) in moves {
            match place {
                Some(Place::Free(at)) => _ = self.entity_mut(id).replace(at),
                _ => self.destroy(id),
            }
        }
    }

    /// Where a shot is after a tick, and whether it has ended there, by hitting someone or a wall.
    fn flown(
        &self,
        shot: EntityId<Self>,
        bodies: &Bodies,
    ) -> (Position, Option<Option<EntityId<Self>>>) {
        let shot = self.entity(shot);
        let (mut at, shot) = (*shot.position(), *shot.shot());
        let own = self.pilot_of(shot.owner);
        for place in shot.way(at, self.walls()) {
            at = match place {
                Place::Wall(at) => return (at, Some(None)),
                Place::Free(at) => at,
            };
            let mut near = bodies.get(self).within(at.to_f32(), RADIUS as f32);
            if let Some((body, _)) = near.find(|(body, _)| Some(*body) != own) {
                return (at, Some(Some(body)));
            }
        }
        (at, None)
    }

    /// Ends a shot: with a rocket all near are hit.
    fn explode(
        &mut self,
        id: EntityId<Self>,
        at: Position,
        body: Option<EntityId<Self>>,
        bodies: &Bodies,
    ) {
        let Shot {
            owner: by, weapon, ..
        } = *self.entity(id).shot();
        self.destroy(id);
        self.create_with((at, Blast(weapon), Life(8)));
        let mut hits = Vec::new();
        let damage = match weapon {
            Weapon::Blaster => 18,
            Weapon::Scatter => 14,
            Weapon::Rocket => 45,
        };
        hits.extend(body.map(|body| (body, damage)));
        if weapon == Weapon::Rocket {
            for (body, [x, y]) in bodies.get(self).within(at.to_f32(), REACH as f32) {
                let (x, y) = (x as i32, y as i32);
                hits.push((
                    body,
                    (45 * (REACH - at.distance(Position { x, y })) / REACH) as u8,
                ));
            }
        }
        for (body, damage) in hits {
            self.send(Hit {
                body,
                by,
                weapon,
                damage,
            });
        }
    }
}

/// Moves all shots.
pub(crate) fn fly(
    game: &mut Arena,
    bodies: Bodies,
) -> impl FnMut(&mut Arena) + Send + Sync + 'static {
    let shots = game.group(Arena::all_of::<(Position, Shot)>());
    move |game| {
        for id in shots.ids(game) {
            match game.flown(id, &bodies) {
                (at, None) => _ = game.entity_mut(id).replace(at),
                (at, Some(body)) => game.explode(id, at, body, &bodies),
            }
        }
    }
}

/// Someone was hit.
pub(crate) fn hit(game: &mut Arena, hit: &Hit) {
    let body = game.get_entity(hit.body);
    let Some(health) = body.and_then(|body| body.get_health()).map(|it| it.0) else {
        return; // it has died of an earlier hit
    };
    if health > hit.damage {
        _ = game
            .entity_mut(hit.body)
            .replace_health(health - hit.damage);
        return;
    }
    game.die(hit.body);
    let victim = game.entity_mut(hit.body).update_pilot(|it| {
        it.deaths += 1;
        it.player
    });
    let kill = Kill {
        killer: hit.by,
        victim,
        weapon: hit.weapon,
    };
    game.create_with((kill, Life(LISTED)));
    if let Some(killer) = game.pilot_of(hit.by).filter(|_| hit.by != victim) {
        game.entity_mut(killer).update_pilot(|it| it.kills += 1);
    }
}
