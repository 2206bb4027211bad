//! Programs of the model run by the library, logged in the words of the oracle.

mod bulk;
mod copying;
mod create;
mod each_change;
mod entity;
mod follow;
mod listening;
mod mirrored;
mod names;
mod observe;
mod query;
mod saved;
mod step;
mod systems;
mod trees;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::prelude::*;
use ecs::{Inbox, RemovedValues, Snapshot, Template, UndoStack};

use support::attempt;

use self::each_change::Guarded;
use self::follow::{Finder, run_following};
use self::listening::switch_events;
use self::mirrored::Subscriber;
use self::names::{names, present};
use self::step::run;
use self::systems::{Reacting, restart};
use crate::check::check_invariants;
use crate::faults::{disarm, with_fault};
use crate::game::{A, B, C, Game, Id, groups, watch_terms};
use crate::op::{Op, Switch};
use crate::play::{BUDGET, Player, count, order};

/// The handles of a program, shared with its observers.
#[derive(Default)]
pub(crate) struct Hand {
    log: Vec<String>,
    pub(crate) known: Vec<Id>,
    pub(crate) collectors: Vec<Option<Collector<Game>>>,
    pub(crate) subscriptions: Vec<Subscription>,
    /// The listeners to events among them.
    pub(crate) listeners: Vec<Subscription>,
    pub(crate) guards: Vec<Option<Guarded>>,
    /// The number of listeners to events so far.
    pub(crate) listened: usize,
    /// The entities with their own listeners or observers, in the order of these.
    listened_to: Vec<Id>,
    pub(crate) inboxes: Vec<Option<Inbox<Game, u8>>>,
    pub(crate) removed: Vec<Option<RemovedValues<Game, A>>>,
    pub(crate) systems: Vec<Option<Reacting>>,
    pub(crate) templates: Vec<Template<Game>>,
    indexes: Vec<Option<Finder>>,
    feeds: Vec<Option<Subscriber>>,
    /// Whether a feed was created, so that untracked writes are not allowed.
    pub(crate) followed: bool,
    budget: usize,
    /// Whether entities were moved, so that their order in groups is undefined.
    pub(crate) moved: bool,
    /// How often they may have been moved.
    moves: usize,
    /// Whether cleanup is running, during which no entity is moved: the order of the remaining
    /// entities would be undefined.
    pub(crate) cleaning: bool,
    /// Whether blocks were freed.
    pub(crate) shrunk: bool,
    /// Selects the next of two calls that must have the same result.
    turns: usize,
}

impl Hand {
    /// Whether the number of pooled values is undefined: at most the number of rows.
    fn has_open_pools(&self) -> bool {
        self.moved || self.shrunk
    }
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Hand>>);

impl Shared {
    fn hand(&self) -> MutexGuard<'_, Hand> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A weak reference for values that the handles own.
    fn downgrade(&self) -> impl Fn() -> Self + Send + Sync + use<> {
        let hand = Arc::downgrade(&self.0);
        move || Self(hand.upgrade().expect("the program runs"))
    }

    fn note(&self, line: impl Into<String>) {
        self.hand().log.push(line.into());
    }

    fn answer(&self, answer: impl Into<String>) {
        self.note(format!("= {}", answer.into()));
    }

    /// Whether to use the second of two calls that must have the same result.
    fn is_second_turn(&self) -> bool {
        self.turn().is_multiple_of(2)
    }

    /// A number to choose by among several calls that must have the same result.
    fn turn(&self) -> usize {
        let turns = &mut self.hand().turns;
        *turns += 1;
        *turns
    }

    /// Logs the order in which entities are visited, if it is undefined.
    fn note_order(&self, ids: impl FnOnce() -> Vec<Id>) {
        if self.hand().moved {
            self.note(order(&names(&ids())));
        }
    }

    fn template(&self, n: u8) -> Option<Template<Game>> {
        let templates = &self.hand().templates;
        templates
            .get(usize::from(n).checked_rem(templates.len())?)
            .cloned()
    }
}

/// The library.
pub struct Real {
    pub game: Game,
    shared: Shared,
    edits: UndoStack<Game>,
    /// Whether the invariants are checked after each step.
    is_checked: bool,
}

impl Default for Real {
    fn default() -> Self {
        let mut game = Game::default();
        game.events().warn_of_undelivered(false); // programs may stop at any time
        Self {
            game,
            shared: Shared::default(),
            edits: UndoStack::all().without::<B>().at_most(8),
            is_checked: true,
        }
    }
}

impl Real {
    /// The library, with groups with terms over relations beside those of the program.
    #[must_use]
    pub fn with_terms() -> Self {
        let mut real = Self::default();
        watch_terms(&mut real.game);
        real
    }
}

impl Player for Real {
    fn play(&mut self, op: &Op) -> Vec<String> {
        self.shared.hand().budget = BUDGET;
        match op {
            Op::Panicking(at, script) => self.run_panicking(*at, script),
            Op::Edit(..) | Op::Undo | Op::Redo => self.run_edit(op),
            op => run(&mut self.game, &self.shared, op, None),
        }
        if self.is_checked {
            self.check();
        }
        std::mem::take(&mut self.shared.hand().log)
    }

    fn state(&self) -> Vec<String> {
        let game = &self.game;
        let pooled = game.storage().pooled::<C>();
        let mut state = vec![count(
            game.len(),
            game.storage().reusable_entities(),
            (!self.shared.hand().has_open_pools()).then_some(pooled),
        )];
        let line = |id| format!("{id}: {}", present(game, id));
        state.extend(game.entities().map(|entity| line(entity.id())));
        for (at, group) in groups(game).into_iter().enumerate() {
            state.push(format!("group {at}: {}", names(&self.members(group))));
        }
        for (at, collector) in self.shared.hand().collectors.iter().enumerate() {
            if let Some(collector) = collector {
                let (active, ids) = (collector.is_active(game), names(collector.ids(game)));
                state.push(format!("collector {at} {active}: {ids}"));
            }
        }
        state
    }
}

impl Real {
    /// Runs an operation in which user code may panic. After a panic it is unknown which part was
    /// done, so all pending notifications are discarded.
    fn run_panicking(&mut self, at: u8, script: &[Op]) {
        let panicked = attempt(|| {
            let run_all = || {
                script
                    .iter()
                    .for_each(|op| run(&mut self.game, &self.shared, op, None))
            };
            with_fault(at, run_all);
        });
        disarm();
        if panicked.is_some() {
            self.shared.hand().log = vec![format!("panicked: {}", panicked.unwrap_or_default())];
            self.shared.hand().cleaning = false;
            self.game.observers().clear();
            let inboxes = self.shared.hand().inboxes.len();
            for number in 0..inboxes {
                run_following(&mut self.game, &self.shared, &Op::DrainInbox(number as u8));
            }
            let removed = self.shared.hand().removed.len();
            for number in 0..removed {
                let op = Op::DrainRemoved(number as u8);
                run_following(&mut self.game, &self.shared, &op);
            }
            restart(&mut self.game, &self.shared);
            for switch in [Switch::Release, Switch::Activate] {
                switch_events(&mut self.game, switch);
            }
            self.shared.hand().log.truncate(1);
        }
    }

    /// Runs an operation on the undo stack.
    fn run_edit(&mut self, op: &Op) {
        let Self {
            game,
            shared,
            edits,
            ..
        } = self;
        let (undo_name, redo_name) = (edits.undo_name(game), edits.redo_name(game));
        let is_known = |name: Option<&str>| name.is_none_or(|name| name == "edit");
        assert!(is_known(undo_name) && is_known(redo_name));
        match op {
            Op::Edit(script, amends) => {
                let change = |game: &mut Game| {
                    let ops = script.iter();
                    ops.for_each(|op| run(game, shared, op, None));
                };
                match amends {
                    true => edits.amend(game, change),
                    false => edits.step(game, "edit", change),
                }
            }
            Op::Undo => shared.answer(format!("{:?}", edits.try_undo(game))),
            _ => shared.answer(format!("{:?}", edits.try_redo(game))),
        }
    }

    /// Calls `act` with the handles of the program and the context.
    pub(crate) fn with_hand(&mut self, act: impl FnOnce(&mut Hand, &Game)) {
        act(&mut self.shared.hand(), &self.game);
    }

    /// Creates one that is checked on request only, because a check takes long with many entities.
    #[must_use]
    pub fn unchecked() -> Self {
        Self {
            is_checked: false,
            ..Self::default()
        }
    }

    /// Drops everything a program has created except entities and groups, so that another program
    /// can run in the same context.
    pub fn end_program(&mut self) {
        self.game.observers().clear();
        switch_events(&mut self.game, Switch::Release);
        switch_events(&mut self.game, Switch::Activate);
        let known = self.game.entities().map(|entity| entity.id()).collect();
        let next = Hand {
            known,
            ..Hand::default()
        };
        let ended = std::mem::replace(&mut *self.shared.hand(), next);
        drop(ended); // while nothing is locked
    }

    /// Checks the invariants, if that is not done after each step.
    pub(crate) fn check_if_unchecked(&self) {
        if !self.is_checked {
            self.check();
        }
    }

    /// Checks the invariants.
    pub fn check(&self) {
        check_invariants(&self.game);
        follow::check_finders(&self.game, &self.shared);
    }

    /// The rows, in the order of iteration.
    #[must_use]
    pub fn rows(&self) -> Vec<Id> {
        self.game.query::<Id>().iter().collect()
    }

    /// Whether user code panicked in the latest operation.
    #[must_use]
    pub fn has_panicked(log: &[String]) -> bool {
        log.first().is_some_and(|line| line.starts_with("panicked"))
    }

    /// The number of entities so far, and whether they were moved.
    pub fn known(&self) -> (usize, bool) {
        let hand = self.shared.hand();
        (hand.known.len(), hand.moved)
    }

    /// The entities with their own listeners, once per listener, in the order of the listeners.
    pub fn listened_to(&self) -> Vec<Id> {
        self.shared.hand().listened_to.clone()
    }

    /// Makes the number of pooled values undefined.
    pub(crate) fn open_pools(&self, are_open: bool) {
        self.shared.hand().shrunk |= are_open;
    }

    /// Clears the log.
    pub fn forget_log(&self) {
        self.shared.hand().log.clear();
    }

    /// Resets the known entities and whether they were moved to an earlier [`known`](Self::known).
    pub fn forget_known(&self, (known, moved): (usize, bool)) {
        let mut hand = self.shared.hand();
        hand.known.truncate(known);
        hand.moved = moved;
    }

    /// Whether entities were moved.
    pub fn is_moved(&self) -> bool {
        self.shared.hand().moved
    }

    /// How often entities may have been moved.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.shared.hand().moves
    }

    /// Sets whether entities count as moved.
    pub fn set_moved(&self, moved: bool) {
        self.shared.hand().moved = moved;
    }

    /// Creates one with a copy of the context and the ids, but without other handles.
    pub fn copy(&mut self) -> Self {
        let snapshot = Snapshot::builder().without::<B>();
        let snapshot = snapshot.snapshot(&mut self.game);
        let mut copy = Game::new();
        copy.restore(&snapshot);
        self.with(copy)
    }

    /// Creates one with another context that has the same entities.
    #[must_use]
    pub fn with(&self, game: Game) -> Self {
        let copy = Self {
            game,
            ..Self::default()
        };
        copy.shared.hand().known = self.shared.hand().known.clone();
        copy.set_moved(self.is_moved());
        copy
    }

    /// The members of a group, in order of index unless they were moved.
    fn members(&self, group: Group<Game>) -> Vec<Id> {
        let mut ids = group.ids(&self.game);
        assert_eq!(ids.len(), group.len(&self.game));
        if self.shared.hand().moved {
            ids.sort_unstable();
        }
        ids
    }
}
