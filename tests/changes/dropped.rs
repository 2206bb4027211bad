//! Dropping a handle ends its collector, list of removed values or entity index.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Barrier};
use std::time::Duration;

use ecs::prelude::*;

use support::game::{Game, GameEntity, GameEntityMut, Health};
use support::{panic_of, time_of};

/// Counts its clones.
#[derive(Component)]
#[component(context = Game, extension)]
struct Tally(Arc<AtomicUsize>);

impl Clone for Tally {
    fn clone(&self) -> Self {
        self.0.fetch_add(1, Relaxed);
        Self(self.0.clone())
    }
}

#[derive(Component)]
#[component(context = Game, extension)]
struct Place(#[component(index)] u32, #[component(index)] u32);

/// An index by health, and the number of calls of its key function.
fn by_health(game: &mut Game) -> (EntityIndex<Game, u32>, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = calls.clone();
    let index = game.entity_index(Game::all_of::<Health>(), move |e| {
        counter.fetch_add(1, Relaxed);
        e.health().0
    });
    (index, calls)
}

#[test]
fn an_index_asks_for_no_more_keys_once_all_its_handles_are_dropped() {
    let mut game = Game::new();
    let (index, calls) = by_health(&mut game);
    let clone = index.clone();
    assert_eq!(index, clone);
    drop(index);
    let id = game.create_with(Health(1)).id();
    assert_eq!(clone.single(&game, &1).unwrap().id(), id);
    assert_eq!(calls.load(Relaxed), 1);
    drop(clone);
    game.entity_mut(id).replace_health(2);
    game.create_many([Health(3), Health(4)]);
    game.destroy(id);
    assert_eq!(calls.load(Relaxed), 1);
}

#[test]
fn a_dropped_index_is_freed_with_its_key_function() {
    for give_back in [
        (|game| game.storage_mut().shrink_to_fit()) as fn(&mut Game),
        |game| _ = by_health(game),
        |game| _ = game.collector(Game::all_of::<Health>().left()),
        |game| _ = game.removed_values::<Tally>(),
    ] {
        let mut game = Game::new();
        let (index, calls) = by_health(&mut game);
        let (other, _) = by_health(&mut game);
        game.create_with(Health(1));
        drop(index);
        assert_eq!(Arc::strong_count(&calls), 2);
        give_back(&mut game);
        assert_eq!(
            Arc::strong_count(&calls),
            1,
            "the key function is there still"
        );
        let id = game.create_with(Health(2)).id();
        assert_eq!(other.single(&game, &2).unwrap().id(), id);
        assert_eq!(other.len(&game), 2);
    }
}

#[test]
fn indexes_of_fields_and_handles_are_distinguished_after_drops() {
    let mut game = Game::new();
    for round in 0..3 {
        let (first, _) = by_health(&mut game);
        let (second, _) = by_health(&mut game);
        drop(first);
        let (third, _) = by_health(&mut game);
        game.create_with((Health(round), Place(round, 10 + round)));
        for index in [&second, &third] {
            assert!(index.contains(&game, &round));
        }
        drop((second, third));
        game.storage_mut().shrink_to_fit();
        assert_eq!(game.entities_with_place_value0(&round).len(), 1);
        assert_eq!(game.entities_with_place_value1(&(10 + round)).len(), 1);
    }
}

#[test]
fn an_index_that_reuses_a_dropped_one_of_other_keys_is_updated() {
    let mut game = Game::new();
    let (dropped, _) = by_health(&mut game);
    let id = game.create_with(Health(1)).id();
    drop(dropped);
    game.storage_mut().shrink_to_fit();
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = calls.clone();
    let by_name = game.entity_index(Game::all_of::<Health>(), move |e| {
        counter.fetch_add(1, Relaxed);
        e.health().0.to_string()
    });
    game.entity_mut(id).replace_health(2);
    assert_eq!(calls.load(Relaxed), 2); // called by the change, not by lookups
    assert_eq!(by_name.get(&game, "2").ids(), [id]);
    assert_eq!(calls.load(Relaxed), 2);
    game.storage().check_invariants();
}

#[test]
fn a_dropped_list_of_removed_values_collects_nothing() {
    let mut game = Game::new();
    let clones = Arc::new(AtomicUsize::new(0));
    let lost = game.removed_values::<Tally>();
    let lose = |game: &mut Game| _ = game.create_with(Tally(clones.clone())).remove_tally();
    lose(&mut game);
    assert_eq!((clones.load(Relaxed), Arc::strong_count(&clones)), (1, 2));
    let held = game.storage().memory().observers;
    drop(lost);
    lose(&mut game);
    assert_eq!((clones.load(Relaxed), Arc::strong_count(&clones)), (1, 1));
    assert!(
        game.storage().memory().observers < held,
        "its observer is there still"
    );
}

#[test]
fn a_dropped_list_of_removed_values_is_freed_by_shrink_to_fit() {
    let mut game = Game::new();
    let clones = Arc::new(AtomicUsize::new(0));
    let lost = game.removed_values::<Tally>();
    game.create_with(Tally(clones.clone())).remove_tally();
    let held = game.storage().memory().observers;
    drop(lost);
    game.storage_mut().shrink_to_fit();
    assert_eq!(Arc::strong_count(&clones), 1);
    assert!(
        game.storage().memory().observers < held,
        "its observer is there still"
    );
}

/// The time of `shrink_to_fit` with this many dropped collectors.
fn time_to_forget(collectors: usize) -> Duration {
    let mut game = Game::new();
    let trigger = Game::all_of::<Health>().entered();
    let all = || game.collector(trigger.clone());
    let all: Vec<_> = std::iter::repeat_with(all).take(collectors).collect();
    drop(all);
    time_of(|| {
        game.storage_mut().shrink_to_fit();
    })
}

#[test]
fn forgetting_dropped_collectors_takes_as_long_as_they_are_many() {
    // Other programs share the caches; a quadratic search takes 256 times as long each time.
    let is_linear = |_| time_to_forget(8_000) < 80 * time_to_forget(500);
    assert!(
        (0..20).any(is_linear),
        "16 times as many take more than 80 times as long"
    );
}

#[test]
fn any_number_of_threads_may_read_an_index_after_a_panic_of_its_key_function() {
    const THREADS: usize = 300;
    let mut game = Game::new();
    let (fails, all_there) = (AtomicUsize::new(1), Arc::new(Barrier::new(THREADS)));
    let barrier = all_there.clone();
    let index = game.entity_index(Game::all_of::<Health>(), move |e| {
        assert!(fails.swap(0, Relaxed) == 0, "on purpose");
        barrier.wait();
        e.health().0
    });
    assert_eq!(panic_of(|| _ = game.create_with(Health(1))), "on purpose");
    let found = std::thread::scope(|scope| {
        let look = || scope.spawn(|| index.get(&game, &1).len());
        let threads: Vec<_> = std::iter::repeat_with(look).take(THREADS).collect();
        let found = threads.into_iter().map(|thread| thread.join().unwrap());
        found.sum::<usize>()
    });
    assert_eq!(found, THREADS);
}

#[test]
fn a_key_function_may_read_an_index_whose_key_function_has_panicked() {
    let mut game = Game::new();
    let fails = AtomicUsize::new(1);
    let inner = game.entity_index(Game::all_of::<Health>(), move |e| {
        assert!(fails.swap(0, Relaxed) == 0, "on purpose");
        e.health().0
    });
    let (fails, to_ask) = (AtomicUsize::new(1), inner.clone());
    let outer = game.entity_index(Game::all_of::<Tally>(), move |e| {
        assert!(fails.swap(0, Relaxed) == 0, "on purpose");
        to_ask.get(e.context(), &1).len()
    });
    assert_eq!(panic_of(|| _ = game.create_with(Health(1))), "on purpose");
    let counted = Tally(Arc::default());
    assert_eq!(panic_of(|| _ = game.create_with(counted)), "on purpose");
    assert_eq!(outer.get(&game, &1).len(), 1);
    assert_eq!(inner.get(&game, &1).len(), 1);
}
