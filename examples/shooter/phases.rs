//! The phases of the program.

use std::time::Duration;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::combat::{Player, Weapon};
use crate::movement::{HEIGHT, Position, Velocity, WIDTH, attached};
use crate::waves::Waves;
use crate::world::{Command, Game, GameEntity, GameEntityMut, Phase, World};

/// The label of an entity in errors and in the inspector.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(context = Game, label)]
pub(crate) struct Name(#[component(into)] pub(crate) String);

pub(crate) fn plug_in(systems: &mut Systems<World>, world: &mut World) {
    let commands = world.game.inbox::<Command>();
    let phases = Systems::with_name("Phases")
        .on_message(commands, command)
        .on_transition(
            |world: &mut World, from: Option<&Phase>, to: Option<&Phase>| {
                match (from, to) {
                    (Some(Phase::Paused), Some(Phase::Playing)) => {} // the match continues
                    (_, Some(Phase::Playing)) => begin(world),
                    (_, Some(Phase::Menu)) => clear(world),
                    _ => {}
                }
            },
        );
    systems.stage("Input").push(phases);
}

fn command(World { game, .. }: &mut World, command: &Command) {
    match (*game.phase(), *command) {
        (Phase::Menu | Phase::Over, Command::Start) => _ = game.set_phase(Phase::Playing),
        (Phase::Playing, Command::Pause) => _ = game.set_phase(Phase::Paused),
        (Phase::Paused, Command::Resume) => _ = game.set_phase(Phase::Playing),
        (Phase::Paused | Phase::Over, Command::Leave) => _ = game.set_phase(Phase::Menu),
        (_, Command::Steer(dx, dy)) => {
            if let Some(mut player) = game.player_entity_mut() {
                player.replace(Velocity { dx, dy });
            }
        }
        _ => {}
    }
}

fn begin(world: &mut World) {
    clear(world);
    let game = &mut world.game;
    let (x, y) = (WIDTH / 2.0, HEIGHT / 2.0);
    let hero = game
        .create_with((Player, Name("Hero".into()), Position { x, y }))
        .id();
    for (dx, name) in [(-2.0, "left gun"), (2.0, "right gun")] {
        let cooldown = Timer::repeating(Duration::from_millis(450));
        let weapon = Weapon {
            cooldown,
            range: 45.0,
        };
        game.create_with((weapon, Name(name.into()), attached(hero, dx, 0.0)));
    }
    game.set_score(0);
    game.unique_mut::<Waves>().set(Waves::new(7));
}

/// Destroys the entities of a match: all but the phase and the clock.
fn clear(World { game, edits, .. }: &mut World) {
    let of_match: Vec<_> = game
        .query::<EntityId<Game>>()
        .without::<Phase>()
        .iter()
        .collect();
    let clock = game.clock_entity().map(|entity| entity.id());
    for id in of_match.into_iter().filter(|id| Some(*id) != clock) {
        let _ = game.try_destroy(id); // it may have been destroyed with its carrier
    }
    edits.clear();
}
