//! Panics of user code, and rejections.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use support::{attempt, panic_of};

static CLONES_FAIL: AtomicBool = AtomicBool::new(false);

#[derive(Component, Debug, PartialEq)]
#[component(context = Game)]
struct Fragile(u32);

#[derive(Component)]
#[component(context = Game)]
pub(super) struct Door(u32);

impl Clone for Fragile {
    fn clone(&self) -> Self {
        assert!(!CLONES_FAIL.load(Ordering::Relaxed), "no clone");
        Self(self.0)
    }
}

/// F02: the clone of a value panics while a delta is taken or applied.
#[test]
fn a_clone_that_panics_takes_and_changes_nothing() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let (feed, mut mirror) = (game.feed::<(Position, Fragile)>(), Mirror::new());
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    let id = game.create_with((Position(1), Fragile(1))).id();
    CLONES_FAIL.store(true, Ordering::Relaxed);
    assert!(attempt(|| _ = feed.take(&mut game)).is_some());
    CLONES_FAIL.store(false, Ordering::Relaxed);
    let delta = feed.take(&mut game);
    assert_eq!((delta.number(), delta.appeared()), (2, &[id][..]));
    CLONES_FAIL.store(true, Ordering::Relaxed);
    assert!(attempt(|| _ = mirror.apply(&mut other, &delta)).is_some());
    CLONES_FAIL.store(false, Ordering::Relaxed);
    assert!(other.is_empty() && mirror.is_empty());
    mirror.apply(&mut other, &delta).unwrap();
    assert_eq!(other.len(), 1);
}

/// F02: the closure of an update panics: what it has written is sent.
#[test]
fn an_update_whose_closure_panics_is_notified() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let (feed, mut mirror) = (game.feed::<Position>(), Mirror::new());
    let ids = game.create_many([Position(0), Position(0), Position(0)]);
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    let half_way = |position: &mut Position| {
        position.0 += 1;
        assert!(position.0 < 1, "half-way");
    };
    let one = attempt(|| game.entity_mut(ids[0]).update_position(half_way));
    let many = attempt(|| {
        game.many(&ids[1..])
            .update::<Position>(|_, it| half_way(it))
    });
    assert!(one.is_some() && many.is_some());
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    let position = |id| other.entity(mirror.local(id).unwrap()).position().0;
    assert_eq!(
        ids.iter().map(|&id| position(id)).collect::<Vec<_>>(),
        [1, 1, 0]
    );
}

#[test]
fn a_predicate_that_panics_takes_nothing() {
    let mut game = Game::new();
    let fails = Arc::new(AtomicBool::new(true));
    let asked = fails.clone();
    let feed = game.feed::<Position>().only(move |_| {
        assert!(!asked.load(Ordering::Relaxed), "do not ask");
        true
    });
    let id = game.create_with(Position(1)).id();
    assert!(attempt(|| _ = feed.take(&mut game)).is_some());
    fails.store(false, Ordering::Relaxed);
    assert_eq!(feed.take(&mut game).appeared(), [id]);
}

#[test]
fn an_observer_that_panics_leaves_the_mirror_right() {
    let mut pair = Pair::new();
    let group = pair.other.group(Game::all_of::<Position>());
    let subscription = group.on_entered(&mut pair.other, |_, _| panic!("an observer"));
    pair.game.create_many([Position(1), Position(2)]);
    let delta = pair.feed.take(&mut pair.game);
    let applied = attempt(|| _ = pair.mirror.apply(&mut pair.other, &delta));
    assert!(applied.is_some());
    pair.check(); // all state was final
    pair.other.unsubscribe(subscription);
    pair.game.create_with(Position(3));
    pair.follow();
}

#[test]
fn an_observer_that_panics_before_a_destroy_makes_the_feed_send_everything() {
    let mut pair = Pair::new();
    let id = pair.game.create_with(Position(1)).id();
    pair.follow();
    let subscription = pair
        .other
        .observers()
        .on_will_be_destroyed(|_, _| panic!("no"));
    pair.game.destroy(id);
    pair.game.create_with(Position(2));
    let delta = pair.feed.take(&mut pair.game);
    assert!(attempt(|| _ = pair.mirror.apply(&mut pair.other, &delta)).is_some());
    pair.other.unsubscribe(subscription);
    let next = pair.feed.take(&mut pair.game);
    let rejected = pair.mirror.apply(&mut pair.other, &next);
    assert_eq!(rejected, Err(ecs::ApplyError::Incomplete));
    let everything = pair.feed.take_all(&mut pair.game);
    pair.mirror.apply(&mut pair.other, &everything).unwrap();
    pair.check();
}

#[test]
fn components_that_cannot_be_sent_are_rejected() {
    let mut game = Game::new();
    assert_eq!(game.create_with(Door(1)).door().0, 1);
    let text = panic_of(|| _ = game.feed::<(Position, Door)>());
    assert!(
        text.contains("component `Door` of context `Game` cannot be in a feed"),
        "{text}"
    );
    let feed = game.feed::<Position>();
    let text = panic_of(|| _ = feed.take(&mut Game::new()));
    assert!(
        text.contains("this feed belongs to another `Game`"),
        "{text}"
    );
}

#[test]
fn untracked_writes_are_rejected_while_a_feed_exists() {
    let mut game = Game::new();
    let id = game.create_with(Position(1)).id();
    let feed = game.feed::<Position>();
    let text = panic_of(|| game.entity_mut(id).position_mut_untracked().0 = 2);
    assert!(text.contains("a feed follows it"), "{text}");
    feed.release(&mut game);
    game.entity_mut(id).position_mut_untracked().0 = 2;
}

#[test]
fn a_dropped_feed_or_one_of_other_components_allows_untracked_writes() {
    let mut game = Game::new();
    let id = game.create_with((Position(1), Health(1))).id();
    let feed = game.feed::<Health>();
    game.entity_mut(id).position_mut_untracked().0 = 2;
    drop(feed);
    game.entity_mut(id).health_mut_untracked().0 = 2;
    assert_eq!(
        (game.entity(id).position().0, game.entity(id).health().0),
        (2, 2)
    );
}
