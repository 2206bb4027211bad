//! What users do with the history of a context: begin it, name moments, go back and forward.
//!
//! ```text
//! begin.rs     how it begins, and what it leaves out; changes are put down by `state/recording.rs`
//! moments.rs   marks: named moments between two changes
//! rewind.rs    going back to a moment, and forward again
//! excluded.rs  what depends on components that are left out follows the present values
//! checksum.rs  a number for the state, kept up to date by what has changed
//! change.rs    what has been recorded, for users
//! ```

pub(crate) mod begin;
pub(crate) mod change;
pub(super) mod checkpoints;
mod checksum;
pub(super) mod excluded;
mod mark;
mod rewind;

use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::reactions::handle::Watched;
use crate::state::core::{HasCore, check_own};
use crate::state::recording::end;
use crate::storage::past::Direction;
use crate::words::entity_id::EntityId;
use crate::words::error::expect;
use crate::words::history_error::HistoryError;

pub use self::mark::Mark;

/// Keeps every change of a context, so that it can be taken back, and done again.
///
/// Made by [`Context::record`](crate::Context::record). A [`mark`](Self::mark) names the present
/// moment; [`rewind`](Self::rewind) makes it the present again, and [`forward`](Self::forward) goes
/// the other way, until something else is changed.
///
/// After a rewind everything that can be seen of the context is as it was at the mark: entities with
/// their ids, values, members and order of groups, unique owners, indexes, links of relations, and
/// what collectors, inboxes and lists of removed values held. An entity that had ended lives again
/// under its id, and what is created next gets the id that it got the first time. So a simulation
/// that is taken back and run again with the same inputs comes to the same, bit by bit. What is not in
/// the context (fields of systems, say) is the program's own matter: keep in components what is to
/// be taken back. Listeners to the events of one entity end with it, and do not come back.
///
/// Going back and forward notifies no observer, and is gathered by no collector or reactive system
/// but those whose trigger is [`with_rewinds`](crate::Trigger::with_rewinds): see [who is
/// notified](crate::guide::history#who-is-notified).
///
/// It costs by changes, not by entities: recording one takes a few nanoseconds, and taking it back
/// hardly more. A context that is not recorded pays nothing. While it is recorded, changes of many
/// entities are made one by one, [`defragment`](crate::Context::defragment) is rejected
/// (moves in small steps are recorded),
/// nothing can be written *untracked*, and [`reset`](crate::Context::reset) forgets what has been
/// recorded. Memory grows with each change until [`forget_before`](Self::forget_before).
///
/// A handle of the context that made it; every method is given that context again and panics if it is
/// handed another one. Dropping it ends the recording.
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
    /// Tells it from every other history, so that marks of those are not taken for its own.
    serial: u64,
    _watched: Watched,
    context: PhantomData<fn() -> C>,
}

impl<C> History<C> {
    fn new(instance: u64, watched: Watched) -> Self {
        static HISTORIES: AtomicU64 = AtomicU64::new(0); // so wide that no number comes twice
        Self {
            instance,
            serial: HISTORIES.fetch_add(1, Ordering::Relaxed),
            _watched: watched,
            context: PhantomData,
        }
    }
}

impl<C: HasCore> History<C> {
    /// Names the present moment.
    ///
    /// Complexity: linear in what collectors, inboxes and lists of removed values hold.
    ///
    /// # Panics
    ///
    /// Panics if observers are being notified of a change, or the history has ended.
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
    #[track_caller]
    pub fn mark(&self, context: &mut C) -> Mark<C> {
        expect(self.try_mark(context))
    }

    /// As [`mark`](Self::mark); returns why it cannot.
    ///
    /// # Errors
    ///
    /// [`Busy`](HistoryError::Busy), [`Ended`](HistoryError::Ended).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// assert!(history.try_mark(&mut game).is_ok());
    /// ```
    #[track_caller]
    pub fn try_mark(&self, context: &mut C) -> Result<Mark<C>, HistoryError> {
        self.check(context);
        let number = checkpoints::mark(context)?;
        Ok(Mark::new(self.serial, number))
    }

    /// Makes the moment of a mark the present, by taking back all that has been changed since.
    ///
    /// Returns the number of changes that it has taken back. Values are moved, not cloned, but for
    /// those that [`RemovedValues`](crate::RemovedValues) held at the mark: these are cloned first, so if a
    /// `Clone` panics nothing has changed.
    ///
    /// Complexity: linear in these changes, and in what collectors, inboxes and lists of removed
    /// values hold.
    ///
    /// # Panics
    ///
    /// Panics if observers are being notified of a change, or the mark is not known any more, or
    /// is ahead of the present.
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
    #[track_caller]
    pub fn rewind(&self, context: &mut C, mark: Mark<C>) -> usize {
        expect(self.try_rewind(context, mark))
    }

    /// As [`rewind`](Self::rewind); returns why it cannot go there.
    ///
    /// # Errors
    ///
    /// [`Busy`](HistoryError::Busy), [`UnknownMark`](HistoryError::UnknownMark),
    /// [`MarkIsAhead`](HistoryError::MarkIsAhead), [`Ended`](HistoryError::Ended).
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
    /// game.create_entity(); // another one: what was ahead is not known any more
    /// let rejected = history.try_rewind(&mut game, after).unwrap_err();
    /// assert!(matches!(rejected, HistoryError::UnknownMark { .. }));
    /// ```
    #[track_caller]
    pub fn try_rewind(&self, context: &mut C, mark: Mark<C>) -> Result<usize, HistoryError> {
        self.check(context);
        rewind::seek(context, self.number(mark)?, Direction::Back)
    }

    /// Makes the moment of a mark the present, by doing again what has been taken back.
    ///
    /// Returns the number of changes that it has done again. If a `Clone` panics nothing has changed, as in
    /// [`rewind`](Self::rewind).
    ///
    /// Complexity: as of [`rewind`](Self::rewind).
    ///
    /// # Panics
    ///
    /// Panics if observers are being notified of a change, or the mark is not known any more:
    /// something else has been changed; or if it is behind the present.
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
    #[track_caller]
    pub fn forward(&self, context: &mut C, mark: Mark<C>) -> usize {
        expect(self.try_forward(context, mark))
    }

    /// As [`forward`](Self::forward); returns why it cannot go there.
    ///
    /// # Errors
    ///
    /// [`Busy`](HistoryError::Busy), [`UnknownMark`](HistoryError::UnknownMark),
    /// [`MarkIsBehind`](HistoryError::MarkIsBehind), [`Ended`](HistoryError::Ended).
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
    #[track_caller]
    pub fn try_forward(&self, context: &mut C, mark: Mark<C>) -> Result<usize, HistoryError> {
        self.check(context);
        rewind::seek(context, self.number(mark)?, Direction::Forward)
    }

    /// Forgets what was changed before a mark, and the marks before it: so the memory that a history
    /// takes is bounded.
    ///
    /// Complexity: linear in the changes that are forgotten, and in the marks.
    ///
    /// # Panics
    ///
    /// Panics if observers are being notified of a change, or the mark is not known any more.
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
    #[track_caller]
    pub fn forget_before(&self, context: &mut C, mark: Mark<C>) {
        expect(self.try_forget_before(context, mark));
    }

    /// As [`forget_before`](Self::forget_before); returns why it cannot.
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

    /// Returns a number for the whole state, so that two machines can compare a moment.
    ///
    /// Entities with their ids and components count, in no order, and nothing else: no memory, no
    /// groups, not what is left out of the history. It is the same on every machine, except for values
    /// that feed it by a `Hash` which [is not](crate::Checksum#what-hash-cannot-do).
    ///
    /// Complexity: linear in what has been changed since a checksum of before; in all values the first
    /// time.
    ///
    /// # Panics
    ///
    /// Panics if values of a component cannot feed a checksum: neither the type nor each of its fields
    /// has `Hash` or [`Checksum`](crate::Checksum).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let id = game.create_with(Position(1.0)).id();
    /// let history = game.record();
    /// let before = history.checksum(&mut game);
    /// game.entity_mut(id).replace_position(3.0);
    /// assert_ne!(history.checksum(&mut game), before);
    /// game.entity_mut(id).replace_position(1.0);
    /// assert_eq!(history.checksum(&mut game), before);
    /// ```
    #[track_caller]
    pub fn checksum(&self, context: &mut C) -> u64 {
        expect(self.try_checksum(context))
    }

    /// As [`checksum`](Self::checksum); returns which component has none.
    ///
    /// # Errors
    ///
    /// [`NoChecksum`](HistoryError::NoChecksum).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::HistoryError;
    /// # #[ecs::context] pub struct Game;
    /// #[derive(Clone)]
    /// struct Opaque;
    /// #[derive(Component, Clone)]
    /// #[component(context = Game)]
    /// struct Held(Opaque);
    ///
    /// let mut game = Game::new();
    /// let history = game.record();
    /// assert!(history.try_checksum(&mut game).is_ok());
    /// game.create_with(Held(Opaque));
    /// let rejected = history.try_checksum(&mut game).unwrap_err();
    /// assert!(matches!(rejected, HistoryError::NoChecksum { component: "Held", .. }));
    /// ```
    #[track_caller]
    pub fn try_checksum(&self, context: &mut C) -> Result<u64, HistoryError> {
        self.check(context);
        context.core_mut().checksum()
    }

    /// Returns the checksum of one entity with its components; 0 if it is dead. So the first difference
    /// between two machines can be named.
    ///
    /// # Errors
    ///
    /// [`NoChecksum`](HistoryError::NoChecksum).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # fn main() -> Result<(), ecs::HistoryError> {
    /// let mut games = [Game::new(), Game::new()];
    /// let histories = games.each_mut().map(|game| game.record());
    /// let ids = games.each_mut().map(|game| game.create_many([Health(1), Health(2)])[1]);
    /// games[1].entity_mut(ids[1]).replace_health(3); // only there
    /// let sums = [0, 1].map(|n| histories[n].checksum_of(&games[n], ids[n]));
    /// assert_ne!(sums[0], sums[1]);
    /// # Ok(()) }
    /// ```
    #[track_caller]
    pub fn checksum_of(&self, context: &C, entity: EntityId<C>) -> Result<u64, HistoryError> {
        self.check(context);
        context.core().checksum_of(entity.untyped())
    }

    /// Returns the number of changes that are kept behind the present.
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
        let recording = context.core().history();
        recording.map_or(0, |recording| recording.undo().len())
    }

    /// Returns whether no change is kept.
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

    /// Ends the recording, and gives its memory back at once.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// game.record().release(&mut game);
    /// let history = game.record(); // another one
    /// assert!(history.is_empty(&game));
    /// ```
    #[track_caller]
    pub fn release(self, context: &mut C) {
        self.check(context);
        end(context);
    }

    /// The number of a mark of this history.
    fn number(&self, mark: Mark<C>) -> Result<u64, HistoryError> {
        let is_own = mark.history == self.serial;
        let number = is_own.then_some(mark.number);
        number.ok_or(HistoryError::UnknownMark { context: C::NAME })
    }

    #[track_caller]
    fn check(&self, context: &C) {
        check_own(context.core(), self.instance, "history");
    }
}

impl<C> fmt::Debug for History<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("History")
    }
}
