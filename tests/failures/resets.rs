//! `reset` and `destroy_all` with indexes, inboxes, lists of removed values, feeds, histories and
//! snapshots (F14).

use ecs::prelude::*;
use ecs::{Inbox, Mirror};
use support::game::{Game, GameEntity, Health, Id, Seat, Tags, Team};
use support::panic_of;

fn team(game: &mut Game, n: u32) -> Id {
    let team = if n.is_multiple_of(2) { "red" } else { "blue" };
    let bundle = (Health(n), Team(team), Tags(vec![n as u8, 50]), Seat(n));
    game.create_with(bundle).id()
}

const EMPTYING: [fn(&mut Game); 2] = [|game| game.reset(), |game| game.destroy_all()];

/// F14: after a reset, indexes of fields and by key function find new entities only.
#[test]
fn indexes_stay_usable_after_a_reset() {
    for empty in EMPTYING {
        let mut game = Game::new();
        let tens = |it: GameEntity<'_>| it.health().0 / 10;
        let by_tens = game.entity_index(Game::all_of::<Health>(), tens);
        (0..30).for_each(|n| _ = team(&mut game, n));
        assert_eq!(by_tens.get(&game, &1).count(), 10);
        empty(&mut game);
        game.storage().check_invariants();
        assert!(by_tens.is_empty(&game) && by_tens.keys(&game).next().is_none());
        assert!(game.entities_with_team("red").next().is_none());
        assert!(game.entities_with_tags(&50).next().is_none());
        assert!(game.entity_with_seat(&7).is_none());
        let id = team(&mut game, 7);
        assert_eq!(by_tens.get(&game, &0).ids(), [id]);
        assert_eq!(game.entities_with_team("blue").ids(), [id]);
        assert_eq!(game.entities_with_tags(&50).ids(), [id]);
        assert_eq!(game.entity_with_seat(&7).unwrap().id(), id);
        game.storage().check_invariants();
    }
}

/// F14: `reset` empties inboxes and lists of removed values; `destroy_all` keeps messages, and adds
/// the values of the entities to the list.
#[test]
fn a_reset_empties_inboxes_and_lists_of_removed_values() {
    for (nth, empty) in EMPTYING.into_iter().enumerate() {
        let mut game = Game::new();
        let inbox: Inbox<Game, u8> = game.inbox();
        let lost = game.removed_values::<Health>();
        let ids = [team(&mut game, 1), team(&mut game, 2)];
        game.send(5_u8);
        empty(&mut game);
        game.send(6_u8);
        let messages = if nth == 0 { &[6][..] } else { &[5, 6] };
        assert!(inbox.drain(&mut game).iter().eq(messages));
        let expected = [(ids[0], Health(1)), (ids[1], Health(2))];
        let expected = if nth == 0 { &[][..] } else { &expected };
        assert_eq!(lost.drain(&mut game), expected);
        let id = team(&mut game, 3);
        game.destroy(id);
        assert_eq!(lost.drain(&mut game), [(id, Health(3))]);
    }
}

/// F14: a mirror equals the context before and after a reset, whether or not the feed was read in
/// between.
#[test]
fn a_feed_notifies_a_mirror_of_a_reset() {
    for empty in EMPTYING {
        for is_read in [false, true] {
            let (mut game, mut copy, mut mirror) = (Game::new(), Game::new(), Mirror::new());
            let feed = game.feed::<(Health, Team)>();
            let olds = [team(&mut game, 1), team(&mut game, 2)];
            if is_read {
                mirror.apply(&mut copy, &feed.take(&mut game)).unwrap();
                assert_eq!(copy.len(), 2);
            }
            empty(&mut game);
            let id = team(&mut game, 3);
            mirror.apply(&mut copy, &feed.take(&mut game)).unwrap();
            assert!(olds.iter().all(|old| mirror.local(*old).is_none()));
            let local = mirror.local(id).unwrap();
            assert_eq!((copy.len(), copy.entity(local).health()), (1, &Health(3)));
            game.storage().check_invariants();
            copy.storage().check_invariants();
        }
    }
}

/// F14: a reset discards recorded changes and makes marks invalid; later changes are recorded. A
/// `destroy_all` can be undone.
#[test]
fn a_history_begins_again_with_a_reset() {
    let mut game = Game::new();
    let history = game.record();
    let ids = [team(&mut game, 1), team(&mut game, 2)];
    let before = history.mark(&mut game);
    game.destroy_all();
    history.rewind(&mut game, before);
    assert!(ids.iter().all(|id| game.contains(*id)));

    game.reset();
    assert!(history.is_empty(&game) && game.is_empty());
    assert!(history.try_rewind(&mut game, before).is_err());
    panic_of(|| history.rewind(&mut game, before));
    assert!(game.is_empty());
    let start = history.mark(&mut game);
    assert!(history.try_rewind(&mut game, before).is_err());
    let id = team(&mut game, 3);
    assert!(id.index() == ids[0].index() && id != ids[0]);
    history.rewind(&mut game, start);
    assert!(game.is_empty());
    game.storage().check_invariants();
    assert_eq!(team(&mut game, 4), id, "the same id again");
}

/// F14: an earlier snapshot restores the entities with their ids.
#[test]
fn a_snapshot_outlives_a_reset() {
    for empty in EMPTYING {
        let mut game = Game::new();
        let ids = [team(&mut game, 1), team(&mut game, 2)];
        let snapshot = game.snapshot();
        empty(&mut game);
        team(&mut game, 3);
        game.restore(&snapshot);
        game.storage().check_invariants();
        let there: Vec<Id> = game.entities().map(|it| it.id()).collect();
        assert_eq!(there, ids);
        assert_eq!(game.entities_with_team("red").ids(), ids[1..]);
        assert!(game.entity_with_seat(&3).is_none());
    }
}
