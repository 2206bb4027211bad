//! Rejections of a history, with their messages.

use ecs::prelude::*;
use ecs::{History, HistoryError};

use super::{Frozen, Game, Health};
use support::game::Score;
use support::panic_of;

mod not_clone {
    use ecs::prelude::*;

    /// Has a component that cannot be cloned, which a history rejects.
    #[ecs::context]
    pub(super) struct Stage;

    #[derive(Component)]
    #[component(context = Stage)]
    pub(super) struct Curtain;

    #[derive(Component)]
    #[component(context = Stage)]
    pub(super) struct Light(pub(super) std::sync::Mutex<u32>);
}

#[test]
fn components_that_are_not_clone_are_named() {
    let mut stage = not_clone::Stage::new();
    let rejected = History::builder().try_record(&mut stage).unwrap_err();
    assert_eq!(
        rejected.to_string(),
        "cannot record context `Stage`: component `Light` is not `Clone`; derive `Clone` for it, or \
         leave it out: `History::builder().without::<Light>()`"
    );
    let history = History::builder()
        .without::<not_clone::Light>()
        .record(&mut stage);
    let mark = history.mark(&mut stage);
    stage.create_with((not_clone::Curtain, not_clone::Light(Default::default())));
    history.rewind(&mut stage, mark);
    assert!(stage.is_empty());
}

#[test]
fn a_context_has_one_history_at_a_time() {
    let mut game = Game::new();
    let history = game.record();
    let rejected = History::builder().try_record(&mut game).unwrap_err();
    assert_eq!(rejected, HistoryError::AlreadyRecording { context: "Game" });
    drop(history);
    game.record().release(&mut game);
    assert!(game.record().is_empty(&game));
}

#[test]
fn marks_that_cannot_be_reached_are_rejected() {
    let mut game = Game::new();
    let history = game.record();
    let first = history.mark(&mut game);
    game.create_entity();
    let second = history.mark(&mut game);
    let behind = history.try_forward(&mut game, first).unwrap_err();
    assert!(matches!(behind, HistoryError::MarkIsBehind { .. }));
    history.rewind(&mut game, first);
    let ahead = history.try_rewind(&mut game, second).unwrap_err();
    assert!(matches!(ahead, HistoryError::MarkIsAhead { .. }));
    game.create_entity().add_frozen();
    let unknown = history.try_forward(&mut game, second).unwrap_err();
    assert!(matches!(unknown, HistoryError::UnknownMark { .. }));
    let third = history.mark(&mut game);
    history.forget_before(&mut game, third);
    assert!(history.try_rewind(&mut game, first).is_err());
    assert_eq!(history.rewind(&mut game, third), 0);
}

#[test]
fn a_mark_made_after_a_rewind_hides_none_that_are_cut_off() {
    let mut game = Game::new();
    let history = game.record();
    let start = history.mark(&mut game);
    game.create_entity();
    let ahead = history.mark(&mut game);
    history.rewind(&mut game, start);
    let again = history.mark(&mut game);
    let other = game.create_with(Frozen).id();
    let unknown = history.try_rewind(&mut game, ahead).unwrap_err();
    assert!(matches!(unknown, HistoryError::UnknownMark { .. }));
    history.rewind(&mut game, again);
    assert!(!game.contains(other));
    history.rewind(&mut game, start);
}

#[test]
fn forgetting_reaches_marks_that_were_made_after_a_rewind() {
    let mut game = Game::new();
    let history = game.record();
    let start = history.mark(&mut game);
    game.create_with(Health(1));
    let middle = history.mark(&mut game);
    game.create_with(Health(2));
    let end = history.mark(&mut game);
    history.rewind(&mut game, start);
    let again = history.mark(&mut game);
    history.forward(&mut game, end);
    history.forget_before(&mut game, middle);
    for forgotten in [start, again] {
        let unknown = history.try_rewind(&mut game, forgotten).unwrap_err();
        assert!(matches!(unknown, HistoryError::UnknownMark { .. }));
    }
    history.rewind(&mut game, middle);
    assert_eq!(game.len(), 1);
}

#[test]
fn forgetting_reaches_earlier_marks_between_which_nothing_was_changed() {
    let mut game = Game::new();
    let history = game.record();
    let changed = game.collector(Game::all_of::<Health>().entered());
    game.create_with(Health(1));
    let full = history.mark(&mut game);
    changed.clear(&mut game);
    let empty = history.mark(&mut game);
    history.forget_before(&mut game, empty);
    let unknown = history.try_rewind(&mut game, full).unwrap_err();
    assert!(matches!(unknown, HistoryError::UnknownMark { .. }));
    assert_eq!(history.rewind(&mut game, empty), 0);
    assert!(changed.is_empty(&game));
}

#[test]
fn marks_of_another_history_are_rejected() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let of_other = {
        let history = other.record();
        history.mark(&mut other)
    };
    let ended = game.record();
    let old = ended.mark(&mut game);
    ended.release(&mut game);
    let history = game.record();
    let own = history.mark(&mut game);
    game.create_entity();
    for mark in [old, of_other] {
        assert_ne!(mark, own);
        let unknown = history.try_rewind(&mut game, mark).unwrap_err();
        assert!(matches!(unknown, HistoryError::UnknownMark { .. }));
        assert!(history.try_forget_before(&mut game, mark).is_err());
    }
    assert_eq!(history.rewind(&mut game, own), 1);
}

#[test]
fn an_observer_cannot_seek() {
    let mut game = Game::new();
    let history = std::sync::Arc::new(game.record());
    let (mark, inside) = (history.mark(&mut game), history.clone());
    let frozen = game.group(Game::all_of::<Frozen>());
    frozen.on_entered(&mut game, move |game: &mut Game, _| {
        let rejected = inside.try_rewind(game, mark).unwrap_err();
        assert!(matches!(rejected, HistoryError::Busy { .. }));
    });
    game.create_with(Frozen);
    assert_eq!(game.len(), 1);
}

#[test]
fn unrecorded_changes_are_rejected() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let _history = game.record();
    let said = panic_of(|| game.entity_mut(id).health_mut_untracked().0 = 2);
    assert!(said.contains("history follows it"), "{said}");
    let said = panic_of(|| _ = game.query_mut::<&mut Health>().untracked());
    assert!(said.contains("history follows it"), "{said}");
    let said = panic_of(|| game.defragment());
    assert!(
        said.contains("cannot be moved all at once while a history follows"),
        "{said}"
    );
}

#[test]
fn a_reset_discards_the_recorded_changes() {
    let mut game = Game::new();
    let history = game.record();
    let mark = history.mark(&mut game);
    game.create_with(Health(1));
    game.reset();
    assert!(history.is_empty(&game));
    assert!(matches!(
        history.try_rewind(&mut game, mark),
        Err(HistoryError::UnknownMark { .. })
    ));
}

#[test]
fn each_of_several_resets_discards_recorded_changes() {
    let mut game = Game::new();
    let history = game.record();
    for _ in 0..3 {
        let mark = history.mark(&mut game);
        game.create_with(Health(1));
        game.reset();
        let rejected = history.try_rewind(&mut game, mark);
        assert!(matches!(rejected, Err(HistoryError::UnknownMark { .. })));
    }
}

#[test]
fn a_dropped_history_frees_its_memory() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let history = game.record();
    for n in 0..10_000 {
        game.entity_mut(id).replace_health(n);
    }
    let recorded = game.storage().memory().history;
    assert!(recorded > 10_000 * 16);
    drop(history);
    for n in 0..100_000 {
        game.entity_mut(id).replace_health(n);
    }
    let of_values = game.storage().memory().history;
    assert!(of_values < recorded / 2, "{of_values} bytes of {recorded}");
    game.storage_mut().shrink_to_fit();
    assert_eq!(game.storage().memory().history, 0);
}

#[test]
fn a_rejected_creation_forgets_no_checkpoint_ahead() {
    let mut game = Game::new();
    game.create_with(Score(1));
    let history = game.record();
    let before = history.mark(&mut game);
    let made = game.create_with(Health(1)).id();
    let after = history.mark(&mut game);
    for rejected in 1..4 {
        history.rewind(&mut game, before);
        for _ in 0..rejected {
            let taken = game.try_create_with((Health(2), Score(2)));
            assert!(taken.is_err());
            history.mark(&mut game);
        }
        history.forward(&mut game, after);
        game.storage().check_invariants();
        assert!(game.contains(made) && game.len() == 2);
        history.rewind(&mut game, before);
    }
    assert!(game.try_create_with((Health(2), Score(2))).is_err());
    assert_eq!(game.create_with(Health(3)).id(), made);
}
