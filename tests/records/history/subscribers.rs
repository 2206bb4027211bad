//! A rewind restores what handles had collected, and notifies no observer.

use std::sync::{Arc, Mutex};

use ecs::History;
use ecs::prelude::*;

use super::{Game, Health, Mood};

#[test]
fn collectors_inboxes_and_removed_values_are_restored() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2), Health(3)]);
    let changed = game.collector(Game::all_of::<Health>().updated());
    let (first, second) = (game.inbox::<String>(), game.inbox::<String>());
    let lost = game.removed_values::<Health>();
    let history = game.record();
    game.entity_mut(ids[0]).replace_health(9);
    game.send("one".to_owned());
    game.destroy(ids[2]);
    let mark = history.mark(&mut game);

    assert_eq!(changed.drain(&mut game), [ids[0]]);
    assert_eq!(first.drain(&mut game).len(), 1);
    assert_eq!(lost.drain(&mut game).len(), 1);
    game.entity_mut(ids[1]).replace_health(8);
    game.send("two".to_owned());
    game.destroy(ids[0]);

    history.rewind(&mut game, mark);
    assert_eq!(changed.ids(&game), [ids[0]]);
    assert!(first.drain(&mut game).iter().eq(["one"]));
    assert!(second.drain(&mut game).iter().eq(["one"]));
    assert_eq!(lost.drain(&mut game), [(ids[2], Health(3))]);
}

#[test]
fn a_collector_collects_again_entities_removed_by_a_rewind() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let changed = game.collector(Game::all_of::<Health>().updated());
    let history = game.record();
    let mark = history.mark(&mut game);
    game.entity_mut(id).replace_health(2);
    history.rewind(&mut game, mark);
    assert!(changed.is_empty(&game));
    game.entity_mut(id).replace_health(3);
    assert_eq!(changed.ids(&game), [id]);
}

/// The entity is destroyed, revived and destroyed again, while the collector holds it all the time.
#[test]
fn a_new_entity_in_the_slot_of_an_undone_one_is_collected_separately() {
    let mut game = Game::new();
    let first = game.create_with(Health(1)).id();
    let alive = Game::all_of::<Health>();
    let concerned = alive.clone().entered().or(alive.left());
    let concerned = game.collector(concerned.with_rewinds());
    let history = game.record();
    let alive = history.mark(&mut game);
    game.destroy(first);
    let ended = history.mark(&mut game);
    history.rewind(&mut game, alive);
    history.forward(&mut game, ended);
    let second = game.create_with(Health(2)).id();
    assert_eq!(second.index(), first.index());
    assert!(concerned.drain(&mut game).contains(&second));
}

/// An older index of `Health` and `Mood`, read by the key function of a younger one in a reused
/// slot before it; and the number of key function calls of the older one.
fn two_indexes(game: &mut Game) -> (EntityIndex<Game, usize>, Arc<Mutex<u32>>) {
    let both = || Game::all_of::<Health>().all_of::<Mood>();
    let asked = Arc::new(Mutex::new(0));
    let count = asked.clone();
    let ended = game.entity_index(both(), |_| ());
    let older = game.entity_index(both(), move |entity| {
        *count.lock().unwrap() += 1;
        entity.health().0
    });
    drop(ended);
    let younger = game.entity_index(both(), move |entity| {
        older.get(entity.context(), &entity.health().0).len()
    });
    (younger, asked)
}

#[test]
fn a_rewind_computes_no_keys_of_unchanged_entities() {
    let mut game = Game::new();
    game.create_many((0..10).map(|health| (Health(health), Mood(1))));
    let history = game.record();
    let mark = history.mark(&mut game);
    let (younger, asked) = two_indexes(&mut game);
    *asked.lock().unwrap() = 0;
    history.rewind(&mut game, mark);
    assert_eq!(younger.get(&game, &1).len(), 10);
    assert_eq!(*asked.lock().unwrap(), 0);
}

#[test]
fn a_rewind_computes_each_key_of_changed_entities_once() {
    let mut game = Game::new();
    let ids = game.create_many((0..10).map(|health| (Health(health), Mood(1))));
    let (younger, asked) = two_indexes(&mut game);
    let history = History::builder().without::<Mood>().record(&mut game);
    let mark = history.mark(&mut game);
    for id in ids {
        game.entity_mut(id).update_health(|health| health.0 += 20);
    }
    *asked.lock().unwrap() = 0;
    history.rewind(&mut game, mark);
    assert_eq!(younger.get(&game, &1).len(), 10);
    assert_eq!(*asked.lock().unwrap(), 10);
}

/// The collectors of three banks, all of which stay active in a rewind.
fn subscribers(game: &mut Game, make: impl Fn() -> Trigger<Game>) -> Vec<Collector<Game>> {
    let all = (0..70).map(|_| game.collector(make().with_rewinds()));
    all.collect()
}

#[test]
fn an_entity_revived_repeatedly_is_held_once() {
    let mut game = Game::new();
    let hero = game.create_with(Health(1)).id();
    let changed = subscribers(&mut game, || Game::all_of::<Health>().any_change());
    let history = game.record();
    for _ in 0..3 {
        let mark = history.mark(&mut game);
        game.destroy(hero);
        history.rewind(&mut game, mark);
        game.storage().check_invariants();
        for collector in &changed {
            assert_eq!(collector.ids(&game), [hero]);
        }
    }
}

#[test]
fn a_revived_entity_that_changes_is_held_once() {
    let mut game = Game::new();
    let hero = game.create_with(Health(1)).id();
    let updated = subscribers(&mut game, || Game::all_of::<Health>().updated());
    let history = game.record();
    game.entity_mut(hero).replace_health(2);
    let mark = history.mark(&mut game);
    game.destroy(hero);
    history.rewind(&mut game, mark);
    game.storage().check_invariants();
    game.entity_mut(hero).replace_health(3);
    for collector in &updated {
        assert_eq!(collector.ids(&game), [hero]);
    }
}

/// The rewind removes an entity and revives the earlier one of the same slot.
#[test]
fn two_entities_of_one_slot_are_both_collected_by_one_rewind() {
    let mut game = Game::new();
    let first = game.create_with(Health(1)).id();
    let changed = subscribers(&mut game, || Game::all_of::<Health>().any_change());
    let history = game.record();
    let mark = history.mark(&mut game);
    game.destroy(first);
    let second = game.create_with(Health(2)).id();
    assert_eq!(second.index(), first.index());
    for collector in &changed {
        assert_eq!(collector.drain(&mut game), [first, second]);
    }
    history.rewind(&mut game, mark);
    game.storage().check_invariants();
    for collector in &changed {
        assert_eq!(collector.ids(&game), [second, first]);
    }
}

/// A repeated simulation after a rewind creates entities with the ids of those that were undone.
#[test]
fn an_id_reused_after_a_rewind_is_held_once() {
    let mut game = Game::new();
    let changed = subscribers(&mut game, || Game::all_of::<Health>().any_change());
    let updated = subscribers(&mut game, || Game::all_of::<Health>().updated());
    let history = game.record();
    let mark = history.mark(&mut game);
    let mut lives = Vec::new();
    for _ in 0..4 {
        history.rewind(&mut game, mark);
        game.storage().check_invariants();
        lives = (0..3)
            .map(|health| {
                let id = game.create_with(Health(health)).replace_health(9).id();
                game.destroy(id);
                game.storage().check_invariants();
                id
            })
            .collect();
    }
    assert_eq!(lives.iter().map(|id| id.generation()).max(), Some(3));
    for collector in changed.iter().chain(&updated) {
        assert_eq!(collector.ids(&game), lives);
        assert_eq!(collector.drain(&mut game), lives);
    }
    game.create_with(Health(1)).replace_health(2);
    assert_eq!((changed[0].len(&game), updated[0].len(&game)), (1, 1));
}

#[test]
fn entities_collected_in_bulk_are_held_once_after_a_rewind() {
    let mut game = Game::new();
    let changed = subscribers(&mut game, || Game::all_of::<Health>().any_change());
    let history = game.record();
    let before = history.mark(&mut game);
    let ids = game.create_many((0..100).map(Health));
    let made = history.mark(&mut game);
    for _ in 0..2 {
        game.many(&ids[20..]).destroy();
        history.rewind(&mut game, made);
        game.storage().check_invariants();
    }
    assert_eq!(changed[33].ids(&game), ids);
    history.rewind(&mut game, before);
    game.storage().check_invariants();
    assert_eq!(game.create_many((0..100).map(Health)), ids);
    game.storage().check_invariants();
    for collector in &changed {
        let mut held = collector.drain(&mut game);
        held.sort();
        assert_eq!(held, ids);
    }
}

#[test]
fn a_reactive_system_is_called_once_for_an_entity_that_a_rewind_brings_back() {
    let mut game = Game::new();
    let calls = Arc::new(Mutex::new(Vec::new()));
    let recorded = calls.clone();
    let trigger = Game::all_of::<Health>().any_change().with_rewinds();
    let mut systems =
        Systems::new().for_each_changed(&mut game, trigger, move |_: &mut Game, id| {
            recorded.lock().unwrap().push(id);
        });
    let history = game.record();
    let hero = game.create_with(Health(1)).id();
    let mark = history.mark(&mut game);
    game.destroy(hero);
    history.rewind(&mut game, mark);
    systems.execute(&mut game);
    assert_eq!(*calls.lock().unwrap(), [hero]);
}

#[test]
fn observers_are_not_notified_of_a_rewind() {
    let mut game = Game::new();
    let notified = Arc::new(Mutex::new(0));
    let alive = game.group(Game::all_of::<Health>());
    let (entered, left) = (notified.clone(), notified.clone());
    alive.on_entered(&mut game, move |_, _| *entered.lock().unwrap() += 1);
    alive.on_left(&mut game, move |_, _| *left.lock().unwrap() += 1);
    let history = game.record();
    let before = history.mark(&mut game);
    game.create_with(Health(1)).remove_health();
    let after = history.mark(&mut game);
    assert_eq!(*notified.lock().unwrap(), 2);
    history.rewind(&mut game, before);
    history.forward(&mut game, after);
    assert_eq!(*notified.lock().unwrap(), 2);
}

#[test]
fn changes_of_observers_are_undone_with_their_cause() {
    let mut game = Game::new();
    let alive = game.group(Game::all_of::<Health>());
    alive.on_updated(&mut game, |game: &mut Game, change: &Change<'_, Game>| {
        let before = change.previous::<Health>().map_or(0, |health| health.0);
        game.create_with(Health(before + 100));
    });
    let history = game.record();
    let id = game.create_with(Health(1)).id();
    let mark = history.mark(&mut game);
    game.entity_mut(id)
        .replace_health(2)
        .update_health(|health| health.0 += 1);
    assert_eq!(game.len(), 3);
    history.rewind(&mut game, mark);
    assert_eq!((game.len(), game.entity(id).health().0), (1, 1));
}

#[test]
fn a_listener_to_a_revived_entity_is_not_removed_for_its_earlier_destroy() {
    let mut game = Game::new();
    let id = game.create_with(Mood(1)).id();
    let history = game.record();
    let mark = history.mark(&mut game);
    game.entity_mut(id)
        .on_mood_set(|_| unreachable!("it ends with the entity"));
    game.destroy(id);
    let over = history.mark(&mut game);
    for _ in 0..2 {
        history.rewind(&mut game, mark);
        assert_eq!(game.events().listeners(), 0);
        game.entity_mut(id).on_mood_set(|_| ());
        history.forward(&mut game, over);
    }
    history.rewind(&mut game, mark);
    game.entity_mut(id).on_mood_set(|_| ());
    for mood in 2..4 {
        game.entity_mut(id).replace_mood(mood);
        assert_eq!(game.events().deliver(), 1);
    }
    assert_eq!(game.events().listeners(), 1);
}

#[test]
fn exactly_the_listeners_of_entities_undone_by_a_rewind_end() {
    let mut game = Game::new();
    let early = game.create_with(Mood(1)).id();
    let history = game.record();
    let mark = history.mark(&mut game);
    let late = game.create_with(Mood(2)).id();
    let heard = Arc::new(Mutex::new(Vec::new()));
    for id in [early, late] {
        let heard = heard.clone();
        game.entity_mut(id)
            .on_mood_set(move |entity| heard.lock().unwrap().push(entity.id()));
    }
    history.rewind(&mut game, mark);
    assert_eq!(game.events().listeners(), 1);
    assert_eq!(game.create_with(Mood(3)).id(), late); // the same id, and another entity
    game.entity_mut(early).replace_mood(4);
    assert_eq!(game.events().deliver(), 1);
    assert_eq!(*heard.lock().unwrap(), [early]);
}
