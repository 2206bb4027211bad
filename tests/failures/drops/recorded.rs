//! F01: panicking drops in snapshots and histories.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ecs::History;
use ecs::prelude::*;
use support::game::{Game, GameEntity, GameEntityMut, Health, Id};
use support::panic_of;

use crate::game::{Ledger, Token};

/// A value of a game whose components are all `Clone`. Its clones panic if the flag is set.
#[derive(Component)]
#[component(context = Game, extension)]
pub(super) struct Copied(pub(super) Token, pub(super) bool);

impl Clone for Copied {
    fn clone(&self) -> Self {
        Self(self.0.copy(self.1), self.1)
    }
}

/// Checks the invariants, and that `held` values are alive outside of the columns.
#[track_caller]
pub(super) fn check(game: &Game, ledger: &Ledger, held: usize) {
    game.storage().check_invariants();
    ledger.assert_none_dropped_twice();
    let in_columns = game.query::<&Copied>().iter().count();
    assert_eq!(ledger.alive(), in_columns + held);
}

/// Checks that the context stays usable, and drops all its values in the end.
#[track_caller]
pub(super) fn check_end(mut game: Game, ledger: &Ledger) {
    let copied = game.group(Game::all_of::<Copied>());
    let before = copied.len(&game);
    let id = game.create_with((Copied(ledger.token(), false), Health(1)));
    let id = id.id();
    assert_eq!(
        (copied.len(&game), game.entity(id).health().0),
        (before + 1, 1)
    );
    game.destroy(id);
    game.storage().check_invariants();
    drop(game);
    ledger.assert_all_dropped_once();
}

/// Creates three entities; the clones of one panic in their drop.
fn create(game: &mut Game, ledger: &Ledger, armed: usize) -> Vec<Id> {
    let copied = |place| Copied(ledger.token(), place == armed);
    game.create_many((0..3).map(copied))
}

/// F01: the clones in a snapshot panic when it is dropped: the context is unchanged, and all clones
/// are dropped once.
#[test]
fn a_snapshot_whose_copies_panic_drops_all_of_them() {
    for armed in 0..3 {
        let (mut game, ledger) = (Game::new(), Ledger::default());
        let ids = create(&mut game, &ledger, armed);
        let snapshot = game.snapshot();
        check(&game, &ledger, 3);
        panic_of(|| drop(snapshot));
        check(&game, &ledger, 0);
        assert_eq!(game.group(Game::all_of::<Copied>()).ids(&game), ids);
        check_end(game, &ledger);
    }
}

/// F01: removed values replaced by a restore panic in their drop: the restore is complete.
#[test]
fn removed_values_that_panic_after_a_restore_are_all_dropped() {
    for armed in 0..3 {
        let (mut game, ledger) = (Game::new(), Ledger::default());
        let lost = game.removed_values::<Copied>();
        let before = game.snapshot();
        let ids = create(&mut game, &ledger, armed);
        game.many(&ids).destroy();
        check(&game, &ledger, 3);
        panic_of(|| game.restore(&before));
        assert!(game.is_empty() && lost.is_empty(&game));
        check(&game, &ledger, 0);
        check_end(game, &ledger);
    }
}

/// Drops everything that a history keeps.
type End = fn(&mut Game, History<Game>);

const ENDS: [(&str, End); 5] = [
    ("release", |game, history| history.release(game)),
    ("forget_before", |game, history| {
        let now = history.mark(game);
        history.forget_before(game, now);
    }),
    ("reset", |game, _| game.reset()),
    ("shrinking", |game, history| {
        drop(history);
        game.storage_mut().shrink_to_fit();
    }),
    ("another history", |game, history| {
        drop(history);
        drop(game.record());
    }),
];

/// F01: values of destroyed entities in a history panic when they are forgotten: all are dropped
/// once.
#[test]
fn a_history_whose_values_panic_drops_all_of_them() {
    for (name, end) in ENDS {
        for armed in 0..3 {
            let (mut game, ledger) = (Game::new(), Ledger::default());
            let history = game.record();
            let tokens = (0..3).map(|place| match place == armed {
                true => ledger.bomb(),
                false => ledger.token(),
            });
            let ids = game.create_many(tokens.map(|token| Copied(token, false)));
            ids.iter().for_each(|&id| game.destroy(id));
            check(&game, &ledger, 3);
            let text = panic_of(|| end(&mut game, history));
            assert!(text.ends_with("panics in its drop"), "{name}: {text}");
            check(&game, &ledger, 0);
            check_end(game, &ledger);
        }
    }
}

/// F01: undone values are dropped by the next change, and panic: the change is made, and all values
/// are dropped once.
#[test]
fn redo_values_that_panic_are_replaced_by_a_new_change() {
    for armed in 0..3 {
        let (mut game, ledger) = (Game::new(), Ledger::default());
        let history = game.record();
        let start = history.mark(&mut game);
        let tokens = (0..3).map(|place| match place == armed {
            true => ledger.bomb(),
            false => ledger.token(),
        });
        game.create_many(tokens.map(|token| Copied(token, false)));
        history.rewind(&mut game, start);
        check(&game, &ledger, 3);
        let id = game.create_with(Health(1)).id();
        let text = panic_of(|| _ = history.mark(&mut game));
        assert!(text.ends_with("panics in its drop"), "{text}");
        check(&game, &ledger, 0);
        history.rewind(&mut game, start);
        assert!(game.is_empty() && !game.contains(id));
        check_end(game, &ledger);
    }
}

/// F01: the values of a list of removed values panic when a rewind replaces them: an index created
/// since the mark stays correct.
#[test]
fn an_index_stays_correct_if_a_drop_interrupts_a_rewind() {
    let (mut game, ledger) = (Game::new(), Ledger::default());
    let lost = game.removed_values::<Copied>();
    let id = game.create_with(Health(1)).id();
    let history = game.record();
    let start = history.mark(&mut game);
    let index = game.entity_index(Game::all_of::<Health>(), |entity| entity.health().0);
    game.entity_mut(id).replace_health(2);
    game.create_with(Copied(ledger.token(), true)).destroy();
    let text = panic_of(|| _ = history.rewind(&mut game, start));
    assert!(text.ends_with("panics in its drop"), "{text}");
    game.storage().check_invariants();
    assert!(lost.is_empty(&game) && game.entity(id).health().0 == 1);
    assert_eq!(index.get(&game, &1).ids(), [id]);
    assert!(index.get(&game, &2).ids().is_empty());
    panic_of(|| history.release(&mut game)); // it has a clone, too
    check_end(game, &ledger);
}

/// F05: the key function of an index created since the mark panics in a rewind: this index and
/// those after it stay correct.
#[test]
fn indexes_stay_correct_if_a_key_function_interrupts_a_rewind() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let history = game.record();
    let start = history.mark(&mut game);
    let fuse = Arc::new(AtomicBool::new(false));
    let indexes = [(); 2].map(|()| {
        let armed = fuse.clone();
        game.entity_index(Game::all_of::<Health>(), move |entity| {
            assert!(!armed.swap(false, Ordering::Relaxed), "a key function");
            entity.health().0
        })
    });
    game.entity_mut(id).replace_health(2);
    fuse.store(true, Ordering::Relaxed);
    let text = panic_of(|| _ = history.rewind(&mut game, start));
    assert_eq!(text, "a key function");
    game.storage().check_invariants();
    for index in &indexes {
        assert_eq!(index.get(&game, &1).ids(), [id]);
        assert!(index.get(&game, &2).ids().is_empty());
    }
    check_end(game, &Ledger::default());
}
