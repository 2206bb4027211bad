//! The feature `tracing`, with a subscriber that writes lines.

use ecs::prelude::*;
use traced::lines;
use tracing::Level;

#[ecs::context]
struct Game;

#[derive(Component, Clone, Debug)]
#[component(label)]
struct Name(String);

#[derive(Component, Clone, Debug)]
struct Health(u32);

/// Has no `Debug`.
#[derive(Component)]
struct Opaque(u32);

fn walk(game: &mut Game) {
    game.query_mut::<&mut Health>()
        .for_each(|health| health.0 += 1);
}

fn systems() -> Systems<Game> {
    let inner = Systems::with_name("Inner").add(walk).named("walk");
    Systems::new().add(inner)
}

#[test]
fn changes_are_events() {
    let mut game = Game::new();
    let subscription = game.observers().trace_changes();
    let written = lines(Level::TRACE, || {
        let hero = game.create_with((Name("Hero".into()), Health(3))).id();
        game.entity_mut(hero).replace_health(2).remove_health();
        game.create_entity().add(Opaque(1));
        game.destroy(hero);
    });
    let expected = [
        r#"added context="Game" entity=0v1 "Hero" component="Health" value=Health(3)"#,
        r#"added context="Game" entity=0v1 "Hero" component="Name" value=Name("Hero")"#,
        r#"created context="Game" entity=0v1 "Hero""#,
        r#"replaced context="Game" entity=0v1 "Hero" component="Health" previous=Health(3) value=Health(2)"#,
        r#"removed context="Game" entity=0v1 "Hero" component="Health" previous=Health(2)"#,
        r#"created context="Game" entity=1v1"#,
        r#"added context="Game" entity=1v1 component="Opaque" value=traced::Opaque"#,
        r#"removed context="Game" entity=0v1 component="Name" previous=Name("Hero")"#,
        r#"destroyed context="Game" entity=0v1"#,
    ];
    let expected = expected.map(|line| format!("TRACE ecs::changes: {line}"));
    assert_eq!(written, expected);

    game.unsubscribe(subscription);
    assert!(lines(Level::TRACE, || game.reset()).is_empty());
}

#[test]
fn systems_run_in_spans_with_the_changes_inside() {
    let mut game = Game::new();
    game.create_with(Health(3));
    game.observers().trace_changes();
    let mut systems = systems();
    let written = lines(Level::TRACE, || systems.execute(&mut game));
    let inner = r#"system{name="Inner" phase=execute}"#;
    let walk = format!(r#"{inner}:system{{name="walk" phase=execute}}"#);
    let change = r#"replaced context="Game" entity=0v1 component="Health" previous=Health(3) value=Health(4)"#;
    let expected = [
        format!("DEBUG {inner}: ecs::systems: enter"),
        format!("DEBUG {walk}: ecs::systems: enter"),
        format!("TRACE {walk}: ecs::changes: {change}"),
    ];
    assert_eq!(written, expected);
}

#[test]
fn each_phase_has_its_span() {
    let mut game = Game::new();
    let mut systems = Systems::new()
        .on(Phase::TearDown, |_: &mut Game| ())
        .named("end");
    let written = lines(Level::DEBUG, || {
        systems.initialize(&mut game);
        systems.execute(&mut game);
        systems.cleanup(&mut game);
        systems.tear_down(&mut game);
    });
    let phases = ["initialize", "execute", "cleanup", "tear_down"];
    let expected = phases
        .map(|phase| format!(r#"DEBUG system{{name="end" phase={phase}}}: ecs::systems: enter"#));
    assert_eq!(written, expected);
}

#[test]
fn a_reactive_system_reports_what_woke_it() {
    let mut game = Game::new();
    let hurt = Game::all_of::<Health>().updated();
    let mut systems = Systems::new()
        .for_each_changed(&mut game, hurt, |_, _| ())
        .named("hurt");
    game.create_entity();
    game.create_with(Health(3)).replace_health(2);
    let written = lines(Level::DEBUG, || {
        systems.execute(&mut game);
        systems.execute(&mut game);
    });
    let span = r#"system{name="hurt" phase=execute}"#;
    let expected = [
        format!("DEBUG {span}: ecs::systems: enter"),
        format!("DEBUG {span}: ecs::systems: reacts changes=1 caused_by=1v1"),
        format!("DEBUG {span}: ecs::systems: enter"),
    ];
    assert_eq!(written, expected);
}

#[test]
fn unrequested_values_are_not_printed() {
    let mut game = Game::new();
    game.observers().trace_changes();
    let mut systems = systems();
    game.create_with(Health(3));
    assert!(lines(Level::INFO, || systems.execute(&mut game)).is_empty());
    assert_eq!(lines(Level::DEBUG, || systems.execute(&mut game)).len(), 2);
}
