//! Feeds that show some components of listed entities only.

use support::panic_of;

use super::*;

#[test]
fn an_entity_appears_when_it_is_visible_and_vanishes_when_it_is_not() {
    let mut game = Game::new();
    let mut feed = game.feed::<(Position, Health)>();
    let ids = [1, 2, 3].map(|at| game.create_with((Position(at), Health(9))).id());
    feed.set_visible::<(Position, Health)>([ids[1], ids[0], ids[1]]);
    assert_eq!(feed.take(&mut game).appeared(), &ids[..2]);
    assert!(feed.take(&mut game).is_empty());
    game.entity_mut(ids[2]).replace_position(4);
    assert!(feed.take(&mut game).is_empty(), "it is hidden");
    feed.set_visible::<(Position, Health)>([ids[2]]);
    game.destroy(ids[0]);
    let delta = feed.take(&mut game);
    assert!(delta.vanished().eq(ids[..2].iter().copied()));
    assert_eq!(delta.appeared(), &ids[2..]);
    assert!(delta.set::<Position>().eq([(ids[2], &Position(4))]));
    feed.set_visible::<(Position, Health)>([ids[0]]); // is dead
    assert!(feed.take(&mut game).vanished().eq([ids[2]]));
    let reused = game.create_with(Position(5)).id();
    assert_eq!(reused.index(), ids[0].index());
    assert!(feed.take(&mut game).is_empty(), "another entity is visible");
}

#[test]
fn components_without_a_set_are_sent_for_all_entities() {
    let mut game = Game::new();
    let mut feed = game.feed::<(Position, Health, Score)>();
    let ids = [1, 2].map(|at| game.create_with((Position(at), Health(9))).id());
    feed.set_visible::<Position>([ids[0]]);
    feed.set_visible::<Score>([]);
    let delta = feed.take(&mut game);
    assert!(delta.set::<Position>().eq([(ids[0], &Position(1))]));
    assert_eq!(delta.set::<Health>().count(), 2);
    feed.set_visible::<Position>([ids[1]]);
    game.entity_mut(ids[0]).replace_position(3).add_score(1);
    let delta = feed.take(&mut game);
    assert_eq!(delta.removed::<Position>(), [ids[0]]);
    assert!(delta.set::<Position>().eq([(ids[1], &Position(2))]));
    assert!(delta.vanished().next().is_none() && delta.set::<Score>().next().is_none());
    game.entity_mut(ids[0]).remove_health();
    assert!(feed.take(&mut game).vanished().eq([ids[0]]));
}

#[test]
fn a_later_set_replaces_that_of_its_components_alone() {
    let mut game = Game::new();
    let mut feed = game.feed::<(Position, Health)>();
    let ids = [1, 2].map(|at| game.create_with((Position(at), Health(9))).id());
    feed.set_visible::<(Position, Health)>([ids[0]]);
    feed.set_visible::<Health>([ids[1]]);
    let delta = feed.take(&mut game);
    assert!(delta.set::<Position>().eq([(ids[0], &Position(1))]));
    assert!(delta.set::<Health>().eq([(ids[1], &Health(9))]));
}

#[test]
fn a_closure_hides_entities_of_a_set_and_reads_hidden_components() {
    let mut game = Game::new();
    let mut feed = game
        .feed::<(Position, Health)>()
        .only(|it| it.position().0 < 5);
    let ids = [1, 9].map(|at| game.create_with((Position(at), Health(9))).id());
    feed.set_visible::<Position>([ids[1]]);
    let delta = feed.take(&mut game);
    assert!(delta.appeared() == [ids[0]] && delta.set::<Position>().next().is_none());
    game.entity_mut(ids[0]).replace_position(9);
    game.entity_mut(ids[1]).replace_position(1);
    let delta = feed.take(&mut game);
    assert!(delta.vanished().eq([ids[0]]));
    assert!(delta.set::<Position>().eq([(ids[1], &Position(1))]));
}

#[test]
fn a_set_whose_ids_panic_stays_as_it_was() {
    let mut game = Game::new();
    let mut feed = game.feed::<Health>();
    let ids = [1, 2].map(|health| game.create_with(Health(health)).id());
    feed.set_visible::<Health>([ids[0]]);
    panic_of(|| feed.set_visible::<Health>(ids.into_iter().inspect(|_| panic!("no id"))));
    assert_eq!(feed.take(&mut game).appeared(), [ids[0]]);
}

#[test]
fn a_set_of_a_component_that_is_not_in_the_feed_is_rejected() {
    let mut game = Game::new();
    let mut feed = game.feed::<Health>();
    let text = panic_of(|| feed.set_visible::<(Health, Position)>([]));
    assert!(
        text.contains("component `Position` is not in this feed"),
        "{text}"
    );
}

#[test]
fn a_late_receiver_gets_what_was_visible() {
    let mut game = Game::new();
    let mut feed = game.feed::<Health>();
    let ids = [1, 2, 3].map(|health| game.create_with(Health(health)).id());
    feed.set_visible::<Health>([ids[2], ids[0]]);
    assert_eq!(feed.everything(&game).appeared(), [ids[0], ids[2]]);
    feed.take(&mut game);
    feed.set_visible::<Health>([ids[1]]);
    assert_eq!(feed.everything(&game).appeared(), [ids[0], ids[2]]);
}
