//! Unique components in the middle of a change: observers see the current owner.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use super::{Game, Health, Score};
use support::panic_of;

/// Logs the owner of the score, as in `Some((0v1, 3))`.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn note(&self, what: &str, game: &Game) {
        let owner = game.score_entity();
        let owner = owner.map(|entity| (entity.id(), entity.score().0));
        assert_eq!(owner.map(|(_, score)| score), game.get_score().map(|s| s.0));
        self.0.lock().unwrap().push(format!("{what} {owner:?}"));
    }

    #[track_caller]
    fn are(&self, lines: &[&str]) {
        assert_eq!(std::mem::take(&mut *self.0.lock().unwrap()), lines);
    }

    fn watch(&self, game: &mut Game) {
        let scored = game.group(Game::all_of::<Score>());
        let seen = [(); 4].map(|()| self.clone());
        let [entered, left, dying, destroyed] = seen;
        scored.on_entered(game, move |game, _| entered.note("entered", game));
        scored.on_left(game, move |game, _| left.note("left", game));
        game.observers()
            .on_will_be_destroyed(move |game, _| dying.note("will be destroyed", game));
        game.observers()
            .on_destroyed(move |game, _| destroyed.note("destroyed", game));
    }
}

/// The log of an entity that gets the value 4 and is destroyed.
const SET_AND_DESTROYED: [&str; 4] = [
    "entered Some((0v1, 4))",
    "will be destroyed Some((0v1, 4))",
    "left None",
    "destroyed None",
];

#[test]
fn observers_see_the_current_owner() {
    let (mut game, seen) = (Game::new(), Seen::default());
    seen.watch(&mut game);
    let id = game.set_score(3).id();
    seen.are(&["entered Some((0v1, 3))"]);
    game.entity_mut(id).remove_score();
    seen.are(&["left None"]);
    game.entity_mut(id).add_score(4);
    game.remove_score();
    seen.are(&SET_AND_DESTROYED);
}

#[test]
fn removing_it_from_an_entity_with_other_components_is_a_removal() {
    let (mut game, seen) = (Game::new(), Seen::default());
    seen.watch(&mut game);
    let healthy = game.group(Game::all_of::<Health>().none_of::<Score>());
    let id = game.set_score(3).add_health(1).id();
    seen.are(&["entered Some((0v1, 3))"]);
    game.remove_score();
    seen.are(&["left None"]);
    assert_eq!(healthy.ids(&game), [id]);
    game.entity_mut(id).add_score(4);
    game.destroy_score_entity();
    seen.are(&SET_AND_DESTROYED);
}

#[test]
fn it_can_be_removed_while_a_destroy_of_several_is_announced() {
    let mut game = Game::new();
    game.observers().on_will_be_destroyed(|game, _| {
        assert!(game.try_destroy_score_entity().is_err());
        game.remove_score();
        assert!(!game.has_score());
    });
    game.set_score(1).add_health(1);
    game.destroy_score_entity();
    assert!(game.is_empty());
}

#[test]
fn an_observer_of_left_sets_it_again() {
    for by_destroy in [false, true] {
        let mut game = Game::new();
        let scored = game.group(Game::all_of::<Score>());
        scored.on_left(&mut game, |game, change| {
            let last = change.previous::<Score>().unwrap().0;
            game.set_score(last + 1);
        });
        let first = game.set_score(1).id();
        match by_destroy {
            true => game.destroy(first),
            false => drop(game.entity_mut(first).remove_score().id()),
        }
        assert_eq!(game.score().0, 2);
        assert_ne!(game.score_entity().unwrap().id(), first);
        assert_eq!(game.contains(first), !by_destroy);
        assert_eq!(scored.len(&game), 1);
    }
}

#[test]
fn of_two_observers_that_create_its_owner_the_second_is_rejected() {
    let mut game = Game::new();
    let results = Arc::new(Mutex::new(Vec::new()));
    let healthy = game.group(Game::all_of::<Health>());
    for value in [1, 2] {
        let results = results.clone();
        healthy.on_entered(&mut game, move |game, _| {
            let created = game.try_create_with(Score(value)).is_ok();
            results.lock().unwrap().push(created);
        });
    }
    game.create_with(Health(1));
    assert_eq!(*results.lock().unwrap(), [true, false]);
    assert_eq!((game.score().0, game.len()), (1, 2));
}

#[test]
fn while_its_end_is_announced_the_owner_still_has_it() {
    let mut game = Game::new();
    game.observers().on_will_be_destroyed(|game, id| {
        assert_eq!(game.score_entity().unwrap().id(), id);
        assert!(game.try_create_with(Score(9)).is_err());
        let ending = game.try_remove_score().unwrap_err();
        assert!(matches!(ending.kind(), ErrorKind::BeingDestroyed));
    });
    game.set_score(1);
    game.remove_score();
    assert!(game.is_empty());
}

#[test]
fn an_observer_may_move_it_to_another_entity() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2)]);
    let target = ids[1];
    let scored = game.group(Game::all_of::<Score>());
    scored.on_entered(&mut game, move |game, change| {
        if change.entity() != target {
            let score = game.entity_mut(change.entity()).take_score().unwrap();
            game.entity_mut(target).add_score(score.0);
        }
    });
    game.entity_mut(ids[0]).add_score(5);
    assert_eq!(game.score_entity().unwrap().id(), target);
    assert_eq!(scored.ids(&game), [target]);
}

#[test]
fn an_observer_that_destroys_the_new_owner_leaves_a_dead_handle() {
    let mut game = Game::new();
    game.observers().on_created(|game, id| game.destroy(id));
    assert!(!game.set_score(1).is_alive());
    assert!(!game.has_score());
}

#[test]
fn an_observer_that_panics_leaves_the_owner_set() {
    let mut game = Game::new();
    let scored = game.group(Game::all_of::<Score>());
    let subscription = scored.on_entered(&mut game, |_, _| panic!("{}", "in an observer"));
    assert_eq!(panic_of(|| game.set_score(1).id()), "in an observer");
    assert_eq!((game.score().0, scored.len(&game)), (1, 1));
    game.unsubscribe(subscription);
    assert!(game.try_create_with(Score(2)).is_err());
}

#[test]
fn an_update_that_panics_leaves_the_owner_set() {
    let mut game = Game::new();
    game.set_score(1);
    panic_of(|| game.update_score(|_| panic!("{}", "in an update")));
    assert_eq!(game.score().0, 1);
}
