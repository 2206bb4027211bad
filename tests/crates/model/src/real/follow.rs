//! Inboxes, lists of removed values, indexes and feeds, as programs use them.

use ecs::prelude::*;

use super::mirrored::Follower;
use super::{Hand, Shared};
use crate::faults::user_code;
use crate::game::{A, Game, GameEntity, Id};
use crate::op::Op;

/// What the key function of an index says of a number.
fn key(number: u8) -> u8 {
    number % 3
}

/// The place of one of a list, if there is any.
fn place<T>(list: &[Option<T>], n: u8) -> Option<usize> {
    usize::from(n).checked_rem(list.len())
}

/// Takes the handle with this number away; it is dropped when nothing is locked.
fn take<T>(shared: &Shared, n: u8, list: fn(&mut Hand) -> &mut Vec<Option<T>>) -> Option<T> {
    let mut hand = shared.hand();
    let list = list(&mut hand);
    place(list, n).and_then(|at| list[at].take())
}

pub(super) fn run_following(game: &mut Game, shared: &Shared, op: &Op) {
    match *op {
        Op::DropCollector(n) => drop(take(shared, n, |hand| &mut hand.collectors)),
        Op::MakeInbox => {
            let inbox = game.inbox::<u8>();
            shared.hand().inboxes.push(Some(inbox));
        }
        Op::Send(message) => game.send(message),
        Op::DrainInbox(n) => drain_inbox(game, shared, n),
        Op::DropInbox(n) => drop(take(shared, n, |hand| &mut hand.inboxes)),
        Op::MakeRemoved => {
            let removed = game.removed_values::<A>();
            shared.hand().removed.push(Some(removed));
        }
        Op::DrainRemoved(n) => drain_removed(game, shared, n),
        Op::DropRemoved(n) => drop(take(shared, n, |hand| &mut hand.removed)),
        Op::MakeIndex => {
            shared.hand().followed = true;
            let index = game.entity_index(Game::all_of::<A>(), |entity| {
                user_code();
                key(entity.a().0.get())
            });
            shared.hand().indexes.push(Some(index));
        }
        Op::DropIndex(n) => drop(take(shared, n, |hand| &mut hand.indexes)),
        _ => run_feed(game, shared, op),
    }
}

fn run_feed(game: &mut Game, shared: &Shared, op: &Op) {
    match *op {
        Op::MakeFeed => {
            let feed = Follower::new(game);
            let mut hand = shared.hand();
            hand.feeds.push(Some(feed));
            hand.followed = true;
        }
        Op::TakeFeed(n) => {
            if let Some(mut follower) = take(shared, n, |hand| &mut hand.feeds) {
                follower.follow(game);
                let mut hand = shared.hand();
                let at = place(&hand.feeds, n).expect("it comes from there");
                hand.feeds[at] = Some(follower);
            }
        }
        Op::DropFeed(n) => drop(take(shared, n, |hand| &mut hand.feeds)),
        _ => unreachable!("run by `run`"),
    }
}

fn drain_inbox(game: &mut Game, shared: &Shared, n: u8) {
    let read = {
        let hand = shared.hand();
        let inbox = place(&hand.inboxes, n).and_then(|at| hand.inboxes[at].as_ref());
        inbox.map(|inbox| {
            assert_eq!(inbox.is_empty(game), inbox.len(game) == 0);
            inbox.drain(game).into_iter().copied().collect::<Vec<_>>()
        })
    };
    shared.answer(format!("{read:?}"));
}

fn drain_removed(game: &mut Game, shared: &Shared, n: u8) {
    let values = {
        let hand = shared.hand();
        let removed = place(&hand.removed, n).and_then(|at| hand.removed[at].as_ref());
        removed.map(|removed| removed.drain(game))
    };
    let values = values.into_iter().flatten();
    let values: Vec<String> = values
        .map(|(id, a)| format!("{id} {}", a.0.get()))
        .collect();
    shared.answer(values.join(", "));
}

/// All indexes by key function say what a look at every entity says.
pub(super) fn check_indexes(game: &Game, shared: &Shared) {
    for index in shared.hand().indexes.iter().flatten() {
        let mut count = 0;
        for wanted in 0..3 {
            let mut found = index.get(game, &wanted).ids();
            found.sort_unstable();
            let has =
                |entity: &GameEntity<'_>| entity.get_a().is_some_and(|a| key(a.0.get()) == wanted);
            let expected: Vec<Id> = game.entities().filter(has).map(|e| e.id()).collect();
            assert_eq!(found, expected, "key {wanted}");
            count += found.len();
        }
        assert_eq!(index.matcher(game), &Game::all_of::<A>());
        assert!(index.keys(game).count() <= count, "keys of nobody");
    }
}
