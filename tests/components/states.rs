//! States: unique components with one value at a time, and the systems that run on entry, on exit
//! and while in a state.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use crate::home::{Game, GameEntity, GameEntityMut, Input, InputEntity, InputEntityMut};

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique, state)]
enum Mode {
    Menu,
    Playing,
    Paused { by: u8 },
}

/// A state in several contexts, with fields.
#[derive(Component, Debug, PartialEq)]
#[component(context(Game, Input), unique, state)]
struct Level {
    number: u8,
}

#[derive(Contexts)]
struct World {
    game: Game,
    input: Input,
}

mod elsewhere {
    use ecs::prelude::*;

    use super::{Game, GameEntity, GameEntityMut};

    #[derive(Component, PartialEq)]
    #[component(context = Game, unique, state, extension)]
    pub(crate) enum Weather {
        Dry,
        Wet,
    }
}

/// The log of systems, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note<W>(&self, text: &str) -> impl FnMut(&mut W) + use<W> {
        let (log, text) = (self.clone(), text.to_owned());
        move |_: &mut W| log.0.lock().unwrap().push(text.clone())
    }

    #[track_caller]
    fn is(&self, lines: &[&str]) {
        assert_eq!(std::mem::take(&mut *self.0.lock().unwrap()), lines);
    }
}

/// A list that logs entry to and exit from two states, and passes in one.
fn noting(log: &Log) -> Systems<Game> {
    Systems::new()
        .on_exit(Mode::Menu, log.note("exit menu"))
        .on_exit(Mode::Playing, log.note("exit playing"))
        .on_enter(Mode::Menu, log.note("enter menu"))
        .on_enter(Mode::Playing, log.note("enter playing"))
        .while_in(Mode::Playing, log.note("playing"))
}

#[test]
fn a_state_is_set_whether_there_is_one_or_not() {
    let mut game = Game::new();
    assert!(!game.has_mode() && game.get_mode().is_none());
    let id = game.set_mode(Mode::Menu).id();
    assert_eq!(game.set_mode(Mode::Paused { by: 3 }).id(), id);
    assert_eq!(game.mode(), &Mode::Paused { by: 3 });
    assert_eq!(game.mode_entity().unwrap().id(), id);
    game.update_mode(|mode| *mode = Mode::Playing);
    assert_eq!(game.unique::<Mode>().get(), Some(&Mode::Playing));
    assert_eq!(game.len(), 1);
    game.remove_mode();
    assert!(game.is_empty());
    game.set_level(3);
    assert_eq!(game.set_level(4).level(), &Level { number: 4 });
}

#[test]
fn setting_the_state_that_it_is_reports_nothing() {
    let mut game = Game::new();
    let modes = game.collector(Game::all_of::<Mode>().any_change());
    let id = game.set_mode(Mode::Paused { by: 1 }).id();
    assert_eq!(modes.drain(&mut game), [id]);
    assert_eq!(game.set_mode(Mode::Paused { by: 1 }).id(), id);
    assert!(modes.drain(&mut game).is_empty());
    game.set_mode(Mode::Paused { by: 2 });
    assert_eq!(modes.drain(&mut game), [id]);
}

#[test]
fn a_state_written_in_a_loop_is_entered() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = noting(&log);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    log.is(&["enter menu"]);
    for mode in game.query_mut::<&mut Mode>().iter_mut() {
        *mode = Mode::Playing;
    }
    systems.execute(&mut game);
    log.is(&["exit menu", "enter playing", "playing"]);
}

#[test]
fn observers_are_notified_of_each_step_with_the_state_before() {
    let mut game = Game::new();
    let modes = game.group(Game::all_of::<Mode>());
    let seen = Arc::new(Mutex::new(Vec::new()));
    modes.on_updated(&mut game, {
        let seen = seen.clone();
        move |game, change| {
            let before = change.previous::<Mode>().unwrap().clone();
            seen.lock().unwrap().push((before, game.mode().clone()));
        }
    });
    game.set_mode(Mode::Menu);
    game.set_mode(Mode::Playing);
    game.set_mode(Mode::Playing);
    game.set_mode(Mode::Menu);
    let (menu, playing) = (Mode::Menu, Mode::Playing);
    let steps = [(menu.clone(), playing.clone()), (playing, menu)];
    assert_eq!(*seen.lock().unwrap(), steps);
}

#[test]
fn systems_run_once_for_each_transition_and_while_in_a_state() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = noting(&log);
    systems.execute(&mut game);
    log.is(&[]);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    systems.execute(&mut game);
    log.is(&["enter menu"]);
    game.set_mode(Mode::Playing);
    systems.execute(&mut game);
    systems.execute(&mut game);
    log.is(&["exit menu", "enter playing", "playing", "playing"]);
    game.remove_mode();
    systems.execute(&mut game);
    systems.execute(&mut game);
    log.is(&["exit playing"]);
}

#[test]
fn the_state_at_the_first_execute_is_entered() {
    let (mut game, log) = (Game::new(), Log::default());
    game.set_mode(Mode::Playing);
    let mut systems = noting(&log);
    systems.initialize(&mut game);
    systems.execute(&mut game);
    log.is(&["enter playing", "playing"]);
}

#[test]
fn a_state_set_and_left_between_executes_is_not_seen() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = noting(&log);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    log.is(&["enter menu"]);

    game.set_mode(Mode::Playing);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    log.is(&[]);

    game.set_mode(Mode::Playing);
    game.set_mode(Mode::Paused { by: 1 });
    systems.execute(&mut game);
    log.is(&["exit menu"]);

    game.remove_mode();
    game.set_mode(Mode::Paused { by: 1 });
    game.set_mode(Mode::Playing);
    systems.execute(&mut game);
    log.is(&["enter playing", "playing"]);
}

#[test]
fn a_value_of_the_state_counts_and_not_its_variant() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = Systems::new()
        .on_exit(Mode::Paused { by: 1 }, log.note("exit 1"))
        .on_enter(Mode::Paused { by: 2 }, log.note("enter 2"));
    game.set_mode(Mode::Paused { by: 1 });
    systems.execute(&mut game);
    game.set_mode(Mode::Paused { by: 2 });
    systems.execute(&mut game);
    log.is(&["exit 1", "enter 2"]);
}

#[test]
fn a_system_that_sets_the_state_is_seen_by_those_after_it_at_once_and_by_others_later() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = Systems::new()
        .on_enter(Mode::Menu, |game: &mut Game| {
            game.set_mode(Mode::Playing);
        })
        .on_enter(Mode::Playing, log.note("enter playing"))
        .on_exit(Mode::Playing, log.note("exit playing"))
        .while_in(Mode::Playing, |game: &mut Game| {
            game.set_mode(Mode::Menu);
        });
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    log.is(&["enter playing"]);
    assert_eq!(game.mode(), &Mode::Menu);
    let mut quiet = systems.until_quiet(3);
    quiet.execute(&mut game);
    assert_eq!(quiet.reactions().unwrap().calls, 3);
    log.is(&["exit playing"]); // the first system saw only the menu
}

#[test]
fn transitions_while_a_system_is_skipped_are_one_step() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = Systems::new().add(noting(&log).on(Phase::Cleanup, |_| ()));
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    systems.set_enabled("Systems", false);
    game.set_mode(Mode::Playing);
    systems.execute(&mut game);
    log.is(&["enter menu"]);
    systems.set_enabled("Systems", true);
    systems.execute(&mut game);
    log.is(&["exit menu", "enter playing", "playing"]);
}

#[test]
fn a_list_that_discards_while_disabled_keeps_its_states() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = Systems::new().add(noting(&log)).discard_while_disabled();
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    log.is(&["enter menu"]);
    systems.set_enabled("Systems", false);
    game.set_mode(Mode::Playing);
    systems.execute(&mut game);
    log.is(&[]);
    systems.set_enabled("Systems", true);
    systems.execute(&mut game);
    log.is(&["exit menu", "enter playing", "playing"]);
}

#[test]
fn cleared_and_inactive_systems_forget_transitions() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = noting(&log);
    game.set_mode(Mode::Menu);
    systems.clear(&mut game);
    systems.execute(&mut game);
    log.is(&[]);
    systems.deactivate(&mut game);
    game.set_mode(Mode::Playing);
    systems.execute(&mut game);
    log.is(&["playing"]);
    systems.activate(&mut game);
    systems.execute(&mut game);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    log.is(&["playing", "exit playing", "enter menu"]);
    systems.release(&mut game);
    systems.activate(&mut game);
    game.remove_mode();
    systems.execute(&mut game);
    log.is(&[]);
}

#[test]
fn a_world_of_several_contexts_has_the_states_of_each() {
    let (game, input, log) = (Game::new(), Input::new(), Log::default());
    let mut world = World { game, input };
    let level = || Level { number: 2 };
    let mut systems = Systems::<World>::new()
        .on_enter(Mode::Menu, log.note("enter menu"))
        .on_enter::<Input, Level, _>(level(), log.note("level of the input"))
        .on_exit::<Game, Level, _>(level(), log.note("exit level of the game"))
        .while_in(
            Mode::Menu,
            Systems::with_name("In the menu")
                .add(log.note("one"))
                .add(log.note("two")),
        );
    world.game.set_mode(Mode::Menu);
    world.input.set_level(2);
    world.game.set_level(2);
    systems.execute(&mut world);
    log.is(&["enter menu", "level of the input", "one", "two"]);
    world.input.set_level(3);
    world.game.set_mode(Mode::Playing);
    systems.execute(&mut world);
    log.is(&[]);
    world.game.set_level(3);
    systems.execute(&mut world);
    log.is(&["exit level of the game"]);
}

#[test]
fn a_reactive_system_reacts_only_while_in_its_state() {
    let mut game = Game::new();
    let levels = Game::all_of::<Level>().entered_or_updated();
    let count = |game: &mut Game, _| game.send(1_u8);
    let inbox = game.inbox::<u8>();
    let reactive = Systems::new().for_each_changed(&mut game, levels, count);
    let mut systems = Systems::new().while_in(Mode::Playing, reactive);
    game.set_level(1);
    systems.execute(&mut game);
    assert!(inbox.drain(&mut game).is_empty());
    game.set_mode(Mode::Playing);
    systems.execute(&mut game);
    assert_eq!(
        inbox.drain(&mut game).len(),
        1,
        "what has happened meanwhile"
    );
}

#[test]
fn a_state_of_another_crate_is_set_by_its_trait() {
    use elsewhere::{Weather, WeatherContextExt as _};

    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = Systems::new();
    systems.append(Systems::new().on_enter(Weather::Wet, log.note::<Game>("wet")));
    game.set_weather(Weather::Dry);
    systems.execute(&mut game);
    game.set_weather(Weather::Wet);
    systems.execute(&mut game);
    log.is(&["wet"]);
}

#[test]
fn a_report_names_systems_of_states_like_others() {
    let systems = Systems::<Game>::new()
        .on_enter(Mode::Menu, |_| ())
        .while_in(Mode::Menu, |_: &mut Game| ())
        .named("Menu");
    let names = systems.names();
    assert_eq!(names[1], "Menu");
    assert!(names[0].starts_with("closure in"), "{names:?}");
}

/// A list that logs both states of each transition.
fn ends(log: &Log) -> Systems<Game> {
    let log = log.clone();
    let note = move |_: &mut Game, from: Option<&Mode>, to: Option<&Mode>| {
        let line = format!("{from:?} to {to:?}");
        log.0.lock().unwrap().push(line.replace("Some", ""));
    };
    Systems::new().on_transition(note)
}

#[test]
fn a_transition_is_notified_with_both_states() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = ends(&log);
    systems.execute(&mut game);
    log.is(&[]);
    for mode in [
        Mode::Menu,
        Mode::Playing,
        Mode::Paused { by: 1 },
        Mode::Playing,
    ] {
        game.set_mode(mode);
        systems.execute(&mut game);
        systems.execute(&mut game);
    }
    game.remove_mode();
    systems.execute(&mut game);
    log.is(&[
        "None to (Menu)",
        "(Menu) to (Playing)",
        "(Playing) to (Paused { by: 1 })",
        "(Paused { by: 1 }) to (Playing)",
        "(Playing) to None",
    ]);
}

#[test]
fn a_state_is_entered_again_if_a_field_of_it_differs() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = ends(&log);
    for by in [1, 1, 2] {
        game.set_mode(Mode::Paused { by });
        systems.execute(&mut game);
    }
    game.unique_mut().set(Mode::Paused { by: 2 }); // an update, not a transition
    systems.execute(&mut game);
    log.is(&[
        "None to (Paused { by: 1 })",
        "(Paused { by: 1 }) to (Paused { by: 2 })",
    ]);
}

#[test]
fn a_transition_starts_from_the_state_of_the_previous_run() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = ends(&log);
    game.set_mode(Mode::Menu);
    game.set_mode(Mode::Playing);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    game.set_mode(Mode::Playing);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    log.is(&["None to (Menu)"]);
    game.set_mode(Mode::Playing);
    systems.clear(&mut game);
    systems.execute(&mut game);
    log.is(&[]);
    systems.deactivate(&mut game);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    systems.activate(&mut game);
    game.set_mode(Mode::Playing);
    systems.execute(&mut game);
    log.is(&["(Menu) to (Playing)"]);
    systems.release(&mut game);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    log.is(&[]);
}

/// Exists in one state only.
#[derive(Component)]
#[component(context = Game)]
struct Only(Mode);

#[test]
fn entities_of_a_state_are_destroyed_when_it_is_left() {
    let mut game = Game::new();
    let mut systems = Systems::new()
        .add(Expire::destroy(|game: &Game, only: &Only| {
            game.get_mode() != Some(&only.0)
        }))
        .on_enter(Mode::Playing, |game: &mut Game| {
            game.create_with(Only(Mode::Playing));
        });
    let only = game.group(Game::all_of::<Only>());
    game.set_mode(Mode::Menu);
    game.create_with(Only(Mode::Menu));
    systems.execute(&mut game);
    assert_eq!(only.len(&game), 1);
    game.set_mode(Mode::Playing);
    systems.execute(&mut game);
    assert_eq!(only.single(&game).unwrap().only().0, Mode::Playing);
    game.remove_mode();
    systems.execute(&mut game);
    assert!(only.is_empty(&game));
}

#[test]
fn a_restarted_state_is_left_and_entered_once() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = noting(&log).add(ends(&log));
    game.set_mode(Mode::Playing);
    game.unique_mut::<Mode>().restart(); // not seen yet
    systems.execute(&mut game);
    systems.execute(&mut game);
    log.is(&["enter playing", "playing", "None to (Playing)", "playing"]);

    let collector = Game::all_of::<Mode>().any_change();
    let collector = game.collector(collector);
    game.unique_mut::<Mode>().restart();
    game.unique_mut::<Mode>().restart();
    assert!(collector.is_empty(&game));
    systems.execute(&mut game);
    systems.execute(&mut game);
    log.is(&[
        "exit playing",
        "enter playing",
        "playing",
        "(Playing) to (Playing)",
        "playing",
    ]);

    game.unique_mut::<Mode>().restart();
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    systems.execute(&mut game);
    log.is(&["exit playing", "enter menu", "(Playing) to (Menu)"]);
    game.set_mode(Mode::Playing);
    game.unique_mut::<Mode>().restart(); // the systems have not entered it
    systems.execute(&mut game);
    log.is(&[
        "exit menu",
        "enter playing",
        "playing",
        "(Menu) to (Playing)",
    ]);
}

#[test]
#[should_panic(expected = "`Mode`")]
fn a_state_that_is_not_set_cannot_be_restarted() {
    Game::new().unique_mut::<Mode>().restart();
}

#[test]
fn a_step_that_is_undone_takes_back_the_transitions_in_it() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = noting(&log);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    log.is(&["enter menu"]);
    let mut turns = UndoStack::<Game>::only::<Mode>();
    turns.step(&mut game, "Play", |game| {
        game.set_mode(Mode::Playing);
        systems.execute(game);
    });
    log.is(&["exit menu", "enter playing", "playing"]);
    turns.amend(&mut game, |game| {
        game.set_mode(Mode::Paused { by: 1 });
        systems.execute(game);
    });
    log.is(&["exit playing"]);
    for _ in 0..2 {
        assert!(turns.undo(&mut game));
        systems.execute(&mut game);
        log.is(&[]);
        assert!(turns.redo(&mut game));
        systems.execute(&mut game);
        log.is(&[]);
    }
    turns.undo(&mut game);
    game.set_mode(Mode::Playing);
    systems.execute(&mut game);
    log.is(&["exit menu", "enter playing", "playing"]);
}

#[test]
fn a_transition_after_a_step_is_seen_again_when_the_step_is_undone() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = noting(&log);
    game.set_mode(Mode::Menu);
    systems.execute(&mut game);
    let mut turns = UndoStack::<Game>::only::<Mode>();
    turns.step(&mut game, "Play", |game| _ = game.set_mode(Mode::Playing));
    systems.execute(&mut game);
    log.is(&["enter menu", "exit menu", "enter playing", "playing"]);
    turns.undo(&mut game);
    systems.execute(&mut game);
    log.is(&["exit playing", "enter menu"]);

    // The step has a transition, but the systems have seen another one since.
    turns.step(&mut game, "Play", |game| {
        game.set_mode(Mode::Playing);
        systems.execute(game);
    });
    log.is(&["exit menu", "enter playing", "playing"]);
    game.set_mode(Mode::Paused { by: 1 });
    systems.execute(&mut game);
    log.is(&["exit playing"]);
    turns.undo(&mut game);
    systems.execute(&mut game);
    log.is(&["enter menu"]);
    assert_eq!(game.mode(), &Mode::Menu);
}

#[test]
fn systems_that_start_in_a_step_start_again_after_it_is_undone() {
    let (mut game, log) = (Game::new(), Log::default());
    let mut systems = noting(&log);
    let mut turns = UndoStack::<Game>::only::<Mode>();
    turns.step(&mut game, "Start", |game| {
        game.set_mode(Mode::Menu);
        systems.execute(game);
    });
    log.is(&["enter menu"]);
    turns.undo(&mut game);
    systems.execute(&mut game);
    log.is(&[]);
    turns.redo(&mut game);
    systems.execute(&mut game);
    log.is(&["enter menu"]);
}
