//! Deltas that are lost, repeated and reordered on the way to a receiver that acknowledges them.

use super::*;

/// A feed with acknowledgements, and what its receiver has.
struct Link {
    game: Game,
    other: Game,
    feed: Feed<Game>,
    mirror: Mirror<Game>,
}

impl Link {
    /// A receiver that has acknowledged the first delta.
    fn new(game: Game) -> Self {
        let mut link = Self::unconnected(game);
        let first = link.take();
        link.receive(&first);
        link
    }

    fn unconnected(mut game: Game) -> Self {
        let feed = game.feed::<(Position, Health)>();
        feed.acknowledge(&mut game, 0);
        let (other, mirror) = (Game::new(), Mirror::new());
        Self {
            game,
            other,
            feed,
            mirror,
        }
    }

    fn take(&mut self) -> Delta<Game> {
        self.feed.take(&mut self.game)
    }

    fn apply(&mut self, delta: &Delta<Game>) {
        self.mirror.apply(&mut self.other, delta).unwrap();
    }

    fn receive(&mut self, delta: &Delta<Game>) {
        self.apply(delta);
        self.feed.acknowledge(&mut self.game, self.mirror.applied());
    }

    fn values(&self) -> Vec<(Option<i32>, Option<u32>)> {
        let value = |it: GameEntity<'_>| {
            let (at, health) = (it.get::<Position>(), it.get::<Health>());
            (at.map(|at| at.0), health.map(|health| health.0))
        };
        self.other.entities().map(value).collect()
    }
}

#[test]
fn deltas_are_everything_until_one_is_acknowledged() {
    let mut link = Link::unconnected(Game::new());
    link.game.create_with(Health(1));
    assert!(link.take().is_everything());
    link.game.create_with(Health(2));
    let second = link.take();
    assert!(second.is_everything());
    let third = link.take();
    link.receive(&second);
    link.apply(&third);
    link.game.create_with(Health(3));
    let fourth = link.take();
    assert!(!fourth.is_everything());
    link.receive(&fourth);
    let all = [1, 2, 3].map(|health| (None, Some(health)));
    assert_eq!(link.values(), all);
}

#[test]
fn a_delta_has_what_changed_since_the_acknowledged_one() {
    let mut game = Game::new();
    let ids = [1, 2, 3].map(|at| game.create_with((Position(at), Health(9))).id());
    let mut link = Link::new(game);
    link.game.entity_mut(ids[0]).replace_position(7);
    link.take();
    link.game.entity_mut(ids[1]).remove_health();
    link.game.destroy(ids[2]);
    link.take();
    let next = link.take();
    assert!(next.set::<Position>().eq([(ids[0], &Position(7))]));
    assert_eq!(next.removed::<Health>(), [ids[1]]);
    assert!(next.vanished().eq([ids[2]]));
    link.receive(&next);
    assert_eq!(link.values(), [(Some(7), Some(9)), (Some(2), None)]);
    assert!(link.take().is_empty());
}

#[test]
fn an_entity_that_came_and_went_in_unacknowledged_deltas_vanishes() {
    for arrives in [true, false] {
        let mut link = Link::new(Game::new());
        let id = link.game.create_with((Position(1), Health(1))).id();
        let seen = link.take();
        link.game.destroy(id);
        link.take();
        let reused = link.game.create_with(Health(2)).id();
        assert_eq!(reused.index(), id.index());
        let next = link.take();
        assert!(next.vanished().eq([id]) && next.appeared() == [reused]);
        if arrives {
            link.apply(&seen);
        }
        link.apply(&next);
        assert_eq!(link.values(), [(None, Some(2))]);
    }
}

#[test]
fn a_component_removed_since_it_was_sent_is_removed_everywhere() {
    let mut link = Link::new(Game::new());
    let id = link.game.create_with((Position(1), Health(1))).id();
    let seen = link.take();
    link.game.entity_mut(id).remove_position();
    link.take();
    let next = link.take();
    assert_eq!(next.appeared(), [id], "the acknowledged delta lacks it");
    link.apply(&seen);
    link.receive(&next);
    assert_eq!(link.values(), [(None, Some(1))]);
}

#[test]
fn what_was_hidden_in_between_is_sent_again() {
    let mut game = Game::new();
    let id = game.create_with((Position(1), Health(1))).id();
    let mut link = Link::new(game);
    link.feed.set_visible::<Position>([]);
    let hidden = link.take();
    link.feed.set_visible::<Position>([id]);
    let next = link.take();
    link.apply(&hidden);
    assert_eq!(link.values(), [(None, Some(1))]);
    link.apply(&next);
    assert_eq!(link.values(), [(Some(1), Some(1))]);
}

#[test]
fn numbers_that_make_no_sense_are_ignored() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let mut link = Link::new(game);
    link.game.entity_mut(id).replace_health(2);
    let next = link.take();
    for number in [0, 1, 3, 100, u64::MAX] {
        link.feed.acknowledge(&mut link.game, number);
    }
    assert_eq!(link.take().set::<Health>().count(), 1);
    link.receive(&next);
    assert!(link.take().is_empty());
    link.feed.acknowledge(&mut link.game, 1);
    assert!(link.take().is_empty(), "an older one is acknowledged again");
}

#[test]
fn a_receiver_that_never_acknowledges_gets_everything_after_256_deltas() {
    let mut game = Game::new();
    let id = game.create_with(Health(0)).id();
    let mut link = Link::new(game);
    let taken: Vec<_> = (1..=600)
        .map(|health| {
            link.game.entity_mut(id).replace_health(health);
            link.take()
        })
        .collect();
    let first = taken.iter().position(Delta::is_everything);
    assert_eq!(first, Some(257));
    assert!(taken[257..].iter().all(Delta::is_everything));
    link.receive(&taken[300]); // longer ago than the feed remembers
    assert!(link.take().is_everything());
    link.receive(&taken[500]);
    let next = link.take();
    assert!(!next.is_everything());
    link.receive(&next);
    assert_eq!(link.values(), [(None, Some(600))]);
}

#[test]
fn a_reset_and_a_repair_start_with_everything_again() {
    let mut game = Game::new();
    game.create_with(Health(1));
    let mut link = Link::new(game);
    let old = link.take();
    link.game.reset();
    link.game.create_with(Health(2));
    assert!(link.take().is_everything());
    link.receive(&old); // from before the reset
    let next = link.take();
    assert!(next.is_everything());
    link.receive(&next);
    assert!(!link.take().is_everything());
    assert!(link.feed.take_all(&mut link.game).is_everything());
    assert!(link.take().is_everything());
}

#[test]
fn a_first_acknowledgement_of_the_last_delta_needs_no_everything() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let feed = game.feed::<Health>();
    feed.take(&mut game);
    feed.acknowledge(&mut game, 1);
    assert!(feed.take(&mut game).is_empty());
    let feed = game.feed::<Health>();
    (0..2).for_each(|_| _ = feed.take(&mut game));
    feed.acknowledge(&mut game, 1);
    assert_eq!(feed.take(&mut game).appeared(), [id]);
}

#[test]
fn shrinking_keeps_changes_that_are_not_acknowledged() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let mut link = Link::new(game);
    link.game.entity_mut(id).replace_health(2);
    link.take();
    link.game.storage_mut().shrink_to_fit();
    assert_eq!(link.take().set::<Health>().count(), 1);
    let mut link = Link::unconnected(Game::new());
    let first = link.take();
    link.game.create_with(Health(1));
    link.game.storage_mut().shrink_to_fit();
    link.receive(&first);
    assert_eq!(link.take().appeared().len(), 1);
}
