//! Tests of the rules.

use std::time::Duration;

use ecs::prelude::*;

use crate::building::Wall;
use crate::combat::{Bullet, Health};
use crate::movement::Position;
use crate::waves::Zombie;
use crate::world::{Command, Game, Phase, World};
use crate::{program, saving};

fn start() -> (World, Systems<World>) {
    let mut world = World::new();
    let mut systems = program(&mut world);
    systems.initialize(&mut world);
    frames(&mut world, &mut systems, 1, &[Command::Start]);
    (world, systems)
}

/// Runs `count` frames of one step each, with commands in the first one.
fn frames(world: &mut World, systems: &mut Systems<World>, count: u32, commands: &[Command]) {
    for frame in 0..count {
        let commands = if frame == 0 { commands } else { &[] };
        world.frame(systems, Duration::from_millis(20), commands);
    }
}

fn count<T: Component<Game>>(world: &World) -> usize {
    world
        .game
        .query::<EntityId<Game>>()
        .with::<T>()
        .iter()
        .count()
}

#[test]
fn a_match_begins_with_a_hero_and_two_guns() {
    let (world, _) = start();
    let hero = world.game.player_entity().unwrap();
    assert_eq!((hero.health(), hero.attachments().len()), (&Health(5), 2));
    assert!(format!("{hero:?}").contains("Hero"));
}

#[test]
fn guns_follow_their_carrier_and_end_with_it() {
    let (mut world, mut systems) = start();
    frames(&mut world, &mut systems, 50, &[Command::Steer(10.0, 0.0)]);
    let hero = world.game.player_entity().unwrap();
    let at = *hero.position();
    let gun = *world.game.entity(hero.attachments()[0]).position();
    assert!((at.distance(gun) - 2.0).abs() < 0.01 && at.x > 85.0);
    world.game.destroy_player_entity();
    assert_eq!(
        count::<Position>(&world),
        count::<Zombie>(&world) + count::<Bullet>(&world)
    );
}

#[test]
fn a_pause_stops_the_clock_and_a_resumed_match_goes_on() {
    let (mut world, mut systems) = start();
    frames(&mut world, &mut systems, 100, &[]);
    let zombies = count::<Zombie>(&world);
    frames(&mut world, &mut systems, 100, &[Command::Pause]);
    assert_eq!(
        (count::<Zombie>(&world), world.game.phase()),
        (zombies, &Phase::Paused)
    );
    frames(&mut world, &mut systems, 100, &[Command::Resume]);
    assert!(count::<Zombie>(&world) > zombies && world.game.has_player());
}

#[test]
fn walls_are_taken_back_while_the_match_goes_on() {
    let (mut world, mut systems) = start();
    let walls = [(1.0, 1.0), (2.0, 2.0)].map(|(x, y)| Command::Build(x, y));
    frames(&mut world, &mut systems, 50, &walls);
    assert_eq!(count::<Wall>(&world), 2);
    frames(&mut world, &mut systems, 50, &[Command::Undo]);
    assert_eq!(count::<Wall>(&world), 1);
    frames(&mut world, &mut systems, 50, &[Command::Redo]);
    assert_eq!(count::<Wall>(&world), 2);
    assert!(count::<Zombie>(&world) > 2);
}

#[test]
fn zombies_are_shot_and_bite() {
    let (mut world, mut systems) = start();
    frames(&mut world, &mut systems, 1_000, &[]);
    assert!(world.game.score().0 > 3, "{:?}", world.game.score());
    let at = *world.game.player_entity().unwrap().position();
    for _ in 0..5 {
        world.game.create_with((Zombie, at));
    }
    frames(&mut world, &mut systems, 1, &[]);
    assert_eq!(world.game.phase(), &Phase::Over);
    frames(&mut world, &mut systems, 1, &[Command::Leave]);
    assert_eq!((world.game.phase(), world.game.len()), (&Phase::Menu, 2));
}

#[test]
fn a_loaded_match_goes_on_as_the_saved_one() {
    let (mut world, mut systems) = start();
    frames(&mut world, &mut systems, 300, &[Command::Build(60.0, 40.0)]);
    let saved = saving::save(&world).unwrap();
    frames(&mut world, &mut systems, 200, &[]);
    let picture = world.picture.clone();
    saving::load(&mut world, &saved).unwrap();
    frames(&mut world, &mut systems, 200, &[]);
    assert_eq!(world.picture, picture);
    assert!(saving::load(&mut world, "no save").is_err());
    assert!(world.game.has_player());
}
