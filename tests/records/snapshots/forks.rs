//! Forks: a second context for looking ahead.

use ecs::prelude::*;

use super::{Game, Health, change, seen, world};

#[test]
fn a_fork_is_equal_and_independent() {
    let (mut game, ids) = world();
    let before = seen(&game);
    let mut fork = game.fork();
    assert_eq!(seen(&fork), before);
    change(&mut fork);
    let ahead = seen(&fork);
    assert_eq!(seen(&game), before);
    change(&mut game);
    assert_eq!(seen(&game), ahead);
    assert!(ids.iter().all(|&id| game.contains(id) == fork.contains(id)));
}

#[test]
fn a_fork_outlives_its_origin_and_is_forked_again() {
    let (game, _) = world();
    let before = seen(&game);
    let fork = game.fork();
    drop(game);
    let again = fork.fork();
    drop(fork);
    assert_eq!(seen(&again), before);
}

#[test]
fn a_fork_has_no_subscribers() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let healthy = game.group(Game::all_of::<Health>());
    healthy.on_updated(&mut game, |_, _| panic!("in the fork"));
    let mut fork = game.fork();
    fork.entity_mut(id).replace_health(2);
    let healthy = fork.group(Game::all_of::<Health>());
    assert_eq!(healthy.ids(&fork), [id]);
}

#[test]
fn a_fork_can_be_made_by_an_observer() {
    let mut game = Game::new();
    let healthy = game.group(Game::all_of::<Health>());
    healthy.on_entered(&mut game, |game, change| {
        let mut fork = game.fork();
        fork.entity_mut(change.entity()).replace_health(9);
        let snapshot = game.snapshot();
        fork.restore(&snapshot);
        assert_eq!(fork.entity(change.entity()).health().0, 1);
    });
    game.create_with(Health(1));
}

/// F38: several threads change forks of one context.
#[test]
fn forks_work_on_other_threads() {
    let (game, _) = world();
    let seen_ahead = std::thread::scope(|scope| {
        let ahead = || {
            let mut fork = game.fork();
            change(&mut fork);
            seen(&fork)
        };
        let threads = [scope.spawn(ahead), scope.spawn(ahead)];
        threads.map(|thread| thread.join().expect("no panic"))
    });
    assert_eq!(seen_ahead[0], seen_ahead[1]);
}
