//! What a history reports about its changes.

use ecs::ChangeKind;
use ecs::prelude::*;

use super::{Frozen, Game, Health};

#[test]
fn the_story_of_an_entity_has_each_change_with_the_value_before() {
    let mut game = Game::new();
    let history = game.record();
    let hero = game.create_with((Health(3), Frozen)).id();
    let other = game.create_with(Health(1)).id();
    game.entity_mut(hero)
        .replace_health(2)
        .update_health(|health| health.0 = 1);
    game.entity_mut(other).replace_health(5);
    game.entity_mut(hero).remove_frozen();
    game.destroy(hero);
    let story: Vec<_> = history
        .changes_of(&game, hero)
        .map(|it| it.to_string())
        .collect();
    assert_eq!(
        story,
        [
            "0v1 added Frozen",
            "0v1 added Health",
            "0v1 created",
            "0v1 replaced Health, was Health(3)",
            "0v1 replaced Health, was Health(2)",
            "0v1 removed Frozen, was Frozen",
            "0v1 removed Health, was Health(1)",
            "0v1 destroyed",
        ]
    );
    let before = history
        .changes(&game)
        .filter_map(|change| change.previous::<Health>());
    assert!(before.map(|health| health.0).eq([3, 2, 1, 1]));
    let last = history.changes(&game).last().expect("changes");
    assert_eq!(
        (last.kind(), last.entity(), last.component().is_none()),
        (ChangeKind::Destroyed, hero, true)
    );
}

#[test]
fn undone_changes_are_not_listed() {
    let mut game = Game::new();
    let history = game.record();
    let mark = history.mark(&mut game);
    let id = game.create_with(Health(3)).id();
    history.rewind(&mut game, mark);
    assert_eq!(
        (history.len(&game), history.changes_of(&game, id).count()),
        (0, 0)
    );
}

fn wound(game: &mut Game) {
    game.query_mut::<&mut Health>()
        .for_each(|health| health.0 -= 1);
}

#[test]
fn the_story_names_the_systems_that_are_measured() {
    let mut game = Game::new();
    let history = game.record();
    let id = game.create_with(Health(3)).id();
    let inner = Systems::new().add(move |game: &mut Game| {
        game.entity_mut(id).add_frozen();
    });
    let mut systems = Systems::new().add(wound).add(inner);
    systems.measure(true);
    systems.execute(&mut game);
    wound(&mut game);
    let by = history
        .changes_of(&game, id)
        .map(|change| change.by().map(str::to_owned));
    let by: Vec<_> = by.skip(2).collect();
    assert_eq!(by.len(), 3);
    assert_eq!(by[0].as_deref(), Some("wound"));
    assert!(
        by[1]
            .as_deref()
            .is_some_and(|name| name.starts_with("closure in"))
    );
    assert_eq!(by[2], None);
}

/// Replaces the only value twice.
fn write(game: &mut Game, health: u32) {
    let id = game.entities().next().expect("it is there").id();
    let mut entity = game.entity_mut(id);
    entity.replace_health(health).replace_health(health + 1);
}

fn heal(game: &mut Game) {
    write(game, 10);
}

fn hurt(game: &mut Game) {
    write(game, 1);
}

#[test]
fn each_of_many_quick_changes_is_that_of_the_system_that_made_it() {
    let mut game = Game::new();
    game.create_with(Health(3));
    let history = game.record();
    let mut systems = Systems::new().add(heal).add(hurt);
    systems.measure(true);
    systems.execute(&mut game);
    systems.execute(&mut game);
    write(&mut game, 5);
    let by: Vec<_> = history.changes(&game).map(|change| change.by()).collect();
    let round = ["heal", "heal", "hurt", "hurt"].map(Some);
    assert_eq!(by, [&round[..], &round[..], &[None, None]].concat());
}

#[test]
fn the_story_names_the_systems_of_every_thread() {
    let mut game = Game::new();
    let history = game.record();
    for name in ["alpha", "beta"] {
        let create = |game: &mut Game| _ = game.create_entity();
        let run = move || {
            let mut systems = Systems::new().add(create).named(name);
            systems.measure(true);
            systems.execute(&mut game);
            game
        };
        game = std::thread::spawn(run).join().unwrap();
    }
    let by: Vec<_> = history.changes(&game).map(|change| change.by()).collect();
    assert_eq!(by, [Some("alpha"), Some("beta")]);
}
