//! F01: lists that are emptied one after the other, when a value in the first panics in its drop.

use ecs::UndoStack;
use ecs::prelude::*;
use support::panic_of;

use crate::game::{Alpha, Beta, Fused, Game, Gamma, Ledger, Token, assert_sound};

/// Records values of three types, of which one panics in its drop.
fn record(buffer: &mut CommandBuffer<Game>, id: EntityId<Game>, ledger: &Ledger, bomb: usize) {
    let token = |at| match at == bomb {
        true => ledger.bomb(),
        false => ledger.token(),
    };
    buffer.add(id, Alpha(token(0)));
    buffer.add(id, Beta(token(1)));
    buffer.add(id, Gamma(token(2)));
    buffer.destroy(id);
}

#[test]
fn commands_are_made_with_their_own_values_after_a_clear_that_panics() {
    for bomb in 0..3 {
        let (mut game, ledger) = (Game::new(), Ledger::default());
        let ids = game.create_many([(), ()]);
        let mut buffer = CommandBuffer::new();
        record(&mut buffer, ids[0], &ledger, bomb);
        panic_of(|| buffer.clear());
        assert!(buffer.is_empty());
        assert_eq!(ledger.alive(), 0);
        buffer.add(ids[1], Alpha(ledger.token()));
        buffer.add(ids[1], Beta(ledger.token()));
        buffer.add(ids[1], Gamma(ledger.token()));
        assert_eq!(buffer.apply(&mut game), 0);
        assert!(game.entity(ids[0]).is_empty());
        assert_eq!(game.entity(ids[1]).component_indices().len(), 3);
        assert_sound(game, &ledger);
    }
}

#[test]
fn messages_are_all_dropped_by_a_clear_that_panics() {
    let (mut game, ledger) = (Game::new(), Ledger::default());
    let (inbox, second) = (game.inbox::<Token>(), game.inbox::<Token>());
    game.send(ledger.bomb());
    let third = game.inbox::<Token>(); // the message is shared by the first two from here on
    drop((second, third));
    game.storage_mut().shrink_to_fit(); // frees their places
    game.send(ledger.token());
    let mut messages = inbox.drain(&mut game);
    assert_eq!(messages.len(), 2);
    panic_of(|| messages.clear());
    assert!(messages.is_empty());
    assert_eq!(ledger.alive(), 0);
}

/// A stack with an undone step, whose recorded value panics in its drop.
fn undone(game: &mut Game, ledger: &Ledger) -> (UndoStack<Game>, EntityId<Game>) {
    let mut edits = UndoStack::only::<Fused>();
    let id = edits.step(game, "first", |game| {
        game.create_with(Fused(ledger.token(), false)).id()
    });
    edits.step(game, "second", |game| {
        game.entity_mut(id).replace_fused(ledger.token(), true);
    });
    assert!(edits.undo(game));
    (edits, id)
}

#[test]
fn a_step_is_recorded_although_an_undone_one_panics_in_its_drop() {
    let (mut game, ledger) = (Game::new(), Ledger::default());
    let (mut edits, id) = undone(&mut game, &ledger);
    panic_of(|| {
        edits.step(&mut game, "third", |game| {
            game.create_with(Fused(ledger.token(), false)).id()
        })
    });
    assert_eq!(
        (edits.undo_name(&game), edits.redo_name(&game)),
        (Some("third"), None)
    );
    assert!(edits.undo(&mut game));
    assert!(game.contains(id) && game.len() == 1);
}

#[test]
fn an_amended_step_is_kept_although_an_undone_one_panics_in_its_drop() {
    let (mut game, ledger) = (Game::new(), Ledger::default());
    let (mut edits, _) = undone(&mut game, &ledger);
    panic_of(|| {
        edits.amend(&mut game, |game| {
            _ = game.create_with(Fused(ledger.token(), false))
        })
    });
    assert_eq!(
        (edits.undo_name(&game), edits.redo_name(&game)),
        (Some("first"), None)
    );
    assert!(edits.undo(&mut game));
    assert!(game.is_empty());
}

#[test]
fn a_stack_is_emptied_by_a_clear_that_panics() {
    let (mut game, ledger) = (Game::new(), Ledger::default());
    let (mut edits, _) = undone(&mut game, &ledger);
    panic_of(|| edits.redo(&mut game)); // drops a copy of the value
    assert_eq!(edits.undo_name(&game), Some("second"));
    edits.step(&mut game, "third", |game| {
        game.create_with(Fused(ledger.token(), false)).id()
    });
    assert!(edits.undo(&mut game) && edits.redo_name(&game) == Some("third"));
    panic_of(|| edits.clear());
    assert_eq!(
        (edits.undo_name(&game), edits.redo_name(&game)),
        (None, None)
    );
    panic_of(|| drop(game)); // the value of the second step
}
