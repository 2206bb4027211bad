//! The example program of the design.

use ecs::prelude::*;

use support::Notes;

/// The game of the example program.
#[ecs::context]
pub(crate) struct Game;

#[derive(Component, Debug, Clone, PartialEq)]
#[component(context = Game)]
pub(crate) struct Position {
    x: f32,
    y: f32,
}

#[derive(Component, Debug)]
#[component(context = Game)]
pub(crate) struct Velocity {
    dx: f32,
    dy: f32,
}

#[derive(Component)]
#[component(context = Game)]
pub(crate) struct Frozen;

struct Move {
    movers: Group<Game>,
}

impl System<Game> for Move {
    fn execute(&mut self, game: &mut Game) {
        self.movers.for_each(game, |mut e| {
            let (p, v) = (e.position(), e.velocity());
            let (x, y) = (p.x + v.dx, p.y + v.dy);
            e.replace_position(x, y);
        });
    }
}

#[derive(Default)]
struct Draw {
    drawn: Notes<Position>,
}

impl ReactiveSystem<Game> for Draw {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Position>().entered_or_updated()
    }

    fn react(&mut self, game: &mut Game, changed: &[EntityId<Game>]) {
        for &id in changed {
            self.drawn.push(game.entity(id).position().clone());
        }
    }
}

#[test]
fn the_program_of_the_design_runs() {
    let mut game = Game::new();
    let hero = game
        .create_entity()
        .add_position(0.0, 0.0)
        .add_velocity(1.0, 0.5)
        .id();
    let movers = game.group(Game::all_of::<(Position, Velocity)>().none_of::<Frozen>());
    let draw = Draw::default();
    let drawn = draw.drawn.clone();
    let mut systems = Systems::new()
        .add(Move { movers })
        .add_reactive(&mut game, draw);
    systems.initialize(&mut game);
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    assert!(game.entity(hero).has_position());
    assert_eq!(drawn.take(), [Position { x: 1.0, y: 0.5 }]);
}
