//! The user's interface to the history of a context: begin it, mark it, rewind and redo.
//!
//! ```text
//! begin.rs        begins a history, with excluded components; `state/recording.rs` records changes
//! checkpoints.rs  marks, and forgetting what came before one
//! mark.rs         the handle of a mark
//! as_of.rs        reads the state as of a mark
//! rewind.rs       seeks to a mark, in either direction
//! change.rs       recorded changes, for users
//! cause.rs        finds the change that caused another one
//! ```

pub(crate) mod as_of;
pub(crate) mod begin;
mod cause;
pub(crate) mod change;
pub(super) mod checkpoints;
mod mark;
mod rewind;

use core::fmt;
use core::marker::PhantomData;

pub use self::mark::Mark;
use super::checksum::record_checksum;
use crate::reactions::handle::Watched;
use crate::state::core::{HasCore, check_own};
use crate::state::recording::end;
use crate::storage::past::Direction;
use crate::words::atomic::{AtomicU64, Ordering};
use crate::words::error::{Error, expect};
use crate::words::history_error::HistoryError;

/// Records every change of a context, so that it can be undone and redone.
///
/// Created by [`Context::record`](crate::Context::record). [`mark`](Self::mark) names the present
/// state; [`rewind`](Self::rewind) returns to it, and [`forward`](Self::forward) redoes what was
/// undone, until something else changes.
///
/// A rewind restores everything observable: entities with their ids, values, members and order of
/// groups, unique owners, indexes, links of relations, and the contents of collectors, inboxes and
/// lists of removed values. A destroyed entity is alive again under its id, and the next entity to
/// be created gets the same id as the first time. So a simulation that is rewound and run again
/// with the same inputs gives the same results, bit for bit. State outside of the context, such as
/// fields of systems, is not rewound: keep it in components instead. Listeners to the events of one
/// entity are removed when it is destroyed, and are not restored.
///
/// Rewinding and redoing notify no observer. The changes are collected only by collectors and
/// reactive systems whose trigger is [`with_rewinds`](crate::Trigger::with_rewinds): see [who is
/// notified](crate::guide::undo_and_rollback#who-is-notified).
///
/// The cost scales with the number of changes, not entities: recording one takes a few nanoseconds,
/// and undoing it hardly more. A context without a history pays nothing. While one is active, bulk
/// changes are made one by one, [`defragment`](crate::Context::defragment) is rejected (incremental
/// moves are recorded), *untracked* writes are rejected, and [`reset`](crate::Context::reset)
/// clears the history. Memory grows with each change until [`forget_before`](Self::forget_before).
///
/// A previous value that observers are notified of, or that [`take`](crate::EntityMut::take)
/// returns, is cloned. If its `Clone` panics, the change is made and recorded with the value itself,
/// and its observers are not notified; `take` clones first, so nothing has changed.
///
/// A history is a handle of the context that created it: every method takes that context, and
/// panics if given another one. Dropping the handle ends the recording.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let hero = game.create_with(Health(3)).id();
/// let history = game.record();
///
/// let start = history.mark(&mut game);
/// game.entity_mut(hero).replace_health(2);
/// let ghost = game.create_entity().id();
/// game.destroy(hero);
///
/// let end = history.mark(&mut game);
/// history.rewind(&mut game, start);
/// assert_eq!(game.entity(hero).health().0, 3);
/// assert!(!game.contains(ghost));
///
/// history.forward(&mut game, end);
/// assert!(!game.contains(hero) && game.contains(ghost));
/// ```
#[must_use = "a history that is dropped records nothing"]
pub struct History<C> {
    instance: u64,
    /// Distinguishes this history from all others, so that it rejects their marks.
    serial: u64,
    _watched: Watched,
    context: PhantomData<fn() -> C>,
}

impl<C> History<C> {
    fn new(instance: u64, watched: Watched) -> Self {
        static HISTORIES: AtomicU64 = AtomicU64::new(0); // 64 bits never wrap around
        Self {
            instance,
            serial: HISTORIES.fetch_add(1, Ordering::Relaxed),
            _watched: watched,
            context: PhantomData,
        }
    }
}

impl<C: HasCore> History<C> {
    /// Marks the present state.
    ///
    /// Complexity: linear in the contents of collectors, inboxes and lists of removed values.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let empty = history.mark(&mut game);
    /// game.create_entity();
    /// history.rewind(&mut game, empty);
    /// assert!(game.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if observers are being notified of a change, or the history has ended.
    #[track_caller]
    pub fn mark(&self, context: &mut C) -> Mark<C> {
        expect(self.try_mark(context))
    }

    /// Like [`mark`](Self::mark), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// assert!(history.try_mark(&mut game).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Busy`](HistoryError::Busy), [`Ended`](HistoryError::Ended).
    #[track_caller]
    pub fn try_mark(&self, context: &mut C) -> Result<Mark<C>, HistoryError> {
        self.check(context);
        let number = checkpoints::mark(context)?;
        Ok(Mark::new(self.serial, number))
    }

    /// Returns to a mark by undoing all changes made since.
    ///
    /// Returns the number of changes undone. Values are moved, not cloned, except those that
    /// [`RemovedValues`](crate::RemovedValues) contained at the mark: these are cloned first, so if
    /// `Clone` panics, nothing has changed. Entity indexes compute the keys of changed entities at the end: if a key
    /// function panics, the rewind is complete.
    ///
    /// Complexity: linear in the number of changes, and in the contents of collectors, inboxes and
    /// lists of removed values.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Health(3)).id();
    /// let history = game.record();
    /// let before = history.mark(&mut game);
    /// game.entity_mut(id).replace_health(2).replace_health(1);
    /// assert_eq!(history.rewind(&mut game, before), 2);
    /// assert_eq!(game.entity(id).health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if observers are being notified of a change, or if the mark is unknown (forgotten,
    /// discarded or of another history), or if it is ahead of the present state.
    #[track_caller]
    pub fn rewind(&self, context: &mut C, mark: Mark<C>) -> usize {
        expect(self.try_rewind(context, mark))
    }

    /// Like [`rewind`](Self::rewind), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::HistoryError;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let before = history.mark(&mut game);
    /// game.create_entity();
    /// let after = history.mark(&mut game);
    /// history.rewind(&mut game, before);
    /// game.create_entity(); // discards the later mark
    /// let rejected = history.try_rewind(&mut game, after).unwrap_err();
    /// assert!(matches!(rejected, HistoryError::UnknownMark { .. }));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Busy`](HistoryError::Busy), [`UnknownMark`](HistoryError::UnknownMark),
    /// [`MarkIsAhead`](HistoryError::MarkIsAhead), [`Ended`](HistoryError::Ended).
    #[track_caller]
    pub fn try_rewind(&self, context: &mut C, mark: Mark<C>) -> Result<usize, HistoryError> {
        self.check(context);
        rewind::seek(context, self.number(mark)?, Direction::Back)
    }

    /// Advances to a mark by redoing changes that were undone.
    ///
    /// Returns the number of changes redone. As in [`rewind`](Self::rewind), if `Clone` panics,
    /// nothing has changed.
    ///
    /// Complexity: the same as [`rewind`](Self::rewind).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let before = history.mark(&mut game);
    /// let id = game.create_with(Health(3)).id();
    /// let after = history.mark(&mut game);
    /// history.rewind(&mut game, before);
    /// history.forward(&mut game, after);
    /// assert_eq!(game.entity(id).health().0, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if observers are being notified of a change, or if the mark is unknown (any other
    /// change after a rewind discards it), or if it is behind the present state.
    #[track_caller]
    pub fn forward(&self, context: &mut C, mark: Mark<C>) -> usize {
        expect(self.try_forward(context, mark))
    }

    /// Like [`forward`](Self::forward), but returns an error instead of panicking.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::HistoryError;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let before = history.mark(&mut game);
    /// game.create_entity();
    /// let rejected = history.try_forward(&mut game, before).unwrap_err();
    /// assert!(matches!(rejected, HistoryError::MarkIsBehind { .. }));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Busy`](HistoryError::Busy), [`UnknownMark`](HistoryError::UnknownMark),
    /// [`MarkIsBehind`](HistoryError::MarkIsBehind), [`Ended`](HistoryError::Ended).
    #[track_caller]
    pub fn try_forward(&self, context: &mut C, mark: Mark<C>) -> Result<usize, HistoryError> {
        self.check(context);
        rewind::seek(context, self.number(mark)?, Direction::Forward)
    }

    /// Discards the changes and marks before a mark, to bound the memory of a history.
    ///
    /// Complexity: linear in the discarded changes, and in the number of marks.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// game.create_entity();
    /// let mark = history.mark(&mut game);
    /// game.create_entity();
    /// history.forget_before(&mut game, mark);
    /// assert_eq!(history.len(&game), 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if observers are being notified of a change, or if the mark is unknown.
    #[track_caller]
    pub fn forget_before(&self, context: &mut C, mark: Mark<C>) {
        expect(self.try_forget_before(context, mark));
    }

    /// Like [`forget_before`](Self::forget_before), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// [`Busy`](HistoryError::Busy), [`UnknownMark`](HistoryError::UnknownMark),
    /// [`Ended`](HistoryError::Ended).
    #[track_caller]
    pub fn try_forget_before(&self, context: &mut C, mark: Mark<C>) -> Result<(), HistoryError> {
        self.check(context);
        checkpoints::forget_before(context, self.number(mark)?)
    }

    /// Returns the [checksum](crate::Context::checksum) of the context, and keeps it for the next
    /// one, which processes only what has changed since.
    ///
    /// Complexity: linear in the changes since the previous checksum, or in all values if there are
    /// fewer of them.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Position(1.0)).id();
    /// let history = game.record();
    /// let before = history.checksum(&mut game);
    /// game.entity_mut(id).replace_position(3.0);
    /// let after = history.checksum(&mut game); // hashes one position
    /// assert!(after != before && after == game.checksum());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a component has no checksum and is not excluded from the history.
    #[track_caller]
    pub fn checksum(&self, context: &mut C) -> u64 {
        expect(self.try_checksum(context))
    }

    /// Like [`checksum`](Self::checksum), but returns an error instead of panicking.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// assert_eq!(history.try_checksum(&mut game), Ok(0));
    /// ```
    ///
    /// # Errors
    ///
    /// [`NoChecksum`](crate::ErrorKind::NoChecksum).
    #[track_caller]
    pub fn try_checksum(&self, context: &mut C) -> Result<u64, Error> {
        self.check(context);
        let core = context.core_mut();
        record_checksum(&core.world, &mut core.subs)
    }

    /// Returns the number of recorded changes up to the present state.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// game.create_entity();
    /// assert_eq!(history.len(&game), 1);
    /// ```
    #[track_caller]
    pub fn len(&self, context: &C) -> usize {
        self.check(context);
        let recording = context.core().subs.history();
        recording.map_or(0, |recording| recording.undo().len())
    }

    /// Returns `true` if there are no recorded changes.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// assert!(game.record().is_empty(&game));
    /// ```
    #[track_caller]
    pub fn is_empty(&self, context: &C) -> bool {
        self.len(context) == 0
    }

    /// Ends the recording and frees its memory immediately.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.record().release(&mut game);
    /// let history = game.record(); // a new one
    /// assert!(history.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn release(self, context: &mut C) {
        self.check(context);
        end(context);
    }

    /// The number of a mark; an error if it belongs to another history.
    fn number(&self, mark: Mark<C>) -> Result<u64, HistoryError> {
        let is_own = mark.history == self.serial;
        let number = is_own.then_some(mark.number);
        number.ok_or(HistoryError::UnknownMark { context: C::NAME })
    }

    #[track_caller]
    fn check(&self, context: &C) {
        check_own(&context.core().world, self.instance, "history");
    }
}

impl<C> fmt::Debug for History<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("History")
    }
}
