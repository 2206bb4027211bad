//! User code that panics: the context stays valid, and no rewind gives a wrong state.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ecs::prelude::*;

use support::game::{ChildOf, Targets};

use super::{Counted, Frozen, Game, GameEntity, GameEntityMut, Health, Large, Touchy};
use support::attempt;

/// A change of an entity with a value that cannot be cloned.
type Change = fn(&mut Game, EntityId<Game>);

/// Changes that need a clone if they are both recorded and observed.
const CHANGES: [(&str, Change); 8] = [
    ("destroy", |game, id| game.destroy(id)),
    ("destroy with children", |game, id| {
        game.destroy(game.entity(id).child_of().parent);
    }),
    ("destroy many", |game, id| {
        let ids = [game.entity(id).child_of().parent, id];
        game.many(&ids).destroy();
    }),
    ("remove", |game, id| _ = game.entity_mut(id).remove_touchy()),
    ("remove many", |game, id| {
        game.many(&[id]).remove::<Touchy>();
    }),
    ("remove all", |game, id| {
        _ = game.entity_mut(id).remove_all()
    }),
    ("replace", |game, id| {
        game.entity_mut(id).replace_touchy(false);
    }),
    ("insert", |game, id| {
        let bundle = (Frozen, Health(7), Touchy(false), Large([7; 8]));
        game.entity_mut(id).insert(bundle);
    }),
];

fn picture(game: &Game) -> Vec<String> {
    let entities = game.entities();
    entities.map(|entity| format!("{entity:?}")).collect()
}

/// Observes each value that is removed or replaced.
fn observe(game: &mut Game) {
    let all: [Group<Game>; 3] = [
        game.group(Game::all_of::<Health>()),
        game.group(Game::all_of::<Touchy>()),
        game.group(Game::all_of::<Large>()),
    ];
    for group in all {
        group.on_left(game, |_, _| {});
        group.on_updated(game, |_, _| {});
    }
}

/// A game with an entity that has a value which cannot be cloned, among others.
fn touchy(observed: bool) -> (Game, EntityId<Game>) {
    let mut game = Game::new();
    if observed {
        observe(&mut game);
    }
    let parent = game.create_with(Health(0)).id();
    let values = (Health(1), Touchy(true), Large([1; 8]), ChildOf { parent });
    let id = game.create_with(values).id();
    game.create_with((Targets(id), Touchy(true), ChildOf { parent }));
    (game, id)
}

#[test]
fn a_change_whose_recorded_clone_panics_is_recorded() {
    for (what, change) in CHANGES {
        for observed in [false, true] {
            let (mut game, id) = touchy(observed);
            let history = game.record();
            let (start, first) = (history.mark(&mut game), picture(&game));
            game.entity_mut(id).replace_health(2);
            let (before, second) = (history.mark(&mut game), picture(&game));
            let panicked = attempt(|| change(&mut game, id)).is_some();
            assert_eq!(panicked, observed, "{what}");
            game.storage().check_invariants();
            let (after, third) = (history.mark(&mut game), picture(&game));
            assert_ne!(second, third, "{what}");
            for _ in 0..2 {
                history.rewind(&mut game, before);
                assert_eq!(picture(&game), second, "{what}");
                history.rewind(&mut game, start);
                assert_eq!(picture(&game), first, "{what}");
                game.storage().check_invariants();
                history.forward(&mut game, after);
                assert_eq!(picture(&game), third, "{what}");
                game.storage().check_invariants();
            }
        }
    }
}

#[test]
fn taking_a_recorded_value_whose_clone_panics_changes_nothing() {
    for observed in [false, true] {
        let (mut game, id) = touchy(observed);
        let history = game.record();
        let start = history.mark(&mut game);
        game.entity_mut(id).replace_health(2);
        let before = picture(&game);
        assert!(attempt(|| game.entity_mut(id).take::<Touchy>()).is_some());
        let touchy = game.components().index_of::<Touchy>();
        assert!(attempt(|| game.entity_mut(id).dynamic().try_take(touchy)).is_some());
        game.storage().check_invariants();
        assert_eq!((picture(&game), history.len(&game)), (before, 1));
        history.rewind(&mut game, start);
        assert_eq!(game.entity(id).health().0, 1);
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
fn values_after_one_whose_clone_panics_are_moved_to_the_history() {
    let (mut game, count) = (Game::new(), Arc::new(()));
    let touchy = game.group(Game::all_of::<Touchy>());
    touchy.on_updated(&mut game, |_, _| {});
    let counted = || Counted(count.clone());
    let id = game.create_with((Touchy(true), counted())).id();
    let history = game.record();
    let bundle = (Touchy(false), counted());
    assert!(attempt(|| _ = game.entity_mut(id).insert(bundle)).is_some());
    game.storage().check_invariants();
    assert_eq!(Arc::strong_count(&count), 1 + 2, "one is in the history");
    assert!(!game.entity(id).touchy().0);
    history.release(&mut game);
    assert_eq!(Arc::strong_count(&count), 1 + 1);
}
