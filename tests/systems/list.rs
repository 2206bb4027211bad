//! Lists: order, names, disabling, conditions, running until quiet, panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::SystemError;
use ecs::prelude::*;

use super::world::{Frozen, Game, Health, Log, World, world};
use support::panic_of;

/// A list «Outer» of `a`, a list «Inner» of `b` and `c`, and `d`.
fn outer(log: &Log) -> Systems<Game> {
    let inner = Systems::with_name("Inner")
        .add(log.system("b"))
        .add(log.system("c"));
    Systems::with_name("Outer")
        .add(log.system("a"))
        .add(inner)
        .add(log.system("d"))
}

#[test]
fn phases_run_depth_first_in_order_of_addition() {
    let (log, mut game) = (Log::default(), Game::new());
    let mut systems = outer(&log);
    systems.execute(&mut game);
    log.notified(&["a executes", "b executes", "c executes", "d executes"]);
    systems.tear_down(&mut game);
    log.notified(&[
        "a tears down",
        "b tears down",
        "c tears down",
        "d tears down",
    ]);
}

#[test]
fn a_change_is_seen_by_later_systems_at_once_and_by_earlier_ones_in_the_next_pass() {
    let (log, mut game) = (Log::default(), Game::new());
    let healthy = || Game::all_of::<Health>().entered();
    let mut systems = Systems::new()
        .for_each_changed(&mut game, healthy(), log.ids("before"))
        .add(|game: &mut Game| {
            if game.is_empty() {
                game.create_with(Health(1));
            }
        })
        .for_each_changed(&mut game, healthy(), log.ids("behind"));
    systems.execute(&mut game);
    log.notified(&["behind 0v1"]);
    systems.execute(&mut game);
    log.notified(&["before 0v1"]);
}

#[test]
fn functions_and_boxed_systems_are_systems() {
    fn spawn(game: &mut Game) {
        game.create_entity();
    }
    let boxed: Box<dyn System<Game>> = Box::new(spawn);
    let mut systems = Systems::new().add(spawn).add(boxed);
    assert_eq!(systems.names(), ["spawn", "spawn"]);
    let mut game = Game::new();
    systems.execute(&mut game);
    assert_eq!(game.len(), 2);
}

#[test]
fn a_boxed_list_is_searched_too() {
    let log = Log::default();
    let boxed: Box<dyn System<Game, Result<(), SystemError>>> = Box::new(outer(&log));
    let mut systems = Systems::new().add(boxed);
    systems.set_enabled("c", false);
    assert_eq!(systems.names(), ["Outer", "a", "Inner", "b", "c", "d"]);
    assert_eq!(systems.is_enabled("c"), Some(false));
}

#[test]
fn a_disabled_system_takes_no_part_until_it_is_enabled() {
    let (log, mut game) = (Log::default(), Game::new());
    let mut systems = outer(&log);
    systems.set_enabled("Inner", false);
    systems.set_enabled("d", false);
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    log.notified(&["a executes", "a cleans up"]);
    systems.set_enabled("Inner", true);
    systems.execute(&mut game);
    log.notified(&["a executes", "b executes", "c executes"]);
    systems.initialize(&mut game);
    log.notified(&[
        "a initializes",
        "b initializes",
        "c initializes",
        "d initializes",
    ]);
}

#[test]
fn a_name_stands_for_every_system_of_that_name() {
    let (log, mut game) = (Log::default(), Game::new());
    let mut systems = outer(&log).add(log.system("b"));
    systems.set_enabled("b", false);
    systems.execute(&mut game);
    log.notified(&["a executes", "c executes", "d executes"]);
    systems.remove(&mut game, "b");
    assert_eq!(systems.names(), ["a", "Inner", "c", "d"]);
}

#[test]
fn an_unknown_name_is_an_error_with_the_known_ones() {
    let (log, mut game) = (Log::default(), Game::new());
    let mut systems = outer(&log);
    let known = "no system is called `Innr`; there are `a`, `Inner`, `b`, `c`, `d`";
    let error = systems.try_remove(&mut game, "Innr").unwrap_err();
    assert_eq!(error.to_string(), known);
    let text = panic_of(|| systems.set_enabled("Innr", true));
    assert_eq!(text, format!("cannot enable or disable: {known}"));
    let text = panic_of(|| systems.remove(&mut game, "Innr"));
    assert_eq!(text, format!("cannot remove: {known}"));
    let empty = Systems::<Game>::new().try_set_enabled("x", true);
    let error = empty.unwrap_err().to_string();
    assert_eq!(error, "no system is called `x`; the list is empty");
}

#[test]
fn options_of_the_last_system_are_rejected_without_one() {
    let text = panic_of(|| Systems::<Game>::with_name("Movement").named("Move"));
    assert!(text.starts_with("the list `Movement` has no system yet"));
}

#[test]
fn a_condition_decides_at_execute_and_cleanup_follows_it() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = Systems::new()
        .add_if(|world: &World| world.time >= 1.0, log.system("slow"))
        .add(|world: &mut World| world.time += 1.0);
    systems.execute(&mut world);
    systems.cleanup(&mut world); // the condition is now true, but was false at execute
    log.notified(&[]);
    systems.execute(&mut world);
    world.time = 0.0;
    systems.cleanup(&mut world);
    log.notified(&["slow executes", "slow cleans up"]);
}

#[test]
fn cleanup_evaluates_its_condition_without_an_execute() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = Systems::new().add_if(|world: &World| world.time >= 1.0, log.system("slow"));
    systems.cleanup(&mut world);
    log.notified(&[]);
    world.time = 1.0;
    systems.cleanup(&mut world);
    log.notified(&["slow cleans up"]);
}

#[test]
fn a_system_switched_off_after_its_execute_is_still_cleaned_up() {
    let (log, mut game) = (Log::default(), Game::new());
    let mut systems = Systems::new().add(log.system("a"));
    systems.execute(&mut game);
    systems.set_enabled("a", false);
    systems.cleanup(&mut game);
    systems.cleanup(&mut game);
    log.notified(&["a executes", "a cleans up"]);
}

#[test]
fn one_execute_of_several_is_enough_for_a_cleanup() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = Systems::new()
        .add_if(|world: &World| world.time == 0.0, log.system("first"))
        .add(|world: &mut World| world.time += 1.0);
    systems.execute(&mut world);
    systems.execute(&mut world);
    systems.cleanup(&mut world);
    systems.execute(&mut world);
    systems.cleanup(&mut world);
    log.notified(&["first executes", "first cleans up"]);
}

#[test]
fn the_conditions_of_a_system_and_of_its_list_must_both_be_true() {
    let (log, mut world) = (Log::default(), world());
    let mut pass = 0;
    let condition = move |_: &World| {
        pass += 1;
        pass % 2 == 0
    };
    let mut systems = Systems::new().add_if(
        |world: &World| world.time > 0.0,
        Systems::with_name("Inner").add_if(condition, log.system("rare")),
    );
    systems.execute(&mut world);
    world.time = 1.0;
    systems.execute(&mut world); // evaluates the second one for the first time
    log.notified(&[]);
    systems.execute(&mut world);
    log.notified(&["rare executes"]);
}

#[test]
fn a_disabled_system_keeps_changes_unless_it_discards_them() {
    let (log, mut game) = (Log::default(), Game::new());
    let frozen = || Game::all_of::<Frozen>().entered();
    let dropping =
        Systems::with_name("dropping").for_each_changed(&mut game, frozen(), log.ids("drops"));
    let mut systems = Systems::new()
        .for_each_changed(&mut game, frozen(), log.ids("keeps"))
        .named("keeping")
        .add(dropping)
        .discard_while_disabled();
    for name in ["keeping", "dropping"] {
        systems.set_enabled(name, false);
    }
    game.create_with(Frozen);
    systems.execute(&mut game);
    for name in ["keeping", "dropping"] {
        systems.set_enabled(name, true);
    }
    systems.execute(&mut game);
    log.notified(&["keeps 0v1"]);
    game.create_with(Frozen);
    systems.execute(&mut game);
    log.notified(&["keeps 1v1", "drops 1v1"]);
}

/// A list that decrements the health of all entities, down to zero.
fn weaken(game: &mut Game) -> Systems<Game> {
    let healthy = Game::all_of::<Health>().entered_or_updated();
    Systems::new().for_each_changed(game, healthy, |game, id| {
        if let Some(less) = game.entity(id).health().0.checked_sub(1) {
            game.entity_mut(id).replace_health(less);
        }
    })
}

#[test]
fn a_list_repeats_until_it_is_quiet() {
    let mut game = Game::new();
    let mut systems = weaken(&mut game);
    let id = game.create_with(Health(3)).id();
    // Three decrements, one round at zero, one round without a reaction.
    assert!(!systems.execute_until_quiet(&mut game, 4));
    assert_eq!(game.entity(id).health().0, 0);
    assert!(systems.execute_until_quiet(&mut game, 1));
    assert_eq!(systems.reactions().unwrap().calls, 4);
}

#[test]
fn a_nested_list_runs_until_quiet_up_to_its_limit() {
    let mut game = Game::new();
    let inner = weaken(&mut game).until_quiet(3);
    let mut systems = Systems::new().add(inner);
    let id = game.create_with(Health(5)).id();
    systems.execute(&mut game);
    assert_eq!(game.entity(id).health().0, 2);
    systems.execute(&mut game);
    assert_eq!(game.entity(id).health().0, 0);
}

#[test]
fn a_disabled_reactive_system_does_not_prevent_quiet() {
    let mut game = Game::new();
    let mut systems = weaken(&mut game).named("weaken");
    systems.set_enabled("weaken", false);
    game.create_with(Health(3));
    assert!(systems.execute_until_quiet(&mut game, 1));
}

#[test]
fn a_panic_in_a_system_leaves_the_list_usable() {
    let (log, mut game) = (Log::default(), Game::new());
    let frozen = Game::all_of::<Frozen>().entered();
    let notified = log.clone();
    let mut systems = Systems::new()
        .for_each_changed(&mut game, frozen, move |game: &mut Game, id| {
            notified.push(format!("melts {id:?}"));
            assert!(game.len() > 1, "all alone");
        })
        .add(log.system("behind"));
    systems.measure(true);
    game.create_with(Frozen);
    let run = catch_unwind(AssertUnwindSafe(|| systems.execute(&mut game)));
    assert!(run.is_err());
    log.notified(&["melts 0v1"]);
    game.create_with(Frozen);
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    log.notified(&["melts 1v1", "behind executes", "behind cleans up"]);
}

/// Panics at time zero.
fn once_time_passes(world: &World) -> bool {
    assert!(world.time > 0.0);
    true
}

#[test]
fn a_panic_in_a_condition_leaves_the_list_usable() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = Systems::new().add_if(once_time_passes, log.system("a"));
    let run = catch_unwind(AssertUnwindSafe(|| systems.execute(&mut world)));
    assert!(run.is_err());
    world.time = 1.0;
    systems.execute(&mut world);
    log.notified(&["a executes"]);
}

#[test]
fn a_system_whose_condition_panics_has_not_executed_and_is_not_cleaned_up() {
    let (log, mut world) = (Log::default(), world());
    let mut systems = Systems::new().add_if(once_time_passes, log.system("a"));
    let run = catch_unwind(AssertUnwindSafe(|| systems.execute(&mut world)));
    assert!(run.is_err());
    assert!(systems.infos()[0].skipped);
    world.time = 1.0;
    systems.cleanup(&mut world);
    log.notified(&[]);
    systems.execute(&mut world);
    systems.cleanup(&mut world);
    log.notified(&["a executes", "a cleans up"]);
}

#[test]
fn closures_of_one_function_have_names_of_their_own() {
    let mut systems = Systems::new()
        .add(|_: &mut Game| ())
        .add(|game: &mut Game| {
            game.create_entity();
        })
        .add(|_: &mut Game| ());
    let base = "closure in closures_of_one_function_have_names_of_their_own";
    let names = [base.to_owned(), format!("{base} 2"), format!("{base} 3")];
    assert_eq!(systems.names(), names);
    systems.set_enabled(&names[1], false);
    let mut game = Game::new();
    systems.execute(&mut game);
    assert!(game.is_empty());
}

#[test]
fn the_name_of_a_closure_is_not_that_of_another_when_one_has_been_removed() {
    let mut game = Game::new();
    let mut systems = Systems::new();
    let push = |systems: &mut Systems<Game>| _ = systems.push(|_: &mut Game| ());
    push(&mut systems);
    push(&mut systems);
    let base = systems.names()[0].to_owned();
    systems.remove(&mut game, &base);
    push(&mut systems);
    assert_eq!(systems.names(), [format!("{base} 2"), format!("{base} 3")]);
}

#[test]
fn a_closure_is_called_for_each_member_that_is_still_alive() {
    let (log, mut game) = (Log::default(), Game::new());
    let mut notified = log.ids("seen");
    let healthy = Game::all_of::<Health>().none_of::<Frozen>();
    let mut systems = Systems::new().for_each_in(&mut game, healthy, move |game, id| {
        notified(game, id);
        match game.entity(id).health().0 {
            1 => game.group(Game::all_of::<Health>()).ids(game)[1..]
                .iter()
                .for_each(|&other| game.destroy(other)),
            _ => {
                game.entity_mut(id).add_frozen();
            }
        }
    });
    game.create_many([Health(1), Health(2)]);
    systems.execute(&mut game);
    log.notified(&["seen 0v1"]);
    game.create_with(Health(3));
    game.destroy_all();
    game.create_many([Health(2), Health(2)]);
    systems.execute(&mut game);
    assert_eq!(game.group(Game::all_of::<Frozen>()).len(&game), 2);
    systems.execute(&mut game);
    assert_eq!(game.group(Game::all_of::<Frozen>()).len(&game), 2);
}
