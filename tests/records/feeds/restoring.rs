//! What a feed sends after its context was restored or rewound.

use ecs::prelude::*;
use ecs::{ApplyError, Mirror};
use support::game::{Game, Position, Score};

/// All positions, in ascending order.
fn positions(game: &Game) -> Vec<i32> {
    let mut positions: Vec<_> = game.query::<&Position>().iter().map(|it| it.0).collect();
    positions.sort_unstable();
    positions
}

#[test]
fn after_a_restore_the_mirror_equals_the_restored_context() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let feed = game.feed::<Position>();
    let mut mirror = Mirror::new();
    let mut follow = |game: &mut Game| {
        mirror.apply(&mut other, &feed.take(game)).unwrap();
        assert_eq!(positions(&other), positions(game));
    };
    let [kept, ended_meanwhile] = [1, 2].map(|x| game.create_with(Position(x)).id());
    follow(&mut game);
    let snapshot = game.snapshot();
    game.destroy(ended_meanwhile);
    game.entity_mut(kept).replace_position(3);
    game.create_with(Position(4));
    follow(&mut game);
    game.restore(&snapshot);
    assert_eq!(positions(&game), [1, 2]);
    follow(&mut game);
}

/// A restore here brings back entities of a mirror that no longer knows them.
#[test]
fn a_restored_context_follows_again_after_a_reset() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let feed = game.feed::<(Position, Score)>();
    let mut mirror = Mirror::new();
    let ended = game.create_with((Position(1), Score(1))).id();
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    let snapshot = other.snapshot();
    game.destroy(ended);
    mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    other.restore(&snapshot);
    game.create_with((Position(2), Score(2)));
    let everything = feed.take_all(&mut game);
    let rejected = mirror.apply(&mut other, &everything);
    assert!(matches!(rejected, Err(ApplyError::Rejected(_))));
    other.reset();
    let mut mirror = Mirror::new();
    mirror.apply(&mut other, &everything).unwrap();
    assert_eq!((positions(&other), other.score()), (vec![2], &Score(2)));
}
