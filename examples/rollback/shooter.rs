//! The game: two ships among rocks, on a plane that wraps around at the edges.
//!
//! All of its state is in the context, and it uses only integers. So the same inputs give the same
//! game, on every machine and after every rewind.

use ecs::prelude::*;

use super::random::Random;

const PLANE: i32 = 4_096;
const ROCKS: usize = 40;
const LARGEST_ROCK: i32 = 3;
const SPEED: i32 = 12;
/// The number of frames that a ship cannot fire after a shot.
const RELOAD: u32 = 6;
/// The number of frames that a bullet flies.
const RANGE: u32 = 50;

#[ecs::context]
pub(crate) struct Game;

#[derive(Component, Clone, Copy, Hash)]
#[component(context = Game)]
struct Position {
    x: i32,
    y: i32,
}

#[derive(Component, Clone, Copy, Hash)]
#[component(context = Game, by_value)]
struct Velocity {
    dx: i32,
    dy: i32,
}

/// The ship of a player.
#[derive(Component, Clone, Hash)]
#[component(context = Game)]
struct Ship {
    player: usize,
    score: u32,
}

/// The number of frames before a ship can fire again.
#[derive(Component, Clone, Hash)]
#[component(context = Game)]
struct Reload(u32);

#[derive(Component, Clone, Hash)]
#[component(context = Game)]
struct Bullet {
    from: EntityId<Game>,
    frames_left: u32,
}

/// A rock. When hit, it breaks in two, unless its size is 1.
#[derive(Component, Clone, Hash)]
#[component(context = Game)]
struct Rock {
    size: i32,
}

/// The inputs of both players in this frame.
#[derive(Component, Clone, Hash)]
#[component(context = Game, unique)]
struct Inputs([Input; 2]);

/// The generator of random numbers. As a component, it is rewound with everything else.
#[derive(Component, Clone, Hash)]
#[component(context = Game, unique)]
struct Chance(Random);

/// The input of a player in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Input {
    pub(crate) dx: i32,
    pub(crate) dy: i32,
    pub(crate) fire: bool,
}

/// A game and its systems.
pub(crate) struct Shooter {
    pub(crate) game: Game,
    systems: Systems<Game>,
}

impl Shooter {
    pub(crate) fn new(seed: u64) -> Self {
        let mut game = Game::new();
        let systems = systems(&mut game);
        game.set_chance(Random::from_seed(seed));
        for player in 0..2 {
            let position = Position {
                x: PLANE / 4 * (1 + 2 * player as i32),
                y: PLANE / 2,
            };
            game.create_with((
                position,
                Velocity { dx: 0, dy: 0 },
                Ship { player, score: 0 },
            ));
        }
        refill(&mut game);
        Self { game, systems }
    }

    /// Plays a frame.
    pub(crate) fn frame(&mut self, inputs: [Input; 2]) {
        self.game.set_inputs(inputs);
        self.systems.execute(&mut self.game);
        self.systems.cleanup(&mut self.game);
    }
}

/// Creates the systems. Their fields are handles, so that all state is in the context.
fn systems(game: &mut Game) -> Systems<Game> {
    let ships = game.group(Game::all_of::<Ship>());
    let movers = game.group(Game::all_of::<(Position, Velocity)>());
    let rocks = game.group(Game::all_of::<Rock>());
    Systems::with_name("Shooter")
        .add(move |game: &mut Game| ships.ids(game).into_iter().for_each(|id| steer(game, id)))
        .add(move |game: &mut Game| movers.for_each(game, step))
        .add_reactive(game, Hit { rocks })
        .add_reactive(game, Refill)
}

/// Applies the input of a player to a ship.
fn steer(game: &mut Game, id: EntityId<Game>) {
    let inputs = game.inputs().0;
    let mut ship = game.entity_mut(id);
    let Input { dx, dy, fire } = inputs[ship.ship().player];
    ship.replace_velocity(Velocity {
        dx: dx * SPEED,
        dy: dy * SPEED,
    });
    match ship.get_reload().map(|reload| reload.0) {
        Some(0) => drop(ship.remove_reload()),
        Some(frames) => drop(ship.replace_reload(frames - 1)),
        None if fire => shoot(game, id),
        None => {}
    }
}

/// Fires a bullet in the direction of the ship, but faster; upwards if the ship rests.
fn shoot(game: &mut Game, from: EntityId<Game>) {
    let mut ship = game.entity_mut(from);
    ship.add_reload(RELOAD);
    let (position, velocity) = (*ship.position(), *ship.velocity());
    let (dx, dy) = match velocity {
        Velocity { dx: 0, dy: 0 } => (0, 3 * SPEED),
        Velocity { dx, dy } => (3 * dx, 3 * dy),
    };
    let frames_left = RANGE;
    game.create_with((position, Velocity { dx, dy }, Bullet { from, frames_left }));
}

fn step(mut mover: GameEntityMut<'_>) {
    let (at, by) = (*mover.position(), *mover.velocity());
    mover.replace_position(
        (at.x + by.dx).rem_euclid(PLANE),
        (at.y + by.dy).rem_euclid(PLANE),
    );
}

/// Destroys bullets that hit a rock or have reached their range.
struct Hit {
    rocks: Group<Game>,
}

impl ReactiveSystem<Game> for Hit {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<(Bullet, Position)>().updated()
    }

    fn react(&mut self, game: &mut Game, moved: &[EntityId<Game>]) {
        for &bullet in moved {
            let at = *game.entity(bullet).position();
            let hit = self.rocks.iter(game).find(|rock| touches(*rock, at));
            match hit.map(|rock| rock.id()) {
                Some(rock) => strike(game, bullet, rock),
                None => fly(game, bullet),
            }
        }
    }
}

fn touches(rock: GameEntity<'_>, at: Position) -> bool {
    let (centre, radius) = (rock.position(), 40 * rock.rock().size);
    (centre.x - at.x).abs() < radius && (centre.y - at.y).abs() < radius
}

fn strike(game: &mut Game, bullet: EntityId<Game>, rock: EntityId<Game>) {
    let from = game.entity(bullet).bullet().from;
    let (at, size) = (*game.entity(rock).position(), game.entity(rock).rock().size);
    game.destroy(bullet);
    game.destroy(rock);
    game.entity_mut(from).update_ship(|ship| ship.score += 1);
    if size > 1 {
        (0..2).for_each(|_| create_rock(game, at, size - 1));
    }
}

fn fly(game: &mut Game, id: EntityId<Game>) {
    let mut bullet = game.entity_mut(id);
    match bullet.bullet().frames_left {
        0 => game.destroy(id),
        _ => bullet.update_bullet(|bullet| bullet.frames_left -= 1),
    }
}

/// Keeps the number of rocks up.
struct Refill;

impl ReactiveSystem<Game> for Refill {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Rock>().left()
    }

    fn include_destroyed(&self) -> bool {
        true
    }

    fn react(&mut self, game: &mut Game, _: &[EntityId<Game>]) {
        refill(game);
    }
}

fn refill(game: &mut Game) {
    let rocks = game.group(Game::all_of::<Rock>());
    while rocks.len(game) < ROCKS {
        let (x, y) = (draw(game, 0, PLANE - 1), draw(game, 0, PLANE - 1));
        create_rock(game, Position { x, y }, LARGEST_ROCK);
    }
}

fn create_rock(game: &mut Game, at: Position, size: i32) {
    let (dx, dy) = (draw(game, -9, 9), draw(game, -9, 9));
    game.create_with((at, Velocity { dx, dy }, Rock { size }));
}

fn draw(game: &mut Game, low: i32, high: i32) -> i32 {
    let mut random = game.chance().0.clone();
    let number = random.between(low, high);
    game.set_chance(random);
    number
}
