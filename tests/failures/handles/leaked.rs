//! F07: leaked handles, iterators and guards.

use ecs::prelude::*;
use support::game::{Game as Whole, Health};

use super::leak;
use crate::game::{Alpha, Game, Ledger, assert_sound};

/// Drains a collector by a query that is leaked after this many values.
type Drain = fn(&mut Game, &Collector<Game>, &Ledger, usize);

const DRAINS: [Drain; 3] = [
    |game, collector, _, _| leak(game.query_mut::<&mut Alpha>().drained_from(collector)),
    |game, collector, _, given| {
        let mut values = game.query_mut::<&Alpha>().drained_from(collector).iter();
        assert_eq!(values.by_ref().take(given).count(), given);
        leak(values);
    },
    |game, collector, ledger, given| {
        let query = game.query_mut::<&mut Alpha>().drained_from(collector);
        let mut values = query.untracked().iter();
        let given = values.by_ref().take(given);
        given.for_each(|value| value.0 = ledger.token());
        leak(values);
    },
];

/// F07: a query that drains a collector is leaked before its loop, or half-way: the collector is
/// intact and collects again, and written values are kept.
#[test]
fn a_query_that_drains_a_collector_may_be_leaked() {
    for drain in DRAINS {
        for given in [0, 1, 40, 70] {
            let (mut game, ledger) = (Game::new(), Ledger::default());
            let trigger = Game::all_of::<Alpha>().entered_or_updated();
            let collectors = [(); 2].map(|()| game.collector(trigger.clone()));
            let ids = game.create_many([(); 70].map(|()| Alpha(ledger.token())));
            drain(&mut game, &collectors[0], &ledger, given);
            game.storage().check_invariants();
            ledger.assert_none_dropped_twice();
            assert_eq!((ledger.alive(), collectors[1].len(&game)), (70, 70));
            assert!(collectors[0].is_empty(&game));
            collectors[1].clear(&mut game);
            game.many(&ids[..2]).update(|_, _: &mut Alpha| {});
            for collector in &collectors {
                assert_eq!(collector.drain(&mut game), ids[..2]);
            }
            assert_sound(game, &ledger);
        }
    }
}

/// F07: handles of subscribers are leaked with their contents: the subscribers stay active, and the
/// context usable.
#[test]
fn leaked_handles_of_subscribers_do_no_harm() {
    let mut game = Whole::new();
    let history = game.record();
    let mark = history.mark(&mut game);
    leak((mark, history));
    leak(game.snapshot());
    let (feed, inbox) = (game.feed::<Health>(), game.inbox::<u32>());
    leak(feed.take(&mut game));
    leak(feed);
    let lost = game.removed_values::<Health>();
    let index = game.entity_index(Whole::all_of::<Health>(), |entity| entity.health().0);
    for round in 0..200 {
        game.send(round);
        let id = game.create_with(Health(round)).id();
        if round % 2 == 0 {
            game.destroy(id);
        }
    }
    game.storage().check_invariants();
    leak(inbox.drain(&mut game));
    leak(lost.drain(&mut game));
    leak((inbox, lost, index));
    leak(game.snapshot());
    let id = game.create_with(Health(7)).id();
    game.entity_mut(id).update_health(|health| health.0 += 1);
    assert_eq!((game.len(), game.entity(id).health().0), (101, 8));
    game.storage().check_invariants();
    game.storage_mut().shrink_to_fit();
    game.reset();
    assert!(game.is_empty());
    game.storage().check_invariants();
}

/// F07: a second history of a context whose first one was leaked is rejected.
#[test]
fn a_leaked_history_stays_active_and_another_one_is_rejected() {
    let mut game = Whole::new();
    leak(game.record());
    let notified = support::panic_of(|| _ = game.record());
    assert!(notified.contains("record"), "{notified}");
    let id = game.create_with(Health(1)).id();
    assert_eq!(game.entity(id).health().0, 1);
    game.storage().check_invariants();
}
