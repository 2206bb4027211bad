//! Statistics and the report.

use ecs::prelude::*;

use super::world::{Frozen, Game, Health, Log};

fn walk(_: &mut Game) {}

/// A list with a nested one, a reactive system, and one whose condition is false.
fn systems(game: &mut Game) -> Systems<Game> {
    let inner = Systems::with_name("Melting")
        .for_each_changed(game, Game::all_of::<Frozen>().entered(), |_, _| ())
        .named("melt");
    Systems::with_name("Game")
        .add(walk)
        .add(inner)
        .add_if(|_: &Game| false, Log::default().system("rare"))
}

#[test]
fn a_report_has_a_line_for_each_system() {
    let mut game = Game::new();
    let mut systems = systems(&mut game);
    game.create_many([Frozen, Frozen]);
    systems.set_enabled("walk", false);
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    let expected = "\
Game                    reactions: 1, changes: 2, last: 2
  walk       off
  Melting               reactions: 1, changes: 2, last: 2
    melt                reactions: 1, changes: 2, last: 2
  rare       skipped
";
    assert_eq!(systems.report().to_string(), expected);
}

#[test]
fn a_report_omits_empty_columns() {
    let mut game = Game::new();
    let mut systems = Systems::with_name("Game")
        .add(walk)
        .for_each_changed(&mut game, Game::all_of::<Frozen>().entered(), |_, _| ())
        .named("melt");
    game.create_entity().add_frozen();
    systems.execute(&mut game);
    let expected = "\
Game      reactions: 1, changes: 1, last: 1
  walk
  melt    reactions: 1, changes: 1, last: 1
";
    assert_eq!(systems.report().to_string(), expected);
}

#[test]
fn the_reactions_of_a_list_are_those_of_all_systems_in_it() {
    let mut game = Game::new();
    let frozen = || Game::all_of::<Frozen>().entered();
    let either = frozen().or(Game::all_of::<Health>().entered());
    let inner = Systems::with_name("inner")
        .for_each_changed(&mut game, frozen(), |_, _| ())
        .for_each_changed(&mut game, either, |_, _| ());
    let mut systems = Systems::new().add(inner);
    for created in [3, 2] {
        game.create_many(vec![Frozen; created]);
        game.create_with(Health(1));
        systems.execute(&mut game);
    }
    let infos = systems.infos();
    let reactions = infos.iter().map(|info| info.reactions.unwrap());
    let notified: Vec<_> = reactions.map(|it| (it.calls, it.last, it.total)).collect();
    assert_eq!(notified, [(4, 5, 12), (2, 2, 5), (2, 3, 7)]);
}

#[test]
fn statistics_of_a_name_are_those_of_its_first_system() {
    let mut systems = Systems::new().add(walk).add_if(|_: &Game| false, walk);
    systems.measure(true);
    systems.execute(&mut Game::new());
    assert_eq!(systems.statistics("walk").unwrap().execute.calls(), 1);
}

#[test]
fn a_list_is_printed_with_the_names_in_it() {
    let systems = systems(&mut Game::new());
    let text = r#"Systems { name: "Game", systems: ["walk", "Melting", "melt", "rare"] }"#;
    assert_eq!(format!("{systems:?}"), text);
}

#[test]
fn nothing_is_measured_by_default() {
    let mut game = Game::new();
    let mut systems = systems(&mut game);
    assert!(!systems.is_measured());
    systems.execute(&mut game);
    assert_eq!(systems.statistics("walk").unwrap().execute.calls(), 0);
    assert_eq!(systems.statistics("run"), None);
}

#[test]
fn measuring_includes_nested_and_later_lists() {
    let mut game = Game::new();
    let mut systems = systems(&mut game);
    systems.measure(true);
    systems.push(Systems::with_name("Late").add(walk).named("late"));
    for _ in 0..3 {
        systems.execute(&mut game);
    }
    systems.cleanup(&mut game);
    for name in ["walk", "Melting", "melt", "Late", "late"] {
        let statistics = systems.statistics(name).unwrap();
        let calls = (statistics.execute.calls(), statistics.cleanup.calls());
        assert_eq!(calls, (3, 1), "{name}");
    }
    assert_eq!(systems.statistics("rare").unwrap().execute.calls(), 0);
    let text = systems.report().to_string();
    let walks = text.lines().find(|line| line.contains("walk")).unwrap();
    assert!(walks.contains("execute: calls 3, last "), "{text}");
    assert!(walks.contains("cleanup: calls 1, last "), "{text}");

    systems.reset_statistics();
    systems.measure(false);
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    let statistics = systems.statistics("melt").unwrap();
    assert_eq!(
        (statistics.execute.calls(), statistics.cleanup.calls()),
        (0, 0)
    );
}
