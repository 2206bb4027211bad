//! What has changed between two takes of a feed.

use alloc::vec::Vec;
use core::fmt;

use super::column::DeltaColumn;
use crate::state::core::HasCore;
use crate::words::component::Component;
use crate::words::entity_id::EntityId;

/// Which feed a delta is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FeedKey {
    /// The context that it is of, of this process.
    pub(crate) origin: u64,
    pub(crate) serial: u64,
}

/// What has changed between two takes of a [`Feed`](crate::Feed): a value that owns all it says.
///
/// With the feature `serde` it is `Serialize` and `Deserialize`: bytes that take little more than the
/// values themselves.
///
/// Ids are those of the context that the feed is of, the *origin*. Lists are in ascending order of
/// index. Of a relation that keeps its sources in order, it also tells where these stand.
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
/// game.destroy(id); // too late for that delta
/// assert_eq!(delta.appeared(), [id]);
/// assert!(delta.set::<Health>().eq([(id, &Health(3))]));
/// assert!(feed.take(&mut game).vanished().eq([id]));
/// ```
pub struct Delta<C: 'static> {
    pub(crate) feed: FeedKey,
    pub(crate) number: u64,
    pub(crate) everything: bool,
    pub(crate) appeared: Vec<EntityId<C>>,
    /// Who vanished, and whether by its end.
    pub(crate) vanished: Vec<(EntityId<C>, bool)>,
    /// Entities that have ended and to which relations in here lead.
    pub(crate) dead: Vec<EntityId<C>>,
    /// One for each component of the feed, in order of their index.
    pub(crate) columns: Vec<DeltaColumn<C>>,
}

impl<C: HasCore> Delta<C> {
    /// Returns the number of the delta among those of its feed: 1, 2, 3, …
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
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns whether it says everything that is in the feed, and not what has changed: so does the
    /// first one, that of [`take_all`](crate::Feed::take_all), and the next one after a
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

    /// Returns whether nothing has changed. A mirror needs such a delta nevertheless, because they
    /// are numbered.
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
        let mut columns = self.columns.iter();
        let is_empty = columns.all(|it| it.set.owners.is_empty() && it.removed.is_empty());
        is_empty && self.appeared.is_empty() && self.vanished.is_empty() && !self.everything
    }

    /// Returns the entities that have come into the feed.
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
    pub fn appeared(&self) -> &[EntityId<C>] {
        &self.appeared
    }

    /// Returns the entities that have gone out of the feed: they were destroyed, have none of its
    /// components any more, or are out of sight. If the delta is everything there are none: who did
    /// not [appear](Self::appeared) has gone.
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
    pub fn vanished(&self) -> impl Iterator<Item = EntityId<C>> + '_ {
        self.vanished.iter().map(|&(id, _)| id)
    }

    /// Returns the entities that have got component `T` or another value of it, with the value;
    /// nothing if the feed does not have the component.
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
    pub fn set<T: Component<C>>(&self) -> impl Iterator<Item = (EntityId<C>, &T)> + '_ {
        let column = self.column::<T>();
        column
            .into_iter()
            .flat_map(|(column, values)| column.set.owners.iter().copied().zip(values))
    }

    /// Returns the entities that have lost component `T` and are in the feed still.
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
    pub fn removed<T: Component<C>>(&self) -> &[EntityId<C>] {
        self.column::<T>()
            .map_or(&[], |(column, _)| &column.removed)
    }

    fn column<T: Component<C>>(&self) -> Option<(&DeltaColumn<C>, &[T])> {
        let mut columns = self.columns.iter();
        columns.find_map(|column| Some((column, column.values()?)))
    }
}

// By hand, because a derive would ask the same of `C`.
impl<C: HasCore> Clone for Delta<C> {
    fn clone(&self) -> Self {
        Self {
            appeared: self.appeared.clone(),
            vanished: self.vanished.clone(),
            dead: self.dead.clone(),
            columns: self.columns.clone(),
            ..*self
        }
    }
}

/// Prints what it says, with the names of the components.
impl<C: HasCore> fmt::Debug for Delta<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
