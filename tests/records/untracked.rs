//! Indexes, feeds and histories prevent untracked writes of a component while one of their handles
//! exists.

use ecs::prelude::*;

use support::game::{Game, Health};
use support::panic_of;

fn by_health(game: &mut Game) -> EntityIndex<Game, u32> {
    game.entity_index(Game::all_of::<Health>(), |e| e.health().0)
}

#[test]
fn dropped_handles_allow_writes_untracked() {
    type MakeAndDrop = fn(&mut Game);
    let drops: [(&str, MakeAndDrop); 3] = [
        ("an index", |game| drop(by_health(game))),
        ("a feed", |game| drop(game.feed::<(Health,)>())),
        ("a history", |game| drop(game.record())),
    ];
    for (what, make_and_drop) in drops {
        let mut game = Game::new();
        let id = game.create_with(Health(1)).id();
        make_and_drop(&mut game);
        game.entity_mut(id).mut_untracked::<Health>().0 = 2;
        make_and_drop(&mut game);
        game.query_mut::<&mut Health>()
            .untracked()
            .for_each(|health| health.0 += 1);
        assert_eq!(game.entity(id).health(), &Health(3), "{what}");
        game.storage().check_invariants();
    }
}

#[test]
fn an_index_next_to_dropped_ones_still_rejects_untracked_writes() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    drop(by_health(&mut game));
    let index = by_health(&mut game);
    drop(by_health(&mut game));
    let rejected = panic_of(|| _ = game.entity_mut(id).mut_untracked::<Health>());
    assert!(
        rejected.contains("untracked: an entity index follows it"),
        "{rejected}"
    );
    let rejected = panic_of(|| _ = game.query_mut::<&mut Health>().untracked());
    assert!(
        rejected.contains("untracked: an entity index follows it"),
        "{rejected}"
    );
    assert_eq!(index.single(&game, &1).unwrap().id(), id);
}

#[test]
fn the_rejection_names_the_subscriber() {
    let mut game = Game::new();
    let feed = game.feed::<(Health,)>();
    let rejected = panic_of(|| _ = game.query_mut::<&mut Health>().untracked());
    assert!(
        rejected.contains("untracked: a feed follows it"),
        "{rejected}"
    );
    drop(feed);
    let history = game.record();
    let rejected = panic_of(|| _ = game.query_mut::<&mut Health>().untracked());
    assert!(
        rejected.contains("untracked: a history follows it"),
        "{rejected}"
    );
    drop(history);
}
