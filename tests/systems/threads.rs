//! Lists of systems moved to other threads.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Mutex;
use std::thread;

use ecs::SystemError;
use ecs::prelude::*;

use super::world::{Game, Health, Log, World, world};

fn is_send<T: Send + Sync>() {}

/// A world with a field that belongs to one thread.
struct Window {
    game: Game,
    title: Rc<Cell<usize>>,
}

impl HasContext<Game> for Window {
    fn context(&self) -> &Game {
        &self.game
    }

    fn context_mut(&mut self) -> &mut Game {
        &mut self.game
    }
}

#[test]
fn a_list_is_send_and_sync_for_any_world() {
    is_send::<Systems<Game>>();
    is_send::<Systems<Window>>();
    is_send::<Box<dyn System<Window>>>();
    is_send::<SystemError>();
    is_send::<(Game, Systems<Game>)>();
}

struct Grow;

impl ReactiveSystem<World> for Grow {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Health>().entered()
    }

    fn react(&mut self, world: &mut World, changed: &[EntityId<Game>]) {
        for &id in changed {
            world
                .game
                .entity_mut(id)
                .update_health(|health| health.0 += 1);
        }
    }
}

#[test]
fn a_program_made_in_one_thread_runs_in_another() {
    let (log, mut world) = (Log::default(), world());
    let mut counted = Mutex::new(Cell::new(0));
    let mut systems = Systems::new()
        .add_reactive(&mut world, Grow)
        .add(move |_: &mut World| *counted.get_mut().unwrap().get_mut() += 1)
        .for_each_changed(
            &mut world,
            Game::all_of::<Health>().updated(),
            log.ids("grew"),
        );
    let id = world.game.create_with(Health(1)).id();
    let run = move || {
        systems.execute(&mut world);
        (world, systems)
    };
    let (mut world, mut systems) = thread::spawn(run).join().unwrap();
    log.notified(&["grew 0v1"]);
    systems.execute(&mut world);
    assert_eq!(world.game.entity(id).health().0, 2);
}

#[test]
fn a_world_may_hold_values_that_are_not_send() {
    let (game, title) = (Game::new(), Rc::default());
    let mut window = Window { game, title };
    let show = |window: &mut Window| window.title.set(window.game.len());
    let mut systems = Systems::new().add(show);
    window.game.create_entity();
    systems.execute(&mut window);
    assert_eq!(window.title.get(), 1);
}
