//! What was gathered for handles is there again; nobody is told of a rewind.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use super::{Game, Health, Mood};

#[test]
fn collectors_inboxes_and_removed_values_hold_what_they_held() {
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
fn a_collector_takes_in_again_who_it_was_rid_of_by_a_rewind() {
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

/// The entity has gone, and come back, and gone again, while the collector held it all along.
#[test]
fn who_is_created_in_the_place_of_an_entity_that_a_rewind_ended_is_collected_by_itself() {
    let mut game = Game::new();
    let first = game.create_with(Health(1)).id();
    let living = Game::all_of::<Health>();
    let concerned = living.clone().entered().or(living.left());
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

#[test]
fn observers_are_not_notified_of_a_rewind() {
    let mut game = Game::new();
    let told = Arc::new(Mutex::new(0));
    let living = game.group(Game::all_of::<Health>());
    let (entered, left) = (told.clone(), told.clone());
    living.on_entered(&mut game, move |_, _| *entered.lock().unwrap() += 1);
    living.on_left(&mut game, move |_, _| *left.lock().unwrap() += 1);
    let history = game.record();
    let before = history.mark(&mut game);
    game.create_with(Health(1)).remove_health();
    let after = history.mark(&mut game);
    assert_eq!(*told.lock().unwrap(), 2);
    history.rewind(&mut game, before);
    history.forward(&mut game, after);
    assert_eq!(*told.lock().unwrap(), 2);
}

#[test]
fn what_observers_change_is_taken_back_with_what_they_were_told_of() {
    let mut game = Game::new();
    let living = game.group(Game::all_of::<Health>());
    living.on_updated(&mut game, |game: &mut Game, change: &Change<'_, Game>| {
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
fn listeners_end_with_the_entities_that_a_rewind_takes_back_and_no_others() {
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
