//! Players and bots: what they do in a step, how they join and come back.

use ecs::prelude::*;
use ecs::{Grid, IndexHandle};
use serde::{Deserialize, Serialize};

use crate::map::{length, scaled};
use crate::{Aim, Arena, Budget, Dead, Gun, Health, Life, Pilot, Position, Shot, TICKS, Weapon};

/// The radius of a body.
pub const RADIUS: i32 = 18 * 8;
/// The way of a body in a step.
const SPEED: i32 = 12 * 8;
/// What a step takes of the budget, and the budget.
pub(crate) const STEP: u8 = 10;
pub(crate) const BUDGET: u8 = BURST as u8 * STEP;
/// How many steps of a player are played at once at most. A client must not be farther ahead: the others are ignored.
pub const BURST: usize = 20;
pub(crate) const FULL: u8 = 100;
/// How long a pilot is dead.
const DEATH: u16 = 2 * TICKS as u16;
const UNARMED: Gun = Gun {
    weapon: Weapon::Blaster,
    ammo: (0, 0),
    rest: 0,
};

pub(crate) type Bodies = IndexHandle<Arena, Grid<Arena, 2>>;

/// What a player does in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Where it goes: a direction, with full speed from length 100 on.
    pub walk: (i8, i8),
    /// Where it aims, if that has changed.
    pub aim: (i8, i8),
    /// Whether it shoots if it can.
    pub shoots: bool,
    /// The weapon that it takes in its hand.
    pub weapon: Option<Weapon>,
}

impl Weapon {
    /// The steps between two shots, the way of a shot in a tick, and for how many ticks it flies.
    const fn numbers(self) -> (u8, i32, u16) {
        match self {
            Self::Blaster => (5, 32 * 8, 22),
            Self::Scatter => (14, 34 * 8, 8),
            Self::Rocket => (20, 20 * 8, 45),
        }
    }
}

impl Gun {
    fn ammo_of(&mut self, weapon: Weapon) -> Option<&mut u8> {
        match weapon {
            Weapon::Blaster => None,
            Weapon::Scatter => Some(&mut self.ammo.0),
            Weapon::Rocket => Some(&mut self.ammo.1),
        }
    }

    /// Takes a weapon into the hand if there are shots for it.
    fn take(&mut self, weapon: Weapon) {
        if self.ammo_of(weapon).is_none_or(|ammo| *ammo > 0) {
            self.weapon = weapon;
        }
    }

    /// Adds shots. A weapon that was empty is taken into the hand.
    pub(crate) fn load(&mut self, weapon: Weapon, shots: u8) {
        let Some(ammo) = self.ammo_of(weapon) else {
            return;
        };
        let was_empty = *ammo == 0;
        *ammo = (*ammo + shots).min(99);
        if was_empty && self.weapon == Weapon::Blaster {
            self.weapon = weapon;
        }
    }

    /// Shoots, if it can.
    fn shoot(&mut self) -> Option<Weapon> {
        let weapon = self.weapon;
        if self.rest > 0 {
            return None;
        }
        let is_empty = self.ammo_of(weapon).is_some_and(|ammo| {
            *ammo = ammo.saturating_sub(1);
            *ammo == 0
        });
        if is_empty {
            self.weapon = Weapon::Blaster;
        }
        self.rest = weapon.numbers().0;
        Some(weapon)
    }
}

impl Arena {
    /// Plays a step of a player: its way, its aim, its shot. Clients predict with it.
    pub fn step(&mut self, player: u64, step: Step) {
        let is_over = self.get_round().is_none_or(|round| round.winner.is_some());
        let pilot = self.entity_with_pilot(&player);
        let Some(pilot) = pilot.filter(|it| it.has_position() && it.has_gun() && !is_over) else {
            return;
        };
        let (id, from, gun) = (pilot.id(), *pilot.position(), *pilot.gun());
        let aim = match step.aim {
            (0, 0) => *pilot.aim(),
            (x, y) => Aim(x, y),
        };
        let to = self.walk(from, step.walk);
        let mut after = gun;
        after.rest = gun.rest.saturating_sub(1);
        step.weapon.into_iter().for_each(|it| after.take(it));
        let shot = step.shoots.then(|| after.shoot()).flatten();

        // Only what has changed is sent.
        let mut pilot = self.entity_mut(id);
        if to != from {
            pilot.replace(to);
        }
        if aim != *pilot.aim() {
            pilot.replace(aim);
        }
        if after != gun {
            pilot.replace(after);
        }
        if let Some(weapon) = shot {
            self.shoot(player, to, aim, weapon);
        }
    }

    /// Walks along walls, not through them.
    fn walk(&self, from: Position, (x, y): (i8, i8)) -> Position {
        let (x, y) = (i32::from(x), i32::from(y));
        let (dx, dy) = scaled((x, y), SPEED * length(x, y).min(100) / 100);
        let mut to = from;
        for next in [from.plus(dx, 0), from.plus(0, dy)] {
            let next = to.plus(next.x - from.x, next.y - from.y);
            if self.walls().is_free(next, RADIUS) {
                to = next;
            }
        }
        to
    }

    fn shoot(&mut self, owner: u64, from: Position, aim: Aim, weapon: Weapon) {
        let (_, speed, life) = weapon.numbers();
        let (x, y) = (i32::from(aim.0), i32::from(aim.1));
        let (muzzle_x, muzzle_y) = scaled((x, y), RADIUS);
        let muzzle = from.plus(muzzle_x, muzzle_y);
        let from = if self.walls().has(muzzle) {
            from
        } else {
            muzzle
        };
        let spread = if weapon == Weapon::Scatter {
            -2..=2
        } else {
            0..=0
        };
        self.create_many(spread.map(|part| {
            let (dx, dy) = scaled((8 * x - y * part, 8 * y + x * part), speed);
            let (dx, dy) = (dx as i16, dy as i16);
            let shot = Shot {
                owner,
                weapon,
                dx,
                dy,
            };
            (from, shot, Life(life))
        }));
    }

    pub(crate) fn add_pilot(&mut self, player: u64, name: String, is_bot: bool) -> EntityId<Self> {
        let colors: Vec<u8> = self.query::<&Pilot>().iter().map(|it| it.color).collect();
        let color = (0..=u8::MAX).find(|color| !colors.contains(color));
        let pilot = Pilot {
            player,
            name,
            color: color.unwrap_or(0),
            kills: 0,
            deaths: 0,
            is_bot,
        };
        self.create_with((pilot, Budget(BUDGET))).id()
    }

    pub(crate) fn rename(&mut self, pilot: EntityId<Self>, name: &str) {
        let letters = name.trim().chars().filter(|it| !it.is_control());
        let name: String = letters.take(12).collect();
        if !name.is_empty() {
            self.entity_mut(pilot).update_pilot(|it| it.name = name);
        }
    }

    /// Takes the body of a pilot away.
    pub(crate) fn die(&mut self, pilot: EntityId<Self>) {
        let mut pilot = self.entity_mut(pilot);
        pilot.remove::<Position>().remove::<Aim>();
        pilot.remove::<Health>().remove::<Gun>();
    }
}

/// A pilot has no body: a new one, or one that has died.
pub(crate) fn wait(game: &mut Arena, pilot: EntityId<Arena>) {
    let has_died = game.entity(pilot).pilot().deaths > 0;
    let ticks = if has_died { DEATH } else { 1 };
    game.entity_mut(pilot).replace(Dead(ticks));
}

/// Gives pilots new bodies, where others are far.
pub(crate) fn come_back(bodies: Bodies) -> impl FnMut(&mut Arena) + Send + Sync + 'static {
    move |game| {
        let mut due = Vec::new();
        let dead = game.query_mut::<(EntityId<Arena>, &mut Dead)>();
        dead.for_each(|(id, dead)| {
            dead.0 = dead.0.saturating_sub(1);
            due.extend((dead.0 == 0).then_some(id));
        });
        for id in due {
            let places = [(); 6].map(|()| game.draw_place());
            let distance = |place: &Position| {
                let nearest = bodies.get(game).nearest(place.to_f32(), 1);
                nearest.first().map_or(i32::MAX, |(_, [x, y])| {
                    place.distance(Position {
                        x: *x as i32,
                        y: *y as i32,
                    })
                })
            };
            let place = places.into_iter().max_by_key(distance);
            let mut pilot = game.entity_mut(id);
            pilot.remove::<Dead>();
            pilot.insert((place, Aim(1, 0), Health(FULL), UNARMED));
        }
    }
}
