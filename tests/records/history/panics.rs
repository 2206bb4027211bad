//! User code that panics: the context stays valid, and no rewind gives a wrong state.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ecs::HistoryError;
use ecs::prelude::*;

use super::{Counted, Game, GameEntity, GameEntityMut, Health, Key, Touchy};
use support::attempt;

#[test]
fn a_recorded_clone_that_panics_leaves_no_partial_entry() {
    for observed in [false, true] {
        let mut game = Game::new();
        let touchy = game.group(Game::all_of::<Touchy>());
        if observed {
            touchy.on_left(&mut game, |_, _| {});
        }
        let id = game.create_with((Health(1), Touchy(true))).id();
        let history = game.record();
        let mark = history.mark(&mut game);
        game.entity_mut(id).replace_health(2);
        let panicked = attempt(|| game.destroy(id)).is_some();
        assert_eq!(panicked, observed);
        assert!(!game.contains(id));
        let gone_back = history.try_rewind(&mut game, mark);
        if observed {
            assert!(matches!(gone_back, Err(HistoryError::UnknownMark { .. })));
        } else {
            assert_eq!(game.entity(id).health().0, 1);
        }
        let mark = history.mark(&mut game);
        let other = game.create_with(Health(7)).id();
        history.rewind(&mut game, mark);
        assert!(!game.contains(other));
    }
}

#[test]
fn a_change_whose_recorded_clone_panics_is_followed_by_groups_and_indexes() {
    for replaced in [false, true] {
        let mut game = Game::new();
        let touchy = game.group(Game::all_of::<Touchy>());
        touchy.on_left(&mut game, |_, _| {});
        touchy.on_updated(&mut game, |_, _| {});
        let by_touchy = game.entity_index(Game::all_of::<Touchy>(), |entity| entity.touchy().0);
        let id = game.create_with(Touchy(true)).id();
        let _history = game.record();
        let change = || match replaced {
            true => _ = game.entity_mut(id).replace_touchy(false),
            false => _ = game.entity_mut(id).remove_touchy(),
        };
        assert!(attempt(change).is_some());
        assert_eq!(touchy.contains(&game, id), replaced);
        assert!(by_touchy.get(&game, &true).ids().is_empty());
        assert_eq!(by_touchy.contains(&game, &false), replaced);
        game.storage().check_invariants();
    }
}

#[test]
fn a_key_pending_at_a_mark_is_computed_after_a_rewind_to_it() {
    let mut game = Game::new();
    let panics = Arc::new(AtomicBool::new(false));
    let by_health = game.entity_index(Game::all_of::<Health>(), {
        let panics = panics.clone();
        move |entity| {
            assert!(!panics.load(Ordering::Relaxed), "key");
            entity.health().0
        }
    });
    let id = game.create_with(Health(1)).id();
    let history = game.record();
    panics.store(true, Ordering::Relaxed);
    assert!(attempt(|| _ = game.entity_mut(id).replace_health(2)).is_some());
    panics.store(false, Ordering::Relaxed);
    let mark = history.mark(&mut game);
    game.entity_mut(id).replace_health(3);
    history.rewind(&mut game, mark);
    assert_eq!(by_health.get(&game, &2).ids(), [id]);
    assert!(by_health.get(&game, &1).ids().is_empty());
    game.storage().check_invariants();
}

#[test]
fn a_pending_key_is_not_computed_after_a_rewind_to_when_none_was_pending() {
    let mut game = Game::new();
    let by_health = game.entity_index(Game::all_of::<Health>(), |entity| {
        ASKED.set(ASKED.get() + 1);
        assert!(entity.health().0 < 2, "key");
        entity.health().0
    });
    let id = game.create_with(Health(1)).id();
    let history = game.record();
    let mark = history.mark(&mut game);
    assert!(attempt(|| _ = game.entity_mut(id).replace_health(2)).is_some());
    history.rewind(&mut game, mark);
    let before = ASKED.get();
    assert_eq!(by_health.get(&game, &1).ids(), [id]);
    assert_eq!(ASKED.get(), before);
}

#[test]
fn an_update_whose_copy_panics_has_changed_nothing() {
    let mut game = Game::new();
    let id = game.create_with(Touchy(true)).id();
    let history = game.record();
    let mark = history.mark(&mut game);
    assert!(attempt(|| game.entity_mut(id).update_touchy(|touchy| touchy.0 = false)).is_some());
    assert!(game.entity(id).touchy().0);
    assert_eq!(history.rewind(&mut game, mark), 0);
}

#[test]
fn an_update_that_panics_is_undoable_or_was_never_made() {
    let mut game = Game::new();
    let ids = game.create_many([Health(1), Health(2), Health(3)]);
    let history = game.record();
    let mark = history.mark(&mut game);
    let mut seen = 0;
    let walk = || {
        game.query_mut::<&mut Health>().for_each(|health| {
            health.0 += 10;
            seen += 1;
            assert!(seen < 2, "the second");
        });
    };
    assert!(attempt(walk).is_some());
    history.rewind(&mut game, mark);
    assert_eq!(ids.map_health(&game), [1, 2, 3]);
}

/// Reads the healths of entities.
trait Healths {
    fn map_health(&self, game: &Game) -> Vec<u32>;
}

impl Healths for Vec<EntityId<Game>> {
    fn map_health(&self, game: &Game) -> Vec<u32> {
        self.iter().map(|&id| game.entity(id).health().0).collect()
    }
}

thread_local! {
    /// Whether the next drop of a key panics.
    static ARMED: Cell<bool> = const { Cell::new(false) };
    /// The number of calls of the key function.
    static ASKED: Cell<u32> = const { Cell::new(0) };
}

/// A key, message or value whose drop can panic.
#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(context = Game, extension)]
struct Fused(u32);

impl Drop for Fused {
    fn drop(&mut self) {
        assert!(!ARMED.replace(false), "a key on purpose");
    }
}

#[test]
fn a_cut_off_key_is_dropped_after_the_change() {
    let mut game = Game::new();
    let index = game.entity_index(Game::all_of::<Health>(), |entity| Fused(entity.health().0));
    let id = game.create_with(Health(1)).id();
    let history = game.record();
    let start = history.mark(&mut game);
    game.entity_mut(id).replace_health(2);
    history.rewind(&mut game, start);
    ARMED.set(true);
    let panicked = attempt(|| _ = game.entity_mut(id).replace_health(3));
    assert!(panicked.is_some(), "the key 2 was cut off");
    game.storage().check_invariants();
    let found = [1, 2, 3].map(|key| index.get(&game, &Fused(key)).count());
    assert_eq!(found, [0, 0, 1]);
    assert_eq!(game.entity(id).health(), &Health(3));
}

#[test]
fn an_old_key_whose_drop_panics_does_not_stop_other_indexes_from_forgetting() {
    for released in [false, true] {
        let (mut game, count) = (Game::new(), Arc::new(()));
        let counted = count.clone();
        let all = Game::all_of::<Health>();
        let _fused = game.entity_index(all.clone(), |entity| Fused(entity.health().0));
        let _counted =
            game.entity_index(all, move |entity| Key(entity.health().0, counted.clone()));
        let id = game.create_with(Health(1)).id();
        let least = Arc::strong_count(&count);
        let history = game.record();
        game.entity_mut(id).replace_health(2);
        let now = history.mark(&mut game);
        assert_eq!(Arc::strong_count(&count), least + 1);
        ARMED.set(true);
        let panicked = attempt(|| match released {
            true => history.release(&mut game),
            false => history.forget_before(&mut game, now),
        });
        assert!(panicked.is_some() && Arc::strong_count(&count) == least);
        game.storage().check_invariants();
    }
}

#[test]
fn values_of_a_cut_off_mark_are_dropped_after_the_change() {
    let mut game = Game::new();
    let inbox = game.inbox::<Fused>();
    let id = game.create_with(Health(1)).id();
    let history = game.record();
    let start = history.mark(&mut game);
    game.entity_mut(id).replace_health(2);
    game.send(Fused(1));
    history.mark(&mut game);
    history.rewind(&mut game, start);
    assert!(inbox.drain(&mut game).is_empty());
    ARMED.set(true);
    game.entity_mut(id).replace_health(3);
    assert!(attempt(|| _ = history.mark(&mut game)).is_some());
    history.rewind(&mut game, start);
    assert_eq!(game.entity(id).health(), &Health(1));
}

#[test]
fn nothing_is_recorded_after_a_clone_that_panicked() {
    let mut game = Game::new();
    let touchy = game.group(Game::all_of::<Touchy>());
    touchy.on_updated(&mut game, |_, _| {});
    let id = game.create_with(Touchy(true)).id();
    let history = game.record();
    assert!(attempt(|| _ = game.entity_mut(id).insert(Touchy(false))).is_some());
    history.mark(&mut game);
    assert!(history.is_empty(&game));
}

#[test]
fn values_forgotten_after_a_panicked_clone_are_dropped_after_the_change() {
    for is_value in [false, true] {
        let mut game = Game::new();
        let touchy = game.group(Game::all_of::<Touchy>());
        touchy.on_updated(&mut game, |_, _| {});
        let inbox = game.inbox::<Fused>();
        let id = game.create_with((Touchy(true), Fused(1))).id();
        let history = game.record();
        match is_value {
            true => _ = game.entity_mut(id).replace_fused(2),
            false => game.send(Fused(3)),
        }
        history.mark(&mut game);
        _ = inbox.drain(&mut game);
        ARMED.set(true);
        assert!(attempt(|| _ = game.entity_mut(id).replace_touchy(false)).is_some());
        assert!(ARMED.get(), "nothing was dropped while the clone panicked");
        assert!(attempt(|| _ = history.mark(&mut game)).is_some());
        game.storage().check_invariants();
    }
}

#[test]
fn a_replaced_value_is_dropped_if_its_recorded_clone_panics() {
    let (mut game, count) = (Game::new(), Arc::new(()));
    let touchy = game.group(Game::all_of::<Touchy>());
    touchy.on_updated(&mut game, |_, _| {});
    let counted = || Counted(count.clone());
    let id = game.create_with((Touchy(true), counted())).id();
    let history = game.record();
    let bundle = (Touchy(false), counted());
    assert!(attempt(|| _ = game.entity_mut(id).insert(bundle)).is_some());
    history.mark(&mut game);
    assert_eq!(Arc::strong_count(&count), 1 + 1);
    assert!(!game.entity(id).touchy().0);
    game.storage().check_invariants();
}
