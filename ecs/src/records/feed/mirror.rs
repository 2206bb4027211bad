//! Keeping another context in sync with the one of a feed.
//!
//! ```text
//! check      number, ids, conflicts                                      plan.rs
//! clone      the values: user code
//! change     remove components, destroy and create entities, set values with local ids
//!                                                                        work.rs
//! notify     observers
//! ```
//!
//! An entity outside of the feed to which a value refers has a local entity too, without components: a
//! *placeholder*, which is destroyed when no value refers to it any more.

use alloc::borrow::Cow;
use core::fmt;

use super::delta::{Delta, FeedKey};
use super::mapping::Mapping;
use super::plan::{Plan, Planner};
use super::work::Work;
use crate::state::dispatch::together;
use crate::state::{HasCore, check_own};
use crate::words::apply_error::ApplyError;
use crate::words::entity_id::EntityId;

/// Keeps entities of a context equal to those in a [`Feed`](crate::Feed) of another context of the
/// same type, by applying its deltas.
///
/// Local entities have ids of their own; [`local`](Self::local) and [`origin`](Self::origin)
/// convert between the two. [Relations](crate::guide::hierarchies) and other ids inside components
/// refer to local entities if their types are [`MapIds`](trait@crate::MapIds); if a relation is
/// `ordered`, its sources have the order of the origin. An entity that is not in the feed has a local one
/// without components as long as a value has its id, even if it is destroyed in the origin before that
/// value is sent again. Ids of entities that do not exist in the origin when a value is sent become ids
/// of no entity, until they come back in the feed, as by an undo.
///
/// The mirror's entities can have other components, and the context can have other entities. The
/// components of the feed belong to the mirror: changes made to them locally stay until the origin
/// changes them, too. A mirror does not notice when its context is restored or rewound, which
/// revives entities and reuses ids. Before the next delta, rewind to a mark that was set after the
/// last one, as [prediction](crate::guide::networks#prediction) does; or [reset](crate::Context::reset)
/// the context, and start with a new mirror and a delta that contains everything.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let (mut server, mut client) = (Game::new(), Game::new());
/// let feed = server.feed::<(Health, ChildOf)>();
/// let ship = server.create_with(Health(9)).id();
/// let sail = server.create_with((Health(1), ChildOf { parent: ship })).id();
///
/// let mut mirror = ecs::Mirror::new();
/// client.create_entity(); // so that ids differ
/// mirror.apply(&mut client, &feed.take(&mut server)).unwrap();
/// let (ship, sail) = (mirror.local(ship).unwrap(), mirror.local(sail).unwrap());
/// assert_eq!(client.entity(ship).children(), [sail]);
/// assert_eq!(client.entity(sail).health(), &Health(1));
/// ```
pub struct Mirror<C: 'static> {
    /// The context whose entities it maintains.
    instance: Option<u64>,
    feed: Option<FeedKey>,
    /// The number of the last applied delta.
    applied: u64,
    /// Whether that delta has been applied completely.
    complete: bool,
    ids: Mapping<C>,
    /// The components of the feed, in the order of its deltas.
    #[cfg(feature = "serde")]
    known: alloc::vec::Vec<super::wire::Known>,
    /// The values of components that deltas divide.
    #[cfg(feature = "serde")]
    cells: super::mirror_cells::MirrorCells<C>,
}

impl<C: HasCore> Mirror<C> {
    /// Creates a mirror without a feed; the first delta must be [everything](Delta::is_everything).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mirror = ecs::Mirror::<Game>::new();
    /// assert!(mirror.is_empty());
    /// ```
    pub fn new() -> Self {
        Self {
            instance: None,
            feed: None,
            applied: 0,
            complete: true,
            ids: Mapping::new(),
            #[cfg(feature = "serde")]
            known: alloc::vec::Vec::new(),
            #[cfg(feature = "serde")]
            cells: super::mirror_cells::MirrorCells::new(),
        }
    }

    /// Creates a mirror of a context that has the entities of an origin under the same ids, because
    /// it was [loaded](crate::guide::saving) from its save. The first delta must be
    /// [everything](Delta::is_everything); only components that differ are replaced.
    ///
    /// All entities of the context are the mirror's: those that the feed does not include are
    /// destroyed, or kept without components while values refer to them. Components that are not
    /// in the feed stay as they are.
    ///
    /// Complexity: linear in the number of entities.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # #[cfg(feature = "serde")] {
    /// let mut server = Game::new();
    /// let feed = server.feed::<Health>();
    /// let id = server.create_with(Health(3)).id();
    /// let saved = serde_json::to_string(&server.save()).unwrap();
    ///
    /// # let from = &mut serde_json::Deserializer::from_str(&saved);
    /// let mut client = Game::load(from).unwrap(); // from a store, say
    /// let mut mirror = ecs::Mirror::of(&client);
    /// server.entity_mut(id).replace_health(4);
    /// mirror.apply(&mut client, &feed.everything(&server)).unwrap();
    /// let local = mirror.local(id).unwrap();
    /// assert!(local == id && client.entity(local).health().0 == 4);
    /// # }
    /// ```
    pub fn of(context: &C) -> Self {
        let mut mirror = Self::new();
        mirror.instance = Some(context.core().world.instance());
        for (id, _) in context.core().world.slots().iter() {
            mirror.ids.bind(id.typed(), id.typed());
        }
        mirror
    }

    /// Applies a delta to the context.
    ///
    /// All state is final before the first observer is notified, except for observers of entities
    /// that are about to be destroyed.
    ///
    /// Events: for removed components, destroyed entities, entities created with their components,
    /// then for replaced or added components, component by component. If the delta contains
    /// everything, or changes since an [acknowledged](crate::Feed::acknowledge) delta, values that are the same already are
    /// not replaced. They are compared field by field and bit by bit, if the fields consist of types of the standard library (numbers, strings, lists,
    /// and so on) and ids; values with any other field always count as changed.
    ///
    /// Complexity: linear in the size of the delta, in the number of placeholders (entities that
    /// exist only because values refer to them), and in the sources of targets whose order
    /// changes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, mut other) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (game.feed::<Health>(), ecs::Mirror::new());
    /// game.create_with(Health(3));
    /// let delta = feed.take(&mut game);
    /// mirror.apply(&mut other, &delta).unwrap();
    /// assert_eq!(other.len(), 1);
    /// let repeated = mirror.apply(&mut other, &delta);
    /// assert_eq!(repeated, Err(ecs::ApplyError::Repeated { number: 1 }));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the context is not the one of earlier calls. If `clone` of a value panics, nothing
    /// has changed; if an observer panics, the delta has been applied. If a key function panics, or
    /// an observer of an entity that is about to be destroyed, the mirror needs a delta that is
    /// everything next.
    ///
    /// # Errors
    ///
    /// Returns an [`ApplyError`] if deltas are missing or repeated, if the delta is of another
    /// feed, if it conflicts with an entity that is not the mirror's, or if the maximum number of
    /// entities is exceeded. Nothing has changed then, and the delta can be applied later. If the
    /// values of a delta that was not made by a feed contradict each other, it is applied in part,
    /// and the error is [`ApplyError::Incomplete`].
    #[track_caller]
    pub fn apply(&mut self, context: &mut C, delta: &Delta<C>) -> Result<(), ApplyError> {
        self.check_context(context);
        let delta = self.readable(delta)?;
        match self.feed {
            Some(feed) if feed != delta.feed => Err(ApplyError::OtherFeed),
            _ => self.advance(context, &delta),
        }
    }

    /// Applies a delta that contains everything of another feed, and follows that feed from now on.
    ///
    /// Meant for an origin that has moved: it was saved, another process has loaded it and has a
    /// feed of the same components. Entities keep their local ids if the new origin knows them by
    /// the same ids, as after a [load](crate::guide::saving). Entities missing from the new origin are
    /// destroyed, and those missing here are created. As in [`apply`](Self::apply), only components that
    /// differ are replaced.
    ///
    /// A delta of the present feed is applied as by [`apply`](Self::apply).
    ///
    /// Events, complexity: as for [`apply`](Self::apply).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # #[cfg(feature = "serde")] {
    /// let (mut server, mut client) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (server.feed::<Health>(), ecs::Mirror::new());
    /// let id = server.create_with(Health(3)).id();
    /// mirror.apply(&mut client, &feed.take(&mut server)).unwrap();
    /// let local = mirror.local(id).unwrap();
    ///
    /// let saved = serde_json::to_string(&server.save()).unwrap();
    /// # let from = &mut serde_json::Deserializer::from_str(&saved);
    /// let mut next = Game::load(from).unwrap(); // in another process
    /// let feed = next.feed::<Health>();
    /// next.entity_mut(id).replace_health(4);
    /// let delta = feed.take(&mut next);
    /// assert_eq!(mirror.apply(&mut client, &delta), Err(ecs::ApplyError::OtherFeed));
    /// mirror.rebase(&mut client, &delta).unwrap();
    /// assert_eq!(client.entity(local).health().0, 4);
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// As [`apply`](Self::apply).
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply), except for [`OtherFeed`](ApplyError::OtherFeed). A delta of
    /// another feed that does not contain everything is [`Missing`](ApplyError::Missing) those
    /// before it. After an error the mirror follows the same feed as before.
    #[track_caller]
    pub fn rebase(&mut self, context: &mut C, delta: &Delta<C>) -> Result<(), ApplyError> {
        self.check_context(context);
        let delta = self.readable(delta)?;
        self.advance(context, &delta)
    }

    /// Reads a delta that was received as bytes, to look into it before or after it is applied. One
    /// with only changes does not name its components; the mirror knows them from the delta that was
    /// everything. Changes nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// # #[cfg(feature = "serde")] {
    /// use ecs::{Delta, Mirror};
    ///
    /// let (mut server, mut client) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (server.feed::<Health>(), Mirror::new());
    /// let id = server.create_with(Health(3)).id();
    /// mirror.apply(&mut client, &feed.take(&mut server)).unwrap();
    ///
    /// server.entity_mut(id).replace_health(2);
    /// let bytes = postcard::to_stdvec(&feed.take(&mut server)).unwrap();
    /// let delta: Delta<Game> = postcard::from_bytes(&bytes).unwrap();
    /// let read = mirror.read(&delta).unwrap();
    /// assert!(read.number() == 2 && read.set::<Health>().eq([(id, &Health(2))]));
    /// mirror.apply(&mut client, &read).unwrap(); // or `&delta`
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Unreadable`](ApplyError::Unreadable), [`Malformed`](ApplyError::Malformed). If the feed has a
    /// component with `delta`, or was limited by `set_visible`, only the last applied delta and later
    /// ones can be read ([`Repeated`](ApplyError::Repeated)), and those only if no earlier one is
    /// needed ([`Missing`](ApplyError::Missing)).
    pub fn read(&self, delta: &Delta<C>) -> Result<Delta<C>, ApplyError> {
        self.readable(delta).map(Cow::into_owned)
    }

    /// Makes a delta from bytes the next one, whatever it has, so that tests reach what reads it.
    #[cfg(all(feature = "__checks", feature = "serde"))]
    #[doc(hidden)]
    pub fn forge(&self, delta: &mut Delta<C>) {
        if let (Some(packed), Some(feed)) = (&mut delta.packed, self.feed) {
            let next = self.applied.saturating_add(1);
            super::wire::forge(packed, feed, &self.known, next);
        }
    }

    /// The delta, read if it was received as bytes.
    fn readable<'d>(&self, delta: &'d Delta<C>) -> Result<Cow<'d, Delta<C>>, ApplyError> {
        #[cfg(feature = "serde")]
        if let Some(packed) = &delta.packed {
            let expected = self.applied.saturating_add(1);
            let feed = self.feed.ok_or(ApplyError::Unreadable)?;
            let has = (&self.ids, &self.cells, expected);
            let read = super::wire::read_changes(packed, (feed, &self.known), has);
            return read.ok_or(ApplyError::Unreadable)?.map(Cow::Owned);
        }
        Ok(Cow::Borrowed(delta))
    }

    #[track_caller]
    fn check_context(&self, context: &C) {
        let instance = context.core().world.instance();
        check_own(
            &context.core().world,
            self.instance.unwrap_or(instance),
            "mirror",
        );
    }

    /// Applies the next delta of a feed, or everything of another one.
    fn advance(&mut self, context: &mut C, delta: &Delta<C>) -> Result<(), ApplyError> {
        self.check_turn(delta)?;
        let planner = Planner::new(delta, &self.ids);
        let plan = Plan::new(context.core_mut(), &planner)?;
        let columns = planner.stage(context.core(), &plan.created)?;
        self.instance = Some(context.core().world.instance());
        self.feed = Some(delta.feed);
        self.applied = delta.number;
        self.complete = false;
        #[cfg(feature = "serde")]
        self.cells.record(delta);
        #[cfg(feature = "serde")]
        if delta.everything {
            self.known = super::wire::Known::all_of(delta);
        }
        let applied = together(context, |context| {
            let mut work = Work {
                ids: &mut self.ids,
                context,
                delta,
                columns,
            };
            let applied = work.run(plan);
            self.complete = applied.is_ok();
            applied
        });
        applied.map_err(|_| ApplyError::Incomplete)
    }

    /// Rejects a delta that is not the next one, unless it is everything.
    fn check_turn(&self, delta: &Delta<C>) -> Result<(), ApplyError> {
        let is_followed = self.feed == Some(delta.feed);
        let applied = if is_followed { self.applied } else { 0 };
        let (found, expected) = (delta.number, applied.saturating_add(1));
        // What `Feed::everything` returns has the number of the delta before.
        let is_due = delta.everything && found == applied && !(is_followed && self.complete);
        if found < expected && !is_due {
            return Err(ApplyError::Repeated { number: found });
        }
        match delta.everything {
            true => Ok(()),
            false if is_followed && !self.complete => Err(ApplyError::Incomplete),
            false if is_followed && delta.base < expected => Ok(()),
            false => Err(ApplyError::Missing { expected, found }),
        }
    }

    /// Returns the number of the last delta applied, which a client [acknowledges](crate::Feed::acknowledge);
    /// 0 if the mirror needs one that is [everything](Delta::is_everything).
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, mut other) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (game.feed::<Health>(), ecs::Mirror::new());
    /// mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    /// assert_eq!(mirror.applied(), 1);
    /// ```
    pub fn applied(&self) -> u64 {
        if self.complete { self.applied } else { 0 }
    }

    /// Returns the local entity of an entity of the origin, if there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, mut other) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (game.feed::<Health>(), ecs::Mirror::new());
    /// let id = game.create_with(Health(3)).id();
    /// mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    /// assert_eq!(other.entity(mirror.local(id).unwrap()).health().0, 3);
    /// ```
    pub fn local(&self, origin: EntityId<C>) -> Option<EntityId<C>> {
        self.ids.local(origin)
    }

    /// Returns the entity of the origin of a local entity, if it is one of the mirror.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, mut other) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (game.feed::<Health>(), ecs::Mirror::new());
    /// let id = game.create_with(Health(3)).id();
    /// mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    /// let local = mirror.local(id).unwrap();
    /// assert_eq!(mirror.origin(local), Some(id));
    /// ```
    pub fn origin(&self, local: EntityId<C>) -> Option<EntityId<C>> {
        self.ids.origin(local)
    }

    /// Returns the number of local entities, including those that exist only because values refer to them.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, mut other) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (game.feed::<Health>(), ecs::Mirror::new());
    /// game.create_many([Health(3), Health(4)]);
    /// mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    /// assert_eq!(mirror.len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.ids.locals.len()
    }

    /// Returns `true` if it has no local entities.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// assert!(ecs::Mirror::<Game>::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.ids.locals.is_empty()
    }
}

impl<C: HasCore> Default for Mirror<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: HasCore> fmt::Debug for Mirror<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mirror")
            .field("applied", &self.applied)
            .field("entities", &self.len())
            .finish_non_exhaustive()
    }
}
