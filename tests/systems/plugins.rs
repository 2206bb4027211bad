//! Plug-ins that add to lists: appended lists, and stages.

use ecs::prelude::*;

use super::world::{Frozen, Game, Log, World, world};
use support::panic_of;

/// A list of «Steps», with a nested stage «Physics», and of «View».
fn stages() -> Systems<World> {
    Systems::new()
        .add(Systems::with_name("Steps").add(Systems::with_name("Physics")))
        .add(Systems::with_name("View"))
}

/// A plug-in for any world that has a game, with parts in two stages.
fn melting<W: HasContext<Game> + 'static>(systems: &mut Systems<W>, world: &mut W, log: &Log) {
    let frozen = Game::all_of::<Frozen>().entered();
    let melt = Systems::new()
        .for_each_changed(world, frozen, log.ids("melt"))
        .named("melt");
    systems.stage("Physics").append(melt);
    systems.stage("View").push(log.system("draw"));
}

fn moving(systems: &mut Systems<World>, log: &Log) {
    systems
        .stage("Physics")
        .push(log.system("move"))
        .append(Systems::new().add_if(|_| false, log.system("rest")));
}

#[test]
fn several_plug_ins_add_to_one_stage() {
    let (log, mut world, mut systems) = (Log::default(), world(), stages());
    melting(&mut systems, &mut world, &log);
    moving(&mut systems, &log);
    let expected = ["Steps", "Physics", "melt", "move", "rest", "View", "draw"];
    assert_eq!(systems.names(), expected);
    world.game.create_with(Frozen);
    systems.execute(&mut world);
    log.notified(&["melt 0v1", "move executes", "draw executes"]);
}

#[test]
fn an_unknown_stage_is_an_error_with_the_known_ones() {
    let mut systems = stages().add(Log::default().system("Sound"));
    let known = "no list is called `Sound`; there are `Steps`, `Physics`, `View`";
    assert_eq!(systems.try_stage("Sound").unwrap_err().to_string(), known);
    let text = panic_of(|| _ = systems.stage("Sound"));
    assert_eq!(text, format!("cannot find the stage: {known}"));
    let error = Systems::<World>::new().try_stage("View").unwrap_err();
    let none = "no list is called `View`; none is nested in this one";
    assert_eq!(error.to_string(), none);
}

#[test]
fn a_name_refers_to_its_first_stage() {
    let mut systems = stages().add(Systems::with_name("Physics"));
    systems.stage("Physics").push(Log::default().system("a"));
    assert_eq!(
        systems.names(),
        ["Steps", "Physics", "a", "View", "Physics"]
    );
}

#[test]
fn systems_added_to_a_stage_are_measured_with_the_others() {
    let (log, mut world, mut systems) = (Log::default(), world(), stages());
    systems.measure(true);
    moving(&mut systems, &log);
    systems.push(Systems::with_name("Late"));
    systems.stage("Late").push(log.system("late"));
    systems.execute(&mut world);
    for name in ["move", "late"] {
        assert_eq!(
            systems.statistics(name).unwrap().execute.calls(),
            1,
            "{name}"
        );
    }
    systems.measure(false);
    systems.stage("Late").push(log.system("later"));
    systems.execute(&mut world);
    assert_eq!(systems.statistics("later").unwrap().execute.calls(), 0);
}

#[test]
fn an_appended_system_keeps_its_condition_and_its_switches() {
    let (log, mut world) = (Log::default(), world());
    let mut other = Systems::new()
        .add_if(|world: &World| world.time > 0.0, log.system("a"))
        .add(log.system("b"));
    other.set_enabled("b", false);
    let mut systems = Systems::new().add(log.system("c"));
    systems.append(other);
    systems.execute(&mut world);
    log.notified(&["c executes"]);
    world.time = 1.0;
    systems.set_enabled("b", true);
    systems.execute(&mut world);
    log.notified(&["c executes", "a executes", "b executes"]);
}

#[test]
fn appended_closures_are_numbered_with_the_others() {
    let two = || {
        Systems::new()
            .add(|_: &mut World| ())
            .add(|_: &mut World| ())
    };
    let mut systems = two();
    systems
        .append(two())
        .append(Systems::new().add(|_: &mut World| ()));
    let closure = "closure in appended_closures_are_numbered_with_the_others";
    let inner = format!("{closure} 2");
    assert_eq!(systems.names()[..2], [closure.to_owned(), inner]);
    let mut names = systems.names();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 5);
}

#[test]
fn a_list_that_repeats_cannot_be_appended() {
    let mut systems = Systems::<World>::new();
    let repeats = Systems::with_name("Steps").repeat_while(|_| false);
    let text = panic_of(|| _ = systems.append(repeats));
    assert!(text.starts_with("cannot append the list `Steps`"), "{text}");
    let text = panic_of(|| _ = systems.append(Systems::new().until_quiet(3)));
    assert!(text.contains("`push` it"), "{text}");
    assert!(systems.is_empty());
}
