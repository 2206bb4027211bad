//! Bots: they join while there are few players, and play as those do.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::map::scaled;
use crate::pilots::{Bodies, RADIUS};
use crate::{Arena, ArenaEntity, ArenaEntityMut, Pilot, Position, Step, Weapon};

const SIGHT: i32 = 520 * 8;
const NAMES: [&str; 8] = ["Ada", "Bit", "Cog", "Dot", "Elk", "Fox", "Gnu", "Hex"];

/// What a bot has in mind.
#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub(crate) struct Mind {
    /// Where it goes.
    walk: (i8, i8),
    /// For how many ticks.
    left: u8,
}

/// Keeps as many pilots as the options say: bots join and leave.
pub(crate) fn fill(game: &mut Arena) -> impl FnMut(&mut Arena) + Send + Sync + 'static {
    let pilots = game.group(Arena::all_of::<Pilot>());
    let bots = game.group(Arena::all_of::<(Pilot, Mind)>());
    move |game| {
        let wanted = usize::from(game.options().bots);
        let players = pilots.len(game) - bots.len(game);
        let wanted = if players == 0 {
            0
        } else {
            wanted.saturating_sub(players - 1)
        };
        while bots.len(game) < wanted {
            let number = (1..).find(|number| game.pilot_of(*number).is_none());
            let number = number.unwrap_or_default();
            let name = NAMES[number as usize % NAMES.len()].to_owned();
            let bot = game.add_pilot(number, name, true);
            game.entity_mut(bot).add_mind((1, 0), 0);
        }
        let too_many = bots.len(game).saturating_sub(wanted);
        for bot in bots.ids(game).into_iter().take(too_many) {
            game.destroy(bot);
        }
    }
}

impl Arena {
    /// The nearest other body that a bot sees.
    fn target(&self, bot: EntityId<Self>, at: Position, bodies: &Bodies) -> Option<Position> {
        let near = bodies.get(self).by_distance(at.to_f32()).take(5);
        let others = near.filter(|(id, _)| *id != bot);
        let mut others = others.map(|(_, [x, y])| Position {
            x: x as i32,
            y: y as i32,
        });
        others.find(|it| at.distance(*it) < SIGHT && self.walls().is_visible(at, *it))
    }

    /// A direction, or its opposite, across that of a target, or any; one that has no wall near.
    fn turn(&mut self, at: Position, target: Option<Position>) -> (i8, i8) {
        for _ in 0..6 {
            let (x, y) = match target {
                Some(to) if self.draw(3) > 0 => {
                    let side = self.draw(3) - 1;
                    let (dx, dy) = (to.x - at.x, to.y - at.y);
                    let near = if at.distance(to) < SIGHT / 3 { -1 } else { 1 };
                    (near * dx - 2 * side * dy, near * dy + 2 * side * dx)
                }
                _ => (self.draw(201) - 100, self.draw(201) - 100),
            };
            let (x, y) = scaled((x, y), 100);
            if self.walls().is_free(at.plus(x * 5, y * 5), RADIUS) {
                return (x as i8, y as i8);
            }
        }
        (0, 0)
    }

    fn think(&mut self, bot: EntityId<Self>, bodies: &Bodies) {
        let (at, mut mind) = (*self.entity(bot).position(), *self.entity(bot).mind());
        let target = self.target(bot, at, bodies);
        let (x, y) = (i32::from(mind.walk.0), i32::from(mind.walk.1));
        let is_blocked = !self.walls().is_free(at.plus(x * 2, y * 2), RADIUS);
        mind.left = mind.left.saturating_sub(1);
        if mind.left == 0 || is_blocked {
            mind.walk = self.turn(at, target);
            mind.left = 8 + self.draw(20) as u8;
        }
        self.entity_mut(bot).replace(mind);
        let aim = match target {
            Some(to) => {
                let (x, y) = scaled((to.x - at.x, to.y - at.y), 100);
                let [dx, dy] = [(); 2].map(|()| self.draw(25) - 12);
                ((x + dx) as i8, (y + dy) as i8)
            }
            None => mind.walk,
        };
        let wants = [Weapon::Rocket, Weapon::Scatter][self.draw(2) as usize];
        let step = Step {
            walk: mind.walk,
            aim,
            shoots: target.is_some() && self.draw(10) < 3,
            weapon: (self.draw(30) == 0).then_some(wants),
        };
        let player = self.entity(bot).pilot().player;
        self.step(player, step);
    }
}

pub(crate) fn think(
    game: &mut Arena,
    bodies: Bodies,
) -> impl FnMut(&mut Arena) + Send + Sync + 'static {
    let bots = game.group(Arena::all_of::<(Mind, Position)>());
    move |game| {
        for bot in bots.ids(game) {
            game.think(bot, &bodies);
        }
    }
}
