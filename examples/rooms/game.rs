//! Ships collect coins. All state is in the context, and all chance comes from it.

#![allow(unreachable_pub, reason = "a context shows its components")]

use ecs::prelude::*;
use ecs_rooms::{Game, Opening};
use serde::{Deserialize, Serialize};

/// The number of ships of a room: one per player.
pub(crate) const SHIPS: u64 = 4;
const COINS: usize = 40;
const SIZE: i32 = 1_000;
const REACH: i32 = 30;

#[ecs::context]
pub struct Arena;

#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Position {
    pub x: i32,
    pub y: i32,
}

#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Velocity {
    pub dx: i32,
    pub dy: i32,
}

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Ship {
    pub player: u64,
    pub score: u32,
    /// How many inputs were played.
    pub inputs: u64,
}

#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Coin;

/// The state of the random number generator (splitmix64).
#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Arena, unique)]
pub struct Chance(pub u64);

/// Where a player steers.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Steer {
    pub dx: i8,
    pub dy: i8,
    /// Counts the inputs of the player from 1, so that a check can name one that was lost.
    pub number: u32,
}

impl Arena {
    fn draw(&mut self, below: i32) -> i32 {
        let state = self.chance().0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.set_chance(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed >> 33) % below as u64) as i32
    }

    fn draw_position(&mut self) -> Position {
        let (x, y) = (self.draw(SIZE), self.draw(SIZE));
        Position { x, y }
    }
}

impl Game for Arena {
    type Input = Steer;
    type View = (Position, Ship, Coin);

    fn begin(&mut self, opening: &Opening) {
        self.set_chance(opening.seed);
        for player in 0..SHIPS {
            let (position, velocity) = (self.draw_position(), Velocity { dx: 1, dy: 0 });
            let ship = Ship {
                player,
                score: 0,
                inputs: 0,
            };
            self.create_with((position, velocity, ship));
        }
        for _ in 0..COINS {
            let position = self.draw_position();
            self.create_with((position, Velocity { dx: 0, dy: 1 }, Coin));
        }
    }

    fn systems(&mut self) -> Systems<Self> {
        let movers = self.group(Arena::all_of::<(Position, Velocity)>());
        let ships = self.group(Arena::all_of::<(Position, Ship)>());
        let coins = self.group(Arena::all_of::<(Position, Coin)>());
        Systems::new()
            .add(move |game: &mut Arena| {
                movers.for_each(game, |mut mover| {
                    let (Position { x, y }, Velocity { dx, dy }) =
                        (*mover.position(), *mover.velocity());
                    mover.replace_position((x + dx).rem_euclid(SIZE), (y + dy).rem_euclid(SIZE));
                });
            })
            .add(move |game: &mut Arena| {
                for ship in ships.ids(game) {
                    let Position { x, y } = *game.entity(ship).position();
                    let is_near =
                        |at: &Position| (at.x - x).abs() < REACH && (at.y - y).abs() < REACH;
                    let coin = coins.iter(game).find(|coin| is_near(coin.position()));
                    if let Some(coin) = coin.map(|coin| coin.id()) {
                        let Position { x, y } = game.draw_position();
                        game.entity_mut(coin).replace_position(x, y);
                        game.entity_mut(ship).update_ship(|ship| ship.score += 1);
                    }
                }
            })
    }

    fn input(&mut self, player: u64, steer: Steer) {
        let ships = self.group(Arena::all_of::<Ship>());
        let ship = ships.iter(self).find(|ship| ship.ship().player == player);
        if let Some(id) = ship.map(|ship| ship.id()) {
            let (dx, dy) = (
                i32::from(steer.dx.clamp(-9, 9)),
                i32::from(steer.dy.clamp(-9, 9)),
            );
            let mut ship = self.entity_mut(id);
            ship.replace_velocity(dx, dy)
                .update_ship(|ship| ship.inputs += 1);
        }
    }
}
