//! What lies on the floor, is picked up, and comes back.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::pilots::{Bodies, FULL};
use crate::{Arena, ArenaEntity, ArenaEntityMut, Item, Position, TICKS, Weapon};

/// From how far it is picked up.
const REACH: i32 = 34 * 8;
const AWAY: u16 = 12 * TICKS as u16;

/// An item was picked up, and is back in so many ticks, at its place.
#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub(crate) struct Away {
    ticks: u16,
    place: Position,
}

impl Arena {
    pub(crate) fn lay_items(&mut self) {
        for number in 0..18 {
            let item = [Item::Health, Item::Scatter, Item::Rocket][number % 3];
            let place = self.draw_place();
            self.create_with((item, place));
        }
    }

    /// Gives an item to a pilot. Returns `false` if it has no use for it.
    fn give(&mut self, pilot: EntityId<Self>, item: Item) -> bool {
        let mut pilot = self.entity_mut(pilot);
        match item {
            Item::Health if pilot.health().0 == FULL => return false,
            Item::Health => pilot.update_health(|it| it.0 = (it.0 + 50).min(FULL)),
            Item::Scatter => pilot.update_gun(|it| it.load(Weapon::Scatter, 8)),
            Item::Rocket => pilot.update_gun(|it| it.load(Weapon::Rocket, 4)),
        }
        true
    }
}

pub(crate) fn pick_up(
    game: &mut Arena,
    bodies: Bodies,
) -> impl FnMut(&mut Arena) + Send + Sync + 'static {
    let items = game.group(Arena::all_of::<(Position, Item)>());
    move |game| {
        for id in items.ids(game) {
            let (item, place) = (*game.entity(id).item(), *game.entity(id).position());
            let nearest = bodies.get(game).within(place.to_f32(), REACH as f32).next();
            if nearest.is_some_and(|(pilot, _)| game.give(pilot, item)) {
                let away = Away { ticks: AWAY, place };
                game.entity_mut(id).replace(away).remove::<Position>();
            }
        }
    }
}

pub(crate) fn bring_back(game: &mut Arena) {
    let mut due = Vec::new();
    let away = game.query_mut::<(EntityId<Arena>, &mut Away)>();
    away.for_each(|(id, away)| {
        away.ticks -= 1;
        due.extend((away.ticks == 0).then_some((id, away.place)));
    });
    for (id, place) in due {
        game.entity_mut(id).replace(place).remove::<Away>();
    }
}
