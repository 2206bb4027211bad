//! Rounds: each has walls of its own, ends with a result, and is followed by the next.

use core::cmp::Reverse;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{Arena, ArenaEntity, ArenaEntityMut, Blast, Item, Kill, Pilot, Shot, TICKS};

/// How long a result is shown.
const PAUSE: u64 = 8 * TICKS;

/// With what a room is opened.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena, unique)]
pub struct Options {
    /// A player alone has so many opponents. Each player who joins replaces one.
    pub bots: u8,
    /// How many walls are built in a quarter of the arena.
    pub walls: u8,
    /// How long a round takes.
    pub seconds: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bots: 7,
            walls: 16,
            seconds: 180,
        }
    }
}

/// The present round.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena, unique)]
pub struct Round {
    /// 1, 2, 3, …
    pub number: u32,
    /// In which tick the round, or what is shown after it, is over.
    pub ends: u64,
    /// Its result: the number of the player who has won it, and its kills. Nothing moves while it is shown.
    pub winner: Option<(u64, u16)>,
}

impl Arena {
    pub(crate) fn begin_round(&mut self, number: u32) {
        let (now, options) = (self.clock().0, *self.options());
        self.set_round(number, now + u64::from(options.seconds) * TICKS, None);
        self.build(options.walls);
        let things = self.group(Arena::any_of::<(Item, Shot, Blast, Kill)>());
        for thing in things.ids(self) {
            self.destroy(thing);
        }
        self.lay_items();
        let pilots = self.group(Arena::all_of::<Pilot>());
        for pilot in pilots.ids(self) {
            let mut entity = self.entity_mut(pilot);
            entity.update_pilot(|it| (it.kills, it.deaths) = (0, 0));
            if entity.has_position() {
                self.die(pilot); // comes back elsewhere
            }
        }
    }

    fn winner(&self) -> (u64, u16) {
        let pilots = self.query::<&Pilot>();
        let best = pilots
            .iter()
            .max_by_key(|it| (it.kills, Reverse(it.deaths), Reverse(it.player)));
        best.map_or((0, 0), |it| (it.player, it.kills))
    }
}

pub(crate) fn end_round(game: &mut Arena) {
    let (now, round) = (game.clock().0, game.round().clone());
    if now < round.ends {
        return;
    }
    match round.winner {
        None => {
            let winner = game.winner();
            game.set_round(round.number, now + PAUSE, Some(winner));
        }
        Some(_) => game.begin_round(round.number + 1),
    }
}
