//! The handle of a collector.

use core::fmt;
use core::marker::PhantomData;

use crate::reactions::handle::Watched;

/// Collects the entities that raise certain events, without duplicates, until drained.
///
/// Created by [`Context::collector`](crate::Context::collector) from a [`Trigger`](crate::Trigger).
/// It collects events from then on; entities already in a group are not collected. Ids of destroyed
/// entities stay in it. Collectors are independent of each other.
///
/// It is a handle of the context that created it; every method takes that context and panics if
/// given another one. Dropping it ends the collection: it then collects only what fits into its
/// memory, which is freed when the context creates another collector or
/// [shrinks](crate::StorageMut::shrink_to_fit). [`release`](Collector::release) does both
/// immediately.
///
/// # Examples
///
/// ```
/// # use ecs::prelude::*;
/// # use sample::*;
/// let mut game = Game::new();
/// let moved = game.collector(Game::all_of::<Position>().entered_or_updated());
/// let id = game.create_entity().add_position(1.0).replace_position(2.0).id();
/// assert_eq!(moved.drain(&mut game), [id]);
/// assert!(moved.is_empty(&game));
/// ```
#[must_use = "entities that are not drained take up memory"]
pub struct Collector<C> {
    pub(crate) instance: u64,
    pub(crate) index: usize,
    watched: Watched,
    context: PhantomData<fn() -> C>,
}

impl<C> Collector<C> {
    pub(crate) fn new(instance: u64, index: usize, watched: Watched) -> Self {
        Self {
            instance,
            index,
            watched,
            context: PhantomData,
        }
    }

    /// Sets the name of the system that reads it.
    pub(crate) fn set_reader(&self, system: &str) {
        self.watched.set_reader(system);
    }
}

impl<C> fmt::Debug for Collector<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Collector({})", self.index)
    }
}
