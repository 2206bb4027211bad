//! Subscribers: groups, collectors, inboxes, lists of removed values, observers, listeners.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ecs::prelude::*;

use super::{Frozen, Game, Health, Mood, Team, ids_of};

#[test]
fn groups_and_later_ones_have_their_members_again() {
    let mut game = Game::new();
    let ids = game.create_many((0..200).map(Health));
    game.many(&ids[50..80]).add_with(|_| Frozen);
    let healthy = game.group(Game::all_of::<Health>());
    let warm = game.group(Game::all_of::<Health>().none_of::<Frozen>());
    let snapshot = game.snapshot();
    let before = [healthy, warm].map(|group| group.ids(&game));

    game.many(&ids[..100]).remove::<Health>();
    game.many(&ids[100..]).add_with(|_| Frozen);
    game.many(&ids[150..]).add_with(|_| Team("red"));
    let frozen = game.group(Game::all_of::<Frozen>());
    let cold = game.group(Game::all_of::<(Health, Frozen)>());
    let red = game.group(Game::any_of::<(Team, Frozen)>());
    game.restore(&snapshot);
    assert_eq!([healthy, warm].map(|group| group.ids(&game)), before);
    for group in [frozen, cold, red] {
        assert_eq!(group.ids(&game), ids[50..80]);
    }
    game.entity_mut(ids[50]).remove_frozen();
    game.create_with((Team("red"), Health(1)));
    let lens = [healthy, warm, frozen, cold, red].map(|group| group.len(&game));
    assert_eq!(lens, [201, 172, 29, 29, 30]);
}

#[test]
fn handles_are_restored_and_later_ones_are_empty() {
    let mut game = Game::new();
    let ids = game.create_many((0..10).map(Health));
    let hurt = game.collector(Game::all_of::<Health>().updated());
    let (lost, inbox) = (game.removed_values::<Health>(), game.inbox::<u32>());
    game.entity_mut(ids[3]).replace_health(9);
    game.entity_mut(ids[4]).remove_health();
    game.send(5_u32);
    let snapshot = game.snapshot();
    for _ in 0..2 {
        game.destroy(ids[3]);
        game.entity_mut(ids[5]).replace_health(1);
        assert_eq!(hurt.drain(&mut game), [ids[3], ids[5]]);
        game.send(6_u32);
        assert_eq!(inbox.drain(&mut game).len(), 2);
        assert_eq!(lost.drain(&mut game).len(), 2);
        let late = game.collector(Game::all_of::<Health>().updated());
        game.entity_mut(ids[6]).replace_health(1);

        game.restore(&snapshot);
        assert_eq!(hurt.ids(&game), [ids[3]]);
        assert!(late.is_empty(&game));
        game.entity_mut(ids[3]).replace_health(8);
        game.entity_mut(ids[1]).replace_health(8);
        assert_eq!(hurt.ids(&game), [ids[3], ids[1]]);
        assert_eq!(late.ids(&game), [ids[3], ids[1]]);
        game.restore(&snapshot);
    }
    assert!(inbox.drain(&mut game).iter().eq(&[5]));
    assert_eq!(lost.drain(&mut game), [(ids[4], Health(4))]);
}

/// The collectors of three banks, all of which stay active in a restore.
fn views(game: &mut Game, trigger: &Trigger<Game>) -> Vec<Collector<Game>> {
    let all = (0..70).map(|_| game.collector(trigger.clone().with_rewinds()));
    all.collect()
}

#[test]
fn a_change_after_a_restore_is_not_missed_for_another_entity_of_the_slot() {
    let mut game = Game::new();
    let changed = views(&mut game, &Game::all_of::<Health>().any_change());
    let first = game.create_with(Health(1)).id();
    let snapshot = game.snapshot();
    game.destroy(first);
    for collector in &changed {
        collector.drain(&mut game);
    }
    let second = game.create_with(Health(2)).id();
    assert_eq!(second.index(), first.index());
    game.restore(&snapshot);
    game.storage().check_invariants();
    game.entity_mut(first).replace_health(5);
    for collector in &changed {
        assert_eq!(collector.drain(&mut game), [second, first]);
    }
    game.destroy(first);
    assert_eq!(game.create_with(Health(3)).id(), second);
    assert_eq!(changed[69].drain(&mut game), [first, second]);
}

#[test]
fn an_id_reused_after_a_restore_is_held_once() {
    let mut game = Game::new();
    let changed = views(&mut game, &Game::all_of::<Health>().any_change());
    let snapshot = game.snapshot();
    for _ in 0..3 {
        game.restore(&snapshot);
        for _ in 0..3 {
            let id = game.create_with(Health(1)).id();
            game.destroy(id);
            game.storage().check_invariants();
        }
    }
    for collector in &changed {
        assert_eq!(collector.len(&game), 3);
    }
}

#[test]
fn entities_collected_in_bulk_stay_held_after_a_restore_that_destroys_them() {
    let mut game = Game::new();
    let changed = views(&mut game, &Game::all_of::<Health>().any_change());
    let snapshot = game.snapshot();
    let ids = game.create_many((0..200).map(Health));
    game.restore(&snapshot);
    game.storage().check_invariants();
    for collector in &changed {
        assert_eq!(
            (collector.len(&game), collector.ids(&game)),
            (200, &ids[..])
        );
        assert_eq!(collector.drain(&mut game), ids);
    }
}

#[test]
fn entities_collected_in_bulk_are_those_that_changed_though_a_restore_moves_them() {
    let mut game = Game::new();
    let changed = views(&mut game, &Game::all_of::<Health>().any_change());
    let ids = game.create_many((0..200).map(Health));
    let frozen: Vec<_> = ids.iter().copied().step_by(2).collect();
    game.many(&frozen).add_with(|_| Frozen);
    let snapshot = game.snapshot();
    game.defragment();
    for collector in &changed {
        collector.drain(&mut game);
    }
    let update = game.query_mut::<&mut Health>().with::<Frozen>();
    update.for_each(|health| health.0 += 1000);
    game.restore(&snapshot);
    for collector in &changed {
        let mut held = collector.drain(&mut game);
        held.sort();
        assert_eq!(held, frozen);
    }
}

/// F42: a context restores a snapshot of another one; its handles stay valid.
#[test]
fn handles_of_another_context_hold_nothing_afterwards() {
    let mut game = Game::new();
    game.create_with(Health(1));
    let snapshot = game.snapshot();
    let mut other = Game::new();
    let (hurt, lost) = (
        other.collector(Game::all_of::<Health>().any_change()),
        other.removed_values::<Health>(),
    );
    let inbox = other.inbox::<u32>();
    let by_health = other.entity_index(Game::all_of::<Health>(), |entity| entity.health().0);
    let id = other.create_with(Health(2)).id();
    other.destroy(id);
    other.send(1_u32);
    other.restore(&snapshot);
    assert!(hurt.is_empty(&other) && inbox.drain(&mut other).is_empty());
    assert!(lost.drain(&mut other).is_empty());
    assert_eq!(by_health.get(&other, &1).count(), 1);
    assert_eq!(by_health.get(&other, &2).count(), 0);
}

#[test]
fn no_observer_is_notified_and_all_subscribers_stay() {
    let mut game = Game::new();
    let ids = game.create_many((0..3).map(Health));
    let healthy = game.group(Game::all_of::<Health>());
    let notified = Arc::new(AtomicU32::new(0));
    let count = |notified: &Arc<AtomicU32>| {
        let notified = notified.clone();
        move |_: &mut Game, _: &Change<'_, Game>| _ = notified.fetch_add(1, Ordering::Relaxed)
    };
    healthy.on_entered(&mut game, count(&notified));
    healthy.on_left(&mut game, count(&notified));
    healthy.on_updated(&mut game, count(&notified));
    let snapshot = game.snapshot();
    game.destroy(ids[1]);
    game.entity_mut(ids[2]).replace_health(9);
    game.create_with(Health(7));
    assert_eq!(notified.load(Ordering::Relaxed), 3);
    game.restore(&snapshot);
    assert_eq!(notified.load(Ordering::Relaxed), 3);
    game.destroy(ids[1]);
    assert_eq!(notified.load(Ordering::Relaxed), 4);
}

#[test]
fn a_deactivated_or_newer_index_has_the_current_entities() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2), Health(1)]);
    let early = game.entity_index(Game::all_of::<Health>(), |entity| entity.health().0);
    let snapshot = game.snapshot();
    game.entity_mut(ids[0]).replace_health(2);
    let late = game.entity_index(Game::all_of::<Health>(), |entity| entity.health().0);
    early.deactivate(&mut game);
    game.restore(&snapshot);
    assert!(ids_of(late.get(&game, &1)) == [ids[0], ids[2]]);
    assert_eq!(early.get(&game, &1).count(), 0);
    early.activate(&mut game);
    assert!(ids_of(early.get(&game, &1)) == [ids[0], ids[2]]);
}

/// Listens to an entity; returns the number of calls.
fn listen(game: &mut Game, id: EntityId<Game>) -> Arc<AtomicU32> {
    let calls = Arc::new(AtomicU32::new(0));
    let count = calls.clone();
    game.entity_mut(id)
        .on_mood_set(move |_| _ = count.fetch_add(1, Ordering::Relaxed));
    calls
}

#[test]
fn exactly_the_listeners_of_entities_destroyed_by_a_restore_end() {
    let mut game = Game::new();
    let early = game.create_with(Mood(1)).id();
    let snapshot = game.snapshot();
    let late = game.create_with(Mood(2)).id();
    let calls = [early, late].map(|id| listen(&mut game, id));
    game.restore(&snapshot);
    assert_eq!(game.events().listeners(), 1);
    assert_eq!(game.create_with(Mood(3)).id(), late); // the same id, and another entity
    game.entity_mut(early).replace_mood(4);
    assert_eq!(game.events().deliver(), 1);
    assert_eq!(calls.map(|calls| calls.load(Ordering::Relaxed)), [1, 0]);
}

#[test]
fn a_listener_to_a_restored_entity_is_not_removed_for_its_earlier_destroy() {
    let mut game = Game::new();
    let id = game.create_with(Mood(1)).id();
    let snapshot = game.snapshot();
    let before = listen(&mut game, id);
    game.destroy(id);
    game.restore(&snapshot);
    assert_eq!(game.events().listeners(), 0);
    let since = listen(&mut game, id);
    for mood in 2..4 {
        game.entity_mut(id).replace_mood(mood);
        assert_eq!(game.events().deliver(), 1);
    }
    assert_eq!(
        [before, since].map(|calls| calls.load(Ordering::Relaxed)),
        [0, 2]
    );
}

#[test]
fn listeners_of_entities_end_when_another_context_is_restored() {
    let mut other = Game::new();
    other.create_with(Mood(1));
    let snapshot = other.snapshot();
    let mut game = Game::new();
    let id = game.create_with(Mood(1)).id();
    listen(&mut game, id);
    game.restore(&snapshot);
    game.events().deliver();
    assert_eq!((game.len(), game.events().listeners()), (1, 0));
}

#[test]
fn a_listener_of_a_dead_entity_is_not_notified_of_a_restored_one_with_its_id() {
    let mut game = Game::new();
    let snapshot = game.snapshot();
    let id = game.create_with(Mood(1)).id();
    let calls = listen(&mut game, id);
    game.destroy(id);
    game.restore(&snapshot);
    assert_eq!(game.create_with(Mood(2)).id(), id);
    assert_eq!(game.events().deliver(), 0);
    assert_eq!(calls.load(Ordering::Relaxed), 0);
}

/// The younger index reuses the slot of a dropped one, before the older one.
#[test]
fn a_restore_computes_each_key_once_even_if_an_index_reads_an_older_one() {
    let (mut game, asked) = (Game::new(), Arc::new(AtomicU32::new(0)));
    let count = asked.clone();
    let ended = game.entity_index(Game::all_of::<Health>(), |_| ());
    let older = game.entity_index(Game::all_of::<Health>(), move |entity| {
        count.fetch_add(1, Ordering::Relaxed);
        entity.health().0
    });
    drop(ended);
    let younger = game.entity_index(Game::all_of::<Health>(), move |entity| {
        older.get(entity.context(), &entity.health().0).len()
    });
    game.create_many((0..10).map(Health));
    let snapshot = game.snapshot();
    asked.store(0, Ordering::Relaxed);
    game.restore(&snapshot);
    assert_eq!(younger.get(&game, &1).len(), 10);
    assert_eq!(asked.load(Ordering::Relaxed), 10);
}

/// An index that now has other keys cannot use the order in the buckets of a snapshot.
#[test]
fn an_index_by_outside_values_has_current_keys_after_a_restore() {
    const KEYS: [[&[u32]; 4]; 6] = [
        [&[0], &[0], &[1], &[1]],
        [&[0], &[1], &[0], &[1]],
        [&[0, 2], &[1], &[], &[3]],
        [&[0], &[1, 2], &[3], &[]],
        [&[0], &[1], &[], &[]],
        [&[0], &[1, 0], &[], &[]],
    ];
    for (before, after) in (0..6).flat_map(|before| (0..6).map(move |after| (before, after))) {
        let time = Arc::new(AtomicU32::new(before));
        let now = Arc::clone(&time);
        let mut game = Game::new();
        let ids = game.create_many((0..4).map(Health));
        let healthy = Game::all_of::<Health>();
        let index = EntityIndex::with_keys(&mut game, healthy, move |entity| {
            KEYS[now.load(Ordering::Relaxed) as usize][entity.health().0 as usize].to_vec()
        });
        let snapshot = game.snapshot();
        time.store(after, Ordering::Relaxed);
        game.restore(&snapshot);
        game.storage().check_invariants();
        for key in 0..4 {
            let mut found = index.get(&game, &key).ids();
            found.sort();
            let has = |at: &usize| KEYS[after as usize][*at].contains(&key);
            let expected: Vec<_> = (0..4).filter(has).map(|at| ids[at]).collect();
            assert_eq!(found, expected, "{before} to {after}, key {key}");
        }
    }
}

/// Meanwhile, a collector with rewinds holds entities of another context, and a listener subscribes
/// to one.
#[test]
fn subscribers_of_entities_of_another_context_follow_its_own_again_when_a_context_has_them() {
    let mut other = Game::new();
    let theirs = other.create_many([Mood(1), Mood(2), Mood(3)]);
    let foreign = other.snapshot();

    let mut game = Game::new();
    let ids = game.create_many([Mood(1), Mood(2)]);
    let set = Game::all_of::<Mood>().entered_or_updated().with_rewinds();
    let (set, feed) = (game.collector(set), game.feed::<Mood>());
    let lost = game.removed_values::<Mood>();
    let by_mood = game.entity_index(Game::all_of::<Mood>(), |entity| entity.mood().0);
    let own = game.snapshot();
    game.restore(&foreign);
    game.entity_mut(theirs[1])
        .on_set::<Mood>(|_| panic!("of another one"));
    game.entity_mut(theirs[0]).replace_mood(5);
    game.destroy(theirs[2]);
    assert_eq!(set.ids(&game), [theirs[2], theirs[0]]);
    game.restore(&own);
    assert!(lost.is_empty(&game));
    let held = set.drain(&mut game);
    assert_eq!(held, [theirs[2], ids[0]]); // the first one is gone
    assert!(!game.contains(held[0]) && game.contains(held[1]));
    assert_eq!(by_mood.get(&game, &1).ids(), [ids[0]]);
    game.entity_mut(ids[1]).replace_mood(6);
    game.events().deliver();
    assert_eq!(set.ids(&game), [ids[1]]);
    drop(feed.take(&mut game));
    game.storage().check_invariants();
}
