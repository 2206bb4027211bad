//! Systems that fail: the phase stops, and the error names the system.

mod reactive;

use std::error::Error as _;
use std::fmt;
use std::num::ParseIntError;

use ecs::SystemError;
use ecs::prelude::*;

use super::world::{Frozen, Game, Health, Log, Mood};
use support::panic_of;

/// The error of the systems in these tests: too few entities.
#[derive(Debug, PartialEq)]
struct TooFew(usize);

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "only {} there", self.0)
    }
}

impl std::error::Error for TooFew {}

/// Fails while the game has fewer than two entities.
fn two(game: &mut Game) -> Result<(), TooFew> {
    match game.len() {
        few @ ..2 => Err(TooFew(few)),
        _ => Ok(()),
    }
}

#[test]
fn a_system_that_fails_ends_the_pass() {
    let (log, mut game) = (Log::default(), Game::new());
    let mut systems = Systems::new()
        .add(log.system("before"))
        .add(two)
        .add(log.system("behind"));
    let error = systems.try_execute(&mut game).unwrap_err();
    log.notified(&["before executes"]);
    assert_eq!((error.system(), error.phase()), ("two", Phase::Execute));
    assert_eq!(
        error.to_string(),
        "system `two` failed at execute: only 0 there"
    );
    assert_eq!(error.error().downcast_ref(), Some(&TooFew(0)));
    assert!(error.source().is_none()); // `TooFew` has no source
    assert_eq!(*error.into_error().downcast::<TooFew>().unwrap(), TooFew(0));

    game.create_many([(), ()]);
    systems.try_execute(&mut game).unwrap();
    log.notified(&["before executes", "behind executes"]);
}

#[test]
fn the_plain_call_panics_with_the_name_and_the_reason() {
    let mut systems = Systems::new().add(two).named("Two");
    let text = panic_of(|| systems.execute(&mut Game::new()));
    let reason = "system `Two` failed at execute: only 0 there";
    assert_eq!(
        text,
        format!("{reason}; `try_execute` returns this instead of panicking")
    );
}

#[test]
fn every_phase_can_fail() {
    for phase in [
        Phase::Initialize,
        Phase::Resume,
        Phase::Execute,
        Phase::Cleanup,
        Phase::TearDown,
    ] {
        let (log, mut game) = (Log::default(), Game::new());
        let mut systems = Systems::new().on(phase, two).add(log.system("behind"));
        let results = [
            systems.try_initialize(&mut game),
            systems.try_resume(&mut game),
            systems.try_execute(&mut game),
            systems.try_cleanup(&mut game),
            systems.try_tear_down(&mut game),
        ];
        let failed: Vec<_> = results.into_iter().filter_map(Result::err).collect();
        let [error] = &*failed else {
            panic!("{failed:?}")
        };
        assert_eq!((error.system(), error.phase()), ("two", phase));
        let text = panic_of(|| match phase {
            Phase::Initialize => systems.initialize(&mut game),
            Phase::Resume => systems.resume(&mut game),
            Phase::Execute => systems.execute(&mut game),
            Phase::Cleanup => systems.cleanup(&mut game),
            Phase::TearDown => systems.tear_down(&mut game),
        });
        assert!(
            text.contains(&format!("failed at {phase}: only 0 there; `try_{phase}`")),
            "{text}"
        );
    }
}

/// Has its own error type in all phases.
struct Load(&'static str);

impl System<Game, Result<(), ParseIntError>> for Load {
    fn execute(&mut self, game: &mut Game) -> Result<(), ParseIntError> {
        for word in self.0.split(' ') {
            game.create_with(Health(word.parse()?));
        }
        Ok(())
    }
}

#[test]
fn a_type_can_be_a_system_that_fails() {
    let mut game = Game::new();
    assert_eq!(Load("1 2").execute(&mut game), Ok(()));
    assert!(Load("x").execute(&mut game).is_err());
    let mut systems = Systems::new().add(Load("3 x 4"));
    systems.initialize(&mut game);
    let error = systems.try_execute(&mut game).unwrap_err();
    assert_eq!(
        error.to_string(),
        "system `Load` failed at execute: invalid digit found in string"
    );
    assert_eq!(game.len(), 3);
}

#[test]
fn texts_and_boxed_errors_are_errors() {
    type Any = Box<dyn std::error::Error + Send + Sync>;
    let mut systems = Systems::new()
        .add(|_: &mut Game| Err::<(), _>("a text"))
        .named("text")
        .add(|_: &mut Game| Err::<(), _>(String::from("a string")))
        .named("string")
        .add(|_: &mut Game| -> Result<(), Any> { Err(TooFew(7))? })
        .named("boxed");
    for (name, reason) in [
        ("text", "a text"),
        ("string", "a string"),
        ("boxed", "only 7 there"),
    ] {
        let error = systems.try_execute(&mut Game::new()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("system `{name}` failed at execute: {reason}")
        );
        systems.set_enabled(name, false);
    }
    systems.execute(&mut Game::new());
}

#[test]
fn the_underlying_error_is_the_source() {
    #[derive(Debug)]
    struct Outer(TooFew);

    impl fmt::Display for Outer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("cannot start")
        }
    }

    impl std::error::Error for Outer {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    let mut systems = Systems::new().add(|_: &mut Game| Err::<(), _>(Outer(TooFew(3))));
    let error = systems.try_execute(&mut Game::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("failed at execute: cannot start")
    );
    assert_eq!(error.source().unwrap().to_string(), "only 3 there");
}

#[test]
fn an_error_passes_through_nested_lists_and_names_the_system_and_its_list() {
    let (log, mut game) = (Log::default(), Game::new());
    let inner = Systems::with_name("Inner")
        .add(two)
        .add(log.system("inner"));
    let boxed: Box<dyn System<Game, Result<(), SystemError>>> = Box::new(inner);
    let middle = Systems::with_name("Middle")
        .add(boxed)
        .add(log.system("middle"));
    let mut systems = Systems::new().add(middle).add(log.system("outer"));
    let error = systems.try_execute(&mut game).unwrap_err();
    assert_eq!(
        error.to_string(),
        "system `two` of `Inner` failed at execute: only 0 there"
    );
    assert_eq!((error.system(), error.list()), ("two", Some("Inner")));
    log.notified(&[]);
}

#[test]
fn only_executed_systems_are_cleaned_up() {
    let (log, mut game) = (Log::default(), Game::new());
    let inner = Systems::with_name("Inner")
        .add(log.system("a"))
        .add(two)
        .on(Phase::Cleanup, |game| {
            game.create_entity();
        })
        .add(log.system("b"));
    let mut systems = Systems::new()
        .add(log.system("first"))
        .add(inner)
        .add(log.system("last"));
    assert!(systems.try_execute(&mut game).is_err());
    systems.cleanup(&mut game);
    log.notified(&[
        "first executes",
        "a executes",
        "first cleans up",
        "a cleans up",
    ]);
    assert!(game.is_empty());
    let report = systems.report().to_string();
    assert_eq!(report.matches("skipped").count(), 3, "{report}");

    game.create_many([(), ()]);
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    assert_eq!(game.len(), 3);
    assert!(!systems.report().to_string().contains("skipped"));
}

#[test]
fn systems_after_one_that_panics_are_not_cleaned_up() {
    let (log, mut game) = (Log::default(), Game::new());
    let inner = Systems::with_name("Inner")
        .add(log.system("a"))
        .add(|game: &mut Game| assert!(!game.is_empty(), "the game is empty"))
        .add(log.system("b"));
    let mut systems = Systems::new().add(inner).add(log.system("last"));
    panic_of(|| systems.execute(&mut game));
    systems.cleanup(&mut game);
    log.notified(&["a executes", "a cleans up"]);
    let report = systems.report().to_string();
    assert_eq!(report.matches("skipped").count(), 2, "{report}");

    game.create_entity();
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    log.notified(&[
        "a executes",
        "b executes",
        "last executes",
        "a cleans up",
        "b cleans up",
        "last cleans up",
    ]);
}

#[test]
fn a_system_that_executed_in_an_earlier_pass_is_still_cleaned_up() {
    let (log, mut game) = (Log::default(), Game::new());
    game.create_many([(), ()]);
    let mut systems = Systems::new().add(two).add(log.system("behind"));
    systems.execute(&mut game);
    game.destroy_all();
    assert!(systems.try_execute(&mut game).is_err());
    systems.cleanup(&mut game);
    log.notified(&["behind executes", "behind cleans up"]);
}

#[test]
fn a_failed_cleanup_leaves_later_systems_to_the_next_one() {
    let (log, mut game) = (Log::default(), Game::new());
    let mut systems = Systems::new()
        .on(Phase::Cleanup, two)
        .add(log.system("behind"));
    systems.execute(&mut game);
    assert!(systems.try_cleanup(&mut game).is_err());
    log.notified(&["behind executes"]);
    game.create_many([(), ()]);
    systems.cleanup(&mut game);
    log.notified(&["behind cleans up"]);
}

#[test]
fn a_condition_decides_whether_a_system_can_fail() {
    let mut game = Game::new();
    let mut systems = Systems::new().add_if(|game: &Game| game.len() == 1, two);
    systems.execute(&mut game);
    game.create_entity();
    assert_eq!(systems.try_execute(&mut game).unwrap_err().system(), "two");
}

#[test]
fn a_call_that_fails_is_measured() {
    let mut systems = Systems::new().add(two);
    systems.measure(true);
    assert!(systems.try_execute(&mut Game::new()).is_err());
    assert_eq!(systems.statistics("two").unwrap().execute.calls(), 1);
}

#[test]
fn running_until_quiet_stops_at_a_failure() {
    let mut game = Game::new();
    let healthy = Game::all_of::<Health>().entered_or_updated();
    let weaken = |game: &mut Game, id| match game.entity(id).health().0 {
        0 => Err("starved"),
        health => {
            game.entity_mut(id).replace_health(health - 1);
            Ok(())
        }
    };
    let mut systems = Systems::new()
        .for_each_changed(&mut game, healthy, weaken)
        .until_quiet(100);
    let id = game.create_with(Health(3)).id();
    assert!(
        systems
            .try_execute(&mut game)
            .unwrap_err()
            .to_string()
            .ends_with(": starved")
    );
    assert_eq!(systems.reactions().unwrap().calls, 4);
    game.entity_mut(id).replace_health(0);
    let text = panic_of(|| systems.execute_until_quiet(&mut game, 2));
    assert!(text.contains("failed at execute for entity 0v1: starved"));
}

/// Listeners cannot fail; a failure before the delivery leaves events pending.
#[test]
fn events_wait_for_the_pass_that_delivers_them() {
    let (log, mut game) = (Log::default(), Game::new());
    let notified = log.clone();
    game.on_any_mood_set(move |entity| notified.push(entity.mood().0.to_string()));
    let mut systems = Systems::new().add(two).add(EventSystems::new());
    game.create_with(Mood(3));
    assert!(systems.try_execute(&mut game).is_err());
    log.notified(&[]);
    game.create_entity();
    systems.execute(&mut game);
    log.notified(&["3"]);
}

#[test]
fn a_closure_that_always_panics_is_a_system() {
    let mut game = Game::new();
    let frozen = Game::all_of::<Frozen>();
    let mut systems = Systems::new()
        .add_if(
            |game: &Game| !game.is_empty(),
            |_: &mut Game| unreachable!("the game is empty"),
        )
        .for_each_changed(&mut game, frozen.clone().entered(), |_, _| {
            panic!("changed")
        })
        .for_each_in(&mut game, frozen, |_, _| panic!("member"))
        .on(Phase::TearDown, |_| unreachable!("torn down"));
    systems.initialize(&mut game);
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    assert!(panic_of(|| systems.tear_down(&mut game)).ends_with("torn down"));
}
