//! The warning about listeners whose events are never delivered.
//!
//! Standard error belongs to a process, so each test runs this binary again with the one test
//! that creates the context.

use std::process::Stdio;

use support::this_program;

use super::*;

const CHILD: &str = "ECS_TEST_UNDELIVERED";

/// The standard error output of a case's program.
fn said(case: &str) -> Vec<String> {
    let output = this_program()
        .args(["--exact", "--nocapture", "events::undelivered::the_program"])
        .env(CHILD, case)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    let lines = text.lines().filter(|line| line.starts_with("context `"));
    lines.map(String::from).collect()
}

/// Runs the program of a case, if this is its process.
#[test]
fn the_program() {
    let mut game = Game::new();
    game.on_any_hunger_set(|_| ());
    game.create_many([Hunger(1), Hunger(2)]);
    assert_eq!(game.events().undelivered(), 2);
    match std::env::var(CHILD).as_deref() {
        Ok("dropped") => drop(game),
        Ok("reset") => {
            game.reset();
            game.create_with(Hunger(3));
        }
        Ok("delivered once") => {
            assert_eq!(game.events().deliver(), 2);
            game.create_with(Hunger(3));
        }
        Ok("silenced") => game.events().warn_of_undelivered(false),
        Ok("nothing waits") => game.destroy_all(),
        Ok("no listeners") => game.events().clear_listeners(),
        _ => assert_eq!(game.events().deliver(), 2),
    }
}

#[test]
fn a_dropped_context_warns_that_nothing_was_delivered() {
    let said = said("dropped");
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("context `Game` has listeners (1) and events for them (2)"));
    assert!(said[0].contains("`EventSystems`"));
}

/// A program whose standard error is a closed pipe.
#[test]
fn a_closed_standard_error_causes_no_panic() {
    let mut child = this_program()
        .args(["--exact", "--nocapture", "events::undelivered::the_program"])
        .env(CHILD, "dropped")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reset_context_warns_once() {
    assert_eq!(said("reset").len(), 1);
}

#[test]
fn no_warning_if_events_were_delivered_or_none_are_pending() {
    for case in [
        "delivered",
        "delivered once",
        "silenced",
        "nothing waits",
        "no listeners",
    ] {
        assert_eq!(said(case), [""; 0], "{case}");
    }
}

#[test]
fn only_current_events_with_listeners_are_counted() {
    let mut game = Game::new();
    let ids = game.create_many((1..=4).map(Hunger));
    game.entity_mut(ids[0]).on_hunger_set(|_| ());
    game.entity_mut(ids[0]).on_hunger_set(|_| ());
    game.on_any_hunger_removed(|_| ());
    for &id in &ids {
        game.entity_mut(id).replace_hunger(9);
    }
    assert_eq!(game.events().undelivered(), 1);
    game.destroy(ids[1]);
    game.entity_mut(ids[2]).remove_hunger().add_hunger(1);
    assert_eq!(game.events().undelivered(), 2);
    assert_eq!(game.events().deliver(), 3);
    assert_eq!(game.events().undelivered(), 0);
}
