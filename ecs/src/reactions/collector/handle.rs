//! The handle of a collector.

use core::fmt;
use core::marker::PhantomData;

use crate::reactions::handle::Watched;

/// Gathers the entities that raised certain events, once each, until drained.
///
/// Made by [`Context::collector`](crate::Context::collector) from a
/// [`Trigger`](crate::Trigger). It gathers from then on: entities that are in a
/// group already are not collected. It keeps dead ids too. Collectors are
/// independent of one another.
///
/// A handle of the context that made it; every method is given that context again
/// and panics if it is handed another one. Dropping it ends the collector: it gathers no more than
/// it has memory for already, and that is given back when the context makes another collector or
/// [shrinks](crate::StorageMut::shrink_to_fit). [`release`](Collector::release) does both at once.
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
#[must_use = "a collector that is not drained only takes up memory"]
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

    /// Notes the name of the system that reads it.
    pub(crate) fn set_reader(&self, system: &str) {
        self.watched.set_reader(system);
    }
}

impl<C> fmt::Debug for Collector<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Collector({})", self.index)
    }
}
