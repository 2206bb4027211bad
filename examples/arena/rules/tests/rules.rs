//! The rules, by playing them.

use arena_rules::{
    Aim, Arena, BURST, Gun, Health, Input, Item, Kill, Options, Pilot, Position, RADIUS, Round,
    Shot, Step, TICKS, Weapon,
};
use ecs::prelude::*;
use ecs_rooms::{Opening, Room, Session, Turn};

const ANN: u64 = 1_000;
const BEN: u64 = 2_000;

struct Match {
    session: Session<Arena>,
    tick: u64,
}

impl Match {
    /// Without bots and inner walls.
    fn of(players: &[u64], options: Options) -> Self {
        let opening = Opening::new(7).with(&options);
        let session = Session::new(&opening);
        let mut game = Self { session, tick: 0 };
        game.play(
            players.iter().map(|player| (*player, true)).collect(),
            Vec::new(),
        );
        game.wait(2);
        game
    }

    fn duel() -> Self {
        let options = Options {
            bots: 0,
            walls: 0,
            ..Options::default()
        };
        let mut game = Self::of(&[ANN, BEN], options);
        game.put(ANN, 4_000);
        game.put(BEN, 6_000);
        game
    }

    fn play(&mut self, players: Vec<(u64, bool)>, inputs: Vec<(u64, Input)>) {
        self.tick += 1;
        let mut turn = Turn::from(inputs);
        (turn.tick, turn.players) = (self.tick, players);
        self.session.tick(turn);
    }

    fn step(&mut self, player: u64, step: Step) {
        self.play(Vec::new(), vec![(player, Input::Step(step))]);
    }

    fn wait(&mut self, ticks: u64) {
        (0..ticks).for_each(|_| self.play(Vec::new(), Vec::new()));
    }

    fn id(&self, player: u64) -> EntityId<Arena> {
        self.session.game.pilot_of(player).unwrap()
    }

    fn get<T: Component<Arena> + Clone>(&self, player: u64) -> Option<T> {
        self.session
            .game
            .entity(self.id(player))
            .get::<T>()
            .cloned()
    }

    /// Puts a player into the row of the middle, where nothing lies.
    fn put(&mut self, player: u64, x: i32) {
        let id = self.id(player);
        let items: Vec<_> = Arena::all_of::<Item>().ids(&self.session.game).collect();
        for item in items {
            self.session.game.destroy(item);
        }
        self.session
            .game
            .entity_mut(id)
            .replace(Position { x, y: 7_000 });
    }

    fn round(&self) -> Round {
        self.session.game.round().clone()
    }
}

fn right() -> Step {
    Step {
        walk: (100, 0),
        ..Step::default()
    }
}

fn shot(weapon: Weapon) -> Step {
    Step {
        aim: (100, 0),
        shoots: true,
        weapon: Some(weapon),
        ..Step::default()
    }
}

#[test]
fn the_same_inputs_give_the_same_game_also_after_a_load() {
    let play = |reload: bool| {
        let mut game = Match::of(&[ANN, BEN], Options::default());
        let mut checksums = Vec::new();
        for tick in 0..1_200_u64 {
            let turn = |by: u64| (tick * by % 201) as i8;
            let step = |by| Step {
                walk: (turn(by), turn(by + 4)),
                aim: (turn(by + 2), turn(by)),
                shoots: tick % 3 == 0,
                weapon: None,
            };
            let inputs = [(ANN, 7), (BEN, 11)].map(|(player, by)| (player, Input::Step(step(by))));
            game.play(Vec::new(), inputs.to_vec());
            checksums.push(game.session.checksum());
            if reload && tick % 100 == 50 {
                game.session = Session::load(&game.session.save().unwrap()).unwrap();
            }
        }
        let kills: u16 = game
            .session
            .game
            .query::<&Pilot>()
            .iter()
            .map(|it| it.kills)
            .sum();
        assert!(kills > 3, "the bots have killed {kills}");
        checksums
    };
    let checksums = play(false);
    assert_eq!(checksums, play(false));
    assert!(checksums == play(true), "after a load the game differs");
}

#[test]
fn walls_stop_bodies_and_shots() {
    let mut game = Match::duel();
    for _ in 0..400 {
        game.step(ANN, right());
    }
    let at: Position = game.get(ANN).unwrap();
    assert!(game.session.game.walls().is_free(at, RADIUS));
    assert!(!game.session.game.walls().is_free(at.plus(100, 0), RADIUS));
    game.step(ANN, shot(Weapon::Blaster));
    game.wait(3);
    assert_eq!(game.session.game.query::<&Shot>().iter().count(), 0);
}

#[test]
fn more_steps_do_not_make_a_player_faster() {
    let mut game = Match::duel();
    let from: Position = game.get(ANN).unwrap();
    for _ in 0..20 {
        let steps = vec![(ANN, Input::Step(right())); 50];
        game.play(Vec::new(), steps);
    }
    let way = from.distance(game.get(ANN).unwrap());
    assert!(way <= (22 + BURST as i32) * 12 * 8, "{way}");
}

#[test]
fn steps_that_come_late_together_are_all_played() {
    let mut game = Match::duel();
    for _ in 0..3 {
        let from: Position = game.get(ANN).unwrap();
        game.wait(BURST as u64);
        game.play(Vec::new(), vec![(ANN, Input::Step(right())); BURST]);
        let way = from.distance(game.get(ANN).unwrap());
        assert_eq!(way, BURST as i32 * 12 * 8);
    }
}

#[test]
fn who_is_hit_often_dies_and_comes_back() {
    let mut game = Match::duel();
    let mut ticks = 0;
    while game.get::<Health>(BEN).is_some() {
        game.step(ANN, shot(Weapon::Blaster));
        ticks += 1;
        assert!(ticks < 200);
    }
    let pilots = [ANN, BEN].map(|player| game.get::<Pilot>(player).unwrap());
    assert_eq!(pilots.map(|it| (it.kills, it.deaths)), [(1, 0), (0, 1)]);
    let kill = Kill {
        killer: ANN,
        victim: BEN,
        weapon: Weapon::Blaster,
    };
    assert!(game.session.game.query::<&Kill>().iter().eq([&kill]));
    game.wait(2 * TICKS + 1);
    assert_eq!(game.get(BEN), Some(Health(100)));
    game.wait(4 * TICKS);
    assert_eq!(game.session.game.query::<&Kill>().iter().count(), 0);
}

#[test]
fn weapons_differ_in_damage_and_need_shots() {
    let hurt = |weapon, distance| {
        let mut game = Match::duel();
        game.put(BEN, 4_000 + distance);
        let gun = Gun {
            weapon: Weapon::Blaster,
            ammo: (1, 1),
            rest: 0,
        };
        let id = game.id(ANN);
        game.session.game.entity_mut(id).replace(gun);
        game.step(ANN, shot(weapon));
        game.wait(30);
        let gun: Gun = game.get(ANN).unwrap();
        assert_eq!(
            (gun.weapon, gun.rest),
            (Weapon::Blaster, weapon_rest(weapon))
        );
        100 - game.get::<Health>(BEN).map_or(0, |it| it.0)
    };
    assert_eq!(hurt(Weapon::Blaster, 2_000), 18);
    assert_eq!(
        (hurt(Weapon::Scatter, 500), hurt(Weapon::Scatter, 3_000)),
        (70, 0)
    );
    assert!((70..=90).contains(&hurt(Weapon::Rocket, 3_000)));
}

/// Only steps make it less.
fn weapon_rest(weapon: Weapon) -> u8 {
    match weapon {
        Weapon::Blaster => 5,
        Weapon::Scatter => 14,
        Weapon::Rocket => 20,
    }
}

#[test]
fn items_are_picked_up_and_come_back() {
    let mut game = Match::duel();
    let place = Position { x: 4_800, y: 7_000 };
    let item = game.session.game.create_with((Item::Rocket, place)).id();
    for _ in 0..10 {
        game.step(ANN, right());
    }
    assert_eq!(game.get::<Gun>(ANN).unwrap().ammo, (0, 4));
    assert_eq!(game.get::<Gun>(ANN).unwrap().weapon, Weapon::Rocket);
    let is_there = |game: &Match| game.session.game.entity(item).has_position();
    assert!(!is_there(&game));
    game.put_away(ANN);
    game.wait(12 * TICKS);
    assert!(is_there(&game));
}

impl Match {
    fn put_away(&mut self, player: u64) {
        let id = self.id(player);
        self.session
            .game
            .entity_mut(id)
            .replace(Position { x: 1_000, y: 1_000 });
    }
}

#[test]
fn a_round_ends_with_a_result_and_another_begins() {
    let options = Options {
        bots: 5,
        walls: 10,
        seconds: 20,
    };
    let mut game = Match::of(&[ANN], options);
    game.wait(20 * TICKS - 2);
    let (winner, kills) = game.round().winner.unwrap();
    let best: Pilot = game.get(winner).unwrap();
    assert_eq!(best.kills, kills);
    let walls = game.session.game.walls().clone();
    let at: Position = game.get(ANN).unwrap_or(Position { x: 0, y: 0 });
    game.step(ANN, right());
    assert_eq!(game.get(ANN).unwrap_or(at), at); // nothing moves
    game.wait(8 * TICKS);
    assert_eq!((game.round().number, game.round().winner), (2, None));
    assert!(game.session.game.walls() != &walls);
    let kills: Vec<_> = game
        .session
        .game
        .query::<&Pilot>()
        .iter()
        .map(|it| it.kills)
        .collect();
    assert_eq!(kills, [0; 6]);
}

#[test]
fn bots_join_and_leave_as_players_do() {
    let mut game = Match::of(&[ANN], Options::default());
    let count = |game: &Match| {
        let bots = game
            .session
            .game
            .query::<&Pilot>()
            .iter()
            .filter(|it| it.is_bot)
            .count();
        (game.session.game.query::<&Pilot>().iter().count(), bots)
    };
    assert_eq!(count(&game), (8, 7));
    game.play(
        (0..38).map(|player| (BEN + player, true)).collect(),
        Vec::new(),
    );
    assert_eq!(count(&game), (39, 0));
    game.wait(100);
    let mut colors: Vec<_> = game
        .session
        .game
        .query::<&Pilot>()
        .iter()
        .map(|it| it.color)
        .collect();
    colors.sort();
    colors.dedup();
    assert_eq!(colors.len(), 39);
    game.play(
        (0..38).map(|player| (BEN + player, false)).collect(),
        Vec::new(),
    );
    assert_eq!(count(&game), (8, 7));
    game.play(vec![(ANN, false)], Vec::new());
    assert_eq!(count(&game), (0, 0)); // no one is there
}

#[test]
fn names_are_short_and_aims_stay() {
    let mut game = Match::duel();
    let name = Input::Name(" Ann\n the Great and Mighty".to_owned());
    game.play(
        Vec::new(),
        vec![(ANN, name), (BEN, Input::Name("\n".to_owned()))],
    );
    assert_eq!(game.get::<Pilot>(ANN).unwrap().name, "Ann the Grea");
    assert_eq!(game.get::<Pilot>(BEN).unwrap().name, "player");
    game.step(
        ANN,
        Step {
            aim: (3, -4),
            ..right()
        },
    );
    game.step(ANN, right());
    assert_eq!(game.get(ANN), Some(Aim(3, -4)));
}
