//! Feeds and mirrors: what is sent, and that a mirror equals its origin. Random programs are in
//! `model/mirrored.rs`.

mod acknowledged;
mod applying;
mod broad;
mod divided;
mod everything;
mod failing;
mod ids;
mod late;
mod late_random;
mod lives;
mod looking;
mod moving;
mod partial;
mod processes;
mod relations;
mod restoring;
mod starting;
mod visible;
mod wire;
mod worlds;

use ecs::prelude::*;
use ecs::{Delta, Feed, Mirror};

/// Has a component that cannot be cloned, which feeds exclude.
#[ecs::context]
struct Game;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(context = Game)]
struct Position(i32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Health(u32);

#[derive(Component, Clone)]
#[component(context = Game)]
struct Frozen;

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, unique)]
struct Score(u32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game)]
struct Seat(#[component(primary_index)] u32);

#[derive(Component, Clone, Debug, PartialEq)]
#[component(context = Game, requires(Health = Health(7)))]
struct Armed(u32);

#[derive(Component)]
#[component(context = Game)]
struct Socket;

type Id = EntityId<Game>;

/// A feed of everything that can be sent, and a context that follows it.
struct Pair {
    game: Game,
    other: Game,
    feed: Feed<Game>,
    mirror: Mirror<Game>,
}

impl Pair {
    fn new() -> Self {
        let (mut game, mut other) = (Game::new(), Game::new());
        other.create_entity(); // so that ids differ
        let feed = game.feed::<(Position, Health, Frozen, Score, Seat, Armed)>();
        let mirror = Mirror::new();
        let mut pair = Self {
            game,
            other,
            feed,
            mirror,
        };
        pair.follow();
        pair
    }

    fn follow(&mut self) -> Delta<Game> {
        let delta = self.feed.take(&mut self.game);
        self.mirror.apply(&mut self.other, &delta).unwrap();
        self.check();
        delta
    }

    /// Compares both sides component by component, as text.
    fn check(&self) {
        let text = |entity: GameEntity<'_>| {
            let values = entity.dynamic();
            let named = values.iter().filter(|(info, _)| info.name() != "Socket");
            let line = |(info, _): (&ecs::ComponentInfo<Game>, _)| {
                format!("{} {:?}", info.name(), values.debug(info.index()).unwrap())
            };
            named.map(line).collect::<Vec<_>>()
        };
        let notified = self
            .game
            .entities()
            .filter(|&entity| !text(entity).is_empty());
        let mut count = 0;
        for entity in notified {
            let local = self.mirror.local(entity.id()).expect("it was sent");
            assert_eq!(text(self.other.entity(local)), text(entity));
            count += 1;
        }
        assert_eq!((count, count + 1), (self.mirror.len(), self.other.len()));
    }

    fn local(&self, id: Id) -> GameEntity<'_> {
        self.other.entity(self.mirror.local(id).unwrap())
    }
}

#[test]
fn the_first_delta_is_everything() {
    let mut game = Game::new();
    let ids = game.create_many([Position(1), Position(2)]);
    game.create_with(Socket);
    let feed = game.feed::<(Position, Health)>();
    game.entity_mut(ids[1]).add_health(3);
    let delta = feed.take(&mut game);
    assert!(delta.is_everything() && delta.appeared() == ids);
    assert!(delta.set::<Health>().eq([(ids[1], &Health(3))]));
    assert_eq!((delta.number(), delta.vanished().count()), (1, 0));
    assert_eq!(delta.set::<Frozen>().count(), 0); // no component of the feed
}

#[test]
fn each_change_is_notified_once_with_the_present_value() {
    let mut pair = Pair::new();
    let id = pair.game.create_with((Position(1), Health(2))).id();
    pair.follow();
    let mut entity = pair.game.entity_mut(id);
    entity
        .replace_position(5)
        .replace_position(6)
        .remove_health();
    let delta = pair.follow();
    assert!(delta.set::<Position>().eq([(id, &Position(6))]));
    assert_eq!(delta.removed::<Health>(), [id]);
    assert!(delta.appeared().is_empty() && delta.vanished().count() == 0);
    assert!(pair.follow().is_empty());
}

#[test]
fn entities_created_and_destroyed_in_between_are_not_sent() {
    let mut pair = Pair::new();
    let stays = pair.game.create_with(Position(1)).id();
    pair.follow();
    let gone = pair.game.create_with(Position(2)).id();
    pair.game.entity_mut(stays).add_frozen().remove_frozen();
    pair.game.destroy(gone);
    assert!(pair.follow().is_empty());
}

#[test]
fn a_component_removed_and_added_again_is_set() {
    let mut pair = Pair::new();
    let id = pair.game.create_with((Position(1), Frozen)).id();
    pair.follow();
    pair.game.entity_mut(id).remove_position().add_position(1);
    let delta = pair.follow();
    assert!(delta.set::<Position>().eq([(id, &Position(1))]));
    assert!(delta.removed::<Position>().is_empty());
}

#[test]
fn the_next_entity_of_a_slot_is_another_one() {
    let mut pair = Pair::new();
    let old = pair.game.create_with(Position(1)).id();
    pair.follow();
    pair.game.destroy(old);
    let new = pair.game.create_with(Position(2)).id();
    assert_eq!(old.index(), new.index());
    let delta = pair.follow();
    assert!(delta.appeared() == [new] && delta.vanished().eq([old]));
    assert_eq!(pair.mirror.local(old), None);
}

#[test]
fn queries_bulk_changes_and_updates_are_notified() {
    let mut pair = Pair::new();
    let ids = pair.game.create_many((0..300).map(Position));
    pair.follow();
    let positions = pair.game.query_mut::<&mut Position>();
    positions.for_each(|position| position.0 += 1);
    assert_eq!(pair.follow().set::<Position>().count(), 300);
    pair.game
        .many(&ids[10..20])
        .add_with(|id| Health(id.index()));
    pair.game.entity_mut(ids[0]).update_position(|it| it.0 = -1);
    let delta = pair.follow();
    let counts = (
        delta.set::<Position>().count(),
        delta.set::<Health>().count(),
    );
    assert_eq!(counts, (1, 10));
    pair.game.many(&ids[..200]).destroy();
    assert_eq!(pair.follow().vanished().count(), 200);
    pair.game.defragment();
    assert!(pair.follow().is_empty());
    pair.game.reset();
    pair.game.create_with(Position(1));
    assert!(pair.follow().is_everything());
}

#[test]
fn a_feed_can_be_limited_to_visible_entities() {
    let mut game = Game::new();
    let feed = game.feed::<(Position, Health)>();
    let feed = feed.only(|entity| entity.get::<Position>().is_some_and(|it| it.0 < 10));
    let near = game.create_with((Position(1), Health(1))).id();
    let far = game.create_with((Position(20), Health(2))).id();
    assert_eq!(feed.take(&mut game).appeared(), [near]);
    game.entity_mut(far).replace_health(3);
    assert!(feed.take(&mut game).is_empty());
    game.entity_mut(far).replace_position(2);
    game.entity_mut(near).replace_position(30);
    let delta = feed.take(&mut game);
    assert!(delta.appeared() == [far] && delta.vanished().eq([near]));
    assert!(delta.set::<Health>().eq([(far, &Health(3))]));
    game.destroy(near);
    assert!(feed.take(&mut game).is_empty());
}

#[test]
fn hundreds_of_feeds_send_the_same_at_their_own_pace() {
    let mut game = Game::new();
    let ids = game.create_many((0..200).map(Position));
    let feeds: Vec<_> = (0..300)
        .map(|_| game.feed::<(Position, Health)>())
        .collect();
    let mut notified = vec![0; feeds.len()];
    for round in 0..12 {
        for id in &ids[round * 10..][..10] {
            game.entity_mut(*id).replace_position(-1);
        }
        for (nth, feed) in feeds.iter().enumerate() {
            if round == 0 || round % (nth % 5 + 1) == 0 {
                let delta = feed.take(&mut game);
                notified[nth] += delta.set::<Position>().count();
            }
        }
    }
    let last = |feed: &Feed<Game>| feed.take(&mut game).set::<Position>().count();
    let rest: Vec<_> = feeds.iter().map(last).collect();
    let all: Vec<_> = notified
        .iter()
        .zip(rest)
        .map(|(notified, rest)| notified + rest)
        .collect();
    assert!(all.iter().all(|&all| all == 200 + 110), "{all:?}");
}

#[test]
fn feeds_of_different_components_share_common_ones() {
    let mut game = Game::new();
    let (first, second) = (
        game.feed::<(Position, Health)>(),
        game.feed::<(Health, Frozen)>(),
    );
    let id = game.create_with((Position(1), Frozen)).id();
    first.take(&mut game);
    second.take(&mut game);
    game.entity_mut(id).add_health(1);
    assert_eq!(first.take(&mut game).set::<Health>().count(), 1);
    game.entity_mut(id).replace_position(2);
    let delta = second.take(&mut game);
    assert_eq!(delta.set::<Health>().count(), 1);
    assert!(second.take(&mut game).is_empty());
    assert_eq!(first.take(&mut game).set::<Position>().count(), 1);
}

#[test]
fn a_dropped_feed_ends() {
    let mut game = Game::new();
    game.create_many((0..1000).map(Position));
    let first = game.feed::<Position>();
    first.take(&mut game);
    let held = game.storage().memory().collectors;
    drop(first);
    let second = game.feed::<Health>(); // detects that the first was dropped
    assert!(game.storage().memory().collectors < held / 2);
    second.release(&mut game);
    let third = game.feed::<Position>();
    assert_eq!(third.take(&mut game).appeared().len(), 1000);
    game.entities().next().unwrap();
}

/// The collector of the feed was released twice, so its slot was given to two others.
#[test]
fn collectors_created_after_a_released_feed_are_distinct() {
    let mut game = Game::new();
    drop(game.feed::<Position>());
    let healthy = game.collector(Game::all_of::<Health>().entered());
    let frozen = game.collector(Game::all_of::<Frozen>().entered());
    let id = game.create_with(Frozen).id();
    assert!(healthy.is_empty(&game));
    assert_eq!(frozen.drain(&mut game), [id]);
}

#[test]
fn a_feed_can_be_taken_from_inside_an_observer() {
    use std::sync::{Arc, Mutex};
    let mut game = Game::new();
    let feed = Arc::new(game.feed::<Position>());
    let notified = Arc::new(Mutex::new(Vec::new()));
    let (inside, recorded) = (feed.clone(), notified.clone());
    let group = game.group(Game::all_of::<Frozen>());
    group.on_entered(&mut game, move |game, _| {
        let delta = inside.take(game);
        recorded.lock().unwrap().push(delta.appeared().to_vec());
    });
    let id = game.create_with(Position(1)).add_frozen().id();
    assert_eq!(*notified.lock().unwrap(), [vec![id]]);
    assert!(feed.take(&mut game).is_empty());
}

#[test]
fn a_rewind_is_notified_like_any_change() {
    let mut game = Game::new();
    let history = ecs::History::builder()
        .without::<failing::Door>()
        .record(&mut game);
    let mut other = Game::new();
    let (feed, mut mirror) = (game.feed::<Position>(), Mirror::new());
    let id = game.create_with(Position(1)).id();
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    let mark = history.mark(&mut game);
    game.entity_mut(id).replace_position(2);
    game.create_with(Position(3));
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    assert_eq!(other.len(), 2);
    history.rewind(&mut game, mark);
    let delta = feed.take(&mut game);
    assert!(!delta.is_everything());
    mirror.apply(&mut other, &delta).unwrap();
    assert_eq!(other.len(), 1);
    let local = mirror.local(id).unwrap();
    assert_eq!(other.entity(local).position(), &Position(1));
}
