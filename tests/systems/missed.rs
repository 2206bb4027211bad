//! One-frame components that are cleaned up before they are read.

use ecs::prelude::*;
use ecs::stats::Missed;

use super::world::{Game, GameEntity, GameEntityMut, Health};

#[derive(Component)]
#[component(context = Game, extension, cleanup(remove), event(any, set))]
struct Hit(u32);

#[derive(Component, Clone)]
#[component(context = Game, extension, cleanup(destroy))]
struct Dead;

fn missed(component: &'static str, entities: u64) -> Missed {
    Missed {
        component,
        entities,
    }
}

fn hits() -> Trigger<Game> {
    Game::all_of::<Hit>().entered_or_updated()
}

/// A list whose first system reads hits and whose second one adds them: read too early.
fn reading_too_early(game: &mut Game) -> Systems<Game> {
    let everybody = Game::all_of::<Health>();
    Systems::new()
        .for_each_changed(game, hits(), |game, id| {
            let Hit(damage) = *game.entity(id).hit();
            game.entity_mut(id)
                .update_health(|health| health.0 -= damage);
        })
        .named("hurt")
        .for_each_in(game, everybody, |game, id| {
            game.entity_mut(id).replace_hit(1);
        })
        .named("hit")
        .add(CleanupSystems::new(game))
}

#[test]
fn the_report_names_what_was_cleaned_up_unread() {
    let mut game = Game::new();
    let mut systems = reading_too_early(&mut game);
    game.create_many([Health(9), Health(9)]);
    for _ in 0..3 {
        systems.execute(&mut game);
        systems.cleanup(&mut game);
    }
    assert!(game.query::<&Health>().iter().all(|health| health.0 == 9));
    assert_eq!(systems.missed(), [missed("Hit", 6)]);
    let report = systems.report().to_string();
    let line = report.lines().find(|line| line.contains("CleanupSystems"));
    assert!(line.unwrap().ends_with("missed: Hit 6"), "{report}");
}

#[test]
fn the_remedy_is_to_read_between_the_writer_and_the_cleanup() {
    let mut game = Game::new();
    let everybody = Game::all_of::<Health>();
    let mut systems = Systems::new()
        .for_each_in(&mut game, everybody, |game, id| {
            game.entity_mut(id).replace_hit(1);
        })
        .for_each_changed(&mut game, hits(), |game, id| {
            game.entity_mut(id).update_health(|health| health.0 -= 1);
        })
        .add(CleanupSystems::new(&mut game));
    let id = game.create_with(Health(9)).id();
    systems.execute(&mut game);
    systems.cleanup(&mut game);
    assert_eq!(game.entity(id).health().0, 8);
    assert!(systems.missed().is_empty());
    assert!(!systems.report().to_string().contains("missed"));
}

#[test]
fn an_unread_destroyed_entity_is_missed_once() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let waiting = [
        game.collector(Game::all_of::<Dead>().entered()),
        game.collector(Game::all_of::<Health>().any_of::<(Dead, Hit)>().entered()),
    ];
    game.create_many([(Dead, Health(1)), (Dead, Health(2))]);
    game.create_with(Health(3));
    cleanup.run(&mut game);
    assert_eq!(cleanup.missed(), [missed("Dead", 2)]);
    assert!(waiting.iter().all(|collector| collector.len(&game) == 2));
}

#[test]
fn components_have_counts_of_their_own_in_order_of_their_names() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let either = game.collector(Game::any_of::<(Dead, Hit)>().any_change());
    game.create_with(Hit(1));
    game.create_many([Dead, Dead]);
    cleanup.run(&mut game);
    assert_eq!(cleanup.missed(), [missed("Dead", 2), missed("Hit", 1)]);
    either.drain(&mut game);
    game.create_with(Hit(1));
    cleanup.run(&mut game);
    assert_eq!(cleanup.missed(), [missed("Dead", 2), missed("Hit", 2)]);
}

#[test]
fn collectors_of_other_triggers_miss_nothing() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let others = [
        game.collector(Game::all_of::<Hit>().left()), // caused by the cleanup
        game.collector(Game::all_of::<Health>().any_change()),
        game.collector(Game::all_of::<Health>().none_of::<Hit>().any_change()),
        game.collector(Game::all_of::<Dead>().entered()),
    ];
    let id = game.create_with(Health(1)).id();
    game.entity_mut(id)
        .add_hit(1)
        .update_health(|health| health.0 += 1);
    cleanup.run(&mut game);
    assert!(cleanup.missed().is_empty());
    assert_eq!(others[0].len(&game), 1);
}

#[test]
fn unreadable_values_are_not_missed() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let (dropped, inactive, cleared) = (
        game.collector(hits()),
        game.collector(hits()),
        game.collector(hits()),
    );
    game.create_with(Hit(1));
    drop(dropped);
    inactive.deactivate(&mut game);
    cleared.clear(&mut game);
    cleanup.run(&mut game);
    assert!(cleanup.missed().is_empty());
}

#[test]
fn listeners_are_not_counted() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    game.events().warn_of_undelivered(false);
    game.on_any_hit_set(|_| ());
    game.create_with(Hit(1));
    assert_eq!(game.events().undelivered(), 1);
    cleanup.run(&mut game);
    assert!(cleanup.missed().is_empty());
}

/// In bulk, beyond the first 32 collectors, and after entities were moved.
#[test]
fn however_a_collector_holds_entities_they_are_counted() {
    for before in [0, 40] {
        let mut game = Game::new();
        let mut cleanup = CleanupSystems::new(&mut game);
        let others: Vec<_> = (0..before)
            .map(|_| game.collector(Game::all_of::<Health>().entered()))
            .collect();
        let collector = game.collector(hits());
        let ids = game.create_many((0..200).map(Health));
        game.many(&ids[..150]).add_with(|_| Hit(1)); // stored as rows
        cleanup.run(&mut game);
        assert_eq!(cleanup.missed(), [missed("Hit", 150)]);

        collector.clear(&mut game);
        game.many(&ids[50..60]).add_with(|_| Hit(1));
        game.entity_mut(ids[3]).add_hit(1); // stored as a list from here on
        game.defragment();
        cleanup.run(&mut game);
        assert_eq!(cleanup.missed(), [missed("Hit", 161)]);
        drop(others);
    }
}

#[test]
fn feeds_are_not_counted() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let feed = game.feed::<Dead>();
    let waiting = game.collector(Game::all_of::<Health>().entered());
    game.create_with(Dead);
    cleanup.run(&mut game);
    assert!(cleanup.missed().is_empty() && waiting.is_empty(&game));
    drop(feed);
}

#[test]
fn entities_held_for_an_earlier_removal_are_not_missed() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let lost = game.collector(Game::all_of::<Hit>().left());
    let id = game.create_with(Hit(1)).id();
    game.entity_mut(id).remove_hit().add_hit(2);
    cleanup.run(&mut game);
    assert!(cleanup.missed().is_empty());
    assert_eq!(lost.ids(&game), [id]);
}

#[test]
fn entities_held_for_an_update_are_missed() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let updated = game.collector(Game::all_of::<Hit>().updated());
    let id = game.create_with(Hit(1)).id();
    game.entity_mut(id).replace_hit(2);
    game.create_with(Hit(1));
    cleanup.run(&mut game);
    assert_eq!(cleanup.missed(), [missed("Hit", 1)]);
    assert_eq!(updated.ids(&game), [id]);
}

#[test]
fn entities_that_left_the_group_are_not_missed() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game);
    let hurt = game.collector(Game::all_of::<Hit>().none_of::<Health>().entered());
    let ids = game.create_many([Hit(1), Hit(1)]);
    game.entity_mut(ids[0]).add_health(3);
    cleanup.run(&mut game);
    assert_eq!(cleanup.missed(), [missed("Hit", 1)]);
    assert_eq!(hurt.len(&game), 2);
}

#[test]
fn a_component_that_may_be_missed_is_not_counted() {
    let mut game = Game::new();
    let mut cleanup = CleanupSystems::new(&mut game).without_missed::<Dead>();
    let either = game.collector(Game::any_of::<(Dead, Hit)>().entered());
    game.create_with(Dead);
    game.create_with(Hit(1));
    cleanup.run(&mut game);
    assert_eq!(cleanup.missed(), [missed("Hit", 1)]);
    assert_eq!(either.len(&game), 2);
}
