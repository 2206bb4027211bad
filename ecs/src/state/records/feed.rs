//! Feeds: what has changed, to be sent, and mirrors, which keep another context in step.
//!
//! ```text
//! Feed (here, news.rs) ── take ──► Delta (delta.rs) ── apply ──► Mirror (mirror.rs)
//!                                  a column for each component (column.rs)
//! ```

mod column;
mod delta;
mod mirror;
mod mirroring;
mod order;
mod pending_changes;
mod plan;
#[cfg(feature = "serde")]
mod wire;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{BuildHasher, Hash as _, Hasher as _};
use core::sync::atomic::{AtomicU64, Ordering};

use crate::reactions::handle::Watched;
use crate::state::core::{Core, HasCore, check_own};
use crate::state::dropped::look_for_dropped;
use crate::state::records::feed::delta::FeedKey;
use crate::storage::registry::numbering;
use crate::words::checksum::ChecksumHasher;
use crate::words::component::{Components, RawComponentIndex, indices_of};
use crate::words::entity_id::EntityId;

pub use self::delta::Delta;
pub use self::mirror::Mirror;

/// How many components a feed has at most: a bit for each.
const MOST: usize = 32;

/// Which entities a feed tells of.
type Sees<C> = Box<dyn Fn(&C, EntityId<C>) -> bool + Send + Sync>;

/// Tells what has changed since the last time, to be sent to somebody who keeps a copy.
///
/// Made by [`Context::feed`](crate::Context::feed) for some components. An entity is *in* the feed
/// while it has at least one of them and, if the feed is limited by [`only`](Self::only), is seen.
/// [`take`](Self::take) returns a [`Delta`]: who appeared, who vanished, and which of the
/// components were set or removed, with present values. The first one is everything. A
/// [`Mirror`](crate::Mirror) applies deltas to another context.
///
/// Changes are followed as by a [`Collector`](crate::Collector). What goes unreported, such as
/// writes through `x_mut_untracked`, is rejected while a feed has the component. After
/// [`reset`](crate::Context::reset) the next delta is everything.
///
/// Deltas know the run of the program that they are of, by a random number. On
/// `wasm32-unknown-unknown` give one by [`of_run`](Self::of_run).
///
/// A handle of the context that made it; every method is given that context again and panics if it
/// is handed another one. Dropping it ends the feed.
///
/// # Complexity
///
/// A change does its work once, however many feeds have the component. Taking a delta costs by what
/// has changed since the last one. Each feed takes 8 bytes for each entity that is in it. What waits to
/// be taken is bounded by the entities that were alive at the same time, however many come and go; for a
/// feed that has never been read, [`shrink_to_fit`](crate::StorageMut::shrink_to_fit) gives it back.
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
    /// What tells deltas of this run of the program from those of others.
    run: u64,
    pub(crate) only: Option<Sees<C>>,
    _watched: Vec<Watched>,
}

/// Begins a feed.
#[track_caller]
pub(crate) fn begin<C: HasCore, T: Components<C>>(context: &mut C) -> Feed<C> {
    look_for_dropped(context);
    let mut components = indices_of::<C, T>();
    components.sort_unstable();
    components.dedup();
    check::<C>(&components);
    let begun = pending_changes::add_feed(context, &components);
    Feed {
        instance: context.core().instance(),
        place: begun.place,
        serial: begun.serial,
        run: process(),
        only: None,
        _watched: begun.watched,
    }
}

/// Rejects components that cannot be told.
#[track_caller]
fn check<C: HasCore>(components: &[RawComponentIndex]) {
    let name = C::NAME;
    assert!(
        components.len() <= MOST,
        "a feed of context `{name}` has at most {MOST} components, not {}; make several feeds",
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
        check_own(context.core(), self.instance, "feed");
        context.core_mut()
    }

    /// Gives the run of the program a number, which tells its feeds from those of earlier and later
    /// runs: a mirror takes deltas of one context of one run only.
    ///
    /// By default it is a random number of the process. There are platforms without a source of
    /// randomness: on `wasm32-unknown-unknown`, and without the feature `std` where programs are always
    /// loaded to the same addresses, every run has the same number, and a mirror that outlives the
    /// program could take deltas of the next run for those of this one. There, give every feed a
    /// random number that the host has made once a run, such as `crypto.getRandomValues` in a browser.
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

    /// Has the next delta ask for every entity whether it is seen, because something else than the
    /// entities has changed.
    ///
    /// Complexity: that `take` is linear in the entities.
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
        pending_changes::look_again(self.core_mut(context), self.place);
    }

    /// Returns what has changed since the last delta; the first one is everything.
    ///
    /// Who came and went in between is not told. Values are clones. If a `clone` or the closure of
    /// [`only`](Self::only) panics, nothing has been taken, and the next delta has all of it.
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
        let key = FeedKey {
            origin: origin(self.run, self.instance),
            serial: self.serial,
        };
        let sees = |context: &C, id| self.only.as_ref().is_none_or(|only| only(context, id));
        pending_changes::take(context, (self.place, key), sees)
    }

    /// Returns everything that is in the feed at present, for somebody who has lost a delta.
    ///
    /// A mirror that applies it is equal to the origin again, whatever it has missed: who is not in
    /// there any more vanishes.
    ///
    /// Complexity: linear in the entities.
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
        pending_changes::send_everything(self.core_mut(context), self.place);
        self.take(context)
    }

    /// Ends the feed.
    ///
    /// # Examples
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use sample::*;
    /// let mut game = Game::new();
    /// let feed = game.feed::<Health>();
    /// feed.release(&mut game);
    /// game.create_with(Health(1)); // nobody keeps it for a feed
    /// ```
    #[track_caller]
    pub fn release(self, context: &mut C) {
        self.core_mut(context);
        drop(self);
        context.core_mut().end_dropped_feeds();
    }
}

/// The number of a context of one run of the program.
fn origin(run: u64, instance: u64) -> u64 {
    let mut hasher = ChecksumHasher::default();
    (run, instance).hash(&mut hasher);
    hasher.finish()
}

impl<C: HasCore> fmt::Debug for Feed<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Feed({})", self.serial)
    }
}

/// The number of this process: random, and the same at each call. Without the standard library it is
/// as random as the addresses are that programs are loaded to; where there is no source of randomness,
/// as on `wasm32-unknown-unknown`, it is the same for all processes.
pub(crate) fn process() -> u64 {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    match NUMBER.load(Ordering::Relaxed) {
        0 => {
            let random = random().max(1);
            let first = NUMBER.compare_exchange(0, random, Ordering::Relaxed, Ordering::Relaxed);
            first.err().unwrap_or(random)
        }
        number => number,
    }
}

fn random() -> u64 {
    #[cfg(feature = "std")]
    let random = std::hash::RandomState::new();
    #[cfg(not(feature = "std"))]
    let random = hashbrown::DefaultHashBuilder::default();
    random.hash_one(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_one_number() {
        assert_eq!(process(), process());
        assert_ne!(process(), 0);
    }
}
