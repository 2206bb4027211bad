//! Feeds, which send what has changed, and mirrors, which keep another context in sync.
//!
//! ```text
//! Feed (here, pending_changes.rs) ── take ──► Delta (delta.rs) ── apply ──► Mirror (mirror.rs)
//!                                             a column per component (column.rs)
//! ```

mod candidates;
#[cfg(feature = "serde")]
mod cells;
mod column;
mod delta;
mod mapping;
mod mirror;
#[cfg(feature = "serde")]
mod mirror_cells;
mod mirroring;
mod order;
mod origin;
#[cfg(feature = "serde")]
mod packed;
mod pending_changes;
mod plan;
mod slot_reader;
mod visibility;
#[cfg(feature = "serde")]
mod wire;
mod work;

use alloc::vec::Vec;
use core::fmt;

pub use self::delta::Delta;
use self::delta::FeedKey;
pub use self::mirror::Mirror;
use self::origin::{origin, process};
use self::visibility::{Sees, Visibility};
use crate::reactions::feeds::FeedBits;
use crate::reactions::handle::Watched;
use crate::state::core::{Core, HasCore, check_own};
use crate::state::dropped::{end_dropped_feeds, look_for_dropped};
use crate::storage::registry::numbering;
use crate::words::component::{Components, RawComponentIndex, indices_of};
use crate::words::entity_id::EntityId;
use crate::words::signature::RawComponentSet;

/// The maximum number of components of a feed: one bit each.
const MOST: usize = FeedBits::BITS as usize;

/// Reports what has changed since the last time, to send it to a copy of the context.
///
/// Created by [`Context::feed`](crate::Context::feed) for some components. An entity is *in* the
/// feed while it has at least one of them and, if the feed is limited by [`only`](Self::only) or
/// [`set_visible`](Self::set_visible), it may be seen. [`take`](Self::take) returns a [`Delta`]: the entities that appeared or
/// vanished, and the components that were set or removed, with their present values. The first
/// delta contains everything. A [`Mirror`] applies deltas to another context.
///
/// A feed sees the same changes as a [`Collector`](crate::Collector). Unreported writes, such as
/// `x_mut_untracked`, are rejected while a feed has the component. After a
/// [`reset`](crate::Context::reset), the next delta contains everything.
///
/// Deltas identify the run of the program by a random number. On `wasm32-unknown-unknown`, provide
/// it with [`of_run`](Self::of_run).
///
/// A feed is a handle of the context that created it: every method takes that context, and panics
/// if given another one. Dropping the handle ends the feed.
///
/// # Complexity
///
/// A change is recorded once per component, regardless of the number of feeds. The cost of a delta
/// scales with the changes since the last one, or with the entities that were
/// [made visible](Self::set_visible). A feed uses 8 bytes per entity in it, 12 if made visible. Pending
/// changes are bounded by the maximum number of entities alive at the same time, no matter how many
/// are created and destroyed; if a feed has never been read,
/// [`shrink_to_fit`](crate::StorageMut::shrink_to_fit) frees them.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// use ecs::Mirror;
///
/// let (mut server, mut client) = (Game::new(), Game::new());
/// let feed = server.feed::<(Position, Health)>();
/// let mut mirror = Mirror::new();
///
/// let id = server.create_with((Position(1.0), Health(3))).id();
/// mirror.apply(&mut client, &feed.take(&mut server)).unwrap();
///
/// server.entity_mut(id).replace_position(2.0).remove_health();
/// mirror.apply(&mut client, &feed.take(&mut server)).unwrap();
/// let copy = client.entity(mirror.local(id).unwrap());
/// assert!(copy.position() == &Position(2.0) && !copy.has_health());
/// ```
#[must_use = "a feed that is not taken from only takes up memory"]
pub struct Feed<C> {
    instance: u64,
    place: usize,
    serial: u64,
    /// Distinguishes deltas of this run of the program from those of others.
    run: u64,
    shows: Visibility<C>,
    _watched: Vec<Watched>,
}

/// Creates a feed.
#[track_caller]
pub(crate) fn begin<C: HasCore, T: Components<C>>(context: &mut C) -> Feed<C> {
    look_for_dropped(context);
    let components: Vec<_> = RawComponentSet::of_scope::<C, T>().iter().collect();
    check::<C>(&components);
    let begun = pending_changes::add_feed(context, &components);
    Feed {
        instance: context.core().world.instance(),
        place: begun.place,
        serial: begun.serial,
        run: process(),
        shows: Visibility::of_all(components),
        _watched: begun.watched,
    }
}

/// Rejects components that cannot be in a feed.
#[track_caller]
fn check<C: HasCore>(components: &[RawComponentIndex]) {
    let name = C::NAME;
    assert!(
        components.len() <= MOST,
        "a feed of context `{name}` has at most {MOST} components, not {}; feed those that receivers need",
        components.len()
    );
    for &component in components {
        let descriptor = numbering::<C>().get(component);
        let descriptor = descriptor.expect("a component of the context");
        assert!(
            descriptor.is_clone,
            "component `{}` of context `{name}` cannot be in a feed: a delta has clones of its \
             values; write `#[derive(Clone)]` above it, or leave it out",
            descriptor.names.component
        );
    }
}

impl<C: HasCore> Feed<C> {
    #[track_caller]
    fn core_mut<'c>(&self, context: &'c mut C) -> &'c mut Core<C> {
        check_own(&context.core().world, self.instance, "feed");
        context.core_mut()
    }

    /// The feed in the context, and for receivers.
    fn key(&self) -> (usize, FeedKey) {
        let origin = origin(self.run, self.instance);
        let serial = self.serial;
        (self.place, FeedKey { origin, serial })
    }

    /// Limits the feed to entities that a closure accepts.
    pub(crate) fn limit(&mut self, only: Sees<C>) {
        self.shows.limit(only);
    }

    /// Sets the number that identifies this run of the program. A mirror accepts deltas of one
    /// context of one run only.
    ///
    /// By default it is a random number of the process. Some platforms lack a source of randomness:
    /// on `wasm32-unknown-unknown`, and without the feature `std` where programs are always loaded
    /// at the same addresses, every run has the same number, so a mirror that outlives the program
    /// could mistake the deltas of the next run for those of this one. There, pass a random number
    /// that the host creates once per run, such as `crypto.getRandomValues` in a browser.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// use ecs::{ApplyError, Mirror};
    ///
    /// fn run(random: u64) -> ecs::Delta<Game> {
    ///     let mut game = Game::new();
    ///     let feed = game.feed::<Health>().of_run(random);
    ///     feed.take(&mut game)
    /// }
    /// let (mut client, mut mirror) = (Game::new(), Mirror::new());
    /// mirror.apply(&mut client, &run(0x7d1e_55c2)).unwrap();
    /// assert_eq!(mirror.apply(&mut client, &run(0x03f8_aa90)), Err(ApplyError::OtherFeed));
    /// ```
    pub fn of_run(mut self, number: u64) -> Self {
        self.run = number;
        self
    }

    /// Sends the components `T` only for these entities from the next delta on, instead of for all.
    ///
    /// The entities replace those of the last call for the same components. Pass what an index finds,
    /// such as a [`Grid`](crate::Grid) around the viewer, before each [`take`](Self::take). Components
    /// without such a call are sent for all entities: so one feed can have names of all entities, the
    /// positions of those nearby, and the ammunition of the viewer.
    ///
    /// An entity appears when a component of it becomes visible, and vanishes when none is. Nothing of
    /// a hidden entity is sent, except for its id if a visible value contains it. Ids that occur twice
    /// or whose entities are destroyed are ignored. A closure of [`only`](Self::only) hides entities
    /// of the set, too.
    ///
    /// Call it before the first `take`, or that one contains all entities. It does not affect
    /// [`everything`](Self::everything), which repeats what was sent.
    ///
    /// Complexity: linear in the number of ids. If it was called for all components, `take` is
    /// linear in the entities that are or were visible, regardless of the size of the context and of
    /// other changes.
    ///
    /// # Panics
    ///
    /// Panics if one of the components is not in the feed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Grid;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let place = |e: GameEntity<'_>| [e.position().0];
    /// let grid = game.index_with(Game::all_of::<Position>(), place, Grid::new(10.0));
    /// let hero = game.create_with((Position(0.0), Health(9))).id();
    /// let orc = game.create_with((Position(8.0), Health(5))).id();
    ///
    /// let mut feed = game.feed::<(Position, Health)>(); // of the hero's player
    /// feed.set_visible::<Health>([hero]);
    /// feed.set_visible::<Position>(grid.get(&game).within([0.0], 10.0).map(|(id, _)| id));
    /// let delta = feed.take(&mut game);
    /// assert_eq!(delta.appeared(), [hero, orc]);
    /// assert!(delta.set::<Health>().eq([(hero, &Health(9))]));
    ///
    /// game.entity_mut(orc).replace_position(11.0).replace_health(4);
    /// feed.set_visible::<Position>(grid.get(&game).within([0.0], 10.0).map(|(id, _)| id));
    /// let delta = feed.take(&mut game);
    /// assert!(delta.vanished().eq([orc]) && delta.set::<Health>().count() == 0);
    /// ```
    #[track_caller]
    pub fn set_visible<T: Components<C>>(&mut self, ids: impl IntoIterator<Item = EntityId<C>>) {
        self.shows.set(&indices_of::<C, T>(), ids);
    }

    /// Makes the next delta call the closure of [`only`](Self::only) for every entity, because
    /// something other than the entities has changed.
    ///
    /// Complexity: the next `take` is linear in the number of entities.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicI32, Ordering};
    ///
    /// let mut game = Game::new();
    /// let viewer = Arc::new(AtomicI32::new(0));
    /// let at = viewer.clone();
    /// let feed = game.feed::<Position>().only(move |entity| {
    ///     (entity.position().0 as i32 - at.load(Ordering::Relaxed)).abs() < 10
    /// });
    /// let id = game.create_with(Position(15.0)).id();
    /// assert!(feed.take(&mut game).appeared().is_empty());
    /// viewer.store(9, Ordering::Relaxed);
    /// feed.look_again(&mut game);
    /// assert_eq!(feed.take(&mut game).appeared(), [id]);
    /// ```
    #[track_caller]
    pub fn look_again(&self, context: &mut C) {
        let core = self.core_mut(context);
        pending_changes::look_again(&mut core.subs, self.place);
    }

    /// Returns what has changed since the last delta; the first one contains everything.
    ///
    /// Entities that appeared and vanished in between are not reported. Values are cloned. If a
    /// `clone` or the closure of [`only`](Self::only) panics, nothing is taken, and the next delta
    /// contains all of it.
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
    /// game.entity_mut(id).replace_health(2).replace_health(3);
    /// let delta = feed.take(&mut game);
    /// assert!(delta.set::<Health>().eq([(id, &Health(3))]));
    /// assert!(feed.take(&mut game).is_empty());
    /// ```
    #[track_caller]
    pub fn take(&self, context: &mut C) -> Delta<C> {
        self.core_mut(context);
        pending_changes::take(context, self.key(), &self.shows)
    }

    /// Returns the full contents of the feed without taking anything: for one receiver among many,
    /// which joins late or has lost a delta.
    ///
    /// It has the number of the last delta, so the receiver applies it and then the next delta,
    /// like all others. Values are present ones, except that those of components with `delta` are as they were
    /// sent; entities and components are those that were sent
    /// so far, because the next delta contains the changes since then. Call it right after
    /// [`take`](Self::take), and nothing is pending. If nothing was taken yet, or after a
    /// [`reset`](crate::Context::reset), it contains all entities of the feed.
    ///
    /// Complexity: linear in the entities of the feed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// use ecs::Mirror;
    ///
    /// let mut game = Game::new();
    /// let feed = game.feed::<Health>();
    /// let id = game.create_with(Health(1)).id();
    /// feed.take(&mut game); // sent to all that are there
    ///
    /// let (mut late, mut mirror) = (Game::new(), Mirror::new());
    /// mirror.apply(&mut late, &feed.everything(&game)).unwrap();
    /// game.entity_mut(id).replace_health(2);
    /// let next = feed.take(&mut game); // sent to all, the late one too
    /// assert!((next.number(), next.is_everything()) == (2, false));
    /// mirror.apply(&mut late, &next).unwrap();
    /// assert_eq!(late.entity(mirror.local(id).unwrap()).health().0, 2);
    /// ```
    #[track_caller]
    pub fn everything(&self, context: &C) -> Delta<C> {
        check_own(&context.core().world, self.instance, "feed");
        pending_changes::everything(context, self.key(), &self.shows)
    }

    /// Takes the full contents of the feed, for receivers that have lost a delta.
    ///
    /// A mirror that applies it equals the origin again, whatever it has missed: entities that are
    /// no longer in the feed vanish. It is the next delta, so all receivers need it; for a single
    /// one, use [`everything`](Self::everything).
    ///
    /// Complexity: linear in the number of entities.
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
    /// let delta = feed.take_all(&mut game);
    /// assert!(delta.is_everything());
    /// assert_eq!(delta.appeared(), [id]);
    /// ```
    #[track_caller]
    pub fn take_all(&self, context: &mut C) -> Delta<C> {
        let core = self.core_mut(context);
        pending_changes::send_everything(&mut core.subs, self.place);
        self.take(context)
    }

    /// Records that the receiver has applied a delta, and makes later deltas contain what has changed
    /// since that one: for transports that lose, repeat or reorder what is sent.
    ///
    /// Such a delta can be applied to the acknowledged one and to any later one, so a lost delta does
    /// no harm: the next one has its changes, too. The receiver reports
    /// [`Mirror::applied`](Mirror::applied) after each delta.
    ///
    /// Call it with 0 before the first [`take`](Self::take). Deltas are
    /// [everything](Delta::is_everything) until the receiver has acknowledged one. They are again
    /// after [`take_all`](Self::take_all), after a [`reset`](crate::Context::reset), after 256 deltas
    /// without an acknowledgement, and if the first call is for another delta than the last one.
    ///
    /// Numbers of deltas that were never taken or are older than the acknowledged one are ignored, so
    /// a number that a client has sent needs no check. A client that acknowledges a delta that it does
    /// not have harms only itself.
    ///
    /// Complexity: a delta takes time linear in the changes since the acknowledged one. The feed keeps
    /// which entities have appeared and vanished, and which components were added and removed, in at
    /// most 256 deltas.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let (mut game, mut other) = (Game::new(), Game::new());
    /// let (feed, mut mirror) = (game.feed::<Health>(), ecs::Mirror::new());
    /// feed.acknowledge(&mut game, 0);
    /// let id = game.create_with(Health(3)).id();
    /// mirror.apply(&mut other, &feed.take(&mut game)).unwrap();
    /// feed.acknowledge(&mut game, mirror.applied());
    ///
    /// game.entity_mut(id).replace_health(2);
    /// drop(feed.take(&mut game)); // lost
    /// let next = feed.take(&mut game);
    /// assert!(!next.is_everything() && next.set::<Health>().eq([(id, &Health(2))]));
    /// mirror.apply(&mut other, &next).unwrap();
    /// assert_eq!(mirror.applied(), 3);
    /// ```
    #[track_caller]
    pub fn acknowledge(&self, context: &mut C, number: u64) {
        let core = self.core_mut(context);
        pending_changes::acknowledge(&mut core.subs, self.place, number);
    }

    /// Ends the feed and frees its memory immediately.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let feed = game.feed::<Health>();
    /// feed.release(&mut game);
    /// game.create_with(Health(1)); // not recorded for a feed
    /// ```
    #[track_caller]
    pub fn release(self, context: &mut C) {
        self.core_mut(context);
        drop(self);
        let core = context.core_mut();
        end_dropped_feeds(&mut core.world, &mut core.subs);
    }
}

impl<C: HasCore> fmt::Debug for Feed<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Feed({})", self.serial)
    }
}
