//! Inboxes, lists of removed values, indexes and feeds.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::{Grid, IndexHandle, Messages, Ordered};

use super::mirrored::Subscriber;
use super::{Hand, Shared};
use crate::faults::user_code;
use crate::game::{A, C, D, Game, GameEntity, Id, N};
use crate::op::{Keyed, Op, Switch};

/// An index with its key function.
pub(super) enum Finder {
    Keys(Keyed, EntityIndex<Game, u8>),
    Structures(
        IndexHandle<Game, Ordered<Game, u8>>,
        IndexHandle<Game, Grid<Game, 2>>,
    ),
}

/// The place of an entity with `A`.
fn place_of(entity: GameEntity<'_>) -> [f32; 2] {
    let a = entity.get::<A>().map_or(0, |a| a.0.get());
    [f32::from(a), f32::from(a % 5)]
}

impl Finder {
    fn new(game: &mut Game, keyed: Keyed) -> Self {
        let key = move |entity: GameEntity<'_>| {
            user_code();
            keyed.keys(entity).swap_remove(0)
        };
        let index = match keyed {
            Keyed::ByA | Keyed::ByBoth => game.entity_index(keyed.matcher(), key),
            Keyed::ByEach => EntityIndex::with_keys(game, keyed.matcher(), move |entity| {
                user_code();
                keyed.keys(entity)
            }),
            Keyed::InOrder => {
                let ordered = game.index_with(keyed.matcher(), key, Ordered::new());
                let place = |entity: GameEntity<'_>| {
                    user_code();
                    place_of(entity)
                };
                let grid = game.index_with(keyed.matcher(), place, Grid::new(2.0));
                return Self::Structures(ordered, grid);
            }
        };
        Self::Keys(keyed, index)
    }

    fn set_active(&self, game: &mut Game, active: bool) {
        match self {
            Self::Keys(_, index) if active => index.activate(game),
            Self::Keys(_, index) => index.deactivate(game),
            Self::Structures(ordered, grid) => {
                ordered.refresh(game);
                grid.refresh(game);
            }
        }
    }

    /// Checks the index against every entity.
    fn check(&self, game: &Game) {
        match self {
            Self::Keys(keyed, index) => check_keys(game, *keyed, index),
            Self::Structures(ordered, grid) => {
                // Not after a panic in their key functions.
                if ordered.is_current(game) {
                    check_ordered(game, ordered.get(game));
                }
                if grid.is_current(game) {
                    check_grid(game, grid.get(game));
                }
            }
        }
    }
}

fn check_keys(game: &Game, keyed: Keyed, index: &EntityIndex<Game, u8>) {
    let mut expected: BTreeMap<u8, Vec<Id>> = BTreeMap::new();
    let matching = game.entities().filter(|it| keyed.matches(*it));
    for entity in matching.filter(|_| index.is_active(game)) {
        let mut keys = keyed.keys(entity);
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            expected.entry(key).or_default().push(entity.id());
        }
    }
    expected.values_mut().for_each(|ids| ids.sort_unstable());
    for key in 0..16 {
        let found = index.get(game, &key).ids();
        assert_eq!(
            found,
            expected.remove(&key).unwrap_or_default(),
            "key {key}"
        );
        assert_eq!(index.contains(game, &key), !found.is_empty());
    }
    assert_eq!(index.matcher(game), &keyed.matcher());
}

fn check_ordered(game: &Game, ordered: &Ordered<Game, u8>) {
    let matching = game.entities().filter(|it| it.has::<A>());
    let mut expected: Vec<_> = matching
        .map(|it| (Keyed::InOrder.keys(it)[0], it.id()))
        .collect();
    expected.sort_unstable();
    assert!(ordered.iter().map(|(key, id)| (*key, id)).eq(expected));
}

fn check_grid(game: &Game, grid: &Grid<Game, 2>) {
    let matching = game.entities().filter(|it| it.has::<A>());
    let mut expected: Vec<_> = matching.map(|it| (it.id(), place_of(it))).collect();
    expected.sort_unstable_by_key(|(id, _)| *id);
    let mut found: Vec<_> = grid.iter().collect();
    found.sort_unstable_by_key(|(id, _)| *id);
    assert_eq!(found, expected);
}

impl Keyed {
    fn matcher(self) -> Matcher<Game> {
        match self {
            Self::ByA | Self::InOrder => Game::all_of::<A>(),
            Self::ByBoth => Game::all_of::<(A, N)>().none_of::<D>(),
            Self::ByEach => Game::any_of::<(A, C, N)>(),
        }
    }

    fn matches(self, entity: GameEntity<'_>) -> bool {
        match self {
            Self::ByA | Self::InOrder => entity.has::<A>(),
            Self::ByBoth => entity.has_all::<(A, N)>() && !entity.has::<D>(),
            Self::ByEach => entity.has_any::<(A, C, N)>(),
        }
    }

    /// The keys of an entity that matches, below 16; perhaps one of them twice.
    fn keys(self, entity: GameEntity<'_>) -> Vec<u8> {
        let a = entity.get::<A>().map(|a| a.0.get());
        let n = || entity.get::<N>().map(|n| n.0); // only matchers with `N` may read it
        match self {
            Self::ByA => a.map(|a| a % 3).into_iter().collect(),
            Self::InOrder => a.into_iter().collect(),
            Self::ByBoth => a
                .zip(n())
                .map(|(a, n)| a % 4 * 4 + n % 4)
                .into_iter()
                .collect(),
            Self::ByEach => {
                let c = entity.get::<C>().map(|c| c.0.get());
                [a, c, n()]
                    .into_iter()
                    .flatten()
                    .map(|key| key % 16)
                    .collect()
            }
        }
    }
}

/// The position of an element of a list, unless it is empty.
fn place<T>(list: &[Option<T>], n: u8) -> Option<usize> {
    usize::from(n).checked_rem(list.len())
}

/// Takes the handle with this number, to be dropped when nothing is locked.
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
        Op::ClearInbox(n) => {
            let inboxes = &shared.hand().inboxes;
            if let Some(inbox) = place(inboxes, n).and_then(|at| inboxes[at].as_ref()) {
                inbox.clear(game);
            }
        }
        Op::DropInbox(n) => drop(take(shared, n, |hand| &mut hand.inboxes)),
        Op::MakeRemoved => {
            let removed = game.removed_values::<A>();
            shared.hand().removed.push(Some(removed));
        }
        Op::DrainRemoved(n) => drain_removed(game, shared, n),
        Op::SwitchRemoved(n, switch) => switch_removed(game, shared, n, switch),
        Op::DropRemoved(n) => drop(take(shared, n, |hand| &mut hand.removed)),
        Op::MakeIndex(keyed) => {
            shared.hand().followed = true;
            let index = Finder::new(game, keyed);
            shared.hand().indexes.push(Some(index));
        }
        Op::SwitchIndex(n, active) => switch_index(game, shared, n, active),
        Op::DropIndex(n) => drop(take(shared, n, |hand| &mut hand.indexes)),
        _ => run_feed(game, shared, op),
    }
}

fn run_feed(game: &mut Game, shared: &Shared, op: &Op) {
    match *op {
        Op::MakeFeed(near) => {
            shared.hand().followed = true;
            let feed = Subscriber::new(game, near);
            shared.hand().feeds.push(Some(feed));
        }
        Op::TakeFeed(n, everything) => {
            if let Some(mut subscriber) = take(shared, n, |hand| &mut hand.feeds) {
                subscriber.follow(game, everything);
                let mut hand = shared.hand();
                let at = place(&hand.feeds, n).expect("it comes from there");
                hand.feeds[at] = Some(subscriber);
            }
        }
        Op::DropFeed(n) => drop(take(shared, n, |hand| &mut hand.feeds)),
        _ => unreachable!("run by `run`"),
    }
}

fn drain_inbox(game: &mut Game, shared: &Shared, n: u8) {
    let is_second = shared.is_second_turn();
    let read = {
        let hand = shared.hand();
        let inbox = place(&hand.inboxes, n).and_then(|at| hand.inboxes[at].as_ref());
        inbox.map(|inbox| {
            assert_eq!(inbox.is_empty(game), inbox.len(game) == 0);
            let mut messages = Messages::default();
            match is_second {
                true => inbox.drain_into(game, &mut messages),
                false => messages = inbox.drain(game),
            }
            messages.into_iter().collect::<Vec<_>>()
        })
    };
    shared.answer(format!("{read:?}"));
}

fn drain_removed(game: &mut Game, shared: &Shared, n: u8) {
    let is_second = shared.is_second_turn();
    let values = {
        let hand = shared.hand();
        let removed = place(&hand.removed, n).and_then(|at| hand.removed[at].as_ref());
        removed.map(|removed| {
            let mut values = Vec::new();
            match is_second {
                true => removed.drain_into(game, &mut values),
                false => values = removed.drain(game),
            }
            values
        })
    };
    let values = values.into_iter().flatten();
    let values: Vec<String> = values
        .map(|(id, a)| format!("{id} {}", a.0.get()))
        .collect();
    shared.answer(values.join(", "));
}

fn switch_removed(game: &mut Game, shared: &Shared, n: u8, switch: Switch) {
    if let Switch::Release = switch {
        if let Some(removed) = take(shared, n, |hand| &mut hand.removed) {
            removed.release(game);
        }
        return;
    }
    let removed = &shared.hand().removed;
    if let Some(removed) = place(removed, n).and_then(|at| removed[at].as_ref()) {
        match switch {
            Switch::Activate => removed.activate(game),
            Switch::Deactivate => removed.deactivate(game),
            _ => removed.clear(game),
        }
    }
}

/// Takes the index out of the list meanwhile, because its key function is user code.
fn switch_index(game: &mut Game, shared: &Shared, n: u8, active: bool) {
    let Some(finder) = take(shared, n, |hand| &mut hand.indexes) else {
        return;
    };
    finder.set_active(game, active);
    let mut hand = shared.hand();
    let at = place(&hand.indexes, n).expect("it comes from there");
    hand.indexes[at] = Some(finder);
}

/// Checks all indexes by key function against every entity.
pub(super) fn check_finders(game: &Game, shared: &Shared) {
    let hand = shared.hand();
    hand.indexes
        .iter()
        .flatten()
        .for_each(|one| one.check(game));
}
