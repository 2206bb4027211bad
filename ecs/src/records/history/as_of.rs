//! Reading the past without a rewind.

use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;

use hashbrown::HashMap;

use super::{History, Mark};
use crate::reactions::history::{Before, Key, Point, Recording};
use crate::state::{Core, HasCore};
use crate::storage::column::{ValueSlice, ValuesById};
use crate::storage::registry::index_of;
use crate::words::atomic::OnceBox;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;
use crate::words::error::expect;
use crate::words::history_error::HistoryError;

/// The state of a context as of a [`Mark`], to be read. Returned by [`History::at`].
///
/// Components that are excluded from the history have their present values.
///
/// # Complexity
///
/// A read is one look-up, and logarithmic in the changes of that component of the entity since the
/// history began. In addition, the first one reads all changes since the last mark, those of this tick if
/// there is one mark per tick. The context keeps an index of changes while there are such reads: about 100
/// bytes for each component of an entity that has changed, and 16 bytes per change. Without them, nothing
/// is kept.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let hero = game.create_with(Health(3)).id();
/// let history = game.record();
/// let before = history.mark(&mut game);
/// game.entity_mut(hero).replace_health(2);
/// let ghost = game.create_entity().id();
/// game.destroy(hero);
///
/// let past = history.at(&game, before);
/// assert_eq!(past.get::<Health>(hero), Some(&Health(3)));
/// assert!(past.contains(hero) && !past.contains(ghost));
/// ```
pub struct AsOf<'c, C: 'static> {
    core: &'c Core<C>,
    recording: &'c Recording,
    at: Point,
    /// The changes since that the index does not have yet.
    recent: OnceBox<HashMap<Key, Before>>,
    context: PhantomData<&'c C>,
}

impl<C: HasCore> History<C> {
    /// Returns the state as of a mark, without a rewind.
    ///
    /// # Examples
    ///
    /// A shot is judged by what the player saw. Each client reports the last tick that it has shown:
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let target = game.create_with(Position(1.0)).id();
    /// let (history, mut ticks) = (game.record(), Vec::new());
    /// for _ in 0..10 {
    ///     ticks.push(history.mark(&mut game)); // of each tick
    ///     game.entity_mut(target).update_position(|position| position.0 += 1.0);
    /// }
    /// let (seen, aim) = (ticks[6], 7.0); // a shot that arrives 4 ticks later
    /// let hits = |position: &Position| position.0 == aim;
    /// assert!(history.at(&game, seen).get::<Position>(target).is_some_and(hits));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the mark is unknown (forgotten, discarded or of another history), or ahead of the present
    /// state, or if the history has ended.
    #[track_caller]
    pub fn at<'c>(&self, context: &'c C, mark: Mark<C>) -> AsOf<'c, C> {
        expect(self.try_at(context, mark))
    }

    /// Like [`at`](Self::at), but returns an error instead of panicking.
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
    /// assert!(history.try_at(&game, before).is_ok());
    /// game.create_entity();
    /// let after = history.mark(&mut game);
    /// history.rewind(&mut game, before);
    /// let ahead = history.try_at(&game, after).err();
    /// assert!(matches!(ahead, Some(HistoryError::MarkIsAhead { .. })));
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownMark`](HistoryError::UnknownMark), [`MarkIsAhead`](HistoryError::MarkIsAhead),
    /// [`Ended`](HistoryError::Ended).
    #[track_caller]
    pub fn try_at<'c>(&self, context: &'c C, mark: Mark<C>) -> Result<AsOf<'c, C>, HistoryError> {
        self.check(context);
        let (core, context) = (context.core(), C::NAME);
        let number = self.number(mark)?;
        let recording = core.subs.history();
        let recording = recording.ok_or(HistoryError::Ended { context })?;
        let at = recording.checkpoint(number);
        let at = at.ok_or(HistoryError::UnknownMark { context })?;
        if recording.seen_from_present(at).is_gt() {
            return Err(HistoryError::MarkIsAhead { context });
        }
        recording.record_read();
        Ok(AsOf {
            core,
            recording,
            at,
            recent: OnceBox::new(),
            context: PhantomData,
        })
    }
}

impl<'c, C: HasCore> AsOf<'c, C> {
    /// Returns the component that an entity had, or `None` if it did not exist or lacked it. The entity
    /// may be dead at present.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let hero = game.create_with(Health(3)).id();
    /// let history = game.record();
    /// let before = history.mark(&mut game);
    /// game.entity_mut(hero).replace_health(2).add_poisoned();
    /// let past = history.at(&game, before);
    /// assert_eq!(past.get::<Health>(hero).unwrap().0, 3);
    /// assert!(past.get::<Poisoned>(hero).is_none());
    /// ```
    #[track_caller]
    pub fn get<T: Component<C>>(&self, id: EntityId<C>) -> Option<&'c T> {
        let component = index_of::<C, T>();
        let before = self.first_since(Key::of(id.untyped(), component));
        match before {
            Some(place) => {
                let column = self.core.world.columns().at(component)?;
                column.past()?.get(place?)?.downcast_ref()
            }
            None if self.recording.excluded.contains(component) && !self.contains(id) => None,
            None => {
                let values = self.core.typed().of::<T>();
                let values = values.map_or(ValueSlice::NONE, |column| column.slice());
                ValuesById::new(self.core.world.slots().slice(), values).get(id)
            }
        }
    }

    /// Returns whether an entity existed.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let history = game.record();
    /// let before = history.mark(&mut game);
    /// let hero = game.create_entity().id();
    /// let after = history.mark(&mut game);
    /// assert!(!history.at(&game, before).contains(hero));
    /// assert!(history.at(&game, after).contains(hero));
    /// ```
    #[track_caller]
    pub fn contains(&self, id: EntityId<C>) -> bool {
        self.core.world.slots().check(id);
        match self.first_since(Key::whole(id.untyped())) {
            Some(before) => before.is_some(),
            None => self.core.world.is_alive(id),
        }
    }

    fn first_since(&self, key: Key) -> Option<Before> {
        self.recording.first_since(self.at, key, || {
            self.recent.get_or_init(|| {
                let columns = self.core.world.columns();
                let past = |component| columns.at(component).and_then(|column| column.past());
                let kept = |component| past(component).map_or(0, |past| past.len());
                Box::new(self.recording.recent(self.at, kept))
            })
        })
    }
}

impl<C: HasCore> fmt::Debug for AsOf<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AsOf({})", C::NAME)
    }
}
