//! The changes between two takes of a feed.

use alloc::vec::Vec;
use core::fmt;

use super::column::DeltaColumn;
#[cfg(feature = "serde")]
use super::packed::Packed;
use crate::state::core::HasCore;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// Identifies the feed of a delta.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FeedKey {
    /// The context of the feed, in one run of the program.
    pub(crate) origin: u64,
    pub(crate) serial: u64,
}

/// The changes between two takes of a [`Feed`](crate::Feed), with owned values.
///
/// With the feature `serde` it is `Serialize` and `Deserialize`, as bytes that take little more
/// space than the values themselves. Only a delta that is [everything](Self::is_everything) has the
/// names of components. One that has been read from bytes and has only changes can be applied by a
/// mirror of its feed; to look into it, use [`Mirror::read`](crate::Mirror::read). Until then, its methods
/// panic, except for [`is_everything`](Self::is_everything) and [`is_empty`](Self::is_empty).
///
/// Ids are those of the feed's context, the *origin*. Lists are in ascending order of index. For an
/// ordered relation, the delta also contains the positions of sources.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let feed = game.feed::<Health>();
/// let id = game.create_with(Health(3)).id();
/// let delta: ecs::Delta<Game> = feed.take(&mut game);
/// game.destroy(id); // not part of that delta
/// assert_eq!(delta.appeared(), [id]);
/// assert!(delta.set::<Health>().eq([(id, &Health(3))]));
/// assert!(feed.take(&mut game).vanished().eq([id]));
/// ```
pub struct Delta<C: 'static> {
    pub(crate) feed: FeedKey,
    pub(crate) number: u64,
    /// The number of the delta since which it has the changes.
    pub(crate) base: u64,
    pub(crate) everything: bool,
    pub(crate) appeared: Vec<EntityId<C>>,
    /// The entities that vanished, and whether they were destroyed.
    pub(crate) vanished: Vec<(EntityId<C>, bool)>,
    /// The ids in values of this delta whose entities do not exist, ascending.
    pub(crate) dead: Vec<EntityId<C>>,
    /// The entities that all receivers have, ascending, if these are few; otherwise empty.
    #[cfg(feature = "serde")]
    pub(crate) known: Vec<EntityId<C>>,
    /// One per component of the feed, in order of index.
    pub(crate) columns: Vec<DeltaColumn<C>>,
    /// The contents, if the delta is from bytes and no mirror has read it.
    #[cfg(feature = "serde")]
    pub(crate) packed: Option<Packed>,
}

impl<C: HasCore> Delta<C> {
    /// A delta without columns.
    pub(crate) fn empty(feed: FeedKey, number: u64) -> Self {
        Self {
            feed,
            number,
            base: number.saturating_sub(1),
            everything: false,
            appeared: Vec::new(),
            vanished: Vec::new(),
            dead: Vec::new(),
            columns: Vec::new(),
            #[cfg(feature = "serde")]
            known: Vec::new(),
            #[cfg(feature = "serde")]
            packed: None,
        }
    }

    /// Whether it has changes of several deltas, so that a mirror may have some of them already.
    pub(crate) fn is_cumulative(&self) -> bool {
        !self.everything && self.number > self.base.saturating_add(1)
    }

    /// Whether a mirror may have some of the contents already.
    pub(crate) fn may_repeat(&self) -> bool {
        self.everything || self.is_cumulative()
    }

    /// Panics if no mirror has read the delta.
    #[track_caller]
    fn known(&self) -> &Self {
        #[cfg(feature = "serde")]
        assert!(
            self.packed.is_none(),
            "a delta from bytes that has only changes does not know their components, but the mirror of \
             its feed does: look into what `mirror.read(&delta)` returns"
        );
        self
    }

    /// Returns the number of this delta within its feed: 1, 2, 3, …
    ///
    /// That of [`everything`](crate::Feed::everything) has the number of the last one taken.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let feed = game.feed::<Health>();
    /// feed.take(&mut game);
    /// assert_eq!(feed.take(&mut game).number(), 2);
    /// ```
    #[track_caller]
    pub fn number(&self) -> u64 {
        self.known().number
    }

    /// Returns `true` if the delta contains the whole feed instead of changes.
    ///
    /// This is the case for the first delta, those of [`everything`](crate::Feed::everything) and
    /// [`take_all`](crate::Feed::take_all), and the next one after a
    /// [`reset`](crate::Context::reset).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let feed = game.feed::<Health>();
    /// assert!(feed.take(&mut game).is_everything());
    /// assert!(!feed.take(&mut game).is_everything());
    /// ```
    pub fn is_everything(&self) -> bool {
        self.everything
    }

    /// Returns `true` if nothing has changed.
    ///
    /// A mirror needs empty deltas too, because deltas are numbered.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let feed = game.feed::<Health>();
    /// feed.take(&mut game);
    /// assert!(feed.take(&mut game).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        #[cfg(feature = "serde")]
        if let Some(packed) = &self.packed {
            return packed.is_empty();
        }
        let mut columns = self.columns.iter();
        let is_empty = columns.all(|it| it.set.owners.is_empty() && it.removed.is_empty());
        is_empty && self.appeared.is_empty() && self.vanished.is_empty() && !self.everything
    }

    /// Returns the entities that have entered the feed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let feed = game.feed::<Health>();
    /// let id = game.create_with(Health(1)).id();
    /// assert_eq!(feed.take(&mut game).appeared(), [id]);
    /// ```
    #[track_caller]
    pub fn appeared(&self) -> &[EntityId<C>] {
        &self.known().appeared
    }

    /// Returns the entities that have left the feed: they were destroyed, have none of its
    /// components any more, or are rejected by the closure of [`only`](crate::Feed::only).
    ///
    /// It is empty if the delta is [everything](Self::is_everything): all entities that have not
    /// [appeared](Self::appeared) are gone.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let feed = game.feed::<Health>();
    /// let id = game.create_with(Health(1)).id();
    /// feed.take(&mut game);
    /// game.entity_mut(id).remove_health();
    /// assert!(feed.take(&mut game).vanished().eq([id]));
    /// ```
    #[track_caller]
    pub fn vanished(&self) -> impl Iterator<Item = EntityId<C>> + '_ {
        self.known().vanished.iter().map(|&(id, _)| id)
    }

    /// Returns the entities with a new or changed component `T`, and its value.
    ///
    /// It is empty if the feed does not have the component.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let feed = game.feed::<Health>();
    /// let id = game.create_with(Health(1)).id();
    /// for (entity, health) in feed.take(&mut game).set::<Health>() {
    ///     assert_eq!((entity, health.0), (id, 1));
    /// }
    /// ```
    #[track_caller]
    pub fn set<T: Component<C>>(&self) -> impl Iterator<Item = (EntityId<C>, &T)> + '_ {
        let column = self.column::<T>();
        column
            .into_iter()
            .flat_map(|(column, values)| column.set.owners.iter().copied().zip(values))
    }

    /// Returns the entities that have lost component `T` and are still in the feed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let feed = game.feed::<(Health, Name)>();
    /// let id = game.create_with((Health(1), Name("Ada"))).id();
    /// feed.take(&mut game);
    /// game.entity_mut(id).remove_health();
    /// assert_eq!(feed.take(&mut game).removed::<Health>(), [id]);
    /// ```
    #[track_caller]
    pub fn removed<T: Component<C>>(&self) -> &[EntityId<C>] {
        self.column::<T>()
            .map_or(&[], |(column, _)| &column.removed)
    }

    #[track_caller]
    fn column<T: Component<C>>(&self) -> Option<(&DeltaColumn<C>, &[T])> {
        let mut columns = self.known().columns.iter();
        columns.find_map(|column| Some((column, column.values()?)))
    }
}

// Implemented by hand, because a derive would put the bounds on `C`.
impl<C: HasCore> Clone for Delta<C> {
    fn clone(&self) -> Self {
        Self {
            appeared: self.appeared.clone(),
            vanished: self.vanished.clone(),
            dead: self.dead.clone(),
            columns: self.columns.clone(),
            #[cfg(feature = "serde")]
            known: self.known.clone(),
            #[cfg(feature = "serde")]
            packed: self.packed.clone(),
            ..*self
        }
    }
}

/// Shows the contents, with the names of the components.
impl<C: HasCore> fmt::Debug for Delta<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "serde")]
        if self.packed.is_some() {
            return f.write_str("Delta(not read by a mirror yet)");
        }
        let vanished: Vec<_> = self.vanished().collect();
        let mut all = f.debug_struct("Delta");
        all.field("number", &self.number)
            .field("everything", &self.everything)
            .field("appeared", &self.appeared)
            .field("vanished", &vanished);
        for column in &self.columns {
            all.field(
                column.descriptor().names.component,
                &(column, &column.removed),
            );
        }
        all.finish()
    }
}
