//! The next version of the game: ships have shields and can jump, coins are no component any more, and lie closer.

use std::error::Error;

use ecs::prelude::*;
use ecs_rooms::{Game, Opening, read_input};
use serde::{Deserialize, Serialize};

use crate::game::{SHIPS, Steer};

const SIZE: i32 = 1_000;
/// Was 30.
const REACH: i32 = 50;
const FULL: u32 = 100;

/// Has the name of the context before.
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
#[component(context = Arena, version = 2, from(1 = OldShip))]
pub struct Ship {
    pub player: u64,
    pub score: u32,
    /// How many inputs were played.
    pub inputs: u64,
    pub jumps: u32,
}

#[derive(Deserialize)]
struct OldShip {
    player: u64,
    score: u32,
    inputs: u64,
}

impl From<OldShip> for Ship {
    fn from(old: OldShip) -> Self {
        Self {
            player: old.player,
            score: old.score,
            inputs: old.inputs,
            jumps: 0,
        }
    }
}

/// A new component, which each ship has.
#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Shield(pub u32);

/// The state of the random number generator (splitmix64).
#[derive(Component, Clone, Hash, Serialize, Deserialize)]
#[component(context = Arena, unique)]
pub struct Chance(pub u64);

/// What a player wants.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Order {
    Steer(Steer),
    /// New: turns around, with the number of the input.
    Jump(u32),
}

impl Order {
    pub(crate) fn number(&self) -> u32 {
        match self {
            Self::Steer(steer) => steer.number,
            Self::Jump(number) => *number,
        }
    }
}

impl Arena {
    fn draw(&mut self) -> i32 {
        let state = self.chance().0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.set_chance(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed >> 33) % SIZE as u64) as i32
    }
}

impl Game for Arena {
    const VERSION: u32 = 2;
    type Input = Order;
    type View = (Position, Ship, Shield);

    fn begin(&mut self, opening: &Opening) {
        self.set_chance(opening.seed);
        for player in 0..SHIPS {
            let (x, y) = (self.draw(), self.draw());
            let ship = Ship {
                player,
                score: 0,
                inputs: 0,
                jumps: 0,
            };
            let velocity = Velocity { dx: 1, dy: 0 };
            self.create_with((Position { x, y }, velocity, ship, Shield(FULL)));
        }
        for _ in 0..40 {
            let (x, y) = (self.draw(), self.draw());
            self.create_with((Position { x, y }, Velocity { dx: 0, dy: 1 }));
        }
    }

    fn migrate(&mut self, version: u32, removed: &[String]) -> Result<(), Box<dyn Error>> {
        if version != 1 || removed != ["Coin"] {
            return Err(format!("unknown in version {version}: {removed:?}").into());
        }
        let ships = self.group(Self::all_of::<Ship>());
        for ship in ships.ids(self) {
            self.entity_mut(ship).add_shield(FULL);
        }
        Ok(())
    }

    fn upgrade(version: u32, bytes: &[u8]) -> Option<Order> {
        (version == 1).then(|| read_input(bytes).map(Order::Steer))?
    }

    fn systems(&mut self) -> Systems<Self> {
        let movers = self.group(Self::all_of::<(Position, Velocity)>());
        let ships = self.group(Self::all_of::<(Position, Ship)>());
        let coins = self.group(Self::all_of::<Position>().none_of::<Ship>());
        Systems::new()
            .add(move |game: &mut Self| {
                movers.for_each(game, |mut mover| {
                    let (Position { x, y }, Velocity { dx, dy }) =
                        (*mover.position(), *mover.velocity());
                    mover.replace_position((x + dx).rem_euclid(SIZE), (y + dy).rem_euclid(SIZE));
                });
            })
            .add(move |game: &mut Self| {
                for ship in ships.ids(game) {
                    let Position { x, y } = *game.entity(ship).position();
                    let is_near =
                        |at: &Position| (at.x - x).abs() < REACH && (at.y - y).abs() < REACH;
                    let coin = coins.iter(game).find(|coin| is_near(coin.position()));
                    if let Some(coin) = coin.map(|coin| coin.id()) {
                        let (x, y) = (game.draw(), game.draw());
                        game.entity_mut(coin).replace_position(x, y);
                        game.entity_mut(ship).update_ship(|ship| ship.score += 1);
                    }
                }
            })
    }

    fn input(&mut self, player: u64, order: Order) {
        let ships = self.group(Self::all_of::<Ship>());
        let ship = ships.iter(self).find(|ship| ship.ship().player == player);
        let Some(id) = ship.map(|ship| ship.id()) else {
            return;
        };
        let mut ship = self.entity_mut(id);
        ship.update_ship(|ship| ship.inputs += 1);
        match order {
            Order::Steer(Steer { dx, dy, .. }) => {
                let [dx, dy] = [dx, dy].map(|speed| i32::from(speed.clamp(-9, 9)));
                ship.replace_velocity(dx, dy);
            }
            Order::Jump(_) => {
                let Velocity { dx, dy } = *ship.velocity();
                ship.replace_velocity(-dx, -dy)
                    .update_ship(|ship| ship.jumps += 1);
                ship.update_shield(|shield| shield.0 = shield.0.saturating_sub(1));
            }
        }
    }
}
