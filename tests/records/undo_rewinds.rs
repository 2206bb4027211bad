//! Undo steps in a context that is rewound, restored or copied.

use ecs::prelude::*;

use support::game::{Game, Health};
use support::panic_of;

use crate::undo::{all, health};

#[test]
fn a_rewind_or_restore_discards_the_steps_that_it_takes_back() {
    for restores in [false, true] {
        let mut game = Game::new();
        let id = game.create_with(Health(0)).id();
        let mut edits = all();
        let mut set = |game: &mut Game, to| {
            edits.step(game, "Set", |game| {
                _ = game.entity_mut(id).replace_health(to)
            });
        };
        set(&mut game, 1);
        let snapshot = game.snapshot();
        let history = game.record();
        let mark = history.mark(&mut game);
        let other = game.create_entity().id(); // the game is played
        set(&mut game, 2);
        match restores {
            true => {
                history.release(&mut game);
                game.restore(&snapshot);
            }
            false => _ = history.rewind(&mut game, mark),
        }
        assert_eq!(game.create_entity().id(), other); // its id is given again
        assert_eq!(edits.try_redo(&mut game), Ok(false));
        assert_eq!(edits.try_undo(&mut game), Ok(true));
        assert_eq!(health(&game, id), Some(0));
        assert!(game.contains(other));
        assert_eq!(edits.try_undo(&mut game), Ok(false));
        assert!(edits.redo(&mut game));
        assert_eq!(health(&game, id), Some(1));
    }
}

#[test]
fn a_step_that_a_rewind_takes_back_does_not_destroy_what_came_since() {
    let mut game = Game::new();
    let history = game.record();
    let start = history.mark(&mut game);
    let mut edits = all();
    let placed = edits.step(&mut game, "Place", |game| game.create_with(Health(1)).id());
    history.rewind(&mut game, start);
    assert_eq!(game.create_with(Health(7)).id(), placed); // another one
    assert_eq!(edits.try_undo(&mut game), Ok(false));
    assert_eq!(health(&game, placed), Some(7));
}

#[test]
fn a_state_of_no_step_is_an_error_until_the_next_step() {
    type Case = fn(&mut Game);
    const CASES: [Case; 2] = [|game| game.reset(), |game| *game = Game::new()];
    for case in CASES {
        let mut game = Game::new();
        let mut edits = all();
        edits.step(&mut game, "Place", |game| _ = game.create_with(Health(1)));
        case(&mut game);
        assert_eq!(edits.undo_name(&game), None);
        let before = game.len();
        for redoes in [false, true] {
            let tried = match redoes {
                true => edits.try_redo(&mut game),
                false => edits.try_undo(&mut game),
            };
            assert_eq!(tried.unwrap_err().kind(), ErrorKind::UnknownState);
        }
        assert_eq!(
            panic_of(|| edits.undo(&mut game)),
            "cannot undo a step of context `Game`: the stack does not know its state; call `clear` of the \
             stack after a load, a reset, or a rewind to before an entity got a new id by undo or redo"
        );
        assert_eq!(game.len(), before);
        edits.step(&mut game, "Again", |game| _ = game.create_with(Health(2)));
        assert!(edits.undo(&mut game) && !edits.undo(&mut game) && edits.redo(&mut game));
        assert_eq!(game.len(), before + 1);
    }
}

/// Rewinds and restores over steps, undo and redo, which are undone by the steps before.
#[test]
fn steps_before_a_rewind_or_restore_can_be_undone_whatever_came_since() {
    const SINCE: [&str; 8] = ["B", "u", "Bu", "BuB", "Bur", "uB", "ua", "Buua"];
    for since in SINCE {
        for rewinds in [false, true] {
            let mut game = Game::new();
            let mut edits = all();
            let build = |game: &mut Game, edits: &mut UndoStack<Game>, name: &'static str| {
                edits.step(game, name, |game| game.create_with(Health(1)).id())
            };
            let first = build(&mut game, &mut edits, "First");
            let second = build(&mut game, &mut edits, "Second");
            let snapshot = game.snapshot();
            let history = rewinds.then(|| game.record());
            let mark = history.as_ref().map(|history| history.mark(&mut game));
            for step in since.chars() {
                match step {
                    'B' => _ = build(&mut game, &mut edits, "Later"),
                    'u' => _ = edits.undo(&mut game),
                    'r' => _ = edits.redo(&mut game),
                    _ => edits.amend(&mut game, |game| _ = game.create_with(Health(2))),
                }
            }
            match (&history, mark) {
                (Some(history), Some(mark)) => _ = history.rewind(&mut game, mark),
                _ => game.restore(&snapshot),
            }
            assert_eq!(game.len(), 2);
            let is_kept = !since.contains("uB") || since.starts_with('B');
            let is_first_kept = !since.contains("ua"); // it has other changes then
            let is_kept = is_kept && is_first_kept;
            let names = [(is_kept, "Second"), (is_first_kept, "First")];
            for (_, name) in names.iter().filter(|(is_kept, _)| *is_kept) {
                let undone = (edits.undo_name(&game), edits.redo_name(&game));
                let redone = ["Second"].into_iter().find(|it| it != name && is_kept);
                assert_eq!(undone, (Some(*name), redone), "{since}, {rewinds}");
                assert_eq!(edits.try_undo(&mut game), Ok(true), "{since}, {rewinds}");
            }
            assert_eq!(game.contains(second), !is_kept, "{since}, {rewinds}");
            assert_eq!(game.contains(first), !is_first_kept, "{since}, {rewinds}");
            assert_eq!(edits.try_undo(&mut game), Ok(false));
            assert_eq!(edits.undo_name(&game), None);
            game.storage().check_invariants();
        }
    }
}

#[test]
fn a_rewind_to_before_an_entity_got_a_new_id_is_an_error() {
    let mut game = Game::new();
    let id = game.create_with(Health(1)).id();
    let mut edits = all();
    edits.step(&mut game, "Destroy", |game| game.destroy(id));
    let history = game.record();
    let destroyed = history.mark(&mut game);
    let other = game.create_entity().id();
    assert_eq!(other.index(), id.index());
    assert!(edits.undo(&mut game)); // under another id
    history.rewind(&mut game, destroyed);
    let tried = edits.try_undo(&mut game).unwrap_err();
    assert_eq!(tried.kind(), ErrorKind::UnknownState);
    edits.clear();
    assert_eq!(edits.try_undo(&mut game), Ok(false));
}

#[test]
fn a_fork_can_be_edited_on_with_the_stack() {
    let mut game = Game::new();
    let mut edits = all();
    edits.step(&mut game, "Place", |game| _ = game.create_with(Health(1)));
    let mut fork = game.fork();
    drop(game);
    assert!(edits.undo(&mut fork) && fork.is_empty());
}
