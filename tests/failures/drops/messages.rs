//! F01: messages whose drop panics.

use ecs::{Inbox, Messages, prelude::*};
use support::{attempt, panic_of};

use crate::game::{Game, Ledger, Log, Token, assert_sound};

/// Another receiver next to the inbox.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Beside {
    Nothing,
    Inbox,
    Observer,
}

/// Drops all messages of an inbox, with or without the handle.
type End = fn(&mut Game, &mut Option<Inbox<Game, Token>>);

const ENDS: [(&str, End); 7] = [
    ("drain", |game, inbox| {
        drop(inbox.as_ref().unwrap().drain(game))
    }),
    ("drain into", |game, inbox| {
        let inbox = inbox.as_ref().unwrap();
        let mut messages = inbox.drain(game);
        inbox.drain_into(game, &mut messages);
    }),
    ("clear messages", |game, inbox| {
        let mut messages: Messages<Token> = inbox.as_ref().unwrap().drain(game);
        messages.clear();
    }),
    ("clear", |game, inbox| inbox.as_ref().unwrap().clear(game)),
    ("reset", |game, _| game.reset()),
    ("shrinking", |game, inbox| {
        drop(inbox.take());
        game.storage_mut().shrink_to_fit();
    }),
    ("another inbox", |game, inbox| {
        drop(inbox.take());
        drop(game.inbox::<Token>());
    }),
];

/// Sends three messages, one of which panics in its drop.
fn send_all(game: &mut Game, ledger: &Ledger, bomb: usize) {
    for place in 0..3 {
        game.send(match place == bomb {
            true => ledger.bomb(),
            false => ledger.token(),
        });
    }
}

/// F01: a message panics in its drop, in every way in which an inbox can drop it. All are dropped
/// with their last receiver, and the next message is received.
#[test]
fn messages_whose_drop_panics_are_all_dropped() {
    for (name, end) in ENDS {
        for beside in [Beside::Nothing, Beside::Inbox, Beside::Observer] {
            for bomb in 0..3 {
                let case = format!("{name}, {beside:?}, {bomb}");
                let (mut game, ledger) = (Game::new(), Ledger::default());
                let mut inbox = Some(game.inbox::<Token>());
                let second = (beside == Beside::Inbox).then(|| game.inbox::<Token>());
                if beside == Beside::Observer {
                    game.on_message(|_, _: &Token| {});
                }
                send_all(&mut game, &ledger, bomb);
                let let_go = second.is_none() || name == "reset";
                let notified = attempt(|| end(&mut game, &mut inbox));
                assert_eq!(notified.is_some(), let_go, "{case}: {notified:?}");
                game.storage().check_invariants();
                if let Some(second) = &second {
                    assert_eq!(second.len(&game), if let_go { 0 } else { 3 }, "{case}");
                    assert_eq!(attempt(|| second.clear(&mut game)).is_some(), !let_go);
                }
                assert_eq!(ledger.drops(), [1; 3], "{case}");
                game.send(ledger.token());
                assert!(inbox.is_none_or(|inbox| inbox.drain(&mut game).len() == 1));
                game.observers().clear();
                assert_sound(game, &ledger);
            }
        }
    }
}

/// F01: a message type without readers: messages sent earlier are dropped with the next one, and a
/// panic propagates from the call that dropped the message.
#[test]
fn messages_without_readers_are_all_dropped_even_if_one_panics() {
    let (mut game, ledger) = (Game::new(), Ledger::default());
    drop(game.inbox::<Token>());
    let mut panics = 0;
    for place in 0..200 {
        let is_bomb = place % 2 == 1;
        let message = if is_bomb {
            ledger.bomb()
        } else {
            ledger.token()
        };
        panics += usize::from(attempt(|| game.send(message)).is_some());
        game.storage().check_invariants();
        ledger.assert_none_dropped_twice();
    }
    assert!(panics > 0 && ledger.alive() < 10, "{panics} panics");
    panics += usize::from(attempt(|| game.storage_mut().shrink_to_fit()).is_some());
    assert!(panics > 0);
    assert_sound(game, &ledger);
}

/// F01: a message whose drop panics after all its observers were notified: nothing is stuck, and
/// the next one is notified as usual.
#[test]
fn a_message_that_panics_after_its_observers_leaves_nothing_stuck() {
    let (mut game, ledger, log) = (Game::new(), Ledger::default(), Log::default());
    for name in ["first", "second"] {
        let heard = log.clone();
        game.on_message(move |_, _: &Token| heard.note(name));
    }
    let text = panic_of(|| game.send(ledger.bomb()));
    assert!(text.ends_with("panics in its drop"), "{text}");
    assert_eq!(log.take(), ["first", "second"]);
    game.storage().check_invariants();
    game.send(ledger.token());
    assert_eq!(log.take(), ["first", "second"]);
    assert_sound(game, &ledger);
}
