//! A survival shooter made of plug-ins, which plays by itself.
//!
//! ```text
//! cargo run -p shooter                      prints a summary of a match
//! cargo run -p shooter -- --svg shooter.svg also draws its final frame
//! ```
//!
//! ```text
//! stages      Input: commands ─► Steps: Spawn ─► Move ─► Hit  (fifty times a second) ─► View
//! phases      start, pause, leave
//! building    build, undo, redo
//! movement                              walk, follow
//! waves                       spawn, chase
//! combat                      shoot             hit, bite, age
//! picture                                                                             draw
//! ```

mod building;
mod combat;
mod movement;
mod phases;
mod picture;
mod saving;
#[cfg(test)]
mod tests;
mod waves;
mod world;

use std::time::Duration;

use ecs::prelude::*;

use self::building::Wall;
use self::waves::Zombie;
use self::world::{Command, Game, World, stages};

fn program(world: &mut World) -> Systems<World> {
    let mut systems = stages();
    phases::plug_in(&mut systems, world);
    building::plug_in(&mut systems, world);
    waves::plug_in(&mut systems);
    movement::plug_in(&mut systems);
    combat::plug_in(&mut systems);
    picture::plug_in(&mut systems);
    systems
}

/// The commands of the player in each frame of the demo.
fn commands(frame: u32) -> Vec<Command> {
    let (dx, dy) = [(6.0, 0.0), (0.0, 6.0), (-6.0, 0.0), (0.0, -6.0)][frame as usize / 60 % 4];
    let mut commands = vec![Command::Steer(dx, dy)];
    match frame {
        0 => commands.push(Command::Start),
        300 | 1_500 => commands.push(Command::Pause),
        301 => commands
            .extend([(70.0, 40.0), (90.0, 40.0), (80.0, 30.0)].map(|(x, y)| Command::Build(x, y))),
        302 => commands.extend([Command::Undo, Command::Undo, Command::Redo]),
        303 => commands.push(Command::Resume),
        1_501 => commands.push(Command::Leave),
        _ => {}
    }
    commands
}

fn tell(world: &World, what: &str) {
    let game = &world.game;
    let count = |ids: ecs::Query<'_, Game, EntityId<Game>>| ids.iter().count();
    println!(
        "{what}: {:?}, {} points, {} zombies, {} walls, {}",
        game.phase(),
        game.get_score().map_or(0, |score| score.0),
        count(game.query().with::<Zombie>()),
        count(game.query().with::<Wall>()),
        match game.player_entity() {
            Some(hero) => format!(
                "{} with health {}",
                game.name_of(hero.id()),
                hero.health().0
            ),
            None => "no hero".to_owned(),
        }
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let mut systems = program(&mut world);
    systems.initialize(&mut world);
    let (mut saved, mut picture) = (String::new(), String::new());
    for frame in 0..1_502 {
        world.frame(&mut systems, Duration::from_millis(20), &commands(frame));
        match frame {
            299 => tell(&world, "before the pause"),
            303 => tell(&world, "three walls, two taken back, one built again"),
            600 => {
                saved = saving::save(&world)?;
                tell(&world, "saved");
            }
            900 => {
                tell(&world, "five seconds later");
                saving::load(&mut world, &saved)?;
                tell(&world, "loaded");
            }
            1_499 => {
                picture.clone_from(&world.picture);
                tell(&world, "at last");
            }
            _ => {}
        }
    }
    tell(&world, "left");
    let mut arguments = std::env::args().skip_while(|argument| argument != "--svg");
    if let Some(path) = arguments.nth(1) {
        std::fs::write(path, picture)?;
    }
    systems.tear_down(&mut world);
    Ok(())
}
