//! F01: panicking drops in lists of removed values, inboxes, templates, deltas and feeds.

use ecs::RemovedValues;
use ecs::prelude::*;
use support::{attempt, panic_of};

use crate::game::{Alpha, Fused, Game, Ledger, Value, assert_sound};

type Lost = RemovedValues<Game, Fused>;

/// Which of three entities have copies that panic.
const ARMED: [[bool; 3]; 6] = [
    [true, false, false],
    [false, true, false],
    [false, false, true],
    [true, true, false],
    [true, false, true],
    [true; 3],
];

/// Creates entities whose values drop normally and whose copies may panic.
fn create(game: &mut Game, ledger: &Ledger, armed: [bool; 3]) -> Vec<EntityId<Game>> {
    game.create_many(armed.map(|armed| Fused(ledger.token(), armed)))
}

/// Checks the invariants, and that `held` values are alive outside of the columns.
#[track_caller]
fn check(game: &Game, ledger: &Ledger, held: usize) {
    game.storage().check_invariants();
    ledger.assert_none_dropped_twice();
    let in_columns = game.query::<&Fused>().iter().count() + game.query::<&Alpha>().iter().count();
    assert_eq!(ledger.alive(), in_columns + held);
}

/// Drops all values of a list, with or without the handle.
type End = fn(&mut Game, &mut Option<Lost>);

const ENDS: [(&str, End); 8] = [
    ("clear", |game, lost| lost.as_ref().unwrap().clear(game)),
    ("drain", |game, lost| {
        drop(lost.as_ref().unwrap().drain(game))
    }),
    ("deactivate", |game, lost| {
        lost.as_ref().unwrap().deactivate(game);
    }),
    ("reset", |game, _| game.reset()),
    ("release", |game, lost| lost.take().unwrap().release(game)),
    ("shrinking", |game, lost| {
        drop(lost.take());
        game.storage_mut().shrink_to_fit();
    }),
    ("the next removal", |game, lost| {
        drop(lost.take());
        let id = game.query::<(EntityId<Game>, &Fused)>().iter().next();
        let id = id.unwrap().0;
        game.entity_mut(id).remove_fused();
    }),
    ("another handle", |game, lost| {
        drop(lost.take());
        drop(game.removed_values::<Value>());
    }),
];

/// F01: collected values panic when they are dropped, in every way in which they can be: all are
/// dropped, and the list collects again or is gone.
#[test]
fn removed_values_whose_drop_panics_are_all_dropped() {
    for (name, end) in ENDS {
        for armed in ARMED {
            let (mut game, ledger) = (Game::new(), Ledger::default());
            let mut lost = Some(game.removed_values::<Fused>());
            let ids = create(&mut game, &ledger, armed);
            create(&mut game, &ledger, [false; 3]);
            game.many(&ids).destroy();
            check(&game, &ledger, 3);
            let text = panic_of(|| end(&mut game, &mut lost));
            assert!(text.ends_with("panics in its drop"), "{name}: {text}");
            check(&game, &ledger, 0);
            if let Some(lost) = lost {
                lost.activate(&mut game);
                game.create_with(Fused(ledger.token(), false)).destroy();
                assert_eq!(lost.len(&game), 1, "{name}");
            }
            assert_sound(game, &ledger);
        }
    }
}

/// F01: a context is dropped with collected values and unread messages.
#[test]
fn a_context_that_holds_removed_values_and_messages_drops_all_of_them() {
    for armed in ARMED {
        let (mut game, ledger) = (Game::new(), Ledger::default());
        let _lost = game.removed_values::<Fused>();
        let _inboxes = [(); 2].map(|()| game.inbox::<Alpha>());
        let ids = create(&mut game, &ledger, armed);
        game.send(Alpha(ledger.bomb()));
        game.send(Alpha(ledger.token()));
        game.many(&ids).destroy();
        game.create_with(Alpha(ledger.bomb()));
        let text = panic_of(|| drop(game));
        assert!(text.ends_with("panics in its drop"), "{text}");
        ledger.assert_all_dropped_once();
    }
}

/// F01: an entity, a list of removed values and an inbox hold a bomb each: each interrupts one
/// reset, and the last reset empties everything.
#[test]
fn a_reset_interrupted_by_drops_can_be_repeated() {
    let (mut game, ledger) = (Game::new(), Ledger::default());
    let (lost, inbox) = (game.removed_values::<Fused>(), game.inbox::<Alpha>());
    let ids = create(&mut game, &ledger, [false, true, false]);
    game.destroy(ids[1]);
    game.send(Alpha(ledger.bomb()));
    game.create_with(Alpha(ledger.bomb()));
    let mut panics = 0;
    while attempt(|| game.reset()).is_some() {
        panics += 1;
        game.storage().check_invariants();
        ledger.assert_none_dropped_twice();
    }
    assert_eq!(panics, 2); // collected values are dropped in one go
    assert!(game.is_empty() && lost.is_empty(&game) && inbox.is_empty(&game));
    check(&game, &ledger, 0);
    assert_eq!(game.create_entity().id().index(), 0);
    assert_sound(game, &ledger);
}

/// F01: a template that is dropped, or loses a value, drops what it must, once.
#[test]
fn a_template_whose_values_panic_drops_all_of_them() {
    type Change = fn(Template<Game>, &Ledger);
    let changes: [Change; 4] = [
        |template, _| drop(template),
        |template, ledger| drop(template.with(Alpha(ledger.token()))),
        |template, _| drop(template.without::<Alpha>()),
        |template, ledger| drop(template.with(Fused(ledger.token(), false))),
    ];
    for change in changes {
        for both in [false, true] {
            let ledger = Ledger::default();
            let fused = if both { ledger.bomb() } else { ledger.token() };
            let template = Template::new().with(Alpha(ledger.bomb()));
            let template = template.with(Value(1)).with(Fused(fused, false));
            panic_of(|| change(template, &ledger));
            ledger.assert_all_dropped_once();
        }
    }
}

/// F01: the clones in a delta panic when it is dropped: the context is unchanged, and all clones
/// are dropped once.
#[test]
fn a_delta_whose_copies_panic_drops_all_of_them() {
    for armed in ARMED {
        let (mut game, ledger) = (Game::new(), Ledger::default());
        let feed = game.feed::<Fused>();
        let ids = create(&mut game, &ledger, armed);
        let delta = feed.take(&mut game);
        check(&game, &ledger, 3);
        panic_of(|| drop(delta));
        check(&game, &ledger, 0);
        assert_eq!(game.group(Game::all_of::<Fused>()).ids(&game), ids);
        game.destroy(ids[0]);
        assert!(feed.take(&mut game).vanished().eq([ids[0]]));
        assert_sound(game, &ledger);
    }
}

/// F01: a value owned by the condition of a feed panics in its drop: the feed is released.
#[test]
fn a_feed_whose_condition_panics_in_its_drop_ends() {
    let (mut game, ledger) = (Game::new(), Ledger::default());
    let bomb = ledger.bomb();
    let feed = game.feed::<Fused>().only(move |_| {
        let _owned = &bomb;
        true
    });
    create(&mut game, &ledger, [false; 3]);
    assert_eq!(feed.take(&mut game).appeared().len(), 3);
    panic_of(|| feed.release(&mut game));
    check(&game, &ledger, 0);
    assert_sound(game, &ledger);
}
