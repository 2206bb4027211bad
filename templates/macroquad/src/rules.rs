//! The rules of the game. They know no window, no engine and no clock, so tests run them as they are.

use std::time::Duration;

use ecs::prelude::*;

pub const WIDTH: f32 = 320.0;
pub const HEIGHT: f32 = 240.0;
/// The radius of the ship, in the unit of positions.
pub const SHIP: f32 = 7.0;
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);

#[ecs::context]
pub struct Game;

#[derive(Component, Clone, Copy)]
#[component(context = Game, index(grid = 32.0))]
pub struct Position {
    pub x: f32,
    pub y: f32,
}

/// In units per step.
#[derive(Component, Clone, Copy)]
#[component(context = Game)]
pub struct Velocity {
    pub x: f32,
    pub y: f32,
}

/// Large ones break in two.
#[derive(Component, Clone, Copy)]
#[component(context = Game, requires(Velocity = Velocity { x: 0.0, y: 1.0 }))]
pub struct Meteor {
    pub radius: f32,
}

#[derive(Component)]
#[component(context = Game)]
pub struct Shot;

#[derive(Component)]
#[component(context = Game, unique)]
pub struct Ship {
    pub target: f32,
    pub gun: Timer,
}

#[derive(Component, Clone, Copy, PartialEq)]
#[component(context = Game, unique, state)]
pub enum Mode {
    /// The ship flies by itself until the player starts.
    Demo,
    Playing,
    Over,
}

#[derive(Component, Clone, Copy)]
#[component(context = Game, unique)]
pub struct Score(pub u32);

#[derive(Component)]
#[component(context = Game, unique)]
struct Sky {
    next: Timer,
    random: fastrand::Rng,
}

/// Messages from the player.
pub struct Start;
pub struct Steer {
    /// Where the ship flies to, from 0 to `WIDTH`.
    pub x: f32,
}

/// A message to the view: something broke here.
pub struct Crash {
    pub at: Position,
    pub radius: f32,
}

/// Returns the systems of one step.
pub fn systems(game: &mut Game) -> Systems<Game> {
    let (starts, turns) = (game.inbox(), game.inbox());
    game.set_mode(Mode::Demo);
    Systems::new()
        .on_message(starts, |game: &mut Game, _: &Start| {
            if game.mode() != &Mode::Playing {
                game.set_mode(Mode::Playing);
            }
        })
        .on_enter(Mode::Demo, begin)
        .on_enter(Mode::Playing, begin)
        .on_message(turns, |game: &mut Game, steer: &Steer| {
            if game.mode() == &Mode::Playing {
                game.update_ship(|ship| ship.target = steer.x);
            }
        })
        .while_in(Mode::Demo, fly_by_itself)
        .add_if(|game: &Game| game.get_ship().is_some(), fly)
        .add(drop_meteors)
        .add(drift)
        .add(hit)
        .add(crash)
}

fn begin(game: &mut Game) {
    game.group(Game::any_of::<(Meteor, Shot, Ship)>())
        .destroy_all(game);
    let gun = Timer::repeating(9 * STEP);
    let at = Position {
        x: WIDTH / 2.0,
        y: HEIGHT - 20.0,
    };
    game.create_with((Ship { target: at.x, gun }, at));
    game.set_score(0);
    game.set_sky(Timer::repeating(14 * STEP), fastrand::Rng::with_seed(1));
}

/// Flies below the lowest meteor.
fn fly_by_itself(game: &mut Game) {
    let meteors = game.query::<&Position>().with::<Meteor>();
    let lowest = meteors
        .iter()
        .filter(|at| at.y < HEIGHT - 60.0)
        .max_by(|a, b| a.y.total_cmp(&b.y));
    if let Some(x) = lowest.map(|at| at.x) {
        game.update_ship(|ship| ship.target = x);
    }
}

fn fly(game: &mut Game) {
    let fires = game.update_ship(|ship| ship.gun.tick(STEP).just_finished());
    let target = game.ship().target.clamp(SHIP, WIDTH - SHIP);
    let at = game.ship_entity_mut().map(|mut ship| {
        ship.update_position(|at| {
            at.x += (target - at.x).clamp(-4.0, 4.0);
            *at
        })
    });
    if let Some(Position { x, y }) = at.filter(|_| fires) {
        game.create_with((
            Shot,
            Position { x, y: y - SHIP },
            Velocity { x: 0.0, y: -5.0 },
        ));
    }
}

fn drop_meteors(game: &mut Game) {
    let meteor = game.update_sky(|sky| {
        let mut random = || sky.random.f32();
        let new = (
            Meteor {
                radius: 8.0 + 10.0 * random(),
            },
            Position {
                x: WIDTH * random(),
                y: -18.0,
            },
            Velocity {
                x: random() - 0.5,
                y: 1.0 + random(),
            },
        );
        sky.next.tick(STEP).just_finished().then_some(new)
    });
    if let Some(meteor) = meteor {
        game.create_with(meteor);
    }
}

fn drift(game: &mut Game) {
    let mut gone = CommandBuffer::new();
    let moving = game.query_mut::<(EntityId<Game>, &mut Position, &Velocity)>();
    moving.for_each(|(id, at, velocity)| {
        at.x += velocity.x;
        at.y += velocity.y;
        if !(-20.0..HEIGHT + 20.0).contains(&at.y) {
            gone.destroy(id);
        }
    });
    gone.apply(game);
}

/// Returns the first meteor that touches a circle.
fn touching(game: &Game, at: Position, radius: f32) -> Option<(EntityId<Game>, Meteor)> {
    let near = game
        .entities_by_position()
        .within([at.x, at.y], radius + 18.0);
    near.filter_map(|(id, [x, y])| Some((id, x - at.x, y - at.y, *game.entity(id).get_meteor()?)))
        .find(|(_, dx, dy, meteor)| {
            dx * dx + dy * dy < (radius + meteor.radius) * (radius + meteor.radius)
        })
        .map(|(id, .., meteor)| (id, meteor))
}

fn hit(game: &mut Game) {
    let shots = game.query::<(EntityId<Game>, &Position)>().with::<Shot>();
    let shots: Vec<_> = shots.iter().map(|(id, at)| (id, *at)).collect();
    for (shot, at) in shots {
        if let Some((id, meteor)) = touching(game, at, 1.0) {
            game.destroy(shot);
            break_up(game, id, meteor);
            game.update_score(|score| score.0 += 1);
        }
    }
}

fn break_up(game: &mut Game, id: EntityId<Game>, Meteor { radius }: Meteor) {
    let (at, velocity) = (*game.entity(id).position(), *game.entity(id).velocity());
    game.destroy(id);
    game.send(Crash { at, radius });
    if radius > 10.0 {
        let part = |x| {
            (
                Meteor {
                    radius: radius * 0.6,
                },
                at,
                Velocity {
                    x: velocity.x + x,
                    ..velocity
                },
            )
        };
        game.create_many([part(-0.7), part(0.7)]);
    }
}

fn crash(game: &mut Game) {
    let Some(at) = game.ship_entity().map(|ship| *ship.position()) else {
        return;
    };
    if touching(game, at, SHIP).is_some() {
        game.destroy_ship_entity();
        game.send(Crash { at, radius: 20.0 });
        let demo = game.mode() == &Mode::Demo;
        if demo {
            game.unique_mut::<Mode>().restart();
        } else {
            game.set_mode(Mode::Over);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ship_that_does_not_move_is_hit_in_the_end() {
        let mut game = Game::new();
        let mut systems = systems(&mut game);
        game.send(Start);
        systems.execute(&mut game);
        assert!(game.mode() == &Mode::Playing && game.get_ship().is_some());
        for _ in 0..60 * 60 {
            systems.execute(&mut game);
        }
        assert!(game.mode() == &Mode::Over && game.score().0 > 0);
        assert!(game.get_ship().is_none());
    }

    #[test]
    fn a_meteor_that_is_shot_breaks_in_two() {
        let mut game = Game::new();
        let mut systems = systems(&mut game);
        systems.execute(&mut game);
        let (x, y) = (WIDTH / 2.0, 100.0);
        let velocity = Velocity { x: 0.0, y: 0.0 };
        game.create_with((Meteor { radius: 12.0 }, Position { x, y }, velocity));
        game.create_with((Shot, Position { x, y: y + 13.0 }, velocity));
        let parts = game.group(Game::all_of::<Meteor>());
        hit(&mut game);
        assert_eq!(parts.len(&game), 1);
        let crashes = game.inbox::<Crash>();
        game.create_with((Shot, Position { x, y: y + 12.0 }, velocity));
        hit(&mut game);
        assert_eq!((parts.len(&game), crashes.drain(&mut game).len()), (2, 1));
        assert_eq!(game.score().0, 1);
    }
}
