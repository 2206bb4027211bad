//! The rules of the pond: fish that form a school, a pike that hunts them, and food. They know no engine and no clock.

use ecs::prelude::*;

pub const WIDTH: f32 = 384.0;
pub const HEIGHT: f32 = 216.0;
/// As many fish as there are again after the pike has eaten.
pub const FISH: usize = 70;
/// How far a fish sees.
const SIGHT: f32 = 28.0;

#[ecs::context]
pub struct Game;

/// From the middle of the pond; y points up.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(context = Game, index(grid = 32.0))]
pub struct Position {
    pub x: f32,
    pub y: f32,
}

/// In units per step.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(context = Game)]
pub struct Velocity {
    pub x: f32,
    pub y: f32,
}

/// What an entity is, and so how it looks.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[component(context = Game)]
pub enum Kind {
    Orange,
    White,
    Pike,
    Food,
    Lily,
    Ripple,
}

#[derive(Component, Debug)]
#[component(context = Game)]
pub struct Fish;

#[derive(Component, Debug)]
#[component(context = Game)]
pub struct Food;

/// A circle on the water that grows.
#[derive(Component, Clone, Copy, Debug)]
#[component(context = Game)]
pub struct Ripple {
    pub radius: f32,
}

#[derive(Component, Debug)]
#[component(context = Game, unique)]
pub struct Pike {
    /// How many steps it still obeys; then it hunts by itself.
    obeys: u32,
}

#[derive(Component)]
#[component(context = Game, unique)]
struct Random(fastrand::Rng);

/// Messages from the player: a direction for the pike, and food to throw.
pub struct Steer {
    pub x: f32,
    pub y: f32,
}
pub struct Feed {
    pub at: Position,
}

/// Fills the pond, and returns the systems of one step, of which there are 60 a second.
pub fn systems(game: &mut Game) -> Systems<Game> {
    let (turns, meals) = (game.inbox(), game.inbox());
    game.set_random(fastrand::Rng::with_seed(1));
    for n in 0..12 {
        let (y, x) = (n as f32 * 0.53).sin_cos();
        let far = 1.0 - 0.09 * (n % 4) as f32;
        let at = Position {
            x: 175.0 * far * x,
            y: 92.0 * far * y,
        };
        game.create_with((Kind::Lily, at));
    }
    let start = (Position { x: 120.0, y: 80.0 }, Velocity { x: -1.0, y: 0.0 });
    game.create_with((Pike { obeys: 0 }, Kind::Pike, start.0, start.1));
    Systems::new()
        .on_message(turns, steer)
        .on_message(meals, feed)
        .add(arrive)
        .add(school)
        .add(hunt)
        .add(swim)
        .add(eat)
        .add(spread)
        .add(Expire::destroy(|_: &Game, ripple: &Ripple| {
            ripple.radius > 16.0
        }))
}

fn random(game: &mut Game, size: f32) -> f32 {
    game.update_random(|random| (random.0.f32() * 2.0 - 1.0) * size)
}

fn steer(game: &mut Game, &Steer { x, y }: &Steer) {
    if let Some(mut pike) = game.pike_entity_mut() {
        pike.update_pike(|pike| pike.obeys = 60);
        pike.replace(with_speed(Velocity { x, y }, 2.2));
    }
}

fn feed(game: &mut Game, feed: &Feed) {
    for _ in 0..10 {
        let (x, y) = (
            feed.at.x + random(game, 24.0),
            feed.at.y + random(game, 24.0),
        );
        game.create_with((Food, Kind::Food, Position { x, y }));
    }
}

/// New fish come in from below.
fn arrive(game: &mut Game) {
    let here = game.query::<&Kind>().with::<Fish>().iter().count();
    for n in here..FISH {
        let (x, y) = (
            random(game, WIDTH / 2.0),
            -HEIGHT / 2.0 - 10.0 + random(game, 8.0),
        );
        let kind = if n % 4 == 0 {
            Kind::White
        } else {
            Kind::Orange
        };
        let velocity = Velocity {
            x: random(game, 1.0),
            y: 1.0,
        };
        game.create_with((Fish, kind, Position { x, y }, velocity));
    }
}

/// Turns all fish at once: each looks where the others are before any has turned.
fn school(game: &mut Game) {
    let fish = game.query::<EntityId<Game>>().with::<Fish>();
    let turned: Vec<_> = fish.iter().map(|id| (id, turn(game, id))).collect();
    for (id, velocity) in turned {
        game.entity_mut(id).replace(velocity);
    }
}

/// Returns the new velocity of a fish, which swims as its neighbors do, but not too near, and flees from the pike.
fn turn(game: &Game, id: EntityId<Game>) -> Velocity {
    let (at, old) = (*game.entity(id).position(), *game.entity(id).velocity());
    let (mut x, mut y) = (old.x - 0.0003 * at.x, old.y - 0.0005 * at.y); // a little to the middle
    let (mut near, mut speed) = (0.0, 1.0);
    let mut school = [0.0; 2];
    for (other, [ox, oy]) in game.entities_by_position().within([at.x, at.y], SIGHT) {
        let (dx, dy, other) = (ox - at.x, oy - at.y, game.entity(other));
        let square = (dx * dx + dy * dy).max(1.0);
        let toward = match other.kind() {
            Kind::Orange | Kind::White => {
                let velocity = other.velocity();
                near += 1.0;
                school[0] += 0.04 * velocity.x + 0.0008 * dx;
                school[1] += 0.04 * velocity.y + 0.0008 * dy;
                if square < 100.0 { -0.12 / square } else { 0.0 }
            }
            Kind::Pike => {
                speed = 1.7;
                -8.0 / square
            }
            Kind::Food => 2.0 / square,
            Kind::Lily | Kind::Ripple => 0.0,
        };
        (x, y) = (x + toward * dx, y + toward * dy);
    }
    let [sx, sy] = school.map(|sum| sum / f32::max(near, 1.0));
    with_speed(
        Velocity {
            x: x + sx,
            y: y + sy,
        },
        speed,
    )
}

fn with_speed(Velocity { x, y }: Velocity, speed: f32) -> Velocity {
    let scale = speed / x.hypot(y).max(0.01);
    Velocity {
        x: x * scale,
        y: y * scale,
    }
}

/// The pike swims to the next fish, unless the player steers.
fn hunt(game: &mut Game) {
    let obeys = game.pike_entity_mut().map(|mut pike| {
        pike.update_pike(|pike| {
            pike.obeys = pike.obeys.saturating_sub(1);
            pike.obeys > 0
        })
    });
    let (Some(pike), Some(false)) = (game.pike_entity(), obeys) else {
        return;
    };
    let (Position { x, y }, old) = (*pike.position(), *pike.velocity());
    let fish = game.query::<&Position>().with::<Fish>();
    let distance = |at: &&Position| (at.x - x).hypot(at.y - y);
    let next = fish
        .iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let Some(next) = next else { return };
    let near = 0.06 / distance(&next).max(1.0);
    let turned = Velocity {
        x: old.x + near * (next.x - x),
        y: old.y + near * (next.y - y),
    };
    let id = pike.id();
    game.entity_mut(id).replace(with_speed(turned, 1.2));
}

fn swim(game: &mut Game) {
    let (right, top) = (WIDTH / 2.0 + 20.0, HEIGHT / 2.0 + 20.0);
    let moving = game.query_mut::<(&mut Position, &mut Velocity)>();
    moving.for_each(|(at, velocity)| {
        (at.x, at.y) = (at.x + velocity.x, at.y + velocity.y);
        if at.x.abs() > right {
            velocity.x = -velocity.x.abs() * at.x.signum();
        }
        if at.y.abs() > top {
            velocity.y = -velocity.y.abs() * at.y.signum();
        }
    });
}

/// Fish eat food, and the pike eats fish.
fn eat(game: &mut Game) {
    let eaters = game.query::<(&Kind, &Position)>().with::<Velocity>();
    let mut eaten = Vec::new();
    for (kind, at) in &eaters {
        let pike = kind == &Kind::Pike;
        let near = game
            .entities_by_position()
            .within([at.x, at.y], if pike { 9.0 } else { 4.0 });
        let prey = |id: EntityId<Game>| match pike {
            true => game.entity(id).has_fish(),
            false => game.entity(id).has_food(),
        };
        eaten.extend(near.map(|(id, _)| id).filter(|id| prey(*id)));
    }
    for id in eaten {
        if let Some(entity) = game.get_entity(id) {
            // not eaten by two at once
            let at = *entity.position();
            game.destroy(id);
            game.create_with((Kind::Ripple, Ripple { radius: 2.0 }, at));
        }
    }
}

fn spread(game: &mut Game) {
    game.query_mut::<&mut Ripple>()
        .for_each(|ripple| ripple.radius += 0.3);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pond() -> (Game, Systems<Game>) {
        let mut game = Game::new();
        let systems = systems(&mut game);
        (game, systems)
    }

    #[test]
    fn fish_that_see_each_other_turn_the_same_way_and_flee_from_the_pike() {
        let mut game = Game::new();
        let fish = |x, y, vx, vy| {
            (
                Fish,
                Kind::White,
                Position { x, y },
                Velocity { x: vx, y: vy },
            )
        };
        let ids = game.create_many([fish(-10.0, 0.0, 0.0, 1.0), fish(10.0, 0.0, 0.6, -0.8)]);
        for _ in 0..100 {
            school(&mut game);
        }
        let [a, b] = [0, 1].map(|n| *game.entity(ids[n]).velocity());
        assert!(a.x * b.x + a.y * b.y > 0.95, "{a:?} and {b:?}");
        game.create_with((Pike { obeys: 0 }, Kind::Pike, Position { x: 0.0, y: 0.0 }));
        school(&mut game);
        let [a, b] = [0, 1].map(|n| *game.entity(ids[n]).velocity());
        assert!(a.x.hypot(a.y) > 1.6 && b.x.hypot(b.y) > 1.6);
        for _ in 0..100 {
            school(&mut game);
        }
        let [a, b] = [0, 1].map(|n| game.entity(ids[n]).velocity().x);
        assert!(a < -1.0 && b > 1.0, "{a} and {b}");
    }

    #[test]
    fn food_is_eaten_and_leaves_a_ripple_that_vanishes() {
        let (mut game, mut systems) = pond();
        let food = game.group(Game::all_of::<Food>());
        let ripples = game.group(Game::all_of::<Ripple>());
        systems.execute(&mut game);
        game.destroy_pike_entity();
        let at = *game
            .query::<&Position>()
            .with::<Fish>()
            .iter()
            .next()
            .expect("a fish");
        game.create_with((Food, Kind::Food, at));
        systems.execute(&mut game);
        assert_eq!((food.len(&game), ripples.len(&game)), (0, 1));
        for _ in 0..60 {
            systems.execute(&mut game);
        }
        assert!(ripples.is_empty(&game));
    }

    #[test]
    fn the_pike_obeys_for_a_second_and_eats_what_it_meets() {
        let (mut game, mut systems) = pond();
        systems.execute(&mut game);
        let fish = game
            .query::<EntityId<Game>>()
            .with::<Fish>()
            .iter()
            .next()
            .expect("a fish");
        let at = *game.pike_entity().expect("a pike").position();
        game.entity_mut(fish).replace_position(at.x, at.y + 4.0);
        game.send(Steer { x: 0.0, y: 1.0 });
        systems.execute(&mut game);
        assert!(!game.contains(fish));
        assert_eq!(
            game.pike_entity().expect("a pike").velocity(),
            &Velocity { x: 0.0, y: 2.2 }
        );
    }
}
