//! A group looked up by its matcher, compared with a kept handle; a group of few among many entities;
//! destroying entities beside many collectors.

use std::hint::black_box;

use ecs::{Collector, Context as _, EntityId, Group, System};

use crate::types::{A, B, Flag, Game, Position, Velocity, position, velocity};
use crate::workload::{Workload, fresh, one_of, steady};

/// A system that looks up its group whenever it needs it.
struct LookingUp {
    times: usize,
    members: usize,
}

impl System<Game> for LookingUp {
    fn execute(&mut self, game: &mut Game) {
        for _ in 0..self.times {
            let movers = game.group(Game::all_of::<(Position, Velocity)>().none_of::<Flag>());
            self.members += movers.len(game);
        }
    }
}

/// A system that keeps the handle.
struct Keeping {
    movers: Group<Game>,
    times: usize,
    members: usize,
}

impl System<Game> for Keeping {
    fn execute(&mut self, game: &mut Game) {
        for _ in 0..self.times {
            self.members += black_box(self.movers).len(game);
        }
    }
}

/// A context with a few groups and one entity that moves.
fn game() -> Game {
    let mut game = Game::new();
    game.create_with((position(0), velocity()));
    game.group(Game::all_of::<Position>());
    game.group(Game::all_of::<(A, B)>());
    game.group(Game::all_of::<(Position, Velocity)>());
    game.group(Game::any_of::<(A, B)>().none_of::<Flag>());
    game
}

pub(super) fn looked_up(items: usize) -> Box<dyn Workload> {
    let system = LookingUp {
        times: items,
        members: 0,
    };
    let run = |(game, system): &mut (Game, LookingUp)| system.execute(game);
    steady((game(), system), run, move |(_, system), runs| {
        assert_eq!(system.members as u64, runs * items as u64);
    })
}

pub(super) fn kept(items: usize) -> Box<dyn Workload> {
    let mut game = game();
    let movers = game.group(Game::all_of::<(Position, Velocity)>().none_of::<Flag>());
    let system = Keeping {
        movers,
        times: items,
        members: 0,
    };
    let run = |(game, system): &mut (Game, Keeping)| system.execute(game);
    steady((game, system), run, move |(_, system), runs| {
        assert_eq!(system.members as u64, runs * items as u64);
    })
}

/// The number of entities, of which few have a flag.
const MANY: usize = 1_000_000;

/// A large context, the group of the few in it, and their ids.
struct Few {
    game: Game,
    flagged: Group<Game>,
    ids: Vec<EntityId<Game>>,
    seen: u64,
}

impl Few {
    fn new(few: usize) -> Self {
        let mut game = Game::new();
        let all = game.create_many((0..MANY).map(position));
        let ids: Vec<_> = one_of(MANY / few, MANY)
            .into_iter()
            .map(|at| all[at])
            .collect();
        ids.iter()
            .for_each(|&id| _ = game.entity_mut(id).add_flag());
        let flagged = game.group(Game::all_of::<(Position, Flag)>());
        Self {
            game,
            flagged,
            ids,
            seen: 0,
        }
    }

    fn check(&mut self, runs: u64) {
        assert_eq!(self.seen, runs * self.ids.len() as u64);
    }
}

pub(super) fn of_few(items: usize) -> Box<dyn Workload> {
    let run = |it: &mut Few| {
        for entity in black_box(it.flagged).iter(&it.game) {
            black_box(entity.id());
            it.seen += 1;
        }
    };
    steady(Few::new(items), run, Few::check)
}

pub(super) fn list_of_few(items: usize) -> Box<dyn Workload> {
    let run = |it: &mut Few| {
        let alive = it.ids.iter().filter(|&&id| it.game.contains(id));
        it.seen += alive.count() as u64;
    };
    steady(Few::new(items), run, Few::check)
}

type Watched = (Game, Vec<EntityId<Game>>, Vec<Collector<Game>>);

/// Entities, and fifty collectors of updates or none.
fn watched(entities: usize, collectors: usize) -> Watched {
    let mut game = Game::new();
    let collectors = (0..collectors).map(|_| game.collector(Game::all_of::<Position>().updated()));
    let collectors = collectors.collect();
    let ids = game.create_many((0..entities).map(|at| (position(at), velocity())));
    (game, ids, collectors)
}

fn destroyed(items: usize, collectors: usize) -> Box<dyn Workload> {
    let run = |(game, ids, _): &mut Watched| ids.iter().for_each(|&id| game.destroy(id));
    let check = |(game, ..): &mut Watched| assert!(game.is_empty());
    fresh(move || watched(items, collectors), run, check)
}

pub(super) fn destroyed_beside_fifty(items: usize) -> Box<dyn Workload> {
    destroyed(items, 50)
}

pub(super) fn destroyed_alone(items: usize) -> Box<dyn Workload> {
    destroyed(items, 0)
}
