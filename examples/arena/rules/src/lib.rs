//! The rules of the arena: a shooter for 2 to 40 players and bots. They know no network, and all state is in the
//! context, so the same inputs give the same game everywhere: on the server, in a replay, in a player's browser.
//!
//! A player is an entity with a [`Pilot`], and while it is alive, a body: [`Position`], [`Aim`], [`Health`], [`Gun`].
//! The last three groups of components below are known to the server alone.

mod bots;
mod items;
mod map;
#[cfg(feature = "next")]
mod next;
mod pilots;
mod rounds;
mod shots;

use ecs::Grid;
use ecs::prelude::*;
use ecs_rooms::{Game, Opening, read_input};
use serde::{Deserialize, Serialize};

pub use map::{TILE, Walls};
pub use pilots::{BURST, RADIUS, Step};
pub use rounds::{Options, Round};

/// Ticks per second, of the server and of clients.
pub const TICKS: u64 = 20;

/// The context.
#[ecs::context]
pub struct Arena;

/// The center of what is in the arena. Lengths are in eighths of a point, so that slow things have exact speeds.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Position {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

/// A player or a bot, alive or not.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Pilot {
    /// The number of its user; bots have small numbers.
    #[component(primary_index)]
    pub player: u64,
    /// As it is shown.
    pub name: String,
    /// A number that no other pilot has.
    pub color: u8,
    /// How many others it has hit for the last time, in this round.
    pub kills: u16,
    /// How often it has died in this round.
    pub deaths: u16,
    /// Whether the server plays it.
    pub is_bot: bool,
}

/// Where a pilot aims: a direction of any length.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Aim(pub i8, pub i8);

/// Of 100.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Health(pub u8);

/// What a pilot carries. Only its player sees it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Gun {
    /// In its hand.
    pub weapon: Weapon,
    /// Shots left of the scatter gun and of the rocket launcher.
    pub ammo: (u8, u8),
    /// Steps until it can shoot again.
    pub rest: u8,
}

/// The weapons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Weapon {
    /// Never empty.
    Blaster,
    /// Five weak shots that do not fly far.
    Scatter,
    /// A slow shot that hits everything near.
    Rocket,
}

/// In flight.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Shot {
    /// The number of the player who has shot.
    pub owner: u64,
    /// With it.
    pub weapon: Weapon,
    /// The way in a tick, to the right.
    pub dx: i16,
    /// The way in a tick, down.
    pub dy: i16,
}

/// What lies on the floor.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub enum Item {
    /// 50 of health.
    Health,
    /// Shots of the scatter gun.
    Scatter,
    /// Shots of the rocket launcher.
    Rocket,
}

/// Where a shot has ended, for a moment.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Blast(pub Weapon);

/// A line of the list of who has hit whom, for some seconds.
#[derive(Component, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
pub struct Kill {
    /// Who has shot.
    pub killer: u64,
    /// Who was hit for the last time.
    pub victim: u64,
    /// With it.
    pub weapon: Weapon,
}

/// How many ticks an entity has left.
#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
struct Life(u16);

/// In how many ticks a pilot without a body gets one.
#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
struct Dead(u16);

/// How many steps a player can take at once, in tenths. Each tick adds a little more than one, because clocks differ; a
/// client that sends more does not run faster.
#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Arena)]
struct Budget(u8);

/// The number of the tick.
#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Arena, unique)]
struct Clock(u64);

/// The state of the random number generator (splitmix64).
#[derive(Component, Clone, Copy, Hash, Serialize, Deserialize)]
#[component(context = Arena, unique)]
struct Chance(u64);

/// What players send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input {
    /// A name, for the first 12 letters of it.
    Name(String),
    /// What a player does in a tick.
    Step(Step),
}

impl Arena {
    /// Returns a random number that is less than `below`.
    fn draw(&mut self, below: i32) -> i32 {
        let state = self.chance().0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.set_chance(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed >> 33) % below.max(1) as u64) as i32
    }

    /// The entity of a player.
    pub fn pilot_of(&self, player: u64) -> Option<EntityId<Arena>> {
        self.entity_with_pilot(&player).map(|pilot| pilot.id())
    }
}

impl Game for Arena {
    const VERSION: u32 = if cfg!(feature = "next") { 2 } else { 1 };

    type Input = Input;
    type View = (
        Position,
        Pilot,
        (Aim, Health, Gun),
        (Shot, Item, Blast, Kill),
        (Walls, Round),
    );

    fn begin(&mut self, opening: &Opening) {
        self.set_chance(opening.seed);
        self.set_clock(0);
        let options: Options = opening.options().unwrap_or_default();
        self.set_options(options.bots.min(39), options.walls, options.seconds);
        self.begin_round(1);
    }

    fn upgrade(version: u32, bytes: &[u8]) -> Option<Input> {
        (version == 1).then(|| read_input(bytes))?
    }

    fn systems(&mut self) -> Systems<Self> {
        let bodies = self.index_with(
            Arena::all_of::<(Position, Health)>(),
            |body| body.position().to_f32(),
            Grid::new(200.0 * 8.0),
        );
        let hits = self.inbox::<shots::Hit>();
        let no_body = Arena::all_of::<Pilot>().none_of::<Position>();
        let systems = Systems::new()
            .add(rounds::end_round)
            .add(bots::fill(self))
            .add(bots::think(self, bodies.clone()))
            .add(shots::fly(self, bodies.clone()))
            .on_message(hits, shots::hit)
            .add(items::pick_up(self, bodies.clone()))
            .add(items::bring_back)
            .for_each_changed(self, no_body.entered(), pilots::wait)
            .add(pilots::come_back(bodies))
            .add(|game: &mut Arena| {
                let lives = game.query_mut::<&mut Life>();
                lives.for_each(|life| life.0 = life.0.saturating_sub(1));
            })
            .add(Expire::destroy(|_: &Arena, life: &Life| life.0 == 0))
            .add(|game: &mut Arena| {
                let full = |budget: &mut Budget| budget.0 = (budget.0 + 11).min(pilots::BUDGET);
                game.query_mut::<&mut Budget>().for_each(full);
            });
        #[cfg(feature = "next")]
        let systems = systems.add(next::heal(self));
        systems
    }

    fn describe(&self) -> String {
        format!("round {}", self.round().number)
    }

    fn tick(&mut self, tick: u64) {
        self.set_clock(tick);
    }

    fn presence(&mut self, player: u64, is_there: bool) {
        match (self.pilot_of(player), is_there) {
            (None, true) => _ = self.add_pilot(player, "player".to_owned(), false),
            (Some(pilot), false) => self.destroy(pilot),
            _ => {}
        }
    }

    fn input(&mut self, player: u64, input: Input) {
        let Some(pilot) = self.pilot_of(player) else {
            return;
        };
        match input {
            Input::Name(name) => self.rename(pilot, &name),
            Input::Step(step) => {
                let mut pilot = self.entity_mut(pilot);
                let budget = pilot.budget().0;
                if budget >= pilots::STEP {
                    pilot.replace_budget(budget - pilots::STEP);
                    self.step(player, step);
                }
            }
        }
    }
}
