//! Lists that are executed without being initialized.

use ecs::prelude::*;

use super::world::{Game, Health, Log};
use support::panic_of;

fn lay_out(game: &mut Game) {
    game.create_with(Health(1));
}

fn walk(_: &mut Game) {}

#[test]
fn a_report_lists_uninitialized_systems() {
    let mut game = Game::new();
    let inner = Systems::with_name("Inner").on(Phase::Initialize, lay_out);
    let mut systems = Systems::new().add(walk).add(inner);
    let lines = [
        "Systems",
        "  walk",
        "  Inner",
        "    lay_out    not initialized",
        "",
    ];
    assert_eq!(systems.report().to_string(), lines.join("\n"));
    systems.initialize(&mut game);
    assert!(!systems.report().to_string().contains("not initialized"));
}

#[test]
#[cfg(debug_assertions)]
fn debug_builds_reject_executing_uninitialized_systems() {
    let (log, mut game) = (Log::default(), Game::new());
    let inner = Systems::with_name("Inner").on(Phase::Initialize, lay_out);
    let mut systems = Systems::with_name("Game")
        .add(log.system("first"))
        .add(inner);
    let expected = "cannot execute the list `Game`: its system `lay_out` has not been initialized; \
                    call `initialize` of the list once, before its first execute, or `resume` if its \
                    world was loaded";
    assert_eq!(panic_of(|| systems.execute(&mut game)), expected);
    assert_eq!(panic_of(|| _ = systems.try_execute(&mut game)), expected);
    assert_eq!(
        panic_of(|| _ = systems.execute_until_quiet(&mut game, 3)),
        expected
    );
    log.notified(&[]);
    systems.initialize(&mut game);
    systems.execute(&mut game);
    assert_eq!(game.len(), 1);
}

#[test]
fn a_list_without_anything_to_initialize_need_not_be() {
    let (log, mut game) = (Log::default(), Game::new());
    let mut systems = Systems::new()
        .add(walk)
        .add(log.system("walk")) // has an `initialize` that cannot be detected
        .on(Phase::Cleanup, walk)
        .on(Phase::TearDown, walk);
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    systems.tear_down(&mut game);
    assert!(!systems.report().to_string().contains("not initialized"));
}

#[test]
fn late_systems_may_be_initialized_already() {
    let mut game = Game::new();
    let mut systems = Systems::new().add(walk);
    systems.initialize(&mut game);
    let mut late = Systems::new().on(Phase::Initialize, lay_out);
    late.initialize(&mut game);
    systems.push(late);
    systems.execute(&mut game);
    assert_eq!(game.len(), 1);
}

#[test]
fn a_type_can_require_its_initialize() {
    #[derive(Default)]
    struct Board {
        is_laid: bool,
    }

    impl System<Game> for Board {
        fn initialize(&mut self, game: &mut Game) {
            lay_out(game);
            self.is_laid = true;
        }

        fn needs_initialize(&self) -> bool {
            !self.is_laid
        }
    }

    let boxed: Box<dyn System<Game>> = Box::new(Board::default());
    let mut systems = Systems::new().add(boxed);
    assert!(systems.report().to_string().contains("not initialized"));
    systems.initialize(&mut Game::new());
    systems.execute(&mut Game::new());
}

/// Runs its list at each execute.
struct Inner(Systems<Game>);

impl System<Game> for Inner {
    fn inner(&self) -> Option<&Systems<Game>> {
        Some(&self.0)
    }

    fn inner_mut(&mut self) -> Option<&mut Systems<Game>> {
        Some(&mut self.0)
    }
}

/// Reacts to health and knows when it was resumed.
struct Resumed(Log);

impl ReactiveSystem<Game> for Resumed {
    type Context = Game;

    fn trigger(&self) -> Trigger<Game> {
        Game::all_of::<Health>().entered()
    }

    fn react(&mut self, _: &mut Game, _: &[EntityId<Game>]) {}

    fn resume(&mut self, _: &mut Game) {
        self.0.push("resumed");
    }
}

#[test]
fn a_resumed_list_initializes_nothing_and_runs() {
    struct Board;

    impl System<Game> for Board {
        fn initialize(&mut self, game: &mut Game) {
            lay_out(game);
        }

        fn needs_initialize(&self) -> bool {
            true // does not know that it was resumed
        }
    }

    let (log, mut game) = (Log::default(), Game::new());
    let boxed: Box<dyn System<Game>> = Box::new(Board);
    let nested = Systems::with_name("Nested")
        .on(Phase::Initialize, lay_out)
        .add(boxed);
    let mut systems = Systems::new()
        .add(Inner(nested))
        .on(Phase::Resume, lay_out)
        .add_reactive(&mut game, Resumed(log.clone()));
    systems.resume(&mut game);
    log.notified(&["resumed"]);
    assert_eq!(game.len(), 1);
    assert!(!systems.report().to_string().contains("not initialized"));
    systems.execute(&mut game);
    assert_eq!(game.len(), 1);
}
